/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * 64-bit RISC-V: which features there are.  The kernel answers since Linux 6.4, and knows of cryptography since 6.8; where it
 * doesn't answer, there are those that the compiler was told of.
 */
#include "../internal.h"

/* The ABI of Linux, from <asm/unistd.h> and <asm/hwprobe.h>, which older systems don't have. */
#define NR_RISCV_HWPROBE 258
#define HWPROBE_KEY_IMA_EXT_0 4
#define HWPROBE_IMA_V (UINT64_C(1) << 2)
#define HWPROBE_EXT_ZKND (UINT64_C(1) << 11)
#define HWPROBE_EXT_ZKNE (UINT64_C(1) << 12)
#define HWPROBE_EXT_ZVKNED (UINT64_C(1) << 21)

struct hwprobe_pair {
    int64_t key;
    uint64_t value;
};

/* The extensions that all CPUs have; 0 if the kernel doesn't say.  Not by syscall(), which writes errno. */
static uint64_t extensions(void)
{
    struct hwprobe_pair pair = { HWPROBE_KEY_IMA_EXT_0, 0 };
    register long number __asm__("a7") = NR_RISCV_HWPROBE;
    register long result __asm__("a0") = (long)&pair;
    register long num_pairs __asm__("a1") = 1, cpus_len __asm__("a2") = 0, cpus __asm__("a3") = 0, flags __asm__("a4") = 0;

    __asm__ volatile("ecall" : "+r"(result) : "r"(number), "r"(num_pairs), "r"(cpus_len), "r"(cpus), "r"(flags) : "memory");
    return result == 0 && pair.key == HWPROBE_KEY_IMA_EXT_0 ? pair.value : 0;
}

uint64_t lc_cpu_detect(const char **zmm_policy)
{
    uint64_t known = extensions(), features = 0;

    if (known & HWPROBE_EXT_ZKND)
        features |= LC_RISCV_ZKND;
    if (known & HWPROBE_EXT_ZKNE)
        features |= LC_RISCV_ZKNE;
    if ((known & HWPROBE_IMA_V) && (known & HWPROBE_EXT_ZVKNED))
        features |= LC_RISCV_ZVKNED;
#ifdef __riscv_zknd
    features |= LC_RISCV_ZKND;
#endif
#ifdef __riscv_zkne
    features |= LC_RISCV_ZKNE;
#endif
#if defined(__riscv_zvkned) && __riscv_v_min_vlen >= 128
    features |= LC_RISCV_ZVKNED;
#endif
    *zmm_policy = "no: RISC-V has no 512-bit vectors that the library uses";
    return features;
}
