/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A check that a user can run on the machine at hand in a second: published answers through every implementation that
 * runs here, and each against the portable one over lengths, sectors and pieces.  The test suite does all this and far
 * more.
 */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "lanecrypt/cpu.h"
#include "lanecrypt/xts.h"

/* IEEE 1619-2018, annex B: vectors 2, 15 and the first 48 bytes of 10 (blocks don't depend on what follows them). */
static const struct {
    const char *key, *iv, *plain, *cipher; /* hexadecimal; iv is filled up with zeros */
} vectors[] = {
    { "1111111111111111111111111111111122222222222222222222222222222222", "3333333333",
      "4444444444444444444444444444444444444444444444444444444444444444",
      "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0" },
    { "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0", "9a78563412", "000102030405060708090a0b0c0d0e0f10",
      "6c1625db4671522d3d7599601de7ca09ed" },
    { "2718281828459045235360287471352662497757247093699959574966967627"
      "3141592653589793238462643383279502884197169399375105820974944592",
      "ff", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f",
      "1c3b3a102f770386e4836c99e370cf9bea00803f5e482357a4ae12d414a3e63b5d31e276f8fe4a8d66b317f9ac683f44" },
};

static size_t from_hex(uint8_t *out, const char *hex)
{
    size_t len = 0;

    for (unsigned byte; sscanf(hex + 2 * len, "%2x", &byte) == 1; len++)
        out[len] = (uint8_t)byte;
    return len;
}

enum { MAX_LEN = 2048 };

static bool failed(const char *impl, const char *what, size_t len)
{
    cli_error("selftest: %s: wrong: %s, %zu bytes", impl, what, len);
    return false;
}

static bool same(const char *impl, const char *what, size_t len, const uint8_t *got, const uint8_t *expected)
{
    return memcmp(got, expected, len) == 0 || failed(impl, what, len);
}

static bool run_vector(const char *impl, size_t i)
{
    uint8_t raw[64], iv[16] = { 0 }, plain[64], cipher[64], out[64];
    size_t raw_len = from_hex(raw, vectors[i].key), len = from_hex(plain, vectors[i].plain);
    struct lc_xts_key key;

    from_hex(iv, vectors[i].iv);
    from_hex(cipher, vectors[i].cipher);
    return lc_xts_init_impl(&key, impl, raw, raw_len) == LC_OK && lc_xts_encrypt(&key, out, plain, len, iv) == LC_OK &&
           same(impl, "IEEE 1619 encryption", len, out, cipher) && lc_xts_decrypt(&key, out, out, len, iv) == LC_OK &&
           same(impl, "IEEE 1619 decryption", len, out, plain);
}

static bool compare(const char *impl, size_t raw_len)
{
    static uint8_t raw[64], src[MAX_LEN], expected[MAX_LEN], out[MAX_LEN];
    struct lc_xts_key key, portable;
    struct lc_xts_state state;
    uint8_t iv[16] = { 0 };

    for (size_t i = 0; i < sizeof(raw); i++)
        raw[i] = (uint8_t)(i * 37 + raw_len);
    for (size_t i = 0; i < sizeof(src); i++)
        src[i] = (uint8_t)(i * i * 5 + i / 7);
    if (lc_xts_init_impl(&key, impl, raw, raw_len) != LC_OK ||
        lc_xts_init_impl(&portable, "xts-aes-portable", raw, raw_len) != LC_OK)
        return failed(impl, "key setup", raw_len);
    for (size_t len = 16; len <= MAX_LEN; len += len < 600 ? 1 : 97) {
        iv[0] = (uint8_t)len;
        if (lc_xts_encrypt(&portable, expected, src, len, iv) != LC_OK || lc_xts_encrypt(&key, out, src, len, iv) != LC_OK ||
            !same(impl, "encryption", len, out, expected) || lc_xts_decrypt(&key, out, out, len, iv) != LC_OK ||
            !same(impl, "decryption", len, out, src))
            return false;
    }
    /* A unit in two pieces, and sectors in one call. */
    lc_xts_start(&state, iv);
    if (lc_xts_encrypt(&portable, expected, src, 1001, iv) != LC_OK ||
        lc_xts_encrypt_update(&key, &state, out, src, 336) != LC_OK ||
        lc_xts_encrypt_update(&key, &state, out + 336, src + 336, 1001 - 336) != LC_OK ||
        !same(impl, "pieces", 1001, out, expected))
        return false;
    return lc_xts_encrypt_sectors(&portable, expected, src, MAX_LEN, 80, 7, 1) == LC_OK &&
           lc_xts_encrypt_sectors(&key, out, src, MAX_LEN, 80, 7, 1) == LC_OK && same(impl, "sectors", MAX_LEN, out, expected) &&
           lc_xts_decrypt_sectors(&key, out, out, MAX_LEN, 80, 7, 1) == LC_OK && same(impl, "sectors back", MAX_LEN, out, src);
}

int cmd_selftest(int argc, char **argv)
{
    int status = cli_plain_options(argc, argv,
        "usage: lanecrypt selftest\n\n"
        "Runs published test vectors through every implementation that this CPU can run, and compares each\n"
        "with the portable one.  Exit status 0 if all results are right.\n");
    struct lc_impl_info info;
    size_t num_passed = 0, num_failed = 0;

    if (status >= 0)
        return status;
    if (cli_env_is_bad())
        return EXIT_FAILED;
    for (size_t i = 0; lc_impl_get("xts", i, &info) == LC_OK; i++) {
        bool ok = true;

        if (!info.runs_here) {
            printf("%-26s not run: this CPU lacks what it needs\n", info.name);
            continue;
        }
        for (size_t v = 0; v < sizeof(vectors) / sizeof(vectors[0]); v++)
            ok = run_vector(info.name, v) && ok;
        for (size_t raw_len = 32; raw_len <= 64; raw_len += 16)
            ok = compare(info.name, raw_len) && ok;
        printf("%-26s %s\n", info.name, ok ? "ok" : "FAILED");
        num_passed += ok;
        num_failed += !ok;
    }
    printf("%zu passed, %zu failed\n", num_passed, num_failed);
    return num_failed ? EXIT_FAILED : EXIT_OK;
}
