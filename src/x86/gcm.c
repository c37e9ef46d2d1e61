/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The x86-64 rows of GCM, best first, and what x86/aes_gcm.S assumes of the structs. */
#include "../gcm_internal.h"
#include "gcm_rows.h"

_Static_assert(offsetof(struct lc_gcm_key, enc) == 0, "keys");
_Static_assert(offsetof(struct lc_gcm_key, rounds) == 240, "KEY_ROUNDS");
_Static_assert(offsetof(struct lc_gcm_key, powers) == 256, "POWERS_END");
_Static_assert(sizeof(((struct lc_gcm_key *)NULL)->powers) == 16 * (18 + 3), "NUM_POWERS, and 48 bytes that are read as well");
_Static_assert(_Alignof(struct lc_gcm_key) == 16, "aligned operands of the legacy SSE coding");
_Static_assert(offsetof(struct lc_gcm_msg, aad) == 0, "MSG_AAD");
_Static_assert(offsetof(struct lc_gcm_msg, aad_len) == 8, "MSG_AAD_LEN");
_Static_assert(offsetof(struct lc_gcm_msg, j0) == 16, "MSG_J0");
_Static_assert(offsetof(struct lc_gcm_msg, hash) == 32, "MSG_HASH");
_Static_assert(offsetof(struct lc_gcm_msg, num_bits) == 48, "MSG_BITS");
_Static_assert(offsetof(struct lc_gcm_msg, num_done) == 64, "MSG_DONE");
_Static_assert(LC_GCM_LAST == 1, "HOW_LAST");
_Static_assert(offsetof(struct lc_aead_item, dst) == 0, "ITEM_DST");
_Static_assert(offsetof(struct lc_aead_item, tag) == 8, "ITEM_TAG");
_Static_assert(offsetof(struct lc_aead_item, src) == 16, "ITEM_SRC");
_Static_assert(offsetof(struct lc_aead_item, len) == 24, "ITEM_LEN");
_Static_assert(offsetof(struct lc_aead_item, aad) == 32, "ITEM_AAD");
_Static_assert(offsetof(struct lc_aead_item, aad_len) == 40, "ITEM_AAD_LEN");
_Static_assert(offsetof(struct lc_aead_item, nonce) == 48, "ITEM_NONCE");
_Static_assert(LC_GCM_MANY_LEN / 16 + 2 <= 18, "NUM_POWERS");

#define DECLARE(name, symbol, needs, prefers, many) extern const uint32_t lc_aes_gcm_##symbol##_text_len;
LC_X86_GCM_ROWS(DECLARE)

#define DEFINE(name, symbol, needs, prefers, many)               \
    { { name, needs, prefers, &lc_aes_gcm_##symbol##_text_len }, \
      lc_aes_expand_aesni, lc_aes_gcm_powers_pclmul, lc_aes_gcm_encrypt_##symbol, lc_aes_gcm_decrypt_##symbol, many },
const struct lc_gcm_impl lc_gcm_isa_rows[LC_GCM_ISA_ROWS] = { LC_X86_GCM_ROWS(DEFINE) };
