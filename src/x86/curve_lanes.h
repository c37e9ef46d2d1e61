/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the assembly of a curve in lanes and its C code share, and the tests' white box: what x86/p256.h and the like include for
 * their CURVE and BITS (ec_names.h).
 */
#include "lanes.h"

#ifndef LC_X86_CURVE_LANES_H
#define LC_X86_CURVE_LANES_H

#define LANES(name) LC_IN_LANES(EC(name)) /* lc_p256_add_avx512ifma_512 */

enum {
    LC_LANES_BITS = 4, /* of a window of a point's multiples */
    LC_LANES_ENTRIES = 8,
};

#endif

#define LIMBS (BITS == 256 ? 5 : 8)

/* A number modulo p in each lane, in limbs of 52 bits */
struct EC(fe) {
    _Alignas(8 * LC_LANES) uint64_t limb[LIMBS][LC_LANES];
};

struct EC(entry) {
    struct EC(fe) x, y;
};

/* What the assembly works on */
struct EC(lanes) {
    struct EC(fe) x, y, z; /* the sum, in Jacobian coordinates */
#if BITS == 256
    struct EC(fe) zz; /* z^2 */
#endif
    struct EC(entry) entry;      /* what is added to it, affine */
    uint64_t negative[LC_LANES]; /* where this is -1, not 0, the y of an entry that is taken from a table is negated */
    uint64_t index[LC_LANES];    /* of the entry there */
    struct EC(fe) t[BITS == 256 ? 5 : 6];
#if BITS == 384
    uint64_t
        sign[LC_LANES]; /* the entry's, which is in `negative` until it's taken: so the next one's may be there before it's added */
#endif
};

void LANES(mul)(struct EC(fe) * r, const struct EC(fe) * a, const struct EC(fe) * b);
void LANES(sqr)(struct EC(fe) * r); /* of 384 bits: r[2] */
void LANES(double)(struct EC(lanes) * w, size_t times);
void LANES(add)(struct EC(lanes) * w);
void LANES(select)(struct EC(lanes) * w, const struct EC(entry) table[LC_LANES_ENTRIES]);
void LANES(select_base)(struct EC(lanes) * w, const uint64_t table[2 * WORDS][BASE_ENTRIES]);
void LANES(clear)(void);
