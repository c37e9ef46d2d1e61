/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* SM2's curve in the lanes of vectors: x86/curve_lanes.c with its numbers and the assembly of x86/curve256.S */
#include "../sm2_internal.h"
#include "curve_lanes.h"

#define CURVE sm2
#define BITS 256

static const struct lc_lanes_curve sm2 = {
    .words = WORDS,
    .limbs = 5,
    .base_bits = BASE_BITS,
    .base_passes = BASE_PASSES,
    .base_windows = BASE_WINDOWS,
    .base_table = EC(base_table)[0][0],
    .n = &EC(n),
    .p = &EC(p),
    .limbs_of_p = { UINT64_C(0xfffffffffffff), UINT64_C(0xff00000000fff), UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff),
                    UINT64_C(0x0fffffffeffff) }, /* p */
    .one = { UINT64_C(0x0000000000010), UINT64_C(0x0ffffffff0000), UINT64_C(0x0000000000000), UINT64_C(0x0000000000000),
             UINT64_C(0x0000000100000) }, /* 2^260 mod p */
    .to_words = { UINT64_C(0x0000000000001), UINT64_C(0x00ffffffff000), UINT64_C(0x0000000000000), UINT64_C(0x0000000000000),
                  UINT64_C(0x0000000010000) }, /* 2^256 mod p */
    .of_inverse = { UINT64_C(0x0120000001600), UINT64_C(0xfffffff800000), UINT64_C(0x0000c0000000e), UINT64_C(0x090000000a000),
                    UINT64_C(0x000001b000000) }, /* 2^776 mod p */
};

LC_LANES_FUNCTIONS(sm2, avx512ifma_512)
LC_LANES_FUNCTIONS(sm2, avx512ifma_256)
LC_LANES_FUNCTIONS(sm2, avxifma)

/* One by one there is only the portable code, which takes longer for one than the lanes for eight. */
#define ONE .one_base = EC(base_portable), .one_multiply = EC(multiply_portable), .one_check = EC(check_portable)

static const struct lc_lanes_row avx512ifma_256 = {
    .curve = &sm2,
    .lanes = 4,
    ONE,
    LC_LANES_OPS(sm2, avx512ifma_256),
};
static const struct lc_lanes_row avx512ifma_512 = {
    .curve = &sm2,
    .four = &avx512ifma_256,
    .lanes = 8,
    ONE,
    LC_LANES_OPS(sm2, avx512ifma_512),
};
static const struct lc_lanes_row avxifma = {
    .curve = &sm2,
    .lanes = 4,
    ONE,
    LC_LANES_OPS(sm2, avxifma),
};

LC_LANES_ROW(sm2, avx512ifma_512)
LC_LANES_ROW(sm2, avx512ifma_256)
LC_LANES_ROW(sm2, avxifma)
