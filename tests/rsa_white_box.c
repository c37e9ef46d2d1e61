/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "rsa_white_box.h"

#include "rsa_internal.h"

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
