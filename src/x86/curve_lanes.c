/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Curves in the lanes of vectors: as many points at once as there are lanes.  The calculations with points are the assembly's, of
 * x86/curve256.S and p384.S; here is what is done with them, for all curves and all numbers of lanes (x86/curve_lanes.h).
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
 * -- Multiples of points --------------------------------------------------------------------------------------------------------
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
 * is possible: for k = n + 2d, if that has d as its last digit, d = -(n - 16 mod 32).  So it's k = n - 2 for P-256, n - 6 for
 * P-384, and with these 2 and 6, which become them, and none for SM2's curve.  Then Z is 0 (see the function that adds), and the
 * call is computed again one by one.  That is a branch on a secret, taken by one in 2^250, and by who knows the secret.
 *
 * -- Multiples of the generator -------------------------------------------------------------------------------------------------
 *
 * Windows of w = BASE_BITS bits, of which only every BASE_PASSES-th has a table, 2^(w-1) odd multiples of 2^(w PASSES j) G.  So the
 * sum is made in as many passes, with w doublings between them.  With three, for instance,
 *
 *      k  =  sum d_3j 2^(3w j)  +  2^w (sum d_(3j+1) 2^(3w j)  +  2^w sum d_(3j+2) 2^(3w j))
 *
 * Tables have words of 64 bits, not limbs.  docs/publickey.md says what they take.
 *
 * Exceptions: as numbers, the sum S and the next entry d 2^(w PASSES j) are never equal or opposite.  In the first pass |S| is less
 * than 2^(w PASSES j).  In the others S is 2^w times what there was, and what this pass has added.  With the last j that there was,
 * the digits of the passes before make an odd number times 2^w 2^(w PASSES j), and all below them, digits of windows of their own,
 * less than 2^(w PASSES j).  So |S| > (2^w - 1) 2^(w PASSES j), and an entry is that at most.  The last pass has one digit more, of
 * 2^252, or 2^378 for P-384; for that |S| is less again.  Modulo n sum and difference are below n but for this last digit.  There
 * S + d 2^252 is k, which isn't 0; but S - d 2^252 = k - d 2^253 may be -n, k = d 2^253 - n.  That takes 8 <= d <= 15, and the last
 * digit of this k is d for d = 15 only.  (P-384: k = d 2^379 - n, d = 63.)  So there are two multipliers, that one and n less it,
 * for which the entry is equal to the sum: Z is 0 (see the function that adds), and the call is computed again one by one.  k = 0
 * ends in infinity (k = n - 0 is odd), which verifying may bring.
 *
 * -- Checks ---------------------------------------------------------------------------------------------------------------------
 *
 * u2 Q as above, and u1 G is added to it: its last pass at the end, the others between the doublings, where as many remain.  There
 * may be exceptions anywhere, but all of it is public.
 *
 * -- Prepared keys --------------------------------------------------------------------------------------------------------------
 *
 * A key that is prepared has tables like the generator's, so that there is nothing to double.  But an entry is a line of the cache,
 * not a limb of all next to each other: as nothing is secret, each lane loads what it needs, from its own key's table.  That takes
 * 50 cycles instead of 95, and two lanes under one key are nothing else than two under different ones.
 * Making it takes 252 doublings, of one lane; then each lane has a window.  There are no exceptions: all are odd multiples of
 * 2^(7i) Q, up to 127.
 *
 * -- Pools ----------------------------------------------------------------------------------------------------------------------
 *
 * A pool of operations (32 or more) adds the 43 entries of each in affine form, as a tree, in six rounds: 21 additions, 11, 5, 3,
 * .. An affine addition takes six multiplications instead of eleven, but needs an inverse, which all additions of a round share, in
 * all vectors: three of the six.  If the lowest windows of two sums are different, so are the sums, as numbers: these have other
 * powers of 2, 2^(6 i) for the window i.  Modulo n again, sum or difference of two may be n, for a few multipliers, as all digits
 * are below 2^256.  Then a difference of x is 0, and so is the lane's product of all differences.  That doesn't reach other lanes,
 * and the whole pool is computed again as above.
 *
 * P-384's passes are a tree each, in the same five rounds: 25 additions of 55 entries, 15, 6, 3 and 3.  Their sums S0, S1 and S2
 * become one in Jacobian coordinates, S0 + 2^7 (S1 + 2^7 S2), with an inverse of Z that all vectors share again.  In the trees
 * there are no exceptions: all sums are d + 2^21 m with a digit d, of 1 to 127 but for its sign, or 2^21 m; and n modulo 2^21 is
 * neither +- such a digit nor 0.  Nor are there in S1 + 2^7 S2, which is below n / 2^10.  In the last addition S0 and 2^7 (..) are
 * never equal or opposite as numbers, as one is odd, and their sum is k.  S0 is positive, as its last digit is.  So the difference
 * may be n, k = 2 S0 - n, for one k: n has but one expansion in such digits, and these have the other passes' negated.  For that
 * and for n less it Z is 0, and the pool is computed again, too.
 */
#include "curve_lanes.h"

#include "lanes.h"

#define MASK52 ((UINT64_C(1) << 52) - 1)

/* Words of two lanes, in vectors that any x86-64 has; and of four, in those that all rows here have */
typedef uint64_t pair __attribute__((vector_size(16), may_alias));
typedef uint64_t quad __attribute__((vector_size(32), may_alias));

enum {
    LANES = 8,                /* at most */
    DIGITS = LC_EC_WORDS + 2, /* words of a multiplier's digits, in each lane */
};

/* An operation: its row, and where things are in its memory */
struct work {
    const struct lc_lanes_row *row;
    const struct lc_lanes_curve *curve;
    size_t lanes, words, fe; /* fe: words of a number in all lanes */
    /* What the assembly works on; zz is NULL of 384 bits, sign of 256.  Between its calls t is for what functions have here. */
    uint64_t *x, *y, *z, *zz, *entry, *entry_y, *negative, *index, *t, *sign;
    /* The curve's constants in all lanes.  (Made long before they are loaded, as a vector would wait for its parts.) */
    uint64_t *one, *to_words, *of_inverse;
    uint64_t *inverse;
    uint64_t *digits, *base_digits;
    /* That was all that a multiple of the generator needs.  The others also have a table, and what is needed while it's made. */
    uint64_t *table, *multiples;
};

/* A number in all lanes.  (Not inline, as there are three for each operation.) */
static __attribute__((noinline)) void put_all(const struct lc_lanes_row *row, uint64_t *r, const uint64_t *limbs)
{
    for (size_t i = 0; i < row->curve->limbs; i++, r += row->lanes)
        for (size_t lane = 0; lane < row->lanes; lane += 2)
            *(pair *)&r[lane] = (pair){ limbs[i], limbs[i] };
}

static void set_work(struct work *w, const struct lc_lanes_row *row, uint64_t *memory)
{
    const int is_384 = row->curve->words == 6;
    const size_t lanes = row->lanes, fe = row->curve->limbs * lanes;

    *w = (struct work){ .row = row, .curve = row->curve, .lanes = lanes, .words = row->curve->words, .fe = fe };
    w->x = memory;
    w->y = w->x + fe;
    w->z = w->y + fe;
    w->zz = is_384 ? NULL : w->z + fe;
    w->entry = w->z + (is_384 ? 1 : 2) * fe;
    w->entry_y = w->entry + fe;
    w->negative = w->entry_y + fe;
    w->index = w->negative + lanes;
    w->t = w->index + lanes;
    w->sign = is_384 ? w->t + 6 * fe : NULL;
    w->one = memory + 11 * fe + 3 * lanes;
    w->to_words = w->one + fe;
    w->of_inverse = w->to_words + fe;
    w->inverse = w->of_inverse + fe;
    w->digits = w->inverse + fe;
    w->base_digits = w->digits + DIGITS * lanes;
    w->table = w->base_digits + DIGITS * lanes;
    w->multiples = w->table + LC_LANES_ENTRIES * 2 * fe;
    put_all(row, w->one, row->curve->one);
    put_all(row, w->to_words, row->curve->to_words);
    put_all(row, w->of_inverse, row->curve->of_inverse);
}

/* Words of memory, at lines of the cache, that all of that has with so many limbs and eight lanes, and without the table */
#define MEMORY(limbs) (LANES * (45 * (limbs) + 3 + 2 * DIGITS))
#define BASE_MEMORY(limbs) (LANES * (15 * (limbs) + 3 + 2 * DIGITS))

static size_t base_words(const struct lc_lanes_row *row)
{
    return row->lanes * BASE_MEMORY(row->curve->limbs) / LANES;
}

static size_t all_words(const struct lc_lanes_row *row)
{
    return row->lanes * MEMORY(row->curve->limbs) / LANES;
}

/* ---- Numbers in lanes ---- */

static void multiply(const struct work *w, uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    w->row->mul(r, a, b);
}

static void copy(const struct work *w, uint64_t *r, const uint64_t *a)
{
    memcpy(r, a, w->fe * sizeof(*a));
}

/* From Montgomery's form with R = 2^256 or 2^384, as all that comes from outside has, to that of lanes: x 2^4, or x 2^32 */
static void to_limbs(const struct work *w, uint64_t limbs[LC_LANES_LIMBS], const uint64_t *x)
{
    uint64_t shifted[LC_EC_WORDS + 1];

    if (w->words == 4) { /* below 16 p */
        limbs[0] = x[0] << 4 & MASK52;
        limbs[1] = (x[0] >> 48 | x[1] << 16) & MASK52;
        limbs[2] = (x[1] >> 36 | x[2] << 28) & MASK52;
        limbs[3] = (x[2] >> 24 | x[3] << 40) & MASK52;
        limbs[4] = x[3] >> 12;
        return;
    }
    shifted[0] = x[0] << 32; /* below 2^32 p */
    LC_UNROLL
    for (int i = 1; i < 6; i++)
        shifted[i] = x[i] << 32 | x[i - 1] >> 32;
    shifted[6] = x[5] >> 32;
    LC_UNROLL
    for (int i = 0; i < 8; i++) {
        const int bit = 52 * i, shift = bit % 64;

        limbs[i] = shifted[bit / 64] >> shift;
        if (shift > 12)
            limbs[i] |= shifted[bit / 64 + 1] << (64 - shift);
        limbs[i] &= MASK52;
    }
}

static void put_lane(const struct work *w, uint64_t *r, size_t lane, const uint64_t *x)
{
    uint64_t limbs[LC_LANES_LIMBS];

    to_limbs(w, limbs, x);
    for (size_t i = 0; i < w->curve->limbs; i++)
        r[i * w->lanes + lane] = limbs[i];
}

/* Words, below p, of a number that is below 2p: the same form.  (The other way is to multiply by to_words before.) */
static void get_lane(const struct work *w, uint64_t *x, const uint64_t *a, size_t lane)
{
    const size_t lanes = w->lanes;
    uint64_t words[LC_EC_WORDS + 1] = { 0 };

    a += lane;
    if (w->words == 4) {
        words[0] = a[0] | a[lanes] << 52;
        words[1] = a[lanes] >> 12 | a[2 * lanes] << 40;
        words[2] = a[2 * lanes] >> 24 | a[3 * lanes] << 28;
        words[3] = a[3 * lanes] >> 36 | a[4 * lanes] << 16;
        lc_mod_reduce_once(x, words, a[4 * lanes] >> 48, w->curve->p);
        return;
    }
    LC_UNROLL
    for (int i = 0; i < 8; i++) {
        const int bit = 52 * i, shift = bit % 64;
        const uint64_t limb = a[(size_t)i * lanes];

        words[bit / 64] |= limb << shift;
        if (shift > 12)
            words[bit / 64 + 1] |= limb >> (64 - shift);
    }
    lc_mod_reduce_once(x, words, words[6], w->curve->p);
}

/* The same lanes in another order: lane i gets lane i ^ distance. */
static void exchange(const struct work *w, uint64_t *r, const uint64_t *a, size_t distance)
{
    for (size_t i = 0; i < w->fe; i++)
        r[i] = a[i ^ distance];
}

/*
 * 1 / a, and 0 for 0, of a below 4p.  zero: -1 where a is 0, else 0.  other: see ec.h
 *
 * All lanes share one inversion: products of two lanes, of four, and of eight if there are so many, are made in all lanes, and what
 * was multiplied by on the way are the others' factors that the inverse of the last product has too many.
 */
static void invert(const struct work *w, uint64_t *r, const uint64_t *a, uint64_t zero[LANES], uint64_t *other)
{
    const struct lc_lanes_curve *curve = w->curve;
    uint64_t *const product = w->t, *others = product, limbs[LC_LANES_LIMBS], inverse[LC_EC_WORDS];

    multiply(w, product, a, w->one); /* the same, below 2p: 0 is 0 or p */
    for (size_t lane = 0; lane < w->lanes; lane++) {
        uint64_t bits = 0, difference = 0;

        for (size_t i = 0; i < curve->limbs; i++) {
            bits |= product[i * w->lanes + lane];
            difference |= product[i * w->lanes + lane] ^ curve->limbs_of_p[i];
        }
        zero[lane] = lc_mask_if_zero(bits) | lc_mask_if_zero(difference);
        for (size_t i = lane; i < w->fe; i += w->lanes)
            product[i] ^= (product[i] ^ w->one[i]) & zero[lane];
    }
    for (size_t distance = 1; distance < w->lanes; distance *= 2) {
        others += w->fe;
        exchange(w, others, product, distance);
        multiply(w, product, product, others);
    }
    get_lane(w, inverse, product, 0);
    lc_mod_plain_inverse(inverse, inverse, curve->p, other, curve->n);
    to_limbs(w, limbs, inverse);
    put_all(w->row, product, limbs);
    multiply(w, r, product, w->of_inverse);
    for (; others > product; others -= w->fe)
        multiply(w, r, r, others);
    for (size_t i = 0; i < w->fe; i += w->lanes)
        for (size_t lane = 0; lane < w->lanes; lane++)
            r[i + lane] &= ~zero[lane];
    lc_wipe(limbs, sizeof(limbs));
    lc_wipe(inverse, sizeof(inverse));
}

/* ---- Digits ---- */

/* Digits of a multiplier that is odd, each in all lanes: its words, and a 0; and -1 where all is negated, else 0 */
static void make_odd(const struct work *w, uint64_t *d, size_t lane, const uint64_t *k)
{
    uint64_t borrow = 0, even = lc_opaque((k[0] & 1) - 1);

    d += lane;
    for (size_t i = 0; i < w->words; i++, d += w->lanes) {
        const uint64_t other = lc_sub_borrow(w->curve->n->m[i], k[i], &borrow);

        *d = k[i] ^ ((k[i] ^ other) & even);
    }
    d[0] = 0;
    d[w->lanes] = even;
}

/* The index and the sign of digit i of num, each of `bits` bits.  (With SSE2 alone, twice the code, signing takes 1 % longer.) */
__attribute__((target("avx2"))) static void set_digit(const struct work *w, const uint64_t *d, unsigned i, unsigned num,
                                                      unsigned bits)
{
    const size_t quads = w->lanes / 4;
    const unsigned at = i * bits + 1, shift = at % 64;
    const uint64_t sign_bit = UINT64_C(1) << (bits - 1), last = i == num - 1 ? sign_bit : 0;
    const quad *low = (const quad *)d + at / 64 * quads, *high = low + quads, *negated = (const quad *)d + (w->words + 1) * quads;
    quad *const index = (quad *)w->index, *const negative = (quad *)w->negative;

    for (size_t n = 0; n < quads; n++) {
        quad digit = low[n] >> shift | high[n] << 1 << (63 - shift), sign;

        digit = (digit & (2 * sign_bit - 1)) | last; /* (d_i + 2^bits - 1) / 2 */
        sign = (digit >> (bits - 1)) - 1;
        index[n] = (digit ^ sign) & (sign_bit - 1);
        negative[n] = sign ^ negated[n];
    }
}

/* ---- Points ---- */

static void set_affine(const struct work *w)
{
    copy(w, w->z, w->one);
    if (w->zz)
        copy(w, w->zz, w->one);
}

/* The sum is the entry; of 384 bits with its sign, where y is below 2p. */
static void begin(const struct work *w)
{
    copy(w, w->x, w->entry);
    copy(w, w->y, w->entry_y);
    set_affine(w);
    for (size_t lane = 0; w->sign && lane < w->lanes; lane++) {
        const uint64_t negative = w->sign[lane];
        int64_t carry = 0;

        for (size_t i = lane; i < w->fe; i += w->lanes) {
            carry += (int64_t)((w->y[i] ^ negative) - negative + (2 * w->curve->limbs_of_p[i / w->lanes] & negative));
            w->y[i] = (uint64_t)carry & MASK52;
            carry >>= 52;
        }
    }
}

/* The sum is the point P that is the entry, and the entry is D = 2 P, on D's curve; its z, which leads back, is in w->multiples. */
static void begin_multiples(const struct work *w)
{
    uint64_t *const z = w->multiples;
    uint64_t *const x = z + w->fe, *const y = x + w->fe, *const t = w->t;

    if (w->sign)
        memset(w->sign, 0, w->lanes * sizeof(*w->sign));
    copy(w, x, w->entry);
    copy(w, y, w->entry_y);
    begin(w);
    w->row->twice(w->x, 1);
    copy(w, z, w->z);
    copy(w, w->entry, w->x);
    copy(w, w->entry_y, w->y);
    multiply(w, t, z, z);
    multiply(w, w->x, x, t);
    multiply(w, t, t, z);
    multiply(w, w->y, y, t);
    set_affine(w);
}

/* The next of P, 3 P, 5 P, .. in affine form, LC_LANES_ENTRIES - 1 of them */
static void next_multiples(uint64_t *table, const struct work *w)
{
    const size_t fe = w->fe;
    uint64_t *const z_of_d = w->multiples, *const t = w->t, *const t2 = t + fe, *const inverse = w->inverse;
    uint64_t *product = z_of_d + fe, *z = product + (LC_LANES_ENTRIES - 2) * fe; /* of all z so far; from the second on each */
    uint64_t zero[LANES]; /* never: they are odd multiples of a point, below n */

    for (int i = 1; i < LC_LANES_ENTRIES; i++, table += 2 * fe) {
        w->row->add(w->x);
        copy(w, table, w->x);
        copy(w, table + fe, w->y);
        if (i == 1) {
            multiply(w, product, w->z, z_of_d);
        } else {
            z += fe;
            multiply(w, z, w->z, z_of_d);
            multiply(w, product + fe, product, z);
            product += fe;
        }
    }
    invert(w, inverse, product, zero, NULL);
    for (int i = LC_LANES_ENTRIES; i-- > 1;) {
        table -= 2 * fe;
        if (i > 1) {
            product -= fe;
            multiply(w, t, inverse, product);
            multiply(w, inverse, inverse, z);
            z -= fe;
        } else {
            copy(w, t, inverse);
        }
        multiply(w, t2, t, t);
        multiply(w, table, table, t2);
        multiply(w, t2, t2, t);
        multiply(w, table + fe, table + fe, t2);
    }
}

/* P, 3 P, .. 15 P of the point that is the entry, both of its coordinates below 2p */
static void make_table(const struct work *w)
{
    copy(w, w->table, w->entry);
    copy(w, w->table + w->fe, w->entry_y);
    begin_multiples(w);
    next_multiples(w->table + 2 * w->fe, w);
}

/*
 * Sum += 2^(-w pass) times the digits of that pass, of the generator's multiples; or sum = that, if it is the first.
 */
static void add_base_pass(const struct work *w, const uint64_t *d, unsigned pass, int first)
{
    const struct lc_lanes_curve *curve = w->curve;
    const uint64_t *table = curve->base_table;

    set_digit(w, d, pass, curve->base_windows, curve->base_bits);
    for (unsigned i = pass; i < curve->base_windows; i += curve->base_passes) {
        w->row->select_base(w->x, table);
        table += curve->words << curve->base_bits; /* 2 words of 2^(bits - 1) entries */
        /* The next one already, as the selection would wait for eight words that are just being written. */
        if (i + curve->base_passes < curve->base_windows)
            set_digit(w, d, i + curve->base_passes, curve->base_windows, curve->base_bits);
        if (first && i == pass)
            begin(w);
        else
            w->row->add(w->x);
    }
}

/* Sum = k G, for the digits of k */
static void sum_base(const struct work *w)
{
    const uint64_t *d = w->base_digits;

    add_base_pass(w, d, w->curve->base_passes - 1, 1);
    for (unsigned pass = w->curve->base_passes - 1; pass-- > 0;) {
        w->row->twice(w->x, w->curve->base_bits);
        add_base_pass(w, d, pass, 0);
    }
}

/*
 * The doublings before window i of another point is added, whose digit is set already; with the generator's multiple also what
 * belongs there of that.
 */
static void go_down(const struct work *w, int with_base, unsigned i)
{
    const unsigned to = i * LC_LANES_BITS;
    unsigned from = to + LC_LANES_BITS;

    for (unsigned pass = w->curve->base_passes; with_base && pass-- > 1;) {
        const unsigned at = pass * w->curve->base_bits;
        uint64_t digit[2 * LANES]; /* both in one, as they are next to each other */

        if (at < to || at >= from)
            continue;
        w->row->twice(w->x, from - at);
        memcpy(digit, w->negative, 2 * w->lanes * sizeof(*digit));
        add_base_pass(w, w->base_digits, pass, 0);
        memcpy(w->negative, digit, 2 * w->lanes * sizeof(*digit));
        from = at;
    }
    if (from > to)
        w->row->twice(w->x, from - to);
}

/* Sum = k P of the point that is the entry; and maybe plus the generator's multiple */
static void multiply_entry(const struct work *w, int with_base)
{
    const unsigned num = 64 * w->curve->words / LC_LANES_BITS;

    make_table(w);
    for (unsigned i = num; i-- > 0;) {
        /* Before the doublings, as the selection would wait for eight words that are just being written. */
        set_digit(w, w->digits, i, num, LC_LANES_BITS);
        if (i < num - 1)
            go_down(w, with_base, i);
        w->row->select(w->x, w->table);
        if (i < num - 1)
            w->row->add(w->x);
        else
            begin(w);
    }
    if (with_base)
        add_base_pass(w, w->base_digits, 0, 0);
}

/* Results of lanes, affine, of coordinates below 4p */
static void put_results(const struct work *w, struct lc_ec_product *products, size_t num, const uint64_t *x, const uint64_t *y)
{
    uint64_t *const tx = w->t, *const ty = tx + w->fe;

    multiply(w, tx, x, w->to_words);
    multiply(w, ty, y, w->to_words);
    for (size_t i = 0; i < num; i++) {
        get_lane(w, products[i].result, tx, i);
        get_lane(w, products[i].result + w->words, ty, i);
    }
}

/* The sum's affine coordinates, by 1 / Z */
static void get_results(const struct work *w, struct lc_ec_product *products, size_t num, const uint64_t *inverse)
{
    uint64_t *const t = w->t, *const t2 = w->t + w->fe;

    multiply(w, t, inverse, inverse);
    multiply(w, t2, t, inverse);
    multiply(w, w->x, w->x, t);
    multiply(w, w->y, w->y, t2);
    put_results(w, products, num, w->x, w->y);
}

/* The lane's item; lanes without one do the first one's work again. */
static size_t item_of(size_t lane, size_t num)
{
    return lane < num ? lane : 0;
}

static void put_points(const struct work *w, const uint64_t *const points[LANES])
{
    for (size_t lane = 0; lane < w->lanes; lane++) {
        put_lane(w, w->entry, lane, points[lane]);
        put_lane(w, w->entry_y, lane, points[lane] + w->words);
    }
    multiply(w, w->entry, w->entry, w->one);
    multiply(w, w->entry_y, w->entry_y, w->one);
}

static void sum_two_multiples(const struct work *w, const struct lc_ec_check *checks, size_t num)
{
    const uint64_t *points[LANES];

    for (size_t lane = 0; lane < w->lanes; lane++) {
        make_odd(w, w->digits, lane, checks[item_of(lane, num)].u2);
        make_odd(w, w->base_digits, lane, checks[item_of(lane, num)].u1);
        points[lane] = checks[item_of(lane, num)].q;
    }
    put_points(w, points);
    multiply_entry(w, 1);
}

/* ---- Public keys with a table of their own, of P-256: nothing of this is secret ---- */

enum {
    LINE = 64,
    KEY_BITS = 7, /* of a window of the multiples that are made once for a public key */
    KEY_WINDOWS = 37,
    KEY_ENTRIES = 64,
    KEY_NUMBERS = (KEY_WINDOWS + LANES - 1) / LANES * LANES * 5, /* words of a number for each window: as many with four lanes */
};

/* (2e + 1) 2^(7i) Q in window i, entry e: x and y in four words each, below p, in Montgomery's form with 2^260 */
typedef uint64_t key_table[KEY_WINDOWS][KEY_ENTRIES][8];

/* Where the table is in the caller's memory: at lines of the cache, one for an entry */
static void *align(const void *table)
{
    return (void *)(((uintptr_t)table + LINE - 1) & -(uintptr_t)LINE);
}

/* The lanes' entry e, each in the window that is in the lane */
static void put_entry(const struct work *w, key_table *table, size_t first_window, size_t e, const uint64_t *entry)
{
    for (size_t lane = 0; lane < w->lanes && first_window + lane < KEY_WINDOWS; lane++) {
        uint64_t *words = (*table)[first_window + lane][e];

        get_lane(w, words, entry, lane);
        get_lane(w, words + 4, entry + w->fe, lane);
    }
}

/* r[lane], of as many vectors as it takes, is the first lane's. */
static void move_lane(const struct work *w, uint64_t *r, size_t lane, const uint64_t *a)
{
    for (size_t i = 0; i < w->fe; i += w->lanes)
        r[i + lane % w->lanes] = a[i];
}

/* The points 2^(7i) Q, affine, each in a lane of its own: x and y of each vector */
static void key_windows(const struct work *w, uint64_t *entries, size_t vectors)
{
    _Alignas(64) uint64_t zs[KEY_NUMBERS], products[KEY_NUMBERS];
    const size_t fe = w->fe;
    uint64_t *const t = w->t, *const inverse = w->inverse, zero[LANES];

    begin(w);
    for (size_t i = 0; i < vectors * w->lanes; i++) {
        const size_t n = i / w->lanes;

        move_lane(w, entries + 2 * n * fe, i, w->x);
        move_lane(w, entries + (2 * n + 1) * fe, i, w->y);
        move_lane(w, zs + n * fe, i, w->z);
        if (i + 1 < KEY_WINDOWS) /* what is left of the last vector has the last one again */
            w->row->twice(w->x, KEY_BITS);
    }
    copy(w, products, zs);
    for (size_t n = 1; n < vectors; n++)
        multiply(w, products + n * fe, products + (n - 1) * fe, zs + n * fe);
    invert(w, inverse, products + (vectors - 1) * fe, zero, NULL);
    for (size_t n = vectors; n-- > 0;) {
        uint64_t *const x = entries + 2 * n * fe, *const y = x + fe, *const z = zs + n * fe;

        copy(w, t, inverse);
        if (n > 0) {
            multiply(w, t, inverse, products + (n - 1) * fe);
            multiply(w, inverse, inverse, z);
        }
        multiply(w, z, t, t);
        multiply(w, x, x, z);
        multiply(w, z, z, t);
        multiply(w, y, y, z);
    }
}

/* Sum = u1 G + u2 Q by the tables of each lane's Q */
static void sum_prepared(const struct work *w, const struct lc_ec_check *checks, size_t num)
{
    const key_table *tables[LANES];

    for (size_t lane = 0; lane < w->lanes; lane++) {
        make_odd(w, w->digits, lane, checks[item_of(lane, num)].u2);
        make_odd(w, w->base_digits, lane, checks[item_of(lane, num)].u1);
        tables[lane] = align(checks[item_of(lane, num)].table);
    }
    for (unsigned i = 0; i < KEY_WINDOWS; i++) {
        const uint64_t *points[LANES];

        set_digit(w, w->digits, i, KEY_WINDOWS, KEY_BITS);
        for (size_t lane = 0; lane < w->lanes; lane++)
            points[lane] = (*tables[lane])[i][w->index[lane]];
        w->row->load(w->x, points);
        if (i == 0)
            begin(w);
        else
            w->row->add(w->x);
    }
    add_base_pass(w, w->base_digits, 0, 0);
}

/* (Once for a key: so it's compiled for size.) */
__attribute__((cold)) size_t lc_lanes_prepare(void *table, const uint64_t *q, const struct lc_lanes_row *row)
{
    _Alignas(64) uint64_t memory[MEMORY(5)], windows[2 * KEY_NUMBERS];
    const size_t vectors = (KEY_WINDOWS + row->lanes - 1) / row->lanes;
    const uint64_t *points[LANES] = { q, q, q, q, q, q, q, q };
    struct work w;

    if (!table)
        return sizeof(key_table) + LINE - 1;
    set_work(&w, row, memory);
    put_points(&w, points);
    key_windows(&w, windows, vectors);
    for (size_t n = 0; n < vectors; n++) {
        const uint64_t *const window = windows + 2 * n * w.fe;

        put_entry(&w, align(table), n * w.lanes, 0, window);
        copy(&w, w.entry, window);
        copy(&w, w.entry_y, window + w.fe);
        begin_multiples(&w);
        for (size_t e = 1; e < KEY_ENTRIES; e += LC_LANES_ENTRIES - 1) {
            next_multiples(w.table, &w);
            for (size_t i = 0; i < LC_LANES_ENTRIES - 1; i++)
                put_entry(&w, align(table), n * w.lanes, e + i, w.table + i * 2 * w.fe);
        }
    }
    return sizeof(key_table) + LINE - 1;
}

/* ---- Pools, of P-256 and P-384 ---- */

/* The entry at `at` in such a form as a pool adds it */
static void select_point(const struct work *w, uint64_t *at, const uint64_t *table)
{
    w->row->select_base(at, table);
    if (w->row->point)
        w->row->point(at);
}

/*
 * The entries of all windows, those of all vectors next to each other, as a window's part of the table is near then.  Each is
 * selected where it belongs; its digit is behind it, where the next one will be.  The next one's digit is set before, as the
 * selection would wait for eight words that are just being written.
 */
static void select_points(struct work *w, uint64_t *points, const uint64_t *digits, size_t vectors)
{
    const struct lc_lanes_curve *curve = w->curve;
    const size_t entry = 2 * w->fe;
    const uint64_t *table = NULL, *next_table = curve->base_table;
    uint64_t *from = points - (w->entry - w->x);

    w->index = points + w->lanes;
    w->negative = points;
    for (unsigned i = 0, pass = 0; i < curve->base_windows; i++) {
        for (size_t k = 0; k < vectors; k++, from += entry) {
            w->negative += entry;
            w->index += entry;
            set_digit(w, digits + k * DIGITS * w->lanes, i, curve->base_windows, curve->base_bits);
            if (table)
                select_point(w, from - entry, table);
            table = next_table;
        }
        if (++pass == curve->base_passes) {
            next_table += curve->words << curve->base_bits;
            pass = 0;
        }
    }
    select_point(w, from - entry, table);
}

/* Of so many windows those that are left when each of the others was added to one of the same pass */
static size_t rest_of(size_t windows, size_t passes)
{
    return (windows + 2 * passes - 1) / (2 * passes) * passes;
}

/*
 * All passes' sums, those of all vectors next to each other, become one, of which x is left.  zero: see invert(); -1 where two
 * points were equal.  (What takes time is the assembly: so it's compiled for size.)
 */
static __attribute__((cold)) void sum_passes(const struct work *w, uint64_t *points, size_t vectors, uint64_t zero[LANES])
{
    const size_t entry = 2 * w->fe, pass_len = vectors * entry;
    const unsigned last_pass = w->curve->base_passes - 1;
    uint64_t *point = points, *products = points + pass_len; /* of all Z so far, where the second pass has had an x */

    if (w->sign)
        memset(w->sign, 0, w->lanes * sizeof(*w->sign));
    for (size_t k = 0; k < vectors; k++, point += entry) {
        memcpy(w->x, point + last_pass * pass_len, entry * sizeof(*point));
        set_affine(w);
        for (unsigned pass = last_pass; pass-- > 0;) {
            w->row->twice(w->x, w->curve->base_bits);
            memcpy(w->entry, point + pass * pass_len, entry * sizeof(*point));
            w->row->add(w->x);
        }
        copy(w, point, w->x);
        copy(w, point + w->fe, w->z); /* in y's place */
        if (k == 0)
            copy(w, products, w->z);
        else
            multiply(w, products + k * entry, products + (k - 1) * entry, w->z);
    }
    invert(w, w->inverse, products + (vectors - 1) * entry, zero, NULL);
    for (size_t k = vectors; k-- > 0;) {
        point -= entry;
        copy(w, w->t, w->inverse);
        if (k > 0) {
            multiply(w, w->t, w->inverse, products + (k - 1) * entry);
            multiply(w, w->inverse, w->inverse, point + w->fe);
        }
        multiply(w, w->t, w->t, w->t);
        multiply(w, point, point, w->t);
    }
}

/* x of results, as numbers.  (These two aren't inline, so that a secret decides a branch only, and no addresses.) */
static __attribute__((noinline)) void put_xs(const struct work *w, struct lc_ec_product *products, size_t num,
                                             const uint64_t *points)
{
    memset(w->entry, 0, w->fe * sizeof(*w->entry));
    for (size_t lane = 0; lane < w->lanes; lane++)
        w->entry[lane] = 1;
    for (size_t i = 0; i < num; i++) {
        const size_t lane = i % w->lanes;

        if (lane == 0) {
            multiply(w, w->t, points, w->entry); /* x out of Montgomery's form: the number */
            points += 2 * w->fe;
        }
        get_lane(w, products[i].result, w->t, lane);
    }
}

static __attribute__((noinline)) void put_xs_by_chunks(struct lc_ec_product *products, size_t num, const struct lc_lanes_row *row)
{
    for (size_t i = 0; i < num; i++) {
        if (i % row->lanes == 0)
            lc_lanes_base_x(products + i, row->lanes, NULL, row);
    }
}

/*
 * What a pool has in memory: what a multiple of the generator has; two words for each lane; the points of all vectors, window by
 * window; the products for their differences; digits.
 */
size_t lc_lanes_base_pool(struct lc_ec_product *products, size_t num, void *memory, uint64_t *other, const struct lc_lanes_row *row)
{
    const size_t lanes = row->lanes, fe = row->curve->limbs * lanes, entry = 2 * fe, vectors = num / lanes;
    const size_t windows = row->curve->base_windows, passes = row->curve->base_passes;
    const size_t first_pairs = windows - rest_of(windows, passes), head = base_words(row) + 2 * lanes;
    uint64_t *zero, *bad, *points, *differences, *digits, any = 0;
    struct work w;

    if (!memory)
        return LINE - 1 +
               sizeof(uint64_t) * (head + vectors * windows * entry + (vectors * first_pairs + 2) * fe + vectors * DIGITS * lanes);
    set_work(&w, row, align(memory));
    zero = w.x + base_words(row);
    bad = zero + lanes;
    points = bad + lanes;
    differences = points + vectors * windows * entry;
    digits = differences + (vectors * first_pairs + 2) * fe;
    memset(bad, 0, lanes * sizeof(*bad));
    for (size_t i = 0; i < num; i++)
        make_odd(&w, digits + i / lanes * DIGITS * lanes, i % lanes, products[i].k);
    select_points(&w, points, digits, vectors);
    for (size_t left = windows, rest; left > passes; left = rest) {
        rest = rest_of(left, passes);
        const size_t half = (left - rest) * vectors / 2;
        uint64_t *others = points + rest * vectors * entry;
        uint64_t *last = differences + half * fe, *last2 = differences + (2 * half + 1) * fe;

        copy(&w, differences, w.one);
        copy(&w, last + fe, w.one);
        row->tree_products(differences, points, others, half);
        multiply(&w, w.inverse, last, last2);
        invert(&w, w.inverse, w.inverse, zero, other);
        other = NULL;
        for (size_t lane = 0; lane < lanes; lane++)
            bad[lane] |= zero[lane];
        multiply(&w, w.x, w.inverse, last2);
        multiply(&w, w.y, w.inverse, last);
        row->tree_sums(w.x, points, others, differences, half);
    }
    if (passes > 1) {
        sum_passes(&w, points, vectors, zero);
        for (size_t lane = 0; lane < lanes; lane++)
            bad[lane] |= zero[lane];
    }
    for (size_t lane = 0; lane < lanes; lane++)
        any |= bad[lane];
    if (any)
        put_xs_by_chunks(products, num, row); /* a few multipliers of all: see above */
    else
        put_xs(&w, products, num, points);
    /* All other points and products are zeros since they were added. */
    lc_wipe(memory, (size_t)((uint8_t *)(points + passes * vectors * entry) - (uint8_t *)memory));
    lc_wipe(digits, vectors * DIGITS * lanes * sizeof(*digits));
    lc_wipe_frame();
    row->clear();
    return 0;
}

/* ---- The row ---- */

/* How many of num are in the next vector */
static size_t part_of(const struct lc_lanes_row *row, size_t num)
{
    return num < row->lanes ? num : row->lanes;
}

static void sum_part(const struct work *w, const struct lc_ec_product *products, size_t num)
{
    for (size_t lane = 0; lane < w->lanes; lane++)
        make_odd(w, w->base_digits, lane, products[item_of(lane, num)].k);
    sum_base(w);
}

/*
 * What follows is done in memory of the curve's size, as one with fewer limbs takes less of the stack.  It is given back before
 * what is left is done one by one: the return value tells which lanes had equal points.  (Not inline, for that reason.)
 */
#define IN_LANES(function, len, parameters, arguments)                                                                             \
    static __attribute__((noinline)) uint64_t function##_5 parameters                                                              \
    {                                                                                                                              \
        _Alignas(64) uint64_t memory[len(5)];                                                                                      \
                                                                                                                                   \
        return function arguments;                                                                                                 \
    }                                                                                                                              \
    static __attribute__((noinline)) uint64_t function##_8 parameters                                                              \
    {                                                                                                                              \
        _Alignas(64) uint64_t memory[len(8)];                                                                                      \
                                                                                                                                   \
        return function arguments;                                                                                                 \
    }

/* The sum's affine coordinates; or x alone, as a number, which takes half as many products, and none of words later */
static void get_base_results(const struct work *w, struct lc_ec_product *products, size_t num, const uint64_t *inverse, int only_x)
{
    if (!only_x) {
        get_results(w, products, num, inverse);
        return;
    }
    multiply(w, w->t, inverse, inverse);
    multiply(w, w->x, w->x, w->t);
    put_xs(w, products, num, w->x);
}

/* A chunk's one or two vectors share the inversion. */
static __attribute__((noinline)) uint64_t base_in(struct lc_ec_product *products, size_t num, uint64_t *memory, uint64_t *other,
                                                  int only_x, const struct lc_lanes_row *row)
{
    const size_t lanes = row->lanes, first = part_of(row, num);
    struct work w, second;
    uint64_t zero[LANES], any = 0;

    set_work(&w, row, memory);
    sum_part(&w, products, first);
    if (num > lanes) {
        set_work(&second, row, memory + base_words(row));
        sum_part(&second, products + lanes, num - lanes);
        multiply(&w, w.inverse, w.z, second.z);
        invert(&w, w.inverse, w.inverse, zero, other);
        multiply(&w, second.inverse, w.z, w.inverse);
        get_base_results(&second, products + lanes, num - lanes, second.inverse, only_x);
        multiply(&w, w.inverse, w.inverse, second.z);
    } else {
        invert(&w, w.inverse, w.z, zero, other);
    }
    get_base_results(&w, products, first, w.inverse, only_x);
    for (size_t i = 0; i < lanes; i++)
        any |= zero[i];
    lc_wipe(memory, (num > lanes ? 2 : 1) * base_words(row) * sizeof(*memory));
    lc_wipe_frame();
    row->clear();
    return any;
}

static __attribute__((noinline)) uint64_t multiply_in(struct lc_ec_product *products, size_t num, uint64_t *memory,
                                                      const struct lc_lanes_row *row)
{
    const uint64_t *points[LANES];
    struct work w;
    uint64_t zero[LANES], any = 0;

    set_work(&w, row, memory);
    for (size_t lane = 0; lane < w.lanes; lane++) {
        make_odd(&w, w.digits, lane, products[item_of(lane, num)].k);
        points[lane] = products[item_of(lane, num)].p;
    }
    put_points(&w, points);
    multiply_entry(&w, 0);
    invert(&w, w.inverse, w.z, zero, NULL); /* where Z was 0, zero is -1, and the results are of no use. */
    get_results(&w, products, num, w.inverse);
    for (size_t i = 0; i < num; i++)
        any |= zero[i];
    lc_wipe(memory, all_words(row) * sizeof(*memory));
    lc_wipe_frame();
    row->clear();
    return any;
}

/* A bit for each check that is to be done again */
static __attribute__((noinline)) uint64_t check_in(struct lc_ec_check *checks, size_t num, uint64_t *memory,
                                                   const struct lc_lanes_row *row)
{
    uint64_t x[LC_EC_WORDS], z[LC_EC_WORDS], left = 0;
    struct work w;

    set_work(&w, row, memory);
    if (checks[0].table)
        sum_prepared(&w, checks, num);
    else
        sum_two_multiples(&w, checks, num);
    multiply(&w, w.x, w.x, w.to_words);
    multiply(&w, w.z, w.z, w.to_words);
    for (size_t i = 0; i < num; i++) {
        uint64_t any = 0;

        get_lane(&w, x, w.x, i);
        get_lane(&w, z, w.z, i);
        for (size_t word = 0; word < w.words; word++)
            any |= z[word];
        checks[i].right = lc_ec_has_x(x, z, checks[i].r, row->curve->p, row->curve->n);
        left |= (uint64_t)(any == 0) << i;
    }
    return left;
}

IN_LANES(base_in, BASE_MEMORY,
         (struct lc_ec_product * items, size_t num, uint64_t *other, int only_x, const struct lc_lanes_row *row),
         (items, num, memory, other, only_x, row))
IN_LANES(multiply_in, MEMORY, (struct lc_ec_product * items, size_t num, const struct lc_lanes_row *row), (items, num, memory, row))
IN_LANES(check_in, MEMORY, (struct lc_ec_check * items, size_t num, const struct lc_lanes_row *row), (items, num, memory, row))

static void one_base(struct lc_ec_product *products, size_t num, uint64_t *other, int only_x, const struct lc_lanes_row *row)
{
    row->one_base(products, num, other);
    for (size_t i = 0; only_x && i < num; i++)
        lc_mod_from_montgomery(products[i].result, products[i].result, row->curve->p);
}

/* (Not inline, so that the one branch on what comes of secrets has a place.) */
static __attribute__((noinline)) void base_in_lanes(struct lc_ec_product *products, size_t num, uint64_t *other, int only_x,
                                                    const struct lc_lanes_row *row)
{
    if (row->curve->words == 4 ? base_in_5(products, num, other, only_x, row) : base_in_8(products, num, other, only_x, row))
        one_base(products, num, NULL, only_x, row); /* two multipliers of all: see above */
}

static __attribute__((noinline)) void multiply_in_lanes(struct lc_ec_product *products, size_t num, const struct lc_lanes_row *row)
{
    if (row->curve->words == 4 ? multiply_in_5(products, num, row) : multiply_in_8(products, num, row))
        row->one_multiply(products, num); /* so rare that all are computed again */
}

static void check_in_lanes(struct lc_ec_check *checks, size_t num, const struct lc_lanes_row *row)
{
    const uint64_t left = row->curve->words == 4 ? check_in_5(checks, num, row) : check_in_8(checks, num, row);

    for (size_t i = 0; i < num; i++)
        if (left >> i & 1)
            row->one_check(&checks[i], 1);
}

/* The row, or that of four lanes for what it's faster for */
static const struct lc_lanes_row *fit(const struct lc_lanes_row *row, size_t num)
{
    return row->four && lc_four_are_enough(num) ? row->four : row;
}

static void multiples_of_base(struct lc_ec_product *products, size_t num, uint64_t *other, int only_x,
                              const struct lc_lanes_row *row)
{
    row = fit(row, num);
    for (size_t i = 0, part; i < num; i += part) {
        /* What is too few for a second vector isn't worth it. */
        part = num - i > row->lanes && num - i <= row->lanes + row->few_base ? row->lanes : num - i;
        if (part <= row->few_base)
            one_base(products + i, part, other, only_x, row);
        else
            base_in_lanes(products + i, part, other, only_x, row);
        other = NULL;
    }
}

void lc_lanes_base(struct lc_ec_product *products, size_t num, uint64_t *other, const struct lc_lanes_row *row)
{
    multiples_of_base(products, num, other, 0, row);
}

void lc_lanes_base_x(struct lc_ec_product *products, size_t num, uint64_t *other, const struct lc_lanes_row *row)
{
    multiples_of_base(products, num, other, 1, row);
}

void lc_lanes_multiply(struct lc_ec_product *products, size_t num, const struct lc_lanes_row *row)
{
    row = fit(row, num);
    for (size_t i = 0, part; i < num; i += part) {
        part = part_of(row, num - i);
        if (part <= row->few)
            row->one_multiply(products + i, part);
        else
            multiply_in_lanes(products + i, part, row);
    }
}

void lc_lanes_check(struct lc_ec_check *checks, size_t num, const struct lc_lanes_row *row)
{
    row = fit(row, num);
    for (size_t i = 0, part; i < num; i += part) {
        part = part_of(row, num - i);
        if (part <= row->few && !checks[i].table)
            row->one_check(checks + i, part);
        else
            check_in_lanes(checks + i, part, row);
    }
}

_Static_assert((int)LC_EC_CHUNK == LANES, "a chunk is one vector of eight lanes, or two of four");
_Static_assert(LC_LANES_ENTRIES == 1 << (LC_LANES_BITS - 1), "tables have the odd multiples");
_Static_assert((KEY_ENTRIES - 1) % (LC_LANES_ENTRIES - 1) == 0, "a key's multiples are made in equal parts");
_Static_assert(KEY_ENTRIES == 1 << (KEY_BITS - 1), "tables have the odd multiples");
_Static_assert((KEY_WINDOWS + 3) / 4 * 4 == KEY_NUMBERS / 5, "vectors of four lanes have no more");
_Static_assert(11 + 3 + 1 == 15 && 15 + 2 * LC_LANES_ENTRIES + 2 * (LC_LANES_ENTRIES - 1) == 45, "numbers that memory has");
