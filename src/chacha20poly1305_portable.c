/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* ChaCha20-Poly1305 made of its parts, for any implementation of ChaCha20 and any of Poly1305. */
#include "chacha20poly1305_internal.h"

/* Text is hashed while it is still in the first cache, after its encryption or before its decryption. */
#define PIECE_LEN 1024

/* The first call of xor makes block 0 and as much text: block 0 alone would cost implementations of four blocks as much. */
#define START_LEN 192

/* s->h goes on with len bytes of data, the last block padded with zeros; writes s->block. */
static void hash(lc_poly1305_blocks_fn *blocks, struct lc_poly1305_state *s, const uint8_t *data, size_t len)
{
    size_t whole_len = len & ~(size_t)15;

    if (whole_len)
        blocks(s, data, whole_len, 1);
    if (len > whole_len) {
        memset(s->block, 0, 16);
        memcpy(s->block, data + whole_len, len - whole_len);
        blocks(s, s->block, 16, 1);
    }
}

void lc_chacha20poly1305_by_parts(lc_chacha20_xor_fn * xor, lc_poly1305_blocks_fn *blocks, const uint8_t key[32], uint8_t *dst,
                                  const uint8_t *src, size_t len, struct lc_chacha20poly1305_msg *msg, unsigned how, int decrypt)
{
    uint32_t iv[4] = { msg->iv[0], msg->iv[1], msg->iv[2], msg->iv[3] };
    struct lc_poly1305_state s;
    uint8_t start[64 + START_LEN];
    size_t start_len = 0;

    if (how & LC_CHACHA20POLY1305_FIRST) {
        start_len = len < START_LEN ? len : START_LEN;
        memset(start, 0, 64);
        if (start_len)
            memcpy(start + 64, src, start_len);
        xor(start, start, 64 + start_len, key, iv);
        iv[0] += 1 + START_LEN / 64;
        lc_poly1305_load_key(msg->r, msg->s, start);
        memset(msg->hash, 0, sizeof(msg->hash));
    }
    memcpy(s.h, msg->hash, sizeof(s.h));
    memcpy(s.r, msg->r, sizeof(s.r));
    s.num_powers = 0;

    hash(blocks, &s, msg->aad, msg->aad_len);
    if (start_len) {
        if (decrypt)
            hash(blocks, &s, src, start_len); /* first, as dst may be src */
        memcpy(dst, start + 64, start_len);
        if (!decrypt)
            hash(blocks, &s, dst, start_len);
        dst += start_len;
        src += start_len;
        len -= start_len;
    }
    while (len) {
        size_t n = len < PIECE_LEN ? len : PIECE_LEN;

        if (decrypt)
            hash(blocks, &s, src, n);
        xor(dst, src, n, key, iv);
        if (!decrypt)
            hash(blocks, &s, dst, n);
        iv[0] += PIECE_LEN / 64;
        dst += n;
        src += n;
        len -= n;
    }
    if (how & LC_CHACHA20POLY1305_LAST) {
        blocks(&s, (const uint8_t *)msg->lens, 16, 1);
        lc_poly1305_tag((uint8_t *)msg->hash, s.h, msg->s);
    } else {
        memcpy(msg->hash, s.h, sizeof(s.h));
    }
    lc_wipe(s.h, sizeof(s.h));
    lc_wipe(s.r, sizeof(s.r));
    lc_wipe(s.block, sizeof(s.block));
    if (s.num_powers)
        lc_wipe(s.powers, sizeof(s.powers));
    if (how & LC_CHACHA20POLY1305_FIRST)
        lc_wipe(start, 64 + start_len);
    lc_wipe_frame();
}

void lc_chacha20poly1305_encrypt_portable(const uint8_t key[32], uint8_t *dst, const uint8_t *src, size_t len,
                                          struct lc_chacha20poly1305_msg *msg, unsigned how)
{
    lc_chacha20poly1305_by_parts(lc_chacha20_xor_portable, lc_poly1305_blocks_no_wipe, key, dst, src, len, msg, how, 0);
}

void lc_chacha20poly1305_decrypt_portable(const uint8_t key[32], uint8_t *dst, const uint8_t *src, size_t len,
                                          struct lc_chacha20poly1305_msg *msg, unsigned how)
{
    lc_chacha20poly1305_by_parts(lc_chacha20_xor_portable, lc_poly1305_blocks_no_wipe, key, dst, src, len, msg, how, 1);
}

#ifndef LC_ONE_MESSAGE /* as in x86/chacha20poly1305.c */
void lc_chacha20poly1305_mac_portable(uint64_t tag[2], uint8_t key[32], const struct lc_aead_item *m, const uint8_t *text)
{
    const uint64_t lens[2] = { m->aad_len, m->len };
    struct lc_poly1305_state s;

    memset(s.h, 0, sizeof(s.h));
    lc_poly1305_load_key(s.r, s.s, key);
    hash(lc_poly1305_blocks_no_wipe, &s, m->aad, m->aad_len);
    hash(lc_poly1305_blocks_no_wipe, &s, text, m->len);
    lc_poly1305_blocks_no_wipe(&s, (const uint8_t *)lens, 16, 1);
    lc_poly1305_tag((uint8_t *)tag, s.h, s.s);
    lc_wipe(&s, offsetof(struct lc_poly1305_state, powers)); /* that code has no powers */
    lc_wipe_frame();
}
#endif
