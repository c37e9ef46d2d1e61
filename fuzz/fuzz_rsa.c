/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RSA and what comes from outside: keys as DER, signatures, ciphertexts.  Every implementation that this CPU can run has to say the
 * same, alone and beside a good one.  A private key that is taken gives signatures that its public key takes, or a fault.
 *
 * Input: a byte that chooses; then DER of a key; or changes of a good key's DER; or changes of a good signature or ciphertext.
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

static void decrypt(struct lc_rsa_decrypt_item *item, uint8_t msg[LC_RSA_MAX_LEN], int expected)
{
    const size_t max_len = lc_rsa_oaep_max_len(lc_rsa_len(item->key), item->hash);
    size_t len = max_len + 1;
    int status;

    memset(msg, 0xa5, LC_RSA_MAX_LEN);
    status = lc_rsa_oaep_decrypt(item->key, msg, &len, item->hash, item->ct, item->ct_len, item->label, item->label_len);
    if (status != expected)
        differ("decrypting");
    for (size_t i = status == LC_OK ? len : 0; i < LC_RSA_MAX_LEN; i++)
        if (msg[i] != (status == LC_OK && i < max_len ? 0 : 0xa5))
            differ("what is written");
    if ((status == LC_OK) != (len <= max_len))
        differ("the length");
    item->msg = msg;
}

/* A good ciphertext, changed, by all implementations: a message of 0 to 63 bytes, which is the label, too */
static void change_ciphertext(const uint8_t *data, size_t len, size_t number)
{
    static struct lc_rsa_key keys[MAX_IMPLS][2];
    static int made[MAX_IMPLS][2];
    const enum lc_rsa_hash hash = (enum lc_rsa_hash)(1 + number % 3);
    const size_t msg_len = len ? data[0] % 64 : 0, which = number % 2;
    struct lc_impl_info info;

    for (size_t i = 0; lc_impl_get("rsa", i, &info) == LC_OK; i++) {
        struct lc_rsa_key *key = &keys[i][which];
        struct lc_rsa_public_key public_key;
        struct lc_rsa_decrypt_item items[3];
        uint8_t der[RSA_MAX_DER_LEN], ct[LC_RSA_MAX_LEN], changed[LC_RSA_MAX_LEN], msgs[3][LC_RSA_MAX_LEN];
        int right, status;

        if (!info.runs_here)
            continue;
        if (!made[i][which] && lc_rsa_init_der_impl(key, info.name, der, rsa_key_der(der, which)) != LC_OK)
            differ("a key");
        made[i][which] = 1;
        lc_rsa_get_public(key, &public_key);
        if (lc_rsa_oaep_encrypt_with(&public_key, ct, hash, digest, msg_len, digest, msg_len, digest) != LC_OK)
            differ("encrypting");
        memcpy(changed, ct, sizeof(ct));
        for (size_t k = 1; k < len && k <= lc_rsa_len(key); k++)
            changed[k - 1] ^= data[k];
        right = memcmp(ct, changed, lc_rsa_len(key)) == 0;
        for (size_t k = 0; k < 3; k++) {
            items[k] =
                (struct lc_rsa_decrypt_item){ key, NULL, 0, hash, k == 1 ? changed : ct, lc_rsa_len(key), digest, msg_len, 0 };
            decrypt(&items[k], msgs[k], k != 1 || right ? LC_OK : LC_ERR_CIPHERTEXT);
        }
        status = lc_rsa_oaep_decrypt_many(items, 3);
        if (status != (right ? LC_OK : LC_ERR_CIPHERTEXT) || items[1].status != status || items[0].status != LC_OK ||
            items[2].status != LC_OK || memcmp(msgs[0], digest, msg_len) != 0 || memcmp(msgs[2], digest, msg_len) != 0)
            differ(info.name);
    }
}

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
    switch (data[0] % 4) {
    case 0: try_der(data + 1, len - 1); break;
    case 1: change_der(data + 1, len - 1, data[0] / 4 % 2); break;
    case 2: change_signature(data + 1, len - 1, data[0] / 4 % NUM_SIGNATURES); break;
    default: change_ciphertext(data + 1, len - 1, data[0] / 4); break;
    }
    return 0;
}
