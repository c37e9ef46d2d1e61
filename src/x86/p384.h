/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* P-384 in lanes: the functions of x86/p384.S */
#ifndef LC_X86_P384_H
#define LC_X86_P384_H

#include "../p384_internal.h"

#define CURVE p384
#define BITS 384
#include "curve_lanes.h"

#undef CURVE
#undef BITS

#endif
