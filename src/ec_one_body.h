/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One point at a time: multiples of points and checks, made of an implementation's doubling and adding.  Whoever includes it
 * defines CURVE and BITS (ec_names.h).
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
 * The tables are those of lanes: windows of 6 or 7 bits, of which BASE_PASSES share a table, the first one's.  In a first pass the
 * last window of each table is added as if it were the first one; then all is doubled w times, and the windows before these are
 * added; and so on.
 *
 * Their entries are x 2^(BITS + s), with s = BASE_SHIFT.  As p = -1 (mod 2^s), x + (x mod 2^s) p has no lowest s bits, and without
 * them it's x / 2^s: below p, as (p - 1 + (2^s - 1) p) / 2^s is.
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

enum { G_WIDTH = BASE_BITS + 1, Q_WIDTH = 5, Q_ENTRIES = 8 };

/* The sum is the entry. */
static void begin(struct EC(work) * w)
{
    memcpy(w->x, w->entry.x, sizeof(w->x));
    memcpy(w->y, w->entry.y, sizeof(w->y));
    memcpy(w->z, EC(p).one, sizeof(w->z));
}

/* ---- Digits ---- */

struct digits {
    uint64_t k[WORDS + 1]; /* odd */
    uint64_t negated;
    unsigned bits, num; /* of a window; of windows */
};

static void make_odd(struct digits *d, const uint64_t k[WORDS], unsigned bits)
{
    const uint64_t above_n = EC(n).m[0] >> bits & 1; /* what is odd is n more */
    uint64_t other[WORDS], borrow = 0, carry = 0;

    for (int i = 0; i < WORDS; i++)
        other[i] = lc_sub_borrow(EC(n).m[i], k[i], &borrow);
    d->negated = lc_opaque(((k[0] ^ above_n) & 1) - 1);
    memcpy(d->k, k, sizeof(other));
    NUM(move_if)(d->k, other, d->negated);
    for (int i = 0; i < WORDS; i++)
        d->k[i] = lc_add_carry(d->k[i], above_n ? EC(n).m[i] : 0, &carry);
    d->k[WORDS] = carry;
    d->bits = bits;
    d->num = (BITS + bits) / bits;
    lc_wipe(other, sizeof(other));
}

/* The index and the sign of digit i */
static void set_digit(struct EC(work) * w, const struct digits *d, unsigned i)
{
    const unsigned at = i * d->bits + 1, shift = at % 64, top = 1u << (d->bits - 1);
    uint64_t digit = d->k[at / 64] >> shift, negative; /* (d_i + 2^w - 1) / 2 */

    if (shift > 64 - d->bits)
        digit |= d->k[at / 64 + 1] << (64 - shift);
    if (i == d->num - 1)
        digit |= top;
    negative = lc_opaque((digit >> (d->bits - 1) & 1) - 1);
    w->index = (digit ^ negative) & (top - 1);
    w->negative = negative ^ d->negated;
}

/* ---- Secret multiples ---- */

/* P, 3 P, .. of the point that is the entry; num: of entries */
static void make_table(const struct EC(ops) * ops, struct EC(point) * table, size_t num, struct EC(work) * w)
{
    struct {
        uint64_t z[LC_ONE_ENTRIES][WORDS], products[LC_ONE_ENTRIES][WORDS], z2[WORDS], inverse[WORDS], t[WORDS];
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
    memcpy(w->z, EC(p).one, sizeof(w->z));
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
    lc_mod_inverse(v.inverse, v.products[num - 1], &EC(p));
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

static void negate_entry(struct EC(work) * w)
{
    uint64_t opposite[WORDS], borrow = 0;

    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        opposite[i] = lc_sub_borrow(EC(p).m[i], w->entry.y[i], &borrow); /* y isn't 0 */
    NUM(move_if)(w->entry.y, opposite, w->negative);
}

/* Sum = k P of the point that is the entry */
static void multiply_entry(const struct EC(ops) * ops, struct EC(work) * w, struct EC(point) table[LC_ONE_ENTRIES],
                           const struct digits *d)
{
    make_table(ops, table, LC_ONE_ENTRIES, w);
    for (unsigned i = ONE_WINDOWS; i-- > 0;) {
        set_digit(w, d, i);
        ops->select(w, table);
        negate_entry(w);
        if (i == ONE_WINDOWS - 1) {
            begin(w);
            continue;
        }
        ops->twice(w, LC_ONE_BITS);
        ops->add(w);
    }
}

/* From the form of the generator's table */
static void from_lanes(uint64_t x[WORDS])
{
    const uint64_t low = x[0] & ((UINT64_C(1) << BASE_SHIFT) - 1);
    uint64_t t[WORDS + 1], carry = 0;

    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        t[i] = lc_multiply_add(low, EC(p).m[i], x[i], &carry);
    t[WORDS] = carry;
    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        x[i] = t[i] >> BASE_SHIFT | t[i + 1] << (64 - BASE_SHIFT);
}

/* Sum = k G */
static void multiply_base(const struct EC(ops) * ops, struct EC(work) * w, const struct digits *d)
{
    for (unsigned pass = BASE_PASSES; pass-- > 0;) {
        for (unsigned i = BASE_TABLES; i-- > 0;) {
            const unsigned window = i * BASE_PASSES + pass;

            if (window >= BASE_WINDOWS)
                continue;
            set_digit(w, d, window);
            ops->select_base(w, EC(base_table)[i]);
            from_lanes(w->entry.x);
            from_lanes(w->entry.y);
            negate_entry(w);
            if (window + BASE_PASSES >= BASE_WINDOWS && pass == BASE_PASSES - 1)
                begin(w);
            else
                ops->add(w);
        }
        if (pass)
            ops->twice(w, BASE_BITS);
    }
}

/* All sums, which are in the results and in z, in affine form with one inversion, which has company (ec.h) */
static void make_affine(const struct EC(ops) * ops, struct lc_ec_product *products, uint64_t (*z)[WORDS], size_t num,
                        uint64_t *other)
{
    uint64_t scratch[LC_EC_CHUNK][WORDS];

    lc_mod_inverse_many(z[0], scratch[0], num, &EC(p), other, &EC(n));
    for (size_t i = 0; i < num; i++) {
        ops->square(scratch[0], z[i]);
        ops->multiply(products[i].result, products[i].result, scratch[0]);
        ops->multiply(scratch[0], scratch[0], z[i]);
        ops->multiply(products[i].result + WORDS, products[i].result + WORDS, scratch[0]);
    }
    lc_wipe(scratch, sizeof(scratch));
}

static void multiply_all(const struct EC(ops) * ops, struct lc_ec_product *products, size_t num, int base, uint64_t *other)
{
    struct {
        _Alignas(64) struct EC(point) table[LC_ONE_ENTRIES];
        struct EC(work) w;
        struct digits d;
        uint64_t z[LC_EC_CHUNK][WORDS];
    } v;

    for (size_t i = 0; i < num; i++) {
        make_odd(&v.d, products[i].k, base ? BASE_BITS : LC_ONE_BITS);
        if (base) {
            multiply_base(ops, &v.w, &v.d);
        } else {
            memcpy(&v.w.entry, products[i].p, sizeof(v.w.entry));
            multiply_entry(ops, &v.w, v.table, &v.d);
        }
        memcpy(products[i].result, v.w.x, sizeof(v.w.x));
        memcpy(products[i].result + WORDS, v.w.y, sizeof(v.w.y));
        memcpy(v.z[i], v.w.z, sizeof(v.w.z));
    }
    make_affine(ops, products, v.z, num, other);
    lc_wipe(&v, sizeof(v));
    lc_wipe_frame();
}

void EC(one_base)(const struct EC(ops) * ops, struct lc_ec_product *products, size_t num, uint64_t *other)
{
    multiply_all(ops, products, num, 1, other);
}

void EC(one_multiply)(const struct EC(ops) * ops, struct lc_ec_product *products, size_t num)
{
    multiply_all(ops, products, num, 0, NULL);
}

/* ---- Checks: all of it is public ---- */

/* The digits of k, one for each bit: odd, less than 2^(width - 1) in size, or 0 */
static void make_naf(int8_t naf[BITS + 1], const uint64_t k[WORDS], unsigned width)
{
    uint64_t carry = 0;

    memset(naf, 0, BITS + 1);
    for (unsigned bit = 0; bit < BITS + 1;) {
        uint64_t bits = bit < BITS ? k[bit / 64] >> bit % 64 : 0;

        if ((bits & 1) == carry) {
            bit++;
            continue;
        }
        if (bit % 64 > 64 - width && bit < BITS - 64)
            bits |= k[bit / 64 + 1] << (64 - bit % 64);
        bits = (bits & ((1u << width) - 1)) + carry;
        carry = bits >> (width - 1) & 1;
        naf[bit] = (int8_t)((int)bits - ((int)carry << width));
        bit += width;
    }
}

struct public_sum {
    struct EC(work) w;
    int infinite;
};

/* Sum += digit P, where the table has P, 3 P, .., or is NULL for the generator's */
static void add_digit(const struct EC(ops) * ops, struct public_sum *s, const struct EC(point) * table, int digit)
{
    const int e = (digit < 0 ? -digit : digit) / 2;

    if (table) {
        s->w.entry = table[e];
    } else {
        for (int i = 0; i < WORDS; i++) {
            s->w.entry.x[i] = EC(base_table)[0][i][e];
            s->w.entry.y[i] = EC(base_table)[0][WORDS + i][e];
        }
        from_lanes(s->w.entry.x);
        from_lanes(s->w.entry.y);
    }
    if (digit < 0)
        lc_mod_sub(s->w.entry.y, EC(p).m, s->w.entry.y, &EC(p));
    if (s->infinite) {
        begin(&s->w);
        s->infinite = 0;
        return;
    }
    ops->add(&s->w);
    if (!NUM(is_zero)(s->w.z))
        return;
    s->infinite = !NUM(is_zero)(s->w.x);
    if (!s->infinite) { /* the sum was the entry */
        begin(&s->w);
        ops->twice(&s->w, 1);
    }
}

uint64_t EC(has_x)(const uint64_t x[WORDS], const uint64_t z[WORDS], const uint64_t r[WORDS])
{
    uint64_t zz[WORDS], t[WORDS], carry = 0, right;

    lc_mod_mul(zz, z, z, &EC(p));
    lc_mod_to_montgomery(t, r, &EC(p)); /* r < n < p */
    lc_mod_mul(t, t, zz, &EC(p));
    right = NUM(equal)(t, x);
    for (int i = 0; i < WORDS; i++)
        t[i] = lc_add_carry(r[i], EC(n).m[i], &carry);
    if (!carry && NUM(below)(t, EC(p).m)) {
        lc_mod_to_montgomery(t, t, &EC(p));
        lc_mod_mul(t, t, zz, &EC(p));
        right |= NUM(equal)(t, x);
    }
    return right & ~NUM(is_zero)(z);
}

void EC(one_check)(const struct EC(ops) * ops, struct lc_ec_check *checks, size_t num)
{
    struct public_sum s;
    struct EC(point) table[Q_ENTRIES];
    int8_t g[BITS + 1], q[BITS + 1];

    for (struct lc_ec_check *check = checks; check < checks + num; check++) {
        memcpy(&s.w.entry, check->q, sizeof(s.w.entry));
        make_table(ops, table, Q_ENTRIES, &s.w);
        make_naf(g, check->u1, G_WIDTH);
        make_naf(q, check->u2, Q_WIDTH);
        s.infinite = 1;
        for (size_t bit = BITS + 1, times = 0; bit-- > 0; times++) {
            if (!g[bit] && !q[bit] && bit > 0)
                continue;
            if (!s.infinite && times)
                ops->twice(&s.w, times);
            times = 0;
            if (g[bit])
                add_digit(ops, &s, NULL, g[bit]);
            if (q[bit])
                add_digit(ops, &s, table, q[bit]);
        }
        check->right = s.infinite ? 0 : EC(has_x)(s.w.x, s.w.z, check->r);
    }
}
