/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Curve25519 on any CPU, in constant time where a multiplication takes a constant time: numbers are those of fe25519.h, and what is
 * done with points is in curve25519_body.h.
 */
#include "curve25519.h"
#include "curve25519_table.h"
#include "fe25519.h"

#define ROW(name) lc_25519_##name##_portable

/* ---- Numbers ---- */

/* (Inline only in the ladder, where functions take 14 % more time.  With points it would be 3 to 6 % less time, for 19 KB.) */
static __attribute__((noinline)) void fe_mul(struct fe *r, const struct fe *a, const struct fe *b)
{
    fe_mul_inline(r, a, b);
}

static __attribute__((noinline)) void fe_sqr(struct fe *r, const struct fe *a, size_t times)
{
    fe_sqr_inline(r, a);
    while (--times)
        fe_sqr_inline(r, r);
}

static __attribute__((noinline)) void from_words(struct fe *r, const uint64_t x[4])
{
    fe_from_words(r, x);
}

static __attribute__((noinline)) void to_words(uint64_t x[4], const struct fe *a)
{
    fe_to_words(x, a);
}
/* for what is done with points */
#define fe_from_words from_words
#define fe_to_words to_words

/* ---- X25519 ---- */

/*
 * The fraction x / z = u of k times the point.  What doesn't wait for each other is in a loop, so that squares are inline once, and
 * products twice.  (Inlined into its caller, the ladder takes 3 % longer.)
 */
static __attribute__((noinline)) void ladder(struct fe *x, struct fe *z, const uint64_t k[4], const struct fe *u)
{
    struct {
        struct fe r[3], x3; /* x2, z2, z3; x3 */
        struct fe v[6];     /* a step ends with r[i] = v[i] v[3 + i] */
    } w;
    struct fe *const r = w.r;
    uint64_t before = 0;
    int i;

    r[0] = (struct fe){ { 1 } };
    memset(&r[1], 0, sizeof(r[1]));
    w.x3 = *u;
    r[2] = (struct fe){ { 1 } };
    w.v[5] = *u;
    for (int bit = 254; bit >= 0; bit--) {
        uint64_t now = lc_opaque(0 - (k[bit / 64] >> (bit % 64) & 1)), swap = now ^ before;

        before = now;
        fe_swap_if(&r[0], &w.x3, swap);
        fe_swap_if(&r[1], &r[2], swap);
        fe_add(&w.v[0], &r[0], &r[1]);
        fe_sub(&w.v[3], &r[0], &r[1]);
        fe_sub(&r[0], &w.x3, &r[2]);
        fe_add(&r[1], &w.x3, &r[2]);
        for (i = 0; i < 2; i++)
            fe_mul_inline(&r[i], &r[i], &w.v[3 * i]);
        fe_add(&w.v[1], &r[0], &r[1]);
        fe_sub(&w.v[2], &r[0], &r[1]);
        for (i = 0; i < 4; i++)
            fe_sqr_inline(&w.v[i], &w.v[i]);
        w.x3 = w.v[1];
        fe_sub(&w.v[1], &w.v[0], &w.v[3]);
        fe_mul_small_add(&w.v[4], &w.v[1], 121665, &w.v[0]); /* (486662 - 2) / 4 */
        for (i = 0; i < 3; i++)
            fe_mul_inline(&r[i], &w.v[i], &w.v[3 + i]);
    }
    *x = r[0]; /* the last bit is 0 */
    *z = r[1];
    lc_wipe(&w, sizeof(w));
}

/* ---- Points ---- */

struct point {
    struct fe x, y, z, t;
};

/* To be added */
struct addend {
    struct fe plus, minus, z2, dxy2;
};

/*
 * e = (x + y)^2 - h = 2 x y,   f = 2 z^2 - g,   g = y^2 - x^2,   h = y^2 + x^2
 *
 * Bounds: f and e are below 2^51 + 2^17 + 2^53 and 2^52 + 2^18 + 2^53.
 */
LC_INLINE void twice(struct point *p, int with_t)
{
    struct fe xx, yy, e, f, g, h;

    fe_sqr(&xx, &p->x, 1);
    fe_sqr(&yy, &p->y, 1);
    fe_add(&e, &p->x, &p->y);
    fe_sqr(&e, &e, 1);
    fe_add(&h, &yy, &xx);
    fe_sub(&g, &yy, &xx);
    fe_sub4(&e, &e, &h);
    fe_sqr(&f, &p->z, 1);
    fe_add(&f, &f, &f);
    fe_sub4(&f, &f, &g);
    fe_mul(&p->x, &e, &f);
    fe_mul(&p->y, &g, &h);
    fe_mul(&p->z, &f, &g);
    if (with_t)
        fe_mul(&p->t, &e, &h);
}

/* A point that will be doubled again needs no t. */
static void double_point(struct point *p, size_t times)
{
    while (times--)
        twice(p, times == 0);
}

/*
 * a = (y1 - x1)(y2 - x2),   b = (y1 + x1)(y2 + x2),   c = t1 2 d t2,   d = z1 2 z2
 * e = b - a,   f = d - c,   g = d + c,   h = b + a
 * x = e f,   y = g h,   z = f g,   t = e h
 */
static __attribute__((noinline)) void add(struct point *p, const struct addend *q, int with_z, int with_t)
{
    struct fe a, b, c, d, e, f;

    fe_sub(&a, &p->y, &p->x);
    fe_add(&b, &p->y, &p->x);
    fe_mul(&a, &a, &q->minus);
    fe_mul(&b, &b, &q->plus);
    fe_mul(&c, &p->t, &q->dxy2);
    if (with_z)
        fe_mul(&d, &p->z, &q->z2);
    else
        fe_add(&d, &p->z, &p->z);
    fe_sub(&e, &b, &a);
    fe_add(&b, &b, &a);
    fe_sub(&f, &d, &c);
    fe_add(&d, &d, &c);
    fe_mul(&p->x, &e, &f);
    fe_mul(&p->y, &d, &b);
    fe_mul(&p->z, &f, &d);
    if (with_t)
        fe_mul(&p->t, &e, &b);
}

LC_INLINE void add_point(struct point *p, const struct addend *q, int with_t)
{
    add(p, q, 1, with_t);
}

LC_INLINE void add_affine(struct point *p, const struct addend *q, int with_t)
{
    add(p, q, 0, with_t);
}

/* A point's negative is (-x, y).  negative: -1 or 0.  (2p - dxy2 is not tight, but multiplied.) */
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

LC_INLINE void from_entry(struct addend *q, const struct lc_25519_entry *entry)
{
    fe_from_words(&q->plus, entry->plus);
    fe_from_words(&q->minus, entry->minus);
    fe_from_words(&q->dxy2, entry->dxy2);
}

/* The entry of a comb's signs, all of the comb being read */
static void read_comb(struct addend *q, const struct lc_25519_entry *comb, uint64_t signs)
{
    typedef uint64_t vector __attribute__((vector_size(16)));
    enum { VECTORS = sizeof(*comb) / sizeof(vector) };
    struct lc_25519_entry entry;
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
    memcpy(&entry, sum, sizeof(entry));
    from_entry(q, &entry);
    negate_if(q, negative);
    lc_wipe(&entry, sizeof(entry));
}

#include "curve25519_body.h"
