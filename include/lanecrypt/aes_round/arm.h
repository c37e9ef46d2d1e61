/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * 64-bit Arm with the AES extension.  Arm adds the key first, and MixColumns is an instruction of its own, which cores execute
 * together with the AESE before it.
 */
#ifndef LANECRYPT_AES_ROUND_ARM_H
#define LANECRYPT_AES_ROUND_ARM_H

#include <arm_neon.h>

#include "vector_shift_rows.h"

#define LC_AES_ROUND_HOST "armv8"

/* GCC 12's <arm_neon.h> wants all of "crypto" for these, which -march=armv8-a+aes is not.  What they are made of wants AES only. */
#if defined(__clang__) || defined(__ARM_FEATURE_CRYPTO)
#define LC_AES_ARM_KEYED(name, x, k) ((lc_aes_block)v##name##q_u8((uint8x16_t)x, (uint8x16_t)k))
#define LC_AES_ARM_COLUMNS(name, x) ((lc_aes_block)v##name##q_u8((uint8x16_t)x))
#else
#define LC_AES_ARM_KEYED(name, x, k) ((lc_aes_block)__builtin_aarch64_crypto_##name##v16qi_uuu((uint8x16_t)x, (uint8x16_t)k))
#define LC_AES_ARM_COLUMNS(name, x) ((lc_aes_block)__builtin_aarch64_crypto_##name##v16qi_uu((uint8x16_t)x))
#endif

LC_AES_INLINE lc_aes_block lc_aes_mc(lc_aes_block x)
{
    return LC_AES_ARM_COLUMNS(aesmc, x);
}

LC_AES_INLINE lc_aes_block lc_aes_imc(lc_aes_block x)
{
    return LC_AES_ARM_COLUMNS(aesimc, x);
}

LC_AES_INLINE lc_aes_block lc_aes_ak_sb_sr(lc_aes_block x, lc_aes_block k)
{
    return LC_AES_ARM_KEYED(aese, x, k);
}

LC_AES_INLINE lc_aes_block lc_aes_ak_sb_sr_mc(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_mc(lc_aes_ak_sb_sr(x, k));
}

LC_AES_INLINE lc_aes_block lc_aes_ak_isb_isr(lc_aes_block x, lc_aes_block k)
{
    return LC_AES_ARM_KEYED(aesd, x, k);
}

LC_AES_INLINE lc_aes_block lc_aes_ak_isb_isr_imc(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_imc(lc_aes_ak_isb_isr(x, k));
}

LC_AES_INLINE lc_aes_block lc_aes_sb_sr_ak(lc_aes_block x, lc_aes_block k)
{
    lc_aes_block zero = { 0 };

    return lc_aes_ak_sb_sr(x, zero) ^ k;
}

LC_AES_INLINE lc_aes_block lc_aes_sb_sr_mc_ak(lc_aes_block x, lc_aes_block k)
{
    lc_aes_block zero = { 0 };

    return lc_aes_ak_sb_sr_mc(x, zero) ^ k;
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_ak(lc_aes_block x, lc_aes_block k)
{
    lc_aes_block zero = { 0 };

    return lc_aes_ak_isb_isr(x, zero) ^ k;
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_imc_ak(lc_aes_block x, lc_aes_block k)
{
    lc_aes_block zero = { 0 };

    return lc_aes_ak_isb_isr_imc(x, zero) ^ k;
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_ak_imc(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_imc(lc_aes_isb_isr_ak(x, k));
}

/* ShiftRows is undone after the instruction, where a compiler can merge it with shuffles that follow. */
LC_AES_INLINE lc_aes_block lc_aes_sb(lc_aes_block x)
{
    lc_aes_block zero = { 0 };

    return lc_aes_isr(lc_aes_ak_sb_sr(x, zero));
}

LC_AES_INLINE lc_aes_block lc_aes_isb(lc_aes_block x)
{
    lc_aes_block zero = { 0 };

    return lc_aes_sr(lc_aes_ak_isb_isr(x, zero));
}

#define LC_AES_HOST_LOOKUP
LC_AES_INLINE lc_aes_block lc_aes_lookup(lc_aes_block table, lc_aes_block index)
{
    return (lc_aes_block)vqtbl1q_u8((uint8x16_t)table, (uint8x16_t)index);
}

#undef LC_AES_ARM_KEYED
#undef LC_AES_ARM_COLUMNS

#endif
