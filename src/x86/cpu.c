/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* x86-64: ask the CPU. What follows from the answers is in features.c. */
#include <cpuid.h>

#include "../internal.h"
#include "cpu.h"

uint64_t lc_cpu_detect(const char **zmm_policy)
{
    struct lc_x86_cpuid id = { { 0 }, 0, 0, 0, 0, 0, 0, 0 };
    unsigned eax, ebx, ecx, edx, max_leaf;

    __cpuid(0, max_leaf, ebx, ecx, edx);
    memcpy(id.vendor, &ebx, 4);
    memcpy(id.vendor + 4, &edx, 4);
    memcpy(id.vendor + 8, &ecx, 4);
    __cpuid(1, id.leaf1_eax, ebx, id.leaf1_ecx, edx);
    if (id.leaf1_ecx & bit_OSXSAVE) {
        /* xgetbv, spelt out: the compiler's intrinsic would need -mxsave for this file */
        __asm__("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
        id.xcr0 = (uint64_t)edx << 32 | eax;
    }
    if (max_leaf >= 7) {
        __cpuid_count(7, 0, eax, id.leaf7_ebx, id.leaf7_ecx, id.leaf7_edx);
        if (eax >= 1) /* the last subleaf */
            __cpuid_count(7, 1, id.leaf7_1_eax, ebx, ecx, edx);
    }
    return lc_x86_features(&id, zmm_policy);
}
