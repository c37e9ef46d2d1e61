/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ECDSA (FIPS 186-5, 6.4) on a curve: nonces, numbers modulo n, and the public functions.  Points are the row's.  Whoever includes
 * it defines what ec_signatures.h takes.
 *
 * A signature of the digest e with the nonce k is
 *
 *      r = x(k G) mod n        s = (e + r d) / k mod n
 *
 * and is right if r is the x of  (e / s) G + (r / s) Q,  modulo n.  Items go through in chunks, whose members share one inversion
 * modulo n, and what the row can share of its work.
 */
#include <sys/random.h>

#include "lanecrypt/sha2.h"

#include "ec_signatures.h"

/* ---- Numbers ---- */

/* The digest's first BITS bits as a number (FIPS 186-5, 6.4.1, step 2), modulo n: one subtraction is enough. */
static void digest_number(uint64_t e[WORDS], const uint8_t *digest, size_t len)
{
    uint8_t bytes[BYTES] = { 0 };

    if (len > sizeof(bytes))
        len = sizeof(bytes);
    memcpy(bytes + sizeof(bytes) - len, digest, len);
    lc_words_from_bytes(e, bytes, WORDS);
    lc_mod_reduce_once(e, e, 0, &EC(n));
}

/* What finish() and signing have in memory: on the stack for a chunk, in the caller's memory for a pool. */
struct numbers {
    struct lc_ec_product *products;
    uint64_t (*inverses)[WORDS], (*scratch)[WORDS];
    void *pool; /* the row's memory; NULL for a chunk */
};

static void finish_with(struct ECDSA(job) * jobs, size_t num, const struct numbers *w)
{
    const struct lc_ec_impl *impl = jobs[0].key->impl;
    lc_mod_mul_add_function *const mul_add = impl->mul_add ? impl->mul_add : lc_mod_mul_add;
    void (*const base)(struct lc_ec_product *, size_t, uint64_t *) = impl->base_x ? impl->base_x : impl->base;
    static const uint64_t one[WORDS] = { 1 };

    for (size_t i = 0; i < num; i++) {
        memcpy(w->products[i].k, jobs[i].k, sizeof(jobs[i].k));
        memcpy(w->inverses[i], jobs[i].k, sizeof(jobs[i].k));
    }
    /* k is the form of k / R, so it becomes the form of R / k, R^2 / k; two products have 1 / R then. */
    lc_mod_products(w->scratch[0], w->inverses[0], num, &EC(n), mul_add);
    if (w->pool)
        impl->base_pool(w->products, num, w->pool, w->scratch[num - 1]);
    else
        base(w->products, num, w->scratch[num - 1]);
    lc_mod_inverses(w->inverses[0], w->scratch[0], num, &EC(n), mul_add);
    for (size_t i = 0; i < num; i++) {
        uint64_t *const x = w->products[i].result;

        if (!w->pool && !impl->base_x)
            mul_add(x, x, one, lc_mod_zero, &EC(p));
        lc_mod_reduce_once(jobs[i].r, x, 0, &EC(n)); /* p < 2n */
        mul_add(jobs[i].s, jobs[i].r, jobs[i].key->d, jobs[i].e, &EC(n));
    }
    for (size_t i = 0; i < num; i++) /* on its own, so that products don't wait for each other */
        mul_add(jobs[i].s, jobs[i].s, w->inverses[i], lc_mod_zero, &EC(n));
}

void ECDSA(finish)(struct ECDSA(job) * jobs, size_t num)
{
    struct {
        struct lc_ec_product products[LC_EC_CHUNK];
        uint64_t inverses[LC_EC_CHUNK][WORDS], scratch[LC_EC_CHUNK][WORDS];
    } w;

    finish_with(jobs, num, &(struct numbers){ w.products, w.inverses, w.scratch, NULL });
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
}

/* ---- Keys ---- */

/* (Not inline, so that its frame is one of those that are wiped.) */
static __attribute__((noinline)) int make_key(struct ECDSA(key) * key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    return lc_ec_decode_private(key->d, &key->impl, &ECDSA(mode), impl, raw, raw_len, &EC(curve));
}

int ECDSA(init_impl)(struct ECDSA(key) * key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    int status = make_key(key, impl, raw, raw_len);

    EC(wipe_stack)();
    return status;
}

int ECDSA(init)(struct ECDSA(key) * key, const uint8_t *raw, size_t raw_len)
{
    return ECDSA(init_impl)(key, NULL, raw, raw_len);
}

int ECDSA(public_init_impl)(struct ECDSA(public_key) * key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    const struct lc_impl *row;
    uint64_t point[2 * WORDS];
    int status = lc_ec_decode(point, raw, raw_len, &EC(curve));

    if (status == LC_OK)
        status = lc_select(&ECDSA(mode), impl, &row);
    if (status != LC_OK)
        return status;
    memcpy(key->point, point, sizeof(point));
    key->table = NULL;
    key->impl = (const struct lc_ec_impl *)row;
    return LC_OK;
}

int ECDSA(public_init)(struct ECDSA(public_key) * key, const uint8_t *raw, size_t raw_len)
{
    return ECDSA(public_init_impl)(key, NULL, raw, raw_len);
}

size_t ECDSA(prepare_len)(const struct ECDSA(public_key) * key)
{
    return key->impl->prepare ? key->impl->prepare(NULL, key->point) : 0;
}

int ECDSA(prepare)(struct ECDSA(public_key) * key, void *table, size_t table_len)
{
    size_t len = ECDSA(prepare_len)(key);

    if (table_len < len)
        return LC_ERR_LEN;
    if (len) {
        key->impl->prepare(table, key->point);
        key->table = table;
    }
    return LC_OK;
}

const char *ECDSA(impl_name)(const struct ECDSA(key) * key)
{
    return key->impl->impl.name;
}

const char *ECDSA(public_impl_name)(const struct ECDSA(public_key) * key)
{
    return key->impl->impl.name;
}

void ECDSA(wipe)(struct ECDSA(key) * key)
{
    lc_wipe(key, sizeof(*key));
}

void ECDSA(get_public)(const struct ECDSA(key) * key, uint8_t raw[2 * BYTES + 1])
{
    struct lc_ec_product product;

    memcpy(product.k, key->d, BYTES);
    key->impl->base(&product, 1, NULL);
    lc_ec_encode(raw, product.result, &EC(p));
    lc_wipe(&product, sizeof(product));
    EC(wipe_stack)();
}

/* ---- Signing ---- */

static int check_lengths(const struct ECDSA(sign_item) * item, int with)
{
    return item->digest_len < 1 || item->digest_len > LC_ECDSA_MAX_DIGEST_LEN || (with && item->extra_len > LC_ECDSA_MAX_EXTRA_LEN)
               ? LC_ERR_LEN
               : LC_OK;
}

/* How many nonces are made at once: a chunk */
static size_t chunk_of(size_t num)
{
    return num < LC_EC_CHUNK ? num : LC_EC_CHUNK;
}

/* (Not inline, so that the one branch on what comes of secrets has a place: r or s may be known, and one of 2^255 or less is 0.) */
static __attribute__((noinline)) int sign_jobs(struct ECDSA(job) * jobs, size_t num, const struct numbers *w)
{
    int status = LC_OK;

    for (size_t i = 0; status == LC_OK && i < num; i += LC_EC_CHUNK)
        status = ECDSA(nonces)(jobs + i, chunk_of(num - i));
    if (status != LC_OK)
        return status;
    if (w)
        finish_with(jobs, num, w);
    else
        ECDSA(finish)(jobs, num);
    for (struct ECDSA(job) *job = jobs; status == LC_OK && job < jobs + num; job++)
        if (lc_words_are_zero(job->r, WORDS) | lc_words_are_zero(job->s, WORDS)) {
            job->skip++;
            status = sign_jobs(job, 1, NULL);
        }
    return status;
}

/* Items under keys of one implementation, which have right lengths.  w: NULL for a chunk */
static void sign_items(struct ECDSA(sign_item) *const *items, size_t num, int with, struct ECDSA(job) * jobs,
                       const struct numbers *w)
{
    uint8_t random[LC_EC_CHUNK][32];
    int status = LC_OK;

    for (size_t i = 0; status == LC_OK && i < num; i++) {
        const size_t r = i % LC_EC_CHUNK, len = chunk_of(num - i) * sizeof(random[0]);

        /* A chunk's at once: up to 256 bytes a signal doesn't interrupt it, once the system has had randomness at all. */
        if (!with && r == 0 && getrandom(random, len, 0) != (ssize_t)len) {
            status = LC_ERR_RANDOM;
            break;
        }
        jobs[i] = (struct ECDSA(job)){ .key = items[i]->key,
                                       .extra_len = with ? lc_ec_extra_len(&items[i]->extra_len) : sizeof(random[r]) };
        /* The digest is read once: if somebody changes it meanwhile, the nonce still is that of the number that is signed. */
        digest_number(jobs[i].e, items[i]->digest, items[i]->digest_len);
        if (jobs[i].extra_len)
            memcpy(jobs[i].extra, with ? items[i]->extra : random[r], jobs[i].extra_len);
    }
    if (status == LC_OK)
        status = sign_jobs(jobs, num, w);
    for (size_t i = 0; i < num; i++) {
        if (status == LC_OK) {
            lc_words_to_bytes(items[i]->sig, jobs[i].r, WORDS);
            lc_words_to_bytes(items[i]->sig + BYTES, jobs[i].s, WORDS);
        }
        items[i]->status = status;
    }
    lc_wipe(random, sizeof(random));
}

/* (Not inline, as the stack of a pool shouldn't have this.) */
static __attribute__((noinline)) void sign_chunk(struct ECDSA(sign_item) *const *items, size_t num, int with)
{
    struct ECDSA(job) jobs[LC_EC_CHUNK];

    sign_items(items, num, with, jobs, NULL);
    lc_wipe(jobs, sizeof(jobs));
}

/* A pool, in the caller's memory; the row's memory comes after it. */
struct sign_pool {
    struct ECDSA(sign_item) * items[LC_EC_POOL_MAX];
    struct ECDSA(job) jobs[LC_EC_POOL_MAX];
    struct lc_ec_product products[LC_EC_POOL_MAX];
    uint64_t inverses[LC_EC_POOL_MAX][WORDS], scratch[LC_EC_POOL_MAX][WORDS];
};

enum { POOL_ALIGN = _Alignof(struct sign_pool) };

static size_t pool_len(const struct lc_ec_impl *impl, size_t num)
{
    const size_t len = num < LC_EC_POOL_MIN || !impl->base_pool ? 0 : impl->base_pool(NULL, num, NULL, NULL);

    return len ? POOL_ALIGN - 1 + sizeof(struct sign_pool) + len : 0;
}

/* How many of num items are signed next, when there is memory for a pool of so many: a pool, or a chunk */
static size_t next_part(size_t num, size_t max_pool)
{
    const size_t part = (num < max_pool ? num : max_pool) / LC_EC_POOL_STEP * LC_EC_POOL_STEP;

    return part >= LC_EC_POOL_MIN ? part : chunk_of(num);
}

/* Those that wait for others, under keys of one implementation: all, or only full pools or chunks.  Returns how many still wait. */
static size_t sign_some(struct ECDSA(sign_item) * *items, size_t num, int all, int with, struct sign_pool *pool, size_t max_pool)
{
    size_t done = 0;

    while (done < num && (all || num - done >= (max_pool ? max_pool : LC_EC_CHUNK))) {
        const size_t part = next_part(num - done, max_pool);

        if (part > LC_EC_CHUNK)
            sign_items(items + done, part, with, pool->jobs,
                       &(struct numbers){ pool->products, pool->inverses, pool->scratch, pool + 1 });
        else
            sign_chunk(items + done, part, with);
        done += part;
    }
    return num - done;
}

static int sign_many(struct ECDSA(sign_item) * items, size_t num_items, int with, void *workspace, size_t workspace_len)
{
    struct ECDSA(sign_item) * chunk[LC_EC_CHUNK];
    struct sign_pool *pool = (struct sign_pool *)(((uintptr_t)workspace + POOL_ALIGN - 1) & -(uintptr_t)POOL_ALIGN);
    size_t num = 0, max_pool = 0;
    struct ECDSA(sign_item) **waiting = chunk;
    const struct lc_ec_impl *impl = NULL;
    int has_pool = 0;

    for (size_t i = 0; i < num_items; i++) {
        items[i].status = check_lengths(&items[i], with);
        if (items[i].status != LC_OK)
            continue;
        if (items[i].key->impl != impl) {
            num = sign_some(waiting, num, 1, with, pool, max_pool);
            impl = items[i].key->impl;
            for (max_pool = LC_EC_POOL_MAX; max_pool >= LC_EC_POOL_MIN; max_pool -= LC_EC_POOL_STEP) {
                const size_t len = pool_len(impl, max_pool);

                if (len && len <= workspace_len && max_pool <= num_items)
                    break;
            }
            if (max_pool < LC_EC_POOL_MIN)
                max_pool = 0;
            waiting = max_pool ? pool->items : chunk;
            has_pool |= max_pool != 0;
        }
        waiting[num++] = &items[i];
        num = sign_some(waiting, num, 0, with, pool, max_pool);
    }
    sign_some(waiting, num, 1, with, pool, max_pool);
    if (has_pool)
        lc_wipe(workspace, (size_t)((uint8_t *)(pool + 1) - (uint8_t *)workspace)); /* the row's memory has zeros */
    EC(wipe_stack)();
    for (size_t i = 0; i < num_items; i++)
        if (items[i].status != LC_OK)
            return items[i].status;
    return LC_OK;
}

size_t ECDSA(sign_pool_len)(const struct ECDSA(key) * key, size_t num_items)
{
    return pool_len(key->impl, num_items < LC_EC_POOL_MAX ? num_items / LC_EC_POOL_STEP * LC_EC_POOL_STEP : LC_EC_POOL_MAX);
}

int ECDSA(sign_pool)(struct ECDSA(sign_item) * items, size_t num_items, void *workspace, size_t workspace_len)
{
    return sign_many(items, num_items, 0, workspace, workspace_len);
}

int ECDSA(sign_pool_with)(struct ECDSA(sign_item) * items, size_t num_items, void *workspace, size_t workspace_len)
{
    return sign_many(items, num_items, 1, workspace, workspace_len);
}

int ECDSA(sign_many)(struct ECDSA(sign_item) * items, size_t num_items)
{
    return sign_many(items, num_items, 0, NULL, 0);
}

int ECDSA(sign_many_with)(struct ECDSA(sign_item) * items, size_t num_items)
{
    return sign_many(items, num_items, 1, NULL, 0);
}

int ECDSA(sign)(const struct ECDSA(key) * key, uint8_t sig[2 * BYTES], const uint8_t *digest, size_t digest_len)
{
    struct ECDSA(sign_item) item = { .key = key, .sig = sig, .digest = digest, .digest_len = digest_len };

    return sign_many(&item, 1, 0, NULL, 0);
}

int ECDSA(sign_with)(const struct ECDSA(key) * key, uint8_t sig[2 * BYTES], const uint8_t *digest, size_t digest_len,
                     const uint8_t *extra, size_t extra_len)
{
    struct ECDSA(sign_item)
        item = { .key = key, .sig = sig, .digest = digest, .digest_len = digest_len, .extra = extra, .extra_len = extra_len };

    return sign_many(&item, 1, 1, NULL, 0);
}

/* ---- Verifying ---- */

struct verify_job {
    struct ECDSA(verify_item) * item;
    uint64_t e[WORDS], r[WORDS], s[WORDS];
};

/* Jobs that wait for others: under keys of one implementation, all of them prepared or not */
struct verify_chunk {
    struct verify_job jobs[LC_EC_CHUNK];
    size_t num;
};

static void verify_chunk(struct verify_chunk *chunk, int prepared)
{
    struct lc_ec_check checks[LC_EC_CHUNK];
    uint64_t inverses[LC_EC_CHUNK][WORDS], scratch[LC_EC_CHUNK][WORDS];

    if (chunk->num == 0)
        return;
    for (size_t i = 0; i < chunk->num; i++)
        lc_mod_to_montgomery(inverses[i], chunk->jobs[i].s, &EC(n));
    lc_mod_inverse_many(inverses[0], scratch[0], chunk->num, &EC(n), NULL, NULL);
    for (size_t i = 0; i < chunk->num; i++) {
        const struct verify_job *job = &chunk->jobs[i];

        lc_mod_mul(checks[i].u1, job->e, inverses[i], &EC(n));
        lc_mod_mul(checks[i].u2, job->r, inverses[i], &EC(n));
        memcpy(checks[i].r, job->r, sizeof(job->r));
        checks[i].q = job->item->key->point;
        checks[i].table = prepared ? job->item->key->table : NULL;
    }
    chunk->jobs[0].item->key->impl->check(checks, chunk->num);
    for (size_t i = 0; i < chunk->num; i++)
        chunk->jobs[i].item->status = checks[i].right ? LC_OK : LC_ERR_SIGNATURE;
    chunk->num = 0;
}

/* The rest of both kinds.  What fits beside the others goes there: these take the same time for one and for eight. */
static void verify_rest(struct verify_chunk *others, struct verify_chunk *prepared)
{
    if (others->num && others->num + prepared->num <= LC_EC_CHUNK) {
        memcpy(others->jobs + others->num, prepared->jobs, prepared->num * sizeof(prepared->jobs[0]));
        others->num += prepared->num;
        prepared->num = 0;
    }
    verify_chunk(others, 0);
    verify_chunk(prepared, 1);
}

/* The item's numbers, if they are in range; else its status says so. */
static int read_signature(struct verify_job *job, struct ECDSA(verify_item) * item)
{
    job->item = item;
    item->status = LC_ERR_LEN;
    if (item->digest_len < 1 || item->digest_len > LC_ECDSA_MAX_DIGEST_LEN)
        return 0;
    item->status = LC_ERR_SIGNATURE;
    lc_words_from_bytes(job->r, item->sig, WORDS);
    lc_words_from_bytes(job->s, item->sig + BYTES, WORDS);
    if (~(lc_mod_in_range(job->r, &EC(n)) & lc_mod_in_range(job->s, &EC(n))))
        return 0;
    digest_number(job->e, item->digest, item->digest_len);
    return 1;
}

int ECDSA(verify_many)(struct ECDSA(verify_item) * items, size_t num_items)
{
    struct verify_chunk chunks[2]; /* others, prepared */
    const struct lc_ec_impl *impl = num_items ? items[0].key->impl : NULL;

    chunks[0].num = chunks[1].num = 0;
    for (size_t i = 0; i < num_items; i++) {
        const int prepared = items[i].key->table != NULL;
        struct verify_chunk *chunk = &chunks[prepared];

        if (items[i].key->impl != impl)
            verify_rest(&chunks[0], &chunks[1]);
        impl = items[i].key->impl;
        if (chunk->num == LC_EC_CHUNK)
            verify_chunk(chunk, prepared);
        chunk->num += (size_t)read_signature(&chunk->jobs[chunk->num], &items[i]);
    }
    verify_rest(&chunks[0], &chunks[1]);
    for (size_t i = 0; i < num_items; i++)
        if (items[i].status != LC_OK)
            return items[i].status;
    return LC_OK;
}

int ECDSA(verify)(const struct ECDSA(public_key) * key, const uint8_t sig[2 * BYTES], const uint8_t *digest, size_t digest_len)
{
    struct ECDSA(verify_item) item = { .key = key, .sig = sig, .digest = digest, .digest_len = digest_len };

    return ECDSA(verify_many)(&item, 1);
}
