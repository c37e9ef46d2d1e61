/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* SM2's curve in the lanes of vectors: x86/curve256_body.h with its numbers, and checks without prepared keys. */
#include "sm2.h"

#define CURVE sm2
#define BITS 256
/* One by one there is only the portable code, which takes longer for one than the lanes for eight. */
#define ONE(name) lc_sm2_##name##_portable
#if LC_LANES == 8
#define FOUR(name) lc_sm2_##name##_avx512ifma_256
#endif
enum { FEW_BASE = 0, FEW_MULTIPLY = 0, FEW_CHECK = 0 };
#include "curve256_body.h"

static const struct lc_sm2_fe one = {
    { LANES_OF(UINT64_C(0x0000000000010)), LANES_OF(UINT64_C(0x0ffffffff0000)), LANES_OF(UINT64_C(0x0000000000000)),
      LANES_OF(UINT64_C(0x0000000000000)), LANES_OF(UINT64_C(0x0000000100000)) }
}; /* 2^260 mod p */
static const struct lc_sm2_fe to_words = {
    { LANES_OF(UINT64_C(0x0000000000001)), LANES_OF(UINT64_C(0x00ffffffff000)), LANES_OF(UINT64_C(0x0000000000000)),
      LANES_OF(UINT64_C(0x0000000000000)), LANES_OF(UINT64_C(0x0000000010000)) }
}; /* 2^256 mod p */
static const struct lc_sm2_fe of_inverse = {
    { LANES_OF(UINT64_C(0x0120000001600)), LANES_OF(UINT64_C(0xfffffff800000)), LANES_OF(UINT64_C(0x0000c0000000e)),
      LANES_OF(UINT64_C(0x090000000a000)), LANES_OF(UINT64_C(0x000001b000000)) }
}; /* 2^776 mod p */
static const uint64_t limbs_of_p[5] = { MASK52, MASK52 - (UINT64_C(1) << 44) + (1 << 12), MASK52, MASK52,
                                        (UINT64_C(1) << 48) - (1 << 16) - 1 };

static void sum_checks(struct lc_sm2_lanes *w, const struct lc_sm2_check *checks, size_t num)
{
    sum_two_multiples(w, checks, num);
}
