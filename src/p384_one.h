/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* P-384, one point at a time */
#ifndef LC_P384_ONE_H
#define LC_P384_ONE_H

#include "p384_internal.h"

#define CURVE p384
#define BITS 384
#include "ec_one.h"
#undef CURVE
#undef BITS

#endif
