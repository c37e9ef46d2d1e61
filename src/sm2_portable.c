/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "ec_one.h"
#include "sm2_internal.h"

#define CURVE sm2
#define BITS 256

/*
 * r = a * b / 2^256: lc_mod_mul() for p = 2^256 - 2^224 - 2^96 + 2^64 - 1.  The multiple of p is the lowest word q, which goes away
 * with it.  What q adds to others is q 2^256 - q 2^224 - q (2^32 - 1) 2^64.
 */
static void mul(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t t[4] = { 0 }, top = 0;

    for (int i = 0; i < 4; i++) {
        uint64_t carry = 0, borrow = 0, q, shifted, low, high;

        LC_UNROLL
        for (int j = 0; j < 4; j++)
            t[j] = lc_multiply_add(b[i], a[j], t[j], &carry);
        top += carry; /* t + a b_i < 2^320 */
        q = t[0];
        shifted = q << 32;
        low = lc_sub_borrow(shifted, q, &borrow);
        high = (q >> 32) - borrow;
        borrow = 0;
        t[0] = lc_sub_borrow(t[1], low, &borrow);
        t[1] = lc_sub_borrow(t[2], high, &borrow);
        t[2] = lc_sub_borrow(t[3], shifted, &borrow);
        carry = 0;
        t[3] = lc_add_carry(top, q - (q >> 32) - borrow, &carry);
        top = carry;
    }
    lc_mod_reduce_once(r, t, top, &lc_sm2_p);
}

#include "ec_one_portable.h"

LC_ONE_ROW(sm2, portable)
