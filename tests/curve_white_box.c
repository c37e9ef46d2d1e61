/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "p256_white_box.h"

#include "p256_internal.h"
#ifdef __x86_64__
#include "x86/p256.h"
#endif

static const struct lc_mod256 *modulus(enum wb_p256_modulus m)
{
    return m == WB_P ? &lc_p256_p : &lc_p256_n;
}

void wb_p256_get_modulus(uint64_t r[4], enum wb_p256_modulus m)
{
    memcpy(r, modulus(m)->m, sizeof(lc_p256_p.m));
}

void wb_p256_add(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], enum wb_p256_modulus m)
{
    lc_mod_add(r, a, b, modulus(m));
}

void wb_p256_subtract(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], enum wb_p256_modulus m)
{
    lc_mod_sub(r, a, b, modulus(m));
}

void wb_p256_multiply(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], enum wb_p256_modulus m)
{
    uint64_t t[4];

    lc_mod_to_montgomery(t, a, modulus(m));
    lc_mod_mul(r, t, b, modulus(m));
}

void wb_p256_invert(uint64_t r[4], const uint64_t a[4], enum wb_p256_modulus m)
{
    uint64_t t[4];

    lc_mod_to_montgomery(t, a, modulus(m));
    lc_mod_inverse(t, t, modulus(m));
    lc_mod_from_montgomery(r, t, modulus(m));
}

void wb_p256_sign(const struct lc_ecdsa_p256_key *key, uint64_t rs[2][4], const uint64_t e[4], const uint64_t k[4])
{
    struct lc_ecdsa_p256_job job = { .key = key };

    memcpy(job.e, e, sizeof(job.e));
    memcpy(job.k, k, sizeof(job.k));
    lc_ecdsa_p256_finish(&job, 1);
    memcpy(rs[0], job.r, sizeof(job.r));
    memcpy(rs[1], job.s, sizeof(job.s));
}

int wb_p256_nonce(const struct lc_ecdsa_p256_key *key, uint64_t k[4], const uint64_t e[4], unsigned skip)
{
    struct lc_ecdsa_p256_job job = { .key = key, .skip = skip };
    int status;

    memcpy(job.e, e, sizeof(job.e));
    status = lc_ecdsa_p256_nonces(&job, 1);
    memcpy(k, job.k, sizeof(job.k));
    return status;
}

#ifdef __x86_64__

#define KERNELS(symbol)                                                                                                            \
    static void multiply_##symbol(uint64_t r[5][8], const uint64_t a[5][8], const uint64_t b[5][8])                                \
    {                                                                                                                              \
        struct lc_p256_fe x, y;                                                                                                    \
                                                                                                                                   \
        memcpy(&x, a, sizeof(x));                                                                                                  \
        memcpy(&y, b, sizeof(y));                                                                                                  \
        lc_p256_mul_##symbol(&x, &x, &y);                                                                                          \
        memcpy(r, &x, sizeof(x));                                                                                                  \
    }                                                                                                                              \
    static void square_##symbol(uint64_t r[5][8], const uint64_t a[5][8])                                                          \
    {                                                                                                                              \
        struct lc_p256_fe x;                                                                                                       \
                                                                                                                                   \
        memcpy(&x, a, sizeof(x));                                                                                                  \
        lc_p256_sqr_##symbol(&x);                                                                                                  \
        memcpy(r, &x, sizeof(x));                                                                                                  \
    }                                                                                                                              \
    static void twice_##symbol(uint64_t point[3][5][8])                                                                            \
    {                                                                                                                              \
        static struct lc_p256_lanes w;                                                                                             \
                                                                                                                                   \
        memcpy(&w, point, 3 * sizeof(w.x));                                                                                        \
        lc_p256_double_##symbol(&w, 1);                                                                                            \
        memcpy(point, &w, 3 * sizeof(w.x));                                                                                        \
    }                                                                                                                              \
    static void add_##symbol(uint64_t point[3][5][8], const uint64_t entry[2][5][8], const uint64_t negative[8])                   \
    {                                                                                                                              \
        static struct lc_p256_lanes w;                                                                                             \
                                                                                                                                   \
        memcpy(&w, point, 3 * sizeof(w.x));                                                                                        \
        memcpy(&w.entry, entry, sizeof(w.entry));                                                                                  \
        memcpy(w.negative, negative, sizeof(w.negative));                                                                          \
        lc_p256_add_##symbol(&w);                                                                                                  \
        memcpy(point, &w, 3 * sizeof(w.x));                                                                                        \
    }                                                                                                                              \
    static void select_##symbol(uint64_t entry[2][5][8], const uint64_t table[8][2][5][8], const uint64_t index[8])                \
    {                                                                                                                              \
        static struct lc_p256_lanes w;                                                                                             \
        static struct lc_p256_entry entries[8];                                                                                    \
                                                                                                                                   \
        memcpy(entries, table, sizeof(entries));                                                                                   \
        memcpy(w.index, index, sizeof(w.index));                                                                                   \
        lc_p256_select_##symbol(&w, entries);                                                                                      \
        memcpy(entry, &w.entry, sizeof(w.entry));                                                                                  \
    }                                                                                                                              \
    static void select_base_##symbol(uint64_t entry[2][5][8], unsigned window, const uint64_t index[8])                            \
    {                                                                                                                              \
        static struct lc_p256_lanes w;                                                                                             \
                                                                                                                                   \
        memcpy(w.index, index, sizeof(w.index));                                                                                   \
        lc_p256_select_base_##symbol(&w, lc_p256_base_table[window]);                                                              \
        memcpy(entry, &w.entry, sizeof(w.entry));                                                                                  \
    }

KERNELS(avx512ifma_512)

static const struct wb_p256_kernels kernels[] = {
    { "ecdsa-p256-avx512ifma-512", multiply_avx512ifma_512, square_avx512ifma_512, twice_avx512ifma_512, add_avx512ifma_512,
      select_avx512ifma_512, select_base_avx512ifma_512 },
};

const struct wb_p256_kernels *wb_p256_get_kernels(size_t *num)
{
    *num = sizeof(kernels) / sizeof(kernels[0]);
    return kernels;
}

#else

const struct wb_p256_kernels *wb_p256_get_kernels(size_t *num)
{
    *num = 0;
    return NULL;
}

#endif
