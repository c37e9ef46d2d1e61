/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* How the row of a hash says what it does with several messages at once. */
#ifndef LC_HASH_INTERNAL_H
#define LC_HASH_INTERNAL_H

#include "internal.h"

/* num_lanes messages, which pay from `least` on, rather than to be done by what comes next in the row, or one after the other. */
#define LC_HASH_LANES(hash)                                                                                                        \
    struct {                                                                                                                       \
        lc_##hash##_lanes_fn *run; /* NULL: none */                                                                                \
        uint8_t num_lanes, least;                                                                                                  \
        uint8_t word_stride, lane_stride; /* word i of lane n is h[i * word_stride + n * lane_stride] */                           \
    }

/*
 * Blocks of a message, for the core, which knows what comes before and after them: HMAC's first block is the same for all messages
 * under a key.
 */
struct lc_hash_part {
    const void *from; /* the hash value before them, eight words; NULL: a message begins */
    void *to;         /* written: that after them, or the digest that is made of it; may be where the blocks are */
    const uint8_t *data;
};

/* So many blocks of each.  digest_len: 0 for a hash value.  LC_OK, LC_ERR_ENV. */
typedef int lc_hash_parts_fn(const struct lc_hash_part *parts, size_t num_parts, size_t num_blocks, size_t digest_len);
lc_hash_parts_fn lc_sha256_parts, lc_sha384_parts, lc_sm3_parts;

#endif
