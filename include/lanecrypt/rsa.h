/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RSA (RFC 8017): signatures, RSASSA-PKCS1-v1_5 and RSASSA-PSS, and encryption, RSAES-OAEP, with SHA-256, SHA-384 or SHA-512 and
 * keys of 2048, 3072 and 4096 bits; one operation or many at once.
 *
 * What is signed is a digest, by one of the hash functions of sha2.h.  PSS and OAEP mask with MGF1 and the same hash function.
 *
 * Numbers are big-endian bytes; leading zeros are allowed, and none are needed.
 *   keys        the modulus n has exactly 2048, 3072 or 4096 bits and is odd; the public exponent e is odd and has 2 to 256 bits;
 *               private keys have two primes, each of half as many bits as n, and the numbers for the Chinese remainder theorem
 *   DER         RSAPublicKey and RSAPrivateKey of PKCS #1 (RFC 8017, A.1), SubjectPublicKeyInfo (RFC 5280, 4.1) and
 *               PrivateKeyInfo of PKCS #8 (RFC 5208, 5; no attributes): DER only, and nothing after it
 *   signatures  as many bytes as n: lc_rsa_public_len(); so have ciphertexts
 *   messages    that are encrypted: up to lc_rsa_oaep_max_len() bytes; 190 with SHA-256 and 2048 bits
 *
 * A signature is checked with e before it leaves, and so is what was decrypted: a fault in one half of the calculation would show
 * a factor of n.
 *
 * Time, branches and addresses don't depend on private keys, nor on anything computed from them, nor on what is encrypted.  They
 * depend on n and e, on the lengths of the numbers that a key is made of (as given, or in its DER), on whether a key is refused,
 * and on the length of what is encrypted.  What is signed, signatures, ciphertexts and labels are public.  Whether a decryption
 * fails is public, but not why; nor is the length of what was decrypted.
 *
 * Many operations in a call take less time each than one alone, if several are under keys of the same length: see
 * docs/rsa.md.  With lanes, signing, encrypting and decrypting take 86 KB of stack, and verifying 56 KB.
 *
 * Overlap: nothing may be written to where something else of the call is: a digest, a salt, a label, a seed, a key, an item,
 * another signature, message or ciphertext.  But a ciphertext may take its message's place, and a message its ciphertext's.
 * Secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_RSA_H
#define LANECRYPT_RSA_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LC_RSA_MAX_LEN 512          /* bytes of the longest modulus, and of the longest signature */
#define LC_RSA_ANY_SALT_LEN SIZE_MAX /* verifying PSS: a salt of any length */

struct lc_rsa_impl;

/* The hash function of a digest, and the digest's length: 32, 48, 64 bytes */
enum lc_rsa_hash { LC_RSA_SHA256 = 1, LC_RSA_SHA384, LC_RSA_SHA512 };

/* A public key.  It has no secrets. */
struct lc_rsa_public_key {
    uint64_t n[64], rr[64], rr52[64];  /* private: n, and powers of 2 modulo n */
    uint64_t e[4];                     /* private */
    uint64_t neg_inverse;              /* private: -1/n mod 2^64 */
    uint32_t words, e_bits;            /* private: of n, of e */
    const struct lc_rsa_impl *impl;    /* private: a static row */
};

/* private: a prime p or q, with which it is raised to d mod p - 1 */
struct lc_rsa_prime {
    uint64_t m[32], rr[32], rr52[32], exponent[32], neg_inverse;
};

/* A private key.  Wipe it after use. */
struct lc_rsa_key {
    struct lc_rsa_public_key public_key; /* private: see lc_rsa_get_public() */
    struct lc_rsa_prime prime[2];        /* private: p and q */
    uint64_t q_inverse[32];              /* private: 1/q modulo p */
};

/* The numbers of a private key: n, e; p, q; d mod p - 1, d mod q - 1, 1/q mod p.  Each of <name>_len bytes. */
struct lc_rsa_numbers {
    const uint8_t *n, *e, *p, *q, *dp, *dq, *q_inverse;
    size_t n_len, e_len, p_len, q_len, dp_len, dq_len, q_inverse_len;
};

/*
 * lc_rsa_public_init: make a public key from n and e.
 * lc_rsa_public_init_der: the same from RSAPublicKey or SubjectPublicKeyInfo.
 * lc_rsa_init: make a private key from its numbers.
 * lc_rsa_init_der: the same from RSAPrivateKey or PrivateKeyInfo.  d itself isn't used, and not looked at.
 * lc_rsa_..._impl: the same with an implementation chosen by name.
 *
 * key: written.  der: der_len bytes.  impl: the name, or NULL for the best one.
 * That the numbers of a private key belong together is checked: p q = n, e dp = 1 (mod p - 1), e dq = 1 (mod q - 1),
 * q q_inverse = 1 (mod p).  That p and q are prime isn't checked; if they aren't, signing and decrypting give LC_ERR_FAULT
 * where the result would be wrong.
 * Return:
 *   LC_OK
 *   LC_ERR_KEY_LEN  n has another length than 2048, 3072 or 4096 bits
 *   LC_ERR_KEY      n or e is even, e is 1 or has more than 256 bits, or the numbers don't belong together; or it isn't such DER,
 *                   or is of another kind of key: other algorithms, more than two primes
 *   LC_ERR_IMPL     _impl only: the name is unknown, or this CPU can't run it
 *   LC_ERR_ENV      see cpu.h
 */
LC_API LC_MUST_CHECK int lc_rsa_public_init(struct lc_rsa_public_key *key, const uint8_t *n, size_t n_len, const uint8_t *e,
                                            size_t e_len);
LC_API LC_MUST_CHECK int lc_rsa_public_init_impl(struct lc_rsa_public_key *key, const char *impl, const uint8_t *n, size_t n_len,
                                                 const uint8_t *e, size_t e_len);
LC_API LC_MUST_CHECK int lc_rsa_public_init_der(struct lc_rsa_public_key *key, const uint8_t *der, size_t der_len);
LC_API LC_MUST_CHECK int lc_rsa_public_init_der_impl(struct lc_rsa_public_key *key, const char *impl, const uint8_t *der,
                                                     size_t der_len);
LC_API LC_MUST_CHECK int lc_rsa_init(struct lc_rsa_key *key, const struct lc_rsa_numbers *numbers);
LC_API LC_MUST_CHECK int lc_rsa_init_impl(struct lc_rsa_key *key, const char *impl, const struct lc_rsa_numbers *numbers);
LC_API LC_MUST_CHECK int lc_rsa_init_der(struct lc_rsa_key *key, const uint8_t *der, size_t der_len);
LC_API LC_MUST_CHECK int lc_rsa_init_der_impl(struct lc_rsa_key *key, const char *impl, const uint8_t *der, size_t der_len);

/* lc_rsa_impl_name, lc_rsa_public_impl_name: the name of the implementation that the key has; a constant string. */
LC_API const char *lc_rsa_impl_name(const struct lc_rsa_key *key);
LC_API const char *lc_rsa_public_impl_name(const struct lc_rsa_public_key *key);

/* lc_rsa_wipe: overwrite the private key with zeros.  The compiler can't drop this. */
LC_API void lc_rsa_wipe(struct lc_rsa_key *key);

/* lc_rsa_get_public: the public key of a private one, with the same implementation.  public_key: written. */
LC_API void lc_rsa_get_public(const struct lc_rsa_key *key, struct lc_rsa_public_key *public_key);

/* lc_rsa_len, lc_rsa_public_len: bytes of a signature: 256, 384 or 512. */
LC_API size_t lc_rsa_len(const struct lc_rsa_key *key);
LC_API size_t lc_rsa_public_len(const struct lc_rsa_public_key *key);

/*
 * lc_rsa_pkcs1_sign: RSASSA-PKCS1-v1_5 of a digest.  It is deterministic.
 * lc_rsa_pss_sign: RSASSA-PSS of a digest, with a salt from the system that is as long as the digest.
 * lc_rsa_pss_sign_with: the same with the caller's salt.
 *
 * sig: lc_rsa_len() bytes, written.  digest: as many bytes as the hash function gives.
 * salt: salt_len bytes; may be NULL if there are none.
 * Return:
 *   LC_OK
 *   LC_ERR_LEN     the hash function isn't one of lc_rsa_hash, or the salt is too long: more than lc_rsa_len() - digest - 2
 *   LC_ERR_RANDOM  lc_rsa_pss_sign() only: the system gives no random bytes (getrandom())
 *   LC_ERR_FAULT   the signature was wrong, and isn't given out
 *   LC_ERR_KEY     the key is all zeros: it was wiped, or no init wrote it
 *   LC_ERR_ENV     see cpu.h
 */
LC_API LC_MUST_CHECK int lc_rsa_pkcs1_sign(const struct lc_rsa_key *key, uint8_t *sig, enum lc_rsa_hash hash,
                                           const uint8_t *digest);
LC_API LC_MUST_CHECK int lc_rsa_pss_sign(const struct lc_rsa_key *key, uint8_t *sig, enum lc_rsa_hash hash, const uint8_t *digest);
LC_API LC_MUST_CHECK int lc_rsa_pss_sign_with(const struct lc_rsa_key *key, uint8_t *sig, enum lc_rsa_hash hash,
                                              const uint8_t *digest, const uint8_t *salt, size_t salt_len);

/*
 * lc_rsa_pkcs1_verify, lc_rsa_pss_verify: is it a signature of this digest under this key?
 * sig: sig_len bytes.  digest: as many bytes as the hash function gives.  salt_len: the salt's length, or LC_RSA_ANY_SALT_LEN.
 * The whole encoding is compared: PKCS #1's with its NULL, all bytes of its padding, and nothing after the digest.
 * Return:
 *   LC_OK             it is
 *   LC_ERR_SIGNATURE  it isn't, or has another length than n, or isn't below n
 *   LC_ERR_LEN        the hash function isn't one of lc_rsa_hash
 *   LC_ERR_KEY        the key is all zeros: no init wrote it
 *   LC_ERR_ENV        see cpu.h
 */
LC_API LC_MUST_CHECK int lc_rsa_pkcs1_verify(const struct lc_rsa_public_key *key, const uint8_t *sig, size_t sig_len,
                                             enum lc_rsa_hash hash, const uint8_t *digest);
LC_API LC_MUST_CHECK int lc_rsa_pss_verify(const struct lc_rsa_public_key *key, const uint8_t *sig, size_t sig_len,
                                           enum lc_rsa_hash hash, const uint8_t *digest, size_t salt_len);

/* One of many. */
struct lc_rsa_sign_item {
    const struct lc_rsa_key *key;
    uint8_t *sig; /* lc_rsa_len() bytes, written if status is LC_OK */
    enum lc_rsa_hash hash;
    const uint8_t *digest;
    const uint8_t *salt; /* salt_len bytes; only lc_rsa_pss_sign_many_with() takes these two */
    size_t salt_len;
    int status;          /* written: what the function for one would return */
};

struct lc_rsa_verify_item {
    const struct lc_rsa_public_key *key;
    const uint8_t *sig; /* sig_len bytes */
    size_t sig_len;
    enum lc_rsa_hash hash;
    const uint8_t *digest;
    size_t salt_len;    /* PSS: the salt's length, or LC_RSA_ANY_SALT_LEN; PKCS #1 doesn't look at it */
    int status;         /* written: what the function for one would return */
};

/*
 * lc_rsa_pkcs1_sign_many, lc_rsa_pss_sign_many, lc_rsa_pss_sign_many_with, lc_rsa_pkcs1_verify_many, lc_rsa_pss_verify_many: many
 * in one call, under different keys, of any mix of lengths.  Each gets a status of its own and doesn't suffer from errors of
 * others.
 * items: num_items of them; may be NULL if num_items is 0.
 * Return LC_OK if every item's status is LC_OK; else the status of the first item that failed.  Check the status of each item.
 */
LC_API LC_MUST_CHECK int lc_rsa_pkcs1_sign_many(struct lc_rsa_sign_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_rsa_pss_sign_many(struct lc_rsa_sign_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_rsa_pss_sign_many_with(struct lc_rsa_sign_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_rsa_pkcs1_verify_many(struct lc_rsa_verify_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_rsa_pss_verify_many(struct lc_rsa_verify_item *items, size_t num_items);

/* ---- Encryption: RSAES-OAEP ---- */

/*
 * lc_rsa_oaep_max_len: bytes of the longest message for a key of key_len bytes, which lc_rsa_len() and lc_rsa_public_len() tell; 0
 * if the hash function isn't one of lc_rsa_hash.  That's key_len - 2 - twice the length of a digest.
 */
LC_API size_t lc_rsa_oaep_max_len(size_t key_len, enum lc_rsa_hash hash);

/*
 * lc_rsa_oaep_encrypt: encrypt a message, with a seed from the system.
 * lc_rsa_oaep_encrypt_with: the same with the caller's seed, which has to be random, secret and used once: for tests.
 *
 * ct: lc_rsa_public_len() bytes, written.  msg: msg_len bytes; may be NULL if there are none.
 * label: label_len bytes, any number of them, which whoever decrypts has to give again; may be NULL if there are none.
 * seed: as many bytes as the hash function gives.
 * Return:
 *   LC_OK
 *   LC_ERR_LEN     the hash function isn't one of lc_rsa_hash, or the message is longer than lc_rsa_oaep_max_len()
 *   LC_ERR_RANDOM  lc_rsa_oaep_encrypt() only: the system gives no random bytes (getrandom())
 *   LC_ERR_KEY     the key is all zeros: no init wrote it
 *   LC_ERR_ENV     see cpu.h
 */
LC_API LC_MUST_CHECK int lc_rsa_oaep_encrypt(const struct lc_rsa_public_key *key, uint8_t *ct, enum lc_rsa_hash hash,
                                             const uint8_t *msg, size_t msg_len, const uint8_t *label, size_t label_len);
LC_API LC_MUST_CHECK int lc_rsa_oaep_encrypt_with(const struct lc_rsa_public_key *key, uint8_t *ct, enum lc_rsa_hash hash,
                                                  const uint8_t *msg, size_t msg_len, const uint8_t *label, size_t label_len,
                                                  const uint8_t *seed);

/*
 * lc_rsa_oaep_decrypt: decrypt a message.
 *
 * msg: lc_rsa_oaep_max_len() bytes, whatever the message's length.  All of them are written: the message, and zeros behind it.
 * msg_len: the message's length, written.  ct: ct_len bytes.  label: as above.
 * Whatever is wrong with a ciphertext, it's one status, and nothing is written.  It takes one time, too; less if it has another
 * length than n or isn't below n, which everybody sees.  So whoever sends ciphertexts learns of each whether it was a right one.
 * Don't tell him, where he can send many.
 * Return:
 *   LC_OK
 *   LC_ERR_CIPHERTEXT  it's none for this key, hash function and label, or has another length than n, or isn't below n
 *   LC_ERR_LEN         the hash function isn't one of lc_rsa_hash
 *   LC_ERR_FAULT       the calculation was wrong, and nothing of it is given out
 *   LC_ERR_KEY         the key is all zeros: it was wiped, or no init wrote it
 *   LC_ERR_ENV         see cpu.h
 */
LC_API LC_MUST_CHECK int lc_rsa_oaep_decrypt(const struct lc_rsa_key *key, uint8_t *msg, size_t *msg_len, enum lc_rsa_hash hash,
                                             const uint8_t *ct, size_t ct_len, const uint8_t *label, size_t label_len);

struct lc_rsa_encrypt_item {
    const struct lc_rsa_public_key *key;
    uint8_t *ct;        /* lc_rsa_public_len() bytes, written if status is LC_OK */
    enum lc_rsa_hash hash;
    const uint8_t *msg; /* msg_len bytes */
    size_t msg_len;
    const uint8_t *label; /* label_len bytes */
    size_t label_len;
    const uint8_t *seed; /* only lc_rsa_oaep_encrypt_many_with() takes it */
    int status;          /* written: what the function for one would return */
};

struct lc_rsa_decrypt_item {
    const struct lc_rsa_key *key;
    uint8_t *msg;      /* lc_rsa_oaep_max_len() bytes, written if status is LC_OK */
    size_t msg_len;    /* written if status is LC_OK */
    enum lc_rsa_hash hash;
    const uint8_t *ct; /* ct_len bytes */
    size_t ct_len;
    const uint8_t *label; /* label_len bytes */
    size_t label_len;
    int status;        /* written: what the function for one would return */
};

/*
 * lc_rsa_oaep_encrypt_many, lc_rsa_oaep_encrypt_many_with, lc_rsa_oaep_decrypt_many: many in one call, as with signatures.
 * items: num_items of them; may be NULL if num_items is 0.
 * Return LC_OK if every item's status is LC_OK; else the status of the first item that failed.  Check the status of each item.
 */
LC_API LC_MUST_CHECK int lc_rsa_oaep_encrypt_many(struct lc_rsa_encrypt_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_rsa_oaep_encrypt_many_with(struct lc_rsa_encrypt_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_rsa_oaep_decrypt_many(struct lc_rsa_decrypt_item *items, size_t num_items);

#ifdef __cplusplus
}
#endif
#endif
