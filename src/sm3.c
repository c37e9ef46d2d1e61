/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* SM3 (GM/T 0004-2012): the public functions. */
#include <stdbool.h>

#include "sm3_internal.h"

#define HASH(name) lc_sm3_##name
#define WORD uint32_t
#define SWAP __builtin_bswap32
#define ROOM 8
#define MAX_LANES LC_SM3_MAX_LANES
#include "hash_body.h"

static const WORD sm3_iv[8] = {
    0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e
}; /* GM/T 0004-2012, 4.1 */

int lc_sm3_start_impl(struct lc_sm3_state *s, const char *impl)
{
    return start(s, impl, sm3_iv);
}

int lc_sm3_start(struct lc_sm3_state *s)
{
    return start(s, NULL, sm3_iv);
}

void lc_sm3_update(struct lc_sm3_state *s, const uint8_t *msg, size_t len)
{
    update(s, msg, len);
}

void lc_sm3_finish(struct lc_sm3_state *s, uint8_t digest[LC_SM3_LEN])
{
    finish(s, digest, LC_SM3_LEN);
}

const char *lc_sm3_impl_name(const struct lc_sm3_state *s)
{
    return s->impl->impl.name;
}

void lc_sm3_state_wipe(struct lc_sm3_state *s)
{
    lc_wipe(s, sizeof(*s));
}

int lc_sm3(uint8_t digest[LC_SM3_LEN], const uint8_t *msg, size_t len)
{
    return one(digest, LC_SM3_LEN, msg, len, sm3_iv);
}

int lc_sm3_many_impl(const char *impl, const struct lc_hash_item *items, size_t num_items)
{
    return many(impl, items, num_items, LC_SM3_LEN, sm3_iv);
}

int lc_sm3_many(const struct lc_hash_item *items, size_t num_items)
{
    return many(NULL, items, num_items, LC_SM3_LEN, sm3_iv);
}

int lc_sm3_parts(const struct lc_hash_part *parts, size_t num_parts, size_t num_blocks, size_t digest_len)
{
    return parts_from(parts, num_parts, num_blocks, digest_len, sm3_iv);
}
