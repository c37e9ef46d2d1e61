/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* P-384 in lanes: the functions of x86/p384.S */
#ifndef LC_X86_P384_H
#define LC_X86_P384_H

#include "../p384_internal.h"

#define CURVE p384
#define BITS 384
#include "curve_lanes.h"

enum {
    LC_P384_BASE_BITS = 7, /* of a window of the generator's multiples, .. */
    LC_P384_BASE_WINDOWS = 55,
    LC_P384_BASE_PASSES = 3, /* .. every third of which has a table */
    LC_P384_BASE_TABLES = 19,
};

/*
 * (2e + 1) 2^(21i) G in table i, entry e: words of x, words of y, in Montgomery's form with 2^416.  Made at build time by
 * x86/p384_table.c.
 */
extern const uint64_t lc_p384_base_table[LC_P384_BASE_TABLES][12][64];

void LANES(select_base)(struct lc_p384_lanes *w, const uint64_t table[12][64]);

#undef CURVE
#undef BITS

#endif
