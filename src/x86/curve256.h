/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The same for curves of 256 bits, which x86/curve256.S is for */
#include "curve_lanes.h"

#ifndef LC_X86_CURVE256_H
#define LC_X86_CURVE256_H

enum {
    LC_256_WINDOWS = 64,   /* of LC_LANES_BITS */
    LC_256_BASE_BITS = 7, /* of a window of the generator's multiples */
    LC_256_BASE_WINDOWS = 37,
};

#endif

/*
 * (2e + 1) 2^(7i) G in window i, entry e: words of x, words of y, in Montgomery's form with 2^260.  Made at build time by
 * x86/curve256_table.c.
 */
extern const uint64_t EC(base_table)[LC_256_BASE_WINDOWS][8][64];

void LANES(select_base)(struct EC(lanes) * w, const uint64_t table[8][64]);
