/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What x86/curve25519_bmi2.S and x86/curve25519_bmi2.c share, and the tests' white box. */
#ifndef LC_X86_CURVE25519_BMI2_H
#define LC_X86_CURVE25519_BMI2_H

#include "../curve25519.h"

/* A number modulo p, or that and a multiple of p: any of 256 bits */
struct lc_25519_words {
    uint64_t w[4];
};

/* What the ladder works on */
struct lc_25519_ladder_bmi2 {
    struct lc_25519_words x2, z2, x3, z3, u, t[6];
    uint64_t low[3];  /* of a product */
    uint64_t bits[4]; /* where the bits of the multiplier change, the highest first */
};

/* (X : Y : Z : T), see curve25519_body.h, and room to calculate */
struct lc_25519_point_bmi2 {
    struct lc_25519_words x, y, z, t, s[5];
    uint64_t low[3];
};

struct lc_25519_addend_bmi2 {
    struct lc_25519_words plus, minus, dxy2, z2;
};

void lc_25519_mul_bmi2_avx2(struct lc_25519_words *r, const struct lc_25519_words *a, const struct lc_25519_words *b);
void lc_25519_sqr_bmi2_avx2(struct lc_25519_words *r, const struct lc_25519_words *a, size_t times);
void lc_25519_ladder_bmi2_avx2(struct lc_25519_ladder_bmi2 *w);
void lc_25519_double_bmi2_avx2(struct lc_25519_point_bmi2 *p, size_t times);
void lc_25519_add_bmi2_avx2(struct lc_25519_point_bmi2 *p, const struct lc_25519_addend_bmi2 *q, int with_t);
void lc_25519_add_affine_bmi2_avx2(struct lc_25519_point_bmi2 *p, const struct lc_25519_addend_bmi2 *q, int with_t);
struct lc_25519_entry; /* curve25519_table.h */
void lc_25519_select_bmi2_avx2(struct lc_25519_addend_bmi2 *q, const struct lc_25519_entry *comb, uint64_t index,
                               uint64_t negative);

#endif
