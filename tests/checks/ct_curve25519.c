/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_curve25519 IMPL: signing by Ed25519, or X25519, with that implementation, to be run by valgrind (see check_ct.sh): the private
 * key and the messages are marked undefined, so memcheck reports every branch and every address that depends on them.  Public keys
 * are public, and so is what is verified.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#include "lanecrypt/ed25519.h"
#include "lanecrypt/x25519.h"

enum { NUM = 3, LONG = 3000 };

static uint8_t raw[32], msg[LONG], out[NUM][64];

static void check_ed25519(const char *impl)
{
    static const size_t lens[NUM] = { 0, 100, LONG };
    struct lc_ed25519_key key;
    struct lc_ed25519_sign_item items[NUM];

    if (lc_ed25519_init_impl(&key, impl, raw, sizeof(raw)) != LC_OK)
        fail("this implementation doesn't run here", 0);
    if (strcmp(lc_ed25519_impl_name(&key), impl) != 0)
        fail("another implementation was chosen", 0);
    lc_ed25519_get_public(&key, out[0]);
    expect_secret(out[0], 32);
    for (size_t i = 0; i < NUM; i++)
        items[i] = (struct lc_ed25519_sign_item){ &key, out[i], msg, lens[i], 0 };
    if (lc_ed25519_sign_many(items, NUM) != LC_OK)
        fail("signing", 0);
    for (size_t i = 0; i < NUM; i++)
        expect_secret(out[i], 64);
    lc_ed25519_wipe(&key);
}

static void check_x25519(const char *impl)
{
    static const uint8_t nine[32] = { 9 };
    struct lc_x25519_key key;

    if (lc_x25519_init_impl(&key, impl, raw, sizeof(raw)) != LC_OK)
        fail("this implementation doesn't run here", 0);
    if (strcmp(lc_x25519_impl_name(&key), impl) != 0)
        fail("another implementation was chosen", 0);
    lc_x25519_get_public(&key, out[0]);
    expect_secret(out[0], 32);
    if (lc_x25519(&key, out[1], nine) != LC_OK)
        fail("the shared secret", 0);
    expect_secret(out[1], 32);
    lc_x25519_wipe(&key);
}

int main(int argc, char **argv)
{
    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with the name of an implementation", 0);
    for (size_t i = 0; i < 32; i++)
        raw[i] = (uint8_t)(7 * i + 1);
    make_secret(raw, sizeof(raw));
    make_secret(msg, sizeof(msg));
    if (strncmp(argv[1], "ed25519-", 8) == 0)
        check_ed25519(argv[1]);
    else
        check_x25519(argv[1]);
    printf("%s: done\n", argv[1]);
    return 0;
}
