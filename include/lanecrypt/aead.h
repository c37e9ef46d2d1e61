/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the authenticated modes share: a message for a call that takes many of them, and a table of functions. */
#ifndef LANECRYPT_AEAD_H
#define LANECRYPT_AEAD_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One message for lc_<mode>_seal_many() and lc_<mode>_open_many().
 * dst, src: may be NULL if len is 0.  aad: may be NULL if aad_len is 0.  The limits of len and aad_len are those of the mode.
 * Overlap: dst == src is allowed.  Nothing else that a call reads may lie in what it writes, for all items of the call together.
 */
struct lc_aead_item {
    uint8_t *dst;         /* len bytes */
    uint8_t *tag;         /* 16 bytes; seal writes it, open only reads it */
    const uint8_t *src;   /* len bytes */
    size_t len;           /* bytes of text */
    const uint8_t *aad;   /* aad_len bytes: authenticated, but not encrypted */
    size_t aad_len;       /* bytes of AAD */
    const uint8_t *nonce; /* 12 bytes */
    int status;           /* written: what the function for one message would return */
};

/*
 * A mode's functions, for code that serves several modes.  lc_gcm_ops() and lc_chacha20poly1305_ops() return such a table.  Each
 * function does what the mode's function of the same name does: seal is lc_<mode>_seal(), with its lengths, errors and rules.
 *
 * key, s: a struct lc_<mode>_key and a struct lc_<mode>_state, or memory of key_size and state_size bytes at a multiple of 16, as
 * malloc() on 64-bit systems returns it.
 * Threads: tables are constant.
 * Later versions may add members at the end, so don't copy a table.
 */
struct lc_aead_ops {
    size_t key_size;   /* bytes of a struct lc_<mode>_key */
    size_t state_size; /* bytes of a struct lc_<mode>_state */

    int (*init)(void *key, const uint8_t *raw, size_t raw_len);
    int (*init_impl)(void *key, const char *impl, const uint8_t *raw, size_t raw_len);
    const char *(*impl_name)(const void *key);
    void (*wipe)(void *key);

    int (*seal)(const void *key, uint8_t *dst, uint8_t *tag, size_t tag_len, const uint8_t *src, size_t len, const uint8_t *aad,
                size_t aad_len, const uint8_t *nonce, size_t nonce_len);
    int (*open)(const void *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *tag, size_t tag_len,
                const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len);
    int (*seal_many)(const void *key, struct lc_aead_item *items, size_t num_items);
    int (*open_many)(const void *key, struct lc_aead_item *items, size_t num_items);

    int (*start)(void *s, const void *key, const uint8_t *nonce, size_t nonce_len);
    int (*aad)(void *s, const uint8_t *aad, size_t aad_len);
    int (*encrypt)(void *s, uint8_t *dst, const uint8_t *src, size_t len);
    int (*decrypt)(void *s, uint8_t *dst, const uint8_t *src, size_t len);
    int (*tag)(void *s, uint8_t *tag, size_t tag_len);
    int (*verify)(void *s, const uint8_t *tag, size_t tag_len);
    int (*verify_prefix)(void *s, const uint8_t *tag, size_t tag_len);
    void (*state_set_key)(void *s, const void *key);
    void (*state_wipe)(void *s);
};

#ifdef __cplusplus
}
#endif
#endif
