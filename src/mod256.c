/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers modulo a prime of 256 bits, in constant time.
 *
 * Inverses are by division steps (Bernstein and Yang, "Fast constant-time gcd computation and modular inversion", 2019).  A step
 * takes (zeta, f, g), f odd, to
 *
 *      (-zeta - 2, g, (g - f) / 2)      if zeta < 0 and g is odd
 *      (zeta - 1, f, (g + (g mod 2) f) / 2)   otherwise
 *
 * and from f = m, g < m and zeta = -1, which stands for their delta = 1/2, it reaches g = 0 and f = +-gcd = +-1 in no more than
 * 590 steps for numbers of 256 bits.  The steps depend on the lowest bits only.  So 59 of them are done on 64-bit words, giving a
 * matrix t = (u v; q r) with 2^59 (f', g') = t (f, g), whose entries are at most 2^59; times 8 it divides by 2^62, a digit of the
 * numbers, which have five.  The same matrix is applied to (d, e), which begin as (0, 1), modulo m: as d * a = f and e * a = g
 * (mod m) all the time, d = +-1/a in the end.  Multiples of m make what is divided there a multiple of 2^62.
 *
 * 590 steps of nine operations take 5,000 cycles; raising to the power of m - 2, which is done where there is no type of 128 bits,
 * takes 300 multiplications.
 */
#include "mod256.h"

/* ---- Sums and products ---- */

LC_INLINE void reduce_once(uint64_t r[4], const uint64_t t[4], uint64_t top, const struct lc_mod256 *m)
{
    uint64_t less[4], borrow = 0;

    LC_UNROLL
    for (int i = 0; i < 4; i++)
        less[i] = lc_sub_borrow(t[i], m->m[i], &borrow);
    lc_sub_borrow(top, 0, &borrow);
    borrow = lc_opaque(0 - borrow);
    LC_UNROLL
    for (int i = 0; i < 4; i++)
        r[i] = (t[i] & borrow) | (less[i] & ~borrow);
}

void lc_mod_reduce_once(uint64_t r[4], const uint64_t t[4], uint64_t top, const struct lc_mod256 *m)
{
    reduce_once(r, t, top, m);
}

void lc_mod_add(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], const struct lc_mod256 *m)
{
    uint64_t sum[4], carry = 0;

    LC_UNROLL
    for (int i = 0; i < 4; i++)
        sum[i] = lc_add_carry(a[i], b[i], &carry);
    reduce_once(r, sum, carry, m);
}

void lc_mod_sub(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], const struct lc_mod256 *m)
{
    uint64_t borrow = 0, carry = 0, mask;

    LC_UNROLL
    for (int i = 0; i < 4; i++)
        r[i] = lc_sub_borrow(a[i], b[i], &borrow);
    mask = lc_opaque(0 - borrow);
    LC_UNROLL
    for (int i = 0; i < 4; i++)
        r[i] = lc_add_carry(r[i], m->m[i] & mask, &carry);
}

void lc_mod_mul(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], const struct lc_mod256 *m)
{
    uint64_t t[4] = { 0 }, top = 0;

    LC_UNROLL
    for (int i = 0; i < 4; i++) {
        uint64_t carry = 0, carry2 = 0, q, over = 0;

        LC_UNROLL
        for (int j = 0; j < 4; j++)
            t[j] = lc_multiply_add(a[j], b[i], t[j], &carry);
        top = lc_add_carry(top, carry, &over);
        q = t[0] * m->neg_inverse;
        lc_multiply_add(q, m->m[0], t[0], &carry2);
        LC_UNROLL
        for (int j = 1; j < 4; j++)
            t[j - 1] = lc_multiply_add(q, m->m[j], t[j], &carry2);
        carry = 0;
        t[3] = lc_add_carry(top, carry2, &carry);
        top = over + carry;
    }
    reduce_once(r, t, top, m);
}

/* ---- Inverses ---- */

#ifdef __SIZEOF_INT128__

#define DIGIT ((UINT64_C(1) << 62) - 1)
enum { ROUNDS = 10, STEPS = 59 };

struct matrix {
    int64_t u, v, q, r;
};

static int64_t division_steps(int64_t zeta, uint64_t f, uint64_t g, struct matrix *t)
{
    uint64_t u = 8, v = 0, q = 0, r = 8;

    for (int i = 0; i < STEPS; i++) {
        uint64_t negative = lc_opaque((uint64_t)(zeta >> 63)), odd = lc_opaque(0 - (g & 1)), both = negative & odd;

        /* g = g + f, or g - f; the same for the matrix */
        g += ((f ^ negative) - negative) & odd;
        q += ((u ^ negative) - negative) & odd;
        r += ((v ^ negative) - negative) & odd;
        /* f = g before that: f + (g - f) */
        zeta = (int64_t)((uint64_t)zeta ^ both) - 1;
        f += g & both;
        u += q & both;
        v += r & both;
        g >>= 1;
        u <<= 1;
        v <<= 1;
    }
    *t = (struct matrix){ (int64_t)u, (int64_t)v, (int64_t)q, (int64_t)r };
    return zeta;
}

/* (f, g) = t (f, g) / 2^62 */
static void update_fg(int64_t f[5], int64_t g[5], const struct matrix *t)
{
    lc_i128 cf = (lc_i128)t->u * f[0] + (lc_i128)t->v * g[0], cg = (lc_i128)t->q * f[0] + (lc_i128)t->r * g[0];

    LC_UNROLL
    for (int i = 1; i < 5; i++) {
        cf = (cf >> 62) + (lc_i128)t->u * f[i] + (lc_i128)t->v * g[i];
        cg = (cg >> 62) + (lc_i128)t->q * f[i] + (lc_i128)t->r * g[i];
        f[i - 1] = (int64_t)((uint64_t)cf & DIGIT);
        g[i - 1] = (int64_t)((uint64_t)cg & DIGIT);
    }
    f[4] = (int64_t)(cf >> 62);
    g[4] = (int64_t)(cg >> 62);
}

/* (d, e) = t (d, e) / 2^62 mod m, where they are above -2m and below m, before and after */
static void update_de(int64_t d[5], int64_t e[5], const struct matrix *t, const struct lc_mod256 *m)
{
    int64_t d_negative = d[4] >> 63, e_negative = e[4] >> 63;
    /* how many times m is added: as many as make d and e positive, less what makes the lowest digit zero */
    int64_t md = (t->u & d_negative) + (t->v & e_negative), me = (t->q & d_negative) + (t->r & e_negative);
    lc_i128 cd = (lc_i128)t->u * d[0] + (lc_i128)t->v * e[0], ce = (lc_i128)t->q * d[0] + (lc_i128)t->r * e[0];

    md -= (int64_t)((m->inverse62 * (uint64_t)cd + (uint64_t)md) & DIGIT);
    me -= (int64_t)((m->inverse62 * (uint64_t)ce + (uint64_t)me) & DIGIT);
    cd += (lc_i128)m->m62[0] * md;
    ce += (lc_i128)m->m62[0] * me;
    LC_UNROLL
    for (int i = 1; i < 5; i++) {
        cd = (cd >> 62) + (lc_i128)t->u * d[i] + (lc_i128)t->v * e[i] + (lc_i128)m->m62[i] * md;
        ce = (ce >> 62) + (lc_i128)t->q * d[i] + (lc_i128)t->r * e[i] + (lc_i128)m->m62[i] * me;
        d[i - 1] = (int64_t)((uint64_t)cd & DIGIT);
        e[i - 1] = (int64_t)((uint64_t)ce & DIGIT);
    }
    d[4] = (int64_t)(cd >> 62);
    e[4] = (int64_t)(ce >> 62);
}

/* a += m where a is negative, after it has been negated where `negate` is -1 */
static void add_if_negative(int64_t a[5], int64_t negate, const struct lc_mod256 *m)
{
    int64_t negative = (int64_t)lc_opaque((uint64_t)((a[4] ^ negate) >> 63)), carry = 0;

    LC_UNROLL
    for (int i = 0; i < 5; i++) {
        carry += ((a[i] ^ negate) - negate) + (m->m62[i] & negative);
        a[i] = i < 4 ? (int64_t)((uint64_t)carry & DIGIT) : carry;
        carry >>= 62;
    }
}

/* 1 / a mod m, neither of them in Montgomery's form */
static void plain_inverse(uint64_t r[4], const uint64_t a[4], const struct lc_mod256 *m)
{
    struct {
        int64_t d[5], e[5], f[5], g[5];
        struct matrix t;
    } w = { .e = { 1 } };
    int64_t zeta = -1;

    memcpy(w.f, m->m62, sizeof(w.f));
    w.g[0] = (int64_t)(a[0] & DIGIT);
    w.g[1] = (int64_t)((a[0] >> 62 | a[1] << 2) & DIGIT);
    w.g[2] = (int64_t)((a[1] >> 60 | a[2] << 4) & DIGIT);
    w.g[3] = (int64_t)((a[2] >> 58 | a[3] << 6) & DIGIT);
    w.g[4] = (int64_t)(a[3] >> 56);
    for (int i = 0; i < ROUNDS; i++) {
        zeta = division_steps(zeta, (uint64_t)w.f[0] | (uint64_t)w.f[1] << 62, (uint64_t)w.g[0] | (uint64_t)w.g[1] << 62, &w.t);
        update_de(w.d, w.e, &w.t, m);
        update_fg(w.f, w.g, &w.t);
    }
    add_if_negative(w.d, 0, m);              /* above -m now */
    add_if_negative(w.d, w.f[4] >> 63, m);   /* f is 1 or -1 */
    r[0] = (uint64_t)w.d[0] | (uint64_t)w.d[1] << 62;
    r[1] = (uint64_t)w.d[1] >> 2 | (uint64_t)w.d[2] << 60;
    r[2] = (uint64_t)w.d[2] >> 4 | (uint64_t)w.d[3] << 58;
    r[3] = (uint64_t)w.d[3] >> 6 | (uint64_t)w.d[4] << 56;
    lc_wipe(&w, sizeof(w));
}

void lc_mod_inverse(uint64_t r[4], const uint64_t a[4], const struct lc_mod256 *m)
{
    uint64_t t[4];

    plain_inverse(t, a, m);         /* 1 / (x R) */
    lc_mod_mul(t, t, m->rr, m);     /* 1 / x */
    lc_mod_mul(r, t, m->rr, m);     /* R / x */
    lc_wipe(t, sizeof(t));
    lc_wipe_frame();
}

#else

void lc_mod_inverse(uint64_t r[4], const uint64_t a[4], const struct lc_mod256 *m)
{
    uint64_t power[4], x[4];

    memcpy(power, m->one, sizeof(power));
    memcpy(x, a, sizeof(x));
    for (int i = 255; i >= 0; i--) { /* m - 2 is public, and as m is odd and above 2, only its lowest word is another */
        uint64_t word = m->m[i / 64] - (i < 64 ? 2 : 0);

        lc_mod_mul(power, power, power, m);
        if (word >> (i % 64) & 1)
            lc_mod_mul(power, power, x, m);
    }
    memcpy(r, power, sizeof(power));
    lc_wipe(power, sizeof(power));
    lc_wipe(x, sizeof(x));
    lc_wipe_frame();
}

#endif

/*
 * Montgomery's trick: from the inverse of the product of all, back to front, each one's is the product of those before it times
 * it.
 */
void lc_mod_inverse_many(uint64_t (*a)[4], uint64_t (*scratch)[4], size_t num, const struct lc_mod256 *m)
{
    uint64_t inverse[4];

    if (num == 0)
        return;
    memcpy(scratch[0], a[0], sizeof(a[0]));
    for (size_t i = 1; i < num; i++)
        lc_mod_mul(scratch[i], scratch[i - 1], a[i], m);
    lc_mod_inverse(inverse, scratch[num - 1], m);
    for (size_t i = num - 1; i > 0; i--) {
        lc_mod_mul(scratch[i], scratch[i - 1], inverse, m);
        lc_mod_mul(inverse, inverse, a[i], m);
        memcpy(a[i], scratch[i], sizeof(a[i]));
    }
    memcpy(a[0], inverse, sizeof(a[0]));
    lc_wipe(inverse, sizeof(inverse));
    lc_wipe(scratch, num * sizeof(scratch[0]));
}
