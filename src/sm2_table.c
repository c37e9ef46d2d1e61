/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "sm2_internal.h"

#define CURVE sm2
#define BITS 256
#include "ec_table.h"
