/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES rounds: which of the forms that aes_round_ops.c makes is the best here. */
#define LC_AES_ROUND_PORTABLE /* nothing but the structures is wanted of the header */
#include "aes_round_internal.h"

#include "internal.h"

/* Best first; the last one needs nothing. */
static const struct {
    const struct lc_aes_round_ops *ops;
    uint64_t needs;   /* capabilities */
    uint64_t prefers; /* policy bits */
} forms[] = {
#if defined(__x86_64__)
    { &lc_aes_round_vaes512, LC_SSSE3 | LC_AES | LC_PCLMULQDQ | LC_AVX | LC_AVX2 | LC_VAES | LC_AVX512F, LC_PREFER_ZMM },
    { &lc_aes_round_vaes256, LC_SSSE3 | LC_AES | LC_PCLMULQDQ | LC_AVX | LC_AVX2 | LC_VAES, 0 },
    { &lc_aes_round_aesni, LC_SSSE3 | LC_AES | LC_PCLMULQDQ, 0 },
    { &lc_aes_round_gfni, LC_SSSE3 | LC_GFNI, 0 },
    { &lc_aes_round_ssse3, LC_SSSE3, 0 },
#elif defined(__aarch64__)
    { &lc_aes_round_armv8, LC_ARM_NEON | LC_ARM_AES | LC_ARM_PMULL, 0 },
    { &lc_aes_round_neon, LC_ARM_NEON, 0 },
#elif defined(__powerpc64__)
    { &lc_aes_round_power8, LC_POWER_VCRYPTO, 0 },
#endif
#ifdef LC_AES_ROUND_HAS_ZKN
    { &lc_aes_round_zkn, LC_RISCV_ZKND | LC_RISCV_ZKNE, 0 },
#endif
#ifdef LC_AES_ROUND_HAS_ZVKNED
    { &lc_aes_round_zvkned, LC_RISCV_ZVKNED, 0 },
#endif
    { &lc_aes_round_portable, 0, 0 },
};

#define NUM_FORMS (sizeof(forms) / sizeof(forms[0]))

/* The rest of the library, and what reads LANECRYPT_DISABLE with it, is for little-endian CPUs. */
static uint64_t features_here(void)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return lc_cpu_features();
#else
    const char *policy;

    return lc_cpu_detect(&policy);
#endif
}

/* Features are detected once; what follows from them is as quick as a variable would be to check. */
const struct lc_aes_round_ops *lc_aes_round_ops(void)
{
    const uint64_t features = features_here();
    size_t i = 0;

    while ((forms[i].needs | forms[i].prefers) & ~features)
        i++;
    return forms[i].ops;
}

size_t lc_aes_round_count(void)
{
    return NUM_FORMS;
}

const struct lc_aes_round_ops *lc_aes_round_get(size_t index, int *runs_here)
{
    if (index >= NUM_FORMS)
        return NULL;
    if (runs_here)
        *runs_here = (forms[index].needs & ~features_here()) == 0;
    return forms[index].ops;
}
