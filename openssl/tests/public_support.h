/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of public keys share: two library contexts, one with the module's public keys, and the same keys in both. */
#ifndef LC_TESTS_PUBLIC_SUPPORT_H
#define LC_TESTS_PUBLIC_SUPPORT_H

#include <functional>
#include <memory>
#include <openssl/evp.h>

#include "evp_support.h"

struct Free {
    void operator()(EVP_PKEY *p) const { EVP_PKEY_free(p); }
    void operator()(EVP_PKEY_CTX *p) const { EVP_PKEY_CTX_free(p); }
    void operator()(EVP_MD_CTX *p) const { EVP_MD_CTX_free(p); }
};
using Key = std::unique_ptr<EVP_PKEY, Free>;
using KeyCtx = std::unique_ptr<EVP_PKEY_CTX, Free>;
using MdCtx = std::unique_ptr<EVP_MD_CTX, Free>;

OSSL_LIB_CTX *context(const char *conf); /* a new one; NULL: the default provider's */
OSSL_LIB_CTX *stock();  /* the default provider */
OSSL_LIB_CTX *public_keys(); /* and the module with all its public keys, which it's asked for first */

/* A kind of key: "RSA" and its bits, "EC" and its curve, or another algorithm's name. */
struct KeyKind {
    std::string algorithm, detail;
    const char *hash; /* that it signs with in TLS; NULL: with none of its own */

    std::string name() const { return algorithm + detail; }
    bool can_sign() const { return algorithm != "X25519" && algorithm != "X448"; }
    bool can_derive() const { return algorithm == "EC" || !can_sign(); }
    // Which it may sign with
    std::vector<const char *> hashes() const
    {
        if (!hash)
            return { nullptr };
        if (algorithm == "SM2")
            return { hash };
        return { "SHA256", "SHA384", "SHA512", "SHA1", "SHA224", "SHA3-256" };
    }
};
extern const std::vector<KeyKind> key_kinds;

/* A new key of the default provider; the same each time for `number`. */
const Key &key_of(const KeyKind &kind, size_t number = 0);
/* The same key in a library context, by way of its encoding. */
Key in_context(const Key &key, OSSL_LIB_CTX *ctx, bool only_public = false);
/* A new key, by the provider that the context prefers. */
Key generate(const KeyKind &kind, OSSL_LIB_CTX *ctx);

/* EVP_DigestSign() or pieces, and the other way; empty and 0 where it fails.  `set` may set something. */
using Set = std::function<bool(EVP_PKEY_CTX *)>;
Bytes sign(OSSL_LIB_CTX *ctx, const Key &key, const char *hash, const Bytes &message, bool in_pieces = false, const Set &set = {});
int verify(OSSL_LIB_CTX *ctx, const Key &key, const char *hash, const Bytes &message, const Bytes &sig, bool in_pieces = false,
           const Set &set = {});
Bytes derive(OSSL_LIB_CTX *ctx, const Key &key, const Key &peer);

#endif
