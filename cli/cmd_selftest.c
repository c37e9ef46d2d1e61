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
#include "lanecrypt/ctr.h"
#include "lanecrypt/gcm.h"
#include "lanecrypt/xts.h"

enum { MAX_LEN = 2048 };

/* What everything is compared with, by each mode in its own way. */
static uint8_t raw[64], src[MAX_LEN], expected[MAX_LEN], out[MAX_LEN];

static void fill_inputs(size_t raw_len)
{
    for (size_t i = 0; i < sizeof(raw); i++)
        raw[i] = (uint8_t)(i * 37 + raw_len);
    for (size_t i = 0; i < sizeof(src); i++)
        src[i] = (uint8_t)(i * i * 5 + i / 7);
}

/* Every length at first, then some. */
static size_t next_len(size_t len)
{
    return len + (len < 600 ? 1 : 97);
}

static size_t from_hex(uint8_t *to, const char *hex)
{
    size_t len = 0;

    for (unsigned byte; sscanf(hex + 2 * len, "%2x", &byte) == 1; len++)
        to[len] = (uint8_t)byte;
    return len;
}

static bool failed(const char *impl, const char *what, size_t len)
{
    cli_error("selftest: %s: wrong: %s, %zu bytes", impl, what, len);
    return false;
}

static bool same(const char *impl, const char *what, size_t len, const uint8_t *got, const uint8_t *wanted)
{
    return memcmp(got, wanted, len) == 0 || failed(impl, what, len);
}

/* ---- XTS ---- */

/* IEEE 1619-2018, annex B: vectors 2, 15 and the first 48 bytes of 10 (blocks don't depend on what follows them). */
static const struct {
    const char *key, *iv, *plain, *cipher; /* hexadecimal; iv is filled up with zeros */
} xts_vectors[] = {
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

static bool xts_vector(const char *impl, size_t i)
{
    uint8_t iv[16] = { 0 }, plain[64], cipher[64];
    size_t raw_len = from_hex(raw, xts_vectors[i].key), len = from_hex(plain, xts_vectors[i].plain);
    struct lc_xts_key key;

    from_hex(iv, xts_vectors[i].iv);
    from_hex(cipher, xts_vectors[i].cipher);
    return lc_xts_init_impl(&key, impl, raw, raw_len) == LC_OK && lc_xts_encrypt(&key, out, plain, len, iv) == LC_OK &&
           same(impl, "IEEE 1619 encryption", len, out, cipher) && lc_xts_decrypt(&key, out, out, len, iv) == LC_OK &&
           same(impl, "IEEE 1619 decryption", len, out, plain);
}

static bool xts_compare(const char *impl, size_t raw_len)
{
    struct lc_xts_key key, portable;
    struct lc_xts_state state;
    uint8_t iv[16] = { 0 };

    fill_inputs(raw_len);
    if (lc_xts_init_impl(&key, impl, raw, raw_len) != LC_OK ||
        lc_xts_init_impl(&portable, "xts-aes-portable", raw, raw_len) != LC_OK)
        return failed(impl, "key setup", raw_len);
    for (size_t len = 16; len <= MAX_LEN; len = next_len(len)) {
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

static bool test_xts(const char *impl)
{
    bool ok = true;

    for (size_t i = 0; i < sizeof(xts_vectors) / sizeof(xts_vectors[0]); i++)
        ok = xts_vector(impl, i) && ok;
    for (size_t raw_len = 32; raw_len <= 64; raw_len += 16)
        ok = xts_compare(impl, raw_len) && ok;
    return ok;
}

/* ---- CTR ---- */

/* SP 800-38A, F.5: one counter and text under three keys */
static const char ctr_iv[] = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";
static const char ctr_plain[] = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                                "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
static const struct {
    const char *key, *cipher;
} ctr_vectors[] = {
    { "2b7e151628aed2a6abf7158809cf4f3c", "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
                                          "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee" },
    { "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
                                                          "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050" },
    { "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
      "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
      "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6" },
};

static bool ctr_vector(const char *impl, size_t i)
{
    uint8_t iv[16], plain[64], cipher[64];
    size_t raw_len = from_hex(raw, ctr_vectors[i].key), len = from_hex(plain, ctr_plain);
    struct lc_ctr_key key;

    from_hex(iv, ctr_iv);
    from_hex(cipher, ctr_vectors[i].cipher);
    if (lc_ctr_init_impl(&key, impl, raw, raw_len) != LC_OK)
        return failed(impl, "key setup", raw_len);
    lc_ctr_xor(&key, out, plain, len, iv);
    if (!same(impl, "SP 800-38A encryption", len, out, cipher))
        return false;
    lc_ctr_xor(&key, out, out, len, iv);
    return same(impl, "SP 800-38A decryption", len, out, plain);
}

/* The counter is one number of 16 bytes: behind one that ends in n bytes of ff comes one that ends in n of 0. */
static bool ctr_carries(const char *impl, const struct lc_ctr_key *key)
{
    for (size_t n = 0; n <= 16; n++) {
        uint8_t iv[16], next[16];

        memset(iv, 0x5a, 16);
        memset(iv + 16 - n, 0xff, n);
        memcpy(next, iv, 16);
        memset(next + 16 - n, 0, n);
        if (n < 16)
            next[15 - n]++;
        lc_ctr_xor(key, out, src, 80, iv);
        lc_ctr_xor(key, expected, src + 16, 64, next);
        if (!same(impl, "counter's carry", 64, out + 16, expected))
            return false;
    }
    return true;
}

static bool ctr_compare(const char *impl, size_t raw_len)
{
    static const size_t pieces[] = { 1, 15, 16, 17, 0, 300, 651 };
    struct lc_ctr_key key, portable;
    struct lc_ctr_state state;
    uint8_t iv[16];
    size_t at = 0;

    fill_inputs(raw_len);
    if (lc_ctr_init_impl(&key, impl, raw, raw_len) != LC_OK ||
        lc_ctr_init_impl(&portable, "ctr-aes-portable", raw, raw_len) != LC_OK)
        return failed(impl, "key setup", raw_len);
    for (size_t len = 0; len <= MAX_LEN; len = next_len(len)) {
        /* The counter carries into more and more bytes, and at last begins again at 0. */
        memset(iv, 0x5a, sizeof(iv));
        memset(iv + 15 - len % 16, 0xff, len % 16 + 1);
        iv[15] = (uint8_t)(0xff - len % 40);
        lc_ctr_xor(&portable, expected, src, len, iv);
        lc_ctr_xor(&key, out, src, len, iv);
        if (!same(impl, "encryption", len, out, expected))
            return false;
        lc_ctr_xor(&key, out, out, len, iv);
        if (!same(impl, "decryption in place", len, out, src))
            return false;
    }
    lc_ctr_start(&state, iv);
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); at += pieces[i++])
        lc_ctr_update(&key, &state, out + at, src + at, pieces[i]);
    lc_ctr_xor(&portable, expected, src, at, iv);
    return same(impl, "pieces", at, out, expected) && ctr_carries(impl, &key);
}

static bool test_ctr(const char *impl)
{
    bool ok = true;

    for (size_t i = 0; i < sizeof(ctr_vectors) / sizeof(ctr_vectors[0]); i++)
        ok = ctr_vector(impl, i) && ok;
    for (size_t raw_len = 16; raw_len <= 32; raw_len += 8)
        ok = ctr_compare(impl, raw_len) && ok;
    return ok;
}

/* ---- GCM ---- */

/* McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B: test cases 1 to 6 and 13 to 18. */
#define KEY "feffe9928665731c6d6a8f9467308308"
#define ZEROS "00000000000000000000000000000000"
#define NONCE "cafebabefacedbaddecaf888"
#define NONCE_60 "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728" \
                 "c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b"
#define TEXT_60 "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72" \
                "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
#define AAD "feedfacedeadbeeffeedfacedeadbeefabaddad2"
#define CIPHER_128 "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e" \
                   "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
#define CIPHER_256 "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa" \
                   "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
static const struct {
    const char *key, *nonce, *aad, *plain, *cipher, *tag;
} gcm_vectors[] = {
    { ZEROS, "000000000000000000000000", "", "", "", "58e2fccefa7e3061367f1d57a4e7455a" },
    { ZEROS, "000000000000000000000000", "", ZEROS, "0388dace60b6a392f328c2b971b2fe78", "ab6e47d42cec13bdf53a67b21257bddf" },
    { KEY, NONCE, "", TEXT_60 "1aafd255", CIPHER_128 "473f5985", "4d5c2af327cd64a62cf35abd2ba6fab4" },
    { KEY, NONCE, AAD, TEXT_60, CIPHER_128, "5bc94fbc3221a5db94fae95ae7121a47" },
    { KEY, "cafebabefacedbad", AAD, TEXT_60,
      "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c7423"
      "73806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598", "3612d2e79e3b0785561be14aaca2fccb" },
    { KEY, NONCE_60, AAD, TEXT_60,
      "8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca7"
      "01e4a9a4fba43c90ccdcb281d48c7c6fd62875d2aca417034c34aee5", "619cc5aefffe0bfa462af43c1699d050" },
    { ZEROS ZEROS, "000000000000000000000000", "", "", "", "530f8afbc74536b9a963b4f1c4cb738b" },
    { ZEROS ZEROS, "000000000000000000000000", "", ZEROS, "cea7403d4d606b6e074ec5d3baf39d18",
      "d0d1c8a799996bf0265b98b5d48ab919" },
    { KEY KEY, NONCE, "", TEXT_60 "1aafd255", CIPHER_256 "898015ad", "b094dac5d93471bdec1a502270e3cc6c" },
    { KEY KEY, NONCE, AAD, TEXT_60, CIPHER_256, "76fc6ece0f4e1768cddf8853bb2d551b" },
    { KEY KEY, "cafebabefacedbad", AAD, TEXT_60,
      "c3762df1ca787d32ae47c13bf19844cbaf1ae14d0b976afac52ff7d79bba9de0"
      "feb582d33934a4f0954cc2363bc73f7862ac430e64abe499f47c9b1f", "3a337dbf46a792c45e454913fe2ea8f2" },
    { KEY KEY, NONCE_60, AAD, TEXT_60,
      "5a8def2f0c9e53f1f75d7853659e2a20eeb2b22aafde6419a058ab4f6f746bf4"
      "0fc0c3b780f244452da3ebf1c5d82cdea2418997200ef82e44ae7e3f", "a44a8266ee1c8eb0c8b5d4cf5ae9f19a" },
};

/* `out` in place: refused and wiped with a wrong tag. */
static bool gcm_refuses(const char *impl, const struct lc_gcm_key *key, size_t len, const uint8_t *tag, size_t tag_len,
                        const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)
{
    static const uint8_t zeros[MAX_LEN];
    uint8_t wrong[16];

    memcpy(wrong, tag, tag_len);
    wrong[len % tag_len] ^= (uint8_t)(1 << len % 8);
    return (lc_gcm_open(key, out, out, len, wrong, tag_len, aad, aad_len, nonce, nonce_len) == LC_ERR_AUTH &&
            memcmp(out, zeros, len) == 0) || failed(impl, "a wrong tag", len);
}

static bool gcm_vector(const char *impl, size_t i)
{
    uint8_t nonce[64], aad[32], plain[64], cipher[64], tag[16], got[16];
    size_t raw_len = from_hex(raw, gcm_vectors[i].key), len = from_hex(plain, gcm_vectors[i].plain);
    size_t nonce_len = from_hex(nonce, gcm_vectors[i].nonce), aad_len = from_hex(aad, gcm_vectors[i].aad);
    struct lc_gcm_key key;

    from_hex(cipher, gcm_vectors[i].cipher);
    from_hex(tag, gcm_vectors[i].tag);
    if (lc_gcm_init_impl(&key, impl, raw, raw_len) != LC_OK ||
        lc_gcm_seal(&key, out, got, 16, plain, len, aad, aad_len, nonce, nonce_len) != LC_OK)
        return failed(impl, "a vector's lengths", len);
    return same(impl, "GCM specification, ciphertext", len, out, cipher) && same(impl, "GCM specification, tag", 16, got, tag) &&
           gcm_refuses(impl, &key, len, tag, 16, aad, aad_len, nonce, nonce_len) &&
           (lc_gcm_open(&key, out, cipher, len, tag, 16, aad, aad_len, nonce, nonce_len) == LC_OK || failed(impl, "a tag", len)) &&
           same(impl, "GCM specification, text", len, out, plain);
}

/* One message, and the same over several calls. */
static bool gcm_compare_one(const char *impl, const struct lc_gcm_key *key, const struct lc_gcm_key *portable, size_t len)
{
    size_t aad_len = len % 67, nonce_len = len % 3 ? 12 : 1 + len % 40, tag_len = 12 + len % 5, piece_len = len / 3;
    const uint8_t *aad = src + 1, *nonce = src + 100;
    uint8_t tag[16], got[16];
    struct lc_gcm_state state;

    if (lc_gcm_seal(portable, expected, tag, tag_len, src, len, aad, aad_len, nonce, nonce_len) != LC_OK ||
        lc_gcm_seal(key, out, got, tag_len, src, len, aad, aad_len, nonce, nonce_len) != LC_OK ||
        !same(impl, "encryption", len, out, expected) || !same(impl, "tag", tag_len, got, tag))
        return failed(impl, "encryption", len);
    if (lc_gcm_open(key, out, out, len, tag, tag_len, aad, aad_len, nonce, nonce_len) != LC_OK ||
        !same(impl, "text", len, out, src))
        return failed(impl, "decryption", len);
    memcpy(out, expected, len);
    if (!gcm_refuses(impl, key, len, tag, tag_len, aad, aad_len, nonce, nonce_len))
        return false;
    if (lc_gcm_start(&state, key, nonce, nonce_len) != LC_OK || lc_gcm_aad(&state, aad, aad_len / 2) != LC_OK ||
        lc_gcm_aad(&state, aad + aad_len / 2, aad_len - aad_len / 2) != LC_OK ||
        lc_gcm_encrypt(&state, out, src, piece_len) != LC_OK ||
        lc_gcm_encrypt(&state, out + piece_len, src + piece_len, len - piece_len) != LC_OK ||
        lc_gcm_tag(&state, got, tag_len) != LC_OK || !same(impl, "pieces", len, out, expected) ||
        !same(impl, "tag of pieces", tag_len, got, tag))
        return failed(impl, "pieces", len);
    return true;
}

/* Many messages in one call, of different lengths; then back, one of them with a wrong tag. */
static bool gcm_compare_many(const char *impl, const struct lc_gcm_key *key, const struct lc_gcm_key *portable)
{
    enum { NUM = 11, WRONG = 5 };
    struct lc_aead_item items[NUM];
    uint8_t tags[NUM][16], tag[16];
    size_t at = 0;

    for (size_t i = 0; i < NUM; at += items[i++].len)
        items[i] = (struct lc_aead_item){ .dst = out + at, .tag = tags[i], .src = src + at, .len = i * 29, .aad = src + i,
                                          .aad_len = i * 3, .nonce = src + 12 * i };
    if (lc_gcm_seal_many(key, items, NUM) != LC_OK)
        return failed(impl, "many messages", at);
    for (size_t i = 0; i < NUM; i++) {
        const struct lc_aead_item *m = &items[i];

        if (lc_gcm_seal(portable, expected, tag, 16, m->src, m->len, m->aad, m->aad_len, m->nonce, 12) != LC_OK ||
            !same(impl, "many messages", m->len, m->dst, expected) || !same(impl, "many tags", 16, tags[i], tag))
            return failed(impl, "many messages", m->len);
    }
    tags[WRONG][3] ^= 16;
    for (size_t i = 0; i < NUM; i++)
        items[i].src = items[i].dst;
    if (lc_gcm_open_many(key, items, NUM) != LC_ERR_AUTH)
        return failed(impl, "a wrong tag of many", at);
    for (size_t i = 0; i < NUM; i++)
        if (items[i].status != (i == WRONG ? LC_ERR_AUTH : LC_OK))
            return failed(impl, "status of many", items[i].len);
    memcpy(expected, src, at);
    memset(expected + (items[WRONG].dst - out), 0, items[WRONG].len);
    return same(impl, "many texts", at, out, expected);
}

static bool gcm_compare(const char *impl, size_t raw_len)
{
    struct lc_gcm_key key, portable;

    fill_inputs(raw_len);
    if (lc_gcm_init_impl(&key, impl, raw, raw_len) != LC_OK ||
        lc_gcm_init_impl(&portable, "gcm-aes-portable", raw, raw_len) != LC_OK)
        return failed(impl, "key setup", raw_len);
    for (size_t len = 0; len <= MAX_LEN; len = next_len(len))
        if (!gcm_compare_one(impl, &key, &portable, len))
            return false;
    return gcm_compare_many(impl, &key, &portable);
}

static bool test_gcm(const char *impl)
{
    bool ok = true;

    for (size_t i = 0; i < sizeof(gcm_vectors) / sizeof(gcm_vectors[0]); i++)
        ok = gcm_vector(impl, i) && ok;
    for (size_t raw_len = 16; raw_len <= 32; raw_len += 8)
        ok = gcm_compare(impl, raw_len) && ok;
    return ok;
}

/* ---- All ---- */

static const struct {
    const char *mode;
    bool (*test)(const char *impl);
} tests[] = { { "xts", test_xts }, { "ctr", test_ctr }, { "gcm", test_gcm } };

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
    for (size_t t = 0; t < sizeof(tests) / sizeof(tests[0]); t++)
        for (size_t i = 0; lc_impl_get(tests[t].mode, i, &info) == LC_OK; i++) {
            bool ok;

            if (!info.runs_here) {
                printf("%-26s not run: this CPU lacks what it needs\n", info.name);
                continue;
            }
            ok = tests[t].test(info.name);
            printf("%-26s %s\n", info.name, ok ? "ok" : "FAILED");
            num_passed += ok;
            num_failed += !ok;
        }
    printf("%zu passed, %zu failed\n", num_passed, num_failed);
    return num_failed ? EXIT_FAILED : EXIT_OK;
}
