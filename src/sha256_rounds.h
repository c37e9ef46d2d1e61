/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* sha2_rounds.h for SHA-256 (FIPS 180-4, 4.1.2); whoever includes it defines BLOCKS. */
#define WORD uint32_t
#define NUM_ROUNDS 64
#define K LC_SHA256_K
#define SWAP __builtin_bswap32
#define BIG_SIGMA1 6, 11, 25
#define BIG_SIGMA0 2, 13, 22
#define SMALL_SIGMA0 7, 18, 3
#define SMALL_SIGMA1 17, 19, 10
#include "sha2_rounds.h"
