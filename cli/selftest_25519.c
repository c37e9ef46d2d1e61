/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* lanecrypt selftest: X25519 and Ed25519: published answers in every place of a call for many, beside other keys. */
#include <string.h>

#include "cli.h"
#include "lanecrypt/ed25519.h"
#include "lanecrypt/x25519.h"

enum { NUM = 9 }; /* a vector of eight, and one more */

static bool wrong(const char *impl, const char *what)
{
    cli_error("selftest: %s: wrong result: %s", impl, what);
    return false;
}

/* RFC 7748, 6.1 */
static const uint8_t alice[32] =
    "\x77\x07\x6d\x0a\x73\x18\xa5\x7d\x3c\x16\xc1\x72\x51\xb2\x66\x45\xdf\x4c\x2f\x87\xeb\xc0\x99\x2a"
    "\xb1\x77\xfb\xa5\x1d\xb9\x2c\x2a";
static const uint8_t alice_public[32] =
    "\x85\x20\xf0\x09\x89\x30\xa7\x54\x74\x8b\x7d\xdc\xb4\x3e\xf7\x5a\x0d\xbf\x3a\x0d\x26\x38\x1a\xf4"
    "\xeb\xa4\xa9\x8e\xaa\x9b\x4e\x6a";
static const uint8_t bob_public[32] =
    "\xde\x9e\xdb\x7d\x7b\x7d\xc1\xb4\xd3\x5b\x61\xc2\xec\xe4\x35\x37\x3f\x83\x43\xc8\x5b\x78\x67\x4d"
    "\xad\xfc\x7e\x14\x6f\x88\x2b\x4f";
static const uint8_t common[32] =
    "\x4a\x5d\x9d\x5b\xa4\xce\x2d\xe1\x72\x8e\x3b\xf4\x80\x35\x0f\x25\xe0\x7e\x21\xc9\x47\xd1\x9e\x33"
    "\x76\xf0\x9b\x3c\x1e\x16\x17\x42";

/* RFC 8032, 7.1, test 2 */
static const uint8_t sign_key[32] =
    "\x4c\xcd\x08\x9b\x28\xff\x96\xda\x9d\xb6\xc3\x46\xec\x11\x4e\x0f\x5b\x8a\x31\x9f\x35\xab\xa6\x24"
    "\xda\x8c\xf6\xed\x4f\xb8\xa6\xfb";
static const uint8_t msg[1] = { 0x72 };
static const uint8_t signature[64] =
    "\x92\xa0\x09\xa9\xf0\xd4\xca\xb8\x72\x0e\x82\x0b\x5f\x64\x25\x40\xa2\xb2\x7b\x54\x16\x50\x3f\x8f\xb3\x76\x22\x23\xeb\xdb\x69"
    "\xda\x08\x5a\xc1\xe4\x3e\x15\x99\x6e\x45\x8f\x36\x13\xd0\xf1\x1d\x8c\x38\x7b\x2e\xae\xb4\x30\x2a\xee\xb0\x0d\x29\x16\x12\xbb"
    "\x0c\x00";

bool selftest_x25519(const char *impl)
{
    static const uint8_t zero[32];
    struct lc_x25519_key key, other;
    struct lc_x25519_item items[NUM];
    struct lc_x25519_public_item publics[NUM];
    uint8_t secrets[NUM][32], raws[NUM][32];
    bool ok = true;

    if (lc_x25519_init_impl(&key, impl, alice, 32) != LC_OK || lc_x25519_init_impl(&other, impl, sign_key, 32) != LC_OK)
        return wrong(impl, "a key is refused");
    for (size_t i = 0; i < NUM; i++) {
        items[i] = (struct lc_x25519_item){ i % 2 ? &other : &key, secrets[i], i % 4 == 3 ? zero : bob_public, 0 };
        publics[i] = (struct lc_x25519_public_item){ i % 2 ? &other : &key, raws[i] };
    }
    if (lc_x25519_many(items, NUM) != LC_ERR_KEY)
        ok = wrong(impl, "a point of small order is taken");
    lc_x25519_get_public_many(publics, NUM);
    for (size_t i = 0; i < NUM; i++) {
        if (items[i].status != (i % 4 == 3 ? LC_ERR_KEY : LC_OK) || (i % 2 == 0 && memcmp(secrets[i], common, 32) != 0))
            ok = wrong(impl, "RFC 7748's secret");
        if (i % 2 == 0 && memcmp(raws[i], alice_public, 32) != 0)
            ok = wrong(impl, "RFC 7748's public key");
    }
    lc_x25519_wipe(&key);
    lc_x25519_wipe(&other);
    return ok;
}

bool selftest_ed25519(const char *impl)
{
    struct lc_ed25519_key key, other;
    struct lc_ed25519_public_key public_key, other_public;
    struct lc_ed25519_sign_item sign[NUM];
    struct lc_ed25519_verify_item verify[NUM];
    static uint8_t workspace[60000];
    uint8_t sigs[NUM][64], raw[32];
    bool ok = true;

    if (lc_ed25519_init_impl(&key, impl, sign_key, 32) != LC_OK || lc_ed25519_init_impl(&other, impl, alice, 32) != LC_OK)
        return wrong(impl, "a key is refused");
    lc_ed25519_get_public(&key, raw);
    if (lc_ed25519_public_init_impl(&public_key, impl, raw, 32) != LC_OK)
        return wrong(impl, "its own public key is refused");
    lc_ed25519_get_public(&other, raw);
    if (lc_ed25519_public_init_impl(&other_public, impl, raw, 32) != LC_OK)
        return wrong(impl, "its own public key is refused");
    for (size_t i = 0; i < NUM; i++) {
        sign[i] = (struct lc_ed25519_sign_item){ i % 2 ? &other : &key, sigs[i], msg, sizeof(msg), 0 };
        verify[i] = (struct lc_ed25519_verify_item){ i % 4 < 2 ? &public_key : &other_public, sigs[i], msg, sizeof(msg), 0 };
    }
    if (lc_ed25519_sign_many(sign, NUM) != LC_OK)
        return wrong(impl, "signing fails");
    if (lc_ed25519_verify_many(verify, NUM) != LC_ERR_SIGNATURE)
        ok = wrong(impl, "signatures of another key are taken");
    for (size_t i = 0; i < NUM; i++) {
        if (i % 2 == 0 && memcmp(sigs[i], signature, 64) != 0)
            ok = wrong(impl, "RFC 8032's signature");
        if ((verify[i].status == LC_OK) != (i % 2 == i % 4 / 2))
            ok = wrong(impl, "what is verified");
    }
    for (size_t i = 0; i < NUM; i++)
        verify[i].key = i % 2 ? &other_public : &public_key;
    if (lc_ed25519_verify_batch(verify, NUM, NULL, workspace, sizeof(workspace)) != LC_OK)
        ok = wrong(impl, "what is verified as a batch");
    verify[0].key = &other_public;
    if (lc_ed25519_verify_batch(verify, NUM, NULL, workspace, sizeof(workspace)) != LC_ERR_SIGNATURE)
        ok = wrong(impl, "a signature of another key is taken in a batch");
    lc_ed25519_wipe(&key);
    lc_ed25519_wipe(&other);
    return ok;
}
