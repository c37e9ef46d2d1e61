/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Poly1305 (RFC 8439, 2.5): the public functions. */
#include "poly1305_internal.h"

/* ---- The public functions ---- */

int lc_poly1305_start_impl(struct lc_poly1305_state *s, const char *impl, const uint8_t key[32])
{
    const struct lc_impl *row;
    int status = lc_select(&lc_poly1305_mode, impl, &row);

    if (status != LC_OK)
        return status;
    memset(s, 0, offsetof(struct lc_poly1305_state, powers));
    lc_poly1305_load_key(s->r, s->s, key);
    s->impl = (const struct lc_poly1305_impl *)row; /* its first member */
    return LC_OK;
}

int lc_poly1305_start(struct lc_poly1305_state *s, const uint8_t key[32])
{
    return lc_poly1305_start_impl(s, NULL, key);
}

const char *lc_poly1305_impl_name(const struct lc_poly1305_state *s)
{
    return s->impl->impl.name;
}

void lc_poly1305_update(struct lc_poly1305_state *s, const uint8_t *msg, size_t len)
{
    while (len) {
        size_t n;

        if (s->block_len == 0 && len >= 16) {
            n = len & ~(size_t)15;
            s->impl->blocks(s, msg, n, 1);
        } else {
            n = 16 - s->block_len < len ? 16 - s->block_len : len;
            memcpy(s->block + s->block_len, msg, n);
            s->block_len += (uint32_t)n;
            if (s->block_len == 16) {
                s->impl->blocks(s, s->block, 16, 1);
                s->block_len = 0;
            }
        }
        msg += n;
        len -= n;
    }
}

void lc_poly1305_finish(struct lc_poly1305_state *s, uint8_t tag[16])
{
    if (s->block_len) {
        memset(s->block + s->block_len, 0, 16 - s->block_len);
        s->block[s->block_len] = 1;
        s->impl->blocks(s, s->block, 16, 0);
    }
    lc_poly1305_tag(tag, s->h, s->s);
    if (s->num_powers) /* else there is nothing of ours in powers: short messages don't pay for what is 80 % of the state */
        lc_wipe(s->powers, sizeof(s->powers));
    lc_wipe(s, offsetof(struct lc_poly1305_state, powers));
}

int lc_poly1305(uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32])
{
    struct lc_poly1305_state s;
    int status = lc_poly1305_start(&s, key);

    if (status == LC_OK) {
        lc_poly1305_update(&s, msg, len);
        lc_poly1305_finish(&s, tag);
    }
    return status;
}

void lc_poly1305_state_wipe(struct lc_poly1305_state *s)
{
    lc_wipe(s, sizeof(*s));
}
