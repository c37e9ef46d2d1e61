/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_25519_lanes 25519-lanes: the C code of Curve25519 in lanes, src/x86/curve25519.c, LC_LANES of them, and that of a ladder that
 * has four, src/x86/curve25519_one.c, with functions in C in place of the assembly, to be run by valgrind (see check_ct.sh), which
 * can't decode AVX-512: the multipliers are marked undefined, so memcheck reports every branch and every address that depends on
 * them.  Results are compared with the portable implementation's, so this is the code that is meant.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#define LC_LANES_SYMBOL model
#if LC_LANES == 4
#define lc_25519_dh_one_avx512ifma_256 lc_25519_dh_one_model
#define lc_25519_ladder_one_avx512ifma_256 lc_25519_ladder_one_model
#define lc_25519_clear_avx512ifma_256 lc_25519_clear_model
#include "x86/curve25519_one.c"
#undef lc_25519_dh_one_avx512ifma_256
#undef lc_25519_ladder_one_avx512ifma_256
#undef lc_25519_clear_avx512ifma_256
void lc_25519_dh_one_avx512ifma_256(struct lc_25519_dh *items, size_t num); /* of the row, which isn't called */
#endif
#include "x86/curve25519.c"

#include "../curve25519_lanes_types.h"

#include "fe25519.h"

/* ---- One lane's number, whose limbs are below 2^62 ---- */

static struct fe get(const struct lc_25519_fe *a, size_t lane)
{
    struct fe r;

    for (int i = 0; i < 5; i++)
        r.d[i] = (a->limb[i][lane] & FE_MASK) + (i ? a->limb[i - 1][lane] >> 51 : 19 * (a->limb[4][lane] >> 51));
    return r;
}

static void set(struct lc_25519_fe *r, size_t lane, struct fe a)
{
    for (int i = 0; i < 5; i++)
        r->limb[i][lane] = a.d[i];
}

static struct fe product(struct fe a, struct fe b)
{
    fe_mul_inline(&a, &a, &b);
    return a;
}

static struct fe plus(struct fe a, struct fe b)
{
    static const struct fe one_digit = { { 1 } };

    fe_add(&a, &a, &b);
    return product(a, one_digit);
}

static struct fe minus(struct fe a, struct fe b)
{
    static const struct fe one_digit = { { 1 } };

    fe_sub4(&a, &a, &b);
    return product(a, one_digit);
}

/* As the assembly's, so that what is subtracted from it in C isn't too small */
static void set_with_bias(struct lc_25519_fe *r, size_t lane, struct fe a)
{
    set(r, lane, a);
    for (int i = 0; i < 5; i++)
        r->limb[i][lane] += 304 * (FE_MASK - (i ? 0 : 18));
}

/* ---- What the assembly does ---- */

#define EACH_LANE for (size_t lane = 0; lane < LC_LANES; lane++)

static void model_mul(void *r, const void *a, const void *b)
{
    EACH_LANE
    set(r, lane, product(get(a, lane), get(b, lane)));
}

static void square(struct lc_25519_fe *r, const struct lc_25519_fe *a, size_t times)
{
    EACH_LANE
    {
        struct fe x = get(a, lane);

        for (size_t i = 0; i < times; i++)
            x = product(x, x);
        set(r, lane, x);
    }
}

static void model_sqr_two(void *both, size_t times)
{
    struct lc_25519_fe *const a = both;

    square(&a[0], &a[0], times);
    square(&a[1], &a[1], times);
}

static void model_sums(void *sum, void *difference, const void *a, const void *b)
{
    EACH_LANE
    {
        const struct fe x = get(a, lane), y = get(b, lane);

        set(sum, lane, plus(x, y));
        set(difference, lane, minus(x, y));
    }
}

static void model_ladder(void *memory)
{
    struct lc_25519_ladder *const w = memory;
    static const struct fe a24 = { { 121665 } };

    EACH_LANE
    {
        struct fe x1 = get(&w->x1, lane), x2 = get(&w->x2, lane), z2 = get(&w->z2, lane), x3 = get(&w->x3, lane),
                  z3 = get(&w->z3, lane);

        for (int bit = 254; bit >= 0; bit--) {
            const int shift = bit / 64 == 3 ? 62 - (254 - bit) + 1 : bit % 64; /* the highest word's bits are one higher */
            const uint64_t swap = 0 - (w->bits[bit / 64][lane] >> shift & 1);
            struct fe a, b, e, da, cb;

            fe_swap_if(&x2, &x3, swap);
            fe_swap_if(&z2, &z3, swap);
            a = plus(x2, z2);
            b = minus(x2, z2);
            da = product(minus(x3, z3), a);
            cb = product(plus(x3, z3), b);
            a = product(a, a);
            b = product(b, b);
            e = minus(a, b);
            x2 = product(a, b);
            z2 = product(e, plus(a, product(a24, e)));
            x3 = plus(da, cb);
            x3 = product(x3, x3);
            z3 = minus(da, cb);
            z3 = product(x1, product(z3, z3));
        }
        set(&w->x2, lane, x2);
        set(&w->z2, lane, z2);
    }
}

#if LC_LANES == 4
void lc_25519_clear_model(void)
{
}

/* The multiple and the sum; the upper half isn't used then. */
void lc_25519_ladder_one_model(struct lc_25519_ladder_one *w)
{
    static struct lc_25519_ladder ladder;
    uint64_t above = 0;

    memset(&ladder, 0, sizeof(ladder));
    for (int i = 0; i < 5; i++)
        ladder.x1.limb[i][0] = ladder.x3.limb[i][0] = w->u[i][0];
    ladder.x2.limb[0][0] = ladder.z3.limb[0][0] = 1;
    for (int i = 3; i >= 0; i--) {
        ladder.bits[i][0] = w->k[i] ^ (w->k[i] >> 1 | above << 63);
        above = w->k[i];
    }
    ladder.bits[3][0] <<= 1;
    model_ladder(&ladder);
    const struct fe x = get(&ladder.x2, 0), z = get(&ladder.z2, 0), sum = plus(x, z), difference = minus(x, z);
    for (int i = 0; i < 5; i++) {
        w->lanes[i][0] = sum.d[i];
        w->lanes[i][1] = difference.d[i];
    }
}
#endif

static void finish(struct lc_25519_lanes *w, size_t lane, struct fe e, struct fe f, struct fe g, struct fe h)
{
    set(&w->x, lane, product(e, f));
    set_with_bias(&w->y, lane, product(g, h));
    set_with_bias(&w->z, lane, product(f, g));
    set(&w->t, lane, product(e, h));
}

static void model_twice(void *memory, size_t times)
{
    struct lc_25519_lanes *const w = memory;

    for (; times; times--)
        EACH_LANE
        {
            const struct fe x = get(&w->x, lane), y = get(&w->y, lane), z = get(&w->z, lane), xy = product(x, y);
            const struct fe xx = product(x, x), yy = product(y, y), zz = product(z, z), g = minus(yy, xx);

            finish(w, lane, plus(xy, xy), minus(plus(zz, zz), g), g, plus(xx, yy));
        }
}

static void add_entry(struct lc_25519_lanes *w, size_t lane, struct fe e_plus, struct fe e_minus, struct fe e_t, struct fe e_z,
                      uint64_t negative)
{
    const struct fe x = get(&w->x, lane), y = get(&w->y, lane), dd = product(get(&w->z, lane), e_z);
    struct fe a, b, c = product(get(&w->t, lane), e_t), f, g;

    fe_swap_if(&e_plus, &e_minus, negative);
    a = product(minus(y, x), e_minus);
    b = product(plus(y, x), e_plus);
    f = minus(dd, c);
    g = plus(dd, c);
    fe_swap_if(&f, &g, negative);
    set(&w->u[1], lane, plus(b, a));
    set(&w->u[2], lane, minus(b, a));
    finish(w, lane, minus(b, a), f, g, plus(b, a));
}

static void select_entry(struct fe entry[3], const uint64_t window[15][LC_25519_BASE_ENTRIES], uint64_t index)
{
    memset(entry, 0, 3 * sizeof(entry[0]));
    for (size_t limb = 0; limb < 15; limb++)
        for (uint64_t e = 0; e < LC_25519_BASE_ENTRIES; e++)
            entry[limb / 5].d[limb % 5] |= window[limb][e] & lc_mask_if_zero(e ^ index);
}

static void model_first(void *memory, const uint64_t window[15][LC_25519_BASE_ENTRIES])
{
    struct lc_25519_lanes *const w = memory;

    static const struct fe two_digits = { { 2 } };

    EACH_LANE
    {
        struct fe entry[3];

        select_entry(entry, window, w->index[lane]);
        set(&w->x, lane, minus(entry[0], entry[1]));
        set_with_bias(&w->y, lane, plus(entry[0], entry[1]));
        set_with_bias(&w->z, lane, two_digits);
        set(&w->addend.t, lane, entry[2]);
    }
}

static void model_comb(void *memory, const uint64_t (*table)[15][LC_25519_BASE_ENTRIES], size_t windows)
{
    struct lc_25519_lanes *const w = memory;

    if (!table) {
        EACH_LANE
        add_entry(w, lane, get(&w->addend.plus, lane), get(&w->addend.minus, lane), get(&w->addend.t, lane),
                  get(&w->addend.z, lane), w->negative[lane]);
        return;
    }
    for (size_t i = 0; i < windows; i++)
        EACH_LANE
        {
            static const struct fe two_digits = { { 2 } };
            struct fe entry[3];
            const uint64_t digit = w->k[i / 11][lane] >> 5 * (i % 11), negative = lc_opaque((digit >> 4 & 1) - 1);

            select_entry(entry, table[i], (digit ^ negative) & 15);
            add_entry(w, lane, entry[0], entry[1], entry[2], two_digits, negative);
        }
}

static void model_replace_zeros(void *number, uint64_t *used)
{
    const struct work w = { .lanes = LC_LANES };
    struct lc_25519_fe *const a = number;

    EACH_LANE
    {
        uint64_t x[4];

        get_lane(&w, x, a->limb[0], lane);
        used[lane] = ~lc_words_are_zero(x, 4);
        for (int i = 0; i < 5; i++)
            a->limb[i][lane] = (a->limb[i][lane] & used[lane]) + (i ? 0 : used[lane] + 1);
    }
}

static void model_exchange(void *to, const void *a, size_t other)
{
    struct lc_25519_fe *const r = to;
    struct lc_25519_fe from;

    memcpy(&from, a, sizeof(from));

    EACH_LANE
    for (int i = 0; i < 5; i++)
        r->limb[i][lane] = from.limb[i][lane ^ other];
}

static void model_rows(uint64_t *rows, const void *addend)
{
    const uint64_t(*limbs)[LC_LANES] = addend;

    EACH_LANE
    for (size_t i = 0; i < 20; i++)
        rows[lane * LC_25519_ROW + i] = limbs[i][lane];
}

static void model_take(void *memory, const uint64_t *const *rows)
{
    struct lc_25519_lanes *const w = memory;
    uint64_t(*limbs)[LC_LANES] = &w->addend.plus.limb[0];

    EACH_LANE
    for (size_t i = 0; i < 20; i++)
        limbs[i][lane] = rows[lane][i];
}

static void model_clear(void)
{
}

static const struct lc_25519_row model = {
    .lanes = LC_LANES,
    .least = 2,
    .dh_of_few = lc_25519_dh_portable,
    .mul = model_mul,
    .sqr_two = model_sqr_two,
    .sums = model_sums,
    .ladder = model_ladder,
    .twice = model_twice,
    .comb = model_comb,
    .first = model_first,
    .replace_zeros = model_replace_zeros,
    .exchange = model_exchange,
    .rows = model_rows,
    .take = model_take,
    .clear = model_clear,
};

/* ---- ---- */

static void compare(void *result, const void *expected, size_t len)
{
    expect_secret(result, len);
    (void)VALGRIND_MAKE_MEM_DEFINED(result, len);
    if (memcmp(result, expected, len) != 0)
        fail("another result than the portable implementation's", len);
}

#define EACH_ITEM for (size_t i = 0; i < LC_25519_CHUNK; i++)

int main(int argc, char **argv)
{
    static struct lc_25519_dh dh[LC_25519_CHUNK], expected_dh[LC_25519_CHUNK];
    static struct lc_25519_base base[LC_25519_CHUNK], expected_base[LC_25519_CHUNK];
    static struct lc_25519_point points[LC_25519_CHUNK];
    static struct lc_25519_check checks[LC_25519_CHUNK], expected_checks[LC_25519_CHUNK];

    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with a name", 0);
    EACH_ITEM
    {
        for (size_t k = 0; k < 4; k++)
            dh[i].k[k] = base[i].k[k] = UINT64_C(0x0123456789abcdef) * (3 * i + k + 1);
        lc_25519_clamp(dh[i].k);
        base[i].k[3] >>= 1;
        dh[i].u[0] = 9 + i;
    }
    memcpy(expected_dh, dh, sizeof(dh));
    memcpy(expected_base, base, sizeof(base));
    lc_25519_dh_portable(expected_dh, LC_25519_CHUNK);
    lc_25519_base_portable(expected_base, LC_25519_CHUNK);
    lc_25519_base_u_portable(expected_base, LC_25519_CHUNK);
    EACH_ITEM
    {
        make_secret(dh[i].k, sizeof(dh[i].k));
        make_secret(base[i].k, sizeof(base[i].k));
    }
    dh_by_row(dh, LC_25519_CHUNK, &model);
    base_by_row(base, LC_25519_CHUNK, &model);
    base_u_by_row(base, LC_25519_CHUNK, &model);
    EACH_ITEM
    {
        compare(dh[i].result, expected_dh[i].result, sizeof(dh[i].result));
        compare(&base[i].result, &expected_base[i].result, sizeof(base[i].result));
        compare(base[i].u, expected_base[i].u, sizeof(base[i].u));
    }
#if LC_LANES == 4
    lc_25519_dh_one_model(&dh[1], 1);
    compare(dh[1].result, expected_dh[1].result, sizeof(dh[1].result));
#endif
    /* Public, but the models do it right as well. */
    EACH_ITEM
    {
        points[i] = expected_base[i].result;
        for (size_t k = 0; k < 4; k++) {
            checks[i].s[k] = UINT64_C(0xfedcba9876543210) * (5 * i + k + 1) >> (k < 3 ? 0 : 4);
            checks[i].k[k] = UINT64_C(0x0f1e2d3c4b5a6978) * (7 * i + k + 2) >> (k < 3 ? 0 : 4);
        }
        checks[i].a = &points[i];
    }
    memcpy(expected_checks, checks, sizeof(checks));
    lc_25519_check_portable(expected_checks, LC_25519_CHUNK);
    check_by_row(checks, LC_25519_CHUNK, &model);
    if (memcmp(checks, expected_checks, sizeof(checks)) != 0)
        fail("check: another result than the portable implementation's", 0);
    printf("%s: done\n", argv[1]);
    return 0;
}
