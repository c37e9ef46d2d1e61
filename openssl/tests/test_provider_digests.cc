// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// SM3 of the module beside the default provider's: what it is, messages in pieces, copies, calls out of order, who else uses it.
#include <algorithm>

#include "public_support.h"

struct MdFree {
    void operator()(EVP_MD *md) const { EVP_MD_free(md); }
};
using Md = std::unique_ptr<EVP_MD, MdFree>;

static Md fetch(OSSL_LIB_CTX *ctx, const char *name = "SM3")
{
    return Md(EVP_MD_fetch(ctx, name, nullptr));
}

static const Md &ours()
{
    static const Md md = fetch(public_keys());
    return md;
}

static const Md &theirs()
{
    static const Md md = fetch(stock());
    return md;
}

static MdCtx start(const Md &md)
{
    MdCtx c(EVP_MD_CTX_new());

    EXPECT_EQ(EVP_DigestInit_ex2(c.get(), md.get(), nullptr), 1) << errors();
    return c;
}

static void update(const MdCtx &c, const Bytes &message, size_t begin, size_t end)
{
    EXPECT_EQ(EVP_DigestUpdate(c.get(), message.data() + begin, end - begin), 1) << errors();
}

static Bytes finish(const MdCtx &c)
{
    Bytes digest(EVP_MAX_MD_SIZE);
    unsigned len = 0;

    EXPECT_EQ(EVP_DigestFinal_ex(c.get(), digest.data(), &len), 1) << errors();
    digest.resize(len);
    return digest;
}

static Bytes whole(const Md &md, const Bytes &message)
{
    Bytes digest(EVP_MAX_MD_SIZE);
    unsigned len = 0;

    EXPECT_EQ(EVP_Digest(message.data(), message.size(), digest.data(), &len, md.get(), nullptr), 1) << errors();
    digest.resize(len);
    return digest;
}

static std::vector<std::string> names_of(const Md &md)
{
    std::vector<std::string> names;

    EVP_MD_names_do_all(
        md.get(), [](const char *name, void *arg) { static_cast<std::vector<std::string> *>(arg)->push_back(name); }, &names);
    std::sort(names.begin(), names.end());
    return names;
}

static std::vector<std::string> parameters_of(const OSSL_PARAM *list)
{
    std::vector<std::string> names;

    for (; list && list->key; list++)
        names.push_back(list->key);
    return names;
}

TEST(Sm3, IsAsTheDefaultProvidersIs)
{
    for (const char *name : { "SM3", "sm3", "1.2.156.10197.1.401" }) {
        Md md = fetch(public_keys(), name);

        ASSERT_TRUE(md) << errors();
        EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(md.get())), "lanecrypt");
    }
    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(theirs().get())), "default");
    EXPECT_EQ(EVP_MD_get_size(ours().get()), 32);
    EXPECT_EQ(EVP_MD_get_block_size(ours().get()), 64);
    EXPECT_EQ(EVP_MD_get_flags(ours().get()), EVP_MD_get_flags(theirs().get()));
    EXPECT_EQ(EVP_MD_get_type(ours().get()), EVP_MD_get_type(theirs().get()));
    EXPECT_EQ(names_of(ours()), names_of(theirs()));
    EXPECT_FALSE(parameters_of(EVP_MD_gettable_params(theirs().get())).empty());
    EXPECT_EQ(parameters_of(EVP_MD_gettable_params(ours().get())), parameters_of(EVP_MD_gettable_params(theirs().get())));
    EXPECT_EQ(parameters_of(EVP_MD_settable_ctx_params(ours().get())), parameters_of(EVP_MD_settable_ctx_params(theirs().get())));
    EXPECT_EQ(parameters_of(EVP_MD_gettable_ctx_params(ours().get())), parameters_of(EVP_MD_gettable_ctx_params(theirs().get())));
}

// Only what the configuration asks for, and no other hash
TEST(Sm3, IsAskedFor)
{
    OSSL_LIB_CTX *without = context(WITHOUT_SM3_CONF), *alone = context(SM3_CONF);
    EVP_KEYMGMT *key = EVP_KEYMGMT_fetch(alone, "EC", nullptr), *other = EVP_KEYMGMT_fetch(without, "EC", nullptr);

    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(fetch(without).get())), "default");
    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(fetch(alone).get())), "lanecrypt");
    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_KEYMGMT_get0_provider(other)), "lanecrypt");
    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_KEYMGMT_get0_provider(key)), "default");
    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(fetch(public_keys(), "SHA256").get())), "default");
    EVP_KEYMGMT_free(key);
    EVP_KEYMGMT_free(other);
    OSSL_LIB_CTX_free(without);
    OSSL_LIB_CTX_free(alone);
}

TEST(Sm3, EachSplit)
{
    Random random(1);

    for (size_t len = 0; len <= 200; len++) {
        Bytes message = random.bytes(len), expected = whole(theirs(), message);
        MdCtx c = start(ours());

        EXPECT_EQ(expected.size(), 32u);
        EXPECT_EQ(whole(ours(), message), expected) << len;
        for (size_t split = 0; split <= len; split++) { // with one context
            update(c, message, 0, split);
            update(c, message, split, len);
            ASSERT_EQ(finish(c), expected) << split << " of " << len;
            ASSERT_EQ(EVP_DigestInit_ex2(c.get(), split & 1 ? ours().get() : nullptr, nullptr), 1);
        }
    }
    EXPECT_EQ(ERR_peek_error(), 0u) << errors();
}

TEST(Sm3, Pieces)
{
    Random random(2);

    for (size_t round = 0; round < 300; round++) {
        Bytes message = random.bytes(random.below(round % 30 ? 3000 : 300000));
        MdCtx c = start(ours());

        for (size_t begin = 0; begin < message.size();) {
            size_t end = std::min(message.size(), begin + random.below(round % 3 ? 200 : 20000) + round % 2);

            update(c, message, begin, end);
            begin = end;
            if (random.below(8) == 0) {
                EXPECT_EQ(EVP_DigestUpdate(c.get(), nullptr, 0), 1);
            }
        }
        ASSERT_EQ(finish(c), whole(theirs(), message)) << message.size();
        ASSERT_EQ(whole(ours(), message), whole(theirs(), message)) << message.size();
    }
}

// A copy, and what it was made of, go on on their own; into a new context or one that has been used.
TEST(Sm3, Copies)
{
    Random random(3);
    MdCtx used = start(ours());

    for (size_t len = 0; len < 150; len++) {
        Bytes message = random.bytes(len), a = random.bytes(random.below(150)), b = random.bytes(random.below(150));
        Bytes message_a = message, message_b = message;
        MdCtx c = start(ours()), fresh(EVP_MD_CTX_new()), &copy = len & 1 ? used : fresh;

        message_a.insert(message_a.end(), a.begin(), a.end());
        message_b.insert(message_b.end(), b.begin(), b.end());
        update(c, message, 0, len);
        ASSERT_EQ(EVP_MD_CTX_copy_ex(copy.get(), c.get()), 1) << errors();
        update(c, a, 0, a.size());
        update(copy, b, 0, b.size());
        if (len % 3)
            EXPECT_EQ(finish(c), whole(theirs(), message_a));
        else
            c.reset(); // the copy doesn't need it
        EXPECT_EQ(finish(copy), whole(theirs(), message_b));
    }
}

// A context that has ended: no digest of what it has left, until it is begun again.
TEST(Sm3, AfterTheEnd)
{
    Bytes message(100, 7), expected = whole(theirs(), message), digest(EVP_MAX_MD_SIZE, 1);
    MdCtx c = start(ours()), copy(EVP_MD_CTX_new());
    unsigned len;

    update(c, message, 0, 100);
    EXPECT_EQ(finish(c), expected);
    ERR_clear_error();
    EXPECT_EQ(EVP_DigestFinal_ex(c.get(), digest.data(), &len), 0);
    EXPECT_EQ(digest, Bytes(EVP_MAX_MD_SIZE, 1));
    EXPECT_EQ(EVP_DigestUpdate(c.get(), message.data(), 100), 0);
    ERR_clear_error();
    if (EVP_MD_CTX_copy_ex(copy.get(), c.get()) == 1) {
        EXPECT_EQ(EVP_DigestUpdate(copy.get(), message.data(), 100), 0);
    }
    ERR_clear_error();
    ASSERT_EQ(EVP_DigestInit_ex2(c.get(), nullptr, nullptr), 1);
    update(c, message, 0, 50);
    ASSERT_EQ(EVP_DigestInit_ex2(c.get(), nullptr, nullptr), 1); // in the middle
    update(c, message, 0, 100);
    EXPECT_EQ(finish(c), expected);
    ASSERT_EQ(EVP_DigestInit_ex2(c.get(), ours().get(), nullptr), 1);
    EXPECT_EQ(EVP_MD_CTX_reset(c.get()), 1);
    EXPECT_EQ(EVP_DigestUpdate(c.get(), message.data(), 100), 0);
    ERR_clear_error();
}

// The default provider's HMAC with it; and signatures with it as their hash, by whoever makes them.
TEST(Sm3, OthersUseIt)
{
    Bytes message(333, 5), results[2], sig;
    char hash[] = "SM3";
    size_t i = 0;

    for (OSSL_LIB_CTX *ctx : { public_keys(), stock() }) {
        const OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_string("digest", hash, 0), OSSL_PARAM_construct_end() };
        Bytes &mac = results[i++];
        size_t len = 0;

        mac.resize(EVP_MAX_MD_SIZE);
        ASSERT_TRUE(EVP_Q_mac(ctx, "HMAC", nullptr, "SM3", params, "a key", 5, message.data(), message.size(), mac.data(),
                              mac.size(), &len))
            << errors();
        mac.resize(len);
    }
    EXPECT_EQ(results[0].size(), 32u);
    EXPECT_EQ(results[0], results[1]);
    for (const KeyKind &kind : { KeyKind{ "EC", "P-256", "SM3" }, KeyKind{ "SM2", "", "SM3" } }) {
        Key key = in_context(key_of(kind), public_keys());

        for (bool in_pieces : { false, true }) {
            sig = sign(public_keys(), key, "SM3", message, in_pieces);
            ASSERT_FALSE(sig.empty()) << errors();
            EXPECT_EQ(verify(stock(), key_of(kind), "SM3", message, sig), 1) << errors();
            EXPECT_EQ(verify(public_keys(), key, "SM3", message, sign(stock(), key_of(kind), "SM3", message), in_pieces), 1);
            sig[sig.size() - 1] ^= 1;
            EXPECT_NE(verify(public_keys(), key, "SM3", message, sig, in_pieces), 1);
        }
    }
    ERR_clear_error();
}
