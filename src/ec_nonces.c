/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Nonces of signatures, ECDSA's or SM2's (RFC 6979, 3.2 and 3.6), for numbers of any curve: HMAC-DRBG, all of a chunk in step. */
#include "ec.h"
#include "ec_names.h"
#include "lanecrypt/hash.h"

/* At most: of a hash, which has as many bytes as a number; of the hash function's blocks; of a message */
enum { HASH = 8 * LC_EC_WORDS, BLOCK = 128, MAX_MSG = HASH + 1 + 2 * HASH + LC_EC_MAX_EXTRA_LEN };

struct drbg {
    const struct lc_ec_drbg *kind;
    size_t hash, block; /* bytes */
    struct {
        uint8_t key[HASH], value[HASH];
        uint8_t inner[BLOCK + MAX_MSG], outer[BLOCK + HASH]; /* what is hashed */
        size_t len;                                          /* of the message, which is in inner after the first block */
    } jobs[LC_EC_CHUNK];
};

/* key or value = HMAC(key, message) */
static int hmac(struct drbg *w, size_t num, int to_key)
{
    struct lc_hash_item inner[LC_EC_CHUNK], outer[LC_EC_CHUNK];
    int status;

    for (size_t i = 0; i < num; i++) {
        for (size_t k = 0; k < w->hash; k += 8) { /* what comes after it remains the same */
            uint64_t word, padded;

            memcpy(&word, w->jobs[i].key + k, 8);
            padded = word ^ UINT64_C(0x3636363636363636);
            memcpy(w->jobs[i].inner + k, &padded, 8);
            padded = word ^ UINT64_C(0x5c5c5c5c5c5c5c5c);
            memcpy(w->jobs[i].outer + k, &padded, 8);
        }
        inner[i] = (struct lc_hash_item){ w->jobs[i].outer + w->block, w->jobs[i].inner, w->block + w->jobs[i].len };
        outer[i] = (struct lc_hash_item){ to_key ? w->jobs[i].key : w->jobs[i].value, w->jobs[i].outer, w->block + w->hash };
    }
    status = w->kind->hash_many(inner, num);
    return status == LC_OK ? w->kind->hash_many(outer, num) : status;
}

/* value = HMAC(key, value) */
static int next_value(struct drbg *w, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        memcpy(w->jobs[i].inner + w->block, w->jobs[i].value, HASH);
        w->jobs[i].len = w->hash;
    }
    return hmac(w, num, 0);
}

/* key = HMAC(key, value || byte || d || e || extra), or without what follows the byte; then the next value */
static int next_key(struct drbg *w, const struct lc_ec_nonce *nonces, size_t num, uint8_t byte, int with_input)
{
    int status;

    for (size_t i = 0; i < num; i++) {
        const struct lc_ec_nonce *const nonce = &nonces[i];
        uint8_t *p = w->jobs[i].inner + w->block;

        memcpy(p, w->jobs[i].value, HASH); /* what is too much is overwritten, or not hashed */
        p += w->hash;
        *p++ = byte;
        w->jobs[i].len = w->hash + 1;
        if (with_input) {
            lc_words_to_bytes(p, nonce->d, w->kind->n->words);
            lc_words_to_bytes(p + w->hash, nonce->e, w->kind->n->words);
            memcpy(p + 2 * w->hash, nonce->extra, nonce->extra_len);
            w->jobs[i].len += 2 * w->hash + nonce->extra_len;
        }
    }
    status = hmac(w, num, 1);
    return status == LC_OK ? next_value(w, num) : status;
}

int lc_ec_nonces(const struct lc_ec_nonce *nonces, size_t num, const struct lc_ec_drbg *kind)
{
    const size_t words = kind->n->words;
    struct drbg w;
    unsigned left[LC_EC_CHUNK]; /* candidates that are still to be taken */
    size_t missing = num;
    int status;

    w.kind = kind;
    w.hash = 8 * words;
    w.block = kind->block;
    for (size_t i = 0; i < num; i++) {
        memset(w.jobs[i].key, 0, HASH);
        memset(w.jobs[i].value, 1, HASH);
        memset(w.jobs[i].inner, 0x36, w.block);
        memset(w.jobs[i].outer, 0x5c, w.block);
        left[i] = nonces[i].skip + 1;
    }
    status = next_key(&w, nonces, num, 0, 1);
    if (status == LC_OK)
        status = next_key(&w, nonces, num, 1, 1);
    while (status == LC_OK && missing) {
        status = next_value(&w, num);
        for (size_t i = 0; status == LC_OK && i < num; i++) {
            uint64_t k[LC_EC_WORDS];

            lc_words_from_bytes(k, w.jobs[i].value, words);
            /* What is thrown away may be known: one of 2^32 is, or less. */
            if (left[i] && lc_mod_in_range(k, kind->n)) {
                memcpy(nonces[i].k, k, w.hash);
                missing -= --left[i] == 0;
            }
            lc_wipe(k, sizeof(k));
        }
        if (status == LC_OK && missing)
            status = next_key(&w, nonces, num, 0, 0);
    }
    lc_wipe(w.jobs, num * sizeof(w.jobs[0]));
    lc_wipe_frame();
    return status;
}
