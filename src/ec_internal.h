/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The numbers of a curve, and what an implementation of it gives and gets: what p256_internal.h and the like include for
 * their CURVE and BITS (ec_names.h).
 *
 * A curve here is y^2 = x^3 - 3x + b modulo p, and has n points, n a prime below p, of as many bits.
 */
extern const struct lc_mod EC(p), EC(n); /* the field's prime, and how many points there are */
extern const uint64_t EC(b)[WORDS]; /* y^2 = x^3 - 3x + b; in Montgomery's form */

extern const uint64_t EC(generator)[2 * WORDS]; /* in Montgomery's form, as all coordinates here */

/*
 * (2e + 1) 2^(BASE_BITS BASE_PASSES i) G in table i, entry e: words of x, words of y, in Montgomery's form of lanes; of each word
 * all entries are next to each other.  Made at build time by ec_table.h.
 */
extern const uint64_t EC(base_table)[BASE_TABLES][2 * WORDS][BASE_ENTRIES];

extern const struct lc_ec_impl SIG(impls)[]; /* rows.c */

/*
 * A point from its bytes, 4 || x || y, or 2 or 3 || x (SEC 1, 2.3.4).  LC_OK; LC_ERR_KEY_LEN; LC_ERR_KEY if it isn't a point of
 * the curve, or infinity.  Points are public.
 */
int EC(decode)(uint64_t p[2 * WORDS], const uint8_t *bytes, size_t len);

/* 4 || x || y */
void EC(encode)(uint8_t bytes[2 * BYTES + 1], const uint64_t p[2 * WORDS]);

/* Is x / z^2, which is a number modulo p, r modulo n?  -1 or 0; 0 for z = 0, infinity.  All of it is public. */
uint64_t EC(has_x)(const uint64_t x[WORDS], const uint64_t z[WORDS], const uint64_t r[WORDS]);

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
int EC(decode_private)(uint64_t d[WORDS], const struct lc_ec_impl **impl, const struct lc_mode *mode, const char *name,
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
