/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_rsa IMPL: keys and signatures of RSA with that implementation, to be run by valgrind (see check_ct.sh): p, q and all that
 * depends on them is marked undefined in the key's DER, but for the first two bytes of each number, which are part of its length
 * there.  So memcheck reports every branch and every address that depends on them.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#include "../../bench/rsa_keys.h"
#include "lanecrypt/rsa.h"

static uint8_t der[RSA_MAX_DER_LEN], sig[256], digest[32];

/* d, p, q, d mod p - 1, d mod q - 1, 1/q: after the SEQUENCE's head, the version, n and e.  Their lengths have one, two or three
   bytes. */
static void mark(size_t len)
{
    size_t at = 7;

    for (int i = 0; i < 8; i++) {
        size_t head = der[at + 1] & 0x80 ? 2 + (der[at + 1] & 0x7fu) : 2, number = der[at + 1];

        if (head > 2)
            number = head == 3 ? der[at + 2] : (size_t)(der[at + 2] << 8 | der[at + 3]);
        at += head;
        if (i > 1)
            make_secret(der + at + 2, number - 2);
        at += number;
    }
    if (at != len)
        fail("a key that isn't as it was", at);
}

int main(int argc, char **argv)
{
    static struct lc_rsa_key key;
    const char *impl = argv[argc - 1];
    size_t len = rsa_key_der(der, 0);

    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with the name of an implementation", 0);
    mark(len);
    if (lc_rsa_init_der_impl(&key, impl, der, len) != LC_OK)
        fail("this implementation doesn't run here", 0);
    if (strcmp(lc_rsa_impl_name(&key), impl) != 0)
        fail("another implementation was chosen", 0);
    expect_secret((const uint8_t *)key.prime[0].rr52, lc_rsa_len(&key) / 2);
    expect_secret((const uint8_t *)key.q_inverse, lc_rsa_len(&key) / 2);
    if (lc_rsa_pkcs1_sign(&key, sig, LC_RSA_SHA256, digest) != LC_OK)
        fail("signing", 0);
    expect_secret(sig, sizeof(sig));
    lc_rsa_wipe(&key);
    printf("%s: done\n", impl);
    return 0;
}
