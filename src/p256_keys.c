/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* P-256: keys from bytes and back. */
#include "p256_internal.h"

static void fe_mul(uint64_t r[4], const uint64_t a[4], const uint64_t b[4])
{
    lc_mod_mul(r, a, b, &lc_p256_p);
}

/* y^2 = x^3 - 3x + b */
static void right_side(uint64_t r[4], const uint64_t x[4])
{
    uint64_t t[4];

    fe_mul(t, x, x);
    for (int i = 0; i < 3; i++)
        lc_mod_sub(t, t, lc_p256_p.one, &lc_p256_p);
    fe_mul(t, t, x);
    lc_mod_add(r, t, lc_p256_b, &lc_p256_p);
}

/*
 * r = a^((p + 1) / 4), which is a square root of a if there is one, as p = 3 (mod 4).  (p + 1) / 4 = 2^254 - 2^222 + 2^190 +
 * 2^94
 */
static void square_root(uint64_t r[4], const uint64_t a[4])
{
    static const uint64_t exponent[4] = { 0, UINT64_C(0x40000000), UINT64_C(0x4000000000000000), UINT64_C(0x3fffffffc0000000) };
    uint64_t power[4];

    memcpy(power, lc_p256_p.one, sizeof(power));
    for (int i = 253; i >= 0; i--) {
        fe_mul(power, power, power);
        if (exponent[i / 64] >> (i % 64) & 1)
            fe_mul(power, power, a);
    }
    memcpy(r, power, sizeof(power));
}

int lc_p256_decode(struct lc_p256_point *p, const uint8_t *bytes, size_t len)
{
    struct lc_p256_point q;
    uint64_t t[4], u[4];

    if (len != 65 && len != 33)
        return LC_ERR_KEY_LEN;
    if (len == 65 ? bytes[0] != 4 : bytes[0] != 2 && bytes[0] != 3)
        return LC_ERR_KEY;
    lc_256_from_bytes(t, bytes + 1);
    if (!lc_256_below(t, lc_p256_p.m))
        return LC_ERR_KEY;
    lc_mod_to_montgomery(q.x, t, &lc_p256_p);
    right_side(u, q.x);
    if (len == 65) {
        lc_256_from_bytes(t, bytes + 33);
        if (!lc_256_below(t, lc_p256_p.m))
            return LC_ERR_KEY;
        lc_mod_to_montgomery(q.y, t, &lc_p256_p);
    } else {
        static const uint64_t zero[4];

        square_root(q.y, u);
        lc_mod_from_montgomery(t, q.y, &lc_p256_p);
        if ((t[0] & 1) != (bytes[0] & 1)) /* y = 0 has no other sign, but there is no such point: n is odd */
            lc_mod_sub(q.y, zero, q.y, &lc_p256_p);
    }
    fe_mul(t, q.y, q.y);
    if (!lc_256_equal(t, u))
        return LC_ERR_KEY;
    *p = q;
    return LC_OK;
}

void lc_p256_encode(uint8_t bytes[65], const struct lc_p256_point *p)
{
    uint64_t t[4];

    bytes[0] = 4;
    lc_mod_from_montgomery(t, p->x, &lc_p256_p);
    lc_256_to_bytes(bytes + 1, t);
    lc_mod_from_montgomery(t, p->y, &lc_p256_p);
    lc_256_to_bytes(bytes + 33, t);
}

int lc_p256_decode_private(uint64_t d[4], const struct lc_p256_impl **impl, const struct lc_mode *mode, const char *name,
                           const uint8_t *raw, size_t raw_len)
{
    const struct lc_impl *row;
    uint64_t number[4];
    int status;

    if (raw_len != 32)
        return LC_ERR_KEY_LEN;
    status = lc_select(mode, name, &row);
    if (status != LC_OK)
        return status;
    lc_256_from_bytes(number, raw);
    if (!(lc_256_below(number, lc_p256_n.m) & ~lc_256_is_zero(number))) {
        lc_wipe(number, sizeof(number));
        return LC_ERR_KEY;
    }
    memcpy(d, number, sizeof(number));
    *impl = (const struct lc_p256_impl *)row; /* its first member */
    lc_wipe(number, sizeof(number));
    return LC_OK;
}
