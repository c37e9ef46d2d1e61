/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The names in what is written once for all curves, or for all sizes of numbers, and compiled for each.  Whoever includes such a
 * file defines
 *
 *      CURVE    p256, ..; it's in the list below
 *      BITS     of its numbers
 */
#ifndef LC_EC_NAMES_H
#define LC_EC_NAMES_H

#include <stddef.h>

#define WORDS (BITS / 64)
#define BYTES (BITS / 8)

#define LC_NAME_OF(prefix, what, name) LC_NAME_PASTE(prefix, what, name)
#define LC_NAME_PASTE(prefix, what, name) prefix##what##name

#define NUM(name) LC_NAME_OF(lc_, BITS, _##name)           /* lc_256_move_if */
#define EC(name) LC_NAME_OF(lc_, CURVE, _##name)           /* lc_p256_curve */
#define ECDSA(name) LC_NAME_OF(lc_ecdsa_, CURVE, _##name)  /* lc_ecdsa_p256_sign */
/* Of the curve's signatures: ECDSA's, or lc_sm2_sign */
#define SIG(name) LC_NAME_OF(lc_, LC_NAME_OF(LC_SIGNATURES_, CURVE, ), _##name)
#define LC_SIGNATURES_p256 ecdsa_p256
#define LC_SIGNATURES_p384 ecdsa_p384
#define LC_SIGNATURES_sm2 sm2
#define ECDH(name) LC_NAME_OF(lc_ecdh_, CURVE, _##name)    /* lc_ecdh_p256_init */

/*
 * Multiples of the generator, of one multiplier or of many in lanes: bits of a window, and of how many windows one after another
 * only the first one has a table (EC(base_table) in ec_internal.h).  So they are added in as many passes.
 */
enum { LC_BASE_BITS_p256 = 6, LC_BASE_BITS_p384 = 7, LC_BASE_BITS_sm2 = 6 };
enum { LC_BASE_PASSES_p256 = 1, LC_BASE_PASSES_p384 = 3, LC_BASE_PASSES_sm2 = 2 };
#define BASE_BITS LC_NAME_OF(LC_BASE_BITS_, CURVE, )
#define BASE_PASSES LC_NAME_OF(LC_BASE_PASSES_, CURVE, )
#define BASE_ENTRIES (1 << (BASE_BITS - 1))
#define BASE_WINDOWS ((BITS + BASE_BITS) / BASE_BITS) /* all bits, and a carry */
#define BASE_TABLES ((BASE_WINDOWS + BASE_PASSES - 1) / BASE_PASSES)
/* Tables have Montgomery's form of lanes, with 2^(BITS + BASE_SHIFT). */
enum { LC_BASE_SHIFT_256 = 4, LC_BASE_SHIFT_384 = 32 };
#define BASE_SHIFT LC_NAME_OF(LC_BASE_SHIFT_, BITS, )

/* The curve as data (ec.h), in the file of its constants */
#define LC_CURVE(max)                                                                                                              \
    const struct lc_ec_curve EC(curve) = { &EC(p), &EC(n), EC(b), max, BASE_BITS, BASE_PASSES, EC(base_table)[0][0] };

/* Multiples of other points, one at a time (ec_one.c) */
enum { LC_ONE_BITS = 5, LC_ONE_ENTRIES = 16 };

/* How many operations a row is given at once, at most */
enum { LC_EC_CHUNK = 8 };

/* .. and with memory from the caller */
enum { LC_EC_POOL_MIN = 32, LC_EC_POOL_STEP = 16, LC_EC_POOL_MAX = 64 };

/* LC_ECDSA_MAX_EXTRA_LEN, LC_SM2_MAX_EXTRA_LEN */
enum { LC_EC_MAX_EXTRA_LEN = 64 };

/* The length of an item's additional data, which was checked: read once more, and only once, as somebody may change it meanwhile */
static inline size_t lc_ec_extra_len(const volatile size_t *len)
{
    const size_t now = *len, most = LC_EC_MAX_EXTRA_LEN;

    return now < most ? now : most;
}

#endif
