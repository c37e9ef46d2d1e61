/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* P-256, one point at a time: what src/p256_one.c needs of an implementation, and gives. */
#ifndef LC_P256_ONE_H
#define LC_P256_ONE_H

#include "p256_internal.h"

enum {
    LC_P256_ONE_BITS = 5, /* of a window, .. */
    LC_P256_ONE_WINDOWS = 52,
    LC_P256_ONE_ENTRIES = 16, /* .. and of its table, 1 P, 3 P, .. 31 P */
};

/* What is worked on.  Numbers are below p, in Montgomery's form. */
struct lc_p256_work {
    uint64_t x[4], y[4], z[4];  /* the sum, in Jacobian coordinates */
    struct lc_p256_point entry; /* what is added to it */
    uint64_t index;             /* of the entry in a table; .. */
    uint64_t negative;          /* .. the entry is its opposite, where this is -1, not 0 */
    uint64_t t[4][4];
};

struct lc_p256_ops {
    void (*multiply)(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]);
    void (*square)(uint64_t r[4], const uint64_t a[4]);
    void (*twice)(struct lc_p256_work *w, size_t times); /* sum = 2 sum, so often; Z = 0 remains that */
    /* Sum += entry.  If they are equal or opposite, or if Z is 0: Z = 0; and only if they are equal, X = 0, too. */
    void (*add)(struct lc_p256_work *w);
    void (*select)(struct lc_p256_work *w, const struct lc_p256_point table[LC_P256_ONE_ENTRIES]); /* all of it is read */
};

/* (2e + 1) 2^(10i) G in window i, entry e.  Made at build time by src/p256_table.c. */
extern const struct lc_p256_point lc_p256_one_table[LC_P256_ONE_WINDOWS / 2][LC_P256_ONE_ENTRIES];

/* What a row has, made of these operations */
void lc_p256_one_base(const struct lc_p256_ops *ops, struct lc_p256_product *products, size_t num);
void lc_p256_one_multiply(const struct lc_p256_ops *ops, struct lc_p256_product *products, size_t num);
void lc_p256_one_check(const struct lc_p256_ops *ops, struct lc_p256_check *checks, size_t num);

#define LC_P256_ONE_ROW(symbol)                                                                                                    \
    void lc_p256_base_##symbol(struct lc_p256_product *products, size_t num)                                                       \
    {                                                                                                                              \
        lc_p256_one_base(&lc_p256_ops_##symbol, products, num);                                                                    \
    }                                                                                                                              \
    void lc_p256_multiply_##symbol(struct lc_p256_product *products, size_t num)                                                   \
    {                                                                                                                              \
        lc_p256_one_multiply(&lc_p256_ops_##symbol, products, num);                                                                \
    }                                                                                                                              \
    void lc_p256_check_##symbol(struct lc_p256_check *checks, size_t num)                                                          \
    {                                                                                                                              \
        lc_p256_one_check(&lc_p256_ops_##symbol, checks, num);                                                                     \
    }

extern const struct lc_p256_ops lc_p256_ops_portable, lc_p256_ops_bmi2_avx2;

#endif
