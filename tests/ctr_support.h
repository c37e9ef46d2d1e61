/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of CTR share. */
#ifndef LC_TESTS_CTR_SUPPORT_H
#define LC_TESTS_CTR_SUPPORT_H

#include "lanecrypt/ctr.h"
#include "mode_support.h"

/* The implementation that the others are compared with.  It is compared with published vectors and with libcrypto. */
#define PORTABLE "ctr-aes-portable"

static const size_t key_lens[] = { 16, 24, 32 };

using CtrKey = ModeKey<lc_ctr_key, lc_ctr_init_impl, lc_ctr_wipe>;

/* lc_ctr_xor() into new memory. */
Bytes crypt(const lc_ctr_key *key, const Bytes &src, const Bytes &iv);

/* lc_ctr_update() in pieces of these lengths, and what is left of src after them. */
Bytes crypt_in_pieces(const lc_ctr_key *key, const Bytes &src, const Bytes &iv, const std::vector<size_t> &lens);

/*
 * A call for each block, with counters that were added up here, byte by byte: what nothing in the library has a say in is which
 * counter a block gets.
 */
Bytes crypt_block_by_block(const lc_ctr_key *key, const Bytes &src, const Bytes &iv);

/* A counter plus n, or minus n, modulo 2^128. */
Bytes counter_plus(const Bytes &counter, uint64_t n);
Bytes counter_minus(const Bytes &counter, uint64_t n);

/* libcrypto's opinion; `otherwise` in builds that have none (tests/CMakeLists.txt says so). */
Bytes by_libcrypto(const Bytes &raw, const Bytes &src, const Bytes &iv, const Bytes &otherwise);

/* Tests that run once for every implementation. */
class Ctr : public EachRow {};

#endif
