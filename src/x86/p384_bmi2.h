/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The functions of x86/p384_bmi2.S */
#ifndef LC_X86_P384_BMI2_H
#define LC_X86_P384_BMI2_H

#include "../ec_one.h"
#include "../p384_internal.h"

#define CURVE p384
#define BITS 384
#include "../ec_work.h"
#undef CURVE
#undef BITS

extern const struct lc_ec_ops lc_p384_ops_bmi2_avx2;

void lc_p384_mul_bmi2_avx2(uint64_t *r, const uint64_t *a, const uint64_t *b);
void lc_p384_sqr_bmi2_avx2(uint64_t *r, const uint64_t *a);
void lc_p384_double_bmi2_avx2(uint64_t *w, size_t times);
void lc_p384_add_bmi2_avx2(uint64_t *w);
void lc_p384_select_bmi2_avx2(uint64_t *w, const uint64_t *table);
void lc_p384_select_base_bmi2_avx2(uint64_t *w, const uint64_t *table);

#endif
