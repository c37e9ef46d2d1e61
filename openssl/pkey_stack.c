/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Stacks for calls that need more room than who calls may have: several operations at once. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "pkey.h"

enum { STACK_LEN = 512 * 1024, GUARD_LEN = 64 * 1024 }; /* below it */

#if defined(__x86_64__)
/*
 * A call on another stack, of which `top` is a multiple of 16.  Callers are found by rbp: a thread may be cancelled meanwhile, by
 * getrandom(), and then all calls are unwound.
 */
void lcp_stack_switch(void *top, void (*function)(void *arg), void *arg);
__asm__(".pushsection .text\n\t"
        ".globl lcp_stack_switch\n\t"
        ".hidden lcp_stack_switch\n\t"
        ".type lcp_stack_switch, @function\n"
        "lcp_stack_switch:\n\t"
        ".cfi_startproc\n\t"
        "endbr64\n\t"
        "pushq %rbp\n\t"
        ".cfi_def_cfa_offset 16\n\t"
        ".cfi_offset %rbp, -16\n\t"
        "movq %rsp, %rbp\n\t"
        ".cfi_def_cfa_register %rbp\n\t"
        "movq %rdi, %rsp\n\t"
        "movq %rdx, %rdi\n\t"
        "call *%rsi\n\t"
        "leave\n\t"
        ".cfi_def_cfa %rsp, 8\n\t"
        "ret\n\t"
        ".cfi_endproc\n\t"
        ".size lcp_stack_switch, . - lcp_stack_switch\n\t"
        ".popsection");
#else
/* No other CPU has an implementation that is faster with several operations. */
static void lcp_stack_switch(void *top, void (*function)(void *arg), void *arg)
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
    lcp_stack_switch((uint8_t *)stack + GUARD_LEN + STACK_LEN, function, arg);
}
