/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* ShiftRows in a vector register, in the compilers' own vector language: byte shuffles become PSHUFB, TBL or VPERM. */
#ifndef LANECRYPT_AES_ROUND_VECTOR_SHIFT_ROWS_H
#define LANECRYPT_AES_ROUND_VECTOR_SHIFT_ROWS_H

LC_AES_INLINE lc_aes_block lc_aes_sr(lc_aes_block x)
{
    return LC_AES_SHUFFLE(x, 0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11);
}

LC_AES_INLINE lc_aes_block lc_aes_isr(lc_aes_block x)
{
    return LC_AES_SHUFFLE(x, 0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3);
}

#endif
