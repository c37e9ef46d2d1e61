/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The functions of x86/p256_bmi2.S */
#ifndef LC_X86_P256_BMI2_H
#define LC_X86_P256_BMI2_H

#include "../p256_one.h"

void lc_p256_mul_bmi2_avx2(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]);
void lc_p256_sqr_bmi2_avx2(uint64_t r[4], const uint64_t a[4]);
void lc_p256_double_bmi2_avx2(struct lc_p256_work *w, size_t times);
void lc_p256_add_bmi2_avx2(struct lc_p256_work *w);
void lc_p256_select_bmi2_avx2(struct lc_p256_work *w, const struct lc_p256_point table[LC_ONE_ENTRIES]);
void lc_p256_select_base_bmi2_avx2(struct lc_p256_work *w, const uint64_t table[8][32]);

#endif
