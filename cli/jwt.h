/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Part of `lanecrypt verify`: JSON Web Tokens in compact form (RFC 7519; RFC 7515, 7.1), and keys that verify them (RFC 7517). */
#ifndef LANECRYPT_JWT_H
#define LANECRYPT_JWT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lanecrypt/ecdsa.h"
#include "lanecrypt/ed25519.h"

enum jwt_alg { JWT_ES256, JWT_ES384, JWT_EDDSA, NUM_JWT_ALGS };

#define JWT_MAX_SIG_LEN 96
#define JWT_MAX_HEADER_LEN 8192 /* bytes of JSON */

extern const char *const jwt_alg_names[NUM_JWT_ALGS];

struct jwk {
    char *kid; /* NULL if it has none */
    char *kid_json; /* the same as JSON, "null" if it has none */
    enum jwt_alg alg; /* the one that it is for: each kind of key has one here */
    union {
        struct lc_ecdsa_p256_public_key p256;
        struct lc_ecdsa_p384_public_key p384;
        struct lc_ed25519_public_key ed25519;
    } key;
    _Atomic unsigned long num_used; /* P-256: tokens before it was prepared */
    const struct lc_ecdsa_p256_public_key *_Atomic p256_prepared; /* NULL until it has been used often enough; from malloc() */
};

struct jwks {
    struct jwk *keys; /* by kid, those without one first */
    size_t num_keys;
};

/*
 * Read a JWK Set, or a single key, from a file.  Keys that can't verify any token here are left out, each with a message, as RFC
 * 7517 has it (section 5).  Returns false, with a message, if there is no set in the file, no key is left, or two keys for the same
 * algorithm have the same kid.  Free it in any case.
 */
bool jwks_load(struct jwks *set, const char *path);
void jwks_free(struct jwks *set);

/* A header that was met before: tokens of one issuer have the same one, so each thread keeps some. */
struct jwt_header {
    char *text; /* base64url; NULL if nothing was kept here yet */
    size_t len;
    struct jwk *key;
    const char *problem;
};

enum { NUM_JWT_HEADERS = 256 };

/* A token, taken apart. */
struct jwt {
    struct jwk *key;
    const uint8_t *msg; /* what is signed */
    size_t msg_len;
    uint8_t sig[JWT_MAX_SIG_LEN];
};

/*
 * Take a token apart, and find its key.  headers: NUM_JWT_HEADERS, zeros at first; freed by jwt_headers_free().
 * jwt->msg points into text.  Returns NULL, or what is wrong, as a constant string.
 */
const char *jwt_parse(struct jwt *jwt, const struct jwks *set, struct jwt_header *headers, const char *text, size_t len);
void jwt_headers_free(struct jwt_header *headers);

#endif
