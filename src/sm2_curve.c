/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The constants of SM2's curve. */
#include "sm2_internal.h"

/* p = 2^256 - 2^224 - 2^96 + 2^64 - 1 */
const struct lc_mod lc_sm2_p = {
    .words = 4,
    .m = { UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffff00000000), UINT64_C(0xffffffffffffffff), UINT64_C(0xfffffffeffffffff) },
    .neg_inverse = 1,
    .one = { 1, UINT64_C(0x00000000ffffffff), 0, UINT64_C(0x0000000100000000) },
    .rr = { UINT64_C(0x0000000200000003), UINT64_C(0x00000002ffffffff), UINT64_C(0x0000000100000001),
            UINT64_C(0x0000000400000002) },
    .m62 = { INT64_C(0x3fffffffffffffff), INT64_C(0x3ffffffc00000003), INT64_C(0x3fffffffffffffff), INT64_C(0x3fffffbfffffffff),
             INT64_C(0x00000000000000ff) },
    .inverse62 = UINT64_C(0x3fffffffffffffff),
};

const struct lc_mod lc_sm2_n = {
    .words = 4,
    .m = { UINT64_C(0x53bbf40939d54123), UINT64_C(0x7203df6b21c6052b), UINT64_C(0xffffffffffffffff), UINT64_C(0xfffffffeffffffff) },
    .neg_inverse = UINT64_C(0x327f9e8872350975),
    .one = { UINT64_C(0xac440bf6c62abedd), UINT64_C(0x8dfc2094de39fad4), 0, UINT64_C(0x0000000100000000) },
    .rr = { UINT64_C(0x901192af7c114f20), UINT64_C(0x3464504ade6fa2fa), UINT64_C(0x620fc84c3affe0d4),
            UINT64_C(0x1eb5e412a22b3d3b) },
    .m62 = { INT64_C(0x13bbf40939d54123), INT64_C(0x080f7dac871814ad), INT64_C(0x3ffffffffffffff7), INT64_C(0x3fffffbfffffffff),
             INT64_C(0x00000000000000ff) },
    .inverse62 = UINT64_C(0x0d8061778dcaf68b),
};

const uint64_t lc_sm2_b[4] = { UINT64_C(0x90d230632bc0dd42), UINT64_C(0x71cf379ae9b537ab), UINT64_C(0x527981505ea51c3c),
                               UINT64_C(0x240fe188ba20e2c8) };

const uint64_t lc_sm2_generator[8] = {
    UINT64_C(0x61328990f418029e), UINT64_C(0x3e7981eddca6c050), UINT64_C(0xd6a1ed99ac24c3c3), UINT64_C(0x91167a5ee1c13b05),
    UINT64_C(0xc1354e593c2d0ddd), UINT64_C(0xc1f5e5788d3295fa), UINT64_C(0x8d4cfb066e2a48f8), UINT64_C(0x63cd65d481d735bd),
};

#define CURVE sm2
#define BITS 256
LC_CURVE(2) /* 1 + d has to have an inverse */
