/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#define TEST_CURVE p384
#define TEST_BITS 384
#include "curve.h"
