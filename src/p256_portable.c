/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "ec_one.h"
#include "p256_internal.h"

#define CURVE p256
#define BITS 256

/* r = a * b / 2^256: lc_mod_mul() for p, of which three words are -1, 2^32 - 1 and 0: the multiple of p is the lowest word. */
static void mul(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t t[4] = { 0 }, top = 0;

    for (int i = 0; i < 4; i++) {
        uint64_t carry = 0, q, over = 0;

        LC_UNROLL
        for (int j = 0; j < 4; j++)
            t[j] = lc_multiply_add(b[i], a[j], t[j], &carry);
        top += carry; /* t + a b_i < 2^320 */
        q = t[0];
        t[0] = lc_add_carry(t[1], q << 32, &over);
        t[1] = lc_add_carry(t[2], q >> 32, &over);
        t[2] = lc_multiply_add(q, lc_p256_p.m[3], t[3], &over);
        carry = 0;
        t[3] = lc_add_carry(top, over, &carry);
        top = carry;
    }
    lc_mod_reduce_once(r, t, top, &lc_p256_p);
}

#include "ec_one_portable.h"

LC_ONE_ROW(p256, portable)
