/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* SHA-512 and SHA-384 (FIPS 180-4): the public functions. */
#include <stdbool.h>

#include "sha2_constants.h"
#include "sha2_internal.h"

#define HASH(name) lc_sha512_##name
#define WORD uint64_t
#define SWAP __builtin_bswap64
#define ROOM LC_SHA512_ROOM
#define MAX_LANES LC_SHA2_MAX_LANES
#include "hash_body.h"

static const WORD sha512_iv[8] = { LC_SHA512_IV };
static const WORD sha384_iv[8] = { LC_SHA384_IV };

/* ---- SHA-512 ---- */

void lc_sha512_begin(struct lc_sha512_state *s, const struct lc_sha512_impl *impl)
{
    begin(s, impl, sha512_iv);
}

int lc_sha512_start_impl(struct lc_sha512_state *s, const char *impl)
{
    return start(s, impl, sha512_iv);
}

int lc_sha512_start(struct lc_sha512_state *s)
{
    return start(s, NULL, sha512_iv);
}

void lc_sha512_update(struct lc_sha512_state *s, const uint8_t *msg, size_t len)
{
    update(s, msg, len);
}

void lc_sha512_finish(struct lc_sha512_state *s, uint8_t digest[LC_SHA512_LEN])
{
    finish(s, digest, LC_SHA512_LEN);
}

const char *lc_sha512_impl_name(const struct lc_sha512_state *s)
{
    return s->impl->impl.name;
}

void lc_sha512_state_wipe(struct lc_sha512_state *s)
{
    lc_wipe(s, sizeof(*s));
}

int lc_sha512(uint8_t digest[LC_SHA512_LEN], const uint8_t *msg, size_t len)
{
    return one(digest, LC_SHA512_LEN, msg, len, sha512_iv);
}

int lc_sha512_many_impl(const char *impl, const struct lc_hash_item *items, size_t num_items)
{
    return many(impl, items, num_items, LC_SHA512_LEN, sha512_iv);
}

int lc_sha512_many(const struct lc_hash_item *items, size_t num_items)
{
    return many(NULL, items, num_items, LC_SHA512_LEN, sha512_iv);
}

/* ---- SHA-384 ---- */

void lc_sha384_begin(struct lc_sha384_state *s, const struct lc_sha512_impl *impl)
{
    begin(&s->sha512, impl, sha384_iv);
}

int lc_sha384_start_impl(struct lc_sha384_state *s, const char *impl)
{
    return start(&s->sha512, impl, sha384_iv);
}

int lc_sha384_start(struct lc_sha384_state *s)
{
    return start(&s->sha512, NULL, sha384_iv);
}

void lc_sha384_update(struct lc_sha384_state *s, const uint8_t *msg, size_t len)
{
    update(&s->sha512, msg, len);
}

void lc_sha384_finish(struct lc_sha384_state *s, uint8_t digest[LC_SHA384_LEN])
{
    finish(&s->sha512, digest, LC_SHA384_LEN);
}

const char *lc_sha384_impl_name(const struct lc_sha384_state *s)
{
    return s->sha512.impl->impl.name;
}

void lc_sha384_state_wipe(struct lc_sha384_state *s)
{
    lc_wipe(s, sizeof(*s));
}

int lc_sha384(uint8_t digest[LC_SHA384_LEN], const uint8_t *msg, size_t len)
{
    return one(digest, LC_SHA384_LEN, msg, len, sha384_iv);
}

int lc_sha384_many_impl(const char *impl, const struct lc_hash_item *items, size_t num_items)
{
    return many(impl, items, num_items, LC_SHA384_LEN, sha384_iv);
}

int lc_sha384_many(const struct lc_hash_item *items, size_t num_items)
{
    return many(NULL, items, num_items, LC_SHA384_LEN, sha384_iv);
}

int lc_sha384_parts(const struct lc_hash_part *parts, size_t num_parts, size_t num_blocks, size_t digest_len)
{
    return parts_from(parts, num_parts, num_blocks, digest_len, sha384_iv);
}
