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
 * 590 steps took 2,700 cycles on Zen 5, an inverse 3,900, when a step had two conditional moves more.  What is added if g is odd is
 * chosen by the sign of zeta, before it's known whether g is: so only an addition, a conditional move and a shift are between one
 * step's g and the next one's.  Two at once take 1.4 times as long as one.  Raising to the power of m - 2, which is done where
 * there is no type of 128 bits, takes 300 multiplications, and more for 384 bits.
 */
#include "mod.h"

enum { DIGITS = LC_MOD_WORDS + 1 }; /* at most */

/* ---- Words ---- */

uint64_t lc_words_are_zero(const uint64_t *a, size_t words)
{
    uint64_t any = 0;

    for (size_t i = 0; i < words; i++)
        any |= a[i];
    return lc_mask_if_zero(any);
}

uint64_t lc_words_are_equal(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t any = 0;

    for (size_t i = 0; i < words; i++)
        any |= a[i] ^ b[i];
    return lc_mask_if_zero(any);
}

uint64_t lc_words_are_below(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t borrow = 0;

    for (size_t i = 0; i < words; i++)
        lc_sub_borrow(a[i], b[i], &borrow);
    return lc_opaque(0 - borrow);
}

uint64_t lc_mod_in_range(const uint64_t *a, const struct lc_mod *m)
{
    return lc_words_are_below(a, m->m, m->words) & ~lc_words_are_zero(a, m->words);
}

void lc_words_from_bytes(uint64_t *r, const uint8_t *bytes, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        uint64_t word;

        memcpy(&word, bytes + 8 * (words - 1 - i), 8);
        r[i] = __builtin_bswap64(word); /* the portable code needs a little-endian CPU */
    }
}

void lc_words_to_bytes(uint8_t *bytes, const uint64_t *a, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        uint64_t word = __builtin_bswap64(a[i]);

        memcpy(bytes + 8 * (words - 1 - i), &word, 8);
    }
}

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

const uint64_t lc_mod_zero[LC_MOD_WORDS];

void lc_mod_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const struct lc_mod *m)
{
    lc_mod_mul_add(r, a, b, lc_mod_zero, m);
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

/* An inversion under way */
struct inversion {
    int64_t d[DIGITS], e[DIGITS], f[DIGITS], g[DIGITS];
    struct matrix t; /* of a round */
    uint64_t zeta;
};

/*
 * A step.  (Of C compilers make masks or branches.)  What depends on whether g is odd and z negative is chosen by one test of g and
 * z's sign bit: two conditional moves, not four.
 */
LC_INLINE void division_step(uint64_t *z, uint64_t *f, uint64_t *g)
{
#ifdef __x86_64__
    uint64_t addend, new_z, sign;

    __asm__("xorl %k[addend], %k[addend]\n\tsubq %[f], %[addend]\n\ttestq %[z], %[z]\n\tcmovnsq %[f], %[addend]\n\t"
            "movq %[z], %[sign]\n\tshrq $63, %[sign]\n\t"
            "leaq 1(%[z]), %[new_z]\n\tsubq $1, %[z]\n\tnotq %[new_z]\n\t" /* -z - 2 */
            "addq %[g], %[addend]\n\t"
            "testq %[g], %[sign]\n\tcmovnzq %[new_z], %[z]\n\tcmovnzq %[g], %[f]\n\t"
            "testb $1, %b[g]\n\tcmovnzq %[addend], %[g]\n\tsarq $1, %[g]"
            : [z] "+&r"(*z), [f] "+&r"(*f), [g] "+&r"(*g), [addend] "=&r"(addend), [new_z] "=&r"(new_z), [sign] "=&r"(sign)
            :
            : "cc");
#else
    const uint64_t negative = lc_opaque(0 - (*z >> 63)), odd = lc_opaque(0 - (*g & 1));
    const uint64_t addend = (*f ^ negative) - negative, old_g = *g;

    *g = (uint64_t)((int64_t)(old_g + (addend & odd)) >> 1);
    *f ^= (*f ^ old_g) & odd & negative;
    *z = (*z ^ (odd & negative)) - 1; /* ~z = -z - 1 */
#endif
}

/*
 * A round of one inversion or of two.  Each step waits for the one before it, but two inversions don't wait for each other: so
 * they take turns.
 *
 * For num steps, at most 20, the lowest 20 bits of f and g are enough.  A row of their matrix, times 2^num, is in one word with its
 * number: f - 2^21 u - 2^42 v, and g - 2^21 q - 2^42 r.  So what a step does to the numbers it does to the rows, in half as many
 * operations.  Halves are exact, as there are num of them.
 *
 * The parts have room: a row's |u| + |v| is 2^num at first, and halves of sums or differences of rows, which are never equal nor
 * opposite, are less.  So -u, which has 21 bits here, is -2^num at least and below 2^num.  f and g remain below 2^20.
 *
 * Of 64 bits of f and g, 44 are right after 20 steps, and 24 after 40.
 */
LC_INLINE void division_steps_of(size_t count, struct inversion *inversions)
{
    const uint64_t bit20 = UINT64_C(1) << 20, bit41 = UINT64_C(1) << 41; /* half of what a part can be, for rounding */
    uint64_t low_f[2], low_g[2], z[2], f[2], g[2];
    struct matrix t[2];

    LC_UNROLL
    for (size_t n = 0; n < count; n++) {
        const struct inversion *v = &inversions[n];

        low_f[n] = (uint64_t)v->f[0] | (uint64_t)v->f[1] << 62;
        low_g[n] = (uint64_t)v->g[0] | (uint64_t)v->g[1] << 62;
        z[n] = v->zeta;
        t[n] = (struct matrix){ 8, 0, 0, 8 };
    }
    for (int left = STEPS; left > 0; left -= 20) {
        const int num = left < 20 ? left : 20;

        LC_UNROLL
        for (size_t n = 0; n < count; n++) {
            f[n] = (low_f[n] & (bit20 - 1)) - (UINT64_C(1) << 21 << num);
            g[n] = (low_g[n] & (bit20 - 1)) - (UINT64_C(1) << 42 << num);
        }
        for (int i = 0; i < num; i++) {
            LC_UNROLL
            for (size_t n = 0; n < count; n++) {
                division_step(&z[n], &f[n], &g[n]);
            }
        }
        LC_UNROLL
        for (size_t n = 0; n < count; n++) {
            const struct matrix a = t[n];
            const int64_t u = -((int64_t)((f[n] + bit20) << 22) >> 43), v = -((int64_t)(f[n] + bit20 + bit41) >> 42);
            const int64_t q = -((int64_t)((g[n] + bit20) << 22) >> 43), r = -((int64_t)(g[n] + bit20 + bit41) >> 42);
            const uint64_t next_f = (uint64_t)u * low_f[n] + (uint64_t)v * low_g[n];

            low_g[n] = ((uint64_t)q * low_f[n] + (uint64_t)r * low_g[n]) >> 20;
            low_f[n] = next_f >> 20;
            t[n] = (struct matrix){ u * a.u + v * a.q, u * a.v + v * a.r, q * a.u + r * a.q, q * a.v + r * a.r };
        }
    }
    LC_UNROLL
    for (size_t n = 0; n < count; n++) {
        inversions[n].zeta = z[n];
        inversions[n].t = t[n];
    }
}

static void division_steps(struct inversion *inversions, size_t count)
{
    if (count == 1)
        division_steps_of(1, inversions);
    else
        division_steps_of(2, inversions);
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
static void add_if_negative(size_t words, int64_t *a, int64_t negate, const struct lc_mod *m)
{
    int64_t negative = (int64_t)lc_opaque((uint64_t)((a[words] ^ negate) >> 63)), carry = 0;

    for (size_t i = 0; i <= words; i++) {
        carry += ((a[i] ^ negate) - negate) + (m->m62[i] & negative);
        a[i] = i < words ? (int64_t)((uint64_t)carry & DIGIT) : carry;
        carry >>= 62;
    }
}

static void to_digits(size_t words, int64_t *d, const uint64_t *a)
{
    d[0] = (int64_t)(a[0] & DIGIT);
    for (size_t i = 1; i < words; i++)
        d[i] = (int64_t)((a[i - 1] >> (64 - 2 * i) | a[i] << (2 * i)) & DIGIT);
    d[words] = (int64_t)(a[words - 1] >> (64 - 2 * words));
}

/* From d / f, where f is 1 or -1, and d above -2m and below m */
static void from_digits(size_t words, uint64_t *r, int64_t *d, const int64_t *f, const struct lc_mod *m)
{
    add_if_negative(words, d, 0, m); /* above -m now */
    add_if_negative(words, d, f[words] >> 63, m);
    for (size_t i = 0; i < words; i++)
        r[i] = (uint64_t)d[i] >> (2 * i) | (uint64_t)d[i + 1] << (62 - 2 * i);
}

static void begin_inversion(struct inversion *v, const uint64_t *a, const struct lc_mod *m)
{
    *v = (struct inversion){ .e = { 1 }, .zeta = UINT64_MAX };
    memcpy(v->f, m->m62, sizeof(v->f));
    to_digits(m->words, v->g, a);
}

static void end_inversion(uint64_t *r, struct inversion *v, const struct lc_mod *m)
{
    from_digits(m->words, r, v->d, v->f, m);
}

/* From 1 / (x R).  (Not inline, as it's in three places.) */
static __attribute__((noinline)) void to_inverse(uint64_t *a, const struct lc_mod *m)
{
    lc_mod_mul(a, a, m->rr, m); /* 1 / x */
    lc_mod_mul(a, a, m->rr, m); /* R / x */
}

void lc_mod_plain_inverse(uint64_t *r, const uint64_t *a, const struct lc_mod *m, uint64_t *other, const struct lc_mod *n)
{
    const size_t words = m->words, count = other ? 2 : 1, rounds = ((9437 * 64 * words + 1) / 4096 + STEPS) / STEPS;
    const struct lc_mod *const moduli[2] = { m, n };
    struct inversion v[2];

    begin_inversion(&v[0], a, m);
    if (other)
        begin_inversion(&v[1], other, n);
    for (size_t i = 0; i < rounds; i++) {
        division_steps(v, count);
        for (size_t k = 0; k < count; k++) {
            update_de(words, v[k].d, v[k].e, &v[k].t, moduli[k]);
            update_fg(words, v[k].f, v[k].g, &v[k].t);
        }
    }
    end_inversion(r, &v[0], m);
    if (other) {
        end_inversion(other, &v[1], n);
        to_inverse(other, n);
    }
    lc_wipe(v, count * sizeof(v[0]));
    lc_wipe_frame();
}

void lc_mod_inverse_two(uint64_t *r, const uint64_t *a, const struct lc_mod *m, uint64_t *other, const struct lc_mod *n)
{
    lc_mod_plain_inverse(r, a, m, other, n);
    to_inverse(r, m);
    lc_wipe_frame();
}

#else

static void inverse_by_power(uint64_t *r, const uint64_t *a, const struct lc_mod *m)
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

void lc_mod_inverse_two(uint64_t *r, const uint64_t *a, const struct lc_mod *m, uint64_t *other, const struct lc_mod *n)
{
    inverse_by_power(r, a, m);
    if (other)
        inverse_by_power(other, other, n);
}

#endif

void lc_mod_products(uint64_t *products, const uint64_t *a, size_t num, const struct lc_mod *m, lc_mod_mul_add_function *mul_add)
{
    const size_t words = m->words;

    memcpy(products, a, words * sizeof(*a));
    for (size_t i = words; i < num * words; i += words)
        mul_add(products + i, products + i - words, a + i, lc_mod_zero, m);
}

/*
 * Montgomery's trick: from the inverse of the product of all, back to front, each one's is the product of those before it times
 * it.
 */
void lc_mod_inverses(uint64_t *a, uint64_t *products, size_t num, const struct lc_mod *m, lc_mod_mul_add_function *mul_add)
{
    const size_t words = m->words, len = words * sizeof(*a);
    uint64_t inverse[2][LC_MOD_WORDS];
    size_t k = 0;

    memcpy(inverse[0], products + (num - 1) * words, len);
    for (size_t i = (num - 1) * words; i > 0; i -= words, k = 1 - k) {
        /* First what the next one waits for */
        mul_add(inverse[1 - k], inverse[k], a + i, lc_mod_zero, m);
        mul_add(a + i, products + i - words, inverse[k], lc_mod_zero, m);
    }
    memcpy(a, inverse[k], len);
    lc_wipe(inverse, sizeof(inverse));
    lc_wipe(products, num * len);
}

void lc_mod_inverse_many(uint64_t *a, uint64_t *scratch, size_t num, const struct lc_mod *m, uint64_t *other,
                         const struct lc_mod *n)
{
    uint64_t *const last = scratch + (num - 1) * m->words;

    if (num == 0)
        return;
    lc_mod_products(scratch, a, num, m, lc_mod_mul_add);
    lc_mod_inverse_two(last, last, m, other, n);
    lc_mod_inverses(a, scratch, num, m, lc_mod_mul_add);
}
