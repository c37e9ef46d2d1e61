/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Numbers of BITS bits: what mod.h includes for each size. */
/* r = mask ? a : r */
LC_INLINE void NUM(move_if)(uint64_t r[WORDS], const uint64_t a[WORDS], uint64_t mask)
{
    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        r[i] ^= (r[i] ^ a[i]) & mask;
}
