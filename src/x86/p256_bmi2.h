/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The functions of x86/p256_bmi2.S */
#ifndef LC_X86_P256_BMI2_H
#define LC_X86_P256_BMI2_H

#include "../ec_one.h"
#include "../p256_internal.h"

#define CURVE p256
#define BITS 256
#include "../ec_work.h"
#undef CURVE
#undef BITS

extern const struct lc_ec_ops lc_p256_ops_bmi2_avx2;

void lc_p256_mul_bmi2_avx2(uint64_t *r, const uint64_t *a, const uint64_t *b);
void lc_p256_sqr_bmi2_avx2(uint64_t *r, const uint64_t *a);
void lc_p256_double_bmi2_avx2(uint64_t *w, size_t times);
void lc_p256_add_bmi2_avx2(uint64_t *w);
void lc_p256_select_bmi2_avx2(uint64_t *w, const uint64_t *table);
void lc_p256_select_base_bmi2_avx2(uint64_t *w, const uint64_t *table);

#endif
