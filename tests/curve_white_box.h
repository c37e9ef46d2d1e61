/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the tests of a curve need of the library's inside, in a form that C++ can read.  Numbers are 64-bit words, the lowest first;
 * none is in Montgomery's form, unless it's said.
 */
#ifndef LC_TESTS_CURVE_WHITE_BOX_H
#define LC_TESTS_CURVE_WHITE_BOX_H

#include <stddef.h>
#include <stdint.h>

#include "curve.h"

#ifdef __cplusplus
extern "C" {
#endif

enum wb_modulus { WB_P, WB_N };

void wb_get_modulus(uint64_t r[WORDS], enum wb_modulus m);
void wb_add(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], enum wb_modulus m);
void wb_subtract(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], enum wb_modulus m);
void wb_multiply(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], enum wb_modulus m);
/*
 * a b + c, by the function that gives 1 / R times that; and by all rows that have a product of their own, too: if one gives
 * another number, it's one above m.
 */
void wb_multiply_add(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], const uint64_t c[WORDS],
                     enum wb_modulus m);
void wb_invert(uint64_t r[WORDS], const uint64_t a[WORDS], enum wb_modulus m);
/* a modulo m and, in the same call, b modulo the other of the two, each in its place */
void wb_invert_two(uint64_t a[WORDS], uint64_t b[WORDS], enum wb_modulus m);

/* k G, 4 || x || y, by the portable implementation; 0 < k < n */
void wb_multiple(uint8_t point[POINT_LEN], const uint64_t k[WORDS]);

/* 4 || x || y of a point's bytes in either form; what the library says of them */
int wb_decode(uint8_t point[POINT_LEN], const uint8_t *bytes, size_t len);

/*
 * The signature with this nonce: r, s.  skip: RFC 6979's nonces that aren't taken, for the second function, which gives the
 * nonce.
 */
void wb_sign(const struct SIG(key) * key, uint64_t rs[2][WORDS], const uint64_t e[WORDS], const uint64_t k[WORDS]);
int wb_nonce(const struct SIG(key) * key, uint64_t k[WORDS], const uint64_t e[WORDS], unsigned skip, const uint8_t *extra,
             size_t extra_len);

/* x of k G of num multipliers, by a pool of the key's implementation; 0 if it has none, -1 if it leaves something in memory */
int wb_base_pool(const struct SIG(key) * key, uint64_t (*x)[WORDS], const uint64_t (*k)[WORDS], size_t num);
enum { WB_POOL_MIN = 32, WB_POOL_STEP = 16, WB_POOL_MAX = 64 };

/* k P of up to 8 multipliers in one call of that row; P is `of` G, or the generator as a row knows it, if that is NULL. */
void wb_multiples(const char *row, uint64_t (*points)[2][WORDS], const uint64_t (*k)[WORDS], size_t num, const uint64_t *of);

/* ---- Lanes: numbers of limbs of 52 bits, [limb][lane], in Montgomery's form with 2^(52 LIMBS) ---- */

enum {
    WB_LANES = 8,
    WB_LIMBS = (BITS + 55) / 52,
    /* The generator's tables: table i has so many odd multiples of 2^(SHIFT i) G. */
    WB_BASE_SHIFT = BASE_BITS * BASE_PASSES,
};
typedef uint64_t wb_fe[WB_LIMBS][WB_LANES];

struct wb_kernels {
    const char *row;
    void (*multiply)(wb_fe r, const wb_fe a, const wb_fe b);
    void (*square)(wb_fe r, const wb_fe a); /* for P-384 of less than half of what the limbs can hold */
    /* x, y, z, in place */
    void (*twice)(wb_fe point[3]);
    /* point += entry (x, y), with its y negated where `negative` is -1 */
    void (*add)(wb_fe point[3], const wb_fe entry[2], const uint64_t negative[WB_LANES]);
    /* each lane's own entry: of 8, of its own table; of the generator's table */
    void (*select)(wb_fe entry[2], const wb_fe table[8][2], const uint64_t index[WB_LANES]);
    void (*select_base)(wb_fe entry[2], unsigned table, const uint64_t index[WB_LANES]);
#ifdef TEST_P256_LANES /* what only P-256 has */
    /* from points[lane], which are x and y of four words; y is negated where `negative` is -1 */
    void (*load)(wb_fe entry[2], const uint64_t points[WB_LANES][8], const uint64_t negative[WB_LANES]);
#endif
#ifdef TEST_POOLS
    /* An entry as a pool has it, carried: for P-256 the same, for P-384 with 64p, and y is negated where `negative` is -1. */
    void (*point)(wb_fe entry[2], const uint64_t negative[WB_LANES]);
    /*
     * a += b, 2 half pairs of points, in two parts: the products of differences, [0] and [half + 1] being 1, and b's x are then the
     * differences; then with the inverses of products [half] and [2 half + 1].  half: up to WB_MAX_HALF
     */
    void (*tree_products)(wb_fe *products, const wb_fe (*a)[2], wb_fe (*b)[2], size_t half);
    void (*tree_sums)(wb_fe (*a)[2], wb_fe (*b)[2], wb_fe *products, const wb_fe inverses[2], size_t half);
#endif
};

enum { WB_MAX_HALF = 3 };

#ifdef TEST_P256_LANES

/* What is in a prepared key's table, in that window: x and y in four words each, in Montgomery's form with 2^260 */
enum { WB_KEY_WINDOWS = 37, WB_KEY_ENTRIES = 64, WB_KEY_BITS = 7 };
void wb_key_entry(uint64_t point[2][4], const struct lc_ecdsa_p256_public_key *key, unsigned window, unsigned entry);

#endif

extern const struct wb_kernels wb_kernels_avx512ifma_512, wb_kernels_avx512ifma_256, wb_kernels_avxifma;

/* Those that this build has, and NULL */
const struct wb_kernels *const *wb_get_kernels(void);

#ifdef __cplusplus
}
#endif
#endif
