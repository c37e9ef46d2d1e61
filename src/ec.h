/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What an implementation of a curve gives and gets, the same for all curves: numbers have the curve's words, the lowest first, and
 * maybe room for more.  A point is words of x and, next to them, of y; it isn't infinity.
 */
#ifndef LC_EC_H
#define LC_EC_H

#include "hash_internal.h"
#include "mod.h"

enum { LC_EC_WORDS = 6 }; /* at most */

/* A curve is y^2 = x^3 - 3x + b modulo p, and has n points, n a prime below p, of as many bits. */
struct lc_ec_curve {
    const struct lc_mod *p, *n;
    const uint64_t *b;    /* in Montgomery's form */
    uint64_t max_key;     /* private keys are 1 .. n - max_key */
    unsigned base_bits, base_passes; /* ec_names.h */
    const uint64_t *base_table;
};

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
    /* The same, but of a result only x is written, as a number, not in Montgomery's form.  NULL if that takes as long. */
    void (*base_x)(struct lc_ec_product *products, size_t num, uint64_t *other);
    void (*multiply)(struct lc_ec_product *products, size_t num);
    void (*check)(struct lc_ec_check *checks, size_t num);
    /* A table for checks under q, if it isn't NULL.  Returns how many bytes it has, at any address.  NULL if the row has none. */
    size_t (*prepare)(void *table, const uint64_t *q);
    /*
     * What base_x does, of more.  num is a multiple of
     * LC_EC_POOL_STEP, LC_EC_POOL_MIN .. LC_EC_POOL_MAX.  What it has used of the memory has zeros then.  Returns how many bytes
     * that has, at any address, if it is NULL.  NULL if the row has nothing better than base.
     */
    size_t (*base_pool)(struct lc_ec_product *products, size_t num, void *memory, uint64_t *other);
    /* lc_mod_mul_add() modulo n and p; NULL if the row has nothing better. */
    lc_mod_mul_add_function *mul_add;
};

/*
 * A point from its bytes, 4 || x || y, or 2 or 3 || x (SEC 1, 2.3.4).  LC_OK; LC_ERR_KEY_LEN; LC_ERR_KEY if it isn't a point of
 * the curve, or infinity.  Points are public.
 */
int lc_ec_decode(uint64_t *point, const uint8_t *bytes, size_t len, const struct lc_ec_curve *curve);

/* 4 || x || y */
void lc_ec_encode(uint8_t *bytes, const uint64_t *point, const struct lc_mod *p);

/* Is x / z^2, which is a number modulo p, r modulo n?  -1 or 0; 0 for z = 0, infinity.  All of it is public. */
uint64_t lc_ec_has_x(const uint64_t *x, const uint64_t *z, const uint64_t *r, const struct lc_mod *p, const struct lc_mod *n);

/*
 * What a private key begins with: the number from its bytes, and the row of that name in a mode.  LC_OK; LC_ERR_KEY_LEN;
 * LC_ERR_KEY if it isn't within 1 .. n - max_key; and what lc_select() returns.  After an error nothing is written.
 */
int lc_ec_decode_private(uint64_t *d, const struct lc_ec_impl **impl, const struct lc_mode *mode, const char *name,
                         const uint8_t *raw, size_t raw_len, const struct lc_ec_curve *curve);

/*
 * Signatures of two numbers, of so many bytes each, as DER, and back: a SEQUENCE and INTEGERs begin with two bytes, and one more
 * keeps a number from being negative.  Return its length; LC_OK or LC_ERR_SIGNATURE.
 */
#define LC_EC_MAX_DER_LEN(bytes) (2 + 2 * (2 + 1 + (bytes)))
size_t lc_ec_to_der(uint8_t *der, const uint8_t *sig, size_t bytes);
int lc_ec_from_der(uint8_t *sig, size_t bytes, const uint8_t *der, size_t der_len);

/* The hash function of a curve's nonces, with as many bits as n, and blocks of 64 or 128 bytes */
struct lc_ec_drbg {
    const struct lc_mod *n;
    lc_hash_parts_fn *parts;
    size_t block;
};

struct lc_ec_nonce {
    const uint64_t *d, *e; /* the private key, the digest as a number */
    uint64_t *k; /* written: 1 .. n - 1 */
    const uint8_t *extra;
    size_t extra_len;
    unsigned skip; /* so many nonces were of no use */
};

/* num: up to LC_EC_CHUNK.  LC_OK, LC_ERR_ENV. */
int lc_ec_nonces(const struct lc_ec_nonce *nonces, size_t num, const struct lc_ec_drbg *kind);

/*
 * Zeros in the stack below the caller's frame, deeper than calculations here go, and on x86-64 in the registers: compilers keep
 * halves of nonces and of inverses there, in frames that nobody names.  Each public function that has had secrets calculated ends
 * with it.
 */
void lc_p256_wipe_stack(void);
void lc_p384_wipe_stack(void);
void lc_sm2_wipe_stack(void);

#endif
