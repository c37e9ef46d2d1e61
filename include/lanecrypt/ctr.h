/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-CTR (NIST SP 800-38A, section 6.5): a key stream of encrypted counters, xored with the data.
 *
 * The counter is the whole 16-byte block, big-endian, modulo 2^128; block i of a message is encrypted under iv + i.  Encryption and
 * decryption are the same.  Any two messages under one key need counters that don't overlap: two ciphertexts under the same ones
 * give the xor of their plaintexts away.  CTR does NOT detect changes; whoever can write the ciphertext can flip any
 * bit of the plaintext.  Use it under a MAC, or use an AEAD.
 */
#ifndef LANECRYPT_CTR_H
#define LANECRYPT_CTR_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lc_ctr_impl;

/*
 * A key, expanded for one implementation.  Private: only the size and the alignment are part of the interface.  It holds the
 * secret; lc_ctr_wipe() it when done.  May be copied by memcpy and shared by threads.
 */
struct lc_ctr_key {
#ifdef __cplusplus
    alignas(16) uint8_t enc[15][16];
#else
    _Alignas(16) uint8_t enc[15][16]; /* private: round keys */
#endif
    uint32_t rounds;                  /* private: 10, 12 or 14 */
    uint32_t reserved;
    const struct lc_ctr_impl *impl;   /* private: a static row */
};

/*
 * lc_ctr_init: expand a key for the best implementation on this CPU.
 * raw, raw_len: 16, 24 or 32 bytes.
 * Returns LC_OK; LC_ERR_KEY_LEN; LC_ERR_ENV.  On an error *key is untouched.
 */
LC_API LC_MUST_CHECK int lc_ctr_init(struct lc_ctr_key *key, const uint8_t *raw, size_t raw_len);

/*
 * lc_ctr_init_impl: the same with the implementation chosen by name (NULL: as lc_ctr_init() does); LC_ERR_IMPL if the name is
 * unknown, or if this CPU can't run it.
 */
LC_API LC_MUST_CHECK int lc_ctr_init_impl(struct lc_ctr_key *key, const char *impl, const uint8_t *raw, size_t raw_len);

/* lc_ctr_impl_name: the name of the implementation that the key was expanded for. */
LC_API const char *lc_ctr_impl_name(const struct lc_ctr_key *key);

/* lc_ctr_wipe: overwrite the key with zeros in a way that the compiler can't drop. */
LC_API void lc_ctr_wipe(struct lc_ctr_key *key);

/*
 * lc_ctr_xor: a whole message.
 * dst, src: len bytes each, any len.  iv: 16 bytes, the first block's counter.
 */
LC_API void lc_ctr_xor(const struct lc_ctr_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t iv[16]);

/*
 * A message over several calls, of any lengths: start with its iv, then update in order, always with the same key.  The state
 * holds key stream, which is secret: wipe it with lc_ctr_state_wipe().
 */
struct lc_ctr_state {
    uint8_t counter[16];   /* private: of the next block */
    uint8_t keystream[16]; /* private: of the block before it */
    uint32_t left;         /* private: its last bytes that weren't needed yet, 0 .. 15 */
};
LC_API void lc_ctr_start(struct lc_ctr_state *s, const uint8_t iv[16]);
LC_API void lc_ctr_update(const struct lc_ctr_key *key, struct lc_ctr_state *s, uint8_t *dst, const uint8_t *src, size_t len);
LC_API void lc_ctr_state_wipe(struct lc_ctr_state *s);

#ifdef __cplusplus
}
#endif
#endif
