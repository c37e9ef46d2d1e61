/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* SM2's curve in four lanes by AVX-IFMA */
#define LC_LANES 4
#define LC_LANES_SYMBOL avxifma
#include "sm2.c"
