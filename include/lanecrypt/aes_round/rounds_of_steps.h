/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Rounds on hosts that have no instruction for them: the steps one after the other. */
#ifndef LANECRYPT_AES_ROUND_ROUNDS_OF_STEPS_H
#define LANECRYPT_AES_ROUND_ROUNDS_OF_STEPS_H

LC_AES_INLINE lc_aes_block lc_aes_sb_sr_ak(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_sb(lc_aes_sr(x)) ^ k;
}

LC_AES_INLINE lc_aes_block lc_aes_sb_sr_mc_ak(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_mc(lc_aes_sb(lc_aes_sr(x))) ^ k;
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_ak(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_isb(lc_aes_isr(x)) ^ k;
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_imc_ak(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_imc(lc_aes_isb(lc_aes_isr(x))) ^ k;
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_ak_imc(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_imc(lc_aes_isb(lc_aes_isr(x)) ^ k);
}

LC_AES_INLINE lc_aes_block lc_aes_ak_sb_sr(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_sb(lc_aes_sr(x ^ k));
}

LC_AES_INLINE lc_aes_block lc_aes_ak_sb_sr_mc(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_mc(lc_aes_sb(lc_aes_sr(x ^ k)));
}

LC_AES_INLINE lc_aes_block lc_aes_ak_isb_isr(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_isb(lc_aes_isr(x ^ k));
}

LC_AES_INLINE lc_aes_block lc_aes_ak_isb_isr_imc(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_imc(lc_aes_isb(lc_aes_isr(x ^ k)));
}

#endif
