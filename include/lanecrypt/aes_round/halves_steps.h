/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* ShiftRows and MixColumns in two 64-bit registers, for hosts without vectors. */
#ifndef LANECRYPT_AES_ROUND_HALVES_STEPS_H
#define LANECRYPT_AES_ROUND_HALVES_STEPS_H

/* In the rows that `mask` covers, exchange the two columns of one half. */
LC_AES_INLINE uint64_t lc_aes_swap_columns(uint64_t x, uint64_t mask)
{
    return x ^ ((x ^ (x << 32 | x >> 32)) & mask);
}

/*
 * ShiftRows takes columns (c0 c1 | c2 c3) to (c1 c2 | c3 c0) in row 1, (c2 c3 | c0 c1) in row 2, (c3 c0 | c1 c2) in row 3.  With
 * the columns of each half exchanged in rows 1 and 3, what is left is to exchange single bytes of the halves: in row 1 the second
 * ones, in row 2 both, in row 3 the first ones.  InvShiftRows has rows 1 and 3 the other way round.
 */
LC_AES_INLINE lc_aes_block lc_aes_exchange(lc_aes_block x, uint64_t exchanged)
{
    uint64_t low = lc_aes_swap_columns(lc_aes_low(x), 0xff00ff00ff00ff00);
    uint64_t high = lc_aes_swap_columns(lc_aes_high(x), 0xff00ff00ff00ff00);
    uint64_t t = (low ^ high) & exchanged;

    return lc_aes_from_halves(low ^ t, high ^ t);
}

LC_AES_INLINE lc_aes_block lc_aes_sr(lc_aes_block x)
{
    return lc_aes_exchange(x, 0x00ffff00ffff0000);
}

LC_AES_INLINE lc_aes_block lc_aes_isr(lc_aes_block x)
{
    return lc_aes_exchange(x, 0xffff000000ffff00);
}

/* Times 2 in each byte: what carries out of bit 7 comes back as 0x1b. */
LC_AES_INLINE uint64_t lc_aes_double_half(uint64_t x)
{
    uint64_t carries = x & 0x8080808080808080;

    return (x ^ carries) << 1 ^ ((carries - (carries >> 7)) & 0x1b1b1b1b1b1b1b1b);
}

/* Byte i of each column of the result is byte i + 1, or i + 2. */
LC_AES_INLINE uint64_t lc_aes_next_row(uint64_t x)
{
    return (x >> 8 & 0x00ffffff00ffffff) | (x << 24 & 0xff000000ff000000);
}

LC_AES_INLINE uint64_t lc_aes_second_next_row(uint64_t x)
{
    return (x >> 16 & 0x0000ffff0000ffff) | (x << 16 & 0xffff0000ffff0000);
}

/* With R for "next row": 2x + 3Rx + R^2 x + R^3 x = 2t + Rx + R^2 t, where t = x + Rx. */
LC_AES_INLINE uint64_t lc_aes_mc_half(uint64_t x)
{
    uint64_t r = lc_aes_next_row(x), t = x ^ r;

    return lc_aes_double_half(t) ^ r ^ lc_aes_second_next_row(t);
}

/* (14, 11, 13, 9) = (2, 3, 1, 1) * (5, 0, 4, 0) in R modulo R^4 + 1, so this is MixColumns of x + 4(x + R^2 x). */
LC_AES_INLINE uint64_t lc_aes_imc_half(uint64_t x)
{
    uint64_t t = x ^ lc_aes_second_next_row(x);

    return lc_aes_mc_half(x ^ lc_aes_double_half(lc_aes_double_half(t)));
}

#endif
