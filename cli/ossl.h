/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A libcrypto of OpenSSL 3 or later, loaded at run time, and its configuration, read by its own parser.  Neither its headers nor
 * the library are needed to build.  The prototypes are those of the manual pages; they are the same in all of these versions.
 */
#ifndef LANECRYPT_OSSL_H
#define LANECRYPT_OSSL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* OSSL_PARAM and CONF_VALUE of the public headers. */
struct ossl_param {
    const char *key;
    unsigned type;
    void *data;
    size_t size, return_size;
};
struct ossl_value {
    char *section, *name, *value;
};

#define OSSL_FUNCTIONS(F)                                                                                                          \
    F(const char *, OpenSSL_version, (int what))                                                                                   \
    F(const char *, OPENSSL_info, (int what))                                                                                      \
    F(int, OPENSSL_init_crypto, (uint64_t options, const void *settings))                                                          \
    F(void *, EVP_CIPHER_fetch, (void *ctx, const char *name, const char *properties))                                             \
    F(void, EVP_CIPHER_free, (void *cipher))                                                                                       \
    F(const void *, EVP_CIPHER_get0_provider, (const void *cipher))                                                                \
    F(void *, EVP_SIGNATURE_fetch, (void *ctx, const char *name, const char *properties))                                          \
    F(void, EVP_SIGNATURE_free, (void *signature))                                                                                 \
    F(const void *, EVP_SIGNATURE_get0_provider, (const void *signature))                                                          \
    F(void *, EVP_KEYEXCH_fetch, (void *ctx, const char *name, const char *properties))                                            \
    F(void, EVP_KEYEXCH_free, (void *exchange))                                                                                    \
    F(const void *, EVP_KEYEXCH_get0_provider, (const void *exchange))                                                             \
    F(void *, EVP_MD_fetch, (void *ctx, const char *name, const char *properties))                                                 \
    F(const void *, EVP_MD_get0_provider, (const void *md))                                                                        \
    F(void, EVP_MD_free, (void *md))                                                                                               \
    F(void *, EVP_KDF_fetch, (void *ctx, const char *name, const char *properties))                                                \
    F(const void *, EVP_KDF_get0_provider, (const void *kdf))                                                                      \
    F(void, EVP_KDF_free, (void *kdf))                                                                                             \
    F(void *, EVP_MAC_fetch, (void *ctx, const char *name, const char *properties))                                                \
    F(const void *, EVP_MAC_get0_provider, (const void *mac))                                                                      \
    F(void, EVP_MAC_free, (void *mac))                                                                                             \
    F(void *, EVP_RAND_fetch, (void *ctx, const char *name, const char *properties))                                               \
    F(void, EVP_RAND_free, (void *rand))                                                                                           \
    F(int, OSSL_PROVIDER_available, (void *ctx, const char *name))                                                                 \
    F(void *, OSSL_PROVIDER_load, (void *ctx, const char *name))                                                                   \
    F(int, OSSL_PROVIDER_set_default_search_path, (void *ctx, const char *dir))                                                    \
    F(int, OSSL_PROVIDER_do_all, (void *ctx, int (*cb)(void *prov, void *arg), void *arg))                                         \
    F(const char *, OSSL_PROVIDER_get0_name, (const void *prov))                                                                   \
    F(int, OSSL_PROVIDER_get_params, (const void *prov, struct ossl_param *params))                                                \
    F(char *, CONF_get1_default_config_file, (void))                                                                               \
    F(void *, NCONF_new, (void *method))                                                                                           \
    F(void, NCONF_free, (void *conf))                                                                                              \
    F(int, NCONF_load, (void *conf, const char *file, long *line))                                                                 \
    F(char *, NCONF_get_string, (const void *conf, const char *section, const char *name))                                         \
    F(void *, NCONF_get_section, (const void *conf, const char *section))                                                          \
    F(int, OPENSSL_sk_num, (const void *stack))                                                                                    \
    F(void *, OPENSSL_sk_value, (const void *stack, int i))

struct ossl {
    void *lib;
#define OSSL_MEMBER(type, name, args) type(*name) args;
    OSSL_FUNCTIONS(OSSL_MEMBER)
#undef OSSL_MEMBER
};

/* OpenSSL_version() and OPENSSL_info(); OPENSSL_init_crypto(); the type of a parameter that gets a pointer to a string. */
enum { OSSL_VERSION_TEXT = 0, OSSL_INFO_CONFIG_DIR = 1001, OSSL_INFO_MODULES_DIR = 1003 };
enum { OSSL_INIT_LOAD_CONFIG = 0x40, OSSL_PARAM_UTF8_PTR = 6 };

/* Load path, or the system's if it is NULL.  It is never unloaded.  If it can't be used, err says why. */
bool ossl_open(struct ossl *o, const char *path, char *err, size_t err_size);

/* Another function of it.  function: a pointer to a pointer to it, written.  false: it hasn't that. */
bool ossl_get(const struct ossl *o, const char *name, void *function);

/* The parsed file; NULL if it can't be read, with the line of a syntax error or 0.  o->NCONF_free() ends it. */
void *ossl_read_conf(const struct ossl *o, const char *file, long *line);

/* A value of this very section, as NCONF_get_string() would also look into the file's first one; NULL if it isn't there. */
const char *ossl_conf_value(const struct ossl *o, const void *conf, const char *section, const char *name);

/* Has the provider's section `activate = 1`, in one of its forms?  OpenSSL 3.0 would take `no` for yes. */
bool ossl_conf_activates(const struct ossl *o, const void *conf, const char *section);

/* Can the file be loaded as a provider?  If not, err says why.  It must be an absolute path. */
bool ossl_check_module(const char *path, char *err, size_t err_size);

#endif
