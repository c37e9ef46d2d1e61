/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "p256_internal.h"
#include "p384_internal.h"
#include "sm2_internal.h"

#include "curve_white_box.h" /* the others undefine CURVE and BITS */

static const struct lc_mod *modulus(enum wb_modulus m)
{
    return m == WB_P ? &EC(p) : &EC(n);
}

void wb_get_modulus(uint64_t r[WORDS], enum wb_modulus m)
{
    memcpy(r, modulus(m)->m, BYTES);
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

void wb_multiply_add(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], const uint64_t c[WORDS],
                     enum wb_modulus m)
{
    lc_mod_mul_add(r, a, b, c, modulus(m));
    for (const struct lc_ec_impl *impl = SIG(impls); impl->impl.class != LC_CLASS_PORTABLE; impl++) {
        uint64_t other[WORDS];

        if (!impl->mul_add || impl->impl.needs & ~lc_cpu_features())
            continue;
        impl->mul_add(other, a, b, c, modulus(m));
        if (memcmp(r, other, BYTES) != 0)
            memset(r, 0xff, BYTES); /* which no result is */
    }
    lc_mod_to_montgomery(r, r, modulus(m));
}

void wb_invert(uint64_t r[WORDS], const uint64_t a[WORDS], enum wb_modulus m)
{
    uint64_t t[WORDS];

    lc_mod_to_montgomery(t, a, modulus(m));
    lc_mod_inverse(t, t, modulus(m));
    lc_mod_from_montgomery(r, t, modulus(m));
}

void wb_invert_two(uint64_t a[WORDS], uint64_t b[WORDS], enum wb_modulus m)
{
    const struct lc_mod *const one = modulus(m), *const other = modulus(m == WB_P ? WB_N : WB_P);

    lc_mod_to_montgomery(a, a, one);
    lc_mod_to_montgomery(b, b, other);
    lc_mod_inverse_two(a, a, one, b, other);
    lc_mod_from_montgomery(a, a, one);
    lc_mod_from_montgomery(b, b, other);
}

void wb_multiple(uint8_t point[POINT_LEN], const uint64_t k[WORDS])
{
    struct lc_ec_product product;

    memcpy(product.k, k, BYTES);
    EC(base_portable)(&product, 1, NULL);
    lc_ec_encode(point, product.result, &EC(p));
}

int wb_decode(uint8_t point[POINT_LEN], const uint8_t *bytes, size_t len)
{
    uint64_t p[2 * WORDS];
    int status = lc_ec_decode(p, bytes, len, &EC(curve));

    if (status == LC_OK)
        lc_ec_encode(point, p, &EC(p));
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

int wb_nonce(const struct SIG(key) * key, uint64_t k[WORDS], const uint64_t e[WORDS], unsigned skip, const uint8_t *extra,
             size_t extra_len)
{
    struct SIG(job) job = { .key = key, .extra_len = extra_len, .skip = skip };
    int status;

    memcpy(job.e, e, sizeof(job.e));
    if (extra_len)
        memcpy(job.extra, extra, extra_len);
    status = SIG(nonces)(&job, 1);
    memcpy(k, job.k, sizeof(job.k));
    return status;
}

int wb_base_pool(const struct SIG(key) * key, uint64_t (*x)[WORDS], const uint64_t (*k)[WORDS], size_t num)
{
    struct lc_ec_product products[LC_EC_POOL_MAX];
    static uint8_t memory[BITS == 384 ? 620000 : 320000];

    if (!key->impl->base_pool || key->impl->base_pool(NULL, num, NULL, NULL) > sizeof(memory))
        return 0;
    for (size_t i = 0; i < num; i++)
        memcpy(products[i].k, k[i], BYTES);
    key->impl->base_pool(products, num, memory, NULL);
    for (size_t i = 0; i < num; i++)
        memcpy(x[i], products[i].result, BYTES);
    for (size_t i = 0; i < sizeof(memory); i++)
        if (memory[i])
            return -1;
    return 1;
}

void wb_multiples(const char *row, uint64_t (*points)[2][WORDS], const uint64_t (*k)[WORDS], size_t num, const uint64_t *of)
{
    const struct lc_ec_impl *impl = SIG(impls);
    struct lc_ec_product products[LC_EC_CHUNK], p;

    while (strcmp(impl->impl.name, row) != 0)
        impl++;
    if (of) {
        memcpy(p.k, of, BYTES);
        EC(base_portable)(&p, 1, NULL);
    }
    for (size_t i = 0; i < num; i++) {
        memcpy(products[i].k, k[i], BYTES);
        products[i].p = p.result;
    }
    if (of)
        impl->multiply(products, num);
    else
        impl->base(products, num, NULL);
    for (size_t i = 0; i < num; i++) {
        lc_mod_from_montgomery(points[i][0], products[i].result, &EC(p));
        lc_mod_from_montgomery(points[i][1], products[i].result + WORDS, &EC(p));
    }
    if (of || !impl->base_x)
        return;
    impl->base_x(products, num, NULL);
    for (size_t i = 0; i < num; i++)
        if (memcmp(products[i].result, points[i][0], BYTES) != 0)
            memset(points[i], 0xff, sizeof(points[i])); /* which no result is */
}

#if defined(__x86_64__) && defined(TEST_LANES)
#define KERNELS &wb_kernels_avx512ifma_512, &wb_kernels_avx512ifma_256, &wb_kernels_avxifma,
#else
#define KERNELS
#endif

const struct wb_kernels *const *wb_get_kernels(void)
{
    static const struct wb_kernels *const all[] = { KERNELS NULL };

    return all;
}

#ifdef TEST_P256_LANES

void wb_key_entry(uint64_t point[2][4], const struct lc_ecdsa_p256_public_key *key, unsigned window, unsigned entry)
{
    uintptr_t at = ((uintptr_t)key->table + 63) / 64 * 64 + 64 * (window * WB_KEY_ENTRIES + entry);

    memcpy(point, (const void *)at, 64);
}

#endif
