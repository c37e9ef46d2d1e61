/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* vpmsumd: the sum of the products of both halves. */
#include "lanecrypt-rounds.h"

void helper_VPMSUMD(ppc_avr_t *r, ppc_avr_t *a, ppc_avr_t *b)
{
    ppc_avr_t low, high;

    rounds.clmul64(&low, a->u64[0], b->u64[0]);
    rounds.clmul64(&high, a->u64[1], b->u64[1]);
    r->u64[0] = low.u64[0] ^ high.u64[0];
    r->u64[1] = low.u64[1] ^ high.u64[1];
}
