/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* P-384 for x86-64 with BMI2: the assembly's functions as operations of src/ec_one.c. */
#include "p384_bmi2.h"

const struct lc_ec_ops lc_p384_ops_bmi2_avx2 = {
    &lc_p384_curve,        lc_p384_mul_bmi2_avx2,    lc_p384_sqr_bmi2_avx2,        lc_p384_double_bmi2_avx2,
    lc_p384_add_bmi2_avx2, lc_p384_select_bmi2_avx2, lc_p384_select_base_bmi2_avx2
};

LC_ONE_ROW(p384, bmi2_avx2)

/* Two words of a at `at` times the factor, to t; the carry is that of the words before these, and then for the words after them. */
#define TWO_PRODUCTS(add, at, t0, t1, t2)                                                                                          \
    "mulxq " at "(%[a]), %[low], %[high]\n\t" add "addq %[low], %[" t0 "]\n\t"                                                     \
    "mulxq 8+" at "(%[a]), %[low], %[high2]\n\tadcq %[low], %[" t1 "]\n\tadcq $0, %[high2]\n\t"                                    \
    "addq %[high], %[" t1 "]\n\tadcq %[high2], %[" t2 "]\n\t"

/*
 * t += a * factor, of six words and seven, and *top += the carry.  An upper half is at most 2^64 - 2, so it takes a carry.  There
 * are two of these at a time, so that all is in registers.
 */
LC_INLINE void add_row(uint64_t t[7], uint64_t *top, const uint64_t *a, uint64_t factor)
{
    uint64_t low, high, high2;

    __asm__(TWO_PRODUCTS("", "0", "t0", "t1", "t2") TWO_PRODUCTS("adcq $0, %[high]\n\t", "16", "t2", "t3", "t4")
                TWO_PRODUCTS("adcq $0, %[high]\n\t", "32", "t4", "t5", "t6") "adcq $0, %[top]"
            : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]), [t5] "+&r"(t[5]),
              [t6] "+&r"(t[6]), [top] "+&r"(*top), [low] "=&r"(low), [high] "=&r"(high), [high2] "=&r"(high2)
            : [a] "r"(a), "d"(factor)
            : "cc", "memory");
}

/* t -= m, unless it is below m */
LC_INLINE void subtract_once(uint64_t t[7], const uint64_t *m)
{
    uint64_t d0, d1, d2, d3, d4, d5;

    __asm__("movq %[t0], %[d0]\n\tmovq %[t1], %[d1]\n\tmovq %[t2], %[d2]\n\tmovq %[t3], %[d3]\n\tmovq %[t4], %[d4]\n\t"
            "movq %[t5], %[d5]\n\tsubq (%[m]), %[d0]\n\tsbbq 8(%[m]), %[d1]\n\tsbbq 16(%[m]), %[d2]\n\t"
            "sbbq 24(%[m]), %[d3]\n\tsbbq 32(%[m]), %[d4]\n\tsbbq 40(%[m]), %[d5]\n\tsbbq $0, %[t6]\n\t"
            "cmovncq %[d0], %[t0]\n\tcmovncq %[d1], %[t1]\n\tcmovncq %[d2], %[t2]\n\tcmovncq %[d3], %[t3]\n\t"
            "cmovncq %[d4], %[t4]\n\tcmovncq %[d5], %[t5]"
            : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]), [t5] "+&r"(t[5]),
              [t6] "+&r"(t[6]), [d0] "=&r"(d0), [d1] "=&r"(d1), [d2] "=&r"(d2), [d3] "=&r"(d3), [d4] "=&r"(d4), [d5] "=&r"(d5)
            : [m] "r"(m)
            : "cc", "memory");
}

/*
 * lc_mod_mul_add() for numbers of six words: t += a * b_i, then t += m * q, which makes the lowest word 0 (mod.h).  Before and
 * after that t < m + a, and in between it is below 2^64 (m + a), so that what is above seven words is 1 at most.
 */
void lc_p384_mul_add_bmi2_avx2(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c, const struct lc_mod *m)
{
    uint64_t t[7] = { c[0], c[1], c[2], c[3], c[4], c[5], 0 };

    for (int i = 0; i < 6; i++) {
        uint64_t top = 0;

        add_row(t, &top, a, b[i]);
        add_row(t, &top, m->m, t[0] * m->neg_inverse);
        LC_UNROLL
        for (int word = 0; word < 6; word++)
            t[word] = t[word + 1];
        t[6] = top;
    }
    subtract_once(t, m->m);
    LC_UNROLL
    for (int word = 0; word < 6; word++)
        r[word] = t[word];
}

_Static_assert(offsetof(struct lc_p384_work, x) == 0 && offsetof(struct lc_p384_work, y) == 48, "PX, PY");
_Static_assert(offsetof(struct lc_p384_work, z) == 96 && offsetof(struct lc_p384_work, entry) == 144, "PZ, EX");
_Static_assert(offsetof(struct lc_p384_point, y) == 48 && sizeof(struct lc_p384_point) == 96, "EY, tables");
_Static_assert(offsetof(struct lc_p384_work, index) == 240 && offsetof(struct lc_p384_work, negative) == 248, "INDEX, NEGATIVE");
_Static_assert(offsetof(struct lc_p384_work, t) == 256, "T0");
_Static_assert(LC_ONE_ENTRIES == 16 && sizeof(lc_p384_base_table[0][0]) == 8 * 64, "select, select_base");
