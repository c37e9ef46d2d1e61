/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SM2 signatures (GB/T 32918.2): numbers modulo n, what is hashed, and the public functions.  Points are the row's.
 *
 * A signature of the digest e with the nonce k is
 *
 *      r = (e + x(k G)) mod n      s = (k - r d) / (1 + d) = (k + r) / (1 + d) - r   mod n
 *
 * where r, s and r + k may not be 0 modulo n.  It is right if r - e is the x of  s G + (r + s) Q,  modulo n.  So nothing has to be
 * inverted for a signature: the key has 1 / (1 + d).  Items go through in chunks, which share what the row can share of its work.
 */
#include <sys/random.h>

#include "lanecrypt/sm3.h"
#include "sm2_internal.h"

#define CURVE sm2
#define BITS 256
#define HASH_PARTS lc_sm3_parts
#define BLOCK 64
#define MAX_DER_LEN LC_SM2_MAX_DER_LEN
#include "ec_signatures.h"

/* ---- Numbers ---- */

static void digest_number(uint64_t e[WORDS], const uint8_t *digest)
{
    lc_words_from_bytes(e, digest, WORDS);
    lc_mod_reduce_once(e, e, 0, &EC(n)); /* 2^256 < 2n */
}

/* 1 / (1 + d) in Montgomery's form: d isn't n - 1 (sm2_curve.c) */
static void invert_key(uint64_t inverse[WORDS], const uint64_t d[WORDS])
{
    lc_mod_to_montgomery(inverse, d, &EC(n));
    lc_mod_add(inverse, inverse, EC(n).one, &EC(n));
    lc_mod_inverse(inverse, inverse, &EC(n));
}

void lc_sm2_finish(struct lc_sm2_job *jobs, size_t num)
{
    const struct lc_ec_impl *impl = jobs[0].key->impl;
    lc_mod_mul_add_function *const mul_add = impl->mul_add ? impl->mul_add : lc_mod_mul_add;
    struct {
        struct lc_ec_product products[LC_EC_CHUNK];
        uint64_t t[WORDS];
    } w;

    for (size_t i = 0; i < num; i++)
        memcpy(w.products[i].k, jobs[i].k, sizeof(jobs[i].k));
    if (impl->base_x)
        impl->base_x(w.products, num, NULL);
    else
        impl->base(w.products, num, NULL);
    for (size_t i = 0; i < num; i++) {
        uint64_t *const x = w.products[i].result, none;

        if (!impl->base_x)
            lc_mod_from_montgomery(x, x, &EC(p));
        lc_mod_reduce_once(w.t, x, 0, &EC(n)); /* p < 2n */
        lc_mod_add(jobs[i].r, w.t, jobs[i].e, &EC(n));
        lc_mod_add(w.t, jobs[i].r, jobs[i].k, &EC(n));
        none = lc_words_are_zero(w.t, WORDS);
        mul_add(w.t, w.t, jobs[i].key->d + WORDS, lc_mod_zero, &EC(n));
        lc_mod_sub(jobs[i].s, w.t, jobs[i].r, &EC(n));
        for (int word = 0; word < WORDS; word++) /* r + k = 0, which is no signature: s = 0, too */
            jobs[i].s[word] &= ~none;
    }
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
}

/* ---- What is hashed ---- */

int lc_sm2_z(uint8_t z[LC_SM2_LEN], const uint8_t *raw, size_t raw_len, const uint8_t *id, size_t id_len)
{
    static const uint64_t zero[WORDS];
    const uint8_t bits[2] = { (uint8_t)(id_len >> 5), (uint8_t)(id_len << 3) };
    struct lc_sm3_state state;
    uint64_t point[2 * WORDS];
    uint8_t bytes[2 * BYTES + 1];
    uint64_t t[WORDS];
    int status = lc_ec_decode(point, raw, raw_len, &EC(curve));

    if (status == LC_OK && id_len > LC_SM2_MAX_ID_LEN)
        status = LC_ERR_LEN;
    if (status == LC_OK)
        status = lc_sm3_start(&state);
    if (status != LC_OK)
        return status;
    lc_sm3_update(&state, bits, sizeof(bits));
    lc_sm3_update(&state, id, id_len);
    lc_mod_sub(t, zero, EC(p).one, &EC(p));
    lc_mod_sub(t, t, EC(p).one, &EC(p));
    lc_mod_sub(t, t, EC(p).one, &EC(p));
    lc_mod_from_montgomery(t, t, &EC(p)); /* a = -3 */
    lc_words_to_bytes(bytes, t, WORDS);
    lc_mod_from_montgomery(t, EC(b), &EC(p));
    lc_words_to_bytes(bytes + BYTES, t, WORDS);
    lc_sm3_update(&state, bytes, 2 * BYTES);
    lc_ec_encode(bytes, EC(generator), &EC(p));
    lc_sm3_update(&state, bytes + 1, 2 * BYTES);
    lc_ec_encode(bytes, point, &EC(p));
    lc_sm3_update(&state, bytes + 1, 2 * BYTES);
    lc_sm3_finish(&state, z);
    return LC_OK;
}

int lc_sm2_digest(uint8_t digest[LC_SM2_LEN], const uint8_t z[LC_SM2_LEN], const uint8_t *msg, size_t msg_len)
{
    struct lc_sm3_state state;
    int status = lc_sm3_start(&state);

    if (status != LC_OK)
        return status;
    lc_sm3_update(&state, z, LC_SM2_LEN);
    lc_sm3_update(&state, msg, msg_len);
    lc_sm3_finish(&state, digest);
    return LC_OK;
}

/* ---- Keys ---- */

/* (Not inline, so that its frame is one of those that are wiped.) */
static __attribute__((noinline)) int make_key(struct lc_sm2_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    int status = lc_ec_decode_private(key->d, &key->impl, &lc_sm2_mode, impl, raw, raw_len, &EC(curve));

    if (status == LC_OK)
        invert_key(key->d + WORDS, key->d);
    return status;
}

int lc_sm2_init_impl(struct lc_sm2_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    int status = make_key(key, impl, raw, raw_len);

    EC(wipe_stack)();
    return status;
}

int lc_sm2_init(struct lc_sm2_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_sm2_init_impl(key, NULL, raw, raw_len);
}

int lc_sm2_public_init_impl(struct lc_sm2_public_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    const struct lc_impl *row;
    uint64_t point[2 * WORDS];
    int status = lc_ec_decode(point, raw, raw_len, &EC(curve));

    if (status == LC_OK)
        status = lc_select(&lc_sm2_mode, impl, &row);
    if (status != LC_OK)
        return status;
    memcpy(key->point, point, sizeof(point));
    key->impl = (const struct lc_ec_impl *)row;
    return LC_OK;
}

int lc_sm2_public_init(struct lc_sm2_public_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_sm2_public_init_impl(key, NULL, raw, raw_len);
}

const char *lc_sm2_impl_name(const struct lc_sm2_key *key)
{
    return key->impl->impl.name;
}

const char *lc_sm2_public_impl_name(const struct lc_sm2_public_key *key)
{
    return key->impl->impl.name;
}

void lc_sm2_wipe(struct lc_sm2_key *key)
{
    lc_wipe(key, sizeof(*key));
}

void lc_sm2_get_public(const struct lc_sm2_key *key, uint8_t raw[2 * BYTES + 1])
{
    struct lc_ec_product product;

    memcpy(product.k, key->d, BYTES);
    key->impl->base(&product, 1, NULL);
    lc_ec_encode(raw, product.result, &EC(p));
    lc_wipe(&product, sizeof(product));
    EC(wipe_stack)();
}

/* ---- Signing ---- */

/* (Not inline, so that the one branch on what comes of secrets has a place: r or s may be known, and one of 2^255 or less is 0.) */
static __attribute__((noinline)) int sign_jobs(struct lc_sm2_job *jobs, size_t num)
{
    int status = lc_sm2_nonces(jobs, num);

    if (status != LC_OK)
        return status;
    lc_sm2_finish(jobs, num);
    for (struct lc_sm2_job *job = jobs; status == LC_OK && job < jobs + num; job++)
        if (lc_words_are_zero(job->r, WORDS) | lc_words_are_zero(job->s, WORDS)) {
            job->skip++;
            status = sign_jobs(job, 1);
        }
    return status;
}

/* The items of one chunk, which are under keys of one implementation and have right lengths */
static void sign_chunk(struct lc_sm2_sign_item *const *items, size_t num, int with)
{
    struct {
        struct lc_sm2_job jobs[LC_EC_CHUNK];
        uint8_t random[LC_EC_CHUNK][32];
    } w;
    int status = LC_OK;

    /* All at once: up to 256 bytes a signal doesn't interrupt it, once the system has had randomness at all. */
    if (!with && getrandom(w.random, num * sizeof(w.random[0]), 0) != (ssize_t)(num * sizeof(w.random[0])))
        status = LC_ERR_RANDOM;
    for (size_t i = 0; status == LC_OK && i < num; i++) {
        struct lc_sm2_job *job = &w.jobs[i];

        *job = (struct lc_sm2_job){ .key = items[i]->key,
                                    .extra_len = with ? lc_ec_extra_len(&items[i]->extra_len) : sizeof(w.random[i]) };
        /* The digest is read once: if somebody changes it meanwhile, the nonce still is that of the number that is signed. */
        digest_number(job->e, items[i]->digest);
        if (job->extra_len)
            memcpy(job->extra, with ? items[i]->extra : w.random[i], job->extra_len);
    }
    if (status == LC_OK)
        status = sign_jobs(w.jobs, num);
    for (size_t i = 0; i < num; i++) {
        if (status == LC_OK) {
            lc_words_to_bytes(items[i]->sig, w.jobs[i].r, WORDS);
            lc_words_to_bytes(items[i]->sig + BYTES, w.jobs[i].s, WORDS);
        }
        items[i]->status = status;
    }
    lc_wipe(&w, sizeof(w));
    EC(wipe_stack)();
}

static int sign_many(struct lc_sm2_sign_item *items, size_t num_items, int with)
{
    struct lc_sm2_sign_item *chunk[LC_EC_CHUNK];
    size_t num = 0;

    for (size_t i = 0; i < num_items; i++) {
        items[i].status = with && items[i].extra_len > LC_SM2_MAX_EXTRA_LEN ? LC_ERR_LEN : LC_OK;
        if (items[i].status != LC_OK)
            continue;
        if (num == LC_EC_CHUNK || (num && chunk[0]->key->impl != items[i].key->impl)) {
            sign_chunk(chunk, num, with);
            num = 0;
        }
        chunk[num++] = &items[i];
    }
    if (num)
        sign_chunk(chunk, num, with);
    for (size_t i = 0; i < num_items; i++)
        if (items[i].status != LC_OK)
            return items[i].status;
    return LC_OK;
}

int lc_sm2_sign_many(struct lc_sm2_sign_item *items, size_t num_items)
{
    return sign_many(items, num_items, 0);
}

int lc_sm2_sign_many_with(struct lc_sm2_sign_item *items, size_t num_items)
{
    return sign_many(items, num_items, 1);
}

int lc_sm2_sign(const struct lc_sm2_key *key, uint8_t sig[2 * BYTES], const uint8_t digest[LC_SM2_LEN])
{
    struct lc_sm2_sign_item item = { .key = key, .sig = sig, .digest = digest };

    return sign_many(&item, 1, 0);
}

int lc_sm2_sign_with(const struct lc_sm2_key *key, uint8_t sig[2 * BYTES], const uint8_t digest[LC_SM2_LEN], const uint8_t *extra,
                     size_t extra_len)
{
    struct lc_sm2_sign_item item = { .key = key, .sig = sig, .digest = digest, .extra = extra, .extra_len = extra_len };

    return sign_many(&item, 1, 1);
}

int lc_sm2_sign_message(const struct lc_sm2_key *key, uint8_t sig[2 * BYTES], const uint8_t z[LC_SM2_LEN], const uint8_t *msg,
                        size_t msg_len)
{
    uint8_t digest[LC_SM2_LEN];
    int status = lc_sm2_digest(digest, z, msg, msg_len);

    return status == LC_OK ? lc_sm2_sign(key, sig, digest) : status;
}

/* ---- Verifying ---- */

/* What is to be checked, if the numbers are in range; -1, or 0 if they aren't */
static uint64_t make_check(struct lc_ec_check *check, const struct lc_sm2_verify_item *item)
{
    uint64_t e[WORDS], r[WORDS], s[WORDS];

    lc_words_from_bytes(r, item->sig, WORDS);
    lc_words_from_bytes(s, item->sig + BYTES, WORDS);
    if (~(lc_mod_in_range(r, &EC(n)) & lc_mod_in_range(s, &EC(n))))
        return 0;
    digest_number(e, item->digest);
    memcpy(check->u1, s, sizeof(s));
    lc_mod_add(check->u2, r, s, &EC(n));
    lc_mod_sub(check->r, r, e, &EC(n));
    check->q = item->key->point;
    check->table = NULL;
    return ~lc_words_are_zero(check->u2, WORDS);
}

static void verify_chunk(struct lc_sm2_verify_item *const *items, struct lc_ec_check *checks, size_t num)
{
    items[0]->key->impl->check(checks, num);
    for (size_t i = 0; i < num; i++)
        items[i]->status = checks[i].right ? LC_OK : LC_ERR_SIGNATURE;
}

int lc_sm2_verify_many(struct lc_sm2_verify_item *items, size_t num_items)
{
    struct lc_sm2_verify_item *chunk[LC_EC_CHUNK];
    struct lc_ec_check checks[LC_EC_CHUNK];
    size_t num = 0;

    for (size_t i = 0; i < num_items; i++) {
        if (num == LC_EC_CHUNK || (num && chunk[0]->key->impl != items[i].key->impl)) {
            verify_chunk(chunk, checks, num);
            num = 0;
        }
        items[i].status = LC_ERR_SIGNATURE;
        if (make_check(&checks[num], &items[i]))
            chunk[num++] = &items[i];
    }
    if (num)
        verify_chunk(chunk, checks, num);
    for (size_t i = 0; i < num_items; i++)
        if (items[i].status != LC_OK)
            return items[i].status;
    return LC_OK;
}

int lc_sm2_verify(const struct lc_sm2_public_key *key, const uint8_t sig[2 * BYTES], const uint8_t digest[LC_SM2_LEN])
{
    struct lc_sm2_verify_item item = { .key = key, .sig = sig, .digest = digest };

    return lc_sm2_verify_many(&item, 1);
}

int lc_sm2_verify_message(const struct lc_sm2_public_key *key, const uint8_t sig[2 * BYTES], const uint8_t z[LC_SM2_LEN],
                          const uint8_t *msg, size_t msg_len)
{
    uint8_t digest[LC_SM2_LEN];
    int status = lc_sm2_digest(digest, z, msg, msg_len);

    return status == LC_OK ? lc_sm2_verify(key, sig, digest) : status;
}
