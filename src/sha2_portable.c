/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* SHA-256 and SHA-512 on any CPU. */
#include "sha2_constants.h"
#include "sha2_internal.h"

#define BLOCKS lc_sha256_blocks_portable
#define WORD uint32_t
#define NUM_ROUNDS 64
#define K LC_SHA256_K
#define SWAP __builtin_bswap32
#define BIG_SIGMA1 6, 11, 25
#define BIG_SIGMA0 2, 13, 22
#define SMALL_SIGMA0 7, 18, 3
#define SMALL_SIGMA1 17, 19, 10
#include "sha2_rounds.h"

#define BLOCKS lc_sha512_blocks_portable
#define WORD uint64_t
#define NUM_ROUNDS 80
#define K LC_SHA512_K
#define SWAP __builtin_bswap64
#define BIG_SIGMA1 14, 18, 41
#define BIG_SIGMA0 28, 34, 39
#define SMALL_SIGMA0 1, 8, 7
#define SMALL_SIGMA1 19, 61, 6
#include "sha2_rounds.h"
