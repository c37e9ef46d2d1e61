/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-XTS for 64-bit Arm with the AES instructions: one body for both directions.
 *
 * -- The tweaks ---------------------------------------------------------------------------------------------------------------
 *
 * They are doubled in general registers: the vector pipes are what bounds this code, and the integer ones are idle.  A block has
 * n AES operations, its xors with tweak and last key, and the making of its tweak, which takes this many vector operations:
 *
 *      5   T[j + 1] from T[j] in vectors: sshr, and, ext, add, eor; a chain of some 8 cycles a block
 *      3   T[j + 8] from T[j] in vectors: ext, pmull, eor.  (ext rotates by a byte; the product of that byte by 0x86 = 0x87 ^ 1
 *          makes up for its coming round.)  No chain, but the first eight of each unit have to be made otherwise
 *      1   in general registers: extr, and, eor, then fmov and ins, which is the 1; a chain of some 2 cycles a block
 *
 * And the last allows another thing: with S[j] = T[j] ^ K[n], two more xors there, P ^ T is P ^ S ^ K[n], whose K[n] goes into the
 * first key, and the xors with K[n] and T at the end are one, with S.  That makes n + 3 vector operations a block (17 for AES-256),
 * where the second way has n + 6.  On a core with two vector pipes that both do AES (Neoverse N2) these are 8.5 and 10 cycles; on
 * one that does AES in one of its two (Neoverse N1) both hide behind the AES operations.
 *
 * Constant time: branches and addresses depend on the lengths, the number of rounds and how only.
 */
#include "../xts_internal.h"
#include "aes_rounds.h"

/*
 * Blocks in flight.  A round takes 2 or 3 cycles, and up to four begin in one.  Eight blocks, their tweaks and the keys also are
 * what fits into the 24 vector registers that a function needn't save.
 */
#define GROUP 8
#define BATCH 4 /* units whose ivs are encrypted at once */

/* ---- Tweaks ---- */

struct tweak {
    uint64_t lo, hi;
};

INLINE struct tweak load_tweak(const void *p)
{
    struct tweak t;

    memcpy(&t, p, 16);
    return t;
}

/* t * x: a shift to the left; the bit that falls out, x^128, comes back as x^7 + x^2 + x + 1. */
INLINE struct tweak double_tweak(struct tweak t)
{
    return (struct tweak){ t.lo << 1 ^ (0x87 & -(t.hi >> 63)), t.hi << 1 | t.lo >> 63 };
}

/* t ^ key, in a vector. */
INLINE uint8x16_t mixed_tweak(struct tweak t, struct tweak key)
{
    return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(t.lo ^ key.lo), vcreate_u64(t.hi ^ key.hi)));
}

/* The tweak of a unit's first block. */
static struct tweak encrypt_iv(const struct lc_xts_key *key, const uint8_t iv[16])
{
    uint8x16_t x = vld1q_u8(iv);

    aes_rounds(&x, 1, vld1q_u8(key->tweak[0]), key->tweak, key->rounds, 1);
    x = veorq_u8(x, vld1q_u8(key->tweak[14]));
    return (struct tweak){ vgetq_lane_u64(vreinterpretq_u64_u8(x), 0), vgetq_lane_u64(vreinterpretq_u64_u8(x), 1) };
}

/* The same for the next BATCH units: their tweaks to u->tweak, and u->iv goes on. */
static void encrypt_ivs(const struct lc_xts_key *key, struct lc_xts_units *u)
{
    const uint64x2_t step = vld1q_u64(u->step[2]); /* 4 * step */
    uint8x16_t x[BATCH];

    EACH_BLOCK(i, BATCH, x[i] = vreinterpretq_u8_u64(vld1q_u64(u->iv[i])));
    EACH_BLOCK(i, BATCH, vst1q_u64(u->iv[i], vaddq_u64(vreinterpretq_u64_u8(x[i]), step)));
    aes_rounds(x, BATCH, vld1q_u8(key->tweak[0]), key->tweak, key->rounds, 1);
    EACH_BLOCK(i, BATCH, vst1q_u8(u->tweak[i], veorq_u8(x[i], vld1q_u8(key->tweak[14]))));
}

/* ---- Blocks, units, and the contract ---- */

/* What stays the same in a call. */
struct constants {
    round_keys keys;
    size_t rounds;
    struct tweak last;  /* the last round key, slot 14 */
    uint8x16_t first;   /* slot 0 ^ slot 14 */
};

/* dst = src, n blocks; t: the tweak of the first.  Returns that of the block after them. */
INLINE struct tweak crypt_blocks(const struct constants *c, uint8_t *dst, const uint8_t *src, size_t n, struct tweak t, int encrypt)
{
    uint8x16_t x[GROUP], s[GROUP];

    EACH_BLOCK(i, n, {
        s[i] = mixed_tweak(t, c->last);
        t = double_tweak(t);
    });
    EACH_BLOCK(i, n, x[i] = veorq_u8(vld1q_u8(src + 16 * i), s[i]));
    aes_rounds(x, n, c->first, c->keys, c->rounds, encrypt);
    EACH_BLOCK(i, n, vst1q_u8(dst + 16 * i, veorq_u8(x[i], s[i])));
    return t;
}

/* The same for one block in a register. */
INLINE uint8x16_t crypt_block(const struct constants *c, uint8x16_t x, struct tweak t, int encrypt)
{
    uint8x16_t s = mixed_tweak(t, c->last);

    x = veorq_u8(x, s);
    aes_rounds(&x, 1, c->first, c->keys, c->rounds, encrypt);
    return veorq_u8(x, s);
}

/*
 * Ciphertext stealing: the last whole block, m, at src, and r = 1..15 bytes after it.
 *   encryption: X = AES(P[m]) under T[m], Y = AES(P[m + 1] || X[r..15]) under T[m + 1]
 *   decryption: the same, T[m + 1] first and then T[m]
 *   out: Y, then the first r bytes of X.
 *
 * All in registers, with accesses of 16 bytes that stay inside.  Those that begin at r end with the data: src + r has P[m + 1] at
 * its top, and the first r bytes of X go to dst + r as the top, to be followed by Y, which covers what is below.  Table look-ups
 * move them by 16 - r bytes; an index that isn't one of 0..15 gives 0, or with vqtbx1q_u8 leaves the byte of X.
 */
INLINE void steal(const struct constants *c, uint8_t *dst, const uint8_t *src, size_t r, struct tweak t, int encrypt)
{
    static const uint8_t index[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    const uint8x16_t distance = vdupq_n_u8((uint8_t)(16 - r));
    const uint8x16_t up = vsubq_u8(vld1q_u8(index), distance), down = vaddq_u8(vld1q_u8(index), distance);
    const struct tweak next = double_tweak(t);
    uint8x16_t x = crypt_block(c, vld1q_u8(src), encrypt ? t : next, encrypt);
    uint8x16_t y = vqtbx1q_u8(x, vld1q_u8(src + r), down);

    vst1q_u8(dst + r, vqtbl1q_u8(x, up));
    vst1q_u8(dst, crypt_block(c, y, encrypt ? next : t, encrypt));
}

/* One unit, or a piece of one; t: the tweak of its first block.  Returns that of the block after it. */
INLINE struct tweak crypt_unit(const struct constants *c, uint8_t *dst, const uint8_t *src, size_t len, struct tweak t, int encrypt)
{
    const size_t rest = len % 16;

    if (rest)
        len -= rest + 16; /* the last whole block is kept back for ciphertext stealing */
    for (; len >= 16 * GROUP; len -= 16 * GROUP, src += 16 * GROUP, dst += 16 * GROUP)
        t = crypt_blocks(c, dst, src, GROUP, t, encrypt);
    if (len >= 64) {
        t = crypt_blocks(c, dst, src, 4, t, encrypt);
        len -= 64;
        src += 64;
        dst += 64;
    }
    for (; len; len -= 16, src += 16, dst += 16)
        t = crypt_blocks(c, dst, src, 1, t, encrypt);
    if (rest)
        steal(c, dst, src, rest, t, encrypt);
    return t;
}

/* The contract is that of the x86-64 functions: see the banner in x86/aes_xts.S. */
INLINE void crypt(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, union lc_xts_tweak tweak,
                  unsigned how, int encrypt)
{
    round_keys keys = encrypt ? key->enc : key->dec;
    const struct constants c = { keys, key->rounds, load_tweak(keys[14]), veorq_u8(vld1q_u8(keys[0]), vld1q_u8(keys[14])) };
    struct lc_xts_units *u = how & LC_XTS_UNITS ? tweak.units : NULL;
    const size_t full_len = u ? u->unit_len : len;
    size_t index = 0;
    struct tweak t;

    if (u)
        encrypt_ivs(key, u);
    else
        t = how & LC_XTS_ENCRYPTED ? load_tweak(tweak.iv) : encrypt_iv(key, tweak.iv);
    for (;;) {
        const size_t unit_len = len < full_len ? len : full_len;

        if (u) {
            t = load_tweak(u->tweak[index++]);
            /*
             * The next ivs come before the last unit of their batch, not after it: so they are older than its data, and done
             * when the unit after it asks for them.
             */
            if (index == BATCH && len > full_len) {
                encrypt_ivs(key, u);
                index = 0;
            }
        }
        t = crypt_unit(&c, dst, src, unit_len, t, encrypt);
        len -= unit_len;
        if (!len)
            break;
        dst += unit_len;
        src += unit_len;
    }
    if (how & LC_XTS_RETURN_TWEAK)
        memcpy(tweak.block, &t, 16);
}

void lc_aes_xts_encrypt_ce(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, union lc_xts_tweak tweak,
                           unsigned how)
{
    crypt(key, dst, src, len, tweak, how, 1);
}

void lc_aes_xts_decrypt_ce(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, union lc_xts_tweak tweak,
                           unsigned how)
{
    crypt(key, dst, src, len, tweak, how, 0);
}
