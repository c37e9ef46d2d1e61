/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* P-384 in four lanes by AVX-IFMA; x86/curve25519_avxifma.c says why two operations aren't worth it. */
#define LC_LANES 4
#define LC_LANES_SYMBOL avxifma
#define LC_LANES_LEAST 3
#include "p384.c"
