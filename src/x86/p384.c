/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* P-384 in the lanes of vectors: x86/curve_lanes_body.h with its numbers and the assembly of x86/p384.S */
#include "p384.h"

#define CURVE p384
#define BITS 384
#define ONE(name) lc_p384_##name##_bmi2_avx2
#if LC_LANES == 8
#define FOUR(name) lc_p384_##name##_avx512ifma_256
enum { FEW_BASE = 1, FEW_MULTIPLY = 2, FEW_CHECK = 2 };
#else
enum { FEW_BASE = LC_LANES_LEAST - 1, FEW_MULTIPLY = LC_LANES_LEAST - 1, FEW_CHECK = LC_LANES_LEAST - 1 };
#endif
#include "curve_lanes_body.h"

static const struct lc_p384_fe one = {
    { LANES_OF(UINT64_C(0x0000100000000)), LANES_OF(UINT64_C(0xffffffffff000)), LANES_OF(UINT64_C(0x0000000ffffff)),
      LANES_OF(UINT64_C(0x0000000000010)), LANES_OF(UINT64_C(0x0000000000000)), LANES_OF(UINT64_C(0x0000000000000)),
      LANES_OF(UINT64_C(0x0000000000000)), LANES_OF(UINT64_C(0x0000000000000)) }
}; /* 2^416 mod p */
static const struct lc_p384_fe to_words = {
    { LANES_OF(UINT64_C(0xfffff00000001)), LANES_OF(UINT64_C(0x00fffffffffff)), LANES_OF(UINT64_C(0x0000001000000)),
      LANES_OF(UINT64_C(0x0000000000000)), LANES_OF(UINT64_C(0x0000000000000)), LANES_OF(UINT64_C(0x0000000000000)),
      LANES_OF(UINT64_C(0x0000000000000)), LANES_OF(UINT64_C(0x0000000000000)) }
}; /* 2^384 mod p */
static const struct lc_p384_fe of_inverse = {
    { LANES_OF(UINT64_C(0x0000100000002)), LANES_OF(UINT64_C(0xfdffffffff000)), LANES_OF(UINT64_C(0x0000007ffffff)),
      LANES_OF(UINT64_C(0xfffe000000060)), LANES_OF(UINT64_C(0x5fffffffcffff)), LANES_OF(UINT64_C(0x0000030000000)),
      LANES_OF(UINT64_C(0xffdfffffffd00)), LANES_OF(UINT64_C(0x00000000fffff)) }
}; /* 2^1216 mod p */

static const uint64_t limbs_of_p[8] = {
    UINT64_C(0x00000ffffffff), UINT64_C(0xff00000000000), UINT64_C(0xffffffeffffff), UINT64_C(0xfffffffffffff),
    UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff), UINT64_C(0x00000000fffff),
};

/* x 2^384 * 2^32, below 2^32 p */
static void put_lane(struct lc_p384_fe *r, size_t lane, const uint64_t x[6])
{
    uint64_t shifted[7];

    shifted[0] = x[0] << 32;
    LC_UNROLL
    for (int i = 1; i < 6; i++)
        shifted[i] = x[i] << 32 | x[i - 1] >> 32;
    shifted[6] = x[5] >> 32;
    LC_UNROLL
    for (int i = 0; i < 8; i++) {
        int bit = 52 * i, shift = bit % 64;
        uint64_t limb = shifted[bit / 64] >> shift;

        if (shift > 12)
            limb |= shifted[bit / 64 + 1] << (64 - shift);
        r->limb[i][lane] = limb & MASK52;
    }
    lc_wipe(shifted, sizeof(shifted));
}

static void get_lane(uint64_t x[6], const struct lc_p384_fe *r, size_t lane)
{
    uint64_t words[7] = { 0 };

    LC_UNROLL
    for (int i = 0; i < 8; i++) {
        int bit = 52 * i, shift = bit % 64;

        words[bit / 64] |= r->limb[i][lane] << shift;
        if (shift > 12)
            words[bit / 64 + 1] |= r->limb[i][lane] >> (64 - shift);
    }
    lc_mod_reduce_once(x, words, words[6], &lc_p384_p);
    lc_wipe(words, sizeof(words));
}

/* The sum is the entry, of which y is below 2p, with its sign. */
static void begin(struct lc_p384_lanes *w)
{
    static const uint64_t p_times_2[8] = { UINT64_C(0x1fffffffe),     UINT64_C(0xfe00000000000), UINT64_C(0xffffffdffffff),
                                           UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff),
                                           UINT64_C(0xfffffffffffff), UINT64_C(0x1fffff) };

    w->x = w->entry.x;
    w->z = one;
    for (size_t lane = 0; lane < LC_LANES; lane++) {
        uint64_t negative = w->sign[lane];
        int64_t carry = 0;

        for (int i = 0; i < 8; i++) {
            carry += (int64_t)((w->entry.y.limb[i][lane] ^ negative) - negative + (p_times_2[i] & negative));
            w->y.limb[i][lane] = (uint64_t)carry & MASK52;
            carry >>= 52;
        }
    }
}

static void sum_checks(struct lc_p384_lanes *w, const struct lc_p384_check *checks, size_t num)
{
    sum_two_multiples(w, checks, num);
}

_Static_assert(offsetof(struct lc_p384_lanes, x) == 0 && offsetof(struct lc_p384_lanes, y) == 64 * LC_LANES, "PX, PY");
_Static_assert(offsetof(struct lc_p384_lanes, z) == 128 * LC_LANES, "PZ");
_Static_assert(offsetof(struct lc_p384_lanes, entry) == 192 * LC_LANES, "EX");
_Static_assert(offsetof(struct lc_p384_lanes, negative) == 320 * LC_LANES, "NEGATIVE");
_Static_assert(offsetof(struct lc_p384_lanes, index) == 328 * LC_LANES, "INDEX");
_Static_assert(offsetof(struct lc_p384_lanes, t) == 336 * LC_LANES, "T0");
_Static_assert(offsetof(struct lc_p384_lanes, sign) == 720 * LC_LANES, "SIGN");
