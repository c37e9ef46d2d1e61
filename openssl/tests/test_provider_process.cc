// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The module in children and in threads, what it says of itself, and why it refuses.
#include "evp_support.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "lanecrypt/chacha20poly1305.h"
#include "lanecrypt/ctr.h"
#include "lanecrypt/gcm.h"
#include "lanecrypt/xts.h"

FOR_CIPHERS(Process, ciphers);
FOR_CIPHERS(Ivs, ciphers_of({ Kind::GCM }));

TEST(Module, SaysWhoItIs)
{
    OSSL_LIB_CTX *libctx = Library::lanecrypt().get();
    ASSERT_TRUE(OSSL_PROVIDER_available(libctx, "lanecrypt"));
    OSSL_PROVIDER *provider = OSSL_PROVIDER_load(libctx, "lanecrypt");
    const char *name = nullptr, *version = nullptr, *build = nullptr;
    int status = 0;
    OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_NAME, const_cast<char **>(&name), 0),
                            OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_VERSION, const_cast<char **>(&version), 0),
                            OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, const_cast<char **>(&build), 0),
                            OSSL_PARAM_construct_int(OSSL_PROV_PARAM_STATUS, &status), OSSL_PARAM_construct_end() };

    EXPECT_EQ(OSSL_PROVIDER_get_params(provider, params), 1);
    EXPECT_TRUE(name && *name && version && *version && build && *build);
    EXPECT_EQ(status, 1);
    EXPECT_EQ(OSSL_PROVIDER_self_test(provider), 1);
    OSSL_PROVIDER_unload(provider);
}

// The implementation that the core chooses for the cipher when it is asked directly
static std::string chosen(const Cipher &cipher)
{
    const Bytes raw = Random(45).bytes(cipher.key_len);
    union {
        lc_gcm_key gcm;
        lc_ctr_key ctr;
        lc_xts_key xts;
        lc_chacha20_key chacha20;
        lc_chacha20poly1305_key chacha20poly1305;
    } key;

    switch (cipher.kind) {
    case Kind::GCM: return lc_gcm_init(&key.gcm, raw.data(), raw.size()) == LC_OK ? lc_gcm_impl_name(&key.gcm) : "";
    case Kind::CTR: return lc_ctr_init(&key.ctr, raw.data(), raw.size()) == LC_OK ? lc_ctr_impl_name(&key.ctr) : "";
    case Kind::XTS: return lc_xts_init(&key.xts, raw.data(), raw.size()) == LC_OK ? lc_xts_impl_name(&key.xts) : "";
    case Kind::CHACHA20:
        return lc_chacha20_init(&key.chacha20, raw.data(), raw.size()) == LC_OK ? lc_chacha20_impl_name(&key.chacha20) : "";
    case Kind::CHACHA20_POLY1305:
        return lc_chacha20poly1305_init(&key.chacha20poly1305, raw.data(), raw.size()) == LC_OK
                   ? lc_chacha20poly1305_impl_name(&key.chacha20poly1305)
                   : "";
    }
    return "";
}

// "buildinfo" as cipher and implementation
static std::map<std::string, std::string> build_info(OSSL_PROVIDER *provider)
{
    char *text = nullptr;
    OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, &text, 0), OSSL_PARAM_construct_end() };
    std::map<std::string, std::string> info;

    EXPECT_EQ(OSSL_PROVIDER_get_params(provider, params), 1);
    const std::string all = text ? text : "";
    for (size_t from = 0, to; from < all.size(); from = to + 2) {
        to = std::min(all.find(", ", from), all.size());
        const std::string item = all.substr(from, to - from);
        const size_t colon = item.find(": ");

        EXPECT_NE(colon, std::string::npos) << item;
        EXPECT_TRUE(info.emplace(item.substr(0, colon), colon == std::string::npos ? "" : item.substr(colon + 2)).second) << item;
    }
    return info;
}

// Every cipher by the implementation that the core chooses; the portable ones only where they are asked for, as in the tests'
// configuration.
TEST(Module, BuildInfo)
{
    OSSL_PROVIDER *configured = OSSL_PROVIDER_load(Library::lanecrypt().get(), "lanecrypt");
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *bare = load_module(libctx);
    std::map<std::string, std::string> with_portable, without;

    for (const Cipher &cipher : ciphers) {
        const std::string impl = chosen(cipher), portable = "-portable";

        ASSERT_FALSE(impl.empty());
        with_portable[cipher.name] = impl;
        if (impl.size() < portable.size() || impl.substr(impl.size() - portable.size()) != portable)
            without[cipher.name] = impl;
    }
    EXPECT_EQ(build_info(configured), with_portable);
    EXPECT_EQ(build_info(bare), without);
    OSSL_PROVIDER_unload(configured);
    OSSL_PROVIDER_unload(bare);
    OSSL_LIB_CTX_free(libctx);
}

// It offers ciphers and nothing else: a key management of its own could take TLS groups away.
TEST(Module, CiphersOnly)
{
    OSSL_PROVIDER *provider = OSSL_PROVIDER_load(Library::lanecrypt().get(), "lanecrypt");
    int no_cache;

    for (int operation = 1; operation <= OSSL_OP__HIGHEST; operation++) {
        const OSSL_ALGORITHM *algorithms = OSSL_PROVIDER_query_operation(provider, operation, &no_cache);
        size_t n = 0;

        for (; algorithms && algorithms[n].algorithm_names; n++)
            ;
        EXPECT_EQ(n, operation == OSSL_OP_CIPHER ? ciphers.size() : 0) << operation;
        OSSL_PROVIDER_unquery_operation(provider, operation, algorithms);
    }
    OSSL_PROVIDER_unload(provider);
}

// fork() in the middle of a message: parent and child both go on with it, and the child can begin new ones.
TEST_P(Process, Fork)
{
    Random random(42);
    EvpMessage m = random_message(random, cipher, 200, 20), expected = m;
    Bytes ct = crypt(Library::stock(), cipher, &expected, true), out(200);
    const size_t half = cipher.kind == Kind::XTS ? 200 : 77;
    Ctx ctx = start(Library::lanecrypt(), cipher, m.key, m.iv, true);
    int n, status;

    auto rest = [&] {
        uint8_t tag[16];

        if (half < 200 && update(ctx, out.data() + half, &n, m.text.data() + half, 200 - half) != 1)
            return false;
        if (EVP_EncryptFinal_ex(ctx.get(), tag, &n) != 1 || !same(ct, out))
            return false;
        if (cipher.aead() && get_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TAG, tag, 16) != 1)
            return false;
        if (cipher.aead() && !same(expected.tag.data(), tag, 16))
            return false;
        EvpMessage again = m;
        return bool(same(ct, crypt(Library::lanecrypt(), cipher, &again, true)));
    };

    if (cipher.aead()) {
        ASSERT_EQ(update(ctx, nullptr, &n, m.aad.data(), 20), 1);
    }
    ASSERT_EQ(update(ctx, out.data(), &n, m.text.data(), half), 1);
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        pid_t grandchild = fork();
        bool ok = rest();

        if (grandchild > 0)
            ok = waitpid(grandchild, &status, 0) == grandchild && status == 0 && ok;
        _exit(ok && grandchild >= 0 ? 0 : 1);
    }
    EXPECT_TRUE(rest()) << errors();
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

// An iv made in a child isn't the parent's.
TEST_P(Ivs, RandomAfterFork)
{
    int fds[2], status;
    uint8_t key[32] = {}, iv[12], childs_iv[12], text[16] = {};
    int n;

    Ctx ctx = start(Library::lanecrypt(), cipher, Bytes(key, key + cipher.key_len), {}, true);
    ASSERT_EQ(pipe(fds), 0);
    pid_t child = fork();
    bool ok = update(ctx, text, &n, text, 16) == 1 && get_octets(ctx.get(), OSSL_CIPHER_PARAM_IV, iv, 12) == 1;
    if (child == 0)
        _exit(ok && write(fds[1], iv, 12) == 12 ? 0 : 1);
    EXPECT_TRUE(ok);
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(read(fds[0], childs_iv, 12), 12);
    EXPECT_NE(memcmp(iv, childs_iv, 12), 0);
    close(fds[0]);
    close(fds[1]);
}

// Threads that share the library context and one fetched cipher; each has contexts of its own, and some are handed over.
TEST_P(Process, Threads)
{
    Fetched fetched(cipher);
    std::atomic<int> wrong{ 0 };
    std::vector<std::thread> threads;
    Random random(43);
    EvpMessage shared = random_message(random, cipher, 333, 9), expected = shared;
    Bytes shared_ct = crypt(Library::stock(), cipher, &expected, true);
    Ctx begun = start(Library::lanecrypt(), cipher, shared.key, shared.iv, true); // copied by all of them at once

    for (uint64_t t = 0; t < 8; t++)
        threads.emplace_back([&, t] {
            Random own(100 + t);

            for (int i = 0; i < 150; i++) {
                EvpMessage m = random_message(own, cipher, 16 + own.below(3000), own.below(50)), again = m;
                Bytes out(333);
                int n;

                try {
                    if (!same(crypt(Library::stock(), cipher, &again, true), crypt(Library::lanecrypt(), cipher, &m, true)) ||
                        !same(again.tag, m.tag))
                        wrong++;
                    Ctx copy = copy_of(begun);
                    if (cipher.aead())
                        update(copy, nullptr, &n, shared.aad.data(), 9);
                    if (update(copy, out.data(), &n, shared.text.data(), 333) != 1 || !same(shared_ct, out))
                        wrong++;
                    Ctx ctx = new_ctx();
                    if (EVP_CipherInit_ex2(ctx.get(), fetched.ours, shared.key.data(), shared.iv.data(), 1, nullptr) != 1)
                        wrong++;
                } catch (...) {
                    wrong++;
                }
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(wrong, 0);
}

// ---- Refusals ----

using C = EVP_CIPHER_CTX;

// What is wrong, what has been set before it happens, and what the reason has to say of it
struct Refusal {
    const char *what;
    std::vector<Kind> kinds; // empty: all of them
    bool key, iv, encrypt;
    int (*call)(C *ctx);
    const char *reason; // one of these words, separated by |
};

static int put(EVP_CIPHER_CTX *ctx, int len, bool aad = false)
{
    static uint8_t bytes[64];
    int n;

    return EVP_CipherUpdate(ctx, aad ? nullptr : bytes, &n, bytes, len);
}

static int end(EVP_CIPHER_CTX *ctx)
{
    uint8_t bytes[16];
    int n;

    return EVP_CipherFinal_ex(ctx, bytes, &n);
}

static const Kind GCM = Kind::GCM, XTS = Kind::XTS, POLY = Kind::CHACHA20_POLY1305;
/* clang-format off */
static const std::vector<Refusal> refusals = {
    { "text without a key", {}, false, true, true, [](C *ctx) { return put(ctx, 32); }, "key" },
    { "AAD without a key", { GCM, POLY }, false, true, true, [](C *ctx) { return put(ctx, 5, true); }, "key" },
    { "XTS without a tweak", { XTS }, true, false, true, [](C *ctx) { return put(ctx, 32); }, "iv|tweak" },
    { "GCM to decrypt without an iv", { GCM }, true, false, false, [](C *ctx) { return put(ctx, 32); }, "iv" },
    { "final without a key", { GCM, POLY }, false, true, true, [](C *ctx) { return end(ctx); }, "key" },
    { "final without a tag", { GCM, POLY }, true, true, false,
      [](C *ctx) { return put(ctx, 5) == 1 ? end(ctx) : 2; }, "tag" },
    { "final twice", { GCM, POLY }, true, true, true, [](C *ctx) { return end(ctx) == 1 ? end(ctx) : 2; }, "iv|nonce" },
    { "text after final", { GCM, POLY }, true, true, true,
      [](C *ctx) { return end(ctx) == 1 ? put(ctx, 5) : 2; }, "iv|nonce" },
    { "another message under the nonce", { GCM, POLY }, true, true, true,
      [](C *ctx) {
          return end(ctx) == 1 && EVP_CipherInit_ex2(ctx, nullptr, nullptr, nullptr, -1, nullptr) == 1 ? put(ctx, 5) : 2;
      },
      "iv|nonce" },
    { "AAD after text", { GCM, POLY }, true, true, true,
      [](C *ctx) { return put(ctx, 5) == 1 ? put(ctx, 5, true) : 2; }, "aad" },
    { "a tag to encrypt with", { GCM, POLY }, true, true, true,
      [](C *ctx) { return set_octets(ctx, OSSL_CIPHER_PARAM_AEAD_TAG, "0123456789abcdef", 16); }, "tag" },
    { "no byte of a tag", { GCM, POLY }, true, true, false,
      [](C *ctx) { return set_octets(ctx, OSSL_CIPHER_PARAM_AEAD_TAG, "", 0); }, "tag" },
    { "a tag of 17 bytes", { GCM, POLY }, true, true, false,
      [](C *ctx) { return set_octets(ctx, OSSL_CIPHER_PARAM_AEAD_TAG, "0123456789abcdefg", 17); }, "tag" },
    { "the tag of a decryption", { GCM, POLY }, true, true, false,
      [](C *ctx) {
          uint8_t tag[16];
          return get_octets(ctx, OSSL_CIPHER_PARAM_AEAD_TAG, tag, 16);
      },
      "tag" },
    { "an iv of no bytes", { GCM, POLY }, true, true, true,
      [](C *ctx) { return set_size(ctx, OSSL_CIPHER_PARAM_IVLEN, 0); }, "iv" },
    { "an iv of 129 bytes", { GCM, POLY }, true, true, true,
      [](C *ctx) { return set_size(ctx, OSSL_CIPHER_PARAM_IVLEN, 129); }, "iv" },
    { "XTS of 15 bytes", { XTS }, true, true, true, [](C *ctx) { return put(ctx, 15); }, "16|short|length|unit" },
    { "XTS of no bytes", { XTS }, true, true, true, [](C *ctx) { return put(ctx, 0); }, "16|short|length|unit" },
    { "XTS with two equal keys", { XTS }, false, false, true,
      [](C *ctx) {
          static const uint8_t key[64] = {};
          return EVP_CipherInit_ex2(ctx, nullptr, key, nullptr, -1, nullptr);
      },
      "key" },
    { "another length for the key", {}, true, true, true,
      [](C *ctx) { return set_size(ctx, OSSL_CIPHER_PARAM_KEYLEN,
                                   static_cast<size_t>(EVP_CIPHER_CTX_get_key_length(ctx)) + 1); }, "key" },
};
/* clang-format on */

TEST_P(Process, RefusalsNameTheCause)
{
    Random random(44);

    for (const Refusal &r : refusals) {
        if (!r.kinds.empty() && std::find(r.kinds.begin(), r.kinds.end(), cipher.kind) == r.kinds.end())
            continue;
        SCOPED_TRACE(r.what);
        Ctx ctx = start(Library::lanecrypt(), cipher, random.bytes(r.key ? cipher.key_len : 0),
                        random.bytes(r.iv ? cipher.iv_len : 0), r.encrypt);
        ERR_clear_error();
        EXPECT_LE(r.call(ctx.get()), 0);

        // the words of one of the errors that a provider gave
        bool named = false;
        std::string all;
        while (unsigned long code = ERR_get_error()) {
            const char *reason = ERR_reason_error_string(code);
            std::string text = reason ? reason : "(no text)", words = std::string(r.reason) + "|";

            all += text + "; ";
            for (char &c : text)
                c = static_cast<char>(tolower(c));
            if (ERR_GET_LIB(code) >= ERR_LIB_USER || ERR_GET_LIB(code) == ERR_LIB_PROV)
                for (size_t from = 0, to; (to = words.find('|', from)) != std::string::npos; from = to + 1)
                    named = named || text.find(words.substr(from, to - from)) != std::string::npos;
        }
        EXPECT_TRUE(named) << "expected " << r.reason << " in: " << all;
    }
}
