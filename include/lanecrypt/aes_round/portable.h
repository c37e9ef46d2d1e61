/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Any host: plain C on 64-bit words, in constant time.
 *
 * One block has 16 bytes, so each of its eight planes needs 16 bits of a word only.  The other 48 may hold anything, as a circuit
 * never mixes bits of different places; so hardly anything is left of the usual transposition.  The halves of the block exchange
 * nibbles, which leaves the low nibbles of all bytes in one word and the high ones in another, and then plane i is the one or the
 * other shifted right by i modulo 4: bits 0, 4, 8, ... count.
 */
#ifndef LANECRYPT_AES_ROUND_PORTABLE_H
#define LANECRYPT_AES_ROUND_PORTABLE_H

#define LC_AES_ROUND_HOST "portable"

#define LC_AES_PLANE uint64_t
#include "sbox_planes.h"
#include "halves_steps.h"

/* Nibbles of the bytes of both halves: those of `low` in the lower four bits. */
LC_AES_INLINE void lc_aes_exchange_nibbles(uint64_t *low, uint64_t *high)
{
    uint64_t t = (*low >> 4 ^ *high) & 0x0f0f0f0f0f0f0f0f;

    *low ^= t << 4;
    *high ^= t;
}

LC_AES_INLINE void lc_aes_to_planes(uint64_t s[8], uint64_t low, uint64_t high)
{
    lc_aes_exchange_nibbles(&low, &high);
    s[0] = low;
    s[1] = low >> 1;
    s[2] = low >> 2;
    s[3] = low >> 3;
    s[4] = high;
    s[5] = high >> 1;
    s[6] = high >> 2;
    s[7] = high >> 3;
}

LC_AES_INLINE uint64_t lc_aes_gather_planes(uint64_t s0, uint64_t s1, uint64_t s2, uint64_t s3)
{
    const uint64_t ones = 0x1111111111111111;

    return (s0 & ones) | (s1 & ones) << 1 | (s2 & ones) << 2 | (s3 & ones) << 3;
}

LC_AES_INLINE lc_aes_block lc_aes_from_planes(const uint64_t s[8], uint64_t constant)
{
    uint64_t low = lc_aes_gather_planes(s[0], s[1], s[2], s[3]);
    uint64_t high = lc_aes_gather_planes(s[4], s[5], s[6], s[7]);

    lc_aes_exchange_nibbles(&low, &high);
    return lc_aes_from_halves(low ^ constant, high ^ constant);
}

LC_AES_INLINE lc_aes_block lc_aes_sb(lc_aes_block x)
{
    uint64_t s[8];

    lc_aes_to_planes(s, lc_aes_low(x), lc_aes_high(x));
    lc_aes_sub_planes(s);
    return lc_aes_from_planes(s, 0x6363636363636363);
}

LC_AES_INLINE lc_aes_block lc_aes_isb(lc_aes_block x)
{
    const uint64_t constant = 0x6363636363636363;
    uint64_t s[8];

    lc_aes_to_planes(s, lc_aes_low(x) ^ constant, lc_aes_high(x) ^ constant);
    lc_aes_inv_sub_planes(s);
    return lc_aes_from_planes(s, 0);
}

#define LC_AES_HOST_SUBWORD
/*
 * Four bytes: bit 8j of x >> i is bit i of byte j, so there is nothing to exchange.  Called, as it's most of a kilobyte of code,
 * which SM4's rounds would have four times.
 */
static __attribute__((noinline, unused)) uint32_t lc_aes_subword(uint32_t x)
{
    uint64_t s[8] = { x, x >> 1, x >> 2, x >> 3, x >> 4, x >> 5, x >> 6, x >> 7 };
    uint32_t y = 0x63636363;

    lc_aes_sub_planes(s);
    for (unsigned i = 0; i < 8; i++)
        y ^= ((uint32_t)s[i] & 0x01010101) << i;
    return y;
}

LC_AES_INLINE lc_aes_block lc_aes_mc(lc_aes_block x)
{
    return lc_aes_from_halves(lc_aes_mc_half(lc_aes_low(x)), lc_aes_mc_half(lc_aes_high(x)));
}

LC_AES_INLINE lc_aes_block lc_aes_imc(lc_aes_block x)
{
    return lc_aes_from_halves(lc_aes_imc_half(lc_aes_low(x)), lc_aes_imc_half(lc_aes_high(x)));
}

#include "rounds_of_steps.h"

#endif
