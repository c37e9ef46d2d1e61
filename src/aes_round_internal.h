/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The structures that aes_round_ops.c makes, for aes_round.c to choose from. */
#ifndef LC_AES_ROUND_INTERNAL_H
#define LC_AES_ROUND_INTERNAL_H

#include "lanecrypt/aes_round.h"

#if defined(__x86_64__)
extern const struct lc_aes_round_ops lc_aes_round_vaes512, lc_aes_round_vaes256, lc_aes_round_aesni, lc_aes_round_gfni;
extern const struct lc_aes_round_ops lc_aes_round_ssse3;
#elif defined(__aarch64__)
extern const struct lc_aes_round_ops lc_aes_round_armv8, lc_aes_round_neon;
#elif defined(__powerpc64__)
extern const struct lc_aes_round_ops lc_aes_round_power8;
#elif defined(__riscv) && __riscv_xlen == 64
extern const struct lc_aes_round_ops lc_aes_round_zkn, lc_aes_round_zvkned;
#endif
extern const struct lc_aes_round_ops lc_aes_round_portable;

#endif
