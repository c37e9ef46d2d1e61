/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "rsa_white_box.h"

#include "rsa_internal.h"
#ifdef __x86_64__
#include "x86/rsa.h"
#endif

int wb_rsa_mul_lanes(uint64_t (*r)[WB_RSA_LANES], uint64_t (*a)[WB_RSA_LANES], uint64_t (*b)[WB_RSA_LANES],
                     uint64_t (*m)[WB_RSA_LANES], size_t limbs, int in_place)
{
#ifdef __x86_64__
    static uint64_t four[WB_RSA_MAX_LIMBS][WB_RSA_LANES];

    if (lc_rsa_impls[0].impl.needs & ~lc_cpu_features())
        return 0;
    wb_rsa_mul_avx512ifma_512(r, a, b, m, limbs, in_place);
    wb_rsa_mul_avx512ifma_256(four, a, b, m, limbs, in_place);
    return memcmp(four, r, limbs * sizeof(r[0])) == 0 ? 1 : -1;
#else
    (void)r, (void)a, (void)b, (void)m, (void)limbs, (void)in_place;
    return 0;
#endif
}

int wb_rsa_mul_one(uint64_t (*r)[WB_RSA_LANES], uint64_t (*a)[WB_RSA_LANES], uint64_t (*b)[WB_RSA_LANES],
                   uint64_t (*m)[WB_RSA_LANES], uint64_t (*m_high)[WB_RSA_LANES], uint64_t (*k)[WB_RSA_LANES], size_t numbers,
                   size_t limbs, int in_place)
{
#ifdef __x86_64__
    static struct lc_rsa_limb x[LC_RSA_ONE_LIMBS], y[LC_RSA_ONE_LIMBS], z[LC_RSA_ONE_LIMBS];
    static struct lc_rsa_one w;
    struct lc_rsa_limb *const result = in_place == 1 ? x : in_place == 2 ? y : z;
    const size_t len = limbs * sizeof(x[0]);

    if (lc_rsa_impls[0].impl.needs & ~lc_cpu_features())
        return 0;
    memset(&w, 0xa5, sizeof(w));
    lc_rsa_one_set_lanes(&w, numbers);
    memcpy(x, a, len);
    memcpy(y, b, len);
    memcpy(w.m, m, len);
    memcpy(w.m_high, m_high, len);
    memcpy(w.k, k, len);
    lc_rsa_one_mul_avx512ifma_512(result, x, a == b ? x : y, &w, WB_RSA_LANES / numbers, len);
    memcpy(r, result, len);
    return 1;
#else
    (void)r, (void)a, (void)b, (void)m, (void)m_high, (void)k, (void)numbers, (void)limbs, (void)in_place;
    return 0;
#endif
}

void wb_rsa_power(uint64_t *r, const struct lc_rsa_key *key, size_t prime, const uint64_t *x, size_t num)
{
    struct lc_rsa_power powers[2 * LC_RSA_CHUNK];
    const size_t len = 4 * key->public_key.words;

    for (size_t i = 0; i < num; i++)
        powers[i] = (struct lc_rsa_power){ .prime = &key->prime[prime], .x = x };
    key->public_key.impl->power(powers, num, key->public_key.words / 2);
    memcpy(r, powers[0].r, len);
    for (size_t i = 1; i < num; i++)
        if (memcmp(r, powers[i].r, len) != 0)
            memset(r, 0xa5, len);
}

void wb_rsa_public_power(uint64_t *x, const struct lc_rsa_public_key *key, size_t num)
{
    struct lc_rsa_public_op ops[LC_RSA_CHUNK];
    const size_t len = 8 * key->words;

    for (size_t i = 0; i < num; i++) {
        ops[i].key = key;
        memcpy(ops[i].x, x, len);
    }
    key->impl->public_power(ops, num);
    memcpy(x, ops[0].x, len);
    for (size_t i = 1; i < num; i++)
        if (memcmp(x, ops[i].x, len) != 0)
            memset(x, 0xa5, len);
}
