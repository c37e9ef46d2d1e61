/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the assembly of curves in lanes works on (src/x86/curve_lanes.h) as structures of C, for CURVE and BITS (src/ec_names.h) and
 * LC_LANES (src/x86/lanes.h), and its functions.
 */
#include "x86/curve_lanes.h"
#include "x86/lanes.h"

#define LIMBS (BITS == 256 ? 5 : 8)
#define LANES_OF_CURVE(name) LC_IN_LANES(EC(name)) /* lc_p256_add_avx512ifma_512 */

struct EC(fe) {
    _Alignas(8 * LC_LANES) uint64_t limb[LIMBS][LC_LANES];
};

struct EC(entry) {
    struct EC(fe) x, y;
};

struct EC(lanes) {
    struct EC(fe) x, y, z;
#if BITS == 256
    struct EC(fe) zz;
#endif
    struct EC(entry) entry;
    uint64_t negative[LC_LANES], index[LC_LANES];
    struct EC(fe) t[BITS == 256 ? 5 : 6];
#if BITS == 384
    uint64_t sign[LC_LANES];
#endif
};

#define DECLARE_LANES(curve, symbol) LC_LANES_FUNCTIONS(curve, symbol)
DECLARE_LANES(CURVE, LC_LANES_SYMBOL)
#ifdef TEST_POOLS
#define DECLARE_POOL(curve, symbol) LC_LANES_POOL_FUNCTIONS(curve, symbol)
DECLARE_POOL(CURVE, LC_LANES_SYMBOL)
#if BITS == 384
void LANES_OF_CURVE(point)(void *w);
#endif
#endif
#ifdef TEST_P256_LANES
void LANES_OF_CURVE(load)(void *w, const uint64_t *const *points);
#endif
