/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include <stdatomic.h>

#include "internal.h"
#include "lanecrypt/cpu.h"

#ifdef __x86_64__
void lc_wipe_high_vectors(void); /* x86/wipe.S */

/* Can the C library's functions have used them?  It looks at the CPU, not at LANECRYPT_DISABLE.  CPUID is asked once. */
static int has_high_vectors(void)
{
    static _Atomic(int) answer; /* 1 or 2; 0: not asked yet */
    int known = atomic_load_explicit(&answer, memory_order_relaxed);

    if (!known) {
        known = 1 + !(~lc_cpu_features_detected() & (LC_AVX512F | LC_AVX512VL));
        atomic_store_explicit(&answer, known, memory_order_relaxed);
    }
    return known == 2;
}
#endif

__attribute__((__noinline__)) void lc_wipe_registers(void)
{
#ifdef __x86_64__
    if (has_high_vectors())
        lc_wipe_high_vectors();
    __asm__ volatile(".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n\t"
                     "pxor %%xmm\\i, %%xmm\\i\n\t"
                     ".endr\n\t"
                     ".irp r, eax, ecx, edx, esi, edi, r8d, r9d, r10d, r11d\n\t"
                     "xor %%\\r, %%\\r\n\t"
                     ".endr"
                     :
                     :
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                       "xmm13", "xmm14", "xmm15", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
#endif
}
