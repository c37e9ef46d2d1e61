/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The AES S-box and its inverse as circuits of ANDs and XORs.  x[i] holds bit i of as many bytes as LC_AES_PLANE has bits; who
 * includes this file defines that type and LC_AES_INLINE.  src/aes_bitslice.c and aes_round/portable.h do.
 *
 * The S-box is A(x^-1) + 0x63 in GF(2^8). As Boyar and Peralta do ("A New Combinational Logic Minimization Technique with
 * Applications to Cryptology", SEA 2010, and "A Small Depth-16 Circuit for the AES S-Box", SEC 2012), GF(2^8) is taken as a
 * tower over GF(2^4), where x is a pair (a, b) and
 *
 *      x^-1 = (b / N, a / N)   with    N = a*b + v*(a + b)^2   in GF(2^4).
 *
 * GF(2^4) is in turn a tower over GF(2^2) over GF(2), and a product in it takes 9 ANDs in the manner of Karatsuba: if both
 * factors f are given as the 9 sums f0 f1 f0+f1, f2 f3 f2+f3, f0+f2 f1+f3 f0+f1+f2+f3, the product is linear in the 9
 * products of like sums. Hence three layers:
 *
 *      linear   8 bits of x -> 9 sums of a, 9 sums of b, and the 4 bits of the square term
 *      core     N, N^-1, the 9 sums of N^-1; 9 products with those of a and 9 with those of b: 32 ANDs, 30 XORs
 *      linear   18 products -> 8 bits
 *
 * The core is that of the 113-gate S-box published by the same group (with Calik; NIST Circuit Complexity Project). It
 * inverts, so it serves for SubBytes and InvSubBytes alike; A or A^-1 is part of the linear layers.
 *
 * The linear layers are our own. For every p = 2^k and every constant u != 0, feeding u*x^p to the core and undoing the
 * factor and the power after it inverts x just as well. For each of these 8 * 255 changes of basis, the two matrices were
 * minimised by the greedy algorithm of the first paper with random tie-breaks (the 18 -> 8 matrix by transposition: a
 * program of n XORs for the transposed 8 -> 18 matrix is one of n + 10 XORs for it, read backwards). Among the smallest,
 * the least deep were taken, because rounds depend on each other and their latency shows:
 *
 *      SubBytes        0x0b * x^2       49 + 62 gates, depth 26        (published: 113, depth 27)
 *      InvSubBytes     0xc8 * A^-1(x)   48 + 62 gates, depth 27        (published: 121, depth 21, another core)
 */
#ifndef LANECRYPT_AES_ROUND_SBOX_PLANES_H
#define LANECRYPT_AES_ROUND_SBOX_PLANES_H

struct lc_aes_products {
    LC_AES_PLANE a[9], b[9];
};

/* Core: q.a[i] = n[i] & a[i], q.b[i] = n[i] & b[i], where n are the 9 sums of 1 / N, and sq the square term of N. */
LC_AES_INLINE void lc_aes_invert_planes(struct lc_aes_products *q, const LC_AES_PLANE a[9], const LC_AES_PLANE b[9],
                                        const LC_AES_PLANE sq[4])
{
    LC_AES_PLANE n[9];
    LC_AES_PLANE c0, c1, d0, d1, d2, d3, t, u, v;

    /* N = d: the 9 products of a*b and their sums. */
    c0 = (a[6] & b[6]) ^ (a[8] & b[8]);
    c1 = (a[6] & b[6]) ^ (a[7] & b[7]);
    t = a[2] & b[2];
    d0 = (a[1] & b[1]) ^ t ^ sq[0] ^ c0;
    d1 = (a[0] & b[0]) ^ t ^ sq[1] ^ c1;
    t = a[5] & b[5];
    d2 = (a[4] & b[4]) ^ t ^ sq[2] ^ c0;
    d3 = (a[3] & b[3]) ^ t ^ sq[3] ^ c1;

    /* 1 / N: 5 ANDs, 11 XORs. */
    t = d0 & d2;
    u = d0 ^ d1;
    v = d3 ^ t;
    n[3] = (u & v) ^ d1;
    n[0] = ((d1 ^ t) & (d2 ^ d3)) ^ d3;
    t = d3 & (v ^ n[0]);
    n[1] = d2 ^ n[0] ^ t;
    n[4] = u ^ (n[3] & (v ^ t));

    /* Its 9 sums. */
    n[2] = n[0] ^ n[1];
    n[5] = n[3] ^ n[4];
    n[6] = n[0] ^ n[3];
    n[7] = n[1] ^ n[4];
    n[8] = n[6] ^ n[7];

    q->a[0] = n[0] & a[0];
    q->a[1] = n[1] & a[1];
    q->a[2] = n[2] & a[2];
    q->a[3] = n[3] & a[3];
    q->a[4] = n[4] & a[4];
    q->a[5] = n[5] & a[5];
    q->a[6] = n[6] & a[6];
    q->a[7] = n[7] & a[7];
    q->a[8] = n[8] & a[8];
    q->b[0] = n[0] & b[0];
    q->b[1] = n[1] & b[1];
    q->b[2] = n[2] & b[2];
    q->b[3] = n[3] & b[3];
    q->b[4] = n[4] & b[4];
    q->b[5] = n[5] & b[5];
    q->b[6] = n[6] & b[6];
    q->b[7] = n[7] & b[7];
    q->b[8] = n[8] & b[8];
}

/* SubBytes without its final XOR 0x63 */
LC_AES_INLINE void lc_aes_sub_planes(LC_AES_PLANE x[8])
{
    LC_AES_PLANE a[9], b[9], sq[4], t[12];
    struct lc_aes_products q;

    a[6] = x[6];
    b[6] = x[7] ^ x[3];
    sq[1] = b[6] ^ x[1];
    a[0] = sq[1] ^ x[0];
    sq[0] = b[6] ^ x[6];
    a[1] = sq[0] ^ x[4];
    b[2] = sq[1] ^ x[5];
    a[2] = a[1] ^ a[0];
    b[1] = a[2] ^ x[3];
    b[0] = b[1] ^ b[2];
    b[3] = b[0] ^ b[6];
    a[3] = a[0] ^ x[6];
    sq[3] = a[3] ^ b[3];
    t[0] = sq[0] ^ x[2];
    a[7] = t[0] ^ b[2];
    a[4] = a[7] ^ a[1];
    b[7] = t[0] ^ x[5];
    b[4] = b[7] ^ b[1];
    b[8] = a[7] ^ x[1];
    a[8] = a[7] ^ x[6];
    b[5] = b[8] ^ b[2];
    a[5] = a[8] ^ a[2];
    sq[2] = a[5] ^ b[5];

    lc_aes_invert_planes(&q, a, b, sq);

    t[0] = q.b[0] ^ q.b[2];
    t[1] = q.a[3] ^ q.a[4];
    t[2] = q.a[6] ^ q.a[7];
    t[3] = q.a[0] ^ q.a[2] ^ t[2];
    t[4] = t[0] ^ q.b[5] ^ t[3];
    t[5] = q.b[3] ^ t[4];
    t[6] = q.a[7] ^ t[1] ^ q.a[8] ^ t[5];
    t[7] = q.b[0] ^ q.b[1];
    t[8] = q.a[0] ^ q.a[1] ^ t[1];
    t[9] = q.a[3] ^ q.a[5] ^ t[2];
    t[10] = t[7] ^ q.b[8];
    t[11] = q.b[6] ^ t[0] ^ t[8] ^ t[10];
    x[0] = t[7] ^ q.b[4] ^ t[4];
    x[1] = t[3] ^ t[6];
    x[2] = t[11];
    x[3] = t[9];
    x[4] = q.b[7] ^ t[10];
    x[5] = t[9] ^ t[6];
    x[6] = t[11] ^ t[5];
    x[7] = t[8] ^ t[6];
}

/* InvSubBytes without its initial XOR 0x63 */
LC_AES_INLINE void lc_aes_inv_sub_planes(LC_AES_PLANE x[8])
{
    LC_AES_PLANE a[9], b[9], sq[4], t[14];
    struct lc_aes_products q;

    a[0] = x[3];
    b[2] = x[5];
    sq[3] = x[6] ^ x[5];
    a[6] = x[7] ^ x[1];
    a[2] = sq[3] ^ x[2];
    a[1] = a[2] ^ x[3];
    a[4] = x[5] ^ x[1];
    a[3] = a[6] ^ x[3];
    a[7] = a[4] ^ a[1];
    b[3] = a[3] ^ sq[3];
    sq[2] = a[7] ^ x[4];
    a[5] = a[3] ^ a[4];
    b[5] = a[5] ^ sq[2];
    b[1] = a[5] ^ x[0];
    b[0] = b[1] ^ x[5];
    b[6] = b[0] ^ b[3];
    b[4] = b[5] ^ b[3];
    b[7] = b[4] ^ b[1];
    sq[1] = b[7] ^ a[7];
    sq[0] = b[6] ^ a[6];
    b[8] = b[5] ^ x[5];
    a[8] = a[7] ^ a[6];

    lc_aes_invert_planes(&q, a, b, sq);

    t[0] = q.a[3] ^ q.a[5];
    t[1] = q.a[3] ^ q.a[4];
    t[2] = q.b[6] ^ q.b[8];
    t[3] = q.a[1] ^ t[1];
    t[4] = t[1] ^ q.a[8];
    t[5] = q.b[0] ^ q.b[1];
    t[6] = q.a[6] ^ t[0] ^ t[4];
    t[7] = q.b[1] ^ q.b[2] ^ t[2] ^ t[6];
    t[8] = q.a[0] ^ t[5] ^ q.b[7] ^ q.b[8];
    t[9] = t[3] ^ t[8] ^ t[7];
    t[10] = q.b[3] ^ t[5];
    t[11] = q.a[2] ^ t[0] ^ t[8];
    t[12] = q.b[4] ^ t[10];
    t[13] = t[10] ^ q.b[5] ^ t[2];
    x[0] = t[7];
    x[1] = q.a[7] ^ t[4] ^ t[9];
    x[2] = t[12];
    x[3] = t[11] ^ t[13];
    x[4] = t[11];
    x[5] = t[12] ^ t[9];
    x[6] = t[6];
    x[7] = q.a[0] ^ t[3] ^ t[13];
}

#endif
