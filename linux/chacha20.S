/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "asm_kernel.h"

#include "../src/x86/chacha20.S"
