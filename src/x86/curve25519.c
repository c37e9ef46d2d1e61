/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Curve25519 in the lanes of vectors: as many points at once as there are lanes.  The calculations with points are
 * x86/curve25519.S's; here is what is done with them, for all numbers of lanes (x86/curve25519.h).
 *
 * -- Multiples of the generator -------------------------------------------------------------------------------------------------
 *
 * A multiplier k is made odd: it is k, k + L or, if it is L or more, k - L, which are the same for the generator, whose order is L.
 * An odd number has digits that are odd, too, and so never 0:
 *
 *      k = d_0 + d_1 2^5 + d_2 2^10 + .. + d_49 2^245 + d_50 2^250,      d_i = (k / 2^(5 i) mod 2^6 | 1) - 2^5
 *
 * since k - d_0 is 2^5 times an odd number, k / 2^5 | 1 rounded down, which goes on in the same way.  What is left for 2^250 is
 * k / 2^250 | 1, which is at most 31, as k < 2^255.  So the sum begins with an entry, and 50 windows each add one of 16: 98 KB.
 * Windows of 6 bits would be 43 entries of 32: by count 8 % less time, and 165 KB.
 *
 * An entry is y + x, y - x and 2 d x y.  Difference and sum of the first two are those of (2x : 2y : 2 : 2xy), and the third one
 * divided by d is the last coordinate.
 *
 * -- Multiples of other points --------------------------------------------------------------------------------------------------
 *
 * X25519 is the Montgomery ladder.  For signatures s B - k A is by windows, from the highest bit: of 5 bits for k, and of 8 for s,
 * which is public here, so that each lane takes its entries by their address.  A may be any point, one of small order too, so k is
 * what it is: digits are from -16 to 15, and entries are 0, A, .. 16 A; for s they are from -128 to 127.  The formulas for adding
 * are complete, so entries may be 0.
 */
#include "curve25519.h"
#include "curve25519_one.h"

enum {
    LANES = 8, /* at most */
    FE = 5 * LANES,
    WORK = 15 * FE + 7 * LANES, /* words of memory, of one vector with eight lanes or of two with four */
    VECTORS = 2,                /* of a chunk, at most */
};

/* Words of two lanes: vectors that any x86-64 has */
typedef uint64_t pair __attribute__((vector_size(16), may_alias));

/* A vector of operations: its row, and where things are in its memory */
struct work {
    const struct lc_25519_row *row;
    size_t lanes, fe; /* fe: words of a number in all lanes */
    /* What the assembly works on; or, in the same place, what its ladder does */
    uint64_t *x, *y, *z, *t, *addend, *addend_t, *addend_z, *u, *negative, *k, *index;
    uint64_t *x1, *x2, *z2, *x3, *z3, *bits;
    uint64_t *scratch; /* four numbers, for what a function has for itself, but not within a ladder */
};

/* ---- Numbers in lanes ---- */

#define MASK51 ((UINT64_C(1) << 51) - 1)

/* Constants in eight lanes and in four.  (Making them each time would be 1 % of a multiple of the generator.) */
struct in_lanes {
    _Alignas(64) uint64_t eight[5][8], four[5][4];
};
#define FOUR_OF(x) UINT64_C(x), UINT64_C(x), UINT64_C(x), UINT64_C(x)
#define IN_LANES(a, b, c, d, e)                                                                                                    \
    {                                                                                                                              \
        { { FOUR_OF(a), FOUR_OF(a) },                                                                                              \
          { FOUR_OF(b), FOUR_OF(b) },                                                                                              \
          { FOUR_OF(c), FOUR_OF(c) },                                                                                              \
          { FOUR_OF(d), FOUR_OF(d) },                                                                                              \
          { FOUR_OF(e), FOUR_OF(e) } },                                                                                            \
        {                                                                                                                          \
            { FOUR_OF(a) }, { FOUR_OF(b) }, { FOUR_OF(c) }, { FOUR_OF(d) },                                                        \
            {                                                                                                                      \
                FOUR_OF(e)                                                                                                         \
            }                                                                                                                      \
        }                                                                                                                          \
    }
static const _Alignas(64) uint64_t zero[FE];
static const struct in_lanes one = IN_LANES(1, 0, 0, 0, 0), two = IN_LANES(2, 0, 0, 0, 0);
static const struct in_lanes d_times_2 =
    IN_LANES(0x69b9426b2f159, 0x35050762add7a, 0x3cf44c0038052, 0x6738cc7407977, 0x2406d9dc56dff);
/* 1 / d */
static const struct in_lanes one_by_d =
    IN_LANES(0xf276cdc9f843, 0x3084f2a85c4bc, 0x6e73d982d775a, 0x721958b108a66, 0x40907ed214d5c);
/* 2^-512: see invert() */
static const struct in_lanes from_montgomery =
    IN_LANES(0x56deab9cb8602, 0x1104f6c7fa53, 0x595a0f99e2375, 0x518d1e7e3a264, 0x224e016b1490a);
/* Limbs of others */
static const uint64_t d[5] = { UINT64_C(0x34dca135978a3), UINT64_C(0x1a8283b156ebd), UINT64_C(0x5e7a26001c029),
                               UINT64_C(0x739c663a03cbb), UINT64_C(0x52036cee2b6ff) };
static const uint64_t root_of_minus_1[5] = { UINT64_C(0x61b274a0ea0b0), UINT64_C(0x0d5a5fc8f189d), UINT64_C(0x7ef5e9cbd0c60),
                                             UINT64_C(0x78595a6804c9e), UINT64_C(0x2b8324804fc1d) };

static const uint64_t *lanes_of(const struct work *w, const struct in_lanes *constant)
{
    return w->lanes == 8 ? constant->eight[0] : constant->four[0];
}

/* A number in all lanes */
static void put_all(const struct work *w, uint64_t *r, const uint64_t limbs[5])
{
    for (int i = 0; i < 5; i++, r += w->lanes)
        for (size_t lane = 0; lane < w->lanes; lane += 2)
            *(pair *)&r[lane] = (pair){ limbs[i], limbs[i] };
}

static void set_work(struct work *w, const struct lc_25519_row *row, uint64_t *memory)
{
    const size_t lanes = row->lanes, fe = 5 * lanes;

    *w = (struct work){ .row = row, .lanes = lanes, .fe = fe };
    w->x = memory;
    w->y = w->x + fe;
    w->z = w->y + fe;
    w->t = w->z + fe;
    w->addend = w->t + fe;
    w->addend_t = w->addend + 2 * fe;
    w->addend_z = w->addend_t + fe;
    w->u = w->addend_z + fe;
    w->negative = w->u + 3 * fe;
    w->k = w->negative + lanes;
    w->index = w->k + 5 * lanes;
    w->x1 = memory;
    w->x2 = w->x1 + fe;
    w->z2 = w->x2 + fe;
    w->x3 = w->z2 + fe;
    w->z3 = w->x3 + fe;
    w->bits = w->z3 + 9 * fe;
    w->scratch = w->index + lanes;
}

/* How many words a vector has */
static size_t work_words(const struct lc_25519_row *row)
{
    return WORK / LANES * row->lanes;
}

static void multiply(const struct work *w, uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    w->row->mul(r, a, b);
}

static void copy(const struct work *w, uint64_t *r, const uint64_t *a)
{
    memcpy(r, a, w->fe * sizeof(*a));
}

static void make_tight(const struct work *w, uint64_t *r)
{
    w->row->sums(w->scratch, r, r, zero);
}

static void to_limbs(uint64_t limbs[5], const uint64_t x[4])
{
    limbs[0] = x[0] & MASK51;
    limbs[1] = (x[0] >> 51 | x[1] << 13) & MASK51;
    limbs[2] = (x[1] >> 38 | x[2] << 26) & MASK51;
    limbs[3] = (x[2] >> 25 | x[3] << 39) & MASK51;
    limbs[4] = x[3] >> 12;
}

/* x is below 2^255. */
static void put_lane(const struct work *w, uint64_t *r, size_t lane, const uint64_t x[4])
{
    uint64_t limbs[5];

    to_limbs(limbs, x);
    for (size_t i = 0; i < 5; i++)
        r[i * w->lanes + lane] = limbs[i];
}

/* a, tight, below p: it's below 2p, so (a + 19) / 2^255, rounded down, says how often p is in it, once or not at all. */
static void get_lane(const struct work *w, uint64_t x[4], const uint64_t *a, size_t lane)
{
    const size_t lanes = w->lanes;
    uint64_t l[5], carry = 19;

    a += lane;
    LC_UNROLL
    for (size_t i = 0; i < 5; i++)
        l[i] = a[i * lanes];
    LC_UNROLL
    for (size_t i = 0; i < 5; i++)
        carry = (l[i] + carry) >> 51;
    carry *= 19;
    LC_UNROLL
    for (size_t i = 0; i < 5; i++) {
        carry += l[i];
        l[i] = carry & MASK51;
        carry >>= 51;
    }
    x[0] = l[0] | l[1] << 51;
    x[1] = l[1] >> 13 | l[2] << 38;
    x[2] = l[2] >> 26 | l[3] << 25;
    x[3] = l[3] >> 39 | l[4] << 12;
}

/*
 * Each of num numbers, one or two, none of them 0 in any lane, becomes 1 / a.  The product of both and of all lanes, which each
 * lane has after an exchange for each time that lanes can be halved, is inverted, and multiplied by the product of the others.
 */
static void invert(const struct work *w, uint64_t *const a[VECTORS], size_t num)
{
    uint64_t *const product = w->scratch, *const others = product + w->fe, *const t = others + w->fe;
    uint64_t x[4], limbs[5];

    if (num > 1)
        multiply(w, product, a[0], a[1]);
    w->row->exchange(others, num > 1 ? product : a[0], 1);
    multiply(w, product, num > 1 ? product : a[0], others);
    for (size_t other = 2; other < w->lanes; other *= 2) {
        w->row->exchange(t, product, other);
        multiply(w, product, product, t);
        multiply(w, others, others, t);
    }
    multiply(w, others, others, lanes_of(w, &from_montgomery));
    get_lane(w, x, product, 0);
    lc_mod_inverse(x, x, &lc_25519_p); /* it takes x for 2^256 times x / 2^256, so this is 2^512 / x */
    to_limbs(limbs, x);
    put_all(w, t, limbs);
    if (num > 1) {
        multiply(w, t, t, others);
        multiply(w, others, t, a[0]);
        multiply(w, a[0], t, a[1]);
        copy(w, a[1], others);
    } else {
        multiply(w, a[0], t, others);
    }
    lc_wipe(x, sizeof(x));
    lc_wipe(limbs, sizeof(limbs));
}

/* How many vectors num items take */
static size_t vectors_of(const struct lc_25519_row *row, size_t num)
{
    return num > row->lanes ? 2 : 1;
}

/* The item in a lane of vector n; lanes without one do the first one's work again. */
static size_t item_of(const struct work *w, size_t n, size_t lane, size_t num)
{
    const size_t i = n * w->lanes + lane;

    return i < num ? i : 0;
}

/* ---- Points ---- */

/* a += times p, in limbs all of which are large: what is subtracted limb by limb doesn't make them negative. */
static void add_bias(const struct work *w, uint64_t *a, uint64_t times)
{
    for (int i = 0; i < 5; i++)
        for (size_t lane = 0; lane < w->lanes; lane++)
            *a++ += times * (MASK51 - (i ? 0 : 18));
}

/* The sum is the neutral point.  y and z have the bias that they have after a calculation. */
static void begin(const struct work *w)
{
    copy(w, w->x, zero);
    copy(w, w->t, zero);
    copy(w, w->y, lanes_of(w, &one));
    copy(w, w->z, lanes_of(w, &one));
    add_bias(w, w->y, 304);
    add_bias(w, w->z, 304);
}

/* The generator's multiplier: an odd number below 2^255, without its lowest bit.  (What a word has above 55 bits isn't used.) */
static void put_multiplier(const struct work *w, size_t lane, const uint64_t k[4])
{
    const uint64_t even = lc_opaque((k[0] & 1) - 1);
    uint64_t borrow = 0, carry = 0, odd[4], below, *const to = w->k + lane;

    for (int i = 0; i < 4; i++)
        odd[i] = lc_sub_borrow(k[i], lc_25519_l.m[i] & even, &borrow);
    below = lc_opaque(0 - borrow); /* only if k is even */
    for (int i = 0; i < 4; i++)
        odd[i] = lc_add_carry(odd[i], lc_25519_l.m[i] << 1 & below, &carry); /* 2 L: no word's highest bit is set */
    to[0] = odd[0] >> 1;
    to[w->lanes] = odd[0] >> 56 | odd[1] << 8;
    to[2 * w->lanes] = odd[1] >> 47 | odd[2] << 17;
    to[3 * w->lanes] = odd[2] >> 38 | odd[3] << 26;
    to[4 * w->lanes] = odd[3] >> 29;
    w->index[lane] = odd[3] >> 59;
}

/* The affine coordinates of the sums of one or two vectors */
static void make_affine(const struct work w[VECTORS], size_t vectors)
{
    uint64_t *const z[VECTORS] = { w[0].z, w[vectors - 1].z };

    for (size_t n = 0; n < vectors; n++) {
        make_tight(&w[n], w[n].x);
        make_tight(&w[n], w[n].y);
        make_tight(&w[n], w[n].z);
    }
    invert(&w[0], z, vectors);
    for (size_t n = 0; n < vectors; n++) {
        multiply(&w[n], w[n].x, w[n].x, w[n].z);
        multiply(&w[n], w[n].y, w[n].y, w[n].z);
    }
}

static void get_point(struct lc_25519_point *p, const struct work w[VECTORS], size_t item)
{
    const struct work *const v = &w[item / w->lanes];

    get_lane(v, p->x, v->x, item % v->lanes);
    get_lane(v, p->y, v->y, item % v->lanes);
}

/* The sums are the multiples of the generator.  Returns how many vectors they are in. */
static size_t multiply_base(struct work w[VECTORS], const struct lc_25519_row *row, uint64_t *memory,
                            const struct lc_25519_base *items, size_t num)
{
    const size_t vectors = vectors_of(row, num);

    for (size_t n = 0; n < vectors; n++) {
        set_work(&w[n], row, memory + n * work_words(row));
        for (size_t lane = 0; lane < row->lanes; lane++)
            put_multiplier(&w[n], lane, items[item_of(&w[n], n, lane, num)].k);
        row->first(w[n].x, lc_25519_base_table[LC_25519_WINDOWS - 1]);
        multiply(&w[n], w[n].t, w[n].addend_t, lanes_of(&w[n], &one_by_d));
        row->comb(w[n].x, lc_25519_base_table, LC_25519_WINDOWS - 1);
    }
    return vectors;
}

/* The addend is the sum, of which t is known. */
static void set_addend(const struct work *w, uint64_t *addend)
{
    w->row->sums(addend, addend + w->fe, w->y, w->x);
    w->row->sums(addend + 3 * w->fe, w->u, w->z, w->z);
    multiply(w, addend + 2 * w->fe, w->t, lanes_of(w, &d_times_2));
}

/* (X : Y : Z : T) += the addend, negated where `negative` is -1 */
static void add(const struct work *w)
{
    w->row->comb(w->x, NULL, 1);
}

/* num of 0, P, 2 P, .. of the point (x, y), which are tight: of each all lanes' rows */
static void make_multiples(uint64_t *table, size_t num, const struct work *w)
{
    const size_t rows = LC_25519_ROW * w->lanes;
    uint64_t *const addend = w->scratch;

    copy(w, w->z, lanes_of(w, &one));
    multiply(w, w->t, w->x, w->y);
    copy(w, addend, lanes_of(w, &one)); /* the neutral one */
    copy(w, addend + w->fe, lanes_of(w, &one));
    copy(w, addend + 2 * w->fe, zero);
    copy(w, addend + 3 * w->fe, lanes_of(w, &two));
    w->row->rows(table, addend);
    set_addend(w, w->addend);
    w->row->rows(table + rows, w->addend);
    memset(w->negative, 0, w->lanes * sizeof(*w->negative));
    /* As in begin(): y - x is made limb by limb, and x may have limbs that are more than p's. */
    add_bias(w, w->y, 304);
    add_bias(w, w->z, 304);
    for (size_t i = 2; i < num; i++) {
        add(w);
        set_addend(w, addend);
        w->row->rows(table + i * rows, addend);
    }
}

void lc_25519_multiples(uint64_t *table, size_t num, const uint64_t *x, const uint64_t *y, const struct lc_25519_row *row)
{
    _Alignas(64) uint64_t memory[WORK];
    struct work w;

    set_work(&w, row, memory);
    copy(&w, w.x, x);
    copy(&w, w.y, y);
    make_multiples(table, num, &w);
}

/* Digits of all lanes, from the lowest */
typedef int8_t digits[LANES];

/*
 * The addend is each lane's own entry of a table, by its digit, which is public: tables of lanes are lane_words from each other, or
 * 0, and entries entry_words.
 */
static void choose(const struct work *w, const digits of_lanes, const uint64_t *table, size_t entry_words, size_t lane_words)
{
    const size_t lanes = w->lanes;
    uint64_t *const negative = w->negative;
    const uint64_t *rows[LANES];

    for (size_t lane = 0; lane < lanes; lane++, table += lane_words) {
        const int digit = of_lanes[lane];

        negative[lane] = 0 - (uint64_t)(digit < 0);
        rows[lane] = table + (size_t)(digit < 0 ? -digit : digit) * entry_words;
    }
    w->row->take(w->x, rows);
}

/* The same of multiples that make_multiples() has made, and of the generator's */
static void add_multiple(const struct work *w, const digits of_lanes, const uint64_t *table)
{
    choose(w, of_lanes, table, LC_25519_ROW * w->lanes, LC_25519_ROW);
    add(w);
}

static void add_base_multiple(const struct work *w, const digits of_lanes)
{
    choose(w, of_lanes, lc_25519_b_table[0], sizeof(lc_25519_b_table[0]) / sizeof(uint64_t), 0);
    copy(w, w->addend_z, lanes_of(w, &two));
    add(w);
}

/*
 * The digits of k, which is below 2^253, in one lane: each is a digit of k + h (1 + 2^bits + 2^(2 bits) + ..), less h, where h is
 * 2^(bits - 1).  all_h: that number, in as many digits as there are; the sum is below 2^256.
 */
static void set_digits(digits *to, int num, int bits, size_t lane, const uint64_t k[4], const uint64_t all_h[4])
{
    uint64_t sum[4], carry = 0;

    for (int i = 0; i < 4; i++)
        sum[i] = lc_add_carry(k[i], all_h[i], &carry);
    for (int i = 0; i < num; i++) {
        const int at = i * bits / 64, shift = i * bits % 64;
        uint64_t digit = sum[at] >> shift;

        if (shift > 64 - bits && at < 3)
            digit |= sum[at + 1] << (64 - shift);
        to[i][lane] = (int8_t)((int)(digit & ((UINT64_C(1) << bits) - 1)) - (1 << (bits - 1)));
    }
}

static const uint64_t all_16[4] = { UINT64_C(0x0842108421084210), UINT64_C(0x1084210842108421), UINT64_C(0x2108421084210842),
                                    UINT64_C(0x4210842108421084) };
static const uint64_t all_128[4] = { UINT64_C(0x8080808080808080), UINT64_C(0x8080808080808080), UINT64_C(0x8080808080808080),
                                     UINT64_C(0x8080808080808080) };

/* ---- Multiples.  Two vectors share the inversion. ---- */

/* Where numbers that are divided by were 0, and are 1 now: not -1, but 0 */
struct used {
    _Alignas(64) uint64_t mask[VECTORS][LANES];
};

/* 1 / a of each vector's divisor a, and the number that w has for it is multiplied by that */
static void divide(const struct work w[VECTORS], struct used *used, uint64_t *const numbers[VECTORS],
                   uint64_t *const divisors[VECTORS], size_t vectors)
{
    for (size_t n = 0; n < vectors; n++)
        w->row->replace_zeros(divisors[n], used->mask[n]);
    invert(w, divisors, vectors);
    for (size_t n = 0; n < vectors; n++)
        multiply(w, numbers[n], numbers[n], divisors[n]);
}

/* A lane of a quotient, which is 0 if the divisor was */
static void get_quotient(const struct work *w, uint64_t x[4], uint64_t *const numbers[VECTORS], const struct used *used,
                         size_t item)
{
    get_lane(w, x, numbers[item / w->lanes], item % w->lanes);
    for (int i = 0; i < 4; i++)
        x[i] &= used->mask[item / w->lanes][item % w->lanes];
}

static void finish_secret(uint64_t *memory, size_t vectors, const struct lc_25519_row *row)
{
    lc_wipe(memory, vectors * work_words(row) * sizeof(*memory));
    lc_wipe_frame();
    row->clear();
}

static void dh_in_lanes(struct lc_25519_dh *items, size_t num, const struct lc_25519_row *row)
{
    _Alignas(64) uint64_t memory[WORK];
    const size_t vectors = vectors_of(row, num), lanes = row->lanes;
    struct work w[VECTORS];
    struct used used;

    for (size_t n = 0; n < vectors; n++) {
        set_work(&w[n], row, memory + n * work_words(row));
        for (size_t lane = 0; lane < lanes; lane++) {
            const struct lc_25519_dh *item = &items[item_of(&w[n], n, lane, num)];
            uint64_t above = 0;

            put_lane(&w[n], w[n].x1, lane, item->u);
            for (size_t i = 4; i-- > 0;) {
                w[n].bits[i * lanes + lane] = item->k[i] ^ (item->k[i] >> 1 | above << 63);
                above = item->k[i];
            }
            w[n].bits[3 * lanes + lane] <<= 1;
        }
        copy(&w[n], w[n].x2, lanes_of(&w[n], &one));
        copy(&w[n], w[n].z2, zero);
        copy(&w[n], w[n].x3, w[n].x1);
        add_bias(&w[n], w[n].x3, 1);
        copy(&w[n], w[n].z3, lanes_of(&w[n], &one));
        row->ladder(w[n].x);
    }
    {
        uint64_t *const x[VECTORS] = { w[0].x2, w[vectors - 1].x2 }, *const z[VECTORS] = { w[0].z2, w[vectors - 1].z2 };

        divide(w, &used, x, z, vectors);
        for (size_t i = 0; i < num; i++)
            get_quotient(w, items[i].result, x, &used, i);
    }
    finish_secret(memory, vectors, row);
}

static void base_in_lanes(struct lc_25519_base *items, size_t num, const struct lc_25519_row *row)
{
    _Alignas(64) uint64_t memory[WORK];
    struct work w[VECTORS];
    const size_t vectors = multiply_base(w, row, memory, items, num);

    make_affine(w, vectors);
    for (size_t i = 0; i < num; i++)
        get_point(&items[i].result, w, i);
    finish_secret(memory, vectors, row);
}

/* u = (1 + y) / (1 - y) = (Z + Y) / (Z - Y) */
static void base_u_in_lanes(struct lc_25519_base *items, size_t num, const struct lc_25519_row *row)
{
    _Alignas(64) uint64_t memory[WORK];
    struct work w[VECTORS];
    const size_t vectors = multiply_base(w, row, memory, items, num), fe = w->fe;
    uint64_t *const sums[VECTORS] = { w[0].u, w[vectors - 1].u }, *const differences[VECTORS] = { sums[0] + fe, sums[1] + fe };
    struct used used;

    for (size_t n = 0; n < vectors; n++)
        row->sums(sums[n], differences[n], w[n].z, w[n].y);
    divide(w, &used, sums, differences, vectors);
    for (size_t i = 0; i < num; i++)
        get_quotient(w, items[i].u, sums, &used, i);
    finish_secret(memory, vectors, row);
}

/* The sum is that of vector n. */
static void sum_two_multiples(const struct work *w, const struct lc_25519_check *items, size_t n, size_t num)
{
    _Alignas(64) uint64_t table[LC_25519_ENTRIES * LANES * LC_25519_ROW];
    digits a_digits[LC_25519_WINDOWS], b_digits[LC_25519_B_WINDOWS];
    size_t doublings = 0;

    for (size_t lane = 0; lane < w->lanes; lane++) {
        const struct lc_25519_check *item = &items[item_of(w, n, lane, num)];

        put_lane(w, w->x, lane, item->a->x);
        put_lane(w, w->y, lane, item->a->y);
        set_digits(a_digits, LC_25519_WINDOWS, LC_25519_BITS, lane, item->k, all_16);
        set_digits(b_digits, LC_25519_B_WINDOWS, LC_25519_B_BITS, lane, item->s, all_128);
    }
    w->row->sums(w->u, w->x, zero, w->x); /* -A */
    make_multiples(table, LC_25519_ENTRIES, w);
    begin(w);
    add_multiple(w, a_digits[LC_25519_WINDOWS - 1], table);
    for (int bit = LC_25519_BITS * (LC_25519_WINDOWS - 1) - 1; bit >= 0; bit--) {
        doublings++;
        if (bit % LC_25519_BITS != 0 && bit % LC_25519_B_BITS != 0)
            continue;
        w->row->twice(w->x, doublings);
        doublings = 0;
        if (bit % LC_25519_BITS == 0)
            add_multiple(w, a_digits[bit / LC_25519_BITS], table);
        if (bit % LC_25519_B_BITS == 0)
            add_base_multiple(w, b_digits[bit / LC_25519_B_BITS]);
    }
}

static void check_in_lanes(struct lc_25519_check *items, size_t num, const struct lc_25519_row *row)
{
    _Alignas(64) uint64_t memory[WORK];
    const size_t vectors = vectors_of(row, num);
    struct work w[VECTORS];

    for (size_t n = 0; n < vectors; n++) {
        set_work(&w[n], row, memory + n * work_words(row));
        sum_two_multiples(&w[n], items, n, num);
    }
    make_affine(w, vectors);
    for (size_t i = 0; i < num; i++)
        get_point(&items[i].result, w, i);
}

/* ---- Sums: each lane has a share of the terms ---- */

/* A vector of terms in the caller's memory: both tables, and the digits */
enum { SUM_TABLE = LC_25519_SUM_ENTRIES * LC_25519_ROW }; /* words in each lane */

static size_t vector_words(const struct lc_25519_row *row)
{
    return 2 * SUM_TABLE * row->lanes + (LC_25519_E_WINDOWS + LC_25519_Z_WINDOWS + 7) / 8 * LANES;
}

static size_t sum_len(size_t num, const struct lc_25519_row *row)
{
    const size_t len = (num + row->lanes - 1) / row->lanes * vector_words(row) * sizeof(uint64_t);
    const size_t one_by_one = num <= row->least ? lc_25519_sum_len_bmi2_avx2(num) : 0;

    return len > one_by_one ? len : one_by_one;
}

/* Tables and digits of a vector of terms.  Lanes without one have 0 times the neutral point. */
static void put_terms(uint64_t *v, digits *e_digits, digits *z_digits, const struct work *w, const struct lc_25519_term *terms,
                      size_t num)
{
    static const uint64_t all_8[4] = { UINT64_C(0x8888888888888888), UINT64_C(0x8888888888888888), UINT64_C(0x8888888888888888),
                                       UINT64_C(0x8888888888888888) };
    static const uint64_t all_8_of_z[4] = { UINT64_C(0x8888888888888888), UINT64_C(0x8888888888888888), 8, 0 };
    static const struct lc_25519_point no_point = { { 0 }, { 1 } };
    static const struct lc_25519_term none = { .a = &no_point, .r = { { 0 }, { 1 } } };

    for (size_t lane = 0; lane < w->lanes; lane++) {
        const struct lc_25519_term *term = lane < num ? &terms[lane] : &none;

        put_lane(w, w->x, lane, term->a->x);
        put_lane(w, w->y, lane, term->a->y);
        set_digits(e_digits, LC_25519_E_WINDOWS, LC_25519_SUM_BITS, lane, term->e, all_8);
        set_digits(z_digits, LC_25519_Z_WINDOWS, LC_25519_SUM_BITS, lane, term->z, all_8_of_z);
    }
    make_multiples(v, LC_25519_SUM_ENTRIES, w);
    for (size_t lane = 0; lane < w->lanes; lane++) {
        const struct lc_25519_term *term = lane < num ? &terms[lane] : &none;

        put_lane(w, w->x, lane, term->r.x);
        put_lane(w, w->y, lane, term->r.y);
    }
    make_multiples(v + SUM_TABLE * w->lanes, LC_25519_SUM_ENTRIES, w);
}

/* Each lane's sum becomes that of all lanes. */
static void add_lanes(const struct work *w)
{
    uint64_t *const addend = w->scratch;

    memset(w->negative, 0, w->lanes * sizeof(*w->negative));
    for (size_t other = 1; other < w->lanes; other *= 2) {
        set_addend(w, addend);
        for (size_t i = 0; i < 4 * w->fe; i += w->fe)
            w->row->exchange(w->addend + i, addend + i, other);
        add(w);
    }
}

/* The sum also has L - b times the generator, -b B, in one of the lanes. */
static uint64_t sum_is_small(const struct lc_25519_term *terms, size_t num, const uint64_t b[4], uint64_t *vectors,
                             const struct lc_25519_row *row)
{
    _Alignas(64) uint64_t memory[WORK];
    const size_t step = vector_words(row), tables = 2 * SUM_TABLE * row->lanes;
    uint64_t *const end = vectors + (num + row->lanes - 1) / row->lanes * step;
    digits b_digits[LC_25519_B_WINDOWS] = { { 0 } };
    struct work w;
    uint64_t x[4];
    size_t done = 0;

    set_work(&w, row, memory);
    for (uint64_t *v = vectors; v < end; v += step, done += row->lanes) {
        digits *const e_digits = (digits *)(v + tables);

        put_terms(v, e_digits, e_digits + LC_25519_E_WINDOWS, &w, terms + done, num - done);
    }
    lc_mod_sub(x, lc_25519_l.m, b, &lc_25519_l);
    set_digits(b_digits, LC_25519_B_WINDOWS, LC_25519_B_BITS, 0, x, all_128);

    begin(&w);
    for (int window = LC_25519_E_WINDOWS - 1; window >= 0; window--) {
        const int bit = window * LC_25519_SUM_BITS;

        if (window < LC_25519_E_WINDOWS - 1)
            row->twice(w.x, LC_25519_SUM_BITS);
        for (const uint64_t *v = vectors; v < end; v += step) {
            const digits *const e_digits = (const digits *)(v + tables), *const z_digits = e_digits + LC_25519_E_WINDOWS;

            add_multiple(&w, e_digits[window], v);
            if (window < LC_25519_Z_WINDOWS)
                add_multiple(&w, z_digits[window], v + SUM_TABLE * row->lanes);
        }
        if (bit % LC_25519_B_BITS == 0)
            add_base_multiple(&w, b_digits[bit / LC_25519_B_BITS]);
    }
    add_lanes(&w);
    row->twice(w.x, 3);
    make_tight(&w, w.x);
    get_lane(&w, x, w.x, 0);
    return lc_words_are_zero(x, 4); /* see curve25519_body.h */
}

/* ---- Square roots, of two vectors at a time: squares of two take as long as those of one ---- */

static void multiply_two(const struct work *w, uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    multiply(w, r, a, b);
    multiply(w, r + w->fe, a + w->fe, b + w->fe);
}

/* r = a^(2^times) */
static void square_two(const struct work *w, uint64_t *r, const uint64_t *a, size_t times)
{
    if (r != a)
        memcpy(r, a, 2 * w->fe * sizeof(*a));
    w->row->sqr_two(r, times);
}

/* r = a^((p - 5) / 8) = a^(2^252 - 3) */
static void raise(const struct work *w, uint64_t *r, const uint64_t *a)
{
    _Alignas(64) uint64_t t[2 * FE], a11[2 * FE], ones[2 * FE], ones10[2 * FE], ones50[2 * FE]; /* onesN: a^(2^N - 1) */

    square_two(w, t, a, 1);
    square_two(w, ones, t, 2);
    multiply_two(w, ones, ones, a); /* 9 */
    multiply_two(w, a11, ones, t);
    square_two(w, t, a11, 1);
    multiply_two(w, ones, ones, t); /* 31: 5 ones */
    square_two(w, t, ones, 5);
    multiply_two(w, ones10, ones, t);
    square_two(w, t, ones10, 10);
    multiply_two(w, ones, ones10, t); /* 20 */
    square_two(w, t, ones, 20);
    multiply_two(w, t, ones, t); /* 40 */
    square_two(w, t, t, 10);
    multiply_two(w, ones50, ones10, t);
    square_two(w, t, ones50, 50);
    multiply_two(w, ones, ones50, t); /* 100 */
    square_two(w, t, ones, 100);
    multiply_two(w, t, ones, t); /* 200 */
    square_two(w, t, t, 50);
    multiply_two(w, t, ones50, t); /* 250 */
    square_two(w, t, t, 2);
    multiply_two(w, r, t, a);
}

/*
 * x^2 = u / v, u = y^2 - 1, v = d y^2 + 1.  If that is a square, then x = u v^3 (u v^7)^((p - 5) / 8), or that times a root of -1
 * (RFC 8032, 5.1.3).
 */
static void decompress_in_lanes(struct lc_25519_decompress *items, size_t num, const struct lc_25519_row *row)
{
    _Alignas(64) uint64_t memory[WORK], u[2 * FE], v[2 * FE], t[2 * FE], x[2 * FE], other_x[2 * FE];
    struct work w;

    set_work(&w, row, memory);
    put_all(&w, w.x, d);
    put_all(&w, w.y, root_of_minus_1);
    copy(&w, w.z, lanes_of(&w, &one));
    for (size_t half = 0; half < 2; half++)
        for (size_t lane = 0; lane < row->lanes; lane++)
            put_lane(&w, t + half * w.fe, lane, items[item_of(&w, half, lane, num)].y);
    square_two(&w, t, t, 1);
    for (size_t half = 0; half < 2 * w.fe; half += w.fe) {
        multiply(&w, v + half, t + half, w.x);
        row->sums(v + half, x + half, v + half, w.z);
        row->sums(x + half, u + half, t + half, w.z);
    }
    square_two(&w, t, v, 1);
    multiply_two(&w, t, t, v);
    multiply_two(&w, x, t, u); /* u v^3 */
    square_two(&w, t, t, 1);
    multiply_two(&w, t, t, v);
    multiply_two(&w, t, t, u); /* u v^7 */
    raise(&w, t, t);
    multiply_two(&w, x, x, t);
    for (size_t half = 0; half < 2 * w.fe; half += w.fe)
        multiply(&w, other_x + half, x + half, w.y);
    square_two(&w, t, x, 1);
    multiply_two(&w, t, t, v); /* u, -u, or another number if there is no x */
    for (size_t i = 0; i < num; i++) {
        static const uint64_t none[4];
        const size_t half = i / row->lanes * w.fe, lane = i % row->lanes;
        uint64_t u_words[4], minus_u[4], v_x2[4], words[4];

        get_lane(&w, u_words, u + half, lane);
        get_lane(&w, v_x2, t + half, lane);
        lc_mod_sub(minus_u, none, u_words, &lc_25519_p);
        items[i].right = lc_words_are_equal(v_x2, u_words, 4) | lc_words_are_equal(v_x2, minus_u, 4);
        get_lane(&w, words, (lc_words_are_equal(v_x2, u_words, 4) ? x : other_x) + half, lane);
        if (lc_words_are_zero(words, 4) && items[i].sign)
            items[i].right = 0;
        if ((words[0] & 1) != items[i].sign)
            lc_mod_sub(words, none, words, &lc_25519_p);
        if (items[i].right) {
            memcpy(items[i].result.x, words, sizeof(words));
            memcpy(items[i].result.y, items[i].y, sizeof(items[i].y));
        }
    }
}

/* ---- The rows ---- */

/* The row, or that of four lanes for what it's faster for */
static const struct lc_25519_row *fit(const struct lc_25519_row *row, size_t num)
{
    return row->four && lc_four_are_enough(num) ? row->four : row;
}

/* How many of num go together, up to `most`; if the second vector had fewer than `least`, they are done by themselves. */
static size_t part_of(const struct lc_25519_row *row, size_t num, size_t most, size_t least)
{
    if (num > row->lanes && num < row->lanes + least)
        return row->lanes;
    return num < most ? num : most;
}

/* Few take as long as all lanes, so they are done one after another by `of_few`: one alone; by AVX-IFMA two, too. */
#define ROW_FUNCTION(name, type, of_few, most, least_in_second)                                                                    \
    static void name##_by_row(struct lc_25519_##type *items, size_t num, const struct lc_25519_row *row)                           \
    {                                                                                                                              \
        row = fit(row, num);                                                                                                       \
        for (size_t part; num; items += part, num -= part) {                                                                       \
            part = part_of(row, num, most, least_in_second);                                                                       \
            if (part < row->least)                                                                                                 \
                of_few(items, part);                                                                                               \
            else                                                                                                                   \
                name##_in_lanes(items, part, row);                                                                                 \
        }                                                                                                                          \
    }
ROW_FUNCTION(dh, dh, row->dh_of_few, LC_25519_CHUNK, row->least)
ROW_FUNCTION(base, base, lc_25519_base_bmi2_avx2, LC_25519_CHUNK, row->least - 1)
ROW_FUNCTION(base_u, base, lc_25519_base_u_bmi2_avx2, LC_25519_CHUNK, row->least - 1)
ROW_FUNCTION(check, check, lc_25519_check_bmi2_avx2, LC_25519_CHUNK, row->least)
ROW_FUNCTION(decompress, decompress, lc_25519_decompress_bmi2_avx2, 2 * row->lanes, 1)

/* One term more than what is worth it elsewhere is faster one after another. */
static uint64_t sum_is_small_by_row(const struct lc_25519_term *terms, size_t num, const uint64_t b[4], void *memory,
                                    const struct lc_25519_row *row)
{
    if (num <= row->least)
        return lc_25519_sum_is_small_bmi2_avx2(terms, num, b, memory);
    return sum_is_small(terms, num, b, memory, fit(row, num)); /* four lanes take no more memory */
}

#define ROW(symbol)                                                                                                                \
    void lc_25519_dh_##symbol(struct lc_25519_dh *items, size_t num)                                                               \
    {                                                                                                                              \
        dh_by_row(items, num, &lc_25519_row_##symbol);                                                                             \
    }                                                                                                                              \
    void lc_25519_base_##symbol(struct lc_25519_base *items, size_t num)                                                           \
    {                                                                                                                              \
        base_by_row(items, num, &lc_25519_row_##symbol);                                                                           \
    }                                                                                                                              \
    void lc_25519_base_u_##symbol(struct lc_25519_base *items, size_t num)                                                         \
    {                                                                                                                              \
        base_u_by_row(items, num, &lc_25519_row_##symbol);                                                                         \
    }                                                                                                                              \
    void lc_25519_check_##symbol(struct lc_25519_check *items, size_t num)                                                         \
    {                                                                                                                              \
        check_by_row(items, num, &lc_25519_row_##symbol);                                                                          \
    }                                                                                                                              \
    void lc_25519_decompress_##symbol(struct lc_25519_decompress *items, size_t num)                                               \
    {                                                                                                                              \
        decompress_by_row(items, num, &lc_25519_row_##symbol);                                                                     \
    }                                                                                                                              \
    uint64_t lc_25519_sum_is_small_##symbol(const struct lc_25519_term *terms, size_t num, const uint64_t b[4], void *memory)      \
    {                                                                                                                              \
        return sum_is_small_by_row(terms, num, b, memory, &lc_25519_row_##symbol);                                                 \
    }                                                                                                                              \
    size_t lc_25519_sum_len_##symbol(size_t num)                                                                                   \
    {                                                                                                                              \
        return sum_len(num, &lc_25519_row_##symbol);                                                                               \
    }

LC_25519_FUNCTIONS(avx512ifma_512)
void lc_25519_ladder_avx512ifma_512_radix52(void *w); /* the same with other limbs in between */
LC_25519_FUNCTIONS(avx512ifma_256)
LC_25519_FUNCTIONS(avxifma)

const struct lc_25519_row lc_25519_row_avx512ifma_512 = {
    .four = &lc_25519_row_avx512ifma_256,
    .lanes = 8,
    .least = 2,
    .dh_of_few = lc_25519_dh_one_avx512ifma_256,
    .ladder = lc_25519_ladder_avx512ifma_512,
    LC_25519_OPS(avx512ifma_512),
};
const struct lc_25519_row lc_25519_row_avx512ifma_512_radix52 = {
    .four = &lc_25519_row_avx512ifma_256,
    .lanes = 8,
    .least = 2,
    .dh_of_few = lc_25519_dh_one_avx512ifma_256,
    .ladder = lc_25519_ladder_avx512ifma_512_radix52,
    LC_25519_OPS(avx512ifma_512),
};
const struct lc_25519_row lc_25519_row_avx512ifma_256 = {
    .lanes = 4,
    .least = 2,
    .dh_of_few = lc_25519_dh_one_avx512ifma_256,
    .ladder = lc_25519_ladder_avx512ifma_256,
    LC_25519_OPS(avx512ifma_256),
};
/*
 * For CPUs that have AVX-IFMA and no AVX-512.  Some of these do 256 bits in two steps, and there two operations would take about as
 * long as one after another (docs/publickey.md).
 */
const struct lc_25519_row lc_25519_row_avxifma = {
    .lanes = 4,
    .least = 3,
    .dh_of_few = lc_25519_dh_bmi2_avx2,
    .ladder = lc_25519_ladder_avxifma,
    LC_25519_OPS(avxifma),
};

ROW(avx512ifma_512)
ROW(avx512ifma_512_radix52)
ROW(avx512ifma_256)
ROW(avxifma)

_Static_assert((int)LC_25519_CHUNK == LANES, "a chunk is one vector of eight lanes, or two of four");
_Static_assert(LC_25519_ROOTS % (2 * LANES) == 0, "pairs of vectors");
_Static_assert(LC_25519_BASE_ENTRIES == 1 << (LC_25519_BITS - 1) && LC_25519_BITS * LC_25519_WINDOWS == 255, "digits");
_Static_assert(LC_25519_ENTRIES == (1 << (LC_25519_BITS - 1)) + 1, "tables have the multiples 0 .. 2^4");
_Static_assert(LC_25519_B_ENTRIES == (1 << (LC_25519_B_BITS - 1)) + 1 && LC_25519_B_BITS * LC_25519_B_WINDOWS == 256,
               "the same for B");
_Static_assert(LC_25519_SUM_ENTRIES == (1 << (LC_25519_SUM_BITS - 1)) + 1 && LC_25519_SUM_BITS * LC_25519_E_WINDOWS == 256,
               "the same for sums");
_Static_assert(WORK >= 13 * FE + 4 * LANES, "a ladder");
_Static_assert(LC_25519_ROW == 4 * 5, "an addend's limbs in one lane");
