/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * x86 with AES-NI, and the wide forms with VAES.  x86 adds the key last; its decryption rounds have InvMixColumns before the key.
 */
#ifndef LANECRYPT_AES_ROUND_X86_H
#define LANECRYPT_AES_ROUND_X86_H

#include <immintrin.h>

#include "vector_shift_rows.h"

#if defined(__VAES__) && defined(__AVX512F__)
#define LC_AES_ROUND_HOST "vaes-512"
#elif defined(__VAES__) && defined(__AVX2__)
#define LC_AES_ROUND_HOST "vaes-256"
#else
#define LC_AES_ROUND_HOST "aesni"
#endif

#define LC_AES_X86(name, ...) ((lc_aes_block)_mm_##name##_si128(__VA_ARGS__))

LC_AES_INLINE lc_aes_block lc_aes_sb_sr_ak(lc_aes_block x, lc_aes_block k)
{
    return LC_AES_X86(aesenclast, (__m128i)x, (__m128i)k);
}

LC_AES_INLINE lc_aes_block lc_aes_sb_sr_mc_ak(lc_aes_block x, lc_aes_block k)
{
    return LC_AES_X86(aesenc, (__m128i)x, (__m128i)k);
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_ak(lc_aes_block x, lc_aes_block k)
{
    return LC_AES_X86(aesdeclast, (__m128i)x, (__m128i)k);
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_imc_ak(lc_aes_block x, lc_aes_block k)
{
    return LC_AES_X86(aesdec, (__m128i)x, (__m128i)k);
}

LC_AES_INLINE lc_aes_block lc_aes_imc(lc_aes_block x)
{
    return LC_AES_X86(aesimc, (__m128i)x);
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_ak_imc(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_imc(lc_aes_isb_isr_ak(x, k));
}

/*
 * There is no MixColumns alone: the S-box is undone before it, in two dependent AES instructions.  Byte shuffles and GFNI's
 * products take fewer cycles for one block, but a place in more ports: on Zen 4, AES-128 from 10 AESE and 9 AESMC takes 123 cycles
 * like this and 100 to 108 like that, and six of them side by side 21 and 31 for each.  Guests' loops have blocks side by side.
 */
LC_AES_INLINE lc_aes_block lc_aes_mc(lc_aes_block x)
{
    lc_aes_block zero = { 0 };

    return lc_aes_sb_sr_mc_ak(lc_aes_isb_isr_ak(x, zero), zero);
}

#ifdef __SSSE3__
#define LC_AES_HOST_LOOKUP
LC_AES_INLINE lc_aes_block lc_aes_lookup(lc_aes_block table, lc_aes_block index)
{
    return (lc_aes_block)_mm_shuffle_epi8((__m128i)table, (__m128i)index);
}
#endif

#include "key_last.h"

#if defined(__VAES__) && defined(__AVX2__)
#include "x86_wide.h"
#endif

#undef LC_AES_X86

#endif
