/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The x86-64 rows of ChaCha20, best first, and what x86/chacha20.S assumes of struct lc_chacha20_run. */
#include "../chacha20_internal.h"
#include "chacha20_run.h"

_Static_assert(offsetof(struct lc_chacha20_run, words) == 0, "RUN_WORDS");
_Static_assert(offsetof(struct lc_chacha20_run, s1) == 64, "RUN_S1");
_Static_assert(offsetof(struct lc_chacha20_run, poly.h) == 80, "RUN_H");
_Static_assert(offsetof(struct lc_chacha20_run, poly.r) == 104, "RUN_R");
_Static_assert(offsetof(struct lc_chacha20_run, rm) == 560, "RUN_RM");
_Static_assert(offsetof(struct lc_chacha20_run, dst) == 584, "RUN_DST");
_Static_assert(offsetof(struct lc_chacha20_run, src) == 592, "RUN_SRC");
_Static_assert(offsetof(struct lc_chacha20_run, hashed) == 600, "RUN_HASHED");
_Static_assert(offsetof(struct lc_chacha20_run, apart) == 608, "RUN_APART");
_Static_assert(offsetof(struct lc_chacha20_run, ivs) == 640, "RUN_IVS");
_Static_assert(offsetof(struct lc_chacha20_run, first) == 896, "RUN_FIRST");
_Static_assert(offsetof(struct lc_chacha20_run, spill) == 960, "RUN_SPILL");
_Static_assert(offsetof(struct lc_chacha20_run, last) == 960, "RUN_LAST");
_Static_assert(offsetof(struct lc_chacha20_run, more) == 1088, "RUN_MORE");

#define FUNCTION(name, symbol, needs, prefers)                                                                              \
    void lc_chacha20_xor_##symbol(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t key[32], const uint32_t iv[4]) \
    {                                                                                                                        \
        static const struct lc_chacha20_shape shape = LC_CHACHA20_SHAPE_##symbol;                                            \
                                                                                                                             \
        lc_chacha20_xor_shape(dst, src, len, key, iv, &shape);                                                                   \
    }
LC_X86_CHACHA20_ROWS(FUNCTION)

#define DECLARE(name, symbol, needs, prefers) extern const uint32_t lc_chacha20_##symbol##_text_len;
LC_X86_CHACHA20_ROWS(DECLARE)

#define DEFINE(name, symbol, needs, prefers) \
    { { name, needs, prefers, &lc_chacha20_##symbol##_text_len }, lc_chacha20_xor_##symbol },
const struct lc_chacha20_impl lc_chacha20_isa_rows[LC_CHACHA20_ISA_ROWS] = { LC_X86_CHACHA20_ROWS(DEFINE) };
