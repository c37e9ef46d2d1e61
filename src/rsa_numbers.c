/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* RSA's numbers, of any number of words, in constant time: time and addresses depend on how many words there are. */
#include "rsa_internal.h"

uint64_t lc_rsa_from_bytes(uint64_t *r, size_t words, const uint8_t *bytes, size_t len)
{
    uint64_t above = 0;

    memset(r, 0, 8 * words);
    for (size_t i = 0; i < len; i++) {
        const uint64_t byte = bytes[len - 1 - i];

        if (i < 8 * words)
            r[i / 8] |= byte << (8 * (i % 8));
        else
            above |= byte;
    }
    return lc_mask_if_zero(above);
}

void lc_rsa_to_bytes(uint8_t *bytes, const uint64_t *a, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        const uint64_t word = __builtin_bswap64(a[words - 1 - i]); /* the portable code needs a little-endian CPU */

        memcpy(bytes + 8 * i, &word, 8);
    }
}

uint64_t lc_rsa_below(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t borrow = 0;

    for (size_t i = 0; i < words; i++)
        lc_sub_borrow(a[i], b[i], &borrow);
    return lc_opaque(0 - borrow);
}

uint64_t lc_rsa_equal(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t any = 0;

    for (size_t i = 0; i < words; i++)
        any |= a[i] ^ b[i];
    return lc_mask_if_zero(any);
}

/* r = a + top * 2^(64 words), less m if it is m or more; it's below 2m. */
static void reduce(uint64_t *r, const uint64_t *a, uint64_t top, const uint64_t *m, size_t words)
{
    uint64_t borrow = 0, carry = 0, keep;

    for (size_t i = 0; i < words; i++)
        lc_sub_borrow(a[i], m[i], &borrow);
    lc_sub_borrow(top, 0, &borrow);
    keep = lc_opaque(0 - borrow); /* it's below m */
    for (size_t i = 0; i < words; i++)
        r[i] = lc_sub_borrow(a[i], m[i] & ~keep, &carry);
}

void lc_rsa_reduce_once(uint64_t *r, const uint64_t *a, const uint64_t *m, size_t words)
{
    reduce(r, a, 0, m, words);
}

void lc_rsa_mod_add(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, size_t words)
{
    uint64_t carry = 0;

    for (size_t i = 0; i < words; i++)
        r[i] = lc_add_carry(a[i], b[i], &carry);
    reduce(r, r, carry, m, words);
}

void lc_rsa_mod_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, size_t words)
{
    uint64_t borrow = 0, carry = 0, mask;

    for (size_t i = 0; i < words; i++)
        r[i] = lc_sub_borrow(a[i], b[i], &borrow);
    mask = lc_opaque(0 - borrow);
    for (size_t i = 0; i < words; i++)
        r[i] = lc_add_carry(r[i], m[i] & mask, &carry);
}

void lc_rsa_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t words)
{
    memset(r, 0, 8 * words);
    for (size_t i = 0; i < words; i++) {
        uint64_t carry = 0;

        for (size_t j = 0; j < words; j++)
            r[i + j] = lc_multiply_add(a[j], b[i], r[i + j], &carry);
        r[i + words] = carry;
    }
}

/*
 * Both sums of a step, t + a * b_i + q * m, go through the words together, with a carry each: one chain of additions waits for the
 * other's, and t is read and written once.
 */
void lc_rsa_mod_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, uint64_t neg_inverse, size_t words)
{
    uint64_t t[LC_RSA_MAX_WORDS], top = 0;

    memset(t, 0, 8 * words);
    for (size_t i = 0; i < words; i++) {
        const uint64_t b_i = b[i];
        uint64_t carry = 0, carry2 = 0, sum = lc_multiply_add(a[0], b_i, t[0], &carry);
        const uint64_t q = sum * neg_inverse;

        lc_multiply_add(q, m[0], sum, &carry2);
        for (size_t j = 1; j < words; j++) {
            sum = lc_multiply_add(a[j], b_i, t[j], &carry);
            t[j - 1] = lc_multiply_add(q, m[j], sum, &carry2);
        }
        sum = 0;
        top = lc_add_carry(top, carry, &sum);
        carry = 0;
        t[words - 1] = lc_add_carry(top, carry2, &carry);
        top = sum + carry;
    }
    reduce(r, t, top, m, words);
}

/* Newton's iteration: each step doubles how many bits are right, and the first three are at the beginning. */
uint64_t lc_rsa_neg_inverse(uint64_t m)
{
    uint64_t x = m;

    for (int i = 0; i < 5; i++)
        x *= 2 - m * x;
    return 0 - x;
}

/*
 * 2^(64 words) mod m is 2^(64 words) - m.  Doubled k times, where 64 words = k 2^s, it is 2^k in Montgomery's form; squared s
 * times, 2^(64 words) in that form, which is rr.
 */
void lc_rsa_squares(uint64_t *rr, uint64_t *rr52, const uint64_t *m, uint64_t neg_inverse, size_t words)
{
    size_t doublings = 64 * words, squares = 0;
    uint64_t borrow = 0;

    for (; doublings % 2 == 0; doublings /= 2)
        squares++;
    for (size_t i = 0; i < words; i++)
        rr[i] = lc_sub_borrow(0, m[i], &borrow);
    for (size_t i = 0; i < doublings; i++)
        lc_rsa_mod_add(rr, rr, rr, m, words);
    for (size_t i = 0; i < squares; i++)
        lc_rsa_mod_mul(rr, rr, rr, m, neg_inverse, words);
    memcpy(rr52, rr, 8 * words);
    for (size_t i = 0; i < 2 * (52 * LC_RSA_LIMBS(words) - 64 * words); i++)
        lc_rsa_mod_add(rr52, rr52, rr52, m, words);
}
