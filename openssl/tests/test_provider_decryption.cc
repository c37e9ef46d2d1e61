// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Decryption by RSA beside the default provider's: each padding; what is wrong, and that nothing shows where.
#include <algorithm>
#include <openssl/prov_ssl.h>
#include <openssl/rsa.h>

#include "allocations.h"
#include "public_support.h"

const size_t SECRET_LEN = SSL_MAX_MASTER_KEY_LENGTH;

struct Result {
    int ok;
    Bytes out; // empty if it failed
    size_t len; // as it was, then
    unsigned long error; // the last one
    size_t allocations;

    bool operator==(const Result &r) const { return ok == r.ok && out == r.out && len == r.len && error == r.error; }
};

static Result decrypt(OSSL_LIB_CTX *lib, const Key &key, const Set &set, const Bytes &ct, size_t size = 1024)
{
    KeyCtx ctx(EVP_PKEY_CTX_new_from_pkey(lib, key.get(), nullptr));
    Result r = { 0, Bytes(size), size, 0, 0 };

    if (EVP_PKEY_decrypt_init(ctx.get()) != 1 || !set(ctx.get()))
        throw std::runtime_error("decrypt: " + errors());
    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_PKEY_CTX_get0_provider(ctx.get())), lib == stock() ? "default" : "lanecrypt");
    ERR_clear_error();
    r.allocations = num_allocations;
    r.ok = EVP_PKEY_decrypt(ctx.get(), r.out.data(), &r.len, ct.data(), ct.size());
    r.allocations = num_allocations - r.allocations;
    r.error = ERR_peek_last_error();
    r.out.resize(r.ok == 1 ? r.len : 0);
    ERR_clear_error();
    return r;
}

static Bytes encrypt(const Key &key, const Set &set, const Bytes &message)
{
    KeyCtx ctx(EVP_PKEY_CTX_new_from_pkey(stock(), key.get(), nullptr));
    Bytes ct(1024);
    size_t len = ct.size();

    if (EVP_PKEY_encrypt_init(ctx.get()) != 1 || !set(ctx.get()) ||
        EVP_PKEY_encrypt(ctx.get(), ct.data(), &len, message.data(), message.size()) != 1)
        throw std::runtime_error("encrypt: " + errors());
    ct.resize(len);
    return ct;
}

static Set padding(int mode)
{
    return [mode](EVP_PKEY_CTX *ctx) { return EVP_PKEY_CTX_set_rsa_padding(ctx, mode) == 1; };
}

static Set oaep(const std::string &hash = "", const std::string &mask_hash = "", const Bytes &label = {})
{
    return [=](EVP_PKEY_CTX *ctx) {
        void *copy = OPENSSL_memdup(label.data(), label.size());

        return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) == 1 &&
               (hash.empty() || EVP_PKEY_CTX_set_rsa_oaep_md_name(ctx, hash.c_str(), nullptr) == 1) &&
               (mask_hash.empty() || EVP_PKEY_CTX_set_rsa_mgf1_md_name(ctx, mask_hash.c_str(), nullptr) == 1) &&
               (label.empty() || EVP_PKEY_CTX_set0_rsa_oaep_label(ctx, copy, static_cast<int>(label.size())) == 1);
    };
}

static Set tls(unsigned version, unsigned other_version = 0)
{
    return [=](EVP_PKEY_CTX *ctx) {
        unsigned v = version, o = other_version;
        OSSL_PARAM params[] = { OSSL_PARAM_construct_uint("tls-client-version", &v),
                                OSSL_PARAM_construct_uint("tls-negotiated-version", &o), OSSL_PARAM_construct_end() };

        return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_WITH_TLS_PADDING) == 1 && EVP_PKEY_CTX_set_params(ctx, params) == 1;
    };
}

class EachLength : public ::testing::TestWithParam<size_t> {
protected:
    const Key &stocks = key_of(key_kinds[GetParam()]);
    Key ours = in_context(stocks, public_keys());
    const size_t len = static_cast<size_t>(EVP_PKEY_get_size(stocks.get()));
    Random random{ GetParam() };

    Bytes raw(const Bytes &em) { return encrypt(stocks, padding(RSA_NO_PADDING), em); }
    void compare(const Set &set, const Bytes &ct, size_t size = 1024)
    {
        Result expected = decrypt(stock(), stocks, set, ct, size), got = decrypt(public_keys(), ours, set, ct, size);

        EXPECT_TRUE(expected == got) << expected.ok << " " << got.ok << ", " << expected.len << " " << got.len << ", "
                                     << ERR_reason_error_string(expected.error) << " " << ERR_reason_error_string(got.error);
    }
};
INSTANTIATE_TEST_SUITE_P(Rsa, EachLength, ::testing::Values(0, 1, 2)); // 2048, 3072, 1024 bits

TEST_P(EachLength, Oaep)
{
    for (const char *hash : { "", "SHA1", "SHA256", "SHA384", "SHA3-256" })
        for (const char *mask_hash : { "", "SHA1", "SHA512" })
            for (const Bytes &label : { Bytes(), Bytes(3, 'l'), Bytes(1000, 'l') }) {
                const size_t hash_len = std::string(hash) == "" || std::string(hash) == "SHA1" ? 20
                                        : std::string(hash) == "SHA384"                        ? 48
                                                                                               : 32;
                const size_t max = len - 2 * hash_len - 2;

                for (size_t l : { size_t(0), size_t(1), random.below(max), max }) {
                    Bytes message = random.bytes(l), ct = encrypt(stocks, oaep(hash, mask_hash, label), message);
                    Result r = decrypt(public_keys(), ours, oaep(hash, mask_hash, label), ct);

                    EXPECT_EQ(r.ok, 1) << hash << mask_hash;
                    EXPECT_EQ(r.error, 0u);
                    EXPECT_TRUE(same(r.out, message));
                    if (l != 1)
                        continue;
                    for (size_t size : { len, len - 1, size_t(1), size_t(0) })
                        compare(oaep(hash, mask_hash, label), ct, size);
                    compare(oaep(hash, mask_hash, Bytes(4, 'l')), ct);
                    compare(oaep("SHA224", mask_hash, label), ct);
                    compare(padding(RSA_NO_PADDING), ct);
                }
            }
}

// Wrong ones of each kind: one error, and what isn't seen from outside: nothing is calculated again because of it.
TEST_P(EachLength, WrongOaep)
{
    Bytes message = random.bytes(20), ct = encrypt(stocks, oaep("SHA256"), message);
    Bytes em = decrypt(stock(), stocks, padding(RSA_NO_PADDING), ct).out;
    std::vector<Bytes> wrong;

    ASSERT_TRUE(allocations_are_counted);
    for (size_t i = 0; i < 12; i++) {
        Bytes bad = em;

        bad[i == 0 ? 0 : 1 + random.below(len - 1)] ^= static_cast<uint8_t>(1 << random.below(i == 0 ? 5 : 8));
        wrong.push_back(bad);
    }
    wrong.push_back(Bytes(len, 0)); // a seed of zeros and the like
    wrong.push_back(Bytes(len, 1));
    decrypt(public_keys(), ours, oaep("SHA256"), ct); // the first one allocates more
    Result right = decrypt(public_keys(), ours, oaep("SHA256"), ct);
    const bool by_core = right.allocations < decrypt(stock(), stocks, oaep("SHA256"), ct).allocations;
    ASSERT_TRUE(same(right.out, message));
    for (const Bytes &bad : wrong) {
        compare(oaep("SHA256"), raw(bad));
        Result r = decrypt(public_keys(), ours, oaep("SHA256"), raw(bad));

        EXPECT_EQ(r.ok, 0);
        EXPECT_EQ(r.len, 1024u);
        EXPECT_EQ(ERR_GET_LIB(r.error), ERR_LIB_RSA);
        EXPECT_EQ(ERR_GET_REASON(r.error), RSA_R_OAEP_DECODING_ERROR);
        EXPECT_TRUE(!by_core || r.allocations == right.allocations) << r.allocations << " " << right.allocations;
    }
    for (const char *hash : { "SHAKE256", "SHA256" }) // refused, since 3.4
        for (const char *mask_hash : { "SHAKE128", "SHA256" })
            compare(oaep(hash, mask_hash), ct);
}

// Ciphertexts of other lengths, and not below n
TEST_P(EachLength, WrongCiphertexts)
{
    Bytes ct = encrypt(stocks, oaep(), random.bytes(10));

    for (const Set &set : { oaep(), padding(RSA_NO_PADDING) }) {
        Bytes longer = ct, shorter(ct.begin() + 1, ct.end()), big(len, 0xff);

        longer.insert(longer.begin(), 0);
        for (const Bytes &c : { longer, shorter, big, Bytes(len, 0), Bytes(1, 1), Bytes() })
            compare(set, c);
    }
    for (const Bytes &c : { Bytes(len, 0xff), Bytes(ct.begin() + 1, ct.end()) })
        EXPECT_EQ(decrypt(public_keys(), ours, tls(0x303), c).ok, decrypt(stock(), stocks, tls(0x303), c).ok);
}

TEST_P(EachLength, NoPadding)
{
    for (int i = 0; i < 4; i++) {
        Bytes em = random.bytes(len);

        em[0] = static_cast<uint8_t>(i);
        EXPECT_TRUE(same(decrypt(public_keys(), ours, padding(RSA_NO_PADDING), raw(em)).out, em));
        compare(padding(RSA_NO_PADDING), raw(em), len - 1);
    }
}

// PKCS #1 v1.5 is the default provider's, whatever that does with a wrong one.
TEST_P(EachLength, Pkcs1)
{
    Bytes message = random.bytes(len - 11), ct = encrypt(stocks, padding(RSA_PKCS1_PADDING), message);
    Bytes em = decrypt(stock(), stocks, padding(RSA_NO_PADDING), ct).out;

    EXPECT_TRUE(same(decrypt(public_keys(), ours, padding(RSA_PKCS1_PADDING), ct).out, message));
    for (size_t at : { 0, 1, 2, 9, 10 }) {
        Bytes bad = em;

        bad[at] ^= bad[at] ? bad[at] : 1;
        compare(padding(RSA_PKCS1_PADDING), raw(bad));
    }
}

// TLS: a wrong one gives a secret, too; nobody knows which, and it's another one each time.
TEST_P(EachLength, Tls)
{
    Bytes em(len, 0x5a);
    const size_t at = len - SECRET_LEN;

    em[0] = 0;
    em[1] = 2;
    em[at - 1] = 0;
    em[at] = 3;
    em[at + 1] = 3;
    const Bytes secret(em.begin() + static_cast<long>(at), em.end());
    const auto change = [&em](size_t i, uint8_t to) {
        Bytes bad = em;

        bad[i] = to;
        return bad;
    };
    decrypt(public_keys(), ours, tls(0x303), raw(em)); // the first one allocates more
    Bytes no_version = em;
    no_version[at] = no_version[at + 1] = 0;
    Result right = decrypt(public_keys(), ours, tls(0x303), raw(em));
    const bool by_core = right.allocations < decrypt(stock(), stocks, tls(0x303), raw(em)).allocations;

    EXPECT_EQ(right.ok, 1);
    EXPECT_EQ(right.error, 0u);
    EXPECT_TRUE(same(right.out, secret));
    for (unsigned negotiated : { 0u, 0x302u, 0x303u })
        for (unsigned offered : { 0x301u, 0x302u, 0x303u, 0x304u }) {
            bool is_right = offered == 0x303 || negotiated == 0x303;

            for (bool by_stock : { false, true })
                EXPECT_EQ(decrypt(by_stock ? stock() : public_keys(), by_stock ? stocks : ours, tls(offered, negotiated), raw(em))
                                  .out == secret,
                          is_right)
                    << offered << " " << negotiated;
        }
    for (const Bytes &bad : { change(0, 1), change(0, 0x80), change(1, 1), change(1, 0), change(2, 0), change(at / 2, 0),
                              change(at - 2, 0), change(at - 1, 1), change(at - 1, 0x80), change(at, 2), change(at, 0),
                              change(at + 1, 2), change(at + 1, 0), no_version, Bytes(len, 0), Bytes(len, 1) }) {
        Result r = decrypt(public_keys(), ours, tls(0x303), raw(bad)), again = decrypt(public_keys(), ours, tls(0x303), raw(bad));
        Result expected = decrypt(stock(), stocks, tls(0x303), raw(bad));
        const Bytes in_there(bad.begin() + static_cast<long>(at), bad.end());

        EXPECT_EQ(r.ok, expected.ok);
        EXPECT_EQ(r.len, expected.len);
        EXPECT_EQ(r.error, expected.error);
        EXPECT_NE(r.out, in_there);
        EXPECT_NE(r.out, again.out);
        EXPECT_TRUE(!by_core || r.allocations == right.allocations) << r.allocations << " " << right.allocations;
    }
    for (size_t size : { SECRET_LEN, SECRET_LEN - 1, size_t(0) })
        compare(tls(0x303), raw(em), size);
    compare(tls(0), raw(em)); // no version was set
    compare(padding(RSA_PKCS1_WITH_TLS_PADDING), raw(em));
}

// What is set in one context: copies, lengths, beginning again; a hash function with properties
TEST(Decryption, Contexts)
{
    const Key &stocks = key_of(key_kinds[0]);
    Bytes message(20, 'm'), label(5, 'x'), ct = encrypt(stocks, oaep("SHA256", "SHA1", label), message);

    for (OSSL_LIB_CTX *lib : { stock(), public_keys() }) {
        Key key = in_context(stocks, lib);
        KeyCtx ctx(EVP_PKEY_CTX_new_from_pkey(lib, key.get(), nullptr));
        Bytes out(256);
        size_t len = 0;
        unsigned char *found = nullptr;
        char name[50];
        int mode = 0;

        ASSERT_EQ(EVP_PKEY_decrypt_init(ctx.get()), 1);
        ASSERT_TRUE(oaep("SHA256", "SHA1", label)(ctx.get()));
        EXPECT_EQ(EVP_PKEY_decrypt(ctx.get(), nullptr, &len, ct.data(), ct.size()), 1);
        EXPECT_EQ(len, 256u);
        KeyCtx copy(EVP_PKEY_CTX_dup(ctx.get()));
        ctx.reset();
        key.reset();
        EXPECT_EQ(EVP_PKEY_decrypt(copy.get(), out.data(), &len, ct.data(), ct.size()), 1) << errors();
        EXPECT_EQ(Bytes(out.begin(), out.begin() + static_cast<long>(len)), message);
        EXPECT_GT(EVP_PKEY_CTX_get_rsa_padding(copy.get(), &mode), 0);
        EXPECT_EQ(mode, RSA_PKCS1_OAEP_PADDING);
        EXPECT_EQ(EVP_PKEY_CTX_get0_rsa_oaep_label(copy.get(), &found), 5);
        EXPECT_EQ(EVP_PKEY_CTX_get_rsa_oaep_md_name(copy.get(), name, sizeof(name)), 1);
        len = out.size();
        EXPECT_EQ(EVP_PKEY_CTX_set_rsa_oaep_md_name(copy.get(), "SHA256", "provider=default"), 1);
        EXPECT_EQ(EVP_PKEY_decrypt(copy.get(), out.data(), &len, ct.data(), ct.size()), 1) << errors();
        EXPECT_LE(EVP_PKEY_CTX_set_rsa_padding(copy.get(), RSA_PKCS1_PSS_PADDING), 0);
        EXPECT_EQ(EVP_PKEY_decrypt_init(copy.get()), 1); // PKCS #1 v1.5 again
        EXPECT_GT(EVP_PKEY_CTX_get_rsa_padding(copy.get(), &mode), 0);
        EXPECT_EQ(mode, RSA_PKCS1_PADDING);
    }
    // Encryption is the default provider's.
    Key ours = in_context(stocks, public_keys());
    KeyCtx ctx(EVP_PKEY_CTX_new_from_pkey(public_keys(), ours.get(), nullptr));
    Bytes by_ours(256);
    size_t len = by_ours.size();

    ASSERT_EQ(EVP_PKEY_encrypt_init(ctx.get()), 1);
    ASSERT_TRUE(oaep("SHA512")(ctx.get()));
    ASSERT_EQ(EVP_PKEY_encrypt(ctx.get(), by_ours.data(), &len, message.data(), message.size()), 1) << errors();
    EXPECT_EQ(decrypt(stock(), stocks, oaep("SHA512"), by_ours).out, message);
    ERR_clear_error();
}
