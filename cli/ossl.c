/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "ossl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* dlsym() returns functions as void *, which C has no conversion for: copy the pointer's bits. */
bool ossl_get(const struct ossl *o, const char *name, void *function)
{
    void *symbol = dlsym(o->lib, name);

    memcpy(function, &symbol, sizeof(symbol));
    return symbol != NULL;
}

bool ossl_open(struct ossl *o, const char *path, char *err, size_t err_size)
{
    const char *missing = NULL;

    o->lib = dlopen(path ? path : "libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!o->lib && !path)
        o->lib = dlopen("libcrypto.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!o->lib) {
        snprintf(err, err_size, "%s", dlerror());
        return false;
    }
#define OSSL_GET(type, name, args)                                                                                                 \
    if (!ossl_get(o, #name, &o->name))                                                                                             \
        missing = #name;
    OSSL_FUNCTIONS(OSSL_GET)
#undef OSSL_GET
    if (missing && o->OpenSSL_version)
        snprintf(err, err_size, "%s has no providers: OpenSSL 3.0 or later is needed", o->OpenSSL_version(OSSL_VERSION_TEXT));
    else if (missing)
        snprintf(err, err_size, "it has no %s(), so it isn't OpenSSL's libcrypto", missing);
    return !missing;
}

void *ossl_read_conf(const struct ossl *o, const char *file, long *line)
{
    void *conf = o->NCONF_new(NULL);

    *line = 0;
    if (conf && o->NCONF_load(conf, file, line) == 1)
        return conf;
    o->NCONF_free(conf);
    return NULL;
}

const char *ossl_conf_value(const struct ossl *o, const void *conf, const char *section, const char *name)
{
    const void *values = section ? o->NCONF_get_section(conf, section) : NULL;

    for (int i = 0; values && i < o->OPENSSL_sk_num(values); i++) {
        const struct ossl_value *v = o->OPENSSL_sk_value(values, i);

        if (strcmp(v->name, name) == 0)
            return v->value;
    }
    return NULL;
}

bool ossl_conf_activates(const struct ossl *o, const void *conf, const char *section)
{
    static const char *const no[] = { "0", "no", "false", "off" };
    const char *value = ossl_conf_value(o, conf, section, "activate");

    for (size_t i = 0; value && i < sizeof(no) / sizeof(no[0]); i++)
        if (strcasecmp(value, no[i]) == 0)
            return false;
    return value != NULL;
}

bool ossl_check_module(const char *path, char *err, size_t err_size)
{
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    bool ok = module && dlsym(module, "OSSL_provider_init");

    if (!module)
        snprintf(err, err_size, "%s", dlerror());
    else if (!ok)
        snprintf(err, err_size, "%s: not an OpenSSL provider: it has no OSSL_provider_init()", path);
    if (module)
        dlclose(module);
    return ok;
}
