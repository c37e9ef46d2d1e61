/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One point at a time: what ec_one.c needs of an implementation, and gives.  What its operations work on are words, all numbers
 * below p and in Montgomery's form, with as many words as the curve has, and without room between them:
 *
 *      x, y, z     the sum, in Jacobian coordinates
 *      entry       what is added to it, two numbers, as are the entries of tables
 *      index       a word: of the entry in a table
 *      negative    a word: -1 where its opposite is to be added, else 0
 *      t           four numbers
 */
#ifndef LC_EC_ONE_H
#define LC_EC_ONE_H

#include "ec.h"

struct lc_ec_ops {
    const struct lc_ec_curve *curve;
    void (*multiply)(uint64_t *r, const uint64_t *a, const uint64_t *b);
    void (*square)(uint64_t *r, const uint64_t *a);
    void (*twice)(uint64_t *w, size_t times); /* sum = 2 sum, so often; Z = 0 remains that */
    /* Sum += entry.  If they are equal or opposite, or if Z is 0: Z = 0; and only if they are equal, X = 0, too. */
    void (*add)(uint64_t *w);
    /* The entry = table[index], of LC_ONE_ENTRIES; all of the table is read.  And the same of a part of the generator's. */
    void (*select)(uint64_t *w, const uint64_t *table);
    void (*select_base)(uint64_t *w, const uint64_t *table);
};

/* What a row has, made of these operations */
void lc_ec_one_base(const struct lc_ec_ops *ops, struct lc_ec_product *products, size_t num, uint64_t *other);
void lc_ec_one_multiply(const struct lc_ec_ops *ops, struct lc_ec_product *products, size_t num);
void lc_ec_one_check(const struct lc_ec_ops *ops, struct lc_ec_check *checks, size_t num);

/* The row's functions */
#define LC_ONE_ROW(curve, symbol)                                                                                                  \
    void lc_##curve##_base_##symbol(struct lc_ec_product *products, size_t num, uint64_t *other)                                   \
    {                                                                                                                              \
        lc_ec_one_base(&lc_##curve##_ops_##symbol, products, num, other);                                                          \
    }                                                                                                                              \
    void lc_##curve##_multiply_##symbol(struct lc_ec_product *products, size_t num)                                                \
    {                                                                                                                              \
        lc_ec_one_multiply(&lc_##curve##_ops_##symbol, products, num);                                                             \
    }                                                                                                                              \
    void lc_##curve##_check_##symbol(struct lc_ec_check *checks, size_t num)                                                       \
    {                                                                                                                              \
        lc_ec_one_check(&lc_##curve##_ops_##symbol, checks, num);                                                                  \
    }

extern const struct lc_ec_ops lc_p256_ops_portable, lc_p384_ops_portable, lc_sm2_ops_portable;

#endif
