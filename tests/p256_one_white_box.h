/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The operations of P-256, one point at a time, for tests in C++.  Numbers are below p, in Montgomery's form with 2^256, four
 * 64-bit words, the lowest first.
 */
#ifndef LC_TESTS_P256_ONE_WHITE_BOX_H
#define LC_TESTS_P256_ONE_WHITE_BOX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct wb_p256_ops {
    const char *row;
    void (*multiply)(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]);
    void (*square)(uint64_t r[4], const uint64_t a[4]);
    /* x, y, z, in place */
    void (*twice)(uint64_t point[3][4], size_t times);
    void (*add)(uint64_t point[3][4], const uint64_t entry[2][4]);
    void (*select)(uint64_t entry[2][4], const uint64_t table[16][2][4], uint64_t index, uint64_t negative);
};

/* Those that this build has; *num: how many */
const struct wb_p256_ops *wb_p256_get_ops(size_t *num);

#ifdef __cplusplus
}
#endif
#endif
