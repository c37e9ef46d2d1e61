/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Diffie-Hellman on P-256 (SP 800-56A, 5.7.1.2): the public functions.  Points are the row's. */
#include "lanecrypt/ecdh.h"
#include "p256_internal.h"

int lc_ecdh_p256_init_impl(struct lc_ecdh_p256_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    int status = lc_p256_decode_private(key->d, &key->impl, &lc_ecdh_p256_mode, impl, raw, raw_len);

    lc_p256_wipe_stack();
    return status;
}

int lc_ecdh_p256_init(struct lc_ecdh_p256_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_ecdh_p256_init_impl(key, NULL, raw, raw_len);
}

const char *lc_ecdh_p256_impl_name(const struct lc_ecdh_p256_key *key)
{
    return key->impl->impl.name;
}

void lc_ecdh_p256_wipe(struct lc_ecdh_p256_key *key)
{
    lc_wipe(key, sizeof(*key));
}

/* ---- Public keys ---- */

static void public_chunk(const struct lc_ecdh_p256_public_item *items, size_t num)
{
    struct lc_p256_product products[LC_P256_CHUNK];

    for (size_t i = 0; i < num; i++)
        memcpy(products[i].k, items[i].key->d, sizeof(products[i].k));
    items[0].key->impl->base(products, num);
    for (size_t i = 0; i < num; i++)
        lc_p256_encode(items[i].raw, &products[i].result);
    lc_wipe(products, sizeof(products));
    lc_p256_wipe_stack();
}

void lc_ecdh_p256_get_public_many(const struct lc_ecdh_p256_public_item *items, size_t num_items)
{
    for (size_t num; num_items; items += num, num_items -= num) {
        for (num = 1; num < num_items && num < LC_P256_CHUNK && items[num].key->impl == items[0].key->impl;)
            num++;
        public_chunk(items, num);
    }
}

void lc_ecdh_p256_get_public(const struct lc_ecdh_p256_key *key, uint8_t raw[65])
{
    struct lc_ecdh_p256_public_item item = { key, raw };

    public_chunk(&item, 1);
}

/* ---- Secrets ---- */

/* Those items of a chunk whose status is LC_OK; points: their peers' */
static void shared_chunk(struct lc_ecdh_p256_item *const *items, const struct lc_p256_point *points, size_t num)
{
    struct {
        struct lc_p256_product products[LC_P256_CHUNK];
        uint64_t x[4];
    } w;

    for (size_t i = 0; i < num; i++) {
        memcpy(w.products[i].k, items[i]->key->d, sizeof(w.products[i].k));
        w.products[i].p = &points[i];
    }
    items[0]->key->impl->multiply(w.products, num);
    for (size_t i = 0; i < num; i++) {
        lc_mod_from_montgomery(w.x, w.products[i].result.x, &lc_p256_p);
        lc_256_to_bytes(items[i]->secret, w.x);
    }
    lc_wipe(&w, sizeof(w));
    lc_p256_wipe_stack();
}

int lc_ecdh_p256_many(struct lc_ecdh_p256_item *items, size_t num_items)
{
    struct lc_ecdh_p256_item *chunk[LC_P256_CHUNK];
    struct lc_p256_point points[LC_P256_CHUNK];
    size_t num = 0;

    for (size_t i = 0; i < num_items; i++) {
        if (num == LC_P256_CHUNK || (num && chunk[0]->key->impl != items[i].key->impl)) {
            shared_chunk(chunk, points, num);
            num = 0;
        }
        items[i].status = lc_p256_decode(&points[num], items[i].peer, items[i].peer_len);
        if (items[i].status == LC_OK)
            chunk[num++] = &items[i];
    }
    if (num)
        shared_chunk(chunk, points, num);
    for (size_t i = 0; i < num_items; i++)
        if (items[i].status != LC_OK)
            return items[i].status;
    return LC_OK;
}

int lc_ecdh_p256(const struct lc_ecdh_p256_key *key, uint8_t secret[32], const uint8_t *peer, size_t peer_len)
{
    struct lc_ecdh_p256_item item = { .key = key, .secret = secret, .peer = peer, .peer_len = peer_len };

    return lc_ecdh_p256_many(&item, 1);
}
