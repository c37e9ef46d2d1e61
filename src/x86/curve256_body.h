/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Curves of 256 bits in lanes, with the assembly of x86/curve256.S: what is the same for P-256 and for SM2's curve.  Whoever
 * includes it defines before it what x86/curve_lanes_body.h wants there, and after it `one`, `to_words`, `of_inverse`,
 * `limbs_of_p` and sum_checks().
 *
 * -- Multiples of the generator -------------------------------------------------------------------------------------------------
 *
 * Windows of 7 bits, and a table of 64 multiples for each of the 37 (148 KB): 37 entries to add, nothing to double.
 *
 * Exceptions: after i windows the sum is S G with |S| < 2^(7i), and S is odd.  The next entry is d 2^(7i) G with odd d, so
 * |d 2^(7i)| > |S|, and they aren't equal or opposite as numbers; modulo n neither, as sum and difference are below n but in the
 * last window.  There S + d 2^252 is k, which isn't 0; but S - d 2^252 = k - d 2^253 may be -n, k = d 2^253 - n.  That takes
 * 8 <= d <= 15, and the last digit of this k is d for d = 15 only.  So there are two multipliers, that one and n less it, for which
 * the entry is equal to the sum: Z is 0 (see lc_p256_add), and the call is computed again one by one.  k = 0 ends in
 * infinity (k = n - 0 is odd), which verifying may bring.
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

/* Sum += k G, for the digits of k; or sum = k G, if it is the first */
static void add_base(struct EC(lanes) * w, const struct digits *d, int first)
{
    set_digit(w, d, 0, LC_256_BASE_WINDOWS, LC_256_BASE_BITS);
    for (unsigned i = 0; i < LC_256_BASE_WINDOWS; i++) {
        LANES(select_base)(w, EC(base_table)[i]);
        if (i + 1 < LC_256_BASE_WINDOWS) /* before the addition, see multiply_entry() */
            set_digit(w, d, i + 1, LC_256_BASE_WINDOWS, LC_256_BASE_BITS);
        if (first && i == 0)
            begin(w);
        else
            LANES(add)(w);
    }
}

static void sum_base(struct EC(lanes) * w, const struct digits *d)
{
    add_base(w, d, 1);
}

static void go_down(struct EC(lanes) * w, const struct digits *base, unsigned i)
{
    (void)base;
    (void)i;
    LANES(double)(w, LC_LANES_BITS);
}

static void add_rest(struct EC(lanes) * w, const struct digits *base)
{
    add_base(w, base, 0);
}

_Static_assert(sizeof(EC(base_table)[0][0]) / 8 == 1 << (LC_256_BASE_BITS - 1), "tables have the odd multiples");
_Static_assert(offsetof(struct EC(lanes), x) == 0 && offsetof(struct EC(lanes), y) == 40 * LC_LANES, "PX, PY");
_Static_assert(offsetof(struct EC(lanes), z) == 80 * LC_LANES && offsetof(struct EC(lanes), zz) == 120 * LC_LANES, "PZ, PZZ");
_Static_assert(offsetof(struct EC(lanes), entry) == 160 * LC_LANES, "EX");
_Static_assert(offsetof(struct EC(lanes), negative) == 240 * LC_LANES, "NEGATIVE");
_Static_assert(offsetof(struct EC(lanes), index) == 248 * LC_LANES, "INDEX");
_Static_assert(offsetof(struct EC(lanes), t) == 256 * LC_LANES, "T0");
