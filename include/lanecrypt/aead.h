/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the authenticated modes share: one message of many. */
#ifndef LANECRYPT_AEAD_H
#define LANECRYPT_AEAD_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One message for lc_<mode>_seal_many() and lc_<mode>_open_many(): nonces of 12 bytes, tags of 16.
 * dst == src is allowed; nothing else that a call reads may lie in what it writes, the other items' included.
 */
struct lc_aead_item {
    uint8_t *dst;         /* len bytes */
    uint8_t *tag;         /* 16 bytes: written by seal, only read by open */
    const uint8_t *src;   /* len bytes */
    size_t len;
    const uint8_t *aad;   /* aad_len bytes, authenticated and not encrypted */
    size_t aad_len;
    const uint8_t *nonce; /* 12 bytes */
    int status;           /* out: what the function for one message would have returned */
};

#ifdef __cplusplus
}
#endif
#endif
