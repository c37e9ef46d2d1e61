/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SM3 as a digest.  Its names and its parameters are the default provider's, so that the two can't differ; it has none that can be
 * set.
 */
#include "pkey.h"

struct digest_ctx {
    const struct lcp_provider *prov;
    bool is_started; /* and not finished */
    struct lc_sm3_state state;
};

struct lcp_table lcp_digest_sm3;

/* Of short messages these two are a good part of the time.  So the state stays as it is until it's started. */
static void *digest_new(void *provctx)
{
    struct digest_ctx *c = malloc(sizeof(*c));

    if (!c) {
        (void)lcp_refuse((const struct lcp_provider *)provctx, ALLOC);
        return NULL;
    }
    c->prov = provctx;
    c->is_started = false;
    return c;
}

static void digest_free(void *ctx)
{
    struct digest_ctx *c = ctx;

    if (c && c->is_started) /* the end of a digest has wiped it */
        lc_sm3_state_wipe(&c->state);
    free(c);
}

static void *digest_dup(void *ctx)
{
    return lcp_copy(((const struct digest_ctx *)ctx)->prov, ctx, sizeof(struct digest_ctx));
}

static void digest_copy(void *to, void *from)
{
    memcpy(to, from, sizeof(struct digest_ctx));
}

static int digest_init(void *ctx, const OSSL_PARAM params[])
{
    struct digest_ctx *c = ctx;

    (void)params;
    c->state = c->prov->public_keys->sm3;
    c->is_started = true;
    return 1;
}

static int digest_update(void *ctx, const unsigned char *in, size_t len)
{
    struct digest_ctx *c = ctx;

    if (!c->is_started)
        return lcp_refuse(c->prov, NOT_STARTED);
    lc_sm3_update(&c->state, in, len);
    return 1;
}

static int digest_final(void *ctx, unsigned char *out, size_t *out_len, size_t size)
{
    struct digest_ctx *c = ctx;

    if (!c->is_started)
        return lcp_refuse(c->prov, NOT_STARTED);
    if (size < LC_SM3_LEN)
        return lcp_refuse(c->prov, BUFFER_TOO_SMALL);
    lc_sm3_finish(&c->state, out);
    c->is_started = false;
    *out_len = LC_SM3_LEN;
    return 1;
}

static int digest_get_params(OSSL_PARAM params[])
{
    return LCP_DEFAULT(&lcp_digest_sm3, digest_get_params, OSSL_FUNC_DIGEST_GET_PARAMS)(params);
}

static const OSSL_PARAM *digest_gettable(void *provctx)
{
    const struct lcp_provider *prov = provctx;

    return LCP_DEFAULT(&lcp_digest_sm3, digest_gettable_params, OSSL_FUNC_DIGEST_GETTABLE_PARAMS)(prov->public_keys->provctx);
}

/* What came after 3.0, whose headers are enough for building. */
enum { DIGEST_COPYCTX = 15 };

const OSSL_DISPATCH lcp_sm3_functions[] = {
    LCP_FUNCTION(OSSL_FUNC_DIGEST_NEWCTX, digest_new),
    LCP_FUNCTION(OSSL_FUNC_DIGEST_INIT, digest_init),
    LCP_FUNCTION(OSSL_FUNC_DIGEST_UPDATE, digest_update),
    LCP_FUNCTION(OSSL_FUNC_DIGEST_FINAL, digest_final),
    LCP_FUNCTION(OSSL_FUNC_DIGEST_FREECTX, digest_free),
    LCP_FUNCTION(OSSL_FUNC_DIGEST_DUPCTX, digest_dup),
    LCP_FUNCTION(DIGEST_COPYCTX, digest_copy),
    LCP_FUNCTION(OSSL_FUNC_DIGEST_GET_PARAMS, digest_get_params),
    LCP_FUNCTION(OSSL_FUNC_DIGEST_GETTABLE_PARAMS, digest_gettable),
    { 0, NULL }
};

/* GM/T 0004-2012, A.1 and A.2: "abc", and 16 times "abcd", here in two pieces */
bool lcp_sm3_selftest(struct lc_sm3_state *begun)
{
    static const uint8_t abc[] = "\x66\xc7\xf0\xf4\x62\xee\xed\xd9\xd1\xf2\xd4\x6b\xdc\x10\xe4\xe2"
                                 "\x41\x67\xc4\x87\x5c\xf2\xf7\xa2\x29\x7d\xa0\x2b\x8f\x4b\xa8\xe0";
    static const uint8_t abcd[] = "\xde\xbe\x9f\xf9\x22\x75\xb8\xa1\x38\x60\x48\x89\xc1\x8e\x5a\x4d"
                                  "\x6f\xdb\x70\xe5\x38\x7e\x57\x65\x29\x3d\xcb\xa3\x9c\x0c\x57\x32";
    static const uint8_t text[] = "abcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcd";
    struct lc_sm3_state state;
    uint8_t digest[LC_SM3_LEN];

    if (lc_sm3(digest, text, 3) != LC_OK || memcmp(digest, abc, LC_SM3_LEN) != 0 || lc_sm3_start(begun) != LC_OK)
        return false;
    state = *begun;
    lc_sm3_update(&state, text, 21);
    lc_sm3_update(&state, text + 21, 43);
    lc_sm3_finish(&state, digest);
    return memcmp(digest, abcd, LC_SM3_LEN) == 0;
}
