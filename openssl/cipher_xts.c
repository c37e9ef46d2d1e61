/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES-XTS: each update is a data unit of its own, under the iv that was set last. */
#include <openssl/evp.h>
#include <openssl/params.h>

#include "lanecrypt/xts.h"
#include "provider.h"

enum { IV_LEN = 16, MAX_KEY_LEN = 64 };

struct xts_ctx {
    const struct lcp_provider *prov;
    const struct lcp_cipher *cipher;
    bool is_encrypting;
    bool has_key;
    bool only_decrypts; /* a key of equal halves: what was encrypted under one, before that was forbidden, has to be readable */
    bool has_iv;
    uint8_t iv[IV_LEN];
    uint8_t raw[MAX_KEY_LEN]; /* what `key` was made of */
    struct lc_xts_key key;
};

static void *xts_newctx(void *prov, const struct lcp_cipher *cipher)
{
    struct xts_ctx *c = lcp_new(prov, sizeof(*c));

    if (c) {
        c->prov = prov;
        c->cipher = cipher;
    }
    return c;
}

static void xts_freectx(void *ctx)
{
    lcp_free(ctx, sizeof(struct xts_ctx));
}

static void *xts_dupctx(void *ctx)
{
    return lcp_copy(((const struct xts_ctx *)ctx)->prov, ctx, sizeof(struct xts_ctx));
}

static const char *xts_impl_name(const void *ctx)
{
    return lc_xts_impl_name(&((const struct xts_ctx *)ctx)->key);
}

/* ---- Parameters ---- */

static int xts_set_ctx_params(void *ctx, const OSSL_PARAM params[])
{
    const struct xts_ctx *c = ctx;

    for (const OSSL_PARAM *p = params; p && p->key; p++)
        if (lcp_param(p->key) == LCP_P_KEY_LEN && !lcp_expect_size(c->prov, p, c->cipher->key_len, BAD_KEY_LEN))
            return 0;
    return 1;
}

static int xts_get_ctx_params(void *ctx, OSSL_PARAM params[])
{
    const struct xts_ctx *c = ctx;

    for (OSSL_PARAM *p = params; p && p->key; p++) {
        int ok = 1;

        switch (lcp_param(p->key)) {
        case LCP_P_KEY_LEN: ok = lcp_write_size(p, c->cipher->key_len); break;
        case LCP_P_IV_LEN: ok = lcp_write_size(p, IV_LEN); break;
        case LCP_P_IV:
        case LCP_P_UPDATED_IV: ok = lcp_write_octets(p, c->iv, IV_LEN); break;
        case LCP_P_NUM: ok = lcp_write_size(p, 0); break;
        default: break;
        }
        if (!ok)
            return lcp_refuse(c->prov, BAD_PARAM);
    }
    return 1;
}

LCP_PARAM_LIST(xts_gettable_ctx_params, LCP_GETTABLE_CTX_PARAMS)
LCP_PARAM_LIST(xts_settable_ctx_params, OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL))

/* ---- Encryption and decryption ---- */

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
    if (raw && !(c->has_key && !c->only_decrypts && lcp_same_key(c->raw, raw, raw_len))) {
        c->has_key = false;
        status = lc_xts_init(&c->key, raw, raw_len);
        c->only_decrypts = status == LC_ERR_WEAK_KEY;
        if (c->only_decrypts) {
            if (is_encrypting)
                return lcp_refuse(c->prov, XTS_EQUAL_KEYS);
            status = lc_xts_init_decrypt(&c->key, raw, raw_len);
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
    int status;

    *out_len = 0;
    if (!c->has_key)
        return lcp_refuse(c->prov, NO_KEY);
    if (!c->has_iv)
        return lcp_refuse(c->prov, NO_IV);
    if (!in)
        return lcp_refuse(c->prov, NO_INPUT);
    if (!out)
        return lcp_refuse(c->prov, NO_OUTPUT);
    if (out_size < len)
        return lcp_refuse(c->prov, BUFFER_TOO_SMALL);
    status = (c->is_encrypting ? lc_xts_encrypt : lc_xts_decrypt)(&c->key, out, in, len, c->iv);
    if (status == LC_ERR_DECRYPT_ONLY)
        return lcp_refuse(c->prov, XTS_EQUAL_KEYS);
    if (status != LC_OK)
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

#define XTS_CIPHER(cipher, ...)                                                                                                    \
    LCP_CIPHER(cipher, xts, xts_encrypt_init, xts_decrypt_init, xts_update, .iv_len = IV_LEN, .mode = EVP_CIPH_XTS_MODE,           \
               .has_custom_iv = true, .impl_name = xts_impl_name, __VA_ARGS__)

XTS_CIPHER(aes_128_xts, .names = "AES-128-XTS:1.3.111.2.1619.0.1.1", .description = "lanecrypt AES-128-XTS", .key_len = 32)
XTS_CIPHER(aes_256_xts, .names = "AES-256-XTS:1.3.111.2.1619.0.1.2", .description = "lanecrypt AES-256-XTS", .key_len = 64)
