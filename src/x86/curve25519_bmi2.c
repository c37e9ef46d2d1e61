/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Curve25519 for x86-64 with BMI2, one operation after another: numbers of four words, and the assembly's functions. */
#include "curve25519_bmi2.h"

#include "../curve25519_table.h"

#define ROW(name) lc_25519_##name##_bmi2_avx2

/* ---- Numbers: what may be in them is in x86/curve25519_bmi2.S ---- */

#define fe lc_25519_words
#define FE(w0, w1, w2, w3)                                                                                                         \
    {                                                                                                                              \
        {                                                                                                                          \
            UINT64_C(w0), UINT64_C(w1), UINT64_C(w2), UINT64_C(w3)                                                                 \
        }                                                                                                                          \
    }
#define point lc_25519_point_bmi2
#define addend lc_25519_addend_bmi2

/* The assembly's r may be its second factor. */
LC_INLINE void fe_mul(struct fe *r, const struct fe *a, const struct fe *b)
{
    lc_25519_mul_bmi2_avx2(r, b, a);
}

LC_INLINE void fe_sqr(struct fe *r, const struct fe *a, size_t times)
{
    lc_25519_sqr_bmi2_avx2(r, a, times);
}

/* r = a + b, b tight */
static void fe_add(struct fe *r, const struct fe *a, const struct fe *b)
{
    uint64_t carry = 0, again = 0;

    LC_UNROLL
    for (int i = 0; i < 4; i++)
        r->w[i] = lc_add_carry(a->w[i], b->w[i], &carry);
    r->w[0] = lc_add_carry(r->w[0], 38 * carry, &again);
    LC_UNROLL
    for (int i = 1; i < 4; i++)
        r->w[i] = lc_add_carry(r->w[i], 0, &again);
}

/* r = a - b, b tight or a difference */
static void fe_sub(struct fe *r, const struct fe *a, const struct fe *b)
{
    uint64_t borrow = 0, again = 0;

    LC_UNROLL
    for (int i = 0; i < 4; i++)
        r->w[i] = lc_sub_borrow(a->w[i], b->w[i], &borrow);
    r->w[0] = lc_sub_borrow(r->w[0], 38 * borrow, &again);
    LC_UNROLL
    for (int i = 1; i < 4; i++)
        r->w[i] = lc_sub_borrow(r->w[i], 0, &again);
}

LC_INLINE void fe_from_words(struct fe *r, const uint64_t x[4])
{
    memcpy(r->w, x, sizeof(r->w));
}

/* x = a, below p, for any a: what is above 2^255 goes to its place, and then a is below 2p. */
static void fe_to_words(uint64_t x[4], const struct fe *a)
{
    uint64_t t[4], carry = 0;

    t[0] = lc_add_carry(a->w[0], 19 * (a->w[3] >> 63), &carry);
    t[1] = lc_add_carry(a->w[1], 0, &carry);
    t[2] = lc_add_carry(a->w[2], 0, &carry);
    t[3] = (a->w[3] & INT64_MAX) + carry;
    lc_mod_reduce_once(x, t, 0, &lc_25519_p);
}

/* ---- X25519 ---- */

static void ladder(struct fe *x, struct fe *z, const uint64_t k[4], const struct fe *u)
{
    struct lc_25519_ladder_bmi2 w;

    w.x2 = (struct fe)FE(1, 0, 0, 0);
    w.z2 = (struct fe)FE(0, 0, 0, 0);
    w.x3 = *u;
    w.z3 = w.x2;
    w.u = *u;
    for (int i = 0; i < 4; i++)
        w.bits[i] = k[i] ^ (k[i] >> 1 | (i < 3 ? k[i + 1] << 63 : 0));
    lc_25519_ladder_bmi2_avx2(&w);
    *x = w.x2; /* the last bit is 0 */
    *z = w.z2;
    lc_wipe(&w, sizeof(w));
}

/* ---- Points ---- */

#define double_point lc_25519_double_bmi2_avx2
#define add_point lc_25519_add_bmi2_avx2
#define add_affine lc_25519_add_affine_bmi2_avx2

LC_INLINE void from_entry(struct addend *q, const struct lc_25519_entry *entry)
{
    fe_from_words(&q->plus, entry->plus);
    fe_from_words(&q->minus, entry->minus);
    fe_from_words(&q->dxy2, entry->dxy2);
}

static void read_comb(struct addend *q, const struct lc_25519_entry *comb, uint64_t signs)
{
    uint64_t negative = (signs >> (LC_25519_TEETH - 1)) - 1;

    lc_25519_select_bmi2_avx2(q, comb, (signs ^ negative) & (LC_25519_COMB_ENTRIES - 1), negative);
}

#include "../curve25519_body.h"

#define LADDER(member) offsetof(struct lc_25519_ladder_bmi2, member)
#define POINT(member) offsetof(struct lc_25519_point_bmi2, member)
#define ADDEND(member) offsetof(struct lc_25519_addend_bmi2, member)
_Static_assert(LADDER(x2) == 0 && LADDER(z2) == 32 && LADDER(x3) == 64 && LADDER(z3) == 96 && LADDER(u) == 128, "LX2 .. LU");
_Static_assert(LADDER(t) == 160 && LADDER(low) == 352 && LADDER(bits) == 376, "L0, LADDER_LOW, BITS");
_Static_assert(POINT(x) == 0 && POINT(y) == 32 && POINT(z) == 64 && POINT(t) == 96, "PX .. PT");
_Static_assert(POINT(s) == 128 && POINT(low) == 288, "P0, POINT_LOW");
_Static_assert(ADDEND(plus) == 0 && ADDEND(minus) == 32 && ADDEND(dxy2) == 64 && ADDEND(z2) == 96, "Q_PLUS .. Q_Z2");
_Static_assert(offsetof(struct lc_25519_entry, minus) == 32 && offsetof(struct lc_25519_entry, dxy2) == 64 &&
                   sizeof(struct lc_25519_entry) == 96,
               "select");
_Static_assert(LC_25519_COMB_ENTRIES == 16, "select");
