/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "p384_internal.h"

#define CURVE p384
#define BITS 384
#define HASH_PARTS lc_sha384_parts
#define BLOCK 128
#define MAX_DER_LEN LC_ECDSA_P384_MAX_DER_LEN
#include "ecdsa_body.h"
