/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Curves of 256 bits in lanes, with the assembly of x86/curve256.S: what is the same for P-256 and for SM2's curve.  Whoever
 * includes it defines before it what x86/curve_lanes_body.h wants there, and after it `one`, `to_words`, `of_inverse`,
 * `limbs_of_p` and sum_checks().
 */
#include "curve_lanes_body.h"

/* x 2^256 * 2^4, below 16 p */
static void put_lane(struct EC(fe) * r, size_t lane, const uint64_t x[4])
{
    r->limb[0][lane] = x[0] << 4 & MASK52;
    r->limb[1][lane] = (x[0] >> 48 | x[1] << 16) & MASK52;
    r->limb[2][lane] = (x[1] >> 36 | x[2] << 28) & MASK52;
    r->limb[3][lane] = (x[2] >> 24 | x[3] << 40) & MASK52;
    r->limb[4][lane] = x[3] >> 12;
}

static void get_lane(uint64_t x[4], const struct EC(fe) * r, size_t lane)
{
    const uint64_t l[5] = { r->limb[0][lane], r->limb[1][lane], r->limb[2][lane], r->limb[3][lane], r->limb[4][lane] };
    const uint64_t words[4] = { l[0] | l[1] << 52, l[1] >> 12 | l[2] << 40, l[2] >> 24 | l[3] << 28, l[3] >> 36 | l[4] << 16 };

    lc_mod_reduce_once(x, words, l[4] >> 48, &EC(p));
}

static void begin(struct EC(lanes) * w)
{
    w->x = w->entry.x;
    w->y = w->entry.y;
    set_affine(w);
}

_Static_assert(offsetof(struct EC(lanes), x) == 0 && offsetof(struct EC(lanes), y) == 40 * LC_LANES, "PX, PY");
_Static_assert(offsetof(struct EC(lanes), z) == 80 * LC_LANES && offsetof(struct EC(lanes), zz) == 120 * LC_LANES, "PZ, PZZ");
_Static_assert(offsetof(struct EC(lanes), entry) == 160 * LC_LANES, "EX");
_Static_assert(offsetof(struct EC(lanes), negative) == 240 * LC_LANES, "NEGATIVE");
_Static_assert(offsetof(struct EC(lanes), index) == 248 * LC_LANES, "INDEX");
_Static_assert(offsetof(struct EC(lanes), t) == 256 * LC_LANES, "T0");
