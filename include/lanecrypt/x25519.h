/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * X25519 (RFC 7748, sections 5 and 6.1): Diffie-Hellman on Curve25519, one or many in a call.
 *
 * Many in one call take a fraction of the time each where the CPU has the vectors for it, with different keys too; see
 * docs/publickey.md.
 *
 * Lengths in bytes, numbers little-endian:
 *   private key    32, any.  Five of the bits don't count: the standard sets one and clears four ("clamping").
 *   public key     32, any.  The highest bit doesn't count, and numbers of p or more are taken modulo p, as the standard has it.
 *   shared secret  32.  It isn't a key yet: derive keys from it, and from both public keys.
 *
 * All takes the same time whatever the private key and the secret are.  Public keys are public.
 *
 * Secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_X25519_H
#define LANECRYPT_X25519_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LC_X25519_LEN 32 /* bytes of a private key, a public key, a secret */

struct lc_25519_impl;

/* A private key.  Once made it is only read, so any number of threads may use it.  Wipe it. */
struct lc_x25519_key {
    uint64_t k[4];                    /* private */
    const struct lc_25519_impl *impl; /* private: a static row */
};

/*
 * lc_x25519_init: make a private key from its bytes, which should be random.
 * lc_x25519_init_impl: the same with an implementation chosen by name.
 * key: written.  raw: raw_len bytes.  impl: the name, or NULL for the best one.
 * Returns:
 *   LC_OK
 *   LC_ERR_KEY_LEN  raw_len isn't 32
 *   LC_ERR_IMPL     _impl only: the name is unknown, or this CPU can't run it
 *   LC_ERR_ENV      see cpu.h
 */
LC_API LC_MUST_CHECK int lc_x25519_init(struct lc_x25519_key *key, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_x25519_init_impl(struct lc_x25519_key *key, const char *impl, const uint8_t *raw, size_t raw_len);

/* lc_x25519_impl_name: the name of the implementation that the key has; a constant string. */
LC_API const char *lc_x25519_impl_name(const struct lc_x25519_key *key);

/* lc_x25519_wipe: overwrite the key with zeros.  The compiler can't drop this. */
LC_API void lc_x25519_wipe(struct lc_x25519_key *key);

/* lc_x25519_get_public: compute the public key of a private one.  raw: 32 bytes, written. */
LC_API void lc_x25519_get_public(const struct lc_x25519_key *key, uint8_t raw[LC_X25519_LEN]);

/*
 * lc_x25519: compute the secret that is shared with the owner of a public key.
 * secret: 32 bytes, written if that returns LC_OK; it may be where peer is.  peer: 32 bytes, the other one's public key.
 * Returns:
 *   LC_OK
 *   LC_ERR_KEY  peer is a point of small order, with which the secret would be 0 for every private key (RFC 7748, 6.1)
 */
LC_API LC_MUST_CHECK int lc_x25519(const struct lc_x25519_key *key, uint8_t secret[LC_X25519_LEN],
                                   const uint8_t peer[LC_X25519_LEN]);

/* One of many. */
struct lc_x25519_public_item {
    const struct lc_x25519_key *key;
    uint8_t *raw; /* 32 bytes, written */
};

struct lc_x25519_item {
    const struct lc_x25519_key *key;
    uint8_t *secret;     /* 32 bytes, written if status is LC_OK */
    const uint8_t *peer; /* 32 bytes */
    int status;          /* written: what the function for one would return */
};

/*
 * lc_x25519_get_public_many, lc_x25519_many: many in one call, with different keys.  Each has a status of its own, where something
 * can fail, and doesn't suffer from errors of others.
 * items: num_items of them; may be NULL if num_items is 0.  Nothing that a call reads may lie in what it writes, for all items
 * together.
 * lc_x25519_many() returns LC_OK if every item's status is LC_OK; else the status of the first item that failed.  Check the status
 * of each item.
 */
LC_API void lc_x25519_get_public_many(const struct lc_x25519_public_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_x25519_many(struct lc_x25519_item *items, size_t num_items);

#ifdef __cplusplus
}
#endif
#endif
