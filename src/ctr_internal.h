/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What an implementation of CTR gives, and what it gets. */
#ifndef LC_CTR_INTERNAL_H
#define LC_CTR_INTERNAL_H

#include "aes.h"
#include "internal.h"
#include "lanecrypt/ctr.h"

/*
 * dst = src xored with the key stream of the counters from iv on; len > 0; dst == src is possible, and iv is read before anything
 * is written.  The counter's low 64 bits don't wrap within a call, other than after its last block.
 */
typedef void lc_ctr_xor_fn(const struct lc_ctr_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t iv[16]);

struct lc_ctr_impl {
    struct lc_impl impl;
    lc_aes_expand_fn *expand;
    lc_ctr_xor_fn * xor ;
};

/* The key's schedule.  expand: its implementation's, or the portable one, which makes the same where vectors may not be used. */
static inline void lc_ctr_expand(struct lc_ctr_key *key, lc_aes_expand_fn *expand, const uint8_t *raw, size_t raw_len)
{
    key->rounds = (uint32_t)(raw_len / 4) + 6;
    key->distance = 16 * (2 - (int32_t)key->rounds);
    expand(key->enc, NULL, raw, raw_len);
    /* Round 1's key, where nobody has to wait for the number of rounds; by bytes, as a vector of it would stay in its register */
    for (int i = 0; i < 16; i++)
        ((volatile uint8_t *)key->enc[1])[i] = key->enc[15 - key->rounds][i];
}

extern const struct lc_ctr_impl lc_ctr_impls[]; /* rows.c */

#define ROW_CTR(name, symbol, ...) lc_ctr_xor_fn lc_aes_ctr_##symbol;
#include "rows.def"

/* Counters: 128 bits, big-endian, on a CPU that is little-endian like all that aes_bitslice.c supports. */

/* The low 64 bits */
static inline uint64_t lc_ctr_low(const uint8_t counter[16])
{
    uint64_t low;

    memcpy(&low, counter + 8, 8);
    return __builtin_bswap64(low);
}

/* dst = counter + n */
static inline void lc_ctr_add(uint8_t dst[16], const uint8_t counter[16], uint64_t n)
{
    uint64_t high, low = lc_ctr_low(counter) + n;

    memcpy(&high, counter, 8);
    high = __builtin_bswap64(__builtin_bswap64(high) + (low < n));
    low = __builtin_bswap64(low);
    memcpy(dst, &high, 8);
    memcpy(dst + 8, &low, 8);
}

#endif
