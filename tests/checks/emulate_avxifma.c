/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Runs VPMADD52LUQ and VPMADD52HUQ in VEX coding on CPUs that have AVX2 and no AVX-IFMA: there each is an illegal instruction,
 * whose signal is caught, and the registers that the kernel has saved are changed.  So checks see the code that is shipped, byte by
 * byte.  A program that has this object has features.c as LC_AVXIFMA_EMULATED makes it.  What isn't such an instruction ends the
 * program as it would without.
 *
 * It takes a microsecond or two for four products.  Signals have a stack of their own, as the checks look at the other one.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

__extension__ typedef unsigned __int128 wide;

/* What XSAVE has written, in front of which is the kernel's frame: bytes from the begin of it */
enum { XMM = 160, XSTATE_BV = 512 };
enum { HAS_XMM = 1 << 1, HAS_YMM = 1 << 2, HAS_ZMM = 1 << 6 };

static uint32_t ymm_offset, zmm_offset; /* the upper halves of ymm0..15, of zmm0..15 */

static const int general[16] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                 REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

static void get_ymm(uint64_t r[4], const uint8_t *state, unsigned number)
{
    memcpy(r, state + XMM + 16 * number, 16);
    memcpy(r + 2, state + ymm_offset + 16 * number, 16);
}

/* The instruction at code, or 0 if it's another one; how many bytes it has */
static size_t multiply(const uint8_t *code, const greg_t *registers, uint8_t *state)
{
    const uint64_t mask = (UINT64_C(1) << 52) - 1;
    const unsigned high_d = ~code[1] >> 7 & 1, high_a = ~code[1] >> 5 & 1, mod = code[4] >> 6, rm = (code[4] & 7u) | high_a << 3;
    const unsigned d = (code[4] >> 3 & 7u) | high_d << 3, b = ~code[2] >> 3 & 15;
    uint64_t x[4], y[4], sum[4];
    size_t len = 5;

    if (code[0] != 0xc4 || (code[1] & 0x1f) != 2 || (code[2] & 0x87) != 0x85 || (code[3] | 1) != 0xb5)
        return 0;
    if (mod == 3) {
        get_ymm(x, state, rm);
    } else {
        intptr_t at = (intptr_t)registers[general[rm]];
        int32_t offset = 0;

        if ((rm & 7) == 4 || (mod == 0 && (rm & 7) == 5)) /* with an index, or from rip on: there are none */
            return 0;
        if (mod == 1)
            offset = (int8_t)code[len];
        else if (mod == 2)
            memcpy(&offset, code + len, sizeof(offset));
        len += mod == 1 ? 1 : mod == 2 ? 4 : 0;
        memcpy(x, (const void *)(at + offset), sizeof(x));
    }
    get_ymm(y, state, b);
    get_ymm(sum, state, d);
    for (int i = 0; i < 4; i++) {
        const wide product = (wide)(x[i] & mask) * (y[i] & mask);

        sum[i] += (uint64_t)(code[3] & 1 ? product >> 52 : product & mask);
    }
    memcpy(state + XMM + 16 * d, sum, 16);
    memcpy(state + ymm_offset + 16 * d, sum + 2, 16);
    return len;
}

static void on_illegal_instruction(int signal_number, siginfo_t *info, void *context)
{
    mcontext_t *c = &((ucontext_t *)context)->uc_mcontext;
    uint8_t *state = (uint8_t *)c->fpregs;
    uint64_t in_use;
    size_t len;

    (void)info;
    memcpy(&in_use, state + XSTATE_BV, sizeof(in_use));
    /* What isn't in use is zero, whatever stands there. */
    if (!(in_use & HAS_XMM))
        memset(state + XMM, 0, 16 * 16);
    if (!(in_use & HAS_YMM))
        memset(state + ymm_offset, 0, 16 * 16);
    len = multiply((const uint8_t *)c->gregs[REG_RIP], c->gregs, state);
    if (len == 0) {
        signal(signal_number, SIG_DFL);
        return;
    }
    if (in_use & HAS_ZMM) /* VEX coding leaves zeros there. */
        memset(state + zmm_offset +
                   32 * ((((const uint8_t *)c->gregs[REG_RIP])[4] >> 3 & 7) |
                         (~((const uint8_t *)c->gregs[REG_RIP])[1] >> 7 & 1) << 3),
               0, 32);
    in_use |= HAS_XMM | HAS_YMM;
    memcpy(state + XSTATE_BV, &in_use, sizeof(in_use));
    c->gregs[REG_RIP] += (greg_t)len;
}

__attribute__((constructor)) static void catch_illegal_instructions(void)
{
    static _Alignas(64) uint8_t memory[1 << 17];
    const stack_t stack = { .ss_sp = memory, .ss_size = sizeof(memory) };
    const struct sigaction action = { .sa_sigaction = on_illegal_instruction, .sa_flags = SA_SIGINFO | SA_ONSTACK };
    uint32_t size, ecx, edx;

    if (!__get_cpuid_count(13, 2, &size, &ymm_offset, &ecx, &edx))
        return;
    __get_cpuid_count(13, 6, &size, &zmm_offset, &ecx, &edx);
    if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGILL, &action, NULL) != 0)
        abort();
}
