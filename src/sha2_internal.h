/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What an implementation of SHA-256, or of SHA-512 and SHA-384, gives, and what it gets. */
#ifndef LC_SHA2_INTERNAL_H
#define LC_SHA2_INTERNAL_H

#include "internal.h"
#include "lanecrypt/sha2.h"

/* h = the hash value after num blocks at data (FIPS 180-4, 6.2.2 and 6.4.2), num > 0. */
typedef void lc_sha256_blocks_fn(uint32_t h[8], const uint8_t *data, size_t num);
typedef void lc_sha512_blocks_fn(uint64_t h[8], const uint8_t *data, size_t num);

struct lc_sha256_impl {
    struct lc_impl impl;
    lc_sha256_blocks_fn *blocks;
};

struct lc_sha512_impl {
    struct lc_impl impl;
    lc_sha512_blocks_fn *blocks;
};

extern const struct lc_sha256_impl lc_sha256_impls[]; /* rows.c */
extern const struct lc_sha512_impl lc_sha512_impls[];

/* The starts for other files of the core: with a row that they have.  They can't fail. */
void lc_sha256_begin(struct lc_sha256_state *s, const struct lc_sha256_impl *impl);
void lc_sha384_begin(struct lc_sha384_state *s, const struct lc_sha512_impl *impl);
void lc_sha512_begin(struct lc_sha512_state *s, const struct lc_sha512_impl *impl);

#define ROW_SHA256(name, symbol, needs, prefers, class, cpus, blocks) lc_sha256_blocks_fn blocks;
#define ROW_SHA512(name, symbol, needs, prefers, class, cpus, blocks) lc_sha512_blocks_fn blocks;
#include "rows.def"

#endif
