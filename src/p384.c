/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The constants of P-384. */
#include "p384_internal.h"

/* p = 2^384 - 2^128 - 2^96 + 2^32 - 1 */
const struct lc_mod lc_p384_p = {
    .words = 6,
    .m = { UINT64_C(0x00000000ffffffff), UINT64_C(0xffffffff00000000), UINT64_C(0xfffffffffffffffe), UINT64_C(0xffffffffffffffff),
           UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff) },
    .neg_inverse = UINT64_C(0x0000000100000001),
    .one = { UINT64_C(0xffffffff00000001), UINT64_C(0x00000000ffffffff), 1, 0, 0, 0 },
    .rr = { UINT64_C(0xfffffffe00000001), UINT64_C(0x0000000200000000), UINT64_C(0xfffffffe00000000), UINT64_C(0x0000000200000000),
            1, 0 },
    .m62 = { INT64_C(0x00000000ffffffff), INT64_C(0x3ffffffc00000000), INT64_C(0x3fffffffffffffef), INT64_C(0x3fffffffffffffff),
             INT64_C(0x3fffffffffffffff), INT64_C(0x3fffffffffffffff), INT64_C(0x0000000000000fff) },
    .inverse62 = UINT64_C(0x3ffffffeffffffff),
};

const struct lc_mod lc_p384_n = {
    .words = 6,
    .m = { UINT64_C(0xecec196accc52973), UINT64_C(0x581a0db248b0a77a), UINT64_C(0xc7634d81f4372ddf), UINT64_C(0xffffffffffffffff),
           UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff) },
    .neg_inverse = UINT64_C(0x6ed46089e88fdc45),
    .one = { UINT64_C(0x1313e695333ad68d), UINT64_C(0xa7e5f24db74f5885), UINT64_C(0x389cb27e0bc8d220), 0, 0, 0 },
    .rr = { UINT64_C(0x2d319b2419b409a9), UINT64_C(0xff3d81e5df1aa419), UINT64_C(0xbc3e483afcb82947), UINT64_C(0xd40d49174aab1cc5),
            UINT64_C(0x3fb05b7a28266895), UINT64_C(0x0c84ee012b39bf21) },
    .m62 = { INT64_C(0x2cec196accc52973), INT64_C(0x206836c922c29deb), INT64_C(0x3634d81f4372ddf5), INT64_C(0x3ffffffffffffff1),
             INT64_C(0x3fffffffffffffff), INT64_C(0x3fffffffffffffff), INT64_C(0x0000000000000fff) },
    .inverse62 = UINT64_C(0x112b9f76177023bb),
};

const uint64_t lc_p384_b[6] = { UINT64_C(0x081188719d412dcc), UINT64_C(0xf729add87a4c32ec), UINT64_C(0x77f2209b1920022e),
                                UINT64_C(0xe3374bee94938ae2), UINT64_C(0xb62b21f41f022094), UINT64_C(0xcd08114b604fbff9) };

const uint64_t lc_p384_generator[12] = {
    UINT64_C(0x3dd0756649c0b528), UINT64_C(0x20e378e2a0d6ce38), UINT64_C(0x879c3afc541b4d6e), UINT64_C(0x6454868459a30eff),
    UINT64_C(0x812ff723614ede2b), UINT64_C(0x4d3aadc2299e1513), UINT64_C(0x23043dad4b03a4fe), UINT64_C(0xa1bfa8bf7bb4a9ac),
    UINT64_C(0x8bade7562e83b050), UINT64_C(0xc6c3521968f4ffd9), UINT64_C(0xdd8002263969a840), UINT64_C(0x2b78abc25a15c5e9),
};

#define CURVE p384
#define BITS 384
LC_CURVE(1)
