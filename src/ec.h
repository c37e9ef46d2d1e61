/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What an implementation of a curve gives and gets, the same for all curves: numbers have the curve's words, the lowest first, and
 * maybe room for more.  A point is words of x and, next to them, of y; it isn't infinity.
 */
#ifndef LC_EC_H
#define LC_EC_H

#include "internal.h"
#include "mod.h"

enum { LC_EC_WORDS = 6 }; /* at most */

/* One multiple of a point: k P, where 0 < k < n */
struct lc_ec_product {
    uint64_t k[LC_EC_WORDS];
    const uint64_t *p;
    uint64_t result[2 * LC_EC_WORDS]; /* written: a point */
};

/* One signature to be checked: is r the x of u1 G + u2 Q, modulo n? */
struct lc_ec_check {
    uint64_t u1[LC_EC_WORDS], u2[LC_EC_WORDS], r[LC_EC_WORDS]; /* below n, and u2 isn't 0 */
    const uint64_t *q;
    const void *table; /* what `prepare` has made of q.  NULL, unless all of a call have one. */
    uint64_t right;    /* written: -1 or 0 */
};

/*
 * A row.  All that its functions are given is secret but numbers of things and what is checked; no branch and no address depends on
 * it.  num: 1 .. LC_EC_CHUNK.
 */
struct lc_ec_impl {
    struct lc_impl impl;
    /*
     * result = k G.  And if `other` isn't NULL, it's a number modulo n in Montgomery's form, of which its inverse is made, as that
     * takes less time together with the row's own inversion than alone.
     */
    void (*base)(struct lc_ec_product *products, size_t num, uint64_t *other);
    void (*multiply)(struct lc_ec_product *products, size_t num);
    void (*check)(struct lc_ec_check *checks, size_t num);
    /* A table for checks under q, if it isn't NULL.  Returns how many bytes it has, at any address.  NULL if the row has none. */
    size_t (*prepare)(void *table, const uint64_t *q);
    /*
     * The same of more: num is a multiple of LC_EC_POOL_STEP, LC_EC_POOL_MIN .. LC_EC_POOL_MAX.  What it has in memory is
     * secret.  Returns how many bytes that has, at any address, if it is NULL.  NULL if the row has nothing better than base.
     */
    size_t (*base_pool)(struct lc_ec_product *products, size_t num, void *memory, uint64_t *other);
};

#endif
