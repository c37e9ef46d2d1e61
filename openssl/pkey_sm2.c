/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SM2: who signs is part of what is signed.
 *
 * If nobody was named, the default provider hashes an empty identity, or the usual one: versions differ.  So it's asked, once, by a
 * signature of each kind.
 */
#include <openssl/params.h>

#include "pkey.h"

/* The usual identity of GM/T 0009, or, with 0 bytes of it, an empty one: would the default provider take that for none? */
static bool is_none(const struct lcp_public_keys *keys, size_t id_len)
{
    static const uint8_t private_key[32] = { 1 };
    static const uint8_t no_message[1];
    struct lc_sm2_key key;
    uint8_t raw[65], z[LC_SM2_LEN], digest[LC_SM2_LEN], sig[64], der[LC_SM2_MAX_DER_LEN];
    char group[] = "SM2";
    OSSL_PARAM params[] = { OSSL_PARAM_DEFN(OSSL_PKEY_PARAM_PUB_KEY, OSSL_PARAM_OCTET_STRING, raw, sizeof(raw)),
                            OSSL_PARAM_DEFN(OSSL_PKEY_PARAM_GROUP_NAME, OSSL_PARAM_UTF8_STRING, group, sizeof(group) - 1),
                            OSSL_PARAM_END };
    const struct lcp_table *table = &lcp_signature_sm2;
    void *default_key, *ctx;
    size_t len;
    bool is_right;

    if (lc_sm2_init(&key, private_key, sizeof(private_key)) != LC_OK)
        return false;
    lc_sm2_get_public(&key, raw);
    if (lc_sm2_z(z, raw, sizeof(raw), (const uint8_t *)LC_SM2_DEFAULT_ID, id_len) != LC_OK ||
        lc_sm2_digest(digest, z, NULL, 0) != LC_OK || lc_sm2_sign_with(&key, sig, digest, NULL, 0) != LC_OK)
        return false;
    len = lc_sm2_to_der(der, sig);
    default_key = LCP_DEFAULT(&lcp_key_sm2, keymgmt_new, OSSL_FUNC_KEYMGMT_NEW)(keys->provctx);
    ctx = LCP_DEFAULT(table, signature_newctx, OSSL_FUNC_SIGNATURE_NEWCTX)(keys->provctx, NULL);
    is_right =
        default_key && ctx &&
        LCP_DEFAULT(&lcp_key_sm2, keymgmt_import,
                    OSSL_FUNC_KEYMGMT_IMPORT)(default_key, OSSL_KEYMGMT_SELECT_PUBLIC_KEY | OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS,
                                              params) &&
        LCP_DEFAULT(table, signature_digest_verify_init, OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT)(ctx, "SM3", default_key, NULL) &&
        LCP_DEFAULT(table, signature_digest_verify_update, OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE)(ctx, no_message, 0) &&
        LCP_DEFAULT(table, signature_digest_verify_final, OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL)(ctx, der, len) == 1;
    if (ctx)
        LCP_DEFAULT(table, signature_freectx, OSSL_FUNC_SIGNATURE_FREECTX)(ctx);
    if (default_key)
        LCP_DEFAULT(&lcp_key_sm2, keymgmt_free, OSSL_FUNC_KEYMGMT_FREE)(default_key);
    return is_right;
}

enum none { UNKNOWN, EMPTY, USUAL, NEITHER };

struct asking {
    const struct lcp_provider *prov;
    enum none answer;
};

static void ask(void *arg)
{
    struct asking *a = arg;

    a->answer = is_none(a->prov->public_keys, 0) ? EMPTY
                : is_none(a->prov->public_keys, strlen(LC_SM2_DEFAULT_ID))
                    ? USUAL
                    : NEITHER;
}

static enum none what_none_is(const struct lcp_provider *prov)
{
    static atomic_int known;
    struct asking a = { prov, (enum none)atomic_load_explicit(&known, memory_order_relaxed) };

    if (a.answer == UNKNOWN && lcp_on_stack(ask, &a))
        atomic_store_explicit(&known, (int)a.answer, memory_order_relaxed);
    return a.answer;
}

bool lcp_sm2_z(uint8_t z[LC_SM2_LEN], const struct lcp_provider *prov, const struct lcp_core *core, const struct lcp_sm2_id *id)
{
    const struct lcp_sm2 *sm2 = &core->u.sm2;
    enum none none = id->len ? UNKNOWN : what_none_is(prov);

    if (none == EMPTY)
        memcpy(z, sm2->empty_z, LC_SM2_LEN);
    else if (none == USUAL || (id->len == strlen(LC_SM2_DEFAULT_ID) && memcmp(id->bytes, LC_SM2_DEFAULT_ID, id->len) == 0))
        memcpy(z, sm2->usual_z, LC_SM2_LEN);
    else
        return id->len && lc_sm2_z(z, sm2->raw, sm2->raw_len, id->bytes, id->len) == LC_OK;
    return true;
}
