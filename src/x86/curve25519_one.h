/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What x86/curve25519_one.S and x86/curve25519_one.c share, and the tests' white box. */
#ifndef LC_X86_CURVE25519_ONE_H
#define LC_X86_CURVE25519_ONE_H

#include "../curve25519.h"

/* What the ladder works on: five limbs, each of four numbers, one a lane */
struct lc_25519_ladder_one {
    _Alignas(32) uint64_t lanes[5][4]; /* X + Z and X - Z of the multiple, and of the one that is u more */
    uint64_t u[5][4];                  /* u, -u, u, -u */
    uint64_t k[4];                     /* the multiplier */
};

void lc_25519_ladder_one_avx512ifma_256(struct lc_25519_ladder_one *w);

/* X25519, one after another: as a row's dh() */
void lc_25519_dh_one_avx512ifma_256(struct lc_25519_dh *items, size_t num);

#endif
