/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "p384_internal.h"

#define CURVE p384
#define BITS 384
#define STACK (20 * 1024) /* 19.4 KB at most, by clang */
#include "ec_keys.h"
