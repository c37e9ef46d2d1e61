/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SM2 and what comes from outside: a signature as DER, and of other bytes as r and s, public keys, digests, identities; every
 * implementation that this CPU can run has to say the same, alone and beside a good signature.  What is taken as DER gives the same
 * DER again.
 *
 * Input: a digest, 32 bytes; a public key, compressed; the rest: a signature, which is the identity, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lanecrypt/cpu.h"
#include "lanecrypt/sm2.h"

static void differ(const char *what)
{
    fprintf(stderr, "differs: %s\n", what);
    abort();
}

static void try_signature(const uint8_t point[33], const uint8_t sig[64], const uint8_t digest[LC_SM2_LEN], int key_status)
{
    static const uint8_t one[32] = { [31] = 1 };
    struct lc_impl_info info;
    int expected = 0;

    for (size_t i = lc_impl_count("sm2"); i-- > 0;) { /* the portable one first */
        struct lc_sm2_public_key key, good;
        struct lc_sm2_key private_key;
        struct lc_sm2_verify_item items[3];
        uint8_t good_sig[64], raw[65];
        int status;

        if (lc_impl_get("sm2", i, &info) != LC_OK || !info.runs_here)
            continue;
        if (lc_sm2_public_init_impl(&key, info.name, point, 33) != key_status)
            differ("public keys");
        if (key_status != LC_OK)
            return;
        if (lc_sm2_init_impl(&private_key, info.name, one, 32) != LC_OK ||
            lc_sm2_sign_with(&private_key, good_sig, digest, NULL, 0) != LC_OK)
            differ("signing");
        lc_sm2_get_public(&private_key, raw);
        if (lc_sm2_public_init_impl(&good, info.name, raw, 65) != LC_OK)
            differ("its own public key");
        status = lc_sm2_verify(&key, sig, digest);
        if (i == lc_impl_count("sm2") - 1)
            expected = status;
        items[0] = (struct lc_sm2_verify_item){ &good, good_sig, digest, 0 };
        items[1] = (struct lc_sm2_verify_item){ &key, sig, digest, 0 };
        items[2] = items[0];
        if (lc_sm2_verify_many(items, 3) != status || items[0].status != LC_OK || items[1].status != status ||
            items[2].status != LC_OK || status != expected)
            differ(info.name);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const uint8_t *digest = data, *point = data + LC_SM2_LEN, *rest = point + 33;
    uint8_t sig[64], der[LC_SM2_MAX_DER_LEN], z[LC_SM2_LEN];
    int status;

    if (len < LC_SM2_LEN + 33)
        return 0;
    len -= LC_SM2_LEN + 33;
    status = lc_sm2_z(z, point, 33, rest, len > LC_SM2_MAX_ID_LEN ? LC_SM2_MAX_ID_LEN : len);
    if (lc_sm2_from_der(sig, rest, len) == LC_OK) {
        if (lc_sm2_to_der(der, sig) != len || memcmp(der, rest, len) != 0)
            differ("DER");
        try_signature(point, sig, digest, status);
    } else if (len >= 64) {
        memcpy(sig, rest, 64);
        try_signature(point, sig, digest, status);
    }
    return 0;
}
