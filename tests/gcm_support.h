/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of GCM share. */
#ifndef LC_TESTS_GCM_SUPPORT_H
#define LC_TESTS_GCM_SUPPORT_H

#include "lanecrypt/gcm.h"
#include "mode_support.h"

static const bool both_directions[] = { true, false }; /* encrypt, decrypt */
static const size_t key_lens[] = { 16, 24, 32 };
static const size_t tag_lens[] = { 4, 8, 12, 13, 14, 15, 16 };

using GcmKey = ModeKey<lc_gcm_key, lc_gcm_init_impl, lc_gcm_wipe>;

/* What goes into sealing a message. */
struct Message {
    Bytes raw, src, aad, nonce;
};
Message random_message(Random &random, size_t key_len, size_t len, size_t aad_len, size_t nonce_len = 12);

/* What comes out. */
struct Sealed {
    Bytes ct, tag; /* all 16 bytes */
};
::testing::AssertionResult same(const Sealed &expected, const Sealed &actual);

/*
 * The mode as SP 800-38D has it, one bit after the other, on top of the bitsliced AES, which has its own tests: the measure for
 * all rows, so that it is there in cross builds too.  It is compared with libcrypto where there is one.
 */
namespace reference {
struct Block {
    uint64_t hi, lo; /* of the big-endian number */
};
bool operator==(const Block &a, const Block &b);
Block load(const uint8_t *bytes);
Bytes store(const Block &block);
Block multiply(const Block &x, const Block &y);
Block inverse(const Block &x);
Block hash_key(const Bytes &raw);
Sealed seal(const Message &m);
}

/* libcrypto's opinion; `otherwise` in builds that have none (tests/CMakeLists.txt says so). */
Sealed by_libcrypto(const Message &m, const Sealed &otherwise);

/* The calls for whole messages, into new memory; throws if sealing fails. */
Sealed seal(const lc_gcm_key *key, const Message &m);
int open(const lc_gcm_key *key, Bytes *dst, const Sealed &s, const Message &m);

/* What every test of a result does: sealed as expected, and opened again. */
::testing::AssertionResult both_ways(const lc_gcm_key *key, const Message &m, const Sealed &expected);

/* A stream in pieces of these lengths (all of them have to add up); the direction as an argument. */
int crypt_text(bool encrypt, lc_gcm_state *state, uint8_t *dst, const uint8_t *src, size_t len);
::testing::AssertionResult stream(bool encrypt, const lc_gcm_key *key, const Message &m, const Sealed &expected,
                                  const std::vector<size_t> &aad_lens, const std::vector<size_t> &lens);

/* Tests that run once for every implementation. */
class Gcm : public EachRow {};

#endif
