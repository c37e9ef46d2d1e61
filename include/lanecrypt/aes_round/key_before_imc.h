/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What POWER and RISC-V's vectors have in common: the inverse cipher's round adds the key before InvMixColumns.  Under a zero key
 * that makes no difference.  There is no MixColumns alone, nor its inverse: the S-box is undone or done before it.
 */
#ifndef LANECRYPT_AES_ROUND_KEY_BEFORE_IMC_H
#define LANECRYPT_AES_ROUND_KEY_BEFORE_IMC_H

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_imc_ak(lc_aes_block x, lc_aes_block k)
{
    lc_aes_block zero = { 0 };

    return lc_aes_isb_isr_ak_imc(x, zero) ^ k;
}

LC_AES_INLINE lc_aes_block lc_aes_mc(lc_aes_block x)
{
    lc_aes_block zero = { 0 };

    return lc_aes_sb_sr_mc_ak(lc_aes_isb_isr_ak(x, zero), zero);
}

LC_AES_INLINE lc_aes_block lc_aes_imc(lc_aes_block x)
{
    lc_aes_block zero = { 0 };

    return lc_aes_isb_isr_ak_imc(lc_aes_sb_sr_ak(x, zero), zero);
}

#include "key_last.h"

#endif
