/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* SHA-256 (FIPS 180-4): the public functions. */
#include <stdbool.h>

#include "sha2_constants.h"
#include "sha2_internal.h"

#define HASH(name) lc_sha256_##name
#define WORD uint32_t
#define SWAP __builtin_bswap32
#define ROOM LC_SHA256_ROOM
#define MAX_LANES LC_SHA2_MAX_LANES
#include "hash_body.h"

static const WORD sha256_iv[8] = { LC_SHA256_IV };

void lc_sha256_begin(struct lc_sha256_state *s, const struct lc_sha256_impl *impl)
{
    begin(s, impl, sha256_iv);
}

int lc_sha256_start_impl(struct lc_sha256_state *s, const char *impl)
{
    return start(s, impl, sha256_iv);
}

int lc_sha256_start(struct lc_sha256_state *s)
{
    return start(s, NULL, sha256_iv);
}

void lc_sha256_update(struct lc_sha256_state *s, const uint8_t *msg, size_t len)
{
    update(s, msg, len);
}

void lc_sha256_finish(struct lc_sha256_state *s, uint8_t digest[LC_SHA256_LEN])
{
    finish(s, digest, LC_SHA256_LEN);
}

const char *lc_sha256_impl_name(const struct lc_sha256_state *s)
{
    return s->impl->impl.name;
}

void lc_sha256_state_wipe(struct lc_sha256_state *s)
{
    lc_wipe(s, sizeof(*s));
}

int lc_sha256(uint8_t digest[LC_SHA256_LEN], const uint8_t *msg, size_t len)
{
    return one(digest, LC_SHA256_LEN, msg, len, sha256_iv);
}

int lc_sha256_many_impl(const char *impl, const struct lc_hash_item *items, size_t num_items)
{
    return many(impl, items, num_items, LC_SHA256_LEN, sha256_iv);
}

int lc_sha256_many(const struct lc_hash_item *items, size_t num_items)
{
    return many(NULL, items, num_items, LC_SHA256_LEN, sha256_iv);
}

int lc_sha256_parts(const struct lc_hash_part *parts, size_t num_parts, size_t num_blocks, size_t digest_len)
{
    return parts_from(parts, num_parts, num_blocks, digest_len, sha256_iv);
}
