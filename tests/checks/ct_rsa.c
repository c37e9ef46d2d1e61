/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_rsa IMPL: keys, signatures and OAEP of RSA with that implementation, to be run by valgrind (see check_ct.sh): p, q and all
 * that depends on them is marked undefined in the key's DER, but for the first two bytes of each number, which are part of its
 * length there; and so are messages that are encrypted, and their seeds.  So memcheck reports every branch and every address that
 * depends on them, and on what is decrypted, its padding and its length; and on whether a secret of TLS is right.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#include "../../bench/rsa_keys.h"
#include "../../src/rsa_internal.h"
#include "lanecrypt/pem.h"
#include "lanecrypt/rsa.h"

static uint8_t der[RSA_MAX_DER_LEN], sig[256], digest[32];
enum { MAX_MSG = 256 - 2 * 32 - 2, MSG_LEN = 40, LABEL_LEN = 5 };

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

/* A message, its ciphertext, and what isn't its ciphertext.  The place of a message is as secret beyond its end. */
static void check_oaep(const struct lc_rsa_key *key)
{
    static uint8_t msg[MSG_LEN], seed[32], ct[256], out[MAX_MSG];
    struct lc_rsa_public_key public_key;
    size_t len;

    lc_rsa_get_public(key, &public_key);
    make_secret(msg, sizeof(msg));
    make_secret(seed, sizeof(seed));
    if (lc_rsa_oaep_encrypt_with(&public_key, ct, LC_RSA_SHA256, msg, MSG_LEN, der, LABEL_LEN, seed) != LC_OK)
        fail("encrypting", 0);
    expect_secret(ct, sizeof(ct));
    (void)VALGRIND_MAKE_MEM_DEFINED(ct, sizeof(ct)); /* it's sent */
    if (lc_rsa_oaep_decrypt(key, out, &len, LC_RSA_SHA256, ct, sizeof(ct), der, LABEL_LEN) != LC_OK)
        fail("decrypting", 0);
    expect_secret(out, sizeof(out));
    expect_secret((const uint8_t *)&len, 2);
    (void)VALGRIND_MAKE_MEM_DEFINED(&len, sizeof(len));
    if (len != MSG_LEN)
        fail("a message of another length", len);
    if (lc_rsa_oaep_decrypt(key, out, &len, LC_RSA_SHA256, ct, sizeof(ct), der, LABEL_LEN - 1) != LC_ERR_CIPHERTEXT)
        fail("another label", 0);
    ct[9] ^= 1;
    if (lc_rsa_oaep_decrypt(key, out, &len, LC_RSA_SHA256, ct, sizeof(ct), der, LABEL_LEN) != LC_ERR_CIPHERTEXT)
        fail("another ciphertext", 0);
}

/* TLS's secret, right and wrong: after the private operation nothing knows which. */
static void check_tls(const struct lc_rsa_key *key)
{
    static uint8_t em[256], out[256], secret[LC_RSA_TLS_SECRET_LEN];
    struct lc_rsa_private_item item = { key, out, em, 0 };

    for (uint8_t i = 0; i < 3; i++) {
        memset(em, 0x11 + i, sizeof(em));
        if (lc_rsa_private_many(&item, 1) != LC_OK)
            fail("a private operation", 0);
        expect_secret(out, sizeof(out));
        make_secret(secret, sizeof(secret));
        if (i == 0) { /* the padding is right */
            out[0] ^= out[0];
            out[1] ^= out[1] ^ 2;
            for (size_t k = 2; k < sizeof(out); k++)
                out[k] |= 1;
            out[207] ^= out[207];
        }
        lc_rsa_tls_secret(secret, out, sizeof(out), 0x303, i ? 0 : 0x302);
        expect_secret(secret, sizeof(secret));
    }
}

/*
 * DER as PEM and back.  The first and the last character of a line count as its length, and the last two of all as that of the DER.
 */
static void check_pem(size_t len)
{
    static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static char pem[4096] = "-----BEGIN PRIVATE KEY-----\n";
    static uint8_t back[RSA_MAX_DER_LEN];
    size_t at = strlen(pem), back_len, column = 0;

    len -= len % 3; /* without padding */
    for (size_t i = 0; i < len; i += 3)
        for (int k = 18; k >= 0; k -= 6) {
            pem[at++] = base64[(der[i] << 16 | der[i + 1] << 8 | der[i + 2]) >> k & 63];
            if (++column == 64 && i + 3 < len) {
                make_secret(pem + at - 63, 62);
                pem[at++] = '\n';
                column = 0;
            }
        }
    make_secret(pem + at - column + 1, column - 3);
    at += (size_t)sprintf(pem + at, "\n-----END PRIVATE KEY-----\n");
    if (lc_pem_decode(back, &back_len, "PRIVATE KEY", pem, at) != LC_OK || back_len != len)
        fail("PEM", len);
    expect_secret(back, len - 3);
    (void)VALGRIND_MAKE_MEM_DEFINED(back, len);
    if (memcmp(back, der, len) != 0)
        fail("another DER", len);
}

int main(int argc, char **argv)
{
    static struct lc_rsa_key key;
    const char *impl = argv[argc - 1];
    size_t len = rsa_key_der(der, 0);

    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with the name of an implementation", 0);
    check_pem(len);
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
    check_oaep(&key);
    check_tls(&key);
    lc_rsa_wipe(&key);
    printf("%s: done\n", impl);
    return 0;
}
