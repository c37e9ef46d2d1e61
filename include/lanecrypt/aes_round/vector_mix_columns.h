/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* MixColumns in a vector register, for hosts without an instruction for it. */
#ifndef LANECRYPT_AES_ROUND_VECTOR_MIX_COLUMNS_H
#define LANECRYPT_AES_ROUND_VECTOR_MIX_COLUMNS_H

/* Times 2 in each byte: what carries out of bit 7 comes back as 0x1b. */
LC_AES_INLINE lc_aes_block lc_aes_double(lc_aes_block x)
{
    typedef signed char bytes __attribute__((vector_size(16)));

    return (x + x) ^ ((lc_aes_block)((bytes)x < 0) & 0x1b);
}

/* Byte i of each column of the result is byte i + 1, or i + 2. */
LC_AES_INLINE lc_aes_block lc_aes_next_row(lc_aes_block x)
{
    return LC_AES_SHUFFLE(x, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12);
}

LC_AES_INLINE lc_aes_block lc_aes_second_next_row(lc_aes_block x)
{
    return LC_AES_SHUFFLE(x, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
}

/* With R for "next row": 2x + 3Rx + R^2 x + R^3 x = 2t + Rx + R^2 t, where t = x + Rx. */
LC_AES_INLINE lc_aes_block lc_aes_mc(lc_aes_block x)
{
    lc_aes_block r = lc_aes_next_row(x), t = x ^ r;

    return r ^ lc_aes_second_next_row(t) ^ lc_aes_double(t);
}

/* (14, 11, 13, 9) = (2, 3, 1, 1) * (5, 0, 4, 0) in R modulo R^4 + 1, so this is MixColumns of x + 4(x + R^2 x). */
LC_AES_INLINE lc_aes_block lc_aes_imc(lc_aes_block x)
{
    lc_aes_block t = x ^ lc_aes_second_next_row(x);

    return lc_aes_mc(x ^ lc_aes_double(lc_aes_double(t)));
}

#endif
