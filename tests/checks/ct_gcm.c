/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_gcm IMPL: all of GCM with that implementation, to be run by valgrind (see check_ct.sh): the key, the text and the AAD are
 * marked undefined, so memcheck reports every branch and every address that depends on them.  The nonce is public, and so is
 * whether a tag was right, but nothing else about it.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#include "lanecrypt/gcm.h"

#define MAX_LEN 300

static uint8_t src[MAX_LEN], dst[MAX_LEN], ct[MAX_LEN], aad[MAX_LEN];

/* A status that depends on secrets is for the caller to know. */
static int published(int status)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(&status, sizeof(status));
    return status;
}

static void check_message(const struct lc_gcm_key *key, size_t len, size_t aad_len, const uint8_t *nonce, size_t nonce_len,
                          size_t tag_len)
{
    const size_t first = len / 2, aad_first = aad_len / 3;
    uint8_t tag[16] = { 0 }, other[16] = { 0 };
    struct lc_gcm_state state;
    struct lc_aead_item item = { ct, tag, src, len, aad, aad_len, nonce, 0 };

    make_secret(src, len);
    make_secret(aad, aad_len);

    memset(ct, 0, len);
    if (lc_gcm_seal(key, ct, tag, tag_len, src, len, aad, aad_len, nonce, nonce_len) != LC_OK)
        fail("seal", len);
    expect_secret(ct, len);
    expect_secret(tag, tag_len);

    memset(dst, 0, len);
    if (published(lc_gcm_open(key, dst, ct, len, tag, tag_len, aad, aad_len, nonce, nonce_len)) != LC_OK)
        fail("open", len);
    expect_secret(dst, len);
    memset(other, 0, sizeof(other));
    if (published(lc_gcm_open(key, dst, ct, len, other, tag_len, aad, aad_len, nonce, nonce_len)) != LC_ERR_AUTH)
        fail("open with a wrong tag", len);

    for (int encrypt = 0; encrypt < 2; encrypt++) {
        const uint8_t *in = encrypt ? src : ct;
        int status;

        memset(dst, 0, len);
        if (lc_gcm_start(&state, key, nonce, nonce_len) != LC_OK || lc_gcm_aad(&state, aad, aad_first) != LC_OK ||
            lc_gcm_aad(&state, aad + aad_first, aad_len - aad_first) != LC_OK ||
            (encrypt ? lc_gcm_encrypt : lc_gcm_decrypt)(&state, dst, in, first) != LC_OK ||
            (encrypt ? lc_gcm_encrypt : lc_gcm_decrypt)(&state, dst + first, in + first, len - first) != LC_OK)
            fail("a stream", len);
        expect_secret(dst, len);
        for (size_t n = 1; !encrypt && n <= tag_len; n += 3) {
            struct lc_gcm_state copy = state;

            if (published(lc_gcm_verify_prefix(&copy, tag, n)) != LC_OK)
                fail("the first bytes of a tag", n);
        }
        status = encrypt ? lc_gcm_tag(&state, other, tag_len) : lc_gcm_verify(&state, tag, tag_len);
        if (published(status) != LC_OK)
            fail("the end of a stream", len);
        lc_gcm_state_wipe(&state);
    }

    if (nonce_len == 12 && tag_len == 16 && lc_gcm_seal_many(key, &item, 1) != LC_OK)
        fail("many", len);
}

static void check_impl(const char *impl)
{
    static const uint8_t nonce[20] = { 1, 2, 3 };
    uint8_t raw[32];
    struct lc_gcm_key key;

    for (size_t raw_len = 16; raw_len <= 32; raw_len += 8) {
        for (size_t i = 0; i < raw_len; i++)
            raw[i] = (uint8_t)i;
        make_secret(raw, raw_len);
        if (lc_gcm_init_impl(&key, impl, raw, raw_len) != LC_OK)
            fail("this implementation doesn't run here", raw_len);
        if (strcmp(lc_gcm_impl_name(&key), impl) != 0)
            fail("another implementation was chosen", raw_len);
        expect_secret(key.enc[14], 16);
        expect_secret(key.powers[0], 16);
        for (size_t len = 0; len <= MAX_LEN; len += len < 40 ? 1 : 13) {
            check_message(&key, len, len % 37, nonce, 12, 16);
            check_message(&key, len % 37, len, nonce, 1 + len % 20, len % 3 ? 4 * (1 + len % 2) : 13);
        }
        lc_gcm_wipe(&key);
    }
}

int main(int argc, char **argv)
{
    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with the name of an implementation", 0);
    check_impl(argv[1]);
    printf("%s: done\n", argv[1]);
    return 0;
}
