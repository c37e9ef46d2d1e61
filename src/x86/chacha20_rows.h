/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The x86-64 implementations of ChaCha20, best first: ROW("name", symbol, needs, prefers) for each. */
#ifndef LC_X86_CHACHA20_ROWS_H
#define LC_X86_CHACHA20_ROWS_H

#include "../chacha20_internal.h"

/* clang-format off: one line a row, `name, symbol, needs, prefers` */
#define LC_X86_CHACHA20_AVX2 (LC_SSSE3 | LC_AVX | LC_AVX2 | LC_BMI2)
#define LC_X86_CHACHA20_AVX512 (LC_X86_CHACHA20_AVX2 | LC_AVX512F | LC_AVX512BW | LC_AVX512VL)
#define LC_X86_CHACHA20_ROWS(ROW) \
    ROW("chacha20-avx512-512", avx512_512, LC_X86_CHACHA20_AVX512, LC_PREFER_ZMM) \
    ROW("chacha20-avx512-256", avx512_256, LC_X86_CHACHA20_AVX512, 0) \
    ROW("chacha20-avx2", avx2, LC_X86_CHACHA20_AVX2, 0) \
    ROW("chacha20-ssse3", ssse3, LC_SSSE3, 0)
/* clang-format on */

#define LC_X86_CHACHA20_DECLARE(name, symbol, needs, prefers) lc_chacha20_xor_fn lc_chacha20_xor_##symbol;
LC_X86_CHACHA20_ROWS(LC_X86_CHACHA20_DECLARE)
#undef LC_X86_CHACHA20_DECLARE

#endif
