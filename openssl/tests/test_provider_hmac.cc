// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// HMAC of the module beside the default provider's: what TLS asks for, each length, and sequences of calls, right ones and wrong
// ones, with results and errors.
#include <openssl/core_names.h>

#include "allocations.h"
#include "public_support.h"

struct MacFree {
    void operator()(EVP_MAC *mac) const { EVP_MAC_free(mac); }
    void operator()(EVP_MAC_CTX *c) const { EVP_MAC_CTX_free(c); }
};
using Mac = std::unique_ptr<EVP_MAC, MacFree>;
using MacCtx = std::unique_ptr<EVP_MAC_CTX, MacFree>;

static Mac fetch(OSSL_LIB_CTX *ctx)
{
    return Mac(EVP_MAC_fetch(ctx, "HMAC", nullptr));
}

static const Mac &ours()
{
    static const Mac mac = fetch(public_keys());
    return mac;
}

static const Mac &theirs()
{
    static const Mac mac = fetch(stock());
    return mac;
}

static const char *provider_of(const Mac &mac)
{
    return OSSL_PROVIDER_get0_name(EVP_MAC_get0_provider(mac.get()));
}

TEST(Hmac, IsAsTheDefaultProvidersIs)
{
    auto names = [](const Mac &mac) {
        std::vector<std::string> all;

        EVP_MAC_names_do_all(
            mac.get(), [](const char *name, void *arg) { static_cast<std::vector<std::string> *>(arg)->push_back(name); }, &all);
        for (const OSSL_PARAM *list :
             { EVP_MAC_settable_ctx_params(mac.get()), EVP_MAC_gettable_ctx_params(mac.get()), EVP_MAC_gettable_params(mac.get()) })
            for (all.push_back("-"); list && list->key; list++)
                all.push_back(list->key);
        return all;
    };

    EXPECT_STREQ(provider_of(ours()), "lanecrypt");
    EXPECT_STREQ(provider_of(theirs()), "default");
    EXPECT_GT(names(theirs()).size(), 8u);
    EXPECT_EQ(names(ours()), names(theirs()));
}

// Only if the configuration asks for it
TEST(Hmac, IsAskedFor)
{
    OSSL_LIB_CTX *without = context(WITHOUT_HMAC_CONF), *alone = context(HMAC_CONF);
    EVP_KEYMGMT *key = EVP_KEYMGMT_fetch(alone, "EC", nullptr);

    EXPECT_STREQ(provider_of(fetch(without)), "default");
    EXPECT_STREQ(provider_of(fetch(alone)), "lanecrypt");
    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_KEYMGMT_get0_provider(key)), "default");
    EVP_KEYMGMT_free(key);
    OSSL_LIB_CTX_free(without);
    OSSL_LIB_CTX_free(alone);
}

// Each length of key and text that fits into what a context keeps, and beyond, in one piece and in two, and once more with the same
// key.  Nothing that TLS asks for is left to the default provider, whose contexts allocate memory.
TEST(Hmac, Lengths)
{
    Random random(1);

    ASSERT_TRUE(allocations_are_counted);
    for (const char *hash : { "SHA2-256", "SHA2-384", "SHA2-512" })
        for (size_t n = 0; n < 520; n++) {
            const size_t block_len = strcmp(hash, "SHA2-256") == 0 ? 64 : 128, key_len = 1 + n % 140, len = n < 400 ? n : n * 5;
            const Bytes key = random.bytes(key_len), text = random.bytes(len);
            OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_string("digest", const_cast<char *>(hash), 0),
                                    OSSL_PARAM_construct_end() };
            MacCtx c[] = { MacCtx(EVP_MAC_CTX_new(theirs().get())), MacCtx(EVP_MAC_CTX_new(ours().get())) };
            Bytes mac[2], again[2];

            for (int i = 0; i < 2; i++) {
                const size_t first = random.below(len + 1), before = num_allocations;
                size_t mac_len = 0;

                mac[i].assign(65, 7);
                ASSERT_EQ(EVP_MAC_init(c[i].get(), key.data(), key_len, params), 1) << errors();
                ASSERT_EQ(EVP_MAC_update(c[i].get(), text.data(), n % 2 ? len : first), 1) << errors();
                ASSERT_EQ(EVP_MAC_update(c[i].get(), text.data() + (n % 2 ? len : first), n % 2 ? 0 : len - first), 1) << errors();
                ASSERT_EQ(EVP_MAC_final(c[i].get(), mac[i].data(), &mac_len, 64), 1) << errors();
                EXPECT_EQ(mac[i][mac_len], 7);
                mac[i].resize(mac_len);
                EXPECT_EQ(num_allocations == before, i && key_len <= block_len && len <= 384) << n;
                again[i].assign(64, 7);
                ASSERT_EQ(EVP_MAC_init(c[i].get(), nullptr, 0, nullptr), 1) << errors();
                ASSERT_EQ(EVP_MAC_update(c[i].get(), text.data(), len / 2), 1) << errors();
                ASSERT_EQ(EVP_MAC_final(c[i].get(), again[i].data(), &mac_len, 64), 1) << errors();
                again[i].resize(mac_len);
            }
            ASSERT_EQ(mac[0], mac[1]) << hash << " " << n;
            ASSERT_EQ(again[0], again[1]) << hash << " " << n;
            ASSERT_GE(mac[0].size(), 32u);
        }
    EXPECT_EQ(ERR_peek_error(), 0u) << errors();
}

// A context that becomes one of the default provider's finds what the program's library context has: SM3 is the module's there.
TEST(Hmac, HashFunctionsOfTheProgram)
{
    OSSL_LIB_CTX *ctx = context(PUBLIC_CONF);
    Mac mac = fetch(ctx);
    MacCtx c(EVP_MAC_CTX_new(mac.get())), copy;
    OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_string("digest", const_cast<char *>("MD5"), 0), OSSL_PARAM_construct_end() };
    OSSL_PARAM unknown[] = { params[0], OSSL_PARAM_construct_utf8_string("properties", const_cast<char *>("provider=lanecrypt"), 0),
                             OSSL_PARAM_construct_end() };

    EXPECT_EQ(EVP_MAC_CTX_set_params(c.get(), params), 1) << errors();
    EXPECT_EQ(EVP_MAC_CTX_set_params(c.get(), unknown), 0);
    unknown[0].data = const_cast<char *>("SM3");
    EVP_MD *sm3 = EVP_MD_fetch(ctx, "SM3", "provider=lanecrypt");
    EXPECT_EQ(EVP_MAC_CTX_set_params(c.get(), unknown), sm3 != nullptr);
    EVP_MD_free(sm3);
    mac.reset(); // contexts keep what they need
    copy.reset(EVP_MAC_CTX_dup(c.get()));
    c.reset();
    EXPECT_EQ(EVP_MAC_init(copy.get(), reinterpret_cast<const uint8_t *>("key"), 3, nullptr), 1) << errors();
    copy.reset();
    ERR_clear_error();
    OSSL_LIB_CTX_free(ctx);
}

// Where the program's library context has no default provider to be had, it's the module's own, and no error stays behind.
TEST(Hmac, WithoutTheDefaultProvider)
{
    OSSL_LIB_CTX *ctx = context(HMAC_CONF);

    ASSERT_EQ(EVP_set_default_properties(ctx, "fips=yes"), 1);
    {
        const Mac mac(EVP_MAC_fetch(ctx, "HMAC", "provider=lanecrypt,-fips"));
        const MacCtx c(EVP_MAC_CTX_new(mac.get()));
        OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_string("digest", const_cast<char *>("SHA1"), 0),
                                OSSL_PARAM_construct_end() };

        EXPECT_EQ(EVP_MAC_init(c.get(), reinterpret_cast<const uint8_t *>("key"), 3, params), 1);
        EXPECT_EQ(ERR_peek_error(), 0u) << errors();
    }
    OSSL_LIB_CTX_free(ctx);
}

static int other_init(const OSSL_CORE_HANDLE *, const OSSL_DISPATCH *, const OSSL_DISPATCH **out, void **provctx)
{
    using Function = void (*)();
    static const auto never = [](void *) -> void * { return nullptr; };
    static const Function function = reinterpret_cast<Function>(static_cast<void *(*)(void *)>(never));
    static const OSSL_DISPATCH hmac[] = { { OSSL_FUNC_MAC_NEWCTX, function }, { OSSL_FUNC_MAC_FREECTX, function },
                                          { OSSL_FUNC_MAC_INIT, function },   { OSSL_FUNC_MAC_UPDATE, function },
                                          { OSSL_FUNC_MAC_FINAL, function },  { 0, nullptr } };
    static const OSSL_ALGORITHM macs[] = { { "HMAC", "provider=another", hmac, nullptr }, { nullptr, nullptr, nullptr, nullptr } };
    static const auto query = [](void *, int operation, int *no_store) -> const OSSL_ALGORITHM * {
        *no_store = 0;
        return operation == OSSL_OP_MAC ? macs : nullptr;
    };
    static const OSSL_DISPATCH functions[] = {
        { OSSL_FUNC_PROVIDER_QUERY_OPERATION,
          reinterpret_cast<Function>(static_cast<const OSSL_ALGORITHM *(*)(void *, int, int *)>(query)) },
        { 0, nullptr }
    };
    static int context;

    *out = functions;
    *provctx = &context;
    return 1;
}

// If another provider has HMAC, too, and comes first, the program's hash functions are still found.
TEST(Hmac, BesideAnotherProvider)
{
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();
    OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_string("digest", const_cast<char *>("SM3"), 0),
                            OSSL_PARAM_construct_utf8_string("properties", const_cast<char *>("provider=lanecrypt"), 0),
                            OSSL_PARAM_construct_end() };

    ASSERT_EQ(OSSL_PROVIDER_add_builtin(ctx, "another", other_init), 1);
    OSSL_PROVIDER *other = OSSL_PROVIDER_load(ctx, "another");
    ASSERT_EQ(OSSL_LIB_CTX_load_config(ctx, PUBLIC_CONF), 1) << errors();
    EXPECT_STREQ(provider_of(Mac(EVP_MAC_fetch(ctx, "HMAC", "provider!=lanecrypt"))), "another");
    {
        const Mac mac = fetch(ctx);
        const MacCtx c(EVP_MAC_CTX_new(mac.get()));
        EVP_MD *sm3 = EVP_MD_fetch(ctx, "SM3", "provider=lanecrypt");

        EXPECT_STREQ(provider_of(mac), "lanecrypt");
        EXPECT_EQ(EVP_MAC_CTX_set_params(c.get(), params), sm3 != nullptr) << errors();
        EVP_MD_free(sm3);
    }
    OSSL_PROVIDER_unload(other);
    OSSL_LIB_CTX_free(ctx);
    ERR_clear_error();
}

// Where the default provider doesn't find the hash function, the context stays what it was.
TEST(Hmac, StaysIfItCantBecomeTheDefaultProviders)
{
    OSSL_LIB_CTX *ctx = context(HMAC_CONF);

    ASSERT_EQ(EVP_set_default_properties(ctx, "provider=lanecrypt"), 1);
    {
        const Mac mac = fetch(ctx);
        const MacCtx c(EVP_MAC_CTX_new(mac.get()));
        const Bytes key(32, 5), text(1000, 6);
        Bytes expected(32), found(32);
        size_t len = 0;
        OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_string("digest", const_cast<char *>("SHA256"), 0),
                                OSSL_PARAM_construct_end() };

        EXPECT_EQ(EVP_MAC_init(c.get(), key.data(), key.size(), params), 1);
        EXPECT_EQ(EVP_MAC_update(c.get(), text.data(), 10), 1);
        for (int i = 0; i < 2; i++)
            EXPECT_EQ(EVP_MAC_update(c.get(), text.data(), text.size()), 0);
        EXPECT_EQ(EVP_MAC_update(c.get(), text.data(), 20), 1);
        EXPECT_EQ(EVP_MAC_final(c.get(), found.data(), &len, found.size()), 1);
        EXPECT_NE(EVP_Q_mac(stock(), "HMAC", nullptr, "SHA256", nullptr, key.data(), key.size(), text.data(), 30, expected.data(),
                            expected.size(), &len),
                  nullptr);
        EXPECT_EQ(found, expected);
    }
    OSSL_LIB_CTX_free(ctx);
    ERR_clear_error();
}

TEST(Hmac, FreedContextsHaveNoSecrets)
{
    Random random(3);
    const Bytes key = random.bytes(64), text = random.bytes(300), part(key.begin() + 32, key.begin() + 48);
    OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_string("digest", const_cast<char *>("SHA512"), 0),
                            OSSL_PARAM_construct_end() };
    uint8_t mac[64];
    size_t len;

    EXPECT_FALSE(is_in_freed_memory(part));
    for (int what = 0; what < 5; what++) {
        MacCtx c(EVP_MAC_CTX_new(ours().get()));

        ASSERT_EQ(EVP_MAC_init(c.get(), key.data(), key.size(), params), 1);
        ASSERT_EQ(EVP_MAC_update(c.get(), text.data(), text.size()), 1);
        if (what == 1 || what == 2) {
            ASSERT_EQ(EVP_MAC_final(c.get(), mac, &len, sizeof(mac)), 1);
        }
        if (what == 2) {
            ASSERT_EQ(EVP_MAC_init(c.get(), text.data(), 1, params), 1);
        }
        if (what == 3) {
            ASSERT_EQ(EVP_MAC_update(c.get(), text.data(), text.size()), 1);
        }
        if (what == 4)
            MacCtx(EVP_MAC_CTX_dup(c.get())).swap(c);
        c.reset();
        for (const uint8_t mask : { 0x00, 0x36, 0x5c }) {
            Bytes masked = part;

            for (uint8_t &byte : masked)
                byte ^= mask;
            EXPECT_FALSE(is_in_freed_memory(masked)) << what << " " << int{ mask };
        }
        EXPECT_FALSE(is_in_freed_memory(Bytes(text.begin() + 200, text.begin() + 216))) << what;
    }
}

// As keys for signatures: EVP_PKEY's way to HMAC
TEST(Hmac, AsSignature)
{
    const Bytes key(32, 3), text(100, 4);
    Bytes mac[2];

    for (int i = 0; i < 2; i++) {
        OSSL_LIB_CTX *ctx = i ? public_keys() : stock();
        Key pkey(EVP_PKEY_new_raw_private_key_ex(ctx, "HMAC", nullptr, key.data(), key.size()));

        ASSERT_TRUE(pkey);
        mac[i] = sign(ctx, pkey, "SHA384", text);
        EXPECT_EQ(mac[i].size(), 48u) << errors();
        EXPECT_EQ(sign(ctx, pkey, "SHA384", text, true), mac[i]);
    }
    EXPECT_EQ(mac[0], mac[1]);
}

struct Given {
    std::vector<OSSL_PARAM> list;
    std::vector<std::unique_ptr<Bytes>> memory;

    void add(const char *name, unsigned type, const Bytes &bytes)
    {
        memory.push_back(std::make_unique<Bytes>(bytes));
        memory.back()->push_back(0);
        list.push_back(OSSL_PARAM_construct_octet_string(name, memory.back()->data(), bytes.size()));
        list.back().data_type = type;
    }
};

static Given any_params(Random &random)
{
    static const char *const hashes[] = { "SHA256", "sha2-384", "SHA-512", "SHA2-256", "SHA1", "SHA3-256", "none", "SHAKE256" };
    const uint8_t number[sizeof(size_t)] = { 77 };
    Given given;

    for (size_t num = random.below(8) ? 1 : random.below(4); num; num--) {
        const size_t what = random.below(24);
        const char *hash = hashes[random.below(random.below(5) ? 4 : 8)];

        if (what < 19)
            given.add("digest", OSSL_PARAM_UTF8_STRING, Bytes(hash, hash + strlen(hash)));
        else if (what < 20)
            given.add("digest", OSSL_PARAM_OCTET_STRING, Bytes(hash, hash + strlen(hash)));
        else if (what < 21 && random.below(4) == 0)
            given.list.push_back({ "digest", OSSL_PARAM_UTF8_STRING, nullptr, 0, 0 });
        else if (what < 21)
            given.add("key", random.below(4) ? OSSL_PARAM_OCTET_STRING : OSSL_PARAM_UTF8_STRING, random.bytes(20));
        else if (what < 22)
            given.add("properties", OSSL_PARAM_UTF8_STRING, random.below(2) ? Bytes(3, 'a') : Bytes());
        else if (what < 23)
            given.add("digest-noinit", OSSL_PARAM_INTEGER, Bytes(sizeof(int)));
        else
            given.add("size", OSSL_PARAM_UNSIGNED_INTEGER, Bytes(number, number + sizeof(number)));
    }
    given.list.push_back(OSSL_PARAM_construct_end());
    return given;
}

TEST(Hmac, Sequences)
{
    static const size_t lens[] = { 0, 1, 32, 48, 63, 64, 65, 100, 128, 129, 383, 384, 385, 1000 };
    Random random(2);
    size_t num_right = 0, num_wrong = 0, num_computed = 0;

    for (size_t round = 0; round < 8000; round++) {
        MacCtx c[2];

        for (int i = 0; i < 2; i++)
            c[i].reset(EVP_MAC_CTX_new(i ? ours().get() : theirs().get()));
        for (size_t step = 0, num = 2 + random.below(10); step < num; step++) {
            const size_t what = step == 0 && random.below(4) ? 0 : random.below(24), len = lens[random.below(14)];
            const size_t size = random.below(8) ? 64 : random.below(65);
            const Bytes bytes = random.bytes(len);
            const bool has_params = random.below(3) == 0, swaps = random.below(2);
            const size_t which = random.below(5);
            Given given = any_params(random);
            std::vector<unsigned long> why[2];
            int right[2];
            Bytes out[2];

            for (int i = 0; i < 2; i++) {
                const OSSL_PARAM *params = has_params || what < 4 ? given.list.data() : nullptr;
                size_t out_len = 0;

                ERR_clear_error();
                if (what < 4) {
                    right[i] = EVP_MAC_CTX_set_params(c[i].get(), params);
                } else if (what < 9) {
                    right[i] = EVP_MAC_init(c[i].get(), bytes.data(), len, params);
                } else if (what < 11) {
                    right[i] = EVP_MAC_init(c[i].get(), nullptr, 0, params);
                } else if (what < 16) {
                    right[i] = EVP_MAC_update(c[i].get(), bytes.data(), len);
                } else if (what < 20) {
                    out[i].assign(65, 9);
                    right[i] = EVP_MAC_final(c[i].get(), out[i].data(), &out_len, size);
                    ASSERT_EQ(out[i][64], 9);
                    out[i].resize(right[i] == 1 ? out_len : 0);
                    num_computed += right[i] == 1;
                } else if (what < 22) {
                    MacCtx copy(EVP_MAC_CTX_dup(c[i].get()));

                    right[i] = copy != nullptr;
                    if (copy && swaps)
                        std::swap(copy, c[i]);
                } else {
                    uint32_t size32 = 1;
                    size_t size64 = 2, block_len = 3;
                    OSSL_PARAM asked[] = { OSSL_PARAM_construct_size_t("size", &size64),
                                           OSSL_PARAM_construct_size_t("block-size", &block_len), OSSL_PARAM_construct_end() };

                    if (which < 2)
                        asked[which] = asked[1 + which];
                    else if (which < 3)
                        asked[0] = OSSL_PARAM_construct_uint32("size", &size32);
                    else if (which < 4)
                        asked[0].data_type = OSSL_PARAM_OCTET_STRING;
                    right[i] = EVP_MAC_CTX_get_params(c[i].get(), asked);
                    for (size_t number : { size_t{ size32 }, size64, block_len, asked[0].return_size, asked[1].return_size })
                        out[i].push_back(static_cast<uint8_t>(number));
                }
                why[i] = all_errors();
            }
            ASSERT_EQ(right[0], right[1]) << round << " " << step << " " << what;
            ASSERT_EQ(out[0], out[1]) << round << " " << step << " " << what;
            ASSERT_EQ(why[0], why[1]) << round << " " << step << " " << what;
            num_right += right[0] == 1;
            num_wrong += right[0] != 1;
        }
    }
    EXPECT_GT(num_right, 20000u);
    EXPECT_GT(num_wrong, 1000u);
    EXPECT_GT(num_computed, 2500u); // later versions refuse an end after an end
}
