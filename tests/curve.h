/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The curve that a test program is about: CMakeLists.txt defines TEST_CURVE and TEST_BITS, and compiles these tests once for
 * each curve.  Names are made as in the library, ECDSA(sign) is lc_ecdsa_p256_sign.
 */
#ifndef LC_TESTS_CURVE_H
#define LC_TESTS_CURVE_H

#include "../src/ec_names.h"
#include "lanecrypt/ecdh.h"
#include "lanecrypt/ecdsa.h"

#define CURVE TEST_CURVE
#define BITS TEST_BITS

#define CURVE_STRING(name) #name
#define CURVE_NAME_OF(name) CURVE_STRING(name)
#define CURVE_NAME CURVE_NAME_OF(CURVE)
#define ECDH_SHARED LC_NAME_OF(lc_ecdh_, CURVE, )

enum {
    SIG_LEN = 2 * BYTES,
    POINT_LEN = 2 * BYTES + 1,
    SHORT_LEN = BYTES + 1, /* of a point, compressed */
    MAX_DER_LEN = BITS == 256 ? LC_ECDSA_P256_MAX_DER_LEN : LC_ECDSA_P384_MAX_DER_LEN,
    HASH_BLOCK = BITS == 256 ? 64 : 128, /* of the nonces' hash function */
    CURVE_NID = BITS == 256 ? 415 : 715, /* OpenSSL's number: NID_X9_62_prime256v1, NID_secp384r1 */
};

#endif
