/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RSA and what comes from outside: keys as DER, signatures.  Every implementation that this CPU can run has to say the same, alone
 * and beside a good signature.  A private key that is taken gives signatures that its public key takes, or a fault.
 *
 * Input: a byte that chooses; then DER of a key; or changes of a good key's DER; or changes of a good signature.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/rsa_keys.h"
#include "lanecrypt/cpu.h"
#include "lanecrypt/rsa.h"

static void differ(const char *what)
{
    fprintf(stderr, "differs: %s\n", what);
    abort();
}

static const uint8_t digest[64] = { 1, 2, 3 };

static void try_der(const uint8_t *data, size_t len)
{
    static struct lc_rsa_key key;
    static struct lc_rsa_public_key public_key;
    uint8_t sig[LC_RSA_MAX_LEN];

    if (lc_rsa_public_init_der(&public_key, data, len) == LC_OK && lc_rsa_public_len(&public_key) > len)
        differ("a public key that is longer than its DER");
    if (lc_rsa_init_der(&key, data, len) == LC_OK) {
        int status = lc_rsa_pkcs1_sign(&key, sig, LC_RSA_SHA256, digest);

        lc_rsa_get_public(&key, &public_key);
        if (status == LC_OK && lc_rsa_pkcs1_verify(&public_key, sig, lc_rsa_len(&key), LC_RSA_SHA256, digest) != LC_OK)
            differ("its own signature");
        if (status != LC_OK && status != LC_ERR_FAULT)
            differ("signing");
    }
}

/* The known keys' DER, those of 2048 bits, as others take longer; changed in up to 16 places */
static void change_der(const uint8_t *data, size_t len, size_t number)
{
    uint8_t der[RSA_MAX_DER_LEN];
    size_t der_len = rsa_key_der(der, number);

    for (size_t i = 0; i + 3 <= len && i < 48; i += 3)
        der[(size_t)(data[i] << 8 | data[i + 1]) % der_len] ^= data[i + 2];
    try_der(der, der_len);
}

enum { MAX_IMPLS = 4, NUM_SIGNATURES = 4, SALT_LEN = 20 };

/* A good signature, changed, by all implementations */
static void change_signature(const uint8_t *data, size_t len, size_t number)
{
    static struct good {
        struct lc_rsa_public_key key;
        uint8_t sig[LC_RSA_MAX_LEN];
        int made;
    } all[MAX_IMPLS][NUM_SIGNATURES];
    const enum lc_rsa_hash hash = (enum lc_rsa_hash)(1 + number % 3);
    struct lc_impl_info info;
    int expected = 0;

    for (size_t i = lc_impl_count("rsa"); i-- > 0;) { /* the portable one first */
        struct good *good = &all[i][number];
        struct lc_rsa_verify_item items[3];
        uint8_t sig[LC_RSA_MAX_LEN];
        size_t sig_len;
        int status;

        if (lc_impl_get("rsa", i, &info) != LC_OK || !info.runs_here)
            continue;
        if (!good->made) {
            static struct lc_rsa_key key;
            uint8_t der[RSA_MAX_DER_LEN];

            if (lc_rsa_init_der_impl(&key, info.name, der, rsa_key_der(der, number)) != LC_OK ||
                lc_rsa_pss_sign_with(&key, good->sig, hash, digest, digest, SALT_LEN) != LC_OK)
                differ("signing");
            lc_rsa_get_public(&key, &good->key);
            good->made = 1;
        }
        sig_len = lc_rsa_public_len(&good->key);
        memcpy(sig, good->sig, sizeof(sig));
        for (size_t k = 0; k < len && k < sig_len; k++)
            sig[k] ^= data[k];
        items[0] = (struct lc_rsa_verify_item){ &good->key, good->sig, sig_len, hash, digest, LC_RSA_ANY_SALT_LEN, 0 };
        items[1] = (struct lc_rsa_verify_item){ &good->key, sig, sig_len, hash, digest, SALT_LEN, 0 };
        items[2] = items[0];
        status = lc_rsa_pss_verify(&good->key, sig, sig_len, hash, digest, SALT_LEN);
        if (i == lc_impl_count("rsa") - 1)
            expected = status;
        if (status != expected || lc_rsa_pss_verify_many(items, 3) != status || items[0].status != LC_OK ||
            items[1].status != status || items[2].status != LC_OK)
            differ(info.name);
        if ((status == LC_OK) != (memcmp(sig, good->sig, sig_len) == 0))
            differ("a changed signature");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len == 0)
        return 0;
    switch (data[0] % 3) {
    case 0: try_der(data + 1, len - 1); break;
    case 1: change_der(data + 1, len - 1, data[0] / 3 % 2); break;
    default: change_signature(data + 1, len - 1, data[0] / 3 % NUM_SIGNATURES); break;
    }
    return 0;
}
