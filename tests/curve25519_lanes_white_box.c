/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The assembly of Curve25519 in lanes for its tests, which have eight lanes: where vectors have LC_LANES of them, one call after
 * another takes its part.
 */
#include "curve25519_white_box.h"

#ifdef __x86_64__

#include "curve25519_lanes_types.h"
#include "x86/curve25519_one.h"

#define EACH_PART for (size_t first = 0; first < 8; first += LC_LANES)

/* Numbers next to each other */
static void put(struct lc_25519_fe *to, const uint64_t (*from)[8], size_t num, size_t first)
{
    for (size_t n = 0; n < num; n++)
        for (size_t i = 0; i < 5; i++)
            memcpy(to[n].limb[i], &from[5 * n + i][first], sizeof(to[n].limb[i]));
}

static void get(uint64_t (*to)[8], const struct lc_25519_fe *from, size_t num, size_t first)
{
    for (size_t n = 0; n < num; n++)
        for (size_t i = 0; i < 5; i++)
            memcpy(&to[5 * n + i][first], from[n].limb[i], sizeof(from[n].limb[i]));
}

static void mul(uint64_t r[5][8], const uint64_t a[5][8], const uint64_t b[5][8])
{
    EACH_PART
    {
        struct lc_25519_fe x, y;

        put(&x, a, 1, first);
        put(&y, b, 1, first);
        LC_IN_LANES(lc_25519_mul)(&x, &x, &y);
        get(r, &x, 1, first);
    }
}

static void sqr(uint64_t r[5][8], const uint64_t a[5][8], size_t times)
{
    EACH_PART
    {
        struct lc_25519_fe x;

        put(&x, a, 1, first);
        LC_IN_LANES(lc_25519_sqr)(&x, &x, times);
        get(r, &x, 1, first);
    }
}

static void sqr_two(uint64_t a[2][5][8], size_t times)
{
    EACH_PART
    {
        struct lc_25519_fe both[2];

        put(both, (const uint64_t(*)[8])a[0], 2, first);
        LC_IN_LANES(lc_25519_sqr_two)(both, times);
        get(a[0], both, 2, first);
    }
}

static void sums(uint64_t sum[5][8], uint64_t difference[5][8], const uint64_t a[5][8], const uint64_t b[5][8])
{
    EACH_PART
    {
        struct lc_25519_fe x, y;

        put(&x, a, 1, first);
        put(&y, b, 1, first);
        LC_IN_LANES(lc_25519_sums)(&x, &y, &x, &y);
        get(sum, &x, 1, first);
        get(difference, &y, 1, first);
    }
}

static void replace_zeros(uint64_t a[5][8], uint64_t used[8])
{
    EACH_PART
    {
        _Alignas(8 * LC_LANES) uint64_t part[LC_LANES];
        struct lc_25519_fe x;

        put(&x, (const uint64_t(*)[8])a, 1, first);
        LC_IN_LANES(lc_25519_replace_zeros)(&x, part);
        get(a, &x, 1, first);
        memcpy(used + first, part, sizeof(part));
    }
}

static void twice(uint64_t point[4][5][8])
{
    EACH_PART
    {
        static struct lc_25519_lanes w;

        put(&w.x, (const uint64_t(*)[8])point[0], 4, first);
        LC_IN_LANES(lc_25519_double)(&w, 1);
        get(point[0], &w.x, 4, first);
    }
}

static void add(uint64_t point[4][5][8], const uint64_t addend[4][5][8], const uint64_t negative[8])
{
    EACH_PART
    {
        static struct lc_25519_lanes w;

        put(&w.x, (const uint64_t(*)[8])point[0], 4, first);
        put(&w.addend.plus, addend[0], 4, first);
        memcpy(w.negative, negative + first, sizeof(w.negative));
        LC_IN_LANES(lc_25519_comb)(&w, NULL, 1);
        get(point[0], &w.x, 4, first);
    }
}

static void add_base(uint64_t point[4][5][8], unsigned window, const uint64_t digits[8])
{
    EACH_PART
    {
        static struct lc_25519_lanes w;

        put(&w.x, (const uint64_t(*)[8])point[0], 4, first);
        memset(w.k, 0, sizeof(w.k));
        memcpy(w.k[0], digits + first, sizeof(w.k[0]));
        LC_IN_LANES(lc_25519_comb)(&w, &lc_25519_base_table[window], 1);
        get(point[0], &w.x, 4, first);
    }
}

static void take(uint64_t limbs[20][8], const uint64_t *const rows[8])
{
    EACH_PART
    {
        static struct lc_25519_lanes w;

        LC_IN_LANES(lc_25519_take)(&w, rows + first);
        get(limbs, &w.addend.plus, 4, first);
    }
}

static void multiples(uint64_t table[17][4][5][8], const uint64_t x[5][8], const uint64_t y[5][8])
{
    EACH_PART
    {
        static struct lc_25519_rows entries[LC_25519_ENTRIES];
        static struct lc_25519_fe point[2];

        put(&point[0], x, 1, first);
        put(&point[1], y, 1, first);
        lc_25519_multiples(entries[0].lane[0], LC_25519_ENTRIES, point[0].limb[0], point[1].limb[0], &LC_IN_LANES(lc_25519_row));
        for (size_t i = 0; i < LC_25519_ENTRIES; i++)
            for (size_t limb = 0; limb < 20; limb++)
                for (size_t lane = 0; lane < LC_LANES; lane++)
                    table[i][limb / 5][limb % 5][first + lane] = entries[i].lane[lane][limb];
    }
}

#if LC_LANES == 8
#define KERNELS wb_25519_kernels_avx512ifma_512
#define ROW "ed25519-avx512ifma-512"
#define LADDER_ONE NULL
#define LADDER_RADIX52 ladder_radix52

void lc_25519_ladder_avx512ifma_512_radix52(void *w);

static void ladder_radix52(uint64_t numbers[4][5][8], const uint64_t bits[4][8])
{
    static struct lc_25519_ladder w;

    put(&w.x1, (const uint64_t(*)[8])numbers[0], 3, 0);
    put(&w.z3, (const uint64_t(*)[8])numbers[3], 1, 0);
    memcpy(w.bits, bits, sizeof(w.bits));
    lc_25519_ladder_avx512ifma_512_radix52(&w);
    get(numbers[1], &w.x2, 2, 0);
}
#elif defined(TEST_AVXIFMA)
#define KERNELS wb_25519_kernels_avxifma
#define ROW "ed25519-avxifma"
#define LADDER_ONE NULL
#define LADDER_RADIX52 NULL
#else
#define KERNELS wb_25519_kernels_avx512ifma_256
#define ROW "ed25519-avx512ifma-256"
#define LADDER_ONE ladder_one
#define LADDER_RADIX52 NULL

static void ladder_one(uint64_t lanes[5][8], const uint64_t u[5][8], const uint64_t k[4])
{
    struct lc_25519_ladder_one w;

    for (size_t i = 0; i < 5; i++) {
        memcpy(w.lanes[i], lanes[i], sizeof(w.lanes[i]));
        memcpy(w.u[i], u[i], sizeof(w.u[i]));
    }
    memcpy(w.k, k, sizeof(w.k));
    lc_25519_ladder_one_avx512ifma_256(&w);
    for (size_t i = 0; i < 5; i++)
        memcpy(lanes[i], w.lanes[i], sizeof(w.lanes[i]));
}
#endif

const struct wb_25519_kernels KERNELS = { ROW, mul,      sqr,  sqr_two,   sums,       replace_zeros, twice,
                                          add, add_base, take, multiples, LADDER_ONE, LADDER_RADIX52 };

#endif
