/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * P-256 in the lanes of vectors: eight points at once.  The calculations with points are x86/p256.S's; here is what is done with
 * them.
 *
 * -- Digits ---------------------------------------------------------------------------------------------------------------------
 *
 * A multiplier k is made odd: it is k or n - k, and in the second case all is negated.  An odd number has digits that are odd, too,
 * and so never 0: with windows of w bits
 *
 *      k = d_0 + d_1 2^w + d_2 2^2w + ..,      d_i = (k / 2^(w i) mod 2^(w+1) | 1) - 2^w
 *
 * since k - d_0 is 2^w times an odd number, k / 2^w | 1 rounded down, which goes on in the same way.  The last digit is what is
 * left, which is positive.  So every window adds a point, and tables have 2^(w-1) entries, 1 P, 3 P, 5 P, ..
 *
 * -- Multiples of the generator -------------------------------------------------------------------------------------------------
 *
 * Windows of 7 bits, and a table of 64 multiples for each of the 37 (185 KB): 37 entries to add, nothing to double.
 *
 * Exceptions: after i windows the sum is S G with |S| < 2^(7i), and S is odd.  The next entry is d 2^(7i) G with odd d, so
 * |d 2^(7i)| > |S|, and they aren't equal or opposite as numbers; modulo n neither, as sum and difference are below n but in the
 * last window.  There S + d 2^252 is k, which isn't 0; but S - d 2^252 = k - d 2^253 may be -n, k = d 2^253 - n.  That takes
 * 8 <= d <= 15, and the last digit of this k is d for d = 15 only.  So there are two multipliers, that one and n less it, for which
 * the entry is equal to the sum: Z is 0 (see lc_p256_add), and the call is computed again one by one.  k = 0 ends in
 * infinity (k = n - 0 is odd), which verifying may bring.
 *
 * A pool of operations (32 or more) adds the 37 entries of each in affine form, as a tree, in six rounds: 18 additions, 9, 5, 2, ..
 * An affine addition takes six multiplications instead of eleven, but needs an inverse, which all additions of a round share, in
 * all vectors: three of the six.  If the lowest windows of two sums are different, so are the sums, as numbers: these have other
 * powers of 2, 2^(7 i) for the window i.  Modulo n again, sum or difference of two may be n, for a few multipliers, as all digits
 * are below 2^256.  Then a difference of x is 0, and so is the lane's product of all differences.  That doesn't reach other lanes,
 * and the whole pool is computed again as above.
 *
 * -- Multiples of other points --------------------------------------------------------------------------------------------------
 *
 * Windows of 4 bits, from the highest, with 4 doublings between them; the table of P, 3 P, .. 15 P is made in affine form, for
 * which all lanes and entries share one inversion.  Windows of 5 bits have 12 additions less, and 8 entries more to be made
 * affine and to be read each time: no faster.
 *
 * D = 2 P = (X : Y : Z) is added to P seven times.  That takes it as an affine point, (X, Y), on the curve on which all points
 * (x, y) are (x Z^2, y Z^3): addition doesn't use the curve's coefficients.  Back from there a point's Z is multiplied by that of
 * D.
 *
 * Exceptions can only be in the last window: before it the sum is S P with 2^4 S < n.  There 16 S + d = k, and 16 S = d (mod n)
 * is possible: for k = 2d - n or the like, a few k of all.  Then Z is 0 (see lc_p256_add), and the call is computed again one by
 * one. That is a branch on a secret, taken by one in 2^250, and by who knows the secret.
 *
 * -- Checks ---------------------------------------------------------------------------------------------------------------------
 *
 * u2 Q as above, and the 37 multiples of G are added to it.  There may be exceptions anywhere, but all of it is public.
 *
 * A key that is prepared has tables like the generator's, so that there is nothing to double.  But an entry is a line of the cache,
 * not a limb of all next to each other: as nothing is secret, each lane loads what it needs, from its own key's table.  That takes
 * 50 cycles instead of 95, and two lanes under one key are nothing else than two under different ones.
 * Making it takes 252 doublings, of one lane; then each lane has a window.  There are no exceptions: all are odd multiples of
 * 2^(7i) Q, up to 127.
 */
#include "p256.h"

/* ---- Numbers in lanes ---- */

#define LANES(x) { x, x, x, x, x, x, x, x }

static const struct lc_p256_fe one = {
    { LANES(UINT64_C(0x0000000000010)), LANES(UINT64_C(0xf000000000000)), LANES(UINT64_C(0xfffffffffffff)),
      LANES(UINT64_C(0xffeffffffffff)), LANES(UINT64_C(0x00000000fffff)) }
}; /* 2^260 mod p */
static const struct lc_p256_fe to_256 = {
    { LANES(UINT64_C(0x0000000000001)), LANES(UINT64_C(0xff00000000000)), LANES(UINT64_C(0xfffffffffffff)),
      LANES(UINT64_C(0xfffefffffffff)), LANES(UINT64_C(0x000000000ffff)) }
}; /* 2^256 mod p */

#define MASK52 ((UINT64_C(1) << 52) - 1)

static void multiply(struct lc_p256_fe *r, const struct lc_p256_fe *a, const struct lc_p256_fe *b)
{
    lc_p256_mul_avx512ifma_512(r, a, b);
}

/* From Montgomery's form with R = 2^256, as all that comes from outside has, to that with 2^260: x 2^256 * 2^4.  Below 16 p. */
static void put_lane(struct lc_p256_fe *r, size_t lane, const uint64_t x[4])
{
    r->limb[0][lane] = x[0] << 4 & MASK52;
    r->limb[1][lane] = (x[0] >> 48 | x[1] << 16) & MASK52;
    r->limb[2][lane] = (x[1] >> 36 | x[2] << 28) & MASK52;
    r->limb[3][lane] = (x[2] >> 24 | x[3] << 40) & MASK52;
    r->limb[4][lane] = x[3] >> 12;
}

/* Four words, below p, of a number that is below 2p: the same form.  (The other way is to multiply by 2^256 before.) */
static void get_lane(uint64_t x[4], const struct lc_p256_fe *r, size_t lane)
{
    const uint64_t l[5] = { r->limb[0][lane], r->limb[1][lane], r->limb[2][lane], r->limb[3][lane], r->limb[4][lane] };
    const uint64_t words[4] = { l[0] | l[1] << 52, l[1] >> 12 | l[2] << 40, l[2] >> 24 | l[3] << 28, l[3] >> 36 | l[4] << 16 };

    lc_mod_reduce_once(x, words, l[4] >> 48, &lc_p256_p);
}

/* All lanes, of a number that is below 4p */
static void get_lanes(uint64_t x[LC_P256_LANES][4], const struct lc_p256_fe *a)
{
    struct lc_p256_fe t;

    multiply(&t, a, &to_256);
    for (size_t lane = 0; lane < LC_P256_LANES; lane++)
        get_lane(x[lane], &t, lane);
    lc_wipe(&t, sizeof(t));
}

/* The same lanes in another order: lane i gets lane i ^ distance. */
static void exchange(struct lc_p256_fe *r, const struct lc_p256_fe *a, size_t distance)
{
    for (int i = 0; i < 5; i++)
        for (size_t lane = 0; lane < LC_P256_LANES; lane++)
            r->limb[i][lane] = a->limb[i][lane ^ distance];
}

/*
 * 1 / a, and 0 for 0, of a below 4p.  zero: -1 where a is 0, else 0.
 *
 * All lanes share one inversion: products of two lanes, of four and of eight are made in all lanes, and what was multiplied by on
 * the way are the others' factors that the inverse of the last product has too many.
 */
static void invert(struct lc_p256_fe *r, const struct lc_p256_fe *a, uint64_t zero[LC_P256_LANES])
{
    static const uint64_t p[5] = { MASK52, MASK52 >> 8, 0, UINT64_C(1) << 36, (UINT64_C(1) << 48) - (1 << 16) };
    struct {
        struct lc_p256_fe product, others[3];
        uint64_t inverse[4];
    } w;

    multiply(&w.product, a, &one); /* the same, below 1.25p: 0 is 0 or p */
    for (size_t lane = 0; lane < LC_P256_LANES; lane++) {
        uint64_t bits = 0, difference = 0;

        for (int i = 0; i < 5; i++) {
            bits |= w.product.limb[i][lane];
            difference |= w.product.limb[i][lane] ^ p[i];
        }
        zero[lane] = lc_mask_if_zero(bits) | lc_mask_if_zero(difference);
        for (int i = 0; i < 5; i++)
            w.product.limb[i][lane] ^= (w.product.limb[i][lane] ^ one.limb[i][lane]) & zero[lane];
    }
    for (int i = 0; i < 3; i++) {
        exchange(&w.others[i], &w.product, (size_t)1 << i);
        multiply(&w.product, &w.product, &w.others[i]);
    }
    multiply(&w.product, &w.product, &to_256);
    get_lane(w.inverse, &w.product, 0);
    lc_mod_inverse(w.inverse, w.inverse, &lc_p256_p);
    for (size_t lane = 0; lane < LC_P256_LANES; lane++)
        put_lane(r, lane, w.inverse);
    multiply(r, r, &one);
    for (int i = 0; i < 3; i++)
        multiply(r, r, &w.others[i]);
    for (int i = 0; i < 5; i++)
        for (size_t lane = 0; lane < LC_P256_LANES; lane++)
            r->limb[i][lane] &= ~zero[lane];
    lc_wipe(&w, sizeof(w));
}

/* ---- Digits ---- */

struct digits {
    uint64_t k[LC_P256_LANES][4]; /* odd */
    uint64_t negated[LC_P256_LANES];
};

static void make_odd(struct digits *d, size_t lane, const uint64_t k[4])
{
    uint64_t other[4], borrow = 0, even = lc_opaque((k[0] & 1) - 1);

    for (int i = 0; i < 4; i++)
        other[i] = lc_sub_borrow(lc_p256_n.m[i], k[i], &borrow);
    memcpy(d->k[lane], k, sizeof(other));
    lc_256_move_if(d->k[lane], other, even);
    d->negated[lane] = even;
    lc_wipe(other, sizeof(other));
}

/* The index and the sign of digit i of num, each of `bits` bits */
static void set_digit(struct lc_p256_lanes *w, const struct digits *d, unsigned i, unsigned num, unsigned bits)
{
    const unsigned at = i * bits + 1, shift = at % 64;
    const uint64_t sign_bit = UINT64_C(1) << (bits - 1);

    for (size_t lane = 0; lane < LC_P256_LANES; lane++) {
        const uint64_t *k = d->k[lane];
        uint64_t digit = k[at / 64] >> shift, negative;

        if (shift + bits > 64 && at / 64 < 3)
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

/* The sum is the entry. */
static void begin(struct lc_p256_lanes *w)
{
    w->x = w->entry.x;
    w->y = w->entry.y;
    w->z = one;
    w->zz = one;
}

/* Sum += k G, for the digits of k; or sum = k G, if it is the first */
static void add_base(struct lc_p256_lanes *w, const struct digits *d, int first)
{
    for (unsigned i = 0; i < LC_P256_BASE_WINDOWS; i++) {
        set_digit(w, d, i, LC_P256_BASE_WINDOWS, LC_P256_BASE_BITS);
        lc_p256_select_base_avx512ifma_512(w, lc_p256_base_table[i]);
        if (first && i == 0)
            begin(w);
        else
            lc_p256_add_avx512ifma_512(w);
    }
}

/* The sum is the point P that is the entry, and the entry is D = 2 P, on D's curve; z of D, which leads back from there. */
static void begin_multiples(struct lc_p256_lanes *w, struct lc_p256_fe *z)
{
    const struct lc_p256_entry p = w->entry;
    struct lc_p256_fe t;

    begin(w);
    lc_p256_double_avx512ifma_512(w, 1);
    *z = w->z;
    w->entry.x = w->x;
    w->entry.y = w->y;
    multiply(&t, z, z);
    multiply(&w->x, &p.x, &t);
    multiply(&t, &t, z);
    multiply(&w->y, &p.y, &t);
    w->z = one;
    w->zz = one;
}

/* The next of P, 3 P, 5 P, .. in affine form, 1 to LC_P256_ENTRIES - 1 of them */
static void next_multiples(struct lc_p256_entry *table, int num, struct lc_p256_lanes *w, const struct lc_p256_fe *z)
{
    struct {
        struct lc_p256_fe z[LC_P256_ENTRIES - 1], products[LC_P256_ENTRIES - 1], z2, inverse, t;
        uint64_t zero[LC_P256_LANES]; /* never: they are odd multiples of a point, below n */
    } v;
    int i = 0;

    do {
        lc_p256_add_avx512ifma_512(w);
        table[i].x = w->x;
        table[i].y = w->y;
        multiply(&v.z[i], &w->z, z);
        if (i == 0)
            v.products[i] = v.z[i];
        else
            multiply(&v.products[i], &v.products[i - 1], &v.z[i]);
    } while (++i < num);
    invert(&v.inverse, &v.products[num - 1], v.zero);
    while (i-- > 0) {
        if (i > 0) {
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

/* P, 3 P, .. 15 P of the point that is the entry, both of its coordinates below 2p */
static void make_table(struct lc_p256_entry table[LC_P256_ENTRIES], struct lc_p256_lanes *w)
{
    struct lc_p256_fe z;

    table[0] = w->entry;
    begin_multiples(w, &z);
    next_multiples(table + 1, LC_P256_ENTRIES - 1, w, &z);
    lc_wipe(&z, sizeof(z));
}

/* Sum = k P of the point that is the entry */
static void multiply_entry(struct lc_p256_lanes *w, struct lc_p256_entry table[LC_P256_ENTRIES], const struct digits *d)
{
    make_table(table, w);
    for (unsigned i = LC_P256_WINDOWS; i-- > 0;) {
        set_digit(w, d, i, LC_P256_WINDOWS, LC_P256_BITS);
        if (i < LC_P256_WINDOWS - 1)
            lc_p256_double_avx512ifma_512(w, LC_P256_BITS);
        lc_p256_select_avx512ifma_512(w, table);
        if (i < LC_P256_WINDOWS - 1)
            lc_p256_add_avx512ifma_512(w);
        else
            begin(w);
    }
}

/* Results of lanes, affine, of coordinates below 4p */
static void put_results(struct lc_p256_product *products, size_t num, const struct lc_p256_fe *x, const struct lc_p256_fe *y)
{
    uint64_t words[LC_P256_LANES][4];

    get_lanes(words, x);
    for (size_t i = 0; i < num; i++)
        memcpy(products[i].result.x, words[i], sizeof(words[i]));
    get_lanes(words, y);
    for (size_t i = 0; i < num; i++)
        memcpy(products[i].result.y, words[i], sizeof(words[i]));
    lc_wipe(words, sizeof(words));
}

/* The sum's affine coordinates; where Z was 0, zero is -1, and they are of no use. */
static void get_results(struct lc_p256_product *products, size_t num, struct lc_p256_lanes *w, uint64_t zero[LC_P256_LANES])
{
    invert(&w->z, &w->z, zero);
    multiply(&w->t[0], &w->z, &w->z);
    multiply(&w->t[1], &w->t[0], &w->z);
    multiply(&w->x, &w->x, &w->t[0]);
    multiply(&w->y, &w->y, &w->t[1]);
    put_results(products, num, &w->x, &w->y);
}

/* The lane's item; lanes without one do the first one's work again. */
static size_t item_of(size_t lane, size_t num)
{
    return lane < num ? lane : 0;
}

static void put_points(struct lc_p256_entry *entry, const struct lc_p256_point *const points[LC_P256_LANES])
{
    for (size_t lane = 0; lane < LC_P256_LANES; lane++) {
        put_lane(&entry->x, lane, points[lane]->x);
        put_lane(&entry->y, lane, points[lane]->y);
    }
    multiply(&entry->x, &entry->x, &one);
    multiply(&entry->y, &entry->y, &one);
}

/* ---- Public keys with a table of their own: nothing of this is secret ---- */

/* (2e + 1) 2^(7i) Q in window i, entry e: x and y in four words each, below p, in Montgomery's form with 2^260 */
typedef uint64_t key_table[LC_P256_KEY_WINDOWS][LC_P256_KEY_ENTRIES][8];

enum { LINE = 64, KEY_VECTORS = (LC_P256_KEY_WINDOWS + LC_P256_LANES - 1) / LC_P256_LANES };

/* Where the table is in the caller's memory: at lines of the cache, one for an entry */
static void *align(const void *table)
{
    return (void *)(((uintptr_t)table + LINE - 1) & -(uintptr_t)LINE);
}

/* The lanes' entry e, each in the window that is in the lane */
static void put_entry(key_table *table, size_t first_window, size_t e, const struct lc_p256_entry *entry)
{
    for (size_t lane = 0; lane < LC_P256_LANES && first_window + lane < LC_P256_KEY_WINDOWS; lane++) {
        uint64_t *words = (*table)[first_window + lane][e];

        get_lane(words, &entry->x, lane);
        get_lane(words + 4, &entry->y, lane);
    }
}

static void move_lane(struct lc_p256_fe *r, size_t lane, const struct lc_p256_fe *a)
{
    for (int i = 0; i < 5; i++)
        r->limb[i][lane] = a->limb[i][0];
}

/* The points 2^(7i) Q, affine, each in a lane of its own */
static void key_windows(struct lc_p256_entry entries[KEY_VECTORS], struct lc_p256_lanes *w)
{
    struct lc_p256_fe z[KEY_VECTORS], products[KEY_VECTORS], inverse, t;
    uint64_t zero[LC_P256_LANES];

    begin(w);
    for (size_t i = 0; i < (size_t)KEY_VECTORS * LC_P256_LANES; i++) {
        move_lane(&entries[i / LC_P256_LANES].x, i % LC_P256_LANES, &w->x);
        move_lane(&entries[i / LC_P256_LANES].y, i % LC_P256_LANES, &w->y);
        move_lane(&z[i / LC_P256_LANES], i % LC_P256_LANES, &w->z);
        if (i + 1 < LC_P256_KEY_WINDOWS) /* what is left of the last vector has the last one again */
            lc_p256_double_avx512ifma_512(w, LC_P256_KEY_BITS);
    }
    products[0] = z[0];
    for (size_t i = 1; i < KEY_VECTORS; i++)
        multiply(&products[i], &products[i - 1], &z[i]);
    invert(&inverse, &products[KEY_VECTORS - 1], zero);
    for (size_t i = KEY_VECTORS; i-- > 0;) {
        t = inverse;
        if (i > 0) {
            multiply(&t, &inverse, &products[i - 1]);
            multiply(&inverse, &inverse, &z[i]);
        }
        multiply(&z[i], &t, &t);
        multiply(&entries[i].x, &entries[i].x, &z[i]);
        multiply(&z[i], &z[i], &t);
        multiply(&entries[i].y, &entries[i].y, &z[i]);
    }
}

/* Sum = k Q for each lane's table of Q */
static void multiply_prepared(struct lc_p256_lanes *w, const key_table *const tables[LC_P256_LANES], const struct digits *d)
{
    const uint64_t(*points[LC_P256_LANES])[8];

    for (unsigned i = 0; i < LC_P256_KEY_WINDOWS; i++) {
        set_digit(w, d, i, LC_P256_KEY_WINDOWS, LC_P256_KEY_BITS);
        for (size_t lane = 0; lane < LC_P256_LANES; lane++)
            points[lane] = &(*tables[lane])[i][w->index[lane]];
        lc_p256_load_avx512ifma_512(w, points);
        if (i == 0)
            begin(w);
        else
            lc_p256_add_avx512ifma_512(w);
    }
}

/* ---- The row ---- */

/* Up to so many in a call are computed one by one, which is faster (docs/publickey.md has the figures). */
enum { FEW_BASE = 1, FEW_MULTIPLY = 2, FEW_CHECK = 2 };

void lc_p256_base_avx512ifma_512(struct lc_p256_product *products, size_t num)
{
    struct {
        struct lc_p256_lanes w;
        struct digits d;
        uint64_t zero[LC_P256_LANES];
    } v;

    if (num <= FEW_BASE) {
        lc_p256_base_bmi2_avx2(products, num);
        return;
    }
    for (size_t lane = 0; lane < LC_P256_LANES; lane++)
        make_odd(&v.d, lane, products[item_of(lane, num)].k);
    add_base(&v.w, &v.d, 1);
    get_results(products, num, &v.w, v.zero);
    for (size_t i = 1; i < num; i++)
        v.zero[0] |= v.zero[i];
    if (v.zero[0]) /* two multipliers of all: see above */
        lc_p256_base_bmi2_avx2(products, num);
    lc_wipe(&v, sizeof(v));
    lc_wipe_frame();
    lc_p256_clear_avx512ifma_512();
}

/*
 * What a pool of operations has in its memory: the points of all vectors, window by window; the products for their differences;
 * digits.  In that order, for the number of vectors that there are.
 */
struct pool {
    struct lc_p256_lanes w;
    struct lc_p256_fe inverse;
    uint64_t zero[LC_P256_LANES], bad[LC_P256_LANES];
    struct lc_p256_entry points[];
};
enum { FIRST_PAIRS = LC_P256_BASE_WINDOWS / 2 };

static size_t pool_len(size_t num_vectors)
{
    return LINE - 1 + sizeof(struct pool) + num_vectors * LC_P256_BASE_WINDOWS * sizeof(struct lc_p256_entry) +
           (num_vectors * FIRST_PAIRS + 2) * sizeof(struct lc_p256_fe) + num_vectors * sizeof(struct digits);
}

size_t lc_p256_base_pool_avx512ifma_512(struct lc_p256_product *products, size_t num, void *memory)
{
    const size_t num_vectors = num / LC_P256_LANES;
    struct lc_p256_fe *differences;
    struct pool *v;
    struct digits *d;
    uint64_t any = 0;

    if (!memory)
        return pool_len(num_vectors);
    v = align(memory);
    differences = (struct lc_p256_fe *)(v->points + num_vectors * LC_P256_BASE_WINDOWS);
    d = (struct digits *)(differences + num_vectors * FIRST_PAIRS + 2);
    memset(v->bad, 0, sizeof(v->bad));
    for (size_t i = 0; i < num; i++)
        make_odd(&d[i / LC_P256_LANES], i % LC_P256_LANES, products[i].k);
    for (unsigned i = 0; i < LC_P256_BASE_WINDOWS; i++)
        for (size_t k = 0; k < num_vectors; k++) { /* all vectors of a window, as its part of the table is near then */
            set_digit(&v->w, &d[k], i, LC_P256_BASE_WINDOWS, LC_P256_BASE_BITS);
            lc_p256_select_base_avx512ifma_512(&v->w, lc_p256_base_table[i]);
            v->points[i * num_vectors + k] = v->w.entry;
        }
    for (size_t left = LC_P256_BASE_WINDOWS; left > 1; left -= left / 2) {
        const size_t half = left / 2 * num_vectors / 2;
        struct lc_p256_entry *others = v->points + (left - left / 2) * num_vectors;
        struct lc_p256_fe *last = &differences[half], *last2 = &differences[2 * half + 1];

        differences[0] = differences[half + 1] = one;
        lc_p256_tree_products_avx512ifma_512(differences, v->points, others, half);
        multiply(&v->inverse, last, last2);
        invert(&v->inverse, &v->inverse, v->zero);
        for (size_t lane = 0; lane < LC_P256_LANES; lane++)
            v->bad[lane] |= v->zero[lane];
        multiply(&v->w.x, &v->inverse, last2);
        multiply(&v->w.y, &v->inverse, last);
        lc_p256_tree_sums_avx512ifma_512(&v->w, v->points, others, differences, half);
    }
    for (size_t lane = 0; lane < LC_P256_LANES; lane++)
        any |= v->bad[lane];
    for (size_t k = 0; k < num_vectors; k++) {
        struct lc_p256_product *results = products + k * LC_P256_LANES;

        if (any) /* a few multipliers of all: see above */
            lc_p256_base_avx512ifma_512(results, LC_P256_LANES);
        else
            put_results(results, LC_P256_LANES, &v->points[k].x, &v->points[k].y);
    }
    lc_wipe_frame();
    lc_p256_clear_avx512ifma_512();
    return 0;
}

void lc_p256_multiply_avx512ifma_512(struct lc_p256_product *products, size_t num)
{
    struct {
        struct lc_p256_lanes w;
        struct lc_p256_entry table[LC_P256_ENTRIES];
        struct digits d;
        uint64_t zero[LC_P256_LANES];
    } v;
    const struct lc_p256_point *points[LC_P256_LANES];

    if (num <= FEW_MULTIPLY) {
        lc_p256_multiply_bmi2_avx2(products, num);
        return;
    }
    for (size_t lane = 0; lane < LC_P256_LANES; lane++) {
        make_odd(&v.d, lane, products[item_of(lane, num)].k);
        points[lane] = products[item_of(lane, num)].p;
    }
    put_points(&v.w.entry, points);
    multiply_entry(&v.w, v.table, &v.d);
    get_results(products, num, &v.w, v.zero);
    for (size_t i = 1; i < num; i++)
        v.zero[0] |= v.zero[i];
    if (v.zero[0]) /* so rare that all are computed again */
        lc_p256_multiply_bmi2_avx2(products, num);
    lc_wipe(&v, sizeof(v));
    lc_wipe_frame();
    lc_p256_clear_avx512ifma_512();
}

void lc_p256_check_avx512ifma_512(struct lc_p256_check *checks, size_t num)
{
    struct lc_p256_lanes w;
    struct lc_p256_entry table[LC_P256_ENTRIES];
    struct digits d;
    const struct lc_p256_point *points[LC_P256_LANES];
    const key_table *tables[LC_P256_LANES];
    uint64_t x[LC_P256_LANES][4], z[LC_P256_LANES][4];

    if (num <= FEW_CHECK && !checks[0].table) {
        lc_p256_check_bmi2_avx2(checks, num);
        return;
    }
    for (size_t lane = 0; lane < LC_P256_LANES; lane++) {
        make_odd(&d, lane, checks[item_of(lane, num)].u2);
        points[lane] = checks[item_of(lane, num)].q;
        tables[lane] = align(checks[item_of(lane, num)].table);
    }
    if (checks[0].table) {
        multiply_prepared(&w, tables, &d);
    } else {
        put_points(&w.entry, points);
        multiply_entry(&w, table, &d);
    }
    for (size_t lane = 0; lane < LC_P256_LANES; lane++)
        make_odd(&d, lane, checks[item_of(lane, num)].u1);
    add_base(&w, &d, 0);
    get_lanes(x, &w.x);
    get_lanes(z, &w.z);
    for (size_t i = 0; i < num; i++) {
        if (lc_256_is_zero(z[i])) {
            lc_p256_check_bmi2_avx2(&checks[i], 1);
            continue;
        }
        lc_mod_mul(z[i], z[i], z[i], &lc_p256_p);
        checks[i].right = lc_p256_has_x(x[i], z[i], checks[i].r);
    }
}

size_t lc_p256_prepare_avx512ifma_512(void *table, const struct lc_p256_point *q)
{
    struct lc_p256_entry windows[KEY_VECTORS], multiples[LC_P256_ENTRIES - 1];
    const struct lc_p256_point *points[LC_P256_LANES];
    struct lc_p256_lanes w;
    struct lc_p256_fe z;

    if (!table)
        return sizeof(key_table) + LINE - 1;
    for (size_t lane = 0; lane < LC_P256_LANES; lane++)
        points[lane] = q;
    put_points(&w.entry, points);
    key_windows(windows, &w);
    for (size_t i = 0; i < KEY_VECTORS; i++) {
        put_entry(align(table), i * LC_P256_LANES, 0, &windows[i]);
        w.entry = windows[i];
        begin_multiples(&w, &z);
        for (size_t e = 1; e < LC_P256_KEY_ENTRIES; e += LC_P256_ENTRIES - 1) {
            next_multiples(multiples, LC_P256_ENTRIES - 1, &w, &z);
            for (size_t k = 0; k < LC_P256_ENTRIES - 1; k++)
                put_entry(align(table), i * LC_P256_LANES, e + k, &multiples[k]);
        }
    }
    return sizeof(key_table) + LINE - 1;
}

_Static_assert((LC_P256_KEY_ENTRIES - 1) % (LC_P256_ENTRIES - 1) == 0, "a key's multiples are made in equal parts");
_Static_assert(LC_P256_KEY_ENTRIES == 1 << (LC_P256_KEY_BITS - 1), "tables have the odd multiples");
_Static_assert((int)LC_EC_CHUNK == (int)LC_P256_LANES, "a chunk is a vector");
_Static_assert(LC_P256_ENTRIES == 1 << (LC_P256_BITS - 1), "tables have the odd multiples");
_Static_assert(sizeof(struct lc_p256_fe) == 320, "FE");
_Static_assert(offsetof(struct lc_p256_lanes, x) == 0 && offsetof(struct lc_p256_lanes, y) == 320, "PX, PY");
_Static_assert(offsetof(struct lc_p256_lanes, z) == 640 && offsetof(struct lc_p256_lanes, zz) == 960, "PZ, PZZ");
_Static_assert(offsetof(struct lc_p256_lanes, entry) == 1280, "EX");
_Static_assert(offsetof(struct lc_p256_entry, y) == 320 && sizeof(struct lc_p256_entry) == 640, "EY, tables");
_Static_assert(offsetof(struct lc_p256_lanes, negative) == 1920 && offsetof(struct lc_p256_lanes, index) == 1984,
               "NEGATIVE, INDEX");
_Static_assert(offsetof(struct lc_p256_lanes, t) == 2048, "T0");
