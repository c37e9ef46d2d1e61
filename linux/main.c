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
MODULE_PARM_DESC(prefer, "the driver, as in /proc/crypto, that gets the highest priority");

/*
 * The kernel's own drivers of xts(aes) have 401 (aesni), 500 (aesni-avx), 600 (vaes-avx2), 700 and 800 (256 and 512 bits), and 1
 * for what its own policy on 512-bit vectors passes over.  Ours are 50 above their class, so that a better class wins, whoever's.
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

/* "xts-aes-<what it needs>" -> "xts-aes-lanecrypt-<what it needs>" */
static void __init driver_name(char name[CRYPTO_MAX_ALG_NAME], const struct lc_impl *impl)
{
    const char *rest = strstr(impl->name, "-aes-") + strlen("-aes");

    snprintf(name, CRYPTO_MAX_ALG_NAME, "%.*s-lanecrypt%s", (int)(rest - impl->name), impl->name, rest);
}

bool __init lc_kernel_describe(struct crypto_alg *alg, const struct lc_impl *impl, unsigned int rank)
{
    driver_name(alg->cra_driver_name, impl);
    if (strcmp(alg->cra_driver_name, prefer) == 0)
        alg->cra_priority = PREFERRED_PRIORITY;
    else if (below)
        alg->cra_priority = BELOW_PRIORITY - rank;
    else if (impl->prefers & ~lc_kernel_features)
        alg->cra_priority = PASSED_OVER_PRIORITY;
    else
        alg->cra_priority = BEST_PRIORITY - PRIORITY_STEP * rank;
    return !(impl->needs & ~lc_kernel_features);
}

/* Is `prefer` empty, or a driver that this CPU can run? */
static int __init check_prefer(void)
{
    char name[CRYPTO_MAX_ALG_NAME];
    const struct lc_impl *impl;

    if (!*prefer)
        return 0;
    for (unsigned int i = 0; (impl = lc_kernel_xts_impl(i)); i++) {
        driver_name(name, impl);
        if (strcmp(name, prefer) != 0)
            continue;
        if (!(impl->needs & ~lc_kernel_features))
            return 0;
        pr_err("lanecrypt: prefer=%s: this CPU lacks what it needs, or the kernel has turned it off\n", prefer);
        return -ENODEV;
    }
    pr_err("lanecrypt: prefer=%s: no such implementation; there are\n", prefer);
    for (unsigned int i = 0; (impl = lc_kernel_xts_impl(i)); i++) {
        driver_name(name, impl);
        pr_err("lanecrypt:     %s\n", name);
    }
    return -EINVAL;
}

static int __init lanecrypt_init(void)
{
    const char *zmm_policy;
    int err;

    lc_kernel_features = detect(&zmm_policy);
    if ((LC_AES | LC_SSSE3) & ~lc_kernel_features) {
        pr_err("lanecrypt: this CPU has no AES instructions, or the kernel has turned them off\n");
        return -ENODEV;
    }
    err = check_prefer();
    if (!err)
        err = lc_kernel_xts_register();
    if (!err)
        pr_info("lanecrypt: xts(aes) registered; 512-bit vectors: %s\n", zmm_policy);
    return err;
}

static void __exit lanecrypt_exit(void)
{
    lc_kernel_xts_unregister();
}

module_init(lanecrypt_init);
module_exit(lanecrypt_exit);

COMPAT_DEVICE_TABLE
MODULE_ALIAS_CRYPTO("xts(aes)");
MODULE_DESCRIPTION("AES-XTS for every x86-64 CPU with AES instructions");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_VERSION(__stringify(LANECRYPT_VERSION_MAJOR) "." __stringify(LANECRYPT_VERSION_MINOR) "." __stringify(LANECRYPT_VERSION_PATCH));
