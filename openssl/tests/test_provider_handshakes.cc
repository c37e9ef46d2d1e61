// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// TLS with the module's public keys: what a client offers is what it offers without the module; and handshakes, each side with and
// without it.
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "public_support.h"

struct SslFree {
    void operator()(SSL_CTX *p) const { SSL_CTX_free(p); }
    void operator()(SSL *p) const { SSL_free(p); }
    void operator()(X509 *p) const { X509_free(p); }
};
using SslCtx = std::unique_ptr<SSL_CTX, SslFree>;
using Ssl = std::unique_ptr<SSL, SslFree>;

struct Hello {
    Bytes groups, algorithms, ciphers;
};

static int see_hello(SSL *ssl, int *, void *arg)
{
    Hello *hello = static_cast<Hello *>(arg);
    const unsigned char *p;
    size_t len;

    if (SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_supported_groups, &p, &len))
        hello->groups.assign(p, p + len);
    if (SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_signature_algorithms, &p, &len))
        hello->algorithms.assign(p, p + len);
    len = SSL_client_hello_get0_ciphers(ssl, &p);
    hello->ciphers.assign(p, p + len);
    return SSL_CLIENT_HELLO_SUCCESS;
}

static X509 *certificate(OSSL_LIB_CTX *lib, const Key &key, const char *hash)
{
    X509 *cert = X509_new_ex(lib, nullptr);
    X509_NAME *name = X509_NAME_new();
    EVP_MD *md = hash ? EVP_MD_fetch(lib, hash, nullptr) : nullptr;

    X509_set_version(cert, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(cert), 1);
    X509_gmtime_adj(X509_getm_notBefore(cert), -3600);
    X509_gmtime_adj(X509_getm_notAfter(cert), 3600);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const uint8_t *>("test"), -1, -1, 0);
    X509_set_subject_name(cert, name);
    X509_set_issuer_name(cert, name);
    X509_NAME_free(name);
    X509_set_pubkey(cert, key.get());
    if (!X509_sign(cert, key.get(), md))
        throw std::runtime_error("a certificate: " + errors());
    EVP_MD_free(md);
    return cert;
}

static bool drive(SSL *client, SSL *server)
{
    for (int i = 0; i < 20; i++) {
        int c = SSL_do_handshake(client), s = SSL_do_handshake(server);

        if (c == 1 && s == 1)
            return true;
        if ((c != 1 && SSL_get_error(client, c) != SSL_ERROR_WANT_READ) ||
            (s != 1 && SSL_get_error(server, s) != SSL_ERROR_WANT_READ))
            return false;
    }
    return false;
}

static void connect(SSL *client, SSL *server)
{
    BIO *a, *b;

    ASSERT_EQ(BIO_new_bio_pair(&a, 1 << 16, &b, 1 << 16), 1);
    SSL_set_bio(client, a, a);
    SSL_set_bio(server, b, b);
    SSL_set_connect_state(client);
    SSL_set_accept_state(server);
}

// `groups` may be empty: the default ones.  hello: what the client has sent.
static bool handshake(OSSL_LIB_CTX *client_lib, OSSL_LIB_CTX *server_lib, const KeyKind &kind, int version, const char *groups,
                      bool with_client_certificate, Hello *hello = nullptr, const char *cipher_list = nullptr)
{
    SslCtx c(SSL_CTX_new_ex(client_lib, nullptr, TLS_client_method())), s(SSL_CTX_new_ex(server_lib, nullptr, TLS_server_method()));
    Key key = in_context(key_of(kind), server_lib), client_key = in_context(key_of(kind), client_lib);
    std::unique_ptr<X509, SslFree> cert(certificate(server_lib, key, kind.hash)),
        client_cert(certificate(client_lib, client_key, kind.hash));
    uint8_t text[5] = { 1, 2, 3, 4, 5 };

    for (SSL_CTX *ctx : { c.get(), s.get() }) {
        SSL_CTX_set_security_level(ctx, 0);
        if (version && (!SSL_CTX_set_min_proto_version(ctx, version) || !SSL_CTX_set_max_proto_version(ctx, version)))
            return false;
        if (*groups && !SSL_CTX_set1_groups_list(ctx, groups))
            return false;
        if (cipher_list && !SSL_CTX_set_cipher_list(ctx, cipher_list))
            return false;
        SSL_CTX_set_verify(ctx, with_client_certificate ? SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT : SSL_VERIFY_PEER,
                           nullptr);
    }
    if (!with_client_certificate)
        SSL_CTX_set_verify(s.get(), SSL_VERIFY_NONE, nullptr);
    if (!SSL_CTX_use_certificate(s.get(), cert.get()) || !SSL_CTX_use_PrivateKey(s.get(), key.get()) ||
        !X509_STORE_add_cert(SSL_CTX_get_cert_store(c.get()), cert.get()) ||
        !X509_STORE_add_cert(SSL_CTX_get_cert_store(s.get()), client_cert.get()))
        return false;
    if (with_client_certificate &&
        (!SSL_CTX_use_certificate(c.get(), client_cert.get()) || !SSL_CTX_use_PrivateKey(c.get(), client_key.get())))
        return false;
    if (hello)
        SSL_CTX_set_client_hello_cb(s.get(), see_hello, hello);

    Ssl client(SSL_new(c.get())), server(SSL_new(s.get()));

    connect(client.get(), server.get());
    return drive(client.get(), server.get()) && SSL_write(client.get(), text, 5) == 5 && SSL_read(server.get(), text, 5) == 5;
}

// Those of the groups that this version has, with colons between them
static std::string known_groups(const std::vector<const char *> &groups)
{
    SslCtx ctx(SSL_CTX_new_ex(stock(), nullptr, TLS_method()));
    std::string known;

    for (const char *group : groups)
        if (SSL_CTX_set1_groups_list(ctx.get(), group))
            known += (known.empty() ? "" : ":") + std::string(group);
    return known;
}

// Nothing that libssl offers vanishes or changes places because of the module.
TEST(Handshake, Offers)
{
    const std::string all =
        known_groups({ "X25519MLKEM768", "curveSM2", "X25519", "P-256", "X448", "P-521", "P-384", "ffdhe2048", "ffdhe3072",
                       "brainpoolP256r1", "brainpoolP384r1", "secp256k1", "SecP256r1MLKEM768", "MLKEM1024" });

    EXPECT_GT(all.size(), 60u);
    for (const char *groups : { "", all.c_str(), "P-384:P-256:X25519", "X25519" })
        for (int version : { 0, TLS1_2_VERSION, TLS1_3_VERSION }) {
            Hello expected, hello;
            // the key exchange is by what both have: the server's side has the same groups
            handshake(stock(), stock(), key_kinds[3], version, groups, false, &expected);
            handshake(public_keys(), stock(), key_kinds[3], version, groups, false, &hello);
            EXPECT_GT(expected.groups.size(), 2u);
            EXPECT_GT(expected.algorithms.size(), 10u);
            EXPECT_TRUE(same(expected.groups, hello.groups)) << groups;
            EXPECT_TRUE(same(expected.algorithms, hello.algorithms));
            EXPECT_TRUE(same(expected.ciphers, hello.ciphers));
        }
    ERR_clear_error();
}

#ifdef SSL_CTX_get0_implemented_groups // 3.5
static std::string implemented_groups(OSSL_LIB_CTX *lib)
{
    SslCtx ctx(SSL_CTX_new_ex(lib, nullptr, TLS_method()));
    STACK_OF(OPENSSL_CSTRING) *groups = sk_OPENSSL_CSTRING_new_null();
    std::string names;

    SSL_CTX_get0_implemented_groups(ctx.get(), 1, groups);
    for (int i = 0; i < sk_OPENSSL_CSTRING_num(groups); i++)
        names += std::string(sk_OPENSSL_CSTRING_value(groups, i)) + ":";
    sk_OPENSSL_CSTRING_free(groups);
    return names;
}

TEST(Handshake, ImplementedGroups)
{
    EXPECT_NE(implemented_groups(stock()), "");
    EXPECT_EQ(implemented_groups(stock()), implemented_groups(public_keys()));
}
#endif

TEST(Handshake, EachGroup)
{
    for (const char *group : { "X25519", "X448", "P-256", "P-384", "P-521", "ffdhe2048" })
        for (int version : { TLS1_2_VERSION, TLS1_3_VERSION }) {
            if (version == TLS1_2_VERSION && std::string(group) == "ffdhe2048")
                continue; // that has its own way there
            EXPECT_TRUE(handshake(stock(), stock(), key_kinds[0], version, group, false)) << group << errors();
            EXPECT_TRUE(handshake(public_keys(), stock(), key_kinds[0], version, group, false)) << group << errors();
            EXPECT_TRUE(handshake(stock(), public_keys(), key_kinds[0], version, group, false)) << group << errors();
            EXPECT_TRUE(handshake(public_keys(), public_keys(), key_kinds[0], version, group, false)) << group << errors();
        }
}

TEST(Handshake, EachKey)
{
    for (const KeyKind &kind : key_kinds)
        for (int version : { TLS1_2_VERSION, TLS1_3_VERSION }) {
            if (!kind.can_sign() || kind.detail[0] == 'b') // TLS 1.3 has no such curve
                continue;
            const bool can = kind.algorithm != "SM2" || handshake(stock(), stock(), kind, version, "", false); // 4.0, TLS 1.3

            EXPECT_EQ(handshake(stock(), public_keys(), kind, version, "", false), can) << kind.name() << errors();
            EXPECT_EQ(handshake(public_keys(), stock(), kind, version, "", true), can) << kind.name() << errors();
            ERR_clear_error();
        }
}

// The key exchange of TLS 1.2 and before by which clients encrypt the secret with the server's RSA key
static const char rsa_exchange[] = "AES128-GCM-SHA256:AES128-SHA";

TEST(Handshake, RsaExchange)
{
    for (const KeyKind &kind : { key_kinds[0], key_kinds[1], key_kinds[2] })
        for (int version : { TLS1_1_VERSION, TLS1_2_VERSION }) {
            EXPECT_TRUE(handshake(stock(), public_keys(), kind, version, "", false, nullptr, rsa_exchange)) << errors();
            EXPECT_TRUE(handshake(public_keys(), stock(), kind, version, "", true, nullptr, rsa_exchange)) << errors();
        }
}

// Servers with many connections, as HAProxy does it: handshakes pause, and go on together.
TEST(Handshake, Asynchronous)
{
    for (size_t number : { 0, 3, 7, 100 }) {
        const bool by_rsa = number == 100;
        const KeyKind &kind = key_kinds[by_rsa ? 0 : number];
        SslCtx c(SSL_CTX_new_ex(stock(), nullptr, TLS_client_method())),
            s(SSL_CTX_new_ex(public_keys(), nullptr, TLS_server_method()));
        Key key = in_context(key_of(kind), public_keys());
        std::unique_ptr<X509, SslFree> cert(certificate(public_keys(), key, kind.hash));
        std::vector<Ssl> clients, servers;
        size_t pauses = 0, done = 0;
        enum { NUM = 19 };

        ASSERT_TRUE(SSL_CTX_use_certificate(s.get(), cert.get()) && SSL_CTX_use_PrivateKey(s.get(), key.get()));
        ASSERT_TRUE(!by_rsa || (SSL_CTX_set_max_proto_version(c.get(), TLS1_2_VERSION) &&
                                SSL_CTX_set_cipher_list(c.get(), rsa_exchange) && SSL_CTX_set_cipher_list(s.get(), rsa_exchange)));
        SSL_CTX_set_mode(s.get(), SSL_MODE_ASYNC);
        for (size_t i = 0; i < NUM; i++) {
            clients.emplace_back(SSL_new(c.get()));
            servers.emplace_back(SSL_new(s.get()));
            connect(clients[i].get(), servers[i].get());
        }
        for (int turn = 0; turn < 60 && done < NUM; turn++) {
            done = 0;
            for (size_t i = 0; i < NUM; i++) {
                int ok = SSL_do_handshake(clients[i].get()), s_ok = SSL_do_handshake(servers[i].get());
                int why = SSL_get_error(servers[i].get(), s_ok);

                pauses += s_ok != 1 && why == SSL_ERROR_WANT_ASYNC;
                ASSERT_TRUE(s_ok == 1 || why == SSL_ERROR_WANT_ASYNC || why == SSL_ERROR_WANT_READ) << errors();
                done += ok == 1 && s_ok == 1;
            }
        }
        EXPECT_EQ(done, static_cast<size_t>(NUM));
        EXPECT_GT(pauses, 10u);
    }
}
