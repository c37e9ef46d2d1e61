// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "libcrypto.h"

#include <dlfcn.h>
#include <stdexcept>

// Errors are exceptions: GoogleTest turns them into failures of the test that asked.
static void *symbol(const char *name)
{
    static void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    void *address = library ? dlsym(library, name) : nullptr;

    if (!address)
        throw std::runtime_error(std::string("libcrypto.so.3, which the tests compare with, can't be used: ") + dlerror());
    return address;
}

using Init = int(void *, const void *, void *, const uint8_t *, const uint8_t *, int);

template <typename Function> static Function *function(const char *name)
{
    return reinterpret_cast<Function *>(symbol(name));
}

static void must(bool ok, const char *what)
{
    if (!ok)
        throw std::runtime_error(std::string("libcrypto: ") + what + " failed");
}

Libcrypto::Libcrypto(const char *algorithm, const Bytes &raw, bool encrypt) : direction(encrypt)
{
    static const auto ctx_new = function<void *()>("EVP_CIPHER_CTX_new");
    static const auto init = function<Init>("EVP_CipherInit_ex");
    static const auto set_padding = function<int(void *, int)>("EVP_CIPHER_CTX_set_padding");

    ctx = ctx_new();
    must(ctx && init(ctx, function<const void *()>(algorithm)(), nullptr, raw.data(), nullptr, direction), "EVP_CipherInit_ex");
    must(set_padding(ctx, 0), "EVP_CIPHER_CTX_set_padding");
}

Libcrypto::~Libcrypto()
{
    static const auto ctx_free = function<void(void *)>("EVP_CIPHER_CTX_free");

    ctx_free(ctx);
}

Libcrypto Libcrypto::xts(const Bytes &raw, bool encrypt)
{
    must(raw.size() == 32 || raw.size() == 64, "choosing the key's length");
    return Libcrypto(raw.size() == 32 ? "EVP_aes_128_xts" : "EVP_aes_256_xts", raw, encrypt);
}

Libcrypto Libcrypto::ecb(const Bytes &raw, bool encrypt)
{
    must(raw.size() == 16 || raw.size() == 24 || raw.size() == 32, "choosing the key's length");
    return Libcrypto(raw.size() == 16 ? "EVP_aes_128_ecb" : raw.size() == 24 ? "EVP_aes_192_ecb" : "EVP_aes_256_ecb", raw, encrypt);
}

Bytes Libcrypto::crypt(const uint8_t *src, size_t len, const uint8_t iv[16])
{
    static const auto init = function<Init>("EVP_CipherInit_ex");
    static const auto update = function<int(void *, uint8_t *, int *, const uint8_t *, int)>("EVP_CipherUpdate");
    Bytes dst(len);
    int done = 0;

    must(init(ctx, nullptr, nullptr, nullptr, iv, direction), "EVP_CipherInit_ex with an iv");
    must(update(ctx, dst.data(), &done, src, static_cast<int>(len)) && static_cast<size_t>(done) == len, "EVP_CipherUpdate");
    return dst;
}
