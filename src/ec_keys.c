/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Keys of all curves, from bytes and back; and what calculations leave on the stack. */
#include "ec.h"

/* y^2 = x^3 - 3x + b */
static void right_side(uint64_t *r, const uint64_t *x, const struct lc_ec_curve *curve)
{
    const struct lc_mod *const p = curve->p;
    uint64_t t[LC_EC_WORDS];

    lc_mod_mul(t, x, x, p);
    for (int i = 0; i < 3; i++)
        lc_mod_sub(t, t, p->one, p);
    lc_mod_mul(t, t, x, p);
    lc_mod_add(r, t, curve->b, p);
}

/* r = a^((p + 1) / 4), which is a square root of a if there is one, as p = 3 (mod 4) */
static void square_root(uint64_t *r, const uint64_t *a, const struct lc_mod *p)
{
    uint64_t exponent[LC_EC_WORDS], power[LC_EC_WORDS], carry = 1;

    for (size_t i = 0; i < p->words; i++)
        exponent[i] = lc_add_carry(p->m[i], 0, &carry);
    memcpy(power, p->one, sizeof(power));
    for (size_t i = 64 * p->words - 1; i >= 2; i--) {
        lc_mod_mul(power, power, power, p);
        if (exponent[i / 64] >> (i % 64) & 1)
            lc_mod_mul(power, power, a, p);
    }
    memcpy(r, power, p->words * sizeof(*r));
}

/* A coordinate in Montgomery's form; -1, or 0 if it isn't below p */
static uint64_t decode_coordinate(uint64_t *r, const uint8_t *bytes, const struct lc_mod *p)
{
    uint64_t t[LC_EC_WORDS];

    lc_words_from_bytes(t, bytes, p->words);
    lc_mod_to_montgomery(r, t, p);
    return lc_words_are_below(t, p->m, p->words);
}

int lc_ec_decode(uint64_t *point, const uint8_t *bytes, size_t len, const struct lc_ec_curve *curve)
{
    static const uint64_t zero[LC_EC_WORDS];
    const struct lc_mod *const p = curve->p;
    const size_t words = p->words, half = 8 * words;
    uint64_t x[LC_EC_WORDS], y[LC_EC_WORDS], t[LC_EC_WORDS], u[LC_EC_WORDS];

    if (len != 2 * half + 1 && len != half + 1)
        return LC_ERR_KEY_LEN;
    if (len == 2 * half + 1 ? bytes[0] != 4 : bytes[0] != 2 && bytes[0] != 3)
        return LC_ERR_KEY;
    if (!decode_coordinate(x, bytes + 1, p))
        return LC_ERR_KEY;
    right_side(u, x, curve);
    if (len == 2 * half + 1) {
        if (!decode_coordinate(y, bytes + 1 + half, p))
            return LC_ERR_KEY;
    } else {
        square_root(y, u, p);
        lc_mod_from_montgomery(t, y, p);
        if ((t[0] & 1) != (bytes[0] & 1)) /* y = 0 has no other sign, but there is no such point: n is odd */
            lc_mod_sub(y, zero, y, p);
    }
    lc_mod_mul(t, y, y, p);
    if (!lc_words_are_equal(t, u, words))
        return LC_ERR_KEY;
    memcpy(point, x, half);
    memcpy(point + words, y, half);
    return LC_OK;
}

void lc_ec_encode(uint8_t *bytes, const uint64_t *point, const struct lc_mod *p)
{
    uint64_t t[LC_EC_WORDS];

    bytes[0] = 4;
    lc_mod_from_montgomery(t, point, p);
    lc_words_to_bytes(bytes + 1, t, p->words);
    lc_mod_from_montgomery(t, point + p->words, p);
    lc_words_to_bytes(bytes + 1 + 8 * p->words, t, p->words);
}

int lc_ec_decode_private(uint64_t *d, const struct lc_ec_impl **impl, const struct lc_mode *mode, const char *name,
                         const uint8_t *raw, size_t raw_len, const struct lc_ec_curve *curve)
{
    const struct lc_mod *const n = curve->n;
    const struct lc_impl *row;
    uint64_t number[LC_EC_WORDS], end[LC_EC_WORDS];
    int status;

    if (raw_len != 8 * n->words)
        return LC_ERR_KEY_LEN;
    status = lc_select(mode, name, &row);
    if (status != LC_OK)
        return status;
    lc_words_from_bytes(number, raw, n->words);
    memcpy(end, n->m, sizeof(end));
    end[0] -= curve->max_key - 1;
    if (lc_words_are_below(number, end, n->words) & ~lc_words_are_zero(number, n->words)) {
        memcpy(d, number, raw_len);
        *impl = (const struct lc_ec_impl *)row; /* its first member */
    } else {
        status = LC_ERR_KEY;
    }
    lc_wipe(number, sizeof(number));
    return status;
}

/* So many bytes may calculations have used. */
LC_WIPE_STACK(, lc_p256_wipe_stack, 20 * 1024) /* 19.4 KB at most, by clang */
LC_WIPE_STACK(, lc_sm2_wipe_stack, 20 * 1024)
LC_WIPE_STACK(, lc_p384_wipe_stack, 32 * 1024) /* 29 KB at most, in lanes */
