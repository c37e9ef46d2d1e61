/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_p384_lanes p384-lanes: the C code of P-384 in lanes, src/x86/p384.c, with functions in C in place of the assembly, to be run
 * by valgrind (see check_ct.sh), which can't decode AVX-512: the multipliers are marked undefined, so memcheck reports every
 * branch and every address that depends on them.  Results are compared with the portable implementation's, so this is the code
 * that is meant.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#define lc_p384_mul_avx512ifma_512 model_multiply
#define lc_p384_sqr_avx512ifma_512 model_square
#define lc_p384_double_avx512ifma_512 model_double
#define lc_p384_add_avx512ifma_512 model_add
#define lc_p384_select_avx512ifma_512 model_select
#define lc_p384_select_base_avx512ifma_512 model_select_base
#define lc_p384_clear_avx512ifma_512 model_clear
#define lc_p384_base_avx512ifma_512 lanes_base
#define lc_p384_multiply_avx512ifma_512 lanes_multiply
#define lc_p384_check_avx512ifma_512 lanes_check
#include "x86/p384.c"

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

static void plus(uint64_t r[6], const uint64_t a[6], const uint64_t b[6])
{
    lc_mod_add(r, a, b, &lc_p384_p);
}

static void minus(uint64_t r[6], const uint64_t a[6], const uint64_t b[6])
{
    lc_mod_sub(r, a, b, &lc_p384_p);
}

/* ---- What the assembly does ---- */

void model_multiply(struct lc_p384_fe *r, const struct lc_p384_fe *a, const struct lc_p384_fe *b)
{
    for (size_t lane = 0; lane < LC_LANES; lane++) {
        uint64_t x[6], y[6];

        get(x, a, lane);
        get(y, b, lane);
        product(x, x, y);
        set(r, lane, x);
    }
}

void model_double(struct lc_p384_lanes *w, size_t times)
{
    for (; times; times--)
        for (size_t lane = 0; lane < LC_LANES; lane++) {
            uint64_t x[6], y[6], z[6], alpha[6], beta[6], gamma[6], t[6];

            get(x, &w->x, lane);
            get(y, &w->y, lane);
            get(z, &w->z, lane);
            product(t, z, z);
            minus(alpha, x, t);
            plus(t, x, t);
            product(alpha, alpha, t);
            plus(t, alpha, alpha);
            plus(alpha, alpha, t);
            product(gamma, y, y);
            product(beta, x, gamma);
            plus(beta, beta, beta);
            plus(beta, beta, beta);
            product(x, alpha, alpha);
            minus(x, x, beta);
            minus(x, x, beta);
            product(z, y, z);
            plus(z, z, z);
            minus(beta, beta, x);
            product(y, alpha, beta);
            product(gamma, gamma, gamma);
            for (int i = 0; i < 3; i++)
                plus(gamma, gamma, gamma);
            minus(y, y, gamma);
            set(&w->x, lane, x);
            set(&w->y, lane, y);
            set(&w->z, lane, z);
        }
}

void model_add(struct lc_p384_lanes *w)
{
    static const uint64_t zero[6];

    for (size_t lane = 0; lane < LC_LANES; lane++) {
        uint64_t x[6], y[6], z[6], ex[6], ey[6], h[6], r[6], v[6], t[6];

        get(x, &w->x, lane);
        get(y, &w->y, lane);
        get(z, &w->z, lane);
        get(ex, &w->entry.x, lane);
        get(ey, &w->entry.y, lane);
        minus(t, zero, ey);
        lc_384_move_if(ey, t, w->negative[lane]);
        product(t, z, z);
        product(h, ex, t);
        minus(h, h, x);
        product(t, t, z);
        product(r, ey, t);
        minus(r, r, y);
        product(z, z, h);
        product(t, h, h);
        product(v, x, t);
        product(h, h, t);
        product(x, r, r);
        minus(x, x, h);
        minus(x, x, v);
        minus(x, x, v);
        minus(v, v, x);
        product(r, r, v);
        product(y, y, h);
        minus(y, r, y);
        set(&w->x, lane, x);
        set(&w->y, lane, y);
        set(&w->z, lane, z);
    }
}

void model_select(struct lc_p384_lanes *w, const struct lc_p384_entry table[LC_LANES_ENTRIES])
{
    for (size_t at = 0; at < sizeof(w->entry) / 8; at++) {
        uint64_t *to = (uint64_t *)&w->entry + at;

        *to = 0;
        for (uint64_t e = 0; e < LC_LANES_ENTRIES; e++)
            *to |= ((const uint64_t *)&table[e])[at] & lc_mask_if_zero(e ^ w->index[at % LC_LANES]);
    }
}

void model_select_base(struct lc_p384_lanes *w, const uint64_t table[12][32])
{
    for (size_t lane = 0; lane < LC_LANES; lane++) {
        uint64_t words[12] = { 0 };

        for (size_t i = 0; i < 12; i++)
            for (uint64_t e = 0; e < 32; e++)
                words[i] |= table[i][e] & lc_mask_if_zero(e ^ w->index[lane]);
        set(&w->entry.x, lane, words);
        set(&w->entry.y, lane, words + 6);
    }
}

void model_clear(void)
{
}

/* ---- ---- */

static void compare(struct lc_p384_product *products, const struct lc_p384_product *expected)
{
    for (size_t i = 0; i < LC_LANES; i++) {
        expect_secret((const uint8_t *)&products[i].result, sizeof(products[i].result));
        (void)VALGRIND_MAKE_MEM_DEFINED(&products[i].result, sizeof(products[i].result));
        if (memcmp(&products[i].result, &expected[i].result, sizeof(expected[i].result)) != 0)
            fail("another result than the portable implementation's", i);
    }
}

int main(int argc, char **argv)
{
    static struct lc_p384_product products[LC_LANES], expected[LC_LANES];

    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with a name", 0);
    for (int multiply_points = 0; multiply_points < 2; multiply_points++) {
        for (size_t i = 0; i < LC_LANES; i++) {
            for (size_t k = 0; k < 6; k++)
                products[i].k[k] = UINT64_C(0x0123456789abcdef) * (3 * i + k + 1);
            products[i].k[5] >>= 1;
            products[i].p = &lc_p384_generator;
        }
        memcpy(expected, products, sizeof(expected));
        lc_p384_multiply_portable(expected, LC_LANES);
        for (size_t i = 0; i < LC_LANES; i++)
            make_secret(products[i].k, sizeof(products[i].k));
        if (multiply_points)
            lanes_multiply(products, LC_LANES);
        else
            lanes_base(products, LC_LANES);
        compare(products, expected);
    }
    printf("%s: done\n", argv[1]);
    return 0;
}
