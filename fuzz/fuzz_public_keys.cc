// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Public keys of the OpenSSL provider: a key, of which the input changes some bytes, is read by lanecrypt's provider, which is
// linked, and by the default one; then both sign, with the settings that the input chooses, or decrypt.  What differs aborts.
//
// Input: 1 byte: the key; 1: how many changes of it, of 3 bytes each: where (2), and what (1); 1: what is done; then what that
// takes.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <string>
#include <vector>

#include "../bench/rsa_keys.h"

using Bytes = std::vector<uint8_t>;
extern "C" OSSL_provider_init_fn OSSL_provider_init;

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    std::fprintf(stderr, "%s\n", what);
    ERR_print_errors_fp(stderr);
    std::abort();
}

static OSSL_LIB_CTX *context(bool ours)
{
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();

    if (ours)
        must(OSSL_PROVIDER_add_builtin(ctx, "lanecrypt", OSSL_provider_init) && OSSL_LIB_CTX_load_config(ctx, PUBLIC_CONF),
             PUBLIC_CONF);
    else
        must(OSSL_PROVIDER_load(ctx, "default"), "the default provider");
    return ctx;
}

static OSSL_LIB_CTX *library(size_t side)
{
    static OSSL_LIB_CTX *const both[2] = { context(false), context(true) };

    return both[side];
}

// ---- Input ----

struct Input {
    const uint8_t *p, *end;

    size_t next() { return p < end ? *p++ : 0; }
    size_t below(size_t n) { return next() % n; }
    template <size_t n> const char *one_of(const char *const (&names)[n]) { return names[below(n)]; }
};

// ---- Keys ----

static Bytes rsa(size_t number)
{
    Bytes der(RSA_MAX_DER_LEN);

    der.resize(rsa_key_der(der.data(), number));
    return der;
}

static Bytes curve(Bytes head, size_t len, const Bytes &tail)
{
    for (size_t i = 0; i < len; i++)
        head.push_back(static_cast<uint8_t>(i + 1));
    head.insert(head.end(), tail.begin(), tail.end());
    return head;
}

static const std::vector<Bytes> keys = {
    curve({ 0x30, 49, 2, 1, 1, 4, 32 }, 32, { 0xa0, 10, 6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7 }),
    curve({ 0x30, 62, 2, 1, 1, 4, 48 }, 48, { 0xa0, 7, 6, 5, 0x2b, 0x81, 4, 0, 34 }),
    curve({ 0x30, 49, 2, 1, 1, 4, 32 }, 32, { 0xa0, 10, 6, 8, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x82, 0x2d }),
    curve({ 0x30, 46, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 34, 4, 32 }, 32, {}),
    curve({ 0x30, 46, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 34, 4, 32 }, 32, {}),
    rsa(0),
    rsa(2),
};

struct Sides {
    EVP_PKEY *key[2] = { nullptr, nullptr };

    ~Sides()
    {
        EVP_PKEY_free(key[0]);
        EVP_PKEY_free(key[1]);
    }
};

static bool same_numbers(const Sides &s)
{
    OSSL_PARAM *params[2] = { nullptr, nullptr };
    int got[2];
    bool same = true;

    for (size_t i = 0; i < 2; i++)
        got[i] = EVP_PKEY_todata(s.key[i], EVP_PKEY_KEYPAIR, &params[i]);
    same = got[0] == got[1];
    for (const OSSL_PARAM *p = params[0]; same && p && p->key; p++) {
        const OSSL_PARAM *q = OSSL_PARAM_locate(params[1], p->key);

        same = q && q->data_size == p->data_size && (p->data_size == 0 || std::memcmp(p->data, q->data, p->data_size) == 0);
    }
    OSSL_PARAM_free(params[0]);
    OSSL_PARAM_free(params[1]);
    return same;
}

// ---- Signatures ----

struct Signing {
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    EVP_PKEY_CTX *ctx = nullptr;
    Bytes sig;

    ~Signing() { EVP_MD_CTX_free(md); }
};
using Step = std::function<int(Signing &)>; // above 0: it was taken

static const int salts[] = { -1, -2, -3, -4, 0, 20, 32, 48, 64, 190, 300 };

static Step setting(Input &in)
{
    static const char *const names[] = { "SHA256", "SHA384", "SHA512", "SHA1", "SHA2-256", "sha512", "SHA3-256", "SM3", "none" };
    static const char *const ids[] = { "1234567812345678", "TLSv1.3+GM+Cipher+Suite", "somebody" };
    static const int paddings[] = { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING,  RSA_X931_PADDING,
                                    RSA_NO_PADDING,    RSA_PKCS1_OAEP_PADDING, 99 };
    const size_t what = in.below(8);
    const int padding = paddings[in.below(6)], salt = salts[in.below(11)];
    const char *name = in.one_of(names);
    const std::string id = in.one_of(ids);
    const unsigned version = 0x300 + static_cast<unsigned>(in.below(6));
    const Bytes text(in.next(), 't');

    switch (what) {
    case 0: return [=](Signing &s) { return EVP_PKEY_CTX_set_rsa_padding(s.ctx, padding); };
    case 1: return [=](Signing &s) { return EVP_PKEY_CTX_set_rsa_pss_saltlen(s.ctx, salt); };
    case 2: return [=](Signing &s) { return EVP_PKEY_CTX_set_rsa_mgf1_md_name(s.ctx, name, nullptr); };
    case 3:
        return [=](Signing &s) {
            const OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_string("digest", const_cast<char *>(name), 0),
                                          OSSL_PARAM_construct_end() };

            return EVP_PKEY_CTX_set_params(s.ctx, params);
        };
    case 4: return [=](Signing &s) { return EVP_PKEY_CTX_set1_id(s.ctx, id.data(), static_cast<int>(id.size())); };
    case 5: // up to more than may be
        return [=](Signing &s) {
            return EVP_PKEY_CTX_set1_id(s.ctx, Bytes(text.size() * 33, 'i').data(), static_cast<int>(text.size() * 33));
        };
    case 6:
        return [=](Signing &s) {
            unsigned value = version;
            const OSSL_PARAM params[] = { OSSL_PARAM_construct_uint("tls-version", &value), OSSL_PARAM_construct_end() };

            return EVP_PKEY_CTX_set_params(s.ctx, params);
        };
    default: return [=](Signing &s) { return EVP_DigestUpdate(s.md, text.data(), text.size()); };
    }
}

// The same settings, by both; then what one has signed, the other one takes.
static void sign(Input &in, const Sides &sides)
{
    static const char *const names[] = { "SHA256", "SHA384", "SHA512", "SHA1", nullptr, "SM3" };
    const char *hash = in.one_of(names);
    const size_t pss = in.below(23), num = in.below(6);
    std::vector<Step> steps;
    Signing s[2];
    int ok[2];

    if (pss < 11 && EVP_PKEY_is_a(sides.key[0], "RSA")) { // which chance would seldom make
        steps.emplace_back([](Signing &s) { return EVP_PKEY_CTX_set_rsa_padding(s.ctx, RSA_PKCS1_PSS_PADDING); });
        steps.emplace_back([pss](Signing &s) { return EVP_PKEY_CTX_set_rsa_pss_saltlen(s.ctx, salts[pss]); });
    }
    for (size_t i = 0; i < num; i++)
        steps.push_back(setting(in));
    const Bytes rest(in.next(), 'r');
    for (size_t i = 0; i < 2; i++)
        ok[i] = EVP_DigestSignInit_ex(s[i].md, &s[i].ctx, hash, library(i), nullptr, sides.key[i], nullptr);
    must(ok[0] == ok[1], "one begins to sign, the other one doesn't");
    if (ok[0] != 1)
        return;
    for (const Step &step : steps) {
        for (size_t i = 0; i < 2; i++)
            ok[i] = step(s[i]) > 0;
        must(ok[0] == ok[1], "one takes a setting, the other one doesn't");
    }
    for (size_t i = 0; i < 2; i++) {
        size_t len = 1024;

        s[i].sig.resize(len);
        ok[i] = EVP_DigestSign(s[i].md, s[i].sig.data(), &len, rest.data(), rest.size()) == 1;
        s[i].sig.resize(ok[i] ? len : 0);
    }
    must(ok[0] == ok[1], "one signs, the other one doesn't");
    for (size_t signer = 0, stocks_is_right = 0; ok[0] && signer < 2; signer++) {
        int right[2];

        for (size_t i = 0; i < 2; i++) {
            Signing v;

            must(EVP_DigestVerifyInit_ex(v.md, &v.ctx, hash, library(i), nullptr, sides.key[i], nullptr) == 1, "verify");
            for (const Step &step : steps)
                step(v);
            right[i] = EVP_DigestVerify(v.md, s[signer].sig.data(), s[signer].sig.size(), rest.data(), rest.size());
        }
        must(right[0] == right[1], "one takes a signature, the other one doesn't");
        must(right[0] == 1 || !stocks_is_right, "the default provider refuses a signature");
        stocks_is_right = right[0] == 1; // a key that was changed can make wrong ones
    }
}

// ---- Decryption ----

static void decrypt(Input &in, const Sides &sides)
{
    static const int paddings[] = { RSA_PKCS1_OAEP_PADDING, RSA_NO_PADDING };
    static const char *const names[] = { "SHA1", "SHA256", "SHA512" };
    const size_t change = in.next();
    const int padding = paddings[in.below(2)];
    const char *hash = in.one_of(names);
    const size_t at = in.next(), msg_len = in.below(200), size = 512 - in.next();
    Bytes ct(512), out[3];
    size_t len = ct.size();
    int ok[3];
    EVP_PKEY_CTX *e = EVP_PKEY_CTX_new_from_pkey(library(0), sides.key[0], nullptr);

    if (EVP_PKEY_encrypt_init(e) == 1 && EVP_PKEY_CTX_set_rsa_padding(e, RSA_PKCS1_OAEP_PADDING) == 1 &&
        EVP_PKEY_CTX_set_rsa_oaep_md_name(e, hash, nullptr) == 1 &&
        EVP_PKEY_encrypt(e, ct.data(), &len, Bytes(msg_len, 'm').data(), msg_len) == 1)
        ct.resize(len);
    EVP_PKEY_CTX_free(e);
    ct[at % ct.size()] ^= static_cast<uint8_t>(change);
    for (size_t i = 0; i < 3; i++) { // the default provider twice
        EVP_PKEY_CTX *d = EVP_PKEY_CTX_new_from_pkey(library(i % 2), sides.key[i % 2], nullptr);

        out[i].resize(size);
        len = size;
        ok[i] = EVP_PKEY_decrypt_init(d) == 1 && EVP_PKEY_CTX_set_rsa_padding(d, padding) == 1 &&
                (padding == RSA_NO_PADDING || EVP_PKEY_CTX_set_rsa_oaep_md_name(d, hash, nullptr) == 1) &&
                EVP_PKEY_decrypt(d, out[i].data(), &len, ct.data(), ct.size()) == 1;
        out[i].resize(ok[i] ? len : 0);
        EVP_PKEY_CTX_free(d);
    }
    // Where e and d don't belong together, blinding by e makes another result of each decryption, or none.
    if (ok[0] != ok[2] || out[0] != out[2])
        return;
    must(ok[0] == ok[1], "one decrypts, the other one doesn't");
    must(out[0] == out[1], "they decrypt to other messages");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input in = { data, data + size };
    Bytes der = keys[in.below(keys.size())];
    const size_t num_changes = in.below(4);
    Sides sides;

    for (size_t i = 0; i < num_changes; i++) {
        const size_t at = in.next() << 8;

        der[(at | in.next()) % der.size()] ^= static_cast<uint8_t>(in.next());
    }
    for (size_t i = 0; i < 2; i++) {
        const uint8_t *p = der.data();

        sides.key[i] = d2i_AutoPrivateKey_ex(nullptr, &p, static_cast<long>(der.size()), library(i), nullptr);
    }
    must(!sides.key[0] == !sides.key[1], "one takes the key, the other one doesn't");
    if (sides.key[0]) {
        must(same_numbers(sides), "the key's numbers differ");
        if (in.below(2) == 0 && EVP_PKEY_is_a(sides.key[0], "RSA"))
            decrypt(in, sides);
        else
            sign(in, sides);
    }
    ERR_clear_error();
    return 0;
}
