/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SHA-256 (FIPS 180-4) by the instructions of the crypto extensions, of one message.
 *
 * vsha256hq and vsha256h2q do four rounds on a, b, c, d and e, f, g, h; su0 and su1 make four words of the schedule, sigma0's part
 * and the rest.  Whether a second message would fit between one's rounds, as it does on x86-64, depends on the core; that wasn't
 * measured.
 */
#include <arm_neon.h>

#include "../sha2_constants.h"
#include "../sha2_internal.h"

void lc_sha256_blocks_ce(uint32_t *h, const uint8_t *data, size_t num)
{
    static const uint32_t k[64] = { LC_SHA256_K };
    uint32x4_t abcd = vld1q_u32(h), efgh = vld1q_u32(h + 4);

    for (; num; num--, data += 64) {
        const uint32x4_t first_abcd = abcd, first_efgh = efgh;
        uint32x4_t w[4]; /* the last 16 words of the schedule */

        for (size_t i = 0; i < 4; i++)
            w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(data + 16 * i)));
        for (size_t t = 0; t < 16; t++) {
            const uint32x4_t wk = vaddq_u32(w[t % 4], vld1q_u32(k + 4 * t)), before = abcd;

            abcd = vsha256hq_u32(abcd, efgh, wk);
            efgh = vsha256h2q_u32(efgh, before, wk);
            if (t < 12)
                w[t % 4] = vsha256su1q_u32(vsha256su0q_u32(w[t % 4], w[(t + 1) % 4]), w[(t + 2) % 4], w[(t + 3) % 4]);
        }
        abcd = vaddq_u32(abcd, first_abcd);
        efgh = vaddq_u32(efgh, first_efgh);
    }
    vst1q_u32(h, abcd);
    vst1q_u32(h + 4, efgh);
}
