/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Public keys in lanes: how many a vector has.  Eight, in 512 bits, unless whoever includes it defines LC_LANES as 4 before, for
 * 256 bits: so one file of C serves both.
 */
#ifndef LC_X86_LANES_H
#define LC_X86_LANES_H

#ifndef LC_LANES
#define LC_LANES 8
#endif

/* From how many operations on a vector takes less time than one after another: 2, unless it's defined before */
#ifndef LC_LANES_LEAST
#define LC_LANES_LEAST 2
#endif

/* x in all lanes */
#if LC_LANES == 8
#define LANES_OF(x) { x, x, x, x, x, x, x, x }
#else
#define LANES_OF(x) { x, x, x, x }
#endif

/* What names of functions end in; a test has another one. */
#ifndef LC_LANES_SYMBOL
#if LC_LANES == 8
#define LC_LANES_SYMBOL avx512ifma_512
#else
#define LC_LANES_SYMBOL avx512ifma_256
#endif
#endif
#define LC_IN_LANES(name) LC_IN_LANES_OF(name, LC_LANES_SYMBOL) /* LC_IN_LANES(lc_rsa_mul) is lc_rsa_mul_avx512ifma_512 */
#define LC_IN_LANES_OF(name, symbol) LC_IN_LANES_PASTE(name, symbol)
#define LC_IN_LANES_PASTE(name, symbol) name##_##symbol

/*
 * Should eight lanes leave so many operations to four?  These take half of the time on Zen 4, whose units have 256 bits, and 0.6 to
 * 0.9 of it on Intel's (Granite Rapids).  On Zen 5 it is the same time.
 */
static inline int lc_four_are_enough(size_t num)
{
    return num <= 4;
}

#endif
