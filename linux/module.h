/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the files of the kernel module share. */
#ifndef LC_LINUX_MODULE_H
#define LC_LINUX_MODULE_H

#include <crypto/aead.h>
#include <crypto/skcipher.h>

#include "../src/gcm_internal.h"
#include "../src/internal.h"

/* An algorithm of the kernel's crypto API: a driver for each row of the mode but the portable one, in the table's order. */
struct lc_kernel_algorithm {
    const struct lc_mode *mode;
    const char *cipher;             /* what the names of the mode's rows begin with */
    const char *prefix;             /* of the drivers' names */
    struct skcipher_alg *skciphers; /* what main.c registers: these, */
    struct aead_alg *aeads;         /* or these */
};

/* skcipher_xts.c, skcipher_ctr.c, aead_gcm.c, aead_chacha20poly1305.c */
extern const struct lc_kernel_algorithm lc_kernel_xts, lc_kernel_ctr, lc_kernel_gcm, lc_kernel_rfc4106_gcm, lc_kernel_rfc7539,
    lc_kernel_rfc7539esp;

/* chacha20poly1305.c: what is needed before any of its drivers is there, and until all are gone; 0, or -ENOMEM */
int lc_kernel_alloc_work(void);
void lc_kernel_free_work(void);

/*
 * gcm_portable.c: key->powers as lc_aes_gcm_powers_portable() makes them, in a hundredth of the time, of the assembly's, which end
 * at powers_end with H^1 * x^-1.
 */
void portable_powers_of_simd(struct lc_gcm_key *key, const u8 (*powers_end)[16]);

#endif
