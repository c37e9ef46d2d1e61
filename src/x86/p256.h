/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* P-256 in lanes: the functions of x86/curve256.S */
#ifndef LC_X86_P256_H
#define LC_X86_P256_H

#include "../p256_internal.h"

#define CURVE p256
#define BITS 256
#include "curve_lanes.h"

enum {
    LC_P256_KEY_BITS = 7, /* of a window of the multiples that are made once for a public key */
    LC_P256_KEY_WINDOWS = 37,
    LC_P256_KEY_ENTRIES = 64,
};

void LANES(load)(struct lc_p256_lanes *w, const uint64_t (*const points[LC_LANES])[8]);
void LANES(tree_products)(struct lc_p256_fe *products, const struct lc_p256_entry *a, struct lc_p256_entry *b, size_t half);
void LANES(tree_sums)(struct lc_p256_lanes *w, struct lc_p256_entry *a, const struct lc_p256_entry *b,
                      const struct lc_p256_fe *products, size_t half);

#undef CURVE
#undef BITS

#endif
