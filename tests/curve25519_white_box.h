/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the tests of Curve25519 need of the library's inside, in a form that C++ can read.  Numbers are four 64-bit words, the
 * lowest first, or, as the portable code calculates with them, five digits of about 51 bits.
 */
#ifndef LC_TESTS_CURVE25519_WHITE_BOX_H
#define LC_TESTS_CURVE25519_WHITE_BOX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_25519_from_words(uint64_t r[5], const uint64_t a[4]);
void wb_25519_to_words(uint64_t r[4], const uint64_t a[5]);
void wb_25519_mul(uint64_t r[5], const uint64_t a[5], const uint64_t b[5]);
void wb_25519_sqr(uint64_t r[5], const uint64_t a[5]);
void wb_25519_mul_small_add(uint64_t r[5], const uint64_t a[5], uint64_t c, const uint64_t b[5]);
void wb_25519_add(uint64_t r[5], const uint64_t a[5], const uint64_t b[5]);
void wb_25519_sub(uint64_t r[5], const uint64_t a[5], const uint64_t b[5]);
void wb_25519_sub4(uint64_t r[5], const uint64_t a[5], const uint64_t b[5]);

/* a b + c modulo L; a is below L */
void wb_25519_mul_add_l(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], const uint64_t c[4]);

/* A number of 512 bits modulo L */
void wb_25519_reduce(uint64_t r[4], const uint64_t wide[8]);

/* An implementation's functions, for one item or up to eight; row: its number in the mode ed25519 */
struct wb_25519_item {
    uint64_t k[4], s[4], u[4], x[4], y[4]; /* what the function takes, and what it gives: decompress() takes u for the sign */
    uint64_t right;
};
void wb_25519_dh(size_t row, struct wb_25519_item *items, size_t num);     /* k, u to u */
void wb_25519_base(size_t row, struct wb_25519_item *items, size_t num);   /* k to x, y */
void wb_25519_base_u(size_t row, struct wb_25519_item *items, size_t num); /* k to u */
void wb_25519_check(size_t row, struct wb_25519_item *items, size_t num);  /* s, k, x, y to x, y */
void wb_25519_decompress(size_t row, struct wb_25519_item *items, size_t num); /* y, u[0] to x, right */

/* Is 8 (the sum of z R + e A - b B) neutral? */
struct wb_25519_term {
    uint64_t z[4], e[4], a[2][4], r[2][4]; /* x, y */
};
int wb_25519_sum_is_small(size_t row, const struct wb_25519_term *terms, size_t num, const uint64_t b[4]);

/* ---- One at a time, numbers of four words (x86/curve25519_bmi2.S) ---- */

struct wb_25519_words {
    const char *row;
    void (*mul)(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]); /* r may be b */
    void (*sqr)(uint64_t r[4], const uint64_t a[4], size_t times);        /* r may be a */
    void (*ladder)(uint64_t points[4][4], const uint64_t u[4], const uint64_t bits[4]); /* x2, z2, x3, z3, in place */
    void (*twice)(uint64_t point[4][4], size_t times); /* x, y, z, t, in place */
    void (*add)(uint64_t point[4][4], const uint64_t addend[4][4]); /* y + x, y - x, 2 d x y, 2 z */
    void (*add_affine)(uint64_t point[4][4], const uint64_t addend[4][4]); /* 2 z isn't read. */
    void (*select)(uint64_t addend[3][4], const uint64_t table[16][3][4], uint64_t index, uint64_t negative);
};

/* NULL if this build has none */
const struct wb_25519_words *wb_25519_get_words(void);

/*
 * ---- Lanes: numbers of five limbs, [limb][lane], tight or loose as src/x86/curve25519.S says.
 * There are eight lanes: where vectors have four, one call after another takes its part. ----
 */

struct wb_25519_kernels {
    const char *row;
    void (*mul)(uint64_t r[5][8], const uint64_t a[5][8], const uint64_t b[5][8]);
    void (*sqr)(uint64_t r[5][8], const uint64_t a[5][8], size_t times);
    void (*sqr_two)(uint64_t a[2][5][8], size_t times); /* in place */
    void (*sums)(uint64_t sum[5][8], uint64_t difference[5][8], const uint64_t a[5][8], const uint64_t b[5][8]);
    void (*replace_zeros)(uint64_t a[5][8], uint64_t used[8]); /* a in place */
    void (*twice)(uint64_t point[4][5][8]); /* x, y, z, t, in place */
    /* in place; the addend: y + x, y - x, 2 d x y, 2 z, negated where `negative` is -1 */
    void (*add)(uint64_t point[4][5][8], const uint64_t addend[4][5][8], const uint64_t negative[8]);
    /* the entry of each lane, by its digit from 0 to 31, of that window of the generator's table */
    void (*add_base)(uint64_t point[4][5][8], unsigned window, const uint64_t digits[8]);
    /* the words at each lane's address */
    void (*take)(uint64_t limbs[20][8], const uint64_t *const rows[8]);
    /* the addends 0, P, 2 P, .. of the point x, y */
    void (*multiples)(uint64_t table[17][4][5][8], const uint64_t x[5][8], const uint64_t y[5][8]);
    /* One ladder that has four lanes, or NULL: X + Z, X - Z of two points, in place; u, -u, u, -u. */
    void (*ladder_one)(uint64_t lanes[5][8], const uint64_t u[5][8], const uint64_t k[4]);
    /* That of x86/curve25519_radix52.S, or NULL: x1, of 51 bits; x2, z2, z3, of 52 bits, loose; and x2, z2, of 51 bits again. */
    void (*ladder_radix52)(uint64_t numbers[4][5][8], const uint64_t bits[4][8]);
};

extern const struct wb_25519_kernels wb_25519_kernels_avx512ifma_512, wb_25519_kernels_avx512ifma_256, wb_25519_kernels_avxifma;

/* The sets that this build has, and NULL */
const struct wb_25519_kernels *const *wb_25519_get_kernels(void);

/* Entry e of a window: y + x, y - x, 2 d x y */
void wb_25519_get_entry(uint64_t entry[3][5], unsigned window, unsigned e);
enum { WB_25519_WINDOWS = 51, WB_25519_WINDOW_BITS = 5, WB_25519_WINDOW_ENTRIES = 16 };

#ifdef __cplusplus
}
#endif
#endif
