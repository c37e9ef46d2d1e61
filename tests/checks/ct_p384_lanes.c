/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_p384_lanes p384-lanes: src/x86/curve_lanes.c with P-384 and LC_LANES lanes, and with functions in C in place of the assembly,
 * to be run by valgrind (see check_ct.sh), which can't decode AVX-512: the multipliers are marked undefined, so memcheck
 * reports every branch and every address that depends on them.  Results are compared with the portable implementation's, so this is
 * the code that is meant.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#define LC_LANES_SYMBOL model
#include "x86/p384.c"
#include "ct_curve_lanes.h"

/* ---- One lane's number as six words, in the same form, with 2^416; and products in that form ---- */

static void get(uint64_t r[6], const struct lc_p384_fe *a, size_t lane)
{
    uint64_t words[7] = { 0 }, high[6] = { 0 };

    for (int i = 0; i < 8; i++) {
        words[52 * i / 64] |= a->limb[i][lane] << (52 * i % 64);
        if (52 * i % 64 > 12)
            words[52 * i / 64 + 1] |= a->limb[i][lane] >> (64 - 52 * i % 64);
    }
    high[0] = words[6];
    lc_mod_reduce_once(r, words, 0, &lc_p384_p);
    lc_mod_mul(high, high, lc_p384_p.rr, &lc_p384_p); /* times 2^384 */
    lc_mod_add(r, r, high, &lc_p384_p);
}

static void set(struct lc_p384_fe *r, size_t lane, const uint64_t x[6])
{
    for (int i = 0; i < 8; i++) {
        uint64_t limb = x[52 * i / 64] >> (52 * i % 64);

        if (52 * i % 64 > 12 && 52 * i / 64 < 5)
            limb |= x[52 * i / 64 + 1] << (64 - 52 * i % 64);
        r->limb[i][lane] = limb & MASK52;
    }
}

static void product(uint64_t r[6], const uint64_t a[6], const uint64_t b[6])
{
    static const uint64_t factor[6] = { 0, 0, 0, 0, 0, UINT64_C(1) << 32 }; /* 2^384 / 2^32 */

    lc_mod_mul(r, a, b, &lc_p384_p);
    lc_mod_mul(r, r, factor, &lc_p384_p);
}

/* ---- What the assembly does, and others don't ---- */

static void model_select(void *w, const void *table)
{
    select_entry(w, table);
}

static void model_select_base(void *memory, const void *base_table)
{
    struct lc_p384_lanes *const w = memory;
    const uint64_t(*table)[BASE_ENTRIES] = base_table;

    for (size_t lane = 0; lane < LC_LANES; lane++) {
        uint64_t words[12] = { 0 };

        for (size_t i = 0; i < 12; i++)
            for (uint64_t e = 0; e < BASE_ENTRIES; e++)
                words[i] |= table[i][e] & lc_mask_if_zero(e ^ w->index[lane]);
        set(&w->entry.x, lane, words);
        set(&w->entry.y, lane, words + 6);
    }
    memcpy(w->sign, w->negative, sizeof(w->sign));
}

static void model_point(void *memory)
{
    struct EC(lanes) *const w = memory;

    for (size_t lane = 0; lane < LC_LANES; lane++) {
        uint64_t y[WORDS];

        get(y, &w->entry.y, lane);
        negate_if(y, w->negative[lane]);
        set(&w->entry.y, lane, y);
    }
}

/* ---- ---- */

static const struct lc_lanes_row model = {
    .curve = &p384,
    .lanes = LC_LANES,
    .one_base = lc_p384_base_portable,
    .one_multiply = lc_p384_multiply_portable,
    .one_check = lc_p384_check_portable,
    .mul = model_multiply,
    .twice = model_double,
    .add = model_add,
    .select = model_select,
    .select_base = model_select_base,
    .clear = model_clear,
    .point = model_point,
    .tree_products = model_tree_products,
    .tree_sums = model_tree_sums,
};

int main(int argc, char **argv)
{
    return compare_all(argc, argv, &model);
}
