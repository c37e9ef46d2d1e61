/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* ChaCha20-Poly1305, and XChaCha20-Poly1305, whose nonces have 24 bytes, as aead.h says. */
#include <stddef.h>

#include "lanecrypt/chacha20poly1305.h"

#define MODE "chacha20-poly1305"
#define PORTABLE "chacha20-poly1305-portable"
#define AEAD(name) lc_chacha20poly1305_##name
#define SEAL(nonce_len) ((nonce_len) == 24 ? lc_xchacha20poly1305_seal : lc_chacha20poly1305_seal)
#define OPEN(nonce_len) ((nonce_len) == 24 ? lc_xchacha20poly1305_open : lc_chacha20poly1305_open)

static size_t choose_raw_len(unsigned choice)
{
    (void)choice;
    return 32;
}

static size_t choose_nonce_len(unsigned choice, int whole)
{
    if (!whole)
        return 12; /* there are no streams of XChaCha20-Poly1305 */
    return choice & 2 ? 24 : choice / 4;
}

#include "aead.h"
