/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What targets share that cut texts into pieces. */
#ifndef LC_FUZZ_PIECES_H
#define LC_FUZZ_PIECES_H

#include <stdio.h>
#include <stdlib.h>

static inline void fail(const char *impl, const char *what)
{
    fprintf(stderr, "%s: %s\n", impl, what);
    abort();
}

/* 0..127 or 0..2047 from a linear congruential generator, or all that is left */
static inline size_t piece(unsigned *random, size_t left)
{
    size_t n;

    *random = *random * 1664525 + 1013904223;
    n = *random >> 16 & (*random >> 27 & 1 ? 127 : 2047);
    return n < left && *random >> 28 ? n : left;
}

#endif
