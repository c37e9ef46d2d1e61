/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Diffie-Hellman on the curves P-256 and P-384 (SP 800-56A, 5.7.1.2; SEC 1, 3.3.1), one or many in a call.
 *
 * Many in one call take a fraction of the time each where the CPU has the vectors for it, with different keys too; see
 * docs/publickey.md.
 *
 * Lengths in bytes:    P-256  P-384
 *   private key          32     48   big-endian, 1 .. n - 1
 *   public key           65     97   4 || x || y; or, from others,
 *                        33     49   2 or 3 || x (SEC 1, 2.3.3)
 *   shared secret        32     48   the x of the common point, big-endian.  It isn't a key yet: derive keys from it.
 *
 * What is said of P-256 here is true of P-384 with the lengths of that column.
 *
 * All takes the same time whatever the private key and the secret are.  Public keys are public.
 *
 * Overlap: a secret may be written to where the other one's public key is; in a call for many, to where nothing else of the call
 * is.
 * Secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_ECDH_H
#define LANECRYPT_ECDH_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lc_ec_impl;

/* A private key.  Once made it is only read, so any number of threads may use it.  Wipe it. */
struct lc_ecdh_p256_key {
    uint64_t d[4];                   /* private */
    const struct lc_ec_impl *impl; /* private: a static row */
};

/*
 * lc_ecdh_p256_init: make a private key from its bytes, which should be random.
 * lc_ecdh_p256_init_impl: the same with an implementation chosen by name.
 * key: written.  raw: raw_len bytes.  impl: the name, or NULL for the best one.
 * Returns:
 *   LC_OK
 *   LC_ERR_KEY_LEN  raw_len isn't 32
 *   LC_ERR_KEY      it isn't within 1 .. n - 1; of 2^32 random ones that is about one: take others
 *   LC_ERR_IMPL     _impl only: the name is unknown, or this CPU can't run it
 *   LC_ERR_ENV      see cpu.h
 */
LC_API LC_MUST_CHECK int lc_ecdh_p256_init(struct lc_ecdh_p256_key *key, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_ecdh_p256_init_impl(struct lc_ecdh_p256_key *key, const char *impl, const uint8_t *raw, size_t raw_len);

/* lc_ecdh_p256_impl_name: the name of the implementation that the key has; a constant string. */
LC_API const char *lc_ecdh_p256_impl_name(const struct lc_ecdh_p256_key *key);

/* lc_ecdh_p256_wipe: overwrite the key with zeros.  The compiler can't drop this. */
LC_API void lc_ecdh_p256_wipe(struct lc_ecdh_p256_key *key);

/* lc_ecdh_p256_get_public: compute the public key of a private one.  raw: 65 bytes, written: 4 || x || y. */
LC_API void lc_ecdh_p256_get_public(const struct lc_ecdh_p256_key *key, uint8_t raw[65]);

/*
 * lc_ecdh_p256: compute the secret that is shared with the owner of a public key.
 * secret: 32 bytes, written if that returns LC_OK.  peer: peer_len bytes, the other one's public key, which is checked.
 * Returns:
 *   LC_OK
 *   LC_ERR_KEY_LEN  peer_len isn't 65 or 33
 *   LC_ERR_KEY      peer's first byte is none of those above, a coordinate is p or more, or it isn't a point of the curve
 */
LC_API LC_MUST_CHECK int lc_ecdh_p256(const struct lc_ecdh_p256_key *key, uint8_t secret[32], const uint8_t *peer, size_t peer_len);

/* One of many. */
struct lc_ecdh_p256_public_item {
    const struct lc_ecdh_p256_key *key;
    uint8_t *raw; /* 65 bytes, written */
};

struct lc_ecdh_p256_item {
    const struct lc_ecdh_p256_key *key;
    uint8_t *secret;     /* 32 bytes, written if status is LC_OK */
    const uint8_t *peer; /* peer_len bytes */
    size_t peer_len;
    int status;          /* written: what the function for one would return */
};

/*
 * lc_ecdh_p256_get_public_many, lc_ecdh_p256_many: many in one call, with different keys.  Each has a status of its own, where
 * something can fail, and doesn't suffer from errors of others.
 * items: num_items of them; may be NULL if num_items is 0.
 * lc_ecdh_p256_many() returns LC_OK if every item's status is LC_OK; else the status of the first item that failed.  Check the
 * status of each item.
 */
LC_API void lc_ecdh_p256_get_public_many(const struct lc_ecdh_p256_public_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_ecdh_p256_many(struct lc_ecdh_p256_item *items, size_t num_items);

/* ---- P-384 ---- */

struct lc_ec_impl;

struct lc_ecdh_p384_key {
    uint64_t d[6];
    const struct lc_ec_impl *impl;
};

LC_API LC_MUST_CHECK int lc_ecdh_p384_init(struct lc_ecdh_p384_key *key, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_ecdh_p384_init_impl(struct lc_ecdh_p384_key *key, const char *impl, const uint8_t *raw, size_t raw_len);

LC_API const char *lc_ecdh_p384_impl_name(const struct lc_ecdh_p384_key *key);

LC_API void lc_ecdh_p384_wipe(struct lc_ecdh_p384_key *key);

LC_API void lc_ecdh_p384_get_public(const struct lc_ecdh_p384_key *key, uint8_t raw[97]);

LC_API LC_MUST_CHECK int lc_ecdh_p384(const struct lc_ecdh_p384_key *key, uint8_t secret[48], const uint8_t *peer, size_t peer_len);

struct lc_ecdh_p384_public_item {
    const struct lc_ecdh_p384_key *key;
    uint8_t *raw;
};

struct lc_ecdh_p384_item {
    const struct lc_ecdh_p384_key *key;
    uint8_t *secret;
    const uint8_t *peer;
    size_t peer_len;
    int status;
};

LC_API void lc_ecdh_p384_get_public_many(const struct lc_ecdh_p384_public_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_ecdh_p384_many(struct lc_ecdh_p384_item *items, size_t num_items);

#ifdef __cplusplus
}
#endif
#endif
