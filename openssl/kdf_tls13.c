/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * TLS13-KDF, the key derivation of TLS 1.3 (RFC 8446, 7.1), with SHA-256 and SHA-384.
 *
 * A handshake derives some twenty values, each by a context of its own, and nearly all of the default provider's time for them goes
 * into looking up hash functions and making contexts of HMAC.  Here a derivation is four or five blocks of the hash function.
 *
 * What is done here is what TLS does: all parameters are given at once, and an output of one hash value or less.  For everything
 * else the context becomes one of the default provider's, and stays that.
 */
#include <strings.h>

#include "pkey.h"

struct lcp_table lcp_kdf_tls13;

enum { MAX_HASH_LEN = LC_SHA384_LEN, MAX_BLOCK_LEN = LCP_MAX_BLOCK_LEN };

static const struct hash {
    const struct lcp_hash *by;
    uint8_t of_nothing[MAX_HASH_LEN];
    uint8_t early[MAX_HASH_LEN], derived[MAX_HASH_LEN]; /* without a pre-shared key: the early secret, and what is derived of it */
} hashes[] = {
    { &lcp_hashes[0],
      { 0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
        0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55 },
      { 0x33, 0xad, 0x0a, 0x1c, 0x60, 0x7e, 0xc0, 0x3b, 0x09, 0xe6, 0xcd, 0x98, 0x93, 0x68, 0x0c, 0xe2,
        0x10, 0xad, 0xf3, 0x00, 0xaa, 0x1f, 0x26, 0x60, 0xe1, 0xb2, 0x2e, 0x10, 0xf1, 0x70, 0xf9, 0x2a },
      { 0x6f, 0x26, 0x15, 0xa1, 0x08, 0xc7, 0x02, 0xc5, 0x67, 0x8f, 0x54, 0xfc, 0x9d, 0xba, 0xb6, 0x97,
        0x16, 0xc0, 0x76, 0x18, 0x9c, 0x48, 0x25, 0x0c, 0xeb, 0xea, 0xc3, 0x57, 0x6c, 0x36, 0x11, 0xba } },
    { &lcp_hashes[1],
      { 0x38, 0xb0, 0x60, 0xa7, 0x51, 0xac, 0x96, 0x38, 0x4c, 0xd9, 0x32, 0x7e, 0xb1, 0xb1, 0xe3, 0x6a,
        0x21, 0xfd, 0xb7, 0x11, 0x14, 0xbe, 0x07, 0x43, 0x4c, 0x0c, 0xc7, 0xbf, 0x63, 0xf6, 0xe1, 0xda,
        0x27, 0x4e, 0xde, 0xbf, 0xe7, 0x6f, 0x65, 0xfb, 0xd5, 0x1a, 0xd2, 0xf1, 0x48, 0x98, 0xb9, 0x5b },
      { 0x7e, 0xe8, 0x20, 0x6f, 0x55, 0x70, 0x02, 0x3e, 0x6d, 0xc7, 0x51, 0x9e, 0xb1, 0x07, 0x3b, 0xc4,
        0xe7, 0x91, 0xad, 0x37, 0xb5, 0xc3, 0x82, 0xaa, 0x10, 0xba, 0x18, 0xe2, 0x35, 0x7e, 0x71, 0x69,
        0x71, 0xf9, 0x36, 0x2f, 0x2c, 0x2f, 0xe2, 0xa7, 0x6b, 0xfd, 0x78, 0xdf, 0xec, 0x4e, 0xa9, 0xb5 },
      { 0x15, 0x91, 0xda, 0xc5, 0xcb, 0xbf, 0x03, 0x30, 0xa4, 0xa8, 0x4d, 0xe9, 0xc7, 0x53, 0x33, 0x0e,
        0x92, 0xd0, 0x1f, 0x0a, 0x88, 0x21, 0x4b, 0x44, 0x64, 0x97, 0x2f, 0xd6, 0x68, 0x04, 0x9e, 0x93,
        0xe5, 0x2f, 0x2b, 0x16, 0xfa, 0xd9, 0x22, 0xfd, 0xc0, 0x58, 0x44, 0x78, 0x42, 0x8f, 0x28, 0x2b } },
};
enum { NUM_HASHES = sizeof(hashes) / sizeof(hashes[0]) };

/* Those that are bytes; one that has none isn't there. */
enum part { KEY, SALT, PREFIX, LABEL, DATA, NUM_PARTS, DIGEST = NUM_PARTS, MODE, NUM_NAMES };

static const char *const names[NUM_NAMES] = {
    [KEY] = "key", [SALT] = "salt", [PREFIX] = "prefix", [LABEL] = "label", [DATA] = "data", [DIGEST] = "digest", [MODE] = "mode"
};

/* Its numbers are those of EVP_KDF_HKDF_MODE_...; other modes are the default provider's. */
enum mode { EXTRACT = 1, EXPAND = 2 };

/* What a derivation needs */
struct given {
    int mode;
    const struct hash *hash;
    size_t begin[NUM_PARTS], len[NUM_PARTS];
    size_t num; /* bytes that are used */
    uint8_t bytes[255]; /* so each length, and any sum of them, is a byte in a label */
};

struct kdf_ctx {
    const struct lcp_provider *prov;
    void *ctx; /* the default provider's, or NULL: it isn't needed yet */
    bool is_given; /* what follows */
    struct given given;
};

/* ---- HKDF ---- */

static size_t put(uint8_t *to, const struct given *g, enum part part)
{
    memcpy(to, g->bytes + g->begin[part], g->len[part]);
    return g->len[part];
}

/* HKDF-Expand-Label (RFC 8446, 7.1): one hash value, of which the caller takes len bytes */
static bool expand(uint8_t value[MAX_HASH_LEN], const struct given *g, enum part secret, const uint8_t *data, size_t data_len,
                   size_t len)
{
    uint8_t room[MAX_BLOCK_LEN + 2 + 1 + 1 + sizeof(g->bytes) + MAX_HASH_LEN + 1], *text = room + MAX_BLOCK_LEN;
    size_t n = 0;

    text[n++] = (uint8_t)(len >> 8);
    text[n++] = (uint8_t)len;
    text[n++] = (uint8_t)(g->len[PREFIX] + g->len[LABEL]);
    n += put(text + n, g, PREFIX);
    n += put(text + n, g, LABEL);
    text[n++] = (uint8_t)data_len;
    memcpy(text + n, data, data_len);
    n += data_len;
    text[n++] = 1;
    return lcp_hmac(g->hash->by, value, g->bytes + g->begin[secret], g->len[secret], text, n);
}

static bool is(const struct given *g, enum part part, const void *bytes, size_t len)
{
    const uint8_t *a = g->bytes + g->begin[part], *b = bytes;
    uint8_t difference = 0;

    if (g->len[part] != len)
        return false;
    for (size_t i = 0; i < len; i++)
        difference |= a[i] ^ b[i];
    return difference == 0;
}

/* Derive-Secret(secret, label, "").  Whether there is a pre-shared key isn't secret. */
static bool derive_secret(uint8_t value[MAX_HASH_LEN], const struct given *g)
{
    const struct hash *hash = g->hash;

    if (is(g, PREFIX, "tls13 ", 6) && is(g, LABEL, "derived", 7) && is(g, SALT, hash->early, hash->by->len)) {
        memcpy(value, hash->derived, hash->by->len);
        return true;
    }
    return expand(value, g, SALT, hash->of_nothing, hash->by->len, hash->by->len);
}

/* HKDF-Extract; before it, if there is a secret, what is derived of that */
static bool extract(uint8_t value[MAX_HASH_LEN], const struct given *g)
{
    uint8_t salt[MAX_HASH_LEN] = { 0 }, room[MAX_BLOCK_LEN + sizeof(g->bytes)] = { 0 };
    size_t len = g->len[KEY] ? put(room + MAX_BLOCK_LEN, g, KEY) : g->hash->by->len;
    bool ok = true;

    if (!g->len[KEY] && !g->len[SALT])
        memcpy(value, g->hash->early, g->hash->by->len);
    else
        ok = (!g->len[SALT] || derive_secret(salt, g)) &&
             lcp_hmac(g->hash->by, value, salt, g->hash->by->len, room + MAX_BLOCK_LEN, len);
    lc_wipe(salt, sizeof(salt));
    lc_wipe(room, MAX_BLOCK_LEN + len);
    return ok;
}

/* false: it is the default provider's */
static bool derive(const struct given *g, uint8_t *out, size_t len)
{
    const enum part secret = g->mode == EXPAND ? KEY : SALT;
    uint8_t value[MAX_HASH_LEN];
    bool ok;

    if (!out || !len || len > g->hash->by->len || g->len[secret] > g->hash->by->block_len)
        return false;
    if (g->mode == EXPAND ? !g->len[KEY] : len != g->hash->by->len)
        return false;
    ok = g->mode == EXPAND ? expand(value, g, KEY, g->bytes + g->begin[DATA], g->len[DATA], len) : extract(value, g);
    if (ok)
        memcpy(out, value, len);
    lc_wipe(value, sizeof(value));
    return ok;
}

/* ---- Parameters ---- */

static enum part which(const char *name)
{
    size_t i = 0;

    while (i < NUM_NAMES && (name[0] != names[i][0] || strcmp(name, names[i]) != 0))
        i++;
    return (enum part)i;
}

static bool read_mode(struct given *g, const OSSL_PARAM *p)
{
    if (p->data_type == OSSL_PARAM_UTF8_STRING)
        g->mode = strcasecmp(p->data, "EXTRACT_ONLY") == 0 ? EXTRACT : strcasecmp(p->data, "EXPAND_ONLY") == 0 ? EXPAND : 0;
    else if (p->data_type == OSSL_PARAM_INTEGER && p->data_size == sizeof(g->mode))
        memcpy(&g->mode, p->data, sizeof(g->mode));
    return g->mode == EXTRACT || g->mode == EXPAND;
}

static bool read_hash(struct given *g, const OSSL_PARAM *p)
{
    const struct lcp_hash *found = p->data_type == OSSL_PARAM_UTF8_STRING ? lcp_hash_by_name(p->data) : NULL;

    for (size_t i = 0; i < NUM_HASHES; i++)
        if (hashes[i].by == found)
            g->hash = &hashes[i];
    return g->hash != NULL;
}

/*
 * All parameters.  false: there is one that isn't known here, none of those that have to be there, or one twice, which versions of
 * OpenSSL take differently.
 */
static bool read_all(struct given *g, const OSSL_PARAM params[])
{
    unsigned seen = 0;

    g->mode = 0;
    g->hash = NULL;
    g->num = 0;
    memset(g->begin, 0, sizeof(g->begin));
    memset(g->len, 0, sizeof(g->len));
    for (const OSSL_PARAM *p = params; p->key; p++) {
        const enum part part = which(p->key);
        const size_t len = p->data_size;

        if (part == NUM_NAMES || seen & 1u << part || !p->data)
            return false;
        seen |= 1u << part;
        if (part == MODE || part == DIGEST) {
            if (!(part == MODE ? read_mode : read_hash)(g, p))
                return false;
            continue;
        }
        if (p->data_type != OSSL_PARAM_OCTET_STRING || !len || len > sizeof(g->bytes) - g->num)
            return false;
        g->begin[part] = g->num;
        g->len[part] = len;
        memcpy(g->bytes + g->num, p->data, len);
        g->num += len;
    }
    return g->mode && g->hash;
}

static void forget(struct kdf_ctx *c)
{
    lc_wipe(c->given.bytes, c->given.num);
    c->given.num = 0;
    c->is_given = false;
}

/* What a new context is given first */
static bool take(struct kdf_ctx *c, const OSSL_PARAM params[])
{
    if (c->ctx || c->is_given || !params)
        return false;
    c->is_given = read_all(&c->given, params);
    if (!c->is_given)
        forget(c);
    return c->is_given;
}

/* ---- Contexts ---- */

#define DEFAULT(fn, id) LCP_DEFAULT(&lcp_kdf_tls13, fn, id)

/* The default provider's context, with what was given; NULL and an error if there is none. */
static void *default_ctx(struct kdf_ctx *c)
{
    struct given *g = &c->given;
    OSSL_PARAM params[NUM_NAMES + 1] = { OSSL_PARAM_END }, *p = params;
    char hash[16];

    if (c->ctx)
        return c->ctx;
    c->ctx = DEFAULT(kdf_newctx, OSSL_FUNC_KDF_NEWCTX)(c->prov->public_keys->provctx);
    if (!c->ctx || !c->is_given)
        return c->ctx;
    for (int i = 0; i < NUM_PARTS; i++)
        if (g->len[i])
            *p++ = (OSSL_PARAM)OSSL_PARAM_octet_string(names[i], g->bytes + g->begin[i], g->len[i]);
    memcpy(hash, g->hash->by->names[0], sizeof(g->hash->by->names[0]));
    *p++ = (OSSL_PARAM)OSSL_PARAM_utf8_string(names[DIGEST], hash, 8);
    *p++ = (OSSL_PARAM)OSSL_PARAM_int(names[MODE], &g->mode);
    *p = (OSSL_PARAM)OSSL_PARAM_END;
    if (!DEFAULT(kdf_set_ctx_params, OSSL_FUNC_KDF_SET_CTX_PARAMS)(c->ctx, params)) {
        DEFAULT(kdf_freectx, OSSL_FUNC_KDF_FREECTX)(c->ctx);
        c->ctx = NULL;
        return NULL;
    }
    forget(c);
    return c->ctx;
}

static void *kdf_new(void *provctx)
{
    struct kdf_ctx *c = malloc(sizeof(*c));

    if (!c) {
        (void)lcp_refuse((const struct lcp_provider *)provctx, ALLOC);
        return NULL;
    }
    c->prov = provctx;
    c->ctx = NULL;
    c->is_given = false;
    c->given.num = 0;
    return c;
}

static void kdf_reset(void *ctx)
{
    struct kdf_ctx *c = ctx;

    if (c->ctx)
        DEFAULT(kdf_freectx, OSSL_FUNC_KDF_FREECTX)(c->ctx);
    c->ctx = NULL;
    forget(c);
}

static void kdf_free(void *ctx)
{
    if (ctx)
        kdf_reset(ctx);
    free(ctx);
}

static void *kdf_dup(void *ctx)
{
    const struct kdf_ctx *c = ctx;
    struct kdf_ctx *copy = kdf_new((void *)(uintptr_t)c->prov);

    if (!copy)
        return NULL;
    if (c->is_given) {
        copy->given = c->given;
        copy->is_given = true;
    }
    if (c->ctx) {
        copy->ctx = DEFAULT(kdf_dupctx, OSSL_FUNC_KDF_DUPCTX)(c->ctx);
        if (!copy->ctx) {
            kdf_free(copy);
            return NULL;
        }
    }
    return copy;
}

static int kdf_derive(void *ctx, unsigned char *key, size_t len, const OSSL_PARAM params[])
{
    struct kdf_ctx *c = ctx;

    if ((take(c, params) || (c->is_given && !params)) && derive(&c->given, key, len))
        return 1;
    /* If they were taken just now, it gets them twice, which does no harm. */
    return default_ctx(c) ? DEFAULT(kdf_derive, OSSL_FUNC_KDF_DERIVE)(c->ctx, key, len, params) : 0;
}

static int kdf_set(void *ctx, const OSSL_PARAM params[])
{
    struct kdf_ctx *c = ctx;

    if (take(c, params))
        return 1;
    return default_ctx(c) ? DEFAULT(kdf_set_ctx_params, OSSL_FUNC_KDF_SET_CTX_PARAMS)(c->ctx, params) : 0;
}

static int kdf_get(void *ctx, OSSL_PARAM params[])
{
    struct kdf_ctx *c = ctx;

    return default_ctx(c) ? DEFAULT(kdf_get_ctx_params, OSSL_FUNC_KDF_GET_CTX_PARAMS)(c->ctx, params) : 0;
}

static void *provctx_of(void *prov)
{
    return ((const struct lcp_provider *)prov)->public_keys->provctx;
}

static const OSSL_PARAM *kdf_settable(void *ctx, void *prov)
{
    return DEFAULT(kdf_settable_ctx_params,
                   OSSL_FUNC_KDF_SETTABLE_CTX_PARAMS)(ctx ? ((struct kdf_ctx *)ctx)->ctx : NULL, provctx_of(prov));
}

static const OSSL_PARAM *kdf_gettable(void *ctx, void *prov)
{
    return DEFAULT(kdf_gettable_ctx_params,
                   OSSL_FUNC_KDF_GETTABLE_CTX_PARAMS)(ctx ? ((struct kdf_ctx *)ctx)->ctx : NULL, provctx_of(prov));
}

const OSSL_DISPATCH lcp_tls13_functions[] = {
    LCP_FUNCTION(OSSL_FUNC_KDF_NEWCTX, kdf_new),         LCP_FUNCTION(OSSL_FUNC_KDF_DUPCTX, kdf_dup),
    LCP_FUNCTION(OSSL_FUNC_KDF_FREECTX, kdf_free),       LCP_FUNCTION(OSSL_FUNC_KDF_RESET, kdf_reset),
    LCP_FUNCTION(OSSL_FUNC_KDF_DERIVE, kdf_derive),      LCP_FUNCTION(OSSL_FUNC_KDF_SETTABLE_CTX_PARAMS, kdf_settable),
    LCP_FUNCTION(OSSL_FUNC_KDF_SET_CTX_PARAMS, kdf_set), LCP_FUNCTION(OSSL_FUNC_KDF_GETTABLE_CTX_PARAMS, kdf_gettable),
    LCP_FUNCTION(OSSL_FUNC_KDF_GET_CTX_PARAMS, kdf_get), { 0, NULL }
};

/* The handshake secret of RFC 8448, section 3, and what SHA-384 makes of the same */
bool lcp_tls13_selftest(bool with_portable)
{
    static const char handshake[NUM_HASHES][MAX_HASH_LEN + 1] = {
        "\x1d\xc8\x26\xe9\x36\x06\xaa\x6f\xdc\x0a\xad\xc1\x2f\x74\x1b\x01"
        "\x04\x6a\xa6\xb9\x9f\x69\x1e\xd2\x21\xa9\xf0\xca\x04\x3f\xbe\xac",
        "\x98\x4e\x65\xf4\xea\x6a\xc0\xde\xce\x14\x76\x2a\xc3\x75\x2b\x71\x86\x7a\x04\x5c\x60\xd3\xfe\x78"
        "\x08\xb3\x19\x49\xd2\xce\x27\xd3\x14\x2e\x6d\xa6\xd9\x2a\x68\x43\x7f\x77\xc2\x65\x09\xce\x0b\x2b"
    };
    static const char shared[] = "\x8b\xd4\x05\x4f\xb5\x5b\x9d\x63\xfd\xfb\xac\xf9\xf0\x4b\x9f\x0d"
                                 "\x35\xe6\xd6\x3f\x53\x75\x63\xef\xd4\x62\x72\x90\x0f\x89\x49\x2d";
    struct lc_sha256_state sha256_state;
    struct lc_sha384_state sha384_state;
    uint8_t value[MAX_HASH_LEN];
    struct given g;

    if (lc_sha256_start(&sha256_state) != LC_OK || lc_sha384_start(&sha384_state) != LC_OK)
        return false;
    if ((lcp_is_portable(lc_sha256_impl_name(&sha256_state)) || lcp_is_portable(lc_sha384_impl_name(&sha384_state))) &&
        !with_portable)
        return false;
    for (size_t i = 0; i < NUM_HASHES; i++) {
        int mode = EXTRACT;
        const OSSL_PARAM params[] = {
            OSSL_PARAM_int(names[MODE], &mode),
            OSSL_PARAM_utf8_string(names[DIGEST], (char *)(uintptr_t)(i ? "SHA384" : "SHA256"), 6),
            OSSL_PARAM_octet_string(names[KEY], (char *)(uintptr_t)shared, 32),
            OSSL_PARAM_octet_string(names[SALT], (uint8_t *)(uintptr_t)hashes[i].early, hashes[i].by->len),
            OSSL_PARAM_octet_string(names[PREFIX], (char *)(uintptr_t)"tls13 ", 6),
            OSSL_PARAM_octet_string(names[LABEL], (char *)(uintptr_t)"derived", 7),
            OSSL_PARAM_END,
        };

        if (!read_all(&g, params) || !derive(&g, value, hashes[i].by->len) || memcmp(value, handshake[i], hashes[i].by->len) != 0)
            return false;
        if (!expand(value, &g, SALT, hashes[i].of_nothing, hashes[i].by->len, hashes[i].by->len) ||
            memcmp(value, hashes[i].derived, hashes[i].by->len) != 0)
            return false;
    }
    return true;
}
