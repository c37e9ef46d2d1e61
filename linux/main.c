/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The kernel module: what this CPU has, what the parameters ask for, and loading and unloading. */
#include <crypto/algapi.h>
#include <crypto/internal/aead.h>
#include <crypto/internal/skcipher.h>
#include <linux/module.h>

#include "../src/x86/cpu.h"
#include "compat.h"
#include "module.h"

static bool below;
module_param(below, bool, 0444);
MODULE_PARM_DESC(below, "give the drivers lower priorities than all others, so that they are used by name only");

static char *prefer = "";
module_param(prefer, charp, 0444);
MODULE_PARM_DESC(prefer, "drivers that get the highest priority: names as in /proc/crypto, separated by commas");

#define PASSED_OVER_PRIORITY 2
#define PREFERRED_PRIORITY 900

static uint64_t features;

static void __init ask_cpu(u32 leaf, u32 regs[4])
{
    asm("cpuid" : "=a"(regs[0]), "=b"(regs[1]), "=c"(regs[2]), "=d"(regs[3]) : "a"(leaf), "c"(0));
}

/*
 * Features are those that the kernel has left on (clearcpuid=, mitigations), in the words that CPUID gave; what they mean and the
 * policy on 512-bit vectors is the library's.
 */
static uint64_t __init detect(const char **zmm_policy)
{
    const u32 *words = boot_cpu_data.x86_capability;
    struct lc_x86_cpuid id = {
        .leaf1_ecx = words[X86_FEATURE_AES / 32],
        .leaf7_ebx = words[X86_FEATURE_AVX2 / 32],
        .leaf7_ecx = words[X86_FEATURE_VAES / 32],
    };
    u32 regs[4];

    ask_cpu(0, regs);
    memcpy(id.vendor, &regs[1], 4);
    memcpy(id.vendor + 4, &regs[3], 4);
    memcpy(id.vendor + 8, &regs[2], 4);
    ask_cpu(1, regs);
    id.leaf1_eax = regs[0];
    id.xcr0 = compat_xcr0();
    return lc_x86_features(&id, zmm_policy);
}

/* ---- The algorithms and their drivers ---- */

static const struct lc_kernel_algorithm *const algorithms[] = {
    &lc_kernel_xts, &lc_kernel_ctr, &lc_kernel_gcm, &lc_kernel_rfc4106_gcm, &lc_kernel_rfc7539, &lc_kernel_rfc7539esp
};

/*
 * The kernel's own drivers have 400 or 401 (aesni), 500 (aesni-avx), 600 (vaes-avx2), 700 and 800 (256 and 512 bits), and 1 for
 * what its own policy on 512-bit vectors passes over.  Ours are 50 above their class, so that a better class wins, whoever's.
 * 0: no driver, as the kernel has C code of its own.
 */
static int __init class_priority(enum lc_class class)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"
    switch (class) {
    case LC_CLASS_AVX512_512: return 850;
    case LC_CLASS_AVX512_256: return 750;
    case LC_CLASS_AVX2: return 650;
    case LC_CLASS_AVX: return 550;
    case LC_CLASS_SSE: return 450;
    case LC_CLASS_SHANI:
    case LC_CLASS_NEON:
    case LC_CLASS_SCALAR:
    case LC_CLASS_PORTABLE: return 0;
    }
#pragma GCC diagnostic pop
    return 0;
}

/* Row i of the algorithm's mode, or NULL after the last one that is a driver. */
static const struct lc_impl *__init row_of(const struct lc_kernel_algorithm *a, size_t i)
{
    const struct lc_impl *impl = i < a->mode->num_rows ? lc_mode_row(a->mode, i) : NULL;

    return impl && class_priority(impl->class) ? impl : NULL;
}

/* "xts-aes-<what it needs>" -> "xts-aes-lanecrypt-<what it needs>", after the algorithm's prefix */
static void __init driver_name(char name[CRYPTO_MAX_ALG_NAME], const struct lc_kernel_algorithm *a, const struct lc_impl *impl)
{
    snprintf(name, CRYPTO_MAX_ALG_NAME, "%s%s-lanecrypt%s", a->prefix, a->cipher, impl->name + strlen(a->cipher));
}

/* Is `name` in prefer's list? */
static bool __init is_preferred(const char *name)
{
    size_t len = strlen(name);

    for (const char *word = prefer; *word; word += strspn(word, ",")) {
        size_t word_len = strcspn(word, ",");

        if (word_len == len && memcmp(word, name, len) == 0)
            return true;
        word += word_len;
    }
    return false;
}

static int __init priority_of(const struct lc_kernel_algorithm *a, size_t i, const char *name)
{
    const struct lc_impl *impl = lc_mode_row(a->mode, i);
    int priority = class_priority(impl->class);

    if (is_preferred(name))
        return PREFERRED_PRIORITY;
    if (below)
        return priority / 10; /* the generic C code has 100 */
    if (impl->prefers & ~features)
        return PASSED_OVER_PRIORITY;
    /* Of two rows of one class, the first is the better one. */
    for (; i && lc_mode_row(a->mode, i - 1)->class == impl->class; i--)
        priority--;
    return priority;
}

/* Is there a driver of that name that this CPU can run?  0, -ENODEV, or -EINVAL if no CPU has it. */
static int __init check_driver(const char *word, size_t word_len)
{
    char name[CRYPTO_MAX_ALG_NAME];
    const struct lc_impl *impl;

    for (size_t a = 0; a < ARRAY_SIZE(algorithms); a++) {
        for (size_t i = 0; (impl = row_of(algorithms[a], i)); i++) {
            driver_name(name, algorithms[a], impl);
            if (strlen(name) == word_len && memcmp(name, word, word_len) == 0)
                return impl->needs & ~features ? -ENODEV : 0;
        }
    }
    return -EINVAL;
}

static void __init print_drivers(void)
{
    char name[CRYPTO_MAX_ALG_NAME];
    const struct lc_impl *impl;

    for (size_t a = 0; a < ARRAY_SIZE(algorithms); a++) {
        for (size_t i = 0; (impl = row_of(algorithms[a], i)); i++) {
            driver_name(name, algorithms[a], impl);
            pr_err("lanecrypt:     %s\n", name);
        }
    }
}

/* Is `prefer` empty, or a list of drivers that this CPU can run? */
static int __init check_prefer(void)
{
    for (const char *word = prefer; *word; word += strspn(word, ",")) {
        size_t len = strcspn(word, ",");
        int err = check_driver(word, len);

        if (err == -ENODEV)
            pr_err("lanecrypt: prefer=%.*s: this CPU lacks what it needs, or the kernel has turned it off\n", (int)len, word);
        if (err == -EINVAL) {
            pr_err("lanecrypt: prefer=%.*s: unknown driver; the drivers are:\n", (int)len, word);
            print_drivers();
        }
        if (err)
            return err;
        word += len;
    }
    return 0;
}

/* Is there anything for this CPU? */
static bool __init any_runs(void)
{
    const struct lc_impl *impl;

    for (size_t a = 0; a < ARRAY_SIZE(algorithms); a++)
        for (size_t i = 0; (impl = row_of(algorithms[a], i)); i++)
            if (!(impl->needs & ~features))
                return true;
    return false;
}

/* ---- Registration ---- */

/* What has been registered, a bit a row. */
static unsigned long registered[ARRAY_SIZE(algorithms)];

static void unregister_all(void)
{
    for (size_t n = 0; n < ARRAY_SIZE(algorithms); n++) {
        const struct lc_kernel_algorithm *a = algorithms[n];

        for (; registered[n]; registered[n] &= registered[n] - 1) {
            if (a->skciphers)
                crypto_unregister_skcipher(&a->skciphers[__ffs(registered[n])]);
            else
                crypto_unregister_aead(&a->aeads[__ffs(registered[n])]);
        }
    }
}

/* All that this CPU can run, or nothing. */
static int __init register_all(void)
{
    const struct lc_impl *impl;

    for (size_t n = 0; n < ARRAY_SIZE(algorithms); n++) {
        const struct lc_kernel_algorithm *a = algorithms[n];

        for (size_t i = 0; (impl = row_of(a, i)); i++) {
            struct crypto_alg *alg = a->skciphers ? &a->skciphers[i].base : &a->aeads[i].base;
            int err;

            if (impl->needs & ~features)
                continue;
            driver_name(alg->cra_driver_name, a, impl);
            alg->cra_priority = priority_of(a, i, alg->cra_driver_name);
            err = a->skciphers ? crypto_register_skcipher(&a->skciphers[i]) : crypto_register_aead(&a->aeads[i]);
            if (err) {
                pr_err("lanecrypt: %s: can't be registered (%d)\n", alg->cra_driver_name, err);
                unregister_all();
                return err;
            }
            registered[n] |= BIT(i);
        }
    }
    return 0;
}

static int __init lanecrypt_init(void)
{
    const char *zmm_policy;
    int err;

    features = detect(&zmm_policy);
    if (!any_runs()) {
        pr_err("lanecrypt: this CPU has neither AES instructions nor AVX2, or the kernel has turned them off\n");
        return -ENODEV;
    }
    err = check_prefer();
    if (!err)
        err = lc_kernel_alloc_work();
    if (err)
        return err;
    err = register_all();
    if (err)
        lc_kernel_free_work();
    else
        pr_info("lanecrypt: registered; 512-bit vectors: %s\n", zmm_policy);
    return err;
}

static void __exit lanecrypt_exit(void)
{
    unregister_all();
    lc_kernel_free_work();
}

module_init(lanecrypt_init);
module_exit(lanecrypt_exit);

COMPAT_DEVICE_TABLE
MODULE_ALIAS_CRYPTO("xts(aes)");
MODULE_ALIAS_CRYPTO("ctr(aes)");
MODULE_ALIAS_CRYPTO("gcm(aes)");
MODULE_ALIAS_CRYPTO("rfc4106(gcm(aes))");
MODULE_ALIAS_CRYPTO("rfc7539(chacha20,poly1305)");
MODULE_ALIAS_CRYPTO("rfc7539esp(chacha20,poly1305)");
MODULE_DESCRIPTION("AES-XTS, AES-CTR, AES-GCM and ChaCha20-Poly1305 for every x86-64 CPU with the instructions");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_VERSION(
    __stringify(LANECRYPT_VERSION_MAJOR) "." __stringify(LANECRYPT_VERSION_MINOR) "." __stringify(LANECRYPT_VERSION_PATCH));
