/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Decryption by RSA: OAEP, the padding of TLS up to 1.2, and none.
 *
 * The core does the private operation, alone or in a batch; it needs to know nothing of the padding.  What comes of it is looked at
 * here as the default provider would: OAEP by libcrypto's own function, which has all hash functions, takes one time whatever is
 * wrong, and leaves the default provider's error; TLS's by the core's, which gives a random secret for one that is wrong.  So
 * nothing is done a second time because a padding is wrong: that would be heard.  What everybody sees is handed on (a ciphertext
 * of another length, or one not below n), and so is a calculation that was wrong.
 *
 * PKCS #1 v1.5 is all the default provider's, and so is encryption.  Since 3.2 it answers a wrong padding with a made-up message,
 * which it calculates from d; before, with an error.
 */
#include <limits.h>

#include <openssl/evp.h>
#include <openssl/rsa.h>

#include "../src/rsa_internal.h"
#include "pkey.h"

struct lcp_table lcp_cipher_rsa;

struct decrypting {
    const struct lcp_provider *prov;
    void *ctx; /* the default provider's */
    struct lcp_key *key;
    bool is_decryption, is_unusual;
};

static void *rsa_newctx(void *provctx)
{
    const struct lcp_provider *prov = provctx;
    struct decrypting *d = calloc(1, sizeof(*d));

    if (!d) {
        (void)lcp_refuse(prov, ALLOC);
        return NULL;
    }
    d->prov = prov;
    d->ctx = LCP_DEFAULT(&lcp_cipher_rsa, asym_cipher_newctx, OSSL_FUNC_ASYM_CIPHER_NEWCTX)(prov->public_keys->provctx);
    if (!d->ctx) {
        free(d);
        return NULL;
    }
    return d;
}

static void rsa_freectx(void *ctx)
{
    struct decrypting *d = ctx;

    if (!d)
        return;
    LCP_DEFAULT(&lcp_cipher_rsa, asym_cipher_freectx, OSSL_FUNC_ASYM_CIPHER_FREECTX)(d->ctx);
    lcp_key_free(d->key);
    free(d);
}

static void *rsa_dupctx(void *ctx)
{
    const struct decrypting *d = ctx;
    struct decrypting *copy = malloc(sizeof(*copy));

    if (!copy) {
        (void)lcp_refuse(d->prov, ALLOC);
        return NULL;
    }
    *copy = *d;
    copy->ctx = LCP_DEFAULT(&lcp_cipher_rsa, asym_cipher_dupctx, OSSL_FUNC_ASYM_CIPHER_DUPCTX)(d->ctx);
    if (!copy->ctx) {
        free(copy);
        return NULL;
    }
    if (copy->key)
        lcp_key_up_ref(copy->key);
    return copy;
}

/* ---- Settings ---- */

/* Only these are looked at; with any other one it's all the default provider's. */
static bool is_usual(const OSSL_PARAM params[])
{
    static const char *const usual[] = { OSSL_ASYM_CIPHER_PARAM_PAD_MODE,           OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST,
                                         OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST,        OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL,
                                         OSSL_ASYM_CIPHER_PARAM_TLS_CLIENT_VERSION, OSSL_ASYM_CIPHER_PARAM_TLS_NEGOTIATED_VERSION };

    return lcp_all_named(params, usual, sizeof(usual) / sizeof(usual[0]));
}

struct settings {
    int padding;
    char hash[80], mask_hash[80]; /* OAEP's; empty: SHA-1, the other one's */
    unsigned char *label;
    size_t label_len;
    unsigned version, other_version; /* TLS's */
};

/* As the default provider has them, whoever set them. */
static bool get_settings(const struct decrypting *d, struct settings *found)
{
    *found = (struct settings){ 0 };

    OSSL_PARAM params[] = {
        { OSSL_ASYM_CIPHER_PARAM_PAD_MODE, OSSL_PARAM_INTEGER, &found->padding, sizeof(found->padding), 0 },
        { OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST, OSSL_PARAM_UTF8_STRING, found->hash, sizeof(found->hash) - 1, 0 },
        { OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST, OSSL_PARAM_UTF8_STRING, found->mask_hash, sizeof(found->mask_hash) - 1, 0 },
        { OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL, OSSL_PARAM_OCTET_PTR, &found->label, sizeof(found->label), 0 },
        { OSSL_ASYM_CIPHER_PARAM_TLS_CLIENT_VERSION, OSSL_PARAM_UNSIGNED_INTEGER, &found->version, sizeof(unsigned), 0 },
        { OSSL_ASYM_CIPHER_PARAM_TLS_NEGOTIATED_VERSION, OSSL_PARAM_UNSIGNED_INTEGER, &found->other_version, sizeof(unsigned), 0 },
        OSSL_PARAM_END
    };

    if (!LCP_DEFAULT(&lcp_cipher_rsa, asym_cipher_get_ctx_params, OSSL_FUNC_ASYM_CIPHER_GET_CTX_PARAMS)(d->ctx, params))
        return false;
    found->label_len = found->label ? params[3].return_size : 0;
    return true;
}

/* ---- Paddings.  What is in em is secret, and so is what is wrong with it. ---- */

struct oaep {
    EVP_MD *hash, *mask_hash;
};

static bool is_xof(const EVP_MD *hash)
{
    return hash && lcp_libcrypto.EVP_MD_get_flags(hash) & EVP_MD_FLAG_XOF;
}

/* Functions with outputs of any length are refused since 3.4: by the default provider, so that the errors are its own. */
static bool fetch_hashes(const struct decrypting *d, const struct settings *s, struct oaep *oaep)
{
    OSSL_LIB_CTX *libctx = d->prov->public_keys->libctx;

    if (!lcp_libcrypto.oaep_check)
        return false;
    oaep->hash = lcp_libcrypto.EVP_MD_fetch(libctx, *s->hash ? s->hash : "SHA1", NULL);
    oaep->mask_hash = *s->mask_hash && oaep->hash ? lcp_libcrypto.EVP_MD_fetch(libctx, s->mask_hash, NULL) : NULL;
    return oaep->hash && (oaep->mask_hash || !*s->mask_hash) && !is_xof(oaep->hash) && !is_xof(oaep->mask_hash);
}

static void free_hashes(const struct oaep *oaep)
{
    if (oaep->hash)
        lcp_libcrypto.EVP_MD_free(oaep->hash);
    if (oaep->mask_hash)
        lcp_libcrypto.EVP_MD_free(oaep->mask_hash);
}

/* As the default provider does it, which answers with the length, or -1.  What is answered here takes no branch either. */
static int check_oaep(const struct settings *s, const struct oaep *oaep, unsigned char *out, size_t *out_len, const uint8_t *em,
                      size_t len)
{
    int found =
        lcp_libcrypto.oaep_check(out, (int)len, em, (int)len, (int)len, s->label, (int)s->label_len, oaep->hash, oaep->mask_hash);
    size_t wrong = (size_t)lc_opaque(0 - (uint64_t)((unsigned)found >> 31));

    *out_len ^= (*out_len ^ (size_t)found) & ~wrong;
    return (int)(1 + wrong);
}

/* ---- What libcrypto calls ---- */

/* Has the core done the private operation?  job->out has what came of it. */
static bool run(struct lcp_core *core, struct lcp_job *job, const unsigned char *in, size_t len)
{
    job->op = lcp_rsa_op(core, LCP_OP_RSA_PRIVATE_2048);
    job->core = core;
    job->in_len = len;
    memcpy(job->in, in, len);
    return lcp_run(job);
}

/* What the core does; false: nothing was done.  *ok: what to answer. */
static bool decrypt_by_core(const struct decrypting *d, struct lcp_core *core, int *ok, unsigned char *out, size_t *out_len,
                            size_t size, const unsigned char *in, size_t len)
{
    struct lcp_job job = { .status = LC_ERR_STATE };
    struct oaep oaep = { NULL, NULL };
    uint8_t secret[LC_RSA_TLS_SECRET_LEN];
    struct settings s;
    bool done = false;

    if (len != core->bits / 8 || !get_settings(d, &s))
        return false;
    switch (s.padding) {
    case RSA_NO_PADDING:
        done = size >= len && run(core, &job, in, len);
        if (done)
            memcpy(out, job.out, *out_len = len);
        break;
    case RSA_PKCS1_OAEP_PADDING:
        done = size >= len && s.label_len <= INT_MAX && fetch_hashes(d, &s, &oaep) && run(core, &job, in, len);
        if (done)
            *ok = check_oaep(&s, &oaep, out, out_len, job.out, len);
        free_hashes(&oaep);
        break;
    case RSA_PKCS1_WITH_TLS_PADDING:
        done = size >= sizeof(secret) && (int)s.version > 0 && (int)s.other_version >= 0 &&
               lcp_libcrypto.RAND_priv_bytes_ex(d->prov->public_keys->libctx, secret, sizeof(secret), 0) == 1 &&
               run(core, &job, in, len);
        if (done) {
            lc_rsa_tls_secret(secret, job.out, len, s.version, s.other_version);
            memcpy(out, secret, *out_len = sizeof(secret));
        }
        lc_wipe(secret, sizeof(secret));
        break;
    default: break;
    }
    lc_wipe(job.out, sizeof(job.out));
    return done;
}

static int rsa_decrypt(void *ctx, unsigned char *out, size_t *out_len, size_t size, const unsigned char *in, size_t len)
{
    const struct decrypting *d = ctx;
    struct lcp_core *core = out && d->is_decryption && !d->is_unusual && d->key ? lcp_core_for(d->key, LCP_SIGN) : NULL;
    int ok = 1;
    bool done = core && decrypt_by_core(d, core, &ok, out, out_len, size, in, len);

    lcp_core_free(core);
    if (!done) {
        ok = LCP_DEFAULT(&lcp_cipher_rsa, asym_cipher_decrypt, OSSL_FUNC_ASYM_CIPHER_DECRYPT)(d->ctx, out, out_len, size, in, len);
        lcp_leave();
    }
    return ok;
}

static int rsa_encrypt(void *ctx, unsigned char *out, size_t *out_len, size_t size, const unsigned char *in, size_t len)
{
    const struct decrypting *d = ctx;

    return LCP_DEFAULT(&lcp_cipher_rsa, asym_cipher_encrypt, OSSL_FUNC_ASYM_CIPHER_ENCRYPT)(d->ctx, out, out_len, size, in, len);
}

static void *begin(struct decrypting *d, struct lcp_key *key, const OSSL_PARAM params[], bool is_decryption)
{
    if (key)
        lcp_key_up_ref(key);
    lcp_key_free(d->key);
    d->key = key;
    d->is_decryption = is_decryption;
    d->is_unusual |= !is_usual(params);
    return key ? key->key : NULL;
}

static int rsa_encrypt_init(void *ctx, void *key, const OSSL_PARAM params[])
{
    struct decrypting *d = ctx;
    void *defaults = begin(d, key, params, false);

    return LCP_DEFAULT(&lcp_cipher_rsa, asym_cipher_encrypt_init, OSSL_FUNC_ASYM_CIPHER_ENCRYPT_INIT)(d->ctx, defaults, params);
}

static int rsa_decrypt_init(void *ctx, void *key, const OSSL_PARAM params[])
{
    struct decrypting *d = ctx;
    void *defaults = begin(d, key, params, true);

    return LCP_DEFAULT(&lcp_cipher_rsa, asym_cipher_decrypt_init, OSSL_FUNC_ASYM_CIPHER_DECRYPT_INIT)(d->ctx, defaults, params);
}

static int rsa_set_ctx_params(void *ctx, const OSSL_PARAM params[])
{
    struct decrypting *d = ctx;

    d->is_unusual |= !is_usual(params);
    return LCP_DEFAULT(&lcp_cipher_rsa, asym_cipher_set_ctx_params, OSSL_FUNC_ASYM_CIPHER_SET_CTX_PARAMS)(d->ctx, params);
}

static int rsa_get_ctx_params(void *ctx, OSSL_PARAM params[])
{
    const struct decrypting *d = ctx;

    return LCP_DEFAULT(&lcp_cipher_rsa, asym_cipher_get_ctx_params, OSSL_FUNC_ASYM_CIPHER_GET_CTX_PARAMS)(d->ctx, params);
}

static const OSSL_PARAM *rsa_settable(void *ctx, void *prov)
{
    return LCP_DEFAULT(&lcp_cipher_rsa, asym_cipher_settable_ctx_params,
                       OSSL_FUNC_ASYM_CIPHER_SETTABLE_CTX_PARAMS)(ctx ? ((struct decrypting *)ctx)->ctx : NULL,
                                                                  ((struct lcp_provider *)prov)->public_keys->provctx);
}

static const OSSL_PARAM *rsa_gettable(void *ctx, void *prov)
{
    return LCP_DEFAULT(&lcp_cipher_rsa, asym_cipher_gettable_ctx_params,
                       OSSL_FUNC_ASYM_CIPHER_GETTABLE_CTX_PARAMS)(ctx ? ((struct decrypting *)ctx)->ctx : NULL,
                                                                  ((struct lcp_provider *)prov)->public_keys->provctx);
}

const OSSL_DISPATCH lcp_rsa_cipher_functions[] = {
    LCP_FUNCTION(OSSL_FUNC_ASYM_CIPHER_NEWCTX, rsa_newctx),
    LCP_FUNCTION(OSSL_FUNC_ASYM_CIPHER_ENCRYPT_INIT, rsa_encrypt_init),
    LCP_FUNCTION(OSSL_FUNC_ASYM_CIPHER_ENCRYPT, rsa_encrypt),
    LCP_FUNCTION(OSSL_FUNC_ASYM_CIPHER_DECRYPT_INIT, rsa_decrypt_init),
    LCP_FUNCTION(OSSL_FUNC_ASYM_CIPHER_DECRYPT, rsa_decrypt),
    LCP_FUNCTION(OSSL_FUNC_ASYM_CIPHER_FREECTX, rsa_freectx),
    LCP_FUNCTION(OSSL_FUNC_ASYM_CIPHER_DUPCTX, rsa_dupctx),
    LCP_FUNCTION(OSSL_FUNC_ASYM_CIPHER_GET_CTX_PARAMS, rsa_get_ctx_params),
    LCP_FUNCTION(OSSL_FUNC_ASYM_CIPHER_GETTABLE_CTX_PARAMS, rsa_gettable),
    LCP_FUNCTION(OSSL_FUNC_ASYM_CIPHER_SET_CTX_PARAMS, rsa_set_ctx_params),
    LCP_FUNCTION(OSSL_FUNC_ASYM_CIPHER_SETTABLE_CTX_PARAMS, rsa_settable),
    { 0, NULL }
};
