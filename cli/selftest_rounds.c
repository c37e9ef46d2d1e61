/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * `lanecrypt selftest` for AES rounds: a published block there and back by the rounds of each kind of instruction, and every
 * function against the portable one's.
 */
#include <string.h>

#include "cli.h"
#include "lanecrypt/aes_round.h"

enum { ROUNDS = 10, INPUTS = 64, MAX_BLOCKS = 9 };

static bool failed(const struct lc_aes_round_ops *ops, const char *what)
{
    cli_error("selftest: aes-round-%s: wrong result: %s", ops->name, what);
    return false;
}

static void add(uint8_t *x, const uint8_t *k)
{
    for (int i = 0; i < 16; i++)
        x[i] ^= k[i];
}

static void reverse(uint8_t d[16], const uint8_t s[16])
{
    for (int i = 0; i < 16; i++)
        d[i] = s[15 - i];
}

/* ---- FIPS 197, appendix B, with round keys by VAESKF1, which AESKEYGENASSIST has to agree with ---- */

static const uint8_t key[16] = { 0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c };
static const uint8_t plain[16] = { 0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34 };
static const uint8_t cipher[16] = {
    0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb, 0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32
};

/* x86: the key last, and InvMixColumns before it */
static bool test_x86(const struct lc_aes_round_ops *ops, uint8_t keys[ROUNDS + 1][16])
{
    uint8_t x[16], k[16];

    memcpy(x, plain, 16);
    add(x, keys[0]);
    for (int r = 1; r < ROUNDS; r++)
        ops->sb_sr_mc_ak(x, x, keys[r]);
    ops->sb_sr_ak(x, x, keys[ROUNDS]);
    if (memcmp(x, cipher, 16) != 0)
        return failed(ops, "encryption, the key last");
    add(x, keys[ROUNDS]);
    for (int r = ROUNDS - 1; r > 0; r--) {
        ops->imc(k, keys[r]);
        ops->isb_isr_imc_ak(x, x, k);
    }
    ops->isb_isr_ak(x, x, keys[0]);
    return memcmp(x, plain, 16) == 0 || failed(ops, "decryption, the key last");
}

/* Arm: the key first, the columns apart */
static bool test_arm(const struct lc_aes_round_ops *ops, uint8_t keys[ROUNDS + 1][16])
{
    uint8_t x[16], k[16];

    memcpy(x, plain, 16);
    for (int r = 0; r < ROUNDS - 1; r++) {
        ops->ak_sb_sr(x, x, keys[r]);
        ops->mc(x, x);
    }
    ops->ak_sb_sr(x, x, keys[ROUNDS - 1]);
    add(x, keys[ROUNDS]);
    if (memcmp(x, cipher, 16) != 0)
        return failed(ops, "encryption, the key first");
    ops->ak_isb_isr_imc(x, x, keys[ROUNDS]);
    for (int r = ROUNDS - 1; r > 1; r--) {
        ops->imc(k, keys[r]);
        ops->ak_isb_isr_imc(x, x, k);
    }
    ops->imc(k, keys[1]);
    ops->ak_isb_isr(x, x, k);
    add(x, keys[0]);
    return memcmp(x, plain, 16) == 0 || failed(ops, "decryption, the key first");
}

/* POWER: the key before InvMixColumns, bytes from the other end */
static bool test_power(const struct lc_aes_round_ops *ops, uint8_t keys[ROUNDS + 1][16])
{
    uint8_t x[16], k[16];

    memcpy(k, cipher, 16);
    add(k, keys[ROUNDS]);
    reverse(x, k);
    for (int r = ROUNDS - 1; r > 0; r--) {
        reverse(k, keys[r]);
        ops->isb_isr_ak_imc_rev(x, x, k);
    }
    reverse(k, keys[0]);
    ops->isb_isr_ak_rev(x, x, k);
    reverse(k, x);
    return memcmp(k, plain, 16) == 0 || failed(ops, "decryption, the key before InvMixColumns");
}

/* RISC-V, 64 bits: halves */
static bool test_halves(const struct lc_aes_round_ops *ops, uint8_t keys[ROUNDS + 1][16])
{
    uint64_t k[ROUNDS + 1][2], x[2], y[2];

    memcpy(k, keys, sizeof(k));
    memcpy(x, plain, 16);
    for (int r = 0; r < ROUNDS; r++) {
        uint64_t (*half)(uint64_t, uint64_t) = r < ROUNDS - 1 ? ops->aes64_esm : ops->aes64_es;

        y[0] = x[0] ^ k[r][0];
        y[1] = x[1] ^ k[r][1];
        x[0] = half(y[0], y[1]);
        x[1] = half(y[1], y[0]);
    }
    x[0] ^= k[ROUNDS][0];
    x[1] ^= k[ROUNDS][1];
    if (memcmp(x, cipher, 16) != 0)
        return failed(ops, "encryption, halves");
    for (int r = ROUNDS; r > 0; r--) {
        uint64_t (*half)(uint64_t, uint64_t) = r > 1 ? ops->aes64_dsm : ops->aes64_ds;

        y[0] = x[0] ^ (r < ROUNDS ? ops->aes64_im(k[r][0]) : k[r][0]);
        y[1] = x[1] ^ (r < ROUNDS ? ops->aes64_im(k[r][1]) : k[r][1]);
        x[0] = half(y[0], y[1]);
        x[1] = half(y[1], y[0]);
    }
    x[0] ^= k[0][0];
    x[1] ^= k[0][1];
    return memcmp(x, plain, 16) == 0 || failed(ops, "decryption, halves");
}

/* RISC-V, 32 bits: columns, a byte at a time */
static bool test_columns(const struct lc_aes_round_ops *ops, uint8_t keys[ROUNDS + 1][16])
{
    uint32_t k[ROUNDS + 1][4], x[4], y[4];

    memcpy(k, keys, sizeof(k));
    memcpy(x, plain, 16);
    add((uint8_t *)x, keys[0]);
    for (int r = 1; r <= ROUNDS; r++) {
        memcpy(y, k[r], 16);
        for (unsigned i = 0; i < 16; i++)
            y[i / 4] = (r < ROUNDS ? ops->aes32_esmi : ops->aes32_esi)(y[i / 4], x[(i / 4 + i) % 4], i % 4);
        memcpy(x, y, 16);
    }
    if (memcmp(x, cipher, 16) != 0)
        return failed(ops, "encryption, columns");
    add((uint8_t *)x, keys[ROUNDS]);
    for (int r = ROUNDS - 1; r >= 0; r--) {
        if (r > 0)
            ops->imc(y, k[r]);
        else
            memcpy(y, k[r], 16);
        for (unsigned i = 0; i < 16; i++)
            y[i / 4] = (r > 0 ? ops->aes32_dsmi : ops->aes32_dsi)(y[i / 4], x[(i / 4 + 3 * i) % 4], i % 4);
        memcpy(x, y, 16);
    }
    return memcmp(x, plain, 16) == 0 || failed(ops, "decryption, columns");
}

/* GB/T 32907-2016, example 1: the key is the plain text, too.  The words of sm4_ed and sm4_ks have their bytes reversed. */
static bool test_sm4(const struct lc_aes_round_ops *ops)
{
    static const uint32_t text[4] = { 0x01234567, 0x89abcdef, 0xfedcba98, 0x76543210 };
    static const uint32_t fk[4] = { 0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc };
    static const uint32_t expected[4] = { 0x536e4246, 0x86b3e94f, 0xd206965e, 0x681edf34 };
    uint32_t x[4], k[4], ck[4], x1[36], k1[36];

    for (int i = 0; i < 4; i++) {
        x[i] = text[i];
        k[i] = text[i] ^ fk[i];
        x1[i] = __builtin_bswap32(x[i]);
        k1[i] = __builtin_bswap32(k[i]);
    }
    for (unsigned i = 0; i < 32; i++) {
        unsigned byte = 28 * i;
        uint32_t c = (byte & 255) << 24 | ((byte + 7) & 255) << 16 | ((byte + 14) & 255) << 8 | ((byte + 21) & 255);

        ck[i % 4] = c;
        if (i % 4 == 3) {
            ops->sm4_ekey4(k, k, ck);
            ops->sm4_e4(x, x, k);
        }
        c = __builtin_bswap32(c) ^ k1[i + 1] ^ k1[i + 2] ^ k1[i + 3];
        k1[i + 4] = k1[i];
        for (unsigned bs = 0; bs < 4; bs++)
            k1[i + 4] = ops->sm4_ks(k1[i + 4], c, bs);
        c = k1[i + 4] ^ x1[i + 1] ^ x1[i + 2] ^ x1[i + 3];
        x1[i + 4] = x1[i];
        for (unsigned bs = 0; bs < 4; bs++)
            x1[i + 4] = ops->sm4_ed(x1[i + 4], c, bs);
    }
    if (memcmp(x, expected, 16) != 0)
        return failed(ops, "SM4, four rounds at a time");
    for (int i = 0; i < 4; i++)
        if (x1[32 + i] != __builtin_bswap32(expected[i]))
            return failed(ops, "SM4, a byte at a time");
    return true;
}

static bool test_block(const struct lc_aes_round_ops *ops)
{
    uint8_t keys[ROUNDS + 1][16], k[16];
    unsigned rcon = 1;

    memcpy(keys[0], key, 16);
    for (unsigned r = 1; r <= ROUNDS; r++) {
        ops->vaeskf1(keys[r], keys[r - 1], r);
        ops->keygenassist(k, keys[r - 1], rcon);
        for (int i = 0; i < 4; i++)
            if ((k[12 + i] ^ keys[r - 1][i]) != keys[r][i])
                return failed(ops, "round keys");
        rcon = rcon << 1 ^ (rcon >> 7) * 0x11b;
    }
    return test_x86(ops, keys) && test_arm(ops, keys) && test_power(ops, keys) && test_halves(ops, keys) &&
           test_columns(ops, keys) && test_sm4(ops);
}

/* ---- Every function against the portable one's ---- */

#define SAME(name, call)                                                                                                           \
    do {                                                                                                                           \
        uint8_t results[2][16 * MAX_BLOCKS] = { { 0 } };                                                                           \
                                                                                                                                   \
        for (int form = 0; form < 2; form++) {                                                                                     \
            const struct lc_aes_round_ops *f = form ? portable : ops;                                                              \
            uint8_t *d = results[form];                                                                                            \
                                                                                                                                   \
            call;                                                                                                                  \
        }                                                                                                                          \
        if (memcmp(results[0], results[1], sizeof(results[0])) != 0)                                                               \
            return failed(ops, #name);                                                                                             \
    } while (0)
#define UNARY(name) SAME(name, f->name(d, s));
#define KEYED(name) SAME(name, f->name(d, s, k));
#define WIDE(name)                                                                                                                 \
    SAME(name, f->name(d, s, k, num_blocks, 0));                                                                                   \
    SAME(name, f->name(d, s, k, num_blocks, 16));
#define WIDE_UNARY(name) SAME(name, f->name(d, s, num_blocks));
#define NUMBERED(name, n) SAME(name, f->name(d, s, n));
#define HALF(name) SAME(name, w64 = f->name(lo, hi); memcpy(d, &w64, 8));
#define PAIR(name) SAME(name, f->name(pair, lo, hi); memcpy(d, pair, 16));
#define COLUMN(name) SAME(name, w32 = f->name((uint32_t)lo, (uint32_t)hi, i % 4); memcpy(d, &w32, 4));
#define WORD(name) SAME(name, w32 = f->name((uint32_t)lo); memcpy(d, &w32, 4));

static bool same_as_portable(const struct lc_aes_round_ops *ops, const uint8_t *s, const uint8_t *k, unsigned i)
{
    const struct lc_aes_round_ops *portable = lc_aes_round_get(lc_aes_round_count() - 1, NULL);
    size_t num_blocks = i % (MAX_BLOCKS + 1);
    uint64_t lo, hi, w64, pair[2];
    uint32_t w32;

    memcpy(&lo, s, 8);
    memcpy(&hi, s + 8, 8);
    /* Many a line, by kind */
    /* clang-format off */
    UNARY(sb) UNARY(isb) UNARY(sr) UNARY(isr) UNARY(mc) UNARY(imc) UNARY(sb_sr) UNARY(isb_isr) UNARY(sb_sr_mc) UNARY(isb_isr_imc)
    KEYED(sb_sr_ak) KEYED(sb_sr_mc_ak) KEYED(isb_isr_ak) KEYED(isb_isr_imc_ak) KEYED(isb_isr_ak_imc)
    KEYED(ak_sb_sr) KEYED(ak_sb_sr_mc) KEYED(ak_isb_isr) KEYED(ak_isb_isr_imc)
    KEYED(sb_sr_ak_rev) KEYED(sb_sr_mc_ak_rev) KEYED(isb_isr_ak_rev) KEYED(isb_isr_ak_imc_rev)
    WIDE(sb_sr_ak_n) WIDE(sb_sr_mc_ak_n) WIDE(isb_isr_ak_n) WIDE(isb_isr_imc_ak_n) WIDE(isb_isr_ak_imc_n)
    WIDE(ak_sb_sr_n) WIDE(ak_sb_sr_mc_n) WIDE(ak_isb_isr_n) WIDE(ak_isb_isr_imc_n) WIDE_UNARY(mc_n) WIDE_UNARY(imc_n)
    NUMBERED(keygenassist, i * 4) NUMBERED(vaeskf1, i % 16) SAME(vaeskf2, f->vaeskf2(d, s, k, i % 16));
    HALF(aes64_es) HALF(aes64_esm) HALF(aes64_ds) HALF(aes64_dsm) HALF(aes64_ks2)
    SAME(aes64_im, w64 = f->aes64_im(lo); memcpy(d, &w64, 8));
    SAME(aes64_ks1i, w64 = f->aes64_ks1i(lo, i % 11); memcpy(d, &w64, 8));
    PAIR(aes64_es2) PAIR(aes64_esm2) PAIR(aes64_ds2) PAIR(aes64_dsm2)
    COLUMN(aes32_esi) COLUMN(aes32_esmi) COLUMN(aes32_dsi) COLUMN(aes32_dsmi) COLUMN(sm4_ed) COLUMN(sm4_ks)
    WORD(subword) WORD(sm4_subword) KEYED(sm4_e4) KEYED(sm4_ekey4) SAME(clmul64, f->clmul64(d, lo, hi));
    /* clang-format on */
    return true;
}

bool selftest_rounds(const struct lc_aes_round_ops *ops)
{
    uint8_t in[2][16 * MAX_BLOCKS];
    uint32_t x = 1;

    for (unsigned i = 0; i < INPUTS; i++) {
        for (size_t j = 0; j < sizeof(in); j++) {
            x = x * 1664525 + 1013904223;
            in[j % 2][j / 2] = (uint8_t)(x >> 24);
        }
        if (!same_as_portable(ops, in[0], in[1], i))
            return false;
    }
    return test_block(ops);
}
