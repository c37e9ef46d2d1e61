/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* lanecrypt speed: SM2's signatures, by lanecrypt and by libcrypto (speed_curves.c) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lanecrypt/sm2.h"
#include "speed_curves.h"

enum { NID_SM2 = 1172 }; /* OpenSSL's number of the curve */

/* ---- Data: as many as the largest call has ---- */

static struct {
    uint8_t raw[32], public_raw[65], digest[LC_SM2_LEN], sig[64], der[80];
    size_t der_len;
    struct lc_sm2_key key;
    struct lc_sm2_public_key public_key;
    void *sign_ctx, *verify_ctx; /* libcrypto's, which have the keys */
} *data;

static struct lc_sm2_sign_item sign_items[MAX_BATCH];
static struct lc_sm2_verify_item verify_items[MAX_BATCH];

static void free_data(void)
{
    for (size_t i = 0; data && speed_ossl.library && i < MAX_BATCH; i++) {
        if (data[i].sign_ctx)
            speed_ossl.ctx_free(data[i].sign_ctx);
        if (data[i].verify_ctx)
            speed_ossl.ctx_free(data[i].verify_ctx);
    }
    free(data);
}

static void *make_ctx(const uint8_t *raw, size_t raw_len)
{
    const int is_private = raw_len == 32;
    void *key = speed_ossl.key_new(NID_SM2), *pkey = speed_ossl.pkey_new(), *ctx = NULL;

    if (key && pkey &&
        (is_private ? speed_ossl.put_private(key, raw, raw_len) : speed_ossl.put_public(key, raw, raw_len, NULL)) == 1 &&
        speed_ossl.pkey_set_key(pkey, key) == 1)
        ctx = speed_ossl.ctx_new(pkey, NULL);
    if (ctx && (is_private ? speed_ossl.sign_init(ctx) : speed_ossl.verify_init(ctx)) != 1) {
        speed_ossl.ctx_free(ctx);
        ctx = NULL;
    }
    if (key)
        speed_ossl.key_free(key);
    if (pkey)
        speed_ossl.pkey_free(pkey);
    return ctx;
}

static bool sign_one_of_theirs(size_t i)
{
    data[i].der_len = sizeof(data[i].der);
    return speed_ossl.pkey_sign(data[i].sign_ctx, data[i].der, &data[i].der_len, data[i].digest, LC_SM2_LEN) == 1;
}

static bool make_data(void)
{
    bool ok = true;

    data = calloc(MAX_BATCH, sizeof(*data));
    if (!data) {
        cli_error("speed: out of memory");
        return false;
    }
    for (size_t i = 0; ok && i < MAX_BATCH; i++) {
        for (size_t k = 0; k < 32; k++) {
            data[i].raw[k] = (uint8_t)(i * 37 + (i >> 8) + k * 131 + 1);
            data[i].digest[k] = (uint8_t)(i * 11 + k * k);
        }
        ok = lc_sm2_init(&data[i].key, data[i].raw, 32) == LC_OK;
        lc_sm2_get_public(&data[i].key, data[i].public_raw);
        if (!speed_ossl.library) {
            ok = ok && lc_sm2_sign(&data[i].key, data[i].sig, data[i].digest) == LC_OK;
            continue;
        }
        data[i].sign_ctx = make_ctx(data[i].raw, 32);
        data[i].verify_ctx = make_ctx(data[i].public_raw, 65);
        ok = ok && data[i].sign_ctx && data[i].verify_ctx && sign_one_of_theirs(i);
        ok = ok && lc_sm2_from_der(data[i].sig, data[i].der, data[i].der_len) == LC_OK;
    }
    if (!ok)
        cli_error("speed: keys or signatures can't be made");
    return ok;
}

static bool make_items(const char *features)
{
    char impl[40];

    snprintf(impl, sizeof(impl), "sm2%s", features);
    for (size_t i = 0; i < MAX_BATCH; i++) {
        if (lc_sm2_init_impl(&data[i].key, impl, data[i].raw, 32) != LC_OK ||
            lc_sm2_public_init_impl(&data[i].public_key, impl, data[i].public_raw, 65) != LC_OK)
            return false;
        sign_items[i] = (struct lc_sm2_sign_item){ &data[i].key, data[i].sig, data[i].digest, data[i].raw, 32, 0 };
        verify_items[i] = (struct lc_sm2_verify_item){ &data[i].public_key, data[i].sig, data[i].digest, 0 };
    }
    return true;
}

/* ---- What is timed ---- */

static bool sign_ours(size_t num)
{
    return lc_sm2_sign_many_with(sign_items, num) == LC_OK;
}

static bool sign_theirs(size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        ok &= sign_one_of_theirs(i);
    return ok;
}

static bool check_signatures(size_t num)
{
    for (size_t i = 0; i < num; i++) {
        uint8_t der[LC_SM2_MAX_DER_LEN];
        size_t len = lc_sm2_to_der(der, data[i].sig);

        if (speed_ossl.library ? speed_ossl.pkey_verify(data[i].verify_ctx, der, len, data[i].digest, LC_SM2_LEN) != 1
                               : lc_sm2_verify(&data[i].public_key, data[i].sig, data[i].digest) != LC_OK)
            return false;
    }
    return true;
}

static bool verify_ours(size_t num)
{
    return lc_sm2_verify_many(verify_items, num) == LC_OK;
}

static bool verify_theirs(size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        ok &= speed_ossl.pkey_verify(data[i].verify_ctx, data[i].der, data[i].der_len, data[i].digest, LC_SM2_LEN) == 1;
    return ok;
}

/* Those that were taken are libcrypto's; with a bit changed none is. */
static bool check_refusal(size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        data[i].sig[i % 64] ^= 1;
    ok = lc_sm2_verify_many(verify_items, num) == LC_ERR_SIGNATURE;
    for (size_t i = 0; i < num; i++) {
        ok &= verify_items[i].status == LC_ERR_SIGNATURE;
        data[i].sig[i % 64] ^= 1;
    }
    return ok;
}

/* libcrypto's signatures again, for what comes next */
static bool restore(void)
{
    bool ok = true;

    for (size_t i = 0; speed_ossl.library && i < MAX_BATCH; i++)
        ok &= lc_sm2_from_der(data[i].sig, data[i].der, data[i].der_len) == LC_OK;
    return ok;
}

const struct speed_curve speed_sm2 = {
    .make_data = make_data,
    .make_items = make_items,
    .restore = restore,
    .free_data = free_data,
    .algs = {
        { "sm2-sign", "sm2", sign_ours, sign_theirs, check_signatures, NULL },
        { "sm2-verify", "sm2", verify_ours, verify_theirs, check_refusal, NULL },
    },
};
