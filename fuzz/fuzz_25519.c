/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * X25519 and Ed25519: what comes from outside: public keys, signatures, messages.  Every implementation that this CPU can run has
 * to say the same, alone and beside a good signature; and what is signed here has to be taken.
 *
 * Input: 32 bytes: a private key; 32 bytes: a public key; 64 bytes: a signature; the rest: a message.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lanecrypt/cpu.h"
#include "lanecrypt/ed25519.h"
#include "lanecrypt/x25519.h"

static void differ(const char *what)
{
    fprintf(stderr, "differs: %s\n", what);
    abort();
}

static void try_dh(const uint8_t raw[32], const uint8_t peer[32])
{
    uint8_t expected[32] = { 0 };
    int expected_status = 0;

    for (size_t i = lc_impl_count("x25519"); i-- > 0;) { /* the portable one first */
        struct lc_x25519_key key;
        struct lc_x25519_item items[3];
        struct lc_impl_info info;
        uint8_t secrets[3][32] = { { 0 } }, own[32];

        if (lc_impl_get("x25519", i, &info) != LC_OK || !info.runs_here)
            continue;
        if (lc_x25519_init_impl(&key, info.name, raw, 32) != LC_OK)
            differ("X25519's implementations");
        lc_x25519_get_public(&key, own);
        for (size_t k = 0; k < 3; k++)
            items[k] = (struct lc_x25519_item){ &key, secrets[k], k == 1 ? peer : own, 0 };
        if (lc_x25519_many(items, 3) != items[1].status || items[0].status != LC_OK || items[2].status != LC_OK ||
            memcmp(secrets[0], secrets[2], 32) != 0)
            differ(info.name);
        if (i == lc_impl_count("x25519") - 1) {
            expected_status = items[1].status;
            memcpy(expected, secrets[1], 32);
        }
        if (items[1].status != expected_status || memcmp(secrets[1], expected, 32) != 0 ||
            lc_x25519(&key, secrets[0], peer) != expected_status ||
            (expected_status == LC_OK && memcmp(secrets[0], expected, 32) != 0))
            differ(info.name);
    }
}

static void try_signature(const uint8_t raw[32], const uint8_t point[32], const uint8_t sig[64], const uint8_t *msg, size_t len)
{
    static uint8_t workspace[32768];
    uint8_t expected_sig[64];
    int expected = 0, expected_key = 0, expected_batch = 0;

    for (size_t i = lc_impl_count("ed25519"); i-- > 0;) {
        struct lc_ed25519_key private_key;
        struct lc_ed25519_public_key key, good;
        struct lc_ed25519_verify_item items[3], batch[2];
        struct lc_impl_info info;
        uint8_t good_sig[64], own[32];
        int status;

        if (lc_impl_get("ed25519", i, &info) != LC_OK || !info.runs_here)
            continue;
        if (lc_ed25519_init_impl(&private_key, info.name, raw, 32) != LC_OK ||
            lc_ed25519_sign(&private_key, good_sig, msg, len) != LC_OK)
            differ("signing");
        lc_ed25519_get_public(&private_key, own);
        if (lc_ed25519_public_init_impl(&good, info.name, own, 32) != LC_OK)
            differ("its own public key");
        status = lc_ed25519_public_init_impl(&key, info.name, point, 32);
        if (i == lc_impl_count("ed25519") - 1) {
            memcpy(expected_sig, good_sig, 64);
            expected_key = status;
        }
        if (status != expected_key || memcmp(good_sig, expected_sig, 64) != 0)
            differ(info.name);
        if (status != LC_OK)
            key = good;
        status = lc_ed25519_verify(&key, sig, msg, len);
        if (i == lc_impl_count("ed25519") - 1)
            expected = status;
        items[0] = (struct lc_ed25519_verify_item){ &good, good_sig, msg, len, 0 };
        items[1] = (struct lc_ed25519_verify_item){ &key, sig, msg, len, 0 };
        items[2] = items[0];
        batch[0] = items[0];
        batch[1] = items[1];
        if (lc_ed25519_verify_many(items, 3) != status || items[0].status != LC_OK || items[1].status != status ||
            items[2].status != LC_OK || status != expected)
            differ(info.name);
        /* It has the cofactor: so it may take what isn't right alone, but all implementations agree. */
        if (lc_ed25519_verify_batch_len(&good, 2) > sizeof(workspace))
            differ("length of a workspace");
        status = lc_ed25519_verify_batch(batch, 2, raw, workspace, sizeof(workspace));
        if (i == lc_impl_count("ed25519") - 1)
            expected_batch = status;
        if (status != expected_batch || (expected == LC_OK && status != LC_OK))
            differ("a batch");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len < 128)
        return 0;
    try_dh(data, data + 32);
    try_signature(data, data + 32, data + 64, data + 128, len - 128);
    return 0;
}
