/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* SM2's curve, one point at a time */
#ifndef LC_SM2_ONE_H
#define LC_SM2_ONE_H

#include "sm2_internal.h"

#define CURVE sm2
#define BITS 256
#include "ec_one.h"
#undef CURVE
#undef BITS

#endif
