/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#define _GNU_SOURCE
#include <link.h>
#include <time.h>

#include "bench.h"

double bench_now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

double bench_ghz(void)
{
#if defined(__x86_64__)
    enum { TURNS = 1024, PER_TURN = 16, LATENCY = 3 };
    uint64_t x = 1, turns = TURNS;
    double start = bench_now_ns();

    __asm__ volatile("1: .rept 16\n\t imul %0, %0\n\t .endr\n\t dec %1\n\t jnz 1b" : "+r"(x), "+r"(turns) : : "cc");
    return TURNS * PER_TURN * LATENCY / (bench_now_ns() - start);
#else
    return 0;
#endif
}

#if defined(__x86_64__)
void bench_flush_data(const void *p, size_t len)
{
    const char *line = (const char *)((uintptr_t)p & ~(uintptr_t)63), *end = (const char *)p + len;

    for (; line < end; line += 64)
        __asm__ volatile("clflush %0" : : "m"(*line));
    __asm__ volatile("mfence" : : : "memory");
}

static int flush_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

        if (ph->p_type == PT_LOAD && ph->p_flags & PF_X)
            bench_flush_data((const void *)(info->dlpi_addr + ph->p_vaddr), ph->p_filesz);
    }
    return 0;
}

bool bench_flush_code(void)
{
    dl_iterate_phdr(flush_object, NULL);
    return true;
}
#else
void bench_flush_data(const void *p, size_t len)
{
    (void)p;
    (void)len;
}

bool bench_flush_code(void)
{
    return false;
}
#endif
