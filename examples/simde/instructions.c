/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * For examples/qemu/guest.c: the instructions of x86 and Arm as SIMDe has them on this host, as it is or, with -DLANECRYPT, by
 * lanecrypt's rounds.  Like code of users this has the intrinsics' own names.
 */
#define SIMDE_ENABLE_NATIVE_ALIASES
#ifdef LANECRYPT
#include "lanecrypt_simde.h"
#endif
#include <simde/arm/neon.h>
#include <simde/x86/aes.h>
#include <simde/x86/clmul.h>

#ifndef LANECRYPT /* SIMDe 0.8.2 doesn't have Arm's own names on an Arm that the compiler takes for one without AES. */
#undef vaeseq_u8
#undef vaesdq_u8
#undef vaesmcq_u8
#undef vaesimcq_u8
#define vaeseq_u8 simde_vaeseq_u8
#define vaesdq_u8 simde_vaesdq_u8
#define vaesmcq_u8 simde_vaesmcq_u8
#define vaesimcq_u8 simde_vaesimcq_u8
#endif

#include "../../tests/aes_round/check.h"

/* Instructions, one line each, by SIMDe's name and by the intrinsic's own; k is not used by all. */
/* clang-format off */
#define X86(instruction, call)                                                                                                     \
    if (!strcmp(guest, "x86") && !strcmp(name, instruction)) {                                                                     \
        simde__m128i x = simde_mm_loadu_si128(in[0].bytes), k = simde_mm_loadu_si128(in[1].bytes);                                 \
        uint8_t again[16];                                                                                                         \
                                                                                                                                   \
        (void)k;                                                                                                                   \
        simde_mm_storeu_si128(out->bytes, simde_mm_##call);                                                                        \
        simde_mm_storeu_si128(again, _mm_##call);                                                                                  \
        expect_bytes("_mm_" #call, again, out->bytes, 16);                                                                         \
        out->len = 16;                                                                                                             \
        return 1;                                                                                                                  \
    }
#define ARM(instruction, call)                                                                                                     \
    if (!strcmp(guest, "arm") && !strcmp(name, instruction)) {                                                                     \
        simde_uint8x16_t x = simde_vld1q_u8(in[0].bytes), k = simde_vld1q_u8(in[1].bytes);                                         \
        uint8_t again[16];                                                                                                         \
                                                                                                                                   \
        (void)k;                                                                                                                   \
        simde_vst1q_u8(out->bytes, simde_##call);                                                                                  \
        simde_vst1q_u8(again, call);                                                                                               \
        expect_bytes(#call, again, out->bytes, 16);                                                                                \
        out->len = 16;                                                                                                             \
        return 1;                                                                                                                  \
    }

int own_instruction(const char *guest, const char *name, const struct operand *in, struct operand *out)
{
    X86("AESENC", aesenc_si128(x, k))
    X86("AESENCLAST", aesenclast_si128(x, k))
    X86("AESDEC", aesdec_si128(x, k))
    X86("AESDECLAST", aesdeclast_si128(x, k))
    X86("AESIMC", aesimc_si128(x))
#ifdef LANECRYPT
    if (!strcmp(guest, "x86") && !strcmp(name, "AESKEYGENASSIST")) {
        /* Not by its own name, for which a compiler for an x86 with AES wants a constant. */
        simde_mm_storeu_si128(out->bytes,
                              simde_mm_aeskeygenassist_si128(simde_mm_loadu_si128(in[0].bytes), (int)in[1].number));
        out->len = 16;
        return 1;
    }
#endif
    ARM("AESE", vaeseq_u8(x, k))
    ARM("AESD", vaesdq_u8(x, k))
    ARM("AESMC", vaesmcq_u8(x))
    ARM("AESIMC", vaesimcq_u8(x))
    ARM("AESEMC", vaesmcq_u8(vaeseq_u8(x, k)))
    ARM("AESDIMC", vaesimcq_u8(vaesdq_u8(x, k)))
    return 0;
}
/* clang-format on */

/* The file of vectors has no carry-less products: they are compared with a loop over bits. */
static void expect_product(const char *what, uint64_t a, uint64_t b, uint64_t low, uint64_t high)
{
    uint64_t expected_low = 0, expected_high = 0;

    for (unsigned i = 0; i < 64; i++)
        if (b >> i & 1) {
            expected_low ^= a << i;
            expected_high ^= i ? a >> (64 - i) : 0;
        }
    if (low != expected_low || high != expected_high)
        fail("%s: %016llx * %016llx", what, (unsigned long long)a, (unsigned long long)b);
}

#define X86_PRODUCT(imm8)                                                                                                          \
    do {                                                                                                                           \
        const simde__m128i_private r = simde__m128i_to_private(simde_mm_clmulepi64_si128(a, b, imm8));                             \
                                                                                                                                   \
        expect_product("PCLMULQDQ " #imm8, x[(imm8) & 1], y[(imm8) >> 4 & 1], r.u64[0], r.u64[1]);                                 \
    } while (0)

__attribute__((constructor)) static void check_products(void)
{
    for (unsigned i = 0; i < 1000; i++) {
        uint64_t x[2], y[2];
        simde__m128i a, b;
        simde_poly64x2_t p, q;
        simde_poly128_t product;

        random_bytes(x, sizeof(x));
        random_bytes(y, sizeof(y));
        a = simde_mm_set_epi64x((int64_t)x[1], (int64_t)x[0]);
        b = simde_mm_set_epi64x((int64_t)y[1], (int64_t)y[0]);
        X86_PRODUCT(0x00);
        X86_PRODUCT(0x01);
        X86_PRODUCT(0x10);
        X86_PRODUCT(0x11);
        product = simde_vmull_p64((simde_poly64_t)x[0], (simde_poly64_t)y[0]);
        expect_product("PMULL", x[0], y[0], (uint64_t)product, (uint64_t)(product >> 64));
        p = simde_vreinterpretq_p64_u64(simde_vld1q_u64(x));
        q = simde_vreinterpretq_p64_u64(simde_vld1q_u64(y));
        product = simde_vmull_high_p64(p, q);
        expect_product("PMULL2", x[1], y[1], (uint64_t)product, (uint64_t)(product >> 64));
    }
}
