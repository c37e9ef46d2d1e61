/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The constants of P-256. */
#include "p256_internal.h"

/* p = 2^256 - 2^224 + 2^192 + 2^96 - 1 */
const struct lc_mod lc_p256_p = {
    .words = 4,
    .m = { UINT64_C(0xffffffffffffffff), UINT64_C(0x00000000ffffffff), 0, UINT64_C(0xffffffff00000001) },
    .neg_inverse = 1,
    .one = { 1, UINT64_C(0xffffffff00000000), UINT64_C(0xffffffffffffffff), UINT64_C(0x00000000fffffffe) },
    .rr = { 3, UINT64_C(0xfffffffbffffffff), UINT64_C(0xfffffffffffffffe), UINT64_C(0x00000004fffffffd) },
    .m62 = { INT64_C(0x3fffffffffffffff), INT64_C(0x00000003ffffffff), 0, INT64_C(0x3fffffc000000040),
             INT64_C(0x00000000000000ff) },
    .inverse62 = UINT64_C(0x3fffffffffffffff),
};

const struct lc_mod lc_p256_n = {
    .words = 4,
    .m = { UINT64_C(0xf3b9cac2fc632551), UINT64_C(0xbce6faada7179e84), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffff00000000) },
    .neg_inverse = UINT64_C(0xccd1c8aaee00bc4f),
    .one = { UINT64_C(0x0c46353d039cdaaf), UINT64_C(0x4319055258e8617b), 0, UINT64_C(0x00000000ffffffff) },
    .rr = { UINT64_C(0x83244c95be79eea2), UINT64_C(0x4699799c49bd6fa6), UINT64_C(0x2845b2392b6bec59),
            UINT64_C(0x66e12d94f3d95620) },
    .m62 = { INT64_C(0x33b9cac2fc632551), INT64_C(0x339beab69c5e7a13), INT64_C(0x3ffffffffffffffb), INT64_C(0x3fffffc00000003f),
             INT64_C(0x00000000000000ff) },
    .inverse62 = UINT64_C(0x332e375511ff43b1),
};

const uint64_t lc_p256_b[4] = { UINT64_C(0xd89cdf6229c4bddf), UINT64_C(0xacf005cd78843090), UINT64_C(0xe5a220abf7212ed6),
                                UINT64_C(0xdc30061d04874834) };

const uint64_t lc_p256_generator[8] = {
    UINT64_C(0x79e730d418a9143c), UINT64_C(0x75ba95fc5fedb601), UINT64_C(0x79fb732b77622510), UINT64_C(0x18905f76a53755c6),
    UINT64_C(0xddf25357ce95560a), UINT64_C(0x8b4ab8e4ba19e45c), UINT64_C(0xd2e88688dd21f325), UINT64_C(0x8571ff1825885d85),
};

#define CURVE p256
#define BITS 256
LC_CURVE(1)
