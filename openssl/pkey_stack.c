/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Stacks for calls that need more room than who calls may have: several operations at once. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "pkey.h"

enum { STACK_LEN = 512 * 1024, GUARD_LEN = 64 * 1024 }; /* below it */

#if defined(__x86_64__)
/* A call on another stack, of which `top` is a multiple of 16. */
static void call_on(void *top, void (*function)(void *arg), void *arg)
{
    __asm__ volatile("movq %%rsp, %%rbx\n\t"
                     "movq %[top], %%rsp\n\t"
                     "call *%[function]\n\t"
                     "movq %%rbx, %%rsp"
                     : "+D"(arg), [top] "+r"(top), [function] "+r"(function)
                     :
                     : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                       "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "st", "memory", "cc");
}
#else
/* No other CPU has an implementation that is faster with several operations. */
static void call_on(void *top, void (*function)(void *arg), void *arg)
{
    (void)top;
    function(arg);
}
#endif

void *lcp_stack_new(void)
{
    uint8_t *memory;

    if (!LCP_HAS_STACKS)
        return NULL;
    memory = mmap(NULL, STACK_LEN + GUARD_LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    if (mprotect(memory, GUARD_LEN, PROT_NONE) == 0)
        return memory;
    lcp_stack_free(memory);
    return NULL;
}

void lcp_stack_free(void *stack)
{
    if (stack)
        munmap(stack, STACK_LEN + GUARD_LEN);
}

void lcp_call_on_stack(void *stack, void (*function)(void *arg), void *arg)
{
    call_on((uint8_t *)stack + GUARD_LEN + STACK_LEN, function, arg);
}
