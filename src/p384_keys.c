/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "p384_internal.h"

#define CURVE p384
#define BITS 384
#define MAX_KEY 1
#define STACK (32 * 1024) /* 29 KB at most, in lanes */
#include "ec_keys.h"
