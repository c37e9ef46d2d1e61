/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* lanecrypt selftest: SM2: the example of GB/T 32918.5 in every place of a call for many, beside other keys */
#include <string.h>

#include "cli.h"
#include "lanecrypt/sm2.h"

enum { NUM = 9 }; /* a vector of eight, and one more */

static const uint8_t private_key[32] =
    "\x39\x45\x20\x8f\x7b\x21\x44\xb1\x3f\x36\xe3\x8a\xc6\xd3\x9f\x95\x88\x93\x93\x69\x28\x60\xb5\x1a"
    "\x42\xfb\x81\xef\x4d\xf7\xc5\xb8";
static const uint8_t digest[LC_SM2_LEN] =
    "\xf0\xb4\x3e\x94\xba\x45\xac\xca\xac\xe6\x92\xed\x53\x43\x82\xeb\x17\xe6\xab\x5a\x19\xce\x7b\x31"
    "\xf4\x48\x6f\xdf\xc0\xd2\x86\x40";
static const uint8_t signature[64] =
    "\xf5\xa0\x3b\x06\x48\xd2\xc4\x63\x0e\xea\xc5\x13\xe1\xbb\x81\xa1\x59\x44\xda\x38\x27\xd5\xb7\x41"
    "\x43\xac\x7e\xac\xee\xe7\x20\xb3\xb1\xb6\xaa\x29\xdf\x21\x2f\xd8\x76\x31\x82\xbc\x0d\x42\x1c\xa1"
    "\xbb\x90\x38\xfd\x1f\x7f\x42\xd4\x84\x0b\x69\xc4\x85\xbb\xc1\xaa";

/* That of the same digest with the nonce of RFC 6979, by another program */
static const uint8_t deterministic[64] =
    "\x24\x85\x8e\xe7\x1d\x63\xe6\x87\xfe\xef\xe4\x1f\x5a\xf8\x0a\x59\xf0\x79\x1e\xb1\xda\xbc\x2b\xbe"
    "\x71\xda\xf0\xe5\x7f\x06\xc3\x67\x3d\x15\x55\x0d\xe5\x27\x85\xa4\x35\x00\x4c\x93\x72\x56\xac\x71"
    "\x5c\x0e\x04\x17\x6a\xc5\x70\x62\xc6\x72\x2f\xa6\x92\xf7\xa4\x91";

static bool wrong(const char *impl, const char *what)
{
    cli_error("selftest: %s: wrong result: %s", impl, what);
    return false;
}

bool selftest_sm2(const char *impl)
{
    struct lc_sm2_key key, other;
    struct lc_sm2_public_key public_key, other_public;
    struct lc_sm2_sign_item sign[NUM];
    struct lc_sm2_verify_item verify[NUM];
    uint8_t sigs[NUM][64], raw[65], z[LC_SM2_LEN], computed[LC_SM2_LEN];
    bool ok = true;

    if (lc_sm2_init_impl(&key, impl, private_key, 32) != LC_OK || lc_sm2_init_impl(&other, impl, digest, 32) != LC_OK)
        return wrong(impl, "a key is refused");
    lc_sm2_get_public(&other, raw);
    if (lc_sm2_public_init_impl(&other_public, impl, raw, 65) != LC_OK)
        return wrong(impl, "its own public key is refused");
    lc_sm2_get_public(&key, raw);
    if (lc_sm2_public_init_impl(&public_key, impl, raw, 65) != LC_OK)
        return wrong(impl, "its own public key is refused");
    if (lc_sm2_z(z, raw, 65, (const uint8_t *)LC_SM2_DEFAULT_ID, strlen(LC_SM2_DEFAULT_ID)) != LC_OK ||
        lc_sm2_digest(computed, z, (const uint8_t *)"message digest", 14) != LC_OK || memcmp(computed, digest, LC_SM2_LEN) != 0)
        ok = wrong(impl, "the standard's digest");
    if (lc_sm2_verify(&public_key, signature, digest) != LC_OK)
        ok = wrong(impl, "the standard's signature");
    for (size_t i = 0; i < NUM; i++) {
        sign[i] = (struct lc_sm2_sign_item){ i % 2 ? &other : &key, sigs[i], digest, NULL, 0, 0 };
        verify[i] = (struct lc_sm2_verify_item){ i % 4 < 2 ? &public_key : &other_public, sigs[i], digest, 0 };
    }
    if (lc_sm2_sign_many_with(sign, NUM) != LC_OK)
        return wrong(impl, "signing fails");
    if (lc_sm2_verify_many(verify, NUM) == LC_OK)
        return wrong(impl, "signatures of another key are taken");
    for (size_t i = 0; i < NUM; i++) {
        if (i % 2 == 0 && memcmp(sigs[i], deterministic, 64) != 0)
            ok = wrong(impl, "the deterministic signature");
        if ((verify[i].status == LC_OK) != (i % 2 == i % 4 / 2))
            ok = wrong(impl, "what is verified");
    }
    return ok;
}
