/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The operations of a curve, one point at a time, for tests in C++.  Numbers are 64-bit words, the lowest first, below p; where
 * it isn't said, in Montgomery's form with 2^BITS.
 */
#ifndef LC_TESTS_CURVE_ONE_WHITE_BOX_H
#define LC_TESTS_CURVE_ONE_WHITE_BOX_H

#include <stddef.h>
#include <stdint.h>

#include "curve.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wb_one_ops {
    const char *row;
    void (*multiply)(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS]);
    void (*square)(uint64_t r[WORDS], const uint64_t a[WORDS]);
    /* x, y, z, in place */
    void (*twice)(uint64_t point[3][WORDS], size_t times);
    void (*add)(uint64_t point[3][WORDS], const uint64_t entry[2][WORDS]);
    void (*select)(uint64_t entry[2][WORDS], const uint64_t table[16][2][WORDS], uint64_t index);
    /* k G, and k times a point; as plain numbers, x and y */
    void (*base)(uint64_t point[2][WORDS], const uint64_t k[WORDS]);
    void (*multiple)(uint64_t point[2][WORDS], const uint64_t k[WORDS]);
};

/* Those that this build has; *num: how many */
const struct wb_one_ops *wb_one_get_ops(size_t *num);

#ifdef __cplusplus
}
#endif
#endif
