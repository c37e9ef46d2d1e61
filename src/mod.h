/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers modulo a prime m of 256 or 384 bits, in constant time: what elliptic curves of that size are computed with, one number
 * at a time.
 *
 * A number is four or six 64-bit words, the lowest first, below m.  Multiplication is Montgomery's: with R = 2^256 or 2^384 it
 * gives a * b / R.  Numbers "in Montgomery's form" are x * R: products of them are again in that form, as are sums.
 *
 * a * b / R is computed word by word of b: t += a * b_i; then the multiple q of m is added that makes the lowest word of t zero,
 * q = t * -1/m mod 2^64, and t is moved down by a word.  With t < 2m before, t + a * b_i + q * m < 2m + 2 * 2^64 * m, so it's
 * below 2m + 1 afterwards, and below 2m at the end as a * b < m * R: one subtraction is enough.  (That is so if t begins with a c
 * below m, too: a * b + c < m * R as a and b are below m.)
 */
#ifndef LC_MOD_H
#define LC_MOD_H

#include <stdint.h>
#include <string.h>

#include "ec_names.h"
#include "wipe.h"

#define LC_INLINE static inline __attribute__((always_inline))
#define LC_UNROLL _Pragma("GCC unroll 8") /* with loops, GCC's multiplication takes three times as long at -O2 */

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
#ifdef __x86_64__ /* Of what follows GCC 12 makes twice as many instructions. */
    uint64_t high;

    __asm__("mulq %3\n\taddq %4, %0\n\tadcq $0, %1\n\taddq %2, %0\n\tadcq $0, %1"
            : "+&a"(a), "=&d"(high), "+&r"(*carry)
            : "r"(b), "r"(c)
            : "cc");
    *carry = high;
    return a;
#elif defined(__SIZEOF_INT128__)
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

/* a + b + *carry, where the carry is 0 or 1: -1 is added to it for the flag.  (Of __builtin_add_overflow() GCC makes branches.) */
LC_INLINE uint64_t lc_add_carry(uint64_t a, uint64_t b, uint64_t *carry)
{
#ifdef __x86_64__
    __asm__("addq $-1, %1\n\tadcq %2, %0\n\tmovl $0, %k1\n\tadcl $0, %k1" : "+&r"(a), "+&r"(*carry) : "r"(b) : "cc");
    return a;
#elif defined(__SIZEOF_INT128__)
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
#ifdef __x86_64__
    __asm__("addq $-1, %1\n\tsbbq %2, %0\n\tmovl $0, %k1\n\tadcl $0, %k1" : "+&r"(a), "+&r"(*borrow) : "r"(b) : "cc");
    return a;
#elif defined(__SIZEOF_INT128__)
    lc_u128 t = (lc_u128)a - b - *borrow;

    *borrow = (uint64_t)(t >> 64) & 1;
    return (uint64_t)t;
#else
    uint64_t difference = a - b - *borrow;

    *borrow = ((~a & b) | (~(a ^ b) & difference)) >> 63;
    return difference;
#endif
}

#define BITS 256
#include "mod_size.h"
#undef BITS
#define BITS 384
#include "mod_size.h"
#undef BITS

enum { LC_MOD_WORDS = 6 }; /* at most */

struct lc_mod {
    size_t words; /* four or six */
    uint64_t m[LC_MOD_WORDS];
    uint64_t neg_inverse;          /* -1/m mod 2^64 */
    uint64_t one[LC_MOD_WORDS];    /* R mod m: 1 in Montgomery's form */
    uint64_t rr[LC_MOD_WORDS];     /* R^2 mod m */
    int64_t m62[LC_MOD_WORDS + 1]; /* m in digits of 62 bits */
    uint64_t inverse62;            /* 1/m mod 2^62 */
};

/* -1 if a is 0, else 0; -1 if a is b; if a < b */
uint64_t lc_words_are_zero(const uint64_t *a, size_t words);
uint64_t lc_words_are_equal(const uint64_t *a, const uint64_t *b, size_t words);
uint64_t lc_words_are_below(const uint64_t *a, const uint64_t *b, size_t words);

/* -1 if a number isn't 0 and is below m, else 0 */
uint64_t lc_mod_in_range(const uint64_t *a, const struct lc_mod *m);

/* Bytes, big-endian, and back */
void lc_words_from_bytes(uint64_t *r, const uint8_t *bytes, size_t words);
void lc_words_to_bytes(uint8_t *bytes, const uint64_t *a, size_t words);

/* mod.c.  (Not inline, so that what they leave on the stack is below their callers' frames, where lc_wipe_frame() gets it.) */

/* r = t + top R, less m if it is m or more; it's below 2m. */
void lc_mod_reduce_once(uint64_t *r, const uint64_t *t, uint64_t top, const struct lc_mod *m);
void lc_mod_add(uint64_t *r, const uint64_t *a, const uint64_t *b, const struct lc_mod *m);
void lc_mod_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, const struct lc_mod *m);
/* r = a * b / R */
void lc_mod_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const struct lc_mod *m);
/* r = (a * b + c) / R */
typedef void lc_mod_mul_add_function(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c, const struct lc_mod *m);
lc_mod_mul_add_function lc_mod_mul_add;
extern const uint64_t lc_mod_zero[LC_MOD_WORDS];

/* r = a / R */
void lc_mod_from_montgomery(uint64_t *r, const uint64_t *a, const struct lc_mod *m);

LC_INLINE void lc_mod_to_montgomery(uint64_t *r, const uint64_t *a, const struct lc_mod *m)
{
    lc_mod_mul(r, a, m->rr, m);
}

/*
 * r = 1 / a, both in Montgomery's form; 0 for 0.  And other = 1 / other modulo n, which has as many words, if it isn't NULL: two
 * together take less time than one after the other.
 */
void lc_mod_inverse_two(uint64_t *r, const uint64_t *a, const struct lc_mod *m, uint64_t *other, const struct lc_mod *n);
#ifdef __SIZEOF_INT128__
/* The same, but r and a aren't in Montgomery's form. */
void lc_mod_plain_inverse(uint64_t *r, const uint64_t *a, const struct lc_mod *m, uint64_t *other, const struct lc_mod *n);
#endif

LC_INLINE void lc_mod_inverse(uint64_t *r, const uint64_t *a, const struct lc_mod *m)
{
    lc_mod_inverse_two(r, a, m, NULL, NULL);
}

/*
 * Inverses of num numbers, next to each other and each in its place, for the price of one inversion and three multiplications
 * each.  None may be 0.  scratch: num of them.  other: as above
 */
void lc_mod_inverse_many(uint64_t *a, uint64_t *scratch, size_t num, const struct lc_mod *m, uint64_t *other,
                         const struct lc_mod *n);

/*
 * In steps, of one number at least: products of the first, the first two, .. all; and what is left when the last is inverted.
 * mul_add: lc_mod_mul_add(), or what is faster
 */
void lc_mod_products(uint64_t *products, const uint64_t *a, size_t num, const struct lc_mod *m, lc_mod_mul_add_function *mul_add);
void lc_mod_inverses(uint64_t *a, uint64_t *products, size_t num, const struct lc_mod *m, lc_mod_mul_add_function *mul_add);

#endif
