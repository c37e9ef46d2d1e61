/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_p256_lanes p256-lanes, ct_sm2_lanes sm2-lanes: the C code of curves of 256 bits in lanes, src/x86/p256.c and sm2.c, with
 * functions in C in place of the assembly, to be run by valgrind (see check_ct.sh), which can't decode AVX-512: the multipliers are
 * marked undefined, so memcheck reports every branch and every address that depends on them.  Results are compared with the
 * portable implementation's, so this is the code that is meant.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#ifdef TEST_P256_LANES
#define lc_p256_mul_avx512ifma_512 model_multiply
#define lc_p256_sqr_avx512ifma_512 model_square
#define lc_p256_double_avx512ifma_512 model_double
#define lc_p256_add_avx512ifma_512 model_add
#define lc_p256_select_avx512ifma_512 model_select
#define lc_p256_select_base_avx512ifma_512 model_select_base
#define lc_p256_load_avx512ifma_512 model_load
#define lc_p256_tree_products_avx512ifma_512 model_tree_products
#define lc_p256_tree_sums_avx512ifma_512 model_tree_sums
#define lc_p256_clear_avx512ifma_512 model_clear
#define lc_p256_base_avx512ifma_512 lanes_base
#define lc_p256_multiply_avx512ifma_512 lanes_multiply
#define lc_p256_check_avx512ifma_512 lanes_check
#define lc_p256_prepare_avx512ifma_512 lanes_prepare
#define lc_p256_base_pool_avx512ifma_512 lanes_base_pool
#include "x86/p256.c"
#else
#define lc_sm2_mul_avx512ifma_512 model_multiply
#define lc_sm2_sqr_avx512ifma_512 model_square
#define lc_sm2_double_avx512ifma_512 model_double
#define lc_sm2_add_avx512ifma_512 model_add
#define lc_sm2_select_avx512ifma_512 model_select
#define lc_sm2_select_base_avx512ifma_512 model_select_base
#define lc_sm2_clear_avx512ifma_512 model_clear
#define lc_sm2_base_avx512ifma_512 lanes_base
#define lc_sm2_multiply_avx512ifma_512 lanes_multiply
#define lc_sm2_check_avx512ifma_512 lanes_check
#include "x86/sm2.c"
#endif

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

static void plus(uint64_t r[4], const uint64_t a[4], const uint64_t b[4])
{
    lc_mod_add(r, a, b, &EC(p));
}

static void minus(uint64_t r[4], const uint64_t a[4], const uint64_t b[4])
{
    lc_mod_sub(r, a, b, &EC(p));
}

/* ---- What the assembly does ---- */

void model_multiply(struct EC(fe) * r, const struct EC(fe) * a, const struct EC(fe) * b)
{
    for (size_t lane = 0; lane < LC_LANES; lane++) {
        uint64_t x[4], y[4];

        get(x, a, lane);
        get(y, b, lane);
        product(x, x, y);
        set(r, lane, x);
    }
}

void model_double(struct EC(lanes) * w, size_t times)
{
    for (; times; times--)
        for (size_t lane = 0; lane < LC_LANES; lane++) {
            uint64_t x[4], y[4], z[4], alpha[4], beta[4], gamma[4], t[4];

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
            product(z, z, z);
            set(&w->zz, lane, z);
        }
}

void model_add(struct EC(lanes) * w)
{
    for (size_t lane = 0; lane < LC_LANES; lane++) {
        uint64_t x[4], y[4], z[4], ex[4], ey[4], h[4], r[4], v[4], t[4];

        get(x, &w->x, lane);
        get(y, &w->y, lane);
        get(z, &w->z, lane);
        get(ex, &w->entry.x, lane);
        get(ey, &w->entry.y, lane);
        get(t, &w->zz, lane);
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
        product(z, z, z);
        set(&w->zz, lane, z);
    }
}

static void negate_entry(struct EC(lanes) * w)
{
    static const uint64_t zero[4];

    for (size_t lane = 0; lane < LC_LANES; lane++) {
        uint64_t y[4], t[4];

        get(y, &w->entry.y, lane);
        minus(t, zero, y);
        lc_256_move_if(y, t, w->negative[lane]);
        set(&w->entry.y, lane, y);
    }
}

void model_select(struct EC(lanes) * w, const struct EC(entry) table[LC_LANES_ENTRIES])
{
    for (size_t at = 0; at < sizeof(w->entry) / 8; at++) {
        uint64_t *to = (uint64_t *)&w->entry + at;

        *to = 0;
        for (uint64_t e = 0; e < LC_LANES_ENTRIES; e++)
            *to |= ((const uint64_t *)&table[e])[at] & lc_mask_if_zero(e ^ w->index[at % LC_LANES]);
    }
    negate_entry(w);
}

void model_select_base(struct EC(lanes) * w, const uint64_t table[10][64])
{
    for (size_t at = 0; at < sizeof(w->entry) / 8; at++) {
        uint64_t *to = (uint64_t *)&w->entry + at;

        *to = 0;
        for (uint64_t e = 0; e < 64; e++)
            *to |= table[at / LC_LANES][e] & lc_mask_if_zero(e ^ w->index[at % LC_LANES]);
    }
    negate_entry(w);
}

#ifdef TEST_P256_LANES

void model_tree_products(struct EC(fe) * products, const struct EC(entry) * a, struct EC(entry) * b, size_t half)
{
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

void model_tree_sums(struct EC(lanes) * w, struct EC(entry) * a, const struct EC(entry) * b, const struct EC(fe) * products,
                     size_t half)
{
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

/* Only for public points: not called here */
void model_load(struct EC(lanes) * w, const uint64_t (*const points[LC_LANES])[8])
{
    (void)w;
    (void)points;
}

#endif

void model_clear(void)
{
}

/* ---- ---- */

static void compare(struct EC(product) * products, const struct EC(product) * expected, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        expect_secret((const uint8_t *)&products[i].result, sizeof(products[i].result));
        (void)VALGRIND_MAKE_MEM_DEFINED(&products[i].result, sizeof(products[i].result));
        if (memcmp(&products[i].result, &expected[i].result, sizeof(expected[i].result)) != 0)
            fail("another result than the portable implementation's", i);
    }
}

int main(int argc, char **argv)
{
    static struct EC(product) products[LC_EC_POOL_MIN], expected[LC_EC_POOL_MIN];
#ifdef TEST_P256_LANES
    enum { NUM_CALLS = 3 };
    static uint8_t memory[300000];

    if (lanes_base_pool(NULL, LC_EC_POOL_MIN, NULL) > sizeof(memory))
        fail("the pool is larger", 0);
#else
    enum { NUM_CALLS = 2 };
#endif
    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with a name", 0);
    for (int what = 0; what < NUM_CALLS; what++) {
        const size_t num = what == 2 ? LC_EC_POOL_MIN : LC_LANES;

        for (size_t i = 0; i < num; i++) {
            for (size_t k = 0; k < 4; k++)
                products[i].k[k] = UINT64_C(0x0123456789abcdef) * (3 * i + k + 1);
            products[i].k[3] >>= 1;
            products[i].p = &EC(generator);
        }
        memcpy(expected, products, sizeof(expected));
        for (size_t i = 0; i < num; i += LC_EC_CHUNK)
            EC(multiply_portable)(expected + i, LC_EC_CHUNK);
        for (size_t i = 0; i < num; i++)
            make_secret(products[i].k, sizeof(products[i].k));
        if (what == 0)
            lanes_base(products, num);
        else if (what == 1)
            lanes_multiply(products, num);
#ifdef TEST_P256_LANES
        else
            lanes_base_pool(products, num, memory);
#endif
        compare(products, expected, num);
    }
    printf("%s: done\n", argv[1]);
    return 0;
}
