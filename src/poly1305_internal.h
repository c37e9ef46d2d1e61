/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What an implementation of Poly1305 gives, and what it gets. */
#ifndef LC_POLY1305_INTERNAL_H
#define LC_POLY1305_INTERNAL_H

#include "internal.h"
#include "lanecrypt/poly1305.h"

/*
 * For each 16-byte block of msg:  h = (h + block + pad * 2^128) * r  mod 2^130 - 5, in three 64-bit words, of which h[2] stays
 * below 8 before and after a call.  len > 0, a multiple of 16.  pad is 1, or 0 for a last block that has been padded with a 1 and
 * zeros already.  Reads h, r, and what it left in powers and num_powers; at a message's beginning num_powers is 0, and powers may
 * hold anything.  Writes h, powers and num_powers.  If num_powers is 0 afterwards, nothing has been left in powers, and there is
 * nothing to wipe in it.
 */
typedef void lc_poly1305_blocks_fn(struct lc_poly1305_state *s, const uint8_t *msg, size_t len, uint64_t pad);

/* poly1305_portable.c: the portable implementation, without what clears the stack after it */
lc_poly1305_blocks_fn lc_poly1305_blocks_no_wipe;

/* tag = (h mod 2^130 - 5) + s  mod 2^128, in constant time */
void lc_poly1305_tag(uint8_t tag[16], const uint64_t h[3], const uint64_t s[2]);

/* r, clamped, and s, from a key; the portable code needs a little-endian CPU. */
static inline void lc_poly1305_load_key(uint64_t r[2], uint64_t s[2], const uint8_t key[32])
{
    memcpy(r, key, 16);
    memcpy(s, key + 16, 16);
    r[0] &= UINT64_C(0x0ffffffc0fffffff);
    r[1] &= UINT64_C(0x0ffffffc0ffffffc);
}

struct lc_poly1305_impl {
    struct lc_impl impl;
    lc_poly1305_blocks_fn *blocks;
};

extern const struct lc_poly1305_impl lc_poly1305_impls[]; /* rows.c */

#define ROW_POLY1305(name, symbol, ...) lc_poly1305_blocks_fn lc_poly1305_blocks_##symbol;
#include "rows.def"

#endif
