/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "sm2_internal.h"

#define CURVE sm2
#define BITS 256
#define MAX_KEY 2 /* 1 + d has to have an inverse */
#define STACK (20 * 1024) /* 19.4 KB at most, by clang */
#include "ec_keys.h"
