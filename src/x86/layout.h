/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where the assembly expects the members of structures; the names are those of its constants.  x86/chacha20_run.h asserts its own,
 * next to the structure.
 */
#ifndef LC_X86_LAYOUT_H
#define LC_X86_LAYOUT_H

/* ---- aes_xts.S ---- */

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

/* ---- aes_ctr.S ---- */

_Static_assert(offsetof(struct lc_ctr_key, enc) == 0, "keys");
_Static_assert(offsetof(struct lc_ctr_key, rounds) == 240, "KEY_ROUNDS");
_Static_assert(offsetof(struct lc_ctr_key, distance) == 244, "KEY_DISTANCE");
_Static_assert(_Alignof(struct lc_ctr_key) == 16, "aligned operands of the legacy SSE coding");

/* ---- aes_gcm.S ---- */

_Static_assert(offsetof(struct lc_gcm_key, enc) == 0, "keys");
_Static_assert(offsetof(struct lc_gcm_key, rounds) == 240, "KEY_ROUNDS");
_Static_assert(offsetof(struct lc_gcm_key, powers) == 256, "POWERS_END");
_Static_assert(sizeof(((struct lc_gcm_key *)NULL)->powers) >= 16 * (LC_GCM_POWERS_AVX512 + 3 + 4),
               "NUM_POWERS, zeros, and four at FOLDED");
_Static_assert(sizeof(((struct lc_gcm_key *)NULL)->powers) >= 16 * (LC_GCM_POWERS + 3 + LC_GCM_POWERS + 2),
               "NUM_POWERS, zeros, and up to HALVES_END, and zeros");
_Static_assert(_Alignof(struct lc_gcm_key) == 16, "aligned operands of the legacy SSE coding");
_Static_assert(offsetof(struct lc_gcm_msg, aad) == 0, "MSG_AAD");
_Static_assert(offsetof(struct lc_gcm_msg, aad_len) == 8, "MSG_AAD_LEN");
_Static_assert(offsetof(struct lc_gcm_msg, j0) == 16, "MSG_J0");
_Static_assert(offsetof(struct lc_gcm_msg, hash) == 32, "MSG_HASH");
_Static_assert(offsetof(struct lc_gcm_msg, num_bits) == 48, "MSG_BITS");
_Static_assert(offsetof(struct lc_gcm_msg, num_done) == 64, "MSG_DONE");
_Static_assert(offsetof(struct lc_gcm_msg, nonce) == 72, "MSG_NONCE");
_Static_assert(offsetof(struct lc_gcm_msg, tag) == 80, "MSG_TAG");
_Static_assert(offsetof(struct lc_gcm_msg, group) == 96, "MSG_GROUP");
_Static_assert(sizeof(((struct lc_gcm_msg *)NULL)->group) >= 128 + 16 + 16 && _Alignof(struct lc_gcm_msg) == 16, "MSG_LENGTHS");
_Static_assert(offsetof(struct lc_gcm_long_msg, msg) + 96 == 128 && sizeof(struct lc_gcm_long_msg) == 128 + 4 * 64, "LATE");
_Static_assert(LC_GCM_LAST == 1, "LENGTHS");
_Static_assert(LC_GCM_FROM_NONCE == 16, "FROM_NONCE");
_Static_assert(LC_GCM_PUBLIC == 64, "PUBLIC");
_Static_assert(LC_GCM_DECRYPT == 128, "TO_DECRYPT");
_Static_assert(LC_GCM_LATE == 512, "LATE");
_Static_assert(LC_OK == 0 && LC_ERR_AUTH == -5, "ERR_AUTH");
_Static_assert(offsetof(struct lc_aead_item, dst) == 0, "ITEM_DST");
_Static_assert(offsetof(struct lc_aead_item, tag) == 8, "ITEM_TAG");
_Static_assert(offsetof(struct lc_aead_item, src) == 16, "ITEM_SRC");
_Static_assert(offsetof(struct lc_aead_item, len) == 24, "ITEM_LEN");
_Static_assert(offsetof(struct lc_aead_item, aad) == 32, "ITEM_AAD");
_Static_assert(offsetof(struct lc_aead_item, aad_len) == 40, "ITEM_AAD_LEN");
_Static_assert(offsetof(struct lc_aead_item, nonce) == 48, "ITEM_NONCE");
_Static_assert(LC_GCM_MANY_LEN / 16 + 2 <= LC_GCM_POWERS_AVX512, "NUM_POWERS");
_Static_assert(LC_GCM_EMPTY_AAD_LEN == 16 && LC_GCM_MANY_AAD_LEN == 16, "AAD of a block");

#include "chacha20_run.h"

/* ---- poly1305.S ---- */

_Static_assert(offsetof(struct lc_poly1305_state, h) == 0, "STATE_H");
_Static_assert(offsetof(struct lc_poly1305_state, r) == 24, "STATE_R");
_Static_assert(offsetof(struct lc_poly1305_state, num_powers) == 84, "STATE_NUM_POWERS");
_Static_assert(offsetof(struct lc_poly1305_state, powers) == 96, "STATE_POWERS");
_Static_assert(sizeof(((struct lc_poly1305_state *)NULL)->powers) == 384, "powers");
_Static_assert(offsetof(struct lc_poly1305_part, blocks) == 0, "PART_BLOCKS");
_Static_assert(offsetof(struct lc_poly1305_part, num) == 8, "PART_NUM");
_Static_assert(sizeof(struct lc_poly1305_part) == 16, "parts follow each other");

#ifndef LC_ONE_MESSAGE
#include "../sha2_internal.h"
#include "../sm3_internal.h"

/* ---- sha2_lanes.S, sha256_shani.S ---- */

_Static_assert(offsetof(struct lc_sha256_lanes, h) == 0 && offsetof(struct lc_sha512_lanes, h) == 0, "LANES_H");
_Static_assert(offsetof(struct lc_sha256_lanes, w) == 256 && offsetof(struct lc_sha512_lanes, w) == 512, "LANES_W");
_Static_assert(offsetof(struct lc_sha256_lanes, data) == 768 && offsetof(struct lc_sha512_lanes, data) == 1536, "LANES_DATA");
_Static_assert(_Alignof(struct lc_sha256_lanes) == 64 && _Alignof(struct lc_sha512_lanes) == 64, "aligned vectors");

/* ---- sm3_lanes.S ---- */

_Static_assert(offsetof(struct lc_sm3_lanes, h) == 0 && offsetof(struct lc_sm3_lanes, w) == 512, "LANES_H, LANES_W");
_Static_assert(offsetof(struct lc_sm3_lanes, data) == 4864 && _Alignof(struct lc_sm3_lanes) == 64, "LANES_DATA");

/* ---- sha512_blocks.S ---- */

_Static_assert(LC_SHA512_ROOM == 8 + 16, "WK");
#endif

#endif
