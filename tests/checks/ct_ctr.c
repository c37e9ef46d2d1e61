/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_ctr IMPL: all of CTR with that implementation, to be run by valgrind (see check_ct.sh): the key and the data are marked
 * undefined, so memcheck reports every branch and every address that depends on them.  The iv is public.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#include "lanecrypt/ctr.h"

#define MAX_LEN 300

static uint8_t src[MAX_LEN], dst[MAX_LEN];

static void check_len(const struct lc_ctr_key *key, size_t len, const uint8_t iv[16])
{
    const size_t firsts[] = { 0, 1, len / 2, len / 2 & ~(size_t)15 };
    struct lc_ctr_state state;

    make_secret(src, len);

    memset(dst, 0, len);
    lc_ctr_xor(key, dst, src, len, iv);
    expect_secret(dst, len);

    /* key stream alone is secret too: it comes from the key */
    memset(dst, 0, len);
    lc_ctr_xor(key, dst, dst, len, iv);
    expect_secret(dst, len);

    for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++) {
        size_t first_len = firsts[i] < len ? firsts[i] : len;

        memset(dst, 0, len);
        lc_ctr_start(&state, iv);
        lc_ctr_update(key, &state, dst, src, first_len);
        lc_ctr_update(key, &state, dst + first_len, src + first_len, len - first_len);
        expect_secret(dst, len);
        if (len % 16)
            expect_secret(state.keystream + sizeof(state.keystream) - state.left, state.left);
        lc_ctr_state_wipe(&state);
    }
}

static void check_impl(const char *impl)
{
    static const uint8_t ivs[][16] = {
        { 1 }, { 1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfb }, /* the low half wraps after 5 blocks */
    };
    uint8_t raw[32];
    struct lc_ctr_key key;

    for (size_t raw_len = 16; raw_len <= 32; raw_len += 8) {
        for (size_t i = 0; i < raw_len; i++)
            raw[i] = (uint8_t)i;
        make_secret(raw, raw_len);
        if (lc_ctr_init_impl(&key, impl, raw, raw_len) != LC_OK)
            fail("this implementation doesn't run here", raw_len);
        if (strcmp(lc_ctr_impl_name(&key), impl) != 0)
            fail("another implementation was chosen", raw_len);
        expect_secret(key.enc[14], 16);
        for (size_t i = 0; i < sizeof(ivs) / sizeof(ivs[0]); i++)
            for (size_t len = 0; len <= MAX_LEN; len++)
                check_len(&key, len, ivs[i]);
        lc_ctr_wipe(&key);
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
