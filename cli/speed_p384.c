/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#define CURVE p384
#define BYTES 48
#define MAX_DER_LEN LC_ECDSA_P384_MAX_DER_LEN
#define NID 715 /* NID_secp384r1 */
#include "speed_curve_body.h"
