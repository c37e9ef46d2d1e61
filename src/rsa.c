/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RSA (RFC 8017): calls for many, the Chinese remainder theorem; signatures and what is signed.  Powers are the row's.
 *
 * A signature of the encoded message x is s = x^d mod n.  With n = p q it takes a quarter of the time from both halves,
 *
 *      s_p = x^(d mod p - 1) mod p,   s_q = x^(d mod q - 1) mod q,   s = s_q + q ((s_p - s_q) / q mod p)
 *
 * and then who gets an s of which only one half is wrong has a factor of n: gcd(s^e - x, n).  So s^e is compared with x before s
 * leaves.  Decryption is the same, of a ciphertext x: see rsa_oaep.c.
 *
 * Items go through in chunks of keys that have one length and one implementation.
 */
#include <sys/random.h>

#include "lanecrypt/sha2.h"
#include "rsa_internal.h"

enum { MAX_DIGEST = LC_RSA_MAX_DIGEST, PSS_TRAILER = 0xbc };

/* ---- What the caller gives, and what the system gives ---- */

size_t lc_rsa_read_once(const volatile size_t *len)
{
    return *len;
}

/* Up to 256 bytes a signal doesn't interrupt it, once the system has had randomness at all. */
int lc_rsa_random(uint8_t *bytes, size_t len)
{
    return getrandom(bytes, len, 0) == (ssize_t)len;
}

/* ---- Hash functions ---- */

size_t lc_rsa_digest_len(const volatile enum lc_rsa_hash *hash)
{
    switch (*hash) {
    case LC_RSA_SHA256: return LC_SHA256_LEN;
    case LC_RSA_SHA384: return LC_SHA384_LEN;
    case LC_RSA_SHA512: return LC_SHA512_LEN;
    default: return 0;
    }
}

int lc_rsa_hash_many(size_t len, const struct lc_hash_item *items, size_t num)
{
    return len == LC_SHA256_LEN   ? lc_sha256_many(items, num)
           : len == LC_SHA384_LEN ? lc_sha384_many(items, num)
                                  : lc_sha512_many(items, num);
}

int lc_rsa_mask(uint8_t *bytes, size_t len, const uint8_t *seed, size_t hash_len)
{
    enum { MAX_HASHES = LC_RSA_MAX_LEN / LC_SHA256_LEN };
    uint8_t inputs[MAX_HASHES][MAX_DIGEST + 4], outputs[MAX_HASHES][MAX_DIGEST];
    struct lc_hash_item items[MAX_HASHES];
    const size_t num = (len + hash_len - 1) / hash_len;
    int status;

    for (size_t i = 0; i < num; i++) {
        memcpy(inputs[i], seed, hash_len);
        memset(inputs[i] + hash_len, 0, 3);
        inputs[i][hash_len + 3] = (uint8_t)i;
        items[i] = (struct lc_hash_item){ outputs[i], inputs[i], hash_len + 4 };
    }
    status = lc_rsa_hash_many(hash_len, items, num);
    for (size_t i = 0; status == LC_OK && i < len; i++)
        bytes[i] ^= outputs[i / hash_len][i % hash_len];
    return status;
}

/* ---- Encodings.  They are as long as n, whose first byte has its highest bit: so emBits is one less, and fills len bytes. ---- */

/* EMSA-PKCS1-v1_5 (9.2): 0 1 ff .. ff 0, the hash function's DigestInfo, the digest */
static void encode_pkcs1(uint8_t *em, size_t len, const uint8_t *digest, size_t hash_len)
{
    /* SEQUENCE, SEQUENCE, OID 2.16.840.1.101.3.4.2.x, NULL, OCTET STRING */
    uint8_t info[19] = { 0x30, (uint8_t)(17 + hash_len), 0x30, 13, 0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 0, 0x05, 0,
                         0x04, (uint8_t)hash_len };
    uint8_t *p = em + len - hash_len;

    info[14] = (uint8_t)(hash_len / 16 - 1);
    memcpy(p, digest, hash_len);
    p -= sizeof(info);
    memcpy(p, info, sizeof(info));
    *--p = 0;
    memset(em, 0xff, (size_t)(p - em));
    em[0] = 0;
    em[1] = 1;
}

/* hash = Hash(0 0 0 0 0 0 0 0 || digest || salt) */
static int hash_salted(uint8_t *hash, const uint8_t *digest, size_t hash_len, const uint8_t *salt, size_t salt_len)
{
    uint8_t message[8 + LC_RSA_MAX_LEN] = { 0 };
    const struct lc_hash_item item = { hash, message, 8 + hash_len + salt_len };

    memcpy(message + 8, digest, hash_len);
    if (salt_len)
        memcpy(message + 8 + hash_len, salt, salt_len);
    return lc_rsa_hash_many(hash_len, &item, 1);
}

/* EMSA-PSS (9.1.1): MGF1 ^ (0 .. 0 1 || salt), with its highest bit 0; hash; bc.  The salt fits. */
static int encode_pss(uint8_t *em, size_t len, const uint8_t *digest, size_t hash_len, const uint8_t *salt, size_t salt_len)
{
    const size_t block_len = len - hash_len - 1;
    uint8_t *hash = em + block_len;
    int status;

    memset(em, 0, block_len - salt_len);
    em[block_len - salt_len - 1] = 1;
    if (salt_len)
        memcpy(em + block_len - salt_len, salt, salt_len);
    status = hash_salted(hash, digest, hash_len, em + block_len - salt_len, salt_len);
    if (status == LC_OK)
        status = lc_rsa_mask(em, block_len, hash, hash_len);
    em[0] &= 0x7f;
    em[len - 1] = PSS_TRAILER;
    return status;
}

/* EMSA-PSS (9.1.2).  All of it is public.  em is changed. */
static int check_pss(uint8_t *em, size_t len, const uint8_t *digest, size_t hash_len, size_t salt_len)
{
    const size_t block_len = len - hash_len - 1;
    uint8_t hash[MAX_DIGEST];
    size_t at = 0;
    int status;

    if (em[len - 1] != PSS_TRAILER || em[0] & 0x80)
        return LC_ERR_SIGNATURE;
    status = lc_rsa_mask(em, block_len, em + block_len, hash_len);
    if (status != LC_OK)
        return status;
    em[0] &= 0x7f;
    while (at < block_len - 1 && em[at] == 0)
        at++;
    if (em[at++] != 1 || (salt_len != LC_RSA_ANY_SALT_LEN && salt_len != block_len - at))
        return LC_ERR_SIGNATURE;
    status = hash_salted(hash, digest, hash_len, em + at, block_len - at);
    if (status != LC_OK)
        return status;
    return memcmp(hash, em + block_len, hash_len) == 0 ? LC_OK : LC_ERR_SIGNATURE;
}

/* ---- Calls for many ---- */

/* s of both halves: see above.  s_q may be above p, but both have the same length. */
static void combine(struct lc_rsa_work *w, size_t i, size_t half)
{
    const struct lc_rsa_key *key = w->keys[i];
    const struct lc_rsa_prime *p = &key->prime[0], *q = &key->prime[1];
    const uint64_t *s_p = w->powers[2 * i].r, *s_q = w->powers[2 * i + 1].r;
    uint64_t carry = 0;

    lc_rsa_reduce_once(w->t, s_q, p->m, half);
    lc_rsa_mod_sub(w->t, s_p, w->t, p->m, half);
    lc_rsa_mod_mul(w->t, w->t, key->q_inverse, p->m, p->neg_inverse, half);
    lc_rsa_mul(w->s[i], w->t, q->m, half);
    for (size_t k = 0; k < 2 * half; k++)
        w->s[i][k] = lc_add_carry(w->s[i][k], k < half ? s_q[k] : 0, &carry);
}

void lc_rsa_private_power(struct lc_rsa_work *w, size_t num)
{
    const struct lc_rsa_public_key *first = &w->keys[0]->public_key;
    const size_t words = first->words;

    for (size_t i = 0; i < 2 * num; i++) {
        w->powers[i].prime = &w->keys[i / 2]->prime[i % 2];
        w->powers[i].x = w->x[i / 2];
    }
    first->impl->power(w->powers, 2 * num, words / 2);
    for (size_t i = 0; i < num; i++) {
        combine(w, i, words / 2);
        w->ops[i].key = &w->keys[i]->public_key;
        memcpy(w->ops[i].x, w->s[i], 8 * words);
    }
    first->impl->public_power(w->ops, num);
    for (size_t i = 0; i < num; i++)
        w->right[i] = lc_rsa_equal(w->ops[i].x, w->x[i], words);
}

/* (Not inline, so that its frame is one of those that are wiped.) */
static __attribute__((noinline)) void run(const struct lc_rsa_call *call, void *items, size_t num_items)
{
    struct lc_rsa_work w;
    void *chunk[LC_RSA_CHUNK];

    for (size_t i = 0; i < num_items; i++)
        *call->item(items, i).status = LC_ERR_KEY; /* it stays if the key has none of the lengths */
    for (size_t words = 32; words <= LC_RSA_MAX_WORDS; words += 16) {
        const struct lc_rsa_impl *impl = NULL;
        size_t num = 0;

        for (size_t i = 0; i < num_items; i++) {
            const struct lc_rsa_item item = call->item(items, i);
            int status;

            if (item.key->words != words)
                continue;
            if (num == LC_RSA_CHUNK || (num && item.key->impl != impl)) {
                call->end(&w, chunk, num);
                num = 0;
            }
            impl = item.key->impl;
            status = call->begin(&w, num, item.item);
            *item.status = status;
            if (status == LC_OK)
                chunk[num++] = item.item;
        }
        if (num)
            call->end(&w, chunk, num);
    }
}

int lc_rsa_many(const struct lc_rsa_call *call, void *items, size_t num_items)
{
    const struct lc_rsa_impl *impl = NULL;
    int first = LC_OK;

    run(call, items, num_items);
    for (size_t i = num_items; i-- > 0;) {
        const struct lc_rsa_item item = call->item(items, i);

        first = *item.status != LC_OK ? *item.status : first;
        if (!call->secret || *item.status == LC_ERR_KEY)
            continue;
        if (impl && impl != item.key->impl)
            impl->wipe();
        impl = item.key->impl;
    }
    if (impl)
        impl->wipe(); /* the last thing that's done */
    return first;
}

/* ---- Signing ---- */

static struct lc_rsa_item sign_item(void *items, size_t i)
{
    struct lc_rsa_sign_item *item = (struct lc_rsa_sign_item *)items + i;

    return (struct lc_rsa_item){ &item->key->public_key, &item->status, item };
}

enum scheme { PKCS1, PSS, PSS_WITH_SALT };

static int begin_signing(struct lc_rsa_work *w, size_t i, const struct lc_rsa_sign_item *item, enum scheme scheme)
{
    const size_t len = lc_rsa_len(item->key), hash_len = lc_rsa_digest_len(&item->hash);
    const size_t salt_len = scheme == PSS_WITH_SALT ? lc_rsa_read_once(&item->salt_len) : hash_len;
    uint8_t em[LC_RSA_MAX_LEN], random[MAX_DIGEST];
    int status = LC_OK;

    if (hash_len == 0 || (scheme != PKCS1 && salt_len > len - hash_len - 2))
        return LC_ERR_LEN;
    if (scheme == PKCS1) {
        encode_pkcs1(em, len, item->digest, hash_len);
    } else {
        if (scheme == PSS && !lc_rsa_random(random, hash_len))
            return LC_ERR_RANDOM;
        status = encode_pss(em, len, item->digest, hash_len, scheme == PSS ? random : item->salt, salt_len);
    }
    w->keys[i] = item->key;
    if (status == LC_OK)
        lc_rsa_from_bytes(w->x[i], len / 8, em, len);
    return status;
}

static int begin_pkcs1(struct lc_rsa_work *w, size_t i, void *item)
{
    return begin_signing(w, i, item, PKCS1);
}

static int begin_pss(struct lc_rsa_work *w, size_t i, void *item)
{
    return begin_signing(w, i, item, PSS);
}

static int begin_pss_with(struct lc_rsa_work *w, size_t i, void *item)
{
    return begin_signing(w, i, item, PSS_WITH_SALT);
}

/* An item whose signature is wrong gets LC_ERR_FAULT. */
static __attribute__((noinline)) void sign_chunk(struct lc_rsa_work *w, void *const *items, size_t num)
{
    lc_rsa_private_power(w, num);
    for (size_t i = 0; i < num; i++) {
        struct lc_rsa_sign_item *item = items[i];

        if (w->right[i])
            lc_rsa_to_bytes(item->sig, w->s[i], w->keys[i]->public_key.words);
        else
            item->status = LC_ERR_FAULT;
    }
}

static const struct lc_rsa_call pkcs1_signing = { sign_item, begin_pkcs1, sign_chunk, 1 };
static const struct lc_rsa_call pss_signing = { sign_item, begin_pss, sign_chunk, 1 };
static const struct lc_rsa_call pss_signing_with = { sign_item, begin_pss_with, sign_chunk, 1 };

int lc_rsa_pkcs1_sign_many(struct lc_rsa_sign_item *items, size_t num_items)
{
    return lc_rsa_many(&pkcs1_signing, items, num_items);
}

int lc_rsa_pss_sign_many(struct lc_rsa_sign_item *items, size_t num_items)
{
    return lc_rsa_many(&pss_signing, items, num_items);
}

int lc_rsa_pss_sign_many_with(struct lc_rsa_sign_item *items, size_t num_items)
{
    return lc_rsa_many(&pss_signing_with, items, num_items);
}

int lc_rsa_pkcs1_sign(const struct lc_rsa_key *key, uint8_t *sig, enum lc_rsa_hash hash, const uint8_t *digest)
{
    struct lc_rsa_sign_item item = { .key = key, .sig = sig, .hash = hash, .digest = digest };

    return lc_rsa_many(&pkcs1_signing, &item, 1);
}

int lc_rsa_pss_sign(const struct lc_rsa_key *key, uint8_t *sig, enum lc_rsa_hash hash, const uint8_t *digest)
{
    struct lc_rsa_sign_item item = { .key = key, .sig = sig, .hash = hash, .digest = digest };

    return lc_rsa_many(&pss_signing, &item, 1);
}

int lc_rsa_pss_sign_with(const struct lc_rsa_key *key, uint8_t *sig, enum lc_rsa_hash hash, const uint8_t *digest,
                         const uint8_t *salt, size_t salt_len)
{
    struct lc_rsa_sign_item item = { .key = key, .sig = sig, .hash = hash, .digest = digest, .salt = salt, .salt_len = salt_len };

    return lc_rsa_many(&pss_signing_with, &item, 1);
}

/* ---- Verifying: all of it is public. ---- */

static struct lc_rsa_item verify_item(void *items, size_t i)
{
    struct lc_rsa_verify_item *item = (struct lc_rsa_verify_item *)items + i;

    return (struct lc_rsa_item){ item->key, &item->status, item };
}

static int begin_verifying(struct lc_rsa_work *w, size_t i, void *of)
{
    const struct lc_rsa_verify_item *item = of;
    const size_t len = lc_rsa_public_len(item->key);

    w->hash_len[i] = lc_rsa_digest_len(&item->hash);
    if (w->hash_len[i] == 0)
        return LC_ERR_LEN;
    if (item->sig_len != len)
        return LC_ERR_SIGNATURE;
    w->ops[i].key = item->key;
    lc_rsa_from_bytes(w->ops[i].x, len / 8, item->sig, len);
    return lc_rsa_below(w->ops[i].x, item->key->n, len / 8) ? LC_OK : LC_ERR_SIGNATURE;
}

static void verify_pkcs1(struct lc_rsa_work *w, void *const *items, size_t num)
{
    w->ops[0].key->impl->public_power(w->ops, num);
    for (size_t i = 0; i < num; i++) {
        struct lc_rsa_verify_item *item = items[i];
        const size_t len = lc_rsa_public_len(w->ops[i].key);
        uint8_t em[LC_RSA_MAX_LEN], expected[LC_RSA_MAX_LEN];

        lc_rsa_to_bytes(em, w->ops[i].x, len / 8);
        encode_pkcs1(expected, len, item->digest, w->hash_len[i]);
        item->status = memcmp(em, expected, len) == 0 ? LC_OK : LC_ERR_SIGNATURE;
    }
}

static void verify_pss(struct lc_rsa_work *w, void *const *items, size_t num)
{
    w->ops[0].key->impl->public_power(w->ops, num);
    for (size_t i = 0; i < num; i++) {
        struct lc_rsa_verify_item *item = items[i];
        const size_t len = lc_rsa_public_len(w->ops[i].key);
        uint8_t em[LC_RSA_MAX_LEN];

        lc_rsa_to_bytes(em, w->ops[i].x, len / 8);
        item->status = check_pss(em, len, item->digest, w->hash_len[i], item->salt_len);
    }
}

static const struct lc_rsa_call pkcs1_verifying = { verify_item, begin_verifying, verify_pkcs1, 0 };
static const struct lc_rsa_call pss_verifying = { verify_item, begin_verifying, verify_pss, 0 };

int lc_rsa_pkcs1_verify_many(struct lc_rsa_verify_item *items, size_t num_items)
{
    return lc_rsa_many(&pkcs1_verifying, items, num_items);
}

int lc_rsa_pss_verify_many(struct lc_rsa_verify_item *items, size_t num_items)
{
    return lc_rsa_many(&pss_verifying, items, num_items);
}

int lc_rsa_pkcs1_verify(const struct lc_rsa_public_key *key, const uint8_t *sig, size_t sig_len, enum lc_rsa_hash hash,
                        const uint8_t *digest)
{
    struct lc_rsa_verify_item item = { .key = key, .sig = sig, .sig_len = sig_len, .hash = hash, .digest = digest };

    return lc_rsa_many(&pkcs1_verifying, &item, 1);
}

int lc_rsa_pss_verify(const struct lc_rsa_public_key *key, const uint8_t *sig, size_t sig_len, enum lc_rsa_hash hash,
                      const uint8_t *digest, size_t salt_len)
{
    struct lc_rsa_verify_item item = {
        .key = key, .sig = sig, .sig_len = sig_len, .hash = hash, .digest = digest, .salt_len = salt_len
    };

    return lc_rsa_many(&pss_verifying, &item, 1);
}
