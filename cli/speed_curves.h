/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* lanecrypt speed: what speed_curves.c and the curves (speed_curve_body.h) share. */
#ifndef LC_CLI_SPEED_CURVES_H
#define LC_CLI_SPEED_CURVES_H

#include "speed.h"

enum { MAX_BATCH = 1024 };

/* libcrypto, or all NULL */
extern struct speed_ossl {
    void *library;
    void *(*key_new)(int curve);
    void (*key_free)(void *key);
    int (*put_private)(void *key, const uint8_t *raw, size_t len);
    int (*put_public)(void *key, const uint8_t *raw, size_t len, void *ctx);
    const void *(*public_of)(const void *key);
    int (*sign)(int type, const uint8_t *digest, int digest_len, uint8_t *sig, unsigned *sig_len, void *key);
    int (*verify)(int type, const uint8_t *digest, int digest_len, const uint8_t *sig, int sig_len, void *key);
    int (*dh)(void *out, size_t len, const void *point, const void *key, void *kdf);
    const char *(*version)(int what);
    /* SM2's, of which the functions above know the keys only, and RSA's */
    void *(*pkey_new)(void);
    void (*pkey_free)(void *pkey);
    int (*pkey_set_key)(void *pkey, void *key);
    void *(*ctx_new)(void *pkey, void *engine);
    void (*ctx_free)(void *ctx);
    int (*sign_init)(void *ctx);
    int (*pkey_sign)(void *ctx, uint8_t *sig, size_t *sig_len, const uint8_t *digest, size_t digest_len);
    int (*verify_init)(void *ctx);
    void *(*decode_private)(void **pkey, const uint8_t **der, long der_len); /* RSA's keys */
    int (*pkey_verify)(void *ctx, const uint8_t *sig, size_t sig_len, const uint8_t *digest, size_t digest_len);
    int (*ctx_set)(void *ctx, const char *name, const char *value);
    int (*encrypt_init)(void *ctx);
    int (*pkey_encrypt)(void *ctx, uint8_t *ct, size_t *ct_len, const uint8_t *msg, size_t msg_len);
    int (*decrypt_init)(void *ctx);
    int (*pkey_decrypt)(void *ctx, uint8_t *msg, size_t *msg_len, const uint8_t *ct, size_t ct_len);
} speed_ossl;

struct curve_alg {
    const char *name, *mode;
    /* num operations; check: does libcrypto, or we if there is none, agree on what `ours` has made? */
    bool (*ours)(size_t num), (*theirs)(size_t num), (*check)(size_t num);
    bool (*has)(void); /* does the implementation that items were made for have it?  NULL: all do */
};

struct speed_curve {
    bool (*make_data)(void);
    bool (*make_items)(const char *features); /* the keys of the implementations whose names end in that */
    bool (*restore)(void);                    /* after a cell */
    void (*free_data)(void);
    struct curve_alg algs[MAX_CURVE_ALGS]; /* fewer: names are NULL */
};

extern const struct speed_curve speed_p256, speed_p384, speed_25519, speed_sm2, speed_rsa;

#endif
