/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Curve25519 in four lanes, of vectors of 256 bits */
#define LC_LANES 4
#include "curve25519.c"
