/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES-XTS: each update is a data unit of its own, under the iv that was set last. */
#include <openssl/evp.h>
#include <openssl/params.h>

#include "lanecrypt/xts.h"
#include "provider.h"

enum {
    IV_LEN = 16,
    MAX_KEY_LEN = 64
};

struct xts_ctx {
    const struct lcp_provider *prov;
    const struct lcp_cipher *cipher;
    bool is_encrypting;
    bool has_key;
    bool has_equal_halves; /* then only for decryption */
    bool has_iv;
    uint8_t iv[IV_LEN];
    uint8_t raw[MAX_KEY_LEN]; /* what `key` was made of */
    struct lc_xts_key key;
};

static void *xts_newctx(void *prov, const struct lcp_cipher *cipher)
{
    struct xts_ctx *c = calloc(1, sizeof(*c));

    if (!c) {
        lcp_refuse(prov, ALLOC);
        return NULL;
    }
    c->prov = prov;
    c->cipher = cipher;
    return c;
}

static void xts_freectx(void *ctx)
{
    if (ctx)
        lcp_wipe(ctx, sizeof(struct xts_ctx));
    free(ctx);
}

static void *xts_dupctx(void *ctx)
{
    const struct xts_ctx *c = ctx;
    struct xts_ctx *dup = malloc(sizeof(*dup));

    if (!dup) {
        lcp_refuse(c->prov, ALLOC);
        return NULL;
    }
    *dup = *c;
    return dup;
}

static const char *xts_impl_name(const void *ctx)
{
    return lc_xts_impl_name(&((const struct xts_ctx *)ctx)->key);
}

/* ---- Parameters ---- */

static int xts_set_ctx_params(void *ctx, const OSSL_PARAM params[])
{
    const struct xts_ctx *c = ctx;

    for (const OSSL_PARAM *p = params; p && p->key; p++) {
        size_t value;

        switch (lcp_param(p->key)) {
        case LCP_P_KEY_LEN:
            if (!lcp_read_size(p, &value))
                return lcp_refuse(c->prov, BAD_PARAM);
            if (value != c->cipher->key_len)
                return lcp_refuse(c->prov, BAD_KEY_LEN);
            break;
        default:
            break;
        }
    }
    return 1;
}

static int xts_get_ctx_params(void *ctx, OSSL_PARAM params[])
{
    const struct xts_ctx *c = ctx;

    for (OSSL_PARAM *p = params; p && p->key; p++) {
        int ok = 1;

        switch (lcp_param(p->key)) {
        case LCP_P_KEY_LEN:
            ok = lcp_write_size(p, c->cipher->key_len);
            break;
        case LCP_P_IV_LEN:
            ok = lcp_write_size(p, IV_LEN);
            break;
        case LCP_P_IV:
        case LCP_P_UPDATED_IV:
            ok = lcp_write_octets(p, c->iv, IV_LEN);
            break;
        case LCP_P_NUM:
            ok = lcp_write_size(p, 0);
            break;
        default:
            break;
        }
        if (!ok)
            return lcp_refuse(c->prov, BAD_PARAM);
    }
    return 1;
}

static const OSSL_PARAM *xts_gettable_ctx_params(void *ctx, void *prov)
{
    static const OSSL_PARAM gettable[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0),
        OSSL_PARAM_END
    };

    (void)ctx;
    (void)prov;
    return gettable;
}

static const OSSL_PARAM *xts_settable_ctx_params(void *ctx, void *prov)
{
    static const OSSL_PARAM settable[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_END
    };

    (void)ctx;
    (void)prov;
    return settable;
}

/* ---- Encryption and decryption ---- */

/*
 * The core refuses keys of equal halves; what was encrypted under one, before that was forbidden, has to be readable.  Then the
 * tweak key's schedule is the data key's.
 */
static int init_equal_halves(struct lc_xts_key *key, const uint8_t *raw, size_t raw_len)
{
    uint8_t unequal[MAX_KEY_LEN];
    int status;

    memcpy(unequal, raw, raw_len);
    unequal[raw_len - 1] ^= 1;
    status = lc_xts_init(key, unequal, raw_len);
    if (status == LC_OK)
        memcpy(key->tweak, key->enc, sizeof(key->tweak));
    lcp_wipe(unequal, sizeof(unequal));
    return status;
}

static int xts_init(struct xts_ctx *c, bool is_encrypting, const uint8_t *raw, size_t raw_len, const uint8_t *iv, size_t iv_len,
                    const OSSL_PARAM params[])
{
    int status;

    if (raw && raw_len != c->cipher->key_len)
        return lcp_refuse(c->prov, BAD_KEY_LEN);
    if (iv && iv_len != IV_LEN)
        return lcp_refuse(c->prov, BAD_IV_LEN);
    c->is_encrypting = is_encrypting;
    if (iv) {
        memcpy(c->iv, iv, IV_LEN);
        c->has_iv = true;
    }
    if (raw && !(c->has_key && !c->has_equal_halves && lcp_same_key(c->raw, raw, raw_len))) {
        c->has_key = false;
        status = lc_xts_init(&c->key, raw, raw_len);
        c->has_equal_halves = status == LC_ERR_WEAK_KEY;
        if (status == LC_ERR_WEAK_KEY) {
            if (is_encrypting)
                return lcp_refuse(c->prov, XTS_EQUAL_KEYS);
            status = init_equal_halves(&c->key, raw, raw_len);
        }
        if (status != LC_OK)
            return lcp_refuse(c->prov, CORE);
        memcpy(c->raw, raw, raw_len);
        c->has_key = true;
    }
    return params ? xts_set_ctx_params(c, params) : 1;
}

static int xts_encrypt_init(void *ctx, const unsigned char *raw, size_t raw_len, const unsigned char *iv, size_t iv_len,
                            const OSSL_PARAM params[])
{
    return xts_init(ctx, true, raw, raw_len, iv, iv_len, params);
}

static int xts_decrypt_init(void *ctx, const unsigned char *raw, size_t raw_len, const unsigned char *iv, size_t iv_len,
                            const OSSL_PARAM params[])
{
    return xts_init(ctx, false, raw, raw_len, iv, iv_len, params);
}

static int xts_update(void *ctx, unsigned char *out, size_t *out_len, size_t out_size, const unsigned char *in, size_t len)
{
    const struct xts_ctx *c = ctx;

    *out_len = 0;
    if (!c->has_key)
        return lcp_refuse(c->prov, NO_KEY);
    if (!c->has_iv)
        return lcp_refuse(c->prov, NO_IV);
    if (c->is_encrypting && c->has_equal_halves)
        return lcp_refuse(c->prov, XTS_EQUAL_KEYS);
    if (!in)
        return lcp_refuse(c->prov, NO_INPUT);
    if (!out)
        return lcp_refuse(c->prov, NO_OUTPUT);
    if (out_size < len)
        return lcp_refuse(c->prov, BUFFER_TOO_SMALL);
    if ((c->is_encrypting ? lc_xts_encrypt : lc_xts_decrypt)(&c->key, out, in, len, c->iv) != LC_OK)
        return lcp_refuse(c->prov, XTS_UNIT_LEN);
    *out_len = len;
    return 1;
}

static int xts_final(void *ctx, unsigned char *out, size_t *out_len, size_t out_size)
{
    (void)ctx;
    (void)out;
    (void)out_size;
    *out_len = 0;
    return 1;
}

/* ---- The ciphers ---- */

#define XTS_CIPHER(cipher, ...)                                               \
    LCP_CIPHER_FUNCTIONS(cipher, xts_newctx)                                  \
    static const OSSL_DISPATCH cipher##_functions[] = {                       \
        LCP_ENTRY(NEWCTX, cipher##_newctx),                                   \
        LCP_ENTRY(FREECTX, xts_freectx),                                      \
        LCP_ENTRY(DUPCTX, xts_dupctx),                                        \
        LCP_ENTRY(ENCRYPT_INIT, xts_encrypt_init),                            \
        LCP_ENTRY(DECRYPT_INIT, xts_decrypt_init),                            \
        LCP_ENTRY(UPDATE, xts_update),                                        \
        LCP_ENTRY(FINAL, xts_final),                                          \
        LCP_ENTRY(CIPHER, xts_update),                                        \
        LCP_ENTRY(GET_PARAMS, cipher##_get_params),                           \
        LCP_ENTRY(GETTABLE_PARAMS, lcp_gettable_params),                      \
        LCP_ENTRY(GET_CTX_PARAMS, xts_get_ctx_params),                        \
        LCP_ENTRY(GETTABLE_CTX_PARAMS, xts_gettable_ctx_params),              \
        LCP_ENTRY(SET_CTX_PARAMS, xts_set_ctx_params),                        \
        LCP_ENTRY(SETTABLE_CTX_PARAMS, xts_settable_ctx_params),              \
        { 0, NULL }                                                           \
    };                                                                        \
    const struct lcp_cipher lcp_##cipher = { .functions = cipher##_functions, .iv_len = IV_LEN, .mode = EVP_CIPH_XTS_MODE, \
                                             .has_custom_iv = true, .impl_name = xts_impl_name, __VA_ARGS__ };

XTS_CIPHER(aes_128_xts, .names = "AES-128-XTS:1.3.111.2.1619.0.1.1", .description = "lanecrypt AES-128-XTS", .key_len = 32)
XTS_CIPHER(aes_256_xts, .names = "AES-256-XTS:1.3.111.2.1619.0.1.2", .description = "lanecrypt AES-256-XTS", .key_len = 64)
