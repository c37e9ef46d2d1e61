/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#ifndef LC_WIPE_H
#define LC_WIPE_H

#include <string.h>

/* Zeros that the compiler can't drop: the asm statement may read the memory. */
static inline void lc_wipe(void *p, size_t len)
{
    memset(p, 0, len);
    __asm__ volatile("" : : "r"(p) : "memory");
}

#endif
