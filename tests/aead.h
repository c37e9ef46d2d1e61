/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AEADs in the form in which the tests that all of them share (test_aead_*.cc) know them.  Those are compiled once for each AEAD,
 * with its <name>_support.h, which has to define `Mode`: its functions, lengths and limits.  Its <name>_support.cc has the
 * reference.  What only one AEAD has is tested in files of its own.
 */
#ifndef LC_TESTS_AEAD_H
#define LC_TESTS_AEAD_H

#include "lanecrypt/aead.h"
#include "mode_support.h"

/* What goes into sealing a message. */
struct Message {
    Bytes raw, src, aad, nonce;
};

/* What comes out. */
struct Sealed {
    Bytes ct, tag; /* the tag has 16 bytes, unless a vector's is shorter */
};

template <typename Key>
using SealFn = int(const Key *key, uint8_t *dst, uint8_t *tag, size_t tag_len, const uint8_t *src, size_t len, const uint8_t *aad,
                   size_t aad_len, const uint8_t *nonce, size_t nonce_len);
template <typename Key>
using OpenFn = int(const Key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *tag, size_t tag_len,
                   const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len);

/* The functions for whole messages.  A mode has more than one pair of them if there are different lengths of nonces. */
template <typename Key> struct Flavour {
    SealFn<Key> *seal;
    OpenFn<Key> *open;
    uint64_t min_nonce_len, max_nonce_len;
    bool reads_nonce_first; /* even if a length is refused */

    constexpr bool takes(size_t nonce_len) const { return nonce_len >= min_nonce_len && nonce_len <= max_nonce_len; }
};

/*
 * The members of `Mode` that follow from the library's names.  The others:
 *   name, portable        the mode's, and that of its portable implementation
 *   key_lens, tag_lens    all that there are
 *   nonce_lens            some; the first one is the usual length
 *   flavours              the first one has the nonces that streams and batches take
 *   max_len, max_aad_len  of text and AAD
 *   block_len             what streams are made of: shorter pieces wait for more
 *   short_len             all texts up to here are tried
 *   split_len             the same, in all pieces
 *   batch_len, batch_aad_len  the longest messages that implementations take together (batches), and their AAD
 */
#define AEAD_FUNCTIONS(mode)                                                                                                       \
    using Key = lc_##mode##_key;                                                                                                   \
    using State = lc_##mode##_state;                                                                                               \
    static constexpr auto init = lc_##mode##_init;                                                                                 \
    static constexpr auto init_impl = lc_##mode##_init_impl;                                                                       \
    static constexpr auto impl_name = lc_##mode##_impl_name;                                                                       \
    static constexpr auto wipe = lc_##mode##_wipe;                                                                                 \
    static constexpr auto seal_many = lc_##mode##_seal_many;                                                                       \
    static constexpr auto open_many = lc_##mode##_open_many;                                                                       \
    static constexpr auto start = lc_##mode##_start;                                                                               \
    static constexpr auto aad = lc_##mode##_aad;                                                                                   \
    static constexpr auto encrypt = lc_##mode##_encrypt;                                                                           \
    static constexpr auto decrypt = lc_##mode##_decrypt;                                                                           \
    static constexpr auto tag = lc_##mode##_tag;                                                                                   \
    static constexpr auto verify = lc_##mode##_verify;                                                                             \
    static constexpr auto state_wipe = lc_##mode##_state_wipe

/*
 * The measure for all rows; there in cross builds too.  Rows get the same messages one after the other, so results are kept: what
 * works them out is compute(), in <name>_support.cc.
 */
namespace reference {
const Sealed &seal(const Message &m);
Sealed compute(const Message &m);
}

/* libcrypto's opinion; `otherwise` in builds that have none (tests/CMakeLists.txt says so), or if libcrypto doesn't take it. */
Sealed by_libcrypto(const Message &m, const Sealed &otherwise);

#endif
