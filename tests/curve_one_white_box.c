/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "ec_one.h"
#include "p256_internal.h"
#include "p384_internal.h"
#include "sm2_internal.h"

#include "curve_one_white_box.h" /* the others undefine CURVE and BITS */
#include "ec_work.h"

#if defined(__x86_64__) && defined(TEST_BMI2)
extern const struct lc_ec_ops EC(ops_bmi2_avx2);
#endif

static void get(uint64_t point[2][WORDS], const struct lc_ec_product *product)
{
    lc_mod_from_montgomery(point[0], product->result, &EC(p));
    lc_mod_from_montgomery(point[1], product->result + WORDS, &EC(p));
}

#define OPS(symbol)                                                                                                                \
    static void twice_##symbol(uint64_t point[3][WORDS], size_t times)                                                             \
    {                                                                                                                              \
        struct EC(work) w;                                                                                                         \
                                                                                                                                   \
        memcpy(&w, point, 3 * sizeof(w.x));                                                                                        \
        EC(ops_##symbol).twice(w.x, times);                                                                                        \
        memcpy(point, &w, 3 * sizeof(w.x));                                                                                        \
    }                                                                                                                              \
    static void add_##symbol(uint64_t point[3][WORDS], const uint64_t entry[2][WORDS])                                             \
    {                                                                                                                              \
        struct EC(work) w;                                                                                                         \
                                                                                                                                   \
        memcpy(&w, point, 3 * sizeof(w.x));                                                                                        \
        memcpy(&w.entry, entry, sizeof(w.entry));                                                                                  \
        EC(ops_##symbol).add(w.x);                                                                                                 \
        memcpy(point, &w, 3 * sizeof(w.x));                                                                                        \
    }                                                                                                                              \
    static void select_##symbol(uint64_t entry[2][WORDS], const uint64_t table[16][2][WORDS], uint64_t index)                      \
    {                                                                                                                              \
        struct EC(work) w = { .index = index };                                                                                    \
                                                                                                                                   \
        EC(ops_##symbol).select(w.x, table[0][0]);                                                                                 \
        memcpy(entry, &w.entry, sizeof(w.entry));                                                                                  \
    }                                                                                                                              \
    static void multiply_##symbol(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS])                             \
    {                                                                                                                              \
        EC(ops_##symbol).multiply(r, a, b);                                                                                        \
    }                                                                                                                              \
    static void square_##symbol(uint64_t r[WORDS], const uint64_t a[WORDS])                                                        \
    {                                                                                                                              \
        EC(ops_##symbol).square(r, a);                                                                                             \
    }                                                                                                                              \
    static void base_##symbol(uint64_t point[2][WORDS], const uint64_t k[WORDS])                                                   \
    {                                                                                                                              \
        struct lc_ec_product product = { .p = NULL };                                                                              \
                                                                                                                                   \
        memcpy(product.k, k, BYTES);                                                                                               \
        EC(base_##symbol)(&product, 1, NULL);                                                                                      \
        get(point, &product);                                                                                                      \
    }                                                                                                                              \
    static void multiple_##symbol(uint64_t point[2][WORDS], const uint64_t k[WORDS])                                               \
    {                                                                                                                              \
        uint64_t p[2 * WORDS];                                                                                                     \
        struct lc_ec_product product = { .p = p };                                                                                 \
                                                                                                                                   \
        lc_mod_to_montgomery(p, point[0], &EC(p));                                                                                 \
        lc_mod_to_montgomery(p + WORDS, point[1], &EC(p));                                                                         \
        memcpy(product.k, k, BYTES);                                                                                               \
        EC(multiply_##symbol)(&product, 1);                                                                                        \
        get(point, &product);                                                                                                      \
    }
#define OPS_OF(name, symbol)                                                                                                       \
    { name, multiply_##symbol, square_##symbol, twice_##symbol, add_##symbol, select_##symbol, base_##symbol, multiple_##symbol }

OPS(portable)
#if defined(__x86_64__) && defined(TEST_BMI2)
OPS(bmi2_avx2)
#endif

static const struct wb_one_ops all_ops[] = {
    OPS_OF(SIGNATURES "-portable", portable),
#if defined(__x86_64__) && defined(TEST_BMI2)
    OPS_OF(SIGNATURES "-bmi2-avx2", bmi2_avx2),
#endif
};

const struct wb_one_ops *wb_one_get_ops(size_t *num)
{
    *num = sizeof(all_ops) / sizeof(all_ops[0]);
    return all_ops;
}
