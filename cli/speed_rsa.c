/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt speed: RSA's signatures (PKCS #1), by lanecrypt and by libcrypto (speed_curves.c).  Other than with curves, all
 * operations of a call are under one key, as many keys of 4096 bits would take their time to make.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/rsa_keys.h"
#include "cli.h"
#include "lanecrypt/rsa.h"
#include "speed_curves.h"

enum { NUM_LENGTHS = 3, NUM_DIGESTS = 8 };

/* DigestInfo of a digest by SHA-256: with it libcrypto needs to be told nothing of the hash function. */
static const uint8_t info[19] = { 0x30, 0x31, 0x30, 13, 0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 0x05, 0, 0x04, 32 };

/* ---- Data ---- */

static struct length {
    struct lc_rsa_key key;
    struct lc_rsa_public_key public_key;
    void *sign_ctx, *verify_ctx; /* libcrypto's, which have the keys */
    uint8_t right[NUM_DIGESTS][LC_RSA_MAX_LEN], sigs[MAX_BATCH][LC_RSA_MAX_LEN];
    struct lc_rsa_sign_item sign_items[MAX_BATCH];
    struct lc_rsa_verify_item verify_items[MAX_BATCH];
} *data;
static uint8_t encoded[NUM_DIGESTS][sizeof(info) + 32];

static void free_data(void)
{
    for (size_t i = 0; data && speed_ossl.library && i < NUM_LENGTHS; i++) {
        if (data[i].sign_ctx)
            speed_ossl.ctx_free(data[i].sign_ctx);
        if (data[i].verify_ctx)
            speed_ossl.ctx_free(data[i].verify_ctx);
    }
    free(data);
    data = NULL;
}

static bool make_contexts(struct length *d, const uint8_t *der, size_t der_len)
{
    void *pkey = speed_ossl.decode_private(NULL, &der, (long)der_len);
    bool ok;

    if (!pkey)
        return false;
    d->sign_ctx = speed_ossl.ctx_new(pkey, NULL);
    d->verify_ctx = speed_ossl.ctx_new(pkey, NULL);
    ok = d->sign_ctx && d->verify_ctx && speed_ossl.sign_init(d->sign_ctx) == 1 && speed_ossl.verify_init(d->verify_ctx) == 1;
    speed_ossl.pkey_free(pkey); /* the contexts keep it */
    return ok;
}

static bool restore(void)
{
    for (size_t l = 0; l < NUM_LENGTHS; l++)
        for (size_t i = 0; i < MAX_BATCH; i++)
            memcpy(data[l].sigs[i], data[l].right[i % NUM_DIGESTS], LC_RSA_MAX_LEN);
    return true;
}

/* One of theirs, of ours if there is no libcrypto */
static bool sign_one(struct length *d, uint8_t *sig, size_t digest)
{
    size_t len = LC_RSA_MAX_LEN;

    if (!speed_ossl.library)
        return lc_rsa_pkcs1_sign(&d->key, sig, LC_RSA_SHA256, encoded[digest] + sizeof(info)) == LC_OK;
    return speed_ossl.pkey_sign(d->sign_ctx, sig, &len, encoded[digest], sizeof(encoded[digest])) == 1;
}

static bool make_data(void)
{
    uint8_t der[RSA_MAX_DER_LEN];
    bool ok = true;

    data = calloc(NUM_LENGTHS, sizeof(*data));
    if (!data) {
        cli_error("speed: out of memory");
        return false;
    }
    for (size_t i = 0; i < NUM_DIGESTS; i++) {
        memcpy(encoded[i], info, sizeof(info));
        for (size_t k = 0; k < 32; k++)
            encoded[i][sizeof(info) + k] = (uint8_t)(i * 11 + k * k);
    }
    for (size_t l = 0; ok && l < NUM_LENGTHS; l++) {
        const size_t der_len = rsa_key_der(der, 2 * l);

        ok = lc_rsa_init_der(&data[l].key, der, der_len) == LC_OK;
        ok = ok && (!speed_ossl.library || make_contexts(&data[l], der, der_len));
        for (size_t i = 0; ok && i < NUM_DIGESTS; i++)
            ok = sign_one(&data[l], data[l].right[i], i);
    }
    if (!ok)
        cli_error("speed: keys or signatures can't be made");
    return ok && restore();
}

static bool make_items(const char *features)
{
    uint8_t der[RSA_MAX_DER_LEN];
    char impl[40];

    snprintf(impl, sizeof(impl), "rsa%s", features);
    for (size_t l = 0; l < NUM_LENGTHS; l++) {
        struct length *d = &data[l];

        if (lc_rsa_init_der_impl(&d->key, impl, der, rsa_key_der(der, 2 * l)) != LC_OK)
            return false;
        lc_rsa_get_public(&d->key, &d->public_key);
        for (size_t i = 0; i < MAX_BATCH; i++) {
            const uint8_t *digest = encoded[i % NUM_DIGESTS] + sizeof(info);

            d->sign_items[i] = (struct lc_rsa_sign_item){ &d->key, d->sigs[i], LC_RSA_SHA256, digest, NULL, 0, 0 };
            d->verify_items[i] =
                (struct lc_rsa_verify_item){ &d->public_key, d->sigs[i], lc_rsa_len(&d->key), LC_RSA_SHA256, digest, 0, 0 };
        }
    }
    return true;
}

/* ---- What is timed ---- */

static bool sign_ours(struct length *d, size_t num)
{
    return lc_rsa_pkcs1_sign_many(d->sign_items, num) == LC_OK;
}

static bool sign_theirs(struct length *d, size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        ok &= sign_one(d, d->sigs[i], i % NUM_DIGESTS);
    return ok;
}

/* They are the same. */
static bool check_signatures(struct length *d, size_t num)
{
    for (size_t i = 0; i < num; i++)
        if (memcmp(d->sigs[i], d->right[i % NUM_DIGESTS], lc_rsa_len(&d->key)) != 0)
            return false;
    return true;
}

static bool verify_ours(struct length *d, size_t num)
{
    return lc_rsa_pkcs1_verify_many(d->verify_items, num) == LC_OK;
}

static bool verify_theirs(struct length *d, size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        ok &= speed_ossl.pkey_verify(d->verify_ctx, d->sigs[i], lc_rsa_len(&d->key), encoded[i % NUM_DIGESTS],
                                     sizeof(encoded[0])) == 1;
    return ok;
}

/* Those that were taken are libcrypto's; with a bit changed none is. */
static bool check_refusal(struct length *d, size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        d->sigs[i][i % 256] ^= 1;
    ok = lc_rsa_pkcs1_verify_many(d->verify_items, num) == LC_ERR_SIGNATURE;
    for (size_t i = 0; i < num; i++) {
        ok &= d->verify_items[i].status == LC_ERR_SIGNATURE;
        d->sigs[i][i % 256] ^= 1;
    }
    return ok;
}

#define OF_LENGTH(function, l)                                                                                                     \
    static bool function##_##l(size_t num)                                                                                         \
    {                                                                                                                              \
        return function(&data[l], num);                                                                                            \
    }
#define ALL(l)                                                                                                                     \
    OF_LENGTH(sign_ours, l)                                                                                                        \
    OF_LENGTH(sign_theirs, l)                                                                                                      \
    OF_LENGTH(check_signatures, l)                                                                                                 \
    OF_LENGTH(verify_ours, l)                                                                                                      \
    OF_LENGTH(verify_theirs, l)                                                                                                    \
    OF_LENGTH(check_refusal, l)
ALL(0)
ALL(1)
ALL(2)

#define ALGS(bits, l)                                                                                                              \
    { "rsa-" bits "-sign", "rsa", sign_ours_##l, sign_theirs_##l, check_signatures_##l, NULL },                                    \
    {                                                                                                                              \
        "rsa-" bits "-verify", "rsa", verify_ours_##l, verify_theirs_##l, check_refusal_##l, NULL                                  \
    }
const struct speed_curve speed_rsa = {
    .make_data = make_data,
    .make_items = make_items,
    .restore = restore,
    .free_data = free_data,
    .algs = { ALGS("2048", 0), ALGS("3072", 1), ALGS("4096", 2) },
};
