/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the tests of the OpenSSL provider share: two library contexts, one with the default provider only and one with lanecrypt
 * beside it, and contexts that do the same thing on both sides.
 */
#ifndef LC_TESTS_EVP_SUPPORT_H
#define LC_TESTS_EVP_SUPPORT_H

#include <memory>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>

#include "support.h"

enum class Kind { GCM, CTR, XTS, CHACHA20, CHACHA20_POLY1305 };

struct Cipher {
    const char *name;
    Kind kind;
    size_t key_len, iv_len;

    bool aead() const { return kind == Kind::GCM || kind == Kind::CHACHA20_POLY1305; }
    size_t min_len() const { return kind == Kind::XTS ? 16 : 0; } /* of a text */
};
extern const std::vector<Cipher> ciphers;
std::vector<Cipher> ciphers_of(std::initializer_list<Kind> kinds);

/* A library context.  Errors are exceptions: GoogleTest turns them into failures of the test that asked. */
class Library {
public:
    explicit Library(bool with_lanecrypt);
    ~Library();
    Library(const Library &) = delete;
    Library &operator=(const Library &) = delete;

    /* From the provider that this library is for, or an exception; to be freed. */
    EVP_CIPHER *fetch(const std::string &name) const;
    OSSL_LIB_CTX *get() const { return ctx; }

    static const Library &stock(), &lanecrypt(); /* for all tests that don't need one of their own */

private:
    OSSL_LIB_CTX *ctx;
    OSSL_PROVIDER *provider = nullptr;
    bool ours;
};

/* The module by itself, without a configuration; so without portable implementations. */
OSSL_PROVIDER *load_module(OSSL_LIB_CTX *ctx);

/* The errors in the queue as text, oldest first; empties it. */
std::string errors();
/* The same as numbers: libraries and reasons. */
std::vector<unsigned long> all_errors();
/* Does one of them come from a provider, with a reason?  OpenSSL's own layers say no more than that something failed. */
bool provider_gave_reason();

struct CtxFree {
    void operator()(EVP_CIPHER_CTX *ctx) const { EVP_CIPHER_CTX_free(ctx); }
};
using Ctx = std::unique_ptr<EVP_CIPHER_CTX, CtxFree>;

Ctx new_ctx();
Ctx copy_of(const Ctx &ctx);
int update(const Ctx &ctx, uint8_t *out, int *out_len, const uint8_t *in, size_t len); /* EVP_CipherUpdate() */
/* A context with the cipher, key and iv, which may be empty for none or have an unusual length.  An exception if it refuses. */
Ctx start(const Library &library, const Cipher &cipher, const Bytes &key, const Bytes &iv, bool encrypt);

/* The same cipher of both libraries, fetched once. */
struct Fetched {
    EVP_CIPHER *stock, *ours;

    explicit Fetched(const Cipher &c) : stock(Library::stock().fetch(c.name)), ours(Library::lanecrypt().fetch(c.name)) {}
    ~Fetched()
    {
        EVP_CIPHER_free(stock);
        EVP_CIPHER_free(ours);
    }
    Fetched(const Fetched &) = delete;
    Fetched &operator=(const Fetched &) = delete;
};

/* A whole message, as a caller of EVP handles it. */
struct EvpMessage {
    Bytes key, iv, aad, text, tag; /* the last by seal() */
};
EvpMessage random_message(Random &random, const Cipher &cipher, size_t len, size_t aad_len = 0);
Bytes crypt(const Library &library, const Cipher &cipher, EvpMessage *m, bool encrypt); /* an exception if anything is refused */
Bytes crypt_by(const Ctx &ctx, const Cipher &cipher, EvpMessage *m, bool encrypt); /* with a context that has key and iv */

/* One integer or octet parameter. */
int set_octets(EVP_CIPHER_CTX *ctx, const char *name, const void *bytes, size_t len);
int get_octets(EVP_CIPHER_CTX *ctx, const char *name, void *bytes, size_t len);
int set_size(EVP_CIPHER_CTX *ctx, const char *name, size_t value);
int get_size(EVP_CIPHER_CTX *ctx, const char *name, size_t *value);
bool can_get(const Ctx &ctx, const char *name);

/* Is it in memory that was freed, and can be had again?  (Never with AddressSanitizer, which keeps such memory.) */
bool is_in_freed_memory(const Bytes &bytes);

/* Tests of this fixture run once for every cipher of some kinds. */
class EachCipher : public ::testing::TestWithParam<Cipher> {
protected:
    const Cipher cipher = GetParam();
};
std::string cipher_test_name(const ::testing::TestParamInfo<Cipher> &info);
#define FOR_CIPHERS_AS(name, fixture, list)                                                                                        \
    class name : public fixture {};                                                                                                \
    INSTANTIATE_TEST_SUITE_P(Cipher, name, ::testing::ValuesIn(list), cipher_test_name)
#define FOR_CIPHERS(name, list) FOR_CIPHERS_AS(name, EachCipher, list)

/* What GoogleTest says a cipher is */
void PrintTo(const Cipher &cipher, std::ostream *out);

#endif
