/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The x86-64 implementations of CTR, best first: ROW("name", symbol, needs, prefers) for each. */
#ifndef LC_X86_CTR_ROWS_H
#define LC_X86_CTR_ROWS_H

#include "../ctr_internal.h"

/* clang-format off: one line a row, `name, symbol, needs, prefers` */
#define LC_X86_CTR_VAES (LC_AES | LC_SSSE3 | LC_AVX | LC_AVX2 | LC_VAES)
#define LC_X86_CTR_AVX512 (LC_AVX512F | LC_AVX512BW | LC_AVX512VL)
#define LC_X86_CTR_ROWS(ROW) \
    ROW("ctr-aes-vaes-avx512-512", vaes_avx512_512, LC_X86_CTR_VAES | LC_X86_CTR_AVX512, LC_PREFER_ZMM) \
    ROW("ctr-aes-vaes-avx512-256", vaes_avx512_256, LC_X86_CTR_VAES | LC_X86_CTR_AVX512, 0) \
    ROW("ctr-aes-vaes-avx2", vaes_avx2, LC_X86_CTR_VAES, 0) \
    ROW("ctr-aes-aesni-avx", aesni_avx, LC_AES | LC_SSSE3 | LC_AVX, 0) \
    ROW("ctr-aes-aesni", aesni, LC_AES | LC_SSSE3, 0)
/* clang-format on */

#define LC_X86_CTR_DECLARE(name, symbol, needs, prefers) lc_ctr_xor_fn lc_aes_ctr_##symbol;
LC_X86_CTR_ROWS(LC_X86_CTR_DECLARE)
#undef LC_X86_CTR_DECLARE

#endif
