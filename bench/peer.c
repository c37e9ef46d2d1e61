/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The peer, loaded at run time: a library that exports its functions as peer.h says, or a libcrypto.  Neither the headers of that
 * nor the library are needed to build.  The prototypes are those of EVP's manual pages; they are the same in OpenSSL 1.1, 3, 4 and
 * their forks.
 *
 * OpenSSL since 3.0 has providers, and its configuration may have made lanecrypt's the one that serves everything.  So the peer has
 * a library context of its own, which reads no configuration, with nothing but the default provider in it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { MAC_KEY_LEN = 32 }; /* Poly1305's */

static void *library; /* the one that is open */

/* ---- libcrypto ---- */

static struct {
    struct lanecrypt_peer peer;
    char name[32], version[64];
    void *(*ctx_new)(void);
    void (*ctx_free)(void *ctx);
    const void *(*cipher_by_name)(const char *name);
    int (*init)(void *ctx, const void *cipher, void *engine, const unsigned char *key, const unsigned char *iv, int encrypt);
    int (*update)(void *ctx, unsigned char *out, int *out_len, const unsigned char *in, int in_len);
    int (*final)(void *ctx, unsigned char *out, int *out_len);
    int (*ctrl)(void *ctx, int what, int arg, void *p);
    /* Providers, which OpenSSL 1.1 and its forks don't have: all of these or none */
    void *(*lib_ctx_new)(void);
    void (*lib_ctx_free)(void *lib_ctx);
    void *(*provider_load)(void *lib_ctx, const char *name);
    int (*provider_unload)(void *provider);
    const char *(*provider_name)(const void *provider);
    void *(*cipher_fetch)(void *lib_ctx, const char *name, const char *properties);
    void (*cipher_free)(void *cipher);
    const void *(*cipher_provider)(const void *cipher);
    const void *(*mac_provider)(const void *mac);
    void *lib_ctx, *provider; /* NULL: there are none */
    /* MACs, which OpenSSL 1.1 and some forks don't have in this form: all of these or none */
    void *(*mac_fetch)(void *lib_ctx, const char *name, const char *properties);
    void (*mac_free)(void *mac);
    void *(*mac_ctx_new)(void *mac);
    void (*mac_ctx_free)(void *ctx);
    int (*mac_init)(void *ctx, const unsigned char *key, size_t key_len, const void *params);
    int (*mac_update)(void *ctx, const unsigned char *in, size_t in_len);
    int (*mac_final)(void *ctx, unsigned char *out, size_t *out_len, size_t out_size);
    bool macs;
    /* Digests: all of these or none; names by the first two where there are providers, else by the third */
    void *(*digest_fetch)(void *lib_ctx, const char *name, const char *properties);
    const void *(*digest_provider)(const void *digest);
    const void *(*digest_by_name)(const char *name);
    void (*digest_free)(void *digest);
    void *(*digest_ctx_new)(void);
    void (*digest_ctx_free)(void *ctx);
    int (*digest_init)(void *ctx, const void *digest, void *engine);
    int (*digest_update)(void *ctx, const void *in, size_t in_len);
    int (*digest_final)(void *ctx, unsigned char *out, unsigned *out_len);
    bool digests;
} evp;

struct evp_key {
    void *ctx, *mac_ctx, *digest_ctx; /* one of them */
    void *fetched;                    /* a digest of a provider, to be freed */
    const void *digest;
    const char *provider;
    int encrypt;
    uint8_t mac_key[MAC_KEY_LEN];
};

/* dlsym() returns functions as void *, which C has no conversion for: copy the pointer's bits. */
static bool get(const char *name, void *function)
{
    void *symbol = dlsym(library, name);

    memcpy(function, &symbol, sizeof(symbol));
    return symbol != NULL;
}

/* False: there are providers, but no default one. */
static bool load_default_provider(void)
{
    if (!get("OSSL_LIB_CTX_new", &evp.lib_ctx_new) || !get("OSSL_LIB_CTX_free", &evp.lib_ctx_free) ||
        !get("OSSL_PROVIDER_load", &evp.provider_load) || !get("OSSL_PROVIDER_unload", &evp.provider_unload) ||
        !get("OSSL_PROVIDER_get0_name", &evp.provider_name) || !get("EVP_CIPHER_fetch", &evp.cipher_fetch) ||
        !get("EVP_CIPHER_free", &evp.cipher_free) || !get("EVP_CIPHER_get0_provider", &evp.cipher_provider) ||
        !get("EVP_MAC_get0_provider", &evp.mac_provider))
        return true;
    evp.lib_ctx = evp.lib_ctx_new();
    evp.provider = evp.lib_ctx ? evp.provider_load(evp.lib_ctx, "default") : NULL;
    return evp.provider != NULL;
}

/* The MAC is looked up once; its context keeps it alive. */
static bool new_mac(struct evp_key *key, const char *name, const uint8_t *raw)
{
    void *mac = evp.macs ? evp.mac_fetch(evp.lib_ctx, name, NULL) : NULL;

    if (!mac)
        return false;
    if (evp.provider)
        key->provider = evp.provider_name(evp.mac_provider(mac));
    key->mac_ctx = evp.mac_ctx_new(mac);
    evp.mac_free(mac);
    memcpy(key->mac_key, raw, MAC_KEY_LEN);
    return key->mac_ctx && evp.mac_init(key->mac_ctx, raw, MAC_KEY_LEN, NULL) == 1;
}

static bool new_cipher(struct evp_key *key, const void *cipher, const uint8_t *raw)
{
    key->ctx = evp.ctx_new();
    return key->ctx && evp.init(key->ctx, cipher, NULL, raw, NULL, key->encrypt) == 1;
}

/* The same where there are providers; the context keeps the cipher alive. */
static bool fetch_cipher(struct evp_key *key, void *cipher, const uint8_t *raw)
{
    bool ok = new_cipher(key, cipher, raw);

    key->provider = evp.provider_name(evp.cipher_provider(cipher));
    evp.cipher_free(cipher);
    return ok;
}

/* A digest's context is begun with it for each message. */
static bool new_digest(struct evp_key *key, const char *name)
{
    if (!evp.digests)
        return false;
    if (evp.provider && (key->fetched = evp.digest_fetch(evp.lib_ctx, name, NULL)))
        key->provider = evp.provider_name(evp.digest_provider(key->fetched));
    key->digest = evp.provider ? key->fetched : evp.digest_by_name(name);
    return key->digest && (key->digest_ctx = evp.digest_ctx_new());
}

static void evp_key_free(void *p)
{
    struct evp_key *key = p;

    if (key->ctx)
        evp.ctx_free(key->ctx);
    if (key->mac_ctx)
        evp.mac_ctx_free(key->mac_ctx);
    if (key->digest_ctx)
        evp.digest_ctx_free(key->digest_ctx);
    if (key->fetched)
        evp.digest_free(key->fetched);
    free(key);
}

static lanecrypt_call evp_crypt, evp_aead, evp_mac, evp_digest;

static lanecrypt_call *evp_key_new(const char *name, const uint8_t *raw, int encrypt, void **new_key)
{
    struct evp_key *key = calloc(1, sizeof(*key));
    const void *cipher;
    void *fetched;
    bool ok;

    if (!key)
        return NULL;
    key->encrypt = encrypt;
    if (strncmp(name, "sha", 3) == 0 || strcmp(name, "sm3") == 0)
        ok = new_digest(key, name);
    else if (evp.provider)
        ok = (fetched = evp.cipher_fetch(evp.lib_ctx, name, NULL)) ? fetch_cipher(key, fetched, raw) : new_mac(key, name, raw);
    else
        ok = (cipher = evp.cipher_by_name(name)) ? new_cipher(key, cipher, raw) : new_mac(key, name, raw);
    if (ok) {
        *new_key = key;
        return key->digest_ctx ? evp_digest
               : key->mac_ctx  ? evp_mac
               : strstr(name, "-gcm") || strstr(name, "-poly1305")
                   ? evp_aead
                   : evp_crypt;
    }
    evp_key_free(key);
    return NULL;
}

static int evp_crypt(const struct lanecrypt_message *m, uint64_t number)
{
    const struct evp_key *key = m->key;
    int out_len = 0;

    return evp.init(key->ctx, NULL, NULL, NULL, lanecrypt_iv(m, number), key->encrypt) == 1 &&
           (m->len == 0 || evp.update(key->ctx, m->dst, &out_len, m->src, (int)m->len) == 1) && (size_t)out_len == m->len;
}

static int evp_aead(const struct lanecrypt_message *m, uint64_t number)
{
    enum { GET_TAG = 0x10, SET_TAG = 0x11 }; /* EVP_CTRL_AEAD_... */
    const struct evp_key *key = m->key;
    uint8_t *tag = lanecrypt_tag(m, number);
    int out_len = 0, more;

    return evp.init(key->ctx, NULL, NULL, NULL, lanecrypt_nonce(m, number), key->encrypt) == 1 &&
           (key->encrypt || evp.ctrl(key->ctx, SET_TAG, 16, tag) == 1) &&
           evp.update(key->ctx, NULL, &more, m->aad, (int)m->aad_len) == 1 &&
           (m->len == 0 || evp.update(key->ctx, m->dst, &out_len, m->src, (int)m->len) == 1) && (size_t)out_len == m->len &&
           evp.final(key->ctx, m->dst + m->len, &more) == 1 && more == 0 &&
           (!key->encrypt || evp.ctrl(key->ctx, GET_TAG, 16, tag) == 1);
}

static int evp_mac(const struct lanecrypt_message *m, uint64_t number)
{
    const struct evp_key *key = m->key;
    size_t tag_len;

    return evp.mac_init(key->mac_ctx, key->mac_key, MAC_KEY_LEN, NULL) == 1 &&
           (m->len == 0 || evp.mac_update(key->mac_ctx, m->src, m->len) == 1) &&
           evp.mac_final(key->mac_ctx, lanecrypt_tag(m, number), &tag_len, 16) == 1 && tag_len == 16;
}

static int evp_digest(const struct lanecrypt_message *m, uint64_t number)
{
    const struct evp_key *key = m->key;

    (void)number;
    return evp.digest_init(key->digest_ctx, key->digest, NULL) == 1 &&
           (m->len == 0 || evp.digest_update(key->digest_ctx, m->src, m->len) == 1) &&
           evp.digest_final(key->digest_ctx, m->tags[0], NULL) == 1;
}

static const struct lanecrypt_peer *open_libcrypto(const char *path, char *err, size_t err_len)
{
    const char *(*version)(int);

    if (!get("EVP_CIPHER_CTX_new", &evp.ctx_new) || !get("EVP_CIPHER_CTX_free", &evp.ctx_free) ||
        !get("EVP_get_cipherbyname", &evp.cipher_by_name) || !get("EVP_CipherInit_ex", &evp.init) ||
        !get("EVP_CipherUpdate", &evp.update) || !get("EVP_CipherFinal_ex", &evp.final) || !get("EVP_CIPHER_CTX_ctrl", &evp.ctrl) ||
        !get("OpenSSL_version", &version)) {
        snprintf(err, err_len, "%s has neither EVP's functions nor lanecrypt_peer", path);
        return NULL;
    }
    if (!load_default_provider()) {
        snprintf(err, err_len, "%s has no default provider", path);
        return NULL;
    }
    /* "OpenSSL 3.0.19 27 Jan 2026" */
    if (sscanf(version(0), "%31s %63s", evp.name, evp.version) != 2)
        snprintf(evp.name, sizeof(evp.name), "libcrypto");
    evp.macs = get("EVP_MAC_fetch", &evp.mac_fetch) && get("EVP_MAC_free", &evp.mac_free) &&
               get("EVP_MAC_CTX_new", &evp.mac_ctx_new) && get("EVP_MAC_CTX_free", &evp.mac_ctx_free) &&
               get("EVP_MAC_init", &evp.mac_init) && get("EVP_MAC_update", &evp.mac_update) && get("EVP_MAC_final", &evp.mac_final);
    evp.digests =
        get("EVP_MD_CTX_new", &evp.digest_ctx_new) && get("EVP_MD_CTX_free", &evp.digest_ctx_free) &&
        get("EVP_DigestInit_ex", &evp.digest_init) && get("EVP_DigestUpdate", &evp.digest_update) &&
        get("EVP_DigestFinal_ex", &evp.digest_final) &&
        (evp.provider ? get("EVP_MD_fetch", &evp.digest_fetch) && get("EVP_MD_free", &evp.digest_free) &&
                            get("EVP_MD_get0_provider", &evp.digest_provider)
                      : get("EVP_get_digestbyname", &evp.digest_by_name));
    evp.peer = (struct lanecrypt_peer){
        .abi = LANECRYPT_PEER_ABI, .name = evp.name, .version = evp.version, .key_new = evp_key_new, .key_free = evp_key_free
    };
    return &evp.peer;
}

const char *bench_peer_provider(void)
{
    return evp.provider ? evp.provider_name(evp.provider) : NULL;
}

const char *bench_peer_key_provider(const struct lanecrypt_peer *peer, const void *key)
{
    return peer == &evp.peer ? ((const struct evp_key *)key)->provider : NULL;
}

/* ---- Any library ---- */

const struct lanecrypt_peer *bench_peer_open(const char *path, char *err, size_t err_len)
{
    const struct lanecrypt_peer *peer;

    path = path ? path : "libcrypto.so.3";
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(err, err_len, "%s", dlerror());
        return NULL;
    }
    peer = dlsym(library, "lanecrypt_peer");
    if (!peer) {
        peer = open_libcrypto(path, err, err_len);
    } else if (peer->abi != LANECRYPT_PEER_ABI) {
        snprintf(err, err_len, "%s: its lanecrypt_peer is of version %u, not %d: compile it with this bench/peer.h", path,
                 peer->abi, LANECRYPT_PEER_ABI);
        peer = NULL;
    }
    if (!peer)
        bench_peer_close();
    return peer;
}

void bench_peer_close(void)
{
    if (evp.provider)
        evp.provider_unload(evp.provider);
    if (evp.lib_ctx)
        evp.lib_ctx_free(evp.lib_ctx);
    if (library)
        dlclose(library);
    evp.provider = evp.lib_ctx = library = NULL;
}
