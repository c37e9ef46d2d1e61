/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "../src/gcm_portable.c"

#include "module.h"

/*
 * Without a multiplication: a product by x moves a number's bits down by one, and the one that falls out, x^127, becomes
 * x^128 = 1 + x + x^2 + x^7.
 */
void portable_powers_of_simd(struct lc_gcm_key *key, const u8 (*powers_end)[16])
{
    union group h[GROUPS];
    u64 x[2] = { 0 };

    for (size_t i = 0; i < BATCH; i++) {
        u64 x127;

        memcpy(x, powers_end[-1 - (ptrdiff_t)i], sizeof(x));
        x127 = x[0] & 1;
        x[0] = x[0] >> 1 | x[1] << 63;
        x[1] = x[1] >> 1 ^ (-x127 & 0xe1ULL << 56);
        set_block(h, BATCH - 1 - i, x);
    }
    memset(key->powers, 0, sizeof(key->powers));
    memcpy(key->powers, h, sizeof(h));
    memzero_explicit(x, sizeof(x));
    memzero_explicit(h, sizeof(h));
}
