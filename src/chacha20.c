/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* ChaCha20 (RFC 8439, 2.4): the public functions. */
#include "chacha20_internal.h"

/* ---- Keys ---- */

int lc_chacha20_init_impl(struct lc_chacha20_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    const struct lc_impl *row;
    int status;

    if (raw_len != 32)
        return LC_ERR_KEY_LEN;
    status = lc_select(&lc_chacha20_mode, impl, &row);
    if (status != LC_OK)
        return status;
    memcpy(key->raw, raw, 32);
    key->impl = (const struct lc_chacha20_impl *)row; /* its first member */
    return LC_OK;
}

int lc_chacha20_init(struct lc_chacha20_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_chacha20_init_impl(key, NULL, raw, raw_len);
}

const char *lc_chacha20_impl_name(const struct lc_chacha20_key *key)
{
    return key->impl->impl.name;
}

void lc_chacha20_wipe(struct lc_chacha20_key *key)
{
    lc_wipe(key, sizeof(*key));
}

/* ---- Whole messages ---- */

/* Blocks from this counter to the last. */
static uint64_t blocks_from(uint32_t counter)
{
    return (UINT64_C(1) << 32) - counter;
}

static int crypt_message(const struct lc_chacha20_impl *impl, const uint8_t key[32], uint8_t *dst, const uint8_t *src, size_t len,
                         const uint8_t nonce[12], uint32_t counter)
{
    uint32_t iv[4] = { counter };

    if (len > 64 * blocks_from(counter))
        return LC_ERR_LEN;
    memcpy(&iv[1], nonce, 12);
    if (len)
        impl->xor (dst, src, len, key, iv);
    return LC_OK;
}

int lc_chacha20_crypt(const struct lc_chacha20_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t nonce[12],
                      uint32_t counter)
{
    return crypt_message(key->impl, key->raw, dst, src, len, nonce, counter);
}

int lc_chacha20_xor(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t key[32], const uint8_t nonce[12], uint32_t counter)
{
    const struct lc_impl *row;
    int status = lc_select(&lc_chacha20_mode, NULL, &row);

    if (status != LC_OK)
        return status;
    return crypt_message((const struct lc_chacha20_impl *)row, key, dst, src, len, nonce, counter);
}

/* ---- Streams ---- */

/* What both starts have.  The array of key stream needn't be anything yet. */
static void begin(struct lc_chacha20_state *s, const struct lc_chacha20_key *key)
{
    s->key = key;
    s->left = 0;
    s->len = 0;
}

void lc_chacha20_start(struct lc_chacha20_state *s, const struct lc_chacha20_key *key, const uint8_t nonce[12], uint32_t counter)
{
    begin(s, key);
    s->iv[0] = counter;
    memcpy(&s->iv[1], nonce, 12);
    s->counter_len = 1;
    s->blocks_left = blocks_from(counter);
}

void lc_chacha20_start_64(struct lc_chacha20_state *s, const struct lc_chacha20_key *key, const uint8_t nonce[8], uint64_t counter)
{
    begin(s, key);
    s->iv[0] = (uint32_t)counter;
    s->iv[1] = (uint32_t)(counter >> 32);
    memcpy(&s->iv[2], nonce, 8);
    s->counter_len = 2;
    s->blocks_left = UINT64_MAX; /* nobody gets there */
}

void lc_chacha20_state_set_key(struct lc_chacha20_state *s, const struct lc_chacha20_key *key)
{
    s->key = key;
}

static void xor_blocks(struct lc_chacha20_state *s, uint8_t *dst, const uint8_t *src, size_t num_blocks)
{
    while (num_blocks) {
        uint64_t until_wrap = blocks_from(s->iv[0]);
        size_t n = num_blocks < until_wrap ? num_blocks : (size_t)until_wrap;

        s->key->impl->xor (dst, src, 64 * n, s->key->raw, s->iv);
        s->iv[0] += (uint32_t)n;
        if (n == until_wrap && s->counter_len == 2)
            s->iv[1]++;
        s->blocks_left -= n;
        dst += 64 * n;
        src += 64 * n;
        num_blocks -= n;
    }
}

/* The key stream of the next num_blocks blocks, at the end of its array */
static void make_keystream(struct lc_chacha20_state *s, size_t num_blocks)
{
    uint8_t *keystream = s->keystream + sizeof(s->keystream) - 64 * num_blocks;

    s->left = 64 * (uint32_t)num_blocks;
    memset(keystream, 0, s->left);
    xor_blocks(s, keystream, keystream, num_blocks);
}

/*
 * Blocks are done without copies if they are a message's first piece, or a pass or more, or if a piece has only whole blocks, at
 * least direct_len bytes.  All else takes key stream that is made ahead: see lc_blocks_ahead().  What is left over of it at the end
 * of a message was for nothing, and by 512 bits 1024 bytes take as long as two and a half calls for up to 256.  So it has to be
 * earned: first, pieces of three blocks are left alone, or of half a pass, and such a call counts as 64 bytes in s->len.  When that
 * is as much as can be made ahead, more was saved than may be lost; then only pieces of half a pass are left alone, for which a
 * whole one does hardly better.
 */
enum { FEW_LEN = 192 };

int lc_chacha20_update(struct lc_chacha20_state *s, uint8_t *dst, const uint8_t *src, size_t len)
{
    const size_t ahead_len = s->key->impl->pass_len, many_len = ahead_len / 2, few_len = many_len < FEW_LEN ? many_len : FEW_LEN;
    const size_t direct_len = s->len == 0 ? 64 : s->len < ahead_len ? few_len : many_len;
    size_t n;

    if (len > s->left && (len - s->left - 1) / 64 >= s->blocks_left)
        return LC_ERR_LEN;
    for (; len; len -= n) {
        if (s->left == 0 && len >= (s->len && len % 64 ? ahead_len : direct_len)) {
            n = len & ~(size_t)63;
            xor_blocks(s, dst, src, n / 64);
            s->len += 64;
        } else {
            if (s->left == 0) {
                /* Four blocks are a set of the widest rows: from there on in fours. */
                const uint64_t done_len = s->len < 256 ? s->len : s->len & ~(uint64_t)255;

                make_keystream(s, lc_blocks_ahead(len, done_len, 64, ahead_len / 64, s->blocks_left));
            }
            n = len < s->left ? len : s->left;
            lc_xor_bytes(dst, src, s->keystream + sizeof(s->keystream) - s->left, n);
            s->left -= (uint32_t)n;
            s->len += n;
        }
        dst += n;
        src += n;
    }
    return LC_OK;
}

void lc_chacha20_state_wipe(struct lc_chacha20_state *s)
{
    lc_wipe(s, sizeof(*s));
}
