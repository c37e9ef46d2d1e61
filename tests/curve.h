/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The curve that a test program is about: CMakeLists.txt defines TEST_CURVE and TEST_BITS, and compiles these tests once for
 * each curve.  Names are made as in the library, ECDSA(sign) is lc_ecdsa_p256_sign, SIG(sign) too, or lc_sm2_sign.
 */
#ifndef LC_TESTS_CURVE_H
#define LC_TESTS_CURVE_H

#include "../src/ec_names.h"
#include "lanecrypt/ecdh.h"
#include "lanecrypt/ecdsa.h"
#include "lanecrypt/sm2.h"

#define CURVE TEST_CURVE
#define BITS TEST_BITS

#define CURVE_STRING(name) #name
#define CURVE_NAME_OF(name) CURVE_STRING(name)
#define CURVE_NAME CURVE_NAME_OF(CURVE)
#define SIGNATURES LC_NAME_OF(LC_TESTS_SIGNATURES_, CURVE, ) /* the mode */
#define LC_TESTS_SIGNATURES_p256 "ecdsa-p256"
#define LC_TESTS_SIGNATURES_p384 "ecdsa-p384"
#define LC_TESTS_SIGNATURES_sm2 "sm2"
#define NONCE_HASH LC_NAME_OF(LC_TESTS_HASH_, CURVE, )
#define LC_TESTS_HASH_p256 lc_sha256
#define LC_TESTS_HASH_p384 lc_sha384
#define LC_TESTS_HASH_sm2 lc_sm3
#define ECDH_SHARED LC_NAME_OF(lc_ecdh_, CURVE, )

enum {
    SIG_LEN = 2 * BYTES,
    POINT_LEN = 2 * BYTES + 1,
    SHORT_LEN = BYTES + 1, /* of a point, compressed */
    MAX_DER_LEN = BITS == 256 ? LC_ECDSA_P256_MAX_DER_LEN : LC_ECDSA_P384_MAX_DER_LEN,
    HASH_BLOCK = BITS == 256 ? 64 : 128, /* of the nonces' hash function */
    /* OpenSSL's numbers of the curves */
    CURVE_NID_p256 = 415, /* NID_X9_62_prime256v1 */
    CURVE_NID_p384 = 715, /* NID_secp384r1 */
    CURVE_NID_sm2 = 1172, /* NID_sm2 */
    CURVE_NID = LC_NAME_OF(CURVE_NID_, CURVE, ),
};

#endif
