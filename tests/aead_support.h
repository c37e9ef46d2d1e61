/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of an AEAD share: the calls, and the fixture.  AEAD_SUPPORT is its header (see aead.h). */
#ifndef LC_TESTS_AEAD_SUPPORT_H
#define LC_TESTS_AEAD_SUPPORT_H

#include <algorithm>

#include AEAD_SUPPORT

using AeadKey = ModeKey<Mode::Key, Mode::init_impl, Mode::wipe>;
using State = Mode::State;

/* One of a list's members after the other */
template <size_t N> size_t nth(const size_t (&list)[N], size_t i)
{
    return list[i % N];
}

/* Lengths that have to be refused. */
std::vector<size_t> bad_tag_lens();
std::vector<size_t> bad_nonce_lens(const Flavour<Mode::Key> &flavour);

Message random_message(Random &random, size_t key_len, size_t len, size_t aad_len, size_t nonce_len = Mode::nonce_lens[0]);

::testing::AssertionResult same(const Sealed &expected, const Sealed &actual);

/* The functions for whole messages of that nonce's length, with the direction as an argument. */
int crypt(bool encrypt, const Mode::Key *key, uint8_t *dst, const uint8_t *src, size_t len, uint8_t *tag, size_t tag_len,
          const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len);
/* The same with that message's AAD and nonce, and its text's length. */
int crypt(bool encrypt, const Mode::Key *key, uint8_t *dst, const uint8_t *src, uint8_t *tag, size_t tag_len, const Message &m);

/* The same into new memory; throws if sealing fails. */
Sealed seal(const Mode::Key *key, const Message &m, size_t tag_len = 16);
int open(const Mode::Key *key, Bytes *dst, const Sealed &s, const Message &m);

/* What every test of a result does: sealed as expected, and opened again. */
::testing::AssertionResult both_ways(const Mode::Key *key, const Message &m, const Sealed &expected);

/* The same, with the reference's result, which is compared with libcrypto's. */
void compare(const lc_impl_info &impl, const Message &m);

/* Streams.  start: with the message's nonce and AAD; throws if it fails. */
void start(State *state, const Mode::Key *key, const Message &m);
int crypt_text(bool encrypt, State *state, uint8_t *dst, const uint8_t *src, size_t len);
int tag_or_verify(bool encrypt, State *state, uint8_t *tag, size_t tag_len);
/* A message in pieces of these lengths (all of them have to add up) */
::testing::AssertionResult stream(bool encrypt, const Mode::Key *key, const Message &m, const Sealed &expected,
                                  const std::vector<size_t> &aad_lens, const std::vector<size_t> &lens);

int crypt_many(bool encrypt, const Mode::Key *key, lc_aead_item *items, size_t num);

/*
 * Published vectors: a file of CAVP's form, "name = value" lines from Count on.  In files of messages to decrypt there is FAIL in
 * the place of PT; Wycheproof's have a Result.  The numbers are those of the file: messages that are right, messages that are
 * wrong, and messages with nonces of lengths that this flavour refuses.
 */
void check_records(const lc_impl_info &impl, const std::string &path, const Flavour<Mode::Key> &flavour, size_t num_valid,
                   size_t num_invalid, size_t num_refused);

/* Tests that run once for every implementation. */
class Aead : public EachRow {};

#endif
