/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES rounds with the AES instructions of 64-bit Arm, for the modes in this folder.
 *
 * AESE(x, k) = ShiftRows(SubBytes(x ^ k)): the round key comes first, where x86 adds it last.  So round i of n takes the key of
 * round i - 1, MixColumns (AESMC) follows all but the last, and the last key is a plain xor:
 *
 *      x = AESMC(AESE(x, K[0])), ..., x = AESMC(AESE(x, K[n - 2])), x = AESE(x, K[n - 1]) ^ K[n]
 *
 * The schedule stays as it is.  In its slots (see aes.h) K[0] is slot 0, K[n - 1] slot 13 and K[n] slot 14; the n - 2 between them
 * begin at slot 15 - n.  n - 2 is 8, 10 or 12, so a loop of two rounds serves all three key lengths.  Decryption is the same with
 * AESD and AESIMC on the schedule of the equivalent inverse cipher.
 *
 * AESE and AESMC on one register, next to each other, are one operation for nearly all cores.  Compilers know that and keep them
 * together.
 */
#ifndef LC_ARM_AES_ROUNDS_H
#define LC_ARM_AES_ROUNDS_H

#include <arm_neon.h>

#define INLINE static inline __attribute__((always_inline))

/*
 * The statement for blocks i = 0..n - 1, n <= 8 and constant.  Compilers leave some of these loops loops (GCC at -O2 all of them),
 * and the blocks in memory.
 */
#define BLOCK(i, value, n, statement)                                                                                              \
    if (value < (n)) {                                                                                                             \
        enum { i = value };                                                                                                        \
        statement;                                                                                                                 \
    }
/* clang-format off */
#define EACH_BLOCK(i, n, statement)                                                                                         \
    do {                                                                                                                    \
        BLOCK(i, 0, n, statement) BLOCK(i, 1, n, statement) BLOCK(i, 2, n, statement) BLOCK(i, 3, n, statement)             \
        BLOCK(i, 4, n, statement) BLOCK(i, 5, n, statement) BLOCK(i, 6, n, statement) BLOCK(i, 7, n, statement)             \
    } while (0)
/* clang-format on */

/* A schedule, in the slots of aes.h. */
typedef const uint8_t (*round_keys)[16];

INLINE uint8x16_t aes_round(uint8x16_t x, uint8x16_t key, int encrypt)
{
    return encrypt ? vaesmcq_u8(vaeseq_u8(x, key)) : vaesimcq_u8(vaesdq_u8(x, key));
}

INLINE uint8x16_t aes_last_round(uint8x16_t x, uint8x16_t key, int encrypt)
{
    return encrypt ? vaeseq_u8(x, key) : vaesdq_u8(x, key);
}

/* All rounds on n blocks, without the xor with the last key (slot 14); first: the first key, slot 0 or what takes its place. */
INLINE void aes_rounds(uint8x16_t *x, size_t n, uint8x16_t first, round_keys keys, size_t rounds, int encrypt)
{
    round_keys k = keys + 15 - rounds;
    uint8x16_t key = first;

    EACH_BLOCK(i, n, x[i] = aes_round(x[i], key, encrypt));
    do {
        key = vld1q_u8(k[0]);
        EACH_BLOCK(i, n, x[i] = aes_round(x[i], key, encrypt));
        key = vld1q_u8(k[1]);
        EACH_BLOCK(i, n, x[i] = aes_round(x[i], key, encrypt));
        k += 2;
    } while (k != keys + 13);
    key = vld1q_u8(k[0]);
    EACH_BLOCK(i, n, x[i] = aes_last_round(x[i], key, encrypt));
}

#endif
