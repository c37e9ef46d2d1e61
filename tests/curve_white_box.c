/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "p256_internal.h"
#include "p384_internal.h"
#include "sm2_internal.h"
#ifdef __x86_64__
#include "x86/p256.h"
#include "x86/p384.h"
#include "x86/sm2.h"
#endif

#include "curve_white_box.h" /* the others undefine CURVE and BITS */

static const struct MODULUS *modulus(enum wb_modulus m)
{
    return m == WB_P ? &EC(p) : &EC(n);
}

void wb_get_modulus(uint64_t r[WORDS], enum wb_modulus m)
{
    memcpy(r, modulus(m)->m, sizeof(EC(p).m));
}

void wb_add(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], enum wb_modulus m)
{
    lc_mod_add(r, a, b, modulus(m));
}

void wb_subtract(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], enum wb_modulus m)
{
    lc_mod_sub(r, a, b, modulus(m));
}

void wb_multiply(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], enum wb_modulus m)
{
    uint64_t t[WORDS];

    lc_mod_to_montgomery(t, a, modulus(m));
    lc_mod_mul(r, t, b, modulus(m));
}

void wb_invert(uint64_t r[WORDS], const uint64_t a[WORDS], enum wb_modulus m)
{
    uint64_t t[WORDS];

    lc_mod_to_montgomery(t, a, modulus(m));
    lc_mod_inverse(t, t, modulus(m));
    lc_mod_from_montgomery(r, t, modulus(m));
}

void wb_multiple(uint8_t point[POINT_LEN], const uint64_t k[WORDS])
{
    struct EC(product) product;

    memcpy(product.k, k, sizeof(product.k));
    EC(base_portable)(&product, 1);
    EC(encode)(point, &product.result);
}

int wb_decode(uint8_t point[POINT_LEN], const uint8_t compressed[SHORT_LEN])
{
    struct EC(point) p;
    int status = EC(decode)(&p, compressed, SHORT_LEN);

    if (status == LC_OK)
        EC(encode)(point, &p);
    return status;
}

void wb_sign(const struct SIG(key) * key, uint64_t rs[2][WORDS], const uint64_t e[WORDS], const uint64_t k[WORDS])
{
    struct SIG(job) jobs[LC_EC_CHUNK];

    for (size_t i = 0; i < LC_EC_CHUNK; i++) { /* few of them might be computed one by one */
        jobs[i] = (struct SIG(job)){ .key = key };
        memcpy(jobs[i].e, e, sizeof(jobs[i].e));
        memcpy(jobs[i].k, k, sizeof(jobs[i].k));
    }
    SIG(finish)(jobs, LC_EC_CHUNK);
    memcpy(rs[0], jobs[LC_EC_CHUNK - 1].r, sizeof(jobs[0].r));
    memcpy(rs[1], jobs[LC_EC_CHUNK - 1].s, sizeof(jobs[0].s));
}

int wb_nonce(const struct SIG(key) * key, uint64_t k[WORDS], const uint64_t e[WORDS], unsigned skip)
{
    struct SIG(job) job = { .key = key, .skip = skip };
    int status;

    memcpy(job.e, e, sizeof(job.e));
    status = SIG(nonces)(&job, 1);
    memcpy(k, job.k, sizeof(job.k));
    return status;
}

int wb_base_pool(const struct SIG(key) * key, uint64_t (*points)[2][WORDS], const uint64_t (*k)[WORDS], size_t num)
{
    struct EC(product) products[LC_EC_POOL_MAX];
    static uint8_t memory[300000];

    if (!key->impl->base_pool || key->impl->base_pool(NULL, num, NULL) > sizeof(memory))
        return 0;
    for (size_t i = 0; i < num; i++)
        memcpy(products[i].k, k[i], sizeof(products[i].k));
    key->impl->base_pool(products, num, memory);
    for (size_t i = 0; i < num; i++) {
        lc_mod_from_montgomery(points[i][0], products[i].result.x, &EC(p));
        lc_mod_from_montgomery(points[i][1], products[i].result.y, &EC(p));
    }
    return 1;
}

void wb_multiples(const char *row, uint64_t (*points)[2][WORDS], const uint64_t (*k)[WORDS], size_t num, const uint64_t *of)
{
    const struct EC(impl) *impl = SIG(impls);
    struct EC(product) products[LC_EC_CHUNK], p;

    while (strcmp(impl->impl.name, row) != 0)
        impl++;
    if (of) {
        memcpy(p.k, of, sizeof(p.k));
        EC(base_portable)(&p, 1);
    }
    for (size_t i = 0; i < num; i++) {
        memcpy(products[i].k, k[i], sizeof(products[i].k));
        products[i].p = &p.result;
    }
    if (of)
        impl->multiply(products, num);
    else
        impl->base(products, num);
    for (size_t i = 0; i < num; i++) {
        lc_mod_from_montgomery(points[i][0], products[i].result.x, &EC(p));
        lc_mod_from_montgomery(points[i][1], products[i].result.y, &EC(p));
    }
}

#if defined(__x86_64__) && defined(TEST_LANES)

#if BITS == 256
/* Points of these curves have z^2 as well. */
#define FURTHER_MEMBERS(symbol, w) EC(mul_##symbol)(&(w)->zz, &(w)->z, &(w)->z)
#else
#define FURTHER_MEMBERS(symbol, w) (void)(w)
#endif

#define KERNELS(symbol)                                                                                                            \
    static void multiply_##symbol(wb_fe r, const wb_fe a, const wb_fe b)                                                           \
    {                                                                                                                              \
        struct EC(fe) x, y;                                                                                                        \
                                                                                                                                   \
        memcpy(&x, a, sizeof(x));                                                                                                  \
        memcpy(&y, b, sizeof(y));                                                                                                  \
        EC(mul_##symbol)(&x, &x, &y);                                                                                              \
        memcpy(r, &x, sizeof(x));                                                                                                  \
    }                                                                                                                              \
    static void square_##symbol(wb_fe r, const wb_fe a)                                                                            \
    {                                                                                                                              \
        struct EC(fe) x;                                                                                                           \
                                                                                                                                   \
        memcpy(&x, a, sizeof(x));                                                                                                  \
        EC(sqr_##symbol)(&x);                                                                                                      \
        memcpy(r, &x, sizeof(x));                                                                                                  \
    }                                                                                                                              \
    /* The other members that a point has; and what more than 52 bits a limb has counts for nothing */                             \
    static void complete_##symbol(struct EC(lanes) * w)                                                                            \
    {                                                                                                                              \
        FURTHER_MEMBERS(symbol, w);                                                                                                \
    }                                                                                                                              \
    static void get_point_##symbol(wb_fe point[3], const struct EC(lanes) * w)                                                     \
    {                                                                                                                              \
        memcpy(point, w, 3 * sizeof(w->x));                                                                                        \
        for (size_t i = 0; i < WB_LIMBS; i++)                                                                                      \
            for (size_t lane = 0; lane < WB_LANES; lane++)                                                                         \
                point[2][i][lane] &= (UINT64_C(1) << 52) - 1;                                                                      \
    }                                                                                                                              \
    static void twice_##symbol(wb_fe point[3])                                                                                     \
    {                                                                                                                              \
        static struct EC(lanes) w;                                                                                                 \
                                                                                                                                   \
        memcpy(&w, point, 3 * sizeof(w.x));                                                                                        \
        complete_##symbol(&w);                                                                                                     \
        EC(double_##symbol)(&w, 1);                                                                                                \
        get_point_##symbol(point, &w);                                                                                             \
    }                                                                                                                              \
    static void add_##symbol(wb_fe point[3], const wb_fe entry[2], const uint64_t negative[WB_LANES])                              \
    {                                                                                                                              \
        static struct EC(lanes) w;                                                                                                 \
        static struct EC(entry) entries[8];                                                                                        \
                                                                                                                                   \
        memcpy(&w, point, 3 * sizeof(w.x));                                                                                        \
        complete_##symbol(&w);                                                                                                     \
        for (size_t i = 0; i < 8; i++)                                                                                             \
            memcpy(&entries[i], entry, sizeof(entries[i]));                                                                        \
        memcpy(w.negative, negative, sizeof(w.negative));                                                                          \
        EC(select_##symbol)(&w, entries); /* either this looks at the sign, or the next one does */                                \
        EC(add_##symbol)(&w);                                                                                                      \
        get_point_##symbol(point, &w);                                                                                             \
    }                                                                                                                              \
    static void select_##symbol(wb_fe entry[2], const wb_fe table[8][2], const uint64_t index[WB_LANES])                           \
    {                                                                                                                              \
        static struct EC(lanes) w;                                                                                                 \
        static struct EC(entry) entries[8];                                                                                        \
                                                                                                                                   \
        memcpy(entries, table, sizeof(entries));                                                                                   \
        memcpy(w.index, index, sizeof(w.index));                                                                                   \
        EC(select_##symbol)(&w, entries);                                                                                          \
        memcpy(entry, &w.entry, sizeof(w.entry));                                                                                  \
    }                                                                                                                              \
    static void select_base_##symbol(wb_fe entry[2], unsigned window, const uint64_t index[WB_LANES])                              \
    {                                                                                                                              \
        static struct EC(lanes) w;                                                                                                 \
                                                                                                                                   \
        memcpy(w.index, index, sizeof(w.index));                                                                                   \
        EC(select_base_##symbol)(&w, EC(base_table)[window]);                                                                      \
        memcpy(entry, &w.entry, sizeof(w.entry));                                                                                  \
    }

KERNELS(avx512ifma_512)

static const struct wb_kernels kernels[] = {
    { SIGNATURES "-avx512ifma-512", multiply_avx512ifma_512, square_avx512ifma_512, twice_avx512ifma_512, add_avx512ifma_512,
      select_avx512ifma_512, select_base_avx512ifma_512 },
};

const struct wb_kernels *wb_get_kernels(size_t *num)
{
    *num = sizeof(kernels) / sizeof(kernels[0]);
    return kernels;
}

#ifdef TEST_P256_LANES

#define P256_KERNELS(symbol)                                                                                                       \
    static void load_##symbol(wb_fe entry[2], const uint64_t points[8][8], const uint64_t negative[8])                             \
    {                                                                                                                              \
        static struct lc_p256_lanes w;                                                                                             \
        static _Alignas(64) uint64_t lines[8][8];                                                                                  \
        const uint64_t(*at[8])[8];                                                                                                 \
                                                                                                                                   \
        memcpy(lines, points, sizeof(lines));                                                                                      \
        for (size_t lane = 0; lane < 8; lane++)                                                                                    \
            at[lane] = (const uint64_t(*)[8]) & lines[lane];                                                                       \
        memcpy(w.negative, negative, sizeof(w.negative));                                                                          \
        lc_p256_load_##symbol(&w, at);                                                                                             \
        memcpy(entry, &w.entry, sizeof(w.entry));                                                                                  \
    }                                                                                                                              \
    static void tree_products_##symbol(wb_fe *products, const wb_fe(*a)[2], wb_fe(*b)[2], size_t half)                             \
    {                                                                                                                              \
        static struct lc_p256_fe p[2 * WB_MAX_HALF + 2];                                                                           \
        static struct lc_p256_entry x[2 * WB_MAX_HALF], y[2 * WB_MAX_HALF];                                                        \
                                                                                                                                   \
        memcpy(p, products, (2 * half + 2) * sizeof(p[0]));                                                                        \
        memcpy(x, a, 2 * half * sizeof(x[0]));                                                                                     \
        memcpy(y, b, 2 * half * sizeof(y[0]));                                                                                     \
        lc_p256_tree_products_##symbol(p, x, y, half);                                                                             \
        memcpy(products, p, (2 * half + 2) * sizeof(p[0]));                                                                        \
        memcpy(b, y, 2 * half * sizeof(y[0]));                                                                                     \
    }                                                                                                                              \
    static void tree_sums_##symbol(wb_fe(*a)[2], const wb_fe(*b)[2], const wb_fe *products, const wb_fe inverses[2], size_t half)  \
    {                                                                                                                              \
        static struct lc_p256_lanes w;                                                                                             \
        static struct lc_p256_fe p[2 * WB_MAX_HALF + 2];                                                                           \
        static struct lc_p256_entry x[2 * WB_MAX_HALF], y[2 * WB_MAX_HALF];                                                        \
                                                                                                                                   \
        memcpy(&w, inverses, 2 * sizeof(w.x));                                                                                     \
        memcpy(p, products, (2 * half + 2) * sizeof(p[0]));                                                                        \
        memcpy(x, a, 2 * half * sizeof(x[0]));                                                                                     \
        memcpy(y, b, 2 * half * sizeof(y[0]));                                                                                     \
        lc_p256_tree_sums_##symbol(&w, x, y, p, half);                                                                             \
        memcpy(a, x, 2 * half * sizeof(x[0]));                                                                                     \
    }

P256_KERNELS(avx512ifma_512)

static const struct wb_p256_kernels p256_kernels[] = {
    { "ecdsa-p256-avx512ifma-512", load_avx512ifma_512, tree_products_avx512ifma_512, tree_sums_avx512ifma_512 },
};

const struct wb_p256_kernels *wb_get_p256_kernels(size_t *num)
{
    *num = sizeof(p256_kernels) / sizeof(p256_kernels[0]);
    return p256_kernels;
}

void wb_key_entry(uint64_t point[2][4], const struct lc_ecdsa_p256_public_key *key, unsigned window, unsigned entry)
{
    uintptr_t at = ((uintptr_t)key->table + 63) / 64 * 64 + 64 * (window * LC_P256_KEY_ENTRIES + entry);

    memcpy(point, (const void *)at, 64);
}

#endif

#else

const struct wb_kernels *wb_get_kernels(size_t *num)
{
    *num = 0;
    return NULL;
}

#ifdef TEST_P256_LANES

const struct wb_p256_kernels *wb_get_p256_kernels(size_t *num)
{
    *num = 0;
    return NULL;
}

void wb_key_entry(uint64_t point[2][4], const struct lc_ecdsa_p256_public_key *key, unsigned window, unsigned entry)
{
    (void)point;
    (void)key;
    (void)window;
    (void)entry;
}

#endif

#endif
