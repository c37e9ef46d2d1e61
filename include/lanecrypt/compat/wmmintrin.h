/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * x86's AES intrinsics on any little-endian host, so that code which is written with them builds unchanged:
 *
 *      cc -I.../include/lanecrypt/compat -I.../include ...
 *
 * With these options <wmmintrin.h>, <immintrin.h>, <xmmintrin.h>, <emmintrin.h>, <pmmintrin.h>, <tmmintrin.h>, <smmintrin.h>,
 * <vaesintrin.h> and <x86intrin.h> are the files here.  On x86 they are nothing but the compiler's own.  Elsewhere each of them is
 * this one, which has
 *
 *      AES-NI and PCLMULQDQ: all of them
 *      VAES: all of them, for 256 and 512 bits
 *      SSE2 to SSE4.1: what ciphers and hashes made of AES rounds need besides; AVX2 and AVX-512: a few of the same
 *
 * AES runs on the host's instructions as <lanecrypt/aes_round.h> says, and time does not depend on data anywhere.  What such code
 * must not do is in docs/aes-round.md.
 */
#ifndef LANECRYPT_COMPAT_WMMINTRIN_H
#define LANECRYPT_COMPAT_WMMINTRIN_H

#pragma GCC system_header /* no warnings about what x86's own headers are too */

#include "lanecrypt_compat_host.h"

#ifdef LC_COMPAT_IS_X86
#include_next <wmmintrin.h>
#else

#include "../aes_round.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "x86's intrinsics have little-endian elements, and this host has not"
#endif

/* ---- Vectors ---- */

typedef long long __m128i __attribute__((vector_size(16), may_alias));
typedef long long __m128i_u __attribute__((vector_size(16), may_alias, aligned(1))); /* at any address */
typedef float __m128 __attribute__((vector_size(16), may_alias));
typedef double __m128d __attribute__((vector_size(16), may_alias));
typedef struct __attribute__((aligned(32), may_alias)) {
    __m128i part[2];
} __m256i;
typedef struct __attribute__((aligned(64), may_alias)) {
    __m128i part[4];
} __m512i;

/* __m128i's elements.  The signed ones are for comparisons and shifts only: their sums do not wrap. */
typedef uint8_t lc_m128_u8 __attribute__((vector_size(16), may_alias));
typedef uint16_t lc_m128_u16 __attribute__((vector_size(16), may_alias));
typedef uint32_t lc_m128_u32 __attribute__((vector_size(16), may_alias));
typedef uint64_t lc_m128_u64 __attribute__((vector_size(16), may_alias));
typedef int16_t lc_m128_i16 __attribute__((vector_size(16), may_alias));
typedef int32_t lc_m128_i32 __attribute__((vector_size(16), may_alias));
typedef int8_t lc_m128_i8 __attribute__((vector_size(16), may_alias));

/* ---- SSE2: constants, loads and stores ---- */

LC_AES_INLINE __m128i _mm_set_epi64x(long long e1, long long e0)
{
    return (__m128i){ e0, e1 };
}

LC_AES_INLINE __m128i _mm_set1_epi64x(long long e)
{
    return _mm_set_epi64x(e, e);
}

LC_AES_INLINE __m128i _mm_setzero_si128(void)
{
    return _mm_set1_epi64x(0);
}

LC_AES_INLINE __m128i _mm_set_epi32(int e3, int e2, int e1, int e0)
{
    return (__m128i)(lc_m128_i32){ e0, e1, e2, e3 };
}

LC_AES_INLINE __m128i _mm_setr_epi32(int e0, int e1, int e2, int e3)
{
    return _mm_set_epi32(e3, e2, e1, e0);
}

LC_AES_INLINE __m128i _mm_set1_epi32(int e)
{
    return _mm_set_epi32(e, e, e, e);
}

LC_AES_INLINE __m128i _mm_set1_epi16(short e)
{
    return (__m128i)(lc_m128_i16){ e, e, e, e, e, e, e, e };
}

LC_AES_INLINE __m128i _mm_set_epi8(char e15, char e14, char e13, char e12, char e11, char e10, char e9, char e8, char e7, char e6,
                                   char e5, char e4, char e3, char e2, char e1, char e0)
{
    return (__m128i)(lc_m128_u8){ (uint8_t)e0,  (uint8_t)e1,  (uint8_t)e2,  (uint8_t)e3, (uint8_t)e4,  (uint8_t)e5,
                                  (uint8_t)e6,  (uint8_t)e7,  (uint8_t)e8,  (uint8_t)e9, (uint8_t)e10, (uint8_t)e11,
                                  (uint8_t)e12, (uint8_t)e13, (uint8_t)e14, (uint8_t)e15 };
}

LC_AES_INLINE __m128i _mm_setr_epi8(char e0, char e1, char e2, char e3, char e4, char e5, char e6, char e7, char e8, char e9,
                                    char e10, char e11, char e12, char e13, char e14, char e15)
{
    return _mm_set_epi8(e15, e14, e13, e12, e11, e10, e9, e8, e7, e6, e5, e4, e3, e2, e1, e0);
}

LC_AES_INLINE __m128i _mm_set1_epi8(char e)
{
    return _mm_set_epi8(e, e, e, e, e, e, e, e, e, e, e, e, e, e, e, e);
}

LC_AES_INLINE __m128i _mm_loadu_si128(const __m128i_u *p)
{
    __m128i a;

    memcpy(&a, p, sizeof(a));
    return a;
}

LC_AES_INLINE __m128i _mm_load_si128(const __m128i *p)
{
    return *p;
}

LC_AES_INLINE void _mm_storeu_si128(__m128i_u *p, __m128i a)
{
    memcpy(p, &a, sizeof(a));
}

LC_AES_INLINE void _mm_store_si128(__m128i *p, __m128i a)
{
    *p = a;
}

LC_AES_INLINE __m128i _mm_loadl_epi64(const __m128i_u *p)
{
    long long low;

    memcpy(&low, p, sizeof(low));
    return _mm_set_epi64x(0, low);
}

LC_AES_INLINE void _mm_storel_epi64(__m128i_u *p, __m128i a)
{
    long long low = a[0];

    memcpy(p, &low, sizeof(low));
}

LC_AES_INLINE __m128i _mm_cvtsi32_si128(int e)
{
    return _mm_set_epi32(0, 0, 0, e);
}

LC_AES_INLINE int _mm_cvtsi128_si32(__m128i a)
{
    return ((lc_m128_i32)a)[0];
}

LC_AES_INLINE __m128i _mm_cvtsi64_si128(long long e)
{
    return _mm_set_epi64x(0, e);
}

LC_AES_INLINE long long _mm_cvtsi128_si64(__m128i a)
{
    return a[0];
}

LC_AES_INLINE __m128 _mm_castsi128_ps(__m128i a)
{
    return (__m128)a;
}

LC_AES_INLINE __m128i _mm_castps_si128(__m128 a)
{
    return (__m128i)a;
}

LC_AES_INLINE __m128d _mm_castsi128_pd(__m128i a)
{
    return (__m128d)a;
}

LC_AES_INLINE __m128i _mm_castpd_si128(__m128d a)
{
    return (__m128i)a;
}

/* ---- SSE2: operations ---- */

#define LC_M128_BINARY(name, elements, expression)                                                                                 \
    LC_AES_INLINE __m128i _mm_##name(__m128i first, __m128i second)                                                                \
    {                                                                                                                              \
        elements a = (elements)first, b = (elements)second;                                                                        \
                                                                                                                                   \
        return (__m128i)(expression);                                                                                              \
    }

LC_M128_BINARY(xor_si128, lc_m128_u64, a ^ b)
LC_M128_BINARY(and_si128, lc_m128_u64, a & b)
LC_M128_BINARY(or_si128, lc_m128_u64, a | b)
LC_M128_BINARY(andnot_si128, lc_m128_u64, ~a & b)
LC_M128_BINARY(add_epi8, lc_m128_u8, a + b)
LC_M128_BINARY(add_epi16, lc_m128_u16, a + b)
LC_M128_BINARY(add_epi32, lc_m128_u32, a + b)
LC_M128_BINARY(add_epi64, lc_m128_u64, a + b)
LC_M128_BINARY(sub_epi8, lc_m128_u8, a - b)
LC_M128_BINARY(sub_epi16, lc_m128_u16, a - b)
LC_M128_BINARY(sub_epi32, lc_m128_u32, a - b)
LC_M128_BINARY(sub_epi64, lc_m128_u64, a - b)
LC_M128_BINARY(cmpeq_epi8, lc_m128_u8, a == b)
LC_M128_BINARY(cmpeq_epi16, lc_m128_u16, a == b)
LC_M128_BINARY(cmpeq_epi32, lc_m128_u32, a == b)
LC_M128_BINARY(cmpgt_epi8, lc_m128_i8, a > b)
LC_M128_BINARY(cmpgt_epi32, lc_m128_i32, a > b)
LC_M128_BINARY(unpacklo_epi64, lc_m128_u64, ((lc_m128_u64){ a[0], b[0] }))
LC_M128_BINARY(unpackhi_epi64, lc_m128_u64, ((lc_m128_u64){ a[1], b[1] }))
LC_M128_BINARY(unpacklo_epi32, lc_m128_u32, ((lc_m128_u32){ a[0], b[0], a[1], b[1] }))
LC_M128_BINARY(unpackhi_epi32, lc_m128_u32, ((lc_m128_u32){ a[2], b[2], a[3], b[3] }))
LC_M128_BINARY(unpacklo_epi16, lc_m128_u16, ((lc_m128_u16){ a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3] }))
LC_M128_BINARY(unpackhi_epi16, lc_m128_u16, ((lc_m128_u16){ a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7] }))
LC_M128_BINARY(unpacklo_epi8, lc_m128_u8, ((lc_m128_u8){ a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3],
                                                        a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7] }))
LC_M128_BINARY(unpackhi_epi8, lc_m128_u8, ((lc_m128_u8){ a[8], b[8], a[9], b[9], a[10], b[10], a[11], b[11],
                                                        a[12], b[12], a[13], b[13], a[14], b[14], a[15], b[15] }))

/* A count of an element's bits and more shifts all out, which C leaves undefined. */
#define LC_M128_SHIFT(name, elements, bits, operation)                                                                             \
    LC_AES_INLINE __m128i _mm_##name(__m128i a, int count)                                                                         \
    {                                                                                                                              \
        return (unsigned)count < bits ? (__m128i)((elements)a operation count) : _mm_setzero_si128();                              \
    }

LC_M128_SHIFT(slli_epi16, lc_m128_u16, 16, <<)
LC_M128_SHIFT(slli_epi32, lc_m128_u32, 32, <<)
LC_M128_SHIFT(slli_epi64, lc_m128_u64, 64, <<)
LC_M128_SHIFT(srli_epi16, lc_m128_u16, 16, >>)
LC_M128_SHIFT(srli_epi32, lc_m128_u32, 32, >>)
LC_M128_SHIFT(srli_epi64, lc_m128_u64, 64, >>)

LC_AES_INLINE __m128i _mm_srai_epi16(__m128i a, int count)
{
    return (__m128i)((lc_m128_i16)a >> ((unsigned)count < 16 ? count : 15));
}

LC_AES_INLINE __m128i _mm_srai_epi32(__m128i a, int count)
{
    return (__m128i)((lc_m128_i32)a >> ((unsigned)count < 32 ? count : 31));
}

LC_AES_INLINE __m128i _mm_slli_si128(__m128i a, int num_bytes)
{
    lc_m128_u64 x = (lc_m128_u64)a;
    unsigned bits = 8 * ((unsigned)num_bytes & 7);

    if ((unsigned)num_bytes < 8)
        return (__m128i)(lc_m128_u64){ x[0] << bits, x[1] << bits | x[0] >> 1 >> (63 - bits) };
    return (__m128i)(lc_m128_u64){ 0, (unsigned)num_bytes < 16 ? x[0] << bits : 0 };
}

LC_AES_INLINE __m128i _mm_srli_si128(__m128i a, int num_bytes)
{
    lc_m128_u64 x = (lc_m128_u64)a;
    unsigned bits = 8 * ((unsigned)num_bytes & 7);

    if ((unsigned)num_bytes < 8)
        return (__m128i)(lc_m128_u64){ x[0] >> bits | x[1] << 1 << (63 - bits), x[1] >> bits };
    return (__m128i)(lc_m128_u64){ (unsigned)num_bytes < 16 ? x[1] >> bits : 0, 0 };
}

LC_AES_INLINE __m128i _mm_bslli_si128(__m128i a, int num_bytes)
{
    return _mm_slli_si128(a, num_bytes);
}

LC_AES_INLINE __m128i _mm_bsrli_si128(__m128i a, int num_bytes)
{
    return _mm_srli_si128(a, num_bytes);
}

LC_AES_INLINE __m128i _mm_shuffle_epi32(__m128i a, int imm)
{
    lc_m128_u32 e = (lc_m128_u32)a;

    return (__m128i)(lc_m128_u32){ e[imm & 3], e[imm >> 2 & 3], e[imm >> 4 & 3], e[imm >> 6 & 3] };
}

LC_AES_INLINE __m128d _mm_shuffle_pd(__m128d a, __m128d b, int imm)
{
    __m128i x = (__m128i)a, y = (__m128i)b;

    return (__m128d)_mm_set_epi64x(y[imm >> 1 & 1], x[imm & 1]);
}

LC_AES_INLINE __m128 _mm_shuffle_ps(__m128 a, __m128 b, int imm)
{
    lc_m128_u32 x = (lc_m128_u32)a, y = (lc_m128_u32)b;

    return (__m128)(lc_m128_u32){ x[imm & 3], x[imm >> 2 & 3], y[imm >> 4 & 3], y[imm >> 6 & 3] };
}

/* Each byte's highest bit, at the place of its first bit; the product brings the eight together, with no carries between them. */
LC_AES_INLINE int _mm_movemask_epi8(__m128i a)
{
    lc_m128_u64 bits = (lc_m128_u64)a >> 7 & 0x0101010101010101;

    return (int)((bits[0] * 0x0102040810204080 >> 56) | (bits[1] * 0x0102040810204080 >> 56 << 8));
}

/* ---- SSSE3 and SSE4.1 ---- */

/* The host's lookup in a register; otherwise every element is looked at for each index, as it may be a secret. */
LC_AES_INLINE __m128i _mm_shuffle_epi8(__m128i a, __m128i index)
{
    lc_m128_u8 i = (lc_m128_u8)index, kept = (lc_m128_u8)((lc_m128_i8)index >= 0), from = i & 15;
#ifdef LC_AES_HOST_LOOKUP
    return (__m128i)(lc_aes_lookup((lc_aes_block)a, (lc_aes_block)from) & kept);
#else
    lc_m128_u8 table = (lc_m128_u8)a, found = { 0 };

    for (int e = 0; e < 16; e++)
        found |= (lc_m128_u8)(from == (uint8_t)e) & table[e];
    return (__m128i)(found & kept);
#endif
}

LC_AES_INLINE __m128i _mm_alignr_epi8(__m128i high, __m128i low, int num_bytes)
{
    unsigned n = (unsigned)num_bytes;

    return n < 16 ? _mm_or_si128(_mm_srli_si128(low, (int)n), _mm_slli_si128(high, (int)(16 - n)))
                  : _mm_srli_si128(high, (int)(n - 16));
}

LC_AES_INLINE int _mm_extract_epi8(__m128i a, int i)
{
    return ((lc_m128_u8)a)[i & 15];
}

LC_AES_INLINE int _mm_extract_epi32(__m128i a, int i)
{
    return ((lc_m128_i32)a)[i & 3];
}

LC_AES_INLINE long long _mm_extract_epi64(__m128i a, int i)
{
    return a[i & 1];
}

LC_AES_INLINE __m128i _mm_insert_epi8(__m128i a, int e, int i)
{
    lc_m128_u8 x = (lc_m128_u8)a;

    x[i & 15] = (uint8_t)e;
    return (__m128i)x;
}

LC_AES_INLINE __m128i _mm_insert_epi32(__m128i a, int e, int i)
{
    lc_m128_i32 x = (lc_m128_i32)a;

    x[i & 3] = e;
    return (__m128i)x;
}

LC_AES_INLINE __m128i _mm_insert_epi64(__m128i a, long long e, int i)
{
    a[i & 1] = e;
    return a;
}

LC_AES_INLINE int _mm_testz_si128(__m128i a, __m128i b)
{
    __m128i x = a & b;

    return (x[0] | x[1]) == 0;
}

/* ---- AES-NI ---- */

LC_AES_INLINE __m128i _mm_aesenc_si128(__m128i state, __m128i key)
{
    return (__m128i)lc_aes_sb_sr_mc_ak((lc_aes_block)state, (lc_aes_block)key);
}

LC_AES_INLINE __m128i _mm_aesenclast_si128(__m128i state, __m128i key)
{
    return (__m128i)lc_aes_sb_sr_ak((lc_aes_block)state, (lc_aes_block)key);
}

LC_AES_INLINE __m128i _mm_aesdec_si128(__m128i state, __m128i key)
{
    return (__m128i)lc_aes_isb_isr_imc_ak((lc_aes_block)state, (lc_aes_block)key);
}

LC_AES_INLINE __m128i _mm_aesdeclast_si128(__m128i state, __m128i key)
{
    return (__m128i)lc_aes_isb_isr_ak((lc_aes_block)state, (lc_aes_block)key);
}

LC_AES_INLINE __m128i _mm_aesimc_si128(__m128i key)
{
    return (__m128i)lc_aes_imc((lc_aes_block)key);
}

LC_AES_INLINE __m128i _mm_aeskeygenassist_si128(__m128i key, int rcon)
{
    return (__m128i)lc_aes_keygenassist((lc_aes_block)key, (unsigned)rcon & 0xff);
}

/* ---- PCLMULQDQ ---- */

LC_AES_INLINE __m128i _mm_clmulepi64_si128(__m128i first, __m128i second, int imm)
{
    return (__m128i)lc_clmul64((uint64_t)first[imm & 1], (uint64_t)second[imm >> 4 & 1]);
}

/* ---- 256 and 512 bits, by parts of 128 ---- */

#define LC_M_WIDE_BINARY(prefix, vector, num_parts, name, part_name)                                                               \
    LC_AES_INLINE vector prefix##_##name(vector a, vector b)                                                                       \
    {                                                                                                                              \
        for (int i = 0; i < num_parts; i++)                                                                                        \
            a.part[i] = part_name(a.part[i], b.part[i]);                                                                           \
        return a;                                                                                                                  \
    }

/* imm: bit 4a + 2b + c is what comes of bits a, b and c. */
#define LC_M_WIDE(prefix, vector, num_parts, suffix)                                                                               \
    LC_M_WIDE_BINARY(prefix, vector, num_parts, aesenc_epi128, _mm_aesenc_si128)                                                   \
    LC_M_WIDE_BINARY(prefix, vector, num_parts, aesenclast_epi128, _mm_aesenclast_si128)                                           \
    LC_M_WIDE_BINARY(prefix, vector, num_parts, aesdec_epi128, _mm_aesdec_si128)                                                   \
    LC_M_WIDE_BINARY(prefix, vector, num_parts, aesdeclast_epi128, _mm_aesdeclast_si128)                                           \
    LC_M_WIDE_BINARY(prefix, vector, num_parts, xor_##suffix, _mm_xor_si128)                                                       \
    LC_M_WIDE_BINARY(prefix, vector, num_parts, and_##suffix, _mm_and_si128)                                                       \
    LC_M_WIDE_BINARY(prefix, vector, num_parts, or_##suffix, _mm_or_si128)                                                         \
    LC_M_WIDE_BINARY(prefix, vector, num_parts, andnot_##suffix, _mm_andnot_si128)                                                 \
    LC_M_WIDE_BINARY(prefix, vector, num_parts, add_epi32, _mm_add_epi32)                                                          \
    LC_M_WIDE_BINARY(prefix, vector, num_parts, add_epi64, _mm_add_epi64)                                                          \
    LC_M_WIDE_BINARY(prefix, vector, num_parts, shuffle_epi8, _mm_shuffle_epi8)                                                    \
    LC_AES_INLINE vector lc##prefix##_all_parts(__m128i a)                                                                         \
    {                                                                                                                              \
        vector x;                                                                                                                  \
                                                                                                                                   \
        for (int i = 0; i < num_parts; i++)                                                                                        \
            x.part[i] = a;                                                                                                         \
        return x;                                                                                                                  \
    }                                                                                                                              \
    LC_AES_INLINE vector prefix##_setzero_##suffix(void)                                                                           \
    {                                                                                                                              \
        return lc##prefix##_all_parts(_mm_setzero_si128());                                                                        \
    }                                                                                                                              \
    LC_AES_INLINE vector prefix##_loadu_##suffix(const void *p)                                                                    \
    {                                                                                                                              \
        vector a;                                                                                                                  \
                                                                                                                                   \
        memcpy(&a, p, sizeof(a));                                                                                                  \
        return a;                                                                                                                  \
    }                                                                                                                              \
    LC_AES_INLINE vector prefix##_load_##suffix(const void *p)                                                                     \
    {                                                                                                                              \
        return prefix##_loadu_##suffix(p);                                                                                         \
    }                                                                                                                              \
    LC_AES_INLINE void prefix##_storeu_##suffix(void *p, vector a)                                                                 \
    {                                                                                                                              \
        memcpy(p, &a, sizeof(a));                                                                                                  \
    }                                                                                                                              \
    LC_AES_INLINE void prefix##_store_##suffix(void *p, vector a)                                                                  \
    {                                                                                                                              \
        prefix##_storeu_##suffix(p, a);                                                                                            \
    }                                                                                                                              \
    LC_AES_INLINE vector prefix##_ternarylogic_epi64(vector a, vector b, vector c, int imm)                                        \
    {                                                                                                                              \
        vector x = prefix##_setzero_##suffix();                                                                                    \
                                                                                                                                   \
        for (int i = 0; i < num_parts; i++)                                                                                        \
            for (int bits = 0; bits < 8; bits++)                                                                                   \
                if (imm >> bits & 1)                                                                                               \
                    x.part[i] |= (bits & 4 ? a.part[i] : ~a.part[i]) & (bits & 2 ? b.part[i] : ~b.part[i]) &                       \
                                 (bits & 1 ? c.part[i] : ~c.part[i]);                                                              \
        return x;                                                                                                                  \
    }

LC_M_WIDE(_mm256, __m256i, 2, si256)
LC_M_WIDE(_mm512, __m512i, 4, si512)

LC_AES_INLINE __m256i _mm256_broadcastsi128_si256(__m128i a)
{
    return lc_mm256_all_parts(a);
}

LC_AES_INLINE __m512i _mm512_broadcast_i32x4(__m128i a)
{
    return lc_mm512_all_parts(a);
}

/* Parts beyond those that are given are zero, which they need not be. */
LC_AES_INLINE __m256i _mm256_castsi128_si256(__m128i a)
{
    return (__m256i){ { a, _mm_setzero_si128() } };
}

LC_AES_INLINE __m128i _mm256_castsi256_si128(__m256i a)
{
    return a.part[0];
}

LC_AES_INLINE __m128i _mm512_castsi512_si128(__m512i a)
{
    return a.part[0];
}

LC_AES_INLINE __m128i _mm256_extracti128_si256(__m256i a, int i)
{
    return a.part[i & 1];
}

LC_AES_INLINE __m128i _mm512_extracti32x4_epi32(__m512i a, int i)
{
    return a.part[i & 3];
}

LC_AES_INLINE __m256i _mm256_inserti128_si256(__m256i a, __m128i b, int i)
{
    a.part[i & 1] = b;
    return a;
}

LC_AES_INLINE __m512i _mm512_inserti32x4(__m512i a, __m128i b, int i)
{
    a.part[i & 3] = b;
    return a;
}

LC_AES_INLINE __m256i _mm256_set_m128i(__m128i high, __m128i low)
{
    return (__m256i){ { low, high } };
}

#undef LC_M128_BINARY
#undef LC_M128_SHIFT
#undef LC_M_WIDE
#undef LC_M_WIDE_BINARY

#endif
#endif
