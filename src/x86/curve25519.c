/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Curve25519 in the lanes of vectors, LC_LANES of them (x86/lanes.h): so many points at once.  The calculations with points are
 * x86/curve25519.S's; here is what is done with them.
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

/* What does so few shared secrets that lanes would take longer */
#ifndef LC_25519_DH_OF_FEW
#define LC_25519_DH_OF_FEW lc_25519_dh_one_avx512ifma_256
#endif

enum {
    VECTORS = LC_25519_CHUNK / LC_LANES, /* of a chunk: one or two */
    ROOTS = 2 * LC_LANES,                /* that are taken at a time */
    SUM_LEAST = LC_LANES_LEAST + 1,      /* terms that lanes are faster with than one after another */
};

/* ---- Numbers in lanes ---- */

#define NUMBER(a, b, c, d, e)                                                                                                      \
    {                                                                                                                              \
        {                                                                                                                          \
            LANES_OF(UINT64_C(a)), LANES_OF(UINT64_C(b)), LANES_OF(UINT64_C(c)), LANES_OF(UINT64_C(d)), LANES_OF(UINT64_C(e))      \
        }                                                                                                                          \
    }

#define MASK51 ((UINT64_C(1) << 51) - 1)

static const struct lc_25519_fe zero = NUMBER(0, 0, 0, 0, 0), one = NUMBER(1, 0, 0, 0, 0), two = NUMBER(2, 0, 0, 0, 0);
#define D NUMBER(0x34dca135978a3, 0x1a8283b156ebd, 0x5e7a26001c029, 0x739c663a03cbb, 0x52036cee2b6ff)
static const struct lc_25519_fe d_times_2 =
    NUMBER(0x69b9426b2f159, 0x35050762add7a, 0x3cf44c0038052, 0x6738cc7407977, 0x2406d9dc56dff);
#define ROOT_OF_MINUS_1 NUMBER(0x61b274a0ea0b0, 0x0d5a5fc8f189d, 0x7ef5e9cbd0c60, 0x78595a6804c9e, 0x2b8324804fc1d)
/* 1 / d */
static const struct lc_25519_fe one_by_d =
    NUMBER(0xf276cdc9f843, 0x3084f2a85c4bc, 0x6e73d982d775a, 0x721958b108a66, 0x40907ed214d5c);
/* 2^-512: see invert() */
static const struct lc_25519_fe from_montgomery =
    NUMBER(0x56deab9cb8602, 0x1104f6c7fa53, 0x595a0f99e2375, 0x518d1e7e3a264, 0x224e016b1490a);

static void multiply(struct lc_25519_fe *r, const struct lc_25519_fe *a, const struct lc_25519_fe *b)
{
    LC_IN_LANES(lc_25519_mul)(r, a, b);
}

static void add_and_subtract(struct lc_25519_fe *sum, struct lc_25519_fe *difference, const struct lc_25519_fe *a,
                             const struct lc_25519_fe *b)
{
    LC_IN_LANES(lc_25519_sums)(sum, difference, a, b);
}

static void make_tight(struct lc_25519_fe *r)
{
    struct lc_25519_fe sum;

    LC_IN_LANES(lc_25519_sums)(&sum, r, r, &zero);
}

/* x is below 2^255. */
static void put_lane(struct lc_25519_fe *r, size_t lane, const uint64_t x[4])
{
    r->limb[0][lane] = x[0] & MASK51;
    r->limb[1][lane] = (x[0] >> 51 | x[1] << 13) & MASK51;
    r->limb[2][lane] = (x[1] >> 38 | x[2] << 26) & MASK51;
    r->limb[3][lane] = (x[2] >> 25 | x[3] << 39) & MASK51;
    r->limb[4][lane] = x[3] >> 12;
}

/* a, tight, below p: it's below 2p, so (a + 19) / 2^255, rounded down, says how often p is in it, once or not at all. */
static void get_lane(uint64_t x[4], const struct lc_25519_fe *a, size_t lane)
{
    uint64_t l[5], carry = 19;

    for (int i = 0; i < 5; i++)
        carry = (a->limb[i][lane] + carry) >> 51;
    carry *= 19;
    for (int i = 0; i < 5; i++) {
        carry += a->limb[i][lane];
        l[i] = carry & MASK51;
        carry >>= 51;
    }
    x[0] = l[0] | l[1] << 51;
    x[1] = l[1] >> 13 | l[2] << 38;
    x[2] = l[2] >> 26 | l[3] << 25;
    x[3] = l[3] >> 39 | l[4] << 12;
}

/* All lanes, as above */
static void put_all(struct lc_25519_fe *r, const uint64_t x[4])
{
    put_lane(r, 0, x);
    for (int i = 0; i < 5; i++)
        for (size_t lane = 1; lane < LC_LANES; lane++)
            r->limb[i][lane] = r->limb[i][0];
}

/*
 * Each of num numbers, one or two, none of them 0 in any lane, becomes 1 / a.  The product of both and of all lanes, which each
 * lane has after an exchange for each time that lanes can be halved, is inverted, and multiplied by the product of the others.
 */
static void invert(struct lc_25519_fe *const a[VECTORS], size_t num)
{
    struct {
        struct lc_25519_fe product, others, t;
        uint64_t x[4];
    } w;
    const int has_second = VECTORS > 1 && num > 1;
    const struct lc_25519_fe *product = a[0];

    if (has_second) {
        multiply(&w.product, a[0], a[VECTORS - 1]);
        product = &w.product;
    }
    LC_IN_LANES(lc_25519_exchange)(&w.others, product, 1);
    multiply(&w.product, product, &w.others);
    for (size_t other = 2; other < LC_LANES; other *= 2) {
        LC_IN_LANES(lc_25519_exchange)(&w.t, &w.product, other);
        multiply(&w.product, &w.product, &w.t);
        multiply(&w.others, &w.others, &w.t);
    }
    multiply(&w.others, &w.others, &from_montgomery);
    get_lane(w.x, &w.product, 0);
    lc_mod_inverse(w.x, w.x, &lc_25519_p); /* it takes x for 2^256 times x / 2^256, so this is 2^512 / x */
    put_all(&w.t, w.x);
    if (has_second) {
        multiply(&w.t, &w.t, &w.others);
        multiply(&w.others, &w.t, a[0]);
        multiply(a[0], &w.t, a[VECTORS - 1]);
        *a[VECTORS - 1] = w.others;
    } else {
        multiply(a[0], &w.t, &w.others);
    }
    lc_wipe(&w, sizeof(w));
}

/* How many vectors num items take */
static size_t vectors_of(size_t num)
{
    return (num + LC_LANES - 1) / LC_LANES;
}

/* The item in a lane of vector n; lanes without one do the first one's work again. */
static size_t item_of(size_t n, size_t lane, size_t num)
{
    const size_t i = n * LC_LANES + lane;

    return i < num ? i : 0;
}

/* ---- Points ---- */

/* a += times p, in limbs all of which are large: what is subtracted limb by limb doesn't make them negative. */
static void add_bias(struct lc_25519_fe *a, uint64_t times)
{
    for (int i = 0; i < 5; i++)
        for (size_t lane = 0; lane < LC_LANES; lane++)
            a->limb[i][lane] += times * (MASK51 - (i ? 0 : 18));
}

/* The sum is the neutral point.  y and z have the bias that they have after a calculation. */
static void begin(struct lc_25519_lanes *w)
{
    w->x = w->t = zero;
    w->y = w->z = one;
    add_bias(&w->y, 304);
    add_bias(&w->z, 304);
}

/* The generator's multiplier: an odd number below 2^255, without its lowest bit.  (What a word has above 55 bits isn't used.) */
static void put_multiplier(struct lc_25519_lanes *w, size_t lane, const uint64_t k[4])
{
    const uint64_t even = lc_opaque((k[0] & 1) - 1);
    uint64_t borrow = 0, carry = 0, odd[4], below;

    for (int i = 0; i < 4; i++)
        odd[i] = lc_sub_borrow(k[i], lc_25519_l.m[i] & even, &borrow);
    below = lc_opaque(0 - borrow); /* only if k is even */
    for (int i = 0; i < 4; i++)
        odd[i] = lc_add_carry(odd[i], lc_25519_l.m[i] << 1 & below, &carry); /* 2 L: no word's highest bit is set */
    w->k[0][lane] = odd[0] >> 1;
    w->k[1][lane] = odd[0] >> 56 | odd[1] << 8;
    w->k[2][lane] = odd[1] >> 47 | odd[2] << 17;
    w->k[3][lane] = odd[2] >> 38 | odd[3] << 26;
    w->k[4][lane] = odd[3] >> 29;
    w->index[lane] = odd[3] >> 59;
}

/* The affine coordinates of num sums, which are in as many lanes as there are */
static void make_affine(struct lc_25519_lanes w[VECTORS], size_t num)
{
    struct lc_25519_fe *z[VECTORS] = { NULL };
    const size_t vectors = vectors_of(num);

    for (size_t n = 0; n < vectors; n++) {
        make_tight(&w[n].x);
        make_tight(&w[n].y);
        make_tight(&w[n].z);
        z[n] = &w[n].z;
    }
    invert(z, vectors);
    for (size_t n = 0; n < vectors; n++) {
        multiply(&w[n].x, &w[n].x, &w[n].z);
        multiply(&w[n].y, &w[n].y, &w[n].z);
    }
}

static void get_point(struct lc_25519_point *p, const struct lc_25519_lanes w[VECTORS], size_t item)
{
    get_lane(p->x, &w[item / LC_LANES].x, item % LC_LANES);
    get_lane(p->y, &w[item / LC_LANES].y, item % LC_LANES);
}

/* The sums are the multiples of the generator. */
static void multiply_base(struct lc_25519_lanes w[VECTORS], const struct lc_25519_base *items, size_t num)
{
    for (size_t n = 0; n < vectors_of(num); n++) {
        for (size_t lane = 0; lane < LC_LANES; lane++)
            put_multiplier(&w[n], lane, items[item_of(n, lane, num)].k);
        LC_IN_LANES(lc_25519_first)(&w[n], lc_25519_base_table[LC_25519_WINDOWS - 1]);
        multiply(&w[n].t, &w[n].addend.t, &one_by_d);
        LC_IN_LANES(lc_25519_comb)(&w[n], lc_25519_base_table, LC_25519_WINDOWS - 1);
    }
}

/* The addend is the sum, of which t is known. */
static void set_addend(struct lc_25519_addend *addend, struct lc_25519_lanes *w)
{
    add_and_subtract(&addend->plus, &addend->minus, &w->y, &w->x);
    add_and_subtract(&addend->z, &w->u[0], &w->z, &w->z);
    multiply(&addend->t, &w->t, &d_times_2);
}

static void put_rows(struct lc_25519_rows *rows, const struct lc_25519_addend *addend)
{
    LC_IN_LANES(lc_25519_rows)(rows->lane, addend);
}

void LC_IN_LANES(lc_25519_multiples)(struct lc_25519_rows *table, size_t num, struct lc_25519_lanes *w)
{
    static const struct lc_25519_addend neutral_addend = { NUMBER(1, 0, 0, 0, 0), NUMBER(1, 0, 0, 0, 0), NUMBER(0, 0, 0, 0, 0),
                                                           NUMBER(2, 0, 0, 0, 0) };
    struct lc_25519_addend addend;

    w->z = one;
    multiply(&w->t, &w->x, &w->y);
    put_rows(&table[0], &neutral_addend);
    set_addend(&w->addend, w);
    put_rows(&table[1], &w->addend);
    memset(w->negative, 0, sizeof(w->negative));
    /* As in begin(): y - x is made limb by limb, and x may have limbs that are more than p's. */
    add_bias(&w->y, 304);
    add_bias(&w->z, 304);
    for (size_t i = 2; i < num; i++) {
        LC_IN_LANES(lc_25519_add)(w);
        set_addend(&addend, w);
        put_rows(&table[i], &addend);
    }
}

/* Of each lane's digit, which is public: its size; and whether it is negative is put down. */
static size_t size_of_digit(struct lc_25519_lanes *w, size_t lane, int digit)
{
    w->negative[lane] = 0 - (uint64_t)(digit < 0);
    return (size_t)(digit < 0 ? -digit : digit);
}

/* The addend is each lane's own entry of its table. */
static void choose(struct lc_25519_lanes *w, const struct lc_25519_rows *table, const int8_t digits[LC_LANES])
{
    const uint64_t *rows[LC_LANES];

    for (size_t lane = 0; lane < LC_LANES; lane++)
        rows[lane] = table[size_of_digit(w, lane, digits[lane])].lane[lane].limb;
    LC_IN_LANES(lc_25519_take)(w, rows);
}

/* The addend is each lane's own multiple of the generator. */
static void choose_b(struct lc_25519_lanes *w, const int8_t digits[LC_LANES])
{
    const uint64_t *rows[LC_LANES];

    for (size_t lane = 0; lane < LC_LANES; lane++)
        rows[lane] = lc_25519_b_table[size_of_digit(w, lane, digits[lane])];
    LC_IN_LANES(lc_25519_take)(w, rows);
    w->addend.z = two;
}

/*
 * The digits of k, which is below 2^253, in one lane: each is a digit of k + h (1 + 2^bits + 2^(2 bits) + ..), less h, where h is
 * 2^(bits - 1).  all_h: that number, in as many digits as there are; the sum is below 2^256.
 */
static void set_digits(int8_t (*digits)[LC_LANES], int num, int bits, size_t lane, const uint64_t k[4], const uint64_t all_h[4])
{
    uint64_t sum[4], carry = 0;

    for (int i = 0; i < 4; i++)
        sum[i] = lc_add_carry(k[i], all_h[i], &carry);
    for (int i = 0; i < num; i++) {
        const int at = i * bits / 64, shift = i * bits % 64;
        uint64_t digit = sum[at] >> shift;

        if (shift > 64 - bits && at < 3)
            digit |= sum[at + 1] << (64 - shift);
        digits[i][lane] = (int8_t)((int)(digit & ((UINT64_C(1) << bits) - 1)) - (1 << (bits - 1)));
    }
}

static const uint64_t all_16[4] = { UINT64_C(0x0842108421084210), UINT64_C(0x1084210842108421), UINT64_C(0x2108421084210842),
                                    UINT64_C(0x4210842108421084) };
static const uint64_t all_128[4] = { UINT64_C(0x8080808080808080), UINT64_C(0x8080808080808080), UINT64_C(0x8080808080808080),
                                     UINT64_C(0x8080808080808080) };

/* ---- Multiples.  Two vectors share the inversion. ---- */

/* What is divided by: no zeros, and where there was one. */
struct divisors {
    struct lc_25519_fe *number[VECTORS];
    _Alignas(8 * LC_LANES) uint64_t used[VECTORS][LC_LANES]; /* -1; 0 where a number was 0 */
};

static void set_divisor(struct divisors *d, size_t n, struct lc_25519_fe *a)
{
    d->number[n] = a;
    LC_IN_LANES(lc_25519_replace_zeros)(a, d->used[n]);
}

/* A lane of a quotient, which is 0 if the divisor was */
static void get_quotient(uint64_t x[4], const struct lc_25519_fe *a, const struct divisors *d, size_t item)
{
    get_lane(x, a, item % LC_LANES);
    for (int i = 0; i < 4; i++)
        x[i] &= d->used[item / LC_LANES][item % LC_LANES];
}

static void dh_in_lanes(struct lc_25519_dh *items, size_t num)
{
    struct lc_25519_ladder w[VECTORS];
    struct divisors d = { .number = { NULL } };

    for (size_t n = 0; n < vectors_of(num); n++) {
        for (size_t lane = 0; lane < LC_LANES; lane++) {
            const struct lc_25519_dh *item = &items[item_of(n, lane, num)];
            uint64_t above = 0;

            put_lane(&w[n].x1, lane, item->u);
            for (int i = 3; i >= 0; i--) {
                w[n].bits[i][lane] = item->k[i] ^ (item->k[i] >> 1 | above << 63);
                above = item->k[i];
            }
            w[n].bits[3][lane] <<= 1;
        }
        w[n].x2 = one;
        w[n].z2 = zero;
        w[n].x3 = w[n].x1;
        add_bias(&w[n].x3, 1);
        w[n].z3 = one;
        LC_IN_LANES(lc_25519_ladder)(&w[n]);
        set_divisor(&d, n, &w[n].z2);
    }
    invert(d.number, vectors_of(num));
    for (size_t n = 0; n < vectors_of(num); n++)
        multiply(&w[n].x2, &w[n].x2, &w[n].z2);
    for (size_t i = 0; i < num; i++)
        get_quotient(items[i].result, &w[i / LC_LANES].x2, &d, i);
    lc_wipe(w, sizeof(w));
    lc_wipe_frame();
    LC_IN_LANES(lc_25519_clear)();
}

static void base_in_lanes(struct lc_25519_base *items, size_t num)
{
    struct lc_25519_lanes w[VECTORS];

    multiply_base(w, items, num);
    make_affine(w, num);
    for (size_t i = 0; i < num; i++)
        get_point(&items[i].result, w, i);
    lc_wipe(w, sizeof(w));
    lc_wipe_frame();
    LC_IN_LANES(lc_25519_clear)();
}

/* u = (1 + y) / (1 - y) = (Z + Y) / (Z - Y) */
static void base_u_in_lanes(struct lc_25519_base *items, size_t num)
{
    struct lc_25519_lanes w[VECTORS];
    struct divisors d = { .number = { NULL } };

    multiply_base(w, items, num);
    for (size_t n = 0; n < vectors_of(num); n++) {
        add_and_subtract(&w[n].u[0], &w[n].u[1], &w[n].z, &w[n].y);
        set_divisor(&d, n, &w[n].u[1]);
    }
    invert(d.number, vectors_of(num));
    for (size_t n = 0; n < vectors_of(num); n++)
        multiply(&w[n].u[0], &w[n].u[0], &w[n].u[1]);
    for (size_t i = 0; i < num; i++)
        get_quotient(items[i].u, &w[i / LC_LANES].u[0], &d, i);
    lc_wipe(w, sizeof(w));
    lc_wipe_frame();
    LC_IN_LANES(lc_25519_clear)();
}

/* The sum is that of vector n. */
static void sum_two_multiples(struct lc_25519_lanes *w, const struct lc_25519_check *items, size_t n, size_t num)
{
    struct lc_25519_rows table[LC_25519_ENTRIES];
    int8_t a_digits[LC_25519_WINDOWS][LC_LANES], b_digits[LC_25519_B_WINDOWS][LC_LANES];
    size_t doublings = 0;

    for (size_t lane = 0; lane < LC_LANES; lane++) {
        const struct lc_25519_check *item = &items[item_of(n, lane, num)];

        put_lane(&w->x, lane, item->a->x);
        put_lane(&w->y, lane, item->a->y);
        set_digits(a_digits, LC_25519_WINDOWS, LC_25519_BITS, lane, item->k, all_16);
        set_digits(b_digits, LC_25519_B_WINDOWS, LC_25519_B_BITS, lane, item->s, all_128);
    }
    add_and_subtract(&w->u[0], &w->x, &zero, &w->x); /* -A */
    LC_IN_LANES(lc_25519_multiples)(table, LC_25519_ENTRIES, w);
    begin(w);
    choose(w, table, a_digits[LC_25519_WINDOWS - 1]);
    LC_IN_LANES(lc_25519_add)(w);
    for (int bit = LC_25519_BITS * (LC_25519_WINDOWS - 1) - 1; bit >= 0; bit--) {
        doublings++;
        if (bit % LC_25519_BITS != 0 && bit % LC_25519_B_BITS != 0)
            continue;
        LC_IN_LANES(lc_25519_double)(w, doublings);
        doublings = 0;
        if (bit % LC_25519_BITS == 0) {
            choose(w, table, a_digits[bit / LC_25519_BITS]);
            LC_IN_LANES(lc_25519_add)(w);
        }
        if (bit % LC_25519_B_BITS == 0) {
            choose_b(w, b_digits[bit / LC_25519_B_BITS]);
            LC_IN_LANES(lc_25519_add)(w);
        }
    }
}

static void check_in_lanes(struct lc_25519_check *items, size_t num)
{
    struct lc_25519_lanes w[VECTORS];

    for (size_t n = 0; n < vectors_of(num); n++)
        sum_two_multiples(&w[n], items, n, num);
    make_affine(w, num);
    for (size_t i = 0; i < num; i++)
        get_point(&items[i].result, w, i);
}

/* ---- Sums: each lane has a share of the terms ---- */

struct sum_vector {
    struct lc_25519_rows a[LC_25519_SUM_ENTRIES], r[LC_25519_SUM_ENTRIES];
    int8_t e[LC_25519_E_WINDOWS][LC_LANES], z[LC_25519_Z_WINDOWS][LC_LANES];
};

size_t LC_IN_LANES(lc_25519_sum_len)(size_t num)
{
    const size_t len = vectors_of(num) * sizeof(struct sum_vector);
    const size_t one_by_one = num < SUM_LEAST ? lc_25519_sum_len_bmi2_avx2(num) : 0;

    return len > one_by_one ? len : one_by_one;
}

/* Tables and digits of a vector of terms.  Lanes without one have 0 times the neutral point. */
static void put_terms(struct sum_vector *v, struct lc_25519_lanes *w, const struct lc_25519_term *terms, size_t num)
{
    static const uint64_t all_8[4] = { UINT64_C(0x8888888888888888), UINT64_C(0x8888888888888888), UINT64_C(0x8888888888888888),
                                       UINT64_C(0x8888888888888888) };
    static const uint64_t all_8_of_z[4] = { UINT64_C(0x8888888888888888), UINT64_C(0x8888888888888888), 8, 0 };
    static const struct lc_25519_point no_point = { { 0 }, { 1 } };
    static const struct lc_25519_term none = { .a = &no_point, .r = { { 0 }, { 1 } } };

    for (size_t lane = 0; lane < LC_LANES; lane++) {
        const struct lc_25519_term *term = lane < num ? &terms[lane] : &none;

        put_lane(&w->x, lane, term->a->x);
        put_lane(&w->y, lane, term->a->y);
        set_digits(v->e, LC_25519_E_WINDOWS, LC_25519_SUM_BITS, lane, term->e, all_8);
        set_digits(v->z, LC_25519_Z_WINDOWS, LC_25519_SUM_BITS, lane, term->z, all_8_of_z);
    }
    LC_IN_LANES(lc_25519_multiples)(v->a, LC_25519_SUM_ENTRIES, w);
    for (size_t lane = 0; lane < LC_LANES; lane++) {
        const struct lc_25519_term *term = lane < num ? &terms[lane] : &none;

        put_lane(&w->x, lane, term->r.x);
        put_lane(&w->y, lane, term->r.y);
    }
    LC_IN_LANES(lc_25519_multiples)(v->r, LC_25519_SUM_ENTRIES, w);
}

/* Each lane's sum becomes that of all lanes. */
static void add_lanes(struct lc_25519_lanes *w)
{
    struct lc_25519_addend addend;

    memset(w->negative, 0, sizeof(w->negative));
    for (size_t other = 1; other < LC_LANES; other *= 2) {
        set_addend(&addend, w);
        LC_IN_LANES(lc_25519_exchange)(&w->addend.plus, &addend.plus, other);
        LC_IN_LANES(lc_25519_exchange)(&w->addend.minus, &addend.minus, other);
        LC_IN_LANES(lc_25519_exchange)(&w->addend.t, &addend.t, other);
        LC_IN_LANES(lc_25519_exchange)(&w->addend.z, &addend.z, other);
        LC_IN_LANES(lc_25519_add)(w);
    }
}

/* The sum also has L - b times the generator, -b B, in one of the lanes. */
uint64_t LC_IN_LANES(lc_25519_sum_is_small)(const struct lc_25519_term *terms, size_t num, const uint64_t b[4], void *memory)
{
    struct sum_vector *const vectors = memory, *const end = vectors + vectors_of(num);
    struct lc_25519_lanes w;
    int8_t b_digits[LC_25519_B_WINDOWS][LC_LANES] = { { 0 } };
    uint64_t x[4];
    size_t done = 0;

    if (num < SUM_LEAST)
        return lc_25519_sum_is_small_bmi2_avx2(terms, num, b, memory);
    if (lc_fit_in_four(num))
        return lc_25519_sum_is_small_avx512ifma_256(terms, num, b, memory); /* which takes no more memory */
    for (struct sum_vector *v = vectors; v < end; v++, done += LC_LANES)
        put_terms(v, &w, terms + done, num - done);
    lc_mod_sub(x, lc_25519_l.m, b, &lc_25519_l);
    set_digits(b_digits, LC_25519_B_WINDOWS, LC_25519_B_BITS, 0, x, all_128);

    begin(&w);
    for (int window = LC_25519_E_WINDOWS - 1; window >= 0; window--) {
        const int bit = window * LC_25519_SUM_BITS;

        if (window < LC_25519_E_WINDOWS - 1)
            LC_IN_LANES(lc_25519_double)(&w, LC_25519_SUM_BITS);
        for (const struct sum_vector *v = vectors; v < end; v++) {
            choose(&w, v->a, v->e[window]);
            LC_IN_LANES(lc_25519_add)(&w);
            if (window < LC_25519_Z_WINDOWS) {
                choose(&w, v->r, v->z[window]);
                LC_IN_LANES(lc_25519_add)(&w);
            }
        }
        if (bit % LC_25519_B_BITS == 0) {
            choose_b(&w, b_digits[bit / LC_25519_B_BITS]);
            LC_IN_LANES(lc_25519_add)(&w);
        }
    }
    add_lanes(&w);
    LC_IN_LANES(lc_25519_double)(&w, 3);
    make_tight(&w.x);
    get_lane(x, &w.x, 0);
    return lc_256_is_zero(x); /* see curve25519_body.h */
}

/* ---- Square roots, of two vectors at a time: squares of two take as long as those of one ---- */

struct two {
    struct lc_25519_fe half[2];
};

static void multiply_two(struct two *r, const struct two *a, const struct two *b)
{
    multiply(&r->half[0], &a->half[0], &b->half[0]);
    multiply(&r->half[1], &a->half[1], &b->half[1]);
}

/* r = a^(2^times) */
static void square_two(struct two *r, const struct two *a, size_t times)
{
    if (r != a)
        *r = *a;
    LC_IN_LANES(lc_25519_sqr_two)(r->half, times);
}

/* r = a^((p - 5) / 8) = a^(2^252 - 3) */
static void raise(struct two *r, const struct two *a)
{
    struct two t, a11, ones, ones10, ones50; /* onesN: a^(2^N - 1) */

    square_two(&t, a, 1);
    square_two(&ones, &t, 2);
    multiply_two(&ones, &ones, a); /* 9 */
    multiply_two(&a11, &ones, &t);
    square_two(&t, &a11, 1);
    multiply_two(&ones, &ones, &t); /* 31: 5 ones */
    square_two(&t, &ones, 5);
    multiply_two(&ones10, &ones, &t);
    square_two(&t, &ones10, 10);
    multiply_two(&ones, &ones10, &t); /* 20 */
    square_two(&t, &ones, 20);
    multiply_two(&t, &ones, &t); /* 40 */
    square_two(&t, &t, 10);
    multiply_two(&ones50, &ones10, &t);
    square_two(&t, &ones50, 50);
    multiply_two(&ones, &ones50, &t); /* 100 */
    square_two(&t, &ones, 100);
    multiply_two(&t, &ones, &t); /* 200 */
    square_two(&t, &t, 50);
    multiply_two(&t, &ones50, &t); /* 250 */
    square_two(&t, &t, 2);
    multiply_two(r, &t, a);
}

/*
 * x^2 = u / v, u = y^2 - 1, v = d y^2 + 1.  If that is a square, then x = u v^3 (u v^7)^((p - 5) / 8), or that times a root of -1
 * (RFC 8032, 5.1.3).
 */
static void decompress_in_lanes(struct lc_25519_decompress *items, size_t num)
{
    static const struct two ds = { { D, D } }, roots_of_minus_1 = { { ROOT_OF_MINUS_1, ROOT_OF_MINUS_1 } };
    struct two u, v, t, x, other_x;

    for (size_t half = 0; half < 2; half++)
        for (size_t lane = 0; lane < LC_LANES; lane++)
            put_lane(&t.half[half], lane, items[item_of(half, lane, num)].y);
    square_two(&t, &t, 1);
    multiply_two(&v, &t, &ds);
    for (int half = 0; half < 2; half++) {
        add_and_subtract(&v.half[half], &x.half[half], &v.half[half], &one);
        add_and_subtract(&x.half[half], &u.half[half], &t.half[half], &one);
    }
    square_two(&t, &v, 1);
    multiply_two(&t, &t, &v);
    multiply_two(&x, &t, &u); /* u v^3 */
    square_two(&t, &t, 1);
    multiply_two(&t, &t, &v);
    multiply_two(&t, &t, &u); /* u v^7 */
    raise(&t, &t);
    multiply_two(&x, &x, &t);
    multiply_two(&other_x, &x, &roots_of_minus_1);
    square_two(&t, &x, 1);
    multiply_two(&t, &t, &v); /* u, -u, or another number if there is no x */
    for (size_t i = 0; i < num; i++) {
        static const uint64_t none[4];
        const size_t half = i / LC_LANES, lane = i % LC_LANES;
        uint64_t u_words[4], minus_u[4], v_x2[4], words[4];

        get_lane(u_words, &u.half[half], lane);
        get_lane(v_x2, &t.half[half], lane);
        lc_mod_sub(minus_u, none, u_words, &lc_25519_p);
        items[i].right = lc_256_equal(v_x2, u_words) | lc_256_equal(v_x2, minus_u);
        get_lane(words, lc_256_equal(v_x2, u_words) ? &x.half[half] : &other_x.half[half], lane);
        if (lc_256_is_zero(words) && items[i].sign)
            items[i].right = 0;
        if ((words[0] & 1) != items[i].sign)
            lc_mod_sub(words, none, words, &lc_25519_p);
        if (items[i].right) {
            memcpy(items[i].result.x, words, sizeof(words));
            memcpy(items[i].result.y, items[i].y, sizeof(items[i].y));
        }
    }
}

/* ---- The row ---- */

/* How many of num go together, up to `most`; if the second vector had fewer than `least`, they are done by themselves. */
static size_t part_of(size_t num, size_t most, size_t least)
{
    if (num > LC_LANES && num < LC_LANES + least)
        return LC_LANES;
    return num < most ? num : most;
}

/* Few take as long as all lanes, so they are done one after another by `of_few`: one alone; by AVX-IFMA two, too. */
#define ROW_FUNCTION(name, type, of_few, most, least)                                                                              \
    void LC_IN_LANES(lc_25519_##name)(struct lc_25519_##type * items, size_t num)                                                  \
    {                                                                                                                              \
        if (lc_fit_in_four(num)) {                                                                                                 \
            lc_25519_##name##_avx512ifma_256(items, num);                                                                          \
            return;                                                                                                                \
        }                                                                                                                          \
        for (size_t part; num; items += part, num -= part) {                                                                       \
            part = part_of(num, most, least);                                                                                      \
            if (part < LC_LANES_LEAST)                                                                                             \
                of_few(items, part);                                                                                               \
            else                                                                                                                   \
                name##_in_lanes(items, part);                                                                                      \
        }                                                                                                                          \
    }
ROW_FUNCTION(dh, dh, LC_25519_DH_OF_FEW, LC_25519_CHUNK, LC_LANES_LEAST)
ROW_FUNCTION(base, base, lc_25519_base_bmi2_avx2, LC_25519_CHUNK, LC_LANES_LEAST - 1)
ROW_FUNCTION(base_u, base, lc_25519_base_u_bmi2_avx2, LC_25519_CHUNK, LC_LANES_LEAST - 1)
ROW_FUNCTION(check, check, lc_25519_check_bmi2_avx2, LC_25519_CHUNK, LC_LANES_LEAST)
ROW_FUNCTION(decompress, decompress, lc_25519_decompress_bmi2_avx2, ROOTS, 1)

#define AT(n) ((n) * sizeof(struct lc_25519_fe))
_Static_assert(VECTORS *LC_LANES == LC_25519_CHUNK && (VECTORS == 1 || VECTORS == 2), "a chunk is one or two vectors");
_Static_assert(LC_25519_ROOTS % ROOTS == 0, "pairs of vectors");
_Static_assert(LC_25519_BASE_ENTRIES == 1 << (LC_25519_BITS - 1) && LC_25519_BITS * LC_25519_WINDOWS == 255, "digits");
_Static_assert(LC_25519_ENTRIES == (1 << (LC_25519_BITS - 1)) + 1, "tables have the multiples 0 .. 2^4");
_Static_assert(LC_25519_B_ENTRIES == (1 << (LC_25519_B_BITS - 1)) + 1 && LC_25519_B_BITS * LC_25519_B_WINDOWS == 256,
               "the same for B");
_Static_assert(LC_25519_SUM_ENTRIES == (1 << (LC_25519_SUM_BITS - 1)) + 1 && LC_25519_SUM_BITS * LC_25519_E_WINDOWS == 256,
               "the same for sums");
_Static_assert(_Alignof(struct sum_vector) <= LC_25519_ALIGN, "memory of sums");
_Static_assert(sizeof(struct lc_25519_fe) == 5 * 8 * LC_LANES, "FE");
_Static_assert(sizeof(struct lc_25519_row) == 160, "ROW");
_Static_assert(sizeof(struct lc_25519_addend) == LC_LANES * sizeof(struct lc_25519_row), "all limbs");
_Static_assert(offsetof(struct lc_25519_ladder, x1) == 0 && offsetof(struct lc_25519_ladder, x2) == AT(1), "X1, X2");
_Static_assert(offsetof(struct lc_25519_ladder, z2) == AT(2) && offsetof(struct lc_25519_ladder, x3) == AT(3), "Z2, X3");
_Static_assert(offsetof(struct lc_25519_ladder, z3) == AT(4) && offsetof(struct lc_25519_ladder, t) == AT(5), "Z3, TA");
_Static_assert(offsetof(struct lc_25519_ladder, bits) == AT(13), "BITS");
_Static_assert(offsetof(struct lc_25519_lanes, x) == 0 && offsetof(struct lc_25519_lanes, y) == AT(1), "PX, PY");
_Static_assert(offsetof(struct lc_25519_lanes, z) == AT(2) && offsetof(struct lc_25519_lanes, t) == AT(3), "PZ, PT");
_Static_assert(offsetof(struct lc_25519_lanes, addend.plus) == AT(4) && offsetof(struct lc_25519_lanes, addend.minus) == AT(5) &&
                   offsetof(struct lc_25519_lanes, addend.t) == AT(6) && offsetof(struct lc_25519_lanes, addend.z) == AT(7),
               "E_PLUS, E_MINUS, E_T, E_Z");
_Static_assert(offsetof(struct lc_25519_lanes, u) == AT(8) && offsetof(struct lc_25519_lanes, negative) == AT(11), "U0, NEGATIVE");
_Static_assert(offsetof(struct lc_25519_lanes, k) == AT(11) + 8 * LC_LANES, "K");
_Static_assert(offsetof(struct lc_25519_lanes, index) == AT(11) + 6 * 8 * LC_LANES, "ENTRY_INDEX");
