/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* SM2's curve in lanes: the functions of x86/curve256.S */
#ifndef LC_X86_SM2_H
#define LC_X86_SM2_H

#include "../sm2_internal.h"

#define CURVE sm2
#define BITS 256
#include "curve_lanes.h"
#undef CURVE
#undef BITS

#endif
