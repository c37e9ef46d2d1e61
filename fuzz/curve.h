/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ECDSA and ECDH on a curve (tests/curve.h), and what comes from outside: a signature as DER, and of other bytes as r and s, public
 * keys, digests; every implementation that this CPU can run has to say the same, alone and beside a good signature.  What is taken
 * as DER gives the same DER again.
 *
 * Input: 1 byte: length of the digest (mod 64, plus 1); so many bytes; a public key, compressed; the rest: a signature.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lanecrypt/cpu.h"
#include "../tests/curve.h"

static const uint8_t one[BYTES] = { [BYTES - 1] = 1 };

static void differ(const char *what)
{
    fprintf(stderr, "differs: %s\n", what);
    abort();
}

static void try_signature(const uint8_t *point, const uint8_t sig[SIG_LEN], const uint8_t *digest, size_t digest_len)
{
    struct lc_impl_info info;
    int expected = 0, expected_dh = 0;
    uint8_t expected_secret[BYTES];

    for (size_t i = lc_impl_count("ecdsa-" CURVE_NAME); i-- > 0;) { /* the portable one first */
        struct ECDSA(public_key) key, good;
        struct ECDSA(key) private_key;
        struct ECDSA(verify_item) items[3];
        static uint8_t table[1 << 18];
        struct ECDH(key) dh_key;
        uint8_t good_sig[SIG_LEN], raw[POINT_LEN], secret[BYTES] = { 0 };
        char ecdh[48];
        int status;

        if (lc_impl_get("ecdsa-" CURVE_NAME, i, &info) != LC_OK || !info.runs_here)
            continue;
        snprintf(ecdh, sizeof(ecdh), "ecdh-" CURVE_NAME "%s", info.name + strlen("ecdsa-" CURVE_NAME));
        if (ECDH(init_impl)(&dh_key, ecdh, one, BYTES) != LC_OK)
            differ("ECDH's implementations");
        status = ECDH_SHARED(&dh_key, secret, point, SHORT_LEN);
        if (i == lc_impl_count("ecdsa-" CURVE_NAME) - 1) {
            expected_dh = status;
            memcpy(expected_secret, secret, BYTES);
        }
        if (status != expected_dh || memcmp(secret, expected_secret, BYTES) != 0)
            differ(ecdh);
        /* once the point is its x */
        if ((status == LC_OK && memcmp(secret, point + 1, BYTES) != 0) ||
            status != ECDSA(public_init_impl)(&key, info.name, point, SHORT_LEN))
            differ("public keys");
        if (status != LC_OK)
            continue;
        if (ECDSA(init_impl)(&private_key, info.name, one, BYTES) != LC_OK ||
            ECDSA(sign_with)(&private_key, good_sig, digest, digest_len, NULL, 0) != LC_OK)
            differ("signing");
        ECDSA(get_public)(&private_key, raw);
        if (ECDSA(public_init_impl)(&good, info.name, raw, POINT_LEN) != LC_OK)
            differ("its own public key");
        status = ECDSA(verify)(&key, sig, digest, digest_len);
        if (i == lc_impl_count("ecdsa-" CURVE_NAME) - 1)
            expected = status;
        items[0] = (struct ECDSA(verify_item)){ &good, good_sig, digest, digest_len, 0 };
        items[1] = (struct ECDSA(verify_item)){ &key, sig, digest, digest_len, 0 };
        items[2] = items[0];
        if (ECDSA(prepare)(&key, table, sizeof(table)) != LC_OK || ECDSA(verify)(&key, sig, digest, digest_len) != status)
            differ("a prepared key");
        if (ECDSA(verify_many)(items, 3) != status || items[0].status != LC_OK || items[1].status != status ||
            items[2].status != LC_OK || status != expected)
            differ(info.name);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    uint8_t sig[SIG_LEN], der[MAX_DER_LEN];
    size_t digest_len;

    if (len < 1)
        return 0;
    digest_len = data[0] % 64 + 1u;
    if (len < 1 + digest_len + SHORT_LEN)
        return 0;
    const uint8_t *digest = data + 1, *point = digest + digest_len, *rest = point + SHORT_LEN;
    len -= 1 + digest_len + SHORT_LEN;
    if (ECDSA(from_der)(sig, rest, len) == LC_OK) {
        if (ECDSA(to_der)(der, sig) != len || memcmp(der, rest, len) != 0)
            differ("DER");
        try_signature(point, sig, digest, digest_len);
    } else if (len >= SIG_LEN) {
        memcpy(sig, rest, SIG_LEN);
        try_signature(point, sig, digest, digest_len);
    }
    return 0;
}
