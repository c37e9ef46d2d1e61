/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* RSA's product in lanes for its tests, which have eight lanes: where vectors have LC_LANES of them, one call after another */
#include "rsa_white_box.h"
#ifdef __x86_64__
#include "x86/rsa.h"

static void put(struct lc_rsa_limb *to, uint64_t (*from)[WB_RSA_LANES], size_t limbs, size_t first)
{
    for (size_t i = 0; i < limbs; i++)
        memcpy(to[i].lane, &from[i][first], sizeof(to[i].lane));
}

void LC_IN_LANES(wb_rsa_mul)(uint64_t (*r)[WB_RSA_LANES], uint64_t (*a)[WB_RSA_LANES], uint64_t (*b)[WB_RSA_LANES],
                             uint64_t (*m)[WB_RSA_LANES], size_t limbs, int in_place)
{
    static struct lc_rsa_limb x[WB_RSA_MAX_LIMBS], y[WB_RSA_MAX_LIMBS], z[WB_RSA_MAX_LIMBS];
    static struct lc_rsa_lanes w;
    struct lc_rsa_limb *const result = in_place == 1 ? x : in_place == 2 ? y : z;

    for (size_t first = 0; first < WB_RSA_LANES; first += LC_LANES) {
        memset(&w, 0xa5, sizeof(w));
        put(x, a, limbs, first);
        put(y, b, limbs, first);
        put(w.m, m, limbs, first);
        for (size_t lane = 0; lane < LC_LANES; lane++)
            w.neg_inverse.lane[lane] = lc_rsa_neg_inverse(m[0][first + lane]) & ((UINT64_C(1) << 52) - 1);
        LC_IN_LANES(lc_rsa_mul)(result, x, a == b ? x : y, &w, limbs * sizeof(x[0]));
        for (size_t i = 0; i < limbs; i++)
            memcpy(&r[i][first], result[i].lane, sizeof(result[i].lane));
    }
}

#endif
