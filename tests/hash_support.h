/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the tests of hashes share.  They are compiled once, and linked into the program of each mode with the hashes that it has:
 * SHA-256 in one, SHA-384 and SHA-512 in another, SM3 in the third.
 */
#ifndef LC_TESTS_HASH_SUPPORT_H
#define LC_TESTS_HASH_SUPPORT_H

#include "lanecrypt/sha2.h"
#include "lanecrypt/sm3.h"
#include "mode_support.h"

/* A file of vectors in the form of NIST's CAVP, and how many it has */
struct VectorFile {
    const char *name;
    size_t num;
};

/* A hash's functions, in one form for all. */
struct Hash {
    const char *name; /* "SHA256", as in the names of files of vectors */
    size_t len, block_len, state_size;
    std::vector<VectorFile> files;
    int (*one)(uint8_t *digest, const uint8_t *msg, size_t len);
    int (*many)(const lc_hash_item *items, size_t num_items);
    int (*many_impl)(const char *impl, const lc_hash_item *items, size_t num_items);
    int (*start)(void *s);
    int (*start_impl)(void *s, const char *impl);
    void (*update)(void *s, const uint8_t *msg, size_t len);
    void (*finish)(void *s, uint8_t *digest);
    const char *(*impl_name)(const void *s);
    void (*wipe)(void *s);
};

template <typename State, int (*start)(State *), int (*start_impl)(State *, const char *),
          void (*update)(State *, const uint8_t *, size_t), void (*finish)(State *, uint8_t *),
          const char *(*impl_name)(const State *), void (*wipe)(State *)>
Hash make_hash(const char *name, size_t len, size_t block_len, const std::vector<VectorFile> &files,
               int (*one)(uint8_t *, const uint8_t *, size_t), int (*many)(const lc_hash_item *, size_t),
               int (*many_impl)(const char *, const lc_hash_item *, size_t))
{
    return { name,
             len,
             block_len,
             sizeof(State),
             files,
             one,
             many,
             many_impl,
             [](void *s) { return start(static_cast<State *>(s)); },
             [](void *s, const char *impl) { return start_impl(static_cast<State *>(s), impl); },
             [](void *s, const uint8_t *msg, size_t n) { update(static_cast<State *>(s), msg, n); },
             [](void *s, uint8_t *digest) { finish(static_cast<State *>(s), digest); },
             [](const void *s) { return impl_name(static_cast<const State *>(s)); },
             [](void *s) { wipe(static_cast<State *>(s)); } };
}
#define MAKE_HASH(h, name, len, block_len, ...)                                                                                    \
    make_hash<lc_##h##_state, lc_##h##_start, lc_##h##_start_impl, lc_##h##_update, lc_##h##_finish, lc_##h##_impl_name,           \
              lc_##h##_state_wipe>(name, len, block_len, { __VA_ARGS__ }, lc_##h, lc_##h##_many, lc_##h##_many_impl)

extern const std::vector<Hash> hashes; /* <mode>_support.cc */

/* A state of any of them, on a CPU's usual alignment */
struct State {
    alignas(16) uint8_t bytes[sizeof(lc_sha512_state)]; /* the largest */
    operator void *() { return bytes; }
};

/* The digest of msg in pieces of these lengths, as far as it goes, and what is left behind them. */
Bytes digest_of(const Hash &hash, const lc_impl_info &impl, const Bytes &msg, const std::vector<size_t> &lens);

/* The digests of a call for many. */
std::vector<Bytes> digests_of(const Hash &hash, const lc_impl_info &impl, const std::vector<Bytes> &msgs);

/* The second opinion: libcrypto's, or where that is left out the portable implementation's. */
Bytes other_digest(const Hash &hash, const Bytes &msg);

/* Tests that run once for every implementation. */
class Hashes : public EachRow {};

#endif
