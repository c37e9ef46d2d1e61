/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* lanecrypt speed: X25519 and Ed25519, by lanecrypt and by libcrypto.  Messages have 32 bytes. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lanecrypt/ed25519.h"
#include "lanecrypt/x25519.h"
#include "speed_curves.h"

enum { NID_X25519 = 1034, NID_ED25519 = 1087, MSG_LEN = 32 };

/* ---- libcrypto: OpenSSL 1.1.1 has these names ---- */

static struct {
    void *(*new_private)(int type, void *engine, const uint8_t *raw, size_t len);
    void *(*new_public)(int type, void *engine, const uint8_t *raw, size_t len);
    int (*get_public)(const void *key, uint8_t *raw, size_t *len);
    void (*key_free)(void *key);
    void *(*ctx_new)(void *key, void *engine);
    void (*ctx_free)(void *ctx);
    int (*derive_init)(void *ctx);
    int (*set_peer)(void *ctx, void *peer);
    int (*derive)(void *ctx, uint8_t *secret, size_t *len);
    void *(*md_new)(void);
    void (*md_free)(void *ctx);
    int (*sign_init)(void *ctx, void *key_ctx, const void *md, void *engine, void *key);
    int (*sign)(void *ctx, uint8_t *sig, size_t *sig_len, const uint8_t *msg, size_t len);
    int (*verify_init)(void *ctx, void *key_ctx, const void *md, void *engine, void *key);
    int (*verify)(void *ctx, const uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t len);
} theirs;

static bool find_functions(void)
{
    static const struct {
        const char *name;
        size_t at;
    } functions[] = {
#define FUNCTION(name, member) { name, offsetof(__typeof__(theirs), member) }
        FUNCTION("EVP_PKEY_new_raw_private_key", new_private),
        FUNCTION("EVP_PKEY_new_raw_public_key", new_public),
        FUNCTION("EVP_PKEY_get_raw_public_key", get_public),
        FUNCTION("EVP_PKEY_free", key_free),
        FUNCTION("EVP_PKEY_CTX_new", ctx_new),
        FUNCTION("EVP_PKEY_CTX_free", ctx_free),
        FUNCTION("EVP_PKEY_derive_init", derive_init),
        FUNCTION("EVP_PKEY_derive_set_peer", set_peer),
        FUNCTION("EVP_PKEY_derive", derive),
        FUNCTION("EVP_MD_CTX_new", md_new),
        FUNCTION("EVP_MD_CTX_free", md_free),
        FUNCTION("EVP_DigestSignInit", sign_init),
        FUNCTION("EVP_DigestSign", sign),
        FUNCTION("EVP_DigestVerifyInit", verify_init),
        FUNCTION("EVP_DigestVerify", verify),
    };

    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        void *function = dlsym(speed_ossl.library, functions[i].name);

        if (!function) {
            cli_error("speed: --peer: it has no %s()", functions[i].name);
            return false;
        }
        memcpy((char *)&theirs + functions[i].at, &function, sizeof(function));
    }
    return true;
}

/* ---- Data: as many as the largest call has ---- */

static struct {
    uint8_t raw[32], dh_public[32], sign_public[32], msg[MSG_LEN], sig[64], their_sig[64], secret[32], made_public[32];
    struct lc_x25519_key dh_key;
    struct lc_ed25519_key sign_key;
    struct lc_ed25519_public_key public_key;
    void *their_dh, *their_sign, *dh_ctx, *md_sign, *md_verify;
} *data;

static struct lc_x25519_item dh_items[MAX_BATCH];
static struct lc_x25519_public_item public_items[MAX_BATCH];
static struct lc_ed25519_sign_item sign_items[MAX_BATCH];
static struct lc_ed25519_verify_item verify_items[MAX_BATCH];
static void *workspace; /* for a batch */
static size_t workspace_len;

static void free_data(void)
{
    for (size_t i = 0; data && speed_ossl.library && i < MAX_BATCH; i++) {
        theirs.ctx_free(data[i].dh_ctx); /* of NULL, too */
        theirs.md_free(data[i].md_sign);
        theirs.md_free(data[i].md_verify);
        theirs.key_free(data[i].their_dh);
        theirs.key_free(data[i].their_sign);
    }
    free(data);
    data = NULL;
    free(workspace);
    workspace = NULL;
}

static bool make_theirs(size_t i)
{
    size_t len = 32;
    bool ok;

    data[i].their_dh = theirs.new_private(NID_X25519, NULL, data[i].raw, 32);
    data[i].their_sign = theirs.new_private(NID_ED25519, NULL, data[i].raw, 32);
    ok = data[i].their_dh && data[i].their_sign;
    ok = ok && theirs.get_public(data[i].their_dh, data[i].dh_public, &len) == 1;
    ok = ok && theirs.get_public(data[i].their_sign, data[i].sign_public, &len) == 1;
    if (!ok)
        return false;
    data[i].dh_ctx = theirs.ctx_new(data[i].their_dh, NULL);
    data[i].md_sign = theirs.md_new();
    data[i].md_verify = theirs.md_new();
    ok = data[i].dh_ctx && data[i].md_sign && data[i].md_verify;
    ok = ok && theirs.derive_init(data[i].dh_ctx) == 1;
    ok = ok && theirs.sign_init(data[i].md_sign, NULL, NULL, NULL, data[i].their_sign) == 1;
    ok = ok && theirs.verify_init(data[i].md_verify, NULL, NULL, NULL, data[i].their_sign) == 1;
    return ok;
}

static bool sign_theirs(size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++) {
        size_t len = 64;

        ok &= theirs.sign(data[i].md_sign, data[i].their_sig, &len, data[i].msg, MSG_LEN) == 1;
    }
    return ok;
}

static bool make_data(void)
{
    bool ok = true;

    if (speed_ossl.library && !find_functions())
        return false;
    data = calloc(MAX_BATCH, sizeof(*data));
    if (!data) {
        cli_error("speed: out of memory");
        return false;
    }
    for (size_t i = 0; ok && i < MAX_BATCH; i++) {
        for (size_t k = 0; k < 32; k++) {
            data[i].raw[k] = (uint8_t)(i * 37 + (i >> 8) + k * 131 + 1);
            data[i].msg[k] = (uint8_t)(i * 11 + k * k);
        }
        if (speed_ossl.library) {
            ok = make_theirs(i);
            continue;
        }
        ok = lc_x25519_init(&data[i].dh_key, data[i].raw, 32) == LC_OK &&
             lc_ed25519_init(&data[i].sign_key, data[i].raw, 32) == LC_OK &&
             lc_ed25519_sign(&data[i].sign_key, data[i].their_sig, data[i].msg, MSG_LEN) == LC_OK;
        lc_x25519_get_public(&data[i].dh_key, data[i].dh_public);
        lc_ed25519_get_public(&data[i].sign_key, data[i].sign_public);
    }
    if (ok && speed_ossl.library) {
        ok = sign_theirs(MAX_BATCH);
        for (size_t i = 0; i < MAX_BATCH; i++)
            ok = ok && theirs.set_peer(data[i].dh_ctx, data[(i + 1) % MAX_BATCH].their_dh) == 1;
    }
    if (!ok)
        cli_error("speed: keys or signatures can't be made");
    return ok;
}

/* The keys of that implementation */
static bool make_items(const char *features)
{
    char dh[40], sign_name[40];
    const char *sign = sign_name;

    snprintf(dh, sizeof(dh), "x25519%s", features);
    snprintf(sign_name, sizeof(sign_name), "ed25519%s", features);
    /* Not each ladder of X25519 has an Ed25519 beside it.  Where there's none, any will do, as it isn't timed. */
    if (lc_ed25519_init_impl(&data[0].sign_key, sign, data[0].raw, 32) == LC_ERR_IMPL)
        sign = NULL;
    for (size_t i = 0; i < MAX_BATCH; i++) {
        const size_t other = (i + 1) % MAX_BATCH;

        if (lc_x25519_init_impl(&data[i].dh_key, dh, data[i].raw, 32) != LC_OK ||
            lc_ed25519_init_impl(&data[i].sign_key, sign, data[i].raw, 32) != LC_OK ||
            lc_ed25519_public_init_impl(&data[i].public_key, sign, data[i].sign_public, 32) != LC_OK)
            return false;
        memcpy(data[i].sig, data[i].their_sig, 64);
        dh_items[i] = (struct lc_x25519_item){ &data[i].dh_key, data[i].secret, data[other].dh_public, 0 };
        public_items[i] = (struct lc_x25519_public_item){ &data[i].dh_key, data[i].made_public };
        sign_items[i] = (struct lc_ed25519_sign_item){ &data[i].sign_key, data[i].sig, data[i].msg, MSG_LEN, 0 };
        verify_items[i] = (struct lc_ed25519_verify_item){ &data[i].public_key, data[i].sig, data[i].msg, MSG_LEN, 0 };
    }
    free(workspace);
    workspace_len = lc_ed25519_verify_batch_len(&data[0].public_key, MAX_BATCH);
    workspace = malloc(workspace_len);
    return workspace != NULL;
}

/* ---- What is timed, and checked against libcrypto's; signatures and public keys are the same each time ---- */

static bool dh_ours(size_t num)
{
    return lc_x25519_many(dh_items, num) == LC_OK;
}

static bool dh_theirs(size_t num)
{
    uint8_t secret[32];
    bool ok = true;

    for (size_t i = 0; i < num; i++) {
        size_t len = 32;

        ok &= theirs.derive(data[i].dh_ctx, secret, &len) == 1;
    }
    return ok;
}

static bool check_secrets(size_t num)
{
    uint8_t secret[32];

    for (size_t i = 0; speed_ossl.library && i < num; i++) {
        size_t len = 32;

        if (theirs.derive(data[i].dh_ctx, secret, &len) != 1 || memcmp(secret, data[i].secret, 32) != 0)
            return false;
    }
    return true;
}

static bool base_ours(size_t num)
{
    lc_x25519_get_public_many(public_items, num);
    return true;
}

/* A key is made of its bytes, and that computes its public one. */
static bool base_theirs(size_t num)
{
    uint8_t public_raw[32];
    bool ok = true;

    for (size_t i = 0; i < num; i++) {
        void *key = theirs.new_private(NID_X25519, NULL, data[i].raw, 32);
        size_t len = 32;

        ok &= key && theirs.get_public(key, public_raw, &len) == 1;
        theirs.key_free(key);
    }
    return ok;
}

static bool check_publics(size_t num)
{
    for (size_t i = 0; i < num; i++)
        if (memcmp(data[i].made_public, data[i].dh_public, 32) != 0)
            return false;
    return true;
}

static bool sign_ours(size_t num)
{
    return lc_ed25519_sign_many(sign_items, num) == LC_OK;
}

static bool check_signatures(size_t num)
{
    for (size_t i = 0; i < num; i++)
        if (memcmp(data[i].sig, data[i].their_sig, 64) != 0)
            return false;
    return true;
}

static bool verify_ours(size_t num)
{
    return lc_ed25519_verify_many(verify_items, num) == LC_OK;
}

static bool verify_theirs(size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        ok &= theirs.verify(data[i].md_verify, data[i].their_sig, 64, data[i].msg, MSG_LEN) == 1;
    return ok;
}

/* Those that were taken are libcrypto's; with a bit changed none is. */
static bool check_refusal(size_t num)
{
    bool ok;

    for (size_t i = 0; i < num; i++)
        data[i].sig[i % 64] ^= 1;
    ok = lc_ed25519_verify_many(verify_items, num) == LC_ERR_SIGNATURE;
    for (size_t i = 0; i < num; i++) {
        ok &= verify_items[i].status == LC_ERR_SIGNATURE;
        data[i].sig[i % 64] ^= 1;
    }
    return ok;
}

static bool batch_ours(size_t num)
{
    return lc_ed25519_verify_batch(verify_items, num, NULL, workspace, workspace_len) == LC_OK;
}

/* With a bit of one changed it's none of all. */
static bool check_batch(size_t num)
{
    bool ok;

    data[num / 2].sig[num % 64] ^= 1;
    ok = lc_ed25519_verify_batch(verify_items, num, NULL, workspace, workspace_len) == LC_ERR_SIGNATURE;
    data[num / 2].sig[num % 64] ^= 1;
    return ok;
}

static bool restore(void)
{
    for (size_t i = 0; i < MAX_BATCH; i++)
        memcpy(data[i].sig, data[i].their_sig, 64);
    return true;
}

const struct speed_curve speed_25519 = {
    .make_data = make_data,
    .make_items = make_items,
    .restore = restore,
    .free_data = free_data,
    .algs = {
        { "x25519", "x25519", dh_ours, dh_theirs, check_secrets, NULL },
        { "x25519-base", "x25519", base_ours, base_theirs, check_publics, NULL },
        { "ed25519-sign", "ed25519", sign_ours, sign_theirs, check_signatures, NULL },
        { "ed25519-verify", "ed25519", verify_ours, verify_theirs, check_refusal, NULL },
        { "ed25519-verify-batch", "ed25519", batch_ours, verify_theirs, check_batch, NULL },
    },
};
