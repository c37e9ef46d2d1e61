/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Key schedules, RISC-V's instructions on halves and columns, and SM4, by the host's rounds.
 *
 * The host's header may define lc_aes_subword() itself (LC_AES_HOST_SUBWORD), RISC-V's instructions on halves
 * (LC_AES_HOST_AES64), and tables in a register (LC_AES_HOST_LOOKUP): lc_aes_lookup(table, index) is table[index] for each byte
 * of index, all of which are below 16.
 */
#ifndef LANECRYPT_AES_ROUND_GUESTS_H
#define LANECRYPT_AES_ROUND_GUESTS_H

/* ---- Key schedules ---- */

/* lc_aes_subword: the S-box on each byte. */
#ifndef LC_AES_HOST_SUBWORD
LC_AES_INLINE uint32_t lc_aes_subword(uint32_t x)
{
    /* Four times the same column: ShiftRows moves nothing. */
    return lc_aes_column(lc_aes_sb_sr(lc_aes_from_columns(x, x, x, x)), 0);
}
#endif

/* Columns are little-endian numbers, so that byte 1 comes to byte 0. */
LC_AES_INLINE uint32_t lc_aes_rotword(uint32_t x)
{
    return lc_aes_rotate_left(x, 24);
}

/*
 * lc_aes_keygenassist: x86's AESKEYGENASSIST.  Columns are SubWord(x1), RotWord(SubWord(x1)) ^ rcon, and the same of x3.
 * rcon: 0..255.
 */
LC_AES_INLINE lc_aes_block lc_aes_keygenassist(lc_aes_block x, unsigned rcon)
{
    lc_aes_block y = lc_aes_sb(x);
    lc_aes_block constant = { 0, 0, 0, 0, (uint8_t)rcon, 0, 0, 0, 0, 0, 0, 0, (uint8_t)rcon };

    return LC_AES_SHUFFLE(y, 4, 5, 6, 7, 5, 6, 7, 4, 12, 13, 14, 15, 13, 14, 15, 12) ^ constant;
}

/* The round constant of RISC-V's round numbers 0..9; 0 for all others. */
LC_AES_INLINE uint32_t lc_aes_rcon(unsigned rnum)
{
    return rnum < 8 ? 1u << rnum : rnum == 8 ? 0x1b : rnum == 9 ? 0x36 : 0;
}

/* Each column of the next round key is the one above it in `before`, added to the one on its left; `first` is column 0. */
LC_AES_INLINE lc_aes_block lc_aes_next_key(lc_aes_block before, uint32_t first)
{
    uint32_t c0 = first ^ lc_aes_column(before, 0), c1 = c0 ^ lc_aes_column(before, 1);
    uint32_t c2 = c1 ^ lc_aes_column(before, 2), c3 = c2 ^ lc_aes_column(before, 3);

    return lc_aes_from_columns(c0, c1, c2, c3);
}

/*
 * lc_aes_vaeskf1, lc_aes_vaeskf2: RISC-V's VAESKF1.VI (AES-128; `cur` is vs2) and VAESKF2.VI (AES-256; `prev` is vd, `cur` vs2),
 * one element group each.  rnd: the immediate's low four bits; as the specification says, values without a meaning (0 and 11..15,
 * or 0, 1 and 15) have bit 3 inverted.
 */
LC_AES_INLINE lc_aes_block lc_aes_vaeskf1(lc_aes_block cur, unsigned rnd)
{
    rnd &= 15;
    if (rnd < 1 || rnd > 10)
        rnd ^= 8;
    return lc_aes_next_key(cur, lc_aes_rotword(lc_aes_subword(lc_aes_column(cur, 3))) ^ lc_aes_rcon(rnd - 1));
}

LC_AES_INLINE lc_aes_block lc_aes_vaeskf2(lc_aes_block prev, lc_aes_block cur, unsigned rnd)
{
    uint32_t first = lc_aes_subword(lc_aes_column(cur, 3));

    rnd &= 15;
    if (rnd < 2 || rnd > 14)
        rnd ^= 8;
    if (rnd % 2 == 0)
        first = lc_aes_rotword(first) ^ lc_aes_rcon(rnd / 2 - 1);
    return lc_aes_next_key(prev, first);
}

/* ---- RISC-V, 64 bits: lc_aes64_X is the instruction aes64X ---- */

/* rnum: 0..10; more are reserved, and the guest's decoder traps. */
LC_AES_INLINE uint64_t lc_aes64_ks1i(uint64_t x, unsigned rnum)
{
    uint32_t t = lc_aes_subword((uint32_t)(x >> 32));

    if (rnum < 10)
        t = lc_aes_rotword(t) ^ lc_aes_rcon(rnum);
    return (uint64_t)t << 32 | t;
}

#ifndef LC_AES_HOST_AES64
LC_AES_INLINE uint64_t lc_aes64_es(uint64_t lo, uint64_t hi)
{
    return lc_aes_low(lc_aes_sb_sr(lc_aes_from_halves(lo, hi)));
}

LC_AES_INLINE uint64_t lc_aes64_esm(uint64_t lo, uint64_t hi)
{
    return lc_aes_low(lc_aes_sb_sr_mc(lc_aes_from_halves(lo, hi)));
}

LC_AES_INLINE uint64_t lc_aes64_ds(uint64_t lo, uint64_t hi)
{
    return lc_aes_low(lc_aes_isb_isr(lc_aes_from_halves(lo, hi)));
}

LC_AES_INLINE uint64_t lc_aes64_dsm(uint64_t lo, uint64_t hi)
{
    return lc_aes_low(lc_aes_isb_isr_imc(lc_aes_from_halves(lo, hi)));
}

LC_AES_INLINE uint64_t lc_aes64_im(uint64_t x)
{
    return lc_aes_low(lc_aes_imc(lc_aes_from_halves(x, 0)));
}
#endif

LC_AES_INLINE uint64_t lc_aes64_ks2(uint64_t x, uint64_t y)
{
    uint64_t w = (x >> 32) ^ (y & 0xffffffff);

    return (w ^ y >> 32) << 32 | w;
}

/*
 * A guest always has two such instructions for one round, lo, hi and hi, lo.  These are both at once, for those who see that they
 * belong together: out[0] = f(lo, hi), out[1] = f(hi, lo).
 */
LC_AES_INLINE void lc_aes64_es2(uint64_t out[2], uint64_t lo, uint64_t hi)
{
    lc_aes_block y = lc_aes_sb_sr(lc_aes_from_halves(lo, hi));

    out[0] = lc_aes_low(y);
    out[1] = lc_aes_high(y);
}

LC_AES_INLINE void lc_aes64_esm2(uint64_t out[2], uint64_t lo, uint64_t hi)
{
    lc_aes_block y = lc_aes_sb_sr_mc(lc_aes_from_halves(lo, hi));

    out[0] = lc_aes_low(y);
    out[1] = lc_aes_high(y);
}

LC_AES_INLINE void lc_aes64_ds2(uint64_t out[2], uint64_t lo, uint64_t hi)
{
    lc_aes_block y = lc_aes_isb_isr(lc_aes_from_halves(lo, hi));

    out[0] = lc_aes_low(y);
    out[1] = lc_aes_high(y);
}

LC_AES_INLINE void lc_aes64_dsm2(uint64_t out[2], uint64_t lo, uint64_t hi)
{
    lc_aes_block y = lc_aes_isb_isr_imc(lc_aes_from_halves(lo, hi));

    out[0] = lc_aes_low(y);
    out[1] = lc_aes_high(y);
}

/* ---- RISC-V, 32 bits: byte bs (0..3) of rs2 through a round, its column moved to that row and added to rs1 ---- */

/* bs = 0..3 */
LC_AES_INLINE uint32_t lc_aes_to_row(uint32_t x, unsigned bs)
{
    const unsigned n = 8 * bs;

    return x << (n & 31) | x >> (-n & 31); /* which compilers know to be a rotation */
}

/* A state whose byte 0 is byte bs of x; all others are `rest`, which the S-box takes to 0. */
LC_AES_INLINE lc_aes_block lc_aes_one_byte(uint32_t x, unsigned bs, uint8_t rest)
{
    const uint32_t byte = x >> (8 * bs & 31) & 0xff;
#ifdef LC_AES_HOST_SUBWORD /* blocks are in general registers there */
    const uint64_t others = rest * 0x0101010101010101u;

    return lc_aes_from_halves((others & ~(uint64_t)0xff) | byte, others);
#else
    const lc_aes_block others = { 0, rest, rest, rest, rest, rest, rest, rest, rest, rest, rest, rest, rest, rest, rest, rest };

    return lc_aes_from_columns(byte, 0, 0, 0) ^ others;
#endif
}

LC_AES_INLINE uint32_t lc_aes32_esi(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    return rs1 ^ lc_aes_to_row(lc_aes_column(lc_aes_sb_sr(lc_aes_one_byte(rs2, bs, 0x52)), 0), bs);
}

LC_AES_INLINE uint32_t lc_aes32_esmi(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    return rs1 ^ lc_aes_to_row(lc_aes_column(lc_aes_sb_sr_mc(lc_aes_one_byte(rs2, bs, 0x52)), 0), bs);
}

LC_AES_INLINE uint32_t lc_aes32_dsi(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    return rs1 ^ lc_aes_to_row(lc_aes_column(lc_aes_isb_isr(lc_aes_one_byte(rs2, bs, 0x63)), 0), bs);
}

LC_AES_INLINE uint32_t lc_aes32_dsmi(uint32_t rs1, uint32_t rs2, unsigned bs)
{
    return rs1 ^ lc_aes_to_row(lc_aes_column(lc_aes_isb_isr_imc(lc_aes_one_byte(rs2, bs, 0x63)), 0), bs);
}

#include "sm4.h"

#endif
