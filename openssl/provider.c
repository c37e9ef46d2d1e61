/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The OpenSSL provider: loading, what it says of itself, which ciphers it offers, errors.
 *
 * Nothing happens at load but the self-test: no threads, no files, no atexit; and nothing is shared between library contexts.  If
 * the configuration asks for public keys, the default provider is loaded, too, and its tables are shared (pkey.c).
 */
#include <stdarg.h>
#include <stdio.h>

#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/proverr.h>

#include "lanecrypt/lanecrypt.h"
#include "pkey.h"
#include "provider.h"

/* ---- Errors ---- */

static void set_error(const struct lcp_provider *prov, uint32_t reason, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    prov->vset_error(prov->handle, reason, format, args);
    va_end(args);
}

int lcp_raise(const struct lcp_provider *prov, enum lcp_reason reason, const char *file, int line, const char *func)
{
    static const char *const more[] = { "",
#define LCP_REASON(id, text, more) more,
                                        LCP_REASONS(LCP_REASON)
#undef LCP_REASON
    };
    uint32_t code = reason;

    if (reason == LCP_R_XTS_EQUAL_KEYS) /* programs look for the default provider's */
        code = ERR_PACK(ERR_LIB_PROV, 0, PROV_R_XTS_DUPLICATED_KEYS);
    if (prov->new_error && prov->vset_error) {
        prov->new_error(prov->handle);
        if (prov->set_error_debug)
            prov->set_error_debug(prov->handle, file, line, func);
        set_error(prov, code, "%s", more[reason]);
    }
    return 0;
}

static const OSSL_ITEM *get_reason_strings(void *prov)
{
    static const OSSL_ITEM reasons[] = {
#define LCP_REASON(id, text, more) { LCP_R_##id, (void *)(uintptr_t)(text) },
        LCP_REASONS(LCP_REASON)
#undef LCP_REASON
            { 0, NULL }
    };

    (void)prov;
    return reasons;
}

/* ---- What the provider says of itself ---- */

static const OSSL_PARAM *gettable_params(void *prov)
{
    static const OSSL_PARAM gettable[] = { OSSL_PARAM_DEFN(OSSL_PROV_PARAM_NAME, OSSL_PARAM_UTF8_PTR, NULL, 0),
                                           OSSL_PARAM_DEFN(OSSL_PROV_PARAM_VERSION, OSSL_PARAM_UTF8_PTR, NULL, 0),
                                           OSSL_PARAM_DEFN(OSSL_PROV_PARAM_BUILDINFO, OSSL_PARAM_UTF8_PTR, NULL, 0),
                                           OSSL_PARAM_DEFN(OSSL_PROV_PARAM_STATUS, OSSL_PARAM_INTEGER, NULL, 0), OSSL_PARAM_END };

    (void)prov;
    return gettable;
}

static int write_string(OSSL_PARAM *p, const char *string)
{
    p->return_size = strlen(string);
    if (p->data_type != OSSL_PARAM_UTF8_PTR)
        return 0;
    if (p->data)
        *(const char **)p->data = string;
    return 1;
}

static int get_params(void *provctx, OSSL_PARAM params[])
{
    const struct lcp_provider *prov = provctx;

    for (OSSL_PARAM *p = params; p && p->key; p++) {
        int ok = 1;

        if (strcmp(p->key, OSSL_PROV_PARAM_NAME) == 0)
            ok = write_string(p, "lanecrypt");
        else if (strcmp(p->key, OSSL_PROV_PARAM_VERSION) == 0)
            ok = write_string(p, lc_version());
        else if (strcmp(p->key, OSSL_PROV_PARAM_BUILDINFO) == 0)
            ok = write_string(p, prov->info);
        else if (strcmp(p->key, OSSL_PROV_PARAM_STATUS) == 0)
            ok = lcp_write_size(p, 1);
        if (!ok)
            return lcp_refuse(prov, BAD_PARAM);
    }
    return 1;
}

/* ---- Ciphers ---- */

static const struct {
    const char *group; /* as the configuration may name it */
    const struct lcp_cipher *cipher;
} all_ciphers[] = {
    { "aes-gcm", &lcp_aes_128_gcm }, { "aes-gcm", &lcp_aes_192_gcm },
    { "aes-gcm", &lcp_aes_256_gcm }, { "chacha20-poly1305", &lcp_chacha20_poly1305 },
    { "aes-ctr", &lcp_aes_128_ctr }, { "aes-ctr", &lcp_aes_192_ctr },
    { "aes-ctr", &lcp_aes_256_ctr }, { "chacha20", &lcp_chacha20 },
    { "aes-xts", &lcp_aes_128_xts }, { "aes-xts", &lcp_aes_256_xts },
};
enum { NUM_CIPHERS = sizeof(all_ciphers) / sizeof(all_ciphers[0]) };

static const OSSL_ALGORITHM *query_operation(void *prov, int operation, int *no_store)
{
    *no_store = 0;
    return operation == OSSL_OP_CIPHER ? ((struct lcp_provider *)prov)->ciphers : lcp_public_keys_query(prov, operation);
}

static int get_capabilities(void *prov, const char *capability, OSSL_CALLBACK *cb, void *arg)
{
    return lcp_public_keys_capabilities(prov, capability, cb, arg);
}

bool lcp_is_portable(const char *impl)
{
    size_t len = strlen(impl), end_len = strlen("-portable");

    return len > end_len && strcmp(impl + len - end_len, "-portable") == 0;
}

/*
 * A line of the provider's section in the configuration, or NULL: `portable = yes`, which is there for tests; `ciphers`, a list of
 * those that are offered, else all are; `public-key`, which says what else is; and how.
 */
static const char *configured(const char *name, const OSSL_CORE_HANDLE *handle, OSSL_FUNC_core_get_params_fn *core_get_params)
{
    char *value = NULL;
    OSSL_PARAM wanted[] = { OSSL_PARAM_DEFN(name, OSSL_PARAM_UTF8_PTR, NULL, 0), OSSL_PARAM_END };

    wanted[0].data = &value;
    return core_get_params && core_get_params(handle, wanted) ? value : NULL;
}

static bool is_yes(const char *value)
{
    return value && strcmp(value, "yes") == 0;
}

/* Leaves out what isn't asked for, fails its self-test or wouldn't be faster: libcrypto then takes another provider's. */
static void offer_ciphers(struct lcp_provider *prov, OSSL_ALGORITHM *ciphers, const char *only, bool with_portable)
{
    size_t num = 0, info_len = 0;

    for (size_t i = 0; i < NUM_CIPHERS; i++) {
        const struct lcp_cipher *cipher = all_ciphers[i].cipher;
        const char *impl;

        if (only && !lcp_has_name(only, all_ciphers[i].group, ", \t"))
            continue;
        if (!lcp_selftest(prov, cipher, &impl) || (lcp_is_portable(impl) && !with_portable))
            continue;
        ciphers[num++] = (OSSL_ALGORITHM){ cipher->names, "provider=lanecrypt", cipher->functions, cipher->description };
        info_len += (size_t)snprintf(prov->info + info_len, sizeof(prov->info) - info_len, "%s%.*s: %s", info_len ? ", " : "",
                                     (int)strcspn(cipher->names, ":"), cipher->names, impl);
        if (info_len >= sizeof(prov->info))
            info_len = sizeof(prov->info) - 1;
    }
    prov->ciphers = ciphers;
}

/* ---- Loading ---- */

static void teardown(void *provctx)
{
    struct lcp_provider *prov = provctx;

    lcp_public_keys_end(prov);
    free(prov->ciphers);
    free(prov);
}

static const OSSL_DISPATCH functions[] = {
    { OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))teardown },
    { OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))gettable_params },
    { OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))get_params },
    { OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query_operation },
    { OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, (void (*)(void))get_reason_strings },
    { OSSL_FUNC_PROVIDER_GET_CAPABILITIES, (void (*)(void))get_capabilities },
    { 0, NULL }
};

__attribute__((visibility("default"))) int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                                                              const OSSL_DISPATCH **out, void **provctx)
{
    struct lcp_provider *prov = calloc(1, sizeof(*prov));
    OSSL_ALGORITHM *ciphers = calloc(NUM_CIPHERS + 1, sizeof(*ciphers));
    OSSL_FUNC_core_get_params_fn *core_get_params = NULL;
    OSSL_FUNC_core_vset_error_fn *vset_error = NULL;
    struct lcp_public_settings settings;

    if (!prov || !ciphers) {
        free(prov);
        free(ciphers);
        return 0;
    }
    prov->handle = handle;
    for (; in->function_id; in++) {
        switch (in->function_id) {
        case OSSL_FUNC_CORE_GET_PARAMS: core_get_params = OSSL_FUNC_core_get_params(in); break;
        case OSSL_FUNC_CORE_GET_LIBCTX: prov->program = OSSL_FUNC_core_get_libctx(in)(handle); break;
        case OSSL_FUNC_CORE_NEW_ERROR: prov->new_error = OSSL_FUNC_core_new_error(in); break;
        case OSSL_FUNC_CORE_SET_ERROR_DEBUG: prov->set_error_debug = OSSL_FUNC_core_set_error_debug(in); break;
        case OSSL_FUNC_CORE_VSET_ERROR: vset_error = OSSL_FUNC_core_vset_error(in); break;
        default: break;
        }
    }
    settings = (struct lcp_public_settings){ .list = configured("public-key", handle, core_get_params),
                                             .with_portable = is_yes(configured("portable", handle, core_get_params)),
                                             .with_threads = is_yes(configured("combine-threads", handle, core_get_params)),
                                             .with_counters = is_yes(configured("count-batches", handle, core_get_params)) };
    offer_ciphers(prov, ciphers, configured("ciphers", handle, core_get_params), settings.with_portable);
    lcp_public_keys_start(prov, &settings, (void (*)(void))core_get_params);
    prov->vset_error = vset_error; /* only now: what is left out is no error of the program's */
    *provctx = prov;
    *out = functions;
    return 1;
}
