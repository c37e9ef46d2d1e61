/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES-CTR and ChaCha20: a key stream from a counter, in pieces of any lengths. */
#include <openssl/evp.h>
#include <openssl/params.h>

#include "lanecrypt/chacha20.h"
#include "lanecrypt/ctr.h"
#include "provider.h"

enum { IV_LEN = 16, MAX_KEY_LEN = 32 };

union stream_key {
    struct lc_ctr_key ctr;
    struct lc_chacha20_key chacha20;
};

union stream_state {
    struct lc_ctr_state ctr;
    struct lc_chacha20_state chacha20;
};

/* What the two ciphers do each in its own way. */
struct stream_mode {
    size_t block_len;
    int (*init)(union stream_key *key, const uint8_t *raw, size_t raw_len);
    void (*start)(union stream_state *s, const union stream_key *key, const uint8_t iv[IV_LEN]);
    int (*update)(const union stream_key *key, union stream_state *s, uint8_t *dst, const uint8_t *src, size_t len);
    void (*set_key)(union stream_state *s, const union stream_key *key); /* of a copied state: where the copy of its key is */
    void (*add)(uint8_t iv[IV_LEN], uint64_t num_blocks);
};

struct stream_ctx {
    const struct lcp_provider *prov;
    const struct lcp_cipher *cipher;
    const struct stream_mode *mode;
    bool has_key;
    bool is_started;              /* the state follows the key and `start` */
    uint8_t iv[IV_LEN];           /* as it was given: "iv" */
    uint8_t start[IV_LEN];        /* counter at which the state started */
    uint8_t updated_iv[IV_LEN];   /* counter of the next block, when it was last asked for */
    uint8_t lent_iv[IV_LEN];      /* the same */
    bool is_iv_lent;              /* somebody has a pointer to updated_iv, and may write there */
    uint64_t done_len;            /* bytes since then */
    uint8_t raw[MAX_KEY_LEN];     /* what `key` was made of */
    union stream_key key;
    union stream_state state;
};

/* ---- AES-CTR: a big-endian counter of 16 bytes ---- */

static int ctr_init(union stream_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_ctr_init(&key->ctr, raw, raw_len);
}

static void ctr_start(union stream_state *s, const union stream_key *key, const uint8_t iv[IV_LEN])
{
    (void)key;
    lc_ctr_start(&s->ctr, iv);
}

static int ctr_update(const union stream_key *key, union stream_state *s, uint8_t *dst, const uint8_t *src, size_t len)
{
    lc_ctr_update(&key->ctr, &s->ctr, dst, src, len);
    return LC_OK;
}

static void ctr_set_key(union stream_state *s, const union stream_key *key)
{
    (void)s; /* has none */
    (void)key;
}

static void ctr_add(uint8_t iv[IV_LEN], uint64_t num_blocks)
{
    for (size_t i = IV_LEN; i-- > 0;) {
        num_blocks += iv[i];
        iv[i] = (uint8_t)num_blocks;
        num_blocks >>= 8;
    }
}

static const struct stream_mode ctr_mode = { 16, ctr_init, ctr_start, ctr_update, ctr_set_key, ctr_add };

/* ---- ChaCha20: a little-endian counter of 8 bytes, and the nonce.  RFC 8439's form is 4 and 12: its counter ends before. ---- */

static int chacha20_init(union stream_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_chacha20_init(&key->chacha20, raw, raw_len);
}

static void chacha20_start(union stream_state *s, const union stream_key *key, const uint8_t iv[IV_LEN])
{
    uint64_t counter = 0;

    for (size_t i = 8; i-- > 0;)
        counter = counter << 8 | iv[i];
    lc_chacha20_start_64(&s->chacha20, &key->chacha20, iv + 8, counter);
}

static int chacha20_update(const union stream_key *key, union stream_state *s, uint8_t *dst, const uint8_t *src, size_t len)
{
    (void)key;
    return lc_chacha20_update(&s->chacha20, dst, src, len);
}

static void chacha20_set_key(union stream_state *s, const union stream_key *key)
{
    lc_chacha20_state_set_key(&s->chacha20, &key->chacha20);
}

static void chacha20_add(uint8_t iv[IV_LEN], uint64_t num_blocks)
{
    uint64_t carry = 0;

    for (size_t i = 0; i < 8; i++) {
        carry += (uint64_t)iv[i] + (uint8_t)(num_blocks >> (8 * i));
        iv[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

static const struct stream_mode chacha20_mode = {
    64, chacha20_init, chacha20_start, chacha20_update, chacha20_set_key, chacha20_add
};

/* ---- Contexts ---- */

static void *stream_newctx(void *prov, const struct lcp_cipher *cipher)
{
    struct stream_ctx *c = lcp_new(prov, sizeof(*c));

    if (c) {
        c->prov = prov;
        c->cipher = cipher;
        c->mode = cipher == &lcp_chacha20 ? &chacha20_mode : &ctr_mode;
    }
    return c;
}

static void stream_freectx(void *ctx)
{
    lcp_free(ctx, sizeof(struct stream_ctx));
}

static void *stream_dupctx(void *ctx)
{
    const struct stream_ctx *c = ctx;
    struct stream_ctx *copy = lcp_copy(c->prov, c, sizeof(*c));

    if (copy)
        copy->mode->set_key(&copy->state, &copy->key);
    return copy;
}

static const char *ctr_impl_name(const void *ctx)
{
    return lc_ctr_impl_name(&((const struct stream_ctx *)ctx)->key.ctr);
}

static const char *chacha20_impl_name(const void *ctx)
{
    return lc_chacha20_impl_name(&((const struct stream_ctx *)ctx)->key.chacha20);
}

/* The rest of a begun block is dropped: there is no key stream for it any more. */
static const uint8_t *updated_iv(struct stream_ctx *c)
{
    uint64_t num_blocks = c->done_len / c->mode->block_len + (c->done_len % c->mode->block_len != 0);

    memcpy(c->updated_iv, c->start, IV_LEN);
    c->mode->add(c->updated_iv, num_blocks);
    memcpy(c->lent_iv, c->updated_iv, IV_LEN);
    return c->updated_iv;
}

static void restart(struct stream_ctx *c, const uint8_t iv[IV_LEN])
{
    memmove(c->start, iv, IV_LEN);
    c->done_len = 0;
    c->is_started = false;
}

/* ---- Parameters ---- */

static int stream_set_ctx_params(void *ctx, const OSSL_PARAM params[])
{
    struct stream_ctx *c = ctx;

    for (const OSSL_PARAM *p = params; p && p->key; p++) {
        size_t value;

        switch (lcp_param(p->key)) {
        case LCP_P_KEY_LEN:
            if (!lcp_expect_size(c->prov, p, c->cipher->key_len, BAD_KEY_LEN))
                return 0;
            break;
        case LCP_P_IV_LEN:
            if (!lcp_expect_size(c->prov, p, IV_LEN, BAD_IV_LEN))
                return 0;
            break;
        case LCP_P_NUM:
            if (!lcp_read_size(p, &value))
                return lcp_refuse(c->prov, BAD_PARAM);
            if (value == c->done_len % c->mode->block_len)
                break;
            if (value != 0)
                return lcp_refuse(c->prov, NUM);
            restart(c, updated_iv(c));
            break;
        default: break;
        }
    }
    return 1;
}

static int stream_get_ctx_params(void *ctx, OSSL_PARAM params[])
{
    struct stream_ctx *c = ctx;

    for (OSSL_PARAM *p = params; p && p->key; p++) {
        int ok = 1;

        switch (lcp_param(p->key)) {
        case LCP_P_KEY_LEN: ok = lcp_write_size(p, c->cipher->key_len); break;
        case LCP_P_IV_LEN: ok = lcp_write_size(p, IV_LEN); break;
        case LCP_P_IV: ok = lcp_write_octets(p, c->iv, IV_LEN); break;
        case LCP_P_UPDATED_IV:
            ok = lcp_write_octets(p, updated_iv(c), IV_LEN);
            c->is_iv_lent |= p->data_type == OSSL_PARAM_OCTET_PTR; /* EVP_CIPHER_CTX_iv_noconst() */
            break;
        case LCP_P_NUM: ok = lcp_write_size(p, c->done_len % c->mode->block_len); break;
        default: break;
        }
        if (!ok)
            return lcp_refuse(c->prov, BAD_PARAM);
    }
    return 1;
}

LCP_PARAM_LIST(stream_gettable_ctx_params, LCP_GETTABLE_CTX_PARAMS)
LCP_PARAM_LIST(stream_settable_ctx_params, OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
               OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL), OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL),
               OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, NULL)) /* there is none, and nothing to set */

/* ---- Encryption, which is decryption ---- */

/*
 * Without an iv it goes on after the last block, with the new key if there is one; without any so far, from a counter of zeros.
 * CTR-DRBG sets the key first and the iv in a second call.  With neither, ChaCha20 goes on inside its block, as the default
 * provider's does, and CTR doesn't.
 */
static int stream_init(void *ctx, const unsigned char *raw, size_t raw_len, const unsigned char *iv, size_t iv_len,
                       const OSSL_PARAM params[])
{
    struct stream_ctx *c = ctx;

    if (raw && raw_len != c->cipher->key_len)
        return lcp_refuse(c->prov, BAD_KEY_LEN);
    if (iv && iv_len != IV_LEN)
        return lcp_refuse(c->prov, BAD_IV_LEN);
    if (raw && !(c->has_key && lcp_same_key(c->raw, raw, raw_len))) {
        c->has_key = false;
        if (c->mode->init(&c->key, raw, raw_len) != LC_OK)
            return lcp_refuse(c->prov, CORE);
        memcpy(c->raw, raw, raw_len);
        c->has_key = true;
    }
    if (iv)
        memcpy(c->iv, iv, IV_LEN);
    if (iv || raw || c->mode == &ctr_mode)
        restart(c, iv ? iv : updated_iv(c));
    return params ? stream_set_ctx_params(c, params) : 1;
}

static int stream_update(void *ctx, unsigned char *out, size_t *out_len, size_t out_size, const unsigned char *in, size_t len)
{
    struct stream_ctx *c = ctx;

    *out_len = 0;
    if (!c->has_key)
        return lcp_refuse(c->prov, NO_KEY);
    if (len == 0)
        return 1;
    if (!in)
        return lcp_refuse(c->prov, NO_INPUT);
    if (!out)
        return lcp_refuse(c->prov, NO_OUTPUT);
    if (out_size < len)
        return lcp_refuse(c->prov, BUFFER_TOO_SMALL);
    if (len > PTRDIFF_MAX) /* a negative number on its way through EVP */
        return lcp_refuse(c->prov, TEXT_TOO_LONG);
    if (c->is_iv_lent && memcmp(c->updated_iv, c->lent_iv, IV_LEN) != 0) {
        restart(c, c->updated_iv);
        memcpy(c->lent_iv, c->updated_iv, IV_LEN);
    }
    if (!c->is_started) {
        c->mode->start(&c->state, &c->key, c->start);
        c->is_started = true;
    }
    if (c->mode->update(&c->key, &c->state, out, in, len) != LC_OK)
        return lcp_refuse(c->prov, TEXT_TOO_LONG);
    c->done_len += len;
    *out_len = len;
    return 1;
}

static int stream_final(void *ctx, unsigned char *out, size_t *out_len, size_t out_size)
{
    const struct stream_ctx *c = ctx;

    (void)out;
    (void)out_size;
    *out_len = 0;
    return c->has_key ? 1 : lcp_refuse(c->prov, NO_KEY);
}

/* ---- The ciphers ---- */

#define STREAM_CIPHER(cipher, ...)                                                                                                 \
    LCP_CIPHER(cipher, stream, stream_init, stream_init, stream_update, .iv_len = IV_LEN, .has_pieces = true, __VA_ARGS__)

STREAM_CIPHER(aes_128_ctr, .names = "AES-128-CTR", .description = "lanecrypt AES-128-CTR", .key_len = 16, .mode = EVP_CIPH_CTR_MODE,
              .impl_name = ctr_impl_name)
STREAM_CIPHER(aes_192_ctr, .names = "AES-192-CTR", .description = "lanecrypt AES-192-CTR", .key_len = 24, .mode = EVP_CIPH_CTR_MODE,
              .impl_name = ctr_impl_name)
STREAM_CIPHER(aes_256_ctr, .names = "AES-256-CTR", .description = "lanecrypt AES-256-CTR", .key_len = 32, .mode = EVP_CIPH_CTR_MODE,
              .impl_name = ctr_impl_name)
STREAM_CIPHER(chacha20, .names = "ChaCha20", .description = "lanecrypt ChaCha20", .key_len = 32, .mode = EVP_CIPH_STREAM_CIPHER,
              .has_custom_iv = true, .impl_name = chacha20_impl_name)
