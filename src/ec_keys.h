/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Keys on a curve from bytes and back, and what calculations leave on the stack.  Whoever includes it defines CURVE and BITS
 * (ec_names.h), and
 *
 *      MAX_KEY  private keys are 1 .. n - MAX_KEY
 *      STACK    bytes that calculations may have used
 */

static void fe_mul(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS])
{
    lc_mod_mul(r, a, b, &EC(p));
}

/* y^2 = x^3 - 3x + b */
static void right_side(uint64_t r[WORDS], const uint64_t x[WORDS])
{
    uint64_t t[WORDS];

    fe_mul(t, x, x);
    for (int i = 0; i < 3; i++)
        lc_mod_sub(t, t, EC(p).one, &EC(p));
    fe_mul(t, t, x);
    lc_mod_add(r, t, EC(b), &EC(p));
}

/*
 * r = a^((p + 1) / 4), which is a square root of a if there is one, as p = 3 (mod 4).
 */
static void square_root(uint64_t r[WORDS], const uint64_t a[WORDS])
{
    static const uint64_t zero[WORDS];
    uint64_t exponent[WORDS], power[WORDS], carry = 1;

    for (int i = 0; i < WORDS; i++)
        exponent[i] = lc_add_carry(EC(p).m[i], zero[i], &carry);
    memcpy(power, EC(p).one, sizeof(power));
    for (int i = BITS - 1; i >= 2; i--) {
        fe_mul(power, power, power);
        if (exponent[i / 64] >> (i % 64) & 1)
            fe_mul(power, power, a);
    }
    memcpy(r, power, sizeof(power));
}

int EC(decode)(uint64_t p[2 * WORDS], const uint8_t *bytes, size_t len)
{
    uint64_t q[2 * WORDS], *const y = q + WORDS, t[WORDS], u[WORDS];

    if (len != 2 * BYTES + 1 && len != BYTES + 1)
        return LC_ERR_KEY_LEN;
    if (len == 2 * BYTES + 1 ? bytes[0] != 4 : bytes[0] != 2 && bytes[0] != 3)
        return LC_ERR_KEY;
    NUM(from_bytes)(t, bytes + 1);
    if (!NUM(below)(t, EC(p).m))
        return LC_ERR_KEY;
    lc_mod_to_montgomery(q, t, &EC(p));
    right_side(u, q);
    if (len == 2 * BYTES + 1) {
        NUM(from_bytes)(t, bytes + 1 + BYTES);
        if (!NUM(below)(t, EC(p).m))
            return LC_ERR_KEY;
        lc_mod_to_montgomery(y, t, &EC(p));
    } else {
        static const uint64_t zero[WORDS];

        square_root(y, u);
        lc_mod_from_montgomery(t, y, &EC(p));
        if ((t[0] & 1) != (bytes[0] & 1)) /* y = 0 has no other sign, but there is no such point: n is odd */
            lc_mod_sub(y, zero, y, &EC(p));
    }
    fe_mul(t, y, y);
    if (!NUM(equal)(t, u))
        return LC_ERR_KEY;
    memcpy(p, q, sizeof(q));
    return LC_OK;
}

void EC(encode)(uint8_t bytes[2 * BYTES + 1], const uint64_t p[2 * WORDS])
{
    uint64_t t[WORDS];

    bytes[0] = 4;
    lc_mod_from_montgomery(t, p, &EC(p));
    NUM(to_bytes)(bytes + 1, t);
    lc_mod_from_montgomery(t, p + WORDS, &EC(p));
    NUM(to_bytes)(bytes + 1 + BYTES, t);
}

int EC(decode_private)(uint64_t d[WORDS], const struct lc_ec_impl **impl, const struct lc_mode *mode, const char *name,
                       const uint8_t *raw, size_t raw_len)
{
    const struct lc_impl *row;
    uint64_t number[WORDS], end[WORDS];
    int status;

    if (raw_len != BYTES)
        return LC_ERR_KEY_LEN;
    status = lc_select(mode, name, &row);
    if (status != LC_OK)
        return status;
    NUM(from_bytes)(number, raw);
    memcpy(end, EC(n).m, sizeof(end));
    end[0] -= MAX_KEY - 1;
    if (!(NUM(below)(number, end) & ~NUM(is_zero)(number))) {
        lc_wipe(number, sizeof(number));
        return LC_ERR_KEY;
    }
    memcpy(d, number, sizeof(number));
    *impl = (const struct lc_ec_impl *)row; /* its first member */
    lc_wipe(number, sizeof(number));
    return LC_OK;
}

__attribute__((__noinline__)) LC_NO_CANARY void EC(wipe_stack)(void)
{
    uint8_t frames[STACK];

    lc_wipe_registers();
    lc_wipe(frames, sizeof(frames));
}
