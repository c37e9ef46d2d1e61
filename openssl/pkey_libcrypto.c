/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Functions of the libcrypto that has loaded the module.
 *
 * The module isn't linked with libcrypto, and there may be several in a process.  The right one is where the functions are that it
 * gave to OSSL_provider_init().  Each symbol has to be in there too: what a program exports under the same name isn't taken.
 *
 * The functions that find symbols may be missing, in glibc before 2.34 (see LCP_MAY_BE_MISSING).  Then there are no public keys.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "pkey.h"

LCP_MAY_BE_MISSING(dladdr)
LCP_MAY_BE_MISSING(dlclose)
LCP_MAY_BE_MISSING(dlopen)
LCP_MAY_BE_MISSING(dlsym)

static const void *base_of(const void *address)
{
    Dl_info info;

    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

static bool get(const struct lcp_libcrypto *lib, void *handle, const char *name, void *function)
{
    void *symbol = dlsym(handle, name);

    if (!symbol || base_of(symbol) != lib->base)
        return false;
    memcpy(function, &symbol, sizeof(symbol));
    return true;
}

bool lcp_find_libcrypto(struct lcp_libcrypto *lib, void (*function)(void))
{
    bool has_all = true;
    void *address, *handle;
    Dl_info info;

    if (!dladdr || !dlclose || !dlopen || !dlsym)
        return false;
    memcpy(&address, &function, sizeof(address));
    if (!dladdr(address, &info) || !info.dli_fname)
        return false;
    lib->base = info.dli_fbase;
    handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle)
        handle = dlopen(NULL, RTLD_LAZY); /* the program itself */
    if (!handle)
        return false;
#define GET(name) has_all = get(lib, handle, #name, &lib->name) && has_all;
    lib->has_async = true;
    LCP_LIBCRYPTO_ASYNC(GET)
    lib->has_async = has_all;
    has_all = true;
    LCP_LIBCRYPTO(GET)
#undef GET
    if (!get(lib, handle, "RSA_padding_check_PKCS1_OAEP_mgf1", &lib->oaep_check))
        lib->oaep_check = NULL;
    dlclose(handle); /* it stays as long as the module does */
    return has_all;
}
