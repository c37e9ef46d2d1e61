/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ChaCha20, Poly1305 and ChaCha20-Poly1305 (RFC 8439), and XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03).
 *
 * ChaCha20-Poly1305 hides a text and detects every change of it, of its associated data (AAD: sent in the clear) and of its nonce.
 * Take it rather than its two parts, which are here for formats that are made of them.
 *
 * NEVER use a nonce twice under one key.  Two messages with one nonce reveal the xor of their texts and let anybody forge others
 * with that nonce.  Count 12-byte nonces; those of XChaCha20-Poly1305, of 24 bytes, may also be drawn at random.
 *
 * Lengths in bytes:
 *   key    32
 *   nonce  12; 24 for XChaCha20-Poly1305; 8 for ChaCha20 with a counter of 64 bits
 *   text   0 .. LC_CHACHA20POLY1305_MAX_LEN; the ciphertext has the same length
 *   AAD    0 .. 2^64 - 1
 *   tag    16
 *
 * Overlap: dst == src is allowed; apart from that, nothing that a call reads may lie in what it writes.  A tag right in front of
 * or behind the text is fine.  Keys may be shared by threads; nothing allocates.
 */
#ifndef LANECRYPT_CHACHA20POLY1305_H
#define LANECRYPT_CHACHA20POLY1305_H

#include "aead.h"
#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
#define LC_ALIGNED(n) alignas(n)
#else
#define LC_ALIGNED(n) _Alignas(n)
#endif

/* ---- ChaCha20 (RFC 8439, 2.4) ---- */

struct lc_chacha20_impl;

/*
 * A key for one implementation.  Private: only the size and the alignment are part of the interface.  It holds the secret;
 * lc_chacha20_wipe() it when done.  May be copied by memcpy and shared by threads.
 */
struct lc_chacha20_key {
    LC_ALIGNED(16) uint8_t raw[32];      /* private */
    const struct lc_chacha20_impl *impl; /* private: a static row */
};

/*
 * lc_chacha20_init: take a key for the best implementation on this CPU.
 * raw, raw_len: 32 bytes.
 * Returns LC_OK; LC_ERR_KEY_LEN; LC_ERR_ENV.  On an error *key is untouched.
 */
LC_API LC_MUST_CHECK int lc_chacha20_init(struct lc_chacha20_key *key, const uint8_t *raw, size_t raw_len);

/* lc_chacha20_init_impl: the same with the implementation chosen by name (NULL: as lc_chacha20_init() does); LC_ERR_IMPL. */
LC_API LC_MUST_CHECK int lc_chacha20_init_impl(struct lc_chacha20_key *key, const char *impl, const uint8_t *raw, size_t raw_len);
LC_API const char *lc_chacha20_impl_name(const struct lc_chacha20_key *key);
LC_API void lc_chacha20_wipe(struct lc_chacha20_key *key);

/*
 * lc_chacha20_crypt: dst = src ^ key stream; encryption and decryption are the same.
 * dst, src: len bytes each.  nonce: 12 bytes.  counter: the number of the first block, of 64 bytes.
 * Returns LC_OK; LC_ERR_LEN if the counter would pass 2^32 - 1, and nothing is written: there is no key stream behind that block.
 */
LC_API LC_MUST_CHECK int lc_chacha20_crypt(const struct lc_chacha20_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                                           const uint8_t nonce[12], uint32_t counter);

/* lc_chacha20_xor: the same with the key itself, and the best implementation; LC_ERR_ENV too. */
LC_API LC_MUST_CHECK int lc_chacha20_xor(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t key[32],
                                         const uint8_t nonce[12], uint32_t counter);

/*
 * A message over several calls, of any lengths.  The state points to the key, which has to live, unchanged and at its place, as
 * long as the state is used.  It holds key stream, which is secret: lc_chacha20_state_wipe() it.
 *
 * lc_chacha20_start: nonce of 12 bytes, blocks numbered from counter to 2^32 - 1.
 * lc_chacha20_start_64: the original ChaCha's form, nonce of 8 bytes, blocks numbered modulo 2^64.
 * lc_chacha20_update: LC_OK; LC_ERR_LEN as above, and nothing is written, and the state is untouched.
 */
struct lc_chacha20_state {
    const struct lc_chacha20_key *key; /* the caller's; may be set to a copy of it */
    uint32_t iv[4];                    /* private: words 12 .. 15 of the next block's state */
    uint32_t counter_len;              /* private: words of the counter, 1 or 2 */
    uint32_t left;                     /* private: last bytes of keystream that weren't needed yet, 0 .. 63 */
    uint64_t blocks_left;              /* private: until the counter has passed its last value */
    uint8_t keystream[64];             /* private: of the block before the next */
};
LC_API void lc_chacha20_start(struct lc_chacha20_state *s, const struct lc_chacha20_key *key, const uint8_t nonce[12],
                              uint32_t counter);
LC_API void lc_chacha20_start_64(struct lc_chacha20_state *s, const struct lc_chacha20_key *key, const uint8_t nonce[8],
                                 uint64_t counter);
LC_API LC_MUST_CHECK int lc_chacha20_update(struct lc_chacha20_state *s, uint8_t *dst, const uint8_t *src, size_t len);
LC_API void lc_chacha20_state_wipe(struct lc_chacha20_state *s);

/* ---- Poly1305 (RFC 8439, 2.5) ---- */

struct lc_poly1305_impl;

/*
 * Poly1305 is a ONE-TIME authenticator: one key, one message.  Two messages under one key let anybody forge others under it.
 *
 * lc_poly1305: the tag of a whole message.  tag: 16 bytes.  msg: len bytes.  key: 32 bytes, r and s.
 * Returns LC_OK, LC_ERR_ENV.
 */
LC_API LC_MUST_CHECK int lc_poly1305(uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32]);

/* The state of a message over several calls, of any lengths.  May be copied by memcpy, and the copy continued by itself. */
struct lc_poly1305_state {
    uint64_t h[3];                       /* private: the sum so far, below 2^131 */
    uint64_t r[2];                       /* private: the first half of the key, clamped */
    uint64_t s[2];                       /* private: the second half */
    const struct lc_poly1305_impl *impl; /* private: a static row */
    LC_ALIGNED(16) uint8_t block[16];    /* private: the begun block */
    uint32_t block_len;                  /* private: its bytes so far */
    uint32_t num_powers;                 /* private: powers of r that there are, in the implementation's own count */
    LC_ALIGNED(16) uint64_t powers[48];  /* private: in the implementation's own form */
};

/*
 * lc_poly1305_start: begin a message.  LC_OK, LC_ERR_ENV.
 * lc_poly1305_start_impl: the same with the implementation chosen by name (NULL: the best); LC_ERR_IMPL.
 * lc_poly1305_finish: the tag of what update was called with.  The state is wiped.
 */
LC_API LC_MUST_CHECK int lc_poly1305_start(struct lc_poly1305_state *s, const uint8_t key[32]);
LC_API LC_MUST_CHECK int lc_poly1305_start_impl(struct lc_poly1305_state *s, const char *impl, const uint8_t key[32]);
LC_API void lc_poly1305_update(struct lc_poly1305_state *s, const uint8_t *msg, size_t len);
LC_API void lc_poly1305_finish(struct lc_poly1305_state *s, uint8_t tag[16]);
LC_API const char *lc_poly1305_impl_name(const struct lc_poly1305_state *s);
LC_API void lc_poly1305_state_wipe(struct lc_poly1305_state *s);

/* ---- ChaCha20-Poly1305 (RFC 8439, 2.8) ---- */

#define LC_CHACHA20POLY1305_MAX_LEN ((UINT64_C(1) << 38) - 64) /* bytes of text: 2^32 - 1 blocks of 64 */

struct lc_chacha20poly1305_impl;

/*
 * A key for one implementation.  Private: only the size and the alignment are part of the interface.  It holds the secret;
 * lc_chacha20poly1305_wipe() it when done.  May be copied by memcpy and shared by threads.
 */
struct lc_chacha20poly1305_key {
    LC_ALIGNED(16) uint8_t raw[32];              /* private */
    const struct lc_chacha20poly1305_impl *impl; /* private: a static row */
};

/*
 * lc_chacha20poly1305_init: take a key for the best implementation on this CPU.
 * raw, raw_len: 32 bytes.
 * Returns LC_OK; LC_ERR_KEY_LEN; LC_ERR_ENV.  On an error *key is untouched.
 * lc_chacha20poly1305_init_impl: the same with the implementation chosen by name (NULL: the best); LC_ERR_IMPL.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_init(struct lc_chacha20poly1305_key *key, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_chacha20poly1305_init_impl(struct lc_chacha20poly1305_key *key, const char *impl, const uint8_t *raw,
                                                       size_t raw_len);
LC_API const char *lc_chacha20poly1305_impl_name(const struct lc_chacha20poly1305_key *key);
LC_API void lc_chacha20poly1305_wipe(struct lc_chacha20poly1305_key *key);

/*
 * lc_chacha20poly1305_seal: encrypt and authenticate one message.
 * dst, src: len bytes each.  tag: 16 bytes, written.  aad: aad_len bytes.  nonce: 12 bytes, never used before with this key.
 * tag_len and nonce_len are for callers who have them from elsewhere.
 * Returns LC_OK; LC_ERR_TAG_LEN (not 16); LC_ERR_LEN (text too long); LC_ERR_NONCE_LEN (not 12).
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_seal(const struct lc_chacha20poly1305_key *key, uint8_t *dst, uint8_t *tag,
                                                  size_t tag_len, const uint8_t *src, size_t len, const uint8_t *aad,
                                                  size_t aad_len, const uint8_t *nonce, size_t nonce_len);

/*
 * lc_chacha20poly1305_open: decrypt one message if its tag is right.  tag: 16 bytes, compared in constant time.
 * Returns LC_OK; LC_ERR_TAG_LEN, LC_ERR_LEN, LC_ERR_NONCE_LEN; or LC_ERR_AUTH if the text, the AAD, the nonce, the tag or the key
 * isn't the one that was sealed: then dst holds zeros, and if dst == src the ciphertext is gone.  What dst holds during the call
 * is not to be looked at.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_open(const struct lc_chacha20poly1305_key *key, uint8_t *dst, const uint8_t *src,
                                                  size_t len, const uint8_t *tag, size_t tag_len, const uint8_t *aad,
                                                  size_t aad_len, const uint8_t *nonce, size_t nonce_len);

/* The same with nonces of 24 bytes, which are long enough to be drawn at random: XChaCha20-Poly1305. */
LC_API LC_MUST_CHECK int lc_xchacha20poly1305_seal(const struct lc_chacha20poly1305_key *key, uint8_t *dst, uint8_t *tag,
                                                   size_t tag_len, const uint8_t *src, size_t len, const uint8_t *aad,
                                                   size_t aad_len, const uint8_t *nonce, size_t nonce_len);
LC_API LC_MUST_CHECK int lc_xchacha20poly1305_open(const struct lc_chacha20poly1305_key *key, uint8_t *dst, const uint8_t *src,
                                                   size_t len, const uint8_t *tag, size_t tag_len, const uint8_t *aad,
                                                   size_t aad_len, const uint8_t *nonce, size_t nonce_len);

/*
 * lc_xchacha20poly1305_subkey: what one such message is under: XChaCha20-Poly1305 is ChaCha20-Poly1305 with a key and a nonce that
 * are made of the longer nonce.  For streams (below).
 * subkey: secret; lc_chacha20poly1305_wipe() it.  It has key's implementation.  short_nonce: 12 bytes.  nonce: 24 bytes.
 * Returns LC_OK, or LC_ERR_NONCE_LEN and nothing is written.
 */
LC_API LC_MUST_CHECK int lc_xchacha20poly1305_subkey(struct lc_chacha20poly1305_key *subkey, uint8_t short_nonce[12],
                                                     const struct lc_chacha20poly1305_key *key, const uint8_t *nonce,
                                                     size_t nonce_len);

/*
 * Many messages under one key in one call; each gets its own status, and none is affected by the others' errors.
 * items: num_items of them (aead.h): 12-byte nonces, 16-byte tags.
 * Returns LC_OK if all of them are LC_OK, otherwise the first status in the order of the items that isn't: look at each.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_seal_many(const struct lc_chacha20poly1305_key *key, struct lc_aead_item *items,
                                                       size_t num_items);
LC_API LC_MUST_CHECK int lc_chacha20poly1305_open_many(const struct lc_chacha20poly1305_key *key, struct lc_aead_item *items,
                                                       size_t num_items);

/* Powers of Poly1305's key, in the implementation's own form, kept from call to call. */
struct lc_poly1305_powers {
    uint32_t num;                       /* private */
    LC_ALIGNED(16) uint64_t powers[48]; /* private */
};

/*
 * One message over several calls:
 *
 *     lc_chacha20poly1305_start    .._aad ...    .._encrypt ...   .._tag
 *                                                .._decrypt ...   .._verify
 *
 * AAD and text may be cut anywhere, into pieces of 0 bytes too, and either may be absent.  The result is that of one call; pieces
 * that are multiples of 64 bytes are the fastest.
 *
 * The state points to the key, which has to live, unchanged and at its place, as long as the state is used.  The state may be
 * copied by memcpy, and the copy continued by itself.  It holds secrets: lc_chacha20poly1305_state_wipe() it, also after an error.
 */
struct lc_chacha20poly1305_state {
    const struct lc_chacha20poly1305_key *key; /* the caller's; may be set to a copy of it */
    uint32_t iv[4];                            /* private: words 12 .. 15 of the next block's state */
    uint64_t hash[3];                          /* private: Poly1305's sum of all whole blocks so far, but for those in `block` */
    uint64_t r[2], s[2];                       /* private: Poly1305's key */
    uint64_t aad_len;                          /* private: bytes so far */
    uint64_t len;                              /* private: bytes so far */
    uint8_t block[64];                         /* private: AAD or ciphertext that isn't hashed yet */
    uint8_t keystream[64];                     /* private: for the text block that has been begun */
    uint32_t block_len;                        /* private: bytes in `block` */
    uint32_t phase;                            /* private */
    uint32_t first;                            /* private: not 0 before block 0 is made */
    struct lc_poly1305_powers powers;          /* private */
};

/*
 * lc_chacha20poly1305_start: begin a message.
 * nonce: 12 bytes, for encryption never used before with this key.
 * Returns LC_OK, or LC_ERR_NONCE_LEN and *s is untouched.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_start(struct lc_chacha20poly1305_state *s, const struct lc_chacha20poly1305_key *key,
                                                   const uint8_t *nonce, size_t nonce_len);

/*
 * lc_chacha20poly1305_aad: the next aad_len bytes of AAD.
 * Returns LC_OK; LC_ERR_STATE once there was a call for text, even of 0 bytes, or for the tag.  On an error the state is untouched.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_aad(struct lc_chacha20poly1305_state *s, const uint8_t *aad, size_t aad_len);

/*
 * lc_chacha20poly1305_encrypt, _decrypt: the next len bytes of text; all of them come out at once.  dst, src: len bytes each.
 *
 * What _decrypt gives out is NOT verified yet: it may be anything that an attacker chose.  Don't act on it, and don't pass it on,
 * before _verify has returned LC_OK; if that fails, destroy it.  lc_chacha20poly1305_open() does this for you.
 *
 * Returns LC_OK; LC_ERR_STATE after _tag or _verify, or if the message has been going the other way; LC_ERR_LEN if the text becomes
 * longer than LC_CHACHA20POLY1305_MAX_LEN.  On an error nothing is written, and the state is untouched.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_encrypt(struct lc_chacha20poly1305_state *s, uint8_t *dst, const uint8_t *src,
                                                     size_t len);
LC_API LC_MUST_CHECK int lc_chacha20poly1305_decrypt(struct lc_chacha20poly1305_state *s, uint8_t *dst, const uint8_t *src,
                                                     size_t len);

/*
 * lc_chacha20poly1305_tag: end an encryption and write its tag, 16 bytes.
 * lc_chacha20poly1305_verify: end a decryption and compare its tag, in constant time.
 * Both also end a message without text.
 * Return LC_OK; LC_ERR_TAG_LEN (not 16); LC_ERR_STATE if the message has ended already or went the other way (then, as with
 * LC_ERR_TAG_LEN, the state is untouched); _verify returns LC_ERR_AUTH if the tag is wrong, and the message has ended.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_tag(struct lc_chacha20poly1305_state *s, uint8_t *tag, size_t tag_len);
LC_API LC_MUST_CHECK int lc_chacha20poly1305_verify(struct lc_chacha20poly1305_state *s, const uint8_t *tag, size_t tag_len);

/* lc_chacha20poly1305_state_wipe: overwrite the state with zeros; its key is left alone. */
LC_API void lc_chacha20poly1305_state_wipe(struct lc_chacha20poly1305_state *s);

#ifdef __cplusplus
}
#endif
#endif
