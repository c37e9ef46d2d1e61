/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the files of the core share: detection, the tables of implementations, the one selector. */
#ifndef LC_INTERNAL_H
#define LC_INTERNAL_H

#include <string.h>

#include "feature_list.h"
#include "lanecrypt/cpu.h"
#include "lanecrypt/lanecrypt.h"
#include "wipe.h"

/* ---- features (cpu.c) ---- */

/* Detection of this ISA (src/<isa>/cpu.c): capabilities and policy; *zmm_policy gets the sentence for lc_cpu_zmm_policy(). */
uint64_t lc_cpu_detect(const char **zmm_policy);

/*
 * The bits that a comma-separated list of feature names stands for.  Returns NULL, or the first word that is no feature.
 * An empty list is fine.
 */
const char *lc_parse_features(const char *list, uint64_t *bits);

/* Did the environment, when it was read, hold anything that can't be followed? */
int lc_env_is_bad(void);

/* ---- implementations (select.c) ---- */

/* What vectors an implementation works with, best first.  A table's rows are in this order, too. */
enum lc_class {
    LC_CLASS_SHANI,      /* x86's instructions for SHA-256: one or two messages, not lanes */
    LC_CLASS_AVX512_512, /* AVX-512, 512-bit vectors */
    LC_CLASS_AVX512_256,
    LC_CLASS_AVX2, /* 256-bit vectors */
    LC_CLASS_AVX,  /* 128-bit vectors, VEX coding */
    LC_CLASS_SSE,
    LC_CLASS_NEON,
    LC_CLASS_SCALAR, /* general registers only */
    LC_CLASS_PORTABLE,
};

/* What all rows of all tables begin with; rows.def has the columns. */
struct lc_impl {
    const char *name;
    uint64_t needs;   /* capabilities */
    uint64_t prefers; /* policy bits */
    enum lc_class class;
    const uint32_t *text_len; /* bytes of machine code; NULL if that isn't in one piece */
};

/* One mode: its table, best first; the last row needs nothing.  rows.c makes it. */
struct lc_mode {
    const char *name;
    const struct lc_impl *rows; /* what the first row begins with */
    size_t row_size;            /* bytes, of a whole row */
    size_t num_rows;
    _Atomic(const struct lc_impl *) *selected; /* what was settled on */
};

static inline const struct lc_impl *lc_mode_row(const struct lc_mode *mode, size_t i)
{
    return (const struct lc_impl *)((const char *)mode->rows + i * mode->row_size);
}

extern const struct lc_mode lc_chacha20_mode, lc_chacha20poly1305_mode, lc_ctr_mode, lc_gcm_mode, lc_poly1305_mode, lc_sha256_mode,
    lc_sha512_mode, lc_sm3_mode, lc_xts_mode, lc_ecdsa_p256_mode, lc_ecdh_p256_mode, lc_ecdsa_p384_mode, lc_ecdh_p384_mode,
    lc_sm2_mode, lc_x25519_mode, lc_ed25519_mode, lc_rsa_mode;

/* The first row that `features` can run and that policy doesn't pass over.  Pure; always finds one. */
const struct lc_impl *lc_best_row(const struct lc_mode *mode, uint64_t features);

/* The row of that name (up to a comma or the end of the string) if `features` can run it, else NULL.  Pure. */
const struct lc_impl *lc_row_by_name(const struct lc_mode *mode, const char *name, uint64_t features);

/* Choose the row of every mode, once: the best, or what `impls` (LANECRYPT_IMPL's text, already checked; or NULL) names. */
void lc_settle_rows(uint64_t features, const char *impls);

/* The row for an init: by name, or if name is NULL the one that was settled on.  LC_OK, LC_ERR_IMPL, LC_ERR_ENV. */
int lc_select(const struct lc_mode *mode, const char *name, const struct lc_impl **row);

/* Follow text like LANECRYPT_IMPL's: NULL, or the first word that can't be followed; *row is set if the mode is in it. */
const char *lc_parse_impls(const char *list, const struct lc_mode *mode, uint64_t features, const struct lc_impl **row);

/* ---- streams ---- */

/* dst = a ^ b, any of them the same */
static inline void lc_xor_bytes(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t len)
{
#if defined(__x86_64__) && !defined(__SSE2__)
    typedef uint64_t wide; /* a kernel: compilers copy vectors that have no registers */
#else
    typedef uint64_t wide __attribute__((vector_size(16)));
#endif
    size_t i = 0;

    for (; i + sizeof(wide) <= len; i += sizeof(wide)) {
        wide x, y;

        memcpy(&x, a + i, sizeof(wide));
        memcpy(&y, b + i, sizeof(wide));
        x ^= y;
        memcpy(dst + i, &x, sizeof(wide));
    }
    if (i + 8 <= len) {
        uint64_t x, y;

        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        x ^= y;
        memcpy(dst + i, &x, 8);
        i += 8;
    }
    for (; i < len; i++)
        dst[i] = a[i] ^ b[i];
}

/*
 * Streams in small pieces.  Many blocks of key stream together take little longer than a few.  So when a piece finds no key stream
 * left, more than it needs is made: after done_len bytes in earlier calls, for as many bytes again, up to `most` blocks.  At least
 * half of what was made is used, and a message in one piece pays nothing.
 *
 * Returns how many blocks to make; len: bytes of text at hand, no more than in `most` blocks.
 */
static inline size_t lc_blocks_ahead(size_t len, uint64_t done_len, size_t block_len, size_t most, uint64_t blocks_left)
{
    size_t num = (len + block_len - 1) / block_len;

    if (done_len / block_len > num)
        num = done_len / block_len > most / 2 ? most : (size_t)(done_len / block_len);
    return num < blocks_left ? num : (size_t)blocks_left;
}

#endif
