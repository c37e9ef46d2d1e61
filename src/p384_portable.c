/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "ec_one.h"
#include "p384_internal.h"

#define CURVE p384
#define BITS 384

/* (With the shifts of x86/p384_bmi2.S instead of products by p, in C, a product takes 6 % longer.) */
static void mul(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    lc_mod_mul(r, a, b, &lc_p384_p);
}

#include "ec_one_portable.h"

LC_ONE_ROW(p384, portable)
