/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "p256_one_white_box.h"

#include "p256_one.h"

#define OPS(symbol)                                                                                                                \
    static void twice_one_##symbol(uint64_t point[3][4], size_t times)                                                             \
    {                                                                                                                              \
        struct lc_p256_work w;                                                                                                     \
                                                                                                                                   \
        memcpy(&w, point, 3 * sizeof(w.x));                                                                                        \
        lc_p256_ops_##symbol.twice(&w, times);                                                                                     \
        memcpy(point, &w, 3 * sizeof(w.x));                                                                                        \
    }                                                                                                                              \
    static void add_one_##symbol(uint64_t point[3][4], const uint64_t entry[2][4])                                                 \
    {                                                                                                                              \
        struct lc_p256_work w;                                                                                                     \
                                                                                                                                   \
        memcpy(&w, point, 3 * sizeof(w.x));                                                                                        \
        memcpy(&w.entry, entry, sizeof(w.entry));                                                                                  \
        lc_p256_ops_##symbol.add(&w);                                                                                              \
        memcpy(point, &w, 3 * sizeof(w.x));                                                                                        \
    }                                                                                                                              \
    static void select_one_##symbol(uint64_t entry[2][4], const uint64_t table[16][2][4], uint64_t index, uint64_t negative)       \
    {                                                                                                                              \
        struct lc_p256_work w = { .index = index, .negative = negative };                                                          \
        struct lc_p256_point points[LC_P256_ONE_ENTRIES];                                                                          \
                                                                                                                                   \
        memcpy(points, table, sizeof(points));                                                                                     \
        lc_p256_ops_##symbol.select(&w, points);                                                                                   \
        memcpy(entry, &w.entry, sizeof(w.entry));                                                                                  \
    }                                                                                                                              \
    static void multiply_one_##symbol(uint64_t r[4], const uint64_t a[4], const uint64_t b[4])                                     \
    {                                                                                                                              \
        lc_p256_ops_##symbol.multiply(r, a, b);                                                                                    \
    }                                                                                                                              \
    static void square_one_##symbol(uint64_t r[4], const uint64_t a[4])                                                            \
    {                                                                                                                              \
        lc_p256_ops_##symbol.square(r, a);                                                                                         \
    }
#define OPS_OF(name, symbol)                                                                                                       \
    { name, multiply_one_##symbol, square_one_##symbol, twice_one_##symbol, add_one_##symbol, select_one_##symbol }

OPS(portable)
#ifdef __x86_64__
OPS(bmi2_avx2)
#endif

static const struct wb_p256_ops all_ops[] = {
    OPS_OF("ecdsa-p256-portable", portable),
#ifdef __x86_64__
    OPS_OF("ecdsa-p256-bmi2-avx2", bmi2_avx2),
#endif
};

const struct wb_p256_ops *wb_p256_get_ops(size_t *num)
{
    *num = sizeof(all_ops) / sizeof(all_ops[0]);
    return all_ops;
}
