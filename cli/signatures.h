/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Part of `lanecrypt verify`: signatures of several algorithms, of which each gets calls for many. */
#ifndef LANECRYPT_SIGNATURES_H
#define LANECRYPT_SIGNATURES_H

#include <stddef.h>
#include <stdint.h>

#include "lanecrypt/ecdsa.h"
#include "lanecrypt/ed25519.h"
#include "lanecrypt/rsa.h"
#include "lanecrypt/sha2.h"

enum { MAX_SIGNATURES = 1024 }; /* that are verified at once */

enum signature_kind { SIG_P256, SIG_P384, SIG_ED25519, SIG_RSA_PKCS1, SIG_RSA_PSS, NUM_SIGNATURE_KINDS };

struct signature {
    enum signature_kind kind;
    enum lc_rsa_hash hash; /* which hash function, whatever the kind; Ed25519 doesn't look at it */
    const void *key;       /* the public key of that kind */
    const uint8_t *msg;    /* msg_len bytes */
    size_t msg_len;
    const uint8_t *sig; /* r || s for ECDSA.  RSA's has sig_len bytes; the length of the others was checked. */
    size_t sig_len;
    size_t salt_len;       /* PSS */
    int status;            /* written: LC_OK, LC_ERR_SIGNATURE, or another */
};

/* Room for what is made of them */
struct signature_work {
    struct signature *of_kind[MAX_SIGNATURES];
    uint8_t digests[MAX_SIGNATURES][LC_SHA512_LEN];
    struct lc_hash_item messages[MAX_SIGNATURES];
    union {
        struct lc_ecdsa_p256_verify_item p256[MAX_SIGNATURES];
        struct lc_ecdsa_p384_verify_item p384[MAX_SIGNATURES];
        struct lc_ed25519_verify_item ed25519[MAX_SIGNATURES];
        struct lc_rsa_verify_item rsa[MAX_SIGNATURES];
    } items;
};

/* Bytes of that hash function's digest */
size_t signature_digest_len(enum lc_rsa_hash hash);

/* Verify num signatures, at most MAX_SIGNATURES, in any order. */
void signatures_verify(struct signature_work *w, struct signature *signatures, size_t num);

#endif
