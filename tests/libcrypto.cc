// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "libcrypto.h"

#include <dlfcn.h>
#include <stdexcept>

// Errors are exceptions: GoogleTest turns them into failures of the test that asked.
static void *symbol(const char *name)
{
    static void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    void *address = library ? dlsym(library, name) : nullptr;

    if (!address)
        throw std::runtime_error(std::string("libcrypto.so.3, which the tests compare with, can't be used: ") + dlerror());
    return address;
}

using Init = int(void *, const void *, void *, const uint8_t *, const uint8_t *, int);
using Update = int(void *, uint8_t *, int *, const uint8_t *, int);

template <typename Function> static Function *function(const char *name)
{
    return reinterpret_cast<Function *>(symbol(name));
}

static void must(bool ok, const char *what)
{
    if (!ok)
        throw std::runtime_error(std::string("libcrypto: ") + what + " failed");
}

// A library context of its own: no configuration of OpenSSL gets in there, and so lanecrypt's provider doesn't.
static void *default_provider_only()
{
    static void *const lib_ctx = function<void *()>("OSSL_LIB_CTX_new")();
    static void *const provider = function<void *(void *, const char *)>("OSSL_PROVIDER_load")(lib_ctx, "default");

    must(provider, "loading the default provider");
    return lib_ctx;
}

// Else these tests would compare lanecrypt with itself.
static void must_be_default(const void *provider)
{
    static const auto name = function<const char *(const void *)>("OSSL_PROVIDER_get0_name");

    if (std::string(name(provider)) != "default")
        throw std::runtime_error(std::string("libcrypto, which the tests compare with, has provider ") + name(provider));
}

Libcrypto::Libcrypto(const std::string &algorithm, const Bytes &raw, bool encrypt) : direction(encrypt)
{
    static const auto fetch = function<void *(void *, const char *, const char *)>("EVP_CIPHER_fetch");
    static const auto provider = function<const void *(const void *)>("EVP_CIPHER_get0_provider");
    static const auto cipher_free = function<void(void *)>("EVP_CIPHER_free");
    static const auto ctx_new = function<void *()>("EVP_CIPHER_CTX_new");
    static const auto init = function<Init>("EVP_CipherInit_ex");
    static const auto set_padding = function<int(void *, int)>("EVP_CIPHER_CTX_set_padding");
    void *cipher = fetch(default_provider_only(), algorithm.c_str(), nullptr);

    must(cipher, "EVP_CIPHER_fetch");
    must_be_default(provider(cipher));
    ctx = ctx_new();
    must(ctx && init(ctx, cipher, nullptr, raw.data(), nullptr, direction), "EVP_CipherInit_ex");
    must(set_padding(ctx, 0), "EVP_CIPHER_CTX_set_padding");
    cipher_free(cipher); // the context keeps it
}

Libcrypto::~Libcrypto()
{
    static const auto ctx_free = function<void(void *)>("EVP_CIPHER_CTX_free");

    ctx_free(ctx);
}

Libcrypto Libcrypto::xts(const Bytes &raw, bool encrypt)
{
    return Libcrypto("AES-" + std::to_string(raw.size() * 4) + "-XTS", raw, encrypt);
}

Libcrypto Libcrypto::ecb(const Bytes &raw, bool encrypt)
{
    return Libcrypto("AES-" + std::to_string(raw.size() * 8) + "-ECB", raw, encrypt);
}

Libcrypto Libcrypto::ctr(const Bytes &raw)
{
    return Libcrypto("AES-" + std::to_string(raw.size() * 8) + "-CTR", raw, true);
}

Libcrypto Libcrypto::gcm(const Bytes &raw)
{
    return Libcrypto("AES-" + std::to_string(raw.size() * 8) + "-GCM", raw, true);
}

Libcrypto Libcrypto::chacha20(const Bytes &raw)
{
    must(raw.size() == 32, "choosing the key's length");
    return Libcrypto("ChaCha20", raw, true);
}

Libcrypto Libcrypto::chacha20_poly1305(const Bytes &raw)
{
    must(raw.size() == 32, "choosing the key's length");
    return Libcrypto("ChaCha20-Poly1305", raw, true);
}

Bytes Libcrypto::poly1305(const Bytes &raw, const Bytes &msg)
{
    static const auto fetch = function<void *(void *, const char *, const char *)>("EVP_MAC_fetch");
    static const auto provider = function<const void *(const void *)>("EVP_MAC_get0_provider");
    static void *const mac = fetch(default_provider_only(), "POLY1305", nullptr);
    static const auto ctx_new = function<void *(void *)>("EVP_MAC_CTX_new");
    static const auto init = function<int(void *, const uint8_t *, size_t, const void *)>("EVP_MAC_init");
    static const auto update = function<int(void *, const uint8_t *, size_t)>("EVP_MAC_update");
    static const auto finish = function<int(void *, uint8_t *, size_t *, size_t)>("EVP_MAC_final");
    static const auto ctx_free = function<void(void *)>("EVP_MAC_CTX_free");
    must(mac, "EVP_MAC_fetch");
    must_be_default(provider(mac));
    void *ctx = ctx_new(mac);
    Bytes tag(16);
    size_t len = 0;
    bool done = ctx && init(ctx, raw.data(), raw.size(), nullptr) && update(ctx, msg.data(), msg.size()) &&
                finish(ctx, tag.data(), &len, tag.size()) && len == tag.size();

    ctx_free(ctx);
    must(done, "POLY1305");
    return tag;
}

Bytes Libcrypto::digest(const std::string &algorithm, const Bytes &msg)
{
    static const auto fetch = function<void *(void *, const char *, const char *)>("EVP_MD_fetch");
    static const auto provider = function<const void *(const void *)>("EVP_MD_get0_provider");
    static const auto md_free = function<void(void *)>("EVP_MD_free");
    static const auto digest = function<int(const uint8_t *, size_t, uint8_t *, unsigned *, const void *, void *)>("EVP_Digest");
    void *md = fetch(default_provider_only(), algorithm.c_str(), nullptr);
    Bytes out(64);
    unsigned len = 0;

    must(md, "EVP_MD_fetch");
    must_be_default(provider(md));
    must(digest(msg.data(), msg.size(), out.data(), &len, md, nullptr), "EVP_Digest");
    md_free(md);
    out.resize(len);
    return out;
}

// Keys by the functions of OpenSSL 1, which do curves without any provider
namespace {
struct EcKey {
    void *key;

    EcKey(int nid, const Bytes &raw, bool is_private)
    {
        static const auto by_curve = function<void *(int)>("EC_KEY_new_by_curve_name");
        static const auto put_private = function<int(void *, const uint8_t *, size_t)>("EC_KEY_oct2priv");
        static const auto put_public = function<int(void *, const uint8_t *, size_t, void *)>("EC_KEY_oct2key");

        key = by_curve(nid);
        must(key, "EC_KEY_new_by_curve_name");
        must(is_private ? put_private(key, raw.data(), raw.size()) : put_public(key, raw.data(), raw.size(), nullptr), "a key");
    }
    ~EcKey() { function<void(void *)>("EC_KEY_free")(key); }
    EcKey(const EcKey &) = delete;
    EcKey &operator=(const EcKey &) = delete;
};
} // namespace

Bytes Libcrypto::ec_public(int nid, const Bytes &raw)
{
    static const auto group_of = function<const void *(const void *)>("EC_KEY_get0_group");
    static const auto point_new = function<void *(const void *)>("EC_POINT_new");
    static const auto point_free = function<void(void *)>("EC_POINT_free");
    static const auto multiply =
        function<int(const void *, void *, const void *, const void *, const void *, void *)>("EC_POINT_mul");
    static const auto private_of = function<const void *(const void *)>("EC_KEY_get0_private_key");
    static const auto to_bytes = function<size_t(const void *, const void *, int, uint8_t *, size_t, void *)>("EC_POINT_point2oct");
    const int uncompressed = 4;
    EcKey key(nid, raw, true);
    const void *group = group_of(key.key);
    void *point = point_new(group);
    Bytes out(2 * raw.size() + 1);

    must(multiply(group, point, private_of(key.key), nullptr, nullptr, nullptr), "EC_POINT_mul");
    must(to_bytes(group, point, uncompressed, out.data(), out.size(), nullptr) == out.size(), "EC_POINT_point2oct");
    point_free(point);
    return out;
}

Bytes Libcrypto::ec_shared(int nid, const Bytes &raw, const Bytes &peer)
{
    static const auto point_of = function<const void *(const void *)>("EC_KEY_get0_public_key");
    static const auto compute = function<int(void *, size_t, const void *, const void *, void *)>("ECDH_compute_key");
    EcKey key(nid, raw, true), other(nid, peer, false);
    Bytes out(raw.size());

    must(compute(out.data(), out.size(), point_of(other.key), key.key, nullptr) == static_cast<int>(raw.size()),
         "ECDH_compute_key");
    return out;
}

Bytes Libcrypto::ec_sign(int nid, const Bytes &raw, const Bytes &digest)
{
    static const auto sign = function<int(int, const uint8_t *, int, uint8_t *, unsigned *, void *)>("ECDSA_sign");
    EcKey key(nid, raw, true);
    Bytes out(112);
    unsigned len = 112;

    must(sign(0, digest.data(), static_cast<int>(digest.size()), out.data(), &len, key.key), "ECDSA_sign");
    out.resize(len);
    return out;
}

bool Libcrypto::ec_verify(int nid, const Bytes &public_key, const Bytes &digest, const Bytes &der)
{
    static const auto verify = function<int(int, const uint8_t *, int, const uint8_t *, int, void *)>("ECDSA_verify");
    EcKey key(nid, public_key, false);

    return verify(0, digest.data(), static_cast<int>(digest.size()), der.data(), static_cast<int>(der.size()), key.key) == 1;
}

// SM2 has functions of its own only as a provider's.
namespace {
struct Sm2Key {
    void *pkey, *ctx;

    Sm2Key(const Bytes &raw, bool is_private)
    {
        static const auto pkey_new = function<void *()>("EVP_PKEY_new");
        static const auto set = function<int(void *, void *)>("EVP_PKEY_set1_EC_KEY");
        static const auto ctx_new = function<void *(void *, void *, const char *)>("EVP_PKEY_CTX_new_from_pkey");
        const int nid = 1172; // NID_sm2
        EcKey key(nid, raw, is_private);

        pkey = pkey_new();
        must(pkey && set(pkey, key.key), "EVP_PKEY_set1_EC_KEY");
        ctx = ctx_new(default_provider_only(), pkey, nullptr);
        must(ctx, "EVP_PKEY_CTX_new_from_pkey");
    }
    ~Sm2Key()
    {
        function<void(void *)>("EVP_PKEY_CTX_free")(ctx);
        function<void(void *)>("EVP_PKEY_free")(pkey);
    }
    Sm2Key(const Sm2Key &) = delete;
    Sm2Key &operator=(const Sm2Key &) = delete;
};
} // namespace

Bytes Libcrypto::sm2_sign(const Bytes &raw, const Bytes &digest)
{
    static const auto init = function<int(void *)>("EVP_PKEY_sign_init");
    static const auto sign = function<int(void *, uint8_t *, size_t *, const uint8_t *, size_t)>("EVP_PKEY_sign");
    Sm2Key key(raw, true);
    Bytes out(112);
    size_t len = out.size();

    must(init(key.ctx) == 1 && sign(key.ctx, out.data(), &len, digest.data(), digest.size()) == 1, "EVP_PKEY_sign");
    out.resize(len);
    return out;
}

bool Libcrypto::sm2_verify(const Bytes &public_key, const Bytes &digest, const Bytes &der)
{
    static const auto init = function<int(void *)>("EVP_PKEY_verify_init");
    static const auto verify = function<int(void *, const uint8_t *, size_t, const uint8_t *, size_t)>("EVP_PKEY_verify");
    Sm2Key key(public_key, false);

    must(init(key.ctx) == 1, "EVP_PKEY_verify_init");
    return verify(key.ctx, der.data(), der.size(), digest.data(), digest.size()) == 1;
}

bool Libcrypto::sm2_verify_message(const Bytes &public_key, const Bytes &id, const Bytes &msg, const Bytes &der)
{
    static const auto md_ctx_new = function<void *()>("EVP_MD_CTX_new");
    static const auto md_ctx_free = function<void(void *)>("EVP_MD_CTX_free");
    static const auto set_ctx = function<void(void *, void *)>("EVP_MD_CTX_set_pkey_ctx");
    static const auto set_id = function<int(void *, const void *, int)>("EVP_PKEY_CTX_set1_id");
    static const auto init =
        function<int(void *, void **, const char *, void *, const char *, void *, const void *)>("EVP_DigestVerifyInit_ex");
    static const auto verify = function<int(void *, const uint8_t *, size_t, const uint8_t *, size_t)>("EVP_DigestVerify");
    Sm2Key key(public_key, false);
    void *md_ctx = md_ctx_new();

    must(md_ctx && set_id(key.ctx, id.data(), static_cast<int>(id.size())) == 1, "EVP_PKEY_CTX_set1_id");
    set_ctx(md_ctx, key.ctx);
    must(init(md_ctx, nullptr, "SM3", default_provider_only(), nullptr, key.pkey, nullptr) == 1, "EVP_DigestVerifyInit_ex");
    bool right = verify(md_ctx, der.data(), der.size(), msg.data(), msg.size()) == 1;

    md_ctx_free(md_ctx);
    return right;
}

Bytes Libcrypto::crypt(const uint8_t *src, size_t len, const uint8_t iv[16])
{
    static const auto init = function<Init>("EVP_CipherInit_ex");
    static const auto update = function<Update>("EVP_CipherUpdate");
    Bytes dst(len);
    int done = 0;

    must(init(ctx, nullptr, nullptr, nullptr, iv, direction), "EVP_CipherInit_ex with an iv");
    must(update(ctx, dst.data(), &done, src, static_cast<int>(len)) && static_cast<size_t>(done) == len, "EVP_CipherUpdate");
    return dst;
}

Bytes Libcrypto::seal(const Bytes &src, const Bytes &aad, const Bytes &nonce, Bytes *tag)
{
    static const auto init = function<Init>("EVP_CipherInit_ex");
    static const auto update = function<Update>("EVP_CipherUpdate");
    static const auto finish = function<int(void *, uint8_t *, int *)>("EVP_CipherFinal_ex");
    static const auto ctrl = function<int(void *, int, int, void *)>("EVP_CIPHER_CTX_ctrl");
    enum { SET_IVLEN = 9, GET_TAG = 16 }; // EVP_CTRL_AEAD_*
    Bytes dst(src.size() + 1);            // an empty one has no memory, and NULL means AAD
    int done = 0;

    must(ctrl(ctx, SET_IVLEN, static_cast<int>(nonce.size()), nullptr), "EVP_CTRL_AEAD_SET_IVLEN");
    must(init(ctx, nullptr, nullptr, nullptr, nonce.data(), direction), "EVP_CipherInit_ex with an iv");
    if (!aad.empty())
        must(update(ctx, nullptr, &done, aad.data(), static_cast<int>(aad.size())), "EVP_CipherUpdate with AAD");
    if (!src.empty())
        must(update(ctx, dst.data(), &done, src.data(), static_cast<int>(src.size())), "EVP_CipherUpdate");
    must(finish(ctx, dst.data() + src.size(), &done) && done == 0, "EVP_CipherFinal_ex");
    dst.resize(src.size());
    tag->resize(16);
    must(ctrl(ctx, GET_TAG, 16, tag->data()), "EVP_CTRL_AEAD_GET_TAG");
    return dst;
}

namespace {
struct RawKey {
    void *key;

    RawKey(const char *algorithm, const Bytes &raw, bool is_private)
    {
        using New = void *(void *, const char *, const char *, const uint8_t *, size_t);
        static const auto new_private = function<New>("EVP_PKEY_new_raw_private_key_ex");
        static const auto new_public = function<New>("EVP_PKEY_new_raw_public_key_ex");

        key = (is_private ? new_private : new_public)(default_provider_only(), algorithm, nullptr, raw.data(), raw.size());
        must(key, "EVP_PKEY_new_raw_*_key_ex");
    }
    ~RawKey() { function<void(void *)>("EVP_PKEY_free")(key); }
    RawKey(const RawKey &) = delete;
    RawKey &operator=(const RawKey &) = delete;
};

struct DigestContext {
    void *ctx = function<void *()>("EVP_MD_CTX_new")();

    DigestContext(const char *init, const RawKey &key)
    {
        using Init = int(void *, void *, const char *, void *, const char *, void *, const void *);

        must(function<Init>(init)(ctx, nullptr, nullptr, default_provider_only(), nullptr, key.key, nullptr), init);
    }
    ~DigestContext() { function<void(void *)>("EVP_MD_CTX_free")(ctx); }
    DigestContext(const DigestContext &) = delete;
    DigestContext &operator=(const DigestContext &) = delete;
};
} // namespace

Bytes Libcrypto::raw_public(const char *algorithm, const Bytes &raw)
{
    const RawKey key(algorithm, raw, true);
    Bytes out(32);
    size_t len = out.size();

    must(function<int(const void *, uint8_t *, size_t *)>("EVP_PKEY_get_raw_public_key")(key.key, out.data(), &len), "public key");
    return out;
}

Bytes Libcrypto::x25519_shared(const Bytes &raw, const Bytes &peer)
{
    const RawKey key("X25519", raw, true), other("X25519", peer, false);
    void *ctx =
        function<void *(void *, void *, const char *)>("EVP_PKEY_CTX_new_from_pkey")(default_provider_only(), key.key, nullptr);
    Bytes out(32);
    size_t len = out.size();

    must(function<int(void *)>("EVP_PKEY_derive_init")(ctx) == 1, "EVP_PKEY_derive_init");
    must(function<int(void *, void *)>("EVP_PKEY_derive_set_peer")(ctx, other.key) == 1, "EVP_PKEY_derive_set_peer");
    if (function<int(void *, uint8_t *, size_t *)>("EVP_PKEY_derive")(ctx, out.data(), &len) != 1)
        out.clear();
    function<void(void *)>("EVP_PKEY_CTX_free")(ctx);
    return out;
}

Bytes Libcrypto::ed25519_sign(const Bytes &raw, const Bytes &msg)
{
    static const auto sign = function<int(void *, uint8_t *, size_t *, const uint8_t *, size_t)>("EVP_DigestSign");
    const RawKey key("ED25519", raw, true);
    const DigestContext ctx("EVP_DigestSignInit_ex", key);
    Bytes out(64);
    size_t len = out.size();

    must(sign(ctx.ctx, out.data(), &len, msg.data(), msg.size()), "EVP_DigestSign");
    return out;
}

bool Libcrypto::ed25519_verify(const Bytes &public_key, const Bytes &msg, const Bytes &sig)
{
    static const auto verify = function<int(void *, const uint8_t *, size_t, const uint8_t *, size_t)>("EVP_DigestVerify");
    const RawKey key("ED25519", public_key, false);
    const DigestContext ctx("EVP_DigestVerifyInit_ex", key);

    return verify(ctx.ctx, sig.data(), sig.size(), msg.data(), msg.size()) == 1;
}

Libcrypto::RsaKey::RsaKey(const Bytes &der)
{
    static const auto decode = function<void *(void **, const uint8_t **, long, void *, const char *)>("d2i_AutoPrivateKey_ex");
    const uint8_t *p = der.data();

    pkey = decode(nullptr, &p, static_cast<long>(der.size()), default_provider_only(), nullptr);
    must(pkey, "d2i_AutoPrivateKey_ex");
}

Libcrypto::RsaKey::~RsaKey()
{
    function<void(void *)>("EVP_PKEY_free")(pkey);
}

void *Libcrypto::RsaKey::context(bool signing, size_t digest_len, int salt_len) const
{
    static const auto ctx_new = function<void *(void *, void *, const char *)>("EVP_PKEY_CTX_new_from_pkey");
    static const auto sign_init = function<int(void *)>("EVP_PKEY_sign_init");
    static const auto verify_init = function<int(void *)>("EVP_PKEY_verify_init");
    static const auto set_padding = function<int(void *, int)>("EVP_PKEY_CTX_set_rsa_padding");
    static const auto set_hash = function<int(void *, const void *)>("EVP_PKEY_CTX_set_signature_md");
    static const auto set_salt_len = function<int(void *, int)>("EVP_PKEY_CTX_set_rsa_pss_saltlen");
    const char *hash = digest_len == 32 ? "EVP_sha256" : digest_len == 48 ? "EVP_sha384" : "EVP_sha512";
    void *pkey_ctx = ctx_new(default_provider_only(), pkey, nullptr);

    must(pkey_ctx && (signing ? sign_init : verify_init)(pkey_ctx) == 1, "EVP_PKEY_sign_init or _verify_init");
    must(set_padding(pkey_ctx, salt_len < 0 ? 1 : 6) == 1, "EVP_PKEY_CTX_set_rsa_padding");
    must(set_hash(pkey_ctx, function<const void *()>(hash)()) == 1, "EVP_PKEY_CTX_set_signature_md");
    must(salt_len < 0 || set_salt_len(pkey_ctx, salt_len) == 1, "EVP_PKEY_CTX_set_rsa_pss_saltlen");
    return pkey_ctx;
}

void *Libcrypto::RsaKey::oaep_context(bool encrypting, size_t digest_len, const Bytes &label) const
{
    static const auto ctx_new = function<void *(void *, void *, const char *)>("EVP_PKEY_CTX_new_from_pkey");
    static const auto encrypt_init = function<int(void *)>("EVP_PKEY_encrypt_init");
    static const auto decrypt_init = function<int(void *)>("EVP_PKEY_decrypt_init");
    static const auto set_padding = function<int(void *, int)>("EVP_PKEY_CTX_set_rsa_padding");
    static const auto set_hash = function<int(void *, const void *)>("EVP_PKEY_CTX_set_rsa_oaep_md");
    static const auto set_label = function<int(void *, void *, int)>("EVP_PKEY_CTX_set0_rsa_oaep_label");
    static const auto copy = function<void *(const void *, size_t, const char *, int)>("CRYPTO_memdup");
    const char *hash = digest_len == 32 ? "EVP_sha256" : digest_len == 48 ? "EVP_sha384" : "EVP_sha512";
    void *pkey_ctx = ctx_new(default_provider_only(), pkey, nullptr);

    must(pkey_ctx && (encrypting ? encrypt_init : decrypt_init)(pkey_ctx) == 1, "EVP_PKEY_encrypt_init or _decrypt_init");
    must(set_padding(pkey_ctx, 4) == 1, "EVP_PKEY_CTX_set_rsa_padding");
    must(set_hash(pkey_ctx, function<const void *()>(hash)()) == 1, "EVP_PKEY_CTX_set_rsa_oaep_md");
    if (!label.empty())
        must(set_label(pkey_ctx, copy(label.data(), label.size(), "", 0), static_cast<int>(label.size())) == 1,
             "EVP_PKEY_CTX_set0_rsa_oaep_label");
    return pkey_ctx;
}

Bytes Libcrypto::RsaKey::encrypt(const Bytes &msg, size_t digest_len, const Bytes &label) const
{
    static const auto ctx_free = function<void(void *)>("EVP_PKEY_CTX_free");
    static const auto encrypt = function<int(void *, uint8_t *, size_t *, const uint8_t *, size_t)>("EVP_PKEY_encrypt");
    void *pkey_ctx = oaep_context(true, digest_len, label);
    Bytes out(512);
    size_t len = out.size();

    must(encrypt(pkey_ctx, out.data(), &len, msg.data(), msg.size()) == 1, "EVP_PKEY_encrypt");
    ctx_free(pkey_ctx);
    out.resize(len);
    return out;
}

bool Libcrypto::RsaKey::decrypt(Bytes *msg, const Bytes &ct, size_t digest_len, const Bytes &label) const
{
    static const auto ctx_free = function<void(void *)>("EVP_PKEY_CTX_free");
    static const auto decrypt = function<int(void *, uint8_t *, size_t *, const uint8_t *, size_t)>("EVP_PKEY_decrypt");
    void *pkey_ctx = oaep_context(false, digest_len, label);
    size_t len = 512;

    msg->resize(len);
    const bool right = decrypt(pkey_ctx, msg->data(), &len, ct.data(), ct.size()) == 1;
    ctx_free(pkey_ctx);
    msg->resize(right ? len : 0);
    return right;
}

Bytes Libcrypto::RsaKey::sign(const Bytes &digest, int salt_len) const
{
    static const auto ctx_free = function<void(void *)>("EVP_PKEY_CTX_free");
    static const auto sign = function<int(void *, uint8_t *, size_t *, const uint8_t *, size_t)>("EVP_PKEY_sign");
    void *pkey_ctx = context(true, digest.size(), salt_len);
    Bytes out(512);
    size_t len = out.size();

    must(sign(pkey_ctx, out.data(), &len, digest.data(), digest.size()) == 1, "EVP_PKEY_sign");
    ctx_free(pkey_ctx);
    out.resize(len);
    return out;
}

bool Libcrypto::RsaKey::verify(const Bytes &sig, const Bytes &digest, int salt_len) const
{
    static const auto ctx_free = function<void(void *)>("EVP_PKEY_CTX_free");
    static const auto verify = function<int(void *, const uint8_t *, size_t, const uint8_t *, size_t)>("EVP_PKEY_verify");
    void *pkey_ctx = context(false, digest.size(), salt_len);
    const bool right = verify(pkey_ctx, sig.data(), sig.size(), digest.data(), digest.size()) == 1;

    ctx_free(pkey_ctx);
    return right;
}
