/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES-CTR (SP 800-38A): the public functions. */
#include "ctr_internal.h"

/* ---- The public functions ---- */

int lc_ctr_init_impl(struct lc_ctr_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    const struct lc_impl *row;
    int status;

    if (raw_len != 16 && raw_len != 24 && raw_len != 32)
        return LC_ERR_KEY_LEN;
    status = lc_select(&lc_ctr_mode, impl, &row);
    if (status != LC_OK)
        return status;
    key->impl = (const struct lc_ctr_impl *)row; /* its first member */
    lc_ctr_expand(key, key->impl->expand, raw, raw_len);
    return LC_OK;
}

int lc_ctr_init(struct lc_ctr_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_ctr_init_impl(key, NULL, raw, raw_len);
}

const char *lc_ctr_impl_name(const struct lc_ctr_key *key)
{
    return key->impl->impl.name;
}

void lc_ctr_wipe(struct lc_ctr_key *key)
{
    lc_wipe(key, sizeof(*key));
}

/* The counter's low half wraps after so many blocks more.  (By itself: the usual call then has no registers to save.) */
static __attribute__((__noinline__)) void xor_wrapping(const struct lc_ctr_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                                                       const uint8_t iv[16], uint64_t until_wrap)
{
    uint8_t wrapped[16];
    size_t first_len = 16 * ((size_t)until_wrap + 1);

    lc_ctr_add(wrapped, iv, until_wrap + 1); /* first, as the iv may lie in dst */
    key->impl->xor (key, dst, src, first_len, iv);
    key->impl->xor (key, dst + first_len, src + first_len, len - first_len, wrapped);
}

void lc_ctr_xor(const struct lc_ctr_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t iv[16])
{
    /* Blocks until the counter's low half has wrapped, less one */
    uint64_t until_wrap = ~lc_ctr_low(iv);

    if (len == 0)
        return;
    if ((len - 1) / 16 > until_wrap)
        xor_wrapping(key, dst, src, len, iv, until_wrap);
    else
        key->impl->xor (key, dst, src, len, iv);
}

void lc_ctr_start(struct lc_ctr_state *s, const uint8_t iv[16])
{
    memcpy(s->counter, iv, 16);
    s->left = 0;
    s->len = 0;
}

/* The key stream of the next blocks, at the end of its array */
static void make_keystream(const struct lc_ctr_key *key, struct lc_ctr_state *s, size_t num_blocks)
{
    uint8_t *keystream = s->keystream + sizeof(s->keystream) - 16 * num_blocks;

    memset(keystream, 0, 16 * num_blocks);
    lc_ctr_xor(key, keystream, keystream, 16 * num_blocks, s->counter);
    lc_ctr_add(s->counter, s->counter, num_blocks);
    s->left = 16 * (uint32_t)num_blocks;
}

/* Many blocks, or those of a message's first piece, are done without copies; all else by key stream that is made ahead. */
void lc_ctr_update(const struct lc_ctr_key *key, struct lc_ctr_state *s, uint8_t *dst, const uint8_t *src, size_t len)
{
    const size_t direct_len = s->len ? 64 : 16;
    uint64_t done_len = s->len;
    size_t n;

    for (s->len += len; len; len -= n) {
        if (s->left == 0 && len >= direct_len) {
            n = len & ~(size_t)15;
            lc_ctr_xor(key, dst, src, n, s->counter);
            lc_ctr_add(s->counter, s->counter, n / 16);
            done_len = 0; /* the rest gets its own block and no more: the next piece may be as long, and go the same way */
        } else {
            if (s->left == 0)
                make_keystream(key, s, lc_blocks_ahead(len, done_len, 16, sizeof(s->keystream) / 16, UINT64_MAX));
            n = len < s->left ? len : s->left;
            lc_xor_bytes(dst, src, s->keystream + sizeof(s->keystream) - s->left, n);
            s->left -= (uint32_t)n;
        }
        dst += n;
        src += n;
    }
}

void lc_ctr_state_wipe(struct lc_ctr_state *s)
{
    lc_wipe(s, sizeof(*s));
}
