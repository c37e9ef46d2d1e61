/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The assembly of a curve in lanes for its tests, which have eight lanes: where vectors have LC_LANES of them, one call after
 * another takes its part.
 */
#include <string.h>

#if defined(__x86_64__) && defined(TEST_LANES)

#include "p256_internal.h"
#include "p384_internal.h"
#include "sm2_internal.h"

#include "curve_white_box.h" /* the others undefine CURVE and BITS */

#include "curve_lanes_types.h"

/* (Of void, as C has no conversion from arrays to arrays of constants.) */
static void put(struct EC(fe) * to, const void *number, size_t first)
{
    const uint64_t *from = (const uint64_t *)number + first;

    for (size_t i = 0; i < WB_LIMBS; i++)
        memcpy(to->limb[i], from + i * WB_LANES, sizeof(to->limb[i]));
}

static void get(wb_fe to, const struct EC(fe) * from, size_t first)
{
    for (size_t i = 0; i < WB_LIMBS; i++)
        memcpy(&to[i][first], from->limb[i], sizeof(from->limb[i]));
}

static void put_entry(struct EC(entry) * to, const void *entry, size_t first)
{
    const char *from = entry;

    put(&to->x, from, first);
    put(&to->y, from + sizeof(wb_fe), first);
}

static void get_entry(wb_fe to[2], const struct EC(entry) * from, size_t first)
{
    get(to[0], &from->x, first);
    get(to[1], &from->y, first);
}

static void multiply(wb_fe r, const wb_fe a, const wb_fe b)
{
    for (size_t first = 0; first < WB_LANES; first += LC_LANES) {
        struct EC(fe) x, y;

        put(&x, a, first);
        put(&y, b, first);
        LANES_OF_CURVE(mul)(&x, &x, &y);
        get(r, &x, first);
    }
}

static void square(wb_fe r, const wb_fe a)
{
    for (size_t first = 0; first < WB_LANES; first += LC_LANES) {
        struct EC(fe) x[2]; /* of 384 bits a square needs another number's memory */

        put(x, a, first);
        LANES_OF_CURVE(sqr)(x);
        get(r, x, first);
    }
}

static void put_point(struct EC(lanes) * w, wb_fe point[3], size_t first)
{
    put(&w->x, point[0], first);
    put(&w->y, point[1], first);
    put(&w->z, point[2], first);
#if BITS == 256
    LANES_OF_CURVE(mul)(&w->zz, &w->z, &w->z);
#endif
}

/* What more than 52 bits a limb of z has counts for nothing. */
static void get_point(wb_fe point[3], struct EC(lanes) * w, size_t first)
{
    for (size_t i = 0; i < WB_LIMBS; i++)
        for (size_t lane = 0; lane < LC_LANES; lane++)
            w->z.limb[i][lane] &= (UINT64_C(1) << 52) - 1;
    get(point[0], &w->x, first);
    get(point[1], &w->y, first);
    get(point[2], &w->z, first);
}

static void twice(wb_fe point[3])
{
    for (size_t first = 0; first < WB_LANES; first += LC_LANES) {
        static struct EC(lanes) w;

        put_point(&w, point, first);
        LANES_OF_CURVE(double)(&w, 1);
        get_point(point, &w, first);
    }
}

static void add(wb_fe point[3], const wb_fe entry[2], const uint64_t negative[WB_LANES])
{
    for (size_t first = 0; first < WB_LANES; first += LC_LANES) {
        static struct EC(lanes) w;
        static struct EC(entry) entries[8];

        put_point(&w, point, first);
        for (size_t i = 0; i < 8; i++)
            put_entry(&entries[i], entry, first);
        memcpy(w.negative, negative + first, sizeof(w.negative));
        LANES_OF_CURVE(select)(&w, entries); /* either this looks at the sign, or the next one does */
        LANES_OF_CURVE(add)(&w);
        get_point(point, &w, first);
    }
}

static void select_own(wb_fe entry[2], const wb_fe table[8][2], const uint64_t index[WB_LANES])
{
    for (size_t first = 0; first < WB_LANES; first += LC_LANES) {
        static struct EC(lanes) w;
        static struct EC(entry) entries[8];

        for (size_t i = 0; i < 8; i++)
            put_entry(&entries[i], table[i], first);
        memcpy(w.index, index + first, sizeof(w.index));
        LANES_OF_CURVE(select)(&w, entries);
        get_entry(entry, &w.entry, first);
    }
}

static void select_base(wb_fe entry[2], unsigned window, const uint64_t index[WB_LANES])
{
    for (size_t first = 0; first < WB_LANES; first += LC_LANES) {
        static struct EC(lanes) w;

        memcpy(w.index, index + first, sizeof(w.index));
        LANES_OF_CURVE(select_base)(&w, EC(base_table)[window]);
        get_entry(entry, &w.entry, first);
    }
}

#ifdef TEST_P256_LANES

static void load(wb_fe entry[2], const uint64_t points[WB_LANES][8], const uint64_t negative[WB_LANES])
{
    for (size_t first = 0; first < WB_LANES; first += LC_LANES) {
        static struct lc_p256_lanes w;
        static _Alignas(64) uint64_t lines[LC_LANES][8];
        const uint64_t *at[LC_LANES];

        memcpy(lines, points + first, sizeof(lines));
        for (size_t lane = 0; lane < LC_LANES; lane++)
            at[lane] = lines[lane];
        memcpy(w.negative, negative + first, sizeof(w.negative));
        LANES_OF_CURVE(load)(&w, at);
        get_entry(entry, &w.entry, first);
    }
}

#endif

#ifdef TEST_POOLS

static void point(wb_fe entry[2], const uint64_t negative[WB_LANES])
{
#if BITS == 384
    for (size_t first = 0; first < WB_LANES; first += LC_LANES) {
        static struct EC(lanes) w;

        put_entry(&w.entry, entry, first);
        memcpy(w.negative, negative + first, sizeof(w.negative));
        LANES_OF_CURVE(point)(&w);
        get_entry(entry, &w.entry, first);
    }
    for (size_t c = 0; c < 2; c++)
        for (size_t lane = 0; lane < WB_LANES; lane++) {
            int64_t carry = 0;

            for (size_t i = 0; i < WB_LIMBS; i++) {
                carry += (int64_t)entry[c][i][lane];
                entry[c][i][lane] = (uint64_t)carry & ((UINT64_C(1) << 52) - 1);
                carry >>= 52;
            }
        }
#else
    (void)entry, (void)negative;
#endif
}

static void tree_products(wb_fe *products, const wb_fe (*a)[2], wb_fe (*b)[2], size_t half)
{
    static struct EC(fe) p[2 * WB_MAX_HALF + 2];
    static struct EC(entry) x[2 * WB_MAX_HALF], y[2 * WB_MAX_HALF];

    for (size_t first = 0; first < WB_LANES; first += LC_LANES) {
        for (size_t i = 0; i < 2 * half + 2; i++)
            put(&p[i], products[i], first);
        for (size_t i = 0; i < 2 * half; i++) {
            put_entry(&x[i], a[i], first);
            put_entry(&y[i], b[i], first);
        }
        LANES_OF_CURVE(tree_products)(p, x, y, half);
        for (size_t i = 0; i < 2 * half + 2; i++)
            get(products[i], &p[i], first);
        for (size_t i = 0; i < 2 * half; i++)
            get_entry(b[i], &y[i], first);
    }
}

static void tree_sums(wb_fe (*a)[2], wb_fe (*b)[2], wb_fe *products, const wb_fe inverses[2], size_t half)
{
    static struct EC(lanes) w;
    static struct EC(fe) p[2 * WB_MAX_HALF + 2];
    static struct EC(entry) x[2 * WB_MAX_HALF], y[2 * WB_MAX_HALF];

    for (size_t first = 0; first < WB_LANES; first += LC_LANES) {
        put(&w.x, inverses[0], first);
        put(&w.y, inverses[1], first);
        for (size_t i = 0; i < 2 * half + 2; i++)
            put(&p[i], products[i], first);
        for (size_t i = 0; i < 2 * half; i++) {
            put_entry(&x[i], a[i], first);
            put_entry(&y[i], b[i], first);
        }
        LANES_OF_CURVE(tree_sums)(&w, x, y, p, half);
        for (size_t i = 0; i < 2 * half; i++) {
            get_entry(a[i], &x[i], first);
            get_entry(b[i], &y[i], first);
        }
        for (size_t i = 0; i < 2 * half + 2; i++)
            get(products[i], &p[i], first);
    }
}

#endif

#if LC_LANES == 8
#define KERNELS wb_kernels_avx512ifma_512
#define ROW "-avx512ifma-512"
#elif defined(TEST_AVXIFMA)
#define KERNELS wb_kernels_avxifma
#define ROW "-avxifma"
#else
#define KERNELS wb_kernels_avx512ifma_256
#define ROW "-avx512ifma-256"
#endif

const struct wb_kernels KERNELS = {
    SIGNATURES ROW, multiply,      square,    twice, add, select_own, select_base,
#ifdef TEST_P256_LANES
    load,
#endif
#ifdef TEST_POOLS
    point,          tree_products, tree_sums,
#endif
};

#endif
