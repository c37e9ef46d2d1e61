/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ed25519 (RFC 8032, section 5.1; FIPS 186-5, section 7): signatures of messages, one or many in a call.
 *
 * Many in one call take a fraction of the time each where the CPU has the vectors for it, with different keys too; see
 * docs/publickey.md.
 *
 * Lengths in bytes:
 *   private key  32, any: what the standards call the private key, and others a seed
 *   public key   32
 *   message      any
 *   signature    64
 *
 * Signing takes the same time whatever the private key is.  Public keys, signatures and messages that are verified are public: the
 * time of verifying depends on them.
 *
 * What is accepted.  A signature R || S of a message M is right under the public key A if
 *
 *   - S is below L, the order of the generator B (RFC 8032, 5.1.7, step 1),
 *   - the encoding of S B - k A is R, byte by byte, where k = SHA-512(R || A || M).
 *
 * That is the equation without the cofactor, which both standards allow, and which most libraries check; a signature made as they
 * say is right either way.  R is never decoded, so no encoding of it but the right one is accepted.  A was decoded as the standards
 * have it: y must be below p, and x = 0 has no other sign.  A of small order is accepted, as by the standards: whoever has
 * published such a key has signatures that are right for many messages, so don't take keys for the identity of one who could want
 * that.
 *
 * There is no Ed25519ctx and no Ed25519ph.
 *
 * Secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_ED25519_H
#define LANECRYPT_ED25519_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LC_ED25519_KEY_LEN 32 /* bytes of a private key, and of a public key */
#define LC_ED25519_SIG_LEN 64

struct lc_25519_impl;

/* A private key.  Once made it is only read, so any number of threads may sign with it.  Wipe it. */
struct lc_ed25519_key {
    uint64_t a[4];                          /* private: the number, modulo L, in Montgomery's form */
    uint8_t prefix[32];                     /* private: what nonces are made of */
    uint8_t public_key[LC_ED25519_KEY_LEN]; /* private */
    const struct lc_25519_impl *impl;       /* private: a static row */
};

/* A public key, which was checked to be a point of the curve.  It has no secrets. */
struct lc_ed25519_public_key {
    uint64_t point[8];                /* private */
    uint8_t raw[LC_ED25519_KEY_LEN];  /* private */
    const struct lc_25519_impl *impl; /* private: a static row */
};

/*
 * lc_ed25519_init, lc_ed25519_public_init: make a private or a public key from its bytes.
 * lc_ed25519_init_impl, lc_ed25519_public_init_impl: the same with an implementation chosen by name.
 * A private key computes its public one.  There is no way to give both: whoever could have a wrong public key signed with would
 * learn the private one.
 * key: written.  raw: raw_len bytes.  impl: the name, or NULL for the best one.
 * Returns:
 *   LC_OK
 *   LC_ERR_KEY_LEN  raw_len isn't 32
 *   LC_ERR_KEY      a public key's y is p or more, or there is no point of that y, or x is 0 and its sign 1
 *   LC_ERR_IMPL     _impl only: the name is unknown, or this CPU can't run it
 *   LC_ERR_ENV      see cpu.h
 */
LC_API LC_MUST_CHECK int lc_ed25519_init(struct lc_ed25519_key *key, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_ed25519_init_impl(struct lc_ed25519_key *key, const char *impl, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_ed25519_public_init(struct lc_ed25519_public_key *key, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_ed25519_public_init_impl(struct lc_ed25519_public_key *key, const char *impl, const uint8_t *raw,
                                                     size_t raw_len);

/* lc_ed25519_impl_name, lc_ed25519_public_impl_name: the name of the implementation that the key has; a constant string. */
LC_API const char *lc_ed25519_impl_name(const struct lc_ed25519_key *key);
LC_API const char *lc_ed25519_public_impl_name(const struct lc_ed25519_public_key *key);

/* lc_ed25519_wipe: overwrite the private key with zeros.  The compiler can't drop this. */
LC_API void lc_ed25519_wipe(struct lc_ed25519_key *key);

/* lc_ed25519_get_public: the public key of a private one.  raw: 32 bytes, written. */
LC_API void lc_ed25519_get_public(const struct lc_ed25519_key *key, uint8_t raw[LC_ED25519_KEY_LEN]);

/*
 * lc_ed25519_sign: sign a message.  The signature is that of the standards: the same each time.
 *
 * The algorithm reads the message twice, and whoever gets signatures with the same nonce of two messages can compute the private
 * key from them.  So if the message changes in the meantime, because other threads or processes write to it, no signature comes
 * out: what is read the second time is compared by its hash, or the message is copied where it is short.
 *
 * A fault in a calculation that is repeated with the same message may show the private key; the standards' nonces have no
 * randomness that would help.  Where that is to be feared, verify each signature before it is given away.
 *
 * sig: 64 bytes, written.  msg: len bytes; may be NULL if len is 0.
 * Returns:
 *   LC_OK
 *   LC_ERR_CHANGED  the message has changed while it was being signed
 *   LC_ERR_ENV      see cpu.h
 */
LC_API LC_MUST_CHECK int lc_ed25519_sign(const struct lc_ed25519_key *key, uint8_t sig[LC_ED25519_SIG_LEN], const uint8_t *msg,
                                         size_t len);

/*
 * lc_ed25519_verify: is it a signature of this message under this key?  See above what is accepted.
 * sig: 64 bytes.  msg: len bytes; may be NULL if len is 0.
 * Returns:
 *   LC_OK             it is
 *   LC_ERR_SIGNATURE  it isn't
 *   LC_ERR_ENV        see cpu.h
 */
LC_API LC_MUST_CHECK int lc_ed25519_verify(const struct lc_ed25519_public_key *key, const uint8_t sig[LC_ED25519_SIG_LEN],
                                           const uint8_t *msg, size_t len);

/* One of many. */
struct lc_ed25519_sign_item {
    const struct lc_ed25519_key *key;
    uint8_t *sig;       /* 64 bytes, written if status is LC_OK */
    const uint8_t *msg; /* len bytes; may be NULL if len is 0 */
    size_t len;
    int status;         /* written: what the function for one would return */
};

struct lc_ed25519_verify_item {
    const struct lc_ed25519_public_key *key;
    const uint8_t *sig; /* 64 bytes */
    const uint8_t *msg; /* len bytes; may be NULL if len is 0 */
    size_t len;
    int status;         /* written: what the function for one would return */
};

/*
 * lc_ed25519_sign_many, lc_ed25519_verify_many: many in one call, under different keys, with messages of any lengths.  Each gets a
 * status of its own and doesn't suffer from errors of others.
 * items: num_items of them; may be NULL if num_items is 0.  Nothing that signing reads may lie in what it writes, for all items
 * together.
 * Returns LC_OK if every item's status is LC_OK; else the status of the first item that failed.  Check the status of each item.
 */
LC_API LC_MUST_CHECK int lc_ed25519_sign_many(struct lc_ed25519_sign_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_ed25519_verify_many(struct lc_ed25519_verify_item *items, size_t num_items);

/*
 * lc_ed25519_verify_batch: are all of them right?  One answer for all.  For 64, that takes 0.8 of the time of
 * lc_ed25519_verify_many() in lanes, 0.6 with BMI2, 0.45 by portable code; for fewer than about 20 in lanes, and 4 elsewhere, it
 * takes longer.
 *
 * It accepts more than the other functions: its equation is that with the cofactor, 8 S B = 8 R + 8 k A.  Whoever has a private
 * key can make signatures that are right here and wrong there; nobody else can, unless A has small order: then everybody can.  RFC
 * 8032 and FIPS 186-5 have this equation and allow both.  So take it where everybody who verifies these signatures does it in this
 * way, or where nothing depends on it that all agree.  R has to be the encoding of a point; S and A are as above.
 *
 * If the answer is that one is wrong, lc_ed25519_verify_many() says which.  It may find none: then there are such signatures.
 *
 * The signatures are added up, each of them times a random number of 128 bits.  If one is wrong, the sum is right with a
 * probability of 2^-128.  The numbers are made from the seed and a hash of everything.
 *
 * lc_ed25519_verify_batch_len: how many bytes of memory are of use for that many, up to about 210,000 for 64 or more, if the first
 * item's key has the implementation of this key.
 *
 * items: num_items of them; their status isn't touched.
 * seed: 32 random bytes, or NULL: then they are from getrandom().
 * workspace: workspace_len bytes, of any alignment.  One that is smaller is used as far as it goes, with more time for each.
 * Returns:
 *   LC_OK             all are right
 *   LC_ERR_SIGNATURE  at least one is wrong
 *   LC_ERR_LEN        the workspace is smaller than lc_ed25519_verify_batch_len() of 1
 *   LC_ERR_RANDOM     the system gives no random bytes
 *   LC_ERR_ENV        see cpu.h
 */
LC_API size_t lc_ed25519_verify_batch_len(const struct lc_ed25519_public_key *key, size_t num_items);
LC_API LC_MUST_CHECK int lc_ed25519_verify_batch(const struct lc_ed25519_verify_item *items, size_t num_items,
                                                 const uint8_t seed[32], void *workspace, size_t workspace_len);

#ifdef __cplusplus
}
#endif
#endif
