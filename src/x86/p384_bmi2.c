/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* P-384 for x86-64 with BMI2: the assembly's functions as operations of src/ec_one.c. */
#include "p384_bmi2.h"

const struct lc_ec_ops lc_p384_ops_bmi2_avx2 = {
    &lc_p384_curve,        lc_p384_mul_bmi2_avx2,    lc_p384_sqr_bmi2_avx2,        lc_p384_double_bmi2_avx2,
    lc_p384_add_bmi2_avx2, lc_p384_select_bmi2_avx2, lc_p384_select_base_bmi2_avx2
};

LC_ONE_ROW(p384, bmi2_avx2)

_Static_assert(offsetof(struct lc_p384_work, x) == 0 && offsetof(struct lc_p384_work, y) == 48, "PX, PY");
_Static_assert(offsetof(struct lc_p384_work, z) == 96 && offsetof(struct lc_p384_work, entry) == 144, "PZ, EX");
_Static_assert(offsetof(struct lc_p384_point, y) == 48 && sizeof(struct lc_p384_point) == 96, "EY, tables");
_Static_assert(offsetof(struct lc_p384_work, index) == 240 && offsetof(struct lc_p384_work, negative) == 248, "INDEX, NEGATIVE");
_Static_assert(offsetof(struct lc_p384_work, t) == 256, "T0");
_Static_assert(LC_ONE_ENTRIES == 16 && sizeof(lc_p384_base_table[0][0]) == 8 * 64, "select, select_base");
