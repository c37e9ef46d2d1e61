/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What an implementation of ChaCha20 gives, and what it gets. */
#ifndef LC_CHACHA20_INTERNAL_H
#define LC_CHACHA20_INTERNAL_H

#include "internal.h"
#include "lanecrypt/chacha20.h"

/*
 * dst = src xored with the key stream; len > 0; dst == src is possible.  Block i has the key's words in 4..11, iv's in 12..15, with
 * i added to word 12, which doesn't wrap within a call other than after its last block.  key has no alignment.
 */
typedef void lc_chacha20_xor_fn(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t key[32], const uint32_t iv[4]);

struct lc_chacha20_impl {
    struct lc_impl impl;
    lc_chacha20_xor_fn * xor ;
    size_t pass_len; /* bytes of key stream that it makes at once.  Streams make no more ahead: a second pass saves nothing. */
};

extern const struct lc_chacha20_impl lc_chacha20_impls[]; /* rows.c */

#define ROW_CHACHA20(name, symbol, needs, prefers, class, cpus, pass_len)                                                          \
    lc_chacha20_xor_fn lc_chacha20_xor_##symbol;                                                                                   \
    _Static_assert(pass_len % 64 == 0 && pass_len <= LC_CHACHA20_AHEAD_LEN, name ": streams have no room for a pass");
#include "rows.def"

#endif
