/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The x86-64 rows of XTS, best first, and what x86/aes_xts.S assumes of the structs. */
#include "../xts_internal.h"
#include "xts_rows.h"

_Static_assert(offsetof(struct lc_xts_key, tweak) == 0, "KEY_TWEAK");
_Static_assert(offsetof(struct lc_xts_key, enc) == 240, "KEY_ENC");
_Static_assert(offsetof(struct lc_xts_key, rounds) == 480, "KEY_ROUNDS");
_Static_assert(offsetof(struct lc_xts_key, dec) % 16 == 0 && offsetof(struct lc_xts_key, dec) == 496, "KEY_DEC");
_Static_assert(_Alignof(struct lc_xts_key) == 16, "aligned operands of the legacy SSE coding");
_Static_assert(offsetof(struct lc_xts_units, unit_len) == 16, "UNITS_LEN");
_Static_assert(offsetof(struct lc_xts_units, index) == 24, "UNITS_INDEX");
_Static_assert(offsetof(struct lc_xts_units, iv) == 32, "UNITS_IV");
_Static_assert(offsetof(struct lc_xts_units, step) == 96, "UNITS_STEP");
_Static_assert(offsetof(struct lc_xts_units, tweak) == 144, "UNITS_TWEAK");
_Static_assert(_Alignof(struct lc_xts_units) == 16, "aligned operands of the legacy SSE coding");

#define DECLARE(name, symbol, needs, prefers) extern const uint32_t lc_aes_xts_##symbol##_text_len;
LC_X86_XTS_ROWS(DECLARE)

#define DEFINE(name, symbol, needs, prefers)                                                             \
    { { name, needs, prefers, &lc_aes_xts_##symbol##_text_len },                                         \
      lc_aes_expand_aesni, lc_aes_xts_encrypt_##symbol, lc_aes_xts_decrypt_##symbol },
const struct lc_xts_impl lc_xts_isa_rows[LC_XTS_ISA_ROWS] = { LC_X86_XTS_ROWS(DEFINE) };
