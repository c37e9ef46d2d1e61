/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Curve25519 in four lanes, of vectors of 256 bits, on CPUs that have AVX-IFMA and no AVX-512.  Some of these do 256 bits in two
 * steps, and there two operations would take about as long as one after another (docs/publickey.md).
 */
#define LC_LANES 4
#define LC_LANES_SYMBOL avxifma
#define LC_LANES_LEAST 3
#define LC_25519_DH_OF_FEW lc_25519_dh_bmi2_avx2
#include "curve25519.c"
