/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ChaCha20-Poly1305 and its parts: whatever the input says is done with the portable implementations in one call, and then with
 * every implementation that this CPU can run, in one call, as one of many, or as a stream in pieces; a difference in the status, in
 * the bytes or in what is written around them aborts.  What was sealed is opened, then with one bit changed, which has to fail and
 * leave zeros.  The same text goes through ChaCha20 and Poly1305 by themselves.
 *
 * Input: 1 byte: in place, how to call, which nonce; 1 byte: offset of src and dst; 1 byte: tag length (refused ones too); 1 byte:
 * distance of ChaCha20's counter to its end; 32 bytes key; 2 bytes each: length of the text, of the AAD, the seed of the splits and
 * of the changed bit; the rest, repeated, is the text, the AAD and the nonce.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lanecrypt/chacha20poly1305.h"
#include "lanecrypt/cpu.h"

#define MAX_LEN 20000
#define MAX_AAD_LEN 3000
#define MARGIN 64
#define HEAD_LEN 42

enum how { WHOLE, X, MANY, PIECES }; /* X: XChaCha20-Poly1305, in one call */

struct job {
    int in_place;
    enum how how;
    size_t tag_len, src_offset, dst_offset, len, aad_len;
    uint8_t raw[32], nonce[24];
    uint32_t counter;
    unsigned number; /* what the splits are made from */
};

static uint8_t src_memory[MARGIN + MAX_LEN + MARGIN], aad[MAX_AAD_LEN];

/* What a job leaves: its status, its tag, and its memory with the margins. */
struct result {
    int status;
    uint8_t tag[16 + MARGIN];
    uint8_t memory[MARGIN + MAX_LEN + MARGIN];
};

static void fail(const char *impl, const char *what)
{
    fprintf(stderr, "%s: %s\n", impl, what);
    abort();
}

/* 0..127 or 0..1023 from a linear congruential generator, or all that is left */
static size_t piece(unsigned *random, size_t left)
{
    size_t n;

    *random = *random * 1664525 + 1013904223;
    n = *random >> 16 & (*random >> 27 & 1 ? 127 : 1023);
    return n < left && *random >> 28 ? n : left;
}

/* The state is copied, and the original wiped, at each call. */
static void move_state(struct lc_chacha20poly1305_state *to, struct lc_chacha20poly1305_state *from)
{
    memcpy(to, from, sizeof(*to));
    lc_chacha20poly1305_state_wipe(from);
}

static int do_pieces(const struct job *job, const struct lc_chacha20poly1305_key *key, int encrypt, uint8_t *dst,
                     const uint8_t *src,
                     uint8_t *tag)
{
    unsigned random = job->number;
    struct lc_chacha20poly1305_state state, copy;
    int status = lc_chacha20poly1305_start(&state, key, job->nonce, 12);

    for (size_t done = 0, n; status == LC_OK && done < job->aad_len; done += n) {
        n = piece(&random, job->aad_len - done);
        move_state(&copy, &state);
        status = lc_chacha20poly1305_aad(&copy, aad + done, n);
        move_state(&state, &copy);
    }
    for (size_t done = 0, n; status == LC_OK && done < job->len; done += n) {
        n = piece(&random, job->len - done);
        move_state(&copy, &state);
        status = (encrypt ? lc_chacha20poly1305_encrypt : lc_chacha20poly1305_decrypt)(&copy, dst + done, src + done, n);
        move_state(&state, &copy);
    }
    if (status == LC_OK)
        status = encrypt ? lc_chacha20poly1305_tag(&state, tag, job->tag_len) : lc_chacha20poly1305_verify(&state, tag,
                                                                                                           job->tag_len);
    lc_chacha20poly1305_state_wipe(&state);
    return status;
}

static int call(const struct job *job, const struct lc_chacha20poly1305_key *key, int encrypt, uint8_t *dst, const uint8_t *src,
                uint8_t *tag)
{
    struct lc_aead_item items[3] = {
        { NULL, tag + 16, NULL, 0, aad, job->aad_len, job->nonce, 1 }, /* tags that don't meet the one that is looked at */
        { dst, tag, src, job->len, aad, job->aad_len, job->nonce, 1 },
        { NULL, tag + 32, NULL, 0, NULL, 0, job->nonce, 1 },
    };
    const size_t nonce_len = job->how == X ? 24 : 12;

    switch (job->how) {
    case MANY:
        (void)!(encrypt ? lc_chacha20poly1305_seal_many : lc_chacha20poly1305_open_many)(key, items, 3);
        return items[1].status;
    case PIECES:
        return do_pieces(job, key, encrypt, dst, src, tag);
    default:
        if (encrypt)
            return (job->how == X ? lc_xchacha20poly1305_seal : lc_chacha20poly1305_seal)(key, dst, tag, job->tag_len, src,
                                                                                          job->len,
                                                                                          aad, job->aad_len, job->nonce, nonce_len);
        return (job->how == X ? lc_xchacha20poly1305_open : lc_chacha20poly1305_open)(key, dst, src, job->len, tag, job->tag_len,
                                                                                      aad,
                                                                                      job->aad_len, job->nonce, nonce_len);
    }
}

static void run(const struct job *job, const char *impl, int encrypt, const uint8_t *src, const uint8_t *tag, struct result *result)
{
    uint8_t *dst = result->memory + MARGIN + job->dst_offset;
    const uint8_t *const original = src;
    struct lc_chacha20poly1305_key key;

    memset(result->memory, 0xa5, sizeof(result->memory));
    memset(result->tag, 0xa5, sizeof(result->tag));
    if (tag)
        memcpy(result->tag, tag, 16);
    if (lc_chacha20poly1305_init_impl(&key, impl, job->raw, 32) != LC_OK)
        fail(impl, "no key");
    if (job->in_place) {
        memcpy(dst, src, job->len);
        src = dst;
    }
    result->status = call(job, &key, encrypt, dst, src, result->tag);
    memset(result->tag + 16, 0xa5, MARGIN); /* the tags of the other two of many */
    lc_chacha20poly1305_wipe(&key);
    if (job->in_place && result->status != LC_OK && result->status != LC_ERR_AUTH) {
        if (memcmp(dst, original, job->len) != 0)
            fail(impl, "refused, but written to");
        memset(dst, 0xa5, job->len); /* as if it weren't in place */
    }
}

static void check(const struct job *job, const char *impl, const struct result *expected)
{
    static struct result actual, opened;
    const uint8_t *src = src_memory + MARGIN + job->src_offset;
    const uint8_t *dst = opened.memory + MARGIN + job->dst_offset;
    uint8_t *ct = actual.memory + MARGIN + job->dst_offset;
    size_t bit = job->number % (8 * (16 + job->len));

    run(job, impl, 1, src, NULL, &actual);
    if (actual.status != expected->status)
        fail(impl, "another status");
    if (memcmp(actual.tag, expected->tag, sizeof(actual.tag)) != 0)
        fail(impl, "another tag");
    if (memcmp(actual.memory, expected->memory, sizeof(actual.memory)) != 0)
        fail(impl, "another text");
    if (actual.status != LC_OK)
        return;

    run(job, impl, 0, ct, actual.tag, &opened);
    if (opened.status != LC_OK || memcmp(dst, src, job->len) != 0)
        fail(impl, "what was sealed can't be opened");
    if (bit < 128)
        actual.tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
    else
        ct[bit / 8 - 16] ^= (uint8_t)(1 << bit % 8);
    run(job, impl, 0, ct, actual.tag, &opened);
    if (opened.status != LC_ERR_AUTH)
        fail(impl, "a forgery is taken");
    for (size_t i = 0; i < job->len && job->how != PIECES; i++) /* streams have released it */
        if (dst[i] != 0)
            fail(impl, "a forgery isn't wiped");
    for (size_t i = 0; i < sizeof(opened.memory); i++)
        if ((opened.memory + i < dst || opened.memory + i >= dst + job->len) && opened.memory[i] != 0xa5)
            fail(impl, "written outside");
}

/* ChaCha20 by itself, from a counter near its end, with the 12-byte nonce and, as a stream that wraps, with the 8-byte one */
static void run_chacha20(const struct job *job, const char *impl, int wide, struct result *result)
{
    const uint8_t *src = src_memory + MARGIN + job->src_offset;
    uint8_t *dst = result->memory + MARGIN + job->dst_offset;
    unsigned random = job->number;
    struct lc_chacha20_state state;
    struct lc_chacha20_key key;

    memset(result->memory, 0xa5, sizeof(result->memory));
    if (lc_chacha20_init_impl(&key, impl, job->raw, 32) != LC_OK)
        fail(impl, "no key");
    if (job->in_place)
        src = memcpy(dst, src, job->len);
    if (wide) {
        lc_chacha20_start_64(&state, &key, job->nonce, (uint64_t)job->number << 32 | job->counter);
        for (size_t done = 0, n; done < job->len; done += n) {
            n = job->how == PIECES ? piece(&random, job->len - done) : job->len - done;
            if (lc_chacha20_update(&state, dst + done, src + done, n) != LC_OK)
                fail(impl, "a stream ends");
        }
        result->status = LC_OK;
        lc_chacha20_state_wipe(&state);
    } else {
        result->status = lc_chacha20_crypt(&key, dst, src, job->len, job->nonce, job->counter);
    }
    lc_chacha20_wipe(&key);
}

static void run_poly1305(const struct job *job, const char *impl, struct result *result)
{
    const uint8_t *msg = src_memory + MARGIN + job->src_offset;
    unsigned random = job->number;
    struct lc_poly1305_state state;

    if (lc_poly1305_start_impl(&state, impl, job->raw) != LC_OK)
        fail(impl, "no state");
    for (size_t done = 0, n; done < job->len; done += n) {
        n = job->how == PIECES ? piece(&random, job->len - done) : job->len - done;
        lc_poly1305_update(&state, msg + done, n);
    }
    lc_poly1305_finish(&state, result->tag);
}

static void check_parts(const struct job *job)
{
    static struct result expected, actual;
    struct job simple = *job;
    struct lc_impl_info info;

    simple.how = WHOLE;
    for (int wide = 0; wide < 2; wide++) {
        run_chacha20(&simple, "chacha20-portable", wide, &expected);
        for (size_t i = 0; lc_impl_get("chacha20", i, &info) == LC_OK; i++)
            if (info.runs_here) {
                run_chacha20(job, info.name, wide, &actual);
                if (actual.status != expected.status || memcmp(actual.memory, expected.memory, sizeof(actual.memory)) != 0)
                    fail(info.name, "another status, or text");
            }
    }
    run_poly1305(&simple, "poly1305-portable", &expected);
    for (size_t i = 0; lc_impl_get("poly1305", i, &info) == LC_OK; i++)
        if (info.runs_here) {
            run_poly1305(job, info.name, &actual);
            if (memcmp(actual.tag, expected.tag, 16) != 0)
                fail(info.name, "another tag");
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct result expected;
    struct job job, simple;
    struct lc_impl_info info;
    size_t rest;

    if (size <= HEAD_LEN)
        return 0;
    rest = size - HEAD_LEN;
    job.in_place = data[0] & 1;
    job.how = (enum how)(data[0] >> 1 & 3);
    job.src_offset = data[1] & 15;
    job.dst_offset = data[1] >> 4;
    job.tag_len = data[2] & 1 || job.how == MANY ? 16 : data[2] / 2;
    job.counter = 0u - data[3];
    memcpy(job.raw, data + 4, 32);
    job.len = (data[36] | (unsigned)data[37] << 8) % MAX_LEN;
    job.aad_len = (data[38] | (unsigned)data[39] << 8) % MAX_AAD_LEN;
    job.number = data[40] | (unsigned)data[41] << 8;
    for (size_t i = 0; i < job.len; i++)
        src_memory[MARGIN + job.src_offset + i] = data[HEAD_LEN + i % rest];
    for (size_t i = 0; i < job.aad_len; i++)
        aad[i] = data[HEAD_LEN + (i + 7) % rest];
    for (size_t i = 0; i < sizeof(job.nonce); i++)
        job.nonce[i] = data[HEAD_LEN + (i + 13) % rest];

    check_parts(&job);
    simple = job;
    simple.how = job.how == X ? X : WHOLE;
    simple.in_place = 0;
    run(&simple, "chacha20-poly1305-portable", 1, src_memory + MARGIN + job.src_offset, NULL, &expected);
    if (expected.status != LC_OK && job.how == PIECES) /* refused when the stream ends: there is text, then */
        return 0;
    for (size_t i = 0; lc_impl_get("chacha20-poly1305", i, &info) == LC_OK; i++)
        if (info.runs_here)
            check(&job, info.name, &expected);
    return 0;
}
