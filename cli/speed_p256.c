/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#define CURVE p256
#define BYTES 32
#define MAX_DER_LEN LC_ECDSA_P256_MAX_DER_LEN
#define NID 415 /* NID_X9_62_prime256v1 */
#define PREPARED
#include "speed_curve_body.h"
