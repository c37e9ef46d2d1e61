/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of ChaCha20 by itself share. */
#ifndef LC_TESTS_CHACHA20_SUPPORT_H
#define LC_TESTS_CHACHA20_SUPPORT_H

#include "chacha_support.h"

using Chacha20Key = ModeKey<lc_chacha20_key, lc_chacha20_init_impl, lc_chacha20_wipe>;

/* lc_chacha20_crypt() into new memory; throws if it fails. */
Bytes crypt(const lc_chacha20_key *key, const Bytes &src, const Bytes &nonce, uint32_t counter);

/* lc_chacha20_start() or lc_chacha20_start_64(), by the nonce's length */
void start(lc_chacha20_state *state, const lc_chacha20_key *key, const Bytes &nonce, uint64_t counter);

/* A stream in pieces of these lengths, as far as src goes, and what is left of it after them. */
Bytes crypt_in_pieces(const lc_chacha20_key *key, const Bytes &src, const Bytes &nonce, uint64_t counter,
                      const std::vector<size_t> &lens);

/* Tests that run once for every implementation. */
class Chacha20 : public EachRow {};

#endif
