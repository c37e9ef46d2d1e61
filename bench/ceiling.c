/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The ceilings: how fast the core does what limits a cipher when it does nothing else.
 *
 * AES: its rounds alone.
 *
 * ARX: ChaCha20's rounds alone, 960 additions, xors and rotations of a 32-bit word for 64 bytes, with a block in each lane.  What
 * transposes the blocks, adds their first state and xors the text comes on top.  A rotation is what the vector length has for it:
 * one instruction with AVX-512; else one that moves bytes for 16 and 8, and for 12 and 7 two shifts (and on x86 an or).
 *
 * Poly: Poly1305's products alone.  A product modulo 2^130 - 5 has 9 of two 44-bit digits, each with a low and a high half; 25 of
 * two 26-bit digits; or 4 of two 64-bit words, and two by the few bits above 2^128, which aren't counted.
 *
 * Fourteen independent chains are more than the latency times the number of units on any core (4 * 2 for AES), and fit into 16
 * registers with one that all of them read and one in between.  No time depends on what is in them.  Each way that the CPU has is
 * tried and the best one counts: on some cores a 512-bit uop takes as long as two of 256.
 */
#include "bench.h"
#include "lanecrypt/cpu.h"

#include <string.h>

enum { CHAINS = 14, RUNS = 10 };

struct way {
    enum bench_unit unit;
    void (*run)(uint64_t turns);
    uint64_t turns;       /* for 20 microseconds and more: the clock's own 20 ns don't count */
    double per_turn;      /* what a turn does, in the unit */
    const char *needs[2]; /* by the library's own names of features */
};

/* A function that runs some instructions in a loop, and instructions for each chain. */
#define LOOP(name, body, end)                                                                                                      \
    static void name(uint64_t turns)                                                                                               \
    {                                                                                                                              \
        __asm__ volatile("1:\n\t" body LOOP_BACK "\n\t" end : "+r"(turns) : : CLOBBERS);                                           \
    }
#define CHAIN(instructions) ".irp i, " CHAIN_LIST "\n\t " instructions "\n\t .endr\n\t"

#if defined(__x86_64__)
#define CHAIN_LIST "1,2,3,4,5,6,7,8,9,10,11,12,13,14"
#define LOOP_BACK "dec %0\n\t jnz 1b"
#define CLOBBERS                                                                                                                   \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",   \
        "xmm15", "rax", "rcx", "rdx", "r8", "cc"

LOOP(aes_xmm, CHAIN("aesenc %%xmm0, %%xmm\\i"), "")
LOOP(aes_ymm, CHAIN("vaesenc %%ymm0, %%ymm\\i, %%ymm\\i"), "vzeroupper")
LOOP(aes_zmm, CHAIN("vaesenc %%zmm0, %%zmm\\i, %%zmm\\i"), "vzeroupper")

#define ARX_XMM(rotate) CHAIN("paddd %%xmm0, %%xmm\\i\n\t pxor %%xmm0, %%xmm\\i\n\t" rotate)
#define BYTES_XMM "pshufb %%xmm0, %%xmm\\i"
#define BITS_XMM(n) "movdqa %%xmm\\i, %%xmm15\n\t pslld $" #n ", %%xmm15\n\t psrld $32 - " #n ", %%xmm\\i\n\t por %%xmm15, %%xmm\\i"
LOOP(arx_xmm, ARX_XMM(BYTES_XMM) ARX_XMM(BITS_XMM(12)) ARX_XMM(BYTES_XMM) ARX_XMM(BITS_XMM(7)), "")

#define ARX_YMM(rotate) CHAIN("vpaddd %%ymm0, %%ymm\\i, %%ymm\\i\n\t vpxor %%ymm0, %%ymm\\i, %%ymm\\i\n\t" rotate)
#define BYTES_YMM "vpshufb %%ymm0, %%ymm\\i, %%ymm\\i"
#define BITS_YMM(n)                                                                                                                \
    "vpslld $" #n ", %%ymm\\i, %%ymm15\n\t vpsrld $32 - " #n ", %%ymm\\i, %%ymm\\i\n\t vpor %%ymm15, %%ymm\\i, %%ymm\\i"
LOOP(arx_ymm, ARX_YMM(BYTES_YMM) ARX_YMM(BITS_YMM(12)) ARX_YMM(BYTES_YMM) ARX_YMM(BITS_YMM(7)), "vzeroupper")

#define ARX_AVX512(v, n)                                                                                                           \
    CHAIN("vpaddd %%" v "0, %%" v "\\i, %%" v "\\i\n\t vpxord %%" v "0, %%" v "\\i, %%" v "\\i\n\t"                                \
          "vprold $" #n ", %%" v "\\i, %%" v "\\i")
LOOP(arx_avx512_ymm, ARX_AVX512("ymm", 16) ARX_AVX512("ymm", 12) ARX_AVX512("ymm", 8) ARX_AVX512("ymm", 7), "vzeroupper")
LOOP(arx_avx512_zmm, ARX_AVX512("zmm", 16) ARX_AVX512("zmm", 12) ARX_AVX512("zmm", 8) ARX_AVX512("zmm", 7), "vzeroupper")

LOOP(poly_mul, ".rept 14\n\t mov %%r8, %%rax\n\t mul %%rcx\n\t .endr\n\t", "")
LOOP(poly_mulx, ".rept 14\n\t mulx %%rcx, %%rax, %%r8\n\t .endr\n\t", "")
LOOP(poly_ymm, CHAIN("vpmuludq %%ymm0, %%ymm0, %%ymm\\i"), "vzeroupper")
LOOP(poly_zmm, CHAIN("vpmadd52luq %%zmm0, %%zmm0, %%zmm\\i") CHAIN("vpmadd52huq %%zmm0, %%zmm0, %%zmm\\i"), "vzeroupper")

LOOP(sha256_rounds, CHAIN("sha256rnds2 %%xmm15, %%xmm\\i"), "")

static const struct way ways[] = {
    { BENCH_AES, aes_xmm, 8000, CHAINS, { "aes" } },
    { BENCH_AES, aes_ymm, 8000, CHAINS * 2, { "vaes", "avx2" } },
    { BENCH_AES, aes_zmm, 8000, CHAINS * 4, { "vaes", "avx512f" } },
    { BENCH_ARX, arx_xmm, 2000, CHAINS * 12 * 4, { "ssse3" } },
    { BENCH_ARX, arx_ymm, 2000, CHAINS * 12 * 8, { "avx2" } },
    { BENCH_ARX, arx_avx512_ymm, 2000, CHAINS * 12 * 8, { "avx512vl", "avx512f" } },
    { BENCH_ARX, arx_avx512_zmm, 2000, CHAINS * 12 * 16, { "avx512f" } },
    { BENCH_POLY, poly_mul, 8000, CHAINS / 4.0, { NULL } },
    { BENCH_POLY, poly_mulx, 8000, CHAINS / 4.0, { "bmi2" } },
    { BENCH_POLY, poly_ymm, 16000, CHAINS * 4 / 25.0, { "avx2" } },
    { BENCH_POLY, poly_zmm, 4000, CHAINS * 2 * 8 / 18.0, { "avx512ifma", "avx512f" } },
    { BENCH_SHA256, sha256_rounds, 4000, CHAINS * 2, { "sha_ni" } },
};
#elif defined(__aarch64__)
#define CHAIN_LIST "1,2,3,4,5,6,7,16,17,18,19,20,21,22"
#define LOOP_BACK "subs %0, %0, #1\n\t b.ne 1b"
#define CLOBBERS                                                                                                                   \
    "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "x8", "x9", "x10", "cc"

LOOP(aes_neon, ".arch_extension crypto\n\t" CHAIN("aese v\\i\\().16b, v0.16b\n\t aesmc v\\i\\().16b, v\\i\\().16b"), "")

#define ARX_NEON(rotate) CHAIN("add v\\i\\().4s, v\\i\\().4s, v0.4s\n\t eor v23.16b, v\\i\\().16b, v0.16b\n\t" rotate)
#define BITS_NEON(n) "ushr v\\i\\().4s, v23.4s, #32 - " #n "\n\t sli v\\i\\().4s, v23.4s, #" #n
LOOP(arx_neon,
     ARX_NEON("rev32 v\\i\\().8h, v23.8h") ARX_NEON(BITS_NEON(12)) ARX_NEON("tbl v\\i\\().16b, { v23.16b }, v0.16b")
         ARX_NEON(BITS_NEON(7)),
     "")

LOOP(poly_mul, ".rept 14\n\t mul x8, x9, x9\n\t umulh x10, x9, x9\n\t .endr\n\t", "")

static const struct way ways[] = {
    { BENCH_AES, aes_neon, 8000, CHAINS, { "aes" } },
    { BENCH_ARX, arx_neon, 2000, CHAINS * 12 * 4, { "neon" } },
    { BENCH_POLY, poly_mul, 8000, CHAINS / 4.0, { NULL } },
};
#else
static const struct way ways[] = { { BENCH_AES, NULL, 0, 0, { "no such feature" } } };
#endif

static bool cpu_has(const char *name)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        const char *feature = lc_cpu_feature_name(UINT64_C(1) << bit);

        if (feature && strcmp(feature, name) == 0)
            return lc_cpu_features_detected() >> bit & 1;
    }
    return false;
}

double bench_unit_per_ns(enum bench_unit unit)
{
    double best = 0;

    for (const struct way *way = ways; way < ways + sizeof(ways) / sizeof(ways[0]); way++) {
        bool usable = way->unit == unit;

        for (size_t i = 0; i < sizeof(way->needs) / sizeof(way->needs[0]) && way->needs[i]; i++)
            usable = usable && cpu_has(way->needs[i]);
        for (int run = 0; usable && run < RUNS; run++) {
            double start = bench_now_ns(), speed;

            way->run(way->turns);
            speed = (double)way->turns * way->per_turn / (bench_now_ns() - start);
            best = speed > best ? speed : best;
        }
    }
    return best;
}
