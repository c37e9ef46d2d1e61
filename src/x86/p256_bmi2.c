/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* P-256 for x86-64 with BMI2: the assembly's functions as operations of src/ec_one.c. */
#include "p256_bmi2.h"

const struct lc_ec_ops lc_p256_ops_bmi2_avx2 = {
    &lc_p256_curve,        lc_p256_mul_bmi2_avx2,    lc_p256_sqr_bmi2_avx2,        lc_p256_double_bmi2_avx2,
    lc_p256_add_bmi2_avx2, lc_p256_select_bmi2_avx2, lc_p256_select_base_bmi2_avx2
};

LC_ONE_ROW(p256, bmi2_avx2)

_Static_assert(offsetof(struct lc_p256_work, x) == 0 && offsetof(struct lc_p256_work, y) == 32, "PX, PY");
_Static_assert(offsetof(struct lc_p256_work, z) == 64 && offsetof(struct lc_p256_work, entry) == 96, "PZ, EX");
_Static_assert(offsetof(struct lc_p256_point, y) == 32 && sizeof(struct lc_p256_point) == 64, "EY, tables");
_Static_assert(offsetof(struct lc_p256_work, index) == 160 && offsetof(struct lc_p256_work, negative) == 168, "INDEX, NEGATIVE");
_Static_assert(offsetof(struct lc_p256_work, t) == 176, "T0");
_Static_assert(LC_ONE_ENTRIES == 16 && sizeof(lc_p256_base_table[0][0]) == 8 * 32, "select, select_base");
_Static_assert(offsetof(struct lc_mod, m) == 8 && offsetof(struct lc_mod, neg_inverse) == 56, "MOD_M, MOD_NEG_INVERSE");
