/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The x86-64 rows of CTR, best first, and what x86/aes_ctr.S assumes of the struct. */
#include "../ctr_internal.h"
#include "ctr_rows.h"

_Static_assert(offsetof(struct lc_ctr_key, enc) == 0, "keys");
_Static_assert(offsetof(struct lc_ctr_key, rounds) == 240, "KEY_ROUNDS");
_Static_assert(_Alignof(struct lc_ctr_key) == 16, "aligned operands of the legacy SSE coding");

#define DECLARE(name, symbol, needs, prefers) extern const uint32_t lc_aes_ctr_##symbol##_text_len;
LC_X86_CTR_ROWS(DECLARE)

#define DEFINE(name, symbol, needs, prefers) \
    { { name, needs, prefers, &lc_aes_ctr_##symbol##_text_len }, lc_aes_expand_aesni, lc_aes_ctr_##symbol },
const struct lc_ctr_impl lc_ctr_isa_rows[LC_CTR_ISA_ROWS] = { LC_X86_CTR_ROWS(DEFINE) };
