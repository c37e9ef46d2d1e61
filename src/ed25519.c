/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ed25519 (RFC 8032, 5.1): hashes, numbers modulo L, and the public functions.  Points are the row's.
 *
 * A private key is hashed to a, which is clamped, and a prefix.  The signature R || S of M is
 *
 *      r = SHA-512(prefix || M) mod L      R = r B
 *      k = SHA-512(R || A || M) mod L      S = r + k a mod L
 *
 * and is right if R is the encoding of  S B - k A.  Items go through in chunks.
 *
 * Messages of up to SHORT bytes are copied after what is hashed before them, so that the chunk's are hashed in lanes, and that
 * both hashes are of the same bytes.  Longer ones are hashed where they are.  If such a message changes between its two hashes, S -
 * r is k a with a k of other bytes than r, and of two such signatures with the same r one can compute a.  So the second time its
 * bytes are copied, piece by piece, and r's hash is computed of them again: if it is another one, there is no signature.
 */
#include <sys/random.h>

#include "curve25519.h"
#include "lanecrypt/ed25519.h"
#include "sha2_internal.h"

/* Each public function that has had secrets calculated ends with it: see wipe.h.  Calculations here go no deeper. */
LC_WIPE_STACK(static, wipe_stack, 20 * 1024)

enum { SHORT = 448, HEAD = 64, PREFIX_LEN = 32, PIECE = 1024 };

/* What is hashed: room for R || A, or for the prefix in the end of that, and for a short message */
struct text {
    uint8_t head[HEAD], msg[SHORT];
};

static void reduce(uint64_t r[4], const uint8_t digest[LC_SHA512_LEN])
{
    uint64_t wide[8];

    memcpy(wide, digest, sizeof(wide)); /* the portable code needs a little-endian CPU */
    lc_25519_reduce(r, wide);
}

static void encode(uint8_t bytes[32], const struct lc_25519_point *p)
{
    uint64_t y[4];

    memcpy(y, p->y, sizeof(y));
    y[3] |= p->x[0] << 63;
    memcpy(bytes, y, sizeof(y));
}

/* ---- Keys ---- */

int lc_ed25519_init_impl(struct lc_ed25519_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    struct {
        uint8_t digest[LC_SHA512_LEN];
        struct lc_25519_base base;
    } w;
    const struct lc_impl *row;
    int status;

    if (raw_len != LC_ED25519_KEY_LEN)
        return LC_ERR_KEY_LEN;
    status = lc_select(&lc_ed25519_mode, impl, &row);
    if (status == LC_OK)
        status = lc_sha512(w.digest, raw, raw_len);
    if (status != LC_OK)
        return status;
    memcpy(key->a, w.digest, sizeof(key->a)); /* the portable code needs a little-endian CPU */
    memcpy(key->prefix, w.digest + sizeof(key->a), sizeof(key->prefix));
    lc_25519_clamp(key->a);
    key->impl = (const struct lc_25519_impl *)row; /* its first member */
    memcpy(w.base.k, key->a, sizeof(w.base.k));
    key->impl->base(&w.base, 1);
    encode(key->public_key, &w.base.result);
    lc_mod_to_montgomery(key->a, key->a, &lc_25519_l);
    lc_wipe(&w, sizeof(w));
    wipe_stack();
    return LC_OK;
}

int lc_ed25519_init(struct lc_ed25519_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_ed25519_init_impl(key, NULL, raw, raw_len);
}

int lc_ed25519_public_init_impl(struct lc_ed25519_public_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    struct lc_25519_decompress item;
    const struct lc_impl *row;
    uint8_t copy[LC_ED25519_KEY_LEN];
    int status;

    if (raw_len != sizeof(copy))
        return LC_ERR_KEY_LEN;
    status = lc_select(&lc_ed25519_mode, impl, &row);
    if (status != LC_OK)
        return status;
    memcpy(copy, raw, sizeof(copy));
    memcpy(item.y, copy, sizeof(copy));
    item.sign = item.y[3] >> 63;
    item.y[3] &= INT64_MAX;
    if (!lc_words_are_below(item.y, lc_25519_p.m, 4))
        return LC_ERR_KEY;
    ((const struct lc_25519_impl *)row)->decompress(&item, 1);
    if (!item.right)
        return LC_ERR_KEY;
    memcpy(key->point, &item.result, sizeof(key->point));
    memcpy(key->raw, copy, sizeof(copy));
    key->impl = (const struct lc_25519_impl *)row;
    return LC_OK;
}

int lc_ed25519_public_init(struct lc_ed25519_public_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_ed25519_public_init_impl(key, NULL, raw, raw_len);
}

const char *lc_ed25519_impl_name(const struct lc_ed25519_key *key)
{
    return key->impl->impl.name;
}

const char *lc_ed25519_public_impl_name(const struct lc_ed25519_public_key *key)
{
    return key->impl->impl.name;
}

void lc_ed25519_wipe(struct lc_ed25519_key *key)
{
    lc_wipe(key, sizeof(*key));
}

void lc_ed25519_get_public(const struct lc_ed25519_key *key, uint8_t raw[LC_ED25519_KEY_LEN])
{
    memcpy(raw, key->public_key, sizeof(key->public_key));
}

/* ---- Signing ---- */

struct sign_work {
    struct text texts[LC_25519_CHUNK];
    uint8_t nonces[LC_25519_CHUNK][LC_SHA512_LEN], digests[LC_25519_CHUNK][LC_SHA512_LEN];
    struct lc_25519_base base[LC_25519_CHUNK];
    struct lc_sha512_state state, again;
    uint8_t piece[PIECE], nonce_again[LC_SHA512_LEN];
    uint64_t k[4];
};

/* The nonces' hashes */
static int hash_nonces(struct sign_work *w, struct lc_ed25519_sign_item *items, size_t num)
{
    struct lc_hash_item jobs[LC_25519_CHUNK];
    size_t num_jobs = 0;

    for (size_t i = 0; i < num; i++) {
        uint8_t *prefix = w->texts[i].head + HEAD - PREFIX_LEN;

        memcpy(prefix, items[i].key->prefix, PREFIX_LEN);
        if (items[i].len <= SHORT) {
            if (items[i].len)
                memcpy(w->texts[i].msg, items[i].msg, items[i].len);
            jobs[num_jobs++] = (struct lc_hash_item){ w->nonces[i], prefix, PREFIX_LEN + items[i].len };
        } else {
            int status = lc_sha512_start(&w->state);

            if (status != LC_OK)
                return status;
            lc_sha512_update(&w->state, prefix, PREFIX_LEN);
            lc_sha512_update(&w->state, items[i].msg, items[i].len);
            lc_sha512_finish(&w->state, w->nonces[i]);
        }
    }
    return lc_sha512_many(jobs, num_jobs);
}

/* LC_ERR_CHANGED if the nonces' hashes differ.  (Not inline, so that the branch on it has a place.) */
static __attribute__((noinline)) void compare_nonces(int *status, const uint8_t a[LC_SHA512_LEN], const uint8_t b[LC_SHA512_LEN])
{
    uint8_t differ = 0;

    for (size_t i = 0; i < LC_SHA512_LEN; i++)
        differ |= a[i] ^ b[i];
    if (differ)
        *status = LC_ERR_CHANGED;
}

/* The second hash of a long message, whose head is R || A, and the first one again */
static int hash_long(struct sign_work *w, size_t i, struct lc_ed25519_sign_item *item)
{
    int status = lc_sha512_start(&w->state);

    if (status == LC_OK)
        status = lc_sha512_start(&w->again);
    if (status != LC_OK)
        return status;
    lc_sha512_update(&w->state, w->texts[i].head, HEAD);
    lc_sha512_update(&w->again, item->key->prefix, PREFIX_LEN);
    for (size_t done = 0, len; done < item->len; done += len) {
        len = item->len - done < PIECE ? item->len - done : PIECE;
        memcpy(w->piece, item->msg + done, len);
        lc_sha512_update(&w->state, w->piece, len);
        lc_sha512_update(&w->again, w->piece, len);
    }
    lc_sha512_finish(&w->state, w->digests[i]);
    lc_sha512_finish(&w->again, w->nonce_again);
    compare_nonces(&item->status, w->nonce_again, w->nonces[i]);
    return LC_OK;
}

/* k's hashes; items' statuses: LC_OK or LC_ERR_CHANGED */
static int hash_challenges(struct sign_work *w, struct lc_ed25519_sign_item *items, size_t num)
{
    struct lc_hash_item jobs[LC_25519_CHUNK];
    size_t num_jobs = 0;

    for (size_t i = 0; i < num; i++) {
        encode(w->texts[i].head, &w->base[i].result);
        memcpy(w->texts[i].head + 32, items[i].key->public_key, LC_ED25519_KEY_LEN);
        items[i].status = LC_OK;
        if (items[i].len <= SHORT) {
            jobs[num_jobs++] = (struct lc_hash_item){ w->digests[i], w->texts[i].head, HEAD + items[i].len };
        } else {
            int status = hash_long(w, i, &items[i]);

            if (status != LC_OK)
                return status;
        }
    }
    return lc_sha512_many(jobs, num_jobs);
}

/* The items of one chunk, which are under keys of one implementation.  (Not inline, so that the caller can wipe its frame.) */
static __attribute__((noinline)) void sign_chunk(struct lc_ed25519_sign_item *callers, size_t num)
{
    struct lc_ed25519_sign_item items[LC_25519_CHUNK]; /* read once: keys and lengths are the same in both hashes, too */
    struct sign_work w;
    int status;

    memcpy(items, callers, num * sizeof(items[0]));
    __asm__ volatile("" : : "r"(items) : "memory"); /* so that the compiler doesn't read the caller's again */
    status = hash_nonces(&w, items, num);
    if (status == LC_OK) {
        for (size_t i = 0; i < num; i++)
            reduce(w.base[i].k, w.nonces[i]);
        items[0].key->impl->base(w.base, num);
        status = hash_challenges(&w, items, num);
    }
    for (size_t i = 0; i < num; i++) {
        callers[i].status = status != LC_OK ? status : items[i].status;
        if (callers[i].status != LC_OK)
            continue;
        reduce(w.k, w.digests[i]);
        lc_mod_mul(w.k, w.k, items[i].key->a, &lc_25519_l); /* k a */
        lc_mod_add(w.k, w.k, w.base[i].k, &lc_25519_l);
        memcpy(items[i].sig, w.texts[i].head, 32);
        memcpy(items[i].sig + 32, w.k, 32);
    }
}

int lc_ed25519_sign_many(struct lc_ed25519_sign_item *items, size_t num_items)
{
    int status = LC_OK;

    for (size_t num; num_items; items += num, num_items -= num) {
        for (num = 1; num < num_items && num < LC_25519_CHUNK && items[num].key->impl == items[0].key->impl;)
            num++;
        sign_chunk(items, num);
        wipe_stack();
        for (size_t i = 0; i < num && status == LC_OK; i++)
            status = items[i].status;
    }
    return status;
}

int lc_ed25519_sign(const struct lc_ed25519_key *key, uint8_t sig[LC_ED25519_SIG_LEN], const uint8_t *msg, size_t len)
{
    struct lc_ed25519_sign_item item = { .key = key, .sig = sig, .msg = msg, .len = len };

    return lc_ed25519_sign_many(&item, 1);
}

/* ---- Verifying ---- */

struct verify_work {
    struct text texts[LC_25519_CHUNK];
    uint8_t digests[LC_25519_CHUNK][LC_SHA512_LEN];
    struct lc_25519_check checks[LC_25519_CHUNK];
};

static int hash_signatures(struct verify_work *w, struct lc_ed25519_verify_item *const *items, size_t num)
{
    struct lc_hash_item jobs[LC_25519_CHUNK];
    size_t num_jobs = 0;

    for (size_t i = 0; i < num; i++) {
        memcpy(w->texts[i].head + 32, items[i]->key->raw, LC_ED25519_KEY_LEN);
        if (items[i]->len <= SHORT) {
            if (items[i]->len)
                memcpy(w->texts[i].msg, items[i]->msg, items[i]->len);
            jobs[num_jobs++] = (struct lc_hash_item){ w->digests[i], w->texts[i].head, HEAD + items[i]->len };
        } else {
            struct lc_sha512_state state;
            int status = lc_sha512_start(&state);

            if (status != LC_OK)
                return status;
            lc_sha512_update(&state, w->texts[i].head, HEAD);
            lc_sha512_update(&state, items[i]->msg, items[i]->len);
            lc_sha512_finish(&state, w->digests[i]);
        }
    }
    return lc_sha512_many(jobs, num_jobs);
}

/* Items of a chunk whose S are right; they and R are read already. */
static void verify_chunk(struct verify_work *w, struct lc_ed25519_verify_item *const *items, size_t num)
{
    int status = hash_signatures(w, items, num);

    if (status == LC_OK) {
        for (size_t i = 0; i < num; i++) {
            reduce(w->checks[i].k, w->digests[i]);
            w->checks[i].a = (const struct lc_25519_point *)items[i]->key->point;
        }
        items[0]->key->impl->check(w->checks, num);
    }
    for (size_t i = 0; i < num; i++) {
        uint8_t bytes[32];

        items[i]->status = status;
        if (status != LC_OK)
            continue;
        encode(bytes, &w->checks[i].result);
        if (memcmp(bytes, w->texts[i].head, sizeof(bytes)) != 0)
            items[i]->status = LC_ERR_SIGNATURE;
    }
}

int lc_ed25519_verify_many(struct lc_ed25519_verify_item *items, size_t num_items)
{
    struct lc_ed25519_verify_item *chunk[LC_25519_CHUNK];
    struct verify_work w;
    size_t num = 0;

    for (size_t i = 0; i < num_items; i++) {
        if (num == LC_25519_CHUNK || (num && chunk[0]->key->impl != items[i].key->impl)) {
            verify_chunk(&w, chunk, num);
            num = 0;
        }
        memcpy(w.texts[num].head, items[i].sig, 32);
        memcpy(w.checks[num].s, items[i].sig + 32, 32);
        items[i].status = LC_ERR_SIGNATURE;
        if (lc_words_are_below(w.checks[num].s, lc_25519_l.m, 4))
            chunk[num++] = &items[i];
    }
    if (num)
        verify_chunk(&w, chunk, num);
    for (size_t i = 0; i < num_items; i++)
        if (items[i].status != LC_OK)
            return items[i].status;
    return LC_OK;
}

int lc_ed25519_verify(const struct lc_ed25519_public_key *key, const uint8_t sig[LC_ED25519_SIG_LEN], const uint8_t *msg,
                      size_t len)
{
    struct lc_ed25519_verify_item item = { .key = key, .sig = sig, .msg = msg, .len = len };

    return lc_ed25519_verify_many(&item, 1);
}

/* ---- Verifying a batch ---- */

/*
 * If all signatures are right, but for the cofactor, 8 times the sum of z (S B - R - k A) is neutral.  If one is wrong, it is with
 * a probability of 2^-128, for random z of 128 bits.  The z are made of a seed, and of all S and k, which is a hash of R, A and
 * the message: so even who knows the seed can't choose signatures by their z.
 */
enum { BATCH = 64, Z_LEN = 16, Z_IN_DIGEST = LC_SHA512_LEN / Z_LEN };

static size_t terms_len(size_t num)
{
    return (num * sizeof(struct lc_25519_term) + LC_25519_ALIGN - 1) / LC_25519_ALIGN * LC_25519_ALIGN;
}

static size_t batch_len(const struct lc_25519_impl *impl, size_t num)
{
    return num ? LC_25519_ALIGN - 1 + terms_len(num) + impl->sum_len(num) : 0;
}

size_t lc_ed25519_verify_batch_len(const struct lc_ed25519_public_key *key, size_t num_items)
{
    return batch_len(key->impl, num_items < BATCH ? num_items : BATCH);
}

/* Their numbers k, to e; R and S are in the terms already. */
static int hash_terms(struct lc_25519_term *terms, const struct lc_ed25519_verify_item *items, size_t num)
{
    struct verify_work w;
    struct lc_ed25519_verify_item copies[LC_25519_CHUNK], *chunk[LC_25519_CHUNK];
    int status;

    for (size_t i = 0; i < num; i++) {
        copies[i] = items[i];
        chunk[i] = &copies[i];
        memcpy(w.texts[i].head, terms[i].r.y, 32);
    }
    status = hash_signatures(&w, chunk, num);
    for (size_t i = 0; i < num && status == LC_OK; i++) {
        terms[i].a = (const struct lc_25519_point *)items[i].key->point;
        reduce(terms[i].e, w.digests[i]);
    }
    return status;
}

/* Terms of up to LC_25519_ROOTS signatures, with S for z and k for e, which go into the hash */
static int put_terms(struct lc_25519_term *terms, struct lc_sha512_state *hash, const struct lc_ed25519_verify_item *items,
                     size_t num, const struct lc_25519_impl *impl)
{
    struct lc_25519_decompress r[LC_25519_ROOTS];

    for (size_t i = 0; i < num; i++) {
        memcpy(terms[i].r.y, items[i].sig, 32); /* with the sign */
        memcpy(terms[i].z, items[i].sig + 32, 32);
        memcpy(r[i].y, terms[i].r.y, sizeof(r[i].y));
        r[i].sign = r[i].y[3] >> 63;
        r[i].y[3] &= INT64_MAX;
        if (!lc_words_are_below(terms[i].z, lc_25519_l.m, 4) || !lc_words_are_below(r[i].y, lc_25519_p.m, 4))
            return LC_ERR_SIGNATURE;
    }
    for (size_t done = 0; done < num; done += LC_25519_CHUNK) {
        int status = hash_terms(terms + done, items + done, num - done < LC_25519_CHUNK ? num - done : LC_25519_CHUNK);

        if (status != LC_OK)
            return status;
    }
    impl->decompress(r, num);
    for (size_t i = 0; i < num; i++) {
        if (!r[i].right)
            return LC_ERR_SIGNATURE;
        terms[i].r = r[i].result;
        lc_sha512_update(hash, (const uint8_t *)terms[i].z, sizeof(terms[i].z));
        lc_sha512_update(hash, (const uint8_t *)terms[i].e, sizeof(terms[i].e));
    }
    return LC_OK;
}

/* From S and k to z and z k; b is the sum of z S. */
static int multiply_terms(struct lc_25519_term *terms, size_t num, uint64_t b[4], const uint8_t seed[LC_SHA512_LEN])
{
    struct {
        uint8_t seed[LC_SHA512_LEN], number[8];
    } texts[LC_25519_CHUNK];
    uint8_t digests[LC_25519_CHUNK][LC_SHA512_LEN];
    struct lc_hash_item jobs[LC_25519_CHUNK];
    uint64_t number = 0;

    memset(b, 0, 4 * sizeof(b[0]));
    for (size_t i = 0; i < num; i++) {
        const size_t in_digests = i % (LC_25519_CHUNK * Z_IN_DIGEST);
        uint64_t z[4] = { 0 }, product[4];

        if (in_digests == 0) {
            int status;

            for (size_t j = 0; j < LC_25519_CHUNK; j++, number++) {
                memcpy(texts[j].seed, seed, sizeof(texts[j].seed));
                memcpy(texts[j].number, &number, sizeof(texts[j].number));
                jobs[j] = (struct lc_hash_item){ digests[j], (const uint8_t *)&texts[j], sizeof(texts[j]) };
            }
            status = lc_sha512_many(jobs, LC_25519_CHUNK);
            if (status != LC_OK)
                return status;
        }
        memcpy(z, digests[in_digests / Z_IN_DIGEST] + in_digests % Z_IN_DIGEST * Z_LEN, Z_LEN);
        lc_mod_to_montgomery(product, z, &lc_25519_l);
        lc_mod_mul(terms[i].e, terms[i].e, product, &lc_25519_l);
        lc_mod_mul(product, terms[i].z, product, &lc_25519_l);
        lc_mod_add(b, b, product, &lc_25519_l);
        memcpy(terms[i].z, z, sizeof(z));
    }
    return LC_OK;
}

static int verify_part(const struct lc_ed25519_verify_item *items, size_t num, const struct lc_25519_impl *impl,
                       const uint8_t seed[32], uint8_t *memory)
{
    struct lc_25519_term *terms = (struct lc_25519_term *)(void *)memory;
    struct lc_sha512_state hash;
    uint8_t digest[LC_SHA512_LEN];
    uint64_t b[4];
    int status = lc_sha512_start(&hash);

    if (status != LC_OK)
        return status;
    lc_sha512_update(&hash, seed, 32);
    for (size_t done = 0; done < num && status == LC_OK; done += LC_25519_ROOTS) {
        const size_t part = num - done < LC_25519_ROOTS ? num - done : LC_25519_ROOTS;

        status = put_terms(terms + done, &hash, items + done, part, impl);
    }
    lc_sha512_finish(&hash, digest);
    if (status == LC_OK)
        status = multiply_terms(terms, num, b, digest);
    if (status == LC_OK && !impl->sum_is_small(terms, num, b, memory + terms_len(num)))
        status = LC_ERR_SIGNATURE;
    return status;
}

int lc_ed25519_verify_batch(const struct lc_ed25519_verify_item *items, size_t num_items, const uint8_t seed[32], void *workspace,
                            size_t workspace_len)
{
    const struct lc_25519_impl *impl; /* of all parts: the workspace is large enough for it */
    uint8_t copy[32];
    size_t most = num_items < BATCH ? num_items : BATCH;
    uint8_t *memory;

    if (!num_items)
        return LC_OK;
    impl = items[0].key->impl;
    while (most && batch_len(impl, most) > workspace_len)
        most--;
    if (!most)
        return LC_ERR_LEN;
    if (seed)
        memcpy(copy, seed, sizeof(copy));
    else if (getrandom(copy, sizeof(copy), 0) != (ssize_t)sizeof(copy))
        return LC_ERR_RANDOM;
    memory = (uint8_t *)workspace + (0 - (uintptr_t)workspace) % LC_25519_ALIGN;
    for (size_t num; num_items; items += num, num_items -= num) { /* parts of about the same size */
        const size_t parts = (num_items - 1) / most + 1;
        int status;

        num = (num_items - 1) / parts + 1;
        status = verify_part(items, num, impl, copy, memory);
        if (status != LC_OK)
            return status;
    }
    return LC_OK;
}
