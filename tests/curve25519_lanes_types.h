/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the assembly of Curve25519 works on (src/x86/curve25519.h) as structures of C, for LC_LANES (src/x86/lanes.h) */
#include "x86/curve25519.h"
#include "x86/lanes.h"

#define DECLARE_LANES(symbol) LC_25519_FUNCTIONS(symbol)
DECLARE_LANES(LC_LANES_SYMBOL)

struct lc_25519_fe {
    _Alignas(8 * LC_LANES) uint64_t limb[5][LC_LANES];
};

struct lc_25519_ladder {
    struct lc_25519_fe x1, x2, z2, x3, z3, t[8];
    uint64_t bits[4][LC_LANES];
};

struct lc_25519_addend {
    struct lc_25519_fe plus, minus, t, z;
};

struct lc_25519_rows {
    _Alignas(16) uint64_t lane[LC_LANES][LC_25519_ROW];
};

struct lc_25519_lanes {
    struct lc_25519_fe x, y, z, t;
    struct lc_25519_addend addend;
    struct lc_25519_fe u[3];
    uint64_t negative[LC_LANES];
    uint64_t k[5][LC_LANES];
    uint64_t index[LC_LANES];
};
