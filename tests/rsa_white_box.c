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
    static struct lc_rsa_limb x[WB_RSA_MAX_LIMBS], y[WB_RSA_MAX_LIMBS], z[WB_RSA_MAX_LIMBS];
    static struct lc_rsa_lanes w;
    struct lc_rsa_limb *const result = in_place == 1 ? x : in_place == 2 ? y : z;
    const size_t len = limbs * sizeof(x[0]);

    if (lc_rsa_impls[0].impl.needs & ~lc_cpu_features())
        return 0;
    memcpy(x, a, len);
    memcpy(y, b, len);
    memset(&w, 0xa5, sizeof(w));
    memcpy(w.m, m, len);
    for (size_t lane = 0; lane < WB_RSA_LANES; lane++)
        w.neg_inverse.lane[lane] = lc_rsa_neg_inverse(m[0][lane]) & ((UINT64_C(1) << 52) - 1);
    lc_rsa_mul_avx512ifma_512(result, x, a == b ? x : y, &w, len);
    memcpy(r, result, len);
    return 1;
#else
    (void)r, (void)a, (void)b, (void)m, (void)limbs, (void)in_place;
    return 0;
#endif
}

void wb_rsa_power(uint64_t *r, const struct lc_rsa_key *key, size_t prime, const uint64_t *x)
{
    struct lc_rsa_power power = { .prime = &key->prime[prime], .x = x };

    key->public_key.impl->power(&power, 1, key->public_key.words / 2);
    memcpy(r, power.r, 4 * key->public_key.words);
}

void wb_rsa_public_power(uint64_t *x, const struct lc_rsa_public_key *key)
{
    struct lc_rsa_public_op op = { .key = key };

    memcpy(op.x, x, 8 * key->words);
    key->impl->public_power(&op, 1);
    memcpy(x, op.x, 8 * key->words);
}
