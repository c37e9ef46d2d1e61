/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* SM3 on any CPU. */
#define BLOCKS lc_sm3_blocks_portable
#include "sm3_rounds.h"
