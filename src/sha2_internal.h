/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What an implementation of SHA-256, or of SHA-512 and SHA-384, gives, and what it gets. */
#ifndef LC_SHA2_INTERNAL_H
#define LC_SHA2_INTERNAL_H

#include "hash_internal.h"
#include "lanecrypt/sha2.h"

/*
 * h[0..7] = the hash value after num blocks at data (FIPS 180-4, 6.2.2 and 6.4.2), num > 0.  h[8..] of SHA-512 is room that a call
 * may overwrite, with words of the message among others.
 */
typedef void lc_sha256_blocks_fn(uint32_t h[LC_SHA256_ROOM], const uint8_t *data, size_t num);
typedef void lc_sha512_blocks_fn(uint64_t h[LC_SHA512_ROOM], const uint8_t *data, size_t num);

/*
 * Several messages at once, a lane each.  Where word i of lane n is in h, the row says.  w is for the function: words of the
 * messages.
 */
enum { LC_SHA2_MAX_LANES = 8 };

struct lc_sha256_lanes {
    LC_ALIGNED(64) uint32_t h[8 * LC_SHA2_MAX_LANES];
    uint32_t w[16 * LC_SHA2_MAX_LANES];
    const uint8_t *data[LC_SHA2_MAX_LANES];
};

struct lc_sha512_lanes {
    LC_ALIGNED(64) uint64_t h[8 * LC_SHA2_MAX_LANES];
    uint64_t w[16 * LC_SHA2_MAX_LANES];
    const uint8_t *data[LC_SHA2_MAX_LANES];
};

/* l->h = the hash values after num blocks at each of l->data, num > 0.  It changes no pointer. */
typedef void lc_sha256_lanes_fn(struct lc_sha256_lanes *l, size_t num);
typedef void lc_sha512_lanes_fn(struct lc_sha512_lanes *l, size_t num);

struct lc_sha256_impl {
    struct lc_impl impl;
    lc_sha256_blocks_fn *blocks;
    LC_HASH_LANES(sha256) lanes[2]; /* the most lanes first */
};

struct lc_sha512_impl {
    struct lc_impl impl;
    lc_sha512_blocks_fn *blocks;
    LC_HASH_LANES(sha512) lanes[2];
};

extern const struct lc_sha256_impl lc_sha256_impls[]; /* rows.c */
extern const struct lc_sha512_impl lc_sha512_impls[];

/* The starts for other files of the core: with a row that they have.  They can't fail. */
void lc_sha256_begin(struct lc_sha256_state *s, const struct lc_sha256_impl *impl);
void lc_sha384_begin(struct lc_sha384_state *s, const struct lc_sha512_impl *impl);
void lc_sha512_begin(struct lc_sha512_state *s, const struct lc_sha512_impl *impl);

#define ROW_SHA256(name, symbol, needs, prefers, class, cpus, blocks, ...) lc_sha256_blocks_fn blocks;
#define ROW_SHA512(name, symbol, needs, prefers, class, cpus, blocks, ...) lc_sha512_blocks_fn blocks;
#include "rows.def"
#define ROW_SHA256(name, symbol, ...) lc_sha256_lanes_fn lc_sha256_lanes_##symbol;
#define ROW_SHA512(name, symbol, ...) lc_sha512_lanes_fn lc_sha512_lanes_##symbol;
#define LC_WITHOUT_PORTABLE
#include "rows.def"

#endif
