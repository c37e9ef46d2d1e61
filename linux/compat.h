/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What differs between kernels, 6.1 to 7.x, and between the kernel proper and user-mode Linux (where this module is tested on
 * AVX-512, and which has neither the kernel's record of saved registers nor tables of CPUs).
 */
#ifndef LC_LINUX_COMPAT_H
#define LC_LINUX_COMPAT_H

#include <linux/version.h>

#ifndef CONFIG_X86_64
#error "lanecrypt is for x86-64."
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "lanecrypt is for Linux 6.1 and later."
#endif

#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <asm/simd.h>

/* A variable that isn't zero before it is written, as kernels are compiled. */
#if __has_attribute(uninitialized)
#define COMPAT_UNINITIALIZED __attribute__((uninitialized))
#else
#define COMPAT_UNINITIALIZED
#endif

#ifdef CONFIG_UML

static inline u64 compat_xcr0(void)
{
    u32 eax, edx;

    if (!boot_cpu_has(X86_FEATURE_XSAVE))
        return 0;
    asm volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
    return (u64)edx << 32 | eax;
}

#define COMPAT_DEVICE_TABLE

#else

#include <asm/cpu_device_id.h>

/* The registers that the kernel saves, in XCR0's bits. */
static inline u64 compat_xcr0(void)
{
    const u64 ymm = XFEATURE_MASK_SSE | XFEATURE_MASK_YMM, zmm = ymm | XFEATURE_MASK_AVX512;

    if (cpu_has_xfeatures(zmm, NULL))
        return zmm;
    return cpu_has_xfeatures(ymm, NULL) ? ymm : 0;
}

/* udev loads the module on CPUs that it is for. */
#define COMPAT_DEVICE_TABLE                                                                                                        \
    static const struct x86_cpu_id __maybe_unused cpu_ids[] = { X86_MATCH_FEATURE(X86_FEATURE_AES, NULL), {} };                    \
    MODULE_DEVICE_TABLE(x86cpu, cpu_ids);

#endif
#endif
