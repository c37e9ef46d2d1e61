/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES key schedules with the AES instructions of 64-bit Arm. */
#include <string.h>

#include "../aes.h"
#include "aes_rounds.h"

/* SubWord is AESE under a zero key, if all four columns are the same word: ShiftRows then moves nothing. */
INLINE uint32_t sub_word(uint32_t x)
{
    uint8x16_t columns = vreinterpretq_u8_u32(vdupq_n_u32(x));

    return vgetq_lane_u32(vreinterpretq_u32_u8(vaeseq_u8(columns, vdupq_n_u8(0))), 0);
}

/* FIPS 197, sections 5.2 and 5.3.5.  Words are little-endian: RotWord takes byte 1 to byte 0, and Rcon is in byte 0. */
void lc_aes_expand_ce(uint8_t enc[15][16], uint8_t (*dec)[16], const uint8_t *key, size_t key_len)
{
    const size_t words = key_len / 4; /* 4, 6 or 8 */
    const size_t unused = 8 - words;  /* so the words lie in slots `unused` to 14; then slot `unused` moves to slot 0 */
    uint8_t *w = enc[unused];
    uint32_t last, rcon = 1;

    memcpy(w, key, key_len);
    memcpy(&last, key + key_len - 4, 4);
    for (size_t i = words; i < 4 * (15 - unused); i++) {
        uint32_t before;

        if (i % words == 0) {
            last = sub_word(last >> 8 | last << 24) ^ rcon;
            rcon = rcon << 1 ^ (rcon >> 7) * 0x11b;
        } else if (words == 8 && i % 4 == 0) {
            last = sub_word(last);
        }
        memcpy(&before, w + 4 * (i - words), 4);
        last ^= before;
        memcpy(w + 4 * i, &last, 4);
    }
    if (unused) {
        memcpy(enc[0], enc[unused], 16);
        memset(enc[1], 0, 16 * unused);
    }
    if (dec) {
        memset(dec[1], 0, 16 * unused);
        memcpy(dec[0], enc[14], 16);
        memcpy(dec[14], enc[0], 16);
        for (size_t slot = 1 + unused; slot < 14; slot++)
            vst1q_u8(dec[unused + 14 - slot], vaesimcq_u8(vld1q_u8(enc[slot])));
    }
}
