/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SHA-256, SHA-384 and SHA-512 (FIPS 180-4): digests of messages, of one message or of many at once.
 *
 * A digest detects accidents, and changes if it is itself kept safe.  It is no message authentication code: the digest of a secret
 * and a message can be continued to that of a longer message by whoever doesn't know the secret.  Use HMAC for that.
 *
 * Lengths in bytes:
 *   digest   32 (SHA-256), 48 (SHA-384), 64 (SHA-512)
 *   message  any.  The standard's limits, 2^61 - 1 for SHA-256 (section 1), aren't reached within 30 years and aren't checked.
 *            SHA-384's and SHA-512's would be 2^125 - 1; here it is 2^64 - 1.
 *
 * Overlap: a digest may be written to where the message was; in a call for many messages, to where neither a message of the call,
 * nor another digest, nor the list of items is.
 * Time depends on the lengths of messages, and on nothing else of them.
 * Secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_SHA2_H
#define LANECRYPT_SHA2_H

#include "hash.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LC_SHA256_LEN 32 /* bytes of a digest */
#define LC_SHA384_LEN 48
#define LC_SHA512_LEN 64

struct lc_sha256_impl;
struct lc_sha512_impl;

/*
 * lc_sha256, lc_sha384, lc_sha512: the digest of a whole message.
 * digest: written.  msg: len bytes, any len; may be NULL if len is 0.
 * Return LC_OK; LC_ERR_ENV, see cpu.h, and then nothing is written.
 */
LC_API LC_MUST_CHECK int lc_sha256(uint8_t digest[LC_SHA256_LEN], const uint8_t *msg, size_t len);
LC_API LC_MUST_CHECK int lc_sha384(uint8_t digest[LC_SHA384_LEN], const uint8_t *msg, size_t len);
LC_API LC_MUST_CHECK int lc_sha512(uint8_t digest[LC_SHA512_LEN], const uint8_t *msg, size_t len);

/*
 * lc_sha256_many, lc_sha384_many, lc_sha512_many: the digests of many messages, of any mix of lengths, in any order.
 * lc_<hash>_many_impl: the same by an implementation chosen by name.
 *
 * Several messages share the CPU's vectors, and when one ends, the next takes its place.  Where that would take longer, as it may
 * for a few, they are done one after another.  If lengths differ much, put the longest first: at the end of the list there is
 * nothing left to share the vectors with.
 *
 * items: num_items messages; may be NULL if num_items is 0.  impl: the name, or NULL for the best one.
 * Return:
 *   LC_OK
 *   LC_ERR_IMPL  lc_<hash>_many_impl() only: the name is unknown, or this CPU can't run it
 *   LC_ERR_ENV   see cpu.h
 * After an error nothing is written.
 */
LC_API LC_MUST_CHECK int lc_sha256_many(const struct lc_hash_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_sha384_many(const struct lc_hash_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_sha512_many(const struct lc_hash_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_sha256_many_impl(const char *impl, const struct lc_hash_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_sha384_many_impl(const char *impl, const struct lc_hash_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_sha512_many_impl(const char *impl, const struct lc_hash_item *items, size_t num_items);

/* private: words of the hash value, and what an implementation wants after them */
#define LC_SHA256_ROOM 8
#define LC_SHA512_ROOM 24

/*
 * The state of a message over several calls.  It may be copied by memcpy, and the copy continues on its own: so what many messages
 * begin with is hashed once.  It may hold bytes from anywhere in the message so far: if any are secret, wipe it with
 * lc_<hash>_state_wipe(), unless lc_<hash>_finish() has done so.
 */
struct lc_sha256_state {
    uint32_t h[LC_SHA256_ROOM];        /* private: the hash value of the whole blocks so far */
    uint64_t len;                      /* private: bytes so far */
    const struct lc_sha256_impl *impl; /* private: a static row */
    uint8_t block[64];                 /* private: the block that isn't complete yet */
};

struct lc_sha512_state {
    uint64_t h[LC_SHA512_ROOM];        /* private: the same, and room for implementations */
    uint64_t len;                      /* private */
    const struct lc_sha512_impl *impl; /* private */
    uint8_t block[128];                /* private */
};

/* SHA-384 is SHA-512 that begins otherwise, cut to 48 bytes; a type of its own, so that nobody ends it as SHA-512. */
struct lc_sha384_state {
    struct lc_sha512_state sha512; /* private */
};

/*
 * lc_<hash>_start: begin a message.
 * lc_<hash>_start_impl: begin a message with an implementation chosen by name.
 * lc_<hash>_update: add the next piece of the message.  Pieces may have any length; whole blocks are the fastest.
 * lc_<hash>_finish: end the message, write its digest and wipe the state, which has to be started again before it is used.
 * lc_<hash>_impl_name: the name of the implementation in use, a constant string.
 * lc_<hash>_state_wipe: overwrite the state with zeros.  The compiler can't drop this.
 *
 * s: written by start.  impl: the name, or NULL for the best one; SHA-384's are SHA-512's.
 * msg: len bytes, any len; may be NULL if len is 0.  digest: written.
 * The two starts return:
 *   LC_OK
 *   LC_ERR_IMPL  lc_<hash>_start_impl() only: the name is unknown, or this CPU can't run it
 *   LC_ERR_ENV   see cpu.h
 * After an error *s is untouched.
 */
LC_API LC_MUST_CHECK int lc_sha256_start(struct lc_sha256_state *s);
LC_API LC_MUST_CHECK int lc_sha256_start_impl(struct lc_sha256_state *s, const char *impl);
LC_API void lc_sha256_update(struct lc_sha256_state *s, const uint8_t *msg, size_t len);
LC_API void lc_sha256_finish(struct lc_sha256_state *s, uint8_t digest[LC_SHA256_LEN]);
LC_API const char *lc_sha256_impl_name(const struct lc_sha256_state *s);
LC_API void lc_sha256_state_wipe(struct lc_sha256_state *s);

LC_API LC_MUST_CHECK int lc_sha384_start(struct lc_sha384_state *s);
LC_API LC_MUST_CHECK int lc_sha384_start_impl(struct lc_sha384_state *s, const char *impl);
LC_API void lc_sha384_update(struct lc_sha384_state *s, const uint8_t *msg, size_t len);
LC_API void lc_sha384_finish(struct lc_sha384_state *s, uint8_t digest[LC_SHA384_LEN]);
LC_API const char *lc_sha384_impl_name(const struct lc_sha384_state *s);
LC_API void lc_sha384_state_wipe(struct lc_sha384_state *s);

LC_API LC_MUST_CHECK int lc_sha512_start(struct lc_sha512_state *s);
LC_API LC_MUST_CHECK int lc_sha512_start_impl(struct lc_sha512_state *s, const char *impl);
LC_API void lc_sha512_update(struct lc_sha512_state *s, const uint8_t *msg, size_t len);
LC_API void lc_sha512_finish(struct lc_sha512_state *s, uint8_t digest[LC_SHA512_LEN]);
LC_API const char *lc_sha512_impl_name(const struct lc_sha512_state *s);
LC_API void lc_sha512_state_wipe(struct lc_sha512_state *s);

#ifdef __cplusplus
}
#endif
#endif
