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

/* ---- ChaCha20: blocks from 0 on ---- */

static void write_nonce(uint8_t nonce[12], uint64_t number)
{
    memcpy(nonce + 4, &number, sizeof(number));
}

static int chacha20_init(union speed_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    return lc_chacha20_init_impl(&key->chacha20, impl, raw, raw_len);
}

static bool chacha20_crypt(const struct cell *c, uint64_t number)
{
    uint8_t nonce[12] = { 0 };

    write_nonce(nonce, number);
    return lc_chacha20_crypt(&c->key->chacha20, c->dst, c->src, c->size.len, nonce, 0) == LC_OK;
}

/* EVP's iv is the block's number and the nonce. */
static bool peer_chacha20(const struct cell *c, uint64_t number)
{
    uint8_t iv[16] = { 0 };

    write_nonce(iv + 4, number);
    return bench_peer_crypt(c->peer, c->dst, c->src, c->size.len, iv);
}

/* ---- Poly1305: a state with the key is made once, by the implementation's name, and copied for each message ---- */

static int poly1305_init(union speed_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    return raw_len == 32 ? lc_poly1305_start_impl(&key->poly1305, impl, raw) : LC_ERR_KEY_LEN;
}

static bool poly1305_prepare(struct cell *c)
{
    c->num_tags = 1;
    c->tags = calloc(c->num_tags, sizeof(*c->tags));
    return c->tags != NULL;
}

static bool poly1305_tag(const struct cell *c, uint64_t number)
{
    struct lc_poly1305_state state;
    size_t len = sizeof(state);

    (void)number;
    __asm__("" : "+r"(len)); /* makes it a call: of a known length compilers make `rep movs`, which takes 40 cycles more */
    memcpy(&state, &c->key->poly1305, len);
    lc_poly1305_update(&state, c->src, c->size.len);
    lc_poly1305_finish(&state, c->tags[0]);
    return true;
}

static bool peer_poly1305(const struct cell *c, uint64_t number)
{
    (void)number;
    return bench_peer_mac(c->peer, c->tags[0], c->src, c->size.len);
}

/* ---- AEADs: 12-byte nonces, 13 bytes of additional data (a record's header in TLS 1.2), 16-byte tags ---- */

static const uint8_t aad[13] = { 0, 0, 0, 0, 0, 0, 0, 1, 23, 3, 3, 5, 140 };

/*
 * Only a right tag shows what opening costs.  Sealing src twice gives src back, and its tag as a ciphertext.  That is done for as
 * many calls as take little time; after them their nonces come again.
 */
static bool aead_prepare(struct cell *c)
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
        c->items[i] = (struct lc_aead_item){
            .dst = dst_of(c, i),
            .src = src_of(c, i),
            .len = c->size.len,
            .aad = aad,
            .aad_len = sizeof(aad),
            .nonce = c->nonces[i],
            .tag = c->tags[i]
        };
    for (size_t i = 0; c->op == OPEN && i < c->num_tags; i++) {
        struct cell one = *c;

        one.src = src_of(c, i % c->size.batch);
        one.tags = &c->tags[i];
        for (int turn = 0; turn < 2; turn++, one.src = c->dst)
            ok &= c->alg->mode->run[SEAL](&one, i);
    }
    return ok;
}

/* The message's number in OPEN's tags. */
static uint64_t tag_of(const struct cell *c, uint64_t number)
{
    return (number & c->calls_mask) * c->size.batch;
}

static void prepare_seal_batch(const struct cell *c, uint64_t number)
{
    for (size_t i = 0; i < c->size.batch; i++)
        write_nonce(c->nonces[i], number * c->size.batch + i);
}

static void prepare_open_batch(const struct cell *c, uint64_t number)
{
    uint64_t first = tag_of(c, number);

    for (size_t i = 0; i < c->size.batch; i++) {
        write_nonce(c->nonces[i], first + i);
        c->items[i].tag = c->tags[first + i];
    }
}

static bool peer_aead(const struct cell *c, uint64_t number)
{
    uint64_t first = c->op == OPEN ? tag_of(c, number) : 0, message = c->op == OPEN ? first : number * c->size.batch;
    uint8_t nonce[12] = { 0 };
    bool ok = true;

    for (size_t i = 0; i < c->size.batch; i++) {
        write_nonce(nonce, message + i);
        ok &= bench_peer_aead(c->peer, dst_of(c, i), c->tags[first + i], src_of(c, i), c->size.len, aad, sizeof(aad), nonce);
    }
    return ok;
}

/* ---- GCM ---- */

static int gcm_init(union speed_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    return lc_gcm_init_impl(&key->gcm, impl, raw, raw_len);
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
    prepare_seal_batch(c, number);
    return lc_gcm_seal_many(&c->key->gcm, c->items, c->size.batch) == LC_OK;
}

static bool gcm_open_batch(const struct cell *c, uint64_t number)
{
    prepare_open_batch(c, number);
    return lc_gcm_open_many(&c->key->gcm, c->items, c->size.batch) == LC_OK;
}

/* ---- ChaCha20-Poly1305 ---- */

static int chapoly_init(union speed_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    return lc_chacha20poly1305_init_impl(&key->chacha20poly1305, impl, raw, raw_len);
}

static bool chapoly_seal(const struct cell *c, uint64_t number)
{
    uint8_t nonce[12] = { 0 };

    write_nonce(nonce, number);
    return lc_chacha20poly1305_seal(&c->key->chacha20poly1305, c->dst, c->tags[0], 16, c->src, c->size.len, aad, sizeof(aad), nonce,
                                    12) == LC_OK;
}

static bool chapoly_open(const struct cell *c, uint64_t number)
{
    uint8_t nonce[12] = { 0 };

    number &= c->calls_mask;
    write_nonce(nonce, number);
    return lc_chacha20poly1305_open(&c->key->chacha20poly1305, c->dst, c->src, c->size.len, c->tags[number], 16, aad, sizeof(aad),
                                    nonce, 12) == LC_OK;
}

static bool chapoly_seal_batch(const struct cell *c, uint64_t number)
{
    prepare_seal_batch(c, number);
    return lc_chacha20poly1305_seal_many(&c->key->chacha20poly1305, c->items, c->size.batch) == LC_OK;
}

static bool chapoly_open_batch(const struct cell *c, uint64_t number)
{
    prepare_open_batch(c, number);
    return lc_chacha20poly1305_open_many(&c->key->chacha20poly1305, c->items, c->size.batch) == LC_OK;
}

/* ---- The tables ---- */

enum { XTS, CTR, GCM, CHACHA20, POLY1305, CHAPOLY };

#define MESSAGES { 16, 1 }, { 64, 1 }, { 256, 1 }, { 512, 1 }, { 1024, 1 }, { 1420, 1 }, { 4096, 1 }, { 16384, 1 }, { 65536, 1 }
#define AEAD_MESSAGES MESSAGES, { 64, 32 }, { 1420, 32 }
static const char both_ways[] = "encryption and decryption";

/* clang-format off */
const struct speed_mode speed_modes[NUM_MODES] = {
    [XTS] = { .name = "xts", .portable = "xts-aes-portable", .min_len = LC_XTS_MIN_LEN, .max_len = LC_XTS_MAX_LEN,
              .init = xts_init, .run = { xts_seal, xts_open }, .run_batch = { xts_seal_batch, xts_open_batch },
              .run_peer = peer_crypt,
              .sizes = { { 16, 1 }, { 32, 1 }, { 64, 1 }, { 128, 1 }, { 256, 1 }, { 512, 1 }, { 1024, 1 }, { 4096, 1 },
                         { 16384, 1 }, { 65536, 1 }, { 512, 32 }, { 4096, 32 } } },
    [CTR] = { .name = "ctr", .portable = "ctr-aes-portable", .max_len = 16 << 20, .one_op = both_ways,
              .init = ctr_init, .run = { ctr_xor, ctr_xor }, .run_peer = peer_crypt, .sizes = { MESSAGES } },
    [GCM] = { .name = "gcm", .portable = "gcm-aes-portable", .max_len = 16 << 20,
              .init = gcm_init, .prepare = aead_prepare, .run = { gcm_seal, gcm_open },
              .run_batch = { gcm_seal_batch, gcm_open_batch }, .run_peer = peer_aead, .sizes = { AEAD_MESSAGES } },
    [CHACHA20] = { .name = "chacha20", .portable = "chacha20-portable", .max_len = 16 << 20, .one_op = both_ways,
                   .init = chacha20_init, .run = { chacha20_crypt, chacha20_crypt }, .run_peer = peer_chacha20,
                   .sizes = { MESSAGES } },
    [POLY1305] = { .name = "poly1305", .portable = "poly1305-portable", .max_len = 16 << 20, .one_op = "authentication",
                   .init = poly1305_init, .prepare = poly1305_prepare, .run = { poly1305_tag, poly1305_tag },
                   .run_peer = peer_poly1305, .sizes = { MESSAGES } },
    [CHAPOLY] = { .name = "chacha20-poly1305", .portable = "chacha20-poly1305-portable", .max_len = 16 << 20,
                  .init = chapoly_init, .prepare = aead_prepare, .run = { chapoly_seal, chapoly_open },
                  .run_batch = { chapoly_seal_batch, chapoly_open_batch }, .run_peer = peer_aead, .sizes = { AEAD_MESSAGES } },
};
/* clang-format on */

/* ChaCha20 has 80 quarter rounds of 12 additions, xors and rotations for a block; its AEAD may hide Poly1305 behind them. */
enum { CHACHA20_STEPS = 80 * 12 };

const struct alg speed_algs[NUM_ALGS] = {
    { "aes-128-xts", &speed_modes[XTS], 32, BENCH_AES, 16.0 / 10, false },
    { "aes-192-xts", &speed_modes[XTS], 48, BENCH_AES, 16.0 / 12, false },
    { "aes-256-xts", &speed_modes[XTS], 64, BENCH_AES, 16.0 / 14, true },
    { "aes-128-ctr", &speed_modes[CTR], 16, BENCH_AES, 16.0 / 10, true },
    { "aes-192-ctr", &speed_modes[CTR], 24, BENCH_AES, 16.0 / 12, false },
    { "aes-256-ctr", &speed_modes[CTR], 32, BENCH_AES, 16.0 / 14, true },
    { "aes-128-gcm", &speed_modes[GCM], 16, BENCH_AES, 16.0 / 10, true },
    { "aes-192-gcm", &speed_modes[GCM], 24, BENCH_AES, 16.0 / 12, false },
    { "aes-256-gcm", &speed_modes[GCM], 32, BENCH_AES, 16.0 / 14, true },
    { "chacha20", &speed_modes[CHACHA20], 32, BENCH_ARX, 64.0 / CHACHA20_STEPS, true },
    { "poly1305", &speed_modes[POLY1305], 32, BENCH_POLY, 16, true },
    { "chacha20-poly1305", &speed_modes[CHAPOLY], 32, BENCH_ARX, 64.0 / CHACHA20_STEPS, true },
};

const char *op_title(const struct alg *alg, enum op op)
{
    return alg->mode->one_op ? alg->mode->one_op : op == SEAL ? "encryption" : "decryption";
}
