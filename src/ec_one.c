/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One point at a time: multiples of points and checks, of any curve, made of an implementation's doubling and adding.
 *
 * -- Digits ---------------------------------------------------------------------------------------------------------------------
 *
 * Instead of the multiplier k an odd number k' is taken, which is k or -k modulo n; if it's -k, all is negated.  With windows of w
 * bits an odd number has digits that are odd, too, from 1 - 2^w to 2^w - 1, and so never 0:
 *
 *      k' = d_0 + d_1 2^w + d_2 2^2w + ..,      d_i = (k' / 2^(w i) mod 2^(w+1) | 1) - 2^w
 *
 * (x86/curve_lanes.c derives it).  The last one is what is left, and positive.  There are so many that k' may have a bit more
 * than n.  Every window adds a point, and tables have 2^(w-1) entries, P, 3 P, 5 P, ..
 *
 * -- Multiples of other points --------------------------------------------------------------------------------------------------
 *
 * Windows of 5 bits from the highest, with 5 doublings between them.  The table is made in affine form: D = 2 P = (X : Y : Z) is
 * added to P 15 times.  That takes it as an affine point, (X, Y), on the curve on which all points (x, y) are (x Z^2, y Z^3):
 * addition doesn't use the curve's coefficients.  Back from there a point's Z is multiplied by that of D.  All entries share one
 * inversion.
 *
 * -- Multiples of the generator -------------------------------------------------------------------------------------------------
 *
 * The tables are those of lanes: windows of 6 or 7 bits, of which base_passes share a table, the first one's.  In a first pass the
 * last window of each table is added as if it were the first one; then all is doubled w times, and the windows before these are
 * added; and so on.
 *
 * Their entries are x 2^(bits of p + s), with s = BASE_SHIFT.  As p = -1 (mod 2^s), x + (x mod 2^s) p has no lowest s bits, and
 * without them it's x / 2^s: below p, as (p - 1 + (2^s - 1) p) / 2^s is.
 *
 * -- No exceptions --------------------------------------------------------------------------------------------------------------
 *
 * Addition gives no point if the sum S P and the entry e P are equal or opposite: if S - e or S + e is a multiple of n.  For
 * 0 < k < n they never are.  (As k' < 2n, all digits times their powers of 2 are below 4n together, without signs.)
 *
 * - For other points S is 32 times the sum before, and e is odd.  So S -+ e isn't 0.  Before the last addition it's below n.
 * - For the generator, let S' and e' be S and e times all doublings to come: sums of different digits times their powers of 2,
 *   below 4n together.  S' -+ e' isn't 0, since it has no more factors of 2 than the lowest of these digits.  In a pass before the
 *   last one S -+ e, a 64th of it or less, is below n.  In the last one S and e are multiples of 2^w, but for e = d_0, which is
 *   added at the end; and below 4n there is no multiple of 2^w n.
 * - What is left is the last addition, of e = d_0.  S + d_0 = k' is no multiple of n.  S - d_0 = k' - 2 d_0 is odd, so it would
 *   have to be n, and k' = n + 2 d_0.  As d_0 is k' - 2^w modulo 2^(w+1), it's 2^w - n then: one number from 1 - 2^w to 2^w - 1.
 *   If it's positive, k' is taken below n, k or n - k, and otherwise above n, n + k or 2n - k, and isn't n + 2 d_0.
 *
 * (It's positive if n has a 0 in bit w.  For w = 5, d_0 would be 15 for P-256, -19 for P-384 and -3 for SM2's curve.)
 *
 * In the tables, odd multiples of P up to 29 and 2 P aren't equal or opposite, either.
 *
 * -- Checks ---------------------------------------------------------------------------------------------------------------------
 *
 * u1 G + u2 Q with one chain of doublings, in variable time: all of it is public.  Digits are 0 or odd, and after one that isn't 0
 * there are w - 1 zeros (the w-NAF).  w = 5 for Q, and for G as much as its first table has entries for.  The sum may meet an entry
 * here, and what is done with it then is written out.
 */

#include "ec_one.h"

enum { Q_WIDTH = 5, Q_ENTRIES = 8 };

/* A row's operations, and what they work on: all numbers of the curve's words, one after another (ec_one.h) */
struct one {
    const struct lc_ec_ops *ops;
    const struct lc_mod *p;
    size_t words, len; /* of a number; len: in bytes */
    uint64_t *x, *y, *z, *entry, *index, *negative; /* x is where it begins; the entry is two numbers */
    _Alignas(64) uint64_t work[9 * LC_EC_WORDS + 2]; /* misaligned, P-384 takes 2 % longer */
};

static void set_one(struct one *w, const struct lc_ec_ops *ops)
{
    const size_t words = ops->curve->p->words;

    w->ops = ops;
    w->p = ops->curve->p;
    w->words = words;
    w->len = words * sizeof(w->work[0]);
    w->x = w->work;
    w->y = w->x + words;
    w->z = w->y + words;
    w->entry = w->z + words;
    w->index = w->entry + 2 * words;
    w->negative = w->index + 1;
}

static void multiply(const struct one *w, uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    w->ops->multiply(r, a, b);
}

/* x /= z^2, y /= z^3, with the inverse of z; t: a number */
static void divide(const struct one *w, uint64_t *x, uint64_t *y, const uint64_t *inverse, uint64_t *t)
{
    w->ops->square(t, inverse);
    multiply(w, x, x, t);
    multiply(w, t, t, inverse);
    multiply(w, y, y, t);
}

/* The sum is the entry. */
static void begin(struct one *w)
{
    memcpy(w->x, w->entry, 2 * w->len);
    memcpy(w->z, w->p->one, w->len);
}

/* ---- Digits ---- */

struct digits {
    uint64_t k[LC_EC_WORDS + 1]; /* odd */
    uint64_t negated;
    unsigned bits, num; /* of a window; of windows */
};

static void make_odd(struct digits *d, const uint64_t *k, unsigned bits, const struct lc_mod *n)
{
    const uint64_t above_n = n->m[0] >> bits & 1; /* what is odd is n more */
    uint64_t borrow = 0, carry = 0;

    d->negated = lc_opaque(((k[0] ^ above_n) & 1) - 1);
    for (size_t i = 0; i < n->words; i++) {
        const uint64_t other = lc_sub_borrow(n->m[i], k[i], &borrow);

        d->k[i] = lc_add_carry(k[i] ^ ((k[i] ^ other) & d->negated), above_n ? n->m[i] : 0, &carry);
    }
    d->k[n->words] = carry;
    d->bits = bits;
    d->num = (64 * (unsigned)n->words + bits) / bits;
}

/* The index and the sign of digit i */
static void set_digit(struct one *w, const struct digits *d, unsigned i)
{
    const unsigned at = i * d->bits + 1, shift = at % 64, top = 1u << (d->bits - 1);
    uint64_t digit = d->k[at / 64] >> shift, negative; /* (d_i + 2^w - 1) / 2 */

    if (shift > 64 - d->bits)
        digit |= d->k[at / 64 + 1] << (64 - shift);
    if (i == d->num - 1)
        digit |= top;
    negative = lc_opaque((digit >> (d->bits - 1) & 1) - 1);
    *w->index = (digit ^ negative) & (top - 1);
    *w->negative = negative ^ d->negated;
}

/* ---- Secret multiples ---- */

/* P, 3 P, .. of the point that is the entry; num: of entries, each two numbers */
static void make_table(struct one *w, uint64_t *table, size_t num)
{
    struct {
        uint64_t z[LC_ONE_ENTRIES][LC_EC_WORDS], products[LC_ONE_ENTRIES][LC_EC_WORDS];
        uint64_t z2[LC_EC_WORDS], inverse[LC_EC_WORDS], t[LC_EC_WORDS];
    } v;
    const size_t size = 2 * w->words;

    memcpy(table, w->entry, 2 * w->len);
    begin(w);
    w->ops->twice(w->x, 1);
    memcpy(v.z2, w->z, w->len);
    memcpy(w->entry, w->x, 2 * w->len);
    w->ops->square(v.t, v.z2);
    multiply(w, w->x, table, v.t);
    multiply(w, v.t, v.t, v.z2);
    multiply(w, w->y, table + w->words, v.t);
    memcpy(w->z, w->p->one, w->len);
    for (size_t i = 1; i < num; i++) {
        w->ops->add(w->x);
        memcpy(table + i * size, w->x, 2 * w->len);
        multiply(w, v.z[i], w->z, v.z2);
        if (i == 1)
            memcpy(v.products[i], v.z[i], w->len);
        else
            multiply(w, v.products[i], v.products[i - 1], v.z[i]);
    }
    lc_mod_inverse(v.inverse, v.products[num - 1], w->p);
    for (size_t i = num - 1; i > 0; i--) {
        if (i > 1) {
            multiply(w, v.t, v.inverse, v.products[i - 1]);
            multiply(w, v.inverse, v.inverse, v.z[i]);
        } else {
            memcpy(v.t, v.inverse, w->len);
        }
        divide(w, table + i * size, table + i * size + w->words, v.t, v.z2);
    }
    lc_wipe(&v, sizeof(v));
}

/* (Loops over any number of words would take 10 cycles more, and so they would in from_lanes().) */
LC_INLINE void negate_of(size_t words, uint64_t *y, uint64_t negative, const struct lc_mod *p)
{
    uint64_t borrow = 0;

    LC_UNROLL
    for (size_t i = 0; i < words; i++)
        y[i] ^= (y[i] ^ lc_sub_borrow(p->m[i], y[i], &borrow)) & negative; /* y isn't 0 */
}

static void negate_entry(struct one *w)
{
    if (w->words == 4)
        negate_of(4, w->entry + 4, *w->negative, w->p);
    else
        negate_of(6, w->entry + 6, *w->negative, w->p);
}

/* Sum = k P of the point that is the entry */
static void multiply_entry(struct one *w, const struct digits *d)
{
    _Alignas(64) uint64_t table[LC_ONE_ENTRIES * 2 * LC_EC_WORDS];

    make_table(w, table, LC_ONE_ENTRIES);
    for (unsigned i = d->num; i-- > 0;) {
        set_digit(w, d, i);
        w->ops->select(w->x, table);
        negate_entry(w);
        if (i == d->num - 1) {
            begin(w);
            continue;
        }
        w->ops->twice(w->x, LC_ONE_BITS);
        w->ops->add(w->x);
    }
    lc_wipe(table, sizeof(table));
}

/* A number, from the form of the generator's table */
LC_INLINE void from_lanes_of(size_t words, uint64_t *x, unsigned shift, const struct lc_mod *p)
{
    const uint64_t low = x[0] & ((UINT64_C(1) << shift) - 1);
    uint64_t carry = 0, last = lc_multiply_add(low, p->m[0], x[0], &carry);

    LC_UNROLL
    for (size_t i = 1; i < words; i++) {
        const uint64_t next = lc_multiply_add(low, p->m[i], x[i], &carry);

        x[i - 1] = last >> shift | next << (64 - shift);
        last = next;
    }
    x[words - 1] = last >> shift | carry << (64 - shift);
}

/* The entry */
static void from_lanes(struct one *w)
{
    if (w->words == 4)
        for (size_t i = 0; i < 8; i += 4)
            from_lanes_of(4, w->entry + i, LC_BASE_SHIFT_256, w->p);
    else
        for (size_t i = 0; i < 12; i += 6)
            from_lanes_of(6, w->entry + i, LC_BASE_SHIFT_384, w->p);
}

/* Sum = k G */
static void multiply_base(struct one *w, const struct digits *d)
{
    const struct lc_ec_curve *const curve = w->ops->curve;
    const unsigned passes = curve->base_passes, tables = (d->num + passes - 1) / passes;
    const size_t size = 2 * w->words << (curve->base_bits - 1); /* of a table */

    for (unsigned pass = passes; pass-- > 0;) {
        for (unsigned i = tables; i-- > 0;) {
            const unsigned window = i * passes + pass;

            if (window >= d->num)
                continue;
            set_digit(w, d, window);
            w->ops->select_base(w->x, curve->base_table + i * size);
            from_lanes(w);
            negate_entry(w);
            if (window + passes >= d->num && pass == passes - 1)
                begin(w);
            else
                w->ops->add(w->x);
        }
        if (pass)
            w->ops->twice(w->x, curve->base_bits);
    }
}

/* All sums, which are in the results and in z, in affine form with one inversion, which has company (ec.h) */
static void make_affine(const struct one *w, struct lc_ec_product *products, uint64_t *z, size_t num, uint64_t *other)
{
    uint64_t scratch[LC_EC_CHUNK * LC_EC_WORDS];

    lc_mod_inverse_many(z, scratch, num, w->p, other, w->ops->curve->n);
    for (size_t i = 0; i < num; i++)
        divide(w, products[i].result, products[i].result + w->words, z + i * w->words, scratch);
    lc_wipe(scratch, sizeof(scratch));
}

static void multiply_all(const struct lc_ec_ops *ops, struct lc_ec_product *products, size_t num, int base, uint64_t *other)
{
    struct {
        struct one w;
        struct digits d;
        uint64_t z[LC_EC_CHUNK * LC_EC_WORDS];
    } v;

    set_one(&v.w, ops);
    for (size_t i = 0; i < num; i++) {
        make_odd(&v.d, products[i].k, base ? ops->curve->base_bits : LC_ONE_BITS, ops->curve->n);
        if (base) {
            multiply_base(&v.w, &v.d);
        } else {
            memcpy(v.w.entry, products[i].p, 2 * v.w.len);
            multiply_entry(&v.w, &v.d);
        }
        memcpy(products[i].result, v.w.x, 2 * v.w.len);
        memcpy(v.z + i * v.w.words, v.w.z, v.w.len);
    }
    make_affine(&v.w, products, v.z, num, other);
    lc_wipe(&v, sizeof(v));
    lc_wipe_frame();
}

void lc_ec_one_base(const struct lc_ec_ops *ops, struct lc_ec_product *products, size_t num, uint64_t *other)
{
    multiply_all(ops, products, num, 1, other);
}

void lc_ec_one_multiply(const struct lc_ec_ops *ops, struct lc_ec_product *products, size_t num)
{
    multiply_all(ops, products, num, 0, NULL);
}

/* ---- Checks: all of it is public ---- */

/* The digits of k, one for each bit: odd, less than 2^(width - 1) in size, or 0 */
static void make_naf(int8_t *naf, const uint64_t *k, size_t words, unsigned width)
{
    const size_t end = 64 * words;
    uint64_t carry = 0;

    memset(naf, 0, end + 1);
    for (size_t bit = 0; bit < end + 1;) {
        uint64_t bits = bit < end ? k[bit / 64] >> bit % 64 : 0;

        if ((bits & 1) == carry) {
            bit++;
            continue;
        }
        if (bit % 64 > 64 - width && bit < end - 64)
            bits |= k[bit / 64 + 1] << (64 - bit % 64);
        bits = (bits & ((1u << width) - 1)) + carry;
        carry = bits >> (width - 1) & 1;
        naf[bit] = (int8_t)((int)bits - ((int)carry << width));
        bit += width;
    }
}

struct public_sum {
    struct one w;
    int infinite;
};

/* Sum += digit P, where the table has P, 3 P, .., or is NULL for the generator's */
static void add_digit(struct public_sum *s, const uint64_t *table, int digit)
{
    struct one *const w = &s->w;
    const size_t e = (size_t)(digit < 0 ? -digit : digit) / 2;

    if (table) {
        memcpy(w->entry, table + e * 2 * w->words, 2 * w->len);
    } else {
        for (size_t i = 0; i < 2 * w->words; i++)
            w->entry[i] = w->ops->curve->base_table[(i << (w->ops->curve->base_bits - 1)) + e];
        from_lanes(w);
    }
    if (digit < 0)
        lc_mod_sub(w->entry + w->words, w->p->m, w->entry + w->words, w->p);
    if (s->infinite) {
        begin(w);
        s->infinite = 0;
        return;
    }
    w->ops->add(w->x);
    if (!lc_words_are_zero(w->z, w->words))
        return;
    s->infinite = !lc_words_are_zero(w->x, w->words);
    if (!s->infinite) { /* the sum was the entry */
        begin(w);
        w->ops->twice(w->x, 1);
    }
}

uint64_t lc_ec_has_x(const uint64_t *x, const uint64_t *z, const uint64_t *r, const struct lc_mod *p, const struct lc_mod *n)
{
    const size_t words = p->words;
    uint64_t zz[LC_EC_WORDS], t[LC_EC_WORDS], carry = 0, right;

    lc_mod_mul(zz, z, z, p);
    lc_mod_to_montgomery(t, r, p); /* r < n < p */
    lc_mod_mul(t, t, zz, p);
    right = lc_words_are_equal(t, x, words);
    for (size_t i = 0; i < words; i++)
        t[i] = lc_add_carry(r[i], n->m[i], &carry);
    if (!carry && lc_words_are_below(t, p->m, words)) {
        lc_mod_to_montgomery(t, t, p);
        lc_mod_mul(t, t, zz, p);
        right |= lc_words_are_equal(t, x, words);
    }
    return right & ~lc_words_are_zero(z, words);
}

void lc_ec_one_check(const struct lc_ec_ops *ops, struct lc_ec_check *checks, size_t num)
{
    const struct lc_ec_curve *const curve = ops->curve;
    struct public_sum s;
    uint64_t table[Q_ENTRIES * 2 * LC_EC_WORDS];
    int8_t g[64 * LC_EC_WORDS + 1], q[64 * LC_EC_WORDS + 1];

    set_one(&s.w, ops);
    for (struct lc_ec_check *check = checks; check < checks + num; check++) {
        memcpy(s.w.entry, check->q, 2 * s.w.len);
        make_table(&s.w, table, Q_ENTRIES);
        make_naf(g, check->u1, s.w.words, curve->base_bits + 1);
        make_naf(q, check->u2, s.w.words, Q_WIDTH);
        s.infinite = 1;
        for (size_t bit = 64 * s.w.words + 1, times = 0; bit-- > 0; times++) {
            if (!g[bit] && !q[bit] && bit > 0)
                continue;
            if (!s.infinite && times)
                ops->twice(s.w.x, times);
            times = 0;
            if (g[bit])
                add_digit(&s, NULL, g[bit]);
            if (q[bit])
                add_digit(&s, table, q[bit]);
        }
        check->right = s.infinite ? 0 : lc_ec_has_x(s.w.x, s.w.z, check->r, curve->p, curve->n);
    }
}
