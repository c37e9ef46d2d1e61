/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The algorithms of `lanecrypt speed`: how a key is set up, and how a call and the peer's work for the same are done.
 *
 * Calls have ivs and nonces in turn that were written long before.  A function that loads one as a whole waits, if it was just
 * written in pieces, and what should be timed is the function, not how its caller stores.
 */
#include <stdlib.h>
#include <string.h>

#include "speed.h"

/* ChaCha20's iv, in whose last 12 bytes AEADs have their nonces; and that of XTS and CTR */
static uint8_t chacha20_ivs[SPEED_IVS][16], aes_ivs[SPEED_IVS][16];

void speed_make_ivs(void)
{
    for (uint64_t i = 0; i < SPEED_IVS; i++) {
        memcpy(chacha20_ivs[i] + 8, &i, sizeof(i));
        memcpy(aes_ivs[i], &i, sizeof(i));
    }
}

/* ---- XTS ---- */

static int xts_init(union speed_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    return lc_xts_init_impl(&key->xts, impl, raw, raw_len);
}

static int xts_seal(const struct lanecrypt_message *m, uint64_t number)
{
    return lc_xts_encrypt(m->key, m->dst, m->src, m->len, lanecrypt_iv(m, number)) == LC_OK;
}

static int xts_open(const struct lanecrypt_message *m, uint64_t number)
{
    return lc_xts_decrypt(m->key, m->dst, m->src, m->len, lanecrypt_iv(m, number)) == LC_OK;
}

static bool xts_seal_batch(const struct cell *c, uint64_t number)
{
    const struct lanecrypt_message *m = &c->m[OURS];

    return lc_xts_encrypt_sectors(m->key, m->dst, m->src, m->len * c->size.batch, m->len, number, 1) == LC_OK;
}

static bool xts_open_batch(const struct cell *c, uint64_t number)
{
    const struct lanecrypt_message *m = &c->m[OURS];

    return lc_xts_decrypt_sectors(m->key, m->dst, m->src, m->len * c->size.batch, m->len, number, 1) == LC_OK;
}

/* ---- CTR ---- */

static int ctr_init(union speed_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    return lc_ctr_init_impl(&key->ctr, impl, raw, raw_len);
}

static int ctr_xor(const struct lanecrypt_message *m, uint64_t number)
{
    lc_ctr_xor(m->key, m->dst, m->src, m->len, lanecrypt_iv(m, number));
    return 1;
}

/* ---- ChaCha20: blocks from 0 on ---- */

static int chacha20_init(union speed_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    return lc_chacha20_init_impl(&key->chacha20, impl, raw, raw_len);
}

static int chacha20_crypt(const struct lanecrypt_message *m, uint64_t number)
{
    return lc_chacha20_crypt(m->key, m->dst, m->src, m->len, lanecrypt_nonce(m, number), 0) == LC_OK;
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

static int poly1305_tag(const struct lanecrypt_message *m, uint64_t number)
{
    struct lc_poly1305_state state;
    size_t len = sizeof(state);

    __asm__("" : "+r"(len)); /* makes it a call: of a known length compilers make `rep movs`, which takes 40 cycles more */
    memcpy(&state, m->key, len);
    lc_poly1305_update(&state, m->src, m->len);
    lc_poly1305_finish(&state, lanecrypt_tag(m, number));
    return 1;
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

    while (c->op == OPEN && calls < SPEED_IVS && 2 * calls * (c->size.len * c->size.batch + 1024) <= 1 << 17)
        calls *= 2;
    c->num_tags = calls * c->size.batch;
    c->tags = calloc(c->num_tags, sizeof(*c->tags));
    c->items = calloc(c->size.batch, sizeof(*c->items));
    if (!c->tags || !c->items)
        return false;
    for (size_t i = 0; i < c->size.batch; i++)
        c->items[i] = (struct lc_aead_item){
            .dst = c->m[OURS].dst + i * c->size.len,
            .src = c->m[OURS].src + i * c->size.len,
            .len = c->size.len,
            .aad = aad,
            .aad_len = sizeof(aad),
            .tag = c->tags[i]
        };
    for (int who = OURS; who <= THEIRS; who++) {
        c->m[who].aad = aad;
        c->m[who].aad_len = sizeof(aad);
        if (c->op == OPEN)
            c->m[who].iv_mask = c->m[who].tag_mask = calls - 1;
    }
    for (size_t i = 0; c->op == OPEN && i < c->num_tags; i++) {
        struct lanecrypt_message one = c->m[OURS];

        one.src += i % c->size.batch * c->size.len;
        one.tags = &c->tags[i];
        one.tag_mask = 0;
        one.iv_mask = SPEED_IVS - 1;
        for (int turn = 0; turn < 2; turn++, one.src = one.dst)
            ok &= c->alg->mode->run[SEAL](&one, i);
    }
    return ok;
}

/* The first message of the call of that number: to open, there are tags for so many calls. */
static uint64_t first_message(const struct cell *c, uint64_t number)
{
    return (c->op == OPEN ? number & c->m[OURS].tag_mask : number) * c->size.batch;
}

static void prepare_batch(const struct cell *c, uint64_t number)
{
    uint64_t first = first_message(c, number);

    for (size_t i = 0; i < c->size.batch; i++) {
        c->items[i].nonce = chacha20_ivs[(first + i) % SPEED_IVS] + 4;
        if (c->op == OPEN)
            c->items[i].tag = c->tags[first + i];
    }
}

/* ---- GCM ---- */

static int gcm_init(union speed_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    return lc_gcm_init_impl(&key->gcm, impl, raw, raw_len);
}

static int gcm_seal(const struct lanecrypt_message *m, uint64_t number)
{
    return lc_gcm_seal(m->key, m->dst, lanecrypt_tag(m, number), 16, m->src, m->len, m->aad, m->aad_len, lanecrypt_nonce(m, number),
                       12) == LC_OK;
}

static int gcm_open(const struct lanecrypt_message *m, uint64_t number)
{
    return lc_gcm_open(m->key, m->dst, m->src, m->len, lanecrypt_tag(m, number), 16, m->aad, m->aad_len, lanecrypt_nonce(m, number),
                       12) == LC_OK;
}

static bool gcm_seal_batch(const struct cell *c, uint64_t number)
{
    prepare_batch(c, number);
    return lc_gcm_seal_many(c->m[OURS].key, c->items, c->size.batch) == LC_OK;
}

static bool gcm_open_batch(const struct cell *c, uint64_t number)
{
    prepare_batch(c, number);
    return lc_gcm_open_many(c->m[OURS].key, c->items, c->size.batch) == LC_OK;
}

/* ---- ChaCha20-Poly1305 ---- */

static int chapoly_init(union speed_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    return lc_chacha20poly1305_init_impl(&key->chacha20poly1305, impl, raw, raw_len);
}

static int chapoly_seal(const struct lanecrypt_message *m, uint64_t number)
{
    return lc_chacha20poly1305_seal(m->key, m->dst, lanecrypt_tag(m, number), 16, m->src, m->len, m->aad, m->aad_len,
                                    lanecrypt_nonce(m, number), 12) == LC_OK;
}

static int chapoly_open(const struct lanecrypt_message *m, uint64_t number)
{
    return lc_chacha20poly1305_open(m->key, m->dst, m->src, m->len, lanecrypt_tag(m, number), 16, m->aad, m->aad_len,
                                    lanecrypt_nonce(m, number), 12) == LC_OK;
}

static bool chapoly_seal_batch(const struct cell *c, uint64_t number)
{
    prepare_batch(c, number);
    return lc_chacha20poly1305_seal_many(c->m[OURS].key, c->items, c->size.batch) == LC_OK;
}

static bool chapoly_open_batch(const struct cell *c, uint64_t number)
{
    prepare_batch(c, number);
    return lc_chacha20poly1305_open_many(c->m[OURS].key, c->items, c->size.batch) == LC_OK;
}

/* ---- Hashes: as Poly1305, without a key.  A digest has the room of DIGEST_TAGS tags. ---- */

enum { DIGEST_TAGS = 4 };

static bool hash_prepare(struct cell *c)
{
    c->num_tags = DIGEST_TAGS * c->size.batch;
    c->tags = calloc(c->num_tags, sizeof(*c->tags));
    c->messages = calloc(c->size.batch, sizeof(*c->messages));
    if (!c->tags || !c->messages)
        return false;
    for (size_t i = 0; i < c->size.batch; i++)
        c->messages[i] = (struct lc_hash_item){ c->tags[DIGEST_TAGS * i], c->m[OURS].src + i * c->size.len, c->size.len };
    return true;
}

#define HASH(hash)                                                                                                                 \
    static int hash##_init(union speed_key *key, const char *impl, const uint8_t *raw, size_t raw_len)                             \
    {                                                                                                                              \
        (void)raw;                                                                                                                 \
        (void)raw_len;                                                                                                             \
        return lc_##hash##_start_impl(&key->hash, impl);                                                                           \
    }                                                                                                                              \
                                                                                                                                   \
    static int hash##_digest(const struct lanecrypt_message *m, uint64_t number)                                                   \
    {                                                                                                                              \
        struct lc_##hash##_state state;                                                                                            \
        size_t len = sizeof(state);                                                                                                \
                                                                                                                                   \
        (void)number;                                                                                                              \
        __asm__("" : "+r"(len)); /* as above */                                                                                    \
        memcpy(&state, m->key, len);                                                                                               \
        lc_##hash##_update(&state, m->src, m->len);                                                                                \
        lc_##hash##_finish(&state, m->tags[0]);                                                                                    \
        return 1;                                                                                                                  \
    }                                                                                                                              \
                                                                                                                                   \
    static bool hash##_batch(const struct cell *c, uint64_t number)                                                                \
    {                                                                                                                              \
        (void)number;                                                                                                              \
        return lc_##hash##_many_impl(lc_##hash##_impl_name(c->m[OURS].key), c->messages, c->size.batch) == LC_OK;                  \
    }
HASH(sha256)
HASH(sha384)
HASH(sha512)
HASH(sm3)
#undef HASH

/* ---- The peer's work for a batch: a call for each message or sector ---- */

bool speed_peer_batch(const struct cell *c, uint64_t number)
{
    struct lanecrypt_message m = c->m[THEIRS];
    uint8_t sector[1][16] = { 0 };
    bool ok = true;

    if (c->tags)
        number = first_message(c, number);
    for (size_t i = 0; i < c->size.batch; i++, number++) {
        if (c->tags) {
            m.ivs = (const uint8_t(*)[16])c->alg->mode->ivs + number % SPEED_IVS;
            m.tags = &c->tags[c->messages ? DIGEST_TAGS * i : c->op == OPEN ? number : i];
        } else {
            memcpy(sector[0], &number, sizeof(number));
            m.ivs = (const uint8_t(*)[16])sector;
        }
        m.iv_mask = m.tag_mask = 0;
        ok &= c->peer(&m, number) != 0;
        m.dst += m.len;
        m.src += m.len;
    }
    return ok;
}

/* ---- The tables ---- */

enum { XTS, CTR, GCM, CHACHA20, POLY1305, CHAPOLY, SHA256, SHA384, SHA512, SM3 };

#define MESSAGES { 16, 1 }, { 64, 1 }, { 256, 1 }, { 512, 1 }, { 1024, 1 }, { 1420, 1 }, { 4096, 1 }, { 16384, 1 }, { 65536, 1 }
#define BATCH_MESSAGES MESSAGES, { 64, 32 }, { 1420, 32 }
static const char both_ways[] = "encryption and decryption";

/* clang-format off */
const struct speed_mode speed_modes[NUM_MODES] = {
    [XTS] = { .name = "xts", .portable = "xts-aes-portable", .min_len = LC_XTS_MIN_LEN, .max_len = LC_XTS_MAX_LEN,
              .ivs = aes_ivs, .init = xts_init, .run = { xts_seal, xts_open }, .run_batch = { xts_seal_batch, xts_open_batch },
              .sizes = { { 16, 1 }, { 32, 1 }, { 64, 1 }, { 128, 1 }, { 256, 1 }, { 512, 1 }, { 1024, 1 }, { 4096, 1 },
                         { 16384, 1 }, { 65536, 1 }, { 512, 32 }, { 4096, 32 } } },
    [CTR] = { .name = "ctr", .portable = "ctr-aes-portable", .max_len = 16 << 20, .one_op = both_ways,
              .ivs = aes_ivs, .init = ctr_init, .run = { ctr_xor, ctr_xor }, .sizes = { MESSAGES } },
    [GCM] = { .name = "gcm", .portable = "gcm-aes-portable", .max_len = 16 << 20,
              .ivs = chacha20_ivs, .init = gcm_init, .prepare = aead_prepare, .run = { gcm_seal, gcm_open },
              .run_batch = { gcm_seal_batch, gcm_open_batch }, .sizes = { BATCH_MESSAGES } },
    [CHACHA20] = { .name = "chacha20", .portable = "chacha20-portable", .max_len = 16 << 20, .one_op = both_ways,
                   .ivs = chacha20_ivs, .init = chacha20_init, .run = { chacha20_crypt, chacha20_crypt },
                   .sizes = { MESSAGES } },
    [POLY1305] = { .name = "poly1305", .portable = "poly1305-portable", .max_len = 16 << 20, .one_op = "authentication",
                   .ivs = chacha20_ivs, .init = poly1305_init, .prepare = poly1305_prepare, .run = { poly1305_tag, poly1305_tag }, .sizes = { MESSAGES } },
    [CHAPOLY] = { .name = "chacha20-poly1305", .portable = "chacha20-poly1305-portable", .max_len = 16 << 20,
                  .ivs = chacha20_ivs, .init = chapoly_init, .prepare = aead_prepare, .run = { chapoly_seal, chapoly_open },
                  .run_batch = { chapoly_seal_batch, chapoly_open_batch }, .sizes = { BATCH_MESSAGES } },
    [SHA256] = { .name = "sha256", .portable = "sha256-portable", .max_len = 16 << 20, .one_op = "digest",
                 .ivs = aes_ivs, .init = sha256_init, .prepare = hash_prepare, .run = { sha256_digest, sha256_digest },
                 .run_batch = { sha256_batch, sha256_batch }, .sizes = { BATCH_MESSAGES } },
    [SHA384] = { .name = "sha512", .portable = "sha512-portable", .max_len = 16 << 20, .one_op = "digest",
                 .ivs = aes_ivs, .init = sha384_init, .prepare = hash_prepare, .run = { sha384_digest, sha384_digest },
                 .run_batch = { sha384_batch, sha384_batch }, .sizes = { BATCH_MESSAGES } },
    [SHA512] = { .name = "sha512", .portable = "sha512-portable", .max_len = 16 << 20, .one_op = "digest",
                 .ivs = aes_ivs, .init = sha512_init, .prepare = hash_prepare, .run = { sha512_digest, sha512_digest },
                 .run_batch = { sha512_batch, sha512_batch }, .sizes = { BATCH_MESSAGES } },
    [SM3] = { .name = "sm3", .portable = "sm3-portable", .max_len = 16 << 20, .one_op = "digest",
              .ivs = aes_ivs, .init = sm3_init, .prepare = hash_prepare, .run = { sm3_digest, sm3_digest },
              .run_batch = { sm3_batch, sm3_batch }, .sizes = { BATCH_MESSAGES } },
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
    { "sha256", &speed_modes[SHA256], 0, BENCH_SHA256, 64.0 / 64, false },
    { "sha384", &speed_modes[SHA384], 0, BENCH_SHA512, 128.0 / 80, false },
    { "sha512", &speed_modes[SHA512], 0, BENCH_SHA512, 128.0 / 80, false },
    { "sm3", &speed_modes[SM3], 0, BENCH_SHA512, 64.0 / 64, false },
};

const char *op_title(const struct alg *alg, enum op op)
{
    return alg->mode->one_op ? alg->mode->one_op : op == SEAL ? "encryption" : "decryption";
}
