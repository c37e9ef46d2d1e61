/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The tables of the modes, made of rows.def: for each implementation the structure that the mode's <mode>_internal.h describes. */
#include "chacha20poly1305_internal.h"
#include "ctr_internal.h"
#include "gcm_internal.h"
#include "xts_internal.h"
#ifdef LC_ONE_MESSAGE
#define LC_CIPHERS_ONLY /* the kernel module, as the doors for ciphers, has neither hashes nor public keys */
#endif
#ifndef LC_CIPHERS_ONLY
#include "curve25519.h"
#include "p256_internal.h"
#include "p384_internal.h"
#include "rsa_internal.h"
#include "sha2_internal.h"
#include "sm2_internal.h"
#include "sm3_internal.h"
#endif
#ifdef __x86_64__
#include "x86/layout.h"
#endif

/* What the kernel module doesn't call: it has one message a call, as in x86/aes_gcm.S, and not ChaCha20 or Poly1305 alone. */
#ifdef LC_ONE_MESSAGE
#define ELSEWHERE(function) NULL
#else
#define ELSEWHERE(function) function
#endif

/* What all rows begin with; `code` is what the labels of an implementation's machine code begin with. */
#define IMPL(name, needs, prefers, class, code) { name, needs, prefers, LC_CLASS_##class, LC_ROWS_TEXT_LEN(code) }

/* The mode's rows as the selector sees them.  The size of a row tells where the next one is. */
#define MODE(name, rows) { name, &rows[0].impl, sizeof(rows[0]), sizeof(rows) / sizeof(rows[0]), &rows##_selected }
#define SELECTED(rows) static _Atomic(const struct lc_impl *) rows##_selected

/* ---- The labels ---- */

#define ROW_XTS(name, symbol, ...) extern const uint32_t lc_aes_xts_##symbol##_text_len;
#define ROW_CTR(name, symbol, ...) extern const uint32_t lc_aes_ctr_##symbol##_text_len;
#define ROW_GCM(name, symbol, ...) extern const uint32_t lc_aes_gcm_##symbol##_text_len;
#define ROW_CHACHA20(name, symbol, ...) extern const uint32_t lc_chacha20_##symbol##_text_len;
#define ROW_POLY1305(name, symbol, ...) extern const uint32_t lc_poly1305_##symbol##_text_len;
#define ROW_SHA256(name, symbol, ...) extern const uint32_t lc_sha256_##symbol##_text_len;
#define ROW_SHA512(name, symbol, ...) extern const uint32_t lc_sha512_##symbol##_text_len;
#define ROW_SM3(name, symbol, ...) extern const uint32_t lc_sm3_##symbol##_text_len;
#define ROW_ECDSA_P256(name, symbol, ...) extern const uint32_t lc_p256_##symbol##_text_len;
#define ROW_ECDSA_P384(name, symbol, ...) extern const uint32_t lc_p384_##symbol##_text_len;
#define ROW_SM2(name, symbol, ...) extern const uint32_t lc_sm2_##symbol##_text_len;
#define ROW_X25519(name, symbol, ...) extern const uint32_t lc_25519_##symbol##_text_len;
#define ROW_RSA(name, symbol, ...) extern const uint32_t lc_rsa_##symbol##_text_len;
#define LC_WITHOUT_PORTABLE
#include "rows.def"

/* ---- XTS ---- */

const struct lc_xts_impl lc_xts_impls[] = {
#define ROW_XTS(name, symbol, needs, prefers, class, cpus)                                                                         \
    { IMPL(name, needs, prefers, class, lc_aes_xts_##symbol), LC_ROWS_EXPAND, lc_aes_xts_encrypt_##symbol,                         \
      lc_aes_xts_decrypt_##symbol },
#include "rows.def"
};
SELECTED(lc_xts_impls);
const struct lc_mode lc_xts_mode = MODE("xts", lc_xts_impls);

/* ---- CTR ---- */

const struct lc_ctr_impl lc_ctr_impls[] = {
#define ROW_CTR(name, symbol, needs, prefers, class, cpus)                                                                         \
    { IMPL(name, needs, prefers, class, lc_aes_ctr_##symbol), LC_ROWS_EXPAND, lc_aes_ctr_##symbol },
#include "rows.def"
};
SELECTED(lc_ctr_impls);
const struct lc_mode lc_ctr_mode = MODE("ctr", lc_ctr_impls);

/* ---- GCM ---- */

const struct lc_gcm_impl lc_gcm_impls[] = {
#define ROW_GCM(name, symbol, needs, prefers, class, cpus, knows_nonce, empty, many, num_many, many_len, lane_len)                 \
    { IMPL(name, needs, prefers, class, lc_aes_gcm_##symbol),                                                                      \
      LC_ROWS_EXPAND,                                                                                                              \
      LC_ROWS_POWERS,                                                                                                              \
      lc_aes_gcm_encrypt_##symbol,                                                                                                 \
      lc_aes_gcm_decrypt_##symbol,                                                                                                 \
      knows_nonce,                                                                                                                 \
      (knows_nonce) ? LC_GCM_MAX_LEN + 1 : 0,                                                                                      \
      ELSEWHERE(empty),                                                                                                            \
      ELSEWHERE(knows_nonce) ? LC_GCM_EMPTY_AAD_LEN + 1 : 0, /* the same rows have `empty` */                                      \
      ELSEWHERE(many),                                                                                                             \
      num_many,                                                                                                                    \
      many_len,                                                                                                                    \
      lane_len },
#include "rows.def"
};
SELECTED(lc_gcm_impls);
const struct lc_mode lc_gcm_mode = MODE("gcm", lc_gcm_impls);

#ifndef LC_ONE_MESSAGE

/* ---- ChaCha20 ---- */

const struct lc_chacha20_impl lc_chacha20_impls[] = {
#define ROW_CHACHA20(name, symbol, needs, prefers, class, cpus, pass_len)                                                          \
    { IMPL(name, needs, prefers, class, lc_chacha20_##symbol), lc_chacha20_xor_##symbol, pass_len },
#include "rows.def"
};
SELECTED(lc_chacha20_impls);
const struct lc_mode lc_chacha20_mode = MODE("chacha20", lc_chacha20_impls);

/* ---- Poly1305 ---- */

const struct lc_poly1305_impl lc_poly1305_impls[] = {
#define ROW_POLY1305(name, symbol, needs, prefers, class, cpus)                                                                    \
    { IMPL(name, needs, prefers, class, lc_poly1305_##symbol), lc_poly1305_blocks_##symbol },
#include "rows.def"
};
SELECTED(lc_poly1305_impls);
const struct lc_mode lc_poly1305_mode = MODE("poly1305", lc_poly1305_impls);

#endif

/* ---- ChaCha20-Poly1305 ---- */

/* Its machine code is counted as ChaCha20's of the same name, which has it all. */
const struct lc_chacha20poly1305_impl lc_chacha20poly1305_impls[] = {
#define ROW_CHACHA20POLY1305(name, symbol, needs, prefers, class, cpus, pass_len, many, mac, blocks, passes, apply, ahead_from)    \
    { IMPL(name, needs, prefers, class, lc_chacha20_##symbol),                                                                     \
      pass_len,                                                                                                                    \
      lc_chacha20poly1305_encrypt_##symbol,                                                                                        \
      lc_chacha20poly1305_decrypt_##symbol,                                                                                        \
      ELSEWHERE(lc_chacha20_xor_##symbol),                                                                                         \
      ELSEWHERE(many),                                                                                                             \
      ELSEWHERE(mac),                                                                                                              \
      blocks,                                                                                                                      \
      ELSEWHERE(passes),                                                                                                           \
      ELSEWHERE(apply),                                                                                                            \
      ahead_from },
#include "rows.def"
};
SELECTED(lc_chacha20poly1305_impls);
const struct lc_mode lc_chacha20poly1305_mode = MODE("chacha20-poly1305", lc_chacha20poly1305_impls);

#ifndef LC_CIPHERS_ONLY
/* ---- SHA-256; SHA-512 and SHA-384 ---- */

const struct lc_sha256_impl lc_sha256_impls[] = {
#define ROW_SHA256(name, symbol, needs, prefers, class, cpus, blocks, ...)                                                         \
    { IMPL(name, needs, prefers, class, lc_sha256_##symbol), blocks, { __VA_ARGS__ } },
#include "rows.def"
};
SELECTED(lc_sha256_impls);
const struct lc_mode lc_sha256_mode = MODE("sha256", lc_sha256_impls);

const struct lc_sha512_impl lc_sha512_impls[] = {
#define ROW_SHA512(name, symbol, needs, prefers, class, cpus, blocks, ...)                                                         \
    { IMPL(name, needs, prefers, class, lc_sha512_##symbol), blocks, { __VA_ARGS__ } },
#include "rows.def"
};
SELECTED(lc_sha512_impls);
const struct lc_mode lc_sha512_mode = MODE("sha512", lc_sha512_impls);

/* ---- SM3 ---- */

const struct lc_sm3_impl lc_sm3_impls[] = {
#define ROW_SM3(name, symbol, needs, prefers, class, cpus, blocks, ...)                                                            \
    { IMPL(name, needs, prefers, class, lc_sm3_##symbol), blocks, { __VA_ARGS__ } },
#include "rows.def"
};
SELECTED(lc_sm3_impls);
const struct lc_mode lc_sm3_mode = MODE("sm3", lc_sm3_impls);

/* ---- Curves: what signs is what agrees on secrets ---- */

/* What not every row has comes after the CPUs. */
#define AFTER_CPUS(cpus, ...) __VA_ARGS__
#define CURVE_ROW(curve, name, needs, prefers, class, symbol, ...)                                                                 \
    { IMPL(name, needs, prefers, class, lc_##curve##_##symbol), .base = lc_##curve##_base_##symbol,                                \
      .multiply = lc_##curve##_multiply_##symbol, .check = lc_##curve##_check_##symbol, __VA_ARGS__ }

const struct lc_ec_impl lc_ecdsa_p256_impls[] = {
#define ROW_ECDSA_P256(name, symbol, needs, prefers, class, ...)                                                                   \
    CURVE_ROW(p256, name, needs, prefers, class, symbol, AFTER_CPUS(__VA_ARGS__, )),
#include "rows.def"
};
SELECTED(lc_ecdsa_p256_impls);
const struct lc_mode lc_ecdsa_p256_mode = MODE("ecdsa-p256", lc_ecdsa_p256_impls);

const struct lc_ec_impl lc_ecdh_p256_impls[] = {
#define ROW_ECDH_P256(name, symbol, needs, prefers, class, ...)                                                                    \
    CURVE_ROW(p256, name, needs, prefers, class, symbol, AFTER_CPUS(__VA_ARGS__, )),
#include "rows.def"
};
SELECTED(lc_ecdh_p256_impls);
const struct lc_mode lc_ecdh_p256_mode = MODE("ecdh-p256", lc_ecdh_p256_impls);

const struct lc_ec_impl lc_ecdsa_p384_impls[] = {
#define ROW_ECDSA_P384(name, symbol, needs, prefers, class, ...)                                                                   \
    CURVE_ROW(p384, name, needs, prefers, class, symbol, AFTER_CPUS(__VA_ARGS__, )),
#include "rows.def"
};
SELECTED(lc_ecdsa_p384_impls);
const struct lc_mode lc_ecdsa_p384_mode = MODE("ecdsa-p384", lc_ecdsa_p384_impls);

const struct lc_ec_impl lc_ecdh_p384_impls[] = {
#define ROW_ECDH_P384(name, symbol, needs, prefers, class, ...)                                                                    \
    CURVE_ROW(p384, name, needs, prefers, class, symbol, AFTER_CPUS(__VA_ARGS__, )),
#include "rows.def"
};
SELECTED(lc_ecdh_p384_impls);
const struct lc_mode lc_ecdh_p384_mode = MODE("ecdh-p384", lc_ecdh_p384_impls);

const struct lc_ec_impl lc_sm2_impls[] = {
#define ROW_SM2(name, symbol, needs, prefers, class, ...)                                                                          \
    CURVE_ROW(sm2, name, needs, prefers, class, symbol, AFTER_CPUS(__VA_ARGS__, )),
#include "rows.def"
};
SELECTED(lc_sm2_impls);
const struct lc_mode lc_sm2_mode = MODE("sm2", lc_sm2_impls);

/* ---- X25519, Ed25519 ---- */

#define CURVE25519(name, needs, prefers, class, symbol)                                                                            \
    { IMPL(name, needs, prefers, class, lc_25519_##symbol),                                                                        \
      lc_25519_dh_##symbol,                                                                                                        \
      lc_25519_base_##symbol,                                                                                                      \
      lc_25519_base_u_##symbol,                                                                                                    \
      lc_25519_check_##symbol,                                                                                                     \
      lc_25519_decompress_##symbol,                                                                                                \
      lc_25519_sum_is_small_##symbol,                                                                                              \
      lc_25519_sum_len_##symbol }
const struct lc_25519_impl lc_x25519_impls[] = {
#define ROW_X25519(name, symbol, needs, prefers, class, cpus) CURVE25519(name, needs, prefers, class, symbol),
#include "rows.def"
};
SELECTED(lc_x25519_impls);
const struct lc_mode lc_x25519_mode = MODE("x25519", lc_x25519_impls);

const struct lc_25519_impl lc_ed25519_impls[] = {
#define ROW_ED25519(name, symbol, needs, prefers, class, cpus) CURVE25519(name, needs, prefers, class, symbol),
#include "rows.def"
};
SELECTED(lc_ed25519_impls);
const struct lc_mode lc_ed25519_mode = MODE("ed25519", lc_ed25519_impls);

/* ---- RSA ---- */

const struct lc_rsa_impl lc_rsa_impls[] = {
#define ROW_RSA(name, symbol, needs, prefers, class, cpus)                                                                         \
    { IMPL(name, needs, prefers, class, lc_rsa_##symbol), lc_rsa_power_##symbol, lc_rsa_public_power_##symbol,                     \
      lc_rsa_wipe_##symbol },
#include "rows.def"
};
SELECTED(lc_rsa_impls);
const struct lc_mode lc_rsa_mode = MODE("rsa", lc_rsa_impls);

#endif
