/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What hosts have in common whose instructions add the key last: all but Arm's. */
#ifndef LANECRYPT_AES_ROUND_KEY_LAST_H
#define LANECRYPT_AES_ROUND_KEY_LAST_H

LC_AES_INLINE lc_aes_block lc_aes_ak_sb_sr(lc_aes_block x, lc_aes_block k)
{
    lc_aes_block zero = { 0 };

    return lc_aes_sb_sr_ak(x ^ k, zero);
}

LC_AES_INLINE lc_aes_block lc_aes_ak_sb_sr_mc(lc_aes_block x, lc_aes_block k)
{
    lc_aes_block zero = { 0 };

    return lc_aes_sb_sr_mc_ak(x ^ k, zero);
}

LC_AES_INLINE lc_aes_block lc_aes_ak_isb_isr(lc_aes_block x, lc_aes_block k)
{
    lc_aes_block zero = { 0 };

    return lc_aes_isb_isr_ak(x ^ k, zero);
}

LC_AES_INLINE lc_aes_block lc_aes_ak_isb_isr_imc(lc_aes_block x, lc_aes_block k)
{
    lc_aes_block zero = { 0 };

    return lc_aes_isb_isr_imc_ak(x ^ k, zero);
}

/* ShiftRows is undone after the instruction, where a compiler can merge it with shuffles that follow. */
LC_AES_INLINE lc_aes_block lc_aes_sb(lc_aes_block x)
{
    lc_aes_block zero = { 0 };

    return lc_aes_isr(lc_aes_sb_sr_ak(x, zero));
}

LC_AES_INLINE lc_aes_block lc_aes_isb(lc_aes_block x)
{
    lc_aes_block zero = { 0 };

    return lc_aes_sr(lc_aes_isb_isr_ak(x, zero));
}

#endif
