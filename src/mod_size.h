/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Numbers of BITS bits: what mod.h includes for each size. */
/* r = mask ? a : r */
LC_INLINE void NUM(move_if)(uint64_t r[WORDS], const uint64_t a[WORDS], uint64_t mask)
{
    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        r[i] ^= (r[i] ^ a[i]) & mask;
}

/* -1 if a is 0, else 0 */
LC_INLINE uint64_t NUM(is_zero)(const uint64_t a[WORDS])
{
    uint64_t any = 0;

    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        any |= a[i];
    return lc_mask_if_zero(any);
}

LC_INLINE uint64_t NUM(equal)(const uint64_t a[WORDS], const uint64_t b[WORDS])
{
    uint64_t any = 0;

    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        any |= a[i] ^ b[i];
    return lc_mask_if_zero(any);
}

/* -1 if a < b, else 0 */
LC_INLINE uint64_t NUM(below)(const uint64_t a[WORDS], const uint64_t b[WORDS])
{
    uint64_t borrow = 0;

    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        lc_sub_borrow(a[i], b[i], &borrow);
    return lc_opaque(0 - borrow);
}
