/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES and SM4 of AArch32, AArch64 and SVE2: the same helpers, with the length in the descriptor. */
#include "lanecrypt-rounds.h"

/* The rest of the register, whose length is one of whole blocks */
static inline void clear_rest(void *vd, uint32_t desc)
{
    const lc_aes_block zero = { 0 };

    for (size_t i = simd_oprsz(desc); i < simd_maxsz(desc); i += 16)
        lc_aes_store(vd + i, zero);
}

#define KEYED(call, vd, vn, vm, desc)                                                                                              \
    do {                                                                                                                           \
        const size_t len = simd_oprsz(desc);                                                                                       \
                                                                                                                                   \
        if (likely(len == 16))                                                                                                     \
            rounds.call(vd, vn, vm);                                                                                               \
        else                                                                                                                       \
            rounds.call##_n(vd, vn, vm, len / 16, 16);                                                                             \
        clear_rest(vd, desc);                                                                                                      \
    } while (0)
#define KEYLESS(call, vd, vm, desc)                                                                                                \
    do {                                                                                                                           \
        const size_t len = simd_oprsz(desc);                                                                                       \
                                                                                                                                   \
        if (likely(len == 16))                                                                                                     \
            rounds.call(vd, vm);                                                                                                   \
        else                                                                                                                       \
            rounds.call##_n(vd, vm, len / 16);                                                                                     \
        clear_rest(vd, desc);                                                                                                      \
    } while (0)

#ifdef LANECRYPT_DIRECTION_IN_DESC /* QEMU 7.2: the inverse is the same helper */
void HELPER(crypto_aese)(void *vd, void *vn, void *vm, uint32_t desc)
{
    if (simd_data(desc))
        KEYED(ak_isb_isr, vd, vn, vm, desc);
    else
        KEYED(ak_sb_sr, vd, vn, vm, desc);
}

void HELPER(crypto_aesmc)(void *vd, void *vm, uint32_t desc)
{
    if (simd_data(desc))
        KEYLESS(imc, vd, vm, desc);
    else
        KEYLESS(mc, vd, vm, desc);
}
#else
void HELPER(crypto_aese)(void *vd, void *vn, void *vm, uint32_t desc)
{
    KEYED(ak_sb_sr, vd, vn, vm, desc);
}

void HELPER(crypto_aesd)(void *vd, void *vn, void *vm, uint32_t desc)
{
    KEYED(ak_isb_isr, vd, vn, vm, desc);
}

void HELPER(crypto_aese_aesmc)(void *vd, void *vn, void *vm, uint32_t desc)
{
    KEYED(ak_sb_sr_mc, vd, vn, vm, desc);
}

void HELPER(crypto_aesd_aesimc)(void *vd, void *vn, void *vm, uint32_t desc)
{
    KEYED(ak_isb_isr_imc, vd, vn, vm, desc);
}

void HELPER(crypto_aesmc)(void *vd, void *vm, uint32_t desc)
{
    KEYLESS(mc, vd, vm, desc);
}

void HELPER(crypto_aesimc)(void *vd, void *vm, uint32_t desc)
{
    KEYLESS(imc, vd, vm, desc);
}
#endif

void HELPER(crypto_sm4e)(void *vd, void *vn, void *vm, uint32_t desc)
{
    const size_t len = simd_oprsz(desc);

    for (size_t i = 0; i < len; i += 16)
        rounds.sm4_e4(vd + i, vn + i, vm + i);
    clear_rest(vd, desc);
}

void HELPER(crypto_sm4ekey)(void *vd, void *vn, void *vm, uint32_t desc)
{
    const size_t len = simd_oprsz(desc);

    for (size_t i = 0; i < len; i += 16)
        rounds.sm4_ekey4(vd + i, vn + i, vm + i);
    clear_rest(vd, desc);
}

#undef KEYED
#undef KEYLESS
