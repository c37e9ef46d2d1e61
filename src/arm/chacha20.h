/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the AEAD's row takes from ChaCha20's; see chacha20.c. */
#ifndef LC_ARM_CHACHA20_H
#define LC_ARM_CHACHA20_H

#include "../chacha20poly1305_internal.h"

lc_chacha20_xor_fn lc_chacha20_xor_neon;
lc_chapoly_many_fn lc_chapoly_many_neon;

#endif
