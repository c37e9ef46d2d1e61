/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The same with four lanes, by AVX-IFMA */
#define TEST_AVXIFMA
#define LC_LANES 4
#define LC_LANES_SYMBOL avxifma
#include "curve_lanes_white_box.c"
