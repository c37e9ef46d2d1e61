/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt speed: RSA's signatures (PKCS #1) and encryption (OAEP), by lanecrypt and by libcrypto (speed_curves.c).  Other than
 * with curves, all operations of a call are under one key, as many keys of 4096 bits would take their time to make.  What is
 * signed are digests, and they are what is encrypted, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/rsa_keys.h"
#include "cli.h"
#include "lanecrypt/rsa.h"
#include "speed_curves.h"

enum { NUM_LENGTHS = 3, NUM_DIGESTS = 8, DIGEST_LEN = 32 };

/* DigestInfo of a digest by SHA-256: with it libcrypto needs to be told nothing of the hash function. */
static const uint8_t info[19] = { 0x30, 0x31, 0x30, 13, 0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 0x05, 0, 0x04, 32 };

/* ---- Data ---- */

static struct length {
    struct lc_rsa_key key;
    struct lc_rsa_public_key public_key;
    struct {
        void *sign, *verify, *encrypt, *decrypt;
    } ctx; /* libcrypto's, which have the keys */
    uint8_t right[NUM_DIGESTS][LC_RSA_MAX_LEN], sigs[MAX_BATCH][LC_RSA_MAX_LEN];
    uint8_t right_cts[NUM_DIGESTS][LC_RSA_MAX_LEN], cts[MAX_BATCH][LC_RSA_MAX_LEN], msgs[MAX_BATCH][LC_RSA_MAX_LEN];
    struct lc_rsa_sign_item sign_items[MAX_BATCH];
    struct lc_rsa_verify_item verify_items[MAX_BATCH];
    struct lc_rsa_encrypt_item encrypt_items[MAX_BATCH];
    struct lc_rsa_decrypt_item decrypt_items[MAX_BATCH];
} *data;
static uint8_t encoded[NUM_DIGESTS][sizeof(info) + DIGEST_LEN];

static const uint8_t *digest_of(size_t i)
{
    return encoded[i % NUM_DIGESTS] + sizeof(info);
}

static void free_data(void)
{
    for (size_t i = 0; data && speed_ossl.library && i < NUM_LENGTHS; i++) {
        void *const all[] = { data[i].ctx.sign, data[i].ctx.verify, data[i].ctx.encrypt, data[i].ctx.decrypt };

        for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
            if (all[k])
                speed_ossl.ctx_free(all[k]);
    }
    free(data);
    data = NULL;
}

static bool make_context(void **ctx, void *pkey, int (*init)(void *ctx))
{
    *ctx = speed_ossl.ctx_new(pkey, NULL);
    return *ctx && init(*ctx) == 1;
}

static bool set_oaep(void *ctx)
{
    return speed_ossl.ctx_set(ctx, "rsa_padding_mode", "oaep") == 1 && speed_ossl.ctx_set(ctx, "rsa_oaep_md", "sha256") == 1;
}

static bool make_contexts(struct length *d, const uint8_t *der, size_t der_len)
{
    void *pkey = speed_ossl.decode_private(NULL, &der, (long)der_len);
    bool ok;

    if (!pkey)
        return false;
    ok = make_context(&d->ctx.sign, pkey, speed_ossl.sign_init) && make_context(&d->ctx.verify, pkey, speed_ossl.verify_init) &&
         make_context(&d->ctx.encrypt, pkey, speed_ossl.encrypt_init) && set_oaep(d->ctx.encrypt) &&
         make_context(&d->ctx.decrypt, pkey, speed_ossl.decrypt_init) && set_oaep(d->ctx.decrypt);
    speed_ossl.pkey_free(pkey); /* the contexts keep it */
    return ok;
}

static bool restore(void)
{
    for (size_t l = 0; l < NUM_LENGTHS; l++) {
        for (size_t i = 0; i < MAX_BATCH; i++) {
            memcpy(data[l].sigs[i], data[l].right[i % NUM_DIGESTS], LC_RSA_MAX_LEN);
            memcpy(data[l].cts[i], data[l].right_cts[i % NUM_DIGESTS], LC_RSA_MAX_LEN);
        }
        memset(data[l].msgs, 0, sizeof(data[l].msgs));
    }
    return true;
}

/* One of theirs, of ours if there is no libcrypto */
static bool sign_one(struct length *d, uint8_t *sig, size_t digest)
{
    size_t len = LC_RSA_MAX_LEN;

    if (!speed_ossl.library)
        return lc_rsa_pkcs1_sign(&d->key, sig, LC_RSA_SHA256, digest_of(digest)) == LC_OK;
    return speed_ossl.pkey_sign(d->ctx.sign, sig, &len, encoded[digest], sizeof(encoded[digest])) == 1;
}

static bool encrypt_one(struct length *d, uint8_t *ct, size_t digest)
{
    size_t len = LC_RSA_MAX_LEN;

    if (!speed_ossl.library)
        return lc_rsa_oaep_encrypt(&d->public_key, ct, LC_RSA_SHA256, digest_of(digest), DIGEST_LEN, NULL, 0) == LC_OK;
    return speed_ossl.pkey_encrypt(d->ctx.encrypt, ct, &len, digest_of(digest), DIGEST_LEN) == 1 && len == lc_rsa_len(&d->key);
}

static bool decrypt_one(struct length *d, uint8_t *msg, const uint8_t *ct)
{
    size_t len = LC_RSA_MAX_LEN;
    bool ok = speed_ossl.library
                  ? speed_ossl.pkey_decrypt(d->ctx.decrypt, msg, &len, ct, lc_rsa_len(&d->key)) == 1
                  : lc_rsa_oaep_decrypt(&d->key, msg, &len, LC_RSA_SHA256, ct, lc_rsa_len(&d->key), NULL, 0) == LC_OK;

    return ok && len == DIGEST_LEN;
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
        for (size_t k = 0; k < DIGEST_LEN; k++)
            encoded[i][sizeof(info) + k] = (uint8_t)(i * 11 + k * k);
    }
    for (size_t l = 0; ok && l < NUM_LENGTHS; l++) {
        const size_t der_len = rsa_key_der(der, 2 * l);

        ok = lc_rsa_init_der(&data[l].key, der, der_len) == LC_OK;
        ok = ok && (!speed_ossl.library || make_contexts(&data[l], der, der_len));
        if (ok)
            lc_rsa_get_public(&data[l].key, &data[l].public_key);
        for (size_t i = 0; ok && i < NUM_DIGESTS; i++)
            ok = sign_one(&data[l], data[l].right[i], i) && encrypt_one(&data[l], data[l].right_cts[i], i);
    }
    if (!ok)
        cli_error("speed: keys, signatures or ciphertexts can't be made");
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
            const uint8_t *digest = digest_of(i);

            d->sign_items[i] = (struct lc_rsa_sign_item){ &d->key, d->sigs[i], LC_RSA_SHA256, digest, NULL, 0, 0 };
            d->verify_items[i] =
                (struct lc_rsa_verify_item){ &d->public_key, d->sigs[i], lc_rsa_len(&d->key), LC_RSA_SHA256, digest, 0, 0 };
            d->encrypt_items[i] =
                (struct lc_rsa_encrypt_item){ &d->public_key, d->cts[i], LC_RSA_SHA256, digest, DIGEST_LEN, NULL, 0, NULL, 0 };
            d->decrypt_items[i] = (struct lc_rsa_decrypt_item){
                &d->key, d->msgs[i], 0, LC_RSA_SHA256, d->right_cts[i % NUM_DIGESTS], lc_rsa_len(&d->key), NULL, 0, 0
            };
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
        ok &= speed_ossl.pkey_verify(d->ctx.verify, d->sigs[i], lc_rsa_len(&d->key), encoded[i % NUM_DIGESTS],
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

static bool encrypt_ours(struct length *d, size_t num)
{
    return lc_rsa_oaep_encrypt_many(d->encrypt_items, num) == LC_OK;
}

static bool encrypt_theirs(struct length *d, size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        ok &= encrypt_one(d, d->cts[i], i % NUM_DIGESTS);
    return ok;
}

/* libcrypto decrypts them. */
static bool check_ciphertexts(struct length *d, size_t num)
{
    uint8_t msg[LC_RSA_MAX_LEN];

    for (size_t i = 0; i < num; i++)
        if (memcmp(d->cts[i], d->right_cts[i % NUM_DIGESTS], lc_rsa_len(&d->key)) == 0 || !decrypt_one(d, msg, d->cts[i]) ||
            memcmp(msg, digest_of(i), DIGEST_LEN) != 0)
            return false;
    return true;
}

static bool decrypt_ours(struct length *d, size_t num)
{
    return lc_rsa_oaep_decrypt_many(d->decrypt_items, num) == LC_OK;
}

static bool decrypt_theirs(struct length *d, size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        ok &= decrypt_one(d, d->msgs[i], d->right_cts[i % NUM_DIGESTS]);
    return ok;
}

/* They are what libcrypto had encrypted. */
static bool check_messages(struct length *d, size_t num)
{
    for (size_t i = 0; i < num; i++)
        if (d->decrypt_items[i].msg_len != DIGEST_LEN || memcmp(d->msgs[i], digest_of(i), DIGEST_LEN) != 0)
            return false;
    return true;
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
    OF_LENGTH(check_refusal, l)                                                                                                    \
    OF_LENGTH(encrypt_ours, l)                                                                                                     \
    OF_LENGTH(encrypt_theirs, l)                                                                                                   \
    OF_LENGTH(check_ciphertexts, l)                                                                                                \
    OF_LENGTH(decrypt_ours, l)                                                                                                     \
    OF_LENGTH(decrypt_theirs, l)                                                                                                   \
    OF_LENGTH(check_messages, l)
ALL(0)
ALL(1)
ALL(2)

#define ALGS(bits, l)                                                                                                              \
    { "rsa-" bits "-sign", "rsa", sign_ours_##l, sign_theirs_##l, check_signatures_##l, NULL },                                    \
        { "rsa-" bits "-verify", "rsa", verify_ours_##l, verify_theirs_##l, check_refusal_##l, NULL },                             \
        { "rsa-" bits "-oaep-encrypt", "rsa", encrypt_ours_##l, encrypt_theirs_##l, check_ciphertexts_##l, NULL },                 \
    {                                                                                                                              \
        "rsa-" bits "-oaep-decrypt", "rsa", decrypt_ours_##l, decrypt_theirs_##l, check_messages_##l, NULL                         \
    }
const struct speed_curve speed_rsa = {
    .make_data = make_data,
    .make_items = make_items,
    .restore = restore,
    .free_data = free_data,
    .algs = { ALGS("2048", 0), ALGS("3072", 1), ALGS("4096", 2) },
};
