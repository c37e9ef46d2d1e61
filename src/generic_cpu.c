/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* CPUs for which there is no folder: no features, the portable rows only. */
#include "internal.h"

uint64_t lc_cpu_detect(const char **zmm_policy)
{
    *zmm_policy = "no: this CPU has no 512-bit vectors that the library knows";
    return 0;
}
