/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ECDSA on the curves P-256 and P-384 (FIPS 186-5, section 6; SEC 1, 4.1): signatures of digests, one or many in a call.
 *
 * Many in one call take a fraction of the time each where the CPU has the vectors for it, with different keys too; see
 * docs/publickey.md.
 *
 * Lengths in bytes:                P-256  P-384
 *   private key                      32     48   big-endian, 1 .. n - 1
 *   public key                       65     97   4 || x || y; or
 *                                    33     49   2 or 3 || x (SEC 1, 2.3.3)
 *   digest                      1 .. 64          LC_ECDSA_MAX_DIGEST_LEN: what a hash function has made of the message; of more
 *                                                than 32 or 48 bytes the first 32 or 48 count
 *   signature                        64     96   r || s, both big-endian; or DER, by lc_ecdsa_p256_to_der() and ..from_der()
 *
 * What is said of P-256 here is true of P-384 with the lengths of that column, but for what is said there.
 *
 * Signing takes the same time whatever the private key, the digest and the nonce.  Public keys, signatures and digests that are
 * verified are public: the time of verifying depends on them.
 *
 * Secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_ECDSA_H
#define LANECRYPT_ECDSA_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LC_ECDSA_MAX_DIGEST_LEN 64
#define LC_ECDSA_MAX_EXTRA_LEN 64
#define LC_ECDSA_P256_MAX_DER_LEN 72
#define LC_ECDSA_P384_MAX_DER_LEN 104

struct lc_ec_impl;

/* A private key.  Once made it is only read, so any number of threads may sign with it.  Wipe it. */
struct lc_ecdsa_p256_key {
    uint64_t d[4];                   /* private */
    const struct lc_ec_impl *impl; /* private: a static row */
};

/* A public key, which was checked to be on the curve.  It has no secrets. */
struct lc_ecdsa_p256_public_key {
    uint64_t point[8];               /* private */
    const void *table;               /* private: see lc_ecdsa_p256_prepare() */
    const struct lc_ec_impl *impl; /* private: a static row */
};

/*
 * lc_ecdsa_p256_init, lc_ecdsa_p256_public_init: make a private or a public key from its bytes.
 * lc_ecdsa_p256_init_impl, lc_ecdsa_p256_public_init_impl: the same with an implementation chosen by name.
 * key: written.  raw: raw_len bytes, see above.  impl: the name, or NULL for the best one.
 * Returns:
 *   LC_OK
 *   LC_ERR_KEY_LEN  a private key isn't of 32 (48) bytes, a public key not of 65 or 33 (97 or 49)
 *   LC_ERR_KEY      a private key isn't within 1 .. n - 1; a public key's first byte is none of those above, a coordinate is p or
 *                   more, or it isn't a point of the curve
 *   LC_ERR_IMPL     _impl only: the name is unknown, or this CPU can't run it
 *   LC_ERR_ENV      see cpu.h
 */
LC_API LC_MUST_CHECK int lc_ecdsa_p256_init(struct lc_ecdsa_p256_key *key, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_ecdsa_p256_init_impl(struct lc_ecdsa_p256_key *key, const char *impl, const uint8_t *raw,
                                                 size_t raw_len);
LC_API LC_MUST_CHECK int lc_ecdsa_p256_public_init(struct lc_ecdsa_p256_public_key *key, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_ecdsa_p256_public_init_impl(struct lc_ecdsa_p256_public_key *key, const char *impl, const uint8_t *raw,
                                                        size_t raw_len);

/* lc_ecdsa_p256_impl_name, lc_ecdsa_p256_public_impl_name: the name of the implementation that the key has; a constant string. */
LC_API const char *lc_ecdsa_p256_impl_name(const struct lc_ecdsa_p256_key *key);
LC_API const char *lc_ecdsa_p256_public_impl_name(const struct lc_ecdsa_p256_public_key *key);

/* lc_ecdsa_p256_wipe: overwrite the private key with zeros.  The compiler can't drop this. */
LC_API void lc_ecdsa_p256_wipe(struct lc_ecdsa_p256_key *key);

/* lc_ecdsa_p256_get_public: compute the public key of a private one.  raw: 65 bytes, written: 4 || x || y. */
LC_API void lc_ecdsa_p256_get_public(const struct lc_ecdsa_p256_key *key, uint8_t raw[65]);

/*
 * lc_ecdsa_p256_sign: sign a digest.  The nonce is that of RFC 6979 with 32 fresh bytes from the system as additional data (section
 * 3.6): it doesn't depend on good randomness, and a fault in a calculation that is repeated doesn't show the key.
 * lc_ecdsa_p256_sign_with: the same with the caller's additional data.  With none (extra_len 0) and a digest by SHA-256 signatures
 * are those of RFC 6979, deterministic.  For digests of other functions the nonces are still made by HMAC-SHA-256.
 *
 * sig: 64 bytes, written; it may be where the digest or the additional data is.  digest: digest_len bytes.
 * extra: extra_len bytes, at most LC_ECDSA_MAX_EXTRA_LEN; NULL if there are none.
 * Returns:
 *   LC_OK
 *   LC_ERR_LEN     digest_len or extra_len is out of range
 *   LC_ERR_RANDOM  lc_ecdsa_p256_sign() only: the system gives no random bytes (getrandom())
 */
LC_API LC_MUST_CHECK int lc_ecdsa_p256_sign(const struct lc_ecdsa_p256_key *key, uint8_t sig[64], const uint8_t *digest,
                                            size_t digest_len);
LC_API LC_MUST_CHECK int lc_ecdsa_p256_sign_with(const struct lc_ecdsa_p256_key *key, uint8_t sig[64], const uint8_t *digest,
                                                 size_t digest_len, const uint8_t *extra, size_t extra_len);

/*
 * lc_ecdsa_p256_verify: is it a signature of this digest under this key?
 * sig: 64 bytes.  digest: digest_len bytes.
 * Of the two signatures (r, s) and (r, n - s), both are right, as the standard has it.
 * Returns:
 *   LC_OK             it is
 *   LC_ERR_SIGNATURE  it isn't, or r or s isn't within 1 .. n - 1
 *   LC_ERR_LEN        digest_len is out of range
 */
LC_API LC_MUST_CHECK int lc_ecdsa_p256_verify(const struct lc_ecdsa_p256_public_key *key, const uint8_t sig[64],
                                              const uint8_t *digest, size_t digest_len);

/*
 * lc_ecdsa_p256_prepare: prepare a public key for many verifications, of which each then takes a third of the time.  Making the
 * table takes as long as 30 of the others, eight in a call.
 * lc_ecdsa_p256_prepare_len: how many bytes of memory that takes, about 150,000; 0 if the key's implementation has no use for any.
 * It is the same for all keys of an implementation.
 *
 * key: changed.  Prepared keys are for the same functions, and in one call with others; threads may share them.
 * table: table_len bytes of the caller's memory, at least lc_ecdsa_p256_prepare_len(), written.  The key and its copies point
 * there: it has to stay as long as they are used, at its place.  Who can write there decides which signatures are right.  NULL if
 * that length is 0.
 * Returns:
 *   LC_OK
 *   LC_ERR_LEN  table_len is too small
 */
LC_API size_t lc_ecdsa_p256_prepare_len(const struct lc_ecdsa_p256_public_key *key);
LC_API LC_MUST_CHECK int lc_ecdsa_p256_prepare(struct lc_ecdsa_p256_public_key *key, void *table, size_t table_len);

/* One of many. */
struct lc_ecdsa_p256_sign_item {
    const struct lc_ecdsa_p256_key *key;
    uint8_t *sig;          /* 64 bytes, written if status is LC_OK */
    const uint8_t *digest; /* digest_len bytes */
    size_t digest_len;
    const uint8_t *extra;  /* extra_len bytes; only lc_ecdsa_p256_sign_many_with() takes these two */
    size_t extra_len;
    int status;            /* written: what the function for one would return */
};

struct lc_ecdsa_p256_verify_item {
    const struct lc_ecdsa_p256_public_key *key;
    const uint8_t *sig;    /* 64 bytes */
    const uint8_t *digest; /* digest_len bytes */
    size_t digest_len;
    int status;            /* written: what the function for one would return */
};

/*
 * lc_ecdsa_p256_sign_many, lc_ecdsa_p256_sign_many_with, lc_ecdsa_p256_verify_many: many in one call, under different keys.  Each
 * gets a status of its own and doesn't suffer from errors of others.
 * items: num_items of them; may be NULL if num_items is 0.  No signature may be written to where something of another item is.
 * Returns LC_OK if every item's status is LC_OK; else the status of the first item that failed.  Check the status of each item.
 */
LC_API LC_MUST_CHECK int lc_ecdsa_p256_sign_many(struct lc_ecdsa_p256_sign_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_ecdsa_p256_sign_many_with(struct lc_ecdsa_p256_sign_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_ecdsa_p256_verify_many(struct lc_ecdsa_p256_verify_item *items, size_t num_items);

/*
 * lc_ecdsa_p256_sign_pool, lc_ecdsa_p256_sign_pool_with: the same as lc_ecdsa_p256_sign_many() and _sign_many_with(), with memory
 * in which operations share more: from 32 items on each takes less time.
 * lc_ecdsa_p256_sign_pool_len: how many bytes are of use for that many items, up to about 313,000 for 64 or more, if their keys
 * have the implementation of this key; 0 if none are.
 *
 * workspace: workspace_len bytes, of which what was used has zeros afterwards; NULL if there are none.  One that is smaller
 * is used as far as it goes.
 */
LC_API size_t lc_ecdsa_p256_sign_pool_len(const struct lc_ecdsa_p256_key *key, size_t num_items);
LC_API LC_MUST_CHECK int lc_ecdsa_p256_sign_pool(struct lc_ecdsa_p256_sign_item *items, size_t num_items, void *workspace,
                                                 size_t workspace_len);
LC_API LC_MUST_CHECK int lc_ecdsa_p256_sign_pool_with(struct lc_ecdsa_p256_sign_item *items, size_t num_items, void *workspace,
                                                      size_t workspace_len);

/*
 * lc_ecdsa_p256_to_der: a signature as DER, SEQUENCE of two INTEGERs (RFC 3279, 2.2.3).
 * der: LC_ECDSA_P256_MAX_DER_LEN bytes of room, written.  sig: 64 bytes, none of them in der.
 * Returns the length, 8 .. 72.
 *
 * lc_ecdsa_p256_from_der: the other way.  Only DER is taken, and nothing after it: the shortest lengths, the shortest INTEGERs,
 * none of them negative.
 * sig: 64 bytes, written; it may be where der is.  der: der_len bytes.
 * Returns LC_OK; LC_ERR_SIGNATURE if it isn't DER, or a number has more bits than n, and then sig is untouched.
 */
LC_API size_t lc_ecdsa_p256_to_der(uint8_t der[LC_ECDSA_P256_MAX_DER_LEN], const uint8_t sig[64]);
LC_API LC_MUST_CHECK int lc_ecdsa_p256_from_der(uint8_t sig[64], const uint8_t *der, size_t der_len);

/*
 * ---- P-384: the same functions.  Nonces are made by HMAC-SHA-384, and are those of RFC 6979 for digests by SHA-384.  A pool has
 * up to about 602,000 bytes.  No implementation has a use for tables of keys yet: their lengths are 0. ----
 */

struct lc_ec_impl;

struct lc_ecdsa_p384_key {
    uint64_t d[6];
    const struct lc_ec_impl *impl;
};

struct lc_ecdsa_p384_public_key {
    uint64_t point[12];
    const void *table;
    const struct lc_ec_impl *impl;
};

LC_API LC_MUST_CHECK int lc_ecdsa_p384_init(struct lc_ecdsa_p384_key *key, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_ecdsa_p384_init_impl(struct lc_ecdsa_p384_key *key, const char *impl, const uint8_t *raw,
                                                 size_t raw_len);
LC_API LC_MUST_CHECK int lc_ecdsa_p384_public_init(struct lc_ecdsa_p384_public_key *key, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_ecdsa_p384_public_init_impl(struct lc_ecdsa_p384_public_key *key, const char *impl, const uint8_t *raw,
                                                        size_t raw_len);

LC_API const char *lc_ecdsa_p384_impl_name(const struct lc_ecdsa_p384_key *key);
LC_API const char *lc_ecdsa_p384_public_impl_name(const struct lc_ecdsa_p384_public_key *key);

LC_API void lc_ecdsa_p384_wipe(struct lc_ecdsa_p384_key *key);

LC_API void lc_ecdsa_p384_get_public(const struct lc_ecdsa_p384_key *key, uint8_t raw[97]);

LC_API LC_MUST_CHECK int lc_ecdsa_p384_sign(const struct lc_ecdsa_p384_key *key, uint8_t sig[96], const uint8_t *digest,
                                            size_t digest_len);
LC_API LC_MUST_CHECK int lc_ecdsa_p384_sign_with(const struct lc_ecdsa_p384_key *key, uint8_t sig[96], const uint8_t *digest,
                                                 size_t digest_len, const uint8_t *extra, size_t extra_len);

LC_API LC_MUST_CHECK int lc_ecdsa_p384_verify(const struct lc_ecdsa_p384_public_key *key, const uint8_t sig[96],
                                              const uint8_t *digest, size_t digest_len);

LC_API size_t lc_ecdsa_p384_prepare_len(const struct lc_ecdsa_p384_public_key *key);
LC_API LC_MUST_CHECK int lc_ecdsa_p384_prepare(struct lc_ecdsa_p384_public_key *key, void *table, size_t table_len);

struct lc_ecdsa_p384_sign_item {
    const struct lc_ecdsa_p384_key *key;
    uint8_t *sig;
    const uint8_t *digest;
    size_t digest_len;
    const uint8_t *extra;
    size_t extra_len;
    int status;
};

struct lc_ecdsa_p384_verify_item {
    const struct lc_ecdsa_p384_public_key *key;
    const uint8_t *sig;
    const uint8_t *digest;
    size_t digest_len;
    int status;
};

LC_API LC_MUST_CHECK int lc_ecdsa_p384_sign_many(struct lc_ecdsa_p384_sign_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_ecdsa_p384_sign_many_with(struct lc_ecdsa_p384_sign_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_ecdsa_p384_verify_many(struct lc_ecdsa_p384_verify_item *items, size_t num_items);

LC_API size_t lc_ecdsa_p384_sign_pool_len(const struct lc_ecdsa_p384_key *key, size_t num_items);
LC_API LC_MUST_CHECK int lc_ecdsa_p384_sign_pool(struct lc_ecdsa_p384_sign_item *items, size_t num_items, void *workspace,
                                                 size_t workspace_len);
LC_API LC_MUST_CHECK int lc_ecdsa_p384_sign_pool_with(struct lc_ecdsa_p384_sign_item *items, size_t num_items, void *workspace,
                                                      size_t workspace_len);

LC_API size_t lc_ecdsa_p384_to_der(uint8_t der[LC_ECDSA_P384_MAX_DER_LEN], const uint8_t sig[96]);
LC_API LC_MUST_CHECK int lc_ecdsa_p384_from_der(uint8_t sig[96], const uint8_t *der, size_t der_len);

#ifdef __cplusplus
}
#endif
#endif
