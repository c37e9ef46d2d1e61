/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-GCM (NIST SP 800-38D): authenticated encryption with associated data.
 *
 * AES-GCM encrypts a text, and detects every change of the text, of its associated data (AAD, which is sent in the clear) and of
 * its nonce.
 *
 * NEVER use a nonce twice under one key.  Two messages with one nonce reveal the xor of their texts, and let anybody forge
 * messages under that key.  Count the nonces, or draw 12 random bytes for at most 2^32 messages per key (section 8.3).  Use other
 * nonce lengths only for formats that require them.
 *
 * Lengths in bytes:
 *   key    16 (AES-128), 24 (AES-192) or 32 (AES-256)
 *   nonce  1 .. LC_GCM_MAX_NONCE_LEN.  The mode was made for 12; nonces of other lengths are hashed first (section 7.1).
 *   text   0 .. LC_GCM_MAX_LEN.  The ciphertext has the same length (section 5.2.1.1).
 *   AAD    0 .. LC_GCM_MAX_AAD_LEN
 *   tag    16, 15, 14, 13 or 12; 8 and 4 only within the limits of appendix C.  A forgery succeeds with a chance of (blocks of
 *          text and AAD) / 2^(8 * tag_len) per try, and each success makes the next one easier: use 16.
 *
 * Overlap: dst == src is allowed.  Nothing else that a call reads may lie in what it writes.  The tag may stand right before or
 * after the text.
 * Secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_GCM_H
#define LANECRYPT_GCM_H

#include "aead.h"
#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LC_GCM_MAX_LEN ((UINT64_C(1) << 36) - 32)      /* bytes of text: 2^32 - 2 blocks */
#define LC_GCM_MAX_AAD_LEN ((UINT64_C(1) << 61) - 1)   /* bytes: fewer than 2^64 bits */
#define LC_GCM_MAX_NONCE_LEN ((UINT64_C(1) << 61) - 1) /* bytes */

struct lc_gcm_impl;

/*
 * A key, expanded for one implementation.  The members are private; only size and alignment are part of the interface.
 * It holds secrets: wipe it with lc_gcm_wipe().  It may be copied by memcpy, and threads may share it.
 */
struct lc_gcm_key {
    LC_ALIGNED(16) uint8_t enc[15][16]; /* private: round keys */
    uint32_t rounds;                    /* private: 10, 12 or 14 */
    uint32_t late_len;                  /* private: from how many bytes on sealing goes another way */
    const struct lc_gcm_impl *impl;     /* private: a static row */
    uint8_t powers[43][16];             /* private: powers of the hash key, in the implementation's own form */
};

/*
 * lc_gcm_init: expand a key for the best implementation on this CPU.
 * key: written.  raw: raw_len bytes.  raw_len: 16, 24 or 32.
 * Returns:
 *   LC_OK
 *   LC_ERR_KEY_LEN  raw_len is another length
 *   LC_ERR_ENV      see cpu.h
 * After an error *key is untouched.
 */
LC_API LC_MUST_CHECK int lc_gcm_init(struct lc_gcm_key *key, const uint8_t *raw, size_t raw_len);

/*
 * lc_gcm_init_impl: lc_gcm_init() with an implementation chosen by name.
 * impl: the name, or NULL for the best one.  The others: as lc_gcm_init().
 * Returns as lc_gcm_init(); also LC_ERR_IMPL if the name is unknown or this CPU can't run it.
 */
LC_API LC_MUST_CHECK int lc_gcm_init_impl(struct lc_gcm_key *key, const char *impl, const uint8_t *raw, size_t raw_len);

/* lc_gcm_impl_name: the name of the implementation that the key was expanded for, a constant string. */
LC_API const char *lc_gcm_impl_name(const struct lc_gcm_key *key);

/* lc_gcm_wipe: overwrite the key with zeros.  The compiler can't drop this. */
LC_API void lc_gcm_wipe(struct lc_gcm_key *key);

/*
 * lc_gcm_seal: encrypt and authenticate one message (section 7.1).
 * dst, src: len bytes each; may be NULL if len is 0.  len: 0 .. LC_GCM_MAX_LEN.
 * tag: tag_len bytes, written.  tag_len: 16, 15, 14, 13, 12, 8 or 4.
 * aad: aad_len bytes; may be NULL if aad_len is 0.  aad_len: 0 .. LC_GCM_MAX_AAD_LEN.
 * nonce: nonce_len bytes, never used before with this key.  nonce_len: 1 .. LC_GCM_MAX_NONCE_LEN.
 * Returns:
 *   LC_OK
 *   LC_ERR_TAG_LEN    unsupported tag_len
 *   LC_ERR_LEN        the text or the AAD is too long
 *   LC_ERR_NONCE_LEN  nonce_len is out of range
 * After an error nothing is written.
 */
LC_API LC_MUST_CHECK int lc_gcm_seal(const struct lc_gcm_key *key, uint8_t *dst, uint8_t *tag, size_t tag_len, const uint8_t *src,
                                     size_t len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len);

/*
 * lc_gcm_open: decrypt one message if its tag is right (section 7.2).
 * tag: tag_len bytes, compared in constant time.  The others: as lc_gcm_seal().  Don't look at dst during the call.
 * The portable implementation reads src once to be hashed and once to be decrypted: if another thread writes to it meanwhile, dst
 * may get a text that was never authenticated, and LC_OK be returned.
 * Returns as lc_gcm_seal(), also:
 *   LC_ERR_AUTH  the text, AAD, nonce, tag or key isn't that of the sealed message.  dst then holds zeros; if dst == src, the
 *                ciphertext is lost.
 */
LC_API LC_MUST_CHECK int lc_gcm_open(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *tag,
                                     size_t tag_len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len);

/*
 * lc_gcm_seal_many, lc_gcm_open_many: seal or open many messages under one key in one call.  Each message gets a status of its own
 * and doesn't suffer from errors of others.
 * items: num_items messages (aead.h), with nonces of 12 bytes and tags of 16; may be NULL if num_items is 0.
 * Returns LC_OK if every item's status is LC_OK; else the status of the first item that failed.  Check the status of each item.
 */
LC_API LC_MUST_CHECK int lc_gcm_seal_many(const struct lc_gcm_key *key, struct lc_aead_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_gcm_open_many(const struct lc_gcm_key *key, struct lc_aead_item *items, size_t num_items);

/*
 * One message over several calls:
 *
 *     lc_gcm_start    lc_gcm_aad ...    lc_gcm_encrypt ...   lc_gcm_tag
 *                                       lc_gcm_decrypt ...   lc_gcm_verify
 *
 * AAD and text may be cut anywhere, also into pieces of 0 bytes, and either may be absent.  The result is the same as that of one
 * call.  Pieces that are multiples of 16 bytes are the fastest.
 *
 * The state points to the key: neither change nor move nor wipe the key while the state is in use.  The state may be copied by
 * memcpy, and the copy continues on its own.  It holds secrets: wipe it with lc_gcm_state_wipe(), also after an error.
 */
struct lc_gcm_state {
    const struct lc_gcm_key *key; /* private: the caller's key; lc_gcm_state_set_key() sets it */
    uint64_t j0[2];               /* private: the block that the counter blocks are counted from, made of the nonce */
    uint64_t hash[2];             /* private: GHASH of all whole blocks so far, without the bytes in `block` */
    uint64_t aad_len;             /* private: bytes of AAD so far */
    uint64_t len;                 /* private: bytes of text so far */
    uint32_t phase;               /* private */
    uint32_t block_len;           /* private: bytes in `block` */
    uint32_t left;                /* private: last bytes of keystream that weren't needed yet */
    uint32_t is_short_nonce;      /* private: of 12 bytes; then its counters are public */
    LC_ALIGNED(16) uint8_t block[128]; /* private: AAD or ciphertext that isn't hashed yet */
    uint8_t keystream[256];       /* private: of the blocks before the next */
};

/*
 * lc_gcm_start: begin a message.
 * s: written.  key: must stay as it is while s is in use.
 * nonce: nonce_len bytes; for encryption, never used before with this key.  nonce_len: 1 .. LC_GCM_MAX_NONCE_LEN.
 * Returns LC_OK; LC_ERR_NONCE_LEN if nonce_len is out of range, and then *s is untouched.
 */
LC_API LC_MUST_CHECK int lc_gcm_start(struct lc_gcm_state *s, const struct lc_gcm_key *key, const uint8_t *nonce, size_t nonce_len);

/*
 * lc_gcm_state_set_key: make the state use the key at another place.  For a copy of a state with a
 * copy of its key, and for a key that is moved.
 * key: has the contents of the key that the message began with.
 */
LC_API void lc_gcm_state_set_key(struct lc_gcm_state *s, const struct lc_gcm_key *key);

/*
 * lc_gcm_aad: add the next piece of AAD.
 * aad: aad_len bytes; may be NULL if aad_len is 0.
 * Returns:
 *   LC_OK
 *   LC_ERR_STATE  after a call for text, even of 0 bytes, or for the tag
 *   LC_ERR_LEN    the AAD would become longer than LC_GCM_MAX_AAD_LEN
 * After an error the state is untouched.
 */
LC_API LC_MUST_CHECK int lc_gcm_aad(struct lc_gcm_state *s, const uint8_t *aad, size_t aad_len);

/*
 * lc_gcm_encrypt, lc_gcm_decrypt: encrypt or decrypt the next piece of text.  All of its bytes are written at once.
 *
 * The output of lc_gcm_decrypt() is NOT verified yet: an attacker may have chosen it.  Don't use it and don't pass it on before
 * lc_gcm_verify() has returned LC_OK.  If that fails, destroy it.  lc_gcm_open() does this for you.
 *
 * With any implementation lc_gcm_decrypt() may read src twice, as said of lc_gcm_open(), and lc_gcm_encrypt() may read dst, which
 * it has written: if another thread writes there meanwhile, the tag may be that of what it wrote.
 *
 * dst, src: len bytes each; may be NULL if len is 0.
 * Returns:
 *   LC_OK
 *   LC_ERR_STATE  after lc_gcm_tag() or lc_gcm_verify(), or if this message has used the other direction
 *   LC_ERR_LEN    the text would become longer than LC_GCM_MAX_LEN
 * After an error nothing is written, and the state is untouched.
 */
LC_API LC_MUST_CHECK int lc_gcm_encrypt(struct lc_gcm_state *s, uint8_t *dst, const uint8_t *src, size_t len);
LC_API LC_MUST_CHECK int lc_gcm_decrypt(struct lc_gcm_state *s, uint8_t *dst, const uint8_t *src, size_t len);

/*
 * lc_gcm_tag: end an encryption and write its tag.
 * lc_gcm_verify: end a decryption and compare its tag in constant time.
 * Either one ends a message without text.
 * tag: tag_len bytes.  tag_len: as for lc_gcm_seal().
 * Both return:
 *   LC_OK
 *   LC_ERR_TAG_LEN  unsupported tag_len; the state is untouched
 *   LC_ERR_STATE    the message has ended already, or used the other direction; the state is untouched
 *   LC_ERR_AUTH     lc_gcm_verify() only: the tag is wrong; the message has ended
 */
LC_API LC_MUST_CHECK int lc_gcm_tag(struct lc_gcm_state *s, uint8_t *tag, size_t tag_len);
LC_API LC_MUST_CHECK int lc_gcm_verify(struct lc_gcm_state *s, const uint8_t *tag, size_t tag_len);

/*
 * lc_gcm_verify_prefix: end a decryption and compare the beginning of its tag in constant time.  For
 * formats that cut tags to lengths that the standard doesn't have (SP 800-38D, 5.2.1.2).
 * tag: tag_len bytes.  tag_len: 1 .. 16.  A forger's chance is at least 2^(-8 * tag_len) a try, so use lc_gcm_verify() if you can.
 * Returns as lc_gcm_verify().
 */
LC_API LC_MUST_CHECK int lc_gcm_verify_prefix(struct lc_gcm_state *s, const uint8_t *tag, size_t tag_len);

/* lc_gcm_state_wipe: overwrite the state with zeros.  The compiler can't drop this.  The key is not touched. */
LC_API void lc_gcm_state_wipe(struct lc_gcm_state *s);

/* lc_gcm_ops: the functions of this header as a table (aead.h), a constant. */
LC_API const struct lc_aead_ops *lc_gcm_ops(void);

#ifdef __cplusplus
}
#endif
#endif
