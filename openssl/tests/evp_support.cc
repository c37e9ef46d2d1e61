// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "evp_support.h"

#include <algorithm>
#include <ostream>
#include <stdexcept>

const std::vector<Cipher> ciphers = {
    { "AES-128-GCM", Kind::GCM, 16, 12 },   { "AES-192-GCM", Kind::GCM, 24, 12 },
    { "AES-256-GCM", Kind::GCM, 32, 12 },   { "AES-128-CTR", Kind::CTR, 16, 16 },
    { "AES-192-CTR", Kind::CTR, 24, 16 },   { "AES-256-CTR", Kind::CTR, 32, 16 },
    { "AES-128-XTS", Kind::XTS, 32, 16 },   { "AES-256-XTS", Kind::XTS, 64, 16 },
    { "ChaCha20", Kind::CHACHA20, 32, 16 }, { "ChaCha20-Poly1305", Kind::CHACHA20_POLY1305, 32, 12 },
};

std::vector<Cipher> ciphers_of(std::initializer_list<Kind> kinds)
{
    std::vector<Cipher> list;

    for (const Cipher &cipher : ciphers)
        if (std::find(kinds.begin(), kinds.end(), cipher.kind) != kinds.end())
            list.push_back(cipher);
    return list;
}

void PrintTo(const Cipher &cipher, std::ostream *out)
{
    *out << cipher.name;
}

static void must(bool ok, const std::string &what)
{
    if (!ok)
        throw std::runtime_error(what + " failed: " + errors());
}

// ---- Libraries ----

static std::string from_environment(const char *name, const char *otherwise)
{
    std::string value = environment(name);

    return value.empty() ? otherwise : value;
}

OSSL_PROVIDER *load_module(OSSL_LIB_CTX *ctx)
{
    const std::string file = from_environment("LANECRYPT_MODULE", DEFAULT_MODULE);

    must(OSSL_PROVIDER_set_default_search_path(ctx, file.substr(0, file.rfind('/')).c_str()), "setting the modules' folder");
    return OSSL_PROVIDER_load(ctx, "lanecrypt");
}

Library::Library(bool with_lanecrypt) : ctx(OSSL_LIB_CTX_new()), ours(with_lanecrypt)
{
    const std::string conf = from_environment("LANECRYPT_OPENSSL_CONF", DEFAULT_OPENSSL_CONF);

    must(ctx, "OSSL_LIB_CTX_new()");
#ifdef PROVIDER_IS_LINKED
    must(OSSL_PROVIDER_add_builtin(ctx, "lanecrypt", OSSL_provider_init), "adding the provider");
#endif
    if (ours)
        must(OSSL_LIB_CTX_load_config(ctx, conf.c_str()), "loading " + conf);
    else
        provider = OSSL_PROVIDER_load(ctx, "default");
    must(ours || provider, "loading the default provider");
}

Library::~Library()
{
    if (provider)
        OSSL_PROVIDER_unload(provider);
    OSSL_LIB_CTX_free(ctx);
}

EVP_CIPHER *Library::fetch(const std::string &name) const
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(ctx, name.c_str(), nullptr);

    must(cipher, "fetching " + name);
    const std::string from = OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(cipher));
    if (from != (ours ? "lanecrypt" : "default")) {
        EVP_CIPHER_free(cipher);
        throw std::runtime_error(name + " is served by " + from);
    }
    return cipher;
}

const Library &Library::stock()
{
    static const Library library(false);
    return library;
}

const Library &Library::lanecrypt()
{
    static const Library library(true);
    return library;
}

std::vector<unsigned long> all_errors()
{
    std::vector<unsigned long> all;

    while (unsigned long code = ERR_get_error())
        all.push_back(code);
    return all;
}

std::string errors()
{
    std::string text;
    unsigned long code;
    const char *data;
    int flags;

    while ((code = ERR_get_error_all(nullptr, nullptr, nullptr, &data, &flags))) {
        char line[256];

        ERR_error_string_n(code, line, sizeof(line));
        text += std::string(text.empty() ? "" : "; ") + line;
        if (flags & ERR_TXT_STRING && *data)
            text += std::string(" (") + data + ")";
    }
    return text.empty() ? "no error in the queue" : text;
}

bool provider_gave_reason()
{
    bool given = false;
    unsigned long code;

    while ((code = ERR_get_error()))
        if (ERR_GET_LIB(code) >= ERR_LIB_USER && ERR_reason_error_string(code)) // libraries with a number given at run time
            given = true;
    return given;
}

// ---- Contexts ----

Ctx new_ctx()
{
    Ctx ctx(EVP_CIPHER_CTX_new());

    must(ctx != nullptr, "EVP_CIPHER_CTX_new()");
    return ctx;
}

Ctx copy_of(const Ctx &ctx)
{
    Ctx copy = new_ctx();

    must(EVP_CIPHER_CTX_copy(copy.get(), ctx.get()), "EVP_CIPHER_CTX_copy()");
    return copy;
}

Ctx start(const Library &library, const Cipher &cipher, const Bytes &key, const Bytes &iv, bool encrypt)
{
    Ctx ctx = new_ctx();
    EVP_CIPHER *fetched = library.fetch(cipher.name);
    int ok = EVP_CipherInit_ex2(ctx.get(), fetched, nullptr, nullptr, encrypt, nullptr);

    EVP_CIPHER_free(fetched); // the context has its own reference
    must(ok, std::string(cipher.name) + ": init without key and iv");
    if (!iv.empty() && iv.size() != cipher.iv_len)
        must(set_size(ctx.get(), OSSL_CIPHER_PARAM_IVLEN, iv.size()), "setting the iv's length");
    must(EVP_CipherInit_ex2(ctx.get(), nullptr, key.empty() ? nullptr : key.data(), iv.empty() ? nullptr : iv.data(), -1, nullptr),
         std::string(cipher.name) + ": init");
    return ctx;
}

int update(const Ctx &ctx, uint8_t *out, int *out_len, const uint8_t *in, size_t len)
{
    return EVP_CipherUpdate(ctx.get(), out, out_len, in, static_cast<int>(len));
}

EvpMessage random_message(Random &random, const Cipher &cipher, size_t len, size_t aad_len)
{
    EvpMessage m;

    m.key = random.bytes(cipher.key_len);
    m.iv = random.bytes(cipher.iv_len);
    m.aad = random.bytes(cipher.aead() ? aad_len : 0);
    m.text = random.bytes(len);
    return m;
}

Bytes crypt(const Library &library, const Cipher &cipher, EvpMessage *m, bool encrypt)
{
    return crypt_by(start(library, cipher, m->key, m->iv, encrypt), cipher, m, encrypt);
}

Bytes crypt_by(const Ctx &ctx, const Cipher &cipher, EvpMessage *m, bool encrypt)
{
    Bytes out(m->text.size() + 1); // an empty one has no memory, and NULL means AAD
    int len = 0, rest = 0;

    if (!m->aad.empty())
        must(update(ctx, nullptr, &len, m->aad.data(), m->aad.size()), "AAD");
    len = 0;
    if (!m->text.empty())
        must(update(ctx, out.data(), &len, m->text.data(), m->text.size()), "text");
    must(static_cast<size_t>(len) == m->text.size(), "writing all of the text");
    if (cipher.aead() && !encrypt)
        must(set_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TAG, m->tag.data(), m->tag.size()), "setting the tag");
    must(EVP_CipherFinal_ex(ctx.get(), out.data() + len, &rest) && rest == 0, "final");
    if (cipher.aead() && encrypt) {
        m->tag.resize(16);
        must(get_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TAG, m->tag.data(), 16), "getting the tag");
    }
    out.resize(m->text.size());
    return out;
}

// ---- Parameters ----

int set_octets(EVP_CIPHER_CTX *ctx, const char *name, const void *bytes, size_t len)
{
    OSSL_PARAM params[] = { OSSL_PARAM_construct_octet_string(name, const_cast<void *>(bytes), len), OSSL_PARAM_construct_end() };

    return EVP_CIPHER_CTX_set_params(ctx, params);
}

int get_octets(EVP_CIPHER_CTX *ctx, const char *name, void *bytes, size_t len)
{
    OSSL_PARAM params[] = { OSSL_PARAM_construct_octet_string(name, bytes, len), OSSL_PARAM_construct_end() };

    return EVP_CIPHER_CTX_get_params(ctx, params);
}

int set_size(EVP_CIPHER_CTX *ctx, const char *name, size_t value)
{
    OSSL_PARAM params[] = { OSSL_PARAM_construct_size_t(name, &value), OSSL_PARAM_construct_end() };

    return EVP_CIPHER_CTX_set_params(ctx, params);
}

int get_size(EVP_CIPHER_CTX *ctx, const char *name, size_t *value)
{
    OSSL_PARAM params[] = { OSSL_PARAM_construct_size_t(name, value), OSSL_PARAM_construct_end() };

    return EVP_CIPHER_CTX_get_params(ctx, params);
}

bool can_get(const Ctx &ctx, const char *name)
{
    const OSSL_PARAM *gettable = EVP_CIPHER_gettable_ctx_params(EVP_CIPHER_CTX_get0_cipher(ctx.get()));

    return gettable && OSSL_PARAM_locate_const(gettable, name);
}

std::string cipher_test_name(const ::testing::TestParamInfo<Cipher> &info)
{
    std::string name = info.param.name;

    for (char &c : name)
        if (c == '-')
            c = '_';
    return name;
}

bool is_in_freed_memory(const Bytes &bytes)
{
    std::vector<void *> blocks;
    bool found = false;

    for (size_t size = 4096; size && !found; size -= 16) {
        blocks.push_back(malloc(size));
        __asm__ volatile("" : "+r"(blocks.back()) : : "memory"); /* or a compiler knows that there's nothing in it yet */
        found = blocks.back() && memmem(blocks.back(), size, bytes.data(), bytes.size());
    }
    for (void *block : blocks)
        free(block);
    return found;
}
