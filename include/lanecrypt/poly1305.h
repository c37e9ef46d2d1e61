/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Poly1305 (RFC 8439, 2.5): a tag of a message, by which whoever has the key detects every change.
 *
 * Use ChaCha20-Poly1305 (chacha20poly1305.h) rather than this, which is here for formats that are made of it.
 *
 * Lengths in bytes:
 *   key  32, for ONE message
 *   tag  16
 *
 * Secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_POLY1305_H
#define LANECRYPT_POLY1305_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lc_poly1305_impl;

/*
 * Poly1305 is a ONE-TIME authenticator: use each key for one message only.  Two messages under one key let anybody forge messages
 * under it.
 *
 * lc_poly1305: compute the tag of a whole message.
 * tag: 16 bytes, written.  msg: len bytes, any len; may be NULL if len is 0.  key: 32 bytes, r || s.
 * Returns LC_OK; LC_ERR_ENV, see cpu.h.
 */
LC_API LC_MUST_CHECK int lc_poly1305(uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32]);

/*
 * The state of a message over several calls.  It may be copied by memcpy, and the copy continues on its own.  It holds secrets:
 * wipe it with lc_poly1305_state_wipe(), unless lc_poly1305_finish() has done so.
 */
struct lc_poly1305_state {
    uint64_t h[3];                       /* private: the sum so far, below 2^131 */
    uint64_t r[2];                       /* private: the first half of the key, clamped */
    uint64_t s[2];                       /* private: the second half of the key */
    const struct lc_poly1305_impl *impl; /* private: a static row */
    LC_ALIGNED(16) uint8_t block[16];    /* private: the block that isn't complete yet */
    uint32_t block_len;                  /* private: its bytes so far */
    uint32_t num_powers;                 /* private: how many powers of r there are, in the implementation's own count */
    LC_ALIGNED(16) uint64_t powers[48];  /* private: in the implementation's own form */
};

/*
 * lc_poly1305_start: begin a message.
 * lc_poly1305_start_impl: begin a message with an implementation chosen by name.
 * lc_poly1305_update: add the next piece of the message.
 * lc_poly1305_finish: end the message, write its tag and wipe the state.
 * lc_poly1305_impl_name: the name of the implementation in use, a constant string.
 * lc_poly1305_state_wipe: overwrite the state with zeros.  The compiler can't drop this.
 *
 * s: written by start.  key: 32 bytes, r || s, never used before.  impl: the name, or NULL for the best one.
 * msg: len bytes, any len; may be NULL if len is 0.  tag: 16 bytes, written.
 * The two starts return:
 *   LC_OK
 *   LC_ERR_IMPL  lc_poly1305_start_impl() only: the name is unknown, or this CPU can't run it
 *   LC_ERR_ENV   see cpu.h
 */
LC_API LC_MUST_CHECK int lc_poly1305_start(struct lc_poly1305_state *s, const uint8_t key[32]);
LC_API LC_MUST_CHECK int lc_poly1305_start_impl(struct lc_poly1305_state *s, const char *impl, const uint8_t key[32]);
LC_API void lc_poly1305_update(struct lc_poly1305_state *s, const uint8_t *msg, size_t len);
LC_API void lc_poly1305_finish(struct lc_poly1305_state *s, uint8_t tag[16]);
LC_API const char *lc_poly1305_impl_name(const struct lc_poly1305_state *s);
LC_API void lc_poly1305_state_wipe(struct lc_poly1305_state *s);

#ifdef __cplusplus
}
#endif
#endif
