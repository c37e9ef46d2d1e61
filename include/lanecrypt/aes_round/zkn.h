/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * 64-bit RISC-V with Zkne and Zknd, the scalar AES instructions.  Each gives half a round of a block in two registers: the low
 * half of the result from (low, high), the high one from (high, low).
 */
#ifndef LANECRYPT_AES_ROUND_ZKN_H
#define LANECRYPT_AES_ROUND_ZKN_H

#include "halves_steps.h"

#define LC_AES_ROUND_HOST "zkn"

#define LC_AES_ZKN(name)                                                                                                           \
    LC_AES_INLINE uint64_t lc_aes64_##name(uint64_t lo, uint64_t hi)                                                               \
    {                                                                                                                              \
        uint64_t y;                                                                                                                \
                                                                                                                                   \
        __asm__("aes64" #name " %0,%1,%2" : "=r"(y) : "r"(lo), "r"(hi));                                                           \
        return y;                                                                                                                  \
    }

/* lc_aes64_X is the instruction aes64X. */
LC_AES_ZKN(es)
LC_AES_ZKN(esm)
LC_AES_ZKN(ds)
LC_AES_ZKN(dsm)

LC_AES_INLINE uint64_t lc_aes64_im(uint64_t x)
{
    uint64_t y;

    __asm__("aes64im %0,%1" : "=r"(y) : "r"(x));
    return y;
}

/* Round number 10: SubWord alone, of the high half. */
LC_AES_INLINE uint32_t lc_aes_subword(uint32_t x)
{
    uint64_t y;

    __asm__("aes64ks1i %0,%1,10" : "=r"(y) : "r"((uint64_t)x << 32));
    return (uint32_t)y;
}

LC_AES_INLINE lc_aes_block lc_aes_sb_sr_ak(lc_aes_block x, lc_aes_block k)
{
    uint64_t lo = lc_aes_low(x), hi = lc_aes_high(x);

    return lc_aes_from_halves(lc_aes64_es(lo, hi), lc_aes64_es(hi, lo)) ^ k;
}

LC_AES_INLINE lc_aes_block lc_aes_sb_sr_mc_ak(lc_aes_block x, lc_aes_block k)
{
    uint64_t lo = lc_aes_low(x), hi = lc_aes_high(x);

    return lc_aes_from_halves(lc_aes64_esm(lo, hi), lc_aes64_esm(hi, lo)) ^ k;
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_ak(lc_aes_block x, lc_aes_block k)
{
    uint64_t lo = lc_aes_low(x), hi = lc_aes_high(x);

    return lc_aes_from_halves(lc_aes64_ds(lo, hi), lc_aes64_ds(hi, lo)) ^ k;
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_imc_ak(lc_aes_block x, lc_aes_block k)
{
    uint64_t lo = lc_aes_low(x), hi = lc_aes_high(x);

    return lc_aes_from_halves(lc_aes64_dsm(lo, hi), lc_aes64_dsm(hi, lo)) ^ k;
}

LC_AES_INLINE lc_aes_block lc_aes_imc(lc_aes_block x)
{
    return lc_aes_from_halves(lc_aes64_im(lc_aes_low(x)), lc_aes64_im(lc_aes_high(x)));
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_ak_imc(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_imc(lc_aes_isb_isr_ak(x, k));
}

LC_AES_INLINE lc_aes_block lc_aes_mc(lc_aes_block x)
{
    return lc_aes_from_halves(lc_aes_mc_half(lc_aes_low(x)), lc_aes_mc_half(lc_aes_high(x)));
}

#define LC_AES_HOST_AES64
#define LC_AES_HOST_SUBWORD
#include "key_last.h"

#undef LC_AES_ZKN

#endif
