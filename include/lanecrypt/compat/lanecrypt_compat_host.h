/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Is this an x86, whose compiler has the intrinsics itself?  Code that asks for __x86_64__ or __i386__ before it uses them may be
 * built elsewhere with one of these defined by hand, so the other hosts are named too.
 */
#if (defined(__x86_64__) || defined(__i386__)) && !defined(__aarch64__) && !defined(__powerpc64__) && !defined(__riscv) &&         \
    !defined(__loongarch64)
#define LC_COMPAT_IS_X86
#endif
