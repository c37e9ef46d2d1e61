/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Constant-time AES for any CPU: no tables, no branches on secrets.
 *
 * This is the row of last resort of every AES table, and the only one that is available everywhere. It bitslices: plane i
 * holds bit i of every byte of LC_BITSLICE_BLOCKS blocks, so that the S-box is a circuit of ANDs and XORs on whole
 * registers. See aes_bitslice.c for the layout and the maths.
 *
 * All functions take plain pointers that must not be NULL, check nothing and cannot fail: callers in src/ have checked
 * already. Lengths are in bytes. Secrets stay in what the caller owns (wipe it); copies that the compiler spilled to the
 * stack are not wiped.
 */
#ifndef LC_AES_BITSLICE_H
#define LC_AES_BITSLICE_H

#include "aes.h"

/* Blocks in one call of lc_aes_bitslice_{en,de}crypt(). */
#define LC_BITSLICE_BLOCKS 8

/*
 * lc_word is one bit plane: 128 bits (16 byte positions x 8 blocks) if the compiler has 128-bit registers to hold it in,
 * else 64 bits (16 byte positions x 4 blocks), and the 8 blocks take two passes. Left to itself, GCC would lower the
 * 128-bit type to pairs of 64-bit registers where there are no vectors; 16 live registers instead of 8 then drown in
 * spills, and shuffles are lowered element by element. Kernel code is compiled without vector registers and gets the 64-bit
 * form by the same test.
 *
 * The choice is part of the layout of struct lc_aes_bitsliced: compile everything that shares one with the same ISA flags.
 * -DLC_BITSLICE_SCALAR forces the 64-bit form (for tests).
 */
#if !defined(LC_BITSLICE_SCALAR) && (defined(__SSE2__) || (defined(__aarch64__) && defined(__ARM_NEON)) || defined(__VSX__))
#define LC_BITSLICE_VECTOR 1
typedef uint64_t lc_word __attribute__((vector_size(16)));
#else
#define LC_BITSLICE_VECTOR 0
typedef uint64_t lc_word;
#endif

/* Bitsliced round keys, [slot][plane], slots as in src/aes.h; made once a message. Secret. 1936 or 968 bytes. */
struct lc_aes_bitsliced {
    lc_word k[15][8];
    unsigned rounds;
};

/*
 * Bitslice the ENCRYPTION schedule, for both directions. `rounds` is 10, 12 or 14.
 */
void lc_aes_bitslice_load(struct lc_aes_bitsliced *bs, const uint8_t enc[15][16], unsigned rounds);

/*
 * Encrypt or decrypt exactly LC_BITSLICE_BLOCKS blocks (128 bytes, any alignment) in place, each by itself (ECB).
 */
void lc_aes_bitslice_encrypt(const struct lc_aes_bitsliced *bs, uint8_t *blocks);
void lc_aes_bitslice_decrypt(const struct lc_aes_bitsliced *bs, uint8_t *blocks);

#endif /* LC_AES_BITSLICE_H */
