// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the tests compare with is OpenSSL's own code, even where OpenSSL is configured to take lanecrypt's provider for everything.
// CTest runs this with such a configuration.
#include <dlfcn.h>

#include "libcrypto.h"

// The provider that a program gets which does nothing about providers
static std::string configured_provider(const char *algorithm)
{
    void *const lib = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    const auto fetch = reinterpret_cast<void *(*)(void *, const char *, const char *)>(dlsym(lib, "EVP_CIPHER_fetch"));
    const auto provider = reinterpret_cast<const void *(*)(const void *)>(dlsym(lib, "EVP_CIPHER_get0_provider"));
    const auto name = reinterpret_cast<const char *(*)(const void *)>(dlsym(lib, "OSSL_PROVIDER_get0_name"));
    const auto free = reinterpret_cast<void (*)(void *)>(dlsym(lib, "EVP_CIPHER_free"));
    void *const cipher = fetch(nullptr, algorithm, nullptr);
    std::string text = cipher ? name(provider(cipher)) : "none";

    free(cipher);
    return text;
}

TEST(Libcrypto, IsServedByTheDefaultProvider)
{
    if (!environment("OPENSSL_CONF").empty()) {
        EXPECT_EQ(configured_provider("AES-256-GCM"), "lanecrypt");
    }
    // Each throws if another provider serves it.
    for (size_t len : { 16u, 24u, 32u }) {
        const Bytes raw(len, 1);

        EXPECT_NO_THROW(Libcrypto::ecb(raw, true));
        EXPECT_NO_THROW(Libcrypto::ctr(raw));
        EXPECT_NO_THROW(Libcrypto::gcm(raw));
    }
    for (size_t len : { 32u, 64u }) {
        Bytes raw(len, 1);

        raw[0] = 2; // its halves may not be equal
        EXPECT_NO_THROW(Libcrypto::xts(raw, true));
    }
    EXPECT_NO_THROW(Libcrypto::chacha20(Bytes(32)));
    EXPECT_NO_THROW(Libcrypto::chacha20_poly1305(Bytes(32)));
    EXPECT_NO_THROW(Libcrypto::poly1305(Bytes(32), Bytes(16)));
}
