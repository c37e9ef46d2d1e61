/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The algorithms of `lanecrypt speed`: how a key is set up, and how a call and the peer's work for the same are done.
 *
 * Each call has a new iv or nonce, written just before it as its users do: the number of a sector or message as one 64-bit word.
 */
#include <stdlib.h>
#include <string.h>

#include "speed.h"

static const uint8_t *src_of(const struct cell *c, size_t message)
{
    return c->src + message * c->size.len;
}

static uint8_t *dst_of(const struct cell *c, size_t message)
{
    return c->dst + message * c->size.len;
}

/* XTS and CTR at the peer: a message each */
static bool peer_crypt(const struct cell *c, uint64_t number)
{
    uint8_t iv[16] = { 0 };
    bool ok = true;

    for (size_t i = 0; i < c->size.batch; i++, number++) {
        memcpy(iv, &number, sizeof(number));
        ok &= bench_peer_crypt(c->peer, dst_of(c, i), src_of(c, i), c->size.len, iv);
    }
    return ok;
}

/* ---- XTS ---- */

static int xts_init(union speed_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    return lc_xts_init_impl(&key->xts, impl, raw, raw_len);
}

static bool xts_seal(const struct cell *c, uint64_t number)
{
    uint8_t iv[16] = { 0 };

    memcpy(iv, &number, sizeof(number));
    return lc_xts_encrypt(&c->key->xts, c->dst, c->src, c->size.len, iv) == LC_OK;
}

static bool xts_open(const struct cell *c, uint64_t number)
{
    uint8_t iv[16] = { 0 };

    memcpy(iv, &number, sizeof(number));
    return lc_xts_decrypt(&c->key->xts, c->dst, c->src, c->size.len, iv) == LC_OK;
}

static bool xts_seal_batch(const struct cell *c, uint64_t number)
{
    return lc_xts_encrypt_sectors(&c->key->xts, c->dst, c->src, c->size.len * c->size.batch, c->size.len, number, 1) == LC_OK;
}

static bool xts_open_batch(const struct cell *c, uint64_t number)
{
    return lc_xts_decrypt_sectors(&c->key->xts, c->dst, c->src, c->size.len * c->size.batch, c->size.len, number, 1) == LC_OK;
}

/* ---- CTR ---- */

static int ctr_init(union speed_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    return lc_ctr_init_impl(&key->ctr, impl, raw, raw_len);
}

static bool ctr_xor(const struct cell *c, uint64_t number)
{
    uint8_t iv[16] = { 0 };

    memcpy(iv, &number, sizeof(number));
    lc_ctr_xor(&c->key->ctr, c->dst, c->src, c->size.len, iv);
    return true;
}

/* ---- GCM: 12-byte nonces, 13 bytes of additional data (a record's header in TLS 1.2), 16-byte tags ---- */

static const uint8_t aad[13] = { 0, 0, 0, 0, 0, 0, 0, 1, 23, 3, 3, 5, 140 };

static void write_nonce(uint8_t nonce[12], uint64_t number)
{
    memcpy(nonce + 4, &number, sizeof(number));
}

static int gcm_init(union speed_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    return lc_gcm_init_impl(&key->gcm, impl, raw, raw_len);
}

/*
 * Only a right tag shows what opening costs.  Sealing src twice gives src back, and its tag as a ciphertext.  That is done for as
 * many calls as take little time; after them their nonces come again.
 */
static bool gcm_prepare(struct cell *c)
{
    uint64_t calls = 1;
    bool ok = true;

    while (c->op == OPEN && calls < 64 && 2 * calls * (c->size.len * c->size.batch + 1024) <= 1 << 17)
        calls *= 2;
    c->calls_mask = calls - 1;
    c->num_tags = calls * c->size.batch;
    c->tags = calloc(c->num_tags, sizeof(*c->tags));
    c->nonces = calloc(c->size.batch, sizeof(*c->nonces));
    c->items = calloc(c->size.batch, sizeof(*c->items));
    if (!c->tags || !c->nonces || !c->items)
        return false;
    for (size_t i = 0; i < c->size.batch; i++)
        c->items[i] = (struct lc_aead_item){ .dst = dst_of(c, i), .src = src_of(c, i), .len = c->size.len, .aad = aad,
                                             .aad_len = sizeof(aad), .nonce = c->nonces[i], .tag = c->tags[i] };
    for (size_t i = 0; c->op == OPEN && i < c->num_tags; i++) {
        const uint8_t *src = src_of(c, i % c->size.batch);
        uint8_t nonce[12] = { 0 };

        write_nonce(nonce, i);
        for (int turn = 0; turn < 2; turn++, src = c->dst)
            ok &= lc_gcm_seal(&c->key->gcm, c->dst, c->tags[i], 16, src, c->size.len, aad, sizeof(aad), nonce, 12) == LC_OK;
    }
    return ok;
}

static bool gcm_seal(const struct cell *c, uint64_t number)
{
    uint8_t nonce[12] = { 0 };

    write_nonce(nonce, number);
    return lc_gcm_seal(&c->key->gcm, c->dst, c->tags[0], 16, c->src, c->size.len, aad, sizeof(aad), nonce, 12) == LC_OK;
}

static bool gcm_open(const struct cell *c, uint64_t number)
{
    uint8_t nonce[12] = { 0 };

    number &= c->calls_mask;
    write_nonce(nonce, number);
    return lc_gcm_open(&c->key->gcm, c->dst, c->src, c->size.len, c->tags[number], 16, aad, sizeof(aad), nonce, 12) == LC_OK;
}

static bool gcm_seal_batch(const struct cell *c, uint64_t number)
{
    for (size_t i = 0; i < c->size.batch; i++)
        write_nonce(c->nonces[i], number * c->size.batch + i);
    return lc_gcm_seal_many(&c->key->gcm, c->items, c->size.batch) == LC_OK;
}

static bool gcm_open_batch(const struct cell *c, uint64_t number)
{
    size_t first = (number & c->calls_mask) * c->size.batch;

    for (size_t i = 0; i < c->size.batch; i++) {
        write_nonce(c->nonces[i], first + i);
        c->items[i].tag = c->tags[first + i];
    }
    return lc_gcm_open_many(&c->key->gcm, c->items, c->size.batch) == LC_OK;
}

static bool peer_gcm(const struct cell *c, uint64_t number)
{
    size_t first = c->op == OPEN ? (number & c->calls_mask) * c->size.batch : 0;
    uint64_t message = c->op == OPEN ? first : number * c->size.batch;
    uint8_t nonce[12] = { 0 };
    bool ok = true;

    for (size_t i = 0; i < c->size.batch; i++) {
        write_nonce(nonce, message + i);
        ok &= bench_peer_gcm(c->peer, dst_of(c, i), c->tags[first + i], src_of(c, i), c->size.len, aad, sizeof(aad), nonce);
    }
    return ok;
}

/* ---- The tables ---- */

enum { XTS, CTR, GCM };

#define MESSAGES { 16, 1 }, { 64, 1 }, { 256, 1 }, { 512, 1 }, { 1024, 1 }, { 1420, 1 }, { 4096, 1 }, { 16384, 1 }, { 65536, 1 }

const struct speed_mode speed_modes[NUM_MODES] = {
    [XTS] = { .name = "xts", .portable = "xts-aes-portable", .min_len = LC_XTS_MIN_LEN, .max_len = LC_XTS_MAX_LEN,
              .init = xts_init, .run = { xts_seal, xts_open }, .run_batch = { xts_seal_batch, xts_open_batch },
              .run_peer = peer_crypt,
              .sizes = { { 16, 1 }, { 32, 1 }, { 64, 1 }, { 128, 1 }, { 256, 1 }, { 512, 1 }, { 1024, 1 }, { 4096, 1 },
                         { 16384, 1 }, { 65536, 1 }, { 512, 32 }, { 4096, 32 } } },
    [CTR] = { .name = "ctr", .portable = "ctr-aes-portable", .max_len = 16 << 20, .one_op = true,
              .init = ctr_init, .run = { ctr_xor, ctr_xor }, .run_peer = peer_crypt, .sizes = { MESSAGES } },
    [GCM] = { .name = "gcm", .portable = "gcm-aes-portable", .max_len = 16 << 20,
              .init = gcm_init, .prepare = gcm_prepare, .run = { gcm_seal, gcm_open },
              .run_batch = { gcm_seal_batch, gcm_open_batch }, .run_peer = peer_gcm,
              .sizes = { MESSAGES, { 64, 32 }, { 1420, 32 } } },
};

const struct alg speed_algs[NUM_ALGS] = {
    { "aes-128-xts", &speed_modes[XTS], 32, 10, true, false },
    { "aes-192-xts", &speed_modes[XTS], 48, 12, false, false },
    { "aes-256-xts", &speed_modes[XTS], 64, 14, true, true },
    { "aes-128-ctr", &speed_modes[CTR], 16, 10, true, true },
    { "aes-192-ctr", &speed_modes[CTR], 24, 12, true, false },
    { "aes-256-ctr", &speed_modes[CTR], 32, 14, true, true },
    { "aes-128-gcm", &speed_modes[GCM], 16, 10, true, true },
    { "aes-192-gcm", &speed_modes[GCM], 24, 12, true, false },
    { "aes-256-gcm", &speed_modes[GCM], 32, 14, true, true },
};
