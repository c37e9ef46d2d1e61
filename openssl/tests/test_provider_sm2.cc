// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// SM2 of the module beside the default provider's: who signs, and when that may be set; keys that are not whole; certificates, CMS;
// encryption, which stays the default provider's.
#include <functional>
#include <openssl/cms.h>
#include <openssl/param_build.h>
#include <openssl/x509.h>

#include "allocations.h"
#include "lanecrypt/sm2.h"
#include "public_support.h"

static const KeyKind sm2 = { "SM2", "", "SM3" };

static const Key &theirs()
{
    return key_of(sm2);
}

static const Key &ours()
{
    static const Key key = in_context(theirs(), public_keys());
    return key;
}

// ---- The same steps with each ----

struct Signing {
    MdCtx md{ EVP_MD_CTX_new() };
    EVP_PKEY_CTX *ctx = nullptr;
    Bytes sig;
};
using Step = std::function<int(Signing &)>;

static Step id(const Bytes &bytes)
{
    return [=](Signing &s) { return EVP_PKEY_CTX_set1_id(s.ctx, bytes.data(), static_cast<int>(bytes.size())); };
}

static Step id(const std::string &text)
{
    return id(Bytes(text.begin(), text.end()));
}

static Step params(const std::vector<OSSL_PARAM> &list)
{
    return [=](Signing &s) {
        std::vector<OSSL_PARAM> all = list;

        all.push_back(OSSL_PARAM_construct_end());
        return EVP_PKEY_CTX_set_params(s.ctx, all.data());
    };
}

static Step update(size_t len)
{
    return [=](Signing &s) { return EVP_DigestUpdate(s.md.get(), Bytes(len, 'u').data(), len); };
}

static Step final_of_copy()
{
    return [](Signing &s) {
        Signing copy;
        size_t len = 0;

        return EVP_MD_CTX_copy_ex(copy.md.get(), s.md.get()) == 1 &&
               (copy.sig.resize(len = 100), EVP_DigestSignFinal(copy.md.get(), copy.sig.data(), &len));
    };
}

static char sm3[] = "SM3", sha256[] = "SHA256", text[] = "text";
static unsigned tls13 = 0x304, tls12 = 0x303;
static size_t right_size = 32, wrong_size = 33;
static const OSSL_PARAM
    set_sm3 = OSSL_PARAM_construct_utf8_string("digest", sm3, 0),
    set_sha256 = OSSL_PARAM_construct_utf8_string("digest", sha256, 0),
    set_right_size = OSSL_PARAM_construct_size_t("digest-size", &right_size),
    set_wrong_size = OSSL_PARAM_construct_size_t("digest-size", &wrong_size),
    set_tls13 = OSSL_PARAM_construct_uint("tls-version", &tls13), set_tls12 = OSSL_PARAM_construct_uint("tls-version", &tls12),
    set_id = OSSL_PARAM_construct_octet_string("distid", text, 4), set_no_id = OSSL_PARAM_construct_octet_string("distid", text, 0),
    set_null_id = OSSL_PARAM_construct_octet_string("distid", nullptr, 4),
    set_text_id = OSSL_PARAM_construct_utf8_string("distid", text, 0),
    set_other = OSSL_PARAM_construct_utf8_string("other", text, 0);

// Each step, and whether both sign in the end, is the same with each; and each takes what the other one has signed after the same
// steps.  Answers whether they have signed.
static bool same_steps(const std::string &name, const std::vector<Step> &steps)
{
    Signing s[2];
    int ok[2];

    ERR_clear_error();
    for (size_t i = 0; i < 2; i++)
        EXPECT_EQ(EVP_DigestSignInit_ex(s[i].md.get(), &s[i].ctx, "SM3", i ? public_keys() : stock(), nullptr,
                                        i ? ours().get() : theirs().get(), nullptr),
                  1);
    for (size_t n = 0; n < steps.size(); n++) {
        std::vector<unsigned long> why[2];

        for (size_t i = 0; i < 2; i++) {
            ok[i] = steps[n](s[i]);
            why[i] = all_errors();
        }
        EXPECT_EQ(ok[0], ok[1]) << name << " " << n;
        EXPECT_EQ(why[0], why[1]) << name << " " << n;
    }
    std::vector<unsigned long> why[2];
    for (size_t i = 0; i < 2; i++) {
        size_t len = 0;

        EXPECT_EQ(EVP_DigestSignFinal(s[i].md.get(), nullptr, &len), 1);
        EXPECT_EQ(len, 72u);
        s[i].sig.resize(len);
        ok[i] = EVP_DigestSignFinal(s[i].md.get(), s[i].sig.data(), &len);
        why[i] = all_errors();
        s[i].sig.resize(ok[i] == 1 ? len : 0);
    }
    EXPECT_EQ(ok[0], ok[1]) << name;
    EXPECT_EQ(why[0], why[1]) << name;
    for (size_t verifier = 0; ok[0] == 1 && verifier < 2; verifier++)
        for (size_t signer = 0; signer < 2; signer++) {
            Signing v;

            EXPECT_EQ(EVP_DigestVerifyInit_ex(v.md.get(), &v.ctx, "SM3", verifier ? public_keys() : stock(), nullptr,
                                              verifier ? ours().get() : theirs().get(), nullptr),
                      1);
            for (const Step &step : steps)
                step(v);
            EXPECT_EQ(EVP_DigestVerifyFinal(v.md.get(), s[signer].sig.data(), s[signer].sig.size()), 1)
                << name << ": " << signer << " has signed, " << verifier << " verifies";
        }
    ERR_clear_error();
    return ok[0] == 1;
}

TEST(Sm2, Identities)
{
    EXPECT_TRUE(same_steps("none", { update(20) }));
    EXPECT_TRUE(same_steps("no message", {}));
    EXPECT_TRUE(same_steps("usual", { id("1234567812345678"), update(20) }));
    EXPECT_TRUE(same_steps("nearly usual", { id("1234567812345679"), update(20) }));
    EXPECT_TRUE(same_steps("TLS", { id("TLSv1.3+GM+Cipher+Suite"), update(20) }));
    for (size_t len : { 1, 15, 17, 255, 256, 257, 8190 })
        EXPECT_TRUE(same_steps(std::to_string(len), { id(Bytes(len, 'i')), update(20), update(100) }));
    for (size_t len : { 8191, 8192, 70000 }) // too long
        EXPECT_FALSE(same_steps(std::to_string(len), { id(Bytes(len, 'i')) }));
    same_steps("too long, but signed", { id(Bytes(8191, 'i')), update(20), update(20) });
    EXPECT_TRUE(same_steps("another one", { id("first"), id("second"), update(20) }));
    EXPECT_TRUE(same_steps("a shorter one", { id("1234567812345678"), id("1"), update(20) }));
    same_steps("empty", { params({ set_no_id }), update(20) });
    same_steps("empty after another one", { id("first"), params({ set_no_id }), update(20) });
    same_steps("NULL", { params({ set_null_id }), update(20) });
    same_steps("a string", { id("first"), params({ set_text_id }), update(20) });
}

TEST(Sm2, Settings)
{
    EXPECT_TRUE(same_steps("hash", { params({ set_sm3, set_right_size }), update(20) }));
    same_steps("another hash", { params({ set_sha256 }), update(20) });
    same_steps("identity and another hash", { params({ set_id, set_sha256 }), update(20) });
    same_steps("identity and another size", { id("first"), params({ set_wrong_size, set_id }), update(20) });
    same_steps("TLS 1.3", { params({ set_tls13 }), update(20) });
    same_steps("TLS 1.2", { params({ set_tls12 }), update(20) });
    same_steps("TLS 1.3, then an identity", { params({ set_tls13 }), id("first"), update(20) });
    same_steps("an identity, then TLS 1.3", { id("first"), params({ set_tls13 }), update(20) });
    same_steps("what nobody knows", { params({ set_other }), update(20) });
    // Once a part of the message was there
    same_steps("late", { update(20), id("first"), update(20) });
    same_steps("late, another one", { id("first"), update(20), id("second"), update(20) });
    same_steps("late, after nothing", { update(0), id("first"), update(20) });
    same_steps("late, after an empty one", { params({ set_no_id }), update(20), id("second"), update(20) });
    same_steps("late, after a long one", { id(Bytes(300, 'i')), update(20), id("second"), update(20) });
    same_steps("late, of a wrong type", { update(20), params({ set_text_id }), update(20) });
    same_steps("TLS 1.3, late", { update(20), params({ set_tls13 }), update(20) });
    same_steps("TLS 1.2, late", { id("first"), update(20), params({ set_tls12 }), update(20) });
    same_steps("hash, late", { update(20), params({ set_sm3 }), params({ set_right_size }), update(20) });
    same_steps("another hash, late", { update(20), params({ set_sha256 }), update(20) });
    same_steps("after a copy's end", { id("first"), update(20), final_of_copy(), id("second"), update(20) });
}

// A context that begins again, which keeps its identity, or gets the one that was refused because it came too late: whatever
// libcrypto makes of that.
TEST(Sm2, BeginsAgain)
{
    for (const char *first : { "", "first", "1234567812345678" })
        for (const char *late : { "", "second", "1234567812345678" }) {
            const std::string ids[] = { "", first, late };
            const Bytes message(30, 'b');
            int right[2][3];

            for (size_t i = 0; i < 2; i++) {
                Signing s;
                size_t len = 72;

                ASSERT_EQ(EVP_DigestSignInit_ex(s.md.get(), &s.ctx, "SM3", i ? public_keys() : stock(), nullptr,
                                                i ? ours().get() : theirs().get(), nullptr),
                          1);
                ASSERT_TRUE(!*first || id(ids[1])(s) == 1);
                ASSERT_EQ(EVP_DigestSignUpdate(s.md.get(), message.data(), 5), 1);
                EXPECT_TRUE(!*late || id(ids[2])(s) != 1);
                ASSERT_EQ(EVP_DigestSignInit_ex(s.md.get(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr), 1) << errors();
                s.sig.resize(len);
                ASSERT_EQ(EVP_DigestSignUpdate(s.md.get(), message.data(), message.size()), 1);
                ASSERT_EQ(EVP_DigestSignFinal(s.md.get(), s.sig.data(), &len), 1) << errors();
                s.sig.resize(len);
                for (size_t n = 0; n < 3; n++)
                    right[i][n] = verify(stock(), theirs(), "SM3", message, s.sig, false, [&](EVP_PKEY_CTX *ctx) {
                        return ids[n].empty() || EVP_PKEY_CTX_set1_id(ctx, ids[n].data(), static_cast<int>(ids[n].size())) == 1;
                    });
            }
            for (size_t n = 0; n < 3; n++)
                EXPECT_EQ(right[0][n], right[1][n]) << first << " " << late;
            EXPECT_TRUE(right[0][0] == 1 || right[0][1] == 1 || right[0][2] == 1);
            ERR_clear_error();
        }
}

// An identity that comes with that, in the middle of a message or not, is taken by both or by none.
TEST(Sm2, BeginsAgainWithIdentity)
{
    const OSSL_PARAM set[] = { set_id, OSSL_PARAM_construct_end() };

    for (const auto init : { EVP_DigestSignInit_ex, EVP_DigestVerifyInit_ex })
        for (size_t len : { 0, 20 }) {
            int ok[2];

            for (size_t i = 0; i < 2; i++) {
                Signing s;

                ASSERT_EQ(init(s.md.get(), &s.ctx, "SM3", i ? public_keys() : stock(), nullptr, i ? ours().get() : theirs().get(),
                               nullptr),
                          1);
                ASSERT_TRUE(len == 0 || update(len)(s) == 1);
                ok[i] = init(s.md.get(), nullptr, nullptr, nullptr, nullptr, nullptr, set);
            }
            EXPECT_EQ(ok[0], ok[1]) << len;
            ERR_clear_error();
        }
}

// With the usual identities the core does it: with fewer allocations.
TEST(Sm2, ByTheCore)
{
    size_t num[2];

    ASSERT_TRUE(allocations_are_counted);
    for (const char *who : { "", "1234567812345678", "somebody" }) {
        for (size_t i = 0; i < 2; i++)
            for (int turn = 0; turn < 2; turn++) { // the first one makes the core's key
                Signing s;
                size_t len = 72;

                ASSERT_EQ(EVP_DigestSignInit_ex(s.md.get(), &s.ctx, "SM3", i ? public_keys() : stock(), nullptr,
                                                i ? ours().get() : theirs().get(), nullptr),
                          1);
                ASSERT_TRUE(!*who || id(std::string(who))(s) == 1);
                s.sig.resize(len);
                num[i] = num_allocations;
                ASSERT_EQ(EVP_DigestSign(s.md.get(), s.sig.data(), &len, reinterpret_cast<const uint8_t *>("x"), 1), 1);
                num[i] = num_allocations - num[i];
            }
        EXPECT_LT(num[1], num[0]) << who;
    }
}

// ---- New keys ----

static Key generate_with(OSSL_LIB_CTX *lib, const char *name, const char *value)
{
    KeyCtx g(EVP_PKEY_CTX_new_from_name(lib, "SM2", nullptr));
    EVP_PKEY *key = nullptr;
    const OSSL_PARAM set[] = { OSSL_PARAM_construct_utf8_string(name, const_cast<char *>(value), 0), OSSL_PARAM_construct_end() };

    if (EVP_PKEY_keygen_init(g.get()) != 1 || (*name && EVP_PKEY_CTX_set_params(g.get(), set) != 1) ||
        EVP_PKEY_generate(g.get(), &key) != 1)
        return Key();
    return Key(key);
}

TEST(Sm2, NewKeys)
{
    const char *const settings[][2] = { { "", "" },          { "group", "SM2" },         { "group", "P-256" },
                                        { "group", "none" }, { "encoding", "explicit" }, { "other", "" } };

    for (const auto &set : settings) {
        std::string found[2];
        std::vector<unsigned long> why[2];

        for (size_t i = 0; i < 2; i++) {
            Key key = generate_with(i ? public_keys() : stock(), set[0], set[1]);

            why[i] = all_errors();
            for (const char *what : { "group", "encoding", "point-format" }) {
                char text_of[80] = "";

                if (key && EVP_PKEY_get_utf8_string_param(key.get(), what, text_of, sizeof(text_of), nullptr) == 1)
                    found[i] += std::string(text_of) + " ";
            }
            ERR_clear_error();
        }
        EXPECT_EQ(found[0], found[1]) << set[0] << set[1];
        EXPECT_EQ(why[0], why[1]) << set[0] << set[1];
    }
}

// ---- Keys that aren't whole ----

static Key from_numbers(OSSL_LIB_CTX *lib, const Bytes &private_key, const Bytes &public_key)
{
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    BIGNUM *number = BN_bin2bn(private_key.data(), static_cast<int>(private_key.size()), nullptr);
    KeyCtx from(EVP_PKEY_CTX_new_from_name(lib, "SM2", nullptr));
    EVP_PKEY *key = nullptr;

    OSSL_PARAM_BLD_push_utf8_string(build, "group", "SM2", 0);
    if (!private_key.empty())
        OSSL_PARAM_BLD_push_BN(build, "priv", number);
    if (!public_key.empty())
        OSSL_PARAM_BLD_push_octet_string(build, "pub", public_key.data(), public_key.size());
    OSSL_PARAM *all = OSSL_PARAM_BLD_to_param(build);
    EXPECT_EQ(EVP_PKEY_fromdata_init(from.get()), 1);
    EVP_PKEY_fromdata(from.get(), &key, EVP_PKEY_KEYPAIR, all);
    OSSL_PARAM_free(all);
    OSSL_PARAM_BLD_free(build);
    BN_clear_free(number);
    return Key(key);
}

TEST(Sm2, PartsOfKeys)
{
    uint8_t *point = nullptr;
    size_t len = EVP_PKEY_get1_encoded_public_key(theirs().get(), &point);
    const Bytes whole(point, point + len), message(10, 'p');
    Bytes compressed(whole.begin(), whole.begin() + 33), off = whole;

    OPENSSL_free(point);
    compressed[0] = static_cast<uint8_t>(2 + (whole[64] & 1));
    off[64] ^= 1;
    // n - 2 and n.  (With n - 1 the default provider would look for a signature for ever.)
    Bytes order = from_hex("fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123"), below = order;
    below[31] -= 2;
    for (const Bytes &private_key : { Bytes(), Bytes(1, 0), Bytes(1, 1), Bytes(32, 7), below, order })
        for (const Bytes &public_key : { Bytes(), whole, compressed, off }) {
            Key key[2] = { from_numbers(stock(), private_key, public_key), from_numbers(public_keys(), private_key, public_key) };
            Bytes sig[2];
            std::vector<unsigned long> why[2];

            ASSERT_EQ(!key[0], !key[1]);
            ERR_clear_error();
            if (!key[0])
                continue;
            for (size_t i = 0; i < 2; i++) {
                sig[i] = sign(i ? public_keys() : stock(), key[i], "SM3", message);
                why[i] = all_errors();
            }
            ASSERT_EQ(sig[0].empty(), sig[1].empty());
            EXPECT_EQ(why[0], why[1]);
            for (size_t signer = 0; signer < 2; signer++) {
                int right[2];

                for (size_t i = 0; i < 2; i++) {
                    right[i] = verify(i ? public_keys() : stock(), key[i], "SM3", message, sig[signer]);
                    why[i] = all_errors();
                }
                EXPECT_EQ(right[0], right[1]);
                EXPECT_EQ(why[0], why[1]);
            }
        }
}

// What is signed has the public key in it, as it was given: here another one's.
TEST(Sm2, HalvesThatDontBelong)
{
    uint8_t *point = nullptr;
    size_t len = EVP_PKEY_get1_encoded_public_key(key_of(sm2, 1).get(), &point);
    const Bytes other(point, point + len), private_key(32, 9), message(10, 'h');

    OPENSSL_free(point);
    OSSL_LIB_CTX *libs[2] = { stock(), public_keys() };
    lc_sm2_key key;
    lc_sm2_public_key own;
    uint8_t raw[65], z[32], digest[32], sig[64];
    bool is_right[2][2];

    ASSERT_EQ(lc_sm2_init(&key, private_key.data(), private_key.size()), LC_OK);
    lc_sm2_get_public(&key, raw);
    ASSERT_EQ(lc_sm2_public_init(&own, raw, sizeof(raw)), LC_OK);
    for (size_t i = 0; i < 2; i++) {
        Key half = from_numbers(libs[i], private_key, other);

        ASSERT_TRUE(half) << errors();
        Bytes der = sign(libs[i], half, "SM3", message);
        ASSERT_EQ(lc_sm2_from_der(sig, der.data(), der.size()), LC_OK);
        for (const char *who : { "", LC_SM2_DEFAULT_ID }) { // one of them is the version's none
            ASSERT_EQ(lc_sm2_z(z, other.data(), other.size(), reinterpret_cast<const uint8_t *>(who), strlen(who)), LC_OK);
            ASSERT_EQ(lc_sm2_digest(digest, z, message.data(), message.size()), LC_OK);
            is_right[i][!*who] = lc_sm2_verify(&own, sig, digest) == LC_OK;
        }
    }
    EXPECT_EQ(is_right[0][0], is_right[1][0]);
    EXPECT_EQ(is_right[0][1], is_right[1][1]);
    EXPECT_NE(is_right[0][0], is_right[0][1]);
}

// ---- Buffers ----

TEST(Sm2, RoomForASignature)
{
    for (size_t room : { 0, 1, 64, 70, 71, 72, 100 }) {
        int ok[2], ok_digest[2];
        std::vector<unsigned long> why[2], why_digest[2];

        for (size_t i = 0; i < 2; i++) {
            Signing s;
            KeyCtx k(EVP_PKEY_CTX_new_from_pkey(i ? public_keys() : stock(), i ? ours().get() : theirs().get(), nullptr));
            Bytes sig(room), digest(32, 'd');
            size_t len = room;

            ASSERT_EQ(EVP_DigestSignInit_ex(s.md.get(), &s.ctx, "SM3", i ? public_keys() : stock(), nullptr,
                                            i ? ours().get() : theirs().get(), nullptr),
                      1);
            ok[i] = EVP_DigestSign(s.md.get(), sig.data(), &len, digest.data(), 5);
            why[i] = all_errors();
            ASSERT_EQ(EVP_PKEY_sign_init(k.get()), 1);
            len = room;
            ok_digest[i] = EVP_PKEY_sign(k.get(), sig.data(), &len, digest.data(), digest.size());
            why_digest[i] = all_errors();
        }
        EXPECT_EQ(ok[0], ok[1]) << room;
        EXPECT_EQ(why[0], why[1]) << room;
        EXPECT_EQ(ok_digest[0], ok_digest[1]) << room;
        EXPECT_EQ(why_digest[0], why_digest[1]) << room;
    }
}

// ---- Who uses it ----

struct CmsFree {
    void operator()(CMS_ContentInfo *p) const { CMS_ContentInfo_free(p); }
    void operator()(X509 *p) const { X509_free(p); }
    void operator()(ASN1_OCTET_STRING *p) const { ASN1_OCTET_STRING_free(p); }
};

static std::unique_ptr<X509, CmsFree> certificate(size_t side)
{
    const Key &key = side ? ours() : theirs();
    X509 *cert = X509_new_ex(side ? public_keys() : stock(), nullptr);
    X509_NAME *name = X509_NAME_new();

    X509_set_version(cert, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(cert), 1);
    X509_gmtime_adj(X509_getm_notBefore(cert), -3600);
    X509_gmtime_adj(X509_getm_notAfter(cert), 3600);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const uint8_t *>("test"), -1, -1, 0);
    X509_set_subject_name(cert, name);
    X509_set_issuer_name(cert, name);
    X509_NAME_free(name);
    X509_set_pubkey(cert, key.get());
    return std::unique_ptr<X509, CmsFree>(cert);
}

// The same certificate, read by the other one
static std::unique_ptr<X509, CmsFree> read_by(size_t side, X509 *cert)
{
    uint8_t *der = nullptr;
    int len = i2d_X509(cert, &der);
    const uint8_t *p = der;
    X509 *copy = X509_new_ex(side ? public_keys() : stock(), nullptr);

    EXPECT_TRUE(d2i_X509(&copy, &p, len)) << errors();
    OPENSSL_free(der);
    return std::unique_ptr<X509, CmsFree>(copy);
}

// With an identity and without; read by each with that one, with another one, and without.
TEST(Sm2, Certificates)
{
    const std::string ids[] = { "", "1234567812345678", "somebody" };

    for (const std::string &who : ids)
        for (size_t signer = 0; signer < 2; signer++) {
            auto cert = certificate(signer);
            MdCtx md(EVP_MD_CTX_new());
            EVP_PKEY_CTX *ctx = nullptr;
            int right[2][3];

            ASSERT_EQ(EVP_DigestSignInit_ex(md.get(), &ctx, "SM3", signer ? public_keys() : stock(), nullptr,
                                            signer ? ours().get() : theirs().get(), nullptr),
                      1);
            ASSERT_TRUE(who.empty() || EVP_PKEY_CTX_set1_id(ctx, who.data(), static_cast<int>(who.size())) == 1);
            ASSERT_GT(X509_sign_ctx(cert.get(), md.get()), 0) << errors();
            for (size_t i = 0; i < 2; i++)
                for (size_t n = 0; n < 3; n++) {
                    auto copy = read_by(i, cert.get());
                    ASN1_OCTET_STRING *set = ASN1_OCTET_STRING_new();

                    ASN1_OCTET_STRING_set(set, reinterpret_cast<const uint8_t *>(ids[n].data()), static_cast<int>(ids[n].size()));
                    if (n)
                        X509_set0_distinguishing_id(copy.get(), set);
                    else
                        ASN1_OCTET_STRING_free(set);
                    right[i][n] = X509_verify(copy.get(), i ? ours().get() : theirs().get());
                    EXPECT_TRUE(ids[n] != who || right[i][n] == 1) << who << errors();
                }
            for (size_t n = 0; n < 3; n++)
                EXPECT_EQ(right[0][n], right[1][n]) << who << " " << ids[n];
            ERR_clear_error();
        }
}

TEST(Sm2, Cms)
{
    for (size_t signer = 0; signer < 2; signer++) {
        auto cert = certificate(signer);
        BIO *in = BIO_new_mem_buf("a message", 9);
        EVP_MD *md = EVP_MD_fetch(signer ? public_keys() : stock(), "SM3", nullptr);
        int right[2];

        ASSERT_GT(X509_sign(cert.get(), signer ? ours().get() : theirs().get(), md), 0) << errors();
        std::unique_ptr<CMS_ContentInfo, CmsFree> cms(
            CMS_sign_ex(nullptr, nullptr, nullptr, in, CMS_PARTIAL | CMS_BINARY, signer ? public_keys() : stock(), nullptr));
        ASSERT_TRUE(cms) << errors();
        const bool added =
            CMS_add1_signer(cms.get(), cert.get(), signer ? ours().get() : theirs().get(), md, CMS_BINARY) != nullptr;
        const int done = added ? CMS_final(cms.get(), in, nullptr, CMS_BINARY) : 0;
        static int expected_done = done; // the default provider's come first
        EXPECT_EQ(done, expected_done) << errors();
        uint8_t *der = nullptr;
        int len = done ? i2d_CMS_ContentInfo(cms.get(), &der) : 0;
        for (size_t i = 0; len > 0 && i < 2; i++) {
            const uint8_t *p = der;
            CMS_ContentInfo *read = CMS_ContentInfo_new_ex(i ? public_keys() : stock(), nullptr);

            ASSERT_TRUE(d2i_CMS_ContentInfo(&read, &p, len)) << errors();
            right[i] = CMS_verify(read, nullptr, nullptr, nullptr, nullptr, CMS_NO_SIGNER_CERT_VERIFY | CMS_BINARY);
            EXPECT_EQ(right[i], 1) << errors();
            CMS_ContentInfo_free(read);
        }
        OPENSSL_free(der);
        BIO_free(in);
        EVP_MD_free(md);
        ERR_clear_error();
    }
}

// One encrypts for the other.
TEST(Sm2, Encryption)
{
    for (size_t from = 0; from < 2; from++) {
        KeyCtx e(EVP_PKEY_CTX_new_from_pkey(from ? public_keys() : stock(), from ? ours().get() : theirs().get(), nullptr));
        KeyCtx d(EVP_PKEY_CTX_new_from_pkey(from ? stock() : public_keys(), from ? theirs().get() : ours().get(), nullptr));
        Bytes ct(300), out(300);
        size_t len = ct.size(), out_len = out.size();

        ASSERT_EQ(EVP_PKEY_encrypt_init(e.get()), 1) << errors();
        EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_PKEY_CTX_get0_provider(e.get())), "default");
        ASSERT_EQ(EVP_PKEY_encrypt(e.get(), ct.data(), &len, reinterpret_cast<const uint8_t *>("secret"), 6), 1) << errors();
        ASSERT_EQ(EVP_PKEY_decrypt_init(d.get()), 1) << errors();
        ASSERT_EQ(EVP_PKEY_decrypt(d.get(), out.data(), &out_len, ct.data(), len), 1) << errors();
        out.resize(out_len);
        EXPECT_EQ(out, Bytes({ 's', 'e', 'c', 'r', 'e', 't' }));
    }
}
