/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the authenticated modes share: a message for a call that takes many of them. */
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

#ifdef __cplusplus
}
#endif
#endif
