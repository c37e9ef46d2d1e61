// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// TLS13-KDF of the module beside the default provider's: what TLS asks for, and sequences of calls, right ones and wrong ones, with
// results and errors.
#include <algorithm>
#include <openssl/kdf.h>

#include "allocations.h"
#include "public_support.h"

struct KdfFree {
    void operator()(EVP_KDF *kdf) const { EVP_KDF_free(kdf); }
    void operator()(EVP_KDF_CTX *c) const { EVP_KDF_CTX_free(c); }
};
using Kdf = std::unique_ptr<EVP_KDF, KdfFree>;
using KdfCtx = std::unique_ptr<EVP_KDF_CTX, KdfFree>;

static Kdf fetch(OSSL_LIB_CTX *ctx, const char *name = "TLS13-KDF")
{
    return Kdf(EVP_KDF_fetch(ctx, name, nullptr));
}

static const Kdf &ours()
{
    static const Kdf kdf = fetch(public_keys());
    return kdf;
}

static const Kdf &theirs()
{
    static const Kdf kdf = fetch(stock());
    return kdf;
}

// Parameters, with the memory that they point to
class Params {
public:
    Params &octets(const char *name, Bytes bytes)
    {
        memory.push_back(std::make_unique<Bytes>(std::move(bytes)));
        memory.back()->push_back(0); // never NULL
        list.push_back(OSSL_PARAM_construct_octet_string(name, memory.back()->data(), memory.back()->size() - 1));
        return *this;
    }
    Params &text(const char *name, const std::string &text)
    {
        octets(name, Bytes(text.begin(), text.end()));
        list.back().data_type = OSSL_PARAM_UTF8_STRING;
        return *this;
    }
    Params &number(const char *name, int value)
    {
        octets(name, Bytes(sizeof(value)));
        memcpy(list.back().data, &value, sizeof(value));
        list.back().data_type = OSSL_PARAM_INTEGER;
        return *this;
    }
    std::vector<OSSL_PARAM> list;
    const OSSL_PARAM *get()
    {
        if (list.empty() || list.back().key)
            list.push_back(OSSL_PARAM_construct_end());
        return list.data();
    }

private:
    std::vector<std::unique_ptr<Bytes>> memory;
};

static Bytes ascii(const std::string &text)
{
    return Bytes(text.begin(), text.end());
}

// As libssl does it: a new context, and all parameters at once.  Empty if it fails.
static Bytes derive_once(const Kdf &kdf, size_t len, const OSSL_PARAM *params)
{
    KdfCtx c(EVP_KDF_CTX_new(kdf.get()));
    Bytes out(len);

    if (EVP_KDF_derive(c.get(), out.data(), len, params) != 1)
        out.clear();
    return out;
}

TEST(Tls13Kdf, IsAsTheDefaultProvidersIs)
{
    auto names = [](const Kdf &kdf) {
        std::vector<std::string> all;

        EVP_KDF_names_do_all(
            kdf.get(), [](const char *name, void *arg) { static_cast<std::vector<std::string> *>(arg)->push_back(name); }, &all);
        for (const OSSL_PARAM *list :
             { EVP_KDF_settable_ctx_params(kdf.get()), EVP_KDF_gettable_ctx_params(kdf.get()), EVP_KDF_gettable_params(kdf.get()) })
            for (all.push_back("-"); list && list->key; list++)
                all.push_back(list->key);
        return all;
    };

    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_KDF_get0_provider(ours().get())), "lanecrypt");
    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_KDF_get0_provider(theirs().get())), "default");
    EXPECT_GT(names(theirs()).size(), 5u);
    EXPECT_EQ(names(ours()), names(theirs()));
    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_KDF_get0_provider(fetch(public_keys(), "HKDF").get())), "default");
}

// Only if the configuration asks for it
TEST(Tls13Kdf, IsAskedFor)
{
    OSSL_LIB_CTX *without = context(WITHOUT_KDF_CONF), *alone = context(KDF_CONF);
    EVP_KEYMGMT *key = EVP_KEYMGMT_fetch(alone, "EC", nullptr);

    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_KDF_get0_provider(fetch(without).get())), "default");
    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_KDF_get0_provider(fetch(alone).get())), "lanecrypt");
    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_KEYMGMT_get0_provider(key)), "default");
    EVP_KEYMGMT_free(key);
    OSSL_LIB_CTX_free(without);
    OSSL_LIB_CTX_free(alone);
}

// Each length of each part that fits into what a context keeps, and beyond.  Nothing that TLS asks for is left to the default
// provider, whose contexts allocate memory.
TEST(Tls13Kdf, WhatTlsAsksFor)
{
    Random random(1);

    ASSERT_TRUE(allocations_are_counted);
    for (const char *hash : { "SHA2-256", "SHA2-384" }) {
        const size_t hash_len = strcmp(hash, "SHA2-256") == 0 ? 32 : 48;

        for (size_t n = 0; n < 300; n++) {
            const bool is_expand = n % 2;
            const size_t len = is_expand ? 1 + random.below(hash_len) : hash_len;
            const size_t key_len = n < 40 ? hash_len : n < 280 ? n - 39 : 1000;
            Params params;
            size_t before, other;

            params.number("mode", is_expand ? EVP_KDF_HKDF_MODE_EXPAND_ONLY : EVP_KDF_HKDF_MODE_EXTRACT_ONLY).text("digest", hash);
            if (is_expand || n % 3)
                params.octets("key", random.bytes(key_len));
            if (!is_expand && n % 5)
                params.octets("salt", random.bytes(hash_len));
            params.octets("prefix", ascii(n % 7 ? "tls13 " : "quic "));
            params.octets("label", is_expand ? random.bytes(1 + random.below(20)) : ascii("derived"));
            if (is_expand && n % 4 > 1)
                params.octets("data", random.bytes(hash_len));
            const Bytes expected = derive_once(theirs(), len, params.get());
            KdfCtx c(EVP_KDF_CTX_new(ours().get())), again(EVP_KDF_CTX_new(ours().get()));
            Bytes out(len + 1, 7);

            ASSERT_EQ(expected.size(), len) << errors();
            before = num_allocations;
            ASSERT_EQ(EVP_KDF_derive(c.get(), out.data(), len, params.get()), 1) << errors();
            other = num_allocations - before;
            EXPECT_TRUE(other == 0 || key_len > 64) << n;
            EXPECT_TRUE(other > 0 || key_len < 256 || !(is_expand || n % 3)) << n;
            EXPECT_EQ(out[len], 7);
            out.pop_back();
            ASSERT_EQ(out, expected) << n;
            // in two steps, and twice
            ASSERT_EQ(EVP_KDF_CTX_set_params(again.get(), params.get()), 1) << errors();
            for (int i = 0; i < 2; i++) {
                Bytes third(len);

                ASSERT_EQ(EVP_KDF_derive(again.get(), third.data(), len, nullptr), 1) << errors();
                ASSERT_EQ(third, expected) << n;
            }
        }
    }
    EXPECT_EQ(ERR_peek_error(), 0u) << errors();
}

// Without a pre-shared key the first secrets are constants; with salts, labels and prefixes that differ in one byte they aren't.
TEST(Tls13Kdf, WithoutPsk)
{
    for (const char *hash : { "SHA2-256", "SHA2-384" }) {
        const size_t len = strcmp(hash, "SHA2-256") == 0 ? 32 : 48;
        const Bytes none, shared(32, 'd'); // so "derive" comes before a "d"
        const auto extract = [&](const Kdf &kdf, const Bytes &key, const Bytes &salt, const char *prefix, const char *label) {
            Params params;

            params.number("mode", EVP_KDF_HKDF_MODE_EXTRACT_ONLY).text("digest", hash);
            params.octets("prefix", ascii(prefix)).octets("label", ascii(label));
            for (const auto &[name, bytes] : { std::pair("key", key), std::pair("salt", salt) })
                if (!bytes.empty())
                    params.octets(name, bytes);
            return derive_once(kdf, len, params.get());
        };
        const auto same = [&](const Bytes &key, const Bytes &salt, const char *prefix = "tls13 ", const char *label = "derived") {
            const Bytes expected = extract(theirs(), key, salt, prefix, label);

            return expected.size() == len && extract(ours(), key, salt, prefix, label) == expected;
        };
        const Bytes early = extract(theirs(), none, none, "tls13 ", "derived");

        EXPECT_TRUE(same(none, none) && same(shared, none) && same(none, early) && same(shared, early));
        for (size_t i = 0; i < len; i++) {
            Bytes other = early;

            other[i] ^= 1 << i % 8;
            EXPECT_TRUE(same(shared, other)) << i;
        }
        EXPECT_TRUE(same(shared, Bytes(early.begin(), early.end() - 1)));
        for (const char *prefix : { "tls13_", "tls13", "tls13 d" })
            EXPECT_TRUE(same(shared, early, prefix) && same(none, none, prefix)) << prefix;
        for (const char *label : { "derivee", "derive", "derived " })
            EXPECT_TRUE(same(shared, early, "tls13 ", label) && same(none, none, "tls13 ", label)) << label;
    }
}

// HMAC has SHA-512, too; here it is the default provider's, as all others are.
TEST(Tls13Kdf, OtherHashFunctions)
{
    for (const char *hash : { "SHA2-512", "SHA-512", "SHA512", "SHA2-512/256", "SHA1", "SHA3-384" }) {
        Params params;

        params.number("mode", EVP_KDF_HKDF_MODE_EXPAND_ONLY).text("digest", hash).octets("key", Bytes(48, 5));
        params.octets("prefix", ascii("tls13 ")).octets("label", ascii("key"));
        EXPECT_EQ(derive_once(ours(), 16, params.get()), derive_once(theirs(), 16, params.get())) << hash;
        EXPECT_EQ(derive_once(ours(), 16, params.get()).size(), 16u) << hash << ": " << errors();
    }
}

// Whatever may be given, mostly something that makes sense
static void add_any(Params &params, Random &random)
{
    static const char *const hashes[] = {
        "SHA256", "sha2-256", "SHA-384", "SHA2-384", "SHA512", "SHA1", "MD5", "SHAKE256", "none"
    };
    static const char *const modes[] = { "EXTRACT_ONLY", "expand_only", "EXPAND_ONLY", "EXTRACT_AND_EXPAND", "EXPAND" };
    static const size_t lens[] = { 0, 1, 6, 16, 32, 48, 64, 65, 128, 129, 200, 255, 256, 300, 2100 };
    static const char *const names[] = { "key", "salt", "prefix", "label", "data" };
    const size_t what = random.below(40);

    if (what < 8)
        params.text("digest", hashes[random.below(3) ? random.below(4) : random.below(9)]);
    else if (what < 12)
        params.number("mode", random.below(8) ? 1 + static_cast<int>(random.below(2)) : static_cast<int>(random.below(5)) - 1);
    else if (what < 16)
        params.text("mode", modes[random.below(6) ? random.below(3) : random.below(5)]);
    else if (what < 38)
        params.octets(names[random.below(5)], random.bytes(lens[random.below(4) ? 1 + random.below(5) : random.below(15)]));
    else if (what == 38)
        params.text(random.below(2) ? "properties" : names[random.below(5)], random.below(2) ? "provider=default" : "no");
    else
        params.octets("unknown", Bytes(3));
    if (!random.below(50))
        params.list.back().data_type = random.below(2) ? OSSL_PARAM_UNSIGNED_INTEGER : OSSL_PARAM_OCTET_STRING;
}

static void add_right(Params &params, Random &random)
{
    const size_t len = random.below(2) ? 32 : 48;
    const bool is_expand = random.below(2);

    params.text("digest", len == 32 ? "SHA256" : "SHA384").number("mode", is_expand ? 2 : 1);
    if (is_expand || random.below(2))
        params.octets("key", random.bytes(random.below(4) ? len : 1 + random.below(130)));
    if (random.below(2))
        params.octets("salt", random.bytes(len));
    params.octets("prefix", ascii("tls13 ")).octets("label", ascii("derived"));
    if (random.below(2))
        params.octets("data", random.bytes(len));
}

TEST(Tls13Kdf, Sequences)
{
    static const size_t lens[] = { 32, 48, 32, 48, 32, 48, 12, 0, 1, 33, 49, 64, 100, 9000, 20000 };
    Random random(2);
    size_t num_derived = 0, num_failed = 0;

    for (size_t round = 0; round < 8000; round++) {
        KdfCtx c[2];

        for (int i = 0; i < 2; i++)
            c[i].reset(EVP_KDF_CTX_new(i ? ours().get() : theirs().get()));
        for (size_t step = 0, num = 1 + random.below(6); step < num; step++) {
            const size_t what = random.below(16), len = lens[random.below(15)];
            const bool has_params = random.below(2);
            std::vector<unsigned long> why[2];
            int right[2];
            Bytes out[2];
            Params params;

            if (random.below(2))
                add_right(params, random);
            for (size_t i = params.list.empty() || random.below(4) == 0 ? random.below(6) : 0; i; i--)
                add_any(params, random);
            for (int i = 0; i < 2; i++) {
                size_t size = 0;
                OSSL_PARAM wanted[] = { OSSL_PARAM_construct_size_t("size", &size), OSSL_PARAM_construct_end() };

                ERR_clear_error();
                if (what < 5) {
                    right[i] = EVP_KDF_CTX_set_params(c[i].get(), params.get());
                } else if (what < 13) {
                    out[i].assign(len + 1, 9);
                    right[i] = EVP_KDF_derive(c[i].get(), out[i].data(), len, has_params ? params.get() : nullptr);
                    ASSERT_EQ(out[i][len], 9);
                    if (right[i] != 1)
                        out[i].clear(); // there may be anything
                    num_derived += right[i] == 1;
                    num_failed += right[i] != 1;
                } else if (what < 14) {
                    EVP_KDF_CTX_reset(c[i].get());
                    right[i] = 1;
                } else if (what < 15) {
                    KdfCtx copy(EVP_KDF_CTX_dup(c[i].get()));

                    right[i] = copy != nullptr;
                    if (copy && has_params)
                        std::swap(copy, c[i]);
                } else {
                    right[i] = EVP_KDF_CTX_get_params(c[i].get(), wanted);
                    out[i].assign(reinterpret_cast<uint8_t *>(&size), reinterpret_cast<uint8_t *>(&size + 1));
                }
                why[i] = all_errors();
            }
            ASSERT_EQ(right[0], right[1]) << round << " " << step << " " << what;
            ASSERT_EQ(out[0], out[1]) << round << " " << step << " " << what;
            ASSERT_EQ(why[0], why[1]) << round << " " << step << " " << what;
            // After parameters that it refused, the default provider has lengths without bytes, and may crash.
            for (int i = 0; i < 2 && right[i] != 1; i++)
                EVP_KDF_CTX_reset(c[i].get());
        }
    }
    EXPECT_GT(num_derived, 4000u);
    EXPECT_GT(num_failed, 2000u);
}
