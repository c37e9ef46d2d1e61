/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One point at a time: what ec_one_body.h needs of an implementation, and gives.  Whoever includes it defines CURVE and BITS
 * (ec_names.h).
 */

/* An entry of a table */
struct EC(point) {
    uint64_t x[WORDS], y[WORDS];
};

/* What is worked on.  Numbers are below p, in Montgomery's form. */
struct EC(work) {
    uint64_t x[WORDS], y[WORDS], z[WORDS]; /* the sum, in Jacobian coordinates */
    struct EC(point) entry;                /* what is added to it */
    uint64_t index;                        /* of the entry in a table */
    uint64_t negative;                     /* -1 where its opposite is to be added, else 0 */
    uint64_t t[4][WORDS];
};

struct EC(ops) {
    void (*multiply)(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS]);
    void (*square)(uint64_t r[WORDS], const uint64_t a[WORDS]);
    void (*twice)(struct EC(work) * w, size_t times); /* sum = 2 sum, so often; Z = 0 remains that */
    /* Sum += entry.  If they are equal or opposite, or if Z is 0: Z = 0; and only if they are equal, X = 0, too. */
    void (*add)(struct EC(work) * w);
    /* The entry = table[index]; all of the table is read.  And the same of a part of the generator's. */
    void (*select)(struct EC(work) * w, const struct EC(point) table[LC_ONE_ENTRIES]);
    void (*select_base)(struct EC(work) * w, const uint64_t table[2 * WORDS][BASE_ENTRIES]);
};

/* What a row has, made of these operations */
void EC(one_base)(const struct EC(ops) * ops, struct lc_ec_product *products, size_t num, uint64_t *other);
void EC(one_multiply)(const struct EC(ops) * ops, struct lc_ec_product *products, size_t num);
void EC(one_check)(const struct EC(ops) * ops, struct lc_ec_check *checks, size_t num);

#ifndef LC_ONE_ROW
/* The row's functions; CURVE is a parameter, as this is used where it isn't defined any more. */
#define LC_ONE_ROW(curve, symbol)                                                                                                  \
    void lc_##curve##_base_##symbol(struct lc_ec_product *products, size_t num, uint64_t *other)                                   \
    {                                                                                                                              \
        lc_##curve##_one_base(&lc_##curve##_ops_##symbol, products, num, other);                                                   \
    }                                                                                                                              \
    void lc_##curve##_multiply_##symbol(struct lc_ec_product *products, size_t num)                                                \
    {                                                                                                                              \
        lc_##curve##_one_multiply(&lc_##curve##_ops_##symbol, products, num);                                                      \
    }                                                                                                                              \
    void lc_##curve##_check_##symbol(struct lc_ec_check *checks, size_t num)                                                       \
    {                                                                                                                              \
        lc_##curve##_one_check(&lc_##curve##_ops_##symbol, checks, num);                                                           \
    }
#endif

extern const struct EC(ops) EC(ops_portable), EC(ops_bmi2_avx2);
