/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What x86/rsa.S and x86/rsa.c share, and the tests' white box. */
#ifndef LC_X86_RSA_H
#define LC_X86_RSA_H

#include "../rsa_internal.h"
#include "lanes.h"

enum {
    LC_RSA_BLOCK = 10,      /* limbs that the assembly works on at a time */
    LC_RSA_MAX_LIMBS = 80,  /* of n */
    LC_RSA_HALF_LIMBS = 40, /* of a prime */
    LC_RSA_WINDOW = 4,      /* bits of an exponent */
    LC_RSA_ENTRIES = 1 << LC_RSA_WINDOW,
};

/* One limb of 52 bits in each lane */
struct lc_rsa_limb {
    _Alignas(8 * LC_LANES) uint64_t lane[LC_LANES];
};

/* The moduli, and what a multiplication has in memory */
struct lc_rsa_lanes {
    struct lc_rsa_limb neg_inverse;            /* -1/m mod 2^52 */
    struct lc_rsa_limb high[LC_RSA_BLOCK];     /* columns of a square */
    struct lc_rsa_limb q[LC_RSA_MAX_LIMBS];    /* how many times m is added */
    struct lc_rsa_limb m[LC_RSA_MAX_LIMBS];
};

void LC_IN_LANES(lc_rsa_mul)(struct lc_rsa_limb *r, const struct lc_rsa_limb *a, const struct lc_rsa_limb *b,
                             struct lc_rsa_lanes *w, uint64_t len);
void LC_IN_LANES(lc_rsa_select)(struct lc_rsa_limb *r, const struct lc_rsa_limb *table, const struct lc_rsa_limb *index,
                                uint64_t len);

#endif
