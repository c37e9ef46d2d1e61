/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* ChaCha20-Poly1305 and XChaCha20-Poly1305 as the tests see them. */
#ifndef LC_TESTS_CHACHA20POLY1305_SUPPORT_H
#define LC_TESTS_CHACHA20POLY1305_SUPPORT_H

#include "aead.h"
#include "chacha_support.h"

struct ChaCha20Poly1305 {
    AEAD_FUNCTIONS(chacha20poly1305);
    static constexpr const char *name = "chacha20-poly1305", *portable = "chacha20-poly1305-portable";
    static constexpr size_t key_lens[] = { 32 }, tag_lens[] = { 16 }, nonce_lens[] = { 12, 24 };
    static constexpr Flavour<Key> flavours[] = {
        { lc_chacha20poly1305_seal, lc_chacha20poly1305_open, 12, 12, false },
        { lc_xchacha20poly1305_seal, lc_xchacha20poly1305_open, 24, 24, true },
    };
    static constexpr size_t max_len = LC_CHACHA20POLY1305_MAX_LEN, max_aad_len = SIZE_MAX;
    static const uint64_t (&hash(const struct lc_chacha20poly1305_state &s))[3] { return s.poly.h; }
    static constexpr size_t block_len = 64, short_len = 2200, split_len = 300, batch_len = 192, batch_aad_len = 64;
};
using Mode = ChaCha20Poly1305;

#endif
