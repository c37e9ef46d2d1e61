/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Something to compare with, as `lanecrypt speed --peer ./mine.so` takes it: a shared library that exports
 *
 *      const struct lanecrypt_peer lanecrypt_peer = { LANECRYPT_PEER_ABI, "mine", "1.2", key_new, key_free };
 *
 * It needs nothing of lanecrypt but this file; peer_ipsec_mb.c is an example.  Its functions are called as lanecrypt's own are,
 * with nothing in between, and one thread calls them.  Each result is compared byte for byte before anything is timed.  A libcrypto
 * needs nothing of this: it is called by EVP.
 */
#ifndef LANECRYPT_PEER_H
#define LANECRYPT_PEER_H

#include <stddef.h>
#include <stdint.h>

#define LANECRYPT_PEER_ABI 1

/* One message, done again and again, with other ivs or nonces.  All of it was written long before the call. */
struct lanecrypt_message {
    void *key; /* key_new()'s */
    uint8_t *dst;
    const uint8_t *src; /* disjoint from dst */
    size_t len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t (*ivs)[16];
    uint8_t (*tags)[16];
    uint64_t iv_mask, tag_mask;
};

/* What the call of that number takes.  XTS, CTR: the iv.  ChaCha20: a little-endian counter of 4 bytes and a nonce of 12. */
static inline const uint8_t *lanecrypt_iv(const struct lanecrypt_message *m, uint64_t number)
{
    return m->ivs[number & m->iv_mask];
}

/* GCM, ChaCha20-Poly1305: 12 bytes */
static inline const uint8_t *lanecrypt_nonce(const struct lanecrypt_message *m, uint64_t number)
{
    return lanecrypt_iv(m, number) + 4;
}

/* GCM, ChaCha20-Poly1305, Poly1305: 16 bytes, to be written; or to decrypt, to be compared.  A digest goes to tags[0] and on. */
static inline uint8_t *lanecrypt_tag(const struct lanecrypt_message *m, uint64_t number)
{
    return m->tags[number & m->tag_mask];
}

/* One message.  0: it is refused, or its tag is wrong. */
typedef int lanecrypt_call(const struct lanecrypt_message *m, uint64_t number);

struct lanecrypt_peer {
    unsigned abi;
    const char *name, *version; /* "ipsec-mb", "2.0.1" */

    /*
     * A function that encrypts, or decrypts, messages by that algorithm, and its key in *key.  alg: "aes-128-gcm", "aes-256-xts",
     * "aes-128-ctr", "chacha20", "poly1305", "chacha20-poly1305", "sha256", ..; raw: as many bytes as its key has (XTS: the data's
     * key first; a hash: none).  NULL if there is no such algorithm.  Setting Poly1305's key, which is one message's, is part of a
     * call's work.
     */
    lanecrypt_call *(*key_new)(const char *alg, const uint8_t *raw, int encrypt, void **key);
    void (*key_free)(void *key);
};

#endif
