/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_p256, ct_p384 IMPL: signing by ECDSA, or ECDH, on that curve with that implementation, to be run by valgrind (see
 * check_ct.sh): the private key, the digest and the additional data are marked undefined, so memcheck reports every branch and
 * every address that depends on them.  Public keys are public, and so is what is verified.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#include "../curve.h"

enum { NUM = 3 };

static uint8_t raw[BYTES], digest[BYTES], extra[32], out[NUM][POINT_LEN];

static void check_ecdsa(const char *impl)
{
    struct ECDSA(key) key;
    struct ECDSA(sign_item) items[NUM];

    if (ECDSA(init_impl)(&key, impl, raw, sizeof(raw)) != LC_OK)
        fail("this implementation doesn't run here", 0);
    if (strcmp(ECDSA(impl_name)(&key), impl) != 0)
        fail("another implementation was chosen", 0);
    ECDSA(get_public)(&key, out[0]);
    expect_secret(out[0] + 1, 2 * BYTES);
    for (size_t i = 0; i < NUM; i++)
        items[i] = (struct ECDSA(sign_item)){ &key, out[i], digest, sizeof(digest), extra, i * sizeof(extra) / 2, 0 };
    if (ECDSA(sign_many_with)(items, NUM) != LC_OK || ECDSA(sign)(&key, out[0], digest, sizeof(digest)) != LC_OK)
        fail("signing", 0);
    for (size_t i = 0; i < NUM; i++)
        expect_secret(out[i], SIG_LEN);
    ECDSA(wipe)(&key);
}

static void check_ecdh(const char *impl)
{
    static const uint8_t five[BYTES] = { [BYTES - 1] = 5 };
    uint8_t peer[POINT_LEN]; /* 5 G */
    struct ECDH(key) key;

    if (ECDH(init_impl)(&key, impl, five, sizeof(five)) != LC_OK)
        fail("the other key", 0);
    ECDH(get_public)(&key, peer);
    if (ECDH(init_impl)(&key, impl, raw, sizeof(raw)) != LC_OK)
        fail("this implementation doesn't run here", 0);
    if (strcmp(ECDH(impl_name)(&key), impl) != 0)
        fail("another implementation was chosen", 0);
    ECDH(get_public)(&key, out[0]);
    expect_secret(out[0] + 1, 2 * BYTES);
    if (ECDH_SHARED(&key, out[1], peer, sizeof(peer)) != LC_OK)
        fail("the shared secret", 0);
    expect_secret(out[1], BYTES);
    ECDH(wipe)(&key);
}

int main(int argc, char **argv)
{
    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with the name of an implementation", 0);
    for (size_t i = 0; i < BYTES; i++)
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
