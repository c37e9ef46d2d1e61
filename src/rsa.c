/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RSA signatures (RFC 8017): what is signed, the Chinese remainder theorem, and the public functions.  Powers are the row's.
 *
 * A signature of the encoded message x is s = x^d mod n.  With n = p q it takes a quarter of the time from both halves,
 *
 *      s_p = x^(d mod p - 1) mod p,   s_q = x^(d mod q - 1) mod q,   s = s_q + q ((s_p - s_q) / q mod p)
 *
 * and then who gets an s of which only one half is wrong has a factor of n: gcd(s^e - x, n).  So s^e is compared with x before s
 * leaves.
 *
 * Items go through in chunks of keys that have one length and one implementation.
 */
#include <sys/random.h>

#include "lanecrypt/sha2.h"
#include "rsa_internal.h"

enum { MAX_DIGEST = 64, PSS_TRAILER = 0xbc };

/* ---- Hash functions ---- */

/* Once, as somebody may change it meanwhile */
static size_t read_once(const volatile size_t *len)
{
    return *len;
}

/* 0: there is no such hash function. */
static size_t digest_len(const volatile enum lc_rsa_hash *hash)
{
    switch (*hash) {
    case LC_RSA_SHA256: return LC_SHA256_LEN;
    case LC_RSA_SHA384: return LC_SHA384_LEN;
    case LC_RSA_SHA512: return LC_SHA512_LEN;
    default: return 0;
    }
}

/* By the length of the digest */
static int hash_many(size_t len, const struct lc_hash_item *items, size_t num)
{
    return len == LC_SHA256_LEN   ? lc_sha256_many(items, num)
           : len == LC_SHA384_LEN ? lc_sha384_many(items, num)
                                  : lc_sha512_many(items, num);
}

/* bytes ^= MGF1(seed) (B.2.1); seed: a digest */
static int mask(uint8_t *bytes, size_t len, const uint8_t *seed, size_t hash_len)
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
    status = hash_many(hash_len, items, num);
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
    return hash_many(hash_len, &item, 1);
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
        status = mask(em, block_len, hash, hash_len);
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
    status = mask(em, block_len, em + block_len, hash_len);
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

/* ---- Signing ---- */

struct signing {
    uint64_t x[LC_RSA_CHUNK][LC_RSA_MAX_WORDS], s[LC_RSA_CHUNK][LC_RSA_MAX_WORDS];
    struct lc_rsa_power powers[2 * LC_RSA_CHUNK];
    struct lc_rsa_public_op checks[LC_RSA_CHUNK];
    uint64_t t[LC_RSA_MAX_WORDS];
};

/* s of both halves: see above.  s_q may be above p, but both have the same length. */
static void combine(struct signing *w, size_t i, const struct lc_rsa_key *key, size_t half)
{
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

/* s = x^d of items whose keys have one length and one implementation; an item whose s is wrong gets LC_ERR_FAULT. */
static __attribute__((noinline)) void sign_chunk(struct signing *w, struct lc_rsa_sign_item *const *items, size_t num)
{
    const struct lc_rsa_public_key *first = &items[0]->key->public_key;
    const size_t words = first->words;

    for (size_t i = 0; i < 2 * num; i++) {
        w->powers[i].prime = &items[i / 2]->key->prime[i % 2];
        w->powers[i].x = w->x[i / 2];
    }
    first->impl->power(w->powers, 2 * num, words / 2);
    for (size_t i = 0; i < num; i++) {
        combine(w, i, items[i]->key, words / 2);
        w->checks[i].key = &items[i]->key->public_key;
        memcpy(w->checks[i].x, w->s[i], 8 * words);
    }
    first->impl->public_power(w->checks, num);
    for (size_t i = 0; i < num; i++) {
        const uint64_t right = lc_rsa_equal(w->checks[i].x, w->x[i], words);

        if (right)
            lc_rsa_to_bytes(items[i]->sig, w->s[i], words);
        else
            items[i]->status = LC_ERR_FAULT;
    }
}

enum scheme { PKCS1, PSS, PSS_WITH_SALT };

/* The item's x, as a number */
static int encode(uint64_t *x, const struct lc_rsa_sign_item *item, enum scheme scheme)
{
    const size_t len = lc_rsa_len(item->key), hash_len = digest_len(&item->hash);
    const size_t salt_len = scheme == PSS_WITH_SALT ? read_once(&item->salt_len) : hash_len;
    uint8_t em[LC_RSA_MAX_LEN], random[MAX_DIGEST];
    int status = LC_OK;

    if (hash_len == 0 || (scheme != PKCS1 && salt_len > len - hash_len - 2))
        return LC_ERR_LEN;
    if (scheme == PKCS1) {
        encode_pkcs1(em, len, item->digest, hash_len);
    } else {
        /* Up to 256 bytes a signal doesn't interrupt it, once the system has had randomness at all. */
        if (scheme == PSS && getrandom(random, hash_len, 0) != (ssize_t)hash_len)
            return LC_ERR_RANDOM;
        status = encode_pss(em, len, item->digest, hash_len, scheme == PSS ? random : item->salt, salt_len);
    }
    if (status == LC_OK)
        lc_rsa_from_bytes(x, len / 8, em, len);
    return status;
}

/* (Not inline, so that its frame is one of those that are wiped.) */
static __attribute__((noinline)) void sign_items(struct lc_rsa_sign_item *items, size_t num_items, enum scheme scheme)
{
    struct signing w;
    struct lc_rsa_sign_item *chunk[LC_RSA_CHUNK];

    for (size_t i = 0; i < num_items; i++)
        items[i].status = LC_ERR_KEY; /* it stays if the key has none of the lengths */
    for (size_t words = 32; words <= LC_RSA_MAX_WORDS; words += 16) {
        size_t num = 0;

        for (size_t i = 0; i < num_items; i++) {
            const struct lc_rsa_public_key *key = &items[i].key->public_key;
            int status;

            if (key->words != words)
                continue;
            if (num == LC_RSA_CHUNK || (num && chunk[0]->key->public_key.impl != key->impl)) {
                sign_chunk(&w, chunk, num);
                num = 0;
            }
            status = encode(w.x[num], &items[i], scheme);
            items[i].status = status;
            if (status == LC_OK)
                chunk[num++] = &items[i];
        }
        if (num)
            sign_chunk(&w, chunk, num);
    }
}

static int sign_many(struct lc_rsa_sign_item *items, size_t num_items, enum scheme scheme)
{
    const struct lc_rsa_impl *wiped = NULL;

    sign_items(items, num_items, scheme);
    for (size_t i = 0; i < num_items; i++)
        if (items[i].status != LC_ERR_KEY && items[i].key->public_key.impl != wiped) {
            wiped = items[i].key->public_key.impl;
            wiped->wipe();
        }
    for (size_t i = 0; i < num_items; i++)
        if (items[i].status != LC_OK)
            return items[i].status;
    return LC_OK;
}

int lc_rsa_pkcs1_sign_many(struct lc_rsa_sign_item *items, size_t num_items)
{
    return sign_many(items, num_items, PKCS1);
}

int lc_rsa_pss_sign_many(struct lc_rsa_sign_item *items, size_t num_items)
{
    return sign_many(items, num_items, PSS);
}

int lc_rsa_pss_sign_many_with(struct lc_rsa_sign_item *items, size_t num_items)
{
    return sign_many(items, num_items, PSS_WITH_SALT);
}

int lc_rsa_pkcs1_sign(const struct lc_rsa_key *key, uint8_t *sig, enum lc_rsa_hash hash, const uint8_t *digest)
{
    struct lc_rsa_sign_item item = { .key = key, .sig = sig, .hash = hash, .digest = digest };

    return sign_many(&item, 1, PKCS1);
}

int lc_rsa_pss_sign(const struct lc_rsa_key *key, uint8_t *sig, enum lc_rsa_hash hash, const uint8_t *digest)
{
    struct lc_rsa_sign_item item = { .key = key, .sig = sig, .hash = hash, .digest = digest };

    return sign_many(&item, 1, PSS);
}

int lc_rsa_pss_sign_with(const struct lc_rsa_key *key, uint8_t *sig, enum lc_rsa_hash hash, const uint8_t *digest,
                         const uint8_t *salt, size_t salt_len)
{
    struct lc_rsa_sign_item item = { .key = key, .sig = sig, .hash = hash, .digest = digest, .salt = salt, .salt_len = salt_len };

    return sign_many(&item, 1, PSS_WITH_SALT);
}

/* ---- Verifying: all of it is public. ---- */

static void verify_chunk(struct lc_rsa_public_op *ops, struct lc_rsa_verify_item *const *items, size_t num, enum scheme scheme)
{
    ops[0].key->impl->public_power(ops, num);
    for (size_t i = 0; i < num; i++) {
        const size_t len = lc_rsa_public_len(ops[i].key), hash_len = digest_len(&items[i]->hash);
        uint8_t em[LC_RSA_MAX_LEN], expected[LC_RSA_MAX_LEN];

        lc_rsa_to_bytes(em, ops[i].x, len / 8);
        if (hash_len == 0) { /* it was one when it was looked at first */
            items[i]->status = LC_ERR_LEN;
        } else if (scheme == PKCS1) {
            encode_pkcs1(expected, len, items[i]->digest, hash_len);
            items[i]->status = memcmp(em, expected, len) == 0 ? LC_OK : LC_ERR_SIGNATURE;
        } else {
            items[i]->status = check_pss(em, len, items[i]->digest, hash_len, items[i]->salt_len);
        }
    }
}

static int verify_many(struct lc_rsa_verify_item *items, size_t num_items, enum scheme scheme)
{
    struct lc_rsa_public_op ops[LC_RSA_CHUNK];
    struct lc_rsa_verify_item *chunk[LC_RSA_CHUNK];

    for (size_t i = 0; i < num_items; i++)
        items[i].status = LC_ERR_KEY; /* it stays if the key has none of the lengths */
    for (size_t words = 32; words <= LC_RSA_MAX_WORDS; words += 16) {
        size_t num = 0;

        for (size_t i = 0; i < num_items; i++) {
            const struct lc_rsa_public_key *key = items[i].key;

            if (key->words != words)
                continue;
            if (num == LC_RSA_CHUNK || (num && ops[0].key->impl != key->impl)) {
                verify_chunk(ops, chunk, num, scheme);
                num = 0;
            }
            items[i].status = digest_len(&items[i].hash) == 0 ? LC_ERR_LEN : LC_ERR_SIGNATURE;
            if (items[i].status == LC_ERR_LEN || items[i].sig_len != 8 * words)
                continue;
            ops[num].key = key;
            lc_rsa_from_bytes(ops[num].x, words, items[i].sig, 8 * words);
            if (lc_rsa_below(ops[num].x, key->n, words))
                chunk[num++] = &items[i];
        }
        if (num)
            verify_chunk(ops, chunk, num, scheme);
    }
    for (size_t i = 0; i < num_items; i++)
        if (items[i].status != LC_OK)
            return items[i].status;
    return LC_OK;
}

int lc_rsa_pkcs1_verify_many(struct lc_rsa_verify_item *items, size_t num_items)
{
    return verify_many(items, num_items, PKCS1);
}

int lc_rsa_pss_verify_many(struct lc_rsa_verify_item *items, size_t num_items)
{
    return verify_many(items, num_items, PSS);
}

int lc_rsa_pkcs1_verify(const struct lc_rsa_public_key *key, const uint8_t *sig, size_t sig_len, enum lc_rsa_hash hash,
                        const uint8_t *digest)
{
    struct lc_rsa_verify_item item = { .key = key, .sig = sig, .sig_len = sig_len, .hash = hash, .digest = digest };

    return verify_many(&item, 1, PKCS1);
}

int lc_rsa_pss_verify(const struct lc_rsa_public_key *key, const uint8_t *sig, size_t sig_len, enum lc_rsa_hash hash,
                      const uint8_t *digest, size_t salt_len)
{
    struct lc_rsa_verify_item item = {
        .key = key, .sig = sig, .sig_len = sig_len, .hash = hash, .digest = digest, .salt_len = salt_len
    };

    return verify_many(&item, 1, PSS);
}
