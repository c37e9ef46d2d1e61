/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The x86-64 rows of Poly1305, best first, and what x86/poly1305.S assumes of the state. */
#include "../poly1305_internal.h"
#include "chacha20_run.h"
#include "poly1305_rows.h"

_Static_assert(offsetof(struct lc_poly1305_state, h) == 0, "STATE_H");
_Static_assert(offsetof(struct lc_poly1305_state, r) == 24, "STATE_R");
_Static_assert(offsetof(struct lc_poly1305_state, num_powers) == 84, "STATE_NUM_POWERS");
_Static_assert(offsetof(struct lc_poly1305_state, powers) == 96, "STATE_POWERS");
_Static_assert(sizeof(((struct lc_poly1305_state *)NULL)->powers) == 384, "powers");

_Static_assert(offsetof(struct lc_poly1305_part, blocks) == 0, "PART_BLOCKS");
_Static_assert(offsetof(struct lc_poly1305_part, num) == 8, "PART_NUM");
_Static_assert(sizeof(struct lc_poly1305_part) == 16, "parts follow each other");

#define DECLARE(name, symbol, needs, prefers) extern const uint32_t lc_poly1305_##symbol##_text_len;
LC_X86_POLY1305_ROWS(DECLARE)

#define DEFINE(name, symbol, needs, prefers) \
    { { name, needs, prefers, &lc_poly1305_##symbol##_text_len }, lc_poly1305_blocks_##symbol },
const struct lc_poly1305_impl lc_poly1305_isa_rows[LC_POLY1305_ISA_ROWS] = { LC_X86_POLY1305_ROWS(DEFINE) };
