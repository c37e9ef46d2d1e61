/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Multiples of the generator, for curve25519_portable.c; that says which. */
#ifndef LC_CURVE25519_TABLE_H
#define LC_CURVE25519_TABLE_H

#include <stdint.h>

/* A point as additions want it: y + x, y - x, 2 d x y, below p */
struct lc_25519_entry {
    uint64_t plus[4], minus[4], dxy2[4];
};

enum { LC_25519_COMBS = 4, LC_25519_TEETH = 5, LC_25519_COMB_ENTRIES = 1 << (LC_25519_TEETH - 1) };
enum { LC_25519_SPACE = 13 }; /* bits from comb to comb; from tooth to tooth there are LC_25519_COMBS times as many */
enum { LC_25519_B_WINDOW = 7, LC_25519_B_ENTRIES = 1 << (LC_25519_B_WINDOW - 2) };

extern const struct lc_25519_entry lc_25519_comb_table[LC_25519_COMBS][LC_25519_COMB_ENTRIES];
extern const struct lc_25519_entry lc_25519_odd_table[LC_25519_B_ENTRIES]; /* 1 B, 3 B, 5 B, .. */

#endif
