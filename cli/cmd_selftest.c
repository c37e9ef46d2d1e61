/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A check that a user can run on the machine at hand in a second: published answers through every implementation that
 * runs here, and each against the portable one over lengths, sectors and pieces.  The test suite does all this and far
 * more.
 */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "lanecrypt/aes_round.h"
#include "lanecrypt/chacha20poly1305.h"
#include "lanecrypt/cpu.h"
#include "lanecrypt/ctr.h"
#include "lanecrypt/gcm.h"
#include "lanecrypt/sha2.h"
#include "lanecrypt/sm3.h"
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
    cli_error("selftest: %s: wrong result: %s, %zu bytes", impl, what, len);
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
static const char ctr_plain[] =
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
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

/* The counter is one number of 16 bytes: after one that ends in n bytes of ff comes one that ends in n of 0. */
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

struct aead_vector {
    const char *key, *nonce, *aad, *plain, *cipher, *tag; /* hexadecimal */
};

/* McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B: test cases 1 to 6 and 13 to 18. */
#define KEY "feffe9928665731c6d6a8f9467308308"
#define ZEROS "00000000000000000000000000000000"
#define NONCE "cafebabefacedbaddecaf888"
#define NONCE_60                                                                                                                   \
    "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728"                                                             \
    "c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b"
#define TEXT_60                                                                                                                    \
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"                                                             \
    "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
#define AAD "feedfacedeadbeeffeedfacedeadbeefabaddad2"
#define CIPHER_128                                                                                                                 \
    "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"                                                             \
    "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
#define CIPHER_256                                                                                                                 \
    "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"                                                             \
    "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
static const struct aead_vector gcm_vectors[] = {
    { ZEROS, "000000000000000000000000", "", "", "", "58e2fccefa7e3061367f1d57a4e7455a" },
    { ZEROS, "000000000000000000000000", "", ZEROS, "0388dace60b6a392f328c2b971b2fe78", "ab6e47d42cec13bdf53a67b21257bddf" },
    { KEY, NONCE, "", TEXT_60 "1aafd255", CIPHER_128 "473f5985", "4d5c2af327cd64a62cf35abd2ba6fab4" },
    { KEY, NONCE, AAD, TEXT_60, CIPHER_128, "5bc94fbc3221a5db94fae95ae7121a47" },
    { KEY, "cafebabefacedbad", AAD, TEXT_60,
      "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c7423"
      "73806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598",
      "3612d2e79e3b0785561be14aaca2fccb" },
    { KEY, NONCE_60, AAD, TEXT_60,
      "8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca7"
      "01e4a9a4fba43c90ccdcb281d48c7c6fd62875d2aca417034c34aee5",
      "619cc5aefffe0bfa462af43c1699d050" },
    { ZEROS ZEROS, "000000000000000000000000", "", "", "", "530f8afbc74536b9a963b4f1c4cb738b" },
    { ZEROS ZEROS, "000000000000000000000000", "", ZEROS, "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919" },
    { KEY KEY, NONCE, "", TEXT_60 "1aafd255", CIPHER_256 "898015ad", "b094dac5d93471bdec1a502270e3cc6c" },
    { KEY KEY, NONCE, AAD, TEXT_60, CIPHER_256, "76fc6ece0f4e1768cddf8853bb2d551b" },
    { KEY KEY, "cafebabefacedbad", AAD, TEXT_60,
      "c3762df1ca787d32ae47c13bf19844cbaf1ae14d0b976afac52ff7d79bba9de0"
      "feb582d33934a4f0954cc2363bc73f7862ac430e64abe499f47c9b1f",
      "3a337dbf46a792c45e454913fe2ea8f2" },
    { KEY KEY, NONCE_60, AAD, TEXT_60,
      "5a8def2f0c9e53f1f75d7853659e2a20eeb2b22aafde6419a058ab4f6f746bf4"
      "0fc0c3b780f244452da3ebf1c5d82cdea2418997200ef82e44ae7e3f",
      "a44a8266ee1c8eb0c8b5d4cf5ae9f19a" },
};

#define FN(name) gcm_##name
#define AEAD(name) lc_gcm_##name
#define SEAL(nonce_len) lc_gcm_seal
#define OPEN(nonce_len) lc_gcm_open
#define PORTABLE "gcm-aes-portable"
#define SOURCE "GCM specification, "
#define MIN_RAW_LEN 16
#define NONCE_LEN_FOR(len) ((len) % 3 ? 12 : 1 + (len) % 40)
#define TAG_LEN_FOR(len) (12 + (len) % 5)
#define STREAMS_TAKE(nonce_len) true
#include "selftest_aead.h"

/* ---- ChaCha20 ---- */

#define SUNSCREEN                                                                                                                  \
    "4c616469657320616e642047656e746c656d656e206f662074686520636c617373206f66202739393a204966204920636f"                           \
    "756c64206f6666657220796f75206f6e6c79206f6e652074697020666f7220746865206675747572652c2073756e7363"                             \
    "7265656e20776f756c642062652069742e"

/* RFC 8439, 2.4.2: a key of the bytes 0 to 31, blocks from 1 on. */
static bool chacha20_vector(const char *impl)
{
    static const uint8_t nonce[12] = { [7] = 0x4a };
    uint8_t plain[128], cipher[128];
    size_t len = from_hex(plain, SUNSCREEN);
    struct lc_chacha20_key key;

    from_hex(cipher, "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b3571639d624e651"
                     "52ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab77937365af90bbf74a35be6b40b8eed"
                     "f2785e42874d");
    for (size_t i = 0; i < 32; i++)
        raw[i] = (uint8_t)i;
    return lc_chacha20_init_impl(&key, impl, raw, 32) == LC_OK && lc_chacha20_crypt(&key, out, plain, len, nonce, 1) == LC_OK &&
           same(impl, "RFC 8439 encryption", len, out, cipher) && lc_chacha20_crypt(&key, out, out, len, nonce, 1) == LC_OK &&
           same(impl, "RFC 8439 decryption", len, out, plain);
}

/* A counter of 32 bits ends with its last block; one of 64 carries, into what is a nonce's first word otherwise. */
static bool chacha20_counters(const char *impl, const struct lc_chacha20_key *key)
{
    enum { LEFT = 3 * 64, LEN = LEFT + 5 * 64 };
    uint8_t nonce[12] = { 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8 };
    struct lc_chacha20_state state;

    lc_chacha20_start_64(&state, key, nonce + 4, UINT32_MAX - 2);
    if (lc_chacha20_update(&state, out, src, LEN) != LC_OK ||
        lc_chacha20_crypt(key, expected, src, LEFT, nonce, UINT32_MAX - 2) != LC_OK ||
        lc_chacha20_crypt(key, expected, src, LEFT + 1, nonce, UINT32_MAX - 2) != LC_ERR_LEN)
        return failed(impl, "counter's end", LEFT);
    nonce[0] = 1;
    return (lc_chacha20_crypt(key, expected + LEFT, src + LEFT, LEN - LEFT, nonce, 0) == LC_OK &&
            same(impl, "counter's carry", LEN, out, expected)) ||
           failed(impl, "counter of 64 bits", LEN);
}

static bool chacha20_compare(const char *impl)
{
    static const size_t pieces[] = { 1, 63, 64, 65, 0, 300, 651 };
    struct lc_chacha20_key key, portable;
    struct lc_chacha20_state state;
    size_t at = 0;

    fill_inputs(32);
    if (lc_chacha20_init_impl(&key, impl, raw, 32) != LC_OK ||
        lc_chacha20_init_impl(&portable, "chacha20-portable", raw, 32) != LC_OK)
        return failed(impl, "key setup", 32);
    for (size_t len = 0; len <= MAX_LEN; len = next_len(len)) {
        const uint8_t *nonce = src + len % 64;
        uint32_t counter = len % 2 ? (uint32_t)len : UINT32_MAX - (uint32_t)(len / 64);

        if (lc_chacha20_crypt(&portable, expected, src, len, nonce, counter) != LC_OK ||
            lc_chacha20_crypt(&key, out, src, len, nonce, counter) != LC_OK || !same(impl, "encryption", len, out, expected) ||
            lc_chacha20_crypt(&key, out, out, len, nonce, counter) != LC_OK || !same(impl, "decryption in place", len, out, src))
            return failed(impl, "a message", len);
    }
    lc_chacha20_start(&state, &key, src, 7);
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); at += pieces[i++])
        if (lc_chacha20_update(&state, out + at, src + at, pieces[i]) != LC_OK)
            return failed(impl, "pieces", at);
    return lc_chacha20_crypt(&portable, expected, src, at, src, 7) == LC_OK && same(impl, "pieces", at, out, expected) &&
           chacha20_counters(impl, &key);
}

static bool test_chacha20(const char *impl)
{
    bool ok = chacha20_vector(impl);

    return chacha20_compare(impl) && ok;
}

/* ---- Poly1305 ---- */

#define FF_15 "ffffffffffffffffffffffffffffff"
#define ZEROS_15 "000000000000000000000000000000"
/* RFC 8439: 2.5.2, and vectors 5 to 11 of A.3, which are near the modulus. */
static const struct {
    const char *key, *message, *tag;
} poly1305_vectors[] = {
    { "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b",
      "43727970746f6772617068696320466f72756d2052657365617263682047726f7570", "a8061dc1305136c6c22b8baf0c0127a9" },
    { "02" ZEROS_15 ZEROS, "ff" FF_15, "03" ZEROS_15 },
    { "02" ZEROS_15 "ff" FF_15, "02" ZEROS_15, "03" ZEROS_15 },
    { "01" ZEROS_15 ZEROS, "ff" FF_15 "f0" FF_15 "11" ZEROS_15, "05" ZEROS_15 },
    { "01" ZEROS_15 ZEROS, "ff" FF_15 "fbfefefefefefefefefefefefefefefe01010101010101010101010101010101", "00" ZEROS_15 },
    { "02" ZEROS_15 ZEROS, "fd" FF_15, "fa" FF_15 },
    { "01000000000000000400000000000000" ZEROS,
      "e33594d7505e43b900000000000000003394d7505e4379cd010000000000000000000000000000000000000000000000"
      "01000000000000000000000000000000",
      "14000000000000005500000000000000" },
    { "01000000000000000400000000000000" ZEROS,
      "e33594d7505e43b900000000000000003394d7505e4379cd010000000000000000000000000000000000000000000000", "13" ZEROS_15 },
};

static bool poly1305_message(const char *impl, const uint8_t *message, size_t len, size_t piece_len, uint8_t tag[16])
{
    struct lc_poly1305_state state;

    if (lc_poly1305_start_impl(&state, impl, raw) != LC_OK)
        return failed(impl, "key setup", 32);
    lc_poly1305_update(&state, message, piece_len);
    lc_poly1305_update(&state, message + piece_len, len - piece_len);
    lc_poly1305_finish(&state, tag);
    return true;
}

static bool poly1305_vector(const char *impl, size_t i)
{
    uint8_t message[64], tag[16], got[16];
    size_t len = from_hex(message, poly1305_vectors[i].message);

    from_hex(raw, poly1305_vectors[i].key);
    from_hex(tag, poly1305_vectors[i].tag);
    return poly1305_message(impl, message, len, 0, got) && same(impl, "RFC 8439 tag", 16, got, tag);
}

/* For each length a message in one piece and in two, and one that makes the sum as large as it can get. */
static bool poly1305_compare(const char *impl)
{
    uint8_t tag[16], got[16];

    fill_inputs(32);
    memset(out, 0xff, sizeof(out));
    for (size_t len = 0; len <= MAX_LEN; len = next_len(len)) {
        raw[len % 32] ^= (uint8_t)(len + 1);
        if (!poly1305_message("poly1305-portable", src, len, 0, tag) || !poly1305_message(impl, src, len, 0, got) ||
            !same(impl, "tag", 16, got, tag) || !poly1305_message(impl, src, len, len / 3, got) ||
            !same(impl, "tag of pieces", 16, got, tag) || !poly1305_message("poly1305-portable", out, len, 0, tag) ||
            !poly1305_message(impl, out, len, 0, got) || !same(impl, "tag of bytes ff", 16, got, tag))
            return failed(impl, "a message", len);
    }
    return true;
}

static bool test_poly1305(const char *impl)
{
    bool ok = true;

    for (size_t i = 0; i < sizeof(poly1305_vectors) / sizeof(poly1305_vectors[0]); i++)
        ok = poly1305_vector(impl, i) && ok;
    return poly1305_compare(impl) && ok;
}

/* ---- ChaCha20-Poly1305 and XChaCha20-Poly1305, which differ by the nonce's length ---- */

/* RFC 8439, 2.8.2; draft-irtf-cfrg-xchacha-03, A.3.1. */
#define KEY_80 "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
static const struct aead_vector chacha20poly1305_vectors[] = {
    { KEY_80, "070000004041424344454647", "50515253c0c1c2c3c4c5c6c7", SUNSCREEN,
      "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6"
      "a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b6116",
      "1ae10b594f09e26a7e902ecbd0600691" },
    { KEY_80, "404142434445464748494a4b4c4d4e4f5051525354555657", "50515253c0c1c2c3c4c5c6c7", SUNSCREEN,
      "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96"
      "b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f615c68b13b52e",
      "c0875924c1c7987947deafd8780acf49" },
};

#define FN(name) chacha20poly1305_##name
#define AEAD(name) lc_chacha20poly1305_##name
#define SEAL(nonce_len) ((nonce_len) == 24 ? lc_xchacha20poly1305_seal : lc_chacha20poly1305_seal)
#define OPEN(nonce_len) ((nonce_len) == 24 ? lc_xchacha20poly1305_open : lc_chacha20poly1305_open)
#define PORTABLE "chacha20-poly1305-portable"
#define SOURCE "published "
#define MIN_RAW_LEN 32
#define NONCE_LEN_FOR(len) ((len) % 8 ? 12 : 24)
#define TAG_LEN_FOR(len) 16
#define STREAMS_TAKE(nonce_len) ((nonce_len) == 12)
#include "selftest_aead.h"

/* ---- Hashes ---- */

#define TEXT_256 "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
#define TEXT_512 "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

/* NIST's examples of messages of two blocks, and the empty message */
#define FN(name) sha256_##name
#define HASH(name) lc_sha256##name
#define PORTABLE "sha256-portable"
#define TEXT TEXT_256
#define DIGEST "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
#define DIGEST_OF_NOTHING "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#include "selftest_hash.h"

#define FN(name) sha384_##name
#define HASH(name) lc_sha384##name
#define PORTABLE "sha512-portable"
#define TEXT TEXT_512
#define DIGEST "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039"
#define DIGEST_OF_NOTHING "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b"
#include "selftest_hash.h"

#define FN(name) sha512_##name
#define HASH(name) lc_sha512##name
#define PORTABLE "sha512-portable"
#define TEXT TEXT_512
#define DIGEST                                                                                                                     \
    "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"                                                             \
    "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
#define DIGEST_OF_NOTHING                                                                                                          \
    "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"                                                             \
    "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
#include "selftest_hash.h"

/* The longer example of the standard, and the empty message */
#define FN(name) sm3_##name
#define HASH(name) lc_sm3##name
#define PORTABLE "sm3-portable"
#define TEXT "abcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcd"
#define DIGEST "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732"
#define DIGEST_OF_NOTHING "1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b"
#include "selftest_hash.h"

static bool test_sha512(const char *impl)
{
    bool ok = sha384_test(impl);

    return sha512_test(impl) && ok;
}

/* ---- All ---- */

static const struct {
    const char *mode;
    bool (*test)(const char *impl);
} tests[] = {
    { "xts", test_xts },
    { "ctr", test_ctr },
    { "gcm", gcm_test },
    { "chacha20", test_chacha20 },
    { "poly1305", test_poly1305 },
    { "chacha20-poly1305", chacha20poly1305_test },
    { "sha256", sha256_test },
    { "sha512", test_sha512 },
    { "sm3", sm3_test },
    { "ecdsa-p256", selftest_ecdsa_p256 },
    { "ecdh-p256", selftest_ecdh_p256 },
    { "ecdsa-p384", selftest_ecdsa_p384 },
    { "ecdh-p384", selftest_ecdh_p384 },
    { "sm2", selftest_sm2 },
    { "x25519", selftest_x25519 },
    { "ed25519", selftest_ed25519 },
    { "rsa", selftest_rsa },
};

static void report(const char *prefix, const char *name, bool runs_here, bool ok)
{
    printf("%s%-*s %s\n", prefix, 28 - (int)strlen(prefix), name,
           !runs_here ? "not run: this CPU lacks what it needs"
           : ok       ? "ok"
                      : "FAILED");
}

int cmd_selftest(int argc, char **argv)
{
    int status =
        cli_plain_options(argc, argv,
                          "usage: lanecrypt selftest\n\n"
                          "Runs published test vectors through every implementation that this CPU can run, and compares each\n"
                          "with the portable one.  Exit status 0 if all results are right.\n");
    const struct lc_aes_round_ops *ops;
    struct lc_impl_info info;
    size_t num_passed = 0, num_failed = 0;
    int runs_here;

    if (status >= 0)
        return status;
    if (cli_env_is_bad() || cli_stack_is_small())
        return EXIT_FAILED;
    for (size_t t = 0; t < sizeof(tests) / sizeof(tests[0]); t++)
        for (size_t i = 0; lc_impl_get(tests[t].mode, i, &info) == LC_OK; i++) {
            bool ok = info.runs_here && tests[t].test(info.name);

            report("", info.name, info.runs_here, ok);
            num_passed += ok;
            num_failed += info.runs_here && !ok;
        }
    for (size_t i = 0; (ops = lc_aes_round_get(i, &runs_here)) != NULL; i++) {
        bool ok = runs_here && selftest_rounds(ops);

        report("aes-round-", ops->name, runs_here, ok);
        num_passed += ok;
        num_failed += runs_here && !ok;
    }
    printf("%zu passed, %zu failed\n", num_passed, num_failed);
    return num_failed ? EXIT_FAILED : EXIT_OK;
}
