/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Public keys: which are offered; keys, which the default provider has; groups and signature algorithms of TLS.
 *
 * Before 3.5 libssl offers a group only if the provider that advertises it is the one that has its keys.  So the groups of those
 * kinds of keys that are offered here are advertised here too, in the default provider's words.  Since then it offers what any
 * provider advertises, and would have them twice.
 *
 * With signature algorithms that aren't libssl's own (SM2's, since 4.0) it's still as it was with groups.
 */
#include <pthread.h>
#include <strings.h>

#include <openssl/params.h>

#include "pkey.h"

struct lcp_libcrypto lcp_libcrypto;
struct lcp_table lcp_key_rsa, lcp_key_ec, lcp_key_x25519, lcp_key_ed25519, lcp_key_sm2;

/* ---- Keys ---- */

static struct lcp_key *wrap(const struct lcp_provider *prov, const struct lcp_table *table, void *key)
{
    struct lcp_key *k = key ? calloc(1, sizeof(*k)) : NULL;

    if (!k) {
        if (key) {
            LCP_DEFAULT(table, keymgmt_free, OSSL_FUNC_KEYMGMT_FREE)(key);
            (void)lcp_refuse(prov, ALLOC);
        }
        return NULL;
    }
    k->prov = prov;
    k->table = table;
    k->key = key;
    atomic_init(&k->refs, 1);
    return k;
}

struct lcp_key *lcp_key_up_ref(struct lcp_key *key)
{
    atomic_fetch_add_explicit(&key->refs, 1, memory_order_relaxed);
    return key;
}

void lcp_key_free(struct lcp_key *key)
{
    if (!key || atomic_fetch_sub_explicit(&key->refs, 1, memory_order_acq_rel) != 1)
        return;
    lcp_core_forget(key);
    LCP_DEFAULT(key->table, keymgmt_free, OSSL_FUNC_KEYMGMT_FREE)(key->key);
    free(key);
}

static void key_free(void *key)
{
    lcp_key_free(key);
}

static int key_get_params(void *key, OSSL_PARAM params[])
{
    const struct lcp_key *k = key;

    return LCP_DEFAULT(k->table, keymgmt_get_params, OSSL_FUNC_KEYMGMT_GET_PARAMS)(k->key, params);
}

static int key_set_params(void *key, const OSSL_PARAM params[])
{
    struct lcp_key *k = key;
    int ok;

    lcp_core_forget(k);
    ok = LCP_DEFAULT(k->table, keymgmt_set_params, OSSL_FUNC_KEYMGMT_SET_PARAMS)(k->key, params);
    lcp_core_forget(k); /* what another thread made meanwhile; it shouldn't have */
    return ok;
}

static int key_has(const void *key, int selection)
{
    const struct lcp_key *k = key;

    return k && LCP_DEFAULT(k->table, keymgmt_has, OSSL_FUNC_KEYMGMT_HAS)(k->key, selection);
}

/*
 * The other one's public key is checked before each key exchange.  On P-256 and P-384 a point of the curve that isn't infinity has
 * the right order, so nothing has to be multiplied.  The core's key has been checked to be one.
 */
static int key_validate(const void *key, int selection, int how)
{
    const struct lcp_key *k = key;

    if (k->table == &lcp_key_ec && selection == OSSL_KEYMGMT_SELECT_PUBLIC_KEY) {
        struct lcp_core *core = lcp_core_get((struct lcp_key *)(uintptr_t)k, LCP_VERIFY);

        if (core) {
            lcp_core_free(core);
            return 1;
        }
    }
    return LCP_DEFAULT(k->table, keymgmt_validate, OSSL_FUNC_KEYMGMT_VALIDATE)(k->key, selection, how);
}

static int key_match(const void *key, const void *other, int selection)
{
    const struct lcp_key *k = key, *o = other;

    return LCP_DEFAULT(k->table, keymgmt_match, OSSL_FUNC_KEYMGMT_MATCH)(k->key, o->key, selection);
}

static int key_import(void *key, int selection, const OSSL_PARAM params[])
{
    struct lcp_key *k = key;

    lcp_core_forget(k);
    return LCP_DEFAULT(k->table, keymgmt_import, OSSL_FUNC_KEYMGMT_IMPORT)(k->key, selection, params);
}

static int key_export(void *key, int selection, OSSL_CALLBACK *cb, void *arg)
{
    const struct lcp_key *k = key;

    return LCP_DEFAULT(k->table, keymgmt_export, OSSL_FUNC_KEYMGMT_EXPORT)(k->key, selection, cb, arg);
}

static void *key_dup(const void *key, int selection)
{
    const struct lcp_key *k = key;

    return wrap(k->prov, k->table, LCP_DEFAULT(k->table, keymgmt_dup, OSSL_FUNC_KEYMGMT_DUP)(k->key, selection));
}

static void *key_new(void *provctx, const struct lcp_table *table)
{
    const struct lcp_provider *prov = provctx;

    return wrap(prov, table, LCP_DEFAULT(table, keymgmt_new, OSSL_FUNC_KEYMGMT_NEW)(prov->public_keys->provctx));
}

/* ---- Generation ---- */

struct generation {
    const struct lcp_provider *prov;
    const struct lcp_table *table;
    void *gen; /* the default provider's */
    enum lcp_kind kind; /* of key pairs that the core can make, or LCP_KIND_NONE */
    bool is_usual;      /* nothing was set but the group */
};

/* What is set: `kind` becomes the group's.  X25519 has a group, too, whatever it's called; SM2's needn't be set. */
static void look_at(struct generation *g, const OSSL_PARAM params[])
{
    for (; params && params->key; params++) {
        char name[32];

        if (g->table == &lcp_key_sm2 || strcmp(params->key, OSSL_PKEY_PARAM_GROUP_NAME) != 0 ||
            params->data_type != OSSL_PARAM_UTF8_STRING || !params->data || params->data_size >= sizeof(name)) {
            g->is_usual = false;
            return;
        }
        memcpy(name, params->data, params->data_size);
        name[params->data_size] = '\0';
        if (g->table == &lcp_key_ec)
            g->kind = lcp_curve_by_name(name);
    }
}

static void *gen_init(void *provctx, int selection, const OSSL_PARAM params[], const struct lcp_table *table)
{
    const struct lcp_provider *prov = provctx;
    struct generation *g = calloc(1, sizeof(*g));

    if (!g) {
        (void)lcp_refuse(prov, ALLOC);
        return NULL;
    }
    g->prov = prov;
    g->table = table;
    g->gen = LCP_DEFAULT(table, keymgmt_gen_init, OSSL_FUNC_KEYMGMT_GEN_INIT)(prov->public_keys->provctx, selection, params);
    if (!g->gen) {
        free(g);
        return NULL;
    }
    g->is_usual = (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == OSSL_KEYMGMT_SELECT_KEYPAIR;
    g->kind = table == &lcp_key_x25519 ? LCP_KIND_X25519 : table == &lcp_key_sm2 ? LCP_KIND_SM2 : LCP_KIND_NONE;
    look_at(g, params);
    return g;
}

static int gen_set_template(void *gen, void *template)
{
    struct generation *g = gen;
    const struct lcp_key *k = template;

    if (g->table != &lcp_key_x25519)
        g->kind = g->table == &lcp_key_ec && k ? lcp_key_curve(k) : LCP_KIND_NONE;
    return LCP_DEFAULT(g->table, keymgmt_gen_set_template, OSSL_FUNC_KEYMGMT_GEN_SET_TEMPLATE)(g->gen, k ? k->key : NULL);
}

static int gen_set_params(void *gen, const OSSL_PARAM params[])
{
    struct generation *g = gen;

    look_at(g, params);
    return LCP_DEFAULT(g->table, keymgmt_gen_set_params, OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS)(g->gen, params);
}

/* A key pair by the core, as the default provider's key; NULL if that isn't possible. */
static void *generate(const struct generation *g)
{
    struct lcp_pair pair = { .kind = g->kind };
    char group[] = "P-384", sm2[] = "SM2";
    bool is_x25519 = g->kind == LCP_KIND_X25519, is_sm2 = g->kind == LCP_KIND_SM2;
    OSSL_PARAM params[] = {
        { OSSL_PKEY_PARAM_PRIV_KEY, is_x25519 ? OSSL_PARAM_OCTET_STRING : OSSL_PARAM_UNSIGNED_INTEGER, pair.private_key, 0, 0 },
        { OSSL_PKEY_PARAM_PUB_KEY, OSSL_PARAM_OCTET_STRING, pair.public_key, 0, 0 },
        { is_x25519 ? NULL : OSSL_PKEY_PARAM_GROUP_NAME, OSSL_PARAM_UTF8_STRING, is_sm2 ? sm2 : group, strlen(is_sm2 ? sm2 : group),
          0 },
        OSSL_PARAM_END
    };
    void *key = NULL;

    if (lcp_generate(g->prov, &pair))
        key = LCP_DEFAULT(g->table, keymgmt_new, OSSL_FUNC_KEYMGMT_NEW)(g->prov->public_keys->provctx);
    params[0].data_size = pair.private_len;
    params[1].data_size = pair.public_len;
    if (key &&
        !LCP_DEFAULT(g->table, keymgmt_import,
                     OSSL_FUNC_KEYMGMT_IMPORT)(key, OSSL_KEYMGMT_SELECT_KEYPAIR | OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS, params)) {
        LCP_DEFAULT(g->table, keymgmt_free, OSSL_FUNC_KEYMGMT_FREE)(key);
        key = NULL;
    }
    lc_wipe(&pair, sizeof(pair));
    return key;
}

static void *gen_run(void *gen, OSSL_CALLBACK *cb, void *arg)
{
    const struct generation *g = gen;
    /* On P-256 what the core saves is less than what it takes to tell the default provider the key. */
    void *key = g->is_usual && g->kind != LCP_KIND_NONE && g->kind != LCP_KIND_P256 ? generate(g) : NULL;

    if (key)
        return wrap(g->prov, g->table, key);
    return wrap(g->prov, g->table, LCP_DEFAULT(g->table, keymgmt_gen, OSSL_FUNC_KEYMGMT_GEN)(g->gen, cb, arg));
}

static void gen_cleanup(void *gen)
{
    const struct generation *g = gen;

    if (g)
        LCP_DEFAULT(g->table, keymgmt_gen_cleanup, OSSL_FUNC_KEYMGMT_GEN_CLEANUP)(g->gen);
    free(gen);
}

/* What came after 3.0, whose headers are enough for building: numbers and types of later ones. */
enum { KEYMGMT_GEN_GET_PARAMS = 15, KEYMGMT_GEN_GETTABLE_PARAMS = 16, KEYMGMT_IMPORT_TYPES_EX = 45, KEYMGMT_EXPORT_TYPES_EX = 46 };
typedef int OSSL_FUNC_later_gen_get_params_fn(void *gen, OSSL_PARAM params[]);
typedef const OSSL_PARAM *OSSL_FUNC_later_types_ex_fn(void *provctx, int selection);

static int gen_get_params(void *gen, OSSL_PARAM params[])
{
    const struct generation *g = gen;

    return LCP_DEFAULT(g->table, later_gen_get_params, KEYMGMT_GEN_GET_PARAMS)(g->gen, params);
}

/* Functions that are given nothing which would say what kind of key it is about; each kind has its own. */
#define KEY_TYPE(type)                                                                                                             \
    static void *type##_new(void *prov)                                                                                            \
    {                                                                                                                              \
        return key_new(prov, &lcp_key_##type);                                                                                     \
    }                                                                                                                              \
    static void *type##_gen_init(void *prov, int selection, const OSSL_PARAM params[])                                             \
    {                                                                                                                              \
        return gen_init(prov, selection, params, &lcp_key_##type);                                                                 \
    }                                                                                                                              \
    static const OSSL_PARAM *type##_gen_settable(void *gen, void *prov)                                                            \
    {                                                                                                                              \
        return LCP_DEFAULT(&lcp_key_##type, keymgmt_gen_settable_params,                                                           \
                           OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS)(gen ? ((struct generation *)gen)->gen : NULL,                    \
                                                                  ((struct lcp_provider *)prov)->public_keys->provctx);            \
    }                                                                                                                              \
    static const OSSL_PARAM *type##_gen_gettable(void *gen, void *prov)                                                            \
    {                                                                                                                              \
        return LCP_DEFAULT(&lcp_key_##type, keymgmt_gen_settable_params,                                                           \
                           KEYMGMT_GEN_GETTABLE_PARAMS)(gen ? ((struct generation *)gen)->gen : NULL,                              \
                                                        ((struct lcp_provider *)prov)->public_keys->provctx);                      \
    }                                                                                                                              \
    static const OSSL_PARAM *type##_gettable(void *prov)                                                                           \
    {                                                                                                                              \
        return LCP_DEFAULT(&lcp_key_##type, keymgmt_gettable_params,                                                               \
                           OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS)(((struct lcp_provider *)prov)->public_keys->provctx);                \
    }                                                                                                                              \
    static const OSSL_PARAM *type##_settable(void *prov)                                                                           \
    {                                                                                                                              \
        return LCP_DEFAULT(&lcp_key_##type, keymgmt_settable_params,                                                               \
                           OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS)(((struct lcp_provider *)prov)->public_keys->provctx);                \
    }                                                                                                                              \
    static const OSSL_PARAM *type##_import_types(int selection)                                                                    \
    {                                                                                                                              \
        return LCP_DEFAULT(&lcp_key_##type, keymgmt_import_types, OSSL_FUNC_KEYMGMT_IMPORT_TYPES)(selection);                      \
    }                                                                                                                              \
    static const OSSL_PARAM *type##_export_types(int selection)                                                                    \
    {                                                                                                                              \
        return LCP_DEFAULT(&lcp_key_##type, keymgmt_export_types, OSSL_FUNC_KEYMGMT_EXPORT_TYPES)(selection);                      \
    }                                                                                                                              \
    static const OSSL_PARAM *type##_import_types_ex(void *prov, int selection)                                                     \
    {                                                                                                                              \
        return LCP_DEFAULT(&lcp_key_##type, later_types_ex,                                                                        \
                           KEYMGMT_IMPORT_TYPES_EX)(((struct lcp_provider *)prov)->public_keys->provctx, selection);               \
    }                                                                                                                              \
    static const OSSL_PARAM *type##_export_types_ex(void *prov, int selection)                                                     \
    {                                                                                                                              \
        return LCP_DEFAULT(&lcp_key_##type, later_types_ex,                                                                        \
                           KEYMGMT_EXPORT_TYPES_EX)(((struct lcp_provider *)prov)->public_keys->provctx, selection);               \
    }                                                                                                                              \
    static const char *type##_operation_name(int operation)                                                                        \
    {                                                                                                                              \
        return LCP_DEFAULT(&lcp_key_##type, keymgmt_query_operation_name, OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME)(operation);      \
    }                                                                                                                              \
    static const OSSL_DISPATCH type##_key_functions[] = {                                                                          \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_NEW, type##_new),                                                                           \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_GEN_INIT, type##_gen_init),                                                                 \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_GEN_SET_TEMPLATE, gen_set_template),                                                        \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, gen_set_params),                                                            \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, type##_gen_settable),                                                  \
        LCP_FUNCTION(KEYMGMT_GEN_GET_PARAMS, gen_get_params),                                                                      \
        LCP_FUNCTION(KEYMGMT_GEN_GETTABLE_PARAMS, type##_gen_gettable),                                                            \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_GEN, gen_run),                                                                              \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, gen_cleanup),                                                                  \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_FREE, key_free),                                                                            \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_GET_PARAMS, key_get_params),                                                                \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, type##_gettable),                                                          \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_SET_PARAMS, key_set_params),                                                                \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS, type##_settable),                                                          \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, type##_operation_name),                                               \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_HAS, key_has),                                                                              \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_VALIDATE, key_validate),                                                                    \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_MATCH, key_match),                                                                          \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_IMPORT, key_import),                                                                        \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, type##_import_types),                                                         \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_EXPORT, key_export),                                                                        \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, type##_export_types),                                                         \
        LCP_FUNCTION(OSSL_FUNC_KEYMGMT_DUP, key_dup),                                                                              \
        LCP_FUNCTION(KEYMGMT_IMPORT_TYPES_EX, type##_import_types_ex),                                                             \
        LCP_FUNCTION(KEYMGMT_EXPORT_TYPES_EX, type##_export_types_ex),                                                             \
        { 0, NULL }                                                                                                                \
    };

KEY_TYPE(rsa)
KEY_TYPE(ec)
KEY_TYPE(x25519)
KEY_TYPE(ed25519)
KEY_TYPE(sm2)

/* ---- What is offered; SM3 and a key derivation, too, which come by the same way ---- */

static const struct offer {
    unsigned algorithms; /* any of these needs it */
    int operation;
    const char *name;
    struct lcp_table *table;
    const OSSL_DISPATCH *functions;
    int needs[3]; /* functions without which it can't be delegated */
} offers[] = {
    { LCP_RSA, OSSL_OP_KEYMGMT, "RSA", &lcp_key_rsa, rsa_key_functions, { OSSL_FUNC_KEYMGMT_NEW, OSSL_FUNC_KEYMGMT_GET_PARAMS } },
    { LCP_ECDSA | LCP_ECDH,
      OSSL_OP_KEYMGMT,
      "EC",
      &lcp_key_ec,
      ec_key_functions,
      { OSSL_FUNC_KEYMGMT_NEW, OSSL_FUNC_KEYMGMT_GET_PARAMS } },
    { LCP_X25519,
      OSSL_OP_KEYMGMT,
      "X25519",
      &lcp_key_x25519,
      x25519_key_functions,
      { OSSL_FUNC_KEYMGMT_NEW, OSSL_FUNC_KEYMGMT_GET_PARAMS } },
    { LCP_ED25519,
      OSSL_OP_KEYMGMT,
      "ED25519",
      &lcp_key_ed25519,
      ed25519_key_functions,
      { OSSL_FUNC_KEYMGMT_NEW, OSSL_FUNC_KEYMGMT_GET_PARAMS } },
    { LCP_SM2, OSSL_OP_KEYMGMT, "SM2", &lcp_key_sm2, sm2_key_functions, { OSSL_FUNC_KEYMGMT_NEW, OSSL_FUNC_KEYMGMT_GET_PARAMS } },
    { LCP_RSA,
      OSSL_OP_SIGNATURE,
      "RSA",
      &lcp_signature_rsa,
      lcp_rsa_functions,
      { OSSL_FUNC_SIGNATURE_SIGN, OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS } },
    { LCP_ECDSA,
      OSSL_OP_SIGNATURE,
      "ECDSA",
      &lcp_signature_ecdsa,
      lcp_ecdsa_functions,
      { OSSL_FUNC_SIGNATURE_SIGN, OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS } },
    { LCP_ED25519,
      OSSL_OP_SIGNATURE,
      "ED25519",
      &lcp_signature_ed25519,
      lcp_ed25519_functions,
      { OSSL_FUNC_SIGNATURE_DIGEST_SIGN, OSSL_FUNC_SIGNATURE_DIGEST_VERIFY } },
    { LCP_SM2,
      OSSL_OP_SIGNATURE,
      "SM2",
      &lcp_signature_sm2,
      lcp_sm2_functions,
      { OSSL_FUNC_SIGNATURE_SIGN, OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS } },
    { LCP_ECDH,
      OSSL_OP_KEYEXCH,
      "ECDH",
      &lcp_exchange_ecdh,
      lcp_ecdh_functions,
      { OSSL_FUNC_KEYEXCH_DERIVE, OSSL_FUNC_KEYEXCH_SET_PEER } },
    { LCP_X25519,
      OSSL_OP_KEYEXCH,
      "X25519",
      &lcp_exchange_x25519,
      lcp_x25519_functions,
      { OSSL_FUNC_KEYEXCH_DERIVE, OSSL_FUNC_KEYEXCH_SET_PEER } },
    { LCP_RSA,
      OSSL_OP_ASYM_CIPHER,
      "RSA",
      &lcp_cipher_rsa,
      lcp_rsa_cipher_functions,
      { OSSL_FUNC_ASYM_CIPHER_DECRYPT, OSSL_FUNC_ASYM_CIPHER_GET_CTX_PARAMS } },
    { LCP_SM3, OSSL_OP_DIGEST, "SM3", &lcp_digest_sm3, lcp_sm3_functions, { OSSL_FUNC_DIGEST_INIT, OSSL_FUNC_DIGEST_GET_PARAMS } },
    { LCP_TLS13_KDF,
      OSSL_OP_KDF,
      "TLS13-KDF",
      &lcp_kdf_tls13,
      lcp_tls13_functions,
      { OSSL_FUNC_KDF_NEWCTX, OSSL_FUNC_KDF_FREECTX, OSSL_FUNC_KDF_SET_CTX_PARAMS } },
    { LCP_HMAC,
      OSSL_OP_MAC,
      "HMAC",
      &lcp_mac_hmac,
      lcp_hmac_functions,
      { OSSL_FUNC_MAC_NEWCTX, OSSL_FUNC_MAC_FREECTX, OSSL_FUNC_MAC_SET_CTX_PARAMS } },
};
enum { NUM_OFFERS = sizeof(offers) / sizeof(offers[0]) };

static void fill_table(const struct offer *o, const OSSL_ALGORITHM *algorithm)
{
    struct lcp_table *table = o->table;
    size_t num = 0;

    for (const OSSL_DISPATCH *f = algorithm->implementation; f->function_id; f++)
        if (f->function_id < LCP_MAX_FUNCTIONS)
            table->function[f->function_id] = f->function;
    for (size_t i = 0; i < sizeof(o->needs) / sizeof(o->needs[0]); i++)
        if (o->needs[i] && !table->function[o->needs[i]])
            return;
    for (const OSSL_DISPATCH *f = o->functions; f->function_id; f++)
        if (table->function[f->function_id] && f->function)
            table->dispatch[num++] = *f;
    table->names = algorithm->algorithm_names; /* last: it is there */
}

static void fill_tables(OSSL_PROVIDER *provider)
{
    static const int operations[] = { OSSL_OP_KEYMGMT, OSSL_OP_SIGNATURE, OSSL_OP_KEYEXCH, OSSL_OP_ASYM_CIPHER,
                                      OSSL_OP_DIGEST,  OSSL_OP_KDF,       OSSL_OP_MAC };

    for (size_t op = 0; op < sizeof(operations) / sizeof(operations[0]); op++) {
        int no_store;
        const OSSL_ALGORITHM *all = lcp_libcrypto.OSSL_PROVIDER_query_operation(provider, operations[op], &no_store);

        for (const OSSL_ALGORITHM *a = all; a && a->algorithm_names; a++)
            for (size_t i = 0; i < NUM_OFFERS; i++)
                if (offers[i].operation == operations[op] && !offers[i].table->names &&
                    lcp_has_name(a->algorithm_names, offers[i].name, ":"))
                    fill_table(&offers[i], a);
    }
}

static unsigned read_list(const char *list)
{
    static const struct {
        const char *name;
        unsigned bits;
    } names[] = {
        { "yes", LCP_RSA | LCP_ECDSA | LCP_ECDH | LCP_X25519 | LCP_ED25519 | LCP_SM2 | LCP_SM3 | LCP_TLS13_KDF | LCP_HMAC },
        { "rsa", LCP_RSA },
        { "ecdsa", LCP_ECDSA },
        { "ecdh", LCP_ECDH },
        { "x25519", LCP_X25519 },
        { "ed25519", LCP_ED25519 },
        { "sm2", LCP_SM2 },
        { "sm3", LCP_SM3 },
        { "tls13-kdf", LCP_TLS13_KDF },
        { "hmac", LCP_HMAC }
    };
    unsigned wanted = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (lcp_has_name(list, names[i].name, ", \t"))
            wanted |= names[i].bits;
    return wanted;
}

/*
 * Functions without a context have to know the default provider's tables.  So there is one libcrypto of a process with public keys,
 * the one that asks first.
 */
static bool share_libcrypto(void (*upcall)(void), struct lcp_public_keys *keys)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static bool is_ready;
    struct lcp_libcrypto found;
    bool ok;

    if (!lcp_find_libcrypto(&found, upcall))
        return false;
    keys->libctx = found.OSSL_LIB_CTX_new();
    keys->provider = keys->libctx ? found.OSSL_PROVIDER_load(keys->libctx, "default") : NULL;
    pthread_mutex_lock(&mutex);
    ok = keys->provider && (!is_ready || lcp_libcrypto.base == found.base);
    if (ok && !is_ready) {
        lcp_libcrypto = found;
        lcp_libcrypto.has_queues = found.has_async && lcp_queues_start();
        fill_tables(keys->provider);
        is_ready = true;
    }
    pthread_mutex_unlock(&mutex);
    if (!ok) {
        if (keys->provider)
            found.OSSL_PROVIDER_unload(keys->provider);
        found.OSSL_LIB_CTX_free(keys->libctx);
    }
    return ok;
}

static void offer(struct lcp_public_keys *keys, const struct offer *o)
{
    OSSL_ALGORITHM *list =
        o->operation == OSSL_OP_KEYMGMT     ? keys->keys
        : o->operation == OSSL_OP_SIGNATURE ? keys->signatures
        : o->operation == OSSL_OP_KEYEXCH   ? keys->exchanges
        : o->operation == OSSL_OP_DIGEST    ? keys->digests
        : o->operation == OSSL_OP_KDF       ? keys->kdfs
        : o->operation == OSSL_OP_MAC       ? keys->macs
                                            : keys->ciphers;

    while (list->algorithm_names)
        list++;
    *list = (OSSL_ALGORITHM){ o->table->names, "provider=lanecrypt", o->table->dispatch,
                              o->operation == OSSL_OP_DIGEST ? "lanecrypt" : "lanecrypt, or OpenSSL's" };
}

void lcp_public_keys_start(struct lcp_provider *prov, const struct lcp_public_settings *settings, void (*upcall)(void))
{
    struct lcp_public_keys *keys;
    unsigned wanted = settings->list ? read_list(settings->list) : 0;
    struct lc_sm3_state sm3 = { 0 };

    if (wanted & LCP_SM3 && (!lcp_sm3_selftest(&sm3) || (lcp_is_portable(lc_sm3_impl_name(&sm3)) && !settings->with_portable)))
        wanted &= ~(unsigned)LCP_SM3;
    if (wanted & LCP_TLS13_KDF && !lcp_tls13_selftest(settings->with_portable))
        wanted &= ~(unsigned)LCP_TLS13_KDF;
    if (wanted & LCP_HMAC && !lcp_hmac_selftest(settings->with_portable))
        wanted &= ~(unsigned)LCP_HMAC;
    if (!wanted)
        return;
    keys = calloc(1, sizeof(*keys));
    if (!keys || !share_libcrypto(upcall, keys)) {
        free(keys);
        return;
    }
    keys->wanted = wanted;
    keys->with_portable = settings->with_portable;
    keys->sm3 = sm3;
    keys->with_threads = settings->with_threads;
    if (keys->with_threads)
        lcp_threads_start();
    if (settings->with_counters)
        lcp_count_start();
    keys->provctx = lcp_libcrypto.OSSL_PROVIDER_get0_provider_ctx(keys->provider);
    for (size_t i = 0; i < NUM_OFFERS; i++)
        if (offers[i].algorithms & wanted && offers[i].table->names)
            offer(keys, &offers[i]);
    prov->public_keys = keys;
}

void lcp_public_keys_end(struct lcp_provider *prov)
{
    struct lcp_public_keys *keys = prov->public_keys;

    if (!keys)
        return;
    lcp_libcrypto.EVP_MAC_free(keys->default_hmac);
    lcp_libcrypto.OSSL_PROVIDER_unload(keys->provider);
    lcp_libcrypto.OSSL_LIB_CTX_free(keys->libctx);
    if (keys->with_threads)
        lcp_threads_end();
    free(keys);
}

const OSSL_ALGORITHM *lcp_public_keys_query(const struct lcp_provider *prov, int operation)
{
    const struct lcp_public_keys *keys = prov->public_keys;

    if (!keys)
        return NULL;
    switch (operation) {
    case OSSL_OP_KEYMGMT: return keys->keys;
    case OSSL_OP_SIGNATURE: return keys->signatures;
    case OSSL_OP_KEYEXCH: return keys->exchanges;
    case OSSL_OP_ASYM_CIPHER: return keys->ciphers;
    case OSSL_OP_DIGEST: return keys->digests;
    case OSSL_OP_KDF: return keys->kdfs;
    case OSSL_OP_MAC: return keys->macs;
    default: return NULL;
    }
}

/* ---- Groups and signature algorithms of TLS ---- */

struct filter {
    const char *name; /* what has the name of the keys */
    const struct lcp_public_keys *keys;
    OSSL_CALLBACK *cb;
    void *arg;
};

/* One group or algorithm of the default provider's: on it goes if its keys are offered here. */
static int pass(const OSSL_PARAM params[], void *arg)
{
    const struct filter *filter = arg;

    for (const OSSL_PARAM *p = params; p->key; p++) {
        const char *name = p->data;
        size_t len = p->data_size;

        if (strcmp(p->key, filter->name) != 0 || p->data_type != OSSL_PARAM_UTF8_STRING)
            continue;
        len = strnlen(name, len);
        for (const OSSL_ALGORITHM *a = filter->keys->keys; a->algorithm_names; a++) {
            char copy[32];

            if (len >= sizeof(copy))
                break;
            memcpy(copy, name, len);
            copy[len] = '\0';
            if (lcp_has_name(a->algorithm_names, copy, ":"))
                return filter->cb(params, filter->arg);
        }
    }
    return 1;
}

int lcp_public_keys_capabilities(const struct lcp_provider *prov, const char *capability, OSSL_CALLBACK *cb, void *arg)
{
    const bool is_group = strcasecmp(capability, "TLS-GROUP") == 0, is_signature = strcasecmp(capability, "TLS-SIGALG") == 0;
    struct filter filter = { is_group ? OSSL_CAPABILITY_TLS_GROUP_ALG : "tls-sigalg-name", prov->public_keys, cb, arg };
    int ok = 1; /* as if there were no such function: libssl stops asking providers at the first 0 */

    if (prov->public_keys && is_group && lcp_libcrypto.OPENSSL_version_major() == 3 && lcp_libcrypto.OPENSSL_version_minor() < 5)
        ok = lcp_libcrypto.OSSL_PROVIDER_get_capabilities(prov->public_keys->provider, capability, pass, &filter);
    else if (prov->public_keys && is_signature) /* versions that don't know this answer 0 */
        lcp_libcrypto.OSSL_PROVIDER_get_capabilities(prov->public_keys->provider, capability, pass, &filter);
    return ok;
}
