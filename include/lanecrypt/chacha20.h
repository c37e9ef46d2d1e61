/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ChaCha20 (RFC 8439, 2.4): a key stream, xored with the data.
 *
 * Use ChaCha20-Poly1305 (chacha20poly1305.h) rather than this, which is here for formats that are made of it.  ChaCha20 does NOT
 * detect changes: whoever can write the ciphertext can flip any bit of the text.
 *
 * NEVER use a block of the key stream twice: two ciphertexts under it reveal the xor of their texts.  A block is used twice if key,
 * nonce and the block's number are the same.
 *
 * Lengths in bytes:
 *   key    32
 *   nonce  12; 8 with a counter of 64 bits
 *   text   until the counter ends; the ciphertext has the same length
 *
 * Overlap, secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_CHACHA20_H
#define LANECRYPT_CHACHA20_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lc_chacha20_impl;

/*
 * A key for one implementation.  The members are private; only size and alignment are part of the interface.
 * It holds secrets: wipe it with lc_chacha20_wipe().  It may be copied by memcpy, and threads may share it.
 */
struct lc_chacha20_key {
    LC_ALIGNED(16) uint8_t raw[32];      /* private */
    const struct lc_chacha20_impl *impl; /* private: a static row */
};

/*
 * lc_chacha20_init: set up a key for the best implementation on this CPU.
 * key: written.  raw: raw_len bytes.  raw_len: 32.
 * Returns:
 *   LC_OK
 *   LC_ERR_KEY_LEN  raw_len isn't 32
 *   LC_ERR_ENV      see cpu.h
 * After an error *key is untouched.
 */
LC_API LC_MUST_CHECK int lc_chacha20_init(struct lc_chacha20_key *key, const uint8_t *raw, size_t raw_len);

/*
 * lc_chacha20_init_impl: lc_chacha20_init() with an implementation chosen by name.
 * impl: the name, or NULL for the best one.  The others: as lc_chacha20_init().
 * Returns as lc_chacha20_init(); also LC_ERR_IMPL if the name is unknown or this CPU can't run it.
 */
LC_API LC_MUST_CHECK int lc_chacha20_init_impl(struct lc_chacha20_key *key, const char *impl, const uint8_t *raw, size_t raw_len);

/* lc_chacha20_impl_name: the name of the implementation that the key was set up for, a constant string. */
LC_API const char *lc_chacha20_impl_name(const struct lc_chacha20_key *key);

/* lc_chacha20_wipe: overwrite the key with zeros.  The compiler can't drop this. */
LC_API void lc_chacha20_wipe(struct lc_chacha20_key *key);

/*
 * lc_chacha20_crypt: dst = src ^ key stream.  Encryption and decryption are the same.
 * dst, src: len bytes each; may be NULL if len is 0.
 * nonce: 12 bytes.  counter: the number of the first block of 64 bytes.
 * Returns LC_OK; LC_ERR_LEN if the counter would pass 2^32 - 1, where the key stream ends, and then nothing is written.
 */
LC_API LC_MUST_CHECK int lc_chacha20_crypt(const struct lc_chacha20_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                                           const uint8_t nonce[12], uint32_t counter);

/*
 * lc_chacha20_xor: lc_chacha20_crypt() with the raw key and the best implementation.
 * key: 32 bytes.  The others: as lc_chacha20_crypt().
 * Returns as lc_chacha20_crypt(); also LC_ERR_ENV, see cpu.h.
 */
LC_API LC_MUST_CHECK int lc_chacha20_xor(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t key[32],
                                         const uint8_t nonce[12], uint32_t counter);

/*
 * A message over several calls, which may be cut anywhere: lc_chacha20_start() or lc_chacha20_start_64() once, then
 * lc_chacha20_update() for each piece in order, then lc_chacha20_state_wipe().
 *
 * lc_chacha20_start: the nonce has 12 bytes; blocks are numbered from counter to 2^32 - 1.
 * lc_chacha20_start_64: the original ChaCha's form.  The nonce has 8 bytes; blocks are numbered modulo 2^64.
 * lc_chacha20_state_set_key: make the state use the key at another place.  For a copy of a state with a copy of its key, and for
 * a key that is moved.  key: has the contents of the key that the message began with.
 * s: written.  key: the state points to it, so neither change nor move nor wipe it while the state is in use.
 * dst, src: len bytes each, any len; may be NULL if len is 0.
 * Secrets: the state holds key stream, also of messages before, until it is wiped.
 * lc_chacha20_update() returns LC_OK; LC_ERR_LEN if the counter would pass its last value, and then nothing is written and the
 * state is untouched.
 */
#define LC_CHACHA20_AHEAD_LEN 1024
struct lc_chacha20_state {
    const struct lc_chacha20_key *key; /* private: the caller's key; lc_chacha20_state_set_key() sets it */
    uint32_t iv[4];                    /* private: words 12 .. 15 of the next block's state */
    uint32_t counter_len;              /* private: words of the counter, 1 or 2 */
    uint32_t left;                     /* private: last bytes of keystream that weren't needed yet */
    uint64_t blocks_left;              /* private: until the counter has passed its last value */
    uint64_t len;                      /* private: bytes of text from keystream so far, and 64 for each run of other blocks */
    LC_ALIGNED(16) uint8_t keystream[LC_CHACHA20_AHEAD_LEN]; /* private: of the blocks before the next */
};
LC_API void lc_chacha20_start(struct lc_chacha20_state *s, const struct lc_chacha20_key *key, const uint8_t nonce[12],
                              uint32_t counter);
LC_API void lc_chacha20_start_64(struct lc_chacha20_state *s, const struct lc_chacha20_key *key, const uint8_t nonce[8],
                                 uint64_t counter);
LC_API void lc_chacha20_state_set_key(struct lc_chacha20_state *s, const struct lc_chacha20_key *key);
LC_API LC_MUST_CHECK int lc_chacha20_update(struct lc_chacha20_state *s, uint8_t *dst, const uint8_t *src, size_t len);
LC_API void lc_chacha20_state_wipe(struct lc_chacha20_state *s);

#ifdef __cplusplus
}
#endif
#endif
