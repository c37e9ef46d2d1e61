/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What x86/curve25519.S and x86/curve25519.c share, and the tests' white box. */
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
};

/* A number modulo p in each lane: five limbs of 51 bits and a bit (x86/curve25519.S) */
struct lc_25519_fe {
    _Alignas(8 * LC_LANES) uint64_t limb[5][LC_LANES];
};

/* What the ladder works on */
struct lc_25519_ladder {
    struct lc_25519_fe x1, x2, z2, x3, z3, t[8];
    uint64_t bits[4][LC_LANES]; /* where the bits of the multiplier change, the highest first */
};

/* A point that is added to others: y + x, y - x, 2 d x y, and 2 z, where that isn't 1 */
struct lc_25519_addend {
    struct lc_25519_fe plus, minus, t, z;
};

/* The same in one lane, limb by limb, so that each lane can take another one by its address */
struct lc_25519_row {
    _Alignas(16) uint64_t limb[20];
};
struct lc_25519_rows {
    struct lc_25519_row lane[LC_LANES];
};

/* What the rest works on */
struct lc_25519_lanes {
    struct lc_25519_fe x, y, z, t; /* the sum */
    struct lc_25519_addend addend; /* what is added to it, .. */
    struct lc_25519_fe u[3];
    uint64_t negative[LC_LANES]; /* .. negated where this is -1, not 0 */
    uint64_t k[5][LC_LANES];     /* the generator's multiplier, 11 windows in a word, .. */
    uint64_t index[LC_LANES];    /* .. and of the last window's entry, which is positive */
};

/* (2e + 1) 2^(5i) B in window i, entry e: limbs of y + x, y - x, 2 d x y.  Made at build time by x86/curve25519_table.c. */
extern const uint64_t lc_25519_base_table[LC_25519_WINDOWS][15][LC_25519_BASE_ENTRIES];
/* 0, B, 2 B, .. 128 B: limbs of y + x, y - x, 2 d x y, and one that isn't used; and another entry, as more limbs are read */
extern const uint64_t lc_25519_b_table[LC_25519_B_ENTRIES + 1][16];

void LC_IN_LANES(lc_25519_mul)(struct lc_25519_fe *r, const struct lc_25519_fe *a, const struct lc_25519_fe *b);
void LC_IN_LANES(lc_25519_sqr)(struct lc_25519_fe *r, const struct lc_25519_fe *a, size_t times);
void LC_IN_LANES(lc_25519_sqr_two)(struct lc_25519_fe a[2], size_t times);
void LC_IN_LANES(lc_25519_sums)(struct lc_25519_fe *sum, struct lc_25519_fe *difference, const struct lc_25519_fe *a,
                                const struct lc_25519_fe *b);
void LC_IN_LANES(lc_25519_ladder)(struct lc_25519_ladder *w);
void LC_IN_LANES(lc_25519_double)(struct lc_25519_lanes *w, size_t times);
void LC_IN_LANES(lc_25519_comb)(struct lc_25519_lanes *w, const uint64_t table[LC_25519_WINDOWS][15][LC_25519_BASE_ENTRIES],
                                size_t windows);
static inline void LC_IN_LANES(lc_25519_add)(struct lc_25519_lanes *w)
{
    LC_IN_LANES(lc_25519_comb)(w, NULL, 1);
}
void LC_IN_LANES(lc_25519_first)(struct lc_25519_lanes *w, const uint64_t window[15][LC_25519_BASE_ENTRIES]);
void LC_IN_LANES(lc_25519_replace_zeros)(struct lc_25519_fe *a, uint64_t used[LC_LANES]);
void LC_IN_LANES(lc_25519_exchange)(struct lc_25519_fe *r, const struct lc_25519_fe *a, size_t other);
void LC_IN_LANES(lc_25519_rows)(struct lc_25519_row rows[LC_LANES], const struct lc_25519_addend *addend);
void LC_IN_LANES(lc_25519_take)(struct lc_25519_lanes *w, const uint64_t *const rows[LC_LANES]);
void LC_IN_LANES(lc_25519_clear)(void);

/* x86/curve25519.c: num of 0, P, 2 P, .. of the point (x, y) in w, which are tight.  Only the tests need it from outside. */
void LC_IN_LANES(lc_25519_multiples)(struct lc_25519_rows *table, size_t num, struct lc_25519_lanes *w);

#endif
