/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Part of `lanecrypt verify`: JSON Web Tokens in compact form (RFC 7519; RFC 7515, 7.1), and keys that verify them (RFC 7517). */
#ifndef LANECRYPT_JWT_H
#define LANECRYPT_JWT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lanecrypt/ecdsa.h"
#include "lanecrypt/ed25519.h"
#include "lanecrypt/rsa.h"

enum jwt_alg { JWT_ES256, JWT_ES384, JWT_EDDSA, JWT_RS256, JWT_PS256, NUM_JWT_ALGS };
enum jwk_kind { JWK_P256, JWK_P384, JWK_ED25519, JWK_RSA };

#define JWT_MAX_SIG_LEN LC_RSA_MAX_LEN
#define JWT_MAX_HEADER_LEN 8192 /* bytes of JSON */

extern const char *const jwt_alg_names[NUM_JWT_ALGS];

struct jwk {
    char *kid; /* NULL if it has none */
    char *kid_json; /* the same as JSON, "null" if it has none */
    enum jwk_kind kind;
    enum jwt_alg alg; /* the only one that it is for; NUM_JWT_ALGS: all of its kind */
    union {
        struct lc_ecdsa_p256_public_key p256;
        struct lc_ecdsa_p384_public_key p384;
        struct lc_ed25519_public_key ed25519;
        struct lc_rsa_public_key rsa;
    } key;
    _Atomic unsigned long num_used; /* P-256: tokens before it was prepared */
    const struct lc_ecdsa_p256_public_key *_Atomic p256_prepared; /* NULL until it has been used often enough; from malloc() */
};

struct jwks {
    struct jwk *keys; /* by algorithm, then by kid, those without one first */
    size_t num_keys;
};

/*
 * Read a JWK Set, or a single key, from a file.  Keys that can't verify any token here are left out, each with a message, as RFC
 * 7517 has it (section 5).  Returns false, with a message, if there is no set in the file, no key is left, or two keys of one kind
 * have the same kid.  Free it in any case.
 */
bool jwks_load(struct jwks *set, const char *path);
void jwks_free(struct jwks *set);

/* A header that was met before: tokens of one issuer have the same one, so each thread keeps some. */
struct jwt_header {
    char *text; /* base64url; NULL if nothing was kept here yet */
    size_t len;
    enum jwt_alg alg;
    struct jwk *key;
    const char *problem;
};

enum { NUM_JWT_HEADERS = 256 };

/* A token, taken apart. */
struct jwt {
    enum jwt_alg alg;
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
