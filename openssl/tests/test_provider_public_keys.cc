// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The module's public keys beside the default provider's: keys, signatures, key exchanges; what is set, and what is wrong.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <openssl/async.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <thread>

#include "allocations.h"
#include "public_support.h"

class EachKey : public ::testing::TestWithParam<KeyKind> {
protected:
    const KeyKind kind = GetParam();
};
static std::string test_name(const ::testing::TestParamInfo<KeyKind> &kind)
{
    std::string name = kind.param.name();

    name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
    return name;
}
INSTANTIATE_TEST_SUITE_P(Key, EachKey, ::testing::ValuesIn(key_kinds), test_name);

static const char *provider_of(const Key &key)
{
    return OSSL_PROVIDER_get0_name(EVP_PKEY_get0_provider(key.get()));
}

// Which provider's operation is it?
static std::string signing_provider(OSSL_LIB_CTX *ctx, const Key &key)
{
    KeyCtx c(EVP_PKEY_CTX_new_from_pkey(ctx, key.get(), nullptr));

    return EVP_PKEY_sign_init(c.get()) == 1 ? OSSL_PROVIDER_get0_name(EVP_PKEY_CTX_get0_provider(c.get())) : errors();
}

static bool is_ours(const KeyKind &kind) // the kind, whatever its length or curve
{
    return kind.algorithm != "X448" && kind.algorithm != "ED448";
}

TEST(PublicKeys, AreTheModules)
{
    for (const KeyKind &kind : key_kinds) {
        if (kind.detail == "1024") // no need to make another one
            continue;
        EXPECT_STREQ(provider_of(generate(kind, public_keys())), is_ours(kind) ? "lanecrypt" : "default") << kind.name();
    }
    EXPECT_EQ(signing_provider(public_keys(), in_context(key_of(key_kinds[3]), public_keys())), "lanecrypt");
    EXPECT_EQ(signing_provider(stock(), key_of(key_kinds[3])), "default");
}

TEST_P(EachKey, Signatures)
{
    if (!kind.can_sign())
        GTEST_SKIP();
    Random random(1);
    Key ours = in_context(key_of(kind), public_keys()), other = in_context(key_of(kind, kind.algorithm != "RSA"), public_keys());

    for (const char *hash : kind.hashes()) {
        for (size_t len : { 0, 1, 31, 64, 200, 1000 }) {
            Bytes message = random.bytes(len);
            bool in_pieces = kind.hash && len & 1;
            Bytes sig = sign(public_keys(), ours, hash, message, in_pieces);

            ASSERT_FALSE(sig.empty()) << errors();
            EXPECT_EQ(ERR_peek_error(), 0u) << errors(); // what has succeeded leaves none
            EXPECT_EQ(verify(stock(), key_of(kind), hash, message, sig), 1) << errors();
            EXPECT_EQ(verify(public_keys(), ours, hash, message, sig, in_pieces), 1) << errors();
            EXPECT_EQ(verify(public_keys(), ours, hash, message, sign(stock(), key_of(kind), hash, message)), 1) << errors();
            if (kind.algorithm != "RSA") {
                EXPECT_NE(verify(public_keys(), other, hash, message, sig), 1);
            }
            message.push_back(0);
            EXPECT_NE(verify(public_keys(), ours, hash, message, sig, in_pieces), 1);
            message.pop_back();
            // What is wrong is wrong in the same way.
            for (int i = 0; i < 8; i++) {
                Bytes wrong = sig;

                if (i < 6)
                    wrong[random.below(wrong.size())] ^= static_cast<uint8_t>(1 << random.below(8));
                else if (i == 6)
                    wrong.pop_back();
                else
                    wrong.push_back(0);
                int expected = verify(stock(), key_of(kind), hash, message, wrong);

                EXPECT_NE(expected, 1);
                EXPECT_EQ(verify(public_keys(), ours, hash, message, wrong), expected);
            }
            ERR_clear_error();
        }
    }
    ERR_clear_error();
}

// How many does a verification make, of the message or its digest?  Not the first one with a key, which makes more.
// by_tls: with the parameter that libssl has set since 4.0
static size_t allocations_of_verify(OSSL_LIB_CTX *ctx, const KeyKind &kind, const Bytes &message, const Bytes &sig, bool is_digest,
                                    bool by_tls = false)
{
    unsigned version = 0x304;
    const OSSL_PARAM params[] = { OSSL_PARAM_construct_uint("tls-version", &version), OSSL_PARAM_construct_end() };
    Key key = in_context(key_of(kind), ctx, true);
    size_t before = 0;

    for (int i = 0; i < 2; i++) {
        MdCtx md(EVP_MD_CTX_new());
        KeyCtx v(EVP_PKEY_CTX_new_from_pkey(ctx, key.get(), nullptr));

        EXPECT_EQ(EVP_DigestVerifyInit_ex(md.get(), nullptr, kind.hash, ctx, nullptr, key.get(), by_tls ? params : nullptr), 1);
        EXPECT_TRUE(!is_digest || EVP_PKEY_verify_init(v.get()) == 1);
        before = num_allocations;
        EXPECT_EQ(is_digest ? EVP_PKEY_verify(v.get(), sig.data(), sig.size(), message.data(), message.size())
                            : EVP_DigestVerify(md.get(), sig.data(), sig.size(), message.data(), message.size()),
                  1);
    }
    return num_allocations - before;
}

// That a signature is right is also what the default provider finds if the core isn't asked, with allocations of its own.  (What is
// signed or derived is seen in jobs, which wait.)
TEST_P(EachKey, VerifiedByTheCore)
{
    if (kind.algorithm != "ED25519" && kind.algorithm != "SM2" && kind.detail != "P-256" && kind.detail != "P-384")
        GTEST_SKIP();
    Bytes message(100), digest(EVP_MAX_MD_SIZE), sig = sign(stock(), key_of(kind), kind.hash, message);
    size_t len = 0;

    ASSERT_TRUE(allocations_are_counted);
    for (bool is_digest : { false, true }) {
        if (is_digest && !kind.hash)
            break;
        if (is_digest) {
            KeyCtx s(EVP_PKEY_CTX_new_from_pkey(stock(), key_of(kind).get(), nullptr));

            ASSERT_EQ(EVP_Q_digest(stock(), kind.hash, nullptr, message.data(), message.size(), digest.data(), &len), 1);
            digest.resize(len);
            sig.resize(len = 256);
            ASSERT_EQ(EVP_PKEY_sign_init(s.get()), 1);
            ASSERT_EQ(EVP_PKEY_sign(s.get(), sig.data(), &len, digest.data(), digest.size()), 1);
            sig.resize(len);
        }
        const Bytes &what = is_digest ? digest : message;

        EXPECT_LT(allocations_of_verify(public_keys(), kind, what, sig, is_digest),
                  allocations_of_verify(stock(), kind, what, sig, is_digest));
    }
    sig = sign(stock(), key_of(kind), kind.hash, message);
    if (kind.algorithm != "SM2") { // which TLS gives another identity
        EXPECT_LT(allocations_of_verify(public_keys(), kind, message, sig, false, true),
                  allocations_of_verify(stock(), kind, message, sig, false, true));
    }
    ERR_clear_error();
}

// EVP_PKEY_sign(): a digest, of any length
TEST_P(EachKey, Digests)
{
    if (!kind.hash)
        GTEST_SKIP();
    Random random(2);
    Key ours = in_context(key_of(kind), public_keys());

    for (size_t len : { 20, 28, 32, 36, 48, 64, 65, 0 }) {
        for (const char *hash : { "", "SHA256", "SHA512", "SM3" }) {
            Bytes digest = random.bytes(len), sig[2];
            int ok[2], ok_set[2] = { 1, 1 }, ok_back[2], ok_own[2] = { 0, 0 };

            for (int i = 0; i < 2; i++) {
                OSSL_LIB_CTX *lib = i ? public_keys() : stock();
                const Key &key = i ? ours : key_of(kind);
                KeyCtx s(EVP_PKEY_CTX_new_from_pkey(lib, key.get(), nullptr)),
                    v(EVP_PKEY_CTX_new_from_pkey(lib, key.get(), nullptr));
                size_t sig_len = 1024;

                ASSERT_EQ(EVP_PKEY_sign_init(s.get()), 1);
                ASSERT_EQ(EVP_PKEY_verify_init(v.get()), 1);
                if (*hash) {
                    EVP_MD *md = EVP_MD_fetch(lib, hash, nullptr);

                    ok_set[i] = EVP_PKEY_CTX_set_signature_md(s.get(), md);
                    ASSERT_EQ(EVP_PKEY_CTX_set_signature_md(v.get(), md), ok_set[i]);
                    EVP_MD_free(md);
                }
                sig[i].resize(1024);
                ok[i] = EVP_PKEY_sign(s.get(), sig[i].data(), &sig_len, digest.data(), digest.size());
                sig[i].resize(ok[i] == 1 ? sig_len : 0);
                ok_back[i] =
                    sig[0].empty() ? 0 : EVP_PKEY_verify(v.get(), sig[0].data(), sig[0].size(), digest.data(), digest.size());
                if (ok[i] == 1)
                    ok_own[i] = EVP_PKEY_verify(v.get(), sig[i].data(), sig[i].size(), digest.data(), digest.size());
            }
            EXPECT_EQ(ok_set[1], ok_set[0]) << hash;
            EXPECT_EQ(ok[1], ok[0]) << len << hash;
            EXPECT_EQ(ok_back[1], ok_back[0]) << len << hash;
            EXPECT_EQ(ok_own[1], ok_own[0]) << len << hash;
        }
    }
    ERR_clear_error();
}

TEST_P(EachKey, Exchange)
{
    if (!kind.can_derive())
        GTEST_SKIP();
    Key ours = in_context(key_of(kind), public_keys()), peer = in_context(key_of(kind, 1), public_keys(), true);
    Key fresh = generate(kind, public_keys());
    Bytes expected = derive(stock(), key_of(kind), key_of(kind, 1));

    ASSERT_FALSE(expected.empty());
    EXPECT_TRUE(same(expected, derive(public_keys(), ours, peer)));
    EXPECT_TRUE(same(expected, derive(public_keys(), in_context(key_of(kind, 1), public_keys()),
                                      in_context(key_of(kind), public_keys(), true))));
    // A key that was generated by the module, and one that an encoded point was set in, as TLS does it
    uint8_t *point = nullptr;
    size_t len = EVP_PKEY_get1_encoded_public_key(key_of(kind, 1).get(), &point);
    Key set(EVP_PKEY_new());

    ASSERT_GT(len, 0u);
    ASSERT_EQ(EVP_PKEY_copy_parameters(set.get(), fresh.get()), 1) << errors();
    ASSERT_EQ(EVP_PKEY_set1_encoded_public_key(set.get(), point, len), 1) << errors();
    OPENSSL_free(point);
    EXPECT_TRUE(same(derive(stock(), key_of(kind, 1), in_context(fresh, stock(), true)), derive(public_keys(), fresh, set)));
}

// A key of the curve, but not the peer's curve; no point; a point of small order
TEST(PublicKeys, WrongPeers)
{
    const KeyKind p256 = key_kinds[3], p384 = key_kinds[4], x25519 = key_kinds[9];

    EXPECT_TRUE(derive(public_keys(), generate(p256, public_keys()), generate(p384, public_keys())).empty());
    EXPECT_TRUE(derive(public_keys(), generate(p256, public_keys()), generate(x25519, public_keys())).empty());
    const Bytes zeros(32, 0);
    // No point of the curve can be set; the key is good for nothing then.
    uint8_t point[65] = { 4, 1, 2, 3 };

    for (OSSL_LIB_CTX *lib : { stock(), public_keys() }) {
        Key none = generate(p256, lib);

        EXPECT_NE(EVP_PKEY_set1_encoded_public_key(none.get(), point, sizeof(point)), 1);
        EXPECT_TRUE(derive(lib, generate(p256, lib), none).empty());
    }
    Key small(EVP_PKEY_new_raw_public_key_ex(public_keys(), "X25519", nullptr, zeros.data(), 32));

    ASSERT_TRUE(small) << errors();
    EXPECT_TRUE(derive(public_keys(), generate(x25519, public_keys()), small).empty());
    ERR_clear_error();
}

// The core's key is made for the exchange, and wiped with it.
TEST(PublicKeys, FreedKeysHaveNoSecrets)
{
    Random random(11);
    const Bytes raw = random.bytes(32), part(raw.begin() + 1, raw.end() - 1); // the first and the last byte are changed
    Key key(EVP_PKEY_new_raw_private_key_ex(public_keys(), "X25519", nullptr, raw.data(), raw.size()));

    ASSERT_TRUE(key) << errors();
    EXPECT_EQ(derive(public_keys(), key, generate(key_kinds[9], public_keys())).size(), 32u);
    EXPECT_FALSE(is_in_freed_memory(part));
    key.reset();
    EXPECT_FALSE(is_in_freed_memory(part));
}

// With a function to derive keys, ECDH is the default provider's; so is what is asked for with a buffer that is too small.
TEST(PublicKeys, ExchangeSettings)
{
    const KeyKind p256 = key_kinds[3];
    Bytes secret[3];
    int ok[3];

    for (int i = 0; i < 3; i++) { // 2: set after init
        OSSL_LIB_CTX *lib = i ? public_keys() : stock();
        Key key = in_context(key_of(p256), lib), peer = in_context(key_of(p256, 1), lib, true);
        KeyCtx d(EVP_PKEY_CTX_new_from_pkey(lib, key.get(), nullptr));
        char kdf[] = "X963KDF", md[] = "SHA256";
        size_t out_len = 100, len;
        OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_string(OSSL_EXCHANGE_PARAM_KDF_TYPE, kdf, 0),
                                OSSL_PARAM_construct_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST, md, 0),
                                OSSL_PARAM_construct_size_t(OSSL_EXCHANGE_PARAM_KDF_OUTLEN, &out_len), OSSL_PARAM_construct_end() };

        ASSERT_EQ(EVP_PKEY_derive_init_ex(d.get(), i == 2 ? nullptr : params), 1) << errors();
        ASSERT_TRUE(i < 2 || EVP_PKEY_CTX_set_params(d.get(), params) == 1) << errors();
        ASSERT_EQ(EVP_PKEY_derive_set_peer(d.get(), peer.get()), 1);
        secret[i].resize(len = 100);
        ASSERT_EQ(EVP_PKEY_derive(d.get(), secret[i].data(), &len), 1) << errors();
        KeyCtx short_one(EVP_PKEY_CTX_new_from_pkey(lib, key.get(), nullptr));
        uint8_t room[16];

        ASSERT_EQ(EVP_PKEY_derive_init(short_one.get()), 1);
        ASSERT_EQ(EVP_PKEY_derive_set_peer(short_one.get(), peer.get()), 1);
        len = 0;
        EXPECT_EQ(EVP_PKEY_derive(short_one.get(), nullptr, &len), 1);
        EXPECT_EQ(len, 32u);
        len = sizeof(room);
        ok[i] = EVP_PKEY_derive(short_one.get(), room, &len); // 3.0 gives the first bytes
        secret[i].insert(secret[i].end(), room, room + (ok[i] == 1 ? len : 0));
    }
    EXPECT_EQ(ok[0], ok[1]);
    EXPECT_TRUE(same(secret[0], secret[1]));
    EXPECT_TRUE(same(secret[0], secret[2]));
    ERR_clear_error();
}

// A key of a length that the core doesn't have, and has no room for: no error stays behind.  (Finding primes would take too long.)
TEST(PublicKeys, LongKeys)
{
    Random random(9);
    Bytes n = random.bytes(640), e = { 1, 0, 1 }, d = random.bytes(640);
    KeyCtx from(EVP_PKEY_CTX_new_from_name(public_keys(), "RSA", nullptr));
    EVP_PKEY *key = nullptr;

    n[0] |= 1; // numbers are little-endian here
    n[639] |= 128;
    d[639] = 1;
    OSSL_PARAM params[] = { OSSL_PARAM_construct_BN("n", n.data(), n.size()), OSSL_PARAM_construct_BN("e", e.data(), e.size()),
                            OSSL_PARAM_construct_BN("d", d.data(), d.size()), OSSL_PARAM_construct_end() };

    ASSERT_EQ(EVP_PKEY_fromdata_init(from.get()), 1);
    ASSERT_EQ(EVP_PKEY_fromdata(from.get(), &key, EVP_PKEY_KEYPAIR, params), 1) << errors();
    const Key owned(key), *arg = &owned;
    ASYNC_JOB *job = nullptr; // in which RSA is the module's, whatever the version
    ASYNC_WAIT_CTX *wait = ASYNC_WAIT_CTX_new();
    int len = 0;

    ERR_clear_error();
    EXPECT_EQ(ASYNC_start_job(
                  &job, wait, &len,
                  [](void *k) {
                      return static_cast<int>(sign(public_keys(), **static_cast<const Key **>(k), "SHA256", Bytes(10, 'l')).size());
                  },
                  &arg, sizeof(arg)),
              ASYNC_FINISH);
    EXPECT_EQ(len, 640) << errors();
    EXPECT_EQ(ERR_peek_error(), 0u) << errors();
    ASYNC_WAIT_CTX_free(wait);
}

// RSA's paddings, salts, masks; set before the message, and (which few do) after some of it.
TEST(PublicKeys, Paddings)
{
    for (const KeyKind &kind : { key_kinds[0], key_kinds[1] }) {
        Key ours = in_context(key_of(kind), public_keys());
        Bytes message(100, 'm');

        for (int salt_len : { RSA_PSS_SALTLEN_DIGEST, RSA_PSS_SALTLEN_MAX, 0, 20, 32, 48 })
            for (const char *mgf1 : { "", "SHA1", "SHA384" })
                for (const char *hash : { "SHA256", "SHA384", "SHA1" }) {
                    Set pss = [&](EVP_PKEY_CTX *ctx) {
                        return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 &&
                               EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, salt_len) == 1 &&
                               (!*mgf1 || EVP_PKEY_CTX_set_rsa_mgf1_md_name(ctx, mgf1, nullptr) == 1);
                    };
                    Bytes sig = sign(public_keys(), ours, hash, message, true, pss);

                    ASSERT_FALSE(sig.empty()) << errors();
                    EXPECT_EQ(verify(stock(), key_of(kind), hash, message, sig, false, pss), 1) << errors();
                    EXPECT_EQ(verify(public_keys(), ours, hash, message, sig, true, pss), 1) << errors();
                    EXPECT_NE(verify(public_keys(), ours, hash, message, sig), 1); // PKCS #1
                }
        Set x931 = [](EVP_PKEY_CTX *ctx) { return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_X931_PADDING) == 1; };
        Bytes sig = sign(public_keys(), ours, "SHA256", message, true, x931);

        EXPECT_EQ(verify(stock(), key_of(kind), "SHA256", message, sig, false, x931), 1) << errors();

        MdCtx md(EVP_MD_CTX_new());
        EVP_PKEY_CTX *pctx;
        size_t len = 1024;

        sig.resize(len);
        ASSERT_EQ(EVP_DigestSignInit_ex(md.get(), &pctx, "SHA256", public_keys(), nullptr, ours.get(), nullptr), 1);
        ASSERT_EQ(EVP_DigestSignUpdate(md.get(), message.data(), 50), 1);
        ASSERT_EQ(EVP_PKEY_CTX_set_rsa_padding(pctx, RSA_PKCS1_PSS_PADDING), 1);
        ASSERT_EQ(EVP_PKEY_CTX_set_rsa_pss_saltlen(pctx, 10), 1);
        ASSERT_EQ(EVP_DigestSignUpdate(md.get(), message.data() + 50, 50), 1);
        ASSERT_EQ(EVP_DigestSignFinal(md.get(), sig.data(), &len), 1) << errors();
        sig.resize(len);
        EXPECT_EQ(verify(stock(), key_of(kind), "SHA256", message, sig, false,
                         [](EVP_PKEY_CTX *ctx) {
                             return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 &&
                                    EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, 10) == 1;
                         }),
                  1);
    }
    ERR_clear_error();
}

// One context: the signature's length, the same message twice (EVP_DigestSign() goes on with the message), copies of contexts.
TEST_P(EachKey, OneContext)
{
    if (!kind.hash)
        GTEST_SKIP();
    Key ours = in_context(key_of(kind), public_keys());
    Bytes message(100, 'x'), twice(200, 'x'), sig(1024);
    MdCtx md(EVP_MD_CTX_new()), copy(EVP_MD_CTX_new());
    size_t len = 0, stock_len = 0;

    ASSERT_EQ(EVP_DigestSignInit_ex(md.get(), nullptr, kind.hash, stock(), nullptr, key_of(kind).get(), nullptr), 1);
    ASSERT_EQ(EVP_DigestSign(md.get(), nullptr, &stock_len, message.data(), message.size()), 1);
    md.reset(EVP_MD_CTX_new());
    ASSERT_EQ(EVP_DigestSignInit_ex(md.get(), nullptr, kind.hash, public_keys(), nullptr, ours.get(), nullptr), 1);
    ASSERT_EQ(EVP_DigestSign(md.get(), nullptr, &len, message.data(), message.size()), 1) << errors();
    EXPECT_EQ(len, stock_len);
    MdCtx stock_md(EVP_MD_CTX_new());
    ASSERT_EQ(EVP_DigestSignInit_ex(stock_md.get(), nullptr, kind.hash, stock(), nullptr, key_of(kind).get(), nullptr), 1);
    for (int i = 0; i < 2; i++) {
        len = sig.size();
        int expected = EVP_DigestSign(stock_md.get(), sig.data(), &len, message.data(), message.size());

        len = sig.size();
        ASSERT_EQ(EVP_DigestSign(md.get(), sig.data(), &len, message.data(), message.size()), expected) << errors();
        if (i && expected != 1) // since 3.4 the second one is refused
            break;
        EXPECT_EQ(verify(stock(), key_of(kind), kind.hash, i ? twice : message,
                         Bytes(sig.begin(), sig.begin() + static_cast<long>(len))),
                  1);
    }
    md.reset(EVP_MD_CTX_new());
    ASSERT_EQ(EVP_DigestSignInit_ex(md.get(), nullptr, kind.hash, public_keys(), nullptr, ours.get(), nullptr), 1);
    ASSERT_EQ(EVP_DigestSignUpdate(md.get(), message.data(), 60), 1);
    ASSERT_EQ(EVP_MD_CTX_copy_ex(copy.get(), md.get()), 1);
    ASSERT_EQ(EVP_DigestSignUpdate(md.get(), message.data(), 7), 1);
    ASSERT_EQ(EVP_DigestSignUpdate(copy.get(), message.data(), 40), 1);
    md.reset();
    len = sig.size();
    ASSERT_EQ(EVP_DigestSignFinal(copy.get(), sig.data(), &len), 1);
    EXPECT_EQ(verify(stock(), key_of(kind), kind.hash, message, Bytes(sig.begin(), sig.begin() + static_cast<long>(len))), 1);
}

// A context that begins again without a key goes on with the key, and with what was set.  (Before 3.2 there is one kind of Ed25519,
// and what asks for another one is passed over.)
TEST(PublicKeys, BeginsAgain)
{
    char instance[] = "Ed25519ctx", context[] = "context";
    OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_string("instance", instance, 0),
                            OSSL_PARAM_construct_octet_string("context-string", context, 7), OSSL_PARAM_construct_end() };
    const Key &stocks = key_of(key_kinds[7]);
    Key ours = in_context(stocks, public_keys());
    Bytes message(5, 'm'), sig[2][2];
    int wrong[2];

    for (int i = 0; i < 2; i++) {
        OSSL_LIB_CTX *ctx = i ? public_keys() : stock();
        EVP_PKEY *key = i ? ours.get() : stocks.get();
        MdCtx md(EVP_MD_CTX_new());

        for (int again = 0; again < 2; again++) {
            size_t len = 64;

            sig[i][again].resize(len);
            ASSERT_EQ(again ? EVP_DigestSignInit_ex(md.get(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr)
                            : EVP_DigestSignInit_ex(md.get(), nullptr, nullptr, ctx, nullptr, key, params),
                      1);
            ASSERT_EQ(EVP_DigestSign(md.get(), sig[i][again].data(), &len, message.data(), message.size()), 1) << errors();
        }
        md.reset(EVP_MD_CTX_new());
        ASSERT_EQ(EVP_DigestVerifyInit_ex(md.get(), nullptr, nullptr, ctx, nullptr, key, params), 1);
        ASSERT_EQ(EVP_DigestVerifyInit_ex(md.get(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr), 1);
        Bytes plain = sign(ctx, i ? ours : stocks, nullptr, message);
        wrong[i] = EVP_DigestVerify(md.get(), plain.data(), plain.size(), message.data(), message.size());
    }
    EXPECT_TRUE(same(sig[0][0], sig[1][0]));
    EXPECT_TRUE(same(sig[0][1], sig[1][1]));
    EXPECT_EQ(wrong[0], wrong[1]);
    ERR_clear_error();
}

// A key that changes is another key: for contexts that come later, and for one that has it already.
TEST(PublicKeys, KeyChanges)
{
    const KeyKind p256 = key_kinds[3];
    Key first = generate(p256, public_keys()), second = in_context(key_of(p256, 1), public_keys()),
        mine = generate(p256, public_keys());
    Key changing(EVP_PKEY_dup(first.get()));
    uint8_t *point = nullptr;
    size_t len = EVP_PKEY_get1_encoded_public_key(second.get(), &point);
    Bytes message(10, 'a'),
        sig = sign(public_keys(), first, "SHA256", message), sig2 = sign(public_keys(), second, "SHA256", message);
    MdCtx md(EVP_MD_CTX_new());

    ASSERT_EQ(EVP_DigestVerifyInit_ex(md.get(), nullptr, "SHA256", public_keys(), nullptr, changing.get(), nullptr), 1);
    EXPECT_EQ(verify(public_keys(), changing, "SHA256", message, sig), 1);
    EXPECT_TRUE(same(derive(public_keys(), mine, first), derive(public_keys(), mine, changing)));
    ASSERT_EQ(EVP_PKEY_set1_encoded_public_key(changing.get(), point, len), 1) << errors();
    OPENSSL_free(point);
    EXPECT_NE(verify(public_keys(), changing, "SHA256", message, sig), 1);
    EXPECT_EQ(verify(public_keys(), changing, "SHA256", message, sig2), 1);
    EXPECT_TRUE(same(derive(public_keys(), mine, second), derive(public_keys(), mine, changing)));
    EXPECT_EQ(EVP_DigestVerify(md.get(), sig2.data(), sig2.size(), message.data(), message.size()), 1); // as the default provider
    ERR_clear_error();
}

// What encodes, compares and copies keys is the default provider's; nothing is lost on the way.
TEST_P(EachKey, Keys)
{
    if (kind.detail == "3072" || kind.detail == "1024")
        GTEST_SKIP();
    Key key = generate(kind, public_keys()), copy(EVP_PKEY_dup(key.get())), stocks = in_context(key, stock());
    Key back = in_context(stocks, public_keys()), only_public = in_context(key, public_keys(), true);
    OSSL_PARAM *params = nullptr;

    ASSERT_TRUE(copy) << errors();
    EXPECT_EQ(EVP_PKEY_eq(key.get(), copy.get()), 1);
    EXPECT_EQ(EVP_PKEY_eq(key.get(), back.get()), 1);
    EXPECT_EQ(EVP_PKEY_eq(key.get(), only_public.get()), 1);
    EXPECT_NE(EVP_PKEY_eq(key.get(), in_context(key_of(kind), public_keys()).get()), 1);
    EXPECT_EQ(EVP_PKEY_get_bits(key.get()), EVP_PKEY_get_bits(stocks.get()));
    EXPECT_EQ(EVP_PKEY_get_security_bits(key.get()), EVP_PKEY_get_security_bits(stocks.get()));
    EXPECT_EQ(EVP_PKEY_get_size(key.get()), EVP_PKEY_get_size(stocks.get()));
    KeyCtx check(EVP_PKEY_CTX_new_from_pkey(public_keys(), key.get(), nullptr));
    EXPECT_EQ(EVP_PKEY_check(check.get()), 1) << errors();
    EXPECT_EQ(EVP_PKEY_public_check(check.get()), 1) << errors();
    EXPECT_EQ(EVP_PKEY_todata(key.get(), EVP_PKEY_KEYPAIR, &params), 1);
    KeyCtx from(EVP_PKEY_CTX_new_from_name(public_keys(), kind.algorithm.c_str(), nullptr));
    EVP_PKEY *made = nullptr;
    EXPECT_EQ(EVP_PKEY_fromdata_init(from.get()), 1);
    EXPECT_EQ(EVP_PKEY_fromdata(from.get(), &made, EVP_PKEY_KEYPAIR, params), 1) << errors();
    EXPECT_EQ(EVP_PKEY_eq(key.get(), made), 1);
    EVP_PKEY_free(made);
    OSSL_PARAM_free(params);
    if (kind.algorithm == "X25519") { // private keys look like the default provider's
        Bytes raw(32);
        size_t len = raw.size();

        for (int i = 0; i < 8; i++) {
            ASSERT_EQ(EVP_PKEY_get_raw_private_key(generate(kind, public_keys()).get(), raw.data(), &len), 1);
            EXPECT_EQ(raw[0] & 7, 0);
            EXPECT_EQ(raw[31] & 0xc0, 0x40);
        }
    }
    if (kind.algorithm == "RSA") { // which decrypts by the default provider
        KeyCtx e(EVP_PKEY_CTX_new_from_pkey(stock(), stocks.get(), nullptr)),
            d(EVP_PKEY_CTX_new_from_pkey(public_keys(), key.get(), nullptr));
        Bytes text(1024), cipher(1024);
        size_t len = cipher.size(), text_len = text.size();

        ASSERT_EQ(EVP_PKEY_encrypt_init(e.get()), 1);
        ASSERT_EQ(EVP_PKEY_encrypt(e.get(), cipher.data(), &len, reinterpret_cast<const uint8_t *>("secret"), 6), 1);
        ASSERT_EQ(EVP_PKEY_decrypt_init(d.get()), 1);
        ASSERT_EQ(EVP_PKEY_decrypt(d.get(), text.data(), &text_len, cipher.data(), len), 1) << errors();
        EXPECT_EQ(text_len, 6u);
    }
}

// A private key beside the public key of another one signs as the default provider does it: whatever that is, not for nothing.
TEST(PublicKeys, HalvesThatDontBelong)
{
    Bytes private_key(32, 7), public_key(32), sig[2];
    size_t len = 32;
    OSSL_PARAM params[3];

    ASSERT_EQ(EVP_PKEY_get_raw_public_key(key_of(key_kinds[7]).get(), public_key.data(), &len), 1);
    params[0] = OSSL_PARAM_construct_octet_string("priv", private_key.data(), 32);
    params[1] = OSSL_PARAM_construct_octet_string("pub", public_key.data(), 32);
    params[2] = OSSL_PARAM_construct_end();
    for (int i = 0; i < 2; i++) {
        KeyCtx from(EVP_PKEY_CTX_new_from_name(i ? public_keys() : stock(), "ED25519", nullptr));
        EVP_PKEY *key = nullptr;

        ASSERT_EQ(EVP_PKEY_fromdata_init(from.get()), 1);
        ASSERT_EQ(EVP_PKEY_fromdata(from.get(), &key, EVP_PKEY_KEYPAIR, params), 1);
        Key owned(key);
        sig[i] = sign(i ? public_keys() : stock(), owned, nullptr, Bytes(5, 'z'));
    }
    EXPECT_TRUE(same(sig[0], sig[1]));
}

// Threads that share keys which nobody has used yet
TEST(PublicKeys, Threads)
{
    std::atomic<int> wrong{ 0 };

    for (int round = 0; round < 3; round++) {
        Key p256 = in_context(key_of(key_kinds[3]), public_keys()), x25519 = generate(key_kinds[9], public_keys());
        Key ed25519 = generate(key_kinds[7], public_keys()), rsa = in_context(key_of(key_kinds[1]), public_keys());
        std::vector<std::thread> threads;
        const Bytes expected = derive(public_keys(), generate(key_kinds[9], public_keys()), x25519);

        for (int t = 0; t < 6; t++)
            threads.emplace_back([&, t] {
                Bytes message(static_cast<size_t>(t + 1), 't');

                for (int i = 0; i < 5; i++) {
                    wrong += verify(public_keys(), p256, "SHA256", message, sign(public_keys(), p256, "SHA256", message)) != 1;
                    wrong += verify(public_keys(), ed25519, nullptr, message, sign(public_keys(), ed25519, nullptr, message)) != 1;
                    wrong += derive(public_keys(), x25519, x25519).size() != 32;
                }
                wrong += verify(public_keys(), rsa, "SHA256", message, sign(public_keys(), rsa, "SHA256", message)) != 1;
            });
        for (std::thread &thread : threads)
            thread.join();
    }
    EXPECT_EQ(wrong, 0);
}

// Key, context and library context may be given up in any order.
TEST(PublicKeys, Unload)
{
    for (int i = 0; i < 5; i++) {
        OSSL_LIB_CTX *lib = OSSL_LIB_CTX_new();
        ASSERT_TRUE(OSSL_LIB_CTX_load_config(lib, PUBLIC_CONF)) << errors();
        Key key = generate(key_kinds[3], lib);
        MdCtx md(EVP_MD_CTX_new());
        Bytes sig(200);
        size_t len = sig.size();

        ASSERT_EQ(EVP_DigestSignInit_ex(md.get(), nullptr, "SHA256", lib, nullptr, key.get(), nullptr), 1);
        key.reset();
        ASSERT_EQ(EVP_DigestSign(md.get(), sig.data(), &len, sig.data(), 20), 1);
        md.reset();
        OSSL_LIB_CTX_free(lib);
    }
}

// ECDSA's messages begin without the default provider.  Whatever is asked for or set, and when, is as if they hadn't.
TEST(PublicKeys, EcdsaBeginsLate)
{
    static const char *const hashes[] = { "SHA256", "SHA2-384", "sha-512", "SHA1", "SHA224", "none" };
    Random random(77);
    size_t num_signed = 0, num_refused = 0;

    for (size_t round = 0; round < 300; round++) {
        const KeyKind kind = { "EC", round % 3 ? "P-256" : round % 2 ? "P-384" : "P-521", "SHA256" };
        const bool is_deaf = round % 10 == 9; // only the public key
        bool is_copy = false, has_asked = false, is_over = false;
        Key keys[] = { in_context(key_of(kind), stock(), is_deaf), in_context(key_of(kind), public_keys(), is_deaf) };
        MdCtx md[2];
        EVP_PKEY_CTX *ctx[2] = { nullptr, nullptr };
        const char *hash = hashes[random.below(4) ? random.below(3) : random.below(6)];

        for (int i = 0; i < 2; i++)
            md[i].reset(EVP_MD_CTX_new());
        for (size_t step = 0, num = 2 + random.below(7); step < num && !is_over; step++) {
            const size_t what = step ? 1 + random.below(9) : 0;
            const char *other = hashes[random.below(6)];
            const Bytes text = random.bytes(random.below(100));
            std::vector<std::string> found[2];

            for (int i = 0; i < 2; i++) {
                OSSL_LIB_CTX *lib = i ? public_keys() : stock();
                Bytes sig(200);
                size_t len = sig.size();
                int ok = 1;

                ERR_clear_error();
                switch (what) {
                case 0: ok = EVP_DigestSignInit_ex(md[i].get(), &ctx[i], hash, lib, nullptr, keys[i].get(), nullptr); break;
                case 1:
                case 2: ok = EVP_DigestSignUpdate(md[i].get(), text.data(), text.size()); break;
                case 3:
                    ok = EVP_DigestSignFinal(md[i].get(), nullptr, &len);
                    found[i].push_back(std::to_string(len));
                    break;
                case 4: {
                    char name[80] = "";
                    OSSL_PARAM get[] = { OSSL_PARAM_construct_utf8_string("digest", name, sizeof(name)),
                                         OSSL_PARAM_construct_octet_string("algorithm-id", sig.data(), sig.size()),
                                         OSSL_PARAM_construct_end() };

                    if (is_copy) // 3.0's points into what it was made of, which is gone
                        get[1] = OSSL_PARAM_construct_end();
                    ok = ctx[i] ? EVP_PKEY_CTX_get_params(ctx[i], get) : -9;
                    found[i].push_back(name);
                    if (ok == 1 && !is_copy)
                        found[i].emplace_back(sig.begin(), sig.begin() + static_cast<long>(get[1].return_size));
                    break;
                }
                case 5: {
                    std::string name = other;
                    OSSL_PARAM set[] = { OSSL_PARAM_construct_utf8_string("digest", &name[0], 0), OSSL_PARAM_construct_end() };

                    ok = ctx[i] ? EVP_PKEY_CTX_set_params(ctx[i], set) : -9;
                    break;
                }
                case 6: {
                    MdCtx copy(EVP_MD_CTX_new());

                    ok = EVP_MD_CTX_copy_ex(copy.get(), md[i].get());
                    if (ok == 1 && step % 2) {
                        md[i].swap(copy);
                        is_copy = is_copy || i == 1;
                        ctx[i] = EVP_MD_CTX_get_pkey_ctx(md[i].get());
                    }
                    break;
                }
                case 7:
                    ok = ctx[i] ? EVP_DigestSignInit_ex(md[i].get(), nullptr, step % 2 ? nullptr : other, lib, nullptr, nullptr,
                                                        nullptr)
                                : -9;
                    break;
                case 8: {
                    EVP_PKEY_CTX *one = nullptr; // with the same context

                    ok = EVP_DigestSignInit_ex(md[i].get(), &one, other, lib, nullptr, keys[i].get(), nullptr);
                    ctx[i] = one ? one : ctx[i];
                    break;
                }
                default:
                    ok = EVP_DigestSignFinal(md[i].get(), sig.data(), &len);
                    num_signed += ok == 1;
                    break;
                }
                num_refused += ok != 1;
                // What couldn't begin isn't compared any more, nor another hash function once the length was asked for.
                has_asked |= what == 3;
                is_over |= (ok != 1 && (what == 0 || what == 7 || what == 8)) || (what == 5 && has_asked);
                found[i].push_back(std::to_string(ok));
                while (unsigned long code = ERR_get_error())
                    found[i].push_back(std::to_string(code));
            }
            ASSERT_EQ(found[0], found[1]) << round << " " << step << " " << what << " " << hash << " " << other;
        }
    }
    EXPECT_GT(num_signed, 100u);
    EXPECT_GT(num_refused, 100u);
}
