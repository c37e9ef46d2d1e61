/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The x86-64 implementations of Poly1305, best first: ROW("name", symbol, needs, prefers) for each. */
#ifndef LC_X86_POLY1305_ROWS_H
#define LC_X86_POLY1305_ROWS_H

#include "../poly1305_internal.h"

/* clang-format off: one line a row, `name, symbol, needs, prefers` */
#define LC_X86_POLY1305_AVX2 (LC_AVX | LC_AVX2 | LC_BMI2)
#define LC_X86_POLY1305_IFMA (LC_X86_POLY1305_AVX2 | LC_AVX512F | LC_AVX512BW | LC_AVX512VL | LC_AVX512IFMA)
#define LC_X86_POLY1305_ROWS(ROW) \
    ROW("poly1305-avx512-ifma", avx512_ifma, LC_X86_POLY1305_IFMA, LC_PREFER_ZMM) \
    ROW("poly1305-avx2", avx2, LC_X86_POLY1305_AVX2, 0) \
    ROW("poly1305-bmi2", bmi2, LC_BMI2, 0)
/* clang-format on */

#define LC_X86_POLY1305_DECLARE(name, symbol, needs, prefers) lc_poly1305_blocks_fn lc_poly1305_blocks_##symbol;
LC_X86_POLY1305_ROWS(LC_X86_POLY1305_DECLARE)
#undef LC_X86_POLY1305_DECLARE

#endif
