/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* X25519 (RFC 7748): the public functions.  Points are the row's. */
#include "curve25519.h"
#include "lanecrypt/x25519.h"

/* Each public function that has had secrets calculated ends with it: see wipe.h.  Calculations here go no deeper. */
LC_WIPE_STACK(static, wipe_stack, 12 * 1024)

int lc_x25519_init_impl(struct lc_x25519_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    const struct lc_impl *row;
    int status;

    if (raw_len != LC_X25519_LEN)
        return LC_ERR_KEY_LEN;
    status = lc_select(&lc_x25519_mode, impl, &row);
    if (status != LC_OK)
        return status;
    memcpy(key->k, raw, sizeof(key->k)); /* the portable code needs a little-endian CPU */
    lc_25519_clamp(key->k);
    key->impl = (const struct lc_25519_impl *)row; /* its first member */
    lc_wipe_registers();
    lc_wipe_frame();
    return LC_OK;
}

int lc_x25519_init(struct lc_x25519_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_x25519_init_impl(key, NULL, raw, raw_len);
}

const char *lc_x25519_impl_name(const struct lc_x25519_key *key)
{
    return key->impl->impl.name;
}

void lc_x25519_wipe(struct lc_x25519_key *key)
{
    lc_wipe(key, sizeof(*key));
}

/* ---- Public keys ---- */

static void public_chunk(const struct lc_x25519_public_item *items, size_t num)
{
    struct lc_25519_base base[LC_25519_CHUNK];

    for (size_t i = 0; i < num; i++)
        memcpy(base[i].k, items[i].key->k, sizeof(base[i].k));
    items[0].key->impl->base_u(base, num);
    for (size_t i = 0; i < num; i++)
        memcpy(items[i].raw, base[i].u, sizeof(base[i].u));
    lc_wipe(base, sizeof(base));
    wipe_stack();
}

void lc_x25519_get_public_many(const struct lc_x25519_public_item *items, size_t num_items)
{
    for (size_t num; num_items; items += num, num_items -= num) {
        for (num = 1; num < num_items && num < LC_25519_CHUNK && items[num].key->impl == items[0].key->impl;)
            num++;
        public_chunk(items, num);
    }
}

void lc_x25519_get_public(const struct lc_x25519_key *key, uint8_t raw[LC_X25519_LEN])
{
    struct lc_x25519_public_item item = { key, raw };

    public_chunk(&item, 1);
}

/* ---- Secrets ---- */

/*
 * The secret, or LC_ERR_KEY if it is 0.  That isn't secret: u has small order, whatever the private key is.  (Not inline, so that
 * the branch on it has a place.)
 */
static __attribute__((noinline)) void put_secret(struct lc_x25519_item *item, const uint64_t secret[4])
{
    item->status = LC_ERR_KEY;
    if (!lc_words_are_zero(secret, 4)) {
        memcpy(item->secret, secret, LC_X25519_LEN);
        item->status = LC_OK;
    }
}

static void shared_chunk(struct lc_x25519_item *items, size_t num)
{
    struct lc_25519_dh dh[LC_25519_CHUNK];

    for (size_t i = 0; i < num; i++) {
        memcpy(dh[i].k, items[i].key->k, sizeof(dh[i].k));
        memcpy(dh[i].u, items[i].peer, sizeof(dh[i].u));
        dh[i].u[3] &= INT64_MAX;
    }
    items[0].key->impl->dh(dh, num);
    for (size_t i = 0; i < num; i++)
        put_secret(&items[i], dh[i].result);
    lc_wipe(dh, sizeof(dh));
    wipe_stack();
}

int lc_x25519_many(struct lc_x25519_item *items, size_t num_items)
{
    int status = LC_OK;

    for (size_t num; num_items; items += num, num_items -= num) {
        for (num = 1; num < num_items && num < LC_25519_CHUNK && items[num].key->impl == items[0].key->impl;)
            num++;
        shared_chunk(items, num);
        for (size_t i = 0; i < num && status == LC_OK; i++)
            status = items[i].status;
    }
    return status;
}

int lc_x25519(const struct lc_x25519_key *key, uint8_t secret[LC_X25519_LEN], const uint8_t peer[LC_X25519_LEN])
{
    struct lc_x25519_item item = { .key = key, .secret = secret, .peer = peer };

    return lc_x25519_many(&item, 1);
}
