/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Round keys as the whole project stores them: 15 slots of 16 bytes.  Slot 0 is the whitening key and slot 14 always the last
 * round's; AES-128 leaves slots 1..4 unused and AES-192 slots 1..2.  So code for AES-256 serves all three: it skips the first
 * rounds, and everything after them stays where it is.  (A key of CTR has round 1's key in slot 1 as well: lc_ctr_expand().)
 */
#ifndef LC_AES_H
#define LC_AES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Expand a key of 16, 24 or 32 bytes.  enc: the schedule above; dec (NULL if not wanted): that of the equivalent inverse
 * cipher (FIPS 197, section 5.3.5), which AESDEC and its like on other CPUs take: the same keys from last to first, InvMixColumns
 * applied to all but the outer two.  Unused slots are zeroed.  lc_aes_expand_aesni() wants enc and dec at
 * multiples of 16 bytes.
 */
typedef void lc_aes_expand_fn(uint8_t enc[15][16], uint8_t (*dec)[16], const uint8_t *key, size_t key_len);

lc_aes_expand_fn lc_aes_expand_portable; /* aes_bitslice.c: constant time on any CPU */
lc_aes_expand_fn lc_aes_expand_aesni;    /* x86/aes_keys.S */
lc_aes_expand_fn lc_aes_expand_ce;       /* arm/aes_keys.c */

#endif
