/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A libcrypto as the peer, loaded at run time: neither its headers nor the library are needed to build.  The prototypes
 * are those of EVP's manual pages; they are the same in OpenSSL 1.1, 3, 4 and their forks.
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

struct bench_peer {
    void *lib;
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
};

struct bench_peer_key {
    const struct bench_peer *peer;
    void *ctx, *mac_ctx; /* one of them */
    const char *provider;
    int encrypt;
    uint8_t mac_key[MAC_KEY_LEN];
};

/* dlsym() returns functions as void *, which C has no conversion for: copy the pointer's bits. */
static bool get(void *lib, const char *name, void *function)
{
    void *symbol = dlsym(lib, name);

    memcpy(function, &symbol, sizeof(symbol));
    return symbol != NULL;
}

/* False: there are providers, but no default one. */
static bool load_default_provider(struct bench_peer *peer)
{
    void *lib = peer->lib;

    if (!get(lib, "OSSL_LIB_CTX_new", &peer->lib_ctx_new) || !get(lib, "OSSL_LIB_CTX_free", &peer->lib_ctx_free) ||
        !get(lib, "OSSL_PROVIDER_load", &peer->provider_load) || !get(lib, "OSSL_PROVIDER_unload", &peer->provider_unload) ||
        !get(lib, "OSSL_PROVIDER_get0_name", &peer->provider_name) || !get(lib, "EVP_CIPHER_fetch", &peer->cipher_fetch) ||
        !get(lib, "EVP_CIPHER_free", &peer->cipher_free) || !get(lib, "EVP_CIPHER_get0_provider", &peer->cipher_provider) ||
        !get(lib, "EVP_MAC_get0_provider", &peer->mac_provider))
        return true;
    peer->lib_ctx = peer->lib_ctx_new();
    peer->provider = peer->lib_ctx ? peer->provider_load(peer->lib_ctx, "default") : NULL;
    return peer->provider != NULL;
}

struct bench_peer *bench_peer_open(const char *path, char *err, size_t err_len)
{
    struct bench_peer *peer = calloc(1, sizeof(*peer));
    const char *(*version)(int);
    const char *text;

    if (!peer) {
        snprintf(err, err_len, "out of memory");
        return NULL;
    }
    peer->lib = dlopen(path ? path : "libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!peer->lib) {
        snprintf(err, err_len, "%s", dlerror());
    } else if (!get(peer->lib, "EVP_CIPHER_CTX_new", &peer->ctx_new) || !get(peer->lib, "EVP_CIPHER_CTX_free", &peer->ctx_free) ||
               !get(peer->lib, "EVP_get_cipherbyname", &peer->cipher_by_name) ||
               !get(peer->lib, "EVP_CipherInit_ex", &peer->init) || !get(peer->lib, "EVP_CipherUpdate", &peer->update) ||
               !get(peer->lib, "EVP_CipherFinal_ex", &peer->final) || !get(peer->lib, "EVP_CIPHER_CTX_ctrl", &peer->ctrl) ||
               !get(peer->lib, "OpenSSL_version", &version)) {
        snprintf(err, err_len, "%s lacks EVP functions", path ? path : "libcrypto.so.3");
    } else if (!load_default_provider(peer)) {
        snprintf(err, err_len, "%s has no default provider", path ? path : "libcrypto.so.3");
    } else {
        /* "OpenSSL 3.0.19 27 Jan 2026" */
        text = version(0);
        if (sscanf(text, "%31s %63s", peer->name, peer->version) != 2)
            snprintf(peer->name, sizeof(peer->name), "libcrypto");
        peer->macs = get(peer->lib, "EVP_MAC_fetch", &peer->mac_fetch) && get(peer->lib, "EVP_MAC_free", &peer->mac_free) &&
                     get(peer->lib, "EVP_MAC_CTX_new", &peer->mac_ctx_new) &&
                     get(peer->lib, "EVP_MAC_CTX_free", &peer->mac_ctx_free) && get(peer->lib, "EVP_MAC_init", &peer->mac_init) &&
                     get(peer->lib, "EVP_MAC_update", &peer->mac_update) && get(peer->lib, "EVP_MAC_final", &peer->mac_final);
        return peer;
    }
    bench_peer_close(peer);
    return NULL;
}

void bench_peer_close(struct bench_peer *peer)
{
    if (peer && peer->provider)
        peer->provider_unload(peer->provider);
    if (peer && peer->lib_ctx)
        peer->lib_ctx_free(peer->lib_ctx);
    if (peer && peer->lib)
        dlclose(peer->lib);
    free(peer);
}

const char *bench_peer_name(const struct bench_peer *peer)
{
    return peer->name;
}

const char *bench_peer_version(const struct bench_peer *peer)
{
    return peer->version;
}

const char *bench_peer_provider(const struct bench_peer *peer)
{
    return peer->provider ? peer->provider_name(peer->provider) : NULL;
}

/* The MAC is looked up once; its context keeps it alive. */
static bool new_mac(struct bench_peer_key *key, const char *name, const uint8_t *raw)
{
    const struct bench_peer *peer = key->peer;
    void *mac = peer->macs ? peer->mac_fetch(peer->lib_ctx, name, NULL) : NULL;

    if (!mac)
        return false;
    if (peer->provider)
        key->provider = peer->provider_name(peer->mac_provider(mac));
    key->mac_ctx = peer->mac_ctx_new(mac);
    peer->mac_free(mac);
    memcpy(key->mac_key, raw, MAC_KEY_LEN);
    return key->mac_ctx && peer->mac_init(key->mac_ctx, raw, MAC_KEY_LEN, NULL) == 1;
}

static bool new_cipher(struct bench_peer_key *key, const void *cipher, const uint8_t *raw)
{
    key->ctx = key->peer->ctx_new();
    return key->ctx && key->peer->init(key->ctx, cipher, NULL, raw, NULL, key->encrypt) == 1;
}

/* The same where there are providers; the context keeps the cipher alive. */
static bool fetch_cipher(struct bench_peer_key *key, void *cipher, const uint8_t *raw)
{
    bool ok = new_cipher(key, cipher, raw);

    key->provider = key->peer->provider_name(key->peer->cipher_provider(cipher));
    key->peer->cipher_free(cipher);
    return ok;
}

struct bench_peer_key *bench_peer_key_new(const struct bench_peer *peer, const char *name, const uint8_t *raw, bool encrypt)
{
    struct bench_peer_key *key = calloc(1, sizeof(*key));
    const void *cipher;
    void *fetched;
    bool ok;

    if (!key)
        return NULL;
    key->peer = peer;
    key->encrypt = encrypt;
    if (peer->provider)
        ok = (fetched = peer->cipher_fetch(peer->lib_ctx, name, NULL)) ? fetch_cipher(key, fetched, raw) : new_mac(key, name, raw);
    else
        ok = (cipher = peer->cipher_by_name(name)) ? new_cipher(key, cipher, raw) : new_mac(key, name, raw);
    if (ok)
        return key;
    bench_peer_key_free(key);
    return NULL;
}

const char *bench_peer_key_provider(const struct bench_peer_key *key)
{
    return key->provider;
}

void bench_peer_key_free(struct bench_peer_key *key)
{
    if (key && key->ctx)
        key->peer->ctx_free(key->ctx);
    if (key && key->mac_ctx)
        key->peer->mac_ctx_free(key->mac_ctx);
    free(key);
}

bool bench_peer_crypt(struct bench_peer_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *iv)
{
    int out_len = 0;

    return key->peer->init(key->ctx, NULL, NULL, NULL, iv, key->encrypt) == 1 &&
           (len == 0 || key->peer->update(key->ctx, dst, &out_len, src, (int)len) == 1) && (size_t)out_len == len;
}

bool bench_peer_aead(struct bench_peer_key *key, uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len, const uint8_t *aad,
                     size_t aad_len, const uint8_t nonce[12])
{
    enum { GET_TAG = 0x10, SET_TAG = 0x11 }; /* EVP_CTRL_AEAD_... */
    const struct bench_peer *peer = key->peer;
    int out_len = 0, more;

    return peer->init(key->ctx, NULL, NULL, NULL, nonce, key->encrypt) == 1 &&
           (key->encrypt || peer->ctrl(key->ctx, SET_TAG, 16, tag) == 1) &&
           peer->update(key->ctx, NULL, &more, aad, (int)aad_len) == 1 &&
           (len == 0 || peer->update(key->ctx, dst, &out_len, src, (int)len) == 1) && (size_t)out_len == len &&
           peer->final(key->ctx, dst + len, &more) == 1 && more == 0 &&
           (!key->encrypt || peer->ctrl(key->ctx, GET_TAG, 16, tag) == 1);
}

bool bench_peer_mac(struct bench_peer_key *key, uint8_t tag[16], const uint8_t *src, size_t len)
{
    const struct bench_peer *peer = key->peer;
    size_t tag_len;

    return peer->mac_init(key->mac_ctx, key->mac_key, MAC_KEY_LEN, NULL) == 1 &&
           (len == 0 || peer->mac_update(key->mac_ctx, src, len) == 1) && peer->mac_final(key->mac_ctx, tag, &tag_len, 16) == 1 &&
           tag_len == 16;
}
