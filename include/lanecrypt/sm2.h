/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SM2 signatures (GB/T 32918.2-2016, GM/T 0003.2-2012, ISO/IEC 14888-3:2018) on the curve of GB/T 32918.5: one or many in a call.
 *
 * What is signed is a message together with who signs it: first the signer's identity and public key are hashed to z, once for a
 * key, then z and the message to the digest.  lc_sm2_sign_message() and lc_sm2_verify_message() take z and a message; all others
 * take the digest.
 *
 * Many in one call take a fraction of the time each where the CPU has the vectors for it, with different keys too; see
 * docs/publickey.md.
 *
 * Lengths in bytes:
 *   private key  32, big-endian, 1 .. n - 2
 *   public key   65, 4 || x || y; or 33, 2 or 3 || x (SEC 1, 2.3.3)
 *   identity     0 .. LC_SM2_MAX_ID_LEN; who has agreed on nothing else takes LC_SM2_DEFAULT_ID (GM/T 0009), and TLS 1.3 has
 *                "TLSv1.3+GM+Cipher+Suite" (RFC 8998)
 *   z, digest    32
 *   signature    64, r || s, both big-endian; or DER, by lc_sm2_to_der() and lc_sm2_from_der()
 *
 * Signing takes the same time whatever the private key, the digest and the nonce.  Identities, public keys, signatures and digests
 * that are verified are public: the time of verifying depends on them.
 *
 * Secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_SM2_H
#define LANECRYPT_SM2_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LC_SM2_LEN 32 /* of z and of digests */
#define LC_SM2_DEFAULT_ID "1234567812345678"
#define LC_SM2_MAX_ID_LEN 8191 /* its bits are counted in 16 bits */
#define LC_SM2_MAX_EXTRA_LEN 64
#define LC_SM2_MAX_DER_LEN 72

struct lc_ec_impl;

/* A private key.  Once made it is only read, so any number of threads may sign with it.  Wipe it. */
struct lc_sm2_key {
    uint64_t d[8];                  /* private: the key; 1 / (1 + key) in Montgomery's form */
    const struct lc_ec_impl *impl; /* private: a static row */
};

/* A public key, which was checked to be on the curve.  It has no secrets. */
struct lc_sm2_public_key {
    uint64_t point[8];              /* private */
    const struct lc_ec_impl *impl; /* private: a static row */
};

/*
 * lc_sm2_init, lc_sm2_public_init: make a private or a public key from its bytes.
 * lc_sm2_init_impl, lc_sm2_public_init_impl: the same with an implementation chosen by name.
 * key: written.  raw: raw_len bytes, see above.  impl: the name, or NULL for the best one.
 * Returns:
 *   LC_OK
 *   LC_ERR_KEY_LEN  a private key isn't of 32 bytes, a public key not of 65 or 33
 *   LC_ERR_KEY      a private key isn't within 1 .. n - 2 (with n - 1 there are no signatures: 1 + key has no inverse); a public
 *                   key's first byte is none of those above, a coordinate is p or more, or it isn't a point of the curve
 *   LC_ERR_IMPL     _impl only: the name is unknown, or this CPU can't run it
 *   LC_ERR_ENV      see cpu.h
 * After an error *key is untouched.
 */
LC_API LC_MUST_CHECK int lc_sm2_init(struct lc_sm2_key *key, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_sm2_init_impl(struct lc_sm2_key *key, const char *impl, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_sm2_public_init(struct lc_sm2_public_key *key, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_sm2_public_init_impl(struct lc_sm2_public_key *key, const char *impl, const uint8_t *raw,
                                                 size_t raw_len);

/* lc_sm2_impl_name, lc_sm2_public_impl_name: the name of the implementation that the key has; a constant string. */
LC_API const char *lc_sm2_impl_name(const struct lc_sm2_key *key);
LC_API const char *lc_sm2_public_impl_name(const struct lc_sm2_public_key *key);

/* lc_sm2_wipe: overwrite the private key with zeros.  The compiler can't drop this. */
LC_API void lc_sm2_wipe(struct lc_sm2_key *key);

/* lc_sm2_get_public: compute the public key of a private one.  raw: 65 bytes, written: 4 || x || y. */
LC_API void lc_sm2_get_public(const struct lc_sm2_key *key, uint8_t raw[65]);

/*
 * lc_sm2_z: the hash of an identity and a public key, Z in the standard (GB/T 32918.2, 5.5): SM3 of the identity's length in bits,
 * in two bytes, the identity, the curve's a, b and generator, and the public key's x and y.
 * z: 32 bytes, written.  raw: the public key, raw_len bytes.  id: id_len bytes, may be NULL if id_len is 0.
 * Returns:
 *   LC_OK
 *   LC_ERR_KEY_LEN, LC_ERR_KEY  as lc_sm2_public_init()
 *   LC_ERR_LEN                  id_len is more than LC_SM2_MAX_ID_LEN
 *   LC_ERR_ENV                  see cpu.h
 */
LC_API LC_MUST_CHECK int lc_sm2_z(uint8_t z[LC_SM2_LEN], const uint8_t *raw, size_t raw_len, const uint8_t *id, size_t id_len);

/*
 * lc_sm2_digest: what is signed of a message: SM3(z || message).  (Of many messages lc_sm3_many() computes it in less time.)
 * digest: 32 bytes, written.  msg: msg_len bytes, any msg_len; may be NULL if that is 0.
 * Returns LC_OK; LC_ERR_ENV, see cpu.h.
 */
LC_API LC_MUST_CHECK int lc_sm2_digest(uint8_t digest[LC_SM2_LEN], const uint8_t z[LC_SM2_LEN], const uint8_t *msg, size_t msg_len);

/*
 * lc_sm2_sign: sign a digest.  The nonce is made as in RFC 6979, by HMAC-SM3 from the private key, the digest modulo n, and 32
 * fresh bytes from the system as additional data (section 3.6): it doesn't depend on good randomness, and a fault in a calculation
 * that is repeated doesn't show the key.
 * lc_sm2_sign_with: the same with the caller's additional data.  With none (extra_len 0) signatures are deterministic.
 * lc_sm2_sign_message: lc_sm2_sign() of a message, under the z of the key's public one.
 *
 * sig: 64 bytes, written; it may be where the digest, the additional data, z or the message is.
 * digest, z: 32 bytes.  msg: msg_len bytes, any msg_len; may be NULL if that is 0.
 * extra: extra_len bytes, at most LC_SM2_MAX_EXTRA_LEN; NULL if there are none.
 * Returns:
 *   LC_OK
 *   LC_ERR_LEN     extra_len is out of range
 *   LC_ERR_RANDOM  not lc_sm2_sign_with(): the system gives no random bytes (getrandom())
 *   LC_ERR_ENV     see cpu.h
 */
LC_API LC_MUST_CHECK int lc_sm2_sign(const struct lc_sm2_key *key, uint8_t sig[64], const uint8_t digest[LC_SM2_LEN]);
LC_API LC_MUST_CHECK int lc_sm2_sign_with(const struct lc_sm2_key *key, uint8_t sig[64], const uint8_t digest[LC_SM2_LEN],
                                          const uint8_t *extra, size_t extra_len);
LC_API LC_MUST_CHECK int lc_sm2_sign_message(const struct lc_sm2_key *key, uint8_t sig[64], const uint8_t z[LC_SM2_LEN],
                                             const uint8_t *msg, size_t msg_len);

/*
 * lc_sm2_verify: is it a signature of this digest under this key?
 * lc_sm2_verify_message: the same for a message, with the z of the signer's identity and of this key.
 * sig: 64 bytes.  digest, z: 32 bytes.  msg: msg_len bytes, any msg_len; may be NULL if that is 0.
 * Returns:
 *   LC_OK             it is
 *   LC_ERR_SIGNATURE  it isn't, or r or s isn't within 1 .. n - 1, or r + s is n
 *   LC_ERR_ENV        lc_sm2_verify_message() only: see cpu.h
 */
LC_API LC_MUST_CHECK int lc_sm2_verify(const struct lc_sm2_public_key *key, const uint8_t sig[64],
                                       const uint8_t digest[LC_SM2_LEN]);
LC_API LC_MUST_CHECK int lc_sm2_verify_message(const struct lc_sm2_public_key *key, const uint8_t sig[64],
                                               const uint8_t z[LC_SM2_LEN], const uint8_t *msg, size_t msg_len);

/* One of many. */
struct lc_sm2_sign_item {
    const struct lc_sm2_key *key;
    uint8_t *sig;          /* 64 bytes, written if status is LC_OK */
    const uint8_t *digest; /* 32 bytes */
    const uint8_t *extra;  /* extra_len bytes; only lc_sm2_sign_many_with() takes these two */
    size_t extra_len;
    int status;            /* written: what the function for one would return */
};

struct lc_sm2_verify_item {
    const struct lc_sm2_public_key *key;
    const uint8_t *sig;    /* 64 bytes */
    const uint8_t *digest; /* 32 bytes */
    int status;            /* written: what the function for one would return */
};

/*
 * lc_sm2_sign_many, lc_sm2_sign_many_with, lc_sm2_verify_many: many in one call, under different keys.  Each gets a status of its
 * own and doesn't suffer from errors of others.
 * items: num_items of them; may be NULL if num_items is 0.  No signature may be written to where something of another item is.
 * Returns LC_OK if every item's status is LC_OK; else the status of the first item that failed.  Check the status of each item.
 */
LC_API LC_MUST_CHECK int lc_sm2_sign_many(struct lc_sm2_sign_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_sm2_sign_many_with(struct lc_sm2_sign_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_sm2_verify_many(struct lc_sm2_verify_item *items, size_t num_items);

/*
 * lc_sm2_to_der: a signature as DER, SEQUENCE of two INTEGERs (GM/T 0009).
 * der: LC_SM2_MAX_DER_LEN bytes of room, written.  sig: 64 bytes, none of them in der.
 * Returns the length, 8 .. 72.
 *
 * lc_sm2_from_der: the other way.  Only DER is taken, and nothing after it: the shortest lengths, the shortest INTEGERs, none of
 * them negative.
 * sig: 64 bytes, written; it may be where der is.  der: der_len bytes.
 * Returns LC_OK; LC_ERR_SIGNATURE if it isn't DER, or a number has more than 256 bits, and then sig is untouched.
 */
LC_API size_t lc_sm2_to_der(uint8_t der[LC_SM2_MAX_DER_LEN], const uint8_t sig[64]);
LC_API LC_MUST_CHECK int lc_sm2_from_der(uint8_t sig[64], const uint8_t *der, size_t der_len);

#ifdef __cplusplus
}
#endif
#endif
