/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The system's OpenSSL as a second opinion.  It is loaded at run time with prototypes of our own, so that building the tests
 * needs none of its headers.  If it can't be loaded, the tests that use it fail.  Its default provider is what serves it, whatever
 * OpenSSL is configured to do.
 */
#ifndef LC_TESTS_LIBCRYPTO_H
#define LC_TESTS_LIBCRYPTO_H

#include "support.h"

/*
 * One key and direction of AES-128-XTS, AES-256-XTS (raw key of 32 or 64 bytes), AES-ECB, AES-CTR and AES-GCM (16, 24, 32), or
 * ChaCha20, whose iv is a 64-bit counter and 8 bytes of nonce, and ChaCha20-Poly1305 (32).
 */
class Libcrypto {
public:
    static Libcrypto xts(const Bytes &raw, bool encrypt);
    static Libcrypto ecb(const Bytes &raw, bool encrypt);
    static Libcrypto ctr(const Bytes &raw);
    static Libcrypto gcm(const Bytes &raw);
    static Libcrypto chacha20(const Bytes &raw);
    static Libcrypto chacha20_poly1305(const Bytes &raw);
    static Bytes poly1305(const Bytes &raw, const Bytes &msg);
    static Bytes digest(const std::string &algorithm, const Bytes &msg);
    /* ECDSA and ECDH on the curve of that number (NID): keys as bytes (SEC 1), signatures as DER */
    static Bytes ec_public(int nid, const Bytes &raw);
    static Bytes ec_shared(int nid, const Bytes &raw, const Bytes &peer);
    static Bytes ec_sign(int nid, const Bytes &raw, const Bytes &digest);
    static bool ec_verify(int nid, const Bytes &public_key, const Bytes &digest, const Bytes &der);
    /* "X25519" or "ED25519" */
    static Bytes raw_public(const char *algorithm, const Bytes &raw);
    static Bytes x25519_shared(const Bytes &raw, const Bytes &peer); /* empty if libcrypto refuses the peer */
    static Bytes ed25519_sign(const Bytes &raw, const Bytes &msg);
    static bool ed25519_verify(const Bytes &public_key, const Bytes &msg, const Bytes &sig);
    /* SM2: of a digest; and of a message and an identity */
    static Bytes sm2_sign(const Bytes &raw, const Bytes &digest);
    static bool sm2_verify(const Bytes &public_key, const Bytes &digest, const Bytes &der);
    static bool sm2_verify_message(const Bytes &public_key, const Bytes &id, const Bytes &msg, const Bytes &der);
    /* RSA: of a digest, with the hash function that has digests of that length.  salt_len: PSS with a salt of so many bytes; -1:
       PKCS #1 */
    class RsaKey {
    public:
        explicit RsaKey(const Bytes &der);
        ~RsaKey();
        RsaKey(const RsaKey &) = delete;
        RsaKey &operator=(const RsaKey &) = delete;
        Bytes sign(const Bytes &digest, int salt_len) const;
        bool verify(const Bytes &sig, const Bytes &digest, int salt_len) const;
        /* OAEP, with the hash function that has digests of that length.  Decryption: false if it fails */
        Bytes encrypt(const Bytes &msg, size_t digest_len, const Bytes &label) const;
        bool decrypt(Bytes *msg, const Bytes &ct, size_t digest_len, const Bytes &label) const;

    private:
        void *oaep_context(bool encrypting, size_t digest_len, const Bytes &label) const;
        void *context(bool signing, size_t digest_len, int salt_len) const;
        void *pkey;
    };
    ~Libcrypto();
    Libcrypto(const Libcrypto &) = delete;
    Libcrypto &operator=(const Libcrypto &) = delete;

    Bytes crypt(const uint8_t *src, size_t len, const uint8_t iv[16]);
    Bytes seal(const Bytes &src, const Bytes &aad, const Bytes &nonce, Bytes *tag); /* nonces of up to 128 bytes; tags of 16 */

private:
    Libcrypto(const std::string &algorithm, const Bytes &raw, bool encrypt);
    void *ctx;
    int direction;
};

#endif
