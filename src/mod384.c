/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "mod.h"

#define BITS 384
#include "mod_body.h"
