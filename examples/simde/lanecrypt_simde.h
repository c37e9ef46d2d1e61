/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SIMDe's AES intrinsics and carry-less products by lanecrypt's AES rounds (docs/simde.md).  Include this before all of SIMDe's
 * headers, in place of <simde/x86/aes.h> and <simde/arm/neon/aes.h>.  SIMDe's files stay as they are.
 *
 *      x86       simde_mm_aesenc_si128 ... aesimc, aeskeygenassist (which SIMDe doesn't have), clmulepi64
 *      Arm       simde_vaeseq_u8, vaesdq_u8, vaesmcq_u8, vaesimcq_u8, vmull_p64, vmull_high_p64
 *
 * They use the instructions that the compiler is told of, on any host: -maes -mpclmul, -march=armv8-a+crypto, -mcpu=power8,
 * -march=rv64gc_zknd_zkne_zbc.  Without any, they are portable C.  Time doesn't depend on data.
 */
#ifndef LANECRYPT_SIMDE_H
#define LANECRYPT_SIMDE_H

#if defined(SIMDE_X86_AES_H) || defined(SIMDE_ARM_NEON_AES_H) || defined(SIMDE_ARM_NEON_MULL_HIGH_H)
#error "include lanecrypt_simde.h before SIMDe's headers"
#endif
/* SIMDe's marks that these files have been included, so that they aren't */
#define SIMDE_X86_AES_H
#define SIMDE_ARM_NEON_AES_H

#include <lanecrypt/aes_round.h>

#include <simde/arm/neon/mull.h>
#include <simde/x86/clmul.h>

/* A vector's bytes are a block's. */
#define LC_SIMDE_KEYED(type, name, call)                                                                                           \
    SIMDE_FUNCTION_ATTRIBUTES                                                                                                      \
    type name(type x, type k)                                                                                                      \
    {                                                                                                                              \
        type result;                                                                                                               \
                                                                                                                                   \
        lc_aes_store(&result, lc_aes_##call(lc_aes_load(&x), lc_aes_load(&k)));                                                    \
        return result;                                                                                                             \
    }
#define LC_SIMDE_KEYLESS(type, name, call)                                                                                         \
    SIMDE_FUNCTION_ATTRIBUTES                                                                                                      \
    type name(type x)                                                                                                              \
    {                                                                                                                              \
        type result;                                                                                                               \
                                                                                                                                   \
        lc_aes_store(&result, lc_aes_##call(lc_aes_load(&x)));                                                                     \
        return result;                                                                                                             \
    }

LC_SIMDE_KEYED(simde__m128i, simde_mm_aesenc_si128, sb_sr_mc_ak)
LC_SIMDE_KEYED(simde__m128i, simde_mm_aesenclast_si128, sb_sr_ak)
LC_SIMDE_KEYED(simde__m128i, simde_mm_aesdec_si128, isb_isr_imc_ak)
LC_SIMDE_KEYED(simde__m128i, simde_mm_aesdeclast_si128, isb_isr_ak)
LC_SIMDE_KEYLESS(simde__m128i, simde_mm_aesimc_si128, imc)
LC_SIMDE_KEYED(simde_uint8x16_t, simde_vaeseq_u8, ak_sb_sr)
LC_SIMDE_KEYED(simde_uint8x16_t, simde_vaesdq_u8, ak_isb_isr)
LC_SIMDE_KEYLESS(simde_uint8x16_t, simde_vaesmcq_u8, mc)
LC_SIMDE_KEYLESS(simde_uint8x16_t, simde_vaesimcq_u8, imc)

#undef LC_SIMDE_KEYED
#undef LC_SIMDE_KEYLESS

SIMDE_FUNCTION_ATTRIBUTES
simde__m128i simde_mm_aeskeygenassist_si128(simde__m128i x, const int imm8)
{
    simde__m128i result;

    lc_aes_store(&result, lc_aes_keygenassist(lc_aes_load(&x), (unsigned)imm8));
    return result;
}

/* ---- Carry-less products: SIMDe's functions stay, and macros come before them ---- */

SIMDE_FUNCTION_ATTRIBUTES
simde__m128i lc_simde_clmulepi64(simde__m128i a, simde__m128i b, const int imm8)
{
    const simde__m128i_private x = simde__m128i_to_private(a), y = simde__m128i_to_private(b);
    const lc_aes_block product = lc_clmul64(x.u64[imm8 & 1], y.u64[imm8 >> 4 & 1]);
    simde__m128i_private result;

    result.u64[0] = lc_aes_low(product);
    result.u64[1] = lc_aes_high(product);
    return simde__m128i_from_private(result);
}
#undef simde_mm_clmulepi64_si128
#define simde_mm_clmulepi64_si128(a, b, imm8) lc_simde_clmulepi64(a, b, imm8)

#if !defined(SIMDE_TARGET_NOT_SUPPORT_INT128_TYPE)
/* SIMDe's simde_vmull_high_p64(), which is included later, is made of it. */
SIMDE_FUNCTION_ATTRIBUTES
simde_poly128_t lc_simde_vmull_p64(simde_poly64_t a, simde_poly64_t b)
{
    const lc_aes_block product = lc_clmul64((uint64_t)a, (uint64_t)b);

    return (simde_poly128_t)lc_aes_high(product) << 64 | (simde_poly128_t)lc_aes_low(product);
}
#define simde_vmull_p64(a, b) lc_simde_vmull_p64(a, b)
#endif

/* ---- The intrinsics' own names, as SIMDE_ENABLE_NATIVE_ALIASES asks for them ---- */

#if defined(SIMDE_X86_AES_ENABLE_NATIVE_ALIASES)
#define _mm_aesenc_si128(x, k) simde_mm_aesenc_si128(x, k)
#define _mm_aesenclast_si128(x, k) simde_mm_aesenclast_si128(x, k)
#define _mm_aesdec_si128(x, k) simde_mm_aesdec_si128(x, k)
#define _mm_aesdeclast_si128(x, k) simde_mm_aesdeclast_si128(x, k)
#define _mm_aesimc_si128(x) simde_mm_aesimc_si128(x)
#define _mm_aeskeygenassist_si128(x, imm8) simde_mm_aeskeygenassist_si128(x, imm8)
#endif
#if defined(SIMDE_ENABLE_NATIVE_ALIASES) && !defined(SIMDE_ARCH_ARM_AES)
#define vaeseq_u8(x, k) simde_vaeseq_u8(x, k)
#define vaesdq_u8(x, k) simde_vaesdq_u8(x, k)
#define vaesmcq_u8(x) simde_vaesmcq_u8(x)
#define vaesimcq_u8(x) simde_vaesimcq_u8(x)
#endif

#endif
