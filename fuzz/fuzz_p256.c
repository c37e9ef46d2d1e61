/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#define TEST_CURVE p256
#define TEST_BITS 256
#include "curve.h"
