/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The ceiling: how many AES rounds the core does when it does nothing else.
 *
 * Ten independent chains are more than any core's latency times its number of AES units (4 * 2), and fit into 16
 * registers with a round key.  Every width that the CPU has is tried, the best one counts: on some cores a 512-bit uop
 * takes as long as two of 256.
 */
#include "bench.h"
#include "lanecrypt/cpu.h"

#include <string.h>

enum { CHAINS = 10, TURNS = 8000 }; /* 20 microseconds and more: the clock's own 20 ns don't count */

#if defined(__x86_64__)
#define CHAIN_LIST "1,2,3,4,5,6,7,8,9,10"
#define CLOBBERS "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "cc"

static void rounds_xmm(uint64_t turns)
{
    __asm__ volatile("1: .irp i, " CHAIN_LIST "\n\t aesenc %%xmm0, %%xmm\\i\n\t .endr\n\t dec %0\n\t jnz 1b"
                     : "+r"(turns) : : CLOBBERS);
}

static void rounds_ymm(uint64_t turns)
{
    __asm__ volatile("1: .irp i, " CHAIN_LIST "\n\t vaesenc %%ymm0, %%ymm\\i, %%ymm\\i\n\t .endr\n\t"
                     "dec %0\n\t jnz 1b\n\t vzeroupper"
                     : "+r"(turns) : : CLOBBERS);
}

static void rounds_zmm(uint64_t turns)
{
    __asm__ volatile("1: .irp i, " CHAIN_LIST "\n\t vaesenc %%zmm0, %%zmm\\i, %%zmm\\i\n\t .endr\n\t"
                     "dec %0\n\t jnz 1b\n\t vzeroupper"
                     : "+r"(turns) : : CLOBBERS);
}

/* What each needs, by the library's own names of features. */
static const struct width {
    void (*rounds)(uint64_t turns);
    int blocks;
    const char *needs[3];
} widths[] = {
    { rounds_xmm, 1, { "aes" } },
    { rounds_ymm, 2, { "vaes", "avx2" } },
    { rounds_zmm, 4, { "vaes", "avx512f" } },
};
#elif defined(__aarch64__)
static void rounds_neon(uint64_t turns)
{
    __asm__ volatile(".arch_extension crypto\n"
                     "1: .irp i, 1,2,3,4,5,6,7,16,17,18\n\t aese v\\i\\().16b, v0.16b\n\t"
                     "aesmc v\\i\\().16b, v\\i\\().16b\n\t .endr\n\t"
                     "subs %0, %0, #1\n\t b.ne 1b"
                     : "+r"(turns) : : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "cc");
}

static const struct width {
    void (*rounds)(uint64_t turns);
    int blocks;
    const char *needs[3];
} widths[] = { { rounds_neon, 1, { "aes" } } };
#else
static const struct width {
    void (*rounds)(uint64_t turns);
    int blocks;
    const char *needs[3];
} widths[] = { { NULL, 0, { "aes" } } };
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

double bench_aes_blocks_per_ns(void)
{
    double best = 0;

    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
        bool usable = true;

        for (const char *const *need = widths[i].needs; need < widths[i].needs + 3 && *need; need++)
            usable = usable && cpu_has(*need);
        for (int run = 0; usable && run < 10; run++) {
            double start = bench_now_ns(), speed;

            widths[i].rounds(TURNS);
            speed = (double)TURNS * CHAINS * widths[i].blocks / (bench_now_ns() - start);
            best = speed > best ? speed : best;
        }
    }
    return best;
}
