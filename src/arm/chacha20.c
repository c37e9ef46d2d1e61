/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ChaCha20 for 64-bit Arm with NEON: four blocks at once.
 *
 * Register w has word w of four blocks, one in each lane, so that a quarter round is four of them without any shuffling.  The 20
 * rounds are 80 quarter rounds; each takes these vector operations:
 *
 *      4   ADD
 *      4   EOR
 *      6   the rotations: by 16 REV32, by 8 TBL, one each; by 12 and 7 SHL and SRI
 *
 * At the end four words of four blocks, a 4x4 matrix, are transposed, which takes 8 operations.  What is the same for all blocks is
 * added after that, with four words to a register; the last four words, which aren't, before it.  A block takes, the group's
 * divided by 4:
 *
 *      280     the rounds: 20 * 4 * 14 / 4
 *      4       copies of words to all lanes: 12 for the first 12 words, 4 for the others, which are needed again
 *      8       4 transpositions
 *      4       additions, and 0.25 for the counters
 *      4       xors with the text
 *
 * 300 in all, besides 4 loads and 4 stores.  A chain of dependent ones is 20 * 14 long; with four chains side by side and 2 cycles
 * for an operation, cores with two vector pipes are kept busy by this, those with four half busy.  The 16 registers of the state,
 * what is added at the end, and TBL's index fit into 32; eight blocks at once would not.
 *
 * A single block is made in general registers: 80 quarter rounds of 12 operations, 1 cycle each, of which two to four can begin in
 * one cycle.  With rows of its matrix in vector registers it would be fewer operations, 20 * 17, but in one chain of 20 * 15, and
 * 2 cycles for each.  A model of the pipes (llvm-mca) gives these cycles for the rounds:
 *
 *                                      Cortex-A55  A72     Neoverse N2
 *      1 block, general registers      730         485     560
 *      1 block, rows                   800         960     600
 *      2 blocks, rows                  940         960     600
 *      4 blocks                        1210        920     640
 *
 * so two blocks are better made as four, of which two are dropped.  Nothing has been measured on hardware.  A block in general
 * registers beside the four might cost next to nothing on large cores; that's left to somebody who can measure it.
 *
 * Constant time: branches and addresses depend on the length only.
 */
#include <arm_neon.h>

#include "../chacha20poly1305_internal.h"

#define INLINE static inline __attribute__((always_inline))

/* The statement for i = 0..3.  Compilers leave some of these loops loops, and the registers in memory. */
#define NUMBER(i, value, statement)                                                                                                \
    {                                                                                                                              \
        enum { i = value };                                                                                                        \
        statement;                                                                                                                 \
    }
#define EACH(i, statement) NUMBER(i, 0, statement) NUMBER(i, 1, statement) NUMBER(i, 2, statement) NUMBER(i, 3, statement)

static const uint32_t constant[4] = { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 }; /* "expand 32-byte k" */

/* ---- The rounds ---- */

INLINE uint32x4_t rotate_16(uint32x4_t x)
{
    return vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(x)));
}

INLINE uint32x4_t rotate_12(uint32x4_t x)
{
    return vsriq_n_u32(vshlq_n_u32(x, 12), x, 20);
}

INLINE uint32x4_t rotate_8(uint32x4_t x)
{
    static const uint8_t index[16] = { 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14 };

    return vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(x), vld1q_u8(index)));
}

INLINE uint32x4_t rotate_7(uint32x4_t x)
{
    return vsriq_n_u32(vshlq_n_u32(x, 7), x, 25);
}

/* Four quarter rounds, step by step: of the columns (shift 0), or of the diagonals (shift 1). */
INLINE void quarter_rounds(uint32x4_t x[16], unsigned shift)
{
#define A x[i]
#define B x[4 + (i + shift) % 4]
#define C x[8 + (i + 2 * shift) % 4]
#define D x[12 + (i + 3 * shift) % 4]
    EACH(i, A = vaddq_u32(A, B));
    EACH(i, D = rotate_16(veorq_u32(D, A)));
    EACH(i, C = vaddq_u32(C, D));
    EACH(i, B = rotate_12(veorq_u32(B, C)));
    EACH(i, A = vaddq_u32(A, B));
    EACH(i, D = rotate_8(veorq_u32(D, A)));
    EACH(i, C = vaddq_u32(C, D));
    EACH(i, B = rotate_7(veorq_u32(B, C)));
#undef A
#undef B
#undef C
#undef D
}

/* ---- Four blocks ---- */

/* Words 4 * i .. 4 * i + 3 of the four blocks, transposed: x[b] becomes block b's. */
INLINE void transpose(uint32x4_t x[4])
{
    const uint64x2_t even_01 = vreinterpretq_u64_u32(vtrn1q_u32(x[0], x[1])); /* of blocks 0 and 2 */
    const uint64x2_t even_23 = vreinterpretq_u64_u32(vtrn1q_u32(x[2], x[3]));
    const uint64x2_t odd_01 = vreinterpretq_u64_u32(vtrn2q_u32(x[0], x[1])); /* of blocks 1 and 3 */
    const uint64x2_t odd_23 = vreinterpretq_u64_u32(vtrn2q_u32(x[2], x[3]));

    x[0] = vreinterpretq_u32_u64(vzip1q_u64(even_01, even_23));
    x[1] = vreinterpretq_u32_u64(vzip1q_u64(odd_01, odd_23));
    x[2] = vreinterpretq_u32_u64(vzip2q_u64(even_01, even_23));
    x[3] = vreinterpretq_u32_u64(vzip2q_u64(odd_01, odd_23));
}

/* Words 12 .. 15 of four blocks. */
struct ivs {
    uint32x4_t word[4];
};

/*
 * dst = src ^ key stream, 256 bytes.  A function that calls nothing, so that compilers have no reason to keep copies of the key
 * outside of registers: inlined into a loop, the 8 words in all lanes were spilled.
 */
static __attribute__((__noinline__)) void crypt_blocks(uint8_t *dst, const uint8_t *src, const uint8_t key[32], struct ivs iv)
{
    const uint32x4_t row_0 = vld1q_u32(constant);
    const uint32x4_t row_1 = vreinterpretq_u32_u8(vld1q_u8(key));
    const uint32x4_t row_2 = vreinterpretq_u32_u8(vld1q_u8(key + 16));
    uint32x4_t x[16];

    EACH(i, x[i] = vdupq_laneq_u32(row_0, i));
    EACH(i, x[4 + i] = vdupq_laneq_u32(row_1, i));
    EACH(i, x[8 + i] = vdupq_laneq_u32(row_2, i));
    EACH(i, x[12 + i] = iv.word[i]);
    for (int i = 0; i < 10; i++) {
        quarter_rounds(x, 0);
        quarter_rounds(x, 1);
    }
    EACH(i, x[12 + i] = vaddq_u32(x[12 + i], iv.word[i]));
    EACH(i, transpose(x + 4 * i));
    EACH(i, x[i] = vaddq_u32(x[i], row_0));
    EACH(i, x[4 + i] = vaddq_u32(x[4 + i], row_1));
    EACH(i, x[8 + i] = vaddq_u32(x[8 + i], row_2));
    EACH(block, EACH(i, {
             const uint8x16_t keystream = vreinterpretq_u8_u32(x[4 * i + block]);

             vst1q_u8(dst + 64 * block + 16 * i, veorq_u8(keystream, vld1q_u8(src + 64 * block + 16 * i)));
         }));
}

/* ---- One block ---- */

INLINE uint32_t load_32(const uint8_t *p)
{
    uint32_t x;

    memcpy(&x, p, 4);
    return x;
}

INLINE void xor_32(uint8_t *p, uint32_t x)
{
    x ^= load_32(p);
    memcpy(p, &x, 4);
}

INLINE uint32_t rotate(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

INLINE void quarter_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
    *a += *b;
    *d = rotate(*d ^ *a, 16);
    *c += *d;
    *b = rotate(*b ^ *c, 12);
    *a += *b;
    *d = rotate(*d ^ *a, 8);
    *c += *d;
    *b = rotate(*b ^ *c, 7);
}

/* text ^= key stream, 64 bytes, of the first of the four blocks */
static __attribute__((__noinline__)) void crypt_block(uint8_t *text, const uint8_t key[32], struct ivs iv)
{
    uint32_t x[16];

    EACH(i, x[i] = constant[i]);
    EACH(i, x[4 + i] = load_32(key + 4 * i));
    EACH(i, x[8 + i] = load_32(key + 16 + 4 * i));
    EACH(i, x[12 + i] = vgetq_lane_u32(iv.word[i], 0));
    for (int i = 0; i < 10; i++) {
        quarter_round(&x[0], &x[4], &x[8], &x[12]);
        quarter_round(&x[1], &x[5], &x[9], &x[13]);
        quarter_round(&x[2], &x[6], &x[10], &x[14]);
        quarter_round(&x[3], &x[7], &x[11], &x[15]);
        quarter_round(&x[0], &x[5], &x[10], &x[15]);
        quarter_round(&x[1], &x[6], &x[11], &x[12]);
        quarter_round(&x[2], &x[7], &x[8], &x[13]);
        quarter_round(&x[3], &x[4], &x[9], &x[14]);
    }
    EACH(i, xor_32(text + 4 * i, x[i] + constant[i]));
    EACH(i, xor_32(text + 16 + 4 * i, x[4 + i] + load_32(key + 4 * i)));
    EACH(i, xor_32(text + 32 + 4 * i, x[8 + i] + load_32(key + 16 + 4 * i)));
    EACH(i, xor_32(text + 48 + 4 * i, x[12 + i] + vgetq_lane_u32(iv.word[i], 0)));
}

/* ---- The contract: see chacha20_internal.h, chacha20poly1305_internal.h ---- */

void lc_chacha20_xor_neon(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t key[32], const uint32_t iv[4])
{
    static const uint32_t number[4] = { 0, 1, 2, 3 };
    struct ivs ivs;

    EACH(i, ivs.word[i] = vdupq_n_u32(iv[i]));
    ivs.word[0] = vaddq_u32(ivs.word[0], vld1q_u32(number));
    for (; len >= 256; len -= 256, src += 256, dst += 256) {
        crypt_blocks(dst, src, key, ivs);
        ivs.word[0] = vaddq_u32(ivs.word[0], vdupq_n_u32(4));
    }
    if (len) {
        uint8_t text[256] = { 0 };

        memcpy(text, src, len);
        if (len > 64)
            crypt_blocks(text, text, key, ivs);
        else
            crypt_block(text, key, ivs);
        memcpy(dst, text, len);
        lc_wipe(text, sizeof(text)); /* and the key stream after it */
    }
}

void lc_chacha20poly1305_many_neon(uint8_t keystream[LC_CHACHA20POLY1305_MANY][64], size_t num_blocks, const uint8_t key[32],
                                   const uint32_t ivs[4][LC_CHACHA20POLY1305_MANY])
{
    memset(keystream, 0, 64 * LC_CHACHA20POLY1305_MANY);
    for (size_t i = 0; i < num_blocks; i += 4) {
        struct ivs four;

        EACH(w, four.word[w] = vld1q_u32(ivs[w] + i));
        crypt_blocks(keystream[i], keystream[i], key, four);
    }
}
