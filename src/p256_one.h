/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* P-256, one point at a time */
#ifndef LC_P256_ONE_H
#define LC_P256_ONE_H

#include "p256_internal.h"

#define CURVE p256
#define BITS 256
#include "ec_one.h"
#undef CURVE
#undef BITS

#endif
