/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Diffie-Hellman (SP 800-56A, 5.7.1.2) on a curve: the public functions.  Points are the row's.  Whoever includes it defines CURVE
 * and BITS (ec_names.h), and SHARED, the name of the function that is called like the mode.
 */
#include "lanecrypt/ecdh.h"

int ECDH(init_impl)(struct ECDH(key) * key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    int status = lc_ec_decode_private(key->d, &key->impl, &ECDH(mode), impl, raw, raw_len, &EC(curve));

    EC(wipe_stack)();
    return status;
}

int ECDH(init)(struct ECDH(key) * key, const uint8_t *raw, size_t raw_len)
{
    return ECDH(init_impl)(key, NULL, raw, raw_len);
}

const char *ECDH(impl_name)(const struct ECDH(key) * key)
{
    return key->impl->impl.name;
}

void ECDH(wipe)(struct ECDH(key) * key)
{
    lc_wipe(key, sizeof(*key));
}

/* ---- Public keys ---- */

static void public_chunk(const struct ECDH(public_item) * items, size_t num)
{
    struct lc_ec_product products[LC_EC_CHUNK];

    for (size_t i = 0; i < num; i++)
        memcpy(products[i].k, items[i].key->d, BYTES);
    items[0].key->impl->base(products, num, NULL);
    for (size_t i = 0; i < num; i++)
        lc_ec_encode(items[i].raw, products[i].result, &EC(p));
    lc_wipe(products, sizeof(products));
    EC(wipe_stack)();
}

void ECDH(get_public_many)(const struct ECDH(public_item) * items, size_t num_items)
{
    for (size_t num; num_items; items += num, num_items -= num) {
        for (num = 1; num < num_items && num < LC_EC_CHUNK && items[num].key->impl == items[0].key->impl;)
            num++;
        public_chunk(items, num);
    }
}

void ECDH(get_public)(const struct ECDH(key) * key, uint8_t raw[2 * BYTES + 1])
{
    struct ECDH(public_item) item = { key, raw };

    public_chunk(&item, 1);
}

/* ---- Secrets ---- */

/* Those items of a chunk whose status is LC_OK; points: their peers' */
static void shared_chunk(struct ECDH(item) *const *items, uint64_t (*points)[2 * WORDS], size_t num)
{
    struct {
        struct lc_ec_product products[LC_EC_CHUNK];
        uint64_t x[WORDS];
    } w;

    for (size_t i = 0; i < num; i++) {
        memcpy(w.products[i].k, items[i]->key->d, BYTES);
        w.products[i].p = points[i];
    }
    items[0]->key->impl->multiply(w.products, num);
    for (size_t i = 0; i < num; i++) {
        lc_mod_from_montgomery(w.x, w.products[i].result, &EC(p));
        lc_words_to_bytes(items[i]->secret, w.x, WORDS);
    }
    lc_wipe(&w, sizeof(w));
    EC(wipe_stack)();
}

int ECDH(many)(struct ECDH(item) * items, size_t num_items)
{
    struct ECDH(item) * chunk[LC_EC_CHUNK];
    uint64_t points[LC_EC_CHUNK][2 * WORDS];
    size_t num = 0;

    for (size_t i = 0; i < num_items; i++) {
        if (num == LC_EC_CHUNK || (num && chunk[0]->key->impl != items[i].key->impl)) {
            shared_chunk(chunk, points, num);
            num = 0;
        }
        items[i].status = lc_ec_decode(points[num], items[i].peer, items[i].peer_len, &EC(curve));
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

int SHARED(const struct ECDH(key) * key, uint8_t secret[BYTES], const uint8_t *peer, size_t peer_len)
{
    struct ECDH(item) item = { .key = key, .secret = secret, .peer = peer, .peer_len = peer_len };

    return ECDH(many)(&item, 1);
}
