/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Signatures: ECDSA, Ed25519, RSA, SM2.
 *
 * The default provider has a context too, which gets all that is set, and which is asked what the settings are.  It does what the
 * core doesn't: other curves and lengths, hash functions and paddings; and what has failed, so that errors are its errors, and that
 * a signature is wrong is its answer.  So the core can only say that a signature is right.
 *
 * Messages that come in pieces: the hash is the core's if the signature will be.  That is decided when the first piece comes.
 */
#include <stdio.h>
#include <strings.h>

#include <openssl/evp.h>
#include <openssl/rsa.h>

#include "lanecrypt/sha2.h"
#include "pkey.h"

struct lcp_table lcp_signature_rsa, lcp_signature_ecdsa, lcp_signature_ed25519, lcp_signature_sm2;

enum operation { NOTHING, SIGN, VERIFY, DIGEST_SIGN, DIGEST_VERIFY, DEFAULT_ONLY };
enum hashing { UNDECIDED, BY_CORE, BY_DEFAULT, ENDED };

enum { HASH_SM3 = LC_RSA_SHA512 + 1 }; /* of SM2 only, which has no other one */

struct hash {
    int kind; /* enum lc_rsa_hash or HASH_SM3; 0: one that the core doesn't have */
    union {
        struct lc_sha256_state sha256;
        struct lc_sha384_state sha384;
        struct lc_sha512_state sha512;
        struct lc_sm3_state sm3;
    } state;
};

struct signing {
    const struct lcp_provider *prov;
    const struct lcp_table *table;
    void *ctx; /* the default provider's */
    char late_hash[12]; /* not empty: that one isn't begun yet, with this hash function; see default_ctx() */
    size_t late_len;    /* of its signatures, at most */
    bool late_asked;    /* the program was told so, after which the default provider lets it set another hash function */
    struct lcp_key *key;
    enum operation operation;
    bool is_unusual;    /* something was set that isn't looked at here */
    enum hashing hashing;
    struct hash hash;
    struct lcp_sm2_id id;
};

/* ---- Hash functions ---- */

static size_t hash_len(int kind)
{
    return kind == LC_RSA_SHA256   ? LC_SHA256_LEN
           : kind == LC_RSA_SHA384 ? LC_SHA384_LEN
           : kind == LC_RSA_SHA512 ? LC_SHA512_LEN
           : kind == HASH_SM3      ? LC_SM3_LEN
                                   : 0;
}

static int hash_by_name(const char *name)
{
    static const struct {
        const char *name;
        int kind;
    } names[] = { { "SHA256", LC_RSA_SHA256 }, { "SHA2-256", LC_RSA_SHA256 }, { "SHA-256", LC_RSA_SHA256 },
                  { "SHA384", LC_RSA_SHA384 }, { "SHA2-384", LC_RSA_SHA384 }, { "SHA-384", LC_RSA_SHA384 },
                  { "SHA512", LC_RSA_SHA512 }, { "SHA2-512", LC_RSA_SHA512 }, { "SHA-512", LC_RSA_SHA512 } };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcasecmp(name, names[i].name) == 0)
            return names[i].kind;
    return 0;
}

static bool hash_start(struct hash *h)
{
    switch (h->kind) {
    case LC_RSA_SHA256: return lc_sha256_start(&h->state.sha256) == LC_OK;
    case LC_RSA_SHA384: return lc_sha384_start(&h->state.sha384) == LC_OK;
    case LC_RSA_SHA512: return lc_sha512_start(&h->state.sha512) == LC_OK;
    case HASH_SM3: return lc_sm3_start(&h->state.sm3) == LC_OK;
    }
    return false;
}

static void hash_update(struct hash *h, const uint8_t *in, size_t len)
{
    switch (h->kind) {
    case LC_RSA_SHA256: lc_sha256_update(&h->state.sha256, in, len); break;
    case LC_RSA_SHA384: lc_sha384_update(&h->state.sha384, in, len); break;
    case LC_RSA_SHA512: lc_sha512_update(&h->state.sha512, in, len); break;
    case HASH_SM3: lc_sm3_update(&h->state.sm3, in, len); break;
    }
}

/* The state can go on. */
static void hash_digest(const struct hash *h, uint8_t digest[LC_SHA512_LEN])
{
    struct hash copy = *h;

    switch (copy.kind) {
    case LC_RSA_SHA256: lc_sha256_finish(&copy.state.sha256, digest); break;
    case LC_RSA_SHA384: lc_sha384_finish(&copy.state.sha384, digest); break;
    case LC_RSA_SHA512: lc_sha512_finish(&copy.state.sha512, digest); break;
    case HASH_SM3: lc_sm3_finish(&copy.state.sm3, digest); break;
    }
    lc_wipe(&copy, sizeof(copy));
}

/* ---- Contexts ---- */

static void *signing_newctx(void *provctx, const char *properties, const struct lcp_table *table)
{
    const struct lcp_provider *prov = provctx;
    struct signing *s = calloc(1, sizeof(*s));

    (void)properties; /* the default provider takes hash functions from its own library context, where it's alone */
    if (!s) {
        (void)lcp_refuse(prov, ALLOC);
        return NULL;
    }
    s->prov = prov;
    s->table = table;
    s->ctx = LCP_DEFAULT(table, signature_newctx, OSSL_FUNC_SIGNATURE_NEWCTX)(prov->public_keys->provctx, NULL);
    if (!s->ctx) {
        free(s);
        return NULL;
    }
    return s;
}

static void signing_freectx(void *ctx)
{
    struct signing *s = ctx;

    if (!s)
        return;
    LCP_DEFAULT(s->table, signature_freectx, OSSL_FUNC_SIGNATURE_FREECTX)(s->ctx);
    lcp_key_free(s->key);
    lc_wipe(&s->hash, sizeof(s->hash));
    free(s);
}

/*
 * ECDSA's messages begin without the default provider, if it would do nothing but remember key and hash function, and the core is
 * going to sign: libssl asks for that twice in a handshake, and one of these contexts signs nothing.  The default provider's begins
 * when it's needed.
 */
static void *default_ctx(const struct signing *s)
{
    struct signing *late = (struct signing *)(uintptr_t)s;
    char name[sizeof(s->late_hash)];

    if (*s->late_hash) { /* it can only fail if there is no memory, and then refuses what comes after */
        memcpy(name, s->late_hash, sizeof(name));
        *late->late_hash = '\0';
        (void)LCP_DEFAULT(s->table, signature_digest_sign_init,
                          OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT)(s->ctx, name, s->key->key, NULL);
        if (s->late_asked)
            (void)LCP_DEFAULT(s->table, signature_digest_sign_final,
                              OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL)(s->ctx, NULL, &late->late_len, 0);
    }
    return s->ctx;
}

static void *signing_dupctx(void *ctx)
{
    const struct signing *s = ctx;
    struct signing *copy = malloc(sizeof(*copy));

    if (!copy) {
        (void)lcp_refuse(s->prov, ALLOC);
        return NULL;
    }
    *copy = *s;
    copy->ctx = LCP_DEFAULT(s->table, signature_dupctx, OSSL_FUNC_SIGNATURE_DUPCTX)(s->ctx);
    if (!copy->ctx) {
        lc_wipe(copy, sizeof(*copy));
        free(copy);
        return NULL;
    }
    if (copy->key)
        lcp_key_up_ref(copy->key);
    return copy;
}

/* ---- Settings ---- */

/* SM2: it's past the point where the identity is used.  What is set after that is refused by the default provider. */
static bool is_late(const struct signing *s)
{
    return s->table == &lcp_signature_sm2 && (s->hashing == BY_CORE || s->hashing == ENDED);
}

typedef int OSSL_FUNC_later_update_fn(void *ctx, const unsigned char *in, size_t len);

/* Before something is set: if it's late, the default provider's context has to be that far, too. */
static void catch_up(const struct signing *s)
{
    if (is_late(s))
        LCP_DEFAULT(s->table, later_update,
                    s->operation == DIGEST_SIGN ? OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE
                                                : OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE)(default_ctx(s), NULL, 0);
}

/*
 * Only these are looked at; with any other one it's all the default provider's.  TLS's version, since 4.0, is for SM2 only, whose
 * identity it sets.
 */
static bool is_usual(const struct signing *s, const OSSL_PARAM params[])
{
    static const char *const usual[] = { OSSL_SIGNATURE_PARAM_DIGEST, OSSL_SIGNATURE_PARAM_PAD_MODE,
                                         OSSL_SIGNATURE_PARAM_PSS_SALTLEN, OSSL_SIGNATURE_PARAM_MGF1_DIGEST, "tls-version" };
    static const char *const usual_sm2[] = { OSSL_SIGNATURE_PARAM_DIGEST, OSSL_SIGNATURE_PARAM_DIGEST_SIZE, OSSL_PKEY_PARAM_DIST_ID,
                                             "tls-version" };

    if (s->table == &lcp_signature_sm2)
        return lcp_all_named(params, usual_sm2, is_late(s) ? 4 : 3);
    return lcp_all_named(params, usual, sizeof(usual) / sizeof(usual[0]));
}

/*
 * SM2: the default provider doesn't say who signs, so it's remembered, and stays until another one is set.  An identity that wasn't
 * taken may have been all the same, if something else was refused.
 */
static void remember_id(struct signing *s, const OSSL_PARAM params[], int is_taken)
{
    if (s->table != &lcp_signature_sm2 || is_late(s))
        return;
    for (const OSSL_PARAM *p = params; p && p->key; p++) {
        if (strcmp(p->key, OSSL_PKEY_PARAM_DIST_ID) != 0)
            continue;
        if (!is_taken || p->data_type != OSSL_PARAM_OCTET_STRING || !p->data || p->data_size == 0 ||
            p->data_size > sizeof(s->id.bytes)) {
            s->is_unusual = true;
            return;
        }
        memcpy(s->id.bytes, p->data, s->id.len = p->data_size);
        return; /* further ones aren't looked at */
    }
}

struct settings {
    int hash; /* as struct hash has it */
    bool has_hash; /* of any kind */
    int padding, salt_len;
    char hash_name[80];
};

/* As the default provider has them, whoever set them. */
static bool get_settings(const struct signing *s, struct settings *found)
{
    char mgf1[80] = "";
    unsigned nonce_type = 0;
    OSSL_PARAM ecdsa[] = {
        { OSSL_SIGNATURE_PARAM_DIGEST, OSSL_PARAM_UTF8_STRING, found->hash_name, sizeof(found->hash_name) - 1, 0 },
        { "nonce-type", OSSL_PARAM_UNSIGNED_INTEGER, &nonce_type, sizeof(nonce_type), 0 },
        OSSL_PARAM_END
    };
    OSSL_PARAM rsa[] = { ecdsa[0],
                         { OSSL_SIGNATURE_PARAM_PAD_MODE, OSSL_PARAM_INTEGER, &found->padding, sizeof(int), 0 },
                         { OSSL_SIGNATURE_PARAM_PSS_SALTLEN, OSSL_PARAM_INTEGER, &found->salt_len, sizeof(int), 0 },
                         { OSSL_SIGNATURE_PARAM_MGF1_DIGEST, OSSL_PARAM_UTF8_STRING, mgf1, sizeof(mgf1) - 1, 0 },
                         OSSL_PARAM_END };
    bool is_rsa = s->table == &lcp_signature_rsa;

    *found = (struct settings){ .salt_len = RSA_PSS_SALTLEN_DIGEST };
    if (*s->late_hash) {
        found->hash = hash_by_name(s->late_hash);
        found->has_hash = true;
        return true;
    }
    if (!LCP_DEFAULT(s->table, signature_get_ctx_params,
                     OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS)(default_ctx(s), is_rsa ? rsa : ecdsa) ||
        nonce_type != 0)
        return false;
    found->hash = s->table != &lcp_signature_sm2             ? hash_by_name(found->hash_name)
                  : strcasecmp(found->hash_name, "SM3") == 0 ? HASH_SM3
                                                             : 0;
    found->has_hash = *found->hash_name;
    if (!is_rsa)
        return true;
    if (found->padding == RSA_PKCS1_PSS_PADDING)
        return found->hash && hash_by_name(mgf1) == found->hash &&
               (found->salt_len == RSA_PSS_SALTLEN_DIGEST || found->salt_len == (int)hash_len(found->hash));
    return found->padding == RSA_PKCS1_PADDING && (found->hash || !found->has_hash);
}

/* ---- By the core ---- */

/* Would the core do it, and be faster?  Of RSA that depends on whether others may do the same at the same time. */
static struct lcp_core *core_for(const struct signing *s, enum lcp_use use)
{
    if (!s->key || s->is_unusual || (s->table == &lcp_signature_rsa && use == LCP_VERIFY))
        return NULL;
    return lcp_core_for(s->key, use);
}

/* PKCS #1 v1.5 without a hash function: 0 1 ff .. ff 0, and what is signed, with eight ff or more between them. */
static bool encode_pkcs1(uint8_t *em, size_t em_len, const uint8_t *in, size_t len)
{
    if (len > em_len - 11)
        return false;
    memset(em, 0xff, em_len - len - 1);
    em[0] = 0;
    em[1] = 1;
    em[em_len - len - 1] = 0;
    if (len)
        memcpy(em + em_len - len, in, len);
    return true;
}

/* Answers 0 if that isn't possible, else the signature's length. */
static size_t sign_by_core(struct lcp_core *core, const struct settings *settings, unsigned char *sig, size_t size,
                           const uint8_t *in, size_t len)
{
    struct lcp_job job = { .core = core, .in_len = len };
    size_t sig_len = 0;
    bool is_p256 = core->kind == LCP_KIND_P256;

    if (len <= LCP_MAX_MESSAGE && len > 0)
        memcpy(job.in, in, len);
    else
        job.message = in;
    switch (core->kind) {
    case LCP_KIND_P256:
    case LCP_KIND_P384:
        if (len == 0 || len > LC_ECDSA_MAX_DIGEST_LEN || size < (is_p256 ? LC_ECDSA_P256_MAX_DER_LEN : LC_ECDSA_P384_MAX_DER_LEN))
            return 0;
        job.op = is_p256 ? LCP_OP_P256_SIGN : LCP_OP_P384_SIGN;
        if (lcp_run(&job))
            sig_len = is_p256 ? lc_ecdsa_p256_to_der(sig, job.out) : lc_ecdsa_p384_to_der(sig, job.out);
        break;
    case LCP_KIND_ED25519:
        if (size < LC_ED25519_SIG_LEN)
            return 0;
        job.op = LCP_OP_ED25519_SIGN;
        if (lcp_run(&job))
            memcpy(sig, job.out, sig_len = LC_ED25519_SIG_LEN);
        break;
    case LCP_KIND_SM2:
        if (len != LC_SM2_LEN || size < LC_SM2_MAX_DER_LEN)
            return 0;
        job.op = LCP_OP_SM2_SIGN;
        if (lcp_run(&job))
            sig_len = lc_sm2_to_der(sig, job.out);
        break;
    case LCP_KIND_RSA:
        if (size < core->bits / 8)
            return 0;
        if (settings->has_hash) {
            if (len != hash_len(settings->hash))
                return 0;
            job.op = lcp_rsa_op(core, settings->padding == RSA_PKCS1_PADDING ? LCP_OP_RSA_PKCS1_2048 : LCP_OP_RSA_PSS_2048);
            job.hash = (enum lc_rsa_hash)settings->hash;
        } else {
            if (!encode_pkcs1(job.in, core->bits / 8, in, len))
                return 0;
            job.op = lcp_rsa_op(core, LCP_OP_RSA_PRIVATE_2048);
            job.message = NULL;
        }
        if (lcp_run(&job))
            memcpy(sig, job.out, sig_len = core->bits / 8);
        break;
    default: break;
    }
    return sig_len;
}

static bool verify_by_core(const struct lcp_core *core, const unsigned char *sig, size_t sig_len, const uint8_t *in, size_t len)
{
    uint8_t raw[96];

    switch (core->kind) {
    case LCP_KIND_P256:
        return lc_ecdsa_p256_from_der(raw, sig, sig_len) == LC_OK &&
               lc_ecdsa_p256_verify(&core->u.p256_public, raw, in, len) == LC_OK;
    case LCP_KIND_P384:
        return lc_ecdsa_p384_from_der(raw, sig, sig_len) == LC_OK &&
               lc_ecdsa_p384_verify(&core->u.p384_public, raw, in, len) == LC_OK;
    case LCP_KIND_SM2:
        return len == LC_SM2_LEN && lc_sm2_from_der(raw, sig, sig_len) == LC_OK &&
               lc_sm2_verify(&core->u.sm2.key.public_key, raw, in) == LC_OK;
    case LCP_KIND_ED25519:
        return sig_len == LC_ED25519_SIG_LEN && lc_ed25519_verify(&core->u.ed25519_public, sig, in, len) == LC_OK;
    default: return false;
    }
}

struct verifying {
    const struct lcp_core *core;
    const unsigned char *sig;
    size_t sig_len;
    const uint8_t *in;
    size_t len;
    bool is_right;
};

static void run_verify(void *arg)
{
    struct verifying *v = arg;

    v->is_right = verify_by_core(v->core, v->sig, v->sig_len, v->in, v->len);
}

/* Does the core take it, and has it signed, or found the signature right?  If not, the default provider has to do it. */
static bool core_signs(const struct signing *s, const struct settings *settings, unsigned char *sig, size_t *sig_len, size_t size,
                       const uint8_t *in, size_t len)
{
    struct lcp_core *core = core_for(s, LCP_SIGN);
    size_t done = core ? sign_by_core(core, settings, sig, size, in, len) : 0;

    lcp_core_free(core);
    if (done)
        *sig_len = done;
    return done;
}

static bool core_verifies(const struct signing *s, const unsigned char *sig, size_t sig_len, const uint8_t *in, size_t len)
{
    struct lcp_core *core = core_for(s, LCP_VERIFY);
    struct verifying v = { core, sig, sig_len, in, len, false };
    bool is_right = core && lcp_on_stack(run_verify, &v) && v.is_right;

    lcp_core_free(core);
    return is_right;
}

/* ---- A digest, by the default provider: in a context of its own, with the same settings ---- */

static void *default_for_digest(const struct signing *s, bool to_sign)
{
    void *ctx = LCP_DEFAULT(s->table, signature_newctx, OSSL_FUNC_SIGNATURE_NEWCTX)(s->prov->public_keys->provctx, NULL);
    char name[80] = "", mgf1[80] = "";
    int padding = 0, salt_len = 0;
    OSSL_PARAM get[] = { { OSSL_SIGNATURE_PARAM_DIGEST, OSSL_PARAM_UTF8_STRING, name, sizeof(name) - 1, 0 },
                         { OSSL_SIGNATURE_PARAM_PAD_MODE, OSSL_PARAM_INTEGER, &padding, sizeof(int), 0 },
                         OSSL_PARAM_END },
               get_pss[] = { { OSSL_SIGNATURE_PARAM_PSS_SALTLEN, OSSL_PARAM_INTEGER, &salt_len, sizeof(int), 0 },
                             { OSSL_SIGNATURE_PARAM_MGF1_DIGEST, OSSL_PARAM_UTF8_STRING, mgf1, sizeof(mgf1) - 1, 0 },
                             OSSL_PARAM_END },
               set[5];
    size_t num = 0;
    bool ok;

    if (!ctx)
        return NULL;
    ok = LCP_DEFAULT(s->table, signature_get_ctx_params, OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS)(default_ctx(s), get);
    if (ok && padding == RSA_PKCS1_PSS_PADDING)
        ok = LCP_DEFAULT(s->table, signature_get_ctx_params, OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS)(default_ctx(s), get_pss);
    set[num++] = (OSSL_PARAM){ OSSL_SIGNATURE_PARAM_DIGEST, OSSL_PARAM_UTF8_STRING, name, strlen(name), 0 };
    if (padding)
        set[num++] = (OSSL_PARAM){ OSSL_SIGNATURE_PARAM_PAD_MODE, OSSL_PARAM_INTEGER, &padding, sizeof(int), 0 };
    if (padding == RSA_PKCS1_PSS_PADDING) {
        set[num++] = (OSSL_PARAM){ OSSL_SIGNATURE_PARAM_PSS_SALTLEN, OSSL_PARAM_INTEGER, &salt_len, sizeof(int), 0 };
        set[num++] = (OSSL_PARAM){ OSSL_SIGNATURE_PARAM_MGF1_DIGEST, OSSL_PARAM_UTF8_STRING, mgf1, strlen(mgf1), 0 };
    }
    set[num] = (OSSL_PARAM){ NULL, 0, NULL, 0, 0 };
    ok = ok &&
         (to_sign ? LCP_DEFAULT(s->table, signature_sign_init, OSSL_FUNC_SIGNATURE_SIGN_INIT)(ctx, s->key->key, NULL)
                  : LCP_DEFAULT(s->table, signature_verify_init, OSSL_FUNC_SIGNATURE_VERIFY_INIT)(ctx, s->key->key, NULL)) &&
         LCP_DEFAULT(s->table, signature_set_ctx_params, OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS)(ctx, set);
    if (!ok) {
        LCP_DEFAULT(s->table, signature_freectx, OSSL_FUNC_SIGNATURE_FREECTX)(ctx);
        ctx = NULL;
    }
    return ctx;
}

static int sign_digest_by_default(const struct signing *s, unsigned char *sig, size_t *sig_len, size_t size, const uint8_t *digest,
                                  size_t len)
{
    void *ctx = default_for_digest(s, true);
    int ok = ctx ? LCP_DEFAULT(s->table, signature_sign, OSSL_FUNC_SIGNATURE_SIGN)(ctx, sig, sig_len, size, digest, len) : 0;

    if (ctx)
        LCP_DEFAULT(s->table, signature_freectx, OSSL_FUNC_SIGNATURE_FREECTX)(ctx);
    return ok;
}

static int verify_digest_by_default(const struct signing *s, const unsigned char *sig, size_t sig_len, const uint8_t *digest,
                                    size_t len)
{
    void *ctx = default_for_digest(s, false);
    int ok = ctx ? LCP_DEFAULT(s->table, signature_verify, OSSL_FUNC_SIGNATURE_VERIFY)(ctx, sig, sig_len, digest, len) : 0;

    if (ctx)
        LCP_DEFAULT(s->table, signature_freectx, OSSL_FUNC_SIGNATURE_FREECTX)(ctx);
    return ok;
}

/* ---- What libcrypto calls: digests ---- */

static void begin(struct signing *s, enum operation operation, struct lcp_key *key, const OSSL_PARAM params[])
{
    if (key) { /* else the one that is there goes on, and with it what was set */
        lcp_key_up_ref(key);
        lcp_key_free(s->key);
        s->key = key;
        if (s->table != &lcp_signature_sm2) /* where an identity stays, with another key, too */
            s->is_unusual = false;
    }
    s->operation = operation;
    s->hashing = UNDECIDED;
    s->is_unusual |= !is_usual(s, params);
    s->hash.kind = 0;
}

static int begun(struct signing *s, const OSSL_PARAM params[], int ok)
{
    remember_id(s, params, ok);
    return ok;
}

static void *default_key(const struct lcp_key *key)
{
    return key ? key->key : NULL;
}

#define INIT(name, function, ID, OPERATION)                                                                                        \
    static int name(void *ctx, void *key, const OSSL_PARAM params[])                                                               \
    {                                                                                                                              \
        struct signing *s = ctx;                                                                                                   \
                                                                                                                                   \
        begin(s, OPERATION, key, params);                                                                                          \
        return begun(s, params, LCP_DEFAULT(s->table, function, ID)(default_ctx(s), default_key(key), params));                    \
    }

/* Functions of 3.4 and later, whose numbers the headers of 3.0 don't have: messages in pieces under one algorithm. */
enum {
    QUERY_KEY_TYPES = 26,
    SIGN_MESSAGE_INIT,
    SIGN_MESSAGE_UPDATE,
    SIGN_MESSAGE_FINAL,
    VERIFY_MESSAGE_INIT,
    VERIFY_MESSAGE_UPDATE,
    VERIFY_MESSAGE_FINAL
};
typedef int OSSL_FUNC_later_sign_final_fn(void *ctx, unsigned char *sig, size_t *sig_len, size_t size);
typedef int OSSL_FUNC_later_verify_final_fn(void *ctx);
typedef const char **OSSL_FUNC_later_key_types_fn(void);

INIT(signing_sign_init, signature_sign_init, OSSL_FUNC_SIGNATURE_SIGN_INIT, SIGN)
INIT(signing_verify_init, signature_verify_init, OSSL_FUNC_SIGNATURE_VERIFY_INIT, VERIFY)
INIT(signing_recover_init, signature_verify_recover_init, OSSL_FUNC_SIGNATURE_VERIFY_RECOVER_INIT, DEFAULT_ONLY)
INIT(signing_sign_message_init, signature_sign_init, SIGN_MESSAGE_INIT, DEFAULT_ONLY)
INIT(signing_verify_message_init, signature_verify_init, VERIFY_MESSAGE_INIT, DEFAULT_ONLY)

static int signing_sign(void *ctx, unsigned char *sig, size_t *sig_len, size_t size, const unsigned char *digest, size_t len)
{
    const struct signing *s = ctx;
    struct settings settings;
    int ok;

    if (sig && s->operation == SIGN && s->table != &lcp_signature_ed25519 && get_settings(s, &settings) &&
        (!settings.has_hash || hash_len(settings.hash) == len) && core_signs(s, &settings, sig, sig_len, size, digest, len))
        return 1;
    ok = LCP_DEFAULT(s->table, signature_sign, OSSL_FUNC_SIGNATURE_SIGN)(default_ctx(s), sig, sig_len, size, digest, len);
    lcp_leave();
    return ok;
}

static int signing_verify(void *ctx, const unsigned char *sig, size_t sig_len, const unsigned char *digest, size_t len)
{
    const struct signing *s = ctx;
    struct settings settings;

    if (s->operation == VERIFY && (s->table == &lcp_signature_ecdsa || s->table == &lcp_signature_sm2) &&
        get_settings(s, &settings) && (!settings.has_hash || hash_len(settings.hash) == len) &&
        core_verifies(s, sig, sig_len, digest, len))
        return 1;
    return LCP_DEFAULT(s->table, signature_verify, OSSL_FUNC_SIGNATURE_VERIFY)(default_ctx(s), sig, sig_len, digest, len);
}

static int signing_recover(void *ctx, unsigned char *out, size_t *out_len, size_t size, const unsigned char *sig, size_t sig_len)
{
    const struct signing *s = ctx;

    return LCP_DEFAULT(s->table, signature_verify_recover,
                       OSSL_FUNC_SIGNATURE_VERIFY_RECOVER)(default_ctx(s), out, out_len, size, sig, sig_len);
}

static int signing_message_update(void *ctx, const unsigned char *in, size_t len)
{
    const struct signing *s = ctx;

    return LCP_DEFAULT(s->table, later_update, SIGN_MESSAGE_UPDATE)(default_ctx(s), in, len);
}

static int signing_verify_message_update(void *ctx, const unsigned char *in, size_t len)
{
    const struct signing *s = ctx;

    return LCP_DEFAULT(s->table, later_update, VERIFY_MESSAGE_UPDATE)(default_ctx(s), in, len);
}

static int signing_message_final(void *ctx, unsigned char *sig, size_t *sig_len, size_t size)
{
    const struct signing *s = ctx;

    return LCP_DEFAULT(s->table, later_sign_final, SIGN_MESSAGE_FINAL)(default_ctx(s), sig, sig_len, size);
}

static int signing_verify_message_final(void *ctx)
{
    const struct signing *s = ctx;

    return LCP_DEFAULT(s->table, later_verify_final, VERIFY_MESSAGE_FINAL)(default_ctx(s));
}

/* ---- What libcrypto calls: messages ---- */

/* A first beginning, before which nothing was set, of what the core will sign */
static bool begins_late(struct signing *s, const char *hash, struct lcp_key *key, const OSSL_PARAM params[])
{
    struct lcp_core *core;

    if (s->table != &lcp_signature_ecdsa || s->operation != NOTHING || !hash || !hash_by_name(hash) || !key ||
        (params && params->key))
        return false;
    core = lcp_core_for(key, LCP_SIGN);
    s->late_len = core && core->kind == LCP_KIND_P256 ? LC_ECDSA_P256_MAX_DER_LEN : LC_ECDSA_P384_MAX_DER_LEN;
    s->late_asked = false;
    lcp_core_free(core);
    return core != NULL;
}

static int signing_digest_sign_init(void *ctx, const char *hash, void *key, const OSSL_PARAM params[])
{
    struct signing *s = ctx;

    catch_up(s);
    if (begins_late(s, hash, key, params)) {
        begin(s, DIGEST_SIGN, key, params);
        memcpy(s->late_hash, hash, strlen(hash) + 1);
        return 1;
    }
    begin(s, DIGEST_SIGN, key, params);
    return begun(s, params,
                 LCP_DEFAULT(s->table, signature_digest_sign_init,
                             OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT)(default_ctx(s), hash, default_key(key), params));
}

static int signing_digest_verify_init(void *ctx, const char *hash, void *key, const OSSL_PARAM params[])
{
    struct signing *s = ctx;

    catch_up(s);
    begin(s, DIGEST_VERIFY, key, params);
    return begun(s, params,
                 LCP_DEFAULT(s->table, signature_digest_verify_init,
                             OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT)(default_ctx(s), hash, default_key(key), params));
}

/* Who hashes?  Once that is decided it stays so. */
static void decide(struct signing *s)
{
    struct settings settings;
    struct lcp_core *core = NULL;
    uint8_t z[LC_SM2_LEN];
    bool is_sm2 = s->table == &lcp_signature_sm2, has_z;

    if (s->hashing != UNDECIDED)
        return;
    s->hashing = BY_DEFAULT;
    if ((s->operation != DIGEST_SIGN && s->operation != DIGEST_VERIFY) || !get_settings(s, &settings) || !settings.hash)
        return;
    core = core_for(s, s->operation == DIGEST_SIGN ? LCP_SIGN : LCP_VERIFY);
    if (!core)
        return;
    has_z = !is_sm2 || lcp_sm2_z(z, s->prov, core, &s->id);
    lcp_core_free(core);
    s->hash.kind = settings.hash;
    if (!has_z || !hash_start(&s->hash))
        return;
    s->hashing = BY_CORE;
    if (is_sm2)
        hash_update(&s->hash, z, sizeof(z));
}

static int digest_update(struct signing *s, int id, const unsigned char *in, size_t len)
{
    decide(s);
    if (s->hashing == ENDED)
        return 0;
    if (s->hashing == BY_CORE) {
        hash_update(&s->hash, in, len);
        return 1;
    }
    return LCP_DEFAULT(s->table, later_update, id)(default_ctx(s), in, len);
}

static int signing_digest_sign_update(void *ctx, const unsigned char *in, size_t len)
{
    return digest_update(ctx, OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, in, len);
}

static int signing_digest_verify_update(void *ctx, const unsigned char *in, size_t len)
{
    return digest_update(ctx, OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, in, len);
}

/* The message has been hashed by the core. */
static int sign_hashed(struct signing *s, unsigned char *sig, size_t *sig_len, size_t size)
{
    uint8_t digest[LC_SHA512_LEN];
    size_t len = hash_len(s->hash.kind);
    struct settings settings;
    int ok;

    if (s->is_unusual) /* set after it had begun */
        return lcp_refuse(s->prov, BAD_PARAM);
    hash_digest(&s->hash, digest);
    if (get_settings(s, &settings) && settings.hash == s->hash.kind && core_signs(s, &settings, sig, sig_len, size, digest, len))
        return 1;
    ok = sign_digest_by_default(s, sig, sig_len, size, digest, len);
    lcp_leave();
    return ok;
}

static int verify_hashed(struct signing *s, const unsigned char *sig, size_t sig_len)
{
    uint8_t digest[LC_SHA512_LEN];
    size_t len = hash_len(s->hash.kind);
    struct settings settings;

    if (s->is_unusual)
        return lcp_refuse(s->prov, BAD_PARAM);
    hash_digest(&s->hash, digest);
    if (get_settings(s, &settings) && settings.hash == s->hash.kind && core_verifies(s, sig, sig_len, digest, len))
        return 1;
    return verify_digest_by_default(s, sig, sig_len, digest, len);
}

static int signing_digest_sign_final(void *ctx, unsigned char *sig, size_t *sig_len, size_t size)
{
    struct signing *s = ctx;

    if (s->hashing == ENDED)
        return 0;
    if (!sig && *s->late_hash) {
        *sig_len = s->late_len;
        s->late_asked = true;
        return 1;
    }
    if (sig)
        decide(s);
    if (s->hashing != BY_CORE || !sig)
        return LCP_DEFAULT(s->table, signature_digest_sign_final,
                           OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL)(default_ctx(s), sig, sig_len, size);
    s->hashing = ENDED;
    return sign_hashed(s, sig, sig_len, size);
}

static int signing_digest_verify_final(void *ctx, const unsigned char *sig, size_t sig_len)
{
    struct signing *s = ctx;

    if (s->hashing == ENDED)
        return 0;
    decide(s);
    if (s->hashing != BY_CORE)
        return LCP_DEFAULT(s->table, signature_digest_verify_final,
                           OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL)(default_ctx(s), sig, sig_len);
    s->hashing = ENDED;
    return verify_hashed(s, sig, sig_len);
}

/*
 * Ed25519 has messages in one piece only.  The others have no such function, as the default provider's haven't: EVP treats contexts
 * in another way if there is one.
 */
static int ed25519_digest_sign(void *ctx, unsigned char *sig, size_t *sig_len, size_t size, const unsigned char *in, size_t len)
{
    const struct signing *s = ctx;

    if (sig && s->operation == DIGEST_SIGN && core_signs(s, NULL, sig, sig_len, size, in, len))
        return 1;
    return LCP_DEFAULT(s->table, signature_digest_sign,
                       OSSL_FUNC_SIGNATURE_DIGEST_SIGN)(default_ctx(s), sig, sig_len, size, in, len);
}

static int ed25519_digest_verify(void *ctx, const unsigned char *sig, size_t sig_len, const unsigned char *in, size_t len)
{
    const struct signing *s = ctx;

    if (s->operation == DIGEST_VERIFY && core_verifies(s, sig, sig_len, in, len))
        return 1;
    return LCP_DEFAULT(s->table, signature_digest_verify, OSSL_FUNC_SIGNATURE_DIGEST_VERIFY)(default_ctx(s), sig, sig_len, in, len);
}

/* ---- Parameters ---- */

static int signing_set_ctx_params(void *ctx, const OSSL_PARAM params[])
{
    struct signing *s = ctx;

    catch_up(s);
    s->is_unusual |= !is_usual(s, params);
    return begun(s, params,
                 LCP_DEFAULT(s->table, signature_set_ctx_params, OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS)(default_ctx(s), params));
}

static int signing_get_ctx_params(void *ctx, OSSL_PARAM params[])
{
    const struct signing *s = ctx;

    return LCP_DEFAULT(s->table, signature_get_ctx_params, OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS)(default_ctx(s), params);
}

/* Those of the hash: whoever sets them, or wants to know its state, gets the default provider's. */
static int signing_set_md_params(void *ctx, const OSSL_PARAM params[])
{
    struct signing *s = ctx;

    s->is_unusual |= params && params->key;
    return LCP_DEFAULT(s->table, signature_set_ctx_md_params, OSSL_FUNC_SIGNATURE_SET_CTX_MD_PARAMS)(default_ctx(s), params);
}

static int signing_get_md_params(void *ctx, OSSL_PARAM params[])
{
    const struct signing *s = ctx;

    return LCP_DEFAULT(s->table, signature_get_ctx_md_params, OSSL_FUNC_SIGNATURE_GET_CTX_MD_PARAMS)(default_ctx(s), params);
}

static const OSSL_PARAM *signing_settable_md(void *ctx)
{
    const struct signing *s = ctx;

    return LCP_DEFAULT(s->table, signature_settable_ctx_md_params, OSSL_FUNC_SIGNATURE_SETTABLE_CTX_MD_PARAMS)(default_ctx(s));
}

static const OSSL_PARAM *signing_gettable_md(void *ctx)
{
    const struct signing *s = ctx;

    return LCP_DEFAULT(s->table, signature_gettable_ctx_md_params, OSSL_FUNC_SIGNATURE_GETTABLE_CTX_MD_PARAMS)(default_ctx(s));
}

/* ---- The algorithms ---- */

/* Functions that may be called without a context; each algorithm has its own. */
#define SIGNATURE(algorithm, digest_sign, digest_verify)                                                                           \
    static void *algorithm##_newctx(void *prov, const char *properties)                                                            \
    {                                                                                                                              \
        return signing_newctx(prov, properties, &lcp_signature_##algorithm);                                                       \
    }                                                                                                                              \
    static const OSSL_PARAM *algorithm##_settable(void *ctx, void *prov)                                                           \
    {                                                                                                                              \
        return LCP_DEFAULT(&lcp_signature_##algorithm, signature_settable_ctx_params,                                              \
                           OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS)(ctx ? ((struct signing *)ctx)->ctx : NULL,                     \
                                                                    ((struct lcp_provider *)prov)->public_keys->provctx);          \
    }                                                                                                                              \
    static const OSSL_PARAM *algorithm##_gettable(void *ctx, void *prov)                                                           \
    {                                                                                                                              \
        return LCP_DEFAULT(&lcp_signature_##algorithm, signature_gettable_ctx_params,                                              \
                           OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS)(ctx ? ((struct signing *)ctx)->ctx : NULL,                     \
                                                                    ((struct lcp_provider *)prov)->public_keys->provctx);          \
    }                                                                                                                              \
    static const char **algorithm##_key_types(void)                                                                                \
    {                                                                                                                              \
        return LCP_DEFAULT(&lcp_signature_##algorithm, later_key_types, QUERY_KEY_TYPES)();                                        \
    }                                                                                                                              \
    const OSSL_DISPATCH lcp_##algorithm##_functions[] = {                                                                          \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_NEWCTX, algorithm##_newctx),                                                              \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_SIGN_INIT, signing_sign_init),                                                            \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_SIGN, signing_sign),                                                                      \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY_INIT, signing_verify_init),                                                        \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY, signing_verify),                                                                  \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY_RECOVER_INIT, signing_recover_init),                                               \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY_RECOVER, signing_recover),                                                         \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, signing_digest_sign_init),                                              \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, signing_digest_sign_update),                                          \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, signing_digest_sign_final),                                            \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN, digest_sign),                                                                \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, signing_digest_verify_init),                                          \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, signing_digest_verify_update),                                      \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL, signing_digest_verify_final),                                        \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY, digest_verify),                                                            \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_FREECTX, signing_freectx),                                                                \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_DUPCTX, signing_dupctx),                                                                  \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, signing_get_ctx_params),                                                  \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, algorithm##_gettable),                                               \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, signing_set_ctx_params),                                                  \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, algorithm##_settable),                                               \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_GET_CTX_MD_PARAMS, signing_get_md_params),                                                \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_MD_PARAMS, signing_gettable_md),                                             \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_SET_CTX_MD_PARAMS, signing_set_md_params),                                                \
        LCP_FUNCTION(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_MD_PARAMS, signing_settable_md),                                             \
        LCP_FUNCTION(QUERY_KEY_TYPES, algorithm##_key_types),                                                                      \
        LCP_FUNCTION(SIGN_MESSAGE_INIT, signing_sign_message_init),                                                                \
        LCP_FUNCTION(SIGN_MESSAGE_UPDATE, signing_message_update),                                                                 \
        LCP_FUNCTION(SIGN_MESSAGE_FINAL, signing_message_final),                                                                   \
        LCP_FUNCTION(VERIFY_MESSAGE_INIT, signing_verify_message_init),                                                            \
        LCP_FUNCTION(VERIFY_MESSAGE_UPDATE, signing_verify_message_update),                                                        \
        LCP_FUNCTION(VERIFY_MESSAGE_FINAL, signing_verify_message_final),                                                          \
        { 0, NULL }                                                                                                                \
    };

SIGNATURE(rsa, NULL, NULL)
SIGNATURE(ecdsa, NULL, NULL)
SIGNATURE(ed25519, ed25519_digest_sign, ed25519_digest_verify)
SIGNATURE(sm2, NULL, NULL)
