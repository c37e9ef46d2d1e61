/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt selftest: RSA: signatures that OpenSSL made, in every place of a call for many, beside keys of other lengths; and
 * ciphertexts that a model in Python made
 */
#include <string.h>

#include "bench/rsa_keys.h"
#include "cli.h"
#include "lanecrypt/rsa.h"
#include "lanecrypt/sha2.h"

enum { NUM_LENGTHS = 3, NUM = 9 * NUM_LENGTHS }; /* nine of each length: a vector of eight, and one more */

/* SHA-256 of PKCS #1's signatures of the digest 0, 1, .. 31 */
static const uint8_t expected[NUM_LENGTHS][33] = {
    "\x65\x4e\xf3\x40\x4b\xce\x47\x46\xf9\x65\x0d\x23\x3a\x96\x8d\xe7\x74\x17\xad\x3e\x39\xaf\x04\x2e"
    "\xc1\x51\xcd\xd9\x06\x7a\x5f\x61",
    "\xb8\x05\x13\x02\x4f\x6d\x05\x46\xf0\xa8\x1e\x12\xfa\x7a\x2c\x76\xe0\xf6\xc4\x0d\xee\x2f\x48\x25"
    "\xc7\xfc\x8a\xfa\x63\x08\x5e\xce",
    "\x6c\x7f\x89\x7f\x44\x21\xaa\x37\x23\xd4\x03\x9e\x16\x22\xf6\xb4\xfe\x48\x7a\x65\x88\x48\xd6\xb2"
    "\xbd\xce\x60\x46\xfe\xdc\x7a\x82",
};

/* SHA-256 of OAEP's ciphertexts, with SHA-256, of the message 0, 1, .. 31, with the label "label" and the seed 100, 101, .. 131 */
static const uint8_t expected_cts[NUM_LENGTHS][33] = {
    "\x65\x90\x7b\xe5\xd1\xae\x01\xc4\xca\xd7\xdd\xe9\xfa\x85\xe5\x42\xb3\xc8\xed\x02\xa9\x77\xc3\x26"
    "\xd9\xa2\xf7\xf5\xfb\x83\xa5\xf5",
    "\xf1\x78\x35\x17\xfe\x85\x43\xc0\x2f\xbd\xf8\x08\xb7\xa7\x44\xd3\x45\x4b\xe8\x2b\x10\x61\xbb\xa6"
    "\x0f\xfa\x92\x27\xd9\x17\x79\xa2",
    "\xfb\x74\xb5\x19\xa0\xe9\x8e\x61\xa6\x1f\xe8\xe8\xca\xd8\xd8\x48\x50\xb5\x95\x2d\xb0\x0b\x7d\xca"
    "\xca\xfd\x3c\xcc\x3b\xf0\x46\x48",
};

static bool wrong(const char *impl, const char *what)
{
    cli_error("selftest: %s: wrong result: %s", impl, what);
    return false;
}

static bool selftest_scheme(const char *impl, bool pss, const struct lc_rsa_key keys[NUM_LENGTHS],
                            const struct lc_rsa_public_key public_keys[NUM_LENGTHS])
{
    static uint8_t sigs[NUM][LC_RSA_MAX_LEN];
    struct lc_rsa_sign_item sign[NUM];
    struct lc_rsa_verify_item verify[NUM];
    uint8_t digest[32], hash[LC_SHA256_LEN];
    bool ok = true;

    for (size_t i = 0; i < 32; i++)
        digest[i] = (uint8_t)i;
    for (size_t i = 0; i < NUM; i++) {
        const size_t length = i % NUM_LENGTHS;

        sign[i] = (struct lc_rsa_sign_item){ &keys[length], sigs[i], LC_RSA_SHA256, digest, NULL, 0, 0 };
        verify[i] =
            (struct lc_rsa_verify_item){ &public_keys[length], sigs[i], lc_rsa_len(&keys[length]), LC_RSA_SHA256, digest, 32, 0 };
    }
    if ((pss ? lc_rsa_pss_sign_many : lc_rsa_pkcs1_sign_many)(sign, NUM) != LC_OK)
        return wrong(impl, "signing fails");
    for (size_t i = 0; i < NUM; i++) {
        if (!pss && (lc_sha256(hash, sigs[i], verify[i].sig_len) != LC_OK || memcmp(hash, expected[i % NUM_LENGTHS], 32) != 0))
            ok = wrong(impl, "a known signature");
        sigs[i][20] ^= i % 5 == 0;
    }
    if ((pss ? lc_rsa_pss_verify_many : lc_rsa_pkcs1_verify_many)(verify, NUM) != LC_ERR_SIGNATURE)
        ok = wrong(impl, "wrong signatures are taken");
    for (size_t i = 0; i < NUM; i++)
        if (verify[i].status != (i % 5 == 0 ? LC_ERR_SIGNATURE : LC_OK))
            ok = wrong(impl, "what is verified");
    return ok;
}

/* Two of each length; one of each is decrypted with another label. */
static bool selftest_oaep(const char *impl, const struct lc_rsa_key keys[NUM_LENGTHS],
                          const struct lc_rsa_public_key public_keys[NUM_LENGTHS])
{
    enum { OAEP_NUM = 2 * NUM_LENGTHS, MSG_LEN = 32 };
    static const uint8_t label[] = "label";
    static uint8_t cts[OAEP_NUM][LC_RSA_MAX_LEN], msgs[OAEP_NUM][LC_RSA_MAX_LEN];
    struct lc_rsa_encrypt_item encrypt[OAEP_NUM];
    struct lc_rsa_decrypt_item decrypt[OAEP_NUM];
    uint8_t msg[MSG_LEN], seed[32], hash[LC_SHA256_LEN];
    bool ok = true;

    for (size_t i = 0; i < 32; i++) {
        msg[i] = (uint8_t)i;
        seed[i] = (uint8_t)(100 + i);
    }
    for (size_t i = 0; i < OAEP_NUM; i++) {
        const size_t length = i % NUM_LENGTHS;

        encrypt[i] = (struct lc_rsa_encrypt_item){ &public_keys[length], cts[i], LC_RSA_SHA256, msg, MSG_LEN, label, 5, seed, 0 };
        decrypt[i] = (struct lc_rsa_decrypt_item){
            &keys[length], msgs[i], 0, LC_RSA_SHA256, cts[i], lc_rsa_len(&keys[length]), label, i < NUM_LENGTHS ? 5 : 4, 0
        };
    }
    if (lc_rsa_oaep_encrypt_many_with(encrypt, OAEP_NUM) != LC_OK)
        return wrong(impl, "encryption fails");
    for (size_t i = 0; i < OAEP_NUM; i++)
        if (lc_sha256(hash, cts[i], decrypt[i].ct_len) != LC_OK || memcmp(hash, expected_cts[i % NUM_LENGTHS], 32) != 0)
            ok = wrong(impl, "a known ciphertext");
    if (lc_rsa_oaep_decrypt_many(decrypt, OAEP_NUM) != LC_ERR_CIPHERTEXT)
        ok = wrong(impl, "wrong ciphertexts are taken");
    for (size_t i = 0; i < OAEP_NUM; i++)
        if (i < NUM_LENGTHS ? decrypt[i].status != LC_OK || decrypt[i].msg_len != MSG_LEN || memcmp(msgs[i], msg, MSG_LEN) != 0
                            : decrypt[i].status != LC_ERR_CIPHERTEXT)
            ok = wrong(impl, "what is decrypted");
    return ok;
}

bool selftest_rsa(const char *impl)
{
    static struct lc_rsa_key keys[NUM_LENGTHS];
    static struct lc_rsa_public_key public_keys[NUM_LENGTHS];
    uint8_t der[RSA_MAX_DER_LEN];
    bool ok;

    for (size_t i = 0; i < NUM_LENGTHS; i++) {
        if (lc_rsa_init_der_impl(&keys[i], impl, der, rsa_key_der(der, 2 * i)) != LC_OK)
            return wrong(impl, "a key is refused");
        lc_rsa_get_public(&keys[i], &public_keys[i]);
    }
    ok = selftest_scheme(impl, false, keys, public_keys);
    ok = selftest_scheme(impl, true, keys, public_keys) && ok;
    return selftest_oaep(impl, keys, public_keys) && ok;
}
