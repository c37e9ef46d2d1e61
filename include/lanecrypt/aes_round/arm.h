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

LC_AES_INLINE lc_aes_block lc_aes_mc(lc_aes_block x)
{
    return (lc_aes_block)vaesmcq_u8((uint8x16_t)x);
}

LC_AES_INLINE lc_aes_block lc_aes_imc(lc_aes_block x)
{
    return (lc_aes_block)vaesimcq_u8((uint8x16_t)x);
}

LC_AES_INLINE lc_aes_block lc_aes_ak_sb_sr(lc_aes_block x, lc_aes_block k)
{
    return (lc_aes_block)vaeseq_u8((uint8x16_t)x, (uint8x16_t)k);
}

LC_AES_INLINE lc_aes_block lc_aes_ak_sb_sr_mc(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_mc(lc_aes_ak_sb_sr(x, k));
}

LC_AES_INLINE lc_aes_block lc_aes_ak_isb_isr(lc_aes_block x, lc_aes_block k)
{
    return (lc_aes_block)vaesdq_u8((uint8x16_t)x, (uint8x16_t)k);
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

/* ShiftRows is undone behind the instruction, where a compiler can merge it with shuffles that follow. */
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

#endif
