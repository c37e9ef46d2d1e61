/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The library's code, whole (the module that is measured leaves out what only calls for many units need), for calls without the
 * crypto API.
 */
#include <linux/linkage.h>

#define FUNC(name) SYM_FUNC_START(name)
#define END_FUNC(name) SYM_FUNC_END(name)
#define RETURN RET
#include "aes_xts.S"
