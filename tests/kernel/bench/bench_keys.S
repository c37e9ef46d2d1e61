/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Apart from bench_xts.S because both files have registers named KEY. */
#include <linux/linkage.h>

#define FUNC(name) SYM_FUNC_START(name)
#define END_FUNC(name) SYM_FUNC_END(name)
#define RETURN RET
#include "aes_keys.S"
