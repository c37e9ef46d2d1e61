/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What CPUID and XGETBV say, apart from the code that asks, so that tests can ask as any CPU. */
#ifndef LC_X86_CPU_H
#define LC_X86_CPU_H

#include <stdint.h>

struct lc_x86_cpuid {
    char vendor[13];                            /* leaf 0: "GenuineIntel", "AuthenticAMD", ... */
    uint32_t leaf1_eax, leaf1_ecx;              /* family, model, stepping; features */
    uint32_t leaf7_ebx, leaf7_ecx, leaf7_edx;   /* features; 0 if the CPU has no leaf 7 */
    uint32_t leaf7_1_eax;                       /* of its subleaf 1 */
    uint64_t xcr0;                              /* which registers the system saves; 0 without OSXSAVE */
};

/* Capabilities and policy of such a CPU; *zmm_policy gets the sentence that gives the reason for PREFER_ZMM or its lack. */
uint64_t lc_x86_features(const struct lc_x86_cpuid *id, const char **zmm_policy);

#endif
