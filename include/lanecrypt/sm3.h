/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SM3 (GM/T 0004-2012, GB/T 32905-2016, ISO/IEC 10118-3:2018): digests of messages, of one message or of many at once.
 *
 * A digest detects accidents, and changes if it is itself kept safe.  It is no message authentication code: the digest of a secret
 * and a message can be continued to that of a longer message by whoever doesn't know the secret.  Use HMAC for that.
 *
 * Lengths in bytes:
 *   digest   32
 *   message  any.  The standard's limit, 2^61 - 1, isn't reached within 30 years and isn't checked.
 *
 * Overlap: a digest may be written to where the message was; in a call for many messages, to where neither a message of the call,
 * nor another digest, nor the list of items is.
 * Time depends on the lengths of messages, and on nothing else of them.
 * Secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_SM3_H
#define LANECRYPT_SM3_H

#include "hash.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LC_SM3_LEN 32 /* bytes of a digest */

struct lc_sm3_impl;

/*
 * lc_sm3: the digest of a whole message.
 * digest: written.  msg: len bytes, any len; may be NULL if len is 0.
 * Returns LC_OK; LC_ERR_ENV, see cpu.h, and then nothing is written.
 */
LC_API LC_MUST_CHECK int lc_sm3(uint8_t digest[LC_SM3_LEN], const uint8_t *msg, size_t len);

/*
 * lc_sm3_many: the digests of many messages, of any mix of lengths, in any order.
 * lc_sm3_many_impl: the same by an implementation chosen by name.
 *
 * Several messages share the CPU's vectors, and when one ends, the next takes its place.  If lengths differ much, put the longest
 * first: at the end of the list there is nothing left to share the vectors with.
 *
 * items: num_items messages; may be NULL if num_items is 0.  impl: the name, or NULL for the best one.
 * Return:
 *   LC_OK
 *   LC_ERR_IMPL  lc_sm3_many_impl() only: the name is unknown, or this CPU can't run it
 *   LC_ERR_ENV   see cpu.h
 * After an error nothing is written.
 */
LC_API LC_MUST_CHECK int lc_sm3_many(const struct lc_hash_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_sm3_many_impl(const char *impl, const struct lc_hash_item *items, size_t num_items);

/*
 * The state of a message over several calls.  It may be copied by memcpy, and the copy continues on its own: so what many messages
 * begin with is hashed once.  It may hold bytes from anywhere in the message so far: if any are secret, wipe it with
 * lc_sm3_state_wipe(), unless lc_sm3_finish() has done so.
 */
struct lc_sm3_state {
    uint32_t h[8];                  /* private: the hash value of the whole blocks so far */
    uint64_t len;                   /* private: bytes so far */
    const struct lc_sm3_impl *impl; /* private: a static row */
    uint8_t block[64];              /* private: the block that isn't complete yet */
};

/*
 * lc_sm3_start: begin a message.
 * lc_sm3_start_impl: begin a message with an implementation chosen by name.
 * lc_sm3_update: add the next piece of the message.  Pieces may have any length; whole blocks are the fastest.
 * lc_sm3_finish: end the message, write its digest and wipe the state, which has to be started again before it is used.
 * lc_sm3_impl_name: the name of the implementation in use, a constant string.
 * lc_sm3_state_wipe: overwrite the state with zeros.  The compiler can't drop this.
 *
 * s: written by start.  impl: the name, or NULL for the best one.
 * msg: len bytes, any len; may be NULL if len is 0.  digest: written.
 * The two starts return:
 *   LC_OK
 *   LC_ERR_IMPL  lc_sm3_start_impl() only: the name is unknown, or this CPU can't run it
 *   LC_ERR_ENV   see cpu.h
 * After an error *s is untouched.
 */
LC_API LC_MUST_CHECK int lc_sm3_start(struct lc_sm3_state *s);
LC_API LC_MUST_CHECK int lc_sm3_start_impl(struct lc_sm3_state *s, const char *impl);
LC_API void lc_sm3_update(struct lc_sm3_state *s, const uint8_t *msg, size_t len);
LC_API void lc_sm3_finish(struct lc_sm3_state *s, uint8_t digest[LC_SM3_LEN]);
LC_API const char *lc_sm3_impl_name(const struct lc_sm3_state *s);
LC_API void lc_sm3_state_wipe(struct lc_sm3_state *s);

#ifdef __cplusplus
}
#endif
#endif
