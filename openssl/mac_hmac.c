/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * HMAC (RFC 2104) of short messages, with SHA-256, SHA-384 and SHA-512.
 *
 * Most of the default provider's time for such a message goes into looking up the hash function and making contexts of it.  Here a
 * context only remembers hash function, key and message; its end is four blocks of the hash function, or some more.
 *
 * If the message gets longer than there's room for, the key is used again, or anything else is asked for, the context becomes one
 * of the default provider's, which is given what was remembered, and stays that.  (With a key that stays, the default provider
 * hashes less.)  That is the default provider of the program's own library context: so hash functions are looked up where they
 * would be without the module, among those of all providers.
 */
#include <strings.h>

#include <openssl/params.h>

#include "pkey.h"

struct lcp_table lcp_mac_hmac;

enum { MAX_TEXT_LEN = 384 };

struct mac_ctx {
    const struct lcp_provider *prov;
    void *ctx;                   /* the default provider's, or NULL: it isn't needed yet, and what follows is so */
    const struct lcp_hash *hash; /* NULL: not set */
    bool has_key, has_ended;
    size_t key_len, text_len;
    uint8_t key[LCP_MAX_BLOCK_LEN], room[LCP_MAX_BLOCK_LEN], text[MAX_TEXT_LEN]; /* room: see lcp_hmac() */
};

#define DEFAULT(fn, id) LCP_DEFAULT(&lcp_mac_hmac, fn, id)

/* ---- The hash functions ---- */

static int sha256(uint8_t *digest, const uint8_t *msg, size_t len)
{
    return lc_sha256(digest, msg, len);
}

static int sha384(uint8_t *digest, const uint8_t *msg, size_t len)
{
    return lc_sha384(digest, msg, len);
}

static int sha512(uint8_t *digest, const uint8_t *msg, size_t len)
{
    return lc_sha512(digest, msg, len);
}

/* The first name of each is the one that libssl asks for. */
const struct lcp_hash lcp_hashes[LCP_NUM_HASHES] = {
    { { "SHA2-256", "SHA-256", "SHA256" }, LC_SHA256_LEN, 64, sha256 },
    { { "SHA2-384", "SHA-384", "SHA384" }, LC_SHA384_LEN, 128, sha384 },
    { { "SHA2-512", "SHA-512", "SHA512" }, LC_SHA512_LEN, 128, sha512 },
};

const struct lcp_hash *lcp_hash_by_name(const char *name)
{
    for (size_t i = 0; i < LCP_NUM_HASHES; i++)
        for (size_t k = 0; k < sizeof(lcp_hashes[i].names) / sizeof(lcp_hashes[i].names[0]); k++)
            if (strcasecmp(name, lcp_hashes[i].names[k]) == 0)
                return &lcp_hashes[i];
    return NULL;
}

bool lcp_hmac(const struct lcp_hash *hash, uint8_t *mac, const uint8_t *key, size_t key_len, uint8_t text[], size_t text_len)
{
    uint8_t outer[LCP_MAX_BLOCK_LEN + LCP_MAX_HASH_LEN], *inner = text - hash->block_len;
    bool ok;

    memset(outer, 0, LCP_MAX_BLOCK_LEN);
    memcpy(outer, key, key_len);
    for (size_t i = 0; i < hash->block_len; i += sizeof(uint64_t)) {
        uint64_t word;

        memcpy(&word, outer + i, sizeof(word));
        word ^= UINT64_C(0x3636363636363636);
        memcpy(inner + i, &word, sizeof(word));
        word ^= UINT64_C(0x3636363636363636 ^ 0x5c5c5c5c5c5c5c5c);
        memcpy(outer + i, &word, sizeof(word));
    }
    ok = hash->whole(outer + hash->block_len, inner, hash->block_len + text_len) == LC_OK &&
         hash->whole(mac, outer, hash->block_len + hash->len) == LC_OK;
    lc_wipe(outer, hash->block_len + hash->len);
    lc_wipe(inner, hash->block_len);
    return ok;
}

/* ---- Contexts ---- */

static void *mac_new(void *provctx)
{
    struct mac_ctx *c = malloc(sizeof(*c));

    if (!c) {
        (void)lcp_refuse((const struct lcp_provider *)provctx, ALLOC);
        return NULL;
    }
    memset(c, 0, offsetof(struct mac_ctx, key));
    c->prov = provctx;
    return c;
}

static void forget(struct mac_ctx *c)
{
    lc_wipe(c->key, c->key_len);
    lc_wipe(c->text, c->text_len);
    c->key_len = c->text_len = 0;
    c->has_key = c->has_ended = false;
}

static void mac_free(void *ctx)
{
    struct mac_ctx *c = ctx;

    if (!c)
        return;
    if (c->ctx)
        DEFAULT(mac_freectx, OSSL_FUNC_MAC_FREECTX)(c->ctx);
    forget(c);
    free(c);
}

static void *mac_dup(void *ctx)
{
    const struct mac_ctx *c = ctx;
    struct mac_ctx *copy = lcp_copy(c->prov, c, sizeof(*c));

    if (!copy || !c->ctx)
        return copy;
    copy->ctx = DEFAULT(mac_dupctx, OSSL_FUNC_MAC_DUPCTX)(c->ctx);
    if (copy->ctx)
        return copy;
    mac_free(copy);
    return NULL;
}

/*
 * Where the default provider's contexts are made.  The program's library context is another type to providers, since it may be of
 * another libcrypto than theirs.  Here it can't be: all functions are those of the one that has loaded the module.
 */
static void *default_provctx(const struct lcp_provider *prov)
{
    struct lcp_public_keys *keys = prov->public_keys;
    EVP_MAC *mac = atomic_load_explicit(&keys->default_hmac, memory_order_acquire), *none = NULL;

    if (mac)
        return lcp_libcrypto.OSSL_PROVIDER_get0_provider_ctx(lcp_libcrypto.EVP_MAC_get0_provider(mac));
    lcp_libcrypto.ERR_set_mark(); /* if it has none there, that is no error of the program's */
    mac = prov->program ? lcp_libcrypto.EVP_MAC_fetch((OSSL_LIB_CTX *)prov->program, "HMAC", "provider=default") : NULL;
    lcp_libcrypto.ERR_pop_to_mark();
    if (mac && strcmp(lcp_libcrypto.OSSL_PROVIDER_get0_name(lcp_libcrypto.EVP_MAC_get0_provider(mac)), "default") == 0 &&
        atomic_compare_exchange_strong(&keys->default_hmac, &none, mac))
        return default_provctx(prov);
    lcp_libcrypto.EVP_MAC_free(mac);
    return none ? default_provctx(prov) : keys->provctx; /* another thread was faster; or the module's own */
}

/* It becomes one of the default provider's, which is where this one is.  false, with an error of that, if it can't. */
static bool hand_over(struct mac_ctx *c)
{
    uint8_t mac[LCP_MAX_HASH_LEN];
    size_t len;
    bool ok;

    if (c->ctx)
        return true;
    c->ctx = DEFAULT(mac_newctx, OSSL_FUNC_MAC_NEWCTX)(default_provctx(c->prov));
    ok = c->ctx;
    if (ok && c->hash) {
        char name[sizeof(c->hash->names[0])];
        const OSSL_PARAM params[] = { OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, name, strlen(c->hash->names[0])),
                                      OSSL_PARAM_END };

        memcpy(name, c->hash->names[0], sizeof(name));
        ok = DEFAULT(mac_set_ctx_params, OSSL_FUNC_MAC_SET_CTX_PARAMS)(c->ctx, params);
    }
    if (ok && c->has_key)
        ok = DEFAULT(mac_init, OSSL_FUNC_MAC_INIT)(c->ctx, c->key, c->key_len, NULL);
    if (ok && c->text_len)
        ok = DEFAULT(mac_update, OSSL_FUNC_MAC_UPDATE)(c->ctx, c->text, c->text_len);
    if (ok && c->has_ended)
        ok = DEFAULT(mac_final, OSSL_FUNC_MAC_FINAL)(c->ctx, mac, &len, sizeof(mac));
    lc_wipe(mac, sizeof(mac));
    if (ok) {
        forget(c);
        return true;
    }
    if (c->ctx)
        DEFAULT(mac_freectx, OSSL_FUNC_MAC_FREECTX)(c->ctx);
    c->ctx = NULL;
    return false;
}

/* ---- What libcrypto calls ---- */

/* Is nothing set but one of these hash functions, or nothing at all? */
static bool read_params(const struct lcp_hash **hash, const OSSL_PARAM params[])
{
    const struct lcp_hash *found;

    if (!params || !params->key)
        return true;
    if (strcmp(params->key, OSSL_MAC_PARAM_DIGEST) != 0 || params->data_type != OSSL_PARAM_UTF8_STRING || !params->data ||
        params[1].key)
        return false;
    found = lcp_hash_by_name(params->data);
    if (found)
        *hash = found;
    return found;
}

/* Once there is a key, another hash function is for the next key; that is left to the default provider. */
static int mac_set(void *ctx, const OSSL_PARAM params[])
{
    struct mac_ctx *c = ctx;

    if (!params || !params->key || (!c->ctx && !c->has_key && read_params(&c->hash, params)))
        return 1;
    return hand_over(c) ? DEFAULT(mac_set_ctx_params, OSSL_FUNC_MAC_SET_CTX_PARAMS)(c->ctx, params) : 0;
}

static int mac_init(void *ctx, const unsigned char *key, size_t key_len, const OSSL_PARAM params[])
{
    struct mac_ctx *c = ctx;
    const struct lcp_hash *hash = c->hash;

    if (!c->ctx && read_params(&hash, params) && hash && key && key_len <= hash->block_len) {
        forget(c);
        memcpy(c->key, key, key_len);
        c->hash = hash;
        c->key_len = key_len;
        c->has_key = true;
        return 1;
    }
    return hand_over(c) ? DEFAULT(mac_init, OSSL_FUNC_MAC_INIT)(c->ctx, key, key_len, params) : 0;
}

static int mac_update(void *ctx, const unsigned char *in, size_t len)
{
    struct mac_ctx *c = ctx;

    if (!c->ctx && c->has_key && !c->has_ended && len <= sizeof(c->text) - c->text_len) {
        if (len)
            memcpy(c->text + c->text_len, in, len);
        c->text_len += len;
        return 1;
    }
    return hand_over(c) ? DEFAULT(mac_update, OSSL_FUNC_MAC_UPDATE)(c->ctx, in, len) : 0;
}

static int mac_final(void *ctx, unsigned char *out, size_t *len, size_t size)
{
    struct mac_ctx *c = ctx;

    if (!c->ctx && c->has_key && !c->has_ended && out && size >= c->hash->len &&
        lcp_hmac(c->hash, out, c->key, c->key_len, c->text, c->text_len)) {
        *len = c->hash->len;
        c->has_ended = true; /* the key stays, for it may be used again */
        return 1;
    }
    return hand_over(c) ? DEFAULT(mac_final, OSSL_FUNC_MAC_FINAL)(c->ctx, out, len, size) : 0;
}

static int mac_get(void *ctx, OSSL_PARAM params[])
{
    struct mac_ctx *c = ctx;

    /* EVP asks for the size before each end. */
    if (!c->ctx && c->has_key && params && params->key && !params[1].key && strcmp(params->key, OSSL_MAC_PARAM_SIZE) == 0 &&
        params->data && params->data_size == sizeof(size_t) && params->data_type == OSSL_PARAM_UNSIGNED_INTEGER)
        return lcp_write_size(params, c->hash->len);
    return hand_over(c) ? DEFAULT(mac_get_ctx_params, OSSL_FUNC_MAC_GET_CTX_PARAMS)(c->ctx, params) : 0;
}

static void *provctx_of(void *prov)
{
    return ((const struct lcp_provider *)prov)->public_keys->provctx;
}

static const OSSL_PARAM *mac_settable(void *ctx, void *prov)
{
    return DEFAULT(mac_settable_ctx_params,
                   OSSL_FUNC_MAC_SETTABLE_CTX_PARAMS)(ctx ? ((struct mac_ctx *)ctx)->ctx : NULL, provctx_of(prov));
}

static const OSSL_PARAM *mac_gettable(void *ctx, void *prov)
{
    return DEFAULT(mac_gettable_ctx_params,
                   OSSL_FUNC_MAC_GETTABLE_CTX_PARAMS)(ctx ? ((struct mac_ctx *)ctx)->ctx : NULL, provctx_of(prov));
}

const OSSL_DISPATCH lcp_hmac_functions[] = {
    LCP_FUNCTION(OSSL_FUNC_MAC_NEWCTX, mac_new),
    LCP_FUNCTION(OSSL_FUNC_MAC_DUPCTX, mac_dup),
    LCP_FUNCTION(OSSL_FUNC_MAC_FREECTX, mac_free),
    LCP_FUNCTION(OSSL_FUNC_MAC_INIT, mac_init),
    LCP_FUNCTION(OSSL_FUNC_MAC_UPDATE, mac_update),
    LCP_FUNCTION(OSSL_FUNC_MAC_FINAL, mac_final),
    LCP_FUNCTION(OSSL_FUNC_MAC_SETTABLE_CTX_PARAMS, mac_settable),
    LCP_FUNCTION(OSSL_FUNC_MAC_SET_CTX_PARAMS, mac_set),
    LCP_FUNCTION(OSSL_FUNC_MAC_GETTABLE_CTX_PARAMS, mac_gettable),
    LCP_FUNCTION(OSSL_FUNC_MAC_GET_CTX_PARAMS, mac_get),
    { 0, NULL }
};

/* RFC 4231, 4.3 */
bool lcp_hmac_selftest(bool with_portable)
{
    static const char expected[LCP_NUM_HASHES][LCP_MAX_HASH_LEN + 1] = {
        "\x5b\xdc\xc1\x46\xbf\x60\x75\x4e\x6a\x04\x24\x26\x08\x95\x75\xc7"
        "\x5a\x00\x3f\x08\x9d\x27\x39\x83\x9d\xec\x58\xb9\x64\xec\x38\x43",
        "\xaf\x45\xd2\xe3\x76\x48\x40\x31\x61\x7f\x78\xd2\xb5\x8a\x6b\x1b\x9c\x7e\xf4\x64\xf5\xa0\x1b\x47"
        "\xe4\x2e\xc3\x73\x63\x22\x44\x5e\x8e\x22\x40\xca\x5e\x69\xe2\xc7\x8b\x32\x39\xec\xfa\xb2\x16\x49",
        "\x16\x4b\x7a\x7b\xfc\xf8\x19\xe2\xe3\x95\xfb\xe7\x3b\x56\xe0\xa3\x87\xbd\x64\x22\x2e\x83\x1f\xd6\x10\x27\x0c\xd7\xea\x25"
        "\x05\x54"
        "\x97\x58\xbf\x75\xc0\x5a\x99\x4a\x6d\x03\x4f\x65\xf8\xf0\xe6\xfd\xca\xea\xb1\xa3\x4d\x4a\x6b\x4b\x63\x6e\x07\x0a\x38\xbc"
        "\xe7\x37"
    };
    static const char text[] = "what do ya want for nothing?";
    struct lc_sha256_state sha256_state;
    struct lc_sha512_state sha512_state;

    if (lc_sha256_start(&sha256_state) != LC_OK || lc_sha512_start(&sha512_state) != LC_OK)
        return false;
    if ((lcp_is_portable(lc_sha256_impl_name(&sha256_state)) || lcp_is_portable(lc_sha512_impl_name(&sha512_state))) &&
        !with_portable)
        return false;
    for (size_t i = 0; i < LCP_NUM_HASHES; i++) {
        uint8_t room[LCP_MAX_BLOCK_LEN + sizeof(text)], mac[LCP_MAX_HASH_LEN];

        memcpy(room + LCP_MAX_BLOCK_LEN, text, sizeof(text) - 1);
        if (!lcp_hmac(&lcp_hashes[i], mac, (const uint8_t *)"Jefe", 4, room + LCP_MAX_BLOCK_LEN, sizeof(text) - 1) ||
            memcmp(mac, expected[i], lcp_hashes[i].len) != 0)
            return false;
    }
    return true;
}
