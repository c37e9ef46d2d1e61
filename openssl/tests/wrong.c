/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A control for other projects' tests: the module as it is, but a bit of what each update, key exchange, key derivation and HMAC
 * gives is wrong, and no signature is right.  What passes with this one too hasn't run the module's code.
 */
#include <dlfcn.h>
#include <string.h>

#include <openssl/core.h>
#include <openssl/core_dispatch.h>

enum { MAX_CIPHERS = 12, MAX_FUNCTIONS = 32 };

static OSSL_FUNC_provider_query_operation_fn *real_query;
static OSSL_FUNC_cipher_update_fn *real_update[MAX_CIPHERS];
static OSSL_ALGORITHM algorithms[MAX_CIPHERS + 1];
static OSSL_DISPATCH cipher_functions[MAX_CIPHERS][MAX_FUNCTIONS], functions[MAX_FUNCTIONS];

/* A function can't tell which cipher it was called for, so each has its own. */
#define WRONG_UPDATE(i)                                                                                                            \
    static int wrong_update_##i(void *ctx, unsigned char *out, size_t *out_len, size_t size, const unsigned char *in, size_t len)  \
    {                                                                                                                              \
        int ret = real_update[i](ctx, out, out_len, size, in, len);                                                                \
                                                                                                                                   \
        if (ret == 1 && out && *out_len)                                                                                           \
            out[0] ^= 1;                                                                                                           \
        return ret;                                                                                                                \
    }
/* clang-format off */
WRONG_UPDATE(0) WRONG_UPDATE(1) WRONG_UPDATE(2) WRONG_UPDATE(3) WRONG_UPDATE(4) WRONG_UPDATE(5)
WRONG_UPDATE(6) WRONG_UPDATE(7) WRONG_UPDATE(8) WRONG_UPDATE(9) WRONG_UPDATE(10) WRONG_UPDATE(11)
/* clang-format on */
    static OSSL_FUNC_cipher_update_fn *const wrong_updates[MAX_CIPHERS] = {
        wrong_update_0, wrong_update_1, wrong_update_2, wrong_update_3, wrong_update_4,  wrong_update_5,
        wrong_update_6, wrong_update_7, wrong_update_8, wrong_update_9, wrong_update_10, wrong_update_11,
    };

/* Two key exchanges, and four signatures */
enum { MAX_OTHERS = 4 };

static OSSL_FUNC_keyexch_derive_fn *real_derive[MAX_OTHERS];
static OSSL_ALGORITHM exchanges[MAX_OTHERS + 1], signatures[MAX_OTHERS + 1];
static OSSL_DISPATCH exchange_functions[MAX_OTHERS][MAX_FUNCTIONS], signature_functions[MAX_OTHERS][MAX_FUNCTIONS + 8];

#define WRONG_DERIVE(i)                                                                                                            \
    static int wrong_derive_##i(void *ctx, unsigned char *secret, size_t *len, size_t size)                                        \
    {                                                                                                                              \
        int ret = real_derive[i](ctx, secret, len, size);                                                                          \
                                                                                                                                   \
        if (ret == 1 && secret && *len)                                                                                            \
            secret[0] ^= 1;                                                                                                        \
        return ret;                                                                                                                \
    }
WRONG_DERIVE(0)
WRONG_DERIVE(1)

static OSSL_FUNC_kdf_derive_fn *real_kdf;
static OSSL_FUNC_mac_final_fn *real_mac;
static OSSL_ALGORITHM kdfs[2], macs[2];
static OSSL_DISPATCH kdf_functions[MAX_FUNCTIONS], mac_functions[MAX_FUNCTIONS];

static int wrong_kdf(void *ctx, unsigned char *key, size_t len, const OSSL_PARAM params[])
{
    int ret = real_kdf(ctx, key, len, params);

    if (ret == 1 && len)
        key[0] ^= 1;
    return ret;
}

static int wrong_mac(void *ctx, unsigned char *mac, size_t *len, size_t size)
{
    int ret = real_mac(ctx, mac, len, size);

    if (ret == 1 && *len)
        mac[0] ^= 1;
    return ret;
}

/* copy = real, with another function `id`; the real one's entry */
static const OSSL_DISPATCH *replace(OSSL_ALGORITHM *copy, OSSL_DISPATCH to[MAX_FUNCTIONS], const OSSL_ALGORITHM *real, int id,
                                    void (*function)(void))
{
    const OSSL_DISPATCH *found = NULL;

    *copy = *real;
    copy->implementation = to;
    for (size_t j = 0; j < MAX_FUNCTIONS - 1 && real->implementation[j].function_id; j++) {
        to[j] = real->implementation[j];
        if (to[j].function_id == id) {
            found = &real->implementation[j];
            to[j].function = function;
        }
    }
    return found;
}

static const OSSL_ALGORITHM *wrong_kdfs(const OSSL_ALGORITHM *real)
{
    real_kdf = OSSL_FUNC_kdf_derive(replace(kdfs, kdf_functions, real, OSSL_FUNC_KDF_DERIVE, (void (*)(void))wrong_kdf));
    return kdfs;
}

static const OSSL_ALGORITHM *wrong_macs(const OSSL_ALGORITHM *real)
{
    real_mac = OSSL_FUNC_mac_final(replace(macs, mac_functions, real, OSSL_FUNC_MAC_FINAL, (void (*)(void))wrong_mac));
    return macs;
}

static int never_right(void)
{
    return 0;
}

static const OSSL_ALGORITHM *wrong_exchanges(const OSSL_ALGORITHM *real)
{
    static OSSL_FUNC_keyexch_derive_fn *const wrong_derives[] = { wrong_derive_0, wrong_derive_1 };

    for (size_t i = 0; i < 2 && real[i].algorithm_names; i++)
        real_derive[i] = OSSL_FUNC_keyexch_derive(
            replace(&exchanges[i], exchange_functions[i], &real[i], OSSL_FUNC_KEYEXCH_DERIVE, (void (*)(void))wrong_derives[i]));
    return exchanges;
}

static const OSSL_ALGORITHM *wrong_signatures(const OSSL_ALGORITHM *real)
{
    for (size_t i = 0; i < MAX_OTHERS && real[i].algorithm_names; i++) {
        signatures[i] = real[i];
        signatures[i].implementation = signature_functions[i];
        for (size_t j = 0; j < MAX_FUNCTIONS + 7 && real[i].implementation[j].function_id; j++) {
            OSSL_DISPATCH *f = &signature_functions[i][j];

            *f = real[i].implementation[j];
            if (f->function_id == OSSL_FUNC_SIGNATURE_VERIFY || f->function_id == OSSL_FUNC_SIGNATURE_DIGEST_VERIFY ||
                f->function_id == OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL)
                f->function = (void (*)(void))never_right;
        }
    }
    return signatures;
}

static const OSSL_ALGORITHM *wrong_query(void *prov, int operation, int *no_store)
{
    const OSSL_ALGORITHM *real = real_query(prov, operation, no_store);

    if (real && operation == OSSL_OP_KEYEXCH)
        return wrong_exchanges(real);
    if (real && operation == OSSL_OP_SIGNATURE)
        return wrong_signatures(real);
    if (real && operation == OSSL_OP_KDF && real[0].algorithm_names)
        return wrong_kdfs(real);
    if (real && operation == OSSL_OP_MAC && real[0].algorithm_names)
        return wrong_macs(real);
    if (operation != OSSL_OP_CIPHER)
        return real;
    for (size_t i = 0; real && i < MAX_CIPHERS && real[i].algorithm_names; i++) {
        algorithms[i] = real[i];
        algorithms[i].implementation = cipher_functions[i];
        for (size_t j = 0; j < MAX_FUNCTIONS - 1 && real[i].implementation[j].function_id; j++) {
            cipher_functions[i][j] = real[i].implementation[j];
            if (cipher_functions[i][j].function_id == OSSL_FUNC_CIPHER_UPDATE) {
                real_update[i] = OSSL_FUNC_cipher_update(&cipher_functions[i][j]);
                cipher_functions[i][j].function = (void (*)(void))wrong_updates[i];
            }
        }
    }
    return real ? algorithms : NULL;
}

__attribute__((visibility("default"))) int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                                                              const OSSL_DISPATCH **out, void **provctx)
{
    void *module = dlopen(REAL_MODULE, RTLD_NOW | RTLD_LOCAL), *symbol = module ? dlsym(module, "OSSL_provider_init") : NULL;
    OSSL_provider_init_fn *real_init;

    memcpy(&real_init, &symbol, sizeof(real_init));
    if (!real_init || !real_init(handle, in, out, provctx))
        return 0;
    for (size_t i = 0; i < MAX_FUNCTIONS - 1 && (*out)[i].function_id; i++) {
        functions[i] = (*out)[i];
        if (functions[i].function_id == OSSL_FUNC_PROVIDER_QUERY_OPERATION) {
            real_query = OSSL_FUNC_provider_query_operation(&functions[i]);
            functions[i].function = (void (*)(void))wrong_query;
        }
    }
    *out = functions;
    return 1;
}
