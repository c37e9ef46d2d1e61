/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RSA of one operation, whose numbers lie across lanes: the powers modulo p and q in four lanes each, or one modulo n in all of
 * them.  Multiplications are x86/rsa_one.S's, which says what numbers look like.
 */
#include "rsa.h"

/* What multiplications are told: how many blocks and limbs, and where the numbers are */
struct layout {
    struct lc_rsa_one *w;
    size_t numbers, blocks, limbs, words; /* words: of each number */
    size_t block_bits;                    /* X = 2^block_bits */
};

static void mul(struct lc_rsa_limb *r, const struct lc_rsa_limb *a, const struct lc_rsa_limb *b, const struct layout *l)
{
    LC_IN_LANES(lc_rsa_one_mul)(r, a, b, l->w, l->blocks, l->limbs * sizeof(*r));
}

void lc_rsa_one_set_lanes(struct lc_rsa_one *w, size_t numbers)
{
    for (size_t lane = 0; lane < LC_LANES; lane++) {
        w->first.lane[lane] = numbers == 2 ? lane / 4 * 4 : 0;
        w->down.lane[lane] = lane + 1;
        w->up.lane[lane] = (lane + 7) % 8;
    }
    w->lowest = numbers == 2 ? 0x11 : 0x01;
    w->not_highest = numbers == 2 ? 0x77 : 0x7f;
}

/* `words` of each number */
static void set_layout(struct layout *l, struct lc_rsa_one *w, size_t numbers, size_t words)
{
    l->w = w;
    l->numbers = numbers;
    l->blocks = LC_LANES / numbers;
    l->words = words;
    l->limbs = words * numbers == 32 ? 5 : words * numbers == 48 ? 8 : 10;
    l->block_bits = 52 * l->limbs - 2;
    lc_rsa_one_set_lanes(w, numbers);
}

/* Bits at .. at + num - 1 of a, num <= 52; there are zeros above its words. */
static uint64_t bits(const uint64_t *a, size_t words, size_t at, size_t num)
{
    const size_t word = at / 64, shift = at % 64;
    uint64_t r = word < words ? a[word] >> shift : 0;

    if (shift + num > 64 && word + 1 < words)
        r |= a[word + 1] << (64 - shift);
    return r & ((UINT64_C(1) << num) - 1);
}

/* A block of a, from bit `at`, to a lane */
static void put_block(struct lc_rsa_limb *r, size_t lane, const uint64_t *a, size_t words, size_t at, size_t limbs)
{
    for (size_t i = 0; i < limbs; i++)
        r[i].lane[lane] = bits(a, words, at + 52 * i, i + 1 < limbs ? 52 : 50);
}

/* R's part of a from bit `at` on, to the lanes of number i */
static void put(struct lc_rsa_limb *r, size_t i, const uint64_t *a, size_t words, size_t at, const struct layout *l)
{
    for (size_t block = 0; block < l->blocks; block++)
        put_block(r, i * l->blocks + block, a, words, at + block * l->block_bits, l->limbs);
}

/* r = 2^power of each number */
static void put_power_of_2(struct lc_rsa_limb *r, size_t power, const struct layout *l)
{
    const size_t block = power / l->block_bits, bit = power % l->block_bits;

    memset(r, 0, l->limbs * sizeof(*r));
    for (size_t i = 0; i < l->numbers; i++)
        r[bit / 52].lane[i * l->blocks + block] = UINT64_C(1) << bit % 52;
}

/* A limb, and what the one before it has carried; *carry: what is carried to the next one, which may be the next block's. */
static uint64_t next_limb(uint64_t *carry, const struct lc_rsa_limb *a, size_t lane, size_t limb, const struct layout *l)
{
    const size_t num = limb + 1 < l->limbs ? 52 : 50;
    const uint64_t sum = a[limb].lane[lane] + *carry;

    *carry = sum >> num;
    return sum & ((UINT64_C(1) << num) - 1);
}

/* a += b, below R: so nothing is carried from the first number to the second one. */
static void add(struct lc_rsa_limb *a, const struct lc_rsa_limb *b, const struct layout *l)
{
    uint64_t carry = 0;

    for (size_t lane = 0; lane < LC_LANES; lane++)
        for (size_t i = 0; i < l->limbs; i++) {
            a[i].lane[lane] += b[i].lane[lane];
            a[i].lane[lane] = next_limb(&carry, a, lane, i, l);
        }
}

/* r = a of number i, less m, twice, where it is m or more; it is below 3m. */
static void get_reduced(uint64_t *r, const struct lc_rsa_limb *a, size_t i, const uint64_t *m, const struct layout *l)
{
    uint64_t t[LC_RSA_MAX_WORDS + 2] = { 0 }, c = 0;

    for (size_t block = 0; block < l->blocks; block++)
        for (size_t limb = 0; limb < l->limbs; limb++) {
            const size_t bit = block * l->block_bits + 52 * limb, at = bit / 64, shift = bit % 64;
            const uint64_t x = next_limb(&c, a, i * l->blocks + block, limb, l);

            if (at > l->words)
                break; /* zeros */
            t[at] |= x << shift;
            if (shift > 12)
                t[at + 1] |= x >> (64 - shift);
        }
    for (int times = 0; times < 2; times++) {
        uint64_t less[LC_RSA_MAX_WORDS + 1], borrow = 0, keep;

        for (size_t k = 0; k <= l->words; k++)
            less[k] = lc_sub_borrow(t[k], k < l->words ? m[k] : 0, &borrow);
        keep = lc_opaque(0 - borrow);
        for (size_t k = 0; k <= l->words; k++)
            t[k] ^= (t[k] ^ less[k]) & ~keep;
    }
    memcpy(r, t, 8 * l->words);
}

/*
 * m of number i, k = -1/m mod X and (k m + 1) / X.  Beginning with t = 1, the next word of k is q = -t/m mod 2^64, and then t is
 * (t + q m) / 2^64; when all bits are done, t is (k m + 1) / X.
 */
static void put_modulus(size_t i, const uint64_t *m, uint64_t neg_inverse, const struct layout *l)
{
    uint64_t t[LC_RSA_MAX_WORDS + 1] = { 1 }, k[LC_RSA_ONE_LIMBS] = { 0 };

    for (size_t at = 0; at < l->block_bits; at += 64) {
        const size_t num = l->block_bits - at < 64 ? l->block_bits - at : 64;
        const uint64_t q = t[0] * neg_inverse & (UINT64_MAX >> (64 - num));
        uint64_t c = 0;

        k[at / 64] = q;
        for (size_t j = 0; j < l->words; j++)
            t[j] = lc_multiply_add(q, m[j], t[j], &c);
        t[l->words] = c; /* t was at most m */
        for (size_t j = 0; j < l->words; j++)
            t[j] = num == 64 ? t[j + 1] : t[j] >> num | t[j + 1] << (64 - num);
        t[l->words] = 0;
    }
    put(l->w->m, i, m, l->words, 0, l);
    put(l->w->m_high, i, t, l->words, 0, l);
    for (size_t block = 0; block < l->blocks; block++)
        put_block(l->w->k, i * l->blocks + block, k, LC_RSA_ONE_LIMBS, 0, l->limbs);
}

/* rr = R^2 modulo m, from rr = 2^(128 words): that squared, over R, times a power of 2, over R. */
static void make_rr(struct lc_rsa_limb *rr, struct lc_rsa_limb *t, const struct layout *l)
{
    put_power_of_2(t, 4 * l->blocks * l->block_bits - 256 * l->words, l);
    mul(rr, rr, rr, l);
    mul(rr, rr, t, l);
}

/* ---- Powers to secret exponents ---- */

/* What an operation has: two powers */
struct operation {
    struct lc_rsa_one one;
    struct lc_rsa_limb table[LC_RSA_ENTRIES * LC_RSA_ONE_LIMBS]; /* x^i, in Montgomery's form */
    struct lc_rsa_limb rr[LC_RSA_ONE_LIMBS], t[LC_RSA_ONE_LIMBS], power[LC_RSA_ONE_LIMBS], entry[LC_RSA_ONE_LIMBS];
    struct lc_rsa_limb index;
    struct layout layout;
    struct lc_rsa_power *powers[2];
};

/* From one entry of the table to the next: the selection takes multiples of five limbs. */
static size_t stride(const struct layout *l)
{
    return l->limbs == 5 ? 5 : 10;
}

/* entry = x^(bits at .. at + LC_RSA_WINDOW - 1 of the exponent) of both numbers */
static void select_entry(struct operation *o, size_t at)
{
    for (size_t lane = 0; lane < LC_LANES; lane++)
        o->index.lane[lane] = bits(o->powers[lane / 4]->prime->exponent, o->layout.words, at, LC_RSA_WINDOW);
    LC_IN_LANES(lc_rsa_select)(o->entry, o->table, &o->index, stride(&o->layout) * sizeof(o->entry[0]));
}

/*
 * The table.  The base has twice as many words as the primes, which is up to 2 G blocks: x = x1 R + x0.  In Montgomery's form that
 * is (x1 rr / R) rr / R + x0 rr / R.  As x0 and x1 are below R and rr below 2.25 m, the terms are below 2.25 m and 4.25 m.
 */
static void begin(struct operation *o, size_t words)
{
    struct layout *const l = &o->layout;
    struct lc_rsa_limb *x;

    set_layout(l, &o->one, 2, words);
    x = o->table + stride(l);
    for (size_t i = 0; i < 2; i++) {
        const struct lc_rsa_prime *prime = o->powers[i]->prime;

        put_modulus(i, prime->m, prime->neg_inverse, l);
        put(o->rr, i, prime->rr, words, 0, l);
        put(o->power, i, o->powers[i]->x, 2 * words, 0, l);
        put(x, i, o->powers[i]->x, 2 * words, l->blocks * l->block_bits, l);
    }
    make_rr(o->rr, o->t, l);
    mul(x, x, o->rr, l);
    mul(x, x, o->rr, l);
    mul(o->power, o->power, o->rr, l);
    add(x, o->power, l);
    put_power_of_2(o->t, 0, l);
    mul(o->table, o->rr, o->t, l);
    for (size_t i = 2; i < LC_RSA_ENTRIES; i++) {
        struct lc_rsa_limb *const entry = o->table + i * stride(l), *const half = o->table + i / 2 * stride(l);

        if (i % 2)
            mul(entry, entry - stride(l), x, l);
        else
            mul(entry, half, half, l);
    }
}

/*
 * The operations' multiplications take turns: the end of one, in which each instruction waits for the one before it, and the begin
 * of another one overlap.  So do the selection and the multiplication after it.
 */
void lc_rsa_one_power(struct lc_rsa_power *powers, size_t num, size_t words)
{
    struct operation operations[LC_RSA_ONE_FEW];
    struct operation *const end = operations + (num + 1) / 2;
    size_t at = (64 * words - 1) / LC_RSA_WINDOW * LC_RSA_WINDOW;

    for (struct operation *o = operations; o < end; o++) {
        const size_t i = 2 * (size_t)(o - operations);

        memset(o->table, 0, sizeof(o->table));
        o->powers[0] = &powers[i];
        o->powers[1] = &powers[i + 1 < num ? i + 1 : i];
        begin(o, words);
        select_entry(o, at);
        memcpy(o->power, o->entry, sizeof(o->power));
    }
    while (at > 0) {
        at -= LC_RSA_WINDOW;
        for (struct operation *o = operations; o < end; o++)
            select_entry(o, at);
        for (int i = 0; i < LC_RSA_WINDOW; i++)
            for (struct operation *o = operations; o < end; o++)
                mul(o->power, o->power, o->power, &o->layout);
        for (struct operation *o = operations; o < end; o++)
            mul(o->power, o->power, o->entry, &o->layout);
    }
    for (struct operation *o = operations; o < end; o++) {
        mul(o->power, o->power, o->t, &o->layout);
        for (size_t i = 0; i < 2; i++)
            get_reduced(o->powers[i]->r, o->power, i, o->powers[i]->prime->m, &o->layout);
    }
}

/* ---- Powers to e, which is public, as what is raised to it is at last. ---- */

/* e is odd, so the last step is a product; with x itself, not its Montgomery form, it leaves that form. */
static void public_power(struct lc_rsa_public_op *op)
{
    struct lc_rsa_one one;
    struct lc_rsa_limb x[LC_RSA_ONE_LIMBS], form[LC_RSA_ONE_LIMBS], power[LC_RSA_ONE_LIMBS];
    const struct lc_rsa_public_key *key = op->key;
    struct layout l;

    set_layout(&l, &one, 1, key->words);
    put_modulus(0, key->n, key->neg_inverse, &l);
    put(x, 0, op->x, key->words, 0, &l);
    put(power, 0, key->rr, key->words, 0, &l);
    make_rr(power, form, &l);
    mul(form, x, power, &l);
    memcpy(power, form, l.limbs * sizeof(*form));
    for (size_t bit = key->e_bits - 1; bit-- > 0;) {
        mul(power, power, power, &l);
        if (bit && bits(key->e, LC_RSA_MAX_E, bit, 1))
            mul(power, power, form, &l);
    }
    mul(power, power, x, &l);
    get_reduced(op->x, power, 0, key->n, &l);
}

void lc_rsa_one_public_power(struct lc_rsa_public_op *ops, size_t num)
{
    for (size_t i = 0; i < num; i++)
        public_power(&ops[i]);
}

_Static_assert(sizeof(struct operation) * LC_RSA_ONE_FEW + 1024 < LC_RSA_ONE_STACK, "what is wiped");
_Static_assert(offsetof(struct lc_rsa_one, first) == 0 && offsetof(struct lc_rsa_one, down) == 64, "FIRST, DOWN");
_Static_assert(offsetof(struct lc_rsa_one, up) == 2 * 64 && offsetof(struct lc_rsa_one, not_highest) == 3 * 64, "UP, MASKS");
_Static_assert(offsetof(struct lc_rsa_one, lowest) == 3 * 64 + 2 && offsetof(struct lc_rsa_one, k) == 4 * 64, "MASKS, K");
_Static_assert(offsetof(struct lc_rsa_one, m) == 14 * 64 && offsetof(struct lc_rsa_one, m_high) == 24 * 64, "M, M_HIGH");
