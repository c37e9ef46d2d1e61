/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * P-384 in the lanes of vectors: eight points at once.  The calculations with points are x86/p384.S's; here is what is done with
 * them.  x86/p256.c is the same for P-256, and has the derivation of digits.
 *
 * -- Multiples of the generator -------------------------------------------------------------------------------------------------
 *
 * The multiplier, made odd, has 64 digits d_i of 6 bits, odd and of either sign.  A table for each of them would take 200 KB, so
 * there is one for every third, 32 multiples of 2^(18j) G (68 KB), and the sum is made in three passes, with 6 doublings between
 * them:
 *
 *      k  =  sum d_3j 2^(18j)  +  2^6 (sum d_(3j+1) 2^(18j)  +  2^6 sum d_(3j+2) 2^(18j))
 *
 * 64 entries to add and 12 doublings.  (Words instead of limbs in the table: 96 bytes a point.)
 *
 * Exceptions: as numbers, the sum S and the next entry d 2^(18j) are never equal or opposite.  In the first pass |S| < 2^(18j).  In
 * the others S is 2^6 times what there was, more than 63 * 2^(18j) for the last j that there was, since the last two digits, both
 * odd, weigh at least 64 of it, and all below them less than 1; and an entry is 63 * 2^(18j) at most.  The last pass has one digit
 * more; for that |S| < 2^378 again.  Modulo n it is as in x86/p256.c: only this last entry can
 * be equal to the sum, for k = 63 * 2^379 - n and for n less it.  Then Z is 0 (see lc_p384_add), and the call is computed again by
 * the portable code.
 *
 * -- Multiples of other points, and checks --------------------------------------------------------------------------------------
 *
 * As in x86/p256.c: windows of 4 bits, a table of P, 3 P, .. 15 P.  For a check the three passes for u1 G go between the doublings
 * for u2 Q, where that many doublings remain: 12, 6, 0.
 */
#include "p384.h"

/* ---- Numbers in lanes ---- */

#define LANES(x) { x, x, x, x, x, x, x, x }

static const struct lc_p384_fe one = {
    { LANES(UINT64_C(0x0000100000000)), LANES(UINT64_C(0xffffffffff000)), LANES(UINT64_C(0x0000000ffffff)),
      LANES(UINT64_C(0x0000000000010)), LANES(UINT64_C(0x0000000000000)), LANES(UINT64_C(0x0000000000000)),
      LANES(UINT64_C(0x0000000000000)), LANES(UINT64_C(0x0000000000000)) }
}; /* 2^416 mod p */
static const struct lc_p384_fe to_384 = {
    { LANES(UINT64_C(0xfffff00000001)), LANES(UINT64_C(0x00fffffffffff)), LANES(UINT64_C(0x0000001000000)),
      LANES(UINT64_C(0x0000000000000)), LANES(UINT64_C(0x0000000000000)), LANES(UINT64_C(0x0000000000000)),
      LANES(UINT64_C(0x0000000000000)), LANES(UINT64_C(0x0000000000000)) }
}; /* 2^384 mod p */

#define MASK52 ((UINT64_C(1) << 52) - 1)

static void multiply(struct lc_p384_fe *r, const struct lc_p384_fe *a, const struct lc_p384_fe *b)
{
    lc_p384_mul_avx512ifma_512(r, a, b);
}

/* From Montgomery's form with R = 2^384, as all that comes from outside has, to that with 2^416: x 2^384 * 2^32.  Below 2^32 p. */
static void put_lane(struct lc_p384_fe *r, size_t lane, const uint64_t x[6])
{
    uint64_t shifted[7];

    shifted[0] = x[0] << 32;
    for (int i = 1; i < 6; i++)
        shifted[i] = x[i] << 32 | x[i - 1] >> 32;
    shifted[6] = x[5] >> 32;
    for (int i = 0; i < 8; i++) {
        int bit = 52 * i, shift = bit % 64;
        uint64_t limb = shifted[bit / 64] >> shift;

        if (shift > 12)
            limb |= shifted[bit / 64 + 1] << (64 - shift);
        r->limb[i][lane] = limb & MASK52;
    }
    lc_wipe(shifted, sizeof(shifted));
}

/* The other way: r is x 2^384 already, and below 2p. */
static void get_lane(uint64_t x[6], const struct lc_p384_fe *r, size_t lane)
{
    uint64_t words[7] = { 0 };

    for (int i = 0; i < 8; i++) {
        int bit = 52 * i, shift = bit % 64;

        words[bit / 64] |= r->limb[i][lane] << shift;
        if (shift > 12)
            words[bit / 64 + 1] |= r->limb[i][lane] >> (64 - shift);
    }
    lc_mod_reduce_once(x, words, words[6], &lc_p384_p);
    lc_wipe(words, sizeof(words));
}

/* All lanes */
static void get_lanes(uint64_t x[LC_P384_LANES][6], const struct lc_p384_fe *a)
{
    struct lc_p384_fe t;

    multiply(&t, a, &to_384);
    for (size_t lane = 0; lane < LC_P384_LANES; lane++)
        get_lane(x[lane], &t, lane);
    lc_wipe(&t, sizeof(t));
}

/* The same from such numbers; below 2p */
static void put_lanes(struct lc_p384_fe *r, uint64_t x[LC_P384_LANES][6])
{
    for (size_t lane = 0; lane < LC_P384_LANES; lane++)
        put_lane(r, lane, x[lane]);
    multiply(r, r, &one);
}

/* 1 / a, and 0 for 0: all lanes share one inversion.  zero: -1 where a is 0, else 0. */
static void invert(struct lc_p384_fe *r, const struct lc_p384_fe *a, uint64_t zero[LC_P384_LANES])
{
    struct {
        uint64_t x[LC_P384_LANES][6], scratch[LC_P384_LANES][6];
    } w;

    get_lanes(w.x, a);
    for (size_t lane = 0; lane < LC_P384_LANES; lane++) {
        zero[lane] = lc_384_is_zero(w.x[lane]);
        lc_384_move_if(w.x[lane], lc_p384_p.one, zero[lane]);
    }
    lc_mod_inverse_many(w.x, w.scratch, LC_P384_LANES, &lc_p384_p);
    for (size_t lane = 0; lane < LC_P384_LANES; lane++)
        for (int i = 0; i < 6; i++)
            w.x[lane][i] &= ~zero[lane];
    put_lanes(r, w.x);
    lc_wipe(&w, sizeof(w));
}

/* ---- Digits ---- */

struct digits {
    uint64_t k[LC_P384_LANES][6]; /* odd */
    uint64_t negated[LC_P384_LANES];
};

static void make_odd(struct digits *d, size_t lane, const uint64_t k[6])
{
    uint64_t other[6], borrow = 0, even = lc_opaque((k[0] & 1) - 1);

    for (int i = 0; i < 6; i++)
        other[i] = lc_sub_borrow(lc_p384_n.m[i], k[i], &borrow);
    memcpy(d->k[lane], k, sizeof(other));
    lc_384_move_if(d->k[lane], other, even);
    d->negated[lane] = even;
    lc_wipe(other, sizeof(other));
}

/* The index and the sign of digit i of num, each of `bits` bits */
static void set_digit(struct lc_p384_lanes *w, const struct digits *d, unsigned i, unsigned num, unsigned bits)
{
    const unsigned at = i * bits + 1, shift = at % 64;
    const uint64_t sign_bit = UINT64_C(1) << (bits - 1);

    for (size_t lane = 0; lane < LC_P384_LANES; lane++) {
        const uint64_t *k = d->k[lane];
        uint64_t digit = k[at / 64] >> shift, negative;

        if (shift + bits > 64 && at / 64 < 5)
            digit |= k[at / 64 + 1] << (64 - shift);
        digit &= 2 * sign_bit - 1; /* (d_i + 2^bits - 1) / 2 */
        if (i == num - 1)
            digit |= sign_bit;
        negative = lc_opaque((digit >> (bits - 1)) - 1);
        w->index[lane] = (digit ^ negative) & (sign_bit - 1);
        w->negative[lane] = negative ^ d->negated[lane];
    }
}

/* ---- Points ---- */

/* The sum is the entry, of which y is below 2p, with its sign. */
static void begin(struct lc_p384_lanes *w)
{
    static const uint64_t p_times_2[8] = { UINT64_C(0x1fffffffe),     UINT64_C(0xfe00000000000), UINT64_C(0xffffffdffffff),
                                           UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff),
                                           UINT64_C(0xfffffffffffff), UINT64_C(0x1fffff) };

    w->x = w->entry.x;
    w->z = one;
    for (size_t lane = 0; lane < LC_P384_LANES; lane++) {
        uint64_t negative = w->negative[lane];
        int64_t carry = 0;

        for (int i = 0; i < 8; i++) {
            carry += (int64_t)((w->entry.y.limb[i][lane] ^ negative) - negative + (p_times_2[i] & negative));
            w->y.limb[i][lane] = (uint64_t)carry & MASK52;
            carry >>= 52;
        }
    }
}

/*
 * Sum += 2^(-6 pass) times the digits of that pass, of the generator's multiples; or sum = that, if it is the first.
 */
static void add_base_pass(struct lc_p384_lanes *w, const struct digits *d, unsigned pass, int first)
{
    for (unsigned i = pass; i < LC_P384_BASE_WINDOWS; i += LC_P384_BASE_PASSES) {
        set_digit(w, d, i, LC_P384_BASE_WINDOWS, LC_P384_BASE_BITS);
        lc_p384_select_base_avx512ifma_512(w, lc_p384_base_table[i / LC_P384_BASE_PASSES]);
        if (first && i == pass)
            begin(w);
        else
            lc_p384_add_avx512ifma_512(w);
    }
}

/* The doublings from where `from` of them remain to where `to` do, and if base isn't NULL the passes of it that belong there */
static void go_down(struct lc_p384_lanes *w, const struct digits *base, unsigned from, unsigned to)
{
    for (unsigned pass = LC_P384_BASE_PASSES; base && pass-- > 0;) {
        const unsigned at = pass * LC_P384_BASE_BITS;

        if (to <= at && at < from) {
            lc_p384_double_avx512ifma_512(w, from - at);
            add_base_pass(w, base, pass, 0);
            from = at;
        }
    }
    if (from > to)
        lc_p384_double_avx512ifma_512(w, from - to);
}

/* P, 3 P, .. 15 P of the point that is the entry, both of its coordinates below 2p */
static void make_table(struct lc_p384_entry table[LC_P384_ENTRIES], struct lc_p384_lanes *w)
{
    struct {
        struct lc_p384_fe z[LC_P384_ENTRIES], products[LC_P384_ENTRIES], z2, inverse, t;
        uint64_t zero[LC_P384_LANES]; /* never: they are odd multiples of a point, below n */
    } v;

    table[0] = w->entry;
    memset(w->negative, 0, sizeof(w->negative));
    begin(w);
    lc_p384_double_avx512ifma_512(w, 1);
    v.z2 = w->z;
    w->entry.x = w->x;
    w->entry.y = w->y;
    multiply(&v.t, &v.z2, &v.z2);
    multiply(&w->x, &table[0].x, &v.t);
    multiply(&v.t, &v.t, &v.z2);
    multiply(&w->y, &table[0].y, &v.t);
    w->z = one;
    for (int i = 1; i < LC_P384_ENTRIES; i++) {
        lc_p384_add_avx512ifma_512(w);
        table[i].x = w->x;
        table[i].y = w->y;
        multiply(&v.z[i], &w->z, &v.z2);
        if (i == 1)
            v.products[i] = v.z[i];
        else
            multiply(&v.products[i], &v.products[i - 1], &v.z[i]);
    }
    invert(&v.inverse, &v.products[LC_P384_ENTRIES - 1], v.zero);
    for (int i = LC_P384_ENTRIES - 1; i > 0; i--) {
        if (i > 1) {
            multiply(&v.t, &v.inverse, &v.products[i - 1]);
            multiply(&v.inverse, &v.inverse, &v.z[i]);
        } else {
            v.t = v.inverse;
        }
        multiply(&v.z2, &v.t, &v.t);
        multiply(&table[i].x, &table[i].x, &v.z2);
        multiply(&v.z2, &v.z2, &v.t);
        multiply(&table[i].y, &table[i].y, &v.z2);
    }
    lc_wipe(&v, sizeof(v));
}

/* Sum = k P of the point that is the entry; and if base isn't NULL, plus the generator's multiple by those digits */
static void multiply_entry(struct lc_p384_lanes *w, struct lc_p384_entry table[LC_P384_ENTRIES], const struct digits *d,
                           const struct digits *base)
{
    make_table(table, w);
    for (unsigned i = LC_P384_WINDOWS; i-- > 0;) {
        if (i < LC_P384_WINDOWS - 1)
            go_down(w, base, (i + 1) * LC_P384_BITS, i * LC_P384_BITS);
        set_digit(w, d, i, LC_P384_WINDOWS, LC_P384_BITS);
        lc_p384_select_avx512ifma_512(w, table);
        if (i < LC_P384_WINDOWS - 1)
            lc_p384_add_avx512ifma_512(w);
        else
            begin(w);
    }
}

/* The sum's affine coordinates; where Z was 0, zero is -1, and they are of no use. */
static void get_results(struct lc_p384_product *products, size_t num, struct lc_p384_lanes *w, uint64_t zero[LC_P384_LANES])
{
    uint64_t x[LC_P384_LANES][6], y[LC_P384_LANES][6];

    invert(&w->z, &w->z, zero);
    multiply(&w->t[0], &w->z, &w->z);
    multiply(&w->t[1], &w->t[0], &w->z);
    multiply(&w->x, &w->x, &w->t[0]);
    multiply(&w->y, &w->y, &w->t[1]);
    get_lanes(x, &w->x);
    get_lanes(y, &w->y);
    for (size_t i = 0; i < num; i++) {
        memcpy(products[i].result.x, x[i], sizeof(x[i]));
        memcpy(products[i].result.y, y[i], sizeof(y[i]));
    }
    lc_wipe(x, sizeof(x));
    lc_wipe(y, sizeof(y));
}

/* The lane's item; lanes without one do the first one's work again. */
static size_t item_of(size_t lane, size_t num)
{
    return lane < num ? lane : 0;
}

static void put_points(struct lc_p384_entry *entry, const struct lc_p384_point *const points[LC_P384_LANES])
{
    for (size_t lane = 0; lane < LC_P384_LANES; lane++) {
        put_lane(&entry->x, lane, points[lane]->x);
        put_lane(&entry->y, lane, points[lane]->y);
    }
    multiply(&entry->x, &entry->x, &one);
    multiply(&entry->y, &entry->y, &one);
}

/* ---- The row ---- */

void lc_p384_base_avx512ifma_512(struct lc_p384_product *products, size_t num)
{
    struct {
        struct lc_p384_lanes w;
        struct digits d;
        uint64_t zero[LC_P384_LANES];
    } v;

    for (size_t lane = 0; lane < LC_P384_LANES; lane++)
        make_odd(&v.d, lane, products[item_of(lane, num)].k);
    add_base_pass(&v.w, &v.d, LC_P384_BASE_PASSES - 1, 1);
    go_down(&v.w, &v.d, (LC_P384_BASE_PASSES - 1) * LC_P384_BASE_BITS, 0);
    get_results(products, num, &v.w, v.zero);
    for (size_t i = 1; i < num; i++)
        v.zero[0] |= v.zero[i];
    if (v.zero[0]) /* few multipliers of all: see above */
        lc_p384_base_portable(products, num);
    lc_wipe(&v, sizeof(v));
    lc_wipe_frame();
    lc_p384_clear_avx512ifma_512();
}

void lc_p384_multiply_avx512ifma_512(struct lc_p384_product *products, size_t num)
{
    struct {
        struct lc_p384_lanes w;
        struct lc_p384_entry table[LC_P384_ENTRIES];
        struct digits d;
        uint64_t zero[LC_P384_LANES];
    } v;
    const struct lc_p384_point *points[LC_P384_LANES];

    for (size_t lane = 0; lane < LC_P384_LANES; lane++) {
        make_odd(&v.d, lane, products[item_of(lane, num)].k);
        points[lane] = products[item_of(lane, num)].p;
    }
    put_points(&v.w.entry, points);
    multiply_entry(&v.w, v.table, &v.d, NULL);
    get_results(products, num, &v.w, v.zero);
    for (size_t i = 1; i < num; i++)
        v.zero[0] |= v.zero[i];
    if (v.zero[0]) /* so rare that all are computed again */
        lc_p384_multiply_portable(products, num);
    lc_wipe(&v, sizeof(v));
    lc_wipe_frame();
    lc_p384_clear_avx512ifma_512();
}

void lc_p384_check_avx512ifma_512(struct lc_p384_check *checks, size_t num)
{
    struct lc_p384_lanes w;
    struct lc_p384_entry table[LC_P384_ENTRIES];
    struct digits d, base;
    const struct lc_p384_point *points[LC_P384_LANES];
    uint64_t x[LC_P384_LANES][6], z[LC_P384_LANES][6];

    for (size_t lane = 0; lane < LC_P384_LANES; lane++) {
        make_odd(&d, lane, checks[item_of(lane, num)].u2);
        make_odd(&base, lane, checks[item_of(lane, num)].u1);
        points[lane] = checks[item_of(lane, num)].q;
    }
    put_points(&w.entry, points);
    multiply_entry(&w, table, &d, &base);
    get_lanes(x, &w.x);
    get_lanes(z, &w.z);
    for (size_t i = 0; i < num; i++) {
        if (lc_384_is_zero(z[i])) {
            lc_p384_check_portable(&checks[i], 1);
            continue;
        }
        lc_mod_mul(z[i], z[i], z[i], &lc_p384_p);
        checks[i].right = lc_p384_has_x(x[i], z[i], checks[i].r);
    }
}

_Static_assert((int)LC_EC_CHUNK == (int)LC_P384_LANES, "a chunk is a vector");
_Static_assert(LC_P384_ENTRIES == 1 << (LC_P384_BITS - 1), "tables have the odd multiples");
_Static_assert(LC_P384_BASE_WINDOWS *LC_P384_BASE_BITS == 384 && LC_P384_WINDOWS * LC_P384_BITS == 384, "all bits");
_Static_assert(LC_P384_BASE_TABLES == (LC_P384_BASE_WINDOWS + LC_P384_BASE_PASSES - 1) / LC_P384_BASE_PASSES, "all windows");
_Static_assert(sizeof(struct lc_p384_fe) == 512, "FE");
_Static_assert(offsetof(struct lc_p384_lanes, x) == 0 && offsetof(struct lc_p384_lanes, y) == 512, "PX, PY");
_Static_assert(offsetof(struct lc_p384_lanes, z) == 1024 && offsetof(struct lc_p384_lanes, entry) == 1536, "PZ, EX");
_Static_assert(offsetof(struct lc_p384_entry, y) == 512 && sizeof(struct lc_p384_entry) == 1024, "EY, tables");
_Static_assert(offsetof(struct lc_p384_lanes, negative) == 2560 && offsetof(struct lc_p384_lanes, index) == 2624,
               "NEGATIVE, INDEX");
_Static_assert(offsetof(struct lc_p384_lanes, t) == 2688, "T0");
