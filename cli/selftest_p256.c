/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* lanecrypt selftest: ECDSA and ECDH on P-256: published answers in every place of a call for many, beside other keys. */
#include <string.h>

#include "cli.h"
#include "lanecrypt/ecdh.h"
#include "lanecrypt/ecdsa.h"

enum { NUM = 9 }; /* a vector of eight, and one more */

static bool wrong(const char *impl, const char *what)
{
    cli_error("selftest: %s: wrong result: %s", impl, what);
    return false;
}

/* RFC 6979, A.2.5: "sample", SHA-256 */
static const uint8_t sign_key[32] =
    "\xc9\xaf\xa9\xd8\x45\xba\x75\x16\x6b\x5c\x21\x57\x67\xb1\xd6\x93\x4e\x50\xc3\xdb\x36\xe8\x9b\x12"
    "\x7b\x8a\x62\x2b\x12\x0f\x67\x21";
static const uint8_t digest[32] =
    "\xaf\x2b\xdb\xe1\xaa\x9b\x6e\xc1\xe2\xad\xe1\xd6\x94\xf4\x1f\xc7\x1a\x83\x1d\x02\x68\xe9\x89\x15"
    "\x62\x11\x3d\x8a\x62\xad\xd1\xbf";
static const uint8_t signature[64] =
    "\xef\xd4\x8b\x2a\xac\xb6\xa8\xfd\x11\x40\xdd\x9c\xd4\x5e\x81\xd6\x9d\x2c\x87\x7b\x56\xaa\xf9\x91\xc3\x4d\x0e\xa8\x4e\xaf\x37"
    "\x16"
    "\xf7\xcb\x1c\x94\x2d\x65\x7c\x41\xd4\x36\xc7\xa1\xb6\xe2\x9f\x65\xf3\xe9\x00\xdb\xb9\xaf\xf4\x06\x4d\xc4\xab\x2f\x84\x3a\xcd"
    "\xa8";

bool selftest_ecdsa_p256(const char *impl)
{
    struct lc_ecdsa_p256_key key, other;
    struct lc_ecdsa_p256_public_key public_key, other_public;
    struct lc_ecdsa_p256_sign_item sign[NUM];
    struct lc_ecdsa_p256_verify_item verify[NUM];
    uint8_t sigs[NUM][64], raw[65];
    bool ok = true;

    if (lc_ecdsa_p256_init_impl(&key, impl, sign_key, 32) != LC_OK || lc_ecdsa_p256_init_impl(&other, impl, digest, 32) != LC_OK)
        return wrong(impl, "a key is refused");
    lc_ecdsa_p256_get_public(&key, raw);
    if (lc_ecdsa_p256_public_init_impl(&public_key, impl, raw, 65) != LC_OK)
        return wrong(impl, "its own public key is refused");
    lc_ecdsa_p256_get_public(&other, raw);
    if (lc_ecdsa_p256_public_init_impl(&other_public, impl, raw, 65) != LC_OK)
        return wrong(impl, "its own public key is refused");
    for (size_t i = 0; i < NUM; i++) {
        sign[i] = (struct lc_ecdsa_p256_sign_item){ i % 2 ? &other : &key, sigs[i], digest, 32, NULL, 0, 0 };
        verify[i] = (struct lc_ecdsa_p256_verify_item){ i % 4 < 2 ? &public_key : &other_public, sigs[i], digest, 32, 0 };
    }
    if (lc_ecdsa_p256_sign_many_with(sign, NUM) != LC_OK)
        return wrong(impl, "signing fails");
    if (lc_ecdsa_p256_verify_many(verify, NUM) == LC_OK)
        return wrong(impl, "signatures of another key are taken");
    for (size_t i = 0; i < NUM; i++) {
        if (i % 2 == 0 && memcmp(sigs[i], signature, 64) != 0)
            ok = wrong(impl, "RFC 6979's signature");
        if ((verify[i].status == LC_OK) != (i % 2 == i % 4 / 2))
            ok = wrong(impl, "what is verified");
    }
    return ok;
}

/* Wycheproof's first: a key, another one's public key, their secret */
static const uint8_t dh_key[32] =
    "\x06\x12\x46\x5c\x89\xa0\x23\xab\x17\x85\x5b\x0a\x6b\xce\xbf\xd3\xfe\xbb\x53\xae\xf8\x41\x38\x64"
    "\x7b\x53\x52\xe0\x2c\x10\xc3\x46";
static const uint8_t dh_peer[65] =
    "\x04\x62\xd5\xbd\x33\x72\xaf\x75\xfe\x85\xa0\x40\x71\x5d\x0f\x50\x24\x28\xe0\x70\x46\x86\x8b\x0b\xfd\xfa\x61\xd7\x31\xaf\xe4"
    "\x4f"
    "\x26\xac\x33\x3a\x93\xa9\xe7\x0a\x81\xcd\x5a\x95\xb5\xbf\x8d\x13\x99\x0e\xb7\x41\xc8\xc3\x88\x72\xb4\xa0\x7d\x27\x5a\x01\x4e"
    "\x30"
    "\xcf";
static const uint8_t dh_secret[32] =
    "\x53\x02\x0d\x90\x8b\x02\x19\x32\x8b\x65\x8b\x52\x5f\x26\x78\x0e\x3a\xe1\x2b\xcd\x95\x2b\xb2\x5a"
    "\x93\xbc\x08\x95\xe1\x71\x42\x85";

bool selftest_ecdh_p256(const char *impl)
{
    struct lc_ecdh_p256_key key, other;
    struct lc_ecdh_p256_item items[NUM];
    uint8_t secrets[NUM][32], back[32], raw[65];
    bool ok = true;

    if (lc_ecdh_p256_init_impl(&key, impl, dh_key, 32) != LC_OK || lc_ecdh_p256_init_impl(&other, impl, sign_key, 32) != LC_OK)
        return wrong(impl, "a key is refused");
    for (size_t i = 0; i < NUM; i++)
        items[i] = (struct lc_ecdh_p256_item){ i % 2 ? &other : &key, secrets[i], dh_peer, 65, 0 };
    if (lc_ecdh_p256_many(items, NUM) != LC_OK)
        return wrong(impl, "a public key is refused");
    for (size_t i = 0; i < NUM; i += 2)
        if (memcmp(secrets[i], dh_secret, 32) != 0)
            ok = wrong(impl, "Wycheproof's secret");
    lc_ecdh_p256_get_public(&other, raw);
    if (lc_ecdh_p256(&key, back, raw, 65) != LC_OK)
        return wrong(impl, "its own public key is refused");
    lc_ecdh_p256_get_public(&key, raw);
    if (lc_ecdh_p256(&other, secrets[0], raw, 65) != LC_OK || memcmp(back, secrets[0], 32) != 0)
        ok = wrong(impl, "secrets of both sides");
    return ok;
}
