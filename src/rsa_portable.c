/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* RSA's powers, one after another, with 64-bit words. */
#include "rsa_internal.h"

enum { WINDOW = 5, ENTRIES = 1 << WINDOW };

/* What a power to a secret exponent has in memory */
struct work {
    uint64_t table[ENTRIES][LC_RSA_MAX_HALF]; /* x^i, in Montgomery's form */
    uint64_t power[LC_RSA_MAX_HALF], entry[LC_RSA_MAX_HALF];
};

/* Bits at .. at + WINDOW - 1 of the exponent, which has zeros above; at + WINDOW may be beyond its end. */
static uint64_t digit(const uint64_t *exponent, size_t words, size_t at)
{
    uint64_t d = exponent[at / 64] >> (at % 64);

    if (at % 64 + WINDOW > 64 && at / 64 + 1 < words)
        d |= exponent[at / 64 + 1] << (64 - at % 64);
    return d & (ENTRIES - 1);
}

/* entry = table[index], of which every word is read */
static void select_entry(struct work *w, uint64_t index, size_t words)
{
    memset(w->entry, 0, 8 * words);
    for (uint64_t i = 0; i < ENTRIES; i++) {
        const uint64_t mask = lc_mask_if_zero(i ^ index);

        for (size_t k = 0; k < words; k++)
            w->entry[k] |= w->table[i][k] & mask;
    }
}

/*
 * x = x1 2^(64 words) + x0 is more than m, but both halves times rr are what a multiplication takes: x1 rr^2 / R^2 + x0 rr / R =
 * (x1 R + x0) R (mod m) with R = 2^(64 words), which is x in Montgomery's form.
 */
static void power_one(struct lc_rsa_power *p, struct work *w, size_t words)
{
    static const uint64_t one[LC_RSA_MAX_HALF] = { 1 };
    const struct lc_rsa_prime *m = p->prime;
    size_t at = (64 * words - 1) / WINDOW * WINDOW;

    lc_rsa_mod_mul(w->table[0], m->rr, one, m->m, m->neg_inverse, words);
    lc_rsa_mod_mul(w->table[1], p->x + words, m->rr, m->m, m->neg_inverse, words);
    lc_rsa_mod_mul(w->table[1], w->table[1], m->rr, m->m, m->neg_inverse, words);
    lc_rsa_mod_mul(w->entry, p->x, m->rr, m->m, m->neg_inverse, words);
    lc_rsa_mod_add(w->table[1], w->table[1], w->entry, m->m, words);
    for (int i = 2; i < ENTRIES; i++)
        lc_rsa_mod_mul(w->table[i], w->table[i - 1], w->table[1], m->m, m->neg_inverse, words);
    select_entry(w, digit(m->exponent, words, at), words);
    memcpy(w->power, w->entry, 8 * words);
    while (at > 0) {
        at -= WINDOW;
        for (int i = 0; i < WINDOW; i++)
            lc_rsa_mod_mul(w->power, w->power, w->power, m->m, m->neg_inverse, words);
        select_entry(w, digit(m->exponent, words, at), words);
        lc_rsa_mod_mul(w->power, w->power, w->entry, m->m, m->neg_inverse, words);
    }
    lc_rsa_mod_mul(p->r, w->power, one, m->m, m->neg_inverse, words);
}

void lc_rsa_power_portable(struct lc_rsa_power *powers, size_t num, size_t words)
{
    struct work w;

    for (size_t i = 0; i < num; i++)
        power_one(&powers[i], &w, words);
}

LC_RSA_WIPE(portable, sizeof(struct work) + 2048)

/* All of it is public.  e is odd, so the last step is a product; with x itself, not its Montgomery form, it leaves that form. */
void lc_rsa_public_power_portable(struct lc_rsa_public_op *ops, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const struct lc_rsa_public_key *key = ops[i].key;
        uint64_t x[LC_RSA_MAX_WORDS], power[LC_RSA_MAX_WORDS];

        lc_rsa_mod_mul(x, ops[i].x, key->rr, key->n, key->neg_inverse, key->words);
        memcpy(power, x, 8 * key->words);
        for (size_t bit = key->e_bits - 1; bit-- > 0;) {
            lc_rsa_mod_mul(power, power, power, key->n, key->neg_inverse, key->words);
            if (bit && key->e[bit / 64] >> (bit % 64) & 1)
                lc_rsa_mod_mul(power, power, x, key->n, key->neg_inverse, key->words);
        }
        lc_rsa_mod_mul(ops[i].x, power, ops[i].x, key->n, key->neg_inverse, key->words);
    }
}
