/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-CTR for 64-bit Arm with the AES instructions.  Counters are made in general registers, as the vector pipes are what bounds
 * this code: a block takes n AES operations (n rounds), two xors, and one byte reversal.
 */
#include "../ctr_internal.h"
#include "aes_rounds.h"

/* Blocks in flight; see aes_xts.c. */
#define GROUP 8

/* dst = src ^ key stream, n blocks from counter hi, lo on */
INLINE void crypt_blocks(const struct lc_ctr_key *key, uint8_t *dst, const uint8_t *src, size_t n, uint64_t hi, uint64_t lo)
{
    const uint8x16_t first = vld1q_u8(key->enc[0]), last = vld1q_u8(key->enc[14]);
    uint8x16_t x[GROUP];

    EACH_BLOCK(i, n, x[i] = vrev64q_u8(vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(hi), vcreate_u64(lo + i)))));
    aes_rounds(x, n, first, key->enc, key->rounds, 1);
    EACH_BLOCK(i, n, vst1q_u8(dst + 16 * i, veorq_u8(x[i], veorq_u8(last, vld1q_u8(src + 16 * i)))));
}

void lc_aes_ctr_ce(const struct lc_ctr_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t iv[16])
{
    const uint64x2_t counter = vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8(iv)));
    const uint64_t hi = vgetq_lane_u64(counter, 0);
    uint64_t lo = vgetq_lane_u64(counter, 1);

    for (; len >= 16 * GROUP; len -= 16 * GROUP, src += 16 * GROUP, dst += 16 * GROUP, lo += GROUP)
        crypt_blocks(key, dst, src, GROUP, hi, lo);
    if (len >= 64) {
        crypt_blocks(key, dst, src, 4, hi, lo);
        len -= 64;
        src += 64;
        dst += 64;
        lo += 4;
    }
    for (; len >= 16; len -= 16, src += 16, dst += 16)
        crypt_blocks(key, dst, src, 1, hi, lo++);
    if (len) {
        uint8_t block[16] = { 0 };

        memcpy(block, src, len);
        crypt_blocks(key, block, block, 1, hi, lo);
        memcpy(dst, block, len);
        lc_wipe(block, sizeof(block)); /* key stream after the data */
    }
}
