/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Curve25519: its constants, and what all implementations share. */
#include "curve25519.h"

const struct lc_mod lc_25519_p = {
    .words = 4,
    .m = { UINT64_C(0xffffffffffffffed), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0x7fffffffffffffff) },
    .neg_inverse = UINT64_C(0x86bca1af286bca1b),
    .one = { 38 },
    .rr = { 38 * 38 },
    .m62 = { INT64_C(0x3fffffffffffffed), INT64_C(0x3fffffffffffffff), INT64_C(0x3fffffffffffffff), INT64_C(0x3fffffffffffffff),
             INT64_C(0x7f) },
    .inverse62 = UINT64_C(0x39435e50d79435e5),
};

const struct lc_mod lc_25519_l = {
    .words = 4,
    .m = { UINT64_C(0x5812631a5cf5d3ed), UINT64_C(0x14def9dea2f79cd6), 0, UINT64_C(0x1000000000000000) },
    .neg_inverse = UINT64_C(0xd2b51da312547e1b),
    .one = { UINT64_C(0xd6ec31748d98951d), UINT64_C(0xc6ef5bf4737dcf70), UINT64_C(0xfffffffffffffffe),
             UINT64_C(0x0fffffffffffffff) },
    .rr = { UINT64_C(0xa40611e3449c0f01), UINT64_C(0xd00e1ba768859347), UINT64_C(0xceec73d217f5be65),
            UINT64_C(0x0399411b7c309a3d) },
    .m62 = { INT64_C(0x1812631a5cf5d3ed), INT64_C(0x137be77a8bde7359), 1, 0, INT64_C(0x10) },
    .inverse62 = UINT64_C(0x2d4ae25cedab81e5),
};

/*
 * L is 2^252 + c, c < 2^125.  The upper half times R modulo L is one product: of any 256 bits and R^2 mod L, which is below L R, as
 * lc_mod_mul() wants it.  With the lower half that is below 2^256 + L, so 2^252 is in it no more than 17 times.  So many times L
 * less, it's below 2^252 and above -17 c, and L more if it is negative.
 */
void lc_25519_reduce(uint64_t r[4], const uint64_t wide[8])
{
    uint64_t sum[4], times, times_c[4] = { 0 }, carry = 0, borrow = 0;

    lc_mod_to_montgomery(sum, wide + 4, &lc_25519_l);
    for (int i = 0; i < 4; i++)
        sum[i] = lc_add_carry(sum[i], wide[i], &carry);
    times = carry << 4 | sum[3] >> 60;
    sum[3] &= (UINT64_C(1) << 60) - 1;
    for (int i = 0; i < 2; i++)
        times_c[i] = lc_multiply_add(times, lc_25519_l.m[i], 0, &times_c[2]);
    for (int i = 0; i < 4; i++)
        sum[i] = lc_sub_borrow(sum[i], times_c[i], &borrow);
    borrow = lc_opaque(0 - borrow);
    carry = 0;
    for (int i = 0; i < 4; i++)
        r[i] = lc_add_carry(sum[i], lc_25519_l.m[i] & borrow, &carry);
}
