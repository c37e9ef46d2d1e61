/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What an implementation of SM3 gives, and what it gets. */
#ifndef LC_SM3_INTERNAL_H
#define LC_SM3_INTERNAL_H

#include "hash_internal.h"
#include "lanecrypt/sm3.h"

/* h = the hash value after num blocks at data (GM/T 0004-2012, 5.3), num > 0 */
typedef void lc_sm3_blocks_fn(uint32_t h[8], const uint8_t *data, size_t num);

/* Several messages at once, a lane each.  Where word i of lane n is in h, the row says.  w is for the function: the schedule. */
enum { LC_SM3_MAX_LANES = 16 };

struct lc_sm3_lanes {
    LC_ALIGNED(64) uint32_t h[8 * LC_SM3_MAX_LANES];
    uint32_t w[68 * LC_SM3_MAX_LANES];
    const uint8_t *data[LC_SM3_MAX_LANES];
};

/* l->h = the hash values after num blocks at each of l->data, num > 0.  It changes no pointer. */
typedef void lc_sm3_lanes_fn(struct lc_sm3_lanes *l, size_t num);

struct lc_sm3_impl {
    struct lc_impl impl;
    lc_sm3_blocks_fn *blocks;
    LC_HASH_LANES(sm3) lanes[2]; /* the most lanes first */
};

extern const struct lc_sm3_impl lc_sm3_impls[]; /* rows.c */

#define ROW_SM3(name, symbol, needs, prefers, class, cpus, blocks, ...) lc_sm3_blocks_fn blocks;
#include "rows.def"
#define ROW_SM3(name, symbol, ...) lc_sm3_lanes_fn lc_sm3_lanes_##symbol;
#define LC_WITHOUT_PORTABLE
#include "rows.def"

#endif
