/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Rounds of SM4.  Its S-box inverts in GF(2^8) as AES's does, only that the field is written down differently: an affine map before
 * AES's S-box and one after it make it SM4's (scripts/aes_round_tables.py).
 */
#ifndef LANECRYPT_AES_ROUND_SM4_H
#define LANECRYPT_AES_ROUND_SM4_H

#include "tables.h"

/* lc_sm4_subword: the S-box on each byte. */
#ifdef LC_AES_HOST_LOOKUP
LC_AES_INLINE lc_aes_block lc_sm4_affine(lc_aes_block x, lc_aes_block low, lc_aes_block high)
{
    return lc_aes_lookup(low, x & 15) ^ lc_aes_lookup(high, x >> 4);
}

LC_AES_INLINE uint32_t lc_sm4_subword(uint32_t x)
{
    const lc_aes_block in_low = LC_AES_SM4_IN_LOW, in_high = LC_AES_SM4_IN_HIGH;
    const lc_aes_block out_low = LC_AES_SM4_OUT_LOW, out_high = LC_AES_SM4_OUT_HIGH;
    lc_aes_block y = lc_sm4_affine(lc_aes_from_columns(x, x, x, x), in_low, in_high);

    return lc_aes_column(lc_sm4_affine(lc_aes_sb_sr(y), out_low, out_high), 0);
}
#else
LC_AES_INLINE uint32_t lc_sm4_affine(uint32_t x, const uint8_t columns[8], uint32_t constant)
{
    uint32_t y = constant * 0x01010101;

    for (unsigned i = 0; i < 8; i++) {
        uint32_t bits = x >> i & 0x01010101;

        y ^= ((bits << 8) - bits) & (columns[i] * 0x01010101u);
    }
    return y;
}

LC_AES_INLINE uint32_t lc_sm4_subword(uint32_t x)
{
    const uint8_t in[8] = LC_AES_SM4_IN_COLUMNS, out[8] = LC_AES_SM4_OUT_COLUMNS;

    return lc_sm4_affine(lc_aes_subword(lc_sm4_affine(x, in, LC_AES_SM4_IN_CONSTANT)), out, LC_AES_SM4_OUT_CONSTANT);
}
#endif

/* The linear maps after the S-box: of the rounds, and of the key schedule. */
LC_AES_INLINE uint32_t lc_sm4_linear(uint32_t x)
{
    return x ^ lc_aes_rotate_left(x, 2) ^ lc_aes_rotate_left(x, 10) ^ lc_aes_rotate_left(x, 18) ^ lc_aes_rotate_left(x, 24);
}

LC_AES_INLINE uint32_t lc_sm4_key_linear(uint32_t x)
{
    return x ^ lc_aes_rotate_left(x, 13) ^ lc_aes_rotate_left(x, 23);
}

/*
 * lc_sm4_ed, lc_sm4_ks: RISC-V's SM4ED and SM4KS.  bs: 0..3.  RISC-V has SM4's words, whose first byte is the most significant one,
 * as they lie in memory, with the first byte the least significant one.
 */
LC_AES_INLINE uint32_t lc_sm4_ed(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    uint32_t x = lc_sm4_subword(rs2 >> (8 * bs & 31)) << 24;

    return rs1 ^ lc_aes_to_row(__builtin_bswap32(lc_sm4_linear(x)), bs);
}

LC_AES_INLINE uint32_t lc_sm4_ks(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    uint32_t x = lc_sm4_subword(rs2 >> (8 * bs & 31)) << 24;

    return rs1 ^ lc_aes_to_row(__builtin_bswap32(lc_sm4_key_linear(x)), bs);
}

/*
 * lc_sm4_e4, lc_sm4_ekey4: four rounds of the cipher or of its key schedule: Arm's SM4E and SM4EKEY, x86's VSM4RNDS4 and VSM4KEY4,
 * RISC-V's VSM4R.  Words are little-endian here, as in those guests' registers.
 * k: the four round keys, or the key schedule's four constants.
 */
LC_AES_INLINE lc_aes_block lc_sm4_e4(lc_aes_block state, lc_aes_block k)
{
    uint32_t x0 = lc_aes_column(state, 0), x1 = lc_aes_column(state, 1);
    uint32_t x2 = lc_aes_column(state, 2), x3 = lc_aes_column(state, 3);

    x0 ^= lc_sm4_linear(lc_sm4_subword(x1 ^ x2 ^ x3 ^ lc_aes_column(k, 0)));
    x1 ^= lc_sm4_linear(lc_sm4_subword(x2 ^ x3 ^ x0 ^ lc_aes_column(k, 1)));
    x2 ^= lc_sm4_linear(lc_sm4_subword(x3 ^ x0 ^ x1 ^ lc_aes_column(k, 2)));
    x3 ^= lc_sm4_linear(lc_sm4_subword(x0 ^ x1 ^ x2 ^ lc_aes_column(k, 3)));
    return lc_aes_from_columns(x0, x1, x2, x3);
}

LC_AES_INLINE lc_aes_block lc_sm4_ekey4(lc_aes_block state, lc_aes_block k)
{
    uint32_t x0 = lc_aes_column(state, 0), x1 = lc_aes_column(state, 1);
    uint32_t x2 = lc_aes_column(state, 2), x3 = lc_aes_column(state, 3);

    x0 ^= lc_sm4_key_linear(lc_sm4_subword(x1 ^ x2 ^ x3 ^ lc_aes_column(k, 0)));
    x1 ^= lc_sm4_key_linear(lc_sm4_subword(x2 ^ x3 ^ x0 ^ lc_aes_column(k, 1)));
    x2 ^= lc_sm4_key_linear(lc_sm4_subword(x3 ^ x0 ^ x1 ^ lc_aes_column(k, 2)));
    x3 ^= lc_sm4_key_linear(lc_sm4_subword(x0 ^ x1 ^ x2 ^ lc_aes_column(k, 3)));
    return lc_aes_from_columns(x0, x1, x2, x3);
}

#endif
