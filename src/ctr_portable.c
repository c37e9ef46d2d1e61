/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES-CTR in constant time on any CPU, 8 blocks at a time. */
#include "aes_bitslice.h"
#include "ctr_internal.h"

void lc_aes_ctr_portable(const struct lc_ctr_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t iv[16])
{
    struct {
        struct lc_aes_bitsliced key;
        uint8_t keystream[16 * LC_BITSLICE_BLOCKS];
    } w;
    uint8_t counter[16];

    memcpy(counter, iv, 16);
    lc_aes_bitslice_load(&w.key, key->enc, key->rounds);
    while (len) {
        size_t n = len < sizeof(w.keystream) ? len : sizeof(w.keystream);

        for (unsigned i = 0; i < LC_BITSLICE_BLOCKS; i++)
            lc_ctr_add(w.keystream + 16 * i, counter, i);
        lc_ctr_add(counter, counter, LC_BITSLICE_BLOCKS);
        lc_aes_bitslice_encrypt(&w.key, w.keystream);
        for (size_t i = 0; i < n; i++)
            dst[i] = src[i] ^ w.keystream[i];
        dst += n;
        src += n;
        len -= n;
    }
    lc_wipe(&w, sizeof(w));
}
