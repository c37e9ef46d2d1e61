/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * VAES: rounds on two blocks, and with AVX-512 on four.  There is no wide AESIMC: AESENCLAST and AESDEC under zero keys do and undo
 * the S-box around InvMixColumns, as AESDECLAST and AESENC do around MixColumns.
 */
#ifndef LANECRYPT_AES_ROUND_X86_WIDE_H
#define LANECRYPT_AES_ROUND_X86_WIDE_H

#define LC_AES_X86_ROUND(size, vector, name, result)                                                                               \
    LC_AES_INLINE vector lc_aes_##size##_##name(vector x, vector k)                                                                \
    {                                                                                                                              \
        (void)k;                                                                                                                   \
        return result;                                                                                                             \
    }

#define LC_AES_X86_ROUNDS(size, vector, enc, enclast, dec, declast, add, zero)                                                     \
    LC_AES_X86_ROUND(size, vector, sb_sr_ak, enclast(x, k))                                                                        \
    LC_AES_X86_ROUND(size, vector, sb_sr_mc_ak, enc(x, k))                                                                         \
    LC_AES_X86_ROUND(size, vector, isb_isr_ak, declast(x, k))                                                                      \
    LC_AES_X86_ROUND(size, vector, isb_isr_imc_ak, dec(x, k))                                                                      \
    LC_AES_X86_ROUND(size, vector, isb_isr_ak_imc, dec(enclast(declast(x, k), zero()), zero()))                                    \
    LC_AES_X86_ROUND(size, vector, ak_sb_sr, enclast(add(x, k), zero()))                                                           \
    LC_AES_X86_ROUND(size, vector, ak_sb_sr_mc, enc(add(x, k), zero()))                                                            \
    LC_AES_X86_ROUND(size, vector, ak_isb_isr, declast(add(x, k), zero()))                                                         \
    LC_AES_X86_ROUND(size, vector, ak_isb_isr_imc, dec(add(x, k), zero()))                                                         \
    LC_AES_X86_ROUND(size, vector, keyless_mc, enc(declast(x, zero()), zero()))                                                    \
    LC_AES_X86_ROUND(size, vector, keyless_imc, dec(enclast(x, zero()), zero()))

#define LC_AES_HOST_X2
LC_AES_X86_ROUNDS(x2, __m256i, _mm256_aesenc_epi128, _mm256_aesenclast_epi128, _mm256_aesdec_epi128, _mm256_aesdeclast_epi128,
                  _mm256_xor_si256, _mm256_setzero_si256)

LC_AES_INLINE __m256i lc_aes_load_x2(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

LC_AES_INLINE void lc_aes_store_x2(void *p, __m256i x)
{
    _mm256_storeu_si256((__m256i *)p, x);
}

LC_AES_INLINE __m256i lc_aes_broadcast_x2(lc_aes_block x)
{
    return _mm256_broadcastsi128_si256((__m128i)x);
}

#ifdef __AVX512F__
#define LC_AES_HOST_X4
LC_AES_X86_ROUNDS(x4, __m512i, _mm512_aesenc_epi128, _mm512_aesenclast_epi128, _mm512_aesdec_epi128, _mm512_aesdeclast_epi128,
                  _mm512_xor_si512, _mm512_setzero_si512)

LC_AES_INLINE __m512i lc_aes_load_x4(const void *p)
{
    return _mm512_loadu_si512(p);
}

LC_AES_INLINE void lc_aes_store_x4(void *p, __m512i x)
{
    _mm512_storeu_si512(p, x);
}

LC_AES_INLINE __m512i lc_aes_broadcast_x4(lc_aes_block x)
{
    return _mm512_broadcast_i32x4((__m128i)x);
}
#endif

#undef LC_AES_X86_ROUND
#undef LC_AES_X86_ROUNDS

#endif
