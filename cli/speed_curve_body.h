/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt speed: the operations on one curve, by lanecrypt and by libcrypto.  speed_p256.c and speed_p384.c define for it
 *
 *      CURVE, BYTES, MAX_DER_LEN
 *      NID      OpenSSL's number of the curve
 *      PREPARED if it has prepared keys
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lanecrypt/ecdh.h"
#include "lanecrypt/ecdsa.h"
#include "speed_curves.h"

#define NAME_OF(prefix, curve, name) NAME_PASTE(prefix, curve, name)
#define NAME_PASTE(prefix, curve, name) prefix##curve##name
#define ECDSA(name) NAME_OF(lc_ecdsa_, CURVE, _##name)
#define ECDH(name) NAME_OF(lc_ecdh_, CURVE, _##name)
#define STRING_OF(name) STRING(name)
#define STRING(name) #name

/* ---- Data: as many as the largest call has ---- */

static struct {
    uint8_t raw[BYTES], public_raw[2 * BYTES + 1], digest[BYTES], sig[2 * BYTES], secret[BYTES], der[2 * BYTES + 16];
    unsigned der_len;
    struct ECDSA(key) sign_key;
    struct ECDSA(public_key) public_key;
    struct ECDH(key) dh_key;
    void *their_key, *their_public;
} *data;

static struct ECDSA(sign_item) sign_items[MAX_BATCH];
static struct ECDSA(verify_item) verify_items[MAX_BATCH];
static struct ECDH(item) dh_items[MAX_BATCH];

/* A workspace for pools; its length is 0 where a row has no use for it. */
static void *pool;
static size_t pool_len;

static bool make_pool(void)
{
    free(pool);
    pool_len = ECDSA(sign_pool_len)(&data[0].sign_key, MAX_BATCH);
    return (pool = malloc(pool_len + 1)) != NULL;
}

#ifdef PREPARED
/* A key that is prepared, where a row has a use for that, and signatures of all digests under it */
static void *table;
static size_t table_len;
static struct ECDSA(public_key) prepared_key;
static struct ECDSA(verify_item) prepared_items[MAX_BATCH];
static struct {
    uint8_t sig[2 * BYTES], der[2 * BYTES + 16];
    size_t der_len;
} *of_one_key;

static void free_prepared(void)
{
    free(table);
    free(of_one_key);
    table = of_one_key = NULL;
}

/* The data are there.  Signatures are our own: libcrypto has to take them. */
static bool make_prepared(void)
{
    free_prepared();
    prepared_key = data[0].public_key;
    table_len = ECDSA(prepare_len)(&prepared_key);
    table = malloc(table_len + 1);
    of_one_key = calloc(MAX_BATCH, sizeof(*of_one_key));
    if (!table || !of_one_key || ECDSA(prepare)(&prepared_key, table, table_len) != LC_OK)
        return false;
    for (size_t i = 0; i < MAX_BATCH; i++) {
        if (ECDSA(sign)(&data[0].sign_key, of_one_key[i].sig, data[i].digest, BYTES) != LC_OK)
            return false;
        of_one_key[i].der_len = ECDSA(to_der)(of_one_key[i].der, of_one_key[i].sig);
        prepared_items[i] = (struct ECDSA(verify_item)){ &prepared_key, of_one_key[i].sig, data[i].digest, BYTES, 0 };
    }
    return true;
}
#endif

static void free_data(void)
{
    free(pool);
    pool = NULL;
#ifdef PREPARED
    free_prepared();
#endif
    for (size_t i = 0; data && speed_ossl.library && i < MAX_BATCH; i++) {
        if (data[i].their_key)
            speed_ossl.key_free(data[i].their_key);
        if (data[i].their_public)
            speed_ossl.key_free(data[i].their_public);
    }
    free(data);
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
        for (size_t k = 0; k < BYTES; k++) {
            data[i].raw[k] = (uint8_t)(i * 37 + (i >> 8) + k * 131 + 1);
            data[i].digest[k] = (uint8_t)(i * 11 + k * k);
        }
        ok = ECDSA(init)(&data[i].sign_key, data[i].raw, BYTES) == LC_OK;
        ECDSA(get_public)(&data[i].sign_key, data[i].public_raw);
        if (!speed_ossl.library) {
            ok = ok && ECDSA(sign)(&data[i].sign_key, data[i].sig, data[i].digest, BYTES) == LC_OK;
            continue;
        }
        data[i].their_key = speed_ossl.key_new(NID);
        data[i].their_public = speed_ossl.key_new(NID);
        ok = ok && data[i].their_key && data[i].their_public && speed_ossl.put_private(data[i].their_key, data[i].raw, BYTES) == 1;
        ok = ok && speed_ossl.put_public(data[i].their_public, data[i].public_raw, 2 * BYTES + 1, NULL) == 1;
        ok = ok && speed_ossl.sign(0, data[i].digest, BYTES, data[i].der, &data[i].der_len, data[i].their_key) == 1;
        ok = ok && ECDSA(from_der)(data[i].sig, data[i].der, data[i].der_len) == LC_OK;
    }
    if (!ok)
        cli_error("speed: keys or signatures can't be made");
    return ok;
}

/* The keys of that implementation */
static bool make_items(const char *features)
{
    char ecdsa_impl[40], ecdh_impl[40];

    snprintf(ecdsa_impl, sizeof(ecdsa_impl), "ecdsa-" STRING_OF(CURVE) "%s", features);
    snprintf(ecdh_impl, sizeof(ecdh_impl), "ecdh-" STRING_OF(CURVE) "%s", features);
    for (size_t i = 0; i < MAX_BATCH; i++) {
        const size_t other = (i + 1) % MAX_BATCH;

        if (ECDSA(init_impl)(&data[i].sign_key, ecdsa_impl, data[i].raw, BYTES) != LC_OK ||
            ECDSA(public_init_impl)(&data[i].public_key, ecdsa_impl, data[i].public_raw, 2 * BYTES + 1) != LC_OK ||
            ECDH(init_impl)(&data[i].dh_key, ecdh_impl, data[i].raw, BYTES) != LC_OK)
            return false;
        sign_items[i] = (struct ECDSA(sign_item)){ &data[i].sign_key, data[i].sig, data[i].digest, BYTES, data[i].raw, 32, 0 };
        verify_items[i] = (struct ECDSA(verify_item)){ &data[i].public_key, data[i].sig, data[i].digest, BYTES, 0 };
        dh_items[i] = (struct ECDH(item)){ &data[i].dh_key, data[i].secret, data[other].public_raw, 2 * BYTES + 1, 0 };
    }
#ifdef PREPARED
    if (!make_prepared())
        return false;
#endif
    return make_pool();
}

/* ---- What is timed ---- */

static bool sign_ours(size_t num)
{
    return ECDSA(sign_many_with)(sign_items, num) == LC_OK;
}

static bool sign_theirs(size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        ok &= speed_ossl.sign(0, data[i].digest, BYTES, data[i].der, &data[i].der_len, data[i].their_key) == 1;
    return ok;
}

static bool check_signatures(size_t num)
{
    for (size_t i = 0; i < num; i++) {
        uint8_t der[MAX_DER_LEN];
        size_t len = ECDSA(to_der)(der, data[i].sig);

        if (speed_ossl.library ? speed_ossl.verify(0, data[i].digest, BYTES, der, (int)len, data[i].their_public) != 1
                               : ECDSA(verify)(&data[i].public_key, data[i].sig, data[i].digest, BYTES) != LC_OK)
            return false;
    }
    return true;
}

static bool verify_ours(size_t num)
{
    return ECDSA(verify_many)(verify_items, num) == LC_OK;
}

static bool verify_theirs(size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        ok &= speed_ossl.verify(0, data[i].digest, BYTES, data[i].der, (int)data[i].der_len, data[i].their_public) == 1;
    return ok;
}

/* Those that were taken are libcrypto's, or it takes them; with a bit changed none is right. */
static bool check_refusal_of(struct ECDSA(verify_item) * items, size_t num)
{
    static uint8_t wrong[MAX_BATCH][2 * BYTES]; /* these two have 73 to 106 KB, more than some stacks */
    static const uint8_t *right[MAX_BATCH];
    bool ok = true;

    for (size_t i = 0; i < num; i++) {
        right[i] = items[i].sig;
        memcpy(wrong[i], right[i], 2 * BYTES);
        wrong[i][i % (2 * BYTES)] ^= 1;
        items[i].sig = wrong[i];
    }
    ok = ECDSA(verify_many)(items, num) == LC_ERR_SIGNATURE;
    for (size_t i = 0; i < num; i++) {
        ok &= items[i].status == LC_ERR_SIGNATURE;
        items[i].sig = right[i];
    }
    return ok;
}

static bool check_refusal(size_t num)
{
    return check_refusal_of(verify_items, num);
}

static bool has_pool(void)
{
    return pool_len > 0;
}

static bool pool_ours(size_t num)
{
    return ECDSA(sign_pool_with)(sign_items, num, pool, pool_len) == LC_OK;
}

#ifdef PREPARED
static bool has_table(void)
{
    return table_len > 0;
}

static bool prepared_ours(size_t num)
{
    return ECDSA(verify_many)(prepared_items, num) == LC_OK;
}

static bool prepared_theirs(size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        ok &= speed_ossl.verify(0, data[i].digest, BYTES, of_one_key[i].der, (int)of_one_key[i].der_len, data[0].their_public) == 1;
    return ok;
}

static bool check_prepared(size_t num)
{
    return (!speed_ossl.library || prepared_theirs(num)) && check_refusal_of(prepared_items, num);
}
#endif

static bool dh_ours(size_t num)
{
    return ECDH(many)(dh_items, num) == LC_OK;
}

static bool dh_theirs(size_t num)
{
    uint8_t secret[BYTES];
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        ok &= speed_ossl.dh(secret, BYTES, speed_ossl.public_of(data[(i + 1) % MAX_BATCH].their_public), data[i].their_key, NULL) ==
              BYTES;
    return ok;
}

static bool check_secrets(size_t num)
{
    uint8_t secret[BYTES];

    for (size_t i = 0; speed_ossl.library && i < num; i++)
        if (speed_ossl.dh(secret, BYTES, speed_ossl.public_of(data[(i + 1) % MAX_BATCH].their_public), data[i].their_key, NULL) !=
                BYTES ||
            memcmp(secret, data[i].secret, BYTES) != 0)
            return false;
    return true;
}

/* libcrypto's signatures again, for what comes next */
static bool restore(void)
{
    bool ok = true;

    for (size_t i = 0; speed_ossl.library && i < MAX_BATCH; i++)
        ok &= ECDSA(from_der)(data[i].sig, data[i].der, data[i].der_len) == LC_OK;
    return ok;
}

const struct speed_curve NAME_OF(speed_, CURVE, ) = {
    .make_data = make_data,
    .make_items = make_items,
    .restore = restore,
    .free_data = free_data,
    .algs = {
        { "ecdsa-" STRING_OF(CURVE) "-sign", "ecdsa-" STRING_OF(CURVE), sign_ours, sign_theirs, check_signatures, NULL },
        { "ecdsa-" STRING_OF(CURVE) "-verify", "ecdsa-" STRING_OF(CURVE), verify_ours, verify_theirs, check_refusal, NULL },
        { "ecdh-" STRING_OF(CURVE), "ecdh-" STRING_OF(CURVE), dh_ours, dh_theirs, check_secrets, NULL },
        { "ecdsa-" STRING_OF(CURVE) "-sign-pool", "ecdsa-" STRING_OF(CURVE), pool_ours, sign_theirs, check_signatures, has_pool },
#ifdef PREPARED
        { "ecdsa-" STRING_OF(CURVE) "-verify-prepared", "ecdsa-" STRING_OF(CURVE), prepared_ours, prepared_theirs, check_prepared,
          has_table },
#endif
    },
};
