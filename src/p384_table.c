/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "p384_internal.h"

#define CURVE p384
#define BITS 384
#include "ec_table.h"
