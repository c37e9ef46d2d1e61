/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Curve25519 in the lanes of vectors: what x86/curve25519.c is told of the assembly, and the tests' white box.
 *
 * A number modulo p has five limbs of 51 bits and a bit (x86/curve25519.S), each of as many lanes as there are.  An addend, a point
 * that is added to others, is four of them: y + x, y - x, 2 d x y and 2 z.  What the assembly works on is, in this order:
 *
 *      x, y, z, t  the sum
 *      addend      what is added to it, ..
 *      u           three numbers
 *      negative    a word in each lane: .. negated where this is -1, not 0
 *      k           five words: the generator's multiplier, 11 windows in a word, ..
 *      index       .. and of the last window's entry, which is positive
 *
 * and of the ladder
 *
 *      x1, x2, z2, x3, z3 and eight numbers more
 *      bits        four words: where the bits of the multiplier change, the highest first
 */
#ifndef LC_X86_CURVE25519_H
#define LC_X86_CURVE25519_H

#include "../curve25519.h"
#include "lanes.h"

enum {
    LC_25519_BITS = 5, /* of a window of a multiplier, .. */
    LC_25519_WINDOWS = 51,
    LC_25519_BASE_ENTRIES = 16,
    LC_25519_ENTRIES = 17,
    LC_25519_SUM_BITS = 4, /* .. in sums of many, .. */
    LC_25519_SUM_ENTRIES = 9,
    LC_25519_E_WINDOWS = 64, /* of numbers below L */
    LC_25519_Z_WINDOWS = 33, /* of numbers below 2^128 */
    LC_25519_B_BITS = 8, /* .. and of the generator's where that is public */
    LC_25519_B_WINDOWS = 32,
    LC_25519_B_ENTRIES = 129,
    LC_25519_ROW = 20, /* words of an addend in one lane, limb by limb: so each lane can take another one by its address */
};

/* (2e + 1) 2^(5i) B in window i, entry e: limbs of y + x, y - x, 2 d x y.  Made at build time by x86/curve25519_table.c. */
extern const uint64_t lc_25519_base_table[LC_25519_WINDOWS][15][LC_25519_BASE_ENTRIES];
/* 0, B, 2 B, .. 128 B: limbs of y + x, y - x, 2 d x y, and one that isn't used; and another entry, as more limbs are read */
extern const uint64_t lc_25519_b_table[LC_25519_B_ENTRIES + 1][16];

struct lc_25519_row {
    const struct lc_25519_row *four; /* the same in four lanes, if these are eight */
    size_t lanes, least;             /* from how many operations on lanes take less time than one after another */
    void (*dh_of_few)(struct lc_25519_dh *items, size_t num); /* what does fewer shared secrets */
    /* The assembly */
    void (*mul)(void *r, const void *a, const void *b);
    void (*sqr_two)(void *a, size_t times); /* two numbers */
    void (*sums)(void *sum, void *difference, const void *a, const void *b);
    void (*ladder)(void *w);
    void (*twice)(void *w, size_t times);
    /* NULL, 1: adds what is in w */
    void (*comb)(void *w, const uint64_t table[LC_25519_WINDOWS][15][LC_25519_BASE_ENTRIES], size_t windows);
    void (*first)(void *w, const uint64_t window[15][LC_25519_BASE_ENTRIES]);
    void (*replace_zeros)(void *a, uint64_t *used);
    void (*exchange)(void *r, const void *a, size_t other);
    void (*rows)(uint64_t *rows, const void *addend);
    void (*take)(void *w, const uint64_t *const *rows);
    void (*clear)(void);
};

extern const struct lc_25519_row lc_25519_row_avx512ifma_512, lc_25519_row_avx512ifma_512_radix52, lc_25519_row_avx512ifma_256,
    lc_25519_row_avxifma;

/* The assembly's functions of a row, and what lc_25519_row has of them */
#define LC_25519_FUNCTIONS(symbol)                                                                                                 \
    void lc_25519_mul_##symbol(void *r, const void *a, const void *b);                                                             \
    void lc_25519_sqr_##symbol(void *r, const void *a, size_t times);                                                              \
    void lc_25519_sqr_two_##symbol(void *a, size_t times);                                                                         \
    void lc_25519_sums_##symbol(void *sum, void *difference, const void *a, const void *b);                                        \
    void lc_25519_ladder_##symbol(void *w);                                                                                        \
    void lc_25519_double_##symbol(void *w, size_t times);                                                                          \
    void lc_25519_comb_##symbol(void *w, const uint64_t table[LC_25519_WINDOWS][15][LC_25519_BASE_ENTRIES], size_t windows);       \
    void lc_25519_first_##symbol(void *w, const uint64_t window[15][LC_25519_BASE_ENTRIES]);                                       \
    void lc_25519_replace_zeros_##symbol(void *a, uint64_t *used);                                                                 \
    void lc_25519_exchange_##symbol(void *r, const void *a, size_t other);                                                         \
    void lc_25519_rows_##symbol(uint64_t *rows, const void *addend);                                                               \
    void lc_25519_take_##symbol(void *w, const uint64_t *const *rows);                                                             \
    void lc_25519_clear_##symbol(void);
#define LC_25519_OPS(symbol)                                                                                                       \
    .mul = lc_25519_mul_##symbol, .sqr_two = lc_25519_sqr_two_##symbol, .sums = lc_25519_sums_##symbol,                            \
    .twice = lc_25519_double_##symbol, .comb = lc_25519_comb_##symbol, .first = lc_25519_first_##symbol,                           \
    .replace_zeros = lc_25519_replace_zeros_##symbol, .exchange = lc_25519_exchange_##symbol, .rows = lc_25519_rows_##symbol,      \
    .take = lc_25519_take_##symbol, .clear = lc_25519_clear_##symbol

/* x86/curve25519.c.  num of 0, P, 2 P, .. of the points (x, y), which are tight, as rows of all lanes: for the tests */
void lc_25519_multiples(uint64_t *table, size_t num, const uint64_t *x, const uint64_t *y, const struct lc_25519_row *row);

#endif
