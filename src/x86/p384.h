/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What x86/p384.S and x86/p384.c share, and the tests' white box. */
#ifndef LC_X86_P384_H
#define LC_X86_P384_H

#include "../p384_internal.h"

enum {
    LC_P384_LANES = 8,
    LC_P384_BASE_BITS = 6, /* of a window of the generator's multiples, .. */
    LC_P384_BASE_WINDOWS = 64,
    LC_P384_BASE_PASSES = 3, /* .. every third of which has a table */
    LC_P384_BASE_TABLES = 22,
    LC_P384_BITS = 4, /* and of another point's */
    LC_P384_WINDOWS = 96,
    LC_P384_ENTRIES = 8,
};

/* A number modulo p in each lane: eight limbs of 52 bits (x86/p384.S) */
struct lc_p384_fe {
    _Alignas(64) uint64_t limb[8][LC_P384_LANES];
};

struct lc_p384_entry {
    struct lc_p384_fe x, y;
};

/* What the assembly works on */
struct lc_p384_lanes {
    struct lc_p384_fe x, y, z;        /* the sum, in Jacobian coordinates */
    struct lc_p384_entry entry;       /* what is added to it, affine .. */
    uint64_t negative[LC_P384_LANES]; /* .. with its y negated where this is -1, not 0 */
    uint64_t index[LC_P384_LANES];    /* of the entry in a table */
    struct lc_p384_fe t[4];
};

/*
 * (2e + 1) 2^(18i) G in table i, entry e: words of x, words of y, in Montgomery's form with 2^416.  Made at build time by
 * x86/p384_table.c.
 */
extern const uint64_t lc_p384_base_table[LC_P384_BASE_TABLES][12][32];

void lc_p384_mul_avx512ifma_512(struct lc_p384_fe *r, const struct lc_p384_fe *a, const struct lc_p384_fe *b);
void lc_p384_sqr_avx512ifma_512(struct lc_p384_fe *r);
void lc_p384_double_avx512ifma_512(struct lc_p384_lanes *w, size_t times);
void lc_p384_add_avx512ifma_512(struct lc_p384_lanes *w);
void lc_p384_select_avx512ifma_512(struct lc_p384_lanes *w, const struct lc_p384_entry table[LC_P384_ENTRIES]);
void lc_p384_select_base_avx512ifma_512(struct lc_p384_lanes *w, const uint64_t table[12][32]);
void lc_p384_clear_avx512ifma_512(void);

#endif
