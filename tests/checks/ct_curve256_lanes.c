/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_p256_lanes p256-lanes, ct_sm2_lanes sm2-lanes: src/x86/curve_lanes.c with curves of 256 bits and LC_LANES lanes, and with
 * functions in C in place of the assembly, to be run by valgrind (see check_ct.sh), which can't decode AVX-512: the multipliers are
 * marked undefined, so memcheck reports every branch and every address that depends on them.  Results are compared with the
 * portable implementation's, so this is the code that is meant.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#define LC_LANES_SYMBOL model
#ifdef TEST_P256_LANES
#include "x86/p256.c"
#else
#include "x86/sm2.c"
#endif
#include "ct_curve_lanes.h"

/* ---- One lane's number as four words, in the same form, with 2^260; and products in that form ---- */

static void get(uint64_t r[4], const struct EC(fe) * a, size_t lane)
{
    const uint64_t l[5] = { a->limb[0][lane], a->limb[1][lane], a->limb[2][lane], a->limb[3][lane], a->limb[4][lane] };
    const uint64_t low[4] = { l[0] | l[1] << 52, l[1] >> 12 | l[2] << 40, l[2] >> 24 | l[3] << 28, l[3] >> 36 | l[4] << 16 };
    const uint64_t high[4] = { l[4] >> 48 };

    lc_mod_reduce_once(r, low, 0, &EC(p));
    lc_mod_mul((uint64_t *)high, high, EC(p).rr, &EC(p)); /* times 2^256 */
    lc_mod_add(r, r, high, &EC(p));
}

static void set(struct EC(fe) * r, size_t lane, const uint64_t x[4])
{
    r->limb[0][lane] = x[0] & MASK52;
    r->limb[1][lane] = (x[0] >> 52 | x[1] << 12) & MASK52;
    r->limb[2][lane] = (x[1] >> 40 | x[2] << 24) & MASK52;
    r->limb[3][lane] = (x[2] >> 28 | x[3] << 36) & MASK52;
    r->limb[4][lane] = x[3] >> 16;
}

static void product(uint64_t r[4], const uint64_t a[4], const uint64_t b[4])
{
    static const uint64_t sixteenth[4] = { 0, 0, 0, UINT64_C(1) << 60 }; /* 2^256 / 2^4 */

    lc_mod_mul(r, a, b, &EC(p));
    lc_mod_mul(r, r, sixteenth, &EC(p));
}

/* ---- What the assembly does, and others don't ---- */

static void negate_entry(struct EC(lanes) * w)
{
    for (size_t lane = 0; lane < LC_LANES; lane++) {
        uint64_t y[4];

        get(y, &w->entry.y, lane);
        negate_if(y, w->negative[lane]);
        set(&w->entry.y, lane, y);
    }
}

static void model_select(void *memory, const void *table)
{
    struct EC(lanes) *const w = memory;

    select_entry(w, table);
    negate_entry(w);
}

static void model_select_base(void *memory, const void *base_table)
{
    struct EC(lanes) *const w = memory;
    const uint64_t(*table)[BASE_ENTRIES] = base_table;

    for (size_t lane = 0; lane < LC_LANES; lane++) {
        uint64_t words[8] = { 0 };

        for (size_t i = 0; i < 8; i++)
            for (uint64_t e = 0; e < BASE_ENTRIES; e++)
                words[i] |= table[i][e] & lc_mask_if_zero(e ^ w->index[lane]);
        set(&w->entry.x, lane, words);
        set(&w->entry.y, lane, words + 4);
    }
    negate_entry(w);
}

#ifdef TEST_P256_LANES

static void model_tree_products(void *p, const void *from, void *to, size_t half)
{
    struct EC(fe) *const products = p;
    const struct EC(entry) *const a = from;
    struct EC(entry) *const b = to;

    for (size_t k = 0; k < 2 * half; k++)
        for (size_t lane = 0; lane < LC_LANES; lane++) {
            const size_t at = k < half ? k : k + 1;
            uint64_t x[4], y[4];

            get(x, &a[k].x, lane);
            get(y, &b[k].x, lane);
            minus(y, y, x);
            set(&b[k].x, lane, y);
            get(x, &products[at], lane);
            product(x, x, y);
            set(&products[at + 1], lane, x);
        }
}

static void model_tree_sums(void *memory, void *to, void *from, void *p, size_t half)
{
    struct EC(lanes) *const w = memory;
    struct EC(entry) *const a = to;
    const struct EC(entry) *const b = from;
    const struct EC(fe) *const products = p;

    for (size_t k = 2 * half; k-- > 0;)
        for (size_t lane = 0; lane < LC_LANES; lane++) {
            struct EC(fe) *inverse = k < half ? &w->x : &w->y;
            uint64_t u[4], d[4], l[4], ax[4], ay[4], x[4], t[4];

            get(u, inverse, lane);
            get(d, &b[k].x, lane);
            get(t, &products[k < half ? k : k + 1], lane);
            product(t, u, t);
            product(u, u, d);
            set(inverse, lane, u);
            get(ax, &a[k].x, lane);
            get(ay, &a[k].y, lane);
            get(l, &b[k].y, lane);
            minus(l, l, ay);
            product(l, l, t);
            product(x, l, l);
            minus(x, x, ax);
            minus(x, x, ax);
            minus(x, x, d);
            minus(t, ax, x);
            product(t, l, t);
            minus(t, t, ay);
            set(&a[k].x, lane, x);
            set(&a[k].y, lane, t);
        }
}

#endif

/* ---- ---- */

static const struct lc_lanes_row model = {
    .curve = &CURVE,
    .lanes = LC_LANES,
    .one_base = EC(base_portable),
    .one_multiply = EC(multiply_portable),
    .one_check = EC(check_portable),
    .mul = model_multiply,
    .twice = model_double,
    .add = model_add,
    .select = model_select,
    .select_base = model_select_base,
    .clear = model_clear,
#ifdef TEST_P256_LANES
    .tree_products = model_tree_products,
    .tree_sums = model_tree_sums,
#endif
};

int main(int argc, char **argv)
{
    static struct lc_ec_product products[LC_EC_POOL_MIN], expected[LC_EC_POOL_MIN];
#ifdef TEST_P256_LANES
    enum { NUM_CALLS = 3 };
    static uint8_t memory[320000];

    if (lc_lanes_base_pool(NULL, LC_EC_POOL_MIN, NULL, NULL, &model) > sizeof(memory))
        fail("the pool is larger", 0);
#else
    enum { NUM_CALLS = 2 };
#endif
    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with a name", 0);
    for (int what = 0; what < NUM_CALLS; what++) {
        const size_t num = what == 2 ? LC_EC_POOL_MIN : LC_EC_CHUNK;

        prepare(products, expected, num);
        if (what == 0)
            lc_lanes_base(products, num, other_number(), &model);
        else if (what == 1)
            lc_lanes_multiply(products, num, &model);
#ifdef TEST_P256_LANES
        else
            lc_lanes_base_pool(products, num, memory, other_number(), &model);
        for (size_t i = 0; what == 2 && i < num; i++)
            lc_mod_from_montgomery(expected[i].result, expected[i].result, &EC(p));
#endif
        compare(products, expected, num, what == 2 ? BYTES : 2 * BYTES);
    }
    printf("%s: done\n", argv[1]);
    return 0;
}
