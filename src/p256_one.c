/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * P-256, one point at a time: multiples of points and checks, made of an implementation's doubling and adding.
 *
 * -- Digits ---------------------------------------------------------------------------------------------------------------------
 *
 * A multiplier k is made odd: it is k or n - k, and in the second case all is negated.  With windows of 5 bits an odd number has 52
 * digits that are odd, too, from -31 to 31, and so never 0:
 *
 *      k = d_0 + d_1 2^5 + d_2 2^10 + .. + d_51 2^255,      d_i = (k / 2^(5i) mod 2^6 | 1) - 2^5
 *
 * (see x86/p256.c).  The last one, what is left, is 1.  Every window adds a point, and tables have 16 entries, P, 3 P, .. 31 P.
 *
 * -- Multiples of other points --------------------------------------------------------------------------------------------------
 *
 * Windows from the highest, with 5 doublings between them.  The table is made in affine form: D = 2 P = (X : Y : Z) is added to P
 * 15 times.  That takes it as an affine point, (X, Y), on the curve on which all points (x, y) are (x Z^2, y Z^3): addition doesn't
 * use the curve's coefficients.  Back from there a point's Z is multiplied by that of D.  All entries share one inversion.
 *
 * -- Multiples of the generator -------------------------------------------------------------------------------------------------
 *
 * There are tables for every other window, 26 KB: first the odd windows are added, 51, 49, .. 1, as if they were 50, 48, .. 0;
 * then all is doubled 5 times, and the even windows are added, 50, 48, .. 0.  With tables for all windows there would be no
 * doublings, which are 1,600 of 25,000 cycles, but 53 KB; windows of 7 bits, two of which share a table, take 2,000 cycles less
 * and 78 KB.
 *
 * -- No exceptions --------------------------------------------------------------------------------------------------------------
 *
 * Addition gives no point if the sum S P and the entry e P are equal or opposite.  For 0 < k < n, and so k' < n, they never are:
 *
 * - As numbers, S isn't +-e: e is an odd number times the window's power of 2, and S has another power of 2 in it, that of the
 *   lowest window which is in it.  For other points it is 32 times the sum before, and e is odd.
 * - What is left is S -+ e = +-n, as |S| + |e| is below 2n.  That takes one of S and e to be odd, as n is.  For the generator only
 *   d_0 is, the last one.  For other points S gets as far as n in the last addition only.
 * - There S + d_0 = k', which is neither 0 nor n.  And S - d_0 = k' - 2 d_0 isn't 0, as k' is odd; it could be n for a d_0 < 0.
 *   But modulo 64, d_0 = k' - 32 = n + 2 d_0 - 32, so d_0 = 32 - n, which is 15: n is 17 there.  From -31 to -1 there is none.
 *
 * (With windows of 4 or 6 bits this ends with k' = n - 2, or n - 34, as an exception.)
 *
 * In the tables, odd multiples of P up to 29 and 2 P aren't equal or opposite, either.
 *
 * -- Checks ---------------------------------------------------------------------------------------------------------------------
 *
 * u1 G + u2 Q with one chain of doublings, in variable time: all of it is public.  Digits are 0 or odd, and after one that isn't 0
 * there are w - 1 zeros (the w-NAF).  w = 6 for G, whose first table has what it takes, and 5 for Q.  The sum may meet an entry
 * here, and what is done with it then is written out.
 */
#include "p256_one.h"

enum { G_WIDTH = 6, Q_WIDTH = 5, Q_ENTRIES = 8 };

static int is_zero(const uint64_t a[4])
{
    return (a[0] | a[1] | a[2] | a[3]) == 0;
}

/* The sum is the entry. */
static void begin(struct lc_p256_work *w)
{
    memcpy(w->x, w->entry.x, sizeof(w->x));
    memcpy(w->y, w->entry.y, sizeof(w->y));
    memcpy(w->z, lc_p256_p.one, sizeof(w->z));
}

/* ---- Digits ---- */

struct digits {
    uint64_t k[5]; /* odd; one word more than it has */
    uint64_t negated;
};

static void make_odd(struct digits *d, const uint64_t k[4])
{
    uint64_t other[4], borrow = 0, even = lc_opaque((k[0] & 1) - 1);

    for (int i = 0; i < 4; i++)
        other[i] = lc_sub_borrow(lc_p256_n.m[i], k[i], &borrow);
    memcpy(d->k, k, sizeof(other));
    d->k[4] = 0;
    lc_256_move_if(d->k, other, even);
    d->negated = even;
    lc_wipe(other, sizeof(other));
}

/* The index and the sign of digit i */
static void set_digit(struct lc_p256_work *w, const struct digits *d, unsigned i)
{
    const unsigned at = i * LC_P256_ONE_BITS + 1, shift = at % 64, top = LC_P256_ONE_ENTRIES;
    uint64_t digit = d->k[at / 64] >> shift, negative; /* (d_i + 31) / 2 */

    if (shift > 64 - LC_P256_ONE_BITS)
        digit |= d->k[at / 64 + 1] << (64 - shift);
    if (i == LC_P256_ONE_WINDOWS - 1)
        digit |= top;
    negative = lc_opaque((digit >> (LC_P256_ONE_BITS - 1) & 1) - 1);
    w->index = (digit ^ negative) & (top - 1);
    w->negative = negative ^ d->negated;
}

/* ---- Secret multiples ---- */

/* P, 3 P, .. of the point that is the entry; num: of entries */
static void make_table(const struct lc_p256_ops *ops, struct lc_p256_point *table, size_t num, struct lc_p256_work *w)
{
    struct {
        uint64_t z[LC_P256_ONE_ENTRIES][4], products[LC_P256_ONE_ENTRIES][4], z2[4], inverse[4], t[4];
    } v;

    table[0] = w->entry;
    begin(w);
    ops->twice(w, 1);
    memcpy(v.z2, w->z, sizeof(v.z2));
    memcpy(w->entry.x, w->x, sizeof(w->x));
    memcpy(w->entry.y, w->y, sizeof(w->y));
    ops->square(v.t, v.z2);
    ops->multiply(w->x, table[0].x, v.t);
    ops->multiply(v.t, v.t, v.z2);
    ops->multiply(w->y, table[0].y, v.t);
    memcpy(w->z, lc_p256_p.one, sizeof(w->z));
    for (size_t i = 1; i < num; i++) {
        ops->add(w);
        memcpy(table[i].x, w->x, sizeof(w->x));
        memcpy(table[i].y, w->y, sizeof(w->y));
        ops->multiply(v.z[i], w->z, v.z2);
        if (i == 1)
            memcpy(v.products[i], v.z[i], sizeof(v.z[i]));
        else
            ops->multiply(v.products[i], v.products[i - 1], v.z[i]);
    }
    lc_mod_inverse(v.inverse, v.products[num - 1], &lc_p256_p);
    for (size_t i = num - 1; i > 0; i--) {
        if (i > 1) {
            ops->multiply(v.t, v.inverse, v.products[i - 1]);
            ops->multiply(v.inverse, v.inverse, v.z[i]);
        } else {
            memcpy(v.t, v.inverse, sizeof(v.t));
        }
        ops->square(v.z2, v.t);
        ops->multiply(table[i].x, table[i].x, v.z2);
        ops->multiply(v.z2, v.z2, v.t);
        ops->multiply(table[i].y, table[i].y, v.z2);
    }
    lc_wipe(&v, sizeof(v));
}

/* Sum = k P of the point that is the entry */
static void multiply_entry(const struct lc_p256_ops *ops, struct lc_p256_work *w, struct lc_p256_point table[LC_P256_ONE_ENTRIES],
                           const struct digits *d)
{
    make_table(ops, table, LC_P256_ONE_ENTRIES, w);
    for (unsigned i = LC_P256_ONE_WINDOWS; i-- > 0;) {
        set_digit(w, d, i);
        ops->select(w, table);
        if (i == LC_P256_ONE_WINDOWS - 1) {
            begin(w);
            continue;
        }
        ops->twice(w, LC_P256_ONE_BITS);
        ops->add(w);
    }
}

/* Sum = k G */
static void multiply_base(const struct lc_p256_ops *ops, struct lc_p256_work *w, const struct digits *d)
{
    for (unsigned odd = 2; odd-- > 0;) {
        for (unsigned i = LC_P256_ONE_WINDOWS / 2; i-- > 0;) {
            set_digit(w, d, 2 * i + odd);
            ops->select(w, lc_p256_one_table[i]);
            if (odd && i == LC_P256_ONE_WINDOWS / 2 - 1)
                begin(w);
            else
                ops->add(w);
        }
        if (odd)
            ops->twice(w, LC_P256_ONE_BITS);
    }
}

/* All sums, which are in the results and in z, in affine form with one inversion */
static void make_affine(const struct lc_p256_ops *ops, struct lc_p256_product *products, uint64_t (*z)[4], size_t num)
{
    uint64_t scratch[LC_EC_CHUNK][4];

    lc_mod_inverse_many(z, scratch, num, &lc_p256_p);
    for (size_t i = 0; i < num; i++) {
        ops->square(scratch[0], z[i]);
        ops->multiply(products[i].result.x, products[i].result.x, scratch[0]);
        ops->multiply(scratch[0], scratch[0], z[i]);
        ops->multiply(products[i].result.y, products[i].result.y, scratch[0]);
    }
    lc_wipe(scratch, sizeof(scratch));
}

static void multiply_all(const struct lc_p256_ops *ops, struct lc_p256_product *products, size_t num, int base)
{
    struct {
        struct lc_p256_work w;
        struct lc_p256_point table[LC_P256_ONE_ENTRIES];
        struct digits d;
        uint64_t z[LC_EC_CHUNK][4];
    } v;

    for (size_t i = 0; i < num; i++) {
        make_odd(&v.d, products[i].k);
        if (base) {
            multiply_base(ops, &v.w, &v.d);
        } else {
            v.w.entry = *products[i].p;
            multiply_entry(ops, &v.w, v.table, &v.d);
        }
        memcpy(products[i].result.x, v.w.x, sizeof(v.w.x));
        memcpy(products[i].result.y, v.w.y, sizeof(v.w.y));
        memcpy(v.z[i], v.w.z, sizeof(v.w.z));
    }
    make_affine(ops, products, v.z, num);
    lc_wipe(&v, sizeof(v));
    lc_wipe_frame();
}

void lc_p256_one_base(const struct lc_p256_ops *ops, struct lc_p256_product *products, size_t num)
{
    multiply_all(ops, products, num, 1);
}

void lc_p256_one_multiply(const struct lc_p256_ops *ops, struct lc_p256_product *products, size_t num)
{
    multiply_all(ops, products, num, 0);
}

/* ---- Checks: all of it is public ---- */

/* The digits of k, one for each bit: odd, less than 2^(width - 1) in size, or 0 */
static void make_naf(int8_t naf[257], const uint64_t k[4], unsigned width)
{
    uint64_t carry = 0;

    memset(naf, 0, 257);
    for (unsigned bit = 0; bit < 257;) {
        uint64_t bits = bit < 256 ? k[bit / 64] >> bit % 64 : 0;

        if ((bits & 1) == carry) {
            bit++;
            continue;
        }
        if (bit % 64 > 64 - width && bit < 192)
            bits |= k[bit / 64 + 1] << (64 - bit % 64);
        bits = (bits & ((1u << width) - 1)) + carry;
        carry = bits >> (width - 1) & 1;
        naf[bit] = (int8_t)((int)bits - ((int)carry << width));
        bit += width;
    }
}

struct public_sum {
    struct lc_p256_work w;
    int infinite;
};

/* Sum += digit P, where the table has P, 3 P, .. */
static void add_digit(const struct lc_p256_ops *ops, struct public_sum *s, const struct lc_p256_point *table, int digit)
{
    static const uint64_t zero[4];

    s->w.entry = table[(digit < 0 ? -digit : digit) / 2];
    if (digit < 0)
        lc_mod_sub(s->w.entry.y, zero, s->w.entry.y, &lc_p256_p);
    if (s->infinite) {
        begin(&s->w);
        s->infinite = 0;
        return;
    }
    ops->add(&s->w);
    if (!is_zero(s->w.z))
        return;
    s->infinite = !is_zero(s->w.x);
    if (!s->infinite) { /* the sum was the entry */
        begin(&s->w);
        ops->twice(&s->w, 1);
    }
}

void lc_p256_one_check(const struct lc_p256_ops *ops, struct lc_p256_check *checks, size_t num)
{
    struct public_sum s;
    struct lc_p256_point table[Q_ENTRIES];
    int8_t g[257], q[257];

    for (struct lc_p256_check *check = checks; check < checks + num; check++) {
        s.w.entry = *check->q;
        make_table(ops, table, Q_ENTRIES, &s.w);
        make_naf(g, check->u1, G_WIDTH);
        make_naf(q, check->u2, Q_WIDTH);
        s.infinite = 1;
        for (size_t bit = 257, times = 0; bit-- > 0; times++) {
            if (!g[bit] && !q[bit] && bit > 0)
                continue;
            if (!s.infinite && times)
                ops->twice(&s.w, times);
            times = 0;
            if (g[bit])
                add_digit(ops, &s, lc_p256_one_table[0], g[bit]);
            if (q[bit])
                add_digit(ops, &s, table, q[bit]);
        }
        ops->square(s.w.z, s.w.z);
        check->right = s.infinite ? 0 : lc_p256_has_x(s.w.x, s.w.z, check->r);
    }
}
