/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include <linux/init.h>

#include "../src/x86/cpu.h"

/* Asked once, when the module is loaded: no need to keep it. */
__init uint64_t lc_x86_features(const struct lc_x86_cpuid *id, const char **zmm_policy);

#include "../src/x86/features.c"
