/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers modulo a prime m of 256 bits, in constant time: what elliptic curves of that size are computed with, one number at a
 * time.
 *
 * A number is four 64-bit words, the lowest first, below m.  Multiplication is Montgomery's: with R = 2^256 it gives a * b / R.
 * Numbers "in Montgomery's form" are x * R: products of them are again in that form, as are sums.
 *
 * a * b / R is computed word by word of b: t += a * b_i; then the multiple q of m is added that makes the lowest word of t zero,
 * q = t * -1/m mod 2^64, and t is moved down by a word.  With t < 2m before, t + a * b_i + q * m < 2m + 2 * 2^64 * m, so it's
 * below 2m + 1 afterwards, and below 2m at the end as a * b < m * R: one subtraction is enough.
 */
#ifndef LC_MOD256_H
#define LC_MOD256_H

#include <stdint.h>
#include <string.h>

#include "wipe.h"

struct lc_mod256 {
    uint64_t m[4];
    uint64_t neg_inverse; /* -1/m mod 2^64 */
    uint64_t one[4];      /* R mod m: 1 in Montgomery's form */
    uint64_t rr[4];       /* R^2 mod m */
    int64_t m62[5];       /* m in digits of 62 bits */
    uint64_t inverse62;   /* 1/m mod 2^62 */
};

#define LC_INLINE static inline __attribute__((always_inline))
#define LC_UNROLL _Pragma("GCC unroll 5") /* with loops, GCC's multiplication takes three times as long at -O2 */

/* x, of which the compiler doesn't know any more that it is 0 or -1: else it makes a branch of what is masked with it. */
LC_INLINE uint64_t lc_opaque(uint64_t x)
{
    __asm__("" : "+r"(x));
    return x;
}

/* -1 if x is 0, else 0 */
LC_INLINE uint64_t lc_mask_if_zero(uint64_t x)
{
    return lc_opaque(((x | (0 - x)) >> 63) - 1);
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 lc_u128;
__extension__ typedef __int128 lc_i128;
#endif

/* a * b + c + *carry, which fits into two words: the lower one, and the upper one is in *carry. */
LC_INLINE uint64_t lc_multiply_add(uint64_t a, uint64_t b, uint64_t c, uint64_t *carry)
{
#ifdef __SIZEOF_INT128__
    lc_u128 t = (lc_u128)a * b + c + *carry;

    *carry = (uint64_t)(t >> 64);
    return (uint64_t)t;
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0 + (uint32_t)c, mid1 = a1 * b0 + (c >> 32), mid2, high;

    mid1 += low >> 32; /* at most (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1 */
    mid2 = a0 * b1 + (uint32_t)mid1;
    high = a1 * b1 + (mid1 >> 32) + (mid2 >> 32);
    low = (uint32_t)low | mid2 << 32;
    low += *carry;
    *carry = high + (low < *carry);
    return low;
#endif
}

/* a + b + *carry, where the carry is 0 or 1.  (Of __builtin_add_overflow() GCC makes branches.) */
LC_INLINE uint64_t lc_add_carry(uint64_t a, uint64_t b, uint64_t *carry)
{
#ifdef __SIZEOF_INT128__
    lc_u128 t = (lc_u128)a + b + *carry;

    *carry = (uint64_t)(t >> 64);
    return (uint64_t)t;
#else
    uint64_t sum = a + b + *carry;

    *carry = ((a & b) | ((a | b) & ~sum)) >> 63;
    return sum;
#endif
}

LC_INLINE uint64_t lc_sub_borrow(uint64_t a, uint64_t b, uint64_t *borrow)
{
#ifdef __SIZEOF_INT128__
    lc_u128 t = (lc_u128)a - b - *borrow;

    *borrow = (uint64_t)(t >> 64) & 1;
    return (uint64_t)t;
#else
    uint64_t difference = a - b - *borrow;

    *borrow = ((~a & b) | (~(a ^ b) & difference)) >> 63;
    return difference;
#endif
}

/* r = mask ? a : r */
LC_INLINE void lc_256_move_if(uint64_t r[4], const uint64_t a[4], uint64_t mask)
{
    LC_UNROLL
    for (int i = 0; i < 4; i++)
        r[i] ^= (r[i] ^ a[i]) & mask;
}

/* -1 if a is 0, else 0 */
LC_INLINE uint64_t lc_256_is_zero(const uint64_t a[4])
{
    return lc_mask_if_zero(a[0] | a[1] | a[2] | a[3]);
}

LC_INLINE uint64_t lc_256_equal(const uint64_t a[4], const uint64_t b[4])
{
    return lc_mask_if_zero((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]));
}

/* -1 if a < b, else 0 */
LC_INLINE uint64_t lc_256_below(const uint64_t a[4], const uint64_t b[4])
{
    uint64_t borrow = 0;

    LC_UNROLL
    for (int i = 0; i < 4; i++)
        lc_sub_borrow(a[i], b[i], &borrow);
    return lc_opaque(0 - borrow);
}

/* mod256.c.  (Not inline, so that what they leave on the stack is below their callers' frames, where lc_wipe_frame() gets it.) */

/* r = t + top * 2^256, less m if it is m or more; it's below 2m. */
void lc_mod_reduce_once(uint64_t r[4], const uint64_t t[4], uint64_t top, const struct lc_mod256 *m);
void lc_mod_add(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], const struct lc_mod256 *m);
void lc_mod_sub(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], const struct lc_mod256 *m);
/* r = a * b / R */
void lc_mod_mul(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], const struct lc_mod256 *m);

LC_INLINE void lc_mod_to_montgomery(uint64_t r[4], const uint64_t a[4], const struct lc_mod256 *m)
{
    lc_mod_mul(r, a, m->rr, m);
}

LC_INLINE void lc_mod_from_montgomery(uint64_t r[4], const uint64_t a[4], const struct lc_mod256 *m)
{
    static const uint64_t one[4] = { 1 };

    lc_mod_mul(r, a, one, m);
}

/* 32 bytes, big-endian, and back */
LC_INLINE void lc_256_from_bytes(uint64_t r[4], const uint8_t bytes[32])
{
    LC_UNROLL
    for (int i = 0; i < 4; i++) {
        uint64_t word;

        memcpy(&word, bytes + 24 - 8 * i, 8);
        r[i] = __builtin_bswap64(word); /* the portable code needs a little-endian CPU */
    }
}

LC_INLINE void lc_256_to_bytes(uint8_t bytes[32], const uint64_t a[4])
{
    LC_UNROLL
    for (int i = 0; i < 4; i++) {
        uint64_t word = __builtin_bswap64(a[i]);

        memcpy(bytes + 24 - 8 * i, &word, 8);
    }
}

/* r = 1 / a, both in Montgomery's form; 0 for 0. */
void lc_mod_inverse(uint64_t r[4], const uint64_t a[4], const struct lc_mod256 *m);

/*
 * The same for num numbers, each in its place, for the price of one inversion and three multiplications each.  None may be 0.
 * scratch: num of them.
 */
void lc_mod_inverse_many(uint64_t (*a)[4], uint64_t (*scratch)[4], size_t num, const struct lc_mod256 *m);

#endif
