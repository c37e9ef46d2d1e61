/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#ifndef LC_WIPE_H
#define LC_WIPE_H

#include <stdint.h>
#include <string.h>

/*
 * For functions that wipe the stack: at the top of their frame -fstack-protector, which distributions and kernels are built with,
 * would have its canary, and next to it 8 bytes that nobody writes.  (GCC has the attribute from 11 on.)
 */
#ifdef __has_attribute
#if __has_attribute(no_stack_protector)
#define LC_NO_CANARY __attribute__((no_stack_protector))
#endif
#endif
#ifndef LC_NO_CANARY
#define LC_NO_CANARY
#endif

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
static __attribute__((__noinline__, __unused__)) LC_NO_CANARY void lc_wipe_frame(void)
{
    uint8_t frame[512];

    lc_wipe(frame, sizeof(frame));
}

/*
 * Zeros in the registers that C code uses, and the C library's memcpy().  Before the stack is wiped: when the dynamic linker looks
 * up a function, memset() too, it writes them there.
 */
void lc_wipe_registers(void); /* wipe.c */

/*
 * A function, static or not, for zeros in the registers, and in so many bytes of the stack below the caller's frame, which is
 * deeper than any calculation there goes.
 */
#define LC_WIPE_STACK(linkage, function, bytes)                                                                                    \
    linkage __attribute__((__noinline__)) LC_NO_CANARY void function(void)                                                         \
    {                                                                                                                              \
        uint8_t frames[bytes];                                                                                                     \
                                                                                                                                   \
        lc_wipe_registers();                                                                                                       \
        lc_wipe(frames, sizeof(frames));                                                                                           \
    }

#endif
