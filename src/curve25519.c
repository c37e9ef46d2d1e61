/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Curve25519: its constants, and what all implementations share. */
#include "curve25519.h"

const struct lc_mod256 lc_25519_p = {
    .m = { UINT64_C(0xffffffffffffffed), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0x7fffffffffffffff) },
    .neg_inverse = UINT64_C(0x86bca1af286bca1b),
    .one = { 38 },
    .rr = { 38 * 38 },
    .m62 = { INT64_C(0x3fffffffffffffed), INT64_C(0x3fffffffffffffff), INT64_C(0x3fffffffffffffff), INT64_C(0x3fffffffffffffff),
             INT64_C(0x7f) },
    .inverse62 = UINT64_C(0x39435e50d79435e5),
};

const struct lc_mod256 lc_25519_l = {
    .m = { UINT64_C(0x5812631a5cf5d3ed), UINT64_C(0x14def9dea2f79cd6), 0, UINT64_C(0x1000000000000000) },
    .neg_inverse = UINT64_C(0xd2b51da312547e1b),
    .one = { UINT64_C(0xd6ec31748d98951d), UINT64_C(0xc6ef5bf4737dcf70), UINT64_C(0xfffffffffffffffe),
             UINT64_C(0x0fffffffffffffff) },
    .rr = { UINT64_C(0xa40611e3449c0f01), UINT64_C(0xd00e1ba768859347), UINT64_C(0xceec73d217f5be65),
            UINT64_C(0x0399411b7c309a3d) },
    .m62 = { INT64_C(0x1812631a5cf5d3ed), INT64_C(0x137be77a8bde7359), 1, 0, INT64_C(0x10) },
    .inverse62 = UINT64_C(0x2d4ae25cedab81e5),
};
