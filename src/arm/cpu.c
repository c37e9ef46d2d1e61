/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* 64-bit Arm: which features there are.  The kernel says so in the auxiliary vector; reading the ID registers would trap to it. */
#include <sys/auxv.h>

#include "../internal.h"

/* The ABI of Linux, from <asm/hwcap.h>, for C libraries whose headers don't hand it on. */
#ifndef HWCAP_AES
#define HWCAP_ASIMD (1 << 1)
#define HWCAP_AES (1 << 3)
#define HWCAP_PMULL (1 << 4)
#define HWCAP_SHA2 (1 << 6)
#endif

uint64_t lc_cpu_detect(const char **zmm_policy)
{
    unsigned long hwcap = getauxval(AT_HWCAP);
    uint64_t features = 0;

    if (hwcap & HWCAP_ASIMD)
        features |= LC_ARM_NEON;
    if (hwcap & HWCAP_AES)
        features |= LC_ARM_AES;
    if (hwcap & HWCAP_PMULL)
        features |= LC_ARM_PMULL;
    if (hwcap & HWCAP_SHA2)
        features |= LC_ARM_SHA2;
    *zmm_policy = "no: Arm has no 512-bit vectors that the library uses";
    return features;
}
