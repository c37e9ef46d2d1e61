/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The memory that ChaCha20's code works in, 3 KB: too much for a kernel's stack.
 *
 * There is one for each CPU, and it belongs to whoever is between kernel_fpu_begin() and kernel_fpu_end(): that code isn't
 * preempted, and an interrupt on the same CPU may not begin another such section, so it takes the portable code, which doesn't
 * need this.  What is secret in it is wiped after each call.
 */
#ifndef LC_LINUX_CHACHA20_WORK_H
#define LC_LINUX_CHACHA20_WORK_H

#include <linux/percpu.h>

struct lc_chacha20_work; /* src/x86/chacha20_run.h */

extern struct lc_chacha20_work __percpu *lc_kernel_chacha20_work; /* chacha20poly1305.c */

#define LC_CHACHA20_WORK(name) struct lc_chacha20_work *const name = this_cpu_ptr(lc_kernel_chacha20_work)

#define LC_INLINE static __maybe_unused

#endif
