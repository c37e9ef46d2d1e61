/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The x86-64 implementations of GCM, best first: ROW("name", symbol, needs, prefers, many) for each. */
#ifndef LC_X86_GCM_ROWS_H
#define LC_X86_GCM_ROWS_H

#include "../gcm_internal.h"

#ifdef LC_ONE_MESSAGE /* as in aes_gcm.S */
#define LC_X86_GCM_MANY NULL
#else
#define LC_X86_GCM_MANY lc_aes_gcm_many_vaes_avx512_512
#endif

/* clang-format off: one line a row, `name, symbol, needs, prefers, many` */
#define LC_X86_GCM_AESNI (LC_AES | LC_SSSE3 | LC_PCLMULQDQ)
#define LC_X86_GCM_VAES (LC_X86_GCM_AESNI | LC_AVX | LC_AVX2 | LC_VAES | LC_VPCLMULQDQ)
#define LC_X86_GCM_AVX512 (LC_BMI2 | LC_AVX512F | LC_AVX512BW | LC_AVX512VL)
#define LC_X86_GCM_ROWS(ROW) \
    ROW("gcm-aes-vaes-avx512-512", vaes_avx512_512, LC_X86_GCM_VAES | LC_X86_GCM_AVX512, LC_PREFER_ZMM, LC_X86_GCM_MANY) \
    ROW("gcm-aes-vaes-avx512-256", vaes_avx512_256, LC_X86_GCM_VAES | LC_X86_GCM_AVX512, 0, NULL) \
    ROW("gcm-aes-vaes-avx2", vaes_avx2, LC_X86_GCM_VAES, 0, NULL) \
    ROW("gcm-aes-aesni-avx", aesni_avx, LC_X86_GCM_AESNI | LC_AVX, 0, NULL) \
    ROW("gcm-aes-aesni", aesni, LC_X86_GCM_AESNI, 0, NULL)
/* clang-format on */

#define LC_X86_GCM_DECLARE(name, symbol, needs, prefers, many) \
    lc_gcm_crypt_fn lc_aes_gcm_encrypt_##symbol, lc_aes_gcm_decrypt_##symbol;
LC_X86_GCM_ROWS(LC_X86_GCM_DECLARE)
#undef LC_X86_GCM_DECLARE
lc_gcm_powers_fn lc_aes_gcm_powers_pclmul;
lc_gcm_many_fn lc_aes_gcm_many_vaes_avx512_512;

#endif
