/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* SM2's curve in four lanes, of vectors of 256 bits */
#define LC_LANES 4
#include "sm2.c"
