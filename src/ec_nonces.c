/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Nonces of signatures, ECDSA's or SM2's (RFC 6979, 3.2 and 3.6), for numbers of any curve: HMAC-DRBG, all of a chunk in step. */
#include "ec.h"
#include "ec_names.h"

/* At most: of a hash, which has as many bytes as a number; of the hash function's blocks; of a message; blocks of that */
enum {
    HASH = 8 * LC_EC_WORDS,
    BLOCK = 128,
    MAX_MSG = HASH + 1 + 2 * HASH + LC_EC_MAX_EXTRA_LEN,
    MAX_BLOCKS = (MAX_MSG + BLOCK / 8 + BLOCK) / BLOCK,
};

struct drbg {
    const struct lc_ec_drbg *kind;
    size_t hash, block; /* bytes */
    struct {
        uint8_t inner[64], outer[64];        /* the hash values after the key's two blocks */
        uint8_t value[BLOCK], digest[BLOCK]; /* hashes, and what ends a message of one after the key's block */
        uint8_t msg[MAX_BLOCKS * BLOCK];
        size_t num_blocks; /* of msg */
    } jobs[LC_EC_CHUNK];
};

/*
 * The keys are in `digest`.  HMAC hashes two blocks of a key before all else (RFC 2104), and each key has two or three messages: so
 * a nonce takes 18 blocks of SHA-256 instead of 24.
 */
static int set_keys(struct drbg *w, size_t num)
{
    struct lc_hash_part parts[2 * LC_EC_CHUNK];

    for (size_t i = 0; i < num; i++) {
        uint8_t *const msg = w->jobs[i].msg;

        for (size_t k = 0; k < w->block; k += 8) {
            uint64_t word = 0, padded;

            if (k < w->hash)
                memcpy(&word, w->jobs[i].digest + k, 8);
            padded = word ^ UINT64_C(0x3636363636363636);
            memcpy(msg + k, &padded, 8);
            padded = word ^ UINT64_C(0x5c5c5c5c5c5c5c5c);
            memcpy(msg + w->block + k, &padded, 8);
        }
        parts[2 * i] = (struct lc_hash_part){ NULL, w->jobs[i].inner, msg };
        parts[2 * i + 1] = (struct lc_hash_part){ NULL, w->jobs[i].outer, msg + w->block };
    }
    return w->kind->parts(parts, 2 * num, 1, 0);
}

/* The end of a message that follows a key's block (FIPS 180-4, 5.1; GM/T 0004-2012, 5.2).  Returns how many blocks it has then. */
static size_t end_message(uint8_t *msg, size_t len, size_t block)
{
    const size_t num = (len + block / 8 + block) / block; /* with 0x80, and a number of block / 8 bytes */
    const uint64_t bits = __builtin_bswap64(8 * (block + len));

    memset(msg + len, 0, num * block - len);
    msg[len] = 0x80;
    memcpy(msg + num * block - sizeof(bits), &bits, sizeof(bits));
    return num;
}

/* value = HMAC(key, value) */
static int next_value(struct drbg *w, size_t num)
{
    struct lc_hash_part inner[LC_EC_CHUNK], outer[LC_EC_CHUNK];
    int status;

    for (size_t i = 0; i < num; i++) {
        inner[i] = (struct lc_hash_part){ w->jobs[i].inner, w->jobs[i].digest, w->jobs[i].value };
        outer[i] = (struct lc_hash_part){ w->jobs[i].outer, w->jobs[i].value, w->jobs[i].digest };
    }
    status = w->kind->parts(inner, num, 1, w->hash);
    return status == LC_OK ? w->kind->parts(outer, num, 1, w->hash) : status;
}

/* key = HMAC(key, value || byte || d || e || extra), or without what follows the byte; then the next value */
static int next_key(struct drbg *w, const struct lc_ec_nonce *nonces, size_t num, uint8_t byte, int with_input)
{
    struct lc_hash_part inner[LC_EC_CHUNK], outer[LC_EC_CHUNK];
    int status = LC_OK;

    for (size_t i = 0; i < num; i++) {
        const struct lc_ec_nonce *const nonce = &nonces[i];
        uint8_t *p = w->jobs[i].msg;
        size_t len = w->hash + 1;

        memcpy(p, w->jobs[i].value, HASH); /* what is too much is overwritten */
        p += w->hash;
        *p++ = byte;
        if (with_input) {
            lc_words_to_bytes(p, nonce->d, w->kind->n->words);
            lc_words_to_bytes(p + w->hash, nonce->e, w->kind->n->words);
            memcpy(p + 2 * w->hash, nonce->extra, nonce->extra_len);
            len += 2 * w->hash + nonce->extra_len;
        }
        w->jobs[i].num_blocks = end_message(w->jobs[i].msg, len, w->block);
        inner[i] = (struct lc_hash_part){ w->jobs[i].inner, w->jobs[i].digest, w->jobs[i].msg };
        outer[i] = (struct lc_hash_part){ w->jobs[i].outer, w->jobs[i].digest, w->jobs[i].digest };
    }
    for (size_t i = 0, next; status == LC_OK && i < num; i = next) { /* as many as have as many blocks */
        for (next = i + 1; next < num && w->jobs[next].num_blocks == w->jobs[i].num_blocks;)
            next++;
        status = w->kind->parts(inner + i, next - i, w->jobs[i].num_blocks, w->hash);
    }
    if (status == LC_OK)
        status = w->kind->parts(outer, num, 1, w->hash);
    if (status == LC_OK)
        status = set_keys(w, num);
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
        end_message(w.jobs[i].value, w.hash, w.block);
        end_message(w.jobs[i].digest, w.hash, w.block);
        memset(w.jobs[i].value, 1, w.hash);
        memset(w.jobs[i].digest, 0, w.hash);
        left[i] = nonces[i].skip + 1;
    }
    status = set_keys(&w, 1); /* of zeros, the same for all */
    for (size_t i = 1; i < num; i++) {
        memcpy(w.jobs[i].inner, w.jobs[0].inner, sizeof(w.jobs[i].inner));
        memcpy(w.jobs[i].outer, w.jobs[0].outer, sizeof(w.jobs[i].outer));
    }
    if (status == LC_OK)
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
