/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RSAES-OAEP (RFC 8017, 7.1): encryption and decryption.  Powers, and calls for many: rsa.c.
 *
 * What is encrypted is as long as n:
 *
 *      0 || seed ^ MGF1(block) || block,   block = (Hash(label) || 0 .. 0 || 1 || message) ^ MGF1(seed)
 *
 * Who can tell whether a decrypted number's first byte is 0, decrypts what he likes with a few thousand questions (Manger, CRYPTO
 * 2001).  So all of it is looked at, whatever it is, and what comes of it is one bit: nothing shows where it was wrong.  Nor does
 * the length of the message show on the way: it is moved to the front of its place in steps that are the same for all lengths.
 */
#include "rsa_internal.h"

enum { MAX_DIGEST = LC_RSA_MAX_DIGEST };

size_t lc_rsa_oaep_max_len(size_t key_len, enum lc_rsa_hash hash)
{
    const size_t hash_len = lc_rsa_digest_len(&hash);

    return hash_len && key_len >= 2 * hash_len + 2 ? key_len - 2 * hash_len - 2 : 0;
}

static int hash_one(uint8_t *digest, size_t hash_len, const uint8_t *msg, size_t len)
{
    const struct lc_hash_item item = { digest, msg, len };

    return lc_rsa_hash_many(hash_len, &item, 1);
}

/* seed ^= MGF1(block), which is as long as a digest */
static int mask_seed(uint8_t *seed, size_t hash_len, const uint8_t *block, size_t block_len)
{
    uint8_t input[LC_RSA_MAX_LEN + 4], digest[MAX_DIGEST];
    int status;

    memcpy(input, block, block_len);
    memset(input + block_len, 0, 4);
    status = hash_one(digest, hash_len, input, block_len + 4);
    lc_xor_bytes(seed, seed, digest, status == LC_OK ? hash_len : 0);
    return status;
}

/* ---- Encryption ---- */

static struct lc_rsa_item encrypt_item(void *items, size_t i)
{
    struct lc_rsa_encrypt_item *item = (struct lc_rsa_encrypt_item *)items + i;

    return (struct lc_rsa_item){ item->key, &item->status, item };
}

static int begin_encrypting(struct lc_rsa_work *w, size_t i, const struct lc_rsa_encrypt_item *item, int given_seed)
{
    const size_t len = lc_rsa_public_len(item->key), hash_len = lc_rsa_digest_len(&item->hash);
    const size_t msg_len = lc_rsa_read_once(&item->msg_len), block_len = len - hash_len - 1;
    uint8_t em[LC_RSA_MAX_LEN] = { 0 }, seed[MAX_DIGEST];
    uint8_t *const block = em + 1 + hash_len;
    int status;

    if (hash_len == 0 || msg_len > len - 2 * hash_len - 2)
        return LC_ERR_LEN;
    if (given_seed)
        memcpy(seed, item->seed, hash_len);
    else if (!lc_rsa_random(seed, hash_len))
        return LC_ERR_RANDOM;
    status = hash_one(block, hash_len, item->label, item->label_len);
    block[block_len - msg_len - 1] = 1;
    if (msg_len)
        memcpy(block + block_len - msg_len, item->msg, msg_len);
    if (status == LC_OK)
        status = lc_rsa_mask(block, block_len, seed, hash_len);
    memcpy(em + 1, seed, hash_len);
    if (status == LC_OK)
        status = mask_seed(em + 1, hash_len, block, block_len);
    w->ops[i].key = item->key;
    lc_rsa_from_bytes(w->ops[i].x, len / 8, em, len);
    return status;
}

static int begin_random(struct lc_rsa_work *w, size_t i, void *item)
{
    return begin_encrypting(w, i, item, 0);
}

static int begin_with(struct lc_rsa_work *w, size_t i, void *item)
{
    return begin_encrypting(w, i, item, 1);
}

static void encrypt_chunk(struct lc_rsa_work *w, void *const *items, size_t num)
{
    w->ops[0].key->impl->public_power(w->ops, num);
    for (size_t i = 0; i < num; i++) {
        const struct lc_rsa_encrypt_item *item = items[i];

        lc_rsa_to_bytes(item->ct, w->ops[i].x, w->ops[i].key->words);
    }
}

static const struct lc_rsa_call encrypting = { encrypt_item, begin_random, encrypt_chunk, 1 };
static const struct lc_rsa_call encrypting_with = { encrypt_item, begin_with, encrypt_chunk, 1 };

int lc_rsa_oaep_encrypt_many(struct lc_rsa_encrypt_item *items, size_t num_items)
{
    return lc_rsa_many(&encrypting, items, num_items);
}

int lc_rsa_oaep_encrypt_many_with(struct lc_rsa_encrypt_item *items, size_t num_items)
{
    return lc_rsa_many(&encrypting_with, items, num_items);
}

int lc_rsa_oaep_encrypt(const struct lc_rsa_public_key *key, uint8_t *ct, enum lc_rsa_hash hash, const uint8_t *msg, size_t msg_len,
                        const uint8_t *label, size_t label_len)
{
    struct lc_rsa_encrypt_item item = {
        .key = key, .ct = ct, .hash = hash, .msg = msg, .msg_len = msg_len, .label = label, .label_len = label_len
    };

    return lc_rsa_many(&encrypting, &item, 1);
}

int lc_rsa_oaep_encrypt_with(const struct lc_rsa_public_key *key, uint8_t *ct, enum lc_rsa_hash hash, const uint8_t *msg,
                             size_t msg_len, const uint8_t *label, size_t label_len, const uint8_t *seed)
{
    struct lc_rsa_encrypt_item item = {
        .key = key, .ct = ct, .hash = hash, .msg = msg, .msg_len = msg_len, .label = label, .label_len = label_len, .seed = seed
    };

    return lc_rsa_many(&encrypting_with, &item, 1);
}

/* ---- Decryption ---- */

static struct lc_rsa_item decrypt_item(void *items, size_t i)
{
    struct lc_rsa_decrypt_item *item = (struct lc_rsa_decrypt_item *)items + i;

    return (struct lc_rsa_item){ &item->key->public_key, &item->status, item };
}

static int begin_decrypting(struct lc_rsa_work *w, size_t i, void *of)
{
    const struct lc_rsa_decrypt_item *item = of;
    const struct lc_rsa_public_key *key = &item->key->public_key;
    const size_t len = lc_rsa_len(item->key);

    w->hash_len[i] = lc_rsa_digest_len(&item->hash);
    if (w->hash_len[i] == 0)
        return LC_ERR_LEN;
    if (item->ct_len != len)
        return LC_ERR_CIPHERTEXT;
    w->keys[i] = item->key;
    lc_rsa_from_bytes(w->x[i], len / 8, item->ct, len);
    if (!lc_rsa_below(w->x[i], key->n, len / 8))
        return LC_ERR_CIPHERTEXT;
    return hash_one(w->label_hash[i], w->hash_len[i], item->label, item->label_len);
}

/* A message that is somewhere in its place, and then at the front, with zeros behind it */
struct text {
    uint8_t place[2 * LC_RSA_MAX_LEN]; /* the second half: zeros */
};

/* Down by so many bytes, below LC_RSA_MAX_LEN */
static void move_down(struct text *t, uint64_t bytes)
{
    for (size_t step = 1; step < LC_RSA_MAX_LEN; step *= 2) {
        const uint64_t moves = ~lc_mask_if_zero(bytes & step);

        for (size_t i = 0; i < LC_RSA_MAX_LEN; i += 8) {
            uint64_t stays, comes;

            memcpy(&stays, t->place + i, 8);
            memcpy(&comes, t->place + i + step, 8);
            stays ^= (stays ^ comes) & moves;
            memcpy(t->place + i, &stays, 8);
        }
    }
}

/* Of zeros, a 1 and the message: the message.  Returns -1, or 0 if it's something else. */
static uint64_t find_text(struct text *t, uint64_t *msg_len, const uint8_t *padded, size_t len)
{
    uint64_t looking = ~UINT64_C(0), wrong = 0, at = 0;

    for (size_t i = 0; i < len; i++) {
        const uint64_t is_zero = lc_mask_if_zero(padded[i]), is_one = lc_mask_if_zero(padded[i] ^ 1u);

        at |= i & looking & is_one;
        wrong |= looking & ~is_zero & ~is_one;
        looking &= is_zero;
    }
    memset(t, 0, sizeof(*t));
    memcpy(t->place, padded, len);
    move_down(t, at + 1);
    *msg_len = len - 1 - at;
    return lc_mask_if_zero(wrong | looking);
}

/* *right: -1, or 0 if em isn't of that form, and then there's no message.  em is changed. */
static int decode(uint64_t *right, struct text *t, uint64_t *msg_len, uint8_t *em, size_t len, size_t hash_len,
                  const uint8_t *label_hash)
{
    const size_t block_len = len - hash_len - 1;
    uint8_t *const seed = em + 1, *const block = seed + hash_len;
    uint64_t wrong = em[0];
    int status = mask_seed(seed, hash_len, block, block_len);

    if (status == LC_OK)
        status = lc_rsa_mask(block, block_len, seed, hash_len);
    for (size_t i = 0; i < hash_len; i++)
        wrong |= block[i] ^ label_hash[i];
    *right = find_text(t, msg_len, block + hash_len, block_len - hash_len) & lc_mask_if_zero(wrong);
    return status;
}

/*
 * (Not inline, so that the two branches on what comes of secrets have a place: was the calculation right, and is it a message.
 * Each item's status is what it is by a branch, so nothing that looks at it later is another one.)
 */
static __attribute__((noinline)) void decrypt_chunk(struct lc_rsa_work *w, void *const *items, size_t num)
{
    lc_rsa_private_power(w, num);
    for (size_t i = 0; i < num; i++) {
        struct lc_rsa_decrypt_item *item = items[i];
        const size_t len = lc_rsa_len(w->keys[i]), hash_len = w->hash_len[i];
        uint8_t em[LC_RSA_MAX_LEN];
        struct text text;
        uint64_t right, msg_len;
        int status;

        lc_rsa_to_bytes(em, w->s[i], len / 8);
        status = decode(&right, &text, &msg_len, em, len, hash_len, w->label_hash[i]);
        if (status != LC_OK) {
            item->status = status;
        } else if (!w->right[i]) {
            item->status = LC_ERR_FAULT;
        } else if (!right) {
            item->status = LC_ERR_CIPHERTEXT;
        } else {
            memcpy(item->msg, text.place, len - 2 * hash_len - 2);
            item->msg_len = (size_t)msg_len;
        }
    }
}

static const struct lc_rsa_call decrypting = { decrypt_item, begin_decrypting, decrypt_chunk, 1 };

int lc_rsa_oaep_decrypt_many(struct lc_rsa_decrypt_item *items, size_t num_items)
{
    return lc_rsa_many(&decrypting, items, num_items);
}

int lc_rsa_oaep_decrypt(const struct lc_rsa_key *key, uint8_t *msg, size_t *msg_len, enum lc_rsa_hash hash, const uint8_t *ct,
                        size_t ct_len, const uint8_t *label, size_t label_len)
{
    struct lc_rsa_decrypt_item item = {
        .key = key, .msg = msg, .hash = hash, .ct = ct, .ct_len = ct_len, .label = label, .label_len = label_len
    };
    const int status = lc_rsa_many(&decrypting, &item, 1);

    if (status == LC_OK)
        *msg_len = item.msg_len;
    return status;
}
