/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-GCM (NIST SP 800-38D): authenticated encryption with associated data.
 *
 * Hides a text and detects every change of it, of its associated data (AAD: sent in the clear) and of its nonce.
 *
 * NEVER use a nonce twice under one key.  Two messages with one nonce reveal the xor of their texts and let anybody forge others
 * under that key.  Count them, or draw 12 random bytes for no more than 2^32 messages a key (section 8.3); other lengths are for
 * formats that have them.
 *
 * Lengths in bytes:
 *   key    16, 24 or 32 (AES-128, AES-192, AES-256)
 *   nonce  1 .. LC_GCM_MAX_NONCE_LEN; 12 is what the mode was made for, others are hashed first (section 7.1)
 *   text   0 .. LC_GCM_MAX_LEN; the ciphertext has the same length (section 5.2.1.1)
 *   AAD    0 .. LC_GCM_MAX_AAD_LEN
 *   tag    16, 15, 14, 13 or 12; 8 and 4 only within the limits of appendix C.  A forger's chance is (length of text and AAD in
 *          blocks) / 2^(8 * tag_len) a try, and a try that succeeds helps with the next: take 16.
 *
 * Overlap: dst == src is allowed; apart from that, nothing that a call reads may lie in what it writes.  A tag right in front of
 * or behind the text is fine.
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
 * A key, expanded for one implementation.  Private: only the size and the alignment are part of the interface.  It holds the
 * secret; lc_gcm_wipe() it when done.  May be copied by memcpy and shared by threads.
 */
struct lc_gcm_key {
#ifdef __cplusplus
    alignas(16) uint8_t enc[15][16];
#else
    _Alignas(16) uint8_t enc[15][16]; /* private: round keys */
#endif
    uint32_t rounds;                  /* private: 10, 12 or 14 */
    uint32_t reserved;
    const struct lc_gcm_impl *impl;   /* private: a static row */
    uint8_t powers[21][16];           /* private: powers of the hash key, in the implementation's own form */
};

/*
 * lc_gcm_init: expand a key for the best implementation on this CPU.
 * raw, raw_len: 16, 24 or 32 bytes.
 * Returns LC_OK; LC_ERR_KEY_LEN; LC_ERR_ENV.  On an error *key is untouched.
 */
LC_API LC_MUST_CHECK int lc_gcm_init(struct lc_gcm_key *key, const uint8_t *raw, size_t raw_len);

/*
 * lc_gcm_init_impl: the same with the implementation chosen by name (NULL: as lc_gcm_init() does); LC_ERR_IMPL if the name is
 * unknown, or if this CPU can't run it.
 */
LC_API LC_MUST_CHECK int lc_gcm_init_impl(struct lc_gcm_key *key, const char *impl, const uint8_t *raw, size_t raw_len);

/* lc_gcm_impl_name: the name of the implementation that the key was expanded for. */
LC_API const char *lc_gcm_impl_name(const struct lc_gcm_key *key);

/* lc_gcm_wipe: overwrite the key with zeros in a way that the compiler can't drop. */
LC_API void lc_gcm_wipe(struct lc_gcm_key *key);

/*
 * lc_gcm_seal: encrypt and authenticate one message (section 7.1).
 * dst, src: len bytes each.  tag: tag_len bytes, written.  aad: aad_len bytes.  nonce: nonce_len bytes, never used before with
 * this key.
 * Returns LC_OK; LC_ERR_TAG_LEN; LC_ERR_LEN (text or AAD too long); LC_ERR_NONCE_LEN.
 */
LC_API LC_MUST_CHECK int lc_gcm_seal(const struct lc_gcm_key *key, uint8_t *dst, uint8_t *tag, size_t tag_len, const uint8_t *src,
                                     size_t len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len);

/*
 * lc_gcm_open: decrypt one message if its tag is right (section 7.2).  tag: tag_len bytes, compared in constant time.
 * Returns LC_OK; LC_ERR_TAG_LEN, LC_ERR_LEN, LC_ERR_NONCE_LEN; or LC_ERR_AUTH if the text, the AAD, the nonce, the tag or the key
 * isn't the one that was sealed: then dst holds zeros, and if dst == src the ciphertext is gone.  What dst holds during the call
 * is not to be looked at.
 */
LC_API LC_MUST_CHECK int lc_gcm_open(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *tag,
                                     size_t tag_len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len);

/*
 * Many messages under one key in one call; each gets its own status, and none is affected by the others' errors.
 * items: num_items of them (aead.h): 12-byte nonces, 16-byte tags.
 * Returns LC_OK if all of them are LC_OK, otherwise the first status in the order of the items that isn't: look at each.
 */
LC_API LC_MUST_CHECK int lc_gcm_seal_many(const struct lc_gcm_key *key, struct lc_aead_item *items, size_t num_items);
LC_API LC_MUST_CHECK int lc_gcm_open_many(const struct lc_gcm_key *key, struct lc_aead_item *items, size_t num_items);

/*
 * One message over several calls:
 *
 *     lc_gcm_start    lc_gcm_aad ...    lc_gcm_encrypt ...   lc_gcm_tag
 *                                       lc_gcm_decrypt ...   lc_gcm_verify
 *
 * AAD and text may be cut anywhere, into pieces of 0 bytes too, and either may be absent.  The result is that of one call; pieces
 * that are multiples of 16 bytes are the fastest.
 *
 * The state points to the key, which has to live, unchanged and at its place, as long as the state is used.  The state may be
 * copied by memcpy, and the copy continued by itself.  It holds secrets: lc_gcm_state_wipe() it, also after an error.
 */
struct lc_gcm_state {
    const struct lc_gcm_key *key; /* the caller's; may be set to a copy of it */
    uint64_t j0[2];               /* private: the block from which the nonce's counter blocks are counted */
    uint64_t hash[2];             /* private: GHASH of all whole blocks so far, but for those in `block` */
    uint64_t aad_len;             /* private: bytes so far */
    uint64_t len;                 /* private: bytes so far */
    uint8_t block[16];            /* private: AAD or ciphertext that isn't hashed yet */
    uint8_t keystream[16];        /* private: for the text block that has been begun */
    uint32_t block_len;           /* private: bytes in `block` */
    uint32_t phase;               /* private */
};

/*
 * lc_gcm_start: begin a message.
 * nonce: nonce_len bytes, for encryption never used before with this key.
 * Returns LC_OK, or LC_ERR_NONCE_LEN and *s is untouched.
 */
LC_API LC_MUST_CHECK int lc_gcm_start(struct lc_gcm_state *s, const struct lc_gcm_key *key, const uint8_t *nonce, size_t nonce_len);

/*
 * lc_gcm_aad: the next aad_len bytes of AAD.
 * Returns LC_OK; LC_ERR_STATE once there was a call for text, even of 0 bytes, or for the tag; LC_ERR_LEN if the AAD becomes too
 * long.  On an error the state is untouched.
 */
LC_API LC_MUST_CHECK int lc_gcm_aad(struct lc_gcm_state *s, const uint8_t *aad, size_t aad_len);

/*
 * lc_gcm_encrypt, lc_gcm_decrypt: the next len bytes of text; all of them come out at once.  dst, src: len bytes each.
 *
 * What lc_gcm_decrypt() gives out is NOT verified yet: it may be anything that an attacker chose.  Don't act on it, and don't pass
 * it on, before lc_gcm_verify() has returned LC_OK; if that fails, destroy it.  lc_gcm_open() does this for you.
 *
 * Returns LC_OK; LC_ERR_STATE after lc_gcm_tag() or lc_gcm_verify(), or if the message has been going the other way; LC_ERR_LEN if
 * the text becomes longer than LC_GCM_MAX_LEN.  On an error nothing is written, and the state is untouched.
 */
LC_API LC_MUST_CHECK int lc_gcm_encrypt(struct lc_gcm_state *s, uint8_t *dst, const uint8_t *src, size_t len);
LC_API LC_MUST_CHECK int lc_gcm_decrypt(struct lc_gcm_state *s, uint8_t *dst, const uint8_t *src, size_t len);

/*
 * lc_gcm_tag: end an encryption and write its tag, tag_len bytes.
 * lc_gcm_verify: end a decryption and compare its tag, in constant time.
 * Both also end a message without text.
 * Return LC_OK; LC_ERR_TAG_LEN; LC_ERR_STATE if the message has ended already or went the other way (then, as with
 * LC_ERR_TAG_LEN, the state is untouched); lc_gcm_verify() returns LC_ERR_AUTH if the tag is wrong, and the message has ended.
 */
LC_API LC_MUST_CHECK int lc_gcm_tag(struct lc_gcm_state *s, uint8_t *tag, size_t tag_len);
LC_API LC_MUST_CHECK int lc_gcm_verify(struct lc_gcm_state *s, const uint8_t *tag, size_t tag_len);

/* lc_gcm_state_wipe: overwrite the state with zeros; its key is left alone. */
LC_API void lc_gcm_state_wipe(struct lc_gcm_state *s);

#ifdef __cplusplus
}
#endif
#endif
