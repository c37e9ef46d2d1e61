// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <algorithm>
#include <map>
#include <mutex>
#include <openssl/ec.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdexcept>

#include "public_support.h"

const std::vector<KeyKind> key_kinds = {
    { "RSA", "2048", "SHA256" },
    { "RSA", "3072", "SHA384" },
    { "RSA", "1024", "SHA256" },
    { "EC", "P-256", "SHA256" },
    { "EC", "P-384", "SHA384" },
    { "EC", "P-521", "SHA512" },
    { "EC", "brainpoolP256r1", "SHA256" },
    { "ED25519", "", nullptr },
    { "ED448", "", nullptr },
    { "X25519", "", nullptr },
    { "X448", "", nullptr },
    { "SM2", "", "SM3" },
};

OSSL_LIB_CTX *context(const char *conf)
{
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();

    if (!ctx || (conf && !OSSL_LIB_CTX_load_config(ctx, conf)) || (!conf && !OSSL_PROVIDER_load(ctx, "default")))
        throw std::runtime_error("a library context: " + errors());
    return ctx;
}

OSSL_LIB_CTX *stock()
{
    static OSSL_LIB_CTX *ctx = context(nullptr);
    return ctx;
}

OSSL_LIB_CTX *public_keys()
{
    static OSSL_LIB_CTX *ctx = context(PUBLIC_CONF);
    return ctx;
}

Key generate(const KeyKind &kind, OSSL_LIB_CTX *ctx)
{
    EVP_PKEY *key = kind.algorithm == "RSA"  ? EVP_PKEY_Q_keygen(ctx, nullptr, "RSA", static_cast<size_t>(std::stoul(kind.detail)))
                    : kind.algorithm == "EC" ? EVP_PKEY_Q_keygen(ctx, nullptr, "EC", kind.detail.c_str())
                                             : EVP_PKEY_Q_keygen(ctx, nullptr, kind.algorithm.c_str());

    if (!key)
        throw std::runtime_error("generating " + kind.name() + ": " + errors());
    return Key(key);
}

const Key &key_of(const KeyKind &kind, size_t number)
{
    static std::map<std::string, Key> keys;
    static std::mutex mutex;
    std::lock_guard<std::mutex> lock(mutex);
    Key &key = keys[kind.name() + "/" + std::to_string(number)];

    if (!key)
        key = generate(kind, stock());
    return key;
}

Key in_context(const Key &key, OSSL_LIB_CTX *ctx, bool only_public)
{
    uint8_t *der = nullptr;
    int len = only_public ? i2d_PUBKEY(key.get(), &der) : i2d_PrivateKey(key.get(), &der);
    const uint8_t *p = der;
    EVP_PKEY *copy = len <= 0      ? nullptr
                     : only_public ? d2i_PUBKEY_ex(nullptr, &p, len, ctx, nullptr)
                                   : d2i_AutoPrivateKey_ex(nullptr, &p, len, ctx, nullptr);

    OPENSSL_free(der);
    if (!copy)
        throw std::runtime_error("a key's encoding: " + errors());
    return Key(copy);
}

Bytes sign(OSSL_LIB_CTX *ctx, const Key &key, const char *hash, const Bytes &message, bool in_pieces, const Set &set)
{
    MdCtx md(EVP_MD_CTX_new());
    EVP_PKEY_CTX *pctx = nullptr;
    Bytes sig(1024);
    size_t len = sig.size();

    if (EVP_DigestSignInit_ex(md.get(), &pctx, hash, ctx, nullptr, key.get(), nullptr) != 1 || (set && !set(pctx)))
        return {};
    for (size_t i = 0; in_pieces && i < message.size(); i += 7)
        if (EVP_DigestSignUpdate(md.get(), message.data() + i, std::min<size_t>(7, message.size() - i)) != 1)
            return {};
    if ((in_pieces ? EVP_DigestSignFinal(md.get(), sig.data(), &len)
                   : EVP_DigestSign(md.get(), sig.data(), &len, message.data(), message.size())) != 1)
        return {};
    sig.resize(len);
    return sig;
}

int verify(OSSL_LIB_CTX *ctx, const Key &key, const char *hash, const Bytes &message, const Bytes &sig, bool in_pieces,
           const Set &set)
{
    MdCtx md(EVP_MD_CTX_new());
    EVP_PKEY_CTX *pctx = nullptr;

    if (EVP_DigestVerifyInit_ex(md.get(), &pctx, hash, ctx, nullptr, key.get(), nullptr) != 1 || (set && !set(pctx)))
        return -100;
    for (size_t i = 0; in_pieces && i < message.size(); i += 7)
        if (EVP_DigestVerifyUpdate(md.get(), message.data() + i, std::min<size_t>(7, message.size() - i)) != 1)
            return -101;
    return in_pieces ? EVP_DigestVerifyFinal(md.get(), sig.data(), sig.size())
                     : EVP_DigestVerify(md.get(), sig.data(), sig.size(), message.data(), message.size());
}

Bytes derive(OSSL_LIB_CTX *ctx, const Key &key, const Key &peer)
{
    KeyCtx d(EVP_PKEY_CTX_new_from_pkey(ctx, key.get(), nullptr));
    Bytes secret(128);
    size_t len = secret.size();

    if (EVP_PKEY_derive_init(d.get()) != 1 || EVP_PKEY_derive_set_peer(d.get(), peer.get()) != 1 ||
        EVP_PKEY_derive(d.get(), secret.data(), &len) != 1)
        return {};
    secret.resize(len);
    return secret;
}
