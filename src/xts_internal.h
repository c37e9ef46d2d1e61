/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What an implementation of XTS gives, and what it gets. */
#ifndef LC_XTS_INTERNAL_H
#define LC_XTS_INTERNAL_H

#include "aes.h"
#include "internal.h"
#include "lanecrypt/xts.h"

/* How the tweak of a call is to be understood: which member it is, and what it holds.  x86/aes_xts.S has the same numbers. */
enum lc_xts_how {
    LC_XTS_IV = 0,           /* iv, to be encrypted first */
    LC_XTS_RETURN_TWEAK = 1, /* block; the tweak of the block after the data is stored there */
    LC_XTS_ENCRYPTED = 2,    /* block, the tweak of the first block; without this it is the iv */
    LC_XTS_UNITS = 4         /* units */
};

/* Many units: their length and ivs, and room for the tweaks of the next ones (up to 16, encrypted at once). Secret: wipe it. */
struct lc_xts_units {
    _Alignas(16) uint8_t unused[16]; /* so that no offset has a public number here and a secret tweak in the other form */
    uint64_t unit_len;
    uint64_t index;                  /* of the implementation's own */
    uint64_t iv[4][2];               /* ivs of the next four units */
    uint64_t step[3][2];             /* step, 2 * step, 4 * step; upper halves 0 */
    uint8_t tweak[16][16];
};

/* A pointer, passed as pointers are passed. */
union lc_xts_tweak {
    const uint8_t *iv; /* 16 bytes, only read */
    uint8_t *block;    /* 16 bytes */
    struct lc_xts_units *units;
};

/*
 * Encrypt or decrypt: src, dst, len as in lc_xts_encrypt(), all lengths already checked; the banner in x86/aes_xts.S has the
 * whole contract.
 */
typedef void lc_xts_crypt_fn(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, union lc_xts_tweak tweak,
                             unsigned how);

struct lc_xts_impl {
    struct lc_impl impl;
    lc_aes_expand_fn *expand;
    lc_xts_crypt_fn *encrypt, *decrypt;
};

/* The key's schedules.  expand: its implementation's, or the portable one, which makes the same where vectors may not be used. */
static inline void lc_xts_expand(struct lc_xts_key *key, lc_aes_expand_fn *expand, const uint8_t *raw, size_t raw_len)
{
    key->rounds = (uint32_t)(raw_len / 8) + 6;
    expand(key->enc, key->dec, raw, raw_len / 2);
    expand(key->tweak, NULL, raw + raw_len / 2, raw_len / 2);
}

extern const struct lc_xts_impl lc_xts_impls[]; /* rows.c */

#define ROW_XTS(name, symbol, ...) lc_xts_crypt_fn lc_aes_xts_encrypt_##symbol, lc_aes_xts_decrypt_##symbol;
#include "rows.def"

#endif
