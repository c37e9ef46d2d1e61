/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ChaCha20-Poly1305 (RFC 8439, 2.8) and XChaCha20-Poly1305: the public functions.
 */
#include "aead_internal.h"
#include "chacha20poly1305_internal.h"

/* ---- Keys ---- */

int lc_chacha20poly1305_init_impl(struct lc_chacha20poly1305_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    const struct lc_impl *row;
    int status;

    if (raw_len != 32)
        return LC_ERR_KEY_LEN;
    status = lc_select(&lc_chacha20poly1305_mode, impl, &row);
    if (status != LC_OK)
        return status;
    memcpy(key->raw, raw, 32);
    key->impl = (const struct lc_chacha20poly1305_impl *)row; /* its first member */
    return LC_OK;
}

int lc_chacha20poly1305_init(struct lc_chacha20poly1305_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_chacha20poly1305_init_impl(key, NULL, raw, raw_len);
}

const char *lc_chacha20poly1305_impl_name(const struct lc_chacha20poly1305_key *key)
{
    return key->impl->impl.name;
}

void lc_chacha20poly1305_wipe(struct lc_chacha20poly1305_key *key)
{
    lc_wipe(key, sizeof(*key));
}

/* ---- What whole messages and streams share ---- */

#define TAG_LEN 16
#define NONCE_LEN 12
#define XNONCE_LEN 24

/* The hash, or the tag, and Poly1305's key. */
static void wipe_secrets(struct lc_chacha20poly1305_msg *msg)
{
    lc_wipe(msg->hash, sizeof(msg->hash));
    lc_wipe(msg->r, sizeof(msg->r));
    lc_wipe(msg->s, sizeof(msg->s));
}

/* ---- Whole messages ---- */

/*
 * By words: the nonce was written just before, as 4 and 8 bytes or as 8 and 4, and a load of 8 would have to wait for two
 * stores.  The asm statement keeps compilers from making one load of two.
 */
static inline void load_nonce(uint32_t words[3], const uint8_t nonce[NONCE_LEN])
{
    uint32_t w[3];

    memcpy(&w[0], nonce, 4);
    memcpy(&w[1], nonce + 4, 4);
    memcpy(&w[2], nonce + 8, 4);
    __asm__("" : "+r"(w[1]));
    memcpy(words, w, sizeof(w));
}

/* Leaves the tag in msg->hash, which is to be wiped: that of a forgery is secret. */
static int crypt_message(lc_chacha20poly1305_crypt_fn *crypt_fn, const uint8_t raw[32], struct lc_chacha20poly1305_msg *msg,
                         size_t tag_len, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *aad, size_t aad_len,
                         const uint8_t *nonce, size_t nonce_len)
{
    if (tag_len != TAG_LEN)
        return LC_ERR_TAG_LEN;
    if ((uint64_t)len > LC_CHACHA20POLY1305_MAX_LEN)
        return LC_ERR_LEN;
    if (nonce_len != NONCE_LEN)
        return LC_ERR_NONCE_LEN;
    msg->aad = aad;
    msg->aad_len = aad_len;
    msg->kept = 0;
    msg->power = NULL;
    msg->powers = NULL;
    load_nonce(&msg->iv[1], nonce);
    msg->iv[0] = 0;
    msg->lens[0] = aad_len;
    msg->lens[1] = len;
    crypt_fn(raw, dst, src, len, msg, LC_CHACHA20POLY1305_FIRST | LC_CHACHA20POLY1305_LAST);
    return LC_OK;
}

int lc_chacha20poly1305_seal(const struct lc_chacha20poly1305_key *key, uint8_t *dst, uint8_t *tag, size_t tag_len,
                             const uint8_t *src, size_t len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                             size_t nonce_len)
{
    struct lc_chacha20poly1305_msg msg;
    int status = crypt_message(key->impl->encrypt, key->raw, &msg, tag_len, dst, src, len, aad, aad_len, nonce, nonce_len);

    if (status == LC_OK) {
        lc_copy_tag(tag, TAG_LEN, msg.hash);
        wipe_secrets(&msg);
    }
    return status;
}

int lc_chacha20poly1305_open(const struct lc_chacha20poly1305_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                             const uint8_t *tag, size_t tag_len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                             size_t nonce_len)
{
    struct lc_chacha20poly1305_msg msg;
    int status = crypt_message(key->impl->decrypt, key->raw, &msg, tag_len, dst, src, len, aad, aad_len, nonce, nonce_len);

    if (status == LC_OK) {
        status = lc_check_tag(tag, TAG_LEN, msg.hash);
        wipe_secrets(&msg);
        if (len && status != LC_OK)
            lc_wipe(dst, len);
    }
    return status;
}

/* ---- XChaCha20-Poly1305 ---- */

/*
 * A key of its own for each nonce: HChaCha20 of the key and the nonce's first 16 bytes; the last 8 are the end of a short nonce.
 * HChaCha20 is the block function without the last addition, of which words 0..3 and 12..15 are taken: what is added there, the
 * constants and the nonce, is known, and is taken off again.
 */
int lc_xchacha20poly1305_subkey(struct lc_chacha20poly1305_key *subkey, uint8_t short_nonce[NONCE_LEN],
                                const struct lc_chacha20poly1305_key *key, const uint8_t *nonce, size_t nonce_len)
{
    static const uint32_t constants[4] = { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 }; /* "expand 32-byte k" */
    static const uint8_t zeros[64];
    uint32_t iv[4], block[16];

    if (nonce_len != XNONCE_LEN)
        return LC_ERR_NONCE_LEN;
    memcpy(iv, nonce, 16);
    key->impl->xor ((uint8_t *)block, zeros, 64, key->raw, iv);
    for (size_t i = 0; i < 4; i++) {
        block[i] -= constants[i];
        block[4 + i] = block[12 + i] - iv[i];
    }
    memcpy(subkey->raw, block, 32);
    subkey->impl = key->impl;
    memset(short_nonce, 0, 4);
    memcpy(short_nonce + 4, nonce + 16, 8);
    lc_wipe(block, sizeof(block));
    return LC_OK;
}

int lc_xchacha20poly1305_seal(const struct lc_chacha20poly1305_key *key, uint8_t *dst, uint8_t *tag, size_t tag_len,
                              const uint8_t *src, size_t len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                              size_t nonce_len)
{
    struct lc_chacha20poly1305_key subkey;
    uint8_t short_nonce[NONCE_LEN];
    int status = lc_xchacha20poly1305_subkey(&subkey, short_nonce, key, nonce, nonce_len);

    if (status == LC_OK) {
        status = lc_chacha20poly1305_seal(&subkey, dst, tag, tag_len, src, len, aad, aad_len, short_nonce, NONCE_LEN);
        lc_chacha20poly1305_wipe(&subkey);
    }
    return status;
}

int lc_xchacha20poly1305_open(const struct lc_chacha20poly1305_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                              const uint8_t *tag, size_t tag_len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                              size_t nonce_len)
{
    struct lc_chacha20poly1305_key subkey;
    uint8_t short_nonce[NONCE_LEN];
    int status = lc_xchacha20poly1305_subkey(&subkey, short_nonce, key, nonce, nonce_len);

    if (status == LC_OK) {
        status = lc_chacha20poly1305_open(&subkey, dst, src, len, tag, tag_len, aad, aad_len, short_nonce, NONCE_LEN);
        lc_chacha20poly1305_wipe(&subkey);
    }
    return status;
}

/* ---- Many messages ---- */

/* The longest messages and AAD that go into a batch. */
#define MANY_LEN 192
#define MANY_AAD_LEN 64

/* Messages whose key stream is made in one call: block 0 and the text's, message after message. */
struct batch {
    struct lc_aead_item *items[LC_CHACHA20POLY1305_MANY];
    uint32_t ivs[4][LC_CHACHA20POLY1305_MANY];
    size_t num_items, num_blocks;
};

static size_t blocks_of(const struct lc_aead_item *m)
{
    return 1 + (m->len + 63) / 64;
}

static void add_to_batch(struct batch *b, struct lc_aead_item *m)
{
    uint32_t nonce[3], num_blocks = (uint32_t)blocks_of(m);

    memcpy(nonce, m->nonce, NONCE_LEN);
    for (uint32_t i = 0; i < num_blocks; i++, b->num_blocks++) {
        b->ivs[0][b->num_blocks] = i;
        for (size_t w = 0; w < 3; w++)
            b->ivs[1 + w][b->num_blocks] = nonce[w];
    }
    b->items[b->num_items++] = m;
}

/* One message of a batch, by its key stream.  A forgery's text is never made. */
static void crypt_item(const struct lc_chacha20poly1305_impl *impl, struct lc_aead_item *m, uint8_t *keystream, int decrypt)
{
    uint64_t tag[2];

    if (!decrypt)
        lc_xor_bytes(m->dst, m->src, keystream + 64, m->len);
    impl->mac(tag, keystream, m, decrypt ? m->src : m->dst);
    m->status = LC_OK;
    if (!decrypt)
        lc_copy_tag(m->tag, TAG_LEN, tag);
    else if ((m->status = lc_check_tag(m->tag, TAG_LEN, tag)) == LC_OK)
        lc_xor_bytes(m->dst, m->src, keystream + 64, m->len);
    else if (m->len)
        memset(m->dst, 0, m->len);
    lc_wipe(tag, sizeof(tag)); /* nobody is to have those of forgeries */
}

static void crypt_single(const struct lc_chacha20poly1305_key *key, struct lc_aead_item *m, int decrypt)
{
    if (decrypt)
        m->status = lc_chacha20poly1305_open(key, m->dst, m->src, m->len, m->tag, TAG_LEN, m->aad, m->aad_len, m->nonce, NONCE_LEN);
    else
        m->status = lc_chacha20poly1305_seal(key, m->dst, m->tag, TAG_LEN, m->src, m->len, m->aad, m->aad_len, m->nonce, NONCE_LEN);
}

static void run_batch(const struct lc_chacha20poly1305_key *key, struct batch *b, int decrypt)
{
    _Alignas(64) uint8_t keystream[LC_CHACHA20POLY1305_MANY][64];
    size_t block = 0;

    if (b->num_items <= 2) { /* for which a pass doesn't pay */
        for (size_t i = 0; i < b->num_items; i++)
            crypt_single(key, b->items[i], decrypt);
    } else {
        key->impl->many(keystream, b->num_blocks, key->raw, (const uint32_t(*)[LC_CHACHA20POLY1305_MANY])b->ivs);
        for (size_t i = 0; i < b->num_items; i++) {
            crypt_item(key->impl, b->items[i], keystream[block], decrypt);
            block += blocks_of(b->items[i]);
        }
        lc_wipe(keystream, sizeof(keystream));
    }
    b->num_items = b->num_blocks = 0;
}

static int crypt_many(const struct lc_chacha20poly1305_key *key, struct lc_aead_item *items, size_t num_items, int decrypt)
{
    struct batch batch = { .num_items = 0 };

    for (size_t i = 0; i < num_items; i++) {
        struct lc_aead_item *m = &items[i];

        if (key->impl->many && m->len <= MANY_LEN && m->aad_len <= MANY_AAD_LEN) {
            if (batch.num_blocks + blocks_of(m) > LC_CHACHA20POLY1305_MANY)
                run_batch(key, &batch, decrypt);
            add_to_batch(&batch, m);
        } else {
            crypt_single(key, m, decrypt);
        }
    }
    run_batch(key, &batch, decrypt);
    return lc_first_error(items, num_items);
}

int lc_chacha20poly1305_seal_many(const struct lc_chacha20poly1305_key *key, struct lc_aead_item *items, size_t num_items)
{
    return crypt_many(key, items, num_items, 0);
}

int lc_chacha20poly1305_open_many(const struct lc_chacha20poly1305_key *key, struct lc_aead_item *items, size_t num_items)
{
    return crypt_many(key, items, num_items, 1);
}

/* ---- Streams ---- */

/* One call of the implementation: where a text block begins, or without text.  Returns msg.kept. */
static size_t crypt_piece(struct lc_chacha20poly1305_state *s, lc_chacha20poly1305_crypt_fn *crypt_fn, const uint8_t *aad,
                          size_t aad_len, uint8_t *dst, const uint8_t *src, size_t len, unsigned how)
{
    struct lc_chacha20poly1305_msg msg = {
        .aad = aad,
        .aad_len = aad_len,
        .iv = { s->iv[0], s->iv[1], s->iv[2], s->iv[3] },
        .hash = { s->poly.h[0], s->poly.h[1], s->poly.h[2] },
        .r = { s->poly.r[0], s->poly.r[1] },
        .s = { s->poly.s[0], s->poly.s[1] },
        .lens = { s->aad_len, s->len },
        .power = s->power,
        .powers = &s->poly
    };

    crypt_fn(s->key->raw, dst, src, len, &msg, how | s->first);
    s->iv[0] += s->first != 0;
    s->first = 0;
    s->iv[0] += (uint32_t)(len / 64);
    memcpy(s->poly.h, msg.hash, sizeof(s->poly.h));
    memcpy(s->poly.r, msg.r, sizeof(s->poly.r));
    memcpy(s->poly.s, msg.s, sizeof(s->poly.s));
    wipe_secrets(&msg);
    return msg.kept;
}

static void hash_block(struct lc_chacha20poly1305_state *s)
{
    crypt_piece(s, s->key->impl->encrypt, s->block, s->block_len, NULL, NULL, 0, LC_CHACHA20POLY1305_MORE);
    s->block_len = 0;
}

int lc_chacha20poly1305_start(struct lc_chacha20poly1305_state *s, const struct lc_chacha20poly1305_key *key, const uint8_t *nonce,
                              size_t nonce_len)
{
    if (nonce_len != NONCE_LEN)
        return LC_ERR_NONCE_LEN;
    s->key = key; /* one by one, as most of the state needn't be anything yet */
    s->iv[0] = 0;
    memcpy(&s->iv[1], nonce, NONCE_LEN);
    memset(&s->poly, 0, offsetof(struct lc_poly1305_state, powers));
    memset(s->power, 0, sizeof(s->power));
    s->aad_len = 0;
    s->len = 0;
    s->block_len = 0;
    s->phase = LC_AEAD_AAD;
    s->first = LC_CHACHA20POLY1305_FIRST; /* block 0 costs little beside text: it waits for that */
    s->left = 0;
    return LC_OK;
}

void lc_chacha20poly1305_state_set_key(struct lc_chacha20poly1305_state *s, const struct lc_chacha20poly1305_key *key)
{
    s->key = key;
}

int lc_chacha20poly1305_aad(struct lc_chacha20poly1305_state *s, const uint8_t *aad, size_t aad_len)
{
    if (s->phase != LC_AEAD_AAD)
        return LC_ERR_STATE;
    s->aad_len += aad_len;
    while (aad_len) {
        size_t n;

        if (s->block_len == sizeof(s->block))
            hash_block(s);
        if (s->block_len == 0 && aad_len > sizeof(s->block)) {
            n = aad_len & ~(size_t)15;
            crypt_piece(s, s->key->impl->encrypt, aad, n, NULL, NULL, 0, LC_CHACHA20POLY1305_MORE);
        } else {
            n = sizeof(s->block) - s->block_len < aad_len ? sizeof(s->block) - s->block_len : aad_len;
            memcpy(s->block + s->block_len, aad, n);
            s->block_len += (uint32_t)n;
        }
        aad += n;
        aad_len -= n;
    }
    return LC_OK;
}

/* Text begins.  What is left of the AAD is hashed, padded. */
static void end_aad(struct lc_chacha20poly1305_state *s)
{
    if (s->block_len) {
        const size_t padded_len = (s->block_len + 15) & ~(size_t)15;

        memset(s->block + s->block_len, 0, padded_len - s->block_len);
        s->key->impl->blocks(&s->poly, s->block, padded_len, 1);
        s->block_len = 0;
    }
}

/* Room for num_blocks blocks, at a multiple of 64 bytes: else each vector of 512 bits would cross a line. */
static uint8_t *room_for(struct lc_chacha20poly1305_state *s, size_t num_blocks)
{
    const uint32_t begin = (uint32_t)(-(uintptr_t)s->keystream & 63);

    s->end = begin + 64 * (uint32_t)num_blocks;
    return s->keystream + begin;
}

/* The key stream of the next blocks.  If the message begins with it, Poly1305's key comes first. */
static void make_keystream(struct lc_chacha20poly1305_state *s, size_t num_blocks)
{
    const size_t first = s->first != 0; /* then it's one block */
    uint8_t *keystream;

    num_blocks += first;
    keystream = room_for(s, num_blocks);
    memset(keystream, 0, 64 * num_blocks);
    s->key->impl->xor (keystream, keystream, 64 * num_blocks, s->key->raw, s->iv);
    s->iv[0] += (uint32_t)num_blocks;
    s->left = 64 * (uint32_t)(num_blocks - first);
    if (first) {
        lc_poly1305_load_key(s->poly.r, s->poly.s, keystream);
        s->first = 0;
    }
}

/* Ciphertext: few bytes wait in `block`, and so does what isn't a whole block yet. */
static void hash_text(struct lc_chacha20poly1305_state *s, const uint8_t *text, size_t len)
{
    size_t n = sizeof(s->block) - s->block_len;

    if (len < n) {
        memcpy(s->block + s->block_len, text, len);
        s->block_len += (uint32_t)len;
        return;
    }
    if (s->block_len) {
        memcpy(s->block + s->block_len, text, n);
        s->key->impl->blocks(&s->poly, s->block, sizeof(s->block), 1);
        text += n;
        len -= n;
    }
    n = len & ~(size_t)15;
    if (n)
        s->key->impl->blocks(&s->poly, text, n, 1);
    s->block_len = (uint32_t)(len - n);
    memcpy(s->block, text + n, s->block_len);
}

/* Key stream that was made ahead */
static void apply_keystream(struct lc_chacha20poly1305_state *s, uint8_t *dst, const uint8_t *src, size_t len)
{
    lc_chacha20_apply_fn *const apply = s->key->impl->apply;
    const uint8_t *const keystream = s->keystream + s->end - s->left;
    const size_t whole_len = apply ? len & ~(size_t)63 : 0;

    if (whole_len)
        apply(dst, src, keystream, whole_len / 64);
    lc_xor_bytes(dst + whole_len, src + whole_len, keystream + whole_len, len - whole_len);
    s->left -= (uint32_t)len;
}

/* So many passes at a time stay in the first cache until they are hashed. */
#define CHUNK_PASSES 16

/*
 * Whole passes of a later piece, by themselves.  One pass late in a message may have the key stream of the next one beside it.
 * Returns how many of the len bytes, which are a pass or more, are done.  (Not inline: short pieces took up to 5 % longer then.)
 */
static __attribute__((__noinline__)) size_t crypt_passes(struct lc_chacha20poly1305_state *s, enum lc_aead_phase phase,
                                                         uint8_t *dst, const uint8_t *src, size_t len)
{
    const struct lc_chacha20poly1305_impl *const impl = s->key->impl;
    const size_t pass_len = impl->pass_len, whole_passes = len / pass_len;
    const size_t num_passes = whole_passes < CHUNK_PASSES ? whole_passes : CHUNK_PASSES, n = num_passes * pass_len;
    uint8_t *ahead = NULL;

    if (phase == LC_AEAD_DECRYPT)
        hash_text(s, src, n);
    if (num_passes == 1 && impl->ahead_from && s->len >= impl->ahead_from && LC_CHACHA20POLY1305_MAX_LEN - s->len >= 2 * pass_len) {
        ahead = room_for(s, pass_len / 64);
        s->left = (uint32_t)pass_len;
    }
    impl->passes(dst, src, num_passes, ahead, s->key->raw, s->iv);
    s->iv[0] += (uint32_t)((num_passes + (ahead != NULL)) * (pass_len / 64));
    if (phase == LC_AEAD_ENCRYPT)
        hash_text(s, dst, n);
    return n;
}

/*
 * Passes, or the blocks of 64 bytes of a message's first piece, go to the implementation, with what `block` still holds (the end
 * of the AAD, or whole blocks of text) in the same call.  Where it has `passes`, those of later pieces go there, and are hashed by
 * themselves.  All else is done here, by key stream that is made ahead: see lc_blocks_ahead().
 */
static int crypt_text(struct lc_chacha20poly1305_state *s, enum lc_aead_phase phase, lc_chacha20poly1305_crypt_fn *crypt_fn,
                      uint8_t *dst, const uint8_t *src, size_t len)
{
    const uint64_t done_len = s->len;
    const size_t pass_len = s->key->impl->pass_len, direct_len = done_len ? pass_len : 64;

    if (lc_phase_is_bad(s->phase, phase))
        return LC_ERR_STATE;
    if (len > LC_CHACHA20POLY1305_MAX_LEN - s->len)
        return LC_ERR_LEN;
    s->phase = phase;
    while (len) {
        size_t n;

        if (s->left == 0 && done_len && len >= pass_len && s->key->impl->passes) {
            n = crypt_passes(s, phase, dst, src, len);
        } else if (s->left == 0 && len >= direct_len) {
            n = len - len % direct_len;
            s->block_len = (uint32_t)crypt_piece(s, crypt_fn, s->block, s->block_len, dst, src, n, LC_CHACHA20POLY1305_MORE);
            memcpy(s->block, dst + n - s->block_len, s->block_len);
        } else {
            if (s->left == 0) {
                uint64_t blocks_left = (LC_CHACHA20POLY1305_MAX_LEN - s->len + 63) / 64;

                make_keystream(s, lc_blocks_ahead(len, done_len, 64, pass_len / 64, blocks_left));
            }
            if (s->len == 0)
                end_aad(s);
            n = len < s->left ? len : s->left;
            if (phase == LC_AEAD_DECRYPT)
                hash_text(s, src, n);
            apply_keystream(s, dst, src, n);
            if (phase == LC_AEAD_ENCRYPT)
                hash_text(s, dst, n);
        }
        s->len += n;
        dst += n;
        src += n;
        len -= n;
    }
    return LC_OK;
}

int lc_chacha20poly1305_encrypt(struct lc_chacha20poly1305_state *s, uint8_t *dst, const uint8_t *src, size_t len)
{
    return crypt_text(s, LC_AEAD_ENCRYPT, s->key->impl->encrypt, dst, src, len);
}

int lc_chacha20poly1305_decrypt(struct lc_chacha20poly1305_state *s, uint8_t *dst, const uint8_t *src, size_t len)
{
    return crypt_text(s, LC_AEAD_DECRYPT, s->key->impl->decrypt, dst, src, len);
}

/* Leaves the tag in s->poly.h, which is to be wiped. */
static int finish(struct lc_chacha20poly1305_state *s, enum lc_aead_phase phase, size_t tag_len)
{
    if (lc_phase_is_bad(s->phase, phase))
        return LC_ERR_STATE;
    if (tag_len != TAG_LEN)
        return LC_ERR_TAG_LEN;
    crypt_piece(s, s->key->impl->encrypt, s->block, s->block_len, NULL, NULL, 0, LC_CHACHA20POLY1305_LAST);
    lc_wipe(s->keystream, sizeof(s->keystream));
    s->phase = LC_AEAD_ENDED;
    return LC_OK;
}

int lc_chacha20poly1305_tag(struct lc_chacha20poly1305_state *s, uint8_t *tag, size_t tag_len)
{
    int status = finish(s, LC_AEAD_ENCRYPT, tag_len);

    if (status == LC_OK) {
        memcpy(tag, s->poly.h, TAG_LEN);
        lc_wipe(s->poly.h, sizeof(s->poly.h));
    }
    return status;
}

int lc_chacha20poly1305_verify(struct lc_chacha20poly1305_state *s, const uint8_t *tag, size_t tag_len)
{
    int status = finish(s, LC_AEAD_DECRYPT, tag_len);

    if (status == LC_OK) {
        status = lc_check_tag(tag, TAG_LEN, s->poly.h);
        lc_wipe(s->poly.h, sizeof(s->poly.h));
    }
    return status;
}

int lc_chacha20poly1305_verify_prefix(struct lc_chacha20poly1305_state *s, const uint8_t *tag, size_t tag_len)
{
    int status = tag_len == 0 || tag_len > TAG_LEN ? LC_ERR_TAG_LEN : finish(s, LC_AEAD_DECRYPT, TAG_LEN);

    if (status == LC_OK) {
        status = lc_check_tag_prefix(tag, tag_len, s->poly.h);
        lc_wipe(s->poly.h, sizeof(s->poly.h));
    }
    return status;
}

void lc_chacha20poly1305_state_wipe(struct lc_chacha20poly1305_state *s)
{
    lc_wipe(s, sizeof(*s));
}

/* ---- The table of functions ---- */

LC_AEAD_OPS(chacha20poly1305)
