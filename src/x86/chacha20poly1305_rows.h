/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The x86-64 implementations of ChaCha20-Poly1305, best first: ROW("name", symbol, needs, prefers, mac) for each. */
#ifndef LC_X86_CHACHA20POLY1305_ROWS_H
#define LC_X86_CHACHA20POLY1305_ROWS_H

#include "../chacha20poly1305_internal.h"
#include "chacha20_rows.h"

/* clang-format off: one line a row, `name, symbol, needs, prefers, mac` */
#define LC_X86_CHAPOLY_ROWS(ROW) \
    ROW("chacha20-poly1305-avx512-512", avx512_512, LC_X86_CHACHA20_AVX512 | LC_AVX512IFMA, LC_PREFER_ZMM, \
        mac_bmi2) \
    ROW("chacha20-poly1305-avx512-256", avx512_256, LC_X86_CHACHA20_AVX512, 0, mac_bmi2) \
    ROW("chacha20-poly1305-avx2", avx2, LC_X86_CHACHA20_AVX2, 0, mac_bmi2) \
    ROW("chacha20-poly1305-ssse3", ssse3, LC_SSSE3, 0, lc_chapoly_mac_portable)
/* clang-format on */

#define LC_X86_CHAPOLY_DECLARE(name, symbol, needs, prefers, mac) \
    lc_chapoly_crypt_fn lc_chacha20poly1305_encrypt_##symbol, lc_chacha20poly1305_decrypt_##symbol;
LC_X86_CHAPOLY_ROWS(LC_X86_CHAPOLY_DECLARE)
#undef LC_X86_CHAPOLY_DECLARE

#endif
