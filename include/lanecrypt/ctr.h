/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-CTR (NIST SP 800-38A, section 6.5): a key stream of encrypted counters, xored with the data.
 *
 * Encryption and decryption are the same.  Block i of a message is encrypted under the counter iv + i, a number of 16 bytes,
 * big-endian, modulo 2^128.  Messages under one key must not have counters in common: two ciphertexts under the same counters
 * reveal the xor of their plaintexts.  CTR does NOT detect changes: an attacker who can write the ciphertext can flip any bit of
 * the plaintext.  Use it with a MAC, or use an AEAD.
 *
 * Lengths in bytes:
 *   key   16 (AES-128), 24 (AES-192) or 32 (AES-256)
 *   iv    16, the counter of the first block
 *   data  any length
 *
 * Overlap, secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_CTR_H
#define LANECRYPT_CTR_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lc_ctr_impl;

/*
 * A key, expanded for one implementation.  The members are private; only size and alignment are part of the interface.
 * It holds secrets: wipe it with lc_ctr_wipe().  It may be copied by memcpy, and threads may share it.
 */
struct lc_ctr_key {
    LC_ALIGNED(16) uint8_t enc[15][16]; /* private: round keys; that of round 1 is in [1], too */
    uint32_t rounds;                    /* private: 10, 12 or 14 */
    int32_t distance;                   /* private: 16 * (2 - rounds) */
    const struct lc_ctr_impl *impl;     /* private: a static row */
};

/*
 * lc_ctr_init: expand a key for the best implementation on this CPU.
 * key: written.  raw: raw_len bytes.  raw_len: 16, 24 or 32.
 * Returns:
 *   LC_OK
 *   LC_ERR_KEY_LEN  raw_len is another length
 *   LC_ERR_ENV      see cpu.h
 * After an error *key is untouched.
 */
LC_API LC_MUST_CHECK int lc_ctr_init(struct lc_ctr_key *key, const uint8_t *raw, size_t raw_len);

/*
 * lc_ctr_init_impl: lc_ctr_init() with an implementation chosen by name.
 * impl: the name, or NULL for the best one.  The others: as lc_ctr_init().
 * Returns as lc_ctr_init(); also LC_ERR_IMPL if the name is unknown or this CPU can't run it.
 */
LC_API LC_MUST_CHECK int lc_ctr_init_impl(struct lc_ctr_key *key, const char *impl, const uint8_t *raw, size_t raw_len);

/* lc_ctr_impl_name: the name of the implementation that the key was expanded for, a constant string. */
LC_API const char *lc_ctr_impl_name(const struct lc_ctr_key *key);

/* lc_ctr_wipe: overwrite the key with zeros.  The compiler can't drop this. */
LC_API void lc_ctr_wipe(struct lc_ctr_key *key);

/*
 * lc_ctr_xor: encrypt or decrypt a whole message.
 * dst, src: len bytes each, any len; may be NULL if len is 0.  iv: 16 bytes, the counter of the first block.
 */
LC_API void lc_ctr_xor(const struct lc_ctr_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t iv[16]);

/*
 * A message over several calls, which may be cut anywhere: lc_ctr_start() once, then lc_ctr_update() for each piece in order,
 * always with the same key, then lc_ctr_state_wipe().
 *
 * iv: 16 bytes, the counter of the first block.
 * dst, src: len bytes each, any len; may be NULL if len is 0.
 * Secrets: the state holds key stream, also of messages before, until it is wiped.
 */
struct lc_ctr_state {
    uint8_t counter[16];    /* private: of the next block */
    uint8_t keystream[256]; /* private: of the blocks before it */
    uint32_t left;          /* private: its last bytes that weren't needed yet */
    uint64_t len;           /* private: bytes of text so far */
};
LC_API void lc_ctr_start(struct lc_ctr_state *s, const uint8_t iv[16]);
LC_API void lc_ctr_update(const struct lc_ctr_key *key, struct lc_ctr_state *s, uint8_t *dst, const uint8_t *src, size_t len);
LC_API void lc_ctr_state_wipe(struct lc_ctr_state *s);

#ifdef __cplusplus
}
#endif
#endif
