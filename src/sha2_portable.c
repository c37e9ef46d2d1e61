/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* SHA-256 and SHA-512 on any CPU. */
#include "sha2_constants.h"
#include "sha2_internal.h"

#define BLOCKS lc_sha256_blocks_portable
#include "sha256_rounds.h"

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
