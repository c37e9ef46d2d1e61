/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Included first: what user-mode Linux lacks of x86.  The host saves the registers; no CPU is passed over for 512 bits. */
#include <linux/kconfig.h>
#ifndef __ASSEMBLY__
#include <linux/types.h>
#include <asm/cpufeature.h>
#include <asm/cpu_device_id.h>
#include <asm/fpu/api.h>
#define cpu_has_xfeatures(mask, name) 1
#define XFEATURE_MASK_SSE 0
#define XFEATURE_MASK_YMM 0
#define XFEATURE_MASK_AVX512 0
#define X86_VENDOR_INTEL 0
static inline bool stock_matches(const struct x86_cpu_id *list)
{
    return list->feature == X86_FEATURE_AES; /* not the list of CPUs */
}
#define x86_match_cpu stock_matches
#endif
