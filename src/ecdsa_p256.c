/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "p256_internal.h"

#define CURVE p256
#define BITS 256
#define HASH_PARTS lc_sha256_parts
#define BLOCK 64
#define MAX_DER_LEN LC_ECDSA_P256_MAX_DER_LEN
#include "ecdsa_body.h"
