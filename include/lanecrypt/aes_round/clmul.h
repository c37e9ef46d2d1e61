/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Carry-less products: what guests do between AES rounds when they do GCM.  Apart from the AES rounds' choice of a host, as a
 * compiler can be told of one without the other.
 */
#ifndef LANECRYPT_AES_ROUND_CLMUL_H
#define LANECRYPT_AES_ROUND_CLMUL_H

#if defined(LC_AES_ROUND_PORTABLE)
#elif defined(__x86_64__) && defined(__PCLMUL__)
#define LC_CLMUL_X86
#include <immintrin.h>
#elif defined(__AARCH64EL__) && (defined(__ARM_FEATURE_AES) || defined(__ARM_FEATURE_CRYPTO))
#define LC_CLMUL_ARM
#elif defined(__powerpc64__) && defined(__CRYPTO__)
#define LC_CLMUL_POWER
#elif (defined(__riscv_zbc) || defined(__riscv_zbkc)) && __riscv_xlen == 64
#define LC_CLMUL_RISCV
#endif

/*
 * lc_clmul32: the product of two polynomials over GF(2) of 32 bits; bit i is the coefficient of x^i.
 *
 * By products of integers with holes: x1 is x's every fourth bit from bit 1, eight bits.  In the product of two such numbers each
 * fourth place sums up eight bits at most, which fits in four, so that nothing gets to the next place that counts.  The sum's
 * lowest bit is the sum over GF(2).
 */
LC_AES_INLINE uint64_t lc_clmul32(uint32_t a, uint32_t b)
{
    const uint64_t m0 = 0x1111111111111111, m1 = m0 << 1, m2 = m0 << 2, m3 = m0 << 3;
    const uint64_t a0 = a & m0, a1 = a & m1, a2 = a & m2, a3 = a & m3;
    const uint64_t b0 = b & m0, b1 = b & m1, b2 = b & m2, b3 = b & m3;

    return ((a0 * b0 ^ a1 * b3 ^ a2 * b2 ^ a3 * b1) & m0) | ((a0 * b1 ^ a1 * b0 ^ a2 * b3 ^ a3 * b2) & m1) |
           ((a0 * b2 ^ a1 * b1 ^ a2 * b0 ^ a3 * b3) & m2) | ((a0 * b3 ^ a1 * b2 ^ a2 * b1 ^ a3 * b0) & m3);
}

/* lc_clmul64: the product of two polynomials of 64 bits, 128 bits as a little-endian number: bytes 0..7 are its low half. */
LC_AES_INLINE lc_aes_block lc_clmul64(uint64_t a, uint64_t b)
{
#if defined(LC_CLMUL_X86)
    return (lc_aes_block)_mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)a), _mm_cvtsi64_si128((long long)b), 0);
#elif defined(LC_CLMUL_ARM)
    /* In assembly, as compilers differ in what they want to be told for it */
    lc_aes_halves x = { a, 0 }, y = { b, 0 };
    lc_aes_block product;

    __asm__("pmull %0.1q, %1.1d, %2.1d" : "=w"(product) : "w"(x), "w"(y));
    return product;
#elif defined(LC_CLMUL_POWER)
    /* The sum of the products of both halves; the number's most significant byte comes first in a big-endian vector. */
    lc_aes_halves x = { a, 0 }, y = { b, 0 };
    lc_aes_block product;

    __asm__("vpmsumd %0,%1,%2" : "=v"(product) : "v"(x), "v"(y));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    product = LC_AES_SHUFFLE(product, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
#endif
    return product;
#elif defined(LC_CLMUL_RISCV)
    uint64_t low, high;

    __asm__("clmul %0,%1,%2" : "=r"(low) : "r"(a), "r"(b));
    __asm__("clmulh %0,%1,%2" : "=r"(high) : "r"(a), "r"(b));
    return lc_aes_from_halves(low, high);
#else
    /* Karatsuba: three products of half the size, where the middle one is that of the sums of the halves */
    uint64_t low = lc_clmul32((uint32_t)a, (uint32_t)b), high = lc_clmul32((uint32_t)(a >> 32), (uint32_t)(b >> 32));
    uint64_t middle = lc_clmul32((uint32_t)(a ^ a >> 32), (uint32_t)(b ^ b >> 32)) ^ low ^ high;

    return lc_aes_from_halves(low ^ middle << 32, high ^ middle >> 32);
#endif
}

#undef LC_CLMUL_X86
#undef LC_CLMUL_ARM
#undef LC_CLMUL_POWER
#undef LC_CLMUL_RISCV

#endif
