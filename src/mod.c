/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers modulo a prime, in constant time.  Sums and rows of products are compiled for four words and for six, as loops that
 * aren't unrolled take much longer; the rest has their number at run time.
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
#include "mod.h"

enum { DIGITS = LC_MOD_WORDS + 1 }; /* at most */

/* ---- Sums and products ---- */

LC_INLINE void reduce_once_of(size_t words, uint64_t *r, const uint64_t *t, uint64_t top, const struct lc_mod *m)
{
    uint64_t less[LC_MOD_WORDS], borrow = 0;

    LC_UNROLL
    for (size_t i = 0; i < words; i++)
        less[i] = lc_sub_borrow(t[i], m->m[i], &borrow);
    lc_sub_borrow(top, 0, &borrow);
    borrow = lc_opaque(0 - borrow);
    LC_UNROLL
    for (size_t i = 0; i < words; i++)
        r[i] = (t[i] & borrow) | (less[i] & ~borrow);
}

LC_INLINE void add_of(size_t words, uint64_t *r, const uint64_t *a, const uint64_t *b, const struct lc_mod *m)
{
    uint64_t sum[LC_MOD_WORDS], carry = 0;

    LC_UNROLL
    for (size_t i = 0; i < words; i++)
        sum[i] = lc_add_carry(a[i], b[i], &carry);
    reduce_once_of(words, r, sum, carry, m);
}

LC_INLINE void sub_of(size_t words, uint64_t *r, const uint64_t *a, const uint64_t *b, const struct lc_mod *m)
{
    uint64_t borrow = 0, carry = 0, mask;

    LC_UNROLL
    for (size_t i = 0; i < words; i++)
        r[i] = lc_sub_borrow(a[i], b[i], &borrow);
    mask = lc_opaque(0 - borrow);
    LC_UNROLL
    for (size_t i = 0; i < words; i++)
        r[i] = lc_add_carry(r[i], m->m[i] & mask, &carry);
}

/* r = (a * b + t) / R */
LC_INLINE void multiply_of(size_t words, uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                           const struct lc_mod *m)
{
    uint64_t t[LC_MOD_WORDS], top = 0;

    LC_UNROLL
    for (size_t i = 0; i < words; i++)
        t[i] = c[i];
    for (size_t i = 0; i < words; i++) {
        uint64_t carry = 0, carry2 = 0, q, over = 0;

        LC_UNROLL
        for (size_t j = 0; j < words; j++)
            t[j] = lc_multiply_add(b[i], a[j], t[j], &carry);
        top = lc_add_carry(top, carry, &over);
        q = t[0] * m->neg_inverse;
        lc_multiply_add(q, m->m[0], t[0], &carry2);
        LC_UNROLL
        for (size_t j = 1; j < words; j++)
            t[j - 1] = lc_multiply_add(q, m->m[j], t[j], &carry2);
        carry = 0;
        t[words - 1] = lc_add_carry(top, carry2, &carry);
        top = over + carry;
    }
    reduce_once_of(words, r, t, top, m);
}

void lc_mod_reduce_once(uint64_t *r, const uint64_t *t, uint64_t top, const struct lc_mod *m)
{
    if (m->words == 4)
        reduce_once_of(4, r, t, top, m);
    else
        reduce_once_of(6, r, t, top, m);
}

void lc_mod_add(uint64_t *r, const uint64_t *a, const uint64_t *b, const struct lc_mod *m)
{
    if (m->words == 4)
        add_of(4, r, a, b, m);
    else
        add_of(6, r, a, b, m);
}

void lc_mod_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, const struct lc_mod *m)
{
    if (m->words == 4)
        sub_of(4, r, a, b, m);
    else
        sub_of(6, r, a, b, m);
}

/* For each number of words a function, so that four don't have the frame of six */
static __attribute__((noinline)) void mul_add_4(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                                                const struct lc_mod *m)
{
    multiply_of(4, r, a, b, c, m);
}

static __attribute__((noinline)) void mul_add_6(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                                                const struct lc_mod *m)
{
    multiply_of(6, r, a, b, c, m);
}

void lc_mod_mul_add(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c, const struct lc_mod *m)
{
    if (m->words == 4)
        mul_add_4(r, a, b, c, m);
    else
        mul_add_6(r, a, b, c, m);
}

void lc_mod_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const struct lc_mod *m)
{
    static const uint64_t zero[LC_MOD_WORDS];

    lc_mod_mul_add(r, a, b, zero, m);
}

void lc_mod_from_montgomery(uint64_t *r, const uint64_t *a, const struct lc_mod *m)
{
    static const uint64_t one[LC_MOD_WORDS] = { 1 };

    lc_mod_mul(r, a, one, m);
}

/* ---- Inverses ---- */

#ifdef __SIZEOF_INT128__

#define DIGIT ((UINT64_C(1) << 62) - 1)
enum { STEPS = 59 }; /* of a round */

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
static void update_fg(size_t words, int64_t *f, int64_t *g, const struct matrix *t)
{
    lc_i128 cf = (lc_i128)t->u * f[0] + (lc_i128)t->v * g[0], cg = (lc_i128)t->q * f[0] + (lc_i128)t->r * g[0];

    for (size_t i = 1; i <= words; i++) {
        cf = (cf >> 62) + (lc_i128)t->u * f[i] + (lc_i128)t->v * g[i];
        cg = (cg >> 62) + (lc_i128)t->q * f[i] + (lc_i128)t->r * g[i];
        f[i - 1] = (int64_t)((uint64_t)cf & DIGIT);
        g[i - 1] = (int64_t)((uint64_t)cg & DIGIT);
    }
    f[words] = (int64_t)(cf >> 62);
    g[words] = (int64_t)(cg >> 62);
}

/* (d, e) = t (d, e) / 2^62 mod m, where they are above -2m and below m, before and after */
static void update_de(size_t words, int64_t *d, int64_t *e, const struct matrix *t, const struct lc_mod *m)
{
    int64_t d_negative = d[words] >> 63, e_negative = e[words] >> 63;
    /* how many times m is added: as many as make d and e positive, less what makes the lowest digit zero */
    int64_t md = (t->u & d_negative) + (t->v & e_negative), me = (t->q & d_negative) + (t->r & e_negative);
    lc_i128 cd = (lc_i128)t->u * d[0] + (lc_i128)t->v * e[0], ce = (lc_i128)t->q * d[0] + (lc_i128)t->r * e[0];

    md -= (int64_t)((m->inverse62 * (uint64_t)cd + (uint64_t)md) & DIGIT);
    me -= (int64_t)((m->inverse62 * (uint64_t)ce + (uint64_t)me) & DIGIT);
    cd += (lc_i128)m->m62[0] * md;
    ce += (lc_i128)m->m62[0] * me;
    for (size_t i = 1; i <= words; i++) {
        cd = (cd >> 62) + (lc_i128)t->u * d[i] + (lc_i128)t->v * e[i] + (lc_i128)m->m62[i] * md;
        ce = (ce >> 62) + (lc_i128)t->q * d[i] + (lc_i128)t->r * e[i] + (lc_i128)m->m62[i] * me;
        d[i - 1] = (int64_t)((uint64_t)cd & DIGIT);
        e[i - 1] = (int64_t)((uint64_t)ce & DIGIT);
    }
    d[words] = (int64_t)(cd >> 62);
    e[words] = (int64_t)(ce >> 62);
}

/* a += m where a is negative, after it has been negated where `negate` is -1 */
LC_INLINE void add_if_negative(size_t words, int64_t *a, int64_t negate, const struct lc_mod *m)
{
    int64_t negative = (int64_t)lc_opaque((uint64_t)((a[words] ^ negate) >> 63)), carry = 0;

    LC_UNROLL
    for (size_t i = 0; i <= words; i++) {
        carry += ((a[i] ^ negate) - negate) + (m->m62[i] & negative);
        a[i] = i < words ? (int64_t)((uint64_t)carry & DIGIT) : carry;
        carry >>= 62;
    }
}

LC_INLINE void to_digits(size_t words, int64_t *d, const uint64_t *a)
{
    d[0] = (int64_t)(a[0] & DIGIT);
    LC_UNROLL
    for (size_t i = 1; i < words; i++)
        d[i] = (int64_t)((a[i - 1] >> (64 - 2 * i) | a[i] << (2 * i)) & DIGIT);
    d[words] = (int64_t)(a[words - 1] >> (64 - 2 * words));
}

/* From d / f, where f is 1 or -1, and d above -2m and below m */
LC_INLINE void from_digits(size_t words, uint64_t *r, int64_t *d, const int64_t *f, const struct lc_mod *m)
{
    add_if_negative(words, d, 0, m); /* above -m now */
    add_if_negative(words, d, f[words] >> 63, m);
    LC_UNROLL
    for (size_t i = 0; i < words; i++)
        r[i] = (uint64_t)d[i] >> (2 * i) | (uint64_t)d[i + 1] << (62 - 2 * i);
}

void lc_mod_plain_inverse(uint64_t *r, const uint64_t *a, const struct lc_mod *m)
{
    const size_t words = m->words, rounds = ((9437 * 64 * words + 1) / 4096 + STEPS) / STEPS;
    struct {
        int64_t d[DIGITS], e[DIGITS], f[DIGITS], g[DIGITS];
        struct matrix t;
    } w = { .e = { 1 } };
    int64_t zeta = -1;

    memcpy(w.f, m->m62, sizeof(w.f));
    if (words == 4)
        to_digits(4, w.g, a);
    else
        to_digits(6, w.g, a);
    for (size_t i = 0; i < rounds; i++) {
        zeta = division_steps(zeta, (uint64_t)w.f[0] | (uint64_t)w.f[1] << 62, (uint64_t)w.g[0] | (uint64_t)w.g[1] << 62, &w.t);
        update_de(words, w.d, w.e, &w.t, m);
        update_fg(words, w.f, w.g, &w.t);
    }
    if (words == 4)
        from_digits(4, r, w.d, w.f, m);
    else
        from_digits(6, r, w.d, w.f, m);
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
}

void lc_mod_inverse(uint64_t *r, const uint64_t *a, const struct lc_mod *m)
{
    uint64_t t[LC_MOD_WORDS];

    lc_mod_plain_inverse(t, a, m); /* 1 / (x R) */
    lc_mod_mul(t, t, m->rr, m);    /* 1 / x */
    lc_mod_mul(r, t, m->rr, m);    /* R / x */
    lc_wipe(t, sizeof(t));
    lc_wipe_frame();
}

#else

void lc_mod_inverse(uint64_t *r, const uint64_t *a, const struct lc_mod *m)
{
    const size_t len = m->words * sizeof(*a);
    uint64_t power[LC_MOD_WORDS], x[LC_MOD_WORDS];

    memcpy(power, m->one, sizeof(power));
    memcpy(x, a, len);
    for (size_t i = 64 * m->words; i-- > 0;) { /* m - 2 is public, and as m is odd and above 2, only its lowest word is another */
        uint64_t word = m->m[i / 64] - (i < 64 ? 2 : 0);

        lc_mod_mul(power, power, power, m);
        if (word >> (i % 64) & 1)
            lc_mod_mul(power, power, x, m);
    }
    memcpy(r, power, len);
    lc_wipe(power, sizeof(power));
    lc_wipe(x, sizeof(x));
    lc_wipe_frame();
}

#endif

/*
 * Montgomery's trick: from the inverse of the product of all, back to front, each one's is the product of those before it times
 * it.
 */
void lc_mod_inverse_many(uint64_t *a, uint64_t *scratch, size_t num, const struct lc_mod *m)
{
    const size_t words = m->words, len = words * sizeof(*a);
    uint64_t inverse[LC_MOD_WORDS];

    if (num == 0)
        return;
    memcpy(scratch, a, len);
    for (size_t i = words; i < num * words; i += words)
        lc_mod_mul(scratch + i, scratch + i - words, a + i, m);
    lc_mod_inverse(inverse, scratch + (num - 1) * words, m);
    for (size_t i = (num - 1) * words; i > 0; i -= words) {
        lc_mod_mul(scratch + i, scratch + i - words, inverse, m);
        lc_mod_mul(inverse, inverse, a + i, m);
        memcpy(a + i, scratch + i, len);
    }
    memcpy(a, inverse, len);
    lc_wipe(inverse, sizeof(inverse));
    lc_wipe(scratch, num * len);
}
