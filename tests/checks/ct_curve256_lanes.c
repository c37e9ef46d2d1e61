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
#ifdef TEST_POOLS
    .tree_products = model_tree_products,
    .tree_sums = model_tree_sums,
#endif
};

int main(int argc, char **argv)
{
    return compare_all(argc, argv, &model);
}
