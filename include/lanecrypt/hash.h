/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What all hash functions share: sha2.h, sm3.h. */
#ifndef LANECRYPT_HASH_H
#define LANECRYPT_HASH_H

#include "lanecrypt.h"

/* One message of a call that takes many. */
struct lc_hash_item {
    uint8_t *digest;    /* written: as many bytes as the hash gives */
    const uint8_t *msg; /* len bytes; may be NULL if len is 0 */
    size_t len;         /* any */
};

#endif
