/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The x86-64 rows of XTS, best first, and what x86/aes_xts.S assumes of the structs. */
#include "../xts_internal.h"

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

/* clang-format off: one line a row, `name, symbol, needs, prefers` */
#define VAES (LC_AES | LC_SSSE3 | LC_AVX | LC_AVX2 | LC_VAES | LC_VPCLMULQDQ)
#define AVX512 (LC_AVX512F | LC_AVX512BW | LC_AVX512VL)
#define ROWS(ROW) \
    ROW("xts-aes-vaes-avx512-512", vaes_avx512_512, VAES | AVX512, LC_PREFER_ZMM) \
    ROW("xts-aes-vaes-avx512-256", vaes_avx512_256, VAES | AVX512, 0) \
    ROW("xts-aes-vaes-avx2", vaes_avx2, VAES, 0) \
    ROW("xts-aes-aesni-avx", aesni_avx, LC_AES | LC_SSSE3 | LC_AVX, 0) \
    ROW("xts-aes-aesni", aesni, LC_AES | LC_SSSE3, 0)
/* clang-format on */

#define DECLARE(name, symbol, needs, prefers)                                     \
    lc_xts_crypt_fn lc_aes_xts_encrypt_##symbol, lc_aes_xts_decrypt_##symbol;     \
    extern const char lc_aes_xts_##symbol##_begin[], lc_aes_xts_##symbol##_end[];
ROWS(DECLARE)

#define DEFINE(name, symbol, needs, prefers)                                                             \
    { { name, needs, prefers, lc_aes_xts_##symbol##_begin, lc_aes_xts_##symbol##_end },                  \
      lc_aes_expand_aesni, lc_aes_xts_encrypt_##symbol, lc_aes_xts_decrypt_##symbol },
const struct lc_xts_impl lc_xts_isa_rows[LC_XTS_ISA_ROWS] = { ROWS(DEFINE) };
