/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* POWER: which features there are, as the kernel says in the auxiliary vector. */
#include <sys/auxv.h>

#include "../internal.h"

/* The ABI of Linux, from <asm/cputable.h>, for C libraries whose headers don't hand it on. */
#ifndef PPC_FEATURE2_VEC_CRYPTO
#define PPC_FEATURE2_VEC_CRYPTO 0x02000000
#endif

uint64_t lc_cpu_detect(const char **zmm_policy)
{
    *zmm_policy = "no: POWER has no 512-bit vectors that the library uses";
    return getauxval(AT_HWCAP2) & PPC_FEATURE2_VEC_CRYPTO ? LC_POWER_VCRYPTO : 0;
}
