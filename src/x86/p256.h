/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What x86/p256.S and x86/p256.c share, and the tests' white box. */
#ifndef LC_X86_P256_H
#define LC_X86_P256_H

#include "../p256_internal.h"

enum {
    LC_P256_LANES = 8,
    LC_P256_BASE_BITS = 7, /* of a window of the generator's multiples, .. */
    LC_P256_BASE_WINDOWS = 37,
    LC_P256_BITS = 4, /* .. and of another point's */
    LC_P256_WINDOWS = 64,
    LC_P256_ENTRIES = 8,
    LC_P256_KEY_BITS = 7, /* .. and of those that are made once for a public key */
    LC_P256_KEY_WINDOWS = 37,
    LC_P256_KEY_ENTRIES = 64,
};

/* A number modulo p in each lane: five limbs of 52 bits (x86/p256.S) */
struct lc_p256_fe {
    _Alignas(64) uint64_t limb[5][LC_P256_LANES];
};

struct lc_p256_entry {
    struct lc_p256_fe x, y;
};

/* What the assembly works on */
struct lc_p256_lanes {
    struct lc_p256_fe x, y, z, zz;    /* the sum, in Jacobian coordinates, and z^2 */
    struct lc_p256_entry entry;       /* what is added to it, affine */
    uint64_t negative[LC_P256_LANES]; /* where this is -1, not 0, the entry is taken from a table with its y negated */
    uint64_t index[LC_P256_LANES];    /* of the entry there */
    struct lc_p256_fe t[4];
};

/* (2e + 1) 2^(7i) G in window i, entry e: limbs of x, limbs of y.  Made at build time by x86/p256_table.c. */
extern const uint64_t lc_p256_base_table[LC_P256_BASE_WINDOWS][10][64];

void lc_p256_mul_avx512ifma_512(struct lc_p256_fe *r, const struct lc_p256_fe *a, const struct lc_p256_fe *b);
void lc_p256_sqr_avx512ifma_512(struct lc_p256_fe *r);
void lc_p256_double_avx512ifma_512(struct lc_p256_lanes *w, size_t times);
void lc_p256_add_avx512ifma_512(struct lc_p256_lanes *w);
void lc_p256_select_avx512ifma_512(struct lc_p256_lanes *w, const struct lc_p256_entry table[LC_P256_ENTRIES]);
void lc_p256_select_base_avx512ifma_512(struct lc_p256_lanes *w, const uint64_t table[10][64]);
void lc_p256_load_avx512ifma_512(struct lc_p256_lanes *w, const uint64_t (*const points[LC_P256_LANES])[8]);
void lc_p256_tree_products_avx512ifma_512(struct lc_p256_fe *products, const struct lc_p256_entry *a, struct lc_p256_entry *b,
                                          size_t half);
void lc_p256_tree_sums_avx512ifma_512(struct lc_p256_lanes *w, struct lc_p256_entry *a, const struct lc_p256_entry *b,
                                      const struct lc_p256_fe *products, size_t half);
void lc_p256_clear_avx512ifma_512(void);

#endif
