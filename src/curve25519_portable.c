/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Curve25519 on any CPU, in constant time where a multiplication takes a constant time.  On CPUs with lanes it serves single
 * operations.
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
 */
#include "curve25519.h"
#include "curve25519_table.h"
#include "fe25519.h"

static const struct fe one = { { 1 } };
static const struct fe d2 = { { UINT64_C(0x69b9426b2f159), UINT64_C(0x35050762add7a), UINT64_C(0x3cf44c0038052),
                                UINT64_C(0x6738cc7407977), UINT64_C(0x2406d9dc56dff) } }; /* 2 d */
static const struct fe d1 = { { UINT64_C(0x34dca135978a3), UINT64_C(0x1a8283b156ebd), UINT64_C(0x5e7a26001c029),
                                UINT64_C(0x739c663a03cbb), UINT64_C(0x52036cee2b6ff) } }; /* d */
static const struct fe root_of_minus_one = { { UINT64_C(0x61b274a0ea0b0), UINT64_C(0x0d5a5fc8f189d), UINT64_C(0x7ef5e9cbd0c60),
                                               UINT64_C(0x78595a6804c9e), UINT64_C(0x2b8324804fc1d) } };

/* ---- Numbers ---- */

static void fe_mul(struct fe *r, const struct fe *a, const struct fe *b)
{
    fe_mul_inline(r, a, b);
}

static void fe_sqr(struct fe *r, const struct fe *a)
{
    fe_sqr_inline(r, a);
}

/* a = 1 / a for num numbers below p, none of them 0.  The inverse in Montgomery's form is R^2 / a. */
static void invert(uint64_t (*a)[4], uint64_t (*scratch)[4], size_t num)
{
    lc_mod_inverse_many(a, scratch, num, &lc_25519_p);
    for (size_t i = 0; i < num; i++) {
        lc_mod_from_montgomery(a[i], a[i], &lc_25519_p);
        lc_mod_from_montgomery(a[i], a[i], &lc_25519_p);
    }
}

/* ---- X25519 ---- */

/* The fraction x / z = u of k times the point */
static void ladder(struct fe *x, struct fe *z, const uint64_t k[4], const struct fe *u)
{
    struct {
        struct fe x2, z2, x3, z3, sum2, sum3, difference2, difference3, e;
    } w;
    uint64_t before = 0;

    w.x2 = one;
    memset(&w.z2, 0, sizeof(w.z2));
    w.x3 = *u;
    w.z3 = one;
    for (int bit = 254; bit >= 0; bit--) {
        uint64_t now = lc_opaque(0 - (k[bit / 64] >> (bit % 64) & 1)), swap = now ^ before;

        before = now;
        fe_swap_if(&w.x2, &w.x3, swap);
        fe_swap_if(&w.z2, &w.z3, swap);
        fe_add(&w.sum2, &w.x2, &w.z2);
        fe_sub(&w.difference2, &w.x2, &w.z2);
        fe_add(&w.sum3, &w.x3, &w.z3);
        fe_sub(&w.difference3, &w.x3, &w.z3);
        fe_mul_inline(&w.difference3, &w.difference3, &w.sum2);
        fe_mul_inline(&w.sum3, &w.sum3, &w.difference2);
        fe_sqr_inline(&w.sum2, &w.sum2);
        fe_sqr_inline(&w.difference2, &w.difference2);
        fe_add(&w.x3, &w.difference3, &w.sum3);
        fe_sub(&w.z3, &w.difference3, &w.sum3);
        fe_sqr_inline(&w.x3, &w.x3);
        fe_sqr_inline(&w.z3, &w.z3);
        fe_mul_inline(&w.z3, &w.z3, u);
        fe_mul_inline(&w.x2, &w.sum2, &w.difference2);
        fe_sub(&w.e, &w.sum2, &w.difference2);
        fe_mul_small_add(&w.z2, &w.e, 121665, &w.sum2); /* (486662 - 2) / 4 */
        fe_mul_inline(&w.z2, &w.z2, &w.e);
    }
    *x = w.x2; /* the last bit is 0 */
    *z = w.z2;
    lc_wipe(&w, sizeof(w));
}

void lc_25519_dh_portable(struct lc_25519_dh *items, size_t num)
{
    struct {
        struct fe u, z, x[LC_25519_CHUNK];
        uint64_t inverses[LC_25519_CHUNK][4], scratch[LC_25519_CHUNK][4], zero[LC_25519_CHUNK];
    } w;

    for (size_t i = 0; i < num; i++) {
        fe_from_words(&w.u, items[i].u);
        ladder(&w.x[i], &w.z, items[i].k, &w.u);
        fe_to_words(w.inverses[i], &w.z);
        w.zero[i] = lc_256_is_zero(w.inverses[i]);
        lc_256_move_if(w.inverses[i], lc_25519_p.one, w.zero[i]);
    }
    invert(w.inverses, w.scratch, num);
    for (size_t i = 0; i < num; i++) {
        fe_from_words(&w.z, w.inverses[i]);
        fe_mul(&w.x[i], &w.x[i], &w.z);
        fe_to_words(items[i].result, &w.x[i]);
        for (int j = 0; j < 4; j++)
            items[i].result[j] &= ~w.zero[i];
    }
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
}

/* ---- Points ---- */

struct point {
    struct fe x, y, z, t;
};

/* To be added */
struct addend {
    struct fe plus, minus, z2, dxy2;
};

static const struct point neutral = { { { 0 } }, { { 1 } }, { { 1 } }, { { 0 } } };

/*
 * e = (x + y)^2 - h = 2 x y,   f = 2 z^2 - g,   g = y^2 - x^2,   h = y^2 + x^2
 *
 * Bounds: f and e are below 2^51 + 2^17 + 2^53 and 2^52 + 2^18 + 2^53.
 */
LC_INLINE void twice(struct point *p, int with_t)
{
    struct fe xx, yy, e, f, g, h;

    fe_sqr_inline(&xx, &p->x);
    fe_sqr_inline(&yy, &p->y);
    fe_add(&e, &p->x, &p->y);
    fe_sqr_inline(&e, &e);
    fe_add(&h, &yy, &xx);
    fe_sub(&g, &yy, &xx);
    fe_sub4(&e, &e, &h);
    fe_sqr_inline(&f, &p->z);
    fe_add(&f, &f, &f);
    fe_sub4(&f, &f, &g);
    fe_mul_inline(&p->x, &e, &f);
    fe_mul_inline(&p->y, &g, &h);
    fe_mul_inline(&p->z, &f, &g);
    if (with_t)
        fe_mul_inline(&p->t, &e, &h);
}

static __attribute__((noinline)) void double_point(struct point *p)
{
    twice(p, 1);
}

/* A point that will be doubled again needs no t. */
static __attribute__((noinline)) void double_point_without_t(struct point *p)
{
    twice(p, 0);
}

/*
 * a = (y1 - x1)(y2 - x2),   b = (y1 + x1)(y2 + x2),   c = t1 2 d t2,   d = z1 2 z2
 * e = b - a,   f = d - c,   g = d + c,   h = b + a
 * x = e f,   y = g h,   z = f g,   t = e h
 */
LC_INLINE void add(struct point *p, const struct addend *q, int with_z)
{
    struct fe a, b, c, d, e, f;

    fe_sub(&a, &p->y, &p->x);
    fe_add(&b, &p->y, &p->x);
    fe_mul_inline(&a, &a, &q->minus);
    fe_mul_inline(&b, &b, &q->plus);
    fe_mul_inline(&c, &p->t, &q->dxy2);
    if (with_z)
        fe_mul_inline(&d, &p->z, &q->z2);
    else
        fe_add(&d, &p->z, &p->z);
    fe_sub(&e, &b, &a);
    fe_add(&b, &b, &a);
    fe_sub(&f, &d, &c);
    fe_add(&d, &d, &c);
    fe_mul_inline(&p->x, &e, &f);
    fe_mul_inline(&p->y, &d, &b);
    fe_mul_inline(&p->z, &f, &d);
    fe_mul_inline(&p->t, &e, &b);
}

static __attribute__((noinline)) void add_point(struct point *p, const struct addend *q)
{
    add(p, q, 1);
}

static __attribute__((noinline)) void add_affine(struct point *p, const struct addend *q)
{
    add(p, q, 0);
}

/* A point's negative is (-x, y).  negative: -1 or 0.  (2p - dxy2 is not tight, but multiplied,
 * or negated once more, which gives dxy2 back.) */
LC_INLINE void negate_if(struct addend *q, uint64_t negative)
{
    static const struct fe zero;
    struct fe minus_dxy2;

    fe_swap_if(&q->plus, &q->minus, negative);
    fe_sub(&minus_dxy2, &zero, &q->dxy2);
    LC_UNROLL
    for (int i = 0; i < 5; i++)
        q->dxy2.d[i] ^= (q->dxy2.d[i] ^ minus_dxy2.d[i]) & negative;
}

static void make_addend(struct addend *q, const struct point *p)
{
    fe_add(&q->plus, &p->y, &p->x);
    fe_sub(&q->minus, &p->y, &p->x);
    fe_add(&q->z2, &p->z, &p->z);
    fe_mul(&q->dxy2, &p->t, &d2);
}

LC_INLINE void from_entry(struct addend *q, const struct lc_25519_entry *entry)
{
    fe_from_words(&q->plus, entry->plus);
    fe_from_words(&q->minus, entry->minus);
    fe_from_words(&q->dxy2, entry->dxy2);
}

static void from_affine(struct point *p, const struct lc_25519_point *a)
{
    fe_from_words(&p->x, a->x);
    fe_from_words(&p->y, a->y);
    p->z = one;
    fe_mul(&p->t, &p->x, &p->y);
}

/* ---- Multiples of the generator ---- */

/* The entry of a comb's signs, all of the comb being read */
static void read_comb(struct addend *q, struct lc_25519_entry *entry, const struct lc_25519_entry *comb, uint64_t signs)
{
    typedef uint64_t vector __attribute__((vector_size(16)));
    enum { VECTORS = sizeof(*entry) / sizeof(vector) };
    uint64_t negative = lc_opaque((signs >> (LC_25519_TEETH - 1)) - 1);
    uint64_t index = (signs ^ negative) & (LC_25519_COMB_ENTRIES - 1);
    vector sum[VECTORS] = { 0 };

    for (uint64_t e = 0; e < LC_25519_COMB_ENTRIES; e++) {
        uint64_t mask = lc_mask_if_zero(e ^ index);
        const vector masks = { mask, mask };

        for (int i = 0; i < VECTORS; i++) {
            vector v;

            memcpy(&v, (const char *)&comb[e] + i * sizeof(v), sizeof(v));
            sum[i] |= v & masks;
        }
    }
    memcpy(entry, sum, sizeof(*entry));
    from_entry(q, entry);
    negate_if(q, negative);
}

static void multiply_base(struct point *p, const uint64_t k[4])
{
    struct {
        uint64_t signs[5], carry;
        struct lc_25519_entry entry;
        struct addend q;
    } w;
    uint64_t even = lc_opaque((k[0] & 1) - 1);

    w.carry = 0;
    for (int i = 0; i < 4; i++)
        w.signs[i] = lc_add_carry(k[i], lc_25519_l.m[i] & even, &w.carry);
    for (int i = 0; i < 3; i++)
        w.signs[i] = w.signs[i] >> 1 | w.signs[i + 1] << 63;
    w.signs[3] >>= 1;
    w.signs[4] = 8; /* 2^259 */

    *p = neutral;
    for (int j = LC_25519_SPACE - 1; j >= 0; j--) {
        if (j < LC_25519_SPACE - 1)
            double_point(p);
        for (int comb = 0; comb < LC_25519_COMBS; comb++) {
            uint64_t signs = 0;

            for (int tooth = 0; tooth < LC_25519_TEETH; tooth++) {
                int bit = LC_25519_SPACE * (LC_25519_COMBS * tooth + comb) + j;

                signs |= (w.signs[bit / 64] >> (bit % 64) & 1) << tooth;
            }
            read_comb(&w.q, &w.entry, lc_25519_comb_table[comb], signs);
            add_affine(p, &w.q);
        }
    }
    lc_wipe(&w, sizeof(w));
}

void lc_25519_base_portable(struct lc_25519_base *items, size_t num)
{
    struct {
        struct point p[LC_25519_CHUNK];
        struct fe inverse;
        uint64_t inverses[LC_25519_CHUNK][4], scratch[LC_25519_CHUNK][4];
    } w;

    for (size_t i = 0; i < num; i++) {
        multiply_base(&w.p[i], items[i].k);
        fe_to_words(w.inverses[i], &w.p[i].z);
    }
    invert(w.inverses, w.scratch, num);
    for (size_t i = 0; i < num; i++) {
        fe_from_words(&w.inverse, w.inverses[i]);
        fe_mul(&w.p[i].x, &w.p[i].x, &w.inverse);
        fe_mul(&w.p[i].y, &w.p[i].y, &w.inverse);
        fe_to_words(items[i].result.x, &w.p[i].x);
        fe_to_words(items[i].result.y, &w.p[i].y);
    }
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
}

/* u = (z + y) / (z - y).  That is 0 / 0 for no k of an X25519 key, none of which is a multiple of L; for others u is 0. */
void lc_25519_base_u_portable(struct lc_25519_base *items, size_t num)
{
    struct {
        struct point p;
        struct fe sums[LC_25519_CHUNK], t;
        uint64_t inverses[LC_25519_CHUNK][4], scratch[LC_25519_CHUNK][4], zero[LC_25519_CHUNK];
    } w;

    for (size_t i = 0; i < num; i++) {
        multiply_base(&w.p, items[i].k);
        fe_add(&w.sums[i], &w.p.z, &w.p.y);
        fe_sub(&w.t, &w.p.z, &w.p.y);
        fe_mul(&w.t, &w.t, &one);
        fe_to_words(w.inverses[i], &w.t);
        w.zero[i] = lc_256_is_zero(w.inverses[i]);
        lc_256_move_if(w.inverses[i], lc_25519_p.one, w.zero[i]);
    }
    invert(w.inverses, w.scratch, num);
    for (size_t i = 0; i < num; i++) {
        fe_from_words(&w.t, w.inverses[i]);
        fe_mul(&w.t, &w.t, &w.sums[i]);
        fe_to_words(items[i].u, &w.t);
        for (int j = 0; j < 4; j++)
            items[i].u[j] &= ~w.zero[i];
    }
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

static void check(struct point *sum, const struct lc_25519_check *item)
{
    int8_t s[DIGITS], k[DIGITS];
    struct addend odd[A_ENTRIES], q; /* odd: -A, -3 A, -5 A, .. */
    struct point p;
    int bit = DIGITS - 1;

    signed_digits(s, item->s, LC_25519_B_WINDOW);
    signed_digits(k, item->k, A_WINDOW);
    from_affine(&p, item->a);
    make_addend(&odd[0], &p);
    negate_if(&odd[0], UINT64_MAX);
    *sum = p;
    double_point(sum);
    make_addend(&q, sum);
    negate_if(&q, UINT64_MAX);
    p = neutral;
    add_point(&p, &odd[0]);
    for (int i = 1; i < A_ENTRIES; i++) {
        add_point(&p, &q);
        make_addend(&odd[i], &p);
    }

    *sum = neutral;
    while (bit >= 0 && !s[bit] && !k[bit])
        bit--;
    for (; bit >= 0; bit--) {
        if (s[bit] || k[bit] || bit == 0)
            double_point(sum);
        else
            double_point_without_t(sum);
        if (k[bit]) {
            q = odd[(k[bit] < 0 ? -k[bit] : k[bit]) / 2];
            negate_if(&q, 0 - (uint64_t)(k[bit] < 0));
            add_point(sum, &q);
        }
        if (s[bit]) {
            from_entry(&q, &lc_25519_odd_table[(s[bit] < 0 ? -s[bit] : s[bit]) / 2]);
            negate_if(&q, 0 - (uint64_t)(s[bit] < 0));
            add_affine(sum, &q);
        }
    }
}

void lc_25519_check_portable(struct lc_25519_check *items, size_t num)
{
    struct point sums[LC_25519_CHUNK];
    uint64_t inverses[LC_25519_CHUNK][4], scratch[LC_25519_CHUNK][4];

    for (size_t i = 0; i < num; i++) {
        check(&sums[i], &items[i]);
        fe_to_words(inverses[i], &sums[i].z);
    }
    invert(inverses, scratch, num);
    for (size_t i = 0; i < num; i++) {
        struct fe inverse;

        fe_from_words(&inverse, inverses[i]);
        fe_mul(&sums[i].x, &sums[i].x, &inverse);
        fe_mul(&sums[i].y, &sums[i].y, &inverse);
        fe_to_words(items[i].result.x, &sums[i].x);
        fe_to_words(items[i].result.y, &sums[i].y);
    }
}

/* ---- From y to x ---- */

/* r = a b^(2^n) */
static void shift_and_mul(struct fe *r, const struct fe *a, const struct fe *b, int n)
{
    struct fe t = *b;

    for (int i = 0; i < n; i++)
        fe_sqr(&t, &t);
    fe_mul(r, &t, a);
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
void lc_25519_decompress_portable(struct lc_25519_decompress *items, size_t num)
{
    for (struct lc_25519_decompress *item = items; item < items + num; item++) {
        struct fe y, u, v, t, x;
        uint64_t words[4], square[4], other[4], zero[4] = { 0 };

        fe_from_words(&y, item->y);
        fe_sqr(&u, &y);
        fe_mul(&v, &u, &d1);
        fe_sub(&u, &u, &one);
        fe_add(&v, &v, &one);
        fe_sqr(&t, &v);
        fe_mul(&t, &t, &v);       /* v^3 */
        fe_mul(&x, &t, &u);       /* u v^3 */
        fe_sqr(&t, &t);
        fe_mul(&t, &t, &v);
        fe_mul(&t, &t, &u);       /* u v^7 */
        power_252_3(&t, &t);
        fe_mul(&x, &x, &t);
        fe_sqr(&t, &x);
        fe_mul(&t, &t, &v);
        fe_to_words(square, &t);  /* v x^2 */
        fe_mul(&u, &u, &one);
        fe_to_words(words, &u);
        lc_mod_sub(other, zero, words, &lc_25519_p);
        item->right = lc_256_equal(square, words);
        if (lc_256_equal(square, other)) {
            fe_mul(&x, &x, &root_of_minus_one);
            item->right = UINT64_MAX;
        }
        fe_to_words(words, &x);
        if (lc_256_is_zero(words) && item->sign)
            item->right = 0;
        if ((words[0] & 1) != item->sign)
            lc_mod_sub(words, zero, words, &lc_25519_p);
        if (item->right) {
            memcpy(item->result.x, words, sizeof(words));
            memcpy(item->result.y, item->y, sizeof(item->y));
        }
    }
}
