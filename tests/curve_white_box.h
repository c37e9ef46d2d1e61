/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the tests of P-256 need of the library's inside, in a form that C++ can read.  Numbers are four 64-bit words, the lowest
 * first; none is in Montgomery's form, unless it's said.
 */
#ifndef LC_TESTS_P256_WHITE_BOX_H
#define LC_TESTS_P256_WHITE_BOX_H

#include <stddef.h>
#include <stdint.h>

#include "lanecrypt/ecdsa.h"

#ifdef __cplusplus
extern "C" {
#endif

enum wb_p256_modulus { WB_P, WB_N };

void wb_p256_get_modulus(uint64_t r[4], enum wb_p256_modulus m);
void wb_p256_add(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], enum wb_p256_modulus m);
void wb_p256_subtract(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], enum wb_p256_modulus m);
void wb_p256_multiply(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], enum wb_p256_modulus m);
void wb_p256_invert(uint64_t r[4], const uint64_t a[4], enum wb_p256_modulus m);

/*
 * The signature with this nonce: r, s.  skip: RFC 6979's nonces that aren't taken, for the second function, which gives the
 * nonce.
 */
void wb_p256_sign(const struct lc_ecdsa_p256_key *key, uint64_t rs[2][4], const uint64_t e[4], const uint64_t k[4]);
int wb_p256_nonce(const struct lc_ecdsa_p256_key *key, uint64_t k[4], const uint64_t e[4], unsigned skip);

/* ---- Lanes: numbers of five limbs of 52 bits, [limb][lane], in Montgomery's form with 2^260 ---- */

enum { WB_P256_LANES = 8 };

struct wb_p256_kernels {
    const char *row;
    void (*multiply)(uint64_t r[5][8], const uint64_t a[5][8], const uint64_t b[5][8]);
    void (*square)(uint64_t r[5][8], const uint64_t a[5][8]);
    /* x, y, z, in place */
    void (*twice)(uint64_t point[3][5][8]);
    /* point += entry (x, y), with its y negated where `negative` is -1 */
    void (*add)(uint64_t point[3][5][8], const uint64_t entry[2][5][8], const uint64_t negative[8]);
    /* each lane's own entry: of 8, of its own table; of 64, of the generator's in that window */
    void (*select)(uint64_t entry[2][5][8], const uint64_t table[8][2][5][8], const uint64_t index[8]);
    void (*select_base)(uint64_t entry[2][5][8], unsigned window, const uint64_t index[8]);
};

/* The sets that this build has; *num: how many */
const struct wb_p256_kernels *wb_p256_get_kernels(size_t *num);

#ifdef __cplusplus
}
#endif
#endif
