/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ChaCha20-Poly1305 (RFC 8439, 2.8) and XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03): authenticated encryption with associated
 * data.
 *
 * ChaCha20-Poly1305 encrypts a text, and detects every change of the text, of its associated data (AAD, which is sent in the
 * clear) and of its nonce.  Its two parts alone are in chacha20.h and poly1305.h.
 *
 * NEVER use a nonce twice under one key.  Two messages with one nonce reveal the xor of their texts, and let anybody forge
 * messages with that nonce.  Count nonces of 12 bytes; nonces of 24 bytes (XChaCha20-Poly1305) may also be drawn at random.
 *
 * Lengths in bytes:
 *   key    32
 *   nonce  12; 24 for XChaCha20-Poly1305
 *   text   0 .. LC_CHACHA20POLY1305_MAX_LEN.  The ciphertext has the same length.
 *   AAD    0 .. 2^64 - 1
 *   tag    16
 *
 * Overlap: dst == src is allowed.  Nothing else that a call reads may lie in what it writes.  The tag may stand right before or
 * after the text.
 * Secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_CHACHA20POLY1305_H
#define LANECRYPT_CHACHA20POLY1305_H

#include "aead.h"
#include "chacha20.h"
#include "lanecrypt.h"
#include "poly1305.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LC_CHACHA20POLY1305_MAX_LEN ((UINT64_C(1) << 38) - 64) /* bytes of text: 2^32 - 1 blocks of 64 */

struct lc_chacha20poly1305_impl;

/*
 * A key for one implementation.  The members are private; only size and alignment are part of the interface.
 * It holds secrets: wipe it with lc_chacha20poly1305_wipe().  It may be copied by memcpy, and threads may share it.
 */
struct lc_chacha20poly1305_key {
    LC_ALIGNED(16) uint8_t raw[32];              /* private */
    const struct lc_chacha20poly1305_impl *impl; /* private: a static row */
};

/*
 * lc_chacha20poly1305_init: set up a key for the best implementation on this CPU.
 * lc_chacha20poly1305_init_impl: set up a key for an implementation chosen by name.
 * key: written.  raw: raw_len bytes.  raw_len: 32.  impl: the name, or NULL for the best one.
 * Both return:
 *   LC_OK
 *   LC_ERR_KEY_LEN  raw_len isn't 32
 *   LC_ERR_IMPL     lc_chacha20poly1305_init_impl() only: the name is unknown, or this CPU can't run it
 *   LC_ERR_ENV      see cpu.h
 * After an error *key is untouched.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_init(struct lc_chacha20poly1305_key *key, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_chacha20poly1305_init_impl(struct lc_chacha20poly1305_key *key, const char *impl, const uint8_t *raw,
                                                       size_t raw_len);

/* lc_chacha20poly1305_impl_name: the name of the implementation that the key was set up for, a constant string. */
LC_API const char *lc_chacha20poly1305_impl_name(const struct lc_chacha20poly1305_key *key);

/* lc_chacha20poly1305_wipe: overwrite the key with zeros.  The compiler can't drop this. */
LC_API void lc_chacha20poly1305_wipe(struct lc_chacha20poly1305_key *key);

/*
 * lc_chacha20poly1305_seal: encrypt and authenticate one message.
 * dst, src: len bytes each; may be NULL if len is 0.  len: 0 .. LC_CHACHA20POLY1305_MAX_LEN.
 * tag: 16 bytes, written.  tag_len: 16.
 * aad: aad_len bytes, any aad_len; may be NULL if aad_len is 0.
 * nonce: 12 bytes, never used before with this key.  nonce_len: 12.
 * (tag_len and nonce_len are for callers that get them from elsewhere: they are checked.)
 * Returns:
 *   LC_OK
 *   LC_ERR_TAG_LEN    tag_len isn't 16
 *   LC_ERR_LEN        the text is too long
 *   LC_ERR_NONCE_LEN  nonce_len isn't 12
 * After an error nothing is written.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_seal(const struct lc_chacha20poly1305_key *key, uint8_t *dst, uint8_t *tag,
                                                  size_t tag_len, const uint8_t *src, size_t len, const uint8_t *aad,
                                                  size_t aad_len, const uint8_t *nonce, size_t nonce_len);

/*
 * lc_chacha20poly1305_open: decrypt one message if its tag is right.
 * tag: 16 bytes, compared in constant time.  The others: as lc_chacha20poly1305_seal().  Don't look at dst during the call.
 * src is read once to be hashed and once to be decrypted: if another thread writes to it meanwhile, dst may get a text that was
 * never authenticated, and LC_OK be returned.
 * Returns as lc_chacha20poly1305_seal(), also:
 *   LC_ERR_AUTH  the text, AAD, nonce, tag or key isn't that of the sealed message.  dst then holds zeros; if dst == src, the
 *                ciphertext is lost.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_open(const struct lc_chacha20poly1305_key *key, uint8_t *dst, const uint8_t *src,
                                                  size_t len, const uint8_t *tag, size_t tag_len, const uint8_t *aad,
                                                  size_t aad_len, const uint8_t *nonce, size_t nonce_len);

/*
 * lc_xchacha20poly1305_seal, lc_xchacha20poly1305_open: XChaCha20-Poly1305.  Its nonces are long enough to be drawn at random.
 * nonce: 24 bytes.  nonce_len: 24.  The others: as lc_chacha20poly1305_seal() and lc_chacha20poly1305_open().
 * Return as these; LC_ERR_NONCE_LEN if nonce_len isn't 24.
 */
LC_API LC_MUST_CHECK int lc_xchacha20poly1305_seal(const struct lc_chacha20poly1305_key *key, uint8_t *dst, uint8_t *tag,
                                                   size_t tag_len, const uint8_t *src, size_t len, const uint8_t *aad,
                                                   size_t aad_len, const uint8_t *nonce, size_t nonce_len);
LC_API LC_MUST_CHECK int lc_xchacha20poly1305_open(const struct lc_chacha20poly1305_key *key, uint8_t *dst, const uint8_t *src,
                                                   size_t len, const uint8_t *tag, size_t tag_len, const uint8_t *aad,
                                                   size_t aad_len, const uint8_t *nonce, size_t nonce_len);

/*
 * lc_xchacha20poly1305_subkey: compute the key and the nonce of 12 bytes of one XChaCha20-Poly1305 message.  The message is a
 * ChaCha20-Poly1305 message under these.  Use it to encrypt or decrypt over several calls (below).
 * subkey: written; it has the implementation of key.  short_nonce: 12 bytes, written.  nonce: 24 bytes.  nonce_len: 24.
 * Secrets: wipe subkey with lc_chacha20poly1305_wipe().
 * Returns LC_OK; LC_ERR_NONCE_LEN if nonce_len isn't 24, and then nothing is written.
 */
LC_API LC_MUST_CHECK int lc_xchacha20poly1305_subkey(struct lc_chacha20poly1305_key *subkey, uint8_t short_nonce[12],
                                                     const struct lc_chacha20poly1305_key *key, const uint8_t *nonce,
                                                     size_t nonce_len);

/*
 * lc_chacha20poly1305_seal_many, lc_chacha20poly1305_open_many: seal or open many messages under one key in one call.  Each message
 * gets a status of its own and doesn't suffer from errors of others.
 * items: num_items messages (aead.h), with nonces of 12 bytes and tags of 16; may be NULL if num_items is 0.
 * Returns LC_OK if every item's status is LC_OK; else the status of the first item that failed.  Check the status of each item.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_seal_many(const struct lc_chacha20poly1305_key *key, struct lc_aead_item *items,
                                                       size_t num_items);
LC_API LC_MUST_CHECK int lc_chacha20poly1305_open_many(const struct lc_chacha20poly1305_key *key, struct lc_aead_item *items,
                                                       size_t num_items);

/*
 * One message over several calls:
 *
 *     lc_chacha20poly1305_start    .._aad ...    .._encrypt ...   .._tag
 *                                                .._decrypt ...   .._verify
 *
 * AAD and text may be cut anywhere, also into pieces of 0 bytes, and either may be absent.  The result is the same as that of one
 * call.
 *
 * The state points to the key: neither change nor move nor wipe the key while the state is in use.  The state may be copied by
 * memcpy, and the copy continues on its own.  It holds secrets: wipe it with lc_chacha20poly1305_state_wipe(), also after an error.
 */
struct lc_chacha20poly1305_state {
    const struct lc_chacha20poly1305_key *key; /* private: the caller's key; lc_chacha20poly1305_state_set_key() sets it */
    uint32_t iv[4];                            /* private: words 12 .. 15 of the next block's state */
    struct lc_poly1305_state poly;             /* private: its sum is that of all whole blocks so far, without those in `block` */
    uint64_t power[4]; /* private: of r, in the implementation's own form; the last one says if it's there */
    uint64_t aad_len; /* private: bytes of AAD so far */
    uint64_t len; /* private: bytes of text so far */
    uint8_t block[LC_CHACHA20_AHEAD_LEN]; /* private: AAD or ciphertext that isn't hashed yet */
    uint32_t block_len; /* private: bytes in `block` */
    uint32_t phase; /* private */
    uint32_t first; /* private: not 0 until block 0 is made */
    uint32_t left; /* private: bytes of keystream that weren't needed yet */
    uint32_t end; /* private: where they end */
    LC_ALIGNED(16) uint8_t keystream[LC_CHACHA20_AHEAD_LEN + 48]; /* private: of the blocks before the next; begins where aligned */
};

/*
 * lc_chacha20poly1305_start: begin a message.
 * s: written.  key: must stay as it is while s is in use.
 * nonce: 12 bytes; for encryption, never used before with this key.  nonce_len: 12.
 * Returns LC_OK; LC_ERR_NONCE_LEN if nonce_len isn't 12, and then *s is untouched.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_start(struct lc_chacha20poly1305_state *s, const struct lc_chacha20poly1305_key *key,
                                                   const uint8_t *nonce, size_t nonce_len);

/*
 * lc_chacha20poly1305_state_set_key: make the state use the key at another place.  For a copy of a state with a
 * copy of its key, and for a key that is moved.
 * key: has the contents of the key that the message began with.
 */
LC_API void lc_chacha20poly1305_state_set_key(struct lc_chacha20poly1305_state *s, const struct lc_chacha20poly1305_key *key);

/*
 * lc_chacha20poly1305_aad: add the next piece of AAD.
 * aad: aad_len bytes; may be NULL if aad_len is 0.
 * Returns LC_OK; LC_ERR_STATE after a call for text, even of 0 bytes, or for the tag, and then the state is untouched.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_aad(struct lc_chacha20poly1305_state *s, const uint8_t *aad, size_t aad_len);

/*
 * lc_chacha20poly1305_encrypt, _decrypt: encrypt or decrypt the next piece of text.  All of its bytes are written at once.
 *
 * The output of _decrypt is NOT verified yet: an attacker may have chosen it.  Don't use it and don't pass it on before _verify
 * has returned LC_OK.  If that fails, destroy it.  lc_chacha20poly1305_open() does this for you.
 *
 * dst, src: len bytes each; may be NULL if len is 0.
 * Returns:
 *   LC_OK
 *   LC_ERR_STATE  after _tag or _verify, or if this message has used the other direction
 *   LC_ERR_LEN    the text would become longer than LC_CHACHA20POLY1305_MAX_LEN
 * After an error nothing is written, and the state is untouched.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_encrypt(struct lc_chacha20poly1305_state *s, uint8_t *dst, const uint8_t *src,
                                                     size_t len);
LC_API LC_MUST_CHECK int lc_chacha20poly1305_decrypt(struct lc_chacha20poly1305_state *s, uint8_t *dst, const uint8_t *src,
                                                     size_t len);

/*
 * lc_chacha20poly1305_tag: end an encryption and write its tag.
 * lc_chacha20poly1305_verify: end a decryption and compare its tag in constant time.
 * Either one ends a message without text.
 * tag: 16 bytes.  tag_len: 16.
 * Both return:
 *   LC_OK
 *   LC_ERR_TAG_LEN  tag_len isn't 16; the state is untouched
 *   LC_ERR_STATE    the message has ended already, or used the other direction; the state is untouched
 *   LC_ERR_AUTH     _verify only: the tag is wrong; the message has ended
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_tag(struct lc_chacha20poly1305_state *s, uint8_t *tag, size_t tag_len);
LC_API LC_MUST_CHECK int lc_chacha20poly1305_verify(struct lc_chacha20poly1305_state *s, const uint8_t *tag, size_t tag_len);

/*
 * lc_chacha20poly1305_verify_prefix: end a decryption and compare the beginning of its tag in constant time.  For
 * formats that cut tags to lengths that the standard doesn't have (RFC 8439, 2.8).
 * tag: tag_len bytes.  tag_len: 1 .. 16.  A forger's chance is at least 2^(-8 * tag_len) a try, so use _verify if you can.
 * Returns as _verify.
 */
LC_API LC_MUST_CHECK int lc_chacha20poly1305_verify_prefix(struct lc_chacha20poly1305_state *s, const uint8_t *tag, size_t tag_len);

/* lc_chacha20poly1305_state_wipe: overwrite the state with zeros.  The compiler can't drop this.  The key is not touched. */
LC_API void lc_chacha20poly1305_state_wipe(struct lc_chacha20poly1305_state *s);

/* lc_chacha20poly1305_ops: the functions of this header as a table (aead.h), a constant. */
LC_API const struct lc_aead_ops *lc_chacha20poly1305_ops(void);

#ifdef __cplusplus
}
#endif
#endif
