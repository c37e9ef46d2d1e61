/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Curves in the lanes of vectors: what x86/curve_lanes.c is told of a curve and of its assembly, and what the row gets.
 *
 * A number modulo p has limbs of 52 bits, 5 or 8 of them, each of as many lanes as there are.  An entry of a table is two of them,
 * x and y.  What the assembly works on is, in this order:
 *
 *      x, y, z    the sum, in Jacobian coordinates
 *      zz         z^2, of 256 bits only
 *      entry      what is added to it, affine
 *      negative   a word in each lane: where it's -1, not 0, the y of an entry that is taken from a table is negated
 *      index      of the entry there
 *      t          five numbers; of 384 bits six
 *      sign       of 384 bits: the entry's, which is in `negative` until it's taken; so the next one's may be there before
 *                 this one is added
 */
#ifndef LC_X86_CURVE_LANES_H
#define LC_X86_CURVE_LANES_H

#include "../ec.h"

enum {
    LC_LANES_BITS = 4, /* of a window of a point's multiples */
    LC_LANES_ENTRIES = 8,
    LC_LANES_LIMBS = 8, /* at most */
};

struct lc_lanes_curve {
    unsigned words, limbs;
    unsigned base_bits, base_passes, base_windows; /* ec_names.h */
    const uint64_t *base_table;
    const struct lc_mod *p, *n;
    uint64_t limbs_of_p[LC_LANES_LIMBS];
    /*
     * Modulo p: 1; 2^bits as an integer, by which a product has the form of 64-bit words; and as an integer what makes 1 / (x R),
     * with the R of lanes, the form of 1 / x there, where a number from outside is multiplied by R / 2^bits: R^3 * 2^bits / R
     */
    uint64_t one[LC_LANES_LIMBS], to_words[LC_LANES_LIMBS], of_inverse[LC_LANES_LIMBS];
};

struct lc_lanes_row {
    const struct lc_lanes_curve *curve;
    const struct lc_lanes_row *four; /* the same in four lanes, if these are eight */
    size_t lanes;
    size_t few_base, few; /* with up to so many multiples of G, or others and checks, it is faster one by one, .. */
    void (*one_base)(struct lc_ec_product *products, size_t num, uint64_t *other); /* .. by these, also where points are equal */
    void (*one_multiply)(struct lc_ec_product *products, size_t num);
    void (*one_check)(struct lc_ec_check *checks, size_t num);
    /* The assembly, of numbers, entries and what it works on */
    void (*mul)(void *r, const void *a, const void *b);
    void (*twice)(void *w, size_t times);
    void (*add)(void *w);
    void (*select)(void *w, const void *table);      /* LC_LANES_ENTRIES entries */
    void (*select_base)(void *w, const void *table); /* of EC(base_table) one */
    void (*clear)(void);
    void (*load)(void *w, const uint64_t *const *points); /* P-256 only: see x86/curve256.S */
    /* For pools, P-256 and P-384 only.  point: makes of an entry what they add, if that is another form; of 384 bits */
    void (*point)(void *w);
    void (*tree_products)(void *products, const void *a, void *b, size_t half);
    void (*tree_sums)(void *w, void *a, void *b, void *products, size_t half);
};

/* What a row of a curve does (ec.h), by these functions */
void lc_lanes_base(struct lc_ec_product *products, size_t num, uint64_t *other, const struct lc_lanes_row *row);
void lc_lanes_base_x(struct lc_ec_product *products, size_t num, uint64_t *other, const struct lc_lanes_row *row);
void lc_lanes_multiply(struct lc_ec_product *products, size_t num, const struct lc_lanes_row *row);
void lc_lanes_check(struct lc_ec_check *checks, size_t num, const struct lc_lanes_row *row);
size_t lc_lanes_prepare(void *table, const uint64_t *q, const struct lc_lanes_row *row);
size_t lc_lanes_base_pool(struct lc_ec_product *products, size_t num, void *memory, uint64_t *other,
                          const struct lc_lanes_row *row);

/* The assembly's functions of a row, and what lc_lanes_row has of them */
#define LC_LANES_FUNCTIONS(curve, symbol)                                                                                          \
    void lc_##curve##_mul_##symbol(void *r, const void *a, const void *b);                                                         \
    void lc_##curve##_sqr_##symbol(void *r); /* of 384 bits: two numbers, of which the second one is free */                       \
    void lc_##curve##_double_##symbol(void *w, size_t times);                                                                      \
    void lc_##curve##_add_##symbol(void *w);                                                                                       \
    void lc_##curve##_select_##symbol(void *w, const void *table);                                                                 \
    void lc_##curve##_select_base_##symbol(void *w, const void *table);                                                            \
    void lc_##curve##_clear_##symbol(void);
#define LC_LANES_OPS(curve, symbol)                                                                                                \
    .mul = lc_##curve##_mul_##symbol, .twice = lc_##curve##_double_##symbol, .add = lc_##curve##_add_##symbol,                     \
    .select = lc_##curve##_select_##symbol, .select_base = lc_##curve##_select_base_##symbol, .clear = lc_##curve##_clear_##symbol
/* The same for pools */
#define LC_LANES_POOL_FUNCTIONS(curve, symbol)                                                                                     \
    void lc_##curve##_tree_products_##symbol(void *products, const void *a, void *b, size_t half);                                 \
    void lc_##curve##_tree_sums_##symbol(void *w, void *a, void *b, void *products, size_t half);
#define LC_LANES_POOL_OPS(curve, symbol)                                                                                           \
    .tree_products = lc_##curve##_tree_products_##symbol, .tree_sums = lc_##curve##_tree_sums_##symbol

/* The row's functions, by the lc_lanes_row of that name */
#define LC_LANES_ROW(curve, symbol)                                                                                                \
    void lc_##curve##_base_##symbol(struct lc_ec_product *products, size_t num, uint64_t *other)                                   \
    {                                                                                                                              \
        lc_lanes_base(products, num, other, &symbol);                                                                              \
    }                                                                                                                              \
    void lc_##curve##_base_x_##symbol(struct lc_ec_product *products, size_t num, uint64_t *other)                                 \
    {                                                                                                                              \
        lc_lanes_base_x(products, num, other, &symbol);                                                                            \
    }                                                                                                                              \
    void lc_##curve##_multiply_##symbol(struct lc_ec_product *products, size_t num)                                                \
    {                                                                                                                              \
        lc_lanes_multiply(products, num, &symbol);                                                                                 \
    }                                                                                                                              \
    void lc_##curve##_check_##symbol(struct lc_ec_check *checks, size_t num)                                                       \
    {                                                                                                                              \
        lc_lanes_check(checks, num, &symbol);                                                                                      \
    }
#define LC_LANES_POOL(curve, symbol)                                                                                               \
    size_t lc_##curve##_base_pool_##symbol(struct lc_ec_product *products, size_t num, void *memory, uint64_t *other)              \
    {                                                                                                                              \
        return lc_lanes_base_pool(products, num, memory, other, &symbol);                                                          \
    }

#endif
