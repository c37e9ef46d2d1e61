/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* CTR's assembly as the kernel module has it, linux/Kbuild, under names of its own: for check_residue.c. */
#define LC_SMALL 1
#define lc_aes_ctr_ kernel_ctr_

#include "../../src/x86/aes_ctr.S"
