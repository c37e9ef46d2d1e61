/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Curve25519, one operation after another: a row, made of the numbers and formulas of the file that includes this.  That defines
 *
 *      ROW(name)                               what the row's functions are called
 *      struct fe, FE(w0, w1, w2, w3)           a number modulo p, and a constant of four 64-bit words
 *      fe_add(), fe_sub(), fe_mul()            of what fe_mul() gives; fe_mul() takes their results.  r may be a.
 *      fe_sqr(r, a, times)                     a^(2^times)
 *      fe_from_words(), fe_to_words()          from below 2^256; what fe_mul() gives, to below p
 *      ladder()                                the fraction x / z = u of k times a point of Montgomery's curve
 *      struct point, struct addend             x, y, z, t, and what else it needs; plus, minus, dxy2, z2
 *      double_point(p, times)                  t is written, not read
 *      add_point(p, q, with_t), add_affine()   the second one adds what has no z2; t is read, and written if with_t
 *      read_comb()                             the entry of a comb's signs, all of the comb being read
 *
 * -- X25519 ---------------------------------------------------------------------------------------------------------------------
 *
 * Montgomery's ladder (RFC 7748, 5): of (n P, (n + 1) P) it makes (2n P, (2n + 1) P) or ((2n + 1) P, (2n + 2) P).
 *
 * -- Points of Edwards' curve ---------------------------------------------------------------------------------------------------
 *
 * (X : Y : Z : T), x = X / Z, y = Y / Z, x y = T / Z (Hisil, Wong, Carter and Dawson, "Twisted Edwards curves revisited", 2008).
 * One formula adds any two points, since d isn't a square: Z is never 0.  What is added is held as y + x, y - x, 2 d x y, and 2 z
 * if z isn't 1.
 *
 * -- Multiples of the generator -------------------------------------------------------------------------------------------------
 *
 * k is below 2^255.  If it is even, L is added; that changes nothing, as L B is neutral.  An odd number below 2^260 is a sum of all
 * powers of 2 up to 2^259, each of them added or subtracted: the signs are the bits of (k + 2^260 - 1) / 2 = k / 2 rounded down,
 * plus 2^259, where 1 stands for +.  So there is always something to add, and nothing of it is neutral.
 *
 * The 260 signs are read by 4 combs of 5 teeth.  Comb c has, after j doublings are left to be done, the signs at
 *
 *      52 tooth + 13 c + j,    tooth 0 .. 4
 *
 * and the table has, for each comb, all sums +-2^(13 c) +-2^(13 c + 52) .. + 2^(13 c + 208) of B; if the highest tooth is negative,
 * all signs are turned, and the entry is.  That is 52 additions and 12 doublings with a table of 6 KB, which is read as a whole
 * for each.  Windows of 4 bits with 24 KB have 64 additions and 4 doublings: no faster.
 *
 * -- Checks ---------------------------------------------------------------------------------------------------------------------
 *
 * s B - k A with one chain of doublings, by signed digits that are odd or 0, of 7 bits for B and of 5 for A.  All of it is public.
 * Sums of many multiples are made in the same way.
 */
#include "curve25519.h"
#include "curve25519_table.h"

static const struct fe one = FE(1, 0, 0, 0);
static const struct fe d1 = FE(0x75eb4dca135978a3, 0x00700a4d4141d8ab, 0x8cc740797779e898, 0x52036cee2b6ffe73); /* d */
static const struct fe d2 = FE(0xebd69b9426b2f159, 0x00e0149a8283b156, 0x198e80f2eef3d130, 0x2406d9dc56dffce7); /* 2 d */
static const struct fe root_of_minus_one = FE(0xc4ee1b274a0ea0b0, 0x2f431806ad2fe478, 0x2b4d00993dfbd7a7, 0x2b8324804fc1df0b);
static const struct point neutral = { .y = FE(1, 0, 0, 0), .z = FE(1, 0, 0, 0) };

/* a = 1 / a for num numbers below p, none of them 0.  The inverse in Montgomery's form is R^2 / a. */
static void invert(uint64_t (*a)[4], uint64_t (*scratch)[4], size_t num)
{
    lc_mod_inverse_many(a[0], scratch[0], num, &lc_25519_p, NULL, NULL);
    for (size_t i = 0; i < num; i++) {
        lc_mod_from_montgomery(a[i], a[i], &lc_25519_p);
        lc_mod_from_montgomery(a[i], a[i], &lc_25519_p);
    }
}

/* ---- X25519 ---- */

/* A chunk of fractions x / z: each z becomes an inverse, the last one is in z. */
struct fractions {
    struct fe x[LC_25519_CHUNK], z;
    uint64_t inverses[LC_25519_CHUNK][4], scratch[LC_25519_CHUNK][4], zero[LC_25519_CHUNK];
};

/* z is that of item i. */
static void put_divisor(struct fractions *w, size_t i)
{
    fe_to_words(w->inverses[i], &w->z);
    w->zero[i] = lc_words_are_zero(w->inverses[i], 4);
    lc_256_move_if(w->inverses[i], lc_25519_p.one, w->zero[i]);
}

/* x / z of item i, and 0 if z is */
static void get_quotient(struct fractions *w, uint64_t r[4], size_t i)
{
    fe_from_words(&w->z, w->inverses[i]);
    fe_mul(&w->z, &w->z, &w->x[i]);
    fe_to_words(r, &w->z);
    for (int j = 0; j < 4; j++)
        r[j] &= ~w->zero[i];
}

void ROW(dh)(struct lc_25519_dh *items, size_t num)
{
    struct {
        struct fractions f;
        struct fe u;
    } w;

    for (size_t i = 0; i < num; i++) {
        fe_from_words(&w.u, items[i].u);
        ladder(&w.f.x[i], &w.f.z, items[i].k, &w.u);
        put_divisor(&w.f, i);
    }
    invert(w.f.inverses, w.f.scratch, num);
    for (size_t i = 0; i < num; i++)
        get_quotient(&w.f, items[i].result, i);
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
}

/* ---- Points ---- */

static void make_addend(struct addend *q, const struct point *p)
{
    fe_add(&q->plus, &p->y, &p->x);
    fe_sub(&q->minus, &p->y, &p->x);
    fe_add(&q->z2, &p->z, &p->z);
    fe_mul(&q->dxy2, &p->t, &d2);
}

static void from_affine(struct point *p, const struct lc_25519_point *a)
{
    fe_from_words(&p->x, a->x);
    fe_from_words(&p->y, a->y);
    p->z = one;
    fe_mul(&p->t, &p->x, &p->y);
}

/* r = p, affine, with the inverse of z.  p is overwritten. */
static void get_affine(struct lc_25519_point *r, struct point *p, const uint64_t inverse[4])
{
    fe_from_words(&p->z, inverse);
    fe_mul(&p->x, &p->x, &p->z);
    fe_mul(&p->y, &p->y, &p->z);
    fe_to_words(r->x, &p->x);
    fe_to_words(r->y, &p->y);
}

/* ---- Multiples of the generator ---- */

static void multiply_base(struct point *p, const uint64_t k[4])
{
    enum { TOOTH = LC_25519_SPACE * LC_25519_COMBS }; /* bits from tooth to tooth */
    struct {
        uint64_t odd[4], teeth[LC_25519_TEETH], carry;
        struct addend q;
    } w;
    uint64_t even = lc_opaque((k[0] & 1) - 1);

    w.carry = 0;
    for (int i = 0; i < 4; i++)
        w.odd[i] = lc_add_carry(k[i], lc_25519_l.m[i] & even, &w.carry);
    LC_UNROLL
    for (int tooth = 0; tooth < LC_25519_TEETH; tooth++) { /* without the lowest bit, and with 2^259 */
        const int at = (TOOTH * tooth + 1) / 64, shift = (TOOTH * tooth + 1) % 64;

        w.teeth[tooth] = w.odd[at] >> shift;
        if (at < 3)
            w.teeth[tooth] |= w.odd[at + 1] << (64 - shift);
    }
    w.teeth[LC_25519_TEETH - 1] |= UINT64_C(1) << (TOOTH - 1);

    *p = neutral;
    for (int j = LC_25519_SPACE - 1; j >= 0; j--) {
        if (j < LC_25519_SPACE - 1)
            double_point(p, 1);
        for (int comb = 0; comb < LC_25519_COMBS; comb++) {
            uint64_t signs = 0;

            LC_UNROLL
            for (int tooth = 0; tooth < LC_25519_TEETH; tooth++)
                signs |= (w.teeth[tooth] >> (LC_25519_SPACE * comb + j) & 1) << tooth;
            read_comb(&w.q, lc_25519_comb_table[comb], signs);
            add_affine(p, &w.q, comb < LC_25519_COMBS - 1);
        }
    }
    lc_wipe(&w, sizeof(w));
}

void ROW(base)(struct lc_25519_base *items, size_t num)
{
    struct {
        struct point p[LC_25519_CHUNK];
        uint64_t inverses[LC_25519_CHUNK][4], scratch[LC_25519_CHUNK][4];
    } w;

    for (size_t i = 0; i < num; i++) {
        multiply_base(&w.p[i], items[i].k);
        fe_to_words(w.inverses[i], &w.p[i].z);
    }
    invert(w.inverses, w.scratch, num);
    for (size_t i = 0; i < num; i++)
        get_affine(&items[i].result, &w.p[i], w.inverses[i]);
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
}

/* u = (z + y) / (z - y).  That is 0 / 0 for no k of an X25519 key, none of which is a multiple of L; for others u is 0. */
void ROW(base_u)(struct lc_25519_base *items, size_t num)
{
    struct {
        struct fractions f;
        struct point p;
    } w;

    for (size_t i = 0; i < num; i++) {
        multiply_base(&w.p, items[i].k);
        fe_add(&w.f.x[i], &w.p.z, &w.p.y);
        fe_sub(&w.f.z, &w.p.z, &w.p.y);
        fe_mul(&w.f.z, &w.f.z, &one);
        put_divisor(&w.f, i);
    }
    invert(w.f.inverses, w.f.scratch, num);
    for (size_t i = 0; i < num; i++)
        get_quotient(&w.f, items[i].u, i);
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
}

/* ---- Checks ---- */

enum { A_WINDOW = 5, A_ENTRIES = 1 << (A_WINDOW - 2), DIGITS = 254 };

/* k < 2^253 as digits that are 0 or odd, above -2^(window - 1) and below it, any two of them at least `window` apart */
static void signed_digits(int8_t digits[DIGITS], const uint64_t k[4], int window)
{
    uint64_t carry = 0;
    int bit = 0;

    memset(digits, 0, DIGITS);
    while (bit < DIGITS) {
        uint64_t bits = k[bit / 64] >> (bit % 64);

        if (bit % 64 > 64 - window && bit / 64 < 3)
            bits |= k[bit / 64 + 1] << (64 - bit % 64);
        bits = (bits & ((1u << window) - 1)) + carry;
        if (bits & 1) {
            carry = bits >> (window - 1);
            digits[bit] = (int8_t)((int64_t)bits - (int64_t)(carry << window));
            bit += window;
        } else {
            bit++;
        }
    }
}

static void set_negative(struct addend *q)
{
    static const struct fe zero = FE(0, 0, 0, 0);
    const struct fe plus = q->plus;

    q->plus = q->minus;
    q->minus = plus;
    fe_sub(&q->dxy2, &zero, &q->dxy2);
}

/* A, 3 A, 5 A, .. */
static void odd_multiples(struct addend odd[A_ENTRIES], const struct lc_25519_point *a)
{
    struct addend twice_a;
    struct point p;

    from_affine(&p, a);
    make_addend(&odd[0], &p);
    double_point(&p, 1);
    make_addend(&twice_a, &p);
    p = neutral;
    add_point(&p, &odd[0], 1);
    for (int i = 1; i < A_ENTRIES; i++) {
        add_point(&p, &twice_a, 1);
        make_addend(&odd[i], &p);
    }
}

/* sum += digit A, or -digit A, of its odd multiples; t is read. */
static void add_multiple(struct point *sum, const struct addend odd[A_ENTRIES], int digit, int negative, int with_t)
{
    struct addend q = odd[(digit < 0 ? -digit : digit) / 2];

    if ((digit < 0) != negative)
        set_negative(&q);
    add_point(sum, &q, with_t);
}

static void check(struct point *sum, const struct lc_25519_check *item)
{
    int8_t s[DIGITS], k[DIGITS];
    struct addend odd[A_ENTRIES], q;
    size_t doublings = 0;

    signed_digits(s, item->s, LC_25519_B_WINDOW);
    signed_digits(k, item->k, A_WINDOW);
    odd_multiples(odd, item->a);
    *sum = neutral;
    for (int bit = DIGITS - 1; bit >= 0; bit--, doublings++) {
        if ((s[bit] || k[bit]) && doublings) {
            double_point(sum, doublings);
            doublings = 0;
        }
        if (k[bit])
            add_multiple(sum, odd, k[bit], 1, s[bit] != 0);
        if (s[bit]) {
            from_entry(&q, &lc_25519_odd_table[(s[bit] < 0 ? -s[bit] : s[bit]) / 2]);
            if (s[bit] < 0)
                set_negative(&q);
            add_affine(sum, &q, 0);
        }
    }
    if (doublings > 1)
        double_point(sum, doublings - 1);
}

void ROW(check)(struct lc_25519_check *items, size_t num)
{
    struct point sums[LC_25519_CHUNK];
    uint64_t inverses[LC_25519_CHUNK][4], scratch[LC_25519_CHUNK][4];

    for (size_t i = 0; i < num; i++) {
        check(&sums[i], &items[i]);
        fe_to_words(inverses[i], &sums[i].z);
    }
    invert(inverses, scratch, num);
    for (size_t i = 0; i < num; i++)
        get_affine(&items[i].result, &sums[i], inverses[i]);
}

/* ---- Sums ---- */

struct summand {
    struct addend odd[2][A_ENTRIES]; /* of A, of R */
    int8_t digits[2][DIGITS];
};

size_t ROW(sum_len)(size_t num)
{
    return num * sizeof(struct summand);
}

/* 8 times a point has an odd order, and the only such point whose x is 0 is the neutral one: the other, (0, -1), has order 2. */
uint64_t ROW(sum_is_small)(const struct lc_25519_term *terms, size_t num, const uint64_t b[4], void *memory)
{
    struct summand *summands = memory;
    struct lc_25519_base base;
    struct point sum = neutral, p;
    struct addend q;
    uint64_t x[4];
    size_t doublings = 0;

    for (size_t i = 0; i < num; i++) {
        odd_multiples(summands[i].odd[0], terms[i].a);
        odd_multiples(summands[i].odd[1], &terms[i].r);
        signed_digits(summands[i].digits[0], terms[i].e, A_WINDOW);
        signed_digits(summands[i].digits[1], terms[i].z, A_WINDOW);
    }
    for (int bit = DIGITS - 1; bit >= 0; bit--, doublings++)
        for (size_t i = 0; i < 2 * num; i++) {
            const struct summand *summand = &summands[i / 2];
            int digit = summand->digits[i % 2][bit];

            if (digit && doublings) {
                double_point(&sum, doublings);
                doublings = 0;
            }
            if (digit)
                add_multiple(&sum, summand->odd[i % 2], digit, 0, 1);
        }
    if (doublings > 1)
        double_point(&sum, doublings - 1);

    memcpy(base.k, b, sizeof(base.k));
    ROW(base)(&base, 1);
    from_affine(&p, &base.result);
    make_addend(&q, &p);
    set_negative(&q);
    add_point(&sum, &q, 0);
    double_point(&sum, 3);
    fe_to_words(x, &sum.x);
    return lc_words_are_zero(x, 4);
}

/* ---- From y to x ---- */

/* r = a b^(2^n) */
static void shift_and_mul(struct fe *r, const struct fe *a, const struct fe *b, size_t n)
{
    struct fe t;

    fe_sqr(&t, b, n);
    fe_mul(r, a, &t);
}

/* r = a^(2^252 - 3); in the names, a<n> = a^(2^n - 1) */
static void power_252_3(struct fe *r, const struct fe *a)
{
    struct fe a2, a5, a10, a20, a50, a100, t;

    shift_and_mul(&a2, a, a, 1);
    shift_and_mul(&t, &a2, &a2, 2);
    shift_and_mul(&a5, a, &t, 1);
    shift_and_mul(&a10, &a5, &a5, 5);
    shift_and_mul(&a20, &a10, &a10, 10);
    shift_and_mul(&t, &a20, &a20, 20);
    shift_and_mul(&a50, &a10, &t, 10);
    shift_and_mul(&a100, &a50, &a50, 50);
    shift_and_mul(&t, &a100, &a100, 100);
    shift_and_mul(&t, &a50, &t, 50);
    shift_and_mul(r, a, &t, 2);
}

/*
 * x^2 = u / v with u = y^2 - 1, v = d y^2 + 1.  With w = u v^3 (u v^7)^((p - 5) / 8), v w^2 is u, -u, or a root of -1 times one of
 * these, and in the last case u / v is no square (RFC 8032, 5.1.3).
 */
void ROW(decompress)(struct lc_25519_decompress *items, size_t num)
{
    for (struct lc_25519_decompress *item = items; item < items + num; item++) {
        struct fe y, u, v, t, x;
        uint64_t words[4], square[4], other[4], zero[4] = { 0 };

        fe_from_words(&y, item->y);
        fe_sqr(&u, &y, 1);
        fe_mul(&v, &u, &d1);
        fe_sub(&u, &u, &one);
        fe_add(&v, &v, &one);
        fe_sqr(&t, &v, 1);
        fe_mul(&t, &t, &v);       /* v^3 */
        fe_mul(&x, &t, &u);       /* u v^3 */
        fe_sqr(&t, &t, 1);
        fe_mul(&t, &t, &v);
        fe_mul(&t, &t, &u);       /* u v^7 */
        power_252_3(&t, &t);
        fe_mul(&x, &x, &t);
        fe_sqr(&t, &x, 1);
        fe_mul(&t, &t, &v);
        fe_to_words(square, &t);  /* v x^2 */
        fe_mul(&u, &u, &one);
        fe_to_words(words, &u);
        lc_mod_sub(other, zero, words, &lc_25519_p);
        item->right = lc_words_are_equal(square, words, 4);
        if (lc_words_are_equal(square, other, 4)) {
            fe_mul(&x, &x, &root_of_minus_one);
            item->right = UINT64_MAX;
        }
        fe_to_words(words, &x);
        if (lc_words_are_zero(words, 4) && item->sign)
            item->right = 0;
        if ((words[0] & 1) != item->sign)
            lc_mod_sub(words, zero, words, &lc_25519_p);
        if (item->right) {
            memcpy(item->result.x, words, sizeof(words));
            memcpy(item->result.y, item->y, sizeof(item->y));
        }
    }
}
