/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Nonces of signatures, ECDSA's or SM2's (RFC 6979, 3.2 and 3.6).  Whoever includes it defines CURVE and BITS (ec_names.h), and
 *
 *      HASH_MANY    the hash function of the nonces, whose values have as many bits as n
 *      BLOCK        the bytes of its blocks
 */
#include "lanecrypt/hash.h"

/* ---- Nonces: HMAC-DRBG, all jobs in step ---- */

enum { HASH = BYTES, MAX_MSG = HASH + 1 + 2 * BYTES + LC_EC_MAX_EXTRA_LEN };

struct drbg {
    uint8_t key[LC_EC_CHUNK][HASH], value[LC_EC_CHUNK][HASH];
    uint8_t inner[LC_EC_CHUNK][BLOCK + MAX_MSG], outer[LC_EC_CHUNK][BLOCK + HASH]; /* what is hashed */
    size_t len[LC_EC_CHUNK]; /* of the messages, which are in inner after the first block */
};

/* out = HMAC(key, message), out and key the same or not */
static int hmac(uint8_t (*out)[HASH], struct drbg *w, size_t num)
{
    struct lc_hash_item inner[LC_EC_CHUNK], outer[LC_EC_CHUNK];
    int status;

    for (size_t i = 0; i < num; i++) {
        for (size_t k = 0; k < HASH; k += 8) { /* what comes after it remains the same */
            uint64_t word, padded;

            memcpy(&word, w->key[i] + k, 8);
            padded = word ^ UINT64_C(0x3636363636363636);
            memcpy(w->inner[i] + k, &padded, 8);
            padded = word ^ UINT64_C(0x5c5c5c5c5c5c5c5c);
            memcpy(w->outer[i] + k, &padded, 8);
        }
        inner[i] = (struct lc_hash_item){ w->outer[i] + BLOCK, w->inner[i], BLOCK + w->len[i] };
        outer[i] = (struct lc_hash_item){ out[i], w->outer[i], BLOCK + HASH };
    }
    status = HASH_MANY(inner, num);
    return status == LC_OK ? HASH_MANY(outer, num) : status;
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
static int next_key(struct drbg *w, const struct SIG(job) * jobs, size_t num, uint8_t byte, int with_input)
{
    int status;

    for (size_t i = 0; i < num; i++) {
        uint8_t *p = w->inner[i] + BLOCK;

        memcpy(p, w->value[i], HASH);
        p[HASH] = byte;
        w->len[i] = HASH + 1;
        if (with_input) {
            lc_words_to_bytes(p + HASH + 1, jobs[i].key->d, WORDS);
            lc_words_to_bytes(p + HASH + 1 + BYTES, jobs[i].e, WORDS);
            memcpy(p + HASH + 1 + 2 * BYTES, jobs[i].extra, jobs[i].extra_len);
            w->len[i] += 2 * BYTES + jobs[i].extra_len;
        }
    }
    status = hmac(w->key, w, num);
    return status == LC_OK ? next_value(w, num) : status;
}

int SIG(nonces)(struct SIG(job) * jobs, size_t num)
{
    struct drbg w;
    unsigned left[LC_EC_CHUNK]; /* candidates that are still to be taken */
    size_t missing = num;
    int status;

    memset(w.key, 0, sizeof(w.key));
    memset(w.value, 1, sizeof(w.value));
    for (size_t i = 0; i < num; i++) {
        memset(w.inner[i], 0x36, BLOCK);
        memset(w.outer[i], 0x5c, BLOCK);
        left[i] = jobs[i].skip + 1;
    }
    status = next_key(&w, jobs, num, 0, 1);
    if (status == LC_OK)
        status = next_key(&w, jobs, num, 1, 1);
    while (status == LC_OK && missing) {
        status = next_value(&w, num);
        for (size_t i = 0; status == LC_OK && i < num; i++) {
            uint64_t k[WORDS];

            lc_words_from_bytes(k, w.value[i], WORDS);
            /* What is thrown away may be known: one of 2^32 is, or less. */
            if (left[i] && lc_mod_in_range(k, &EC(n))) {
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
