/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The macros that begin and end a function in src/x86/, as the kernel wants them: ENDBR, the type that kCFI checks (all these
 * functions are called through pointers by someone), alignment and padding for call thunks, and the return thunk or the int3 after
 * a return, as configured.
 */
#include <linux/linkage.h>
#include <linux/cfi_types.h>

#define FUNC(name) SYM_TYPED_FUNC_START(name)
#define END_FUNC(name) SYM_FUNC_END(name)
#define RETURN RET
