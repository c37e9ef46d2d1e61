/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ChaCha20-Poly1305 for 64-bit Arm with NEON: ChaCha20 by NEON, and Poly1305 in general registers, one after the other.
 *
 * A block of Poly1305 takes 6 MUL and 4 UMULH there.  NEON's products are of 32 bits, two to an operation: it would take 13 of
 * them, besides what splits a block into five parts, and all in the pipes that ChaCha20 needs.  (Counts; nothing was measured.)
 */
#include "../chacha20poly1305_internal.h"

void lc_chacha20poly1305_encrypt_neon(const uint8_t key[32], uint8_t *dst, const uint8_t *src, size_t len,
                                      struct lc_chacha20poly1305_msg *msg, unsigned how)
{
    lc_chacha20poly1305_by_parts(lc_chacha20_xor_neon, lc_poly1305_blocks_no_wipe, key, dst, src, len, msg, how, 0);
}

void lc_chacha20poly1305_decrypt_neon(const uint8_t key[32], uint8_t *dst, const uint8_t *src, size_t len,
                                      struct lc_chacha20poly1305_msg *msg, unsigned how)
{
    lc_chacha20poly1305_by_parts(lc_chacha20_xor_neon, lc_poly1305_blocks_no_wipe, key, dst, src, len, msg, how, 1);
}
