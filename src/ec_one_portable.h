/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One point at a time on any CPU, in constant time where a multiplication takes a constant time: the operations of ec_one.c in
 * C.  Whoever includes it defines CURVE and BITS (ec_names.h), and mul(), Montgomery's product.  Formulas are those of
 * x86/jacobian.h, and bounds those of x86/p256_bmi2.S.
 */
#include "ec_work.h"

static void sqr(uint64_t *r, const uint64_t *a)
{
    mul(r, a, a);
}

static void add(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS])
{
    lc_mod_add(r, a, b, &EC(p));
}

static void sub(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS])
{
    lc_mod_sub(r, a, b, &EC(p));
}

static void half(uint64_t r[WORDS], const uint64_t a[WORDS])
{
    uint64_t odd = lc_opaque(0 - (a[0] & 1)), t[WORDS + 1], carry = 0;

    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        t[i] = lc_add_carry(a[i], EC(p).m[i] & odd, &carry);
    t[WORDS] = carry;
    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        r[i] = t[i] >> 1 | t[i + 1] << 63;
}

static void twice(uint64_t *work, size_t times)
{
    struct EC(work) *const w = (void *)work;

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

static void add_entry(uint64_t *work)
{
    struct EC(work) *const w = (void *)work;

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

static void select(uint64_t *work, const uint64_t *entries)
{
    struct EC(work) *const w = (void *)work;
    const struct EC(point) *const table = (const void *)entries;

    w->entry = table[0];
    for (uint64_t i = 1; i < LC_ONE_ENTRIES; i++) {
        uint64_t mask = lc_mask_if_zero(i ^ w->index);

        NUM(move_if)(w->entry.x, table[i].x, mask);
        NUM(move_if)(w->entry.y, table[i].y, mask);
    }
}

static void select_base(uint64_t *work, const uint64_t *entries)
{
    struct EC(work) *const w = (void *)work;
    const uint64_t(*const table)[BASE_ENTRIES] = (const uint64_t(*)[BASE_ENTRIES])(const void *)entries;

    memset(&w->entry, 0, sizeof(w->entry));
    for (uint64_t e = 0; e < BASE_ENTRIES; e++) {
        uint64_t mask = lc_mask_if_zero(e ^ w->index);

        for (int i = 0; i < WORDS; i++) {
            w->entry.x[i] |= table[i][e] & mask;
            w->entry.y[i] |= table[WORDS + i][e] & mask;
        }
    }
}

const struct lc_ec_ops EC(ops_portable) = { &EC(curve), mul, sqr, twice, add_entry, select, select_base };
