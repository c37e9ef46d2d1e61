/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers modulo p = 2^255 - 19, in constant time, one at a time: what the portable Curve25519 is computed with.
 *
 * A number is five digits of 51 bits, the lowest first, x = sum of digit_i 2^(51 i).  Digits may be larger than 51 bits, and so may
 * x be than p.  Since 2^255 = 19 (mod p), digits of a product from the sixth on go to the fifth lower one, times 19.
 *
 * Bounds.  What multiplication and squaring give is "tight": digits below 2^51 + 2^17.  They take digits below 2^54.  Sums and
 * differences don't carry: of tight numbers
 *
 *      a + b                 below 2^52 + 2^18
 *      a - b + 2p            below 2^52.6       fe_sub(): b tight
 *      a - b + 4p            below a + 2^53     fe_sub4(): b below 2^53 - 80, so b may be a sum or a difference of tight ones
 *
 * and a may be any that keeps it below 2^54.
 *
 * A product's digit is at most 77 * 2^108 (a_0 b_0 + 19 times four others), so what is carried from it is below 2^63.3; from the
 * highest digit, which is at most 5 * 2^108, it is below 2^59.4, and times 19 below 2^63.7.  The second time it is below 2^12.8.
 */
#ifndef LC_FE25519_H
#define LC_FE25519_H

#include "mod.h"

struct fe {
    uint64_t d[5];
};

#define FE_MASK ((UINT64_C(1) << 51) - 1)

/* A constant of four 64-bit words */
#define FE(w0, w1, w2, w3)                                                                                                         \
    { { UINT64_C(w0) & FE_MASK, (UINT64_C(w0) >> 51 | UINT64_C(w1) << 13) & FE_MASK,                                               \
        (UINT64_C(w1) >> 38 | UINT64_C(w2) << 26) & FE_MASK, (UINT64_C(w2) >> 25 | UINT64_C(w3) << 39) & FE_MASK,                  \
        UINT64_C(w3) >> 12 } }

/* ---- Sums of products ---- */

#ifdef __SIZEOF_INT128__
typedef lc_u128 fe_wide;

LC_INLINE fe_wide fe_wide_add(fe_wide t, uint64_t a)
{
    return t + a;
}

LC_INLINE fe_wide fe_wide_mul(uint64_t a, uint64_t b)
{
    return (lc_u128)a * b;
}

LC_INLINE fe_wide fe_wide_mul_add(fe_wide t, uint64_t a, uint64_t b)
{
    return t + (lc_u128)a * b;
}

LC_INLINE uint64_t fe_wide_low(fe_wide t)
{
    return (uint64_t)t & FE_MASK;
}

LC_INLINE uint64_t fe_wide_carry(fe_wide t)
{
    return (uint64_t)(t >> 51);
}
#else
typedef struct {
    uint64_t low, high;
} fe_wide;

LC_INLINE fe_wide fe_wide_mul_add(fe_wide t, uint64_t a, uint64_t b)
{
    uint64_t carry = 0;

    t.low = lc_multiply_add(a, b, t.low, &carry);
    t.high += carry;
    return t;
}

LC_INLINE fe_wide fe_wide_mul(uint64_t a, uint64_t b)
{
    return fe_wide_mul_add((fe_wide){ 0, 0 }, a, b);
}

LC_INLINE fe_wide fe_wide_add(fe_wide t, uint64_t a)
{
    t.low += a;
    t.high += t.low < a;
    return t;
}

LC_INLINE uint64_t fe_wide_low(fe_wide t)
{
    return t.low & FE_MASK;
}

LC_INLINE uint64_t fe_wide_carry(fe_wide t)
{
    return t.low >> 51 | t.high << 13;
}
#endif

/*
 * The digits of a product, to tight ones, all at the same time, and twice: what each has above 51 bits goes to the next one.  (From
 * digit to digit in turn it takes a step less, but a third more time.)
 */
LC_INLINE void fe_carry(struct fe *r, fe_wide t0, fe_wide t1, fe_wide t2, fe_wide t3, fe_wide t4)
{
    const uint64_t d0 = fe_wide_low(t0) + 19 * fe_wide_carry(t4), d1 = fe_wide_low(t1) + fe_wide_carry(t0);
    const uint64_t d2 = fe_wide_low(t2) + fe_wide_carry(t1), d3 = fe_wide_low(t3) + fe_wide_carry(t2);
    const uint64_t d4 = fe_wide_low(t4) + fe_wide_carry(t3);

    r->d[0] = (d0 & FE_MASK) + 19 * (d4 >> 51);
    r->d[1] = (d1 & FE_MASK) + (d0 >> 51);
    r->d[2] = (d2 & FE_MASK) + (d1 >> 51);
    r->d[3] = (d3 & FE_MASK) + (d2 >> 51);
    r->d[4] = (d4 & FE_MASK) + (d3 >> 51);
}

LC_INLINE void fe_mul_inline(struct fe *r, const struct fe *a, const struct fe *b)
{
    const uint64_t a0 = a->d[0], a1 = a->d[1], a2 = a->d[2], a3 = a->d[3], a4 = a->d[4];
    const uint64_t b0 = b->d[0], b1 = b->d[1], b2 = b->d[2], b3 = b->d[3], b4 = b->d[4];
    const uint64_t b1_19 = 19 * b1, b2_19 = 19 * b2, b3_19 = 19 * b3, b4_19 = 19 * b4;
    fe_wide t0, t1, t2, t3, t4;

    t0 = fe_wide_mul(a0, b0);
    t0 = fe_wide_mul_add(t0, a1, b4_19);
    t0 = fe_wide_mul_add(t0, a2, b3_19);
    t0 = fe_wide_mul_add(t0, a3, b2_19);
    t0 = fe_wide_mul_add(t0, a4, b1_19);
    t1 = fe_wide_mul(a0, b1);
    t1 = fe_wide_mul_add(t1, a1, b0);
    t1 = fe_wide_mul_add(t1, a2, b4_19);
    t1 = fe_wide_mul_add(t1, a3, b3_19);
    t1 = fe_wide_mul_add(t1, a4, b2_19);
    t2 = fe_wide_mul(a0, b2);
    t2 = fe_wide_mul_add(t2, a1, b1);
    t2 = fe_wide_mul_add(t2, a2, b0);
    t2 = fe_wide_mul_add(t2, a3, b4_19);
    t2 = fe_wide_mul_add(t2, a4, b3_19);
    t3 = fe_wide_mul(a0, b3);
    t3 = fe_wide_mul_add(t3, a1, b2);
    t3 = fe_wide_mul_add(t3, a2, b1);
    t3 = fe_wide_mul_add(t3, a3, b0);
    t3 = fe_wide_mul_add(t3, a4, b4_19);
    t4 = fe_wide_mul(a0, b4);
    t4 = fe_wide_mul_add(t4, a1, b3);
    t4 = fe_wide_mul_add(t4, a2, b2);
    t4 = fe_wide_mul_add(t4, a3, b1);
    t4 = fe_wide_mul_add(t4, a4, b0);
    fe_carry(r, t0, t1, t2, t3, t4);
}

/* Doubled digits are below 2^55, times 19 below 2^60. */
LC_INLINE void fe_sqr_inline(struct fe *r, const struct fe *a)
{
    const uint64_t a0 = a->d[0], a1 = a->d[1], a2 = a->d[2], a3 = a->d[3], a4 = a->d[4];
    const uint64_t a0_2 = 2 * a0, a1_2 = 2 * a1, a3_19 = 19 * a3, a4_19 = 19 * a4, a3_38 = 2 * a3_19, a4_38 = 2 * a4_19;
    fe_wide t0, t1, t2, t3, t4;

    t0 = fe_wide_mul(a0, a0);
    t0 = fe_wide_mul_add(t0, a1, a4_38);
    t0 = fe_wide_mul_add(t0, a2, a3_38);
    t1 = fe_wide_mul(a0_2, a1);
    t1 = fe_wide_mul_add(t1, a2, a4_38);
    t1 = fe_wide_mul_add(t1, a3, a3_19);
    t2 = fe_wide_mul(a0_2, a2);
    t2 = fe_wide_mul_add(t2, a1, a1);
    t2 = fe_wide_mul_add(t2, a3, a4_38);
    t3 = fe_wide_mul(a0_2, a3);
    t3 = fe_wide_mul_add(t3, a1_2, a2);
    t3 = fe_wide_mul_add(t3, a4, a4_19);
    t4 = fe_wide_mul(a0_2, a4);
    t4 = fe_wide_mul_add(t4, a1_2, a3);
    t4 = fe_wide_mul_add(t4, a2, a2);
    fe_carry(r, t0, t1, t2, t3, t4);
}

/* r = a * c + b, where c is below 2^17 and digits of b are below 2^54 */
LC_INLINE void fe_mul_small_add(struct fe *r, const struct fe *a, uint64_t c, const struct fe *b)
{
    fe_wide t[5];

    LC_UNROLL
    for (int i = 0; i < 5; i++)
        t[i] = fe_wide_add(fe_wide_mul(a->d[i], c), b->d[i]);
    fe_carry(r, t[0], t[1], t[2], t[3], t[4]);
}

LC_INLINE void fe_add(struct fe *r, const struct fe *a, const struct fe *b)
{
    LC_UNROLL
    for (int i = 0; i < 5; i++)
        r->d[i] = a->d[i] + b->d[i];
}

LC_INLINE void fe_sub(struct fe *r, const struct fe *a, const struct fe *b)
{
    r->d[0] = a->d[0] + 2 * (FE_MASK - 18) - b->d[0];
    LC_UNROLL
    for (int i = 1; i < 5; i++)
        r->d[i] = a->d[i] + 2 * FE_MASK - b->d[i];
}

LC_INLINE void fe_sub4(struct fe *r, const struct fe *a, const struct fe *b)
{
    r->d[0] = a->d[0] + 4 * (FE_MASK - 18) - b->d[0];
    LC_UNROLL
    for (int i = 1; i < 5; i++)
        r->d[i] = a->d[i] + 4 * FE_MASK - b->d[i];
}

/* swap: -1 or 0 */
LC_INLINE void fe_swap_if(struct fe *a, struct fe *b, uint64_t swap)
{
    LC_UNROLL
    for (int i = 0; i < 5; i++) {
        uint64_t t = (a->d[i] ^ b->d[i]) & swap;

        a->d[i] ^= t;
        b->d[i] ^= t;
    }
}

/* From a number below 2^256; tight. */
LC_INLINE void fe_from_words(struct fe *r, const uint64_t x[4])
{
    uint64_t top = x[3] >> 63;

    r->d[0] = (x[0] & FE_MASK) + 19 * top;
    r->d[1] = (x[0] >> 51 | x[1] << 13) & FE_MASK;
    r->d[2] = (x[1] >> 38 | x[2] << 26) & FE_MASK;
    r->d[3] = (x[2] >> 25 | x[3] << 39) & FE_MASK;
    r->d[4] = x[3] >> 12 & FE_MASK;
}

/*
 * To a number below p.  a is tight, so x < 2^255 + 2^222 < 2p, and it is p or more if x + 19 has a bit 255; then x - p is the rest
 * of x + 19.
 */
LC_INLINE void fe_to_words(uint64_t x[4], const struct fe *a)
{
    uint64_t d[5], carry = 19;

    LC_UNROLL
    for (int i = 0; i < 5; i++)
        carry = (a->d[i] + carry) >> 51;
    carry *= 19;
    LC_UNROLL
    for (int i = 0; i < 5; i++) {
        carry += a->d[i];
        d[i] = carry & FE_MASK;
        carry >>= 51;
    }
    x[0] = d[0] | d[1] << 51;
    x[1] = d[1] >> 13 | d[2] << 38;
    x[2] = d[2] >> 26 | d[3] << 25;
    x[3] = d[3] >> 39 | d[4] << 12;
}

#endif
