/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "p256_internal.h"

#define CURVE p256
#define BITS 256
#include "ec_table.h"
