/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "p256_internal.h"

#define CURVE p256
#define BITS 256
#define MAX_KEY 1
#define STACK (20 * 1024) /* 19.4 KB at most, by clang */
#include "ec_keys.h"
