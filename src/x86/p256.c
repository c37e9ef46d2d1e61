/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* P-256 in the lanes of vectors: x86/curve_lanes.c with its numbers and the assembly of x86/curve256.S */
#include "../p256_internal.h"
#include "curve_lanes.h"

#define CURVE p256
#define BITS 256

static const struct lc_lanes_curve p256 = {
    .words = WORDS,
    .limbs = 5,
    .base_bits = BASE_BITS,
    .base_passes = BASE_PASSES,
    .base_windows = BASE_WINDOWS,
    .base_table = EC(base_table)[0][0],
    .n = &EC(n),
    .p = &EC(p),
    .limbs_of_p = { UINT64_C(0xfffffffffffff), UINT64_C(0x00fffffffffff), UINT64_C(0x0000000000000), UINT64_C(0x0001000000000),
                    UINT64_C(0x0ffffffff0000) }, /* p */
    .one = { UINT64_C(0x0000000000010), UINT64_C(0xf000000000000), UINT64_C(0xfffffffffffff), UINT64_C(0xffeffffffffff),
             UINT64_C(0x00000000fffff) }, /* 2^260 mod p */
    .to_words = { UINT64_C(0x0000000000001), UINT64_C(0xff00000000000), UINT64_C(0xfffffffffffff), UINT64_C(0xfffefffffffff),
                  UINT64_C(0x000000000ffff) }, /* 2^256 mod p */
    .of_inverse = { UINT64_C(0xffd0000000a00), UINT64_C(0xfffffff7fffff), UINT64_C(0xffffcffffffed), UINT64_C(0x0100000005fff),
                    UINT64_C(0x0000018000000) }, /* 2^776 mod p */
};

LC_LANES_FUNCTIONS(p256, avx512ifma_512)
LC_LANES_POOL_FUNCTIONS(p256, avx512ifma_512)
void lc_p256_load_avx512ifma_512(void *w, const uint64_t *const *points);
LC_LANES_FUNCTIONS(p256, avx512ifma_256)
LC_LANES_POOL_FUNCTIONS(p256, avx512ifma_256)
void lc_p256_load_avx512ifma_256(void *w, const uint64_t *const *points);
LC_LANES_FUNCTIONS(p256, avxifma)
LC_LANES_POOL_FUNCTIONS(p256, avxifma)
void lc_p256_load_avxifma(void *w, const uint64_t *const *points);
#define ONE .one_base = EC(base_bmi2_avx2), .one_multiply = EC(multiply_bmi2_avx2), .one_check = EC(check_bmi2_avx2)

static const struct lc_lanes_row avx512ifma_256 = {
    .curve = &p256,
    .lanes = 4,
    .few_base = 1,
    .few = 1,
    ONE,
    LC_LANES_OPS(p256, avx512ifma_256),
    LC_LANES_POOL_OPS(p256, avx512ifma_256),
    .load = lc_p256_load_avx512ifma_256,
};
static const struct lc_lanes_row avx512ifma_512 = {
    .curve = &p256,
    .four = &avx512ifma_256,
    .lanes = 8,
    .few_base = 1,
    .few = 2,
    ONE,
    LC_LANES_OPS(p256, avx512ifma_512),
    LC_LANES_POOL_OPS(p256, avx512ifma_512),
    .load = lc_p256_load_avx512ifma_512,
};
/* Some CPUs do 256 bits in two steps: two operations would take about as long there as one after another (docs/publickey.md). */
static const struct lc_lanes_row avxifma = {
    .curve = &p256,
    .lanes = 4,
    .few_base = 2,
    .few = 2,
    ONE,
    LC_LANES_OPS(p256, avxifma),
    LC_LANES_POOL_OPS(p256, avxifma),
    .load = lc_p256_load_avxifma,
};

LC_LANES_ROW(p256, avx512ifma_512)
LC_LANES_ROW(p256, avx512ifma_256)
LC_LANES_ROW(p256, avxifma)

LC_LANES_POOL(p256, avx512ifma_512)
LC_LANES_POOL(p256, avx512ifma_256)
LC_LANES_POOL(p256, avxifma)

/* What only P-256 has */
#define P256_ROW(symbol)                                                                                                           \
    size_t lc_p256_prepare_##symbol(void *table, const uint64_t *q)                                                                \
    {                                                                                                                              \
        return lc_lanes_prepare(table, q, &symbol);                                                                                \
    }
P256_ROW(avx512ifma_512)
P256_ROW(avx512ifma_256)
P256_ROW(avxifma)
