/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SM3 of one message: the portable code, with BMI2's rotations, which keep their source.  (The options of the compiler are in
 * CMakeLists.txt.)
 */
#define BLOCKS lc_sm3_blocks_bmi2
#include "../sm3_rounds.h"
