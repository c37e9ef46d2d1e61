/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * All operations byte by byte.  The S-boxes are computed by inversion in GF(2^8); nothing is shared with the library but the
 * structure.  The instructions of RISC-V that work on halves and columns are made of their own definitions and not of the steps on
 * blocks.
 */
#include "check.h"

uint8_t model_sbox[256], model_isbox[256], model_sm4_sbox[256];

static uint8_t multiply(unsigned a, unsigned b, unsigned polynomial)
{
    unsigned product = 0;

    for (; b; b >>= 1) {
        if (b & 1)
            product ^= a;
        a <<= 1;
        if (a & 0x100)
            a ^= polynomial;
    }
    return (uint8_t)product;
}

static uint8_t inverse(unsigned a, unsigned polynomial)
{
    for (unsigned b = 1; b < 256; b++)
        if (multiply(a, b, polynomial) == 1)
            return (uint8_t)b;
    return 0;
}

/* Bit i is the parity of x and of `row` rotated left by i; then the constant is added. */
static uint8_t affine(unsigned x, unsigned row, unsigned constant)
{
    unsigned y = constant;

    for (unsigned i = 0; i < 8; i++)
        y ^= (unsigned)__builtin_parity(x & (row << i | row >> (8 - i)) & 0xff) << i;
    return (uint8_t)y;
}

void model_start(void)
{
    for (unsigned x = 0; x < 256; x++) {
        model_sbox[x] = affine(inverse(x, 0x11b), 0xf1, 0x63);
        model_isbox[model_sbox[x]] = (uint8_t)x;
        model_sm4_sbox[x] = affine(inverse(affine(x, 0xa7, 0xd3), 0x1f5), 0xa7, 0xd3);
    }
}

/* ---- Steps; d may be s ---- */

static void substitute(uint8_t *d, const uint8_t *s, const uint8_t *box)
{
    for (int i = 0; i < 16; i++)
        d[i] = box[s[i]];
}

/* Row r moves to the left by r * columns. */
static void move_rows(uint8_t *d, const uint8_t *s, int columns)
{
    uint8_t t[16];

    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++)
            t[4 * c + r] = s[4 * ((c + columns * r) & 3) + r];
    memcpy(d, t, 16);
}

/* The column times the polynomial whose coefficients are the bytes of `by`, modulo x^4 + 1. */
static uint32_t mix_column(uint32_t column, uint32_t by)
{
    uint32_t out = 0;

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            out ^= (uint32_t)multiply(column >> 8 * i & 0xff, by >> 8 * j & 0xff, 0x11b) << 8 * ((i + j) & 3);
    return out;
}

#define MIX 0x03010102u
#define INVERSE_MIX 0x0b0d090eu

static void mix(uint8_t *d, const uint8_t *s, uint32_t by)
{
    for (int c = 0; c < 16; c += 4)
        put(d + c, 4, mix_column((uint32_t)get(s + c, 4), by));
}

static void add(uint8_t *d, const uint8_t *s, const uint8_t *k)
{
    for (int i = 0; i < 16; i++)
        d[i] = s[i] ^ k[i];
}

/* A step's name as its code. */
#define DO_sb substitute(x, x, model_sbox)
#define DO_isb substitute(x, x, model_isbox)
#define DO_sr move_rows(x, x, 1)
#define DO_isr move_rows(x, x, -1)
#define DO_mc mix(x, x, MIX)
#define DO_imc mix(x, x, INVERSE_MIX)
#define DO_ak add(x, x, key)
#define DO_none

#define UNARY(name, first, second, third)                                                                                          \
    static void name(void *d, const void *s)                                                                                       \
    {                                                                                                                              \
        uint8_t x[16];                                                                                                             \
                                                                                                                                   \
        memcpy(x, s, 16);                                                                                                          \
        DO_##first;                                                                                                                \
        DO_##second;                                                                                                               \
        DO_##third;                                                                                                                \
        memcpy(d, x, 16);                                                                                                          \
    }
#define BINARY(name, first, second, third, fourth)                                                                                 \
    static void name(void *d, const void *s, const void *k)                                                                        \
    {                                                                                                                              \
        uint8_t x[16], key[16];                                                                                                    \
                                                                                                                                   \
        memcpy(x, s, 16);                                                                                                          \
        memcpy(key, k, 16);                                                                                                        \
        DO_##first;                                                                                                                \
        DO_##second;                                                                                                               \
        DO_##third;                                                                                                                \
        DO_##fourth;                                                                                                               \
        memcpy(d, x, 16);                                                                                                          \
    }                                                                                                                              \
    static void name##_n(void *d, const void *s, const void *k, size_t num_blocks, size_t key_stride)                              \
    {                                                                                                                              \
        uint8_t key[16] = { 0 };                                                                                                   \
                                                                                                                                   \
        for (size_t i = 0; i < num_blocks; i++) {                                                                                  \
            if (i == 0 || key_stride)                                                                                              \
                memcpy(key, (const uint8_t *)k + i * key_stride, 16);                                                              \
            name((uint8_t *)d + 16 * i, (const uint8_t *)s + 16 * i, key);                                                         \
        }                                                                                                                          \
    }
#define REVERSED(name)                                                                                                             \
    static void name##_rev(void *d, const void *s, const void *k)                                                                  \
    {                                                                                                                              \
        uint8_t x[16], key[16];                                                                                                    \
                                                                                                                                   \
        for (int i = 0; i < 16; i++) {                                                                                             \
            x[i] = ((const uint8_t *)s)[15 - i];                                                                                   \
            key[i] = ((const uint8_t *)k)[15 - i];                                                                                 \
        }                                                                                                                          \
        name(x, x, key);                                                                                                           \
        for (int i = 0; i < 16; i++)                                                                                               \
            ((uint8_t *)d)[i] = x[15 - i];                                                                                         \
    }

UNARY(sb, sb, none, none)
UNARY(isb, isb, none, none)
UNARY(sr, sr, none, none)
UNARY(isr, isr, none, none)
UNARY(mc, mc, none, none)
UNARY(imc, imc, none, none)
UNARY(sb_sr, sb, sr, none)
UNARY(isb_isr, isb, isr, none)
UNARY(sb_sr_mc, sb, sr, mc)
UNARY(isb_isr_imc, isb, isr, imc)
BINARY(sb_sr_ak, sb, sr, ak, none)
BINARY(sb_sr_mc_ak, sb, sr, mc, ak)
BINARY(isb_isr_ak, isb, isr, ak, none)
BINARY(isb_isr_imc_ak, isb, isr, imc, ak)
BINARY(isb_isr_ak_imc, isb, isr, ak, imc)
BINARY(ak_sb_sr, ak, sb, sr, none)
BINARY(ak_sb_sr_mc, ak, sb, sr, mc)
BINARY(ak_isb_isr, ak, isb, isr, none)
BINARY(ak_isb_isr_imc, ak, isb, isr, imc)
REVERSED(sb_sr_ak)
REVERSED(sb_sr_mc_ak)
REVERSED(isb_isr_ak)
REVERSED(isb_isr_ak_imc)

static void mc_n(void *d, const void *s, size_t num_blocks)
{
    for (size_t i = 0; i < num_blocks; i++)
        mc((uint8_t *)d + 16 * i, (const uint8_t *)s + 16 * i);
}

static void imc_n(void *d, const void *s, size_t num_blocks)
{
    for (size_t i = 0; i < num_blocks; i++)
        imc((uint8_t *)d + 16 * i, (const uint8_t *)s + 16 * i);
}

/* ---- Key schedules ---- */

static uint32_t word_by(uint32_t x, const uint8_t *box)
{
    return box[x & 0xff] | (uint32_t)box[x >> 8 & 0xff] << 8 | (uint32_t)box[x >> 16 & 0xff] << 16 | (uint32_t)box[x >> 24] << 24;
}

static uint32_t rotate_left(uint32_t x, unsigned n)
{
    return n ? x << n | x >> (32 - n) : x;
}

/* x^i of the field */
static uint32_t rcon(unsigned i)
{
    uint8_t x = 1;

    while (i--)
        x = multiply(x, 2, 0x11b);
    return x;
}

static uint32_t subword(uint32_t x)
{
    return word_by(x, model_sbox);
}

static void keygenassist(void *d, const void *s, unsigned constant)
{
    uint32_t x1 = subword((uint32_t)get((const uint8_t *)s + 4, 4)), x3 = subword((uint32_t)get((const uint8_t *)s + 12, 4));

    put((uint8_t *)d, 4, x1);
    put((uint8_t *)d + 4, 4, rotate_left(x1, 24) ^ constant);
    put((uint8_t *)d + 8, 4, x3);
    put((uint8_t *)d + 12, 4, rotate_left(x3, 24) ^ constant);
}

static void next_key(void *d, const uint8_t *before, uint32_t word)
{
    uint8_t key[16];

    for (int i = 0; i < 16; i += 4) {
        word ^= (uint32_t)get(before + i, 4);
        put(key + i, 4, word);
    }
    memcpy(d, key, 16);
}

/* The immediate has five bits, of which the highest is ignored. */
static void vaeskf1(void *d, const void *cur, unsigned rnd)
{
    rnd %= 16;
    if (rnd < 1 || rnd > 10)
        rnd ^= 8;
    next_key(d, cur, subword(rotate_left((uint32_t)get((const uint8_t *)cur + 12, 4), 24)) ^ rcon(rnd - 1));
}

static void vaeskf2(void *d, const void *prev, const void *cur, unsigned rnd)
{
    uint32_t last = (uint32_t)get((const uint8_t *)cur + 12, 4);

    rnd %= 16;
    if (rnd < 2 || rnd > 14)
        rnd ^= 8;
    next_key(d, prev, rnd % 2 ? subword(last) : subword(rotate_left(last, 24)) ^ rcon(rnd / 2 - 1));
}

/* ---- RISC-V ---- */

static uint64_t mix_half(uint64_t x, uint32_t by)
{
    return mix_column((uint32_t)x, by) | (uint64_t)mix_column((uint32_t)(x >> 32), by) << 32;
}

/* Bytes of the sixteen in hi, lo, through the S-box. */
static uint64_t half(uint64_t lo, uint64_t hi, const uint8_t places[8], const uint8_t *box)
{
    uint64_t y = 0;

    for (int i = 0; i < 8; i++)
        y |= (uint64_t)box[(places[i] < 8 ? lo >> 8 * places[i] : hi >> 8 * (places[i] - 8)) & 0xff] << 8 * i;
    return y;
}

static uint64_t aes64_es(uint64_t lo, uint64_t hi)
{
    return half(lo, hi, (const uint8_t[]){ 0, 5, 10, 15, 4, 9, 14, 3 }, model_sbox);
}

static uint64_t aes64_esm(uint64_t lo, uint64_t hi)
{
    return mix_half(aes64_es(lo, hi), MIX);
}

static uint64_t aes64_ds(uint64_t lo, uint64_t hi)
{
    return half(lo, hi, (const uint8_t[]){ 0, 13, 10, 7, 4, 1, 14, 11 }, model_isbox);
}

static uint64_t aes64_dsm(uint64_t lo, uint64_t hi)
{
    return mix_half(aes64_ds(lo, hi), INVERSE_MIX);
}

static uint64_t aes64_im(uint64_t x)
{
    return mix_half(x, INVERSE_MIX);
}

static uint64_t aes64_ks1i(uint64_t x, unsigned rnum)
{
    uint32_t word = (uint32_t)(x >> 32);

    word = rnum == 10 ? subword(word) : subword(rotate_left(word, 24)) ^ rcon(rnum);
    return word | (uint64_t)word << 32;
}

static uint64_t aes64_ks2(uint64_t x, uint64_t y)
{
    uint32_t w0 = (uint32_t)(x >> 32) ^ (uint32_t)y, w1 = w0 ^ (uint32_t)(y >> 32);

    return w0 | (uint64_t)w1 << 32;
}

#define PAIR(name)                                                                                                                 \
    static void name##2(uint64_t out[2], uint64_t lo, uint64_t hi)                                                                 \
    {                                                                                                                              \
        out[0] = name(lo, hi);                                                                                                     \
        out[1] = name(hi, lo);                                                                                                     \
    }
PAIR(aes64_es)
PAIR(aes64_esm)
PAIR(aes64_ds)
PAIR(aes64_dsm)

static uint32_t aes32_esi(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    return rs1 ^ rotate_left(model_sbox[rs2 >> 8 * bs & 0xff], 8 * bs);
}

static uint32_t aes32_esmi(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    return rs1 ^ rotate_left(mix_column(model_sbox[rs2 >> 8 * bs & 0xff], MIX), 8 * bs);
}

static uint32_t aes32_dsi(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    return rs1 ^ rotate_left(model_isbox[rs2 >> 8 * bs & 0xff], 8 * bs);
}

static uint32_t aes32_dsmi(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    return rs1 ^ rotate_left(mix_column(model_isbox[rs2 >> 8 * bs & 0xff], INVERSE_MIX), 8 * bs);
}

/* ---- SM4 ---- */

static uint32_t sm4_subword(uint32_t x)
{
    return word_by(x, model_sm4_sbox);
}

static uint32_t sm4_ed(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    uint32_t x = model_sm4_sbox[rs2 >> 8 * bs & 0xff];

    return rs1 ^ rotate_left(x ^ x << 8 ^ x << 2 ^ x << 18 ^ (x & 0x3f) << 26 ^ (x & 0xc0) << 10, 8 * bs);
}

static uint32_t sm4_ks(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    uint32_t x = model_sm4_sbox[rs2 >> 8 * bs & 0xff];

    return rs1 ^ rotate_left(x ^ (x & 0x07) << 29 ^ (x & 0xfe) << 7 ^ (x & 0x01) << 23 ^ (x & 0xf8) << 13, 8 * bs);
}

/* Four rounds; `rotations` make the linear map, 0 ends them. */
static void sm4_rounds(void *d, const uint8_t *state, const uint8_t *keys, const unsigned *rotations)
{
    uint32_t x[8];

    for (int i = 0; i < 4; i++)
        x[i] = (uint32_t)get(state + 4 * i, 4);
    for (int i = 0; i < 4; i++) {
        uint32_t word = sm4_subword(x[i + 1] ^ x[i + 2] ^ x[i + 3] ^ (uint32_t)get(keys + 4 * i, 4));

        x[i + 4] = x[i] ^ word;
        for (const unsigned *n = rotations; *n; n++)
            x[i + 4] ^= rotate_left(word, *n);
    }
    for (int i = 0; i < 4; i++)
        put((uint8_t *)d + 4 * i, 4, x[i + 4]);
}

static void sm4_e4(void *d, const void *state, const void *keys)
{
    sm4_rounds(d, state, keys, (const unsigned[]){ 2, 10, 18, 24, 0 });
}

static void sm4_ekey4(void *d, const void *state, const void *constants)
{
    sm4_rounds(d, state, constants, (const unsigned[]){ 13, 23, 0 });
}

/* The coefficients of x^i and x^j go to that of x^(i + j). */
static void clmul64(void *d, uint64_t a, uint64_t b)
{
    uint8_t product[16] = { 0 };

    for (unsigned i = 0; i < 64; i++)
        for (unsigned j = 0; j < 64; j++)
            product[(i + j) / 8] ^= (uint8_t)((a >> i & b >> j & 1) << (i + j) % 8);
    memcpy(d, product, 16);
}

#define MEMBER(name) .name = name
#define KEYED_MEMBER(name) .name = name, .name##_n = name##_n
const ops_t model = {
    .name = "model",
    /* Many a line, by kind */
    /* clang-format off */
    MEMBER(sb), MEMBER(isb), MEMBER(sr), MEMBER(isr), MEMBER(mc), MEMBER(imc), MEMBER(mc_n), MEMBER(imc_n),
    MEMBER(sb_sr), MEMBER(isb_isr), MEMBER(sb_sr_mc), MEMBER(isb_isr_imc),
    KEYED_MEMBER(sb_sr_ak), KEYED_MEMBER(sb_sr_mc_ak), KEYED_MEMBER(isb_isr_ak), KEYED_MEMBER(isb_isr_imc_ak),
    KEYED_MEMBER(isb_isr_ak_imc),
    KEYED_MEMBER(ak_sb_sr), KEYED_MEMBER(ak_sb_sr_mc), KEYED_MEMBER(ak_isb_isr), KEYED_MEMBER(ak_isb_isr_imc),
    MEMBER(sb_sr_ak_rev), MEMBER(sb_sr_mc_ak_rev), MEMBER(isb_isr_ak_rev), MEMBER(isb_isr_ak_imc_rev),
    MEMBER(keygenassist), MEMBER(vaeskf1), MEMBER(vaeskf2), MEMBER(subword),
    MEMBER(aes64_es), MEMBER(aes64_esm), MEMBER(aes64_ds), MEMBER(aes64_dsm), MEMBER(aes64_im), MEMBER(aes64_ks1i),
    MEMBER(aes64_ks2),
    MEMBER(aes64_es2), MEMBER(aes64_esm2), MEMBER(aes64_ds2), MEMBER(aes64_dsm2),
    MEMBER(aes32_esi), MEMBER(aes32_esmi), MEMBER(aes32_dsi), MEMBER(aes32_dsmi),
    MEMBER(sm4_subword), MEMBER(sm4_ed), MEMBER(sm4_ks), MEMBER(sm4_e4), MEMBER(sm4_ekey4), MEMBER(clmul64),
    /* clang-format on */
};
