/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The numbers of a curve, and what an implementation of it gives and gets: what p256_internal.h and the like include for
 * their CURVE and BITS (ec_names.h).
 */
extern const struct lc_mod EC(p), EC(n); /* the field's prime, and how many points there are */
extern const uint64_t EC(b)[WORDS]; /* y^2 = x^3 - 3x + b; in Montgomery's form */

extern const uint64_t EC(generator)[2 * WORDS]; /* in Montgomery's form, as all coordinates here */

/*
 * (2e + 1) 2^(BASE_BITS BASE_PASSES i) G in table i, entry e: words of x, words of y, in Montgomery's form of lanes; of each word
 * all entries are next to each other.  Made at build time by ec_table.h.
 */
extern const uint64_t EC(base_table)[BASE_TABLES][2 * WORDS][BASE_ENTRIES];

extern const struct lc_ec_curve EC(curve);

extern const struct lc_ec_impl SIG(impls)[]; /* rows.c */

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
