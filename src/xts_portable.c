/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES-XTS in constant time on any CPU, 8 blocks at a time. */
#include "aes_bitslice.h"
#include "xts_internal.h"

#define BATCH LC_BITSLICE_BLOCKS

/* Little-endian, like all CPUs that aes_bitslice.c supports */
static uint64_t load64(const uint8_t *p)
{
    uint64_t x;

    memcpy(&x, p, sizeof(x));
    return x;
}

static void store64(uint8_t *p, uint64_t x)
{
    memcpy(p, &x, sizeof(x));
}

/* next = tweak * x: a 128-bit shift to the left; the bit that falls out comes back as 0x87, without a branch. */
static void double_tweak(uint8_t next[16], const uint8_t tweak[16])
{
    uint64_t lo = load64(tweak), hi = load64(tweak + 8);

    store64(next, lo << 1 ^ (0x87 & -(hi >> 63)));
    store64(next + 8, hi << 1 ^ lo >> 63);
}

static void xor_blocks(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t num_blocks)
{
    for (size_t i = 0; i < 16 * num_blocks; i += 8)
        store64(dst + i, load64(a + i) ^ load64(b + i));
}

/*
 * Everything secret that a call needs, in one place to be wiped.  The two keys take turns: bitsliced they are large, and in a
 * kernel, where this is the fallback, stacks are small (there struct work has 1.3 KB).
 */
struct work {
    struct lc_aes_bitsliced key;
    uint8_t tweak[16 * (BATCH + 1)];
    uint8_t block[16 * BATCH];
    int encrypt;
};

/* dst = src, num_blocks <= BATCH of them, under the tweaks that begin with w's first-th. */
static void crypt_blocks(struct work *w, uint8_t *dst, const uint8_t *src, size_t num_blocks, size_t first)
{
    xor_blocks(w->block, src, w->tweak + 16 * first, num_blocks);
    (w->encrypt ? lc_aes_bitslice_encrypt : lc_aes_bitslice_decrypt)(&w->key, w->block);
    xor_blocks(dst, w->block, w->tweak + 16 * first, num_blocks);
}

/* One unit, or a piece of one; tweak: its first block's, replaced by that of the block after it. */
static void crypt_unit(struct work *w, uint8_t *dst, const uint8_t *src, size_t len, uint8_t tweak[16])
{
    size_t rest = len % 16;
    size_t bulk_len = rest ? len - rest - 16 : len; /* without the two blocks that ciphertext stealing takes */

    memcpy(w->tweak, tweak, 16);
    while (bulk_len) {
        size_t num_blocks = bulk_len / 16 < BATCH ? bulk_len / 16 : BATCH;

        for (size_t i = 0; i < num_blocks; i++)
            double_tweak(w->tweak + 16 * (i + 1), w->tweak + 16 * i);
        crypt_blocks(w, dst, src, num_blocks, 0);
        memcpy(w->tweak, w->tweak + 16 * num_blocks, 16);
        dst += 16 * num_blocks;
        src += 16 * num_blocks;
        bulk_len -= 16 * num_blocks;
    }
    if (rest) {
        /* Encryption takes the tweaks in order; decryption undoes the last step first. */
        uint8_t x[16], y[16];

        double_tweak(w->tweak + 16, w->tweak);
        crypt_blocks(w, x, src, 1, w->encrypt ? 0 : 1);
        memcpy(y, src + 16, rest);
        memcpy(y + rest, x + rest, 16 - rest);
        memcpy(dst + 16, x, rest);
        crypt_blocks(w, dst, y, 1, w->encrypt ? 1 : 0);
        lc_wipe(x, sizeof(x));
        lc_wipe(y, sizeof(y));
    }
    memcpy(tweak, w->tweak, 16);
}

#ifndef LC_ONE_UNIT /* as in x86/aes_xts.S */
/* Units have few blocks each, so both keys are kept: this one's own is the tweak key. */
static __attribute__((__noinline__)) void crypt_units(struct work *w, const struct lc_xts_key *key, uint8_t *dst,
                                                      const uint8_t *src, size_t len, struct lc_xts_units *u)
{
    struct lc_aes_bitsliced tweak_key;
    uint64_t iv = u->iv[0][0], step = u->step[0][0];

    lc_aes_bitslice_load(&tweak_key, key->tweak, key->rounds);
    lc_aes_bitslice_load(&w->key, key->enc, key->rounds);
    for (size_t i = 0; len; i = (i + 1) % BATCH) {
        size_t unit_len = len < u->unit_len ? len : u->unit_len;

        if (i == 0) {
            memset(u->tweak, 0, 16 * BATCH);
            for (size_t j = 0; j < BATCH; j++, iv += step)
                store64(u->tweak[j], iv);
            lc_aes_bitslice_encrypt(&tweak_key, (uint8_t *)u->tweak);
        }
        crypt_unit(w, dst, src, unit_len, u->tweak[i]);
        dst += unit_len;
        src += unit_len;
        len -= unit_len;
    }
    lc_wipe(&tweak_key, sizeof(tweak_key));
}
#endif

static void crypt(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, union lc_xts_tweak tweak,
                  unsigned how, int encrypt)
{
    struct work w;
    uint8_t t[16];

    memset(&w, 0, sizeof(w));
    w.encrypt = encrypt;
#ifndef LC_ONE_UNIT
    if (how & LC_XTS_UNITS) {
        crypt_units(&w, key, dst, src, len, tweak.units);
        lc_wipe(&w, sizeof(w));
        lc_wipe_frame();
        return;
    }
#endif
    memcpy(t, tweak.iv, 16);
    if (!(how & LC_XTS_ENCRYPTED)) {
        memcpy(w.block, tweak.iv, 16);
        lc_aes_bitslice_load(&w.key, key->tweak, key->rounds);
        lc_aes_bitslice_encrypt(&w.key, w.block);
        memcpy(t, w.block, 16);
    }
    lc_aes_bitslice_load(&w.key, key->enc, key->rounds);
    crypt_unit(&w, dst, src, len, t);
    if (how & LC_XTS_RETURN_TWEAK)
        memcpy(tweak.block, t, 16);
    lc_wipe(t, sizeof(t));
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
}

void lc_aes_xts_encrypt_portable(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                                 union lc_xts_tweak tweak, unsigned how)
{
    crypt(key, dst, src, len, tweak, how, 1);
}

void lc_aes_xts_decrypt_portable(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                                 union lc_xts_tweak tweak, unsigned how)
{
    crypt(key, dst, src, len, tweak, how, 0);
}
