/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers modulo a prime of BITS bits (ec_names.h), in constant time: what mod256.c and mod384.c are made of.
 *
 * Inverses are by division steps (Bernstein and Yang, "Fast constant-time gcd computation and modular inversion", 2019).  A step
 * takes (zeta, f, g), f odd, to
 *
 *      (-zeta - 2, g, (g - f) / 2)      if zeta < 0 and g is odd
 *      (zeta - 1, f, (g + (g mod 2) f) / 2)   otherwise
 *
 * and from f = m, g < m and zeta = -1, which stands for their delta = 1/2, it reaches g = 0 and f = +-gcd = +-1 in no more than
 * (9437 b + 1) / 4096 steps for numbers of b bits: 590 for 256, 885 for 384.  The steps depend on the lowest bits only.  So 59 of
 * them are done on 64-bit words, giving a matrix t = (u v; q r) with 2^59 (f', g') = t (f, g), whose entries are at most 2^59;
 * times 8 it divides by 2^62, a digit of the numbers, which have five or seven.  The same matrix is applied to (d, e), which begin
 * as (0, 1), modulo m: as d * a = f and e * a = g (mod m) all the time, d = +-1/a in the end.  Multiples of m make what is divided
 * there a multiple of 2^62.
 *
 * 590 steps take 2,700 cycles on Zen 5, an inverse 3,900.  What a step does if g is odd is chosen by the sign of zeta, before it's
 * known whether g is: so only an addition, a conditional move and a shift are between one step's g and the next one's.  Raising to
 * the power of m - 2, which is done where there is no type of 128 bits, takes 300 multiplications, and more for 384 bits.
 */
#include "ec_names.h"

/* ---- Sums and products ---- */

LC_INLINE void reduce_once(uint64_t r[WORDS], const uint64_t t[WORDS], uint64_t top, const struct MODULUS *m)
{
    uint64_t less[WORDS], borrow = 0;

    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        less[i] = lc_sub_borrow(t[i], m->m[i], &borrow);
    lc_sub_borrow(top, 0, &borrow);
    borrow = lc_opaque(0 - borrow);
    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        r[i] = (t[i] & borrow) | (less[i] & ~borrow);
}

void MOD(reduce_once)(uint64_t r[WORDS], const uint64_t t[WORDS], uint64_t top, const struct MODULUS *m)
{
    reduce_once(r, t, top, m);
}

void MOD(add)(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], const struct MODULUS *m)
{
    uint64_t sum[WORDS], carry = 0;

    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        sum[i] = lc_add_carry(a[i], b[i], &carry);
    reduce_once(r, sum, carry, m);
}

void MOD(sub)(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], const struct MODULUS *m)
{
    uint64_t borrow = 0, carry = 0, mask;

    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        r[i] = lc_sub_borrow(a[i], b[i], &borrow);
    mask = lc_opaque(0 - borrow);
    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        r[i] = lc_add_carry(r[i], m->m[i] & mask, &carry);
}

/* r = (a * b + t) / R */
LC_INLINE void multiply(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], uint64_t t[WORDS],
                        const struct MODULUS *m)
{
    uint64_t top = 0;

    LC_UNROLL
    for (int i = 0; i < WORDS; i++) {
        uint64_t carry = 0, carry2 = 0, q, over = 0;

        LC_UNROLL
        for (int j = 0; j < WORDS; j++)
            t[j] = lc_multiply_add(a[j], b[i], t[j], &carry);
        top = lc_add_carry(top, carry, &over);
        q = t[0] * m->neg_inverse;
        lc_multiply_add(q, m->m[0], t[0], &carry2);
        LC_UNROLL
        for (int j = 1; j < WORDS; j++)
            t[j - 1] = lc_multiply_add(q, m->m[j], t[j], &carry2);
        carry = 0;
        t[WORDS - 1] = lc_add_carry(top, carry2, &carry);
        top = over + carry;
    }
    reduce_once(r, t, top, m);
}

void MOD(mul)(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], const struct MODULUS *m)
{
    uint64_t t[WORDS] = { 0 };

    multiply(r, a, b, t, m);
}

void MOD(from_montgomery)(uint64_t r[WORDS], const uint64_t a[WORDS], const struct MODULUS *m)
{
    static const uint64_t one[WORDS] = { 1 };
    uint64_t t[WORDS] = { 0 };

    multiply(r, a, one, t, m); /* inline, so what is multiplied by 0 is left out */
}

void MOD(mul_add)(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], const uint64_t c[WORDS],
                  const struct MODULUS *m)
{
    uint64_t t[WORDS];

    memcpy(t, c, sizeof(t));
    multiply(r, a, b, t, m);
}

/* ---- Inverses ---- */

#ifdef __SIZEOF_INT128__

#define DIGIT ((UINT64_C(1) << 62) - 1)
enum { DIGITS = WORDS + 1, STEPS = 59, ROUNDS = ((9437 * BITS + 1) / 4096 + STEPS) / STEPS };

struct matrix {
    int64_t u, v, q, r;
};

/*
 * num steps, at most 20, for which the lowest 20 bits of f and g are enough.  A row of the matrix, times 2^num, is in one word
 * with its number: f - 2^21 u - 2^42 v, and g - 2^21 q - 2^42 r.  So what a step does to the numbers it does to the rows, in half
 * as many operations.  Halves are exact, as there are num of them.
 *
 * The parts have room: a row's |u| + |v| is 2^num at first, and halves of sums or differences of rows, which are never equal nor
 * opposite, are less.  So -u, which has 21 bits here, is -2^num at least and below 2^num.  f and g remain below 2^20.
 */
static int64_t some_steps(int64_t zeta, uint64_t f, uint64_t g, int num, struct matrix *t)
{
    const uint64_t bit20 = UINT64_C(1) << 20, bit41 = UINT64_C(1) << 41; /* half of what a part can be, for rounding */
    uint64_t z = (uint64_t)zeta;

    f = (f & (bit20 - 1)) - (UINT64_C(1) << (21 + num));
    g = (g & (bit20 - 1)) - (UINT64_C(1) << (42 + num));
    for (int i = 0; i < num; i++) {
        uint64_t addend = f, new_f = f, new_z = z - 1, next_z = z - 1;

        lc_move_if_negative(z, &addend, 0 - f, &new_f, g, &new_z, 0 - z - 2);
        lc_move_if_odd(&g, g + addend, &f, new_f, &next_z, new_z);
        g = (uint64_t)((int64_t)g >> 1);
        z = next_z;
    }
    t->u = -((int64_t)((f + bit20) << 22) >> 43);
    t->v = -((int64_t)(f + bit20 + bit41) >> 42);
    t->q = -((int64_t)((g + bit20) << 22) >> 43);
    t->r = -((int64_t)(g + bit20 + bit41) >> 42);
    return (int64_t)z;
}

static int64_t division_steps(int64_t zeta, uint64_t f, uint64_t g, struct matrix *t)
{
    struct matrix a, b;

    zeta = some_steps(zeta, f, g, 20, &a);
    for (int done = 20; done < STEPS; done += 20) {
        const uint64_t f_now = ((uint64_t)a.u * f + (uint64_t)a.v * g) >> done,
                       g_now = ((uint64_t)a.q * f + (uint64_t)a.r * g) >> done;

        zeta = some_steps(zeta, f_now, g_now, done < 40 ? 20 : STEPS - 40, &b);
        a = (struct matrix){ b.u * a.u + b.v * a.q, b.u * a.v + b.v * a.r, b.q * a.u + b.r * a.q, b.q * a.v + b.r * a.r };
    }
    *t = (struct matrix){ 8 * a.u, 8 * a.v, 8 * a.q, 8 * a.r };
    return zeta;
}

/* (f, g) = t (f, g) / 2^62 */
static void update_fg(int64_t f[DIGITS], int64_t g[DIGITS], const struct matrix *t)
{
    lc_i128 cf = (lc_i128)t->u * f[0] + (lc_i128)t->v * g[0], cg = (lc_i128)t->q * f[0] + (lc_i128)t->r * g[0];

    LC_UNROLL
    for (int i = 1; i < DIGITS; i++) {
        cf = (cf >> 62) + (lc_i128)t->u * f[i] + (lc_i128)t->v * g[i];
        cg = (cg >> 62) + (lc_i128)t->q * f[i] + (lc_i128)t->r * g[i];
        f[i - 1] = (int64_t)((uint64_t)cf & DIGIT);
        g[i - 1] = (int64_t)((uint64_t)cg & DIGIT);
    }
    f[WORDS] = (int64_t)(cf >> 62);
    g[WORDS] = (int64_t)(cg >> 62);
}

/* (d, e) = t (d, e) / 2^62 mod m, where they are above -2m and below m, before and after */
static void update_de(int64_t d[DIGITS], int64_t e[DIGITS], const struct matrix *t, const struct MODULUS *m)
{
    int64_t d_negative = d[WORDS] >> 63, e_negative = e[WORDS] >> 63;
    /* how many times m is added: as many as make d and e positive, less what makes the lowest digit zero */
    int64_t md = (t->u & d_negative) + (t->v & e_negative), me = (t->q & d_negative) + (t->r & e_negative);
    lc_i128 cd = (lc_i128)t->u * d[0] + (lc_i128)t->v * e[0], ce = (lc_i128)t->q * d[0] + (lc_i128)t->r * e[0];

    md -= (int64_t)((m->inverse62 * (uint64_t)cd + (uint64_t)md) & DIGIT);
    me -= (int64_t)((m->inverse62 * (uint64_t)ce + (uint64_t)me) & DIGIT);
    cd += (lc_i128)m->m62[0] * md;
    ce += (lc_i128)m->m62[0] * me;
    LC_UNROLL
    for (int i = 1; i < DIGITS; i++) {
        cd = (cd >> 62) + (lc_i128)t->u * d[i] + (lc_i128)t->v * e[i] + (lc_i128)m->m62[i] * md;
        ce = (ce >> 62) + (lc_i128)t->q * d[i] + (lc_i128)t->r * e[i] + (lc_i128)m->m62[i] * me;
        d[i - 1] = (int64_t)((uint64_t)cd & DIGIT);
        e[i - 1] = (int64_t)((uint64_t)ce & DIGIT);
    }
    d[WORDS] = (int64_t)(cd >> 62);
    e[WORDS] = (int64_t)(ce >> 62);
}

/* a += m where a is negative, after it has been negated where `negate` is -1 */
static void add_if_negative(int64_t a[DIGITS], int64_t negate, const struct MODULUS *m)
{
    int64_t negative = (int64_t)lc_opaque((uint64_t)((a[WORDS] ^ negate) >> 63)), carry = 0;

    LC_UNROLL
    for (int i = 0; i < DIGITS; i++) {
        carry += ((a[i] ^ negate) - negate) + (m->m62[i] & negative);
        a[i] = i < WORDS ? (int64_t)((uint64_t)carry & DIGIT) : carry;
        carry >>= 62;
    }
}

void MOD(plain_inverse)(uint64_t r[WORDS], const uint64_t a[WORDS], const struct MODULUS *m)
{
    struct {
        int64_t d[DIGITS], e[DIGITS], f[DIGITS], g[DIGITS];
        struct matrix t;
    } w = { .e = { 1 } };
    int64_t zeta = -1;

    memcpy(w.f, m->m62, sizeof(w.f));
    w.g[0] = (int64_t)(a[0] & DIGIT);
    LC_UNROLL
    for (int i = 1; i < WORDS; i++)
        w.g[i] = (int64_t)((a[i - 1] >> (64 - 2 * i) | a[i] << (2 * i)) & DIGIT);
    w.g[WORDS] = (int64_t)(a[WORDS - 1] >> (64 - 2 * WORDS));
    for (int i = 0; i < ROUNDS; i++) {
        zeta = division_steps(zeta, (uint64_t)w.f[0] | (uint64_t)w.f[1] << 62, (uint64_t)w.g[0] | (uint64_t)w.g[1] << 62, &w.t);
        update_de(w.d, w.e, &w.t, m);
        update_fg(w.f, w.g, &w.t);
    }
    add_if_negative(w.d, 0, m);              /* above -m now */
    add_if_negative(w.d, w.f[WORDS] >> 63, m);   /* f is 1 or -1 */
    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        r[i] = (uint64_t)w.d[i] >> (2 * i) | (uint64_t)w.d[i + 1] << (62 - 2 * i);
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
}

void MOD(inverse)(uint64_t r[WORDS], const uint64_t a[WORDS], const struct MODULUS *m)
{
    uint64_t t[WORDS];

    MOD(plain_inverse)(t, a, m);    /* 1 / (x R) */
    MOD(mul)(t, t, m->rr, m);     /* 1 / x */
    MOD(mul)(r, t, m->rr, m);     /* R / x */
    lc_wipe(t, sizeof(t));
    lc_wipe_frame();
}

#else

void MOD(inverse)(uint64_t r[WORDS], const uint64_t a[WORDS], const struct MODULUS *m)
{
    uint64_t power[WORDS], x[WORDS];

    memcpy(power, m->one, sizeof(power));
    memcpy(x, a, sizeof(x));
    for (int i = BITS - 1; i >= 0; i--) { /* m - 2 is public, and as m is odd and above 2, only its lowest word is another */
        uint64_t word = m->m[i / 64] - (i < 64 ? 2 : 0);

        MOD(mul)(power, power, power, m);
        if (word >> (i % 64) & 1)
            MOD(mul)(power, power, x, m);
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
void MOD(inverse_many)(uint64_t (*a)[WORDS], uint64_t (*scratch)[WORDS], size_t num, const struct MODULUS *m)
{
    uint64_t inverse[WORDS];

    if (num == 0)
        return;
    memcpy(scratch[0], a[0], sizeof(a[0]));
    for (size_t i = 1; i < num; i++)
        MOD(mul)(scratch[i], scratch[i - 1], a[i], m);
    MOD(inverse)(inverse, scratch[num - 1], m);
    for (size_t i = num - 1; i > 0; i--) {
        MOD(mul)(scratch[i], scratch[i - 1], inverse, m);
        MOD(mul)(inverse, inverse, a[i], m);
        memcpy(a[i], scratch[i], sizeof(a[i]));
    }
    memcpy(a[0], inverse, sizeof(a[0]));
    lc_wipe(inverse, sizeof(inverse));
    lc_wipe(scratch, num * sizeof(scratch[0]));
}
