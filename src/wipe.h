/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#ifndef LC_WIPE_H
#define LC_WIPE_H

#include <stdint.h>
#include <string.h>

/* Zeros that the compiler can't drop: the asm statement may read the memory. */
static inline void lc_wipe(void *p, size_t len)
{
    memset(p, 0, len);
    __asm__ volatile("" : : "r"(p) : "memory");
}

/*
 * The stack below the caller's frame, where functions that it has called had theirs, with what the compiler couldn't keep in
 * registers: half of Poly1305's r, for one.  It takes 15 cycles, so once for a message, after C code whose variables are secrets.
 */
static __attribute__((__noinline__, __unused__)) void lc_wipe_frame(void)
{
    uint8_t frame[512];

    lc_wipe(frame, sizeof(frame));
}

/*
 * The registers that C code uses.  Before the stack is wiped: when the dynamic linker looks up a function, memset() too, it writes
 * them there.
 */
static inline void lc_wipe_registers(void)
{
#ifdef __x86_64__
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

#endif
