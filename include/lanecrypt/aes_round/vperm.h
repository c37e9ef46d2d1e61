/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Hosts without AES instructions that can look 16 bytes up in a table of 16 which is a register: x86 with SSSE3, Arm with NEON.  An
 * index above 127 gives 0.
 *
 * The idea is M. Hamburg's ("Accelerating AES with Vector Permute Instructions", CHES 2009): inversion in GF(2^8) by lookups of
 * nibbles, with no product of two variables.  In our words: let w be such that w + w^16 = w^17 = A, which is in GF(2^4).  A byte
 * is x = k + i*w with nibbles i, k in GF(2^4), and x^-1 = (k + i*w^16) / N with the norm N = x^17 = k^2 + A*i*k + A*i^2.  With
 * j = i + k, from
 *
 *      io = 1 / (1/i + A/k) + j      comes     io = N / (k + A*i)
 *      jo = 1 / (1/j + A/k) + i      comes     jo = N / (k + A*j)
 *
 * so 1 / io and 1 / jo are two linear functions of k / N and i / N, and hence x^-1 is a linear function of them.  1 / x and A / x
 * are lookups; those of io and jo also undo the change of basis and hold the affine map of the S-box.  1 / 0 is an index above
 * 127, which stays one when something is added to it, and whose inverse is looked up as 0; for x = 0, where infinity is added to
 * infinity, io and jo are such, which is right as well.
 */
#ifndef LANECRYPT_AES_ROUND_VPERM_H
#define LANECRYPT_AES_ROUND_VPERM_H

#include "tables.h"
#include "vector_mix_columns.h"
#include "vector_shift_rows.h"

#define LC_AES_HOST_LOOKUP

#ifdef __x86_64__
#include <tmmintrin.h>
#define LC_AES_ROUND_HOST "ssse3"
LC_AES_INLINE lc_aes_block lc_aes_lookup(lc_aes_block table, lc_aes_block index)
{
    return (lc_aes_block)_mm_shuffle_epi8((__m128i)table, (__m128i)index);
}
#else
#include <arm_neon.h>
#define LC_AES_ROUND_HOST "neon"
LC_AES_INLINE lc_aes_block lc_aes_lookup(lc_aes_block table, lc_aes_block index)
{
    return (lc_aes_block)vqtbl1q_u8((uint8x16_t)table, (uint8x16_t)index);
}
#endif

/* The inverse of what in_low and in_high make of x, through io_table and jo_table. */
LC_AES_INLINE lc_aes_block lc_aes_invert_nibbles(lc_aes_block x, lc_aes_block in_low, lc_aes_block in_high, lc_aes_block io_table,
                                                 lc_aes_block jo_table)
{
    const lc_aes_block inverses = LC_AES_INVERSES, a_inverses = LC_AES_A_INVERSES;
    lc_aes_block y = lc_aes_lookup(in_low, x & 15) ^ lc_aes_lookup(in_high, x >> 4);
    lc_aes_block i = y >> 4, k = y & 15, j = i ^ k, ak = lc_aes_lookup(a_inverses, k);
    lc_aes_block io = lc_aes_lookup(inverses, lc_aes_lookup(inverses, i) ^ ak) ^ j;
    lc_aes_block jo = lc_aes_lookup(inverses, lc_aes_lookup(inverses, j) ^ ak) ^ i;

    return lc_aes_lookup(io_table, io) ^ lc_aes_lookup(jo_table, jo);
}

LC_AES_INLINE lc_aes_block lc_aes_sb(lc_aes_block x)
{
    const lc_aes_block in_low = LC_AES_SUB_IN_LOW, in_high = LC_AES_SUB_IN_HIGH;
    const lc_aes_block io = LC_AES_SUB_OUT_IO, jo = LC_AES_SUB_OUT_JO;

    return lc_aes_invert_nibbles(x, in_low, in_high, io, jo) ^ 0x63;
}

LC_AES_INLINE lc_aes_block lc_aes_isb(lc_aes_block x)
{
    const lc_aes_block in_low = LC_AES_INV_SUB_IN_LOW, in_high = LC_AES_INV_SUB_IN_HIGH;
    const lc_aes_block io = LC_AES_INV_SUB_OUT_IO, jo = LC_AES_INV_SUB_OUT_JO;

    return lc_aes_invert_nibbles(x, in_low, in_high, io, jo);
}

#include "rounds_of_steps.h"

#endif
