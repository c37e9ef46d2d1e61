/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * P-384 in the lanes of vectors: x86/curve_lanes_body.h with its numbers and the assembly of x86/p384.S, and its way to multiples
 * of the generator.
 *
 * -- Multiples of the generator -------------------------------------------------------------------------------------------------
 *
 * The multiplier, made odd, has 55 digits d_i of 7 bits, odd and of either sign.  A table for each of them would take 330 KB, so
 * there is one for every third, 64 multiples of 2^(21j) G (114 KB), and the sum is made in three passes, with 7 doublings between
 * them:
 *
 *      k  =  sum d_3j 2^(21j)  +  2^7 (sum d_(3j+1) 2^(21j)  +  2^7 sum d_(3j+2) 2^(21j))
 *
 * 55 entries to add and 14 doublings.  (Words instead of limbs in the table: 96 bytes a point.)
 *
 * Exceptions: as numbers, the sum S and the next entry d 2^(21j) are never equal or opposite.  In the first pass |S| < 2^(21j).  In
 * the others S is 2^7 times what there was, and what this pass has added.  With the last j that there was, the digits of the passes
 * before make an odd number times 2^7 * 2^(21j), and all below them, digits of windows of their own, less than 2^(21j).  So
 * |S| > 127 * 2^(21j), and an entry is that at most.  The last pass has one digit more; for that |S| < 2^378 again.  Modulo n it is
 * as in x86/curve256_body.h: only this last entry can be equal to the sum, for k = 63 * 2^379 - n and for n less it.  Then Z is 0
 * (see lc_p384_add), and the call is computed again one by one.
 *
 * -- Checks ---------------------------------------------------------------------------------------------------------------------
 *
 * The three passes for u1 G go between the doublings for u2 Q, where that many doublings remain: 14, 7, 0.
 */
#include "p384.h"

#define CURVE p384
#define BITS 384
#define ONE(name) lc_p384_##name##_bmi2_avx2
#if LC_LANES == 8
#define FOUR(name) lc_p384_##name##_avx512ifma_256
enum { FEW_BASE = 1, FEW_MULTIPLY = 2, FEW_CHECK = 2 };
#else
enum { FEW_BASE = 1, FEW_MULTIPLY = 1, FEW_CHECK = 1 };
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

/*
 * Sum += 2^(-7 pass) times the digits of that pass, of the generator's multiples; or sum = that, if it is the first.
 */
static void add_base_pass(struct lc_p384_lanes *w, const struct digits *d, unsigned pass, int first)
{
    set_digit(w, d, pass, LC_P384_BASE_WINDOWS, LC_P384_BASE_BITS);
    for (unsigned i = pass; i < LC_P384_BASE_WINDOWS; i += LC_P384_BASE_PASSES) {
        LANES(select_base)(w, lc_p384_base_table[i / LC_P384_BASE_PASSES]);
        /* The next one already, as the selection would wait for eight words that are just being written. */
        if (i + LC_P384_BASE_PASSES < LC_P384_BASE_WINDOWS)
            set_digit(w, d, i + LC_P384_BASE_PASSES, LC_P384_BASE_WINDOWS, LC_P384_BASE_BITS);
        if (first && i == pass)
            begin(w);
        else
            LANES(add)(w);
    }
}

static void sum_base(struct lc_p384_lanes *w, const struct digits *d)
{
    for (unsigned pass = LC_P384_BASE_PASSES; pass-- > 0;) {
        if (pass < LC_P384_BASE_PASSES - 1)
            LANES(double)(w, LC_P384_BASE_BITS);
        add_base_pass(w, d, pass, pass == LC_P384_BASE_PASSES - 1);
    }
}

static void go_down(struct lc_p384_lanes *w, const struct digits *base, unsigned i)
{
    const unsigned to = i * LC_LANES_BITS;
    unsigned from = to + LC_LANES_BITS;

    for (unsigned pass = LC_P384_BASE_PASSES; base && pass-- > 1;) {
        const unsigned at = pass * LC_P384_BASE_BITS;
        uint64_t digit[2][LC_LANES];

        if (at < to || at >= from)
            continue;
        LANES(double)(w, from - at);
        memcpy(digit[0], w->index, sizeof(digit[0]));
        memcpy(digit[1], w->negative, sizeof(digit[1]));
        add_base_pass(w, base, pass, 0);
        memcpy(w->index, digit[0], sizeof(digit[0]));
        memcpy(w->negative, digit[1], sizeof(digit[1]));
        from = at;
    }
    if (from > to)
        LANES(double)(w, from - to);
}

static void add_rest(struct lc_p384_lanes *w, const struct digits *base)
{
    add_base_pass(w, base, 0, 0);
}

static void sum_checks(struct lc_p384_lanes *w, const struct lc_p384_check *checks, size_t num)
{
    sum_two_multiples(w, checks, num);
}

_Static_assert(LC_P384_BASE_WINDOWS *LC_P384_BASE_BITS == 385, "all bits, and the carry");
_Static_assert(LC_P384_BASE_TABLES == (LC_P384_BASE_WINDOWS + LC_P384_BASE_PASSES - 1) / LC_P384_BASE_PASSES, "all windows");
_Static_assert(offsetof(struct lc_p384_lanes, x) == 0 && offsetof(struct lc_p384_lanes, y) == 64 * LC_LANES, "PX, PY");
_Static_assert(offsetof(struct lc_p384_lanes, z) == 128 * LC_LANES, "PZ");
_Static_assert(offsetof(struct lc_p384_lanes, entry) == 192 * LC_LANES, "EX");
_Static_assert(offsetof(struct lc_p384_lanes, negative) == 320 * LC_LANES, "NEGATIVE");
_Static_assert(offsetof(struct lc_p384_lanes, index) == 328 * LC_LANES, "INDEX");
_Static_assert(offsetof(struct lc_p384_lanes, t) == 336 * LC_LANES, "T0");
_Static_assert(offsetof(struct lc_p384_lanes, sign) == 720 * LC_LANES, "SIGN");
