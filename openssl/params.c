/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * OSSL_PARAM: names, numbers and bytes; and the memory of contexts.
 *
 * libcrypto's OSSL_PARAM_locate() compares each name that a cipher knows with each that the caller has passed, and would have to
 * be linked.  Here the caller's are gone through once, and each is looked up by its first letter.
 */
#include <strings.h>

#include <openssl/params.h>

#include "provider.h"

bool lcp_has_name(const char *names, const char *name, const char *separators)
{
    size_t len = strlen(name);

    while (*names) {
        size_t n = strcspn(names, separators);

        if (n == len && strncasecmp(names, name, len) == 0)
            return true;
        names += n;
        names += strspn(names, separators);
    }
    return false;
}

bool lcp_all_named(const OSSL_PARAM params[], const char *const *names, size_t num)
{
    for (; params && params->key; params++) {
        size_t i = 0;

        while (i < num && strcmp(params->key, names[i]) != 0)
            i++;
        if (i == num)
            return false;
    }
    return true;
}

/* No strlen() or strcmp(): for names as short as these, calling them takes longer than comparing. */
static inline bool is(const char *key, const char *name, size_t size)
{
#pragma GCC unroll 16
    for (size_t i = 0; i < size; i++)
        if (key[i] != name[i])
            return false;
    return true;
}

enum lcp_param lcp_param(const char *key)
{
#define IS(name, id)                                                                                                               \
    if (is(key, name, sizeof(name)))                                                                                               \
    return LCP_P_##id
    switch (key[0]) {
    case 'a': IS("aead", AEAD); break;
    case 'b': IS("blocksize", BLOCK_SIZE); break;
    case 'c':
        IS("custom-iv", CUSTOM_IV);
        IS("cts", CTS);
        break;
    case 'e': IS("encrypt-then-mac", ENCRYPT_THEN_MAC); break;
    case 'h': IS("has-randkey", HAS_RAND_KEY); break;
    case 'i':
        IS("ivlen", IV_LEN);
        IS("iv", IV);
        IS("iv-generated", IV_GENERATED);
        break;
    case 'k': IS("keylen", KEY_LEN); break;
    case 'm': IS("mode", MODE); break;
    case 'n': IS("num", NUM); break;
    case 't':
        IS("tag", TAG);
        IS("taglen", TAG_LEN);
        IS("tlsaad", TLS_AAD);
        IS("tlsaadpad", TLS_AAD_PAD);
        IS("tlsivfixed", TLS_IV_FIXED);
        IS("tlsivgen", TLS_IV_GEN);
        IS("tlsivinv", TLS_IV_INV);
        IS("tls-multi", TLS_MULTIBLOCK);
        break;
    case 'u': IS("updated-iv", UPDATED_IV); break;
    default: break;
    }
#undef IS
    return LCP_P_OTHER;
}

int lcp_read_size(const OSSL_PARAM *p, size_t *value)
{
    uint64_t u;

    if (p->data == NULL || (p->data_type != OSSL_PARAM_UNSIGNED_INTEGER && p->data_type != OSSL_PARAM_INTEGER))
        return 0;
    if (p->data_size == sizeof(uint64_t)) {
        memcpy(&u, p->data, sizeof(u));
        if (p->data_type == OSSL_PARAM_INTEGER && u >> 63)
            return 0;
    } else if (p->data_size == sizeof(uint32_t)) {
        uint32_t u32;

        memcpy(&u32, p->data, sizeof(u32));
        if (p->data_type == OSSL_PARAM_INTEGER && u32 >> 31)
            return 0;
        u = u32;
    } else {
        return 0;
    }
    if (u > SIZE_MAX)
        return 0;
    *value = (size_t)u;
    return 1;
}

int lcp_write_size(OSSL_PARAM *p, size_t value)
{
    p->return_size = 0;
    if (p->data_type != OSSL_PARAM_UNSIGNED_INTEGER && p->data_type != OSSL_PARAM_INTEGER)
        return 0;
    p->return_size = p->data ? p->data_size : sizeof(value);
    if (p->data == NULL)
        return 1;
    if (p->data_size == sizeof(uint64_t)) {
        uint64_t u = value;

        memcpy(p->data, &u, sizeof(u));
    } else if (p->data_size == sizeof(uint32_t) && value <= INT32_MAX) {
        uint32_t u = (uint32_t)value;

        memcpy(p->data, &u, sizeof(u));
    } else {
        return 0;
    }
    return 1;
}

int lcp_write_octets(OSSL_PARAM *p, const uint8_t *octets, size_t len)
{
    p->return_size = len;
    if (p->data_type == OSSL_PARAM_OCTET_PTR) {
        if (p->data)
            *(const void **)p->data = octets;
        return 1;
    }
    if (p->data_type != OSSL_PARAM_OCTET_STRING)
        return 0;
    if (p->data == NULL)
        return 1;
    if (p->data_size < len)
        return 0;
    memcpy(p->data, octets, len);
    return 1;
}

int lcp_check_size(const struct lcp_provider *prov, const OSSL_PARAM *p, size_t size, enum lcp_reason reason, const char *file,
                   int line, const char *func)
{
    size_t value;

    if (!lcp_read_size(p, &value))
        return lcp_raise(prov, LCP_R_BAD_PARAM, file, line, func);
    return value == size ? 1 : lcp_raise(prov, reason, file, line, func);
}

/* ---- Contexts ---- */

/*
 * glibc's calloc() takes 20 ns longer than malloc(): before 2.41 it has no part in what each thread keeps.  The compiler would make
 * a calloc() of malloc() and memset(), if it knew whose memory that is.
 */
void *lcp_new(const struct lcp_provider *prov, size_t len)
{
    void *ctx = malloc(len);

    __asm__("" : "+r"(ctx));
    if (ctx)
        memset(ctx, 0, len);
    else
        lcp_refuse(prov, ALLOC);
    return ctx;
}

void *lcp_copy(const struct lcp_provider *prov, const void *ctx, size_t len)
{
    void *copy = malloc(len);

    if (copy)
        memcpy(copy, ctx, len);
    else
        lcp_refuse(prov, ALLOC);
    return copy;
}

void lcp_free(void *ctx, size_t secret_len)
{
    if (ctx)
        lc_wipe(ctx, secret_len);
    free(ctx);
}

/* ---- What is the same for all contexts of a cipher ---- */

int lcp_get_params(OSSL_PARAM params[], const struct lcp_cipher *cipher)
{
    for (OSSL_PARAM *p = params; p && p->key; p++) {
        size_t value;

        switch (lcp_param(p->key)) {
        case LCP_P_AEAD: value = cipher->is_aead; break;
        case LCP_P_BLOCK_SIZE: value = 1; break;
        case LCP_P_CUSTOM_IV: value = cipher->has_custom_iv; break;
        case LCP_P_IV_LEN: value = cipher->iv_len; break;
        case LCP_P_KEY_LEN: value = cipher->key_len; break;
        case LCP_P_MODE: value = cipher->mode; break;
        case LCP_P_CTS:
        case LCP_P_ENCRYPT_THEN_MAC:
        case LCP_P_HAS_RAND_KEY:
        case LCP_P_TLS_MULTIBLOCK: value = 0; break;
        default: continue;
        }
        if (!lcp_write_size(p, value))
            return 0;
    }
    return 1;
}

const OSSL_PARAM *lcp_gettable_params(void *prov)
{
    static const OSSL_PARAM gettable[] = {
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_MODE, NULL),        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),     OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_BLOCK_SIZE, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_AEAD, NULL),         OSSL_PARAM_int(OSSL_CIPHER_PARAM_CUSTOM_IV, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_CTS, NULL),          OSSL_PARAM_int(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_HAS_RAND_KEY, NULL), OSSL_PARAM_END
    };

    (void)prov;
    return gettable;
}
