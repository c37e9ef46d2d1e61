/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_chacha20poly1305 IMPL: all of ChaCha20-Poly1305, of ChaCha20 or of Poly1305 with that implementation, to be run by valgrind
 * (see check_ct.sh): the key, the text and the AAD are marked undefined, so memcheck reports every branch and every address that
 * depends on them.  The nonce is public, and so is whether a tag was right, but nothing else about it.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#include "lanecrypt/chacha20poly1305.h"

#define MAX_LEN 2400

static const uint8_t nonce[24] = { 1, 2, 3 };
static uint8_t raw[32], src[MAX_LEN], dst[MAX_LEN], ct[MAX_LEN], aad[MAX_LEN];

/* A status that depends on secrets is for the caller to know. */
static int published(int status)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(&status, sizeof(status));
    return status;
}

static void check_message(const struct lc_chacha20poly1305_key *key, size_t len, size_t aad_len)
{
    const size_t first = len / 2, aad_first = aad_len / 3;
    uint8_t tag[16] = { 0 }, other[16] = { 0 };
    struct lc_chacha20poly1305_state state;
    struct lc_aead_item items[3];

    make_secret(src, len);
    make_secret(aad, aad_len);

    memset(ct, 0, len);
    if (lc_xchacha20poly1305_seal(key, ct, tag, 16, src, len, aad, aad_len, nonce, 24) != LC_OK)
        fail("seal", len);
    if (published(lc_xchacha20poly1305_open(key, dst, ct, len, tag, 16, aad, aad_len, nonce, 24)) != LC_OK)
        fail("open", len);
    memset(ct, 0, len);
    if (lc_chacha20poly1305_seal(key, ct, tag, 16, src, len, aad, aad_len, nonce, 12) != LC_OK)
        fail("seal", len);
    expect_secret(ct, len);
    expect_secret(tag, 16);

    memset(dst, 0, len);
    if (published(lc_chacha20poly1305_open(key, dst, ct, len, tag, 16, aad, aad_len, nonce, 12)) != LC_OK)
        fail("open", len);
    expect_secret(dst, len);
    if (published(lc_chacha20poly1305_open(key, dst, ct, len, other, 16, aad, aad_len, nonce, 12)) != LC_ERR_AUTH)
        fail("open with a wrong tag", len);

    for (int encrypt = 0; encrypt < 2; encrypt++) {
        const uint8_t *in = encrypt ? src : ct;
        int status;

        memset(dst, 0, len);
        if (lc_chacha20poly1305_start(&state, key, nonce, 12) != LC_OK ||
            lc_chacha20poly1305_aad(&state, aad, aad_first) != LC_OK ||
            lc_chacha20poly1305_aad(&state, aad + aad_first, aad_len - aad_first) != LC_OK ||
            (encrypt ? lc_chacha20poly1305_encrypt : lc_chacha20poly1305_decrypt)(&state, dst, in, first) != LC_OK ||
            (encrypt ? lc_chacha20poly1305_encrypt : lc_chacha20poly1305_decrypt)(&state, dst + first, in + first, len - first) !=
                LC_OK)
            fail("a stream", len);
        expect_secret(dst, len);
        for (size_t n = 1; !encrypt && n <= 16; n += 3) {
            struct lc_chacha20poly1305_state copy = state;

            if (published(lc_chacha20poly1305_verify_prefix(&copy, tag, n)) != LC_OK)
                fail("the first bytes of a tag", n);
        }
        status = encrypt ? lc_chacha20poly1305_tag(&state, other, 16) : lc_chacha20poly1305_verify(&state, tag, 16);
        if (published(status) != LC_OK)
            fail("the end of a stream", len);
        lc_chacha20poly1305_state_wipe(&state);
    }

    for (size_t i = 0; i < 3; i++)
        items[i] = (struct lc_aead_item){ dst, tag, src, len, aad, aad_len, nonce, 0 };
    if (lc_chacha20poly1305_seal_many(key, items, 3) != LC_OK)
        fail("many", len);
}

static void check_chacha20(const struct lc_chacha20_key *key, size_t len)
{
    struct lc_chacha20_state state;

    make_secret(src, len);
    memset(dst, 0, len);
    if (lc_chacha20_crypt(key, dst, src, len, nonce, 7) != LC_OK)
        fail("crypt", len);
    expect_secret(dst, len);
    memset(dst, 0, len);
    lc_chacha20_start_64(&state, key, nonce, (UINT64_C(1) << 32) - 3);
    if (lc_chacha20_update(&state, dst, src, len / 2) != LC_OK ||
        lc_chacha20_update(&state, dst + len / 2, src + len / 2, len - len / 2) != LC_OK)
        fail("a stream", len);
    expect_secret(dst, len);
    lc_chacha20_state_wipe(&state);
}

static void check_poly1305(const char *impl, size_t len)
{
    struct lc_poly1305_state state;
    uint8_t tag[16] = { 0 };

    make_secret(src, len);
    if (lc_poly1305_start_impl(&state, impl, raw) != LC_OK)
        fail("this implementation doesn't run here", len);
    if (strcmp(lc_poly1305_impl_name(&state), impl) != 0)
        fail("another implementation was chosen", len);
    lc_poly1305_update(&state, src, len / 3);
    lc_poly1305_update(&state, src + len / 3, len - len / 3);
    lc_poly1305_finish(&state, tag);
    expect_secret(tag, 16);
}

int main(int argc, char **argv)
{
    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with the name of an implementation", 0);
    const char *impl = argv[1];
    const int aead = strncmp(impl, "chacha20-poly1305-", 18) == 0, poly = strncmp(impl, "poly1305-", 9) == 0;
    struct lc_chacha20poly1305_key aead_key;
    struct lc_chacha20_key key;

    for (size_t i = 0; i < sizeof(raw); i++)
        raw[i] = (uint8_t)i;
    make_secret(raw, sizeof(raw));
    if (aead ? lc_chacha20poly1305_init_impl(&aead_key, impl, raw, 32) != LC_OK
             : !poly && lc_chacha20_init_impl(&key, impl, raw, 32) != LC_OK)
        fail("this implementation doesn't run here", 32);
    for (size_t len = 0; len <= MAX_LEN; len += len < 40 ? 1 : len < 300 ? 13 : 97) {
        if (poly) {
            check_poly1305(impl, len);
        } else if (aead) {
            check_message(&aead_key, len, len % 37);
            check_message(&aead_key, len % 37, len);
        } else {
            check_chacha20(&key, len);
        }
    }
    printf("%s: done\n", impl);
    return 0;
}
