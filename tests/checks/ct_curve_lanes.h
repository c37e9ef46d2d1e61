/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The functions in C in place of the assembly of curves in lanes, as far as they are the same for all curves, and the comparison:
 * for ct_curve256_lanes.c and ct_p384_lanes.c.  They include a curve's C code before, which defines CURVE and BITS (ec_names.h);
 * and they have the functions that are declared here.
 */
#include "../curve_lanes_types.h"
#include "x86/curve_lanes.c"

/* One lane's number as words, in the same form as in lanes; and products in that form */
static void get(uint64_t r[WORDS], const struct EC(fe) * a, size_t lane);
static void set(struct EC(fe) * r, size_t lane, const uint64_t x[WORDS]);
static void product(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS]);

static void plus(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS])
{
    lc_mod_add(r, a, b, &EC(p));
}

static void minus(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS])
{
    lc_mod_sub(r, a, b, &EC(p));
}

static void negate_if(uint64_t y[WORDS], uint64_t mask)
{
    static const uint64_t zero[WORDS];
    uint64_t t[WORDS];

    minus(t, zero, y);
    NUM(move_if)(y, t, mask);
}

static void set_sum(struct EC(lanes) * w, size_t lane, const uint64_t x[WORDS], const uint64_t y[WORDS], const uint64_t z[WORDS])
{
    set(&w->x, lane, x);
    set(&w->y, lane, y);
    set(&w->z, lane, z);
#if BITS == 256
    uint64_t zz[WORDS];

    product(zz, z, z);
    set(&w->zz, lane, zz);
#endif
}

static void model_multiply(void *r, const void *a, const void *b)
{
    for (size_t lane = 0; lane < LC_LANES; lane++) {
        uint64_t x[WORDS], y[WORDS];

        get(x, a, lane);
        get(y, b, lane);
        product(x, x, y);
        set(r, lane, x);
    }
}

static void model_double(void *memory, size_t times)
{
    struct EC(lanes) *const w = memory;

    for (; times; times--)
        for (size_t lane = 0; lane < LC_LANES; lane++) {
            uint64_t x[WORDS], y[WORDS], z[WORDS], alpha[WORDS], beta[WORDS], gamma[WORDS], t[WORDS];

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
            set_sum(w, lane, x, y, z);
        }
}

/* P-384 negates the entry here, the others where they select it. */
static void model_add(void *memory)
{
    struct EC(lanes) *const w = memory;

    for (size_t lane = 0; lane < LC_LANES; lane++) {
        uint64_t x[WORDS], y[WORDS], z[WORDS], ex[WORDS], ey[WORDS], h[WORDS], r[WORDS], v[WORDS], t[WORDS];

        get(x, &w->x, lane);
        get(y, &w->y, lane);
        get(z, &w->z, lane);
        get(ex, &w->entry.x, lane);
        get(ey, &w->entry.y, lane);
#if BITS == 256
        get(t, &w->zz, lane);
#else
        product(t, z, z);
        negate_if(ey, w->sign[lane]);
#endif
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
        set_sum(w, lane, x, y, z);
    }
}

static void select_entry(struct EC(lanes) * w, const void *from)
{
    const struct EC(entry) *const table = from;

    for (size_t at = 0; at < sizeof(w->entry) / 8; at++) {
        uint64_t *to = (uint64_t *)&w->entry + at;

        *to = 0;
        for (uint64_t e = 0; e < LC_LANES_ENTRIES; e++)
            *to |= ((const uint64_t *)&table[e])[at] & lc_mask_if_zero(e ^ w->index[at % LC_LANES]);
    }
#if BITS == 384
    memcpy(w->sign, w->negative, sizeof(w->sign));
#endif
}

/* ---- Pools ---- */

#ifdef TEST_POOLS

static void model_tree_products(void *p, const void *from, void *to, size_t half)
{
    struct EC(fe) *const products = p;
    const struct EC(entry) *const a = from;
    struct EC(entry) *const b = to;

    for (size_t k = 0; k < 2 * half; k++)
        for (size_t lane = 0; lane < LC_LANES; lane++) {
            const size_t at = k < half ? k : k + 1;
            uint64_t x[WORDS], y[WORDS];

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
            uint64_t u[WORDS], d[WORDS], l[WORDS], ax[WORDS], ay[WORDS], x[WORDS], t[WORDS];

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

static void model_clear(void)
{
}

/* Operations, secret, and what is expected of them; num: a multiple of LC_EC_CHUNK */
static void prepare(struct lc_ec_product *products, struct lc_ec_product *expected, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        for (size_t k = 0; k < WORDS; k++)
            products[i].k[k] = UINT64_C(0x0123456789abcdef) * (3 * i + k + 1);
        products[i].k[WORDS - 1] >>= 1;
        products[i].p = EC(generator);
    }
    memcpy(expected, products, num * sizeof(*products));
    for (size_t i = 0; i < num; i += LC_EC_CHUNK)
        EC(multiply_portable)(expected + i, LC_EC_CHUNK);
    for (size_t i = 0; i < num; i++)
        make_secret(products[i].k, BYTES);
}

/* A number that a multiple of the generator inverts, too */
static uint64_t *other_number(void)
{
    static uint64_t other[WORDS];

    memcpy(other, EC(n).one, sizeof(other));
    make_secret(other, sizeof(other));
    return other;
}

/* len: of a result, or of its x only */
static void compare(struct lc_ec_product *products, const struct lc_ec_product *expected, size_t num, size_t len)
{
    for (size_t i = 0; i < num; i++) {
        expect_secret((const uint8_t *)products[i].result, len);
        (void)VALGRIND_MAKE_MEM_DEFINED(products[i].result, len);
        if (memcmp(products[i].result, expected[i].result, len) != 0)
            fail("another result than the portable implementation's", i);
    }
}

/* All that has secrets: multiples of the generator, of other points, of the generator without y, and pools if there are any */
static int compare_all(int argc, char **argv, const struct lc_lanes_row *model)
{
    static struct lc_ec_product products[LC_EC_POOL_MIN], expected[LC_EC_POOL_MIN];
#ifdef TEST_POOLS
    enum { NUM_CALLS = 4 };
    static uint8_t memory[330000];

    if (lc_lanes_base_pool(NULL, LC_EC_POOL_MIN, NULL, NULL, model) > sizeof(memory))
        fail("the pool is larger", 0);
#else
    enum { NUM_CALLS = 3 };
#endif
    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with a name", 0);
    for (int what = 0; what < NUM_CALLS; what++) {
        const size_t num = what == 3 ? LC_EC_POOL_MIN : LC_EC_CHUNK;

        prepare(products, expected, num);
        if (what == 0)
            lc_lanes_base(products, num, other_number(), model);
        else if (what == 1)
            lc_lanes_multiply(products, num, model);
        else if (what == 2)
            lc_lanes_base_x(products, num, other_number(), model);
#ifdef TEST_POOLS
        else
            lc_lanes_base_pool(products, num, memory, other_number(), model);
#endif
        for (size_t i = 0; what >= 2 && i < num; i++)
            lc_mod_from_montgomery(expected[i].result, expected[i].result, &EC(p));
        compare(products, expected, num, what >= 2 ? BYTES : 2 * BYTES);
    }
    printf("%s: done\n", argv[1]);
    return 0;
}
