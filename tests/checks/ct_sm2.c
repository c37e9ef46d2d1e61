/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_sm2 IMPL: signing by SM2 with that implementation, to be run by valgrind (see check_ct.sh): the private key, the digest, the
 * message and the additional data are marked undefined, so memcheck reports every branch and every address that depends on them.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#include "lanecrypt/sm2.h"

enum { NUM = 3 };

static uint8_t raw[32], digest[32], extra[32], msg[100], out[NUM][65];

int main(int argc, char **argv)
{
    struct lc_sm2_key key;
    struct lc_sm2_sign_item items[NUM];
    const char *impl = argv[argc - 1];

    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with the name of an implementation", 0);
    for (size_t i = 0; i < sizeof(raw); i++)
        raw[i] = (uint8_t)(7 * i + 1);
    make_secret(raw, sizeof(raw));
    make_secret(digest, sizeof(digest));
    make_secret(extra, sizeof(extra));
    make_secret(msg, sizeof(msg));
    if (lc_sm2_init_impl(&key, impl, raw, sizeof(raw)) != LC_OK)
        fail("this implementation doesn't run here", 0);
    if (strcmp(lc_sm2_impl_name(&key), impl) != 0)
        fail("another implementation was chosen", 0);
    lc_sm2_get_public(&key, out[0]);
    expect_secret(out[0] + 1, 64);
    for (size_t i = 0; i < NUM; i++)
        items[i] = (struct lc_sm2_sign_item){ &key, out[i], digest, extra, i * sizeof(extra) / 2, 0 };
    if (lc_sm2_sign_many_with(items, NUM) != LC_OK)
        fail("signing", 0);
    for (size_t i = 0; i < NUM; i++)
        expect_secret(out[i], 64);
    if (lc_sm2_sign(&key, out[0], digest) != LC_OK || lc_sm2_sign_message(&key, out[1], digest, msg, sizeof(msg)) != LC_OK)
        fail("signing", 0);
    expect_secret(out[0], 64);
    expect_secret(out[1], 64);
    lc_sm2_wipe(&key);
    printf("%s: done\n", impl);
    return 0;
}
