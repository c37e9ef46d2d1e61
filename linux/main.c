/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The kernel module: what this CPU has, what the parameters ask for, and loading and unloading. */
#include <crypto/algapi.h>
#include <linux/module.h>

#include "../src/x86/cpu.h"
#include "compat.h"
#include "module.h"

static bool below;
module_param(below, bool, 0444);
MODULE_PARM_DESC(below, "priorities below those of all other drivers: to be used by name only");

static char *prefer = "";
module_param(prefer, charp, 0444);
MODULE_PARM_DESC(prefer, "drivers, as in /proc/crypto and with commas between them, that get the highest priority");

/*
 * The kernel's own drivers have 400 or 401 (aesni), 500 (aesni-avx), 600 (vaes-avx2), 700 and 800 (256 and 512 bits), and 1 for
 * what its own policy on 512-bit vectors passes over.  Ours are 50 above their class, so that a better class wins, whoever's.
 */
#define BEST_PRIORITY 850
#define PRIORITY_STEP 100
#define PASSED_OVER_PRIORITY 2
#define BELOW_PRIORITY 45 /* the generic C code has 100 */
#define PREFERRED_PRIORITY 900

uint64_t lc_kernel_features;

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

/* "xts-aes-<what it needs>" -> "xts-aes-lanecrypt-<what it needs>", behind the prefix */
static void __init driver_name(char name[CRYPTO_MAX_ALG_NAME], const char *prefix, const struct lc_impl *impl)
{
    const char *rest = strstr(impl->name, "-aes-") + strlen("-aes");

    snprintf(name, CRYPTO_MAX_ALG_NAME, "%s%.*s-lanecrypt%s", prefix, (int)(rest - impl->name), impl->name, rest);
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

bool __init lc_kernel_describe(struct crypto_alg *alg, const char *prefix, const struct lc_impl *impl, unsigned int rank)
{
    driver_name(alg->cra_driver_name, prefix, impl);
    if (is_preferred(alg->cra_driver_name))
        alg->cra_priority = PREFERRED_PRIORITY;
    else if (below)
        alg->cra_priority = BELOW_PRIORITY - rank;
    else if (impl->prefers & ~lc_kernel_features)
        alg->cra_priority = PASSED_OVER_PRIORITY;
    else
        alg->cra_priority = BEST_PRIORITY - PRIORITY_STEP * rank;
    return !(impl->needs & ~lc_kernel_features);
}

/* ---- The algorithms ---- */

static const struct {
    const char *prefix;
    const struct lc_impl *(*impl)(unsigned int i);
} algorithms[] __initconst = {
    { "", lc_kernel_xts_impl },
    { "", lc_kernel_ctr_impl },
    { "", lc_kernel_gcm_impl },
    { RFC4106_PREFIX, lc_kernel_gcm_impl },
};

/* Is there a driver of that name that this CPU can run?  0, -ENODEV, or -EINVAL if no CPU has it. */
static int __init check_driver(const char *word, size_t word_len)
{
    char name[CRYPTO_MAX_ALG_NAME];
    const struct lc_impl *impl;

    for (unsigned int a = 0; a < ARRAY_SIZE(algorithms); a++) {
        for (unsigned int i = 0; (impl = algorithms[a].impl(i)); i++) {
            driver_name(name, algorithms[a].prefix, impl);
            if (strlen(name) == word_len && memcmp(name, word, word_len) == 0)
                return impl->needs & ~lc_kernel_features ? -ENODEV : 0;
        }
    }
    return -EINVAL;
}

static void __init print_drivers(void)
{
    char name[CRYPTO_MAX_ALG_NAME];
    const struct lc_impl *impl;

    for (unsigned int a = 0; a < ARRAY_SIZE(algorithms); a++) {
        for (unsigned int i = 0; (impl = algorithms[a].impl(i)); i++) {
            driver_name(name, algorithms[a].prefix, impl);
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
            pr_err("lanecrypt: prefer=%.*s: no such implementation; there are\n", (int)len, word);
            print_drivers();
        }
        if (err)
            return err;
        word += len;
    }
    return 0;
}

/* Is there anything for this CPU?  Of all modes XTS needs the least. */
static bool __init any_runs(void)
{
    const struct lc_impl *impl;

    for (unsigned int i = 0; (impl = lc_kernel_xts_impl(i)); i++)
        if (!(impl->needs & ~lc_kernel_features))
            return true;
    return false;
}

static int __init lanecrypt_init(void)
{
    const char *zmm_policy;
    int err;

    lc_kernel_features = detect(&zmm_policy);
    if (!any_runs()) {
        pr_err("lanecrypt: this CPU has no AES instructions, or the kernel has turned them off\n");
        return -ENODEV;
    }
    err = check_prefer();
    if (err)
        return err;
    err = lc_kernel_xts_register();
    if (err)
        return err;
    err = lc_kernel_ctr_register();
    if (err)
        goto no_ctr;
    err = lc_kernel_gcm_register();
    if (err)
        goto no_gcm;
    pr_info("lanecrypt: registered; 512-bit vectors: %s\n", zmm_policy);
    return 0;

no_gcm:
    lc_kernel_ctr_unregister();
no_ctr:
    lc_kernel_xts_unregister();
    return err;
}

static void __exit lanecrypt_exit(void)
{
    lc_kernel_gcm_unregister();
    lc_kernel_ctr_unregister();
    lc_kernel_xts_unregister();
}

module_init(lanecrypt_init);
module_exit(lanecrypt_exit);

COMPAT_DEVICE_TABLE
MODULE_ALIAS_CRYPTO("xts(aes)");
MODULE_ALIAS_CRYPTO("ctr(aes)");
MODULE_ALIAS_CRYPTO("gcm(aes)");
MODULE_ALIAS_CRYPTO("rfc4106(gcm(aes))");
MODULE_DESCRIPTION("AES-XTS, AES-CTR and AES-GCM for every x86-64 CPU with AES instructions");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_VERSION(__stringify(LANECRYPT_VERSION_MAJOR) "." __stringify(LANECRYPT_VERSION_MINOR) "." __stringify(LANECRYPT_VERSION_PATCH));
