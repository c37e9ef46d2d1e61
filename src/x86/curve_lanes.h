/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the assembly of a curve in lanes and its C code share, and the tests' white box: what x86/p256.h and the like include for
 * their CURVE and BITS (ec_names.h).
 */
#ifndef LC_X86_CURVE_LANES_H
#define LC_X86_CURVE_LANES_H

enum {
    LC_LANES = 8,
    LC_LANES_BITS = 4, /* of a window of a point's multiples */
    LC_LANES_ENTRIES = 8,
};

#endif

#define LIMBS (BITS == 256 ? 5 : 8)

/* A number modulo p in each lane, in limbs of 52 bits */
struct EC(fe) {
    _Alignas(64) uint64_t limb[LIMBS][LC_LANES];
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
    struct EC(fe) t[4];
};

void EC(mul_avx512ifma_512)(struct EC(fe) * r, const struct EC(fe) * a, const struct EC(fe) * b);
void EC(sqr_avx512ifma_512)(struct EC(fe) * r);
void EC(double_avx512ifma_512)(struct EC(lanes) * w, size_t times);
void EC(add_avx512ifma_512)(struct EC(lanes) * w);
void EC(select_avx512ifma_512)(struct EC(lanes) * w, const struct EC(entry) table[LC_LANES_ENTRIES]);
void EC(clear_avx512ifma_512)(void);
