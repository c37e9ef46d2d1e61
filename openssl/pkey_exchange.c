/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ECDH and X25519.  The default provider has a context too, which gets everything that is set; it computes what the core doesn't:
 * other curves, key derivation functions, whatever is set at all, and what fails, so that errors are its errors.
 */
#include "pkey.h"

struct lcp_table lcp_exchange_ecdh, lcp_exchange_x25519;

struct exchange {
    const struct lcp_provider *prov;
    const struct lcp_table *table;
    void *ctx; /* the default provider's */
    struct lcp_key *key, *peer;
    bool is_unusual;
};

static void *exchange_newctx(void *provctx, const struct lcp_table *table)
{
    const struct lcp_provider *prov = provctx;
    struct exchange *x = calloc(1, sizeof(*x));

    if (!x) {
        (void)lcp_refuse(prov, ALLOC);
        return NULL;
    }
    x->prov = prov;
    x->table = table;
    x->ctx = LCP_DEFAULT(table, keyexch_newctx, OSSL_FUNC_KEYEXCH_NEWCTX)(prov->public_keys->provctx);
    if (!x->ctx) {
        free(x);
        return NULL;
    }
    return x;
}

static void exchange_freectx(void *ctx)
{
    struct exchange *x = ctx;

    if (!x)
        return;
    LCP_DEFAULT(x->table, keyexch_freectx, OSSL_FUNC_KEYEXCH_FREECTX)(x->ctx);
    lcp_key_free(x->key);
    lcp_key_free(x->peer);
    free(x);
}

static void *exchange_dupctx(void *ctx)
{
    const struct exchange *x = ctx;
    struct exchange *copy = malloc(sizeof(*copy));

    if (!copy) {
        (void)lcp_refuse(x->prov, ALLOC);
        return NULL;
    }
    *copy = *x;
    copy->ctx = LCP_DEFAULT(x->table, keyexch_dupctx, OSSL_FUNC_KEYEXCH_DUPCTX)(x->ctx);
    if (!copy->ctx) {
        free(copy);
        return NULL;
    }
    if (copy->key)
        lcp_key_up_ref(copy->key);
    if (copy->peer)
        lcp_key_up_ref(copy->peer);
    return copy;
}

static void set_key(struct lcp_key **to, struct lcp_key *key)
{
    if (key)
        lcp_key_up_ref(key);
    lcp_key_free(*to);
    *to = key;
}

static int exchange_init(void *ctx, void *key, const OSSL_PARAM params[])
{
    struct exchange *x = ctx;
    struct lcp_key *k = key;

    set_key(&x->key, k);
    set_key(&x->peer, NULL);
    x->is_unusual = params && params->key;
    return LCP_DEFAULT(x->table, keyexch_init, OSSL_FUNC_KEYEXCH_INIT)(x->ctx, k ? k->key : NULL, params);
}

static int exchange_set_peer(void *ctx, void *peer)
{
    struct exchange *x = ctx;
    struct lcp_key *k = peer;

    set_key(&x->peer, k);
    return LCP_DEFAULT(x->table, keyexch_set_peer, OSSL_FUNC_KEYEXCH_SET_PEER)(x->ctx, k ? k->key : NULL);
}

static int exchange_set_ctx_params(void *ctx, const OSSL_PARAM params[])
{
    struct exchange *x = ctx;

    x->is_unusual |= params && params->key;
    return LCP_DEFAULT(x->table, keyexch_set_ctx_params, OSSL_FUNC_KEYEXCH_SET_CTX_PARAMS)(x->ctx, params);
}

static int exchange_get_ctx_params(void *ctx, OSSL_PARAM params[])
{
    const struct exchange *x = ctx;

    return LCP_DEFAULT(x->table, keyexch_get_ctx_params, OSSL_FUNC_KEYEXCH_GET_CTX_PARAMS)(x->ctx, params);
}

/* By the core; 0 if that isn't possible. */
static size_t derive_by_core(const struct exchange *x, unsigned char *secret, size_t size)
{
    struct lcp_core *core = lcp_core_get(x->key, LCP_DERIVE);
    struct lcp_job job = { .core = core };
    size_t len = 32;

    if (!core)
        return 0;
    job.in_len = lcp_key_public(x->peer, job.in, sizeof(job.in));
    switch (core->kind) {
    case LCP_KIND_P256: job.op = LCP_OP_P256_DH; break;
    case LCP_KIND_P384:
        job.op = LCP_OP_P384_DH;
        len = 48;
        break;
    default: job.op = LCP_OP_X25519; break;
    }
    if (core->kind == LCP_KIND_X25519 ? job.in_len != LC_X25519_LEN : lcp_key_curve(x->peer) != core->kind)
        len = 0;
    if (len && (size < len || !lcp_run(&job)))
        len = 0;
    if (len)
        memcpy(secret, job.out, len);
    lc_wipe(job.out, sizeof(job.out));
    lcp_core_free(core);
    return len;
}

static int exchange_derive(void *ctx, unsigned char *secret, size_t *len, size_t size)
{
    const struct exchange *x = ctx;

    if (secret && x->key && x->peer && !x->is_unusual) {
        size_t done = derive_by_core(x, secret, size);

        if (done) {
            *len = done;
            return 1;
        }
    }
    return LCP_DEFAULT(x->table, keyexch_derive, OSSL_FUNC_KEYEXCH_DERIVE)(x->ctx, secret, len, size);
}

/* Functions that may be called without a context; each algorithm has its own. */
#define EXCHANGE(algorithm)                                                                                                        \
    static void *algorithm##_newctx(void *prov)                                                                                    \
    {                                                                                                                              \
        return exchange_newctx(prov, &lcp_exchange_##algorithm);                                                                   \
    }                                                                                                                              \
    static const OSSL_PARAM *algorithm##_settable(void *ctx, void *prov)                                                           \
    {                                                                                                                              \
        return LCP_DEFAULT(&lcp_exchange_##algorithm, keyexch_settable_ctx_params,                                                 \
                           OSSL_FUNC_KEYEXCH_SETTABLE_CTX_PARAMS)(ctx ? ((struct exchange *)ctx)->ctx : NULL,                      \
                                                                  ((struct lcp_provider *)prov)->public_keys->provctx);            \
    }                                                                                                                              \
    static const OSSL_PARAM *algorithm##_gettable(void *ctx, void *prov)                                                           \
    {                                                                                                                              \
        return LCP_DEFAULT(&lcp_exchange_##algorithm, keyexch_gettable_ctx_params,                                                 \
                           OSSL_FUNC_KEYEXCH_GETTABLE_CTX_PARAMS)(ctx ? ((struct exchange *)ctx)->ctx : NULL,                      \
                                                                  ((struct lcp_provider *)prov)->public_keys->provctx);            \
    }                                                                                                                              \
    const OSSL_DISPATCH lcp_##algorithm##_functions[] = {                                                                          \
        LCP_FUNCTION(OSSL_FUNC_KEYEXCH_NEWCTX, algorithm##_newctx),                                                                \
        LCP_FUNCTION(OSSL_FUNC_KEYEXCH_INIT, exchange_init),                                                                       \
        LCP_FUNCTION(OSSL_FUNC_KEYEXCH_DERIVE, exchange_derive),                                                                   \
        LCP_FUNCTION(OSSL_FUNC_KEYEXCH_SET_PEER, exchange_set_peer),                                                               \
        LCP_FUNCTION(OSSL_FUNC_KEYEXCH_FREECTX, exchange_freectx),                                                                 \
        LCP_FUNCTION(OSSL_FUNC_KEYEXCH_DUPCTX, exchange_dupctx),                                                                   \
        LCP_FUNCTION(OSSL_FUNC_KEYEXCH_SET_CTX_PARAMS, exchange_set_ctx_params),                                                   \
        LCP_FUNCTION(OSSL_FUNC_KEYEXCH_SETTABLE_CTX_PARAMS, algorithm##_settable),                                                 \
        LCP_FUNCTION(OSSL_FUNC_KEYEXCH_GET_CTX_PARAMS, exchange_get_ctx_params),                                                   \
        LCP_FUNCTION(OSSL_FUNC_KEYEXCH_GETTABLE_CTX_PARAMS, algorithm##_gettable),                                                 \
        { 0, NULL }                                                                                                                \
    };

EXCHANGE(ecdh)
EXCHANGE(x25519)
