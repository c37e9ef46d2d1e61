/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The x86-64 implementations of XTS, best first: ROW("name", symbol, needs, prefers) for each. */
#ifndef LC_X86_XTS_ROWS_H
#define LC_X86_XTS_ROWS_H

#include "../xts_internal.h"

/* clang-format off: one line a row, `name, symbol, needs, prefers` */
#define LC_X86_VAES (LC_AES | LC_SSSE3 | LC_AVX | LC_AVX2 | LC_VAES | LC_VPCLMULQDQ)
#define LC_X86_AVX512 (LC_AVX512F | LC_AVX512BW | LC_AVX512VL)
#define LC_X86_XTS_ROWS(ROW) \
    ROW("xts-aes-vaes-avx512-512", vaes_avx512_512, LC_X86_VAES | LC_X86_AVX512, LC_PREFER_ZMM) \
    ROW("xts-aes-vaes-avx512-256", vaes_avx512_256, LC_X86_VAES | LC_X86_AVX512, 0) \
    ROW("xts-aes-vaes-avx2", vaes_avx2, LC_X86_VAES, 0) \
    ROW("xts-aes-aesni-avx", aesni_avx, LC_AES | LC_SSSE3 | LC_AVX, 0) \
    ROW("xts-aes-aesni", aesni, LC_AES | LC_SSSE3, 0)
/* clang-format on */

#define LC_X86_XTS_DECLARE(name, symbol, needs, prefers) \
    lc_xts_crypt_fn lc_aes_xts_encrypt_##symbol, lc_aes_xts_decrypt_##symbol;
LC_X86_XTS_ROWS(LC_X86_XTS_DECLARE)
#undef LC_X86_XTS_DECLARE

#endif
