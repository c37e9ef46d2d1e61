/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Curve25519 and edwards25519 (RFC 7748): what an implementation gives and gets.
 *
 *      p = 2^255 - 19                                      the field's prime
 *      L = 2^252 + 27742317777372353535851937790883648493  the order of B
 *      v^2 = u^3 + 486662 u^2 + u                          Montgomery's curve, of which X25519 has the u
 *      -x^2 + y^2 = 1 + d x^2 y^2,  d = -121665 / 121666   Edwards' curve, of Ed25519
 *      u = (1 + y) / (1 - y)                               from the second to the first
 *      B: y = 4/5, x even; u = 9                           the generator
 *
 * Numbers are four 64-bit words, the lowest first, in no special form.
 */
#ifndef LC_CURVE25519_H
#define LC_CURVE25519_H

#include "internal.h"
#include "mod.h"

extern const struct lc_mod lc_25519_p, lc_25519_l;

/* r = wide mod L, of a number of 512 bits, parts of which remain on the stack */
void lc_25519_reduce(uint64_t r[4], const uint64_t wide[8]);

/* A point of Edwards' curve, coordinates below p.  The neutral one is (0, 1). */
struct lc_25519_point {
    uint64_t x[4], y[4];
};

/* X25519: the u of k times the point that has this u, 0 if that is the neutral one; on the twist, too (RFC 7748, 5). */
struct lc_25519_dh {
    uint64_t k[4]; /* clamped: a multiple of 8, 2^254 .. 2^255 - 8 */
    uint64_t u[4]; /* below 2^255, and maybe p or more */
    uint64_t result[4]; /* written, below p */
};

/* k B, where k is below 2^255 */
struct lc_25519_base {
    uint64_t k[4];
    struct lc_25519_point result; /* written by base() */
    uint64_t u[4];                /* written by base_u(): its u, below p */
};

/* s B - k A, where s and k are below L, and A is any point, one of small order too */
struct lc_25519_check {
    uint64_t s[4], k[4];
    const struct lc_25519_point *a;
    struct lc_25519_point result; /* written */
};

/* The point of this y, below p, with the x that is odd or even: sign is 1 or 0. */
struct lc_25519_decompress {
    uint64_t y[4], sign;
    struct lc_25519_point result; /* written, if there is one */
    uint64_t right;               /* written: -1; 0 if there is none, or if x is 0 and sign 1 */
};

/* Of a sum of z R + e A, where z is below 2^128 and e below L, and R and A are any points */
struct lc_25519_term {
    uint64_t z[4], e[4];
    const struct lc_25519_point *a;
    struct lc_25519_point r;
};

/* How many a row is given at once, at most, but for terms; and how many decompress() is */
enum { LC_25519_CHUNK = 8, LC_25519_ROOTS = 16 };

/* A private key's number: RFC 7748, 5; RFC 8032, 5.1.5 */
LC_INLINE void lc_25519_clamp(uint64_t k[4])
{
    k[0] &= ~UINT64_C(7);
    k[3] = (k[3] & INT64_MAX) | UINT64_C(1) << 62;
}

/*
 * A row.  What dh(), base() and base_u() are given is secret but for the number of items, and u: no branch and no address depends
 * on it, and nothing of it is left in memory of theirs.  What check() and decompress() are given is public.  num: 1 ..
 * LC_25519_CHUNK, of decompress() LC_25519_ROOTS.  Where lanes take longer than one after another, as for one alone, a row calls
 * another one's function.
 */
struct lc_25519_impl {
    struct lc_impl impl;
    void (*dh)(struct lc_25519_dh *items, size_t num);
    void (*base)(struct lc_25519_base *items, size_t num);
    void (*base_u)(struct lc_25519_base *items, size_t num);
    void (*check)(struct lc_25519_check *items, size_t num);
    void (*decompress)(struct lc_25519_decompress *items, size_t num);
    /*
     * -1 if the sum of num terms, num > 0, and b B differ by a point of small order, that is, if 8 times them is the same, else 0.
     * b is below L.  All of it is public.  memory: sum_len(num) bytes, aligned to LC_25519_ALIGN.
     */
    uint64_t (*sum_is_small)(const struct lc_25519_term *terms, size_t num, const uint64_t b[4], void *memory);
    size_t (*sum_len)(size_t num);
};

enum { LC_25519_ALIGN = 64 };

extern const struct lc_25519_impl lc_x25519_impls[], lc_ed25519_impls[]; /* rows.c */

#define DECLARE_25519(symbol)                                                                                                      \
    void lc_25519_dh_##symbol(struct lc_25519_dh *items, size_t num);                                                              \
    void lc_25519_base_##symbol(struct lc_25519_base *items, size_t num);                                                          \
    void lc_25519_base_u_##symbol(struct lc_25519_base *items, size_t num);                                                        \
    void lc_25519_check_##symbol(struct lc_25519_check *items, size_t num);                                                        \
    void lc_25519_decompress_##symbol(struct lc_25519_decompress *items, size_t num);                                              \
    uint64_t lc_25519_sum_is_small_##symbol(const struct lc_25519_term *terms, size_t num, const uint64_t b[4], void *memory);     \
    size_t lc_25519_sum_len_##symbol(size_t num);
#define ROW_ED25519(name, symbol, ...) DECLARE_25519(symbol)
#define ROW_X25519(name, symbol, ...) DECLARE_25519(symbol) /* one has a ladder of its own */
#include "rows.def"
#undef DECLARE_25519

#endif
