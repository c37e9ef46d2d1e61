/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#ifndef LC_ECDSA_INTERNAL_H
#define LC_ECDSA_INTERNAL_H

#include "lanecrypt/ecdsa.h"
#include "p256_internal.h"

/* A signature that is being made. */
struct lc_ecdsa_job {
    const struct lc_ecdsa_p256_key *key;
    uint64_t e[4], k[4]; /* the digest as a number below n; the nonce, 1 .. n - 1 */
    uint64_t r[4], s[4]; /* written */
    uint8_t extra[LC_ECDSA_MAX_EXTRA_LEN];
    size_t extra_len;
    unsigned skip; /* so many nonces were of no use */
};

/* k of all jobs (RFC 6979, 3.2 and 3.6); num: up to LC_P256_CHUNK.  LC_OK, LC_ERR_ENV. */
int lc_ecdsa_p256_nonces(struct lc_ecdsa_job *jobs, size_t num);

/*
 * r and s of all jobs from their nonces; num: up to LC_P256_CHUNK, under keys of one implementation.  If r or s is 0, which one
 * nonce of 2^256 gives, another one is needed.
 */
void lc_ecdsa_p256_finish(struct lc_ecdsa_job *jobs, size_t num);

#endif
