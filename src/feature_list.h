/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The features that implementations can need, one line each, in the order in which the tests take them away (newest last).
 * LC_FEATURE(bit, NAME, "name"): the name is what LANECRYPT_DISABLE and `lanecrypt cpu` use.
 * PREFER_* are no capabilities but policy: whether a thing that the CPU can do also pays on it (see x86/features.c).
 */
#ifndef LC_FEATURES_H
#define LC_FEATURES_H

#if defined(__x86_64__)
#define LC_FEATURES(LC_FEATURE)                                                                                                    \
    LC_FEATURE(0, SSSE3, "ssse3")                                                                                                  \
    LC_FEATURE(1, SSE41, "sse4.1")                                                                                                 \
    LC_FEATURE(2, AES, "aes")                                                                                                      \
    LC_FEATURE(3, PCLMULQDQ, "pclmulqdq")                                                                                          \
    LC_FEATURE(4, AVX, "avx")                                                                                                      \
    LC_FEATURE(5, AVX2, "avx2")                                                                                                    \
    LC_FEATURE(6, BMI2, "bmi2")                                                                                                    \
    LC_FEATURE(7, VPCLMULQDQ, "vpclmulqdq")                                                                                        \
    LC_FEATURE(8, VAES, "vaes")                                                                                                    \
    LC_FEATURE(9, AVX512F, "avx512f")                                                                                              \
    LC_FEATURE(10, AVX512BW, "avx512bw")                                                                                           \
    LC_FEATURE(11, AVX512VL, "avx512vl")                                                                                           \
    LC_FEATURE(12, AVX512IFMA, "avx512ifma")                                                                                       \
    LC_FEATURE(13, GFNI, "gfni")                                                                                                   \
    LC_FEATURE(14, SHANI, "sha_ni")                                                                                                \
    LC_FEATURE(15, AVXIFMA, "avxifma")                                                                                             \
    LC_FEATURE(16, PREFER_ZMM, "prefer_zmm")                                                                                       \
    LC_FEATURE(17, WIDE_ZMM, "wide_zmm")                                                                                           \
    LC_FEATURE(18, PREFER_GENERAL, "prefer_general")                                                                               \
    LC_FEATURE(19, PREFER_KARATSUBA, "prefer_karatsuba")                                                                           \
    LC_FEATURE(20, PREFER_RADIX52, "prefer_radix52")
#elif defined(__aarch64__)
#define LC_FEATURES(LC_FEATURE)                                                                                                    \
    LC_FEATURE(0, ARM_NEON, "neon")                                                                                                \
    LC_FEATURE(1, ARM_AES, "aes")                                                                                                  \
    LC_FEATURE(2, ARM_PMULL, "pmull")                                                                                              \
    LC_FEATURE(3, ARM_SHA2, "sha2")
#elif defined(__powerpc64__)
#define LC_FEATURES(LC_FEATURE) LC_FEATURE(0, POWER_VCRYPTO, "vcrypto")
#elif defined(__riscv) && __riscv_xlen == 64
#define LC_FEATURES(LC_FEATURE)                                                                                                    \
    LC_FEATURE(0, RISCV_ZKND, "zknd")                                                                                              \
    LC_FEATURE(1, RISCV_ZKNE, "zkne")                                                                                              \
    LC_FEATURE(2, RISCV_ZVKNED, "zvkned")
#else
#define LC_FEATURES(LC_FEATURE)
#endif

#define LC_FEATURE_BIT(bit, NAME, name) LC_##NAME = 1u << bit,
enum lc_feature { LC_FEATURE_NONE = 0, LC_FEATURES(LC_FEATURE_BIT) };
#undef LC_FEATURE_BIT

#endif
