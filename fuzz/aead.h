/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AEADs: whatever the input says is done with the portable implementation in one call, and then with every implementation that
 * this CPU can run, in one call, as one of many, or as a stream in pieces; a difference in the status, in the bytes or in what is
 * written around them aborts.  What was sealed is opened, then with one bit changed, which has to fail and leave zeros.
 *
 * Input: 1 byte: key length, in place, how to call; 1 byte: offset of src and dst; 1 byte: tag length (refused ones too); 1 byte:
 * nonce length (refused ones too); 32 bytes key; 2 bytes each: length of the text, of the AAD, the seed of the splits and of the
 * changed bit; the rest, repeated, is the text, the AAD and the nonce.
 *
 * The file that includes this one is an AEAD's target.  It defines:
 *   MODE, PORTABLE                    the mode's name and that of its portable implementation
 *   AEAD(name)                        the mode's functions and structs
 *   SEAL(nonce_len), OPEN(nonce_len)  the functions for whole messages with such a nonce
 *   choose_raw_len(choice)            a key's length
 *   choose_nonce_len(choice, whole)   a nonce's length, for a whole message or for a stream
 */
#include <string.h>

#include "lanecrypt/cpu.h"
#include "pieces.h"

#define MAX_LEN 20000
#define MAX_AAD_LEN 3000
#define MARGIN 64
#define HEAD_LEN 42

enum how { WHOLE, MANY, PIECES, NUM_HOWS };

struct job {
    int in_place;
    enum how how;
    size_t raw_len, tag_len, nonce_len, src_offset, dst_offset, len, aad_len;
    uint8_t raw[32], nonce[256];
    unsigned number; /* what the splits are made from */
};

static uint8_t src_memory[MARGIN + MAX_LEN + MARGIN], aad[MAX_AAD_LEN];

/* What a job leaves: its status, its tag, and its memory with the margins. */
struct result {
    int status;
    uint8_t tag[16 + MARGIN];
    uint8_t memory[MARGIN + MAX_LEN + MARGIN];
};

/* The state is copied, and the original wiped, at each call. */
static void move_state(struct AEAD(state) * to, struct AEAD(state) * from)
{
    memcpy(to, from, sizeof(*to));
    AEAD(state_wipe)(from);
}

static int do_pieces(const struct job *job, const struct AEAD(key) * key, int encrypt, uint8_t *dst, const uint8_t *src,
                     uint8_t *tag)
{
    unsigned random = job->number;
    struct AEAD(state) state, copy;
    int status = AEAD(start)(&state, key, job->nonce, job->nonce_len);

    for (size_t done = 0, n; status == LC_OK && done < job->aad_len; done += n) {
        n = piece(&random, job->aad_len - done);
        move_state(&copy, &state);
        status = AEAD(aad)(&copy, aad + done, n);
        move_state(&state, &copy);
    }
    for (size_t done = 0, n; status == LC_OK && done < job->len; done += n) {
        n = piece(&random, job->len - done);
        move_state(&copy, &state);
        status = (encrypt ? AEAD(encrypt) : AEAD(decrypt))(&copy, dst + done, src + done, n);
        move_state(&state, &copy);
    }
    if (status == LC_OK)
        status = encrypt ? AEAD(tag)(&state, tag, job->tag_len) : AEAD(verify)(&state, tag, job->tag_len);
    AEAD(state_wipe)(&state);
    return status;
}

static int call(const struct job *job, const struct AEAD(key) * key, int encrypt, uint8_t *dst, const uint8_t *src, uint8_t *tag)
{
    struct lc_aead_item items[3] = {
        { NULL, tag + 16, NULL, 0, aad, job->aad_len, job->nonce, 1 }, /* tags that don't meet the one that is looked at */
        { dst, tag, src, job->len, aad, job->aad_len, job->nonce, 1 },
        { NULL, tag + 32, NULL, 0, NULL, 0, job->nonce, 1 },
    };

    switch (job->how) {
    case MANY: (void)!(encrypt ? AEAD(seal_many) : AEAD(open_many))(key, items, 3); return items[1].status;
    case PIECES: return do_pieces(job, key, encrypt, dst, src, tag);
    default:
        if (encrypt)
            return SEAL(job->nonce_len)(key, dst, tag, job->tag_len, src, job->len, aad, job->aad_len, job->nonce, job->nonce_len);
        return OPEN(job->nonce_len)(key, dst, src, job->len, tag, job->tag_len, aad, job->aad_len, job->nonce, job->nonce_len);
    }
}

static void run(const struct job *job, const char *impl, int encrypt, const uint8_t *src, const uint8_t *tag, struct result *result)
{
    uint8_t *dst = result->memory + MARGIN + job->dst_offset;
    const uint8_t *const original = src;
    struct AEAD(key) key;

    memset(result->memory, 0xa5, sizeof(result->memory));
    memset(result->tag, 0xa5, sizeof(result->tag));
    if (tag)
        memcpy(result->tag, tag, 16);
    if (AEAD(init_impl)(&key, impl, job->raw, job->raw_len) != LC_OK)
        fail(impl, "no key");
    if (job->in_place) {
        memcpy(dst, src, job->len);
        src = dst;
    }
    result->status = call(job, &key, encrypt, dst, src, result->tag);
    memset(result->tag + 16, 0xa5, MARGIN); /* the tags of the other two of many */
    AEAD(wipe)(&key);
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
    size_t bit = job->number % (8 * (job->tag_len + job->len));

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
    if (bit < 8 * job->tag_len)
        actual.tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
    else
        ct[bit / 8 - job->tag_len] ^= (uint8_t)(1 << bit % 8);
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
    job.raw_len = choose_raw_len(data[0] & 3u);
    job.in_place = data[0] >> 2 & 1;
    job.how = (enum how)((data[0] >> 3) % NUM_HOWS);
    job.src_offset = data[1] & 15;
    job.dst_offset = data[1] >> 4;
    job.tag_len = data[2] & 1 || job.how == MANY ? 16 : 1 + data[2] / 2 % 20;
    job.nonce_len = data[3] & 1 || job.how == MANY ? 12 : choose_nonce_len(data[3], job.how == WHOLE);
    memcpy(job.raw, data + 4, 32);
    job.len = (data[36] | (unsigned)data[37] << 8) % MAX_LEN;
    job.aad_len = (data[38] | (unsigned)data[39] << 8) % MAX_AAD_LEN;
    job.number = data[40] | (unsigned)data[41] << 8;
    for (size_t i = 0; i < job.len; i++)
        src_memory[MARGIN + job.src_offset + i] = data[HEAD_LEN + i % rest];
    for (size_t i = 0; i < job.aad_len; i++)
        aad[i] = data[HEAD_LEN + (i + 7) % rest];
    for (size_t i = 0; i < job.nonce_len; i++)
        job.nonce[i] = data[HEAD_LEN + (i + 13) % rest];

    simple = job;
    simple.how = WHOLE;
    simple.in_place = 0;
    run(&simple, PORTABLE, 1, src_memory + MARGIN + job.src_offset, NULL, &expected);
    if (expected.status != LC_OK && job.how == PIECES) /* refused when the stream ends: there is text, then */
        return 0;
    for (size_t i = 0; lc_impl_get(MODE, i, &info) == LC_OK; i++)
        if (info.runs_here)
            check(&job, info.name, &expected);
    return 0;
}
