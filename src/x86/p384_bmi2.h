/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The functions of x86/p384_bmi2.S */
#ifndef LC_X86_P384_BMI2_H
#define LC_X86_P384_BMI2_H

#include "../p384_one.h"

void lc_p384_mul_bmi2_avx2(uint64_t r[6], const uint64_t a[6], const uint64_t b[6]);
void lc_p384_sqr_bmi2_avx2(uint64_t r[6], const uint64_t a[6]);
void lc_p384_double_bmi2_avx2(struct lc_p384_work *w, size_t times);
void lc_p384_add_bmi2_avx2(struct lc_p384_work *w);
void lc_p384_select_bmi2_avx2(struct lc_p384_work *w, const struct lc_p384_point table[LC_ONE_ENTRIES]);
void lc_p384_select_base_bmi2_avx2(struct lc_p384_work *w, const uint64_t table[12][64]);

#endif
