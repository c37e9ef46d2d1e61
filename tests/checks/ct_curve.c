/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_p256 IMPL: signing by ECDSA, or ECDH, on P-256 with that implementation, to be run by valgrind (see check_ct.sh): the
 * private key, the digest and the additional data are marked undefined, so memcheck reports every branch and every address that
 * depends on them.  Public keys are public, and so is what is verified.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#include "lanecrypt/ecdh.h"
#include "lanecrypt/ecdsa.h"

enum { NUM = 3 };

static uint8_t raw[32], digest[32], extra[32], out[NUM][65];

static void check_ecdsa(const char *impl)
{
    struct lc_ecdsa_p256_key key;
    struct lc_ecdsa_p256_sign_item items[NUM];

    if (lc_ecdsa_p256_init_impl(&key, impl, raw, sizeof(raw)) != LC_OK)
        fail("this implementation doesn't run here", 0);
    if (strcmp(lc_ecdsa_p256_impl_name(&key), impl) != 0)
        fail("another implementation was chosen", 0);
    lc_ecdsa_p256_get_public(&key, out[0]);
    expect_secret(out[0] + 1, 64);
    for (size_t i = 0; i < NUM; i++)
        items[i] = (struct lc_ecdsa_p256_sign_item){ &key, out[i], digest, sizeof(digest), extra, i * sizeof(extra) / 2, 0 };
    if (lc_ecdsa_p256_sign_many_with(items, NUM) != LC_OK || lc_ecdsa_p256_sign(&key, out[0], digest, sizeof(digest)) != LC_OK)
        fail("signing", 0);
    for (size_t i = 0; i < NUM; i++)
        expect_secret(out[i], 64);
    lc_ecdsa_p256_wipe(&key);
}

static void check_ecdh(const char *impl)
{
    static const uint8_t generator[33] = { 3,    0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc,
                                           0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2, 0x77, 0x03, 0x7d, 0x81, 0x2d,
                                           0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96 };
    struct lc_ecdh_p256_key key;

    if (lc_ecdh_p256_init_impl(&key, impl, raw, sizeof(raw)) != LC_OK)
        fail("this implementation doesn't run here", 0);
    if (strcmp(lc_ecdh_p256_impl_name(&key), impl) != 0)
        fail("another implementation was chosen", 0);
    lc_ecdh_p256_get_public(&key, out[0]);
    expect_secret(out[0] + 1, 64);
    if (lc_ecdh_p256(&key, out[1], generator, sizeof(generator)) != LC_OK)
        fail("the shared secret", 0);
    expect_secret(out[1], 32);
    lc_ecdh_p256_wipe(&key);
}

int main(int argc, char **argv)
{
    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with the name of an implementation", 0);
    for (size_t i = 0; i < 32; i++)
        raw[i] = (uint8_t)(7 * i + 1);
    make_secret(raw, sizeof(raw));
    make_secret(digest, sizeof(digest));
    make_secret(extra, sizeof(extra));
    if (strncmp(argv[1], "ecdsa-", 6) == 0)
        check_ecdsa(argv[1]);
    else
        check_ecdh(argv[1]);
    printf("%s: done\n", argv[1]);
    return 0;
}
