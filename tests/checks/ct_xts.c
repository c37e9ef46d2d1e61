/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_xts IMPL            all of XTS with that implementation, to be run by valgrind (see check_ct.sh): the key, the iv and the data
 *                        are marked undefined, so memcheck reports every branch and every address that depends on them
 * ct_xts --leak KIND     a negative control: code that does leak, by a branch or by an address
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#include "lanecrypt/xts.h"

#define MAX_LEN 300

static uint8_t src[MAX_LEN], dst[MAX_LEN];

typedef int one_fn(const struct lc_xts_key *, uint8_t *, const uint8_t *, size_t, const uint8_t *);
typedef int sectors_fn(const struct lc_xts_key *, uint8_t *, const uint8_t *, size_t, size_t, uint64_t, uint64_t);
typedef int update_fn(const struct lc_xts_key *, struct lc_xts_state *, uint8_t *, const uint8_t *, size_t);

static const struct direction {
    one_fn *one;
    sectors_fn *sectors;
    update_fn *update;
} directions[2] = {
    { lc_xts_encrypt, lc_xts_encrypt_sectors, lc_xts_encrypt_update },
    { lc_xts_decrypt, lc_xts_decrypt_sectors, lc_xts_decrypt_update },
};

static void check_len(const struct lc_xts_key *key, const struct direction *d, size_t len)
{
    static const size_t sector_lens[] = { 16, 32, 47, 64, 128, 256 };
    struct lc_xts_state state;
    uint8_t iv[16] = { 1 };
    size_t first_len = len / 2 & ~(size_t)15; /* leaves at least 16 for the second call */

    make_secret(src, len);
    make_secret(iv, sizeof(iv));

    memset(dst, 0, len);
    if (d->one(key, dst, src, len, iv) != LC_OK)
        fail("one data unit", len);
    expect_secret(dst, len);

    memset(dst, 0, len);
    lc_xts_start(&state, iv);
    if (d->update(key, &state, dst, src, first_len) != LC_OK ||
        d->update(key, &state, dst + first_len, src + first_len, len - first_len) != LC_OK)
        fail("update", len);
    expect_secret(dst, len);
    expect_secret(state.tweak, sizeof(state.tweak));
    lc_xts_state_wipe(&state);

    for (size_t i = 0; i < sizeof(sector_lens) / sizeof(sector_lens[0]); i++) {
        if (len % sector_lens[i] && len % sector_lens[i] < LC_XTS_MIN_LEN)
            continue;
        memset(dst, 0, len);
        if (d->sectors(key, dst, src, len, sector_lens[i], 1, 1) != LC_OK)
            fail("sectors", len);
        expect_secret(dst, len);
    }
}

static void check_impl(const char *impl)
{
    uint8_t raw[64];
    struct lc_xts_key key;

    for (size_t raw_len = 32; raw_len <= 64; raw_len += 16) {
        for (size_t i = 0; i < raw_len; i++)
            raw[i] = (uint8_t)i;
        make_secret(raw, raw_len);
        if (lc_xts_init_impl(&key, impl, raw, raw_len) != LC_OK)
            fail("this implementation doesn't run here", raw_len);
        if (strcmp(lc_xts_impl_name(&key), impl) != 0)
            fail("another implementation was chosen", raw_len);
        expect_secret(key.tweak[14], 16);
        expect_secret(key.enc[14], 16);
        expect_secret(key.dec[14], 16);
        for (size_t d = 0; d < 2; d++)
            for (size_t len = LC_XTS_MIN_LEN; len <= MAX_LEN; len++)
                check_len(&key, &directions[d], len);
        lc_xts_wipe(&key);
        if (lc_xts_init_decrypt_impl(&key, impl, raw, raw_len) != LC_OK)
            fail("a key for decryption", raw_len);
        check_len(&key, &directions[1], MAX_LEN);
        lc_xts_wipe(&key);
    }
}

/* ---- The negative control ---- */

static volatile unsigned sink;

__attribute__((noinline)) static void leak_by_branch(const uint8_t *secret)
{
    if (secret[0] & 1)
        sink = 1;
}

__attribute__((noinline)) static void leak_by_address(const uint8_t *secret)
{
    static const volatile uint8_t table[256] = { 1 };

    sink = table[secret[0]];
}

int main(int argc, char **argv)
{
    uint8_t secret[16] = { 0 };

    if (!RUNNING_ON_VALGRIND || argc < 2)
        fail("to be run by valgrind, with the name of an implementation", 0);
    if (strcmp(argv[1], "--leak") != 0) {
        check_impl(argv[1]);
        printf("%s: done\n", argv[1]);
        return 0;
    }
    make_secret(secret, sizeof(secret));
    if (argc > 2 && strcmp(argv[2], "branch") == 0)
        leak_by_branch(secret);
    else if (argc > 2 && strcmp(argv[2], "address") == 0)
        leak_by_address(secret);
    else
        fail("--leak branch or --leak address", 0);
    return 0;
}
