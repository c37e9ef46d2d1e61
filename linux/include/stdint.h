/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include <linux/types.h>

#define UINT64_C(x) x##ULL
