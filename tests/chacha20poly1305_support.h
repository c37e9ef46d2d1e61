/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of ChaCha20-Poly1305 and XChaCha20-Poly1305 share. */
#ifndef LC_TESTS_CHACHA20POLY1305_SUPPORT_H
#define LC_TESTS_CHACHA20POLY1305_SUPPORT_H

#include "chacha_support.h"

using ChapolyKey = ModeKey<lc_chacha20poly1305_key, lc_chacha20poly1305_init_impl, lc_chacha20poly1305_wipe>;

/* The functions for whole messages, of XChaCha20-Poly1305 if the nonce has 24 bytes; the direction as an argument. */
int seal_or_open(bool encrypt, const lc_chacha20poly1305_key *key, uint8_t *dst, const uint8_t *src, size_t len, uint8_t *tag,
                 const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len);

/* The same into new memory; throws if sealing fails. */
Sealed seal(const lc_chacha20poly1305_key *key, const Message &m);
int open(const lc_chacha20poly1305_key *key, Bytes *dst, const Sealed &s, const Message &m);

/* What every test of a result does: sealed as expected, and opened again. */
::testing::AssertionResult both_ways(const lc_chacha20poly1305_key *key, const Message &m, const Sealed &expected);

/* A stream in pieces of these lengths (all of them have to add up); the direction as an argument. */
int crypt_text(bool encrypt, lc_chacha20poly1305_state *state, uint8_t *dst, const uint8_t *src, size_t len);
::testing::AssertionResult stream(bool encrypt, const lc_chacha20poly1305_key *key, const Message &m, const Sealed &expected,
                                  const std::vector<size_t> &aad_lens, const std::vector<size_t> &lens);

/* Tests that run once for every implementation. */
class Chapoly : public EachRow {};

#endif
