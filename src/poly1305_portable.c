/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Poly1305 (RFC 8439, 2.5) on any CPU, in constant time where a multiplication takes a constant time; some small 32-bit cores' ends
 * early for small numbers, and no code without multiplications would be of any use there.
 *
 * Numbers are kept in whole words of 64 or 32 bits, for which the clamping of r was made: each word of r has its top four bits
 * clear, all but the lowest also the bottom two.
 *
 * With two words of 64 bits, r = r0 + r1 * 2^64 and h = h0 + h1 * 2^64 + h2 * 2^128.  As 2^130 = 5 and r1 is a multiple of 4,
 * r1 * 2^128 = (r1 / 4) * 2^130 = (r1 / 4) * 5 = r1 + r1 / 4 = t1.  So
 *
 *      h * r = (h0*r0 + h1*t1)  +  (h0*r1 + h1*r0 + h2*t1) * 2^64  +  (h2*r0) * 2^128
 *
 * Bounds.  r0, r1 < 2^60, t1 < 1.25 * 2^60.  h2 < 8 before a block, and at most 9 with the pad and the carry.  So h2*t1 and h2*r0
 * fit into 64 bits; the first sum is below 2.25 * 2^124 and the second, carry included, below 2^125 + 2^65, far from 2^128.  What
 * the second carries out is at most 2^61 + 1; the third is below 9 * 2^60 + 2^61 + 2 < 2^64.  It is cut at 2^130: two bits stay,
 * the rest, below 2.76 * 2^60, comes back times 5, which fits into 64 bits.  Its carry may reach h2, so h2 <= 4 after a block.
 *
 * With four words of 32 bits, the same: r0 .. r3 < 2^28, t1 .. t3 < 1.25 * 2^28, h4 = h2.  A sum has up to four products with one
 * of 32 bits, and one with h4: less than 5 * 2^60, which fits into 64 bits with its carry.
 */
#include "poly1305_internal.h"

/* *sum += x; the carry, which compilers take from the flag: no branch.  (With 128-bit sums GCC 12's loop takes twice as long.) */
static inline uint64_t add(uint64_t *sum, uint64_t x)
{
    return __builtin_add_overflow(*sum, x, sum);
}

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 u128;

void lc_poly1305_blocks_no_wipe(struct lc_poly1305_state *s, const uint8_t *msg, size_t len, uint64_t pad)
{
    const uint64_t r0 = s->r[0], r1 = s->r[1], t1 = r1 + (r1 >> 2);
    uint64_t h0 = s->h[0], h1 = s->h[1], h2 = s->h[2];

    for (; len; msg += 16, len -= 16) {
        uint64_t m[2], d2, carry;
        u128 d0, d1;

        memcpy(m, msg, 16);
        carry = add(&h0, m[0]);
        h2 += add(&h1, m[1]) + pad;
        h2 += add(&h1, carry);

        d0 = (u128)h0 * r0 + (u128)h1 * t1;
        d1 = (u128)h0 * r1 + (u128)h1 * r0 + h2 * t1 + (uint64_t)(d0 >> 64);
        d2 = h2 * r0 + (uint64_t)(d1 >> 64);

        h0 = (uint64_t)d0;
        h1 = (uint64_t)d1;
        carry = add(&h0, (d2 >> 2) + (d2 & ~UINT64_C(3))); /* 5 * (d2 / 4) */
        h2 = (d2 & 3) + add(&h1, carry);
    }
    s->h[0] = h0;
    s->h[1] = h1;
    s->h[2] = h2;
}

#else

void lc_poly1305_blocks_no_wipe(struct lc_poly1305_state *s, const uint8_t *msg, size_t len, uint64_t pad)
{
    const uint32_t r0 = (uint32_t)s->r[0], r1 = (uint32_t)(s->r[0] >> 32);
    const uint32_t r2 = (uint32_t)s->r[1], r3 = (uint32_t)(s->r[1] >> 32);
    const uint32_t t1 = r1 + (r1 >> 2), t2 = r2 + (r2 >> 2), t3 = r3 + (r3 >> 2);
    uint32_t h0 = (uint32_t)s->h[0], h1 = (uint32_t)(s->h[0] >> 32);
    uint32_t h2 = (uint32_t)s->h[1], h3 = (uint32_t)(s->h[1] >> 32), h4 = (uint32_t)s->h[2];

    for (; len; msg += 16, len -= 16) {
        uint64_t d0, d1, d2, d3;
        uint32_t m[4], d4;

        memcpy(m, msg, 16);
        d0 = (uint64_t)h0 + m[0];
        d1 = (uint64_t)h1 + m[1] + (d0 >> 32);
        d2 = (uint64_t)h2 + m[2] + (d1 >> 32);
        d3 = (uint64_t)h3 + m[3] + (d2 >> 32);
        h0 = (uint32_t)d0;
        h1 = (uint32_t)d1;
        h2 = (uint32_t)d2;
        h3 = (uint32_t)d3;
        h4 += (uint32_t)(d3 >> 32) + (uint32_t)pad;

        d0 = (uint64_t)h0 * r0 + (uint64_t)h1 * t3 + (uint64_t)h2 * t2 + (uint64_t)h3 * t1;
        d1 = (uint64_t)h0 * r1 + (uint64_t)h1 * r0 + (uint64_t)h2 * t3 + (uint64_t)h3 * t2 + (uint64_t)h4 * t1 + (d0 >> 32);
        d2 = (uint64_t)h0 * r2 + (uint64_t)h1 * r1 + (uint64_t)h2 * r0 + (uint64_t)h3 * t3 + (uint64_t)h4 * t2 + (d1 >> 32);
        d3 = (uint64_t)h0 * r3 + (uint64_t)h1 * r2 + (uint64_t)h2 * r1 + (uint64_t)h3 * r0 + (uint64_t)h4 * t3 + (d2 >> 32);
        d4 = h4 * r0 + (uint32_t)(d3 >> 32);

        d0 = (uint64_t)(uint32_t)d0 + (d4 >> 2) + (d4 & ~UINT32_C(3)); /* 5 * (d4 / 4) */
        d1 = (uint64_t)(uint32_t)d1 + (d0 >> 32);
        d2 = (uint64_t)(uint32_t)d2 + (d1 >> 32);
        d3 = (uint64_t)(uint32_t)d3 + (d2 >> 32);
        h0 = (uint32_t)d0;
        h1 = (uint32_t)d1;
        h2 = (uint32_t)d2;
        h3 = (uint32_t)d3;
        h4 = (d4 & 3) + (uint32_t)(d3 >> 32);
    }
    s->h[0] = h0 | (uint64_t)h1 << 32;
    s->h[1] = h2 | (uint64_t)h3 << 32;
    s->h[2] = h4;
}

#endif

/*
 * With p = 2^130 - 5, h = a * p + b, b < p, and c the whole multiples of 2^130 in h, a = (h + 5 * (c + 1)) >> 130:
 * if c = a, then h = a * 2^130 + (b - 5 * a), and h + 5 * (a + 1) = a * 2^130 + (b + 5), where b + 5 < 2^130;
 * else b < 5 * a and c = a - 1, as h[2] < 8, and h + 5 * a = a * 2^130 + b.
 * Modulo 2^128, h - a * p is h + 5 * a.
 */
void lc_poly1305_tag(uint8_t tag[16], const uint64_t h[3], const uint64_t s[2])
{
    uint64_t t[2] = { h[0], h[1] }, carry, a;

    carry = add(&t[0], 5 * ((h[2] >> 2) + 1));
    carry = add(&t[1], carry);
    a = (h[2] + carry) >> 2;

    t[0] = h[0];
    t[1] = h[1];
    t[1] += add(&t[0], 5 * a);
    t[1] += add(&t[0], s[0]);
    t[1] += s[1];
    memcpy(tag, t, 16);
}

void lc_poly1305_blocks_portable(struct lc_poly1305_state *s, const uint8_t *msg, size_t len, uint64_t pad)
{
    lc_poly1305_blocks_no_wipe(s, msg, len, pad);
    lc_wipe_frame();
}
