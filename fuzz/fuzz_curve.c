/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * P-256: what comes from outside: a signature as DER, and of other bytes as r and s, public keys, digests; every implementation
 * that this CPU can run has to say the same, alone and beside a good signature.  What is taken as DER gives the same DER again.
 *
 * Input: 1 byte: length of the digest (mod 64, plus 1); so many bytes; 33 bytes: a public key, compressed; the rest: a signature.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lanecrypt/cpu.h"
#include "lanecrypt/ecdh.h"
#include "lanecrypt/ecdsa.h"

static const uint8_t one[32] = { [31] = 1 };

static void differ(const char *what)
{
    fprintf(stderr, "differs: %s\n", what);
    abort();
}

static void try_signature(const uint8_t *point, const uint8_t sig[64], const uint8_t *digest, size_t digest_len)
{
    struct lc_impl_info info;
    int expected = 0, expected_dh = 0;
    uint8_t expected_secret[32];

    for (size_t i = lc_impl_count("ecdsa-p256"); i-- > 0;) { /* the portable one first */
        struct lc_ecdsa_p256_public_key key, good;
        struct lc_ecdsa_p256_key private_key;
        struct lc_ecdsa_p256_verify_item items[3];
        struct lc_ecdh_p256_key dh_key;
        uint8_t good_sig[64], raw[65], secret[32] = { 0 };
        char ecdh[48];
        int status;

        if (lc_impl_get("ecdsa-p256", i, &info) != LC_OK || !info.runs_here)
            continue;
        snprintf(ecdh, sizeof(ecdh), "ecdh-p256%s", info.name + strlen("ecdsa-p256"));
        if (lc_ecdh_p256_init_impl(&dh_key, ecdh, one, 32) != LC_OK)
            differ("ECDH's implementations");
        status = lc_ecdh_p256(&dh_key, secret, point, 33);
        if (i == lc_impl_count("ecdsa-p256") - 1) {
            expected_dh = status;
            memcpy(expected_secret, secret, 32);
        }
        if (status != expected_dh || memcmp(secret, expected_secret, 32) != 0)
            differ(ecdh);
        /* once the point is its x */
        if ((status == LC_OK && memcmp(secret, point + 1, 32) != 0) ||
            status != lc_ecdsa_p256_public_init_impl(&key, info.name, point, 33))
            differ("public keys");
        if (status != LC_OK)
            continue;
        if (lc_ecdsa_p256_init_impl(&private_key, info.name, one, 32) != LC_OK ||
            lc_ecdsa_p256_sign_with(&private_key, good_sig, digest, digest_len, NULL, 0) != LC_OK)
            differ("signing");
        lc_ecdsa_p256_get_public(&private_key, raw);
        if (lc_ecdsa_p256_public_init_impl(&good, info.name, raw, 65) != LC_OK)
            differ("its own public key");
        status = lc_ecdsa_p256_verify(&key, sig, digest, digest_len);
        if (i == lc_impl_count("ecdsa-p256") - 1)
            expected = status;
        items[0] = (struct lc_ecdsa_p256_verify_item){ &good, good_sig, digest, digest_len, 0 };
        items[1] = (struct lc_ecdsa_p256_verify_item){ &key, sig, digest, digest_len, 0 };
        items[2] = items[0];
        if (lc_ecdsa_p256_verify_many(items, 3) != status || items[0].status != LC_OK || items[1].status != status ||
            items[2].status != LC_OK || status != expected)
            differ(info.name);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    uint8_t sig[64], der[LC_ECDSA_P256_MAX_DER_LEN];
    size_t digest_len;

    if (len < 1)
        return 0;
    digest_len = data[0] % 64 + 1u;
    if (len < 1 + digest_len + 33)
        return 0;
    const uint8_t *digest = data + 1, *point = digest + digest_len, *rest = point + 33;
    len -= 1 + digest_len + 33;
    if (lc_ecdsa_p256_from_der(sig, rest, len) == LC_OK) {
        if (lc_ecdsa_p256_to_der(der, sig) != len || memcmp(der, rest, len) != 0)
            differ("DER");
        try_signature(point, sig, digest, digest_len);
    } else if (len >= 64) {
        memcpy(sig, rest, 64);
        try_signature(point, sig, digest, digest_len);
    }
    return 0;
}
