/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Nanoseconds of AES-128 for a block, and of a carry-less product, as x86's code has them and as Arm's: with SIMDe as it is or,
 * with -DLANECRYPT, by lanecrypt's rounds.  Eight blocks at a time in registers, as such code has them.  The best of short runs.
 */
#ifdef LANECRYPT
#include "lanecrypt_simde.h"
#endif
#include <simde/arm/neon.h>
#include <simde/x86/aes.h>
#include <simde/x86/clmul.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#define NUM 256 /* blocks */

static uint8_t keys[11][16], blocks[NUM][16];

static void x86_aes(void)
{
    for (unsigned i = 0; i < NUM; i += 8) {
        simde__m128i x[8];

#pragma GCC unroll 8
        for (unsigned j = 0; j < 8; j++)
            x[j] = simde_mm_xor_si128(simde_mm_loadu_si128(blocks[i + j]), simde_mm_loadu_si128(keys[0]));
        for (unsigned round = 1; round < 10; round++)
#pragma GCC unroll 8
            for (unsigned j = 0; j < 8; j++)
                x[j] = simde_mm_aesenc_si128(x[j], simde_mm_loadu_si128(keys[round]));
#pragma GCC unroll 8
        for (unsigned j = 0; j < 8; j++)
            simde_mm_storeu_si128(blocks[i + j], simde_mm_aesenclast_si128(x[j], simde_mm_loadu_si128(keys[10])));
    }
}

static void arm_aes(void)
{
    for (unsigned i = 0; i < NUM; i += 8) {
        simde_uint8x16_t x[8];

#pragma GCC unroll 8
        for (unsigned j = 0; j < 8; j++)
            x[j] = simde_vld1q_u8(blocks[i + j]);
        for (unsigned round = 0; round < 9; round++)
#pragma GCC unroll 8
            for (unsigned j = 0; j < 8; j++)
                x[j] = simde_vaesmcq_u8(simde_vaeseq_u8(x[j], simde_vld1q_u8(keys[round])));
#pragma GCC unroll 8
        for (unsigned j = 0; j < 8; j++)
            simde_vst1q_u8(blocks[i + j], simde_veorq_u8(simde_vaeseq_u8(x[j], simde_vld1q_u8(keys[9])), simde_vld1q_u8(keys[10])));
    }
}

static void x86_product(void)
{
    for (unsigned i = 0; i < NUM; i++) {
        simde__m128i x = simde_mm_loadu_si128(blocks[i]);

        simde_mm_storeu_si128(blocks[i], simde_mm_clmulepi64_si128(x, x, 0x01));
    }
}

static void arm_product(void)
{
    for (unsigned i = 0; i < NUM; i++) {
        uint64_t x[2];
        simde_poly128_t product;

        memcpy(x, blocks[i], 16);
        product = simde_vmull_p64((simde_poly64_t)x[0], (simde_poly64_t)x[1]);
        memcpy(blocks[i], &product, 16);
    }
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(void)
{
    static void (*const work[])(void) = { x86_aes, arm_aes, x86_product, arm_product };

    for (unsigned i = 0; i < sizeof(work) / sizeof(work[0]); i++) {
        double best = 1e30;

        for (unsigned j = 0; j < sizeof(keys); j++)
            keys[j / 16][j % 16] = (uint8_t)(j * 7 + 3);
        for (unsigned j = 0; j < sizeof(blocks); j++)
            blocks[j / 16][j % 16] = (uint8_t)(j * j * 5 + 1); /* a product of zeros would be quick where it has branches */
        for (unsigned run = 0; run < 200; run++) {
            double start = now();

            work[i]();
            if (best > now() - start)
                best = now() - start;
        }
        printf("%.2f\n", best / NUM);
    }
    return 0;
}
