/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* ChaCha20 for x86-64: around what x86/chacha20.S does, the same for all widths. */
#include "chacha20_run.h"

#define ROW_CHACHA20(name, symbol, ...)                                                                                            \
    void lc_chacha20_xor_##symbol(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t key[32], const uint32_t iv[4])       \
    {                                                                                                                              \
        static const struct lc_chacha20_shape shape = LC_CHACHA20_SHAPE_##symbol;                                                  \
                                                                                                                                   \
        lc_chacha20_xor_shape(dst, src, len, key, iv, &shape);                                                                     \
    }
#define LC_WITHOUT_PORTABLE
#include "../rows.def"
