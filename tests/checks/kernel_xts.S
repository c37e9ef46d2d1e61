/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* XTS's assembly as the kernel module has it, linux/Kbuild, under names of its own: for check_residue.c. */
#define LC_ONE_UNIT
#define LC_SMALL 1
#define lc_aes_xts_ kernel_xts_

#include "../../src/x86/aes_xts.S"
