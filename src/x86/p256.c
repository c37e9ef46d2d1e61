/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * P-256 in the lanes of vectors: x86/curve256_body.h with its numbers, and what only P-256 has.
 *
 * -- Prepared keys --------------------------------------------------------------------------------------------------------------
 *
 * A key that is prepared has tables like the generator's, so that there is nothing to double.  But an entry is a line of the cache,
 * not a limb of all next to each other: as nothing is secret, each lane loads what it needs, from its own key's table.  That takes
 * 50 cycles instead of 95, and two lanes under one key are nothing else than two under different ones.
 * Making it takes 252 doublings, of one lane; then each lane has a window.  There are no exceptions: all are odd multiples of
 * 2^(7i) Q, up to 127.
 *
 * -- Pools ----------------------------------------------------------------------------------------------------------------------
 *
 * A pool of operations (32 or more) adds the 43 entries of each in affine form, as a tree, in six rounds: 21 additions, 11, 5, 3,
 * .. An affine addition takes six multiplications instead of eleven, but needs an inverse, which all additions of a round share, in
 * all vectors: three of the six.  If the lowest windows of two sums are different, so are the sums, as numbers: these have other
 * powers of 2, 2^(6 i) for the window i.  Modulo n again, sum or difference of two may be n, for a few multipliers, as all digits
 * are below 2^256.  Then a difference of x is 0, and so is the lane's product of all differences.  That doesn't reach other lanes,
 * and the whole pool is computed again as above.
 */
#include "p256.h"

#define CURVE p256
#define BITS 256
#define ONE(name) lc_p256_##name##_bmi2_avx2
#if LC_LANES == 8
#define FOUR(name) lc_p256_##name##_avx512ifma_256
enum { FEW_BASE = 1, FEW_MULTIPLY = 2, FEW_CHECK = 2 };
#else
enum { FEW_BASE = LC_LANES_LEAST - 1, FEW_MULTIPLY = LC_LANES_LEAST - 1, FEW_CHECK = LC_LANES_LEAST - 1 };
#endif
#include "curve256_body.h"

static const struct lc_p256_fe one = {
    { LANES_OF(UINT64_C(0x0000000000010)), LANES_OF(UINT64_C(0xf000000000000)), LANES_OF(UINT64_C(0xfffffffffffff)),
      LANES_OF(UINT64_C(0xffeffffffffff)), LANES_OF(UINT64_C(0x00000000fffff)) }
}; /* 2^260 mod p */
static const struct lc_p256_fe to_words = {
    { LANES_OF(UINT64_C(0x0000000000001)), LANES_OF(UINT64_C(0xff00000000000)), LANES_OF(UINT64_C(0xfffffffffffff)),
      LANES_OF(UINT64_C(0xfffefffffffff)), LANES_OF(UINT64_C(0x000000000ffff)) }
}; /* 2^256 mod p */
static const struct lc_p256_fe of_inverse = {
    { LANES_OF(UINT64_C(0xffd0000000a00)), LANES_OF(UINT64_C(0xfffffff7fffff)), LANES_OF(UINT64_C(0xffffcffffffed)),
      LANES_OF(UINT64_C(0x0100000005fff)), LANES_OF(UINT64_C(0x0000018000000)) }
}; /* 2^776 mod p */
static const uint64_t limbs_of_p[5] = { MASK52, MASK52 >> 8, 0, UINT64_C(1) << 36, (UINT64_C(1) << 48) - (1 << 16) };

/* ---- Public keys with a table of their own: nothing of this is secret ---- */

/* (2e + 1) 2^(7i) Q in window i, entry e: x and y in four words each, below p, in Montgomery's form with 2^260 */
typedef uint64_t key_table[LC_P256_KEY_WINDOWS][LC_P256_KEY_ENTRIES][8];

enum { LINE = 64, KEY_VECTORS = (LC_P256_KEY_WINDOWS + LC_LANES - 1) / LC_LANES };

/* Where the table is in the caller's memory: at lines of the cache, one for an entry */
static void *align(const void *table)
{
    return (void *)(((uintptr_t)table + LINE - 1) & -(uintptr_t)LINE);
}

/* The lanes' entry e, each in the window that is in the lane */
static void put_entry(key_table *table, size_t first_window, size_t e, const struct lc_p256_entry *entry)
{
    for (size_t lane = 0; lane < LC_LANES && first_window + lane < LC_P256_KEY_WINDOWS; lane++) {
        uint64_t *words = (*table)[first_window + lane][e];

        get_lane(words, &entry->x, lane);
        get_lane(words + 4, &entry->y, lane);
    }
}

static void move_lane(struct lc_p256_fe *r, size_t lane, const struct lc_p256_fe *a)
{
    for (int i = 0; i < 5; i++)
        r->limb[i][lane] = a->limb[i][0];
}

/* The points 2^(7i) Q, affine, each in a lane of its own */
static void key_windows(struct lc_p256_entry entries[KEY_VECTORS], struct lc_p256_lanes *w)
{
    struct lc_p256_fe z[KEY_VECTORS], products[KEY_VECTORS], inverse, t;
    uint64_t zero[LC_LANES];

    begin(w);
    for (size_t i = 0; i < (size_t)KEY_VECTORS * LC_LANES; i++) {
        move_lane(&entries[i / LC_LANES].x, i % LC_LANES, &w->x);
        move_lane(&entries[i / LC_LANES].y, i % LC_LANES, &w->y);
        move_lane(&z[i / LC_LANES], i % LC_LANES, &w->z);
        if (i + 1 < LC_P256_KEY_WINDOWS) /* what is left of the last vector has the last one again */
            LANES(double)(w, LC_P256_KEY_BITS);
    }
    products[0] = z[0];
    for (size_t i = 1; i < KEY_VECTORS; i++)
        multiply(&products[i], &products[i - 1], &z[i]);
    invert(&inverse, &products[KEY_VECTORS - 1], zero);
    for (size_t i = KEY_VECTORS; i-- > 0;) {
        t = inverse;
        if (i > 0) {
            multiply(&t, &inverse, &products[i - 1]);
            multiply(&inverse, &inverse, &z[i]);
        }
        multiply(&z[i], &t, &t);
        multiply(&entries[i].x, &entries[i].x, &z[i]);
        multiply(&z[i], &z[i], &t);
        multiply(&entries[i].y, &entries[i].y, &z[i]);
    }
}

/* Sum = k Q for each lane's table of Q */
static void multiply_prepared(struct lc_p256_lanes *w, const key_table *const tables[LC_LANES], const struct digits *d)
{
    const uint64_t(*points[LC_LANES])[8];

    for (unsigned i = 0; i < LC_P256_KEY_WINDOWS; i++) {
        set_digit(w, d, i, LC_P256_KEY_WINDOWS, LC_P256_KEY_BITS);
        for (size_t lane = 0; lane < LC_LANES; lane++)
            points[lane] = &(*tables[lane])[i][w->index[lane]];
        LANES(load)(w, points);
        if (i == 0)
            begin(w);
        else
            LANES(add)(w);
    }
}

static void sum_checks(struct lc_p256_lanes *w, const struct lc_p256_check *checks, size_t num)
{
    struct digits d;
    const key_table *tables[LC_LANES];

    if (!checks[0].table) {
        sum_two_multiples(w, checks, num);
        return;
    }
    for (size_t lane = 0; lane < LC_LANES; lane++) {
        make_odd(&d, lane, checks[item_of(lane, num)].u2);
        tables[lane] = align(checks[item_of(lane, num)].table);
    }
    multiply_prepared(w, tables, &d);
    for (size_t lane = 0; lane < LC_LANES; lane++)
        make_odd(&d, lane, checks[item_of(lane, num)].u1);
    add_base_pass(w, &d, 0, 0);
}

size_t LANES(prepare)(void *table, const struct lc_p256_point *q)
{
    struct lc_p256_entry windows[KEY_VECTORS], multiples[LC_LANES_ENTRIES - 1];
    const struct lc_p256_point *points[LC_LANES];
    struct lc_p256_lanes w;
    struct lc_p256_fe z;

    if (!table)
        return sizeof(key_table) + LINE - 1;
    for (size_t lane = 0; lane < LC_LANES; lane++)
        points[lane] = q;
    put_points(&w.entry, points);
    key_windows(windows, &w);
    for (size_t i = 0; i < KEY_VECTORS; i++) {
        put_entry(align(table), i * LC_LANES, 0, &windows[i]);
        w.entry = windows[i];
        begin_multiples(&w, &z);
        for (size_t e = 1; e < LC_P256_KEY_ENTRIES; e += LC_LANES_ENTRIES - 1) {
            next_multiples(multiples, LC_LANES_ENTRIES - 1, &w, &z);
            for (size_t k = 0; k < LC_LANES_ENTRIES - 1; k++)
                put_entry(align(table), i * LC_LANES, e + k, &multiples[k]);
        }
    }
    return sizeof(key_table) + LINE - 1;
}

_Static_assert((LC_P256_KEY_ENTRIES - 1) % (LC_LANES_ENTRIES - 1) == 0, "a key's multiples are made in equal parts");
_Static_assert(LC_P256_KEY_ENTRIES == 1 << (LC_P256_KEY_BITS - 1), "tables have the odd multiples");
/* ---- Pools ---- */

/*
 * What a pool of operations has in its memory: the points of all vectors, window by window; the products for their differences;
 * digits.  In that order, for the number of vectors that there are.
 */
struct pool {
    struct lc_p256_lanes w;
    struct lc_p256_fe inverse;
    uint64_t zero[LC_LANES], bad[LC_LANES];
    struct lc_p256_entry points[];
};
enum { FIRST_PAIRS = BASE_WINDOWS / 2 };

static size_t pool_len(size_t num_vectors)
{
    return LINE - 1 + sizeof(struct pool) + num_vectors * BASE_WINDOWS * sizeof(struct lc_p256_entry) +
           (num_vectors * FIRST_PAIRS + 2) * sizeof(struct lc_p256_fe) + num_vectors * sizeof(struct digits);
}

size_t LANES(base_pool)(struct lc_p256_product *products, size_t num, void *memory)
{
    const size_t num_vectors = num / LC_LANES;
    struct lc_p256_fe *differences;
    struct pool *v;
    struct digits *d;
    uint64_t any = 0;

    if (!memory)
        return pool_len(num_vectors);
    v = align(memory);
    differences = (struct lc_p256_fe *)(v->points + num_vectors * BASE_WINDOWS);
    d = (struct digits *)(differences + num_vectors * FIRST_PAIRS + 2);
    memset(v->bad, 0, sizeof(v->bad));
    for (size_t i = 0; i < num; i++)
        make_odd(&d[i / LC_LANES], i % LC_LANES, products[i].k);
    for (unsigned i = 0; i < BASE_WINDOWS; i++)
        for (size_t k = 0; k < num_vectors; k++) { /* all vectors of a window, as its part of the table is near then */
            set_digit(&v->w, &d[k], i, BASE_WINDOWS, BASE_BITS);
            LANES(select_base)(&v->w, EC(base_table)[i]);
            v->points[i * num_vectors + k] = v->w.entry;
        }
    for (size_t left = BASE_WINDOWS; left > 1; left -= left / 2) {
        const size_t half = left / 2 * num_vectors / 2;
        struct lc_p256_entry *others = v->points + (left - left / 2) * num_vectors;
        struct lc_p256_fe *last = &differences[half], *last2 = &differences[2 * half + 1];

        differences[0] = differences[half + 1] = one;
        LANES(tree_products)(differences, v->points, others, half);
        multiply(&v->inverse, last, last2);
        invert(&v->inverse, &v->inverse, v->zero);
        for (size_t lane = 0; lane < LC_LANES; lane++)
            v->bad[lane] |= v->zero[lane];
        multiply(&v->w.x, &v->inverse, last2);
        multiply(&v->w.y, &v->inverse, last);
        LANES(tree_sums)(&v->w, v->points, others, differences, half);
    }
    for (size_t lane = 0; lane < LC_LANES; lane++)
        any |= v->bad[lane];
    for (size_t k = 0; k < num_vectors; k++) {
        struct lc_p256_product *results = products + k * LC_LANES;

        if (any) /* a few multipliers of all: see above */
            LANES(base)(results, LC_LANES);
        else
            put_results(results, LC_LANES, &v->points[k].x, &v->points[k].y);
    }
    lc_wipe_frame();
    LANES(clear)();
    return 0;
}

_Static_assert((LC_P256_KEY_ENTRIES - 1) % (LC_LANES_ENTRIES - 1) == 0, "a key's multiples are made in equal parts");
_Static_assert(LC_P256_KEY_ENTRIES == 1 << (LC_P256_KEY_BITS - 1), "tables have the odd multiples");
