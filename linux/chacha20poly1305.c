/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "chacha20_work.h"

#include "../src/x86/chacha20poly1305.c"

#include "module.h"

struct lc_chacha20_work __percpu *lc_kernel_chacha20_work;

int __init lc_kernel_alloc_work(void)
{
    lc_kernel_chacha20_work = alloc_percpu(struct lc_chacha20_work);
    return lc_kernel_chacha20_work ? 0 : -ENOMEM;
}

void lc_kernel_free_work(void)
{
    free_percpu(lc_kernel_chacha20_work);
}
