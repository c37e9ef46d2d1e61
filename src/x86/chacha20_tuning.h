/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ChaCha20's implementations, a line each, for the assembly (chacha20.S) and for what is around it in C (chacha20_run.h):
 *
 *      SHAPE(symbol, vl, code, hash_blocks, hash_turns, most_sets, row_sets...)
 *
 *      symbol, vl, code   as in rows.def; the width in bytes and the coding (asm.h) of vectors: a pass of columns has vl / 4
 *                         blocks, a set of rows vl / 16
 *
 * and, to be tuned for a CPU:
 *
 *      hash_blocks        Poly1305: blocks in a turn of a loop of columns, which is a round, or with 512 bits two; an even number:
 *                         the two chains get half of them each.  There is no parameter for the number of chains: two are what the
 *                         general registers hold.
 *      hash_turns         Poly1305: how many of the turns, 20 or 10, have them.  m = hash_blocks * hash_turns / 2 has to be
 *                         2 * (2^n - 1).
 *      row_sets           rows: the numbers of sets for which there is code, the smallest first: up to 3, which is what 16
 *                         registers hold.  most_sets is the last of them; with AVX-512 it need be no more than 3, or of 256 bits 2,
 *                         as a pass of columns that ends early has more than 12 blocks, or 4.
 *
 * avx512_512 takes the 256-bit rows of avx512_256 for up to four blocks, and where 512 bits are as quick (-wide) for up to two: a
 * set of 512 bits is one chain, two of 256 bits keep each other waiting.  chacha20_run.h has these numbers.
 */
/* clang-format off */
#ifndef LC_SMALL /* as in rows.def */
SHAPE(ssse3,      16, SSE,  2,  6, 3, 1, 2, 3)
#endif
SHAPE(avx2,       32, VEX,  2, 14, 3, 1, 2, 3)
SHAPE(avx512_256, 32, EVEX, 2, 14, 2, 1, 2)
#ifdef LC_SMALL /* no -wide row, so rows of 512 bits are for more than four blocks; for eight, two sets are but 8 % faster */
SHAPE(avx512_512, 64, EVEX, 6, 10, 3, 3)
#else
SHAPE(avx512_512, 64, EVEX, 6, 10, 3, 1, 2, 3)
#endif
#undef SHAPE
