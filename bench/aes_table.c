/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Byte table: loops over 16 bytes in memory, a table for the S-box, shifts for the products of MixColumns.  Word tables: the same,
 * but where MixColumns or its inverse is part of it, tables of what a byte does to its column.
 */
#define LC_AES_ROUND_PORTABLE /* nothing but the structure is wanted of the header */
#include "aes_table.h"

#include <stdbool.h>
#include <string.h>

static uint8_t sbox[256], inv_sbox[256];

static uint8_t times_2(uint8_t x)
{
    return (uint8_t)(x << 1 ^ (x >> 7) * 0x1b);
}

/* 3 generates GF(2^8)*: the inverse of its i-th power is the (255 - i)-th. */
static void make_tables(void)
{
    uint8_t powers[256], x = 1;

    for (int i = 0; i < 256; i++) {
        powers[i] = x;
        x ^= times_2(x);
    }
    for (int i = 0; i < 256; i++) {
        unsigned inverse = powers[255 - i] * 0x101u; /* twice, for the rotations */
        uint8_t y = (uint8_t)(inverse ^ inverse >> 4 ^ inverse >> 5 ^ inverse >> 6 ^ inverse >> 7 ^ 0x63);

        sbox[powers[i]] = y;
        inv_sbox[y] = powers[i];
    }
    sbox[0] = 0x63;
    inv_sbox[0x63] = 0;
}

/* ---- Steps ---- */

/* With ShiftRows byte i comes from 5 * i, with its inverse from 13 * i, modulo 16; alone from i. */
static void substitute(uint8_t d[16], const uint8_t s[16], const uint8_t table[256], unsigned step)
{
    uint8_t out[16];

    for (unsigned i = 0; i < 16; i++)
        out[i] = table[s[i * step % 16]];
    memcpy(d, out, sizeof(out));
}

static void add_key(uint8_t d[16], const uint8_t s[16], const uint8_t k[16])
{
    for (int i = 0; i < 16; i++)
        d[i] = s[i] ^ k[i];
}

static void mix(uint8_t d[16], const uint8_t s[16])
{
    for (int c = 0; c < 16; c += 4) {
        uint8_t x[4] = { s[c], s[c + 1], s[c + 2], s[c + 3] }, sum = x[0] ^ x[1] ^ x[2] ^ x[3];

        for (int r = 0; r < 4; r++)
            d[c + r] = x[r] ^ sum ^ times_2(x[r] ^ x[(r + 1) % 4]);
    }
}

/* InvMixColumns is MixColumns after a smaller one: (14, 11, 13, 9) = (2, 3, 1, 1) * (5, 0, 4, 0). */
static void unmix(uint8_t d[16], const uint8_t s[16])
{
    uint8_t x[16];

    for (int i = 0; i < 16; i++)
        x[i] = s[i] ^ times_2(times_2(s[i] ^ s[i ^ 2]));
    mix(d, x);
}

static void reverse(uint8_t d[16], const uint8_t s[16])
{
    uint8_t out[16];

    for (int i = 0; i < 16; i++)
        out[i] = s[15 - i];
    memcpy(d, out, sizeof(out));
}

/* ---- Rounds ---- */

static void sb(void *d, const void *s)
{
    substitute(d, s, sbox, 1);
}

static void isb(void *d, const void *s)
{
    substitute(d, s, inv_sbox, 1);
}

static void mc(void *d, const void *s)
{
    mix(d, s);
}

static void imc(void *d, const void *s)
{
    unmix(d, s);
}

static void sb_sr_ak(void *d, const void *s, const void *k)
{
    uint8_t x[16];

    substitute(x, s, sbox, 5);
    add_key(d, x, k);
}

static void sb_sr_mc_ak(void *d, const void *s, const void *k)
{
    uint8_t x[16];

    substitute(x, s, sbox, 5);
    mix(x, x);
    add_key(d, x, k);
}

static void isb_isr_ak(void *d, const void *s, const void *k)
{
    uint8_t x[16];

    substitute(x, s, inv_sbox, 13);
    add_key(d, x, k);
}

static void isb_isr_imc_ak(void *d, const void *s, const void *k)
{
    uint8_t x[16];

    substitute(x, s, inv_sbox, 13);
    unmix(x, x);
    add_key(d, x, k);
}

static void isb_isr_ak_imc(void *d, const void *s, const void *k)
{
    uint8_t x[16];

    isb_isr_ak(x, s, k);
    unmix(d, x);
}

static void ak_sb_sr(void *d, const void *s, const void *k)
{
    uint8_t x[16];

    add_key(x, s, k);
    substitute(d, x, sbox, 5);
}

static void ak_sb_sr_mc(void *d, const void *s, const void *k)
{
    ak_sb_sr(d, s, k);
    mix(d, d);
}

static void ak_isb_isr(void *d, const void *s, const void *k)
{
    uint8_t x[16];

    add_key(x, s, k);
    substitute(d, x, inv_sbox, 13);
}

static void ak_isb_isr_imc(void *d, const void *s, const void *k)
{
    ak_isb_isr(d, s, k);
    unmix(d, d);
}

static void sb_sr_ak_rev(void *d, const void *s, const void *k)
{
    uint8_t x[16], key[16];

    reverse(x, s);
    reverse(key, k);
    sb_sr_ak(x, x, key);
    reverse(d, x);
}

static void sb_sr_mc_ak_rev(void *d, const void *s, const void *k)
{
    uint8_t x[16], key[16];

    reverse(x, s);
    reverse(key, k);
    sb_sr_mc_ak(x, x, key);
    reverse(d, x);
}

static void sb_sr_mc_ak_n(void *d, const void *s, const void *k, size_t num_blocks, size_t key_stride)
{
    for (size_t i = 0; i < num_blocks; i++)
        sb_sr_mc_ak((uint8_t *)d + 16 * i, (const uint8_t *)s + 16 * i, (const uint8_t *)k + key_stride * i);
}

static void mc_n(void *d, const void *s, size_t num_blocks)
{
    for (size_t i = 0; i < num_blocks; i++)
        mix((uint8_t *)d + 16 * i, (const uint8_t *)s + 16 * i);
}

static void keygenassist(void *d, const void *s, unsigned rcon)
{
    uint8_t x[16], *out = d;

    substitute(x, s, sbox, 1);
    for (int c = 0; c < 16; c += 8)
        for (int r = 0; r < 4; r++) {
            out[c + r] = x[c + 4 + r];
            out[c + 4 + r] = x[c + 4 + (r + 1) % 4] ^ (r == 0 ? (uint8_t)rcon : 0);
        }
}

static uint32_t subword(uint32_t x)
{
    return sbox[x & 255] | (uint32_t)sbox[x >> 8 & 255] << 8 | (uint32_t)sbox[x >> 16 & 255] << 16 | (uint32_t)sbox[x >> 24] << 24;
}

/* ---- RISC-V ---- */

static uint64_t half_of_round(uint64_t lo, uint64_t hi, bool mixes)
{
    uint8_t x[16];

    memcpy(x, &lo, 8);
    memcpy(x + 8, &hi, 8);
    substitute(x, x, sbox, 5);
    if (mixes)
        mix(x, x);
    memcpy(&lo, x, 8);
    return lo;
}

static uint64_t aes64_es(uint64_t lo, uint64_t hi)
{
    return half_of_round(lo, hi, false);
}

static uint64_t aes64_esm(uint64_t lo, uint64_t hi)
{
    return half_of_round(lo, hi, true);
}

/* To see that both belong together is no helper's business, so here they are two. */
static void aes64_es2(uint64_t out[2], uint64_t lo, uint64_t hi)
{
    out[0] = aes64_es(lo, hi);
    out[1] = aes64_es(hi, lo);
}

static void aes64_esm2(uint64_t out[2], uint64_t lo, uint64_t hi)
{
    out[0] = aes64_esm(lo, hi);
    out[1] = aes64_esm(hi, lo);
}

static uint32_t rotate(uint32_t x, unsigned bytes)
{
    return bytes ? x << 8 * bytes | x >> (32 - 8 * bytes) : x;
}

static uint32_t aes32_esi(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    return rs1 ^ rotate(sbox[rs2 >> 8 * bs & 255], bs);
}

static uint32_t aes32_esmi(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    uint8_t x = sbox[rs2 >> 8 * bs & 255], twice = times_2(x);

    return rs1 ^ rotate(twice | (uint32_t)x << 8 | (uint32_t)x << 16 | (uint32_t)(x ^ twice) << 24, bs);
}

/* ---- Word tables ---- */

/* What a byte in row 0 does to its column, a little-endian number; alone, and after the S-box. */
static uint32_t mix_words[256], unmix_words[256], sub_mix_words[256], inv_sub_unmix_words[256];

static void make_words(void)
{
    for (unsigned i = 0; i < 256; i++) {
        uint8_t x[16] = { (uint8_t)i }, y[16];

        mix(y, x);
        memcpy(&mix_words[i], y, 4);
        unmix(y, x);
        memcpy(&unmix_words[i], y, 4);
    }
    for (unsigned i = 0; i < 256; i++) {
        sub_mix_words[i] = mix_words[sbox[i]];
        inv_sub_unmix_words[i] = unmix_words[inv_sbox[i]];
    }
}

/* step as for substitute() */
static inline uint32_t column(const uint8_t s[16], uint32_t k, const uint32_t table[256], unsigned step, unsigned i)
{
    return k ^ table[s[i * step % 16]] ^ rotate(table[s[(i + 1) * step % 16]], 1) ^ rotate(table[s[(i + 2) * step % 16]], 2) ^
           rotate(table[s[(i + 3) * step % 16]], 3);
}

static inline void columns(void *d, const uint8_t s[16], const void *k, const uint32_t table[256], unsigned step)
{
    uint32_t key[4], out[4];

    memcpy(key, k, sizeof(key));
    out[0] = column(s, key[0], table, step, 0);
    out[1] = column(s, key[1], table, step, 4);
    out[2] = column(s, key[2], table, step, 8);
    out[3] = column(s, key[3], table, step, 12);
    memcpy(d, out, sizeof(out));
}

static const uint8_t zero[16];

static void words_mc(void *d, const void *s)
{
    columns(d, s, zero, mix_words, 1);
}

static void words_imc(void *d, const void *s)
{
    columns(d, s, zero, unmix_words, 1);
}

static void words_sb_sr_mc_ak(void *d, const void *s, const void *k)
{
    columns(d, s, k, sub_mix_words, 5);
}

static void words_isb_isr_imc_ak(void *d, const void *s, const void *k)
{
    columns(d, s, k, inv_sub_unmix_words, 13);
}

static void words_isb_isr_ak_imc(void *d, const void *s, const void *k)
{
    isb_isr_ak(d, s, k);
    words_imc(d, d);
}

static void words_ak_sb_sr_mc(void *d, const void *s, const void *k)
{
    uint8_t x[16];

    add_key(x, s, k);
    words_sb_sr_mc_ak(d, x, zero);
}

static void words_ak_isb_isr_imc(void *d, const void *s, const void *k)
{
    uint8_t x[16];

    add_key(x, s, k);
    words_isb_isr_imc_ak(d, x, zero);
}

static void words_sb_sr_mc_ak_rev(void *d, const void *s, const void *k)
{
    uint8_t x[16], key[16];

    reverse(x, s);
    reverse(key, k);
    words_sb_sr_mc_ak(x, x, key);
    reverse(d, x);
}

static void words_sb_sr_mc_ak_n(void *d, const void *s, const void *k, size_t num_blocks, size_t key_stride)
{
    for (size_t i = 0; i < num_blocks; i++)
        words_sb_sr_mc_ak((uint8_t *)d + 16 * i, (const uint8_t *)s + 16 * i, (const uint8_t *)k + key_stride * i);
}

static void words_mc_n(void *d, const void *s, size_t num_blocks)
{
    for (size_t i = 0; i < num_blocks; i++)
        words_mc((uint8_t *)d + 16 * i, (const uint8_t *)s + 16 * i);
}

static uint64_t words_aes64_esm(uint64_t lo, uint64_t hi)
{
    uint64_t x[2] = { lo, hi };

    words_sb_sr_mc_ak(x, x, zero);
    return x[0];
}

static void words_aes64_esm2(uint64_t out[2], uint64_t lo, uint64_t hi)
{
    out[0] = words_aes64_esm(lo, hi);
    out[1] = words_aes64_esm(hi, lo);
}

static uint32_t words_aes32_esmi(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    return rs1 ^ rotate(sub_mix_words[rs2 >> 8 * bs & 255], bs);
}

/* ---- Both ---- */

/* Many a line */
/* clang-format off */
#define BYTES(name) .name = name
#define WORDS(name) .name = words_##name
#define FORM(title, MIXES)                                                                                                         \
    {                                                                                                                              \
        .name = title, BYTES(sb), BYTES(isb), MIXES(mc), MIXES(imc), BYTES(sb_sr_ak), MIXES(sb_sr_mc_ak), BYTES(isb_isr_ak),       \
        MIXES(isb_isr_imc_ak), MIXES(isb_isr_ak_imc), BYTES(ak_sb_sr), MIXES(ak_sb_sr_mc), BYTES(ak_isb_isr),                      \
        MIXES(ak_isb_isr_imc), BYTES(sb_sr_ak_rev), MIXES(sb_sr_mc_ak_rev), MIXES(sb_sr_mc_ak_n), MIXES(mc_n),                     \
        BYTES(keygenassist), BYTES(subword), BYTES(aes64_es), MIXES(aes64_esm), BYTES(aes64_es2), MIXES(aes64_esm2),               \
        BYTES(aes32_esi), MIXES(aes32_esmi)                                                                                        \
    }
/* clang-format on */

static const struct lc_aes_round_ops forms[] = { FORM("byte table", BYTES), FORM("word tables", WORDS) };

static const struct lc_aes_round_ops *form(size_t i)
{
    if (!sbox[0]) {
        make_tables();
        make_words();
    }
    return &forms[i];
}

const struct lc_aes_round_ops *bench_aes_byte_table(void)
{
    return form(0);
}

const struct lc_aes_round_ops *bench_aes_word_tables(void)
{
    return form(1);
}
