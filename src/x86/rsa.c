/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RSA in the lanes of vectors: LC_LANES powers at once (x86/lanes.h), each modulo another number.  Multiplications are
 * x86/rsa.S's.
 *
 * A signature takes two lanes, one for each prime; so with eight lanes up to four signatures take one power's time, and eight two.
 * Lanes without a power do the first one's again.  Where there are eight lanes, few operations are x86/rsa_one.c's.
 */
#include "rsa.h"

#define MASK52 ((UINT64_C(1) << 52) - 1)

static void mul(struct lc_rsa_limb *r, const struct lc_rsa_limb *a, const struct lc_rsa_limb *b, struct lc_rsa_lanes *w,
                size_t limbs)
{
    LC_IN_LANES(lc_rsa_mul)(r, a, b, w, limbs * sizeof(*r));
}

/* Limbs `first` to first + num - 1 of a number of so many words, to a lane; there are zeros above the words. */
static void put_lane(struct lc_rsa_limb *r, size_t lane, const uint64_t *a, size_t words, size_t first, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const size_t bit = 52 * (first + i), at = bit / 64, shift = bit % 64;
        uint64_t limb = at < words ? a[at] >> shift : 0;

        if (shift > 12 && at + 1 < words)
            limb |= a[at + 1] << (64 - shift);
        r[i].lane[lane] = limb & MASK52;
    }
}

/* The other way.  What is there is below 2^(64 words), or 1.001 times that: then *top is 1. */
static void get_lane(uint64_t *a, uint64_t *top, const struct lc_rsa_limb *r, size_t lane, size_t words)
{
    memset(a, 0, 8 * words);
    *top = 0;
    for (size_t i = 0; i < LC_RSA_LIMBS(words); i++) {
        const size_t bit = 52 * i, at = bit / 64, shift = bit % 64;
        const uint64_t limb = r[i].lane[lane];

        if (at < words)
            a[at] |= limb << shift;
        else
            *top |= limb << shift;
        if (shift > 12 && at + 1 <= words)
            *(at + 1 < words ? &a[at + 1] : top) |= limb >> (64 - shift);
    }
}

/* a of all lanes, below 1.001 m, less m where it is m or more */
static void get_reduced(uint64_t *r, const struct lc_rsa_limb *a, size_t lane, const uint64_t *m, size_t words)
{
    uint64_t top, borrow = 0, less[LC_RSA_MAX_WORDS], keep;

    get_lane(r, &top, a, lane, words);
    for (size_t i = 0; i < words; i++)
        less[i] = lc_sub_borrow(r[i], m[i], &borrow);
    lc_sub_borrow(top, 0, &borrow);
    keep = lc_opaque(0 - borrow);
    for (size_t i = 0; i < words; i++)
        r[i] ^= (r[i] ^ less[i]) & ~keep;
}

/* The lane's job; lanes without one do the first one's work again. */
static size_t job_of(size_t lane, size_t num)
{
    return lane < num ? lane : 0;
}

static void put_modulus(struct lc_rsa_lanes *w, size_t lane, const uint64_t *m, uint64_t neg_inverse, size_t words)
{
    put_lane(w->m, lane, m, words, 0, LC_RSA_LIMBS(words));
    w->neg_inverse.lane[lane] = neg_inverse & MASK52;
}

/* ---- Powers to secret exponents ---- */

struct private_work {
    struct lc_rsa_lanes lanes;
    struct lc_rsa_limb table[LC_RSA_ENTRIES * LC_RSA_HALF_LIMBS]; /* x^i, in Montgomery's form */
    struct lc_rsa_limb rr[LC_RSA_HALF_LIMBS], t[LC_RSA_HALF_LIMBS], power[LC_RSA_HALF_LIMBS];
    struct lc_rsa_limb index;
};

/* a += b, which is below R: what is above 52 bits of a limb goes to the next one */
static void add(struct lc_rsa_limb *a, const struct lc_rsa_limb *b, size_t limbs)
{
    struct lc_rsa_limb carry = { { 0 } };

    for (size_t i = 0; i < limbs; i++)
        for (size_t lane = 0; lane < LC_LANES; lane++) {
            const uint64_t sum = a[i].lane[lane] + b[i].lane[lane] + carry.lane[lane];

            a[i].lane[lane] = sum & MASK52;
            carry.lane[lane] = sum >> 52;
        }
}

/* Bits at .. at + LC_RSA_WINDOW - 1 of each lane's exponent */
static void set_index(struct private_work *v, const struct lc_rsa_power *powers, size_t num, size_t words, size_t at)
{
    for (size_t lane = 0; lane < LC_LANES; lane++) {
        const uint64_t *exponent = powers[job_of(lane, num)].prime->exponent;
        uint64_t digit = exponent[at / 64] >> (at % 64);

        if (at % 64 + LC_RSA_WINDOW > 64 && at / 64 + 1 < words)
            digit |= exponent[at / 64 + 1] << (64 - at % 64);
        v->index.lane[lane] = digit & (LC_RSA_ENTRIES - 1);
    }
}

/*
 * The base has twice as many words as the primes, which is up to 2 L limbs: x = x1 R + x0 with R = 2^(52 L).  In Montgomery's form
 * that is (x1 rr / R) rr / R + x0 rr / R.  Both terms are below 2.001 m, as x0 and x1 are below R and rr below m.
 */
static void power_lanes(struct private_work *v, struct lc_rsa_power *powers, size_t num, size_t words)
{
    const size_t limbs = LC_RSA_LIMBS(words);
    struct lc_rsa_limb *const x = v->table + limbs;
    size_t at = (64 * words - 1) / LC_RSA_WINDOW * LC_RSA_WINDOW;

    for (size_t lane = 0; lane < LC_LANES; lane++) {
        const struct lc_rsa_power *p = &powers[job_of(lane, num)];

        put_modulus(&v->lanes, lane, p->prime->m, p->prime->neg_inverse, words);
        put_lane(v->rr, lane, p->prime->rr52, words, 0, limbs);
        put_lane(v->t, lane, p->x, 2 * words, 0, limbs);
        put_lane(x, lane, p->x, 2 * words, limbs, limbs);
    }
    mul(x, x, v->rr, &v->lanes, limbs);
    mul(x, x, v->rr, &v->lanes, limbs);
    mul(v->t, v->t, v->rr, &v->lanes, limbs);
    add(x, v->t, limbs);
    memset(v->t, 0, sizeof(v->t));
    for (size_t lane = 0; lane < LC_LANES; lane++)
        v->t[0].lane[lane] = 1;
    mul(v->table, v->rr, v->t, &v->lanes, limbs);
    for (size_t i = 2; i < LC_RSA_ENTRIES; i++) {
        struct lc_rsa_limb *const entry = v->table + i * limbs;

        if (i % 2)
            mul(entry, entry - limbs, x, &v->lanes, limbs);
        else
            mul(entry, v->table + i / 2 * limbs, v->table + i / 2 * limbs, &v->lanes, limbs);
    }
    set_index(v, powers, num, words, at);
    LC_IN_LANES(lc_rsa_select)(v->power, v->table, &v->index, limbs * sizeof(v->power[0]));
    while (at > 0) {
        at -= LC_RSA_WINDOW;
        for (int i = 0; i < LC_RSA_WINDOW; i++)
            mul(v->power, v->power, v->power, &v->lanes, limbs);
        set_index(v, powers, num, words, at);
        LC_IN_LANES(lc_rsa_select)(v->rr, v->table, &v->index, limbs * sizeof(v->power[0]));
        mul(v->power, v->power, v->rr, &v->lanes, limbs);
    }
    mul(v->power, v->power, v->t, &v->lanes, limbs);
    for (size_t i = 0; i < num; i++)
        get_reduced(powers[i].r, v->power, i, powers[i].prime->m, words);
}

/* (Not inline: what is below the callers' frames is wiped, and this one is large.) */
static __attribute__((noinline)) void power_part(struct lc_rsa_power *powers, size_t num, size_t words)
{
    struct private_work v;

    power_lanes(&v, powers, num, words);
}

static size_t part_of(size_t num)
{
    return num < LC_LANES ? num : LC_LANES;
}

void LC_IN_LANES(lc_rsa_power)(struct lc_rsa_power *powers, size_t num, size_t words)
{
    for (size_t i = 0; i < num; i += LC_LANES) {
        const size_t part = part_of(num - i);

        if (LC_LANES == 8 && part <= 2 * LC_RSA_ONE_FEW)
            lc_rsa_one_power(powers + i, part, words);
        else
            power_part(powers + i, part, words);
    }
}

/* ---- Powers to e, which is public, as what is raised to it is at last. ---- */

struct public_work {
    struct lc_rsa_lanes lanes;
    struct lc_rsa_limb x[LC_RSA_MAX_LIMBS], form[LC_RSA_MAX_LIMBS], power[LC_RSA_MAX_LIMBS], factor[LC_RSA_MAX_LIMBS];
    struct lc_rsa_limb one[LC_RSA_MAX_LIMBS]; /* in Montgomery's form, for lanes whose e has a zero where others have none */
};

static uint64_t bit_of_e(const struct lc_rsa_public_key *key, size_t bit)
{
    return key->e[bit / 64] >> (bit % 64) & 1;
}

/* How many of the lanes have a bit there? */
static size_t count_bits(const struct lc_rsa_public_op *ops, size_t num, size_t bit)
{
    size_t count = 0;

    for (size_t lane = 0; lane < LC_LANES; lane++)
        count += (size_t)bit_of_e(ops[job_of(lane, num)].key, bit);
    return count;
}

/* factor = x where e has that bit, and 1 where it hasn't */
static void choose(struct public_work *v, const struct lc_rsa_public_op *ops, size_t num, size_t bit, size_t limbs)
{
    for (size_t lane = 0; lane < LC_LANES; lane++) {
        const struct lc_rsa_limb *from = bit_of_e(ops[job_of(lane, num)].key, bit) ? v->form : v->one;

        for (size_t i = 0; i < limbs; i++)
            v->factor[i].lane[lane] = from[i].lane[lane];
    }
}

/* e is odd, so the last step is a product in all lanes; with x itself, not its Montgomery form, it leaves that form. */
static __attribute__((noinline)) void public_power_part(struct lc_rsa_public_op *ops, size_t num)
{
    struct public_work v;
    const size_t words = ops[0].key->words, limbs = LC_RSA_LIMBS(words);
    size_t bit = 0;

    for (size_t lane = 0; lane < LC_LANES; lane++) {
        const struct lc_rsa_public_op *op = &ops[job_of(lane, num)];

        put_modulus(&v.lanes, lane, op->key->n, op->key->neg_inverse, words);
        put_lane(v.x, lane, op->x, words, 0, limbs);
        put_lane(v.power, lane, op->key->rr52, words, 0, limbs);
        bit = op->key->e_bits > bit ? op->key->e_bits : bit;
    }
    mul(v.form, v.x, v.power, &v.lanes, limbs);
    bit--;
    memset(v.factor, 0, limbs * sizeof(v.factor[0]));
    for (size_t lane = 0; lane < LC_LANES; lane++)
        v.factor[0].lane[lane] = 1;
    mul(v.one, v.power, v.factor, &v.lanes, limbs);
    choose(&v, ops, num, bit, limbs);
    memcpy(v.power, v.factor, limbs * sizeof(v.power[0]));
    while (bit-- > 0) {
        const size_t count = count_bits(ops, num, bit);

        mul(v.power, v.power, v.power, &v.lanes, limbs);
        if (bit == 0)
            break;
        if (count > 0 && count < LC_LANES)
            choose(&v, ops, num, bit, limbs);
        if (count > 0)
            mul(v.power, v.power, count == LC_LANES ? v.form : v.factor, &v.lanes, limbs);
    }
    mul(v.power, v.power, v.x, &v.lanes, limbs);
    for (size_t i = 0; i < num; i++)
        get_reduced(ops[i].x, v.power, i, ops[i].key->n, words);
}

void LC_IN_LANES(lc_rsa_public_power)(struct lc_rsa_public_op *ops, size_t num)
{
    for (size_t i = 0; i < num; i += LC_LANES) {
        const size_t part = part_of(num - i);

        if (LC_LANES == 8 && part <= LC_RSA_ONE_FEW_PUBLIC)
            lc_rsa_one_public_power(ops + i, part);
        else
            public_power_part(ops + i, part);
    }
}

LC_RSA_WIPE(LC_LANES_SYMBOL, sizeof(struct private_work) + 4096)

_Static_assert(LC_RSA_CHUNK % LC_LANES == 0, "a chunk is vectors");
_Static_assert(sizeof(struct public_work) < sizeof(struct private_work), "what is wiped");
_Static_assert(LC_LANES != 8 || LC_RSA_ONE_STACK < sizeof(struct private_work), "what is wiped");
_Static_assert(LC_RSA_ENTRIES == 16 && LC_RSA_BLOCK == 10, "select, BLOCK");
_Static_assert(LC_RSA_LIMBS(LC_RSA_MAX_WORDS) == LC_RSA_MAX_LIMBS && LC_RSA_LIMBS(LC_RSA_MAX_HALF) == LC_RSA_HALF_LIMBS, "limbs");
_Static_assert(offsetof(struct lc_rsa_lanes, neg_inverse) == 0 && offsetof(struct lc_rsa_lanes, high) == 8 * LC_LANES,
               "NEG_INVERSE, HIGH");
_Static_assert(offsetof(struct lc_rsa_lanes, q) == 88 * LC_LANES && offsetof(struct lc_rsa_lanes, m) == 728 * LC_LANES, "Q, M");
