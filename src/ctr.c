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
    key->reserved = 0;
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

void lc_ctr_xor(const struct lc_ctr_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t iv[16])
{
    /* Blocks until the counter's low half has wrapped, less one */
    uint64_t until_wrap = ~lc_ctr_low(iv);

    if (len == 0)
        return;
    if ((len - 1) / 16 > until_wrap) {
        uint8_t wrapped[16];
        size_t first_len = 16 * ((size_t)until_wrap + 1);

        lc_ctr_add(wrapped, iv, until_wrap + 1); /* first, as the iv may lie in dst */
        key->impl->xor (key, dst, src, first_len, iv);
        key->impl->xor (key, dst + first_len, src + first_len, len - first_len, wrapped);
        return;
    }
    key->impl->xor (key, dst, src, len, iv);
}

void lc_ctr_start(struct lc_ctr_state *s, const uint8_t iv[16])
{
    memcpy(s->counter, iv, 16);
    memset(s->keystream, 0, 16);
    s->left = 0;
}

void lc_ctr_update(const struct lc_ctr_key *key, struct lc_ctr_state *s, uint8_t *dst, const uint8_t *src, size_t len)
{
    size_t whole_len;

    for (; len && s->left; len--)
        *dst++ = *src++ ^ s->keystream[16 - s->left--];
    whole_len = len / 16 * 16;
    lc_ctr_xor(key, dst, src, whole_len, s->counter);
    lc_ctr_add(s->counter, s->counter, len / 16);
    if (len > whole_len) {
        static const uint8_t zeros[16];

        lc_ctr_xor(key, s->keystream, zeros, 16, s->counter);
        lc_ctr_add(s->counter, s->counter, 1);
        s->left = 16;
        for (; whole_len < len; whole_len++)
            dst[whole_len] = src[whole_len] ^ s->keystream[16 - s->left--];
    }
}

void lc_ctr_state_wipe(struct lc_ctr_state *s)
{
    lc_wipe(s, sizeof(*s));
}
