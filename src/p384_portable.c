/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "p384_one.h"

#define CURVE p384
#define BITS 384

/* (With the shifts of x86/p384_bmi2.S instead of products by p, in C, a product takes 6 % longer.) */
static void mul(uint64_t r[6], const uint64_t a[6], const uint64_t b[6])
{
    lc_mod_mul(r, a, b, &lc_p384_p);
}

#include "ec_one_portable.h"

LC_ONE_ROW(p384, portable)
