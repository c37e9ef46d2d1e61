/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES-GCM as the tests see it. */
#ifndef LC_TESTS_GCM_SUPPORT_H
#define LC_TESTS_GCM_SUPPORT_H

#include "aead.h"
#include "lanecrypt/gcm.h"

struct Gcm {
    AEAD_FUNCTIONS(gcm);
    static constexpr const char *name = "gcm", *portable = "gcm-aes-portable";
    static constexpr size_t key_lens[] = { 16, 24, 32 }, tag_lens[] = { 4, 8, 12, 13, 14, 15, 16 };
    static constexpr size_t nonce_lens[] = { 12, 9, 8, 16, 60 };
    static constexpr Flavour<Key> flavours[] = { { lc_gcm_seal, lc_gcm_open, 1, LC_GCM_MAX_NONCE_LEN, false } };
    static constexpr size_t max_len = LC_GCM_MAX_LEN, max_aad_len = LC_GCM_MAX_AAD_LEN;
    static const uint64_t (&hash(const struct lc_gcm_state &s))[2] { return s.hash; }
    static constexpr size_t block_len = 16, short_len = 1100, split_len = 100, batch_len = 512, batch_aad_len = 16;
};
using Mode = Gcm;

/*
 * The mode as SP 800-38D has it, one bit after the other, on top of the bitsliced AES, which has its own tests: the measure for
 * all rows, so that it is there in cross builds too.  It is compared with libcrypto where there is one.  Its seal() is in aead.h.
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
}

#endif
