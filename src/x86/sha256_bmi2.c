/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SHA-256 of one message for CPUs without SHA-NI: the portable code, with BMI2's rotations, which keep their source.  (The options
 * of the compiler are in CMakeLists.txt.)
 */
#include "../sha2_constants.h"
#include "../sha2_internal.h"

#define BLOCKS lc_sha256_blocks_bmi2
#include "../sha256_rounds.h"
