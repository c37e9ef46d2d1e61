/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ECDSA on P-256 (FIPS 186-5, 6.4): nonces, numbers modulo n, and the public functions.  Points are the row's.
 *
 * A signature of the digest e with the nonce k is
 *
 *      r = x(k G) mod n        s = (e + r d) / k mod n
 *
 * and is right if r is the x of  (e / s) G + (r / s) Q,  modulo n.  Items go through in chunks, whose members share one inversion
 * modulo n, and what the row can share of its work.
 */
#include <sys/random.h>

#include "ecdsa_internal.h"
#include "lanecrypt/sha2.h"

/* ---- Nonces: HMAC-DRBG with SHA-256, all jobs in step ---- */

enum { BLOCK = 64, HASH = 32, MAX_MSG = HASH + 1 + 32 + 32 + LC_ECDSA_MAX_EXTRA_LEN };

struct drbg {
    uint8_t key[LC_P256_CHUNK][HASH], value[LC_P256_CHUNK][HASH];
    uint8_t inner[LC_P256_CHUNK][BLOCK + MAX_MSG], outer[LC_P256_CHUNK][BLOCK + HASH]; /* what is hashed */
    size_t len[LC_P256_CHUNK]; /* of the messages, which are in inner after the first block */
};

/* out = HMAC(key, message), out and key the same or not */
static int hmac(uint8_t (*out)[HASH], struct drbg *w, size_t num)
{
    struct lc_sha2_item inner[LC_P256_CHUNK], outer[LC_P256_CHUNK];
    int status;

    for (size_t i = 0; i < num; i++) {
        for (size_t k = 0; k < BLOCK; k++) {
            uint8_t byte = k < HASH ? w->key[i][k] : 0;

            w->inner[i][k] = byte ^ 0x36;
            w->outer[i][k] = byte ^ 0x5c;
        }
        inner[i] = (struct lc_sha2_item){ w->outer[i] + BLOCK, w->inner[i], BLOCK + w->len[i] };
        outer[i] = (struct lc_sha2_item){ out[i], w->outer[i], BLOCK + HASH };
    }
    status = lc_sha256_many(inner, num);
    return status == LC_OK ? lc_sha256_many(outer, num) : status;
}

/* value = HMAC(key, value) */
static int next_value(struct drbg *w, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        memcpy(w->inner[i] + BLOCK, w->value[i], HASH);
        w->len[i] = HASH;
    }
    return hmac(w->value, w, num);
}

/* key = HMAC(key, value || byte || d || e || extra), or without what follows the byte; then the next value */
static int next_key(struct drbg *w, const struct lc_ecdsa_job *jobs, size_t num, uint8_t byte, int with_input)
{
    int status;

    for (size_t i = 0; i < num; i++) {
        uint8_t *p = w->inner[i] + BLOCK;

        memcpy(p, w->value[i], HASH);
        p[HASH] = byte;
        w->len[i] = HASH + 1;
        if (with_input) {
            lc_256_to_bytes(p + HASH + 1, jobs[i].key->d);
            lc_256_to_bytes(p + HASH + 33, jobs[i].e);
            memcpy(p + HASH + 65, jobs[i].extra, jobs[i].extra_len);
            w->len[i] += 64 + jobs[i].extra_len;
        }
    }
    status = hmac(w->key, w, num);
    return status == LC_OK ? next_value(w, num) : status;
}

int lc_ecdsa_p256_nonces(struct lc_ecdsa_job *jobs, size_t num)
{
    struct drbg w;
    unsigned left[LC_P256_CHUNK]; /* candidates that are still to be taken */
    size_t missing = num;
    int status;

    memset(w.key, 0, sizeof(w.key));
    memset(w.value, 1, sizeof(w.value));
    for (size_t i = 0; i < num; i++)
        left[i] = jobs[i].skip + 1;
    status = next_key(&w, jobs, num, 0, 1);
    if (status == LC_OK)
        status = next_key(&w, jobs, num, 1, 1);
    while (status == LC_OK && missing) {
        status = next_value(&w, num);
        for (size_t i = 0; status == LC_OK && i < num; i++) {
            uint64_t k[4];

            lc_256_from_bytes(k, w.value[i]);
            /* What is thrown away may be known: one of 2^32 is. */
            if (left[i] && lc_256_below(k, lc_p256_n.m) & ~lc_256_is_zero(k)) {
                memcpy(jobs[i].k, k, sizeof(k));
                missing -= --left[i] == 0;
            }
            lc_wipe(k, sizeof(k));
        }
        if (status == LC_OK && missing)
            status = next_key(&w, jobs, num, 0, 0);
    }
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
    return status;
}

/* ---- Numbers ---- */

/* The digest's first 256 bits as a number (FIPS 186-5, 6.4.1, step 2), modulo n: one subtraction is enough. */
static void digest_number(uint64_t e[4], const uint8_t *digest, size_t len)
{
    uint8_t bytes[32] = { 0 };

    if (len > sizeof(bytes))
        len = sizeof(bytes);
    memcpy(bytes + sizeof(bytes) - len, digest, len);
    lc_256_from_bytes(e, bytes);
    lc_mod_reduce_once(e, e, 0, &lc_p256_n);
}

void lc_ecdsa_p256_finish(struct lc_ecdsa_job *jobs, size_t num)
{
    struct {
        struct lc_p256_product products[LC_P256_CHUNK];
        uint64_t inverses[LC_P256_CHUNK][4], scratch[LC_P256_CHUNK][4], t[4];
    } w;

    for (size_t i = 0; i < num; i++) {
        memcpy(w.products[i].k, jobs[i].k, sizeof(jobs[i].k));
        lc_mod_to_montgomery(w.inverses[i], jobs[i].k, &lc_p256_n);
    }
    jobs[0].key->impl->base(w.products, num);
    lc_mod_inverse_many(w.inverses, w.scratch, num, &lc_p256_n);
    for (size_t i = 0; i < num; i++) {
        lc_mod_from_montgomery(w.t, w.products[i].result.x, &lc_p256_p);
        lc_mod_reduce_once(jobs[i].r, w.t, 0, &lc_p256_n);         /* p < 2n */
        lc_mod_mul(w.t, jobs[i].r, jobs[i].key->d + 4, &lc_p256_n); /* d is in Montgomery's form, and r d then isn't */
        lc_mod_add(w.t, w.t, jobs[i].e, &lc_p256_n);
        lc_mod_mul(jobs[i].s, w.t, w.inverses[i], &lc_p256_n);
    }
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
}

/* ---- Keys ---- */

int lc_ecdsa_p256_init_impl(struct lc_ecdsa_p256_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    int status = lc_p256_decode_private(key->d, &key->impl, &lc_ecdsa_p256_mode, impl, raw, raw_len);

    if (status == LC_OK)
        lc_mod_to_montgomery(key->d + 4, key->d, &lc_p256_n);
    lc_p256_wipe_stack();
    return status;
}

int lc_ecdsa_p256_init(struct lc_ecdsa_p256_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_ecdsa_p256_init_impl(key, NULL, raw, raw_len);
}

int lc_ecdsa_p256_public_init_impl(struct lc_ecdsa_p256_public_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    const struct lc_impl *row;
    struct lc_p256_point point;
    int status = lc_p256_decode(&point, raw, raw_len);

    if (status == LC_OK)
        status = lc_select(&lc_ecdsa_p256_mode, impl, &row);
    if (status != LC_OK)
        return status;
    memcpy(&key->point, &point, sizeof(point));
    key->impl = (const struct lc_p256_impl *)row;
    return LC_OK;
}

int lc_ecdsa_p256_public_init(struct lc_ecdsa_p256_public_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_ecdsa_p256_public_init_impl(key, NULL, raw, raw_len);
}

const char *lc_ecdsa_p256_impl_name(const struct lc_ecdsa_p256_key *key)
{
    return key->impl->impl.name;
}

const char *lc_ecdsa_p256_public_impl_name(const struct lc_ecdsa_p256_public_key *key)
{
    return key->impl->impl.name;
}

void lc_ecdsa_p256_wipe(struct lc_ecdsa_p256_key *key)
{
    lc_wipe(key, sizeof(*key));
}

void lc_ecdsa_p256_get_public(const struct lc_ecdsa_p256_key *key, uint8_t raw[65])
{
    struct lc_p256_product product;

    memcpy(product.k, key->d, sizeof(product.k));
    key->impl->base(&product, 1);
    lc_p256_encode(raw, &product.result);
    lc_wipe(&product, sizeof(product));
    lc_p256_wipe_stack();
}

/* ---- Signing ---- */

static int check_lengths(const struct lc_ecdsa_p256_sign_item *item)
{
    return item->digest_len < 1 || item->digest_len > LC_ECDSA_MAX_DIGEST_LEN || item->extra_len > LC_ECDSA_MAX_EXTRA_LEN
               ? LC_ERR_LEN
               : LC_OK;
}

/* (Not inline, so that the one branch on what comes of secrets has a place: r or s may be known, and one of 2^255 is 0.) */
static __attribute__((noinline)) int sign_jobs(struct lc_ecdsa_job *jobs, size_t num)
{
    int status = lc_ecdsa_p256_nonces(jobs, num);

    if (status != LC_OK)
        return status;
    lc_ecdsa_p256_finish(jobs, num);
    for (struct lc_ecdsa_job *job = jobs; status == LC_OK && job < jobs + num; job++)
        if (lc_256_is_zero(job->r) | lc_256_is_zero(job->s)) {
            job->skip++;
            status = sign_jobs(job, 1);
        }
    return status;
}

/* The items of one chunk, which are under keys of one implementation and have right lengths */
static void sign_chunk(struct lc_ecdsa_p256_sign_item *const *items, size_t num, int with)
{
    struct {
        struct lc_ecdsa_job jobs[LC_P256_CHUNK];
        uint8_t random[LC_P256_CHUNK][32];
    } w;
    int status = LC_OK;

    /* All at once: up to 256 bytes a signal doesn't interrupt it, once the system has had randomness at all. */
    if (!with && getrandom(w.random, num * sizeof(w.random[0]), 0) != (ssize_t)(num * sizeof(w.random[0])))
        status = LC_ERR_RANDOM;
    for (size_t i = 0; status == LC_OK && i < num; i++) {
        struct lc_ecdsa_job *job = &w.jobs[i];

        *job = (struct lc_ecdsa_job){ .key = items[i]->key, .extra_len = with ? items[i]->extra_len : sizeof(w.random[i]) };
        /* The digest is read once: if somebody changes it meanwhile, the nonce still is that of the number that is signed. */
        digest_number(job->e, items[i]->digest, items[i]->digest_len);
        if (job->extra_len)
            memcpy(job->extra, with ? items[i]->extra : w.random[i], job->extra_len);
    }
    if (status == LC_OK)
        status = sign_jobs(w.jobs, num);
    for (size_t i = 0; i < num; i++) {
        if (status == LC_OK) {
            lc_256_to_bytes(items[i]->sig, w.jobs[i].r);
            lc_256_to_bytes(items[i]->sig + 32, w.jobs[i].s);
        }
        items[i]->status = status;
    }
    lc_wipe(&w, sizeof(w));
    lc_p256_wipe_stack();
}

static int sign_many(struct lc_ecdsa_p256_sign_item *items, size_t num_items, int with)
{
    struct lc_ecdsa_p256_sign_item *chunk[LC_P256_CHUNK];
    size_t num = 0;

    for (size_t i = 0; i < num_items; i++) {
        items[i].status = check_lengths(&items[i]);
        if (items[i].status != LC_OK)
            continue;
        if (num == LC_P256_CHUNK || (num && chunk[0]->key->impl != items[i].key->impl)) {
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

int lc_ecdsa_p256_sign_many(struct lc_ecdsa_p256_sign_item *items, size_t num_items)
{
    return sign_many(items, num_items, 0);
}

int lc_ecdsa_p256_sign_many_with(struct lc_ecdsa_p256_sign_item *items, size_t num_items)
{
    return sign_many(items, num_items, 1);
}

int lc_ecdsa_p256_sign(const struct lc_ecdsa_p256_key *key, uint8_t sig[64], const uint8_t *digest, size_t digest_len)
{
    struct lc_ecdsa_p256_sign_item item = { .key = key, .sig = sig, .digest = digest, .digest_len = digest_len };

    return sign_many(&item, 1, 0);
}

int lc_ecdsa_p256_sign_with(const struct lc_ecdsa_p256_key *key, uint8_t sig[64], const uint8_t *digest, size_t digest_len,
                            const uint8_t *extra, size_t extra_len)
{
    struct lc_ecdsa_p256_sign_item item = {
        .key = key, .sig = sig, .digest = digest, .digest_len = digest_len, .extra = extra, .extra_len = extra_len
    };

    return sign_many(&item, 1, 1);
}

/* ---- Verifying ---- */

static void verify_chunk(struct lc_ecdsa_p256_verify_item *const *items, size_t num, uint64_t (*e)[4], uint64_t (*r)[4],
                         uint64_t (*s)[4])
{
    struct lc_p256_check checks[LC_P256_CHUNK];
    uint64_t scratch[LC_P256_CHUNK][4];

    for (size_t i = 0; i < num; i++)
        lc_mod_to_montgomery(s[i], s[i], &lc_p256_n);
    lc_mod_inverse_many(s, scratch, num, &lc_p256_n);
    for (size_t i = 0; i < num; i++) {
        lc_mod_mul(checks[i].u1, e[i], s[i], &lc_p256_n);
        lc_mod_mul(checks[i].u2, r[i], s[i], &lc_p256_n);
        memcpy(checks[i].r, r[i], sizeof(r[i]));
        checks[i].q = (const struct lc_p256_point *)items[i]->key->point;
    }
    items[0]->key->impl->check(checks, num);
    for (size_t i = 0; i < num; i++)
        items[i]->status = checks[i].right ? LC_OK : LC_ERR_SIGNATURE;
}

int lc_ecdsa_p256_verify_many(struct lc_ecdsa_p256_verify_item *items, size_t num_items)
{
    struct lc_ecdsa_p256_verify_item *chunk[LC_P256_CHUNK];
    uint64_t e[LC_P256_CHUNK][4], r[LC_P256_CHUNK][4], s[LC_P256_CHUNK][4];
    size_t num = 0;

    for (size_t i = 0; i < num_items; i++) {
        if (num == LC_P256_CHUNK || (num && chunk[0]->key->impl != items[i].key->impl)) {
            verify_chunk(chunk, num, e, r, s);
            num = 0;
        }
        items[i].status = LC_ERR_LEN;
        if (items[i].digest_len < 1 || items[i].digest_len > LC_ECDSA_MAX_DIGEST_LEN)
            continue;
        items[i].status = LC_ERR_SIGNATURE;
        lc_256_from_bytes(r[num], items[i].sig);
        lc_256_from_bytes(s[num], items[i].sig + 32);
        if (lc_256_is_zero(r[num]) | lc_256_is_zero(s[num]) |
            ~(lc_256_below(r[num], lc_p256_n.m) & lc_256_below(s[num], lc_p256_n.m)))
            continue;
        digest_number(e[num], items[i].digest, items[i].digest_len);
        chunk[num++] = &items[i];
    }
    if (num)
        verify_chunk(chunk, num, e, r, s);
    for (size_t i = 0; i < num_items; i++)
        if (items[i].status != LC_OK)
            return items[i].status;
    return LC_OK;
}

int lc_ecdsa_p256_verify(const struct lc_ecdsa_p256_public_key *key, const uint8_t sig[64], const uint8_t *digest,
                         size_t digest_len)
{
    struct lc_ecdsa_p256_verify_item item = { .key = key, .sig = sig, .digest = digest, .digest_len = digest_len };

    return lc_ecdsa_p256_verify_many(&item, 1);
}

/* ---- DER ---- */

enum { SEQUENCE = 0x30, INTEGER = 0x02 };

/* A number of 32 bytes as an INTEGER: no more leading zeros than keep it from being negative.  Returns its bytes. */
static size_t put_integer(uint8_t *der, const uint8_t number[32])
{
    size_t skip = 0, zero;

    while (skip < 31 && number[skip] == 0)
        skip++;
    zero = number[skip] >> 7;
    der[0] = INTEGER;
    der[1] = (uint8_t)(32 - skip + zero);
    der[2] = 0;
    memcpy(der + 2 + zero, number + skip, 32 - skip);
    return 2 + zero + 32 - skip;
}

size_t lc_ecdsa_p256_to_der(uint8_t der[LC_ECDSA_P256_MAX_DER_LEN], const uint8_t sig[64])
{
    size_t len = put_integer(der + 2, sig);

    len += put_integer(der + 2 + len, sig + 32);
    der[0] = SEQUENCE;
    der[1] = (uint8_t)len;
    return 2 + len;
}

/* The INTEGER at der, of at most len bytes.  Returns how many it has; 0 if it isn't one. */
static size_t get_integer(uint8_t number[32], const uint8_t *der, size_t len)
{
    size_t size;

    if (len < 3 || der[0] != INTEGER || der[1] < 1 || der[1] > 33 || (size_t)der[1] + 2 > len)
        return 0;
    size = der[1];
    der += 2;
    if (der[0] & 0x80 || (der[0] == 0 && size > 1 && !(der[1] & 0x80))) /* negative, or a zero too many */
        return 0;
    if (size == 33 && *der)
        return 0;
    memset(number, 0, 32);
    if (size == 33)
        memcpy(number, der + 1, 32);
    else
        memcpy(number + 32 - size, der, size);
    return 2 + size;
}

int lc_ecdsa_p256_from_der(uint8_t sig[64], const uint8_t *der, size_t der_len)
{
    uint8_t numbers[64];
    size_t r_len, s_len;

    /* The numbers have at most 70 bytes, so the length is one byte. */
    if (der_len < 2 || der_len > LC_ECDSA_P256_MAX_DER_LEN || der[0] != SEQUENCE || der[1] != der_len - 2)
        return LC_ERR_SIGNATURE;
    r_len = get_integer(numbers, der + 2, der_len - 2);
    s_len = r_len ? get_integer(numbers + 32, der + 2 + r_len, der_len - 2 - r_len) : 0;
    if (!s_len || 2 + r_len + s_len != der_len)
        return LC_ERR_SIGNATURE;
    memcpy(sig, numbers, sizeof(numbers));
    return LC_OK;
}
