/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Whole ciphers, made of the operations as programs for each guest make them of its instructions. */
#include "check.h"

#define MAX_KEYS 15

/* A guest's way: the round keys of a key, and both directions with these keys. */
struct style {
    const char *name;
    void (*expand)(const ops_t *ops, uint8_t keys[MAX_KEYS][16], const uint8_t *key, unsigned key_words);
    void (*encrypt)(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds);
    void (*decrypt)(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds);
};

static void add(uint8_t *block, const uint8_t *key)
{
    for (int i = 0; i < 16; i++)
        block[i] ^= key[i];
}

/* Keys of the equivalent inverse cipher: InvMixColumns on all but the first and the last. */
static void inverse_keys(const ops_t *ops, uint8_t out[MAX_KEYS][16], uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    memcpy(out, keys, 16 * MAX_KEYS);
    for (unsigned i = 1; i < rounds; i++)
        ops->imc(out[i], keys[i]);
}

/* FIPS 197's key expansion by words, with what a guest has for SubWord, and for RotWord, SubWord and the constant. */
static void expand_words(const ops_t *ops, uint8_t keys[MAX_KEYS][16], const uint8_t *key, unsigned key_words,
                         uint32_t (*sub)(const ops_t *ops, uint32_t x),
                         uint32_t (*rot_sub_rcon)(const ops_t *ops, uint32_t x, unsigned round))
{
    const unsigned num_words = 4 * (key_words + 7);
    uint8_t *w = keys[0];

    memcpy(w, key, 4 * key_words);
    for (unsigned i = key_words; i < num_words; i++) {
        uint32_t x = (uint32_t)get(w + 4 * i - 4, 4);

        if (i % key_words == 0)
            x = rot_sub_rcon(ops, x, i / key_words);
        else if (key_words == 8 && i % 8 == 4)
            x = sub(ops, x);
        put(w + 4 * i, 4, x ^ get(w + 4 * (i - key_words), 4));
    }
}

static const uint8_t rcon[11] = { 0, 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36 };

/* ---- x86 ---- */

static uint32_t x86_sub(const ops_t *ops, uint32_t x)
{
    uint8_t block[16] = { 0 };

    put(block + 12, 4, x);
    ops->keygenassist(block, block, 0);
    return (uint32_t)get(block + 8, 4);
}

static uint32_t x86_rot_sub_rcon(const ops_t *ops, uint32_t x, unsigned round)
{
    uint8_t block[16] = { 0 };

    put(block + 4, 4, x);
    ops->keygenassist(block, block, rcon[round]);
    return (uint32_t)get(block + 4, 4);
}

static void x86_expand(const ops_t *ops, uint8_t keys[MAX_KEYS][16], const uint8_t *key, unsigned key_words)
{
    expand_words(ops, keys, key, key_words, x86_sub, x86_rot_sub_rcon);
}

static void x86_encrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    add(block, keys[0]);
    for (unsigned i = 1; i < rounds; i++)
        ops->sb_sr_mc_ak(block, block, keys[i]);
    ops->sb_sr_ak(block, block, keys[rounds]);
}

static void x86_decrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    uint8_t inverse[MAX_KEYS][16];

    inverse_keys(ops, inverse, keys, rounds);
    add(block, inverse[rounds]);
    for (unsigned i = rounds - 1; i > 0; i--)
        ops->isb_isr_imc_ak(block, block, inverse[i]);
    ops->isb_isr_ak(block, block, inverse[0]);
}

/* ---- Arm: AESE and AESMC, and the two in one; keys are expanded by AESE with a zero key, as Linux does ---- */

static uint32_t arm_sub(const ops_t *ops, uint32_t x)
{
    uint8_t block[16], zero[16] = { 0 };

    for (int i = 0; i < 16; i += 4)
        put(block + i, 4, x);
    ops->ak_sb_sr(block, block, zero);
    return (uint32_t)get(block, 4);
}

static uint32_t arm_rot_sub_rcon(const ops_t *ops, uint32_t x, unsigned round)
{
    x = arm_sub(ops, x);
    return (x >> 8 | x << 24) ^ rcon[round];
}

static void arm_expand(const ops_t *ops, uint8_t keys[MAX_KEYS][16], const uint8_t *key, unsigned key_words)
{
    expand_words(ops, keys, key, key_words, arm_sub, arm_rot_sub_rcon);
}

static void arm_encrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    for (unsigned i = 0; i < rounds - 1; i++) {
        ops->ak_sb_sr(block, block, keys[i]);
        ops->mc(block, block);
    }
    ops->ak_sb_sr(block, block, keys[rounds - 1]);
    add(block, keys[rounds]);
}

static void arm_decrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    uint8_t inverse[MAX_KEYS][16];

    inverse_keys(ops, inverse, keys, rounds);
    for (unsigned i = rounds; i > 1; i--) {
        ops->ak_isb_isr(block, block, inverse[i]);
        ops->imc(block, block);
    }
    ops->ak_isb_isr(block, block, inverse[1]);
    add(block, inverse[0]);
}

static void arm_pairs_encrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    for (unsigned i = 0; i < rounds - 1; i++)
        ops->ak_sb_sr_mc(block, block, keys[i]);
    ops->ak_sb_sr(block, block, keys[rounds - 1]);
    add(block, keys[rounds]);
}

static void arm_pairs_decrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    uint8_t inverse[MAX_KEYS][16];

    inverse_keys(ops, inverse, keys, rounds);
    for (unsigned i = rounds; i > 1; i--)
        ops->ak_isb_isr_imc(block, block, inverse[i]);
    ops->ak_isb_isr(block, block, inverse[1]);
    add(block, inverse[0]);
}

/* ---- POWER: registers whose bytes are numbered from the other end; the inverse takes the keys as they are ---- */

static void reverse(uint8_t *d, const uint8_t *s)
{
    uint8_t t[16];

    for (int i = 0; i < 16; i++)
        t[i] = s[15 - i];
    memcpy(d, t, 16);
}

static uint32_t power_sub(const ops_t *ops, uint32_t x)
{
    uint8_t block[16] = { 0 };

    put(block, 4, x);
    ops->sb(block, block); /* vsbox */
    return (uint32_t)get(block, 4);
}

static uint32_t power_rot_sub_rcon(const ops_t *ops, uint32_t x, unsigned round)
{
    return power_sub(ops, x >> 8 | x << 24) ^ rcon[round];
}

static void power_expand(const ops_t *ops, uint8_t keys[MAX_KEYS][16], const uint8_t *key, unsigned key_words)
{
    expand_words(ops, keys, key, key_words, power_sub, power_rot_sub_rcon);
}

static void power_encrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    uint8_t x[16], key[16];

    add(block, keys[0]);
    reverse(x, block);
    for (unsigned i = 1; i <= rounds; i++) {
        reverse(key, keys[i]);
        (i < rounds ? ops->sb_sr_mc_ak_rev : ops->sb_sr_ak_rev)(x, x, key);
    }
    reverse(block, x);
}

static void power_decrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    uint8_t x[16], key[16];

    add(block, keys[rounds]);
    reverse(x, block);
    for (unsigned i = rounds; i-- > 0;) {
        reverse(key, keys[i]);
        (i > 0 ? ops->isb_isr_ak_imc_rev : ops->isb_isr_ak_rev)(x, x, key);
    }
    reverse(block, x);
}

/* ---- RISC-V, 64 bits: two instructions a round, or one call for both ---- */

static uint32_t rv64_sub(const ops_t *ops, uint32_t x)
{
    return (uint32_t)ops->aes64_ks1i((uint64_t)x << 32, 10);
}

/* AES-128 and AES-192 by two words, as the specification shows it; AES-256 by four. */
static void rv64_expand(const ops_t *ops, uint8_t keys[MAX_KEYS][16], const uint8_t *key, unsigned key_words)
{
    const unsigned halves = key_words / 2, num_halves = 2 * (key_words + 7);
    uint8_t *w = keys[0];

    memcpy(w, key, 4 * key_words);
    for (unsigned i = halves; i < num_halves; i++) {
        uint64_t before = get(w + 8 * i - 8, 8), t;

        if (i % halves == 0)
            t = ops->aes64_ks1i(before, i / halves - 1);
        else if (key_words == 8 && i % 4 == 2)
            t = (uint64_t)rv64_sub(ops, (uint32_t)(before >> 32)) << 32;
        else
            t = before;
        put(w + 8 * i, 8, ops->aes64_ks2(t, get(w + 8 * (i - halves), 8)));
    }
}

typedef uint64_t half(uint64_t lo, uint64_t hi);

static void rv64_round(uint64_t x[2], half *f, const uint8_t *key)
{
    uint64_t lo = f(x[0], x[1]), hi = f(x[1], x[0]);

    x[0] = lo ^ get(key, 8);
    x[1] = hi ^ get(key + 8, 8);
}

static void rv64_encrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    uint64_t x[2] = { get(block, 8) ^ get(keys[0], 8), get(block + 8, 8) ^ get(keys[0] + 8, 8) };

    for (unsigned i = 1; i < rounds; i++)
        rv64_round(x, ops->aes64_esm, keys[i]);
    rv64_round(x, ops->aes64_es, keys[rounds]);
    put(block, 8, x[0]);
    put(block + 8, 8, x[1]);
}

static void rv64_inverse_keys(const ops_t *ops, uint8_t out[MAX_KEYS][16], uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    memcpy(out, keys, 16 * MAX_KEYS);
    for (unsigned i = 1; i < rounds; i++) {
        put(out[i], 8, ops->aes64_im(get(keys[i], 8)));
        put(out[i] + 8, 8, ops->aes64_im(get(keys[i] + 8, 8)));
    }
}

static void rv64_decrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    uint8_t inverse[MAX_KEYS][16];
    uint64_t x[2] = { get(block, 8) ^ get(keys[rounds], 8), get(block + 8, 8) ^ get(keys[rounds] + 8, 8) };

    rv64_inverse_keys(ops, inverse, keys, rounds);
    for (unsigned i = rounds - 1; i > 0; i--)
        rv64_round(x, ops->aes64_dsm, inverse[i]);
    rv64_round(x, ops->aes64_ds, inverse[0]);
    put(block, 8, x[0]);
    put(block + 8, 8, x[1]);
}

static void rv64_pairs_encrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    uint64_t x[2];

    add(block, keys[0]);
    for (unsigned i = 1; i <= rounds; i++) {
        (i < rounds ? ops->aes64_esm2 : ops->aes64_es2)(x, get(block, 8), get(block + 8, 8));
        put(block, 8, x[0]);
        put(block + 8, 8, x[1]);
        add(block, keys[i]);
    }
}

static void rv64_pairs_decrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    uint8_t inverse[MAX_KEYS][16];
    uint64_t x[2];

    rv64_inverse_keys(ops, inverse, keys, rounds);
    add(block, keys[rounds]);
    for (unsigned i = rounds; i-- > 0;) {
        (i > 0 ? ops->aes64_dsm2 : ops->aes64_ds2)(x, get(block, 8), get(block + 8, 8));
        put(block, 8, x[0]);
        put(block + 8, 8, x[1]);
        add(block, inverse[i]);
    }
}

/* ---- RISC-V, 32 bits: each new column takes one byte of each of four columns ---- */

static uint32_t rv32_sub(const ops_t *ops, uint32_t x)
{
    uint32_t y = 0;

    for (unsigned bs = 0; bs < 4; bs++)
        y = ops->aes32_esi(y, x, bs);
    return y;
}

static uint32_t rv32_rot_sub_rcon(const ops_t *ops, uint32_t x, unsigned round)
{
    uint32_t y = rcon[round];

    x = x >> 8 | x << 24;
    for (unsigned bs = 0; bs < 4; bs++)
        y = ops->aes32_esi(y, x, bs);
    return y;
}

static void rv32_expand(const ops_t *ops, uint8_t keys[MAX_KEYS][16], const uint8_t *key, unsigned key_words)
{
    expand_words(ops, keys, key, key_words, rv32_sub, rv32_rot_sub_rcon);
}

typedef uint32_t column_byte(uint32_t rs1, uint32_t rs2, unsigned bs);

/* step: by how many columns the byte of the next row is farther to the right: 1, or 3 for the inverse */
static void rv32_round(uint8_t *block, column_byte *f, const uint8_t *key, unsigned step)
{
    uint32_t x[4], y;

    for (unsigned c = 0; c < 4; c++)
        x[c] = (uint32_t)get(block + 4 * c, 4);
    for (unsigned c = 0; c < 4; c++) {
        y = (uint32_t)get(key + 4 * c, 4);
        for (unsigned bs = 0; bs < 4; bs++)
            y = f(y, x[(c + step * bs) % 4], bs);
        put(block + 4 * c, 4, y);
    }
}

static void rv32_encrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    add(block, keys[0]);
    for (unsigned i = 1; i < rounds; i++)
        rv32_round(block, ops->aes32_esmi, keys[i], 1);
    rv32_round(block, ops->aes32_esi, keys[rounds], 1);
}

static void rv32_decrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    add(block, keys[rounds]);
    for (unsigned i = rounds - 1; i > 0; i--) {
        uint8_t inverse[16];

        /* InvMixColumns is the S-box, and then the inverse one with InvMixColumns. */
        for (unsigned c = 0; c < 16; c += 4) {
            uint32_t y = 0, x = rv32_sub(ops, (uint32_t)get(keys[i] + c, 4));

            for (unsigned bs = 0; bs < 4; bs++)
                y = ops->aes32_dsmi(y, x, bs);
            put(inverse + c, 4, y);
        }
        rv32_round(block, ops->aes32_dsmi, inverse, 3);
    }
    rv32_round(block, ops->aes32_dsi, keys[0], 3);
}

/* ---- RISC-V, vectors: four element groups with one key; vaeskf2 has no AES-192 ---- */

static void rvv_expand(const ops_t *ops, uint8_t keys[MAX_KEYS][16], const uint8_t *key, unsigned key_words)
{
    memcpy(keys, key, 4 * key_words);
    if (key_words == 4)
        for (unsigned rnd = 1; rnd <= 10; rnd++)
            ops->vaeskf1(keys[rnd], keys[rnd - 1], rnd);
    else if (key_words == 8)
        for (unsigned rnd = 2; rnd <= 14; rnd++)
            ops->vaeskf2(keys[rnd], keys[rnd - 2], keys[rnd - 1], rnd);
    else
        rv64_expand(ops, keys, key, key_words);
}

static void rvv_last(uint8_t *block, uint8_t groups[4][16])
{
    for (unsigned i = 1; i < 4; i++)
        expect_bytes("an element group", groups[i], groups[0], 16);
    memcpy(block, groups[0], 16);
}

static void rvv_encrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    uint8_t groups[4][16];

    add(block, keys[0]); /* vaesz.vs */
    for (unsigned i = 0; i < 4; i++)
        memcpy(groups[i], block, 16);
    for (unsigned i = 1; i < rounds; i++)
        ops->sb_sr_mc_ak_n(groups, groups, keys[i], 4, 0);
    ops->sb_sr_ak_n(groups, groups, keys[rounds], 4, 0);
    rvv_last(block, groups);
}

static void rvv_decrypt(const ops_t *ops, uint8_t *block, uint8_t keys[MAX_KEYS][16], unsigned rounds)
{
    uint8_t groups[4][16];

    add(block, keys[rounds]);
    for (unsigned i = 0; i < 4; i++)
        memcpy(groups[i], block, 16);
    for (unsigned i = rounds - 1; i > 0; i--)
        ops->isb_isr_ak_imc_n(groups, groups, keys[i], 4, 0);
    ops->isb_isr_ak_n(groups, groups, keys[0], 4, 0);
    rvv_last(block, groups);
}

static const struct style styles[] = {
    { "x86", x86_expand, x86_encrypt, x86_decrypt },
    { "Arm", arm_expand, arm_encrypt, arm_decrypt },
    { "Arm in pairs", arm_expand, arm_pairs_encrypt, arm_pairs_decrypt },
    { "POWER", power_expand, power_encrypt, power_decrypt },
    { "RV64", rv64_expand, rv64_encrypt, rv64_decrypt },
    { "RV64 in pairs", rv64_expand, rv64_pairs_encrypt, rv64_pairs_decrypt },
    { "RV32", rv32_expand, rv32_encrypt, rv32_decrypt },
    { "RVV", rvv_expand, rvv_encrypt, rvv_decrypt },
};

#define NUM_STYLES (sizeof(styles) / sizeof(styles[0]))

static void check_cipher(const ops_t *ops, const uint8_t *key, unsigned key_len, const uint8_t *plain, const uint8_t *cipher)
{
    const unsigned rounds = key_len / 4 + 6;

    for (size_t i = 0; i < NUM_STYLES; i++) {
        uint8_t keys[MAX_KEYS][16], block[16];

        styles[i].expand(ops, keys, key, key_len / 4);
        memcpy(block, plain, 16);
        styles[i].encrypt(ops, block, keys, rounds);
        expect_bytes(styles[i].name, block, cipher, 16);
        styles[i].decrypt(ops, block, keys, rounds);
        expect_bytes(styles[i].name, block, plain, 16);
    }
}

/*
 * ---- FIPS 197 ----
 *
 * As printed there.  The round keys are also in the tests of RustCrypto's aes 0.8.4 (src/ni/test_expand.rs), the states of
 * Appendix B in SageMath's crypto/mq/sr.py, the answers of Appendix C in those of pycryptodome
 * (SelfTest/Cipher/test_AES.py); all were compared.
 */

static void hex(uint8_t *bytes, size_t len, const char *text)
{
    if (from_hex(bytes, len, text) != len)
        fail("%s isn't %zu bytes", text, len);
}

/* Appendix B: the states at the start of rounds 1 to 10 and the output, and the round keys, which are Appendix A.1's. */
static const char *const states[] = {
    "193de3bea0f4e22b9ac68d2ae9f84808", "a49c7ff2689f352b6b5bea43026a5049", "aa8f5f0361dde3ef82d24ad26832469a",
    "486c4eee671d9d0d4de3b138d65f58e7", "e0927fe8c86363c0d9b1355085b8be01", "f1006f55c1924cef7cc88b325db5d50c",
    "260e2e173d41b77de86472a9fdd28b25", "5a4142b11949dc1fa3e019657a8c040c", "ea835cf00445332d655d98ad8596b0c5",
    "eb40f21e592e38848ba113e71bc342d2", "3925841d02dc09fbdc118597196a0b32",
};
static const char *const round_keys[] = {
    "2b7e151628aed2a6abf7158809cf4f3c", "a0fafe1788542cb123a339392a6c7605", "f2c295f27a96b9435935807a7359f67f",
    "3d80477d4716fe3e1e237e446d7a883b", "ef44a541a8525b7fb671253bdb0bad00", "d4d1c6f87c839d87caf2b8bc11f915bc",
    "6d88a37a110b3efddbf98641ca0093fd", "4e54f70e5f5fc9f384a64fb24ea6dc4f", "ead27321b58dbad2312bf5607f8d292f",
    "ac7766f319fadc2128d12941575c006e", "d014f9a8c9ee2589e13f0cc8b6630ca6",
};

static void check_rounds(const ops_t *ops)
{
    for (unsigned i = 0; i < 10; i++) {
        uint8_t before[16], after[16], key[16], out[16], zero[16] = { 0 };

        hex(before, 16, states[i]);
        hex(after, 16, states[i + 1]);
        hex(key, 16, round_keys[i + 1]);
        (i < 9 ? ops->sb_sr_mc_ak : ops->sb_sr_ak)(out, before, key);
        expect_bytes("a round of Appendix B", out, after, 16);
        (i < 9 ? ops->ak_sb_sr_mc : ops->ak_sb_sr)(out, before, zero);
        add(out, key);
        expect_bytes("a round of Appendix B, key first", out, after, 16);

        /* And back; InvMixColumns after the key, or before it. */
        memcpy(out, after, 16);
        add(out, key);
        if (i < 9)
            ops->imc(out, out);
        ops->isb_isr_ak(out, out, zero);
        expect_bytes("a round of Appendix B, back", out, before, 16);
        if (i < 9) {
            ops->isb_isr_ak_imc(out, after, key);
            ops->isb_isr(after, after);
            add(after, key);
            ops->imc(after, after);
            expect_bytes("isb_isr_ak_imc", out, after, 16);
        }
    }
}

static void check_key_schedules(const ops_t *ops)
{
    static const struct {
        const char *key, *last;
    } longer[] = {
        /* Appendices A.2 and A.3 */
        { "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "e98ba06f448c773c8ecc720401002202" },
        { "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "fe4890d1e6188d0b046df344706c631e" },
    };

    for (size_t s = 0; s < NUM_STYLES; s++) {
        uint8_t keys[MAX_KEYS][16], key[32], expected[16];

        hex(key, 16, round_keys[0]);
        styles[s].expand(ops, keys, key, 4);
        for (unsigned i = 0; i <= 10; i++) {
            hex(expected, 16, round_keys[i]);
            expect_bytes("a round key of Appendix A.1", keys[i], expected, 16);
        }
        for (unsigned i = 0; i < 2; i++) {
            hex(key, 24 + 8 * i, longer[i].key);
            styles[s].expand(ops, keys, key, 6 + 2 * i);
            hex(expected, 16, longer[i].last);
            expect_bytes("the last round key of Appendix A.2 or A.3", keys[12 + 2 * i], expected, 16);
        }
    }
}

/*
 * ---- SM4: by four rounds (Arm, x86, RISC-V's vectors) and by bytes (RISC-V) ----
 *
 * GB/T 32907-2016, A.1, compared with RustCrypto's sm4 0.5.1 (tests/mod.rs, and src/consts.rs for FK).
 */

static uint32_t sm4_by_bytes(uint32_t (*f)(uint32_t, uint32_t, unsigned), uint32_t x, uint32_t word)
{
    for (unsigned bs = 0; bs < 4; bs++)
        x = f(x, word, bs);
    return x;
}

static void check_sm4(const ops_t *ops)
{
    /* The key is the plain text.  System parameters FK */
    static const uint32_t text[4] = { 0x01234567, 0x89abcdef, 0xfedcba98, 0x76543210 };
    static const uint32_t fk[4] = { 0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc };
    static const uint32_t result[4] = { 0x681edf34, 0xd206965e, 0x86b3e94f, 0x536e4246 };
    uint8_t state[16], key[16], ck[16], expected[16];
    uint32_t k[4], x[4];

    for (unsigned i = 0; i < 4; i++) {
        put(state + 4 * i, 4, text[i]);
        put(key + 4 * i, 4, text[i] ^ fk[i]);
        put(expected + 4 * i, 4, result[3 - i]);
        x[i] = __builtin_bswap32(text[i]); /* as the bytes lie in memory */
        k[i] = __builtin_bswap32(text[i] ^ fk[i]);
    }
    for (unsigned round = 0; round < 32; round += 4) {
        for (unsigned i = 0; i < 16; i++)
            ck[i ^ 3] = (uint8_t)((4 * round + i) * 7);
        ops->sm4_ekey4(key, key, ck);
        ops->sm4_e4(state, state, key);
        for (unsigned i = 0; i < 4; i++) {
            uint32_t constant = __builtin_bswap32((uint32_t)get(ck + 4 * i, 4));

            k[i] = sm4_by_bytes(ops->sm4_ks, k[i], k[(i + 1) % 4] ^ k[(i + 2) % 4] ^ k[(i + 3) % 4] ^ constant);
            x[i] = sm4_by_bytes(ops->sm4_ed, x[i], x[(i + 1) % 4] ^ x[(i + 2) % 4] ^ x[(i + 3) % 4] ^ k[i]);
        }
    }
    expect_bytes("SM4 by four rounds", state, expected, 16);
    for (unsigned i = 0; i < 4; i++)
        put(state + 4 * i, 4, __builtin_bswap32(x[i]));
    expect_bytes("SM4 by bytes", state, expected, 16);
}

void check_standard(const ops_t *ops)
{
    static const char *const cipher[] = {
        /* Appendix C */
        "69c4e0d86a7b0430d8cdb78070b4c55a",
        "dda97ca4864cdfe06eaf70a0ec0d7191",
        "8ea2b7ca516745bfeafc49904b496089",
    };
    uint8_t key[32], plain[16], expected[16];

    for (unsigned i = 0; i < 32; i++)
        key[i] = (uint8_t)i;
    for (unsigned i = 0; i < 16; i++)
        plain[i] = (uint8_t)(0x11 * i);
    for (unsigned i = 0; i < 3; i++) {
        hex(expected, 16, cipher[i]);
        check_cipher(ops, key, 16 + 8 * i, plain, expected);
    }
    check_rounds(ops);
    check_key_schedules(ops);
    check_sm4(ops);
}

/* ---- Published known answers ---- */

unsigned check_known_answers(const ops_t *ops, const char *path)
{
    FILE *f = open_file(path);
    struct answer answer;
    unsigned count = 0;

    while (next_answer(f, &answer)) {
        check_cipher(ops, answer.key, answer.key_len, answer.plain, answer.cipher);
        count++;
    }
    fclose(f);
    if (count == 0)
        fail("no known answers in %s", path);
    return count;
}
