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
    LC_RSA_ONE_LIMBS = 10,  /* of a block, in x86/rsa_one.S */
    LC_RSA_ONE_FEW = 2,     /* how many operations are done that way: for more, lanes take less time */
    LC_RSA_ONE_FEW_PUBLIC = 4,
    LC_RSA_ONE_STACK = 34 * 1024, /* bytes: what lc_rsa_one_power() takes, at most */
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

/*
 * x86/rsa_one.c, for rows of eight lanes: the powers of up to LC_RSA_ONE_FEW operations, two each, and of any number of public
 * operations, one after another
 */
void lc_rsa_one_power(struct lc_rsa_power *powers, size_t num, size_t words);
void lc_rsa_one_public_power(struct lc_rsa_public_op *ops, size_t num);

#if LC_LANES == 8
/* x86/rsa_one.S: one modulus in all lanes, or two in four lanes each */
struct lc_rsa_one {
    struct lc_rsa_limb first, down, up; /* from which lane: the number's lowest, the next one, the one before */
    uint16_t not_highest, lowest;       /* masks of lanes */
    struct lc_rsa_limb k[LC_RSA_ONE_LIMBS]; /* -1/m mod X, in all lanes of its number */
    struct lc_rsa_limb m[LC_RSA_ONE_LIMBS];
    struct lc_rsa_limb m_high[LC_RSA_ONE_LIMBS]; /* (k m + 1) / X */
};

void LC_IN_LANES(lc_rsa_one_mul)(struct lc_rsa_limb *r, const struct lc_rsa_limb *a, const struct lc_rsa_limb *b,
                                 const struct lc_rsa_one *w, uint64_t blocks, uint64_t len);

/* x86/rsa_one.c: what of *w depends on how many numbers there are, 1 or 2 */
void lc_rsa_one_set_lanes(struct lc_rsa_one *w, size_t numbers);
#endif

#endif
