/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * P-256 on any CPU, in constant time where a multiplication takes a constant time: the operations of src/p256_one.c in C.
 * Formulas and bounds are those of x86/p256_bmi2.S.
 */
#include "p256_one.h"

/* r = a * b / 2^256: lc_mod_mul() for p, of which three words are -1, 2^32 - 1 and 0: the multiple of p is the lowest word. */
static void mul(uint64_t r[4], const uint64_t a[4], const uint64_t b[4])
{
    uint64_t t[4] = { 0 }, top = 0;

    LC_UNROLL
    for (int i = 0; i < 4; i++) {
        uint64_t carry = 0, q, over = 0;

        LC_UNROLL
        for (int j = 0; j < 4; j++)
            t[j] = lc_multiply_add(a[j], b[i], t[j], &carry);
        top += carry; /* t + a b_i < 2^320 */
        q = t[0];
        carry = 0;
        t[0] = lc_multiply_add(q, UINT64_C(1) << 32, t[1], &carry);
        t[1] = lc_add_carry(t[2], carry, &over);
        t[2] = lc_multiply_add(q, lc_p256_p.m[3], t[3], &over);
        carry = 0;
        t[3] = lc_add_carry(top, over, &carry);
        top = carry;
    }
    lc_mod_reduce_once(r, t, top, &lc_p256_p);
}

static void sqr(uint64_t r[4], const uint64_t a[4])
{
    mul(r, a, a);
}

static void add(uint64_t r[4], const uint64_t a[4], const uint64_t b[4])
{
    lc_mod_add(r, a, b, &lc_p256_p);
}

static void sub(uint64_t r[4], const uint64_t a[4], const uint64_t b[4])
{
    lc_mod_sub(r, a, b, &lc_p256_p);
}

static void half(uint64_t r[4], const uint64_t a[4])
{
    uint64_t odd = lc_opaque(0 - (a[0] & 1)), t[5], carry = 0;

    LC_UNROLL
    for (int i = 0; i < 4; i++)
        t[i] = lc_add_carry(a[i], lc_p256_p.m[i] & odd, &carry);
    t[4] = carry;
    LC_UNROLL
    for (int i = 0; i < 4; i++)
        r[i] = t[i] >> 1 | t[i + 1] << 63;
}

static void twice(struct lc_p256_work *w, size_t times)
{
    while (times--) {
        sqr(w->t[0], w->z);
        sub(w->t[1], w->x, w->t[0]);
        add(w->t[2], w->x, w->t[0]);
        mul(w->t[1], w->t[1], w->t[2]);
        half(w->t[2], w->t[1]);
        add(w->t[1], w->t[1], w->t[2]); /* L */
        sqr(w->t[0], w->y);
        mul(w->z, w->y, w->z);
        mul(w->t[2], w->x, w->t[0]); /* B */
        sqr(w->t[3], w->t[0]);       /* Y^4 */
        sqr(w->x, w->t[1]);
        sub(w->x, w->x, w->t[2]);
        sub(w->x, w->x, w->t[2]);
        sub(w->t[2], w->t[2], w->x);
        mul(w->y, w->t[1], w->t[2]);
        sub(w->y, w->y, w->t[3]);
    }
}

static void add_entry(struct lc_p256_work *w)
{
    sqr(w->t[0], w->z);
    mul(w->t[1], w->entry.x, w->t[0]);
    sub(w->t[1], w->t[1], w->x); /* H */
    mul(w->t[0], w->z, w->t[0]);
    mul(w->z, w->z, w->t[1]);
    mul(w->t[0], w->entry.y, w->t[0]);
    sub(w->t[0], w->t[0], w->y); /* R */
    sqr(w->t[2], w->t[1]);
    mul(w->t[1], w->t[1], w->t[2]); /* H^3 */
    mul(w->t[2], w->x, w->t[2]);    /* V */
    sqr(w->x, w->t[0]);
    sub(w->x, w->x, w->t[1]);
    sub(w->x, w->x, w->t[2]);
    sub(w->x, w->x, w->t[2]);
    mul(w->t[1], w->y, w->t[1]);
    sub(w->t[2], w->t[2], w->x);
    mul(w->y, w->t[0], w->t[2]);
    sub(w->y, w->y, w->t[1]);
}

static void select(struct lc_p256_work *w, const struct lc_p256_point table[LC_P256_ONE_ENTRIES])
{
    uint64_t opposite[4];

    w->entry = table[0];
    for (uint64_t i = 1; i < LC_P256_ONE_ENTRIES; i++) {
        uint64_t mask = lc_mask_if_zero(i ^ w->index);

        lc_256_move_if(w->entry.x, table[i].x, mask);
        lc_256_move_if(w->entry.y, table[i].y, mask);
    }
    sub(opposite, lc_p256_p.m, w->entry.y);
    lc_256_move_if(w->entry.y, opposite, w->negative);
}

const struct lc_p256_ops lc_p256_ops_portable = { mul, sqr, twice, add_entry, select };

LC_P256_ONE_ROW(portable)
