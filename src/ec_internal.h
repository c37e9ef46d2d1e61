/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The numbers of a curve, and what an implementation of it gives and gets: what p256_internal.h and the like include for
 * their CURVE and BITS (ec_names.h).
 *
 * A curve here is y^2 = x^3 - 3x + b modulo p, and has n points, n a prime below p, of as many bits.
 */
extern const struct MODULUS EC(p), EC(n); /* the field's prime, and how many points there are */
extern const uint64_t EC(b)[WORDS]; /* y^2 = x^3 - 3x + b; in Montgomery's form */

/* A point other than infinity; Montgomery's form, as all coordinates here. */
struct EC(point) {
    uint64_t x[WORDS], y[WORDS];
};

extern const struct EC(point) EC(generator);

/*
 * (2e + 1) 2^(BASE_BITS BASE_PASSES i) G in table i, entry e: words of x, words of y, in Montgomery's form of lanes; of each word
 * all entries are next to each other.  Made at build time by ec_table.h.
 */
extern const uint64_t EC(base_table)[BASE_TABLES][2 * WORDS][BASE_ENTRIES];

/* One signature to be checked: is r the x of u1 G + u2 Q, modulo n? */
struct EC(check) {
    uint64_t u1[WORDS], u2[WORDS], r[WORDS]; /* below n, and u2 isn't 0 */
    const struct EC(point) * q;
    const void *table; /* what `prepare` has made of q.  NULL, unless all of a call have one. */
    uint64_t right;    /* written: -1 or 0 */
};

/* One multiple of a point: k P, where 0 < k < n */
struct EC(product) {
    uint64_t k[WORDS];
    const struct EC(point) * p;
    struct EC(point) result; /* written */
};

/*
 * A row.  All that its functions are given is secret but numbers of things and what is checked; no branch and no address depends on
 * it.  num: 1 .. LC_EC_CHUNK.
 */
struct EC(impl) {
    struct lc_impl impl;
    void (*base)(struct EC(product) * products, size_t num);  /* result = k G */
    void (*multiply)(struct EC(product) * products, size_t num);
    void (*check)(struct EC(check) * checks, size_t num);
    /* A table for checks under q, if it isn't NULL.  Returns how many bytes it has, at any address.  NULL if the row has none. */
    size_t (*prepare)(void *table, const struct EC(point) * q);
    /*
     * The same as base of more: num is a multiple of LC_EC_POOL_STEP, LC_EC_POOL_MIN .. LC_EC_POOL_MAX.  What it has in memory is
     * secret.  Returns how many bytes that has, at any address, if it is NULL.  NULL if the row has nothing better than base.
     */
    size_t (*base_pool)(struct EC(product) * products, size_t num, void *memory);
};

extern const struct EC(impl) SIG(impls)[]; /* rows.c */

/*
 * A point from its bytes, 4 || x || y, or 2 or 3 || x (SEC 1, 2.3.4).  LC_OK; LC_ERR_KEY_LEN; LC_ERR_KEY if it isn't a point of
 * the curve, or infinity.  Points are public.
 */
int EC(decode)(struct EC(point) * p, const uint8_t *bytes, size_t len);

/* 4 || x || y */
void EC(encode)(uint8_t bytes[2 * BYTES + 1], const struct EC(point) * p);

/* Is x / z, which is a number modulo p, r modulo n?  -1 or 0; 0 for z = 0, infinity.  All of it is public. */
LC_INLINE uint64_t EC(has_x)(const uint64_t x[WORDS], const uint64_t z[WORDS], const uint64_t r[WORDS])
{
    uint64_t t[WORDS], carry = 0, right;

    lc_mod_to_montgomery(t, r, &EC(p)); /* r < n < p */
    lc_mod_mul(t, t, z, &EC(p));
    right = NUM(equal)(t, x);
    for (int i = 0; i < WORDS; i++)
        t[i] = lc_add_carry(r[i], EC(n).m[i], &carry);
    if (!carry && NUM(below)(t, EC(p).m)) {
        lc_mod_to_montgomery(t, t, &EC(p));
        lc_mod_mul(t, t, z, &EC(p));
        right |= NUM(equal)(t, x);
    }
    return right & ~NUM(is_zero)(z);
}

/*
 * Zeros in the stack below the caller's frame, deeper than calculations here go, and on x86-64 in the
 * registers: compilers keep halves of nonces and of inverses there, in frames that nobody names.  Each public function that has had
 * secrets calculated ends with it.
 */
void EC(wipe_stack)(void);

/*
 * What a private key begins with: the number from its bytes, and the row of that name in a mode.  LC_OK; LC_ERR_KEY_LEN;
 * LC_ERR_KEY if it isn't within 1 .. n - 1 (SM2: n - 2); and what lc_select() returns.  After an error nothing is written.
 */
int EC(decode_private)(uint64_t d[WORDS], const struct EC(impl) * *impl, const struct lc_mode *mode, const char *name,
                       const uint8_t *raw, size_t raw_len);

/* ---- Signatures, ECDSA's or SM2's ---- */

/* A signature that is being made. */
struct SIG(job) {
    const struct SIG(key) * key;
    uint64_t e[WORDS], k[WORDS]; /* the digest as a number below n; the nonce, 1 .. n - 1 */
    uint64_t r[WORDS], s[WORDS]; /* written */
    uint8_t extra[LC_EC_MAX_EXTRA_LEN];
    size_t extra_len;
    unsigned skip; /* so many nonces were of no use */
};

/* k of all jobs (RFC 6979, 3.2 and 3.6); num: up to LC_EC_CHUNK.  LC_OK, LC_ERR_ENV. */
int SIG(nonces)(struct SIG(job) * jobs, size_t num);

/*
 * r and s of all jobs from their nonces; num: up to LC_EC_CHUNK, under keys of one implementation.  If r or s is 0, which one
 * nonce of 2^256 or more gives, another one is needed.  (s is 0, too, where SM2 has r + k = n.)
 */
void SIG(finish)(struct SIG(job) * jobs, size_t num);
