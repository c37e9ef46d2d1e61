/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The curve P-256 (FIPS 186-5, SP 800-186): its numbers, and what an implementation of it gives and gets. */
#ifndef LC_P256_INTERNAL_H
#define LC_P256_INTERNAL_H

#include "internal.h"
#include "mod256.h"

extern const struct lc_mod256 lc_p256_p, lc_p256_n; /* the field's prime, and how many points there are */
extern const struct lc_p256_point lc_p256_generator;
extern const uint64_t lc_p256_b[4]; /* y^2 = x^3 - 3x + b; in Montgomery's form */

/* A point other than infinity; Montgomery's form, as all coordinates here. */
struct lc_p256_point {
    uint64_t x[4], y[4];
};

/* One signature to be checked: is r the x of u1 G + u2 Q, modulo n? */
struct lc_p256_check {
    uint64_t u1[4], u2[4], r[4]; /* below n, and only u1 may be 0 */
    const struct lc_p256_point *q;
    uint64_t right; /* written: -1 or 0 */
};

/* One multiple of a point: k P, where 0 < k < n */
struct lc_p256_product {
    uint64_t k[4];
    const struct lc_p256_point *p;
    struct lc_p256_point result; /* written */
};

/* How many a row is given at once, at most */
enum { LC_P256_CHUNK = 8 };

/*
 * A row.  All that its functions are given is secret but numbers of things and what is checked; no branch and no address depends on
 * it.  num: 1 .. LC_P256_CHUNK.
 */
struct lc_p256_impl {
    struct lc_impl impl;
    void (*base)(struct lc_p256_product *products, size_t num);  /* result = k G */
    void (*multiply)(struct lc_p256_product *products, size_t num);
    void (*check)(struct lc_p256_check *checks, size_t num);
};

extern const struct lc_p256_impl lc_ecdsa_p256_impls[], lc_ecdh_p256_impls[]; /* rows.c */

#define ROW_ECDSA_P256(name, symbol, ...)                                                                                          \
    void lc_p256_base_##symbol(struct lc_p256_product *products, size_t num);                                                      \
    void lc_p256_multiply_##symbol(struct lc_p256_product *products, size_t num);                                                  \
    void lc_p256_check_##symbol(struct lc_p256_check *checks, size_t num);
#include "rows.def"

/*
 * A point from 65 bytes, 4 || x || y, or 33, 2 or 3 || x (SEC 1, 2.3.4).  LC_OK; LC_ERR_KEY_LEN; LC_ERR_KEY if it isn't a point of
 * the curve, or infinity.  Points are public.
 */
int lc_p256_decode(struct lc_p256_point *p, const uint8_t *bytes, size_t len);

/* 4 || x || y */
void lc_p256_encode(uint8_t bytes[65], const struct lc_p256_point *p);

/* Is x / z, which is a number modulo p, r modulo n?  -1 or 0; 0 for z = 0, infinity.  All of it is public. */
uint64_t lc_p256_has_x(const uint64_t x[4], const uint64_t z[4], const uint64_t r[4]);

/*
 * Zeros in the stack below the caller's frame, deeper than calculations here go (19.4 KB at most, by clang), and on x86-64 in the
 * registers: compilers keep halves of nonces and of inverses there, in frames that nobody names.  Each public function that has had
 * secrets calculated ends with it.
 */
void lc_p256_wipe_stack(void);

/*
 * What a private key begins with: the number from its bytes, and the row of that name in a mode.  LC_OK; LC_ERR_KEY_LEN;
 * LC_ERR_KEY if it isn't within 1 .. n - 1; and what lc_select() returns.  After an error nothing is written.
 */
int lc_p256_decode_private(uint64_t d[4], const struct lc_p256_impl **impl, const struct lc_mode *mode, const char *name,
                           const uint8_t *raw, size_t raw_len);

#endif
