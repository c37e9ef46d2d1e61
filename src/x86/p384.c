/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* P-384 in the lanes of vectors: x86/curve_lanes.c with its numbers and the assembly of x86/p384.S */
#include "../p384_internal.h"
#include "curve_lanes.h"

#define CURVE p384
#define BITS 384

static const struct lc_lanes_curve p384 = {
    .words = WORDS,
    .limbs = 8,
    .base_bits = BASE_BITS,
    .base_passes = BASE_PASSES,
    .base_windows = BASE_WINDOWS,
    .base_table = EC(base_table)[0][0],
    .n = &EC(n),
    .p = &EC(p),
    .limbs_of_p = { UINT64_C(0x00000ffffffff), UINT64_C(0xff00000000000), UINT64_C(0xffffffeffffff), UINT64_C(0xfffffffffffff),
                    UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff),
                    UINT64_C(0x00000000fffff) }, /* p */
    .one = { UINT64_C(0x0000100000000), UINT64_C(0xffffffffff000), UINT64_C(0x0000000ffffff), UINT64_C(0x0000000000010),
             UINT64_C(0x0000000000000), UINT64_C(0x0000000000000), UINT64_C(0x0000000000000),
             UINT64_C(0x0000000000000) }, /* 2^416 mod p */
    .to_words = { UINT64_C(0xfffff00000001), UINT64_C(0x00fffffffffff), UINT64_C(0x0000001000000), UINT64_C(0x0000000000000),
                  UINT64_C(0x0000000000000), UINT64_C(0x0000000000000), UINT64_C(0x0000000000000),
                  UINT64_C(0x0000000000000) }, /* 2^384 mod p */
    .of_inverse = { UINT64_C(0x0000100000002), UINT64_C(0xfdffffffff000), UINT64_C(0x0000007ffffff), UINT64_C(0xfffe000000060),
                    UINT64_C(0x5fffffffcffff), UINT64_C(0x0000030000000), UINT64_C(0xffdfffffffd00),
                    UINT64_C(0x00000000fffff) }, /* 2^1216 mod p */
};

LC_LANES_FUNCTIONS(p384, avx512ifma_512)
LC_LANES_POOL_FUNCTIONS(p384, avx512ifma_512)
void lc_p384_point_avx512ifma_512(void *w);
LC_LANES_FUNCTIONS(p384, avx512ifma_256)
LC_LANES_POOL_FUNCTIONS(p384, avx512ifma_256)
void lc_p384_point_avx512ifma_256(void *w);
LC_LANES_FUNCTIONS(p384, avxifma)
LC_LANES_POOL_FUNCTIONS(p384, avxifma)
void lc_p384_point_avxifma(void *w);
#define ONE .one_base = EC(base_bmi2_avx2), .one_multiply = EC(multiply_bmi2_avx2), .one_check = EC(check_bmi2_avx2)

static const struct lc_lanes_row avx512ifma_256 = {
    .curve = &p384,
    .lanes = 4,
    .few_base = 1,
    .few = 1,
    ONE,
    LC_LANES_OPS(p384, avx512ifma_256),
    LC_LANES_POOL_OPS(p384, avx512ifma_256),
    .point = lc_p384_point_avx512ifma_256,
};
static const struct lc_lanes_row avx512ifma_512 = {
    .curve = &p384,
    .four = &avx512ifma_256,
    .lanes = 8,
    .few_base = 1,
    .few = 2,
    ONE,
    LC_LANES_OPS(p384, avx512ifma_512),
    LC_LANES_POOL_OPS(p384, avx512ifma_512),
    .point = lc_p384_point_avx512ifma_512,
};
/* Some CPUs do 256 bits in two steps: two operations would take about as long there as one after another (docs/publickey.md). */
static const struct lc_lanes_row avxifma = {
    .curve = &p384,
    .lanes = 4,
    .few_base = 2,
    .few = 2,
    ONE,
    LC_LANES_OPS(p384, avxifma),
    LC_LANES_POOL_OPS(p384, avxifma),
    .point = lc_p384_point_avxifma,
};

LC_LANES_ROW(p384, avx512ifma_512)
LC_LANES_ROW(p384, avx512ifma_256)
LC_LANES_ROW(p384, avxifma)

LC_LANES_POOL(p384, avx512ifma_512)
LC_LANES_POOL(p384, avx512ifma_256)
LC_LANES_POOL(p384, avxifma)
