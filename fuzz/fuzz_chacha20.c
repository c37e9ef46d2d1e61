/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ChaCha20 and Poly1305 by themselves: whatever the input says is done with the portable implementations in one call, and then with
 * every implementation that this CPU can run, in one call or in pieces; a difference in the status, in the bytes or in what is
 * written around them aborts.
 *
 * Input: 1 byte: in place, in pieces; 1 byte: offset of src and dst; 1 byte: distance of ChaCha20's counter to its end; 32 bytes
 * key; 2 bytes each: length of the text, the seed of the splits; the rest, repeated, is the text and the nonce.
 */
#include <string.h>

#include "lanecrypt/chacha20poly1305.h"
#include "lanecrypt/cpu.h"
#include "pieces.h"

#define MAX_LEN 20000
#define MARGIN 64
#define HEAD_LEN 39

struct job {
    int in_place, in_pieces;
    size_t src_offset, dst_offset, len;
    uint8_t raw[32], nonce[12];
    uint32_t counter;
    unsigned number; /* what the splits are made from */
};

static uint8_t src_memory[MARGIN + MAX_LEN + MARGIN];

/* What a job leaves: its status and its memory with the margins, or its tag. */
struct result {
    int status;
    uint8_t tag[16];
    uint8_t memory[MARGIN + MAX_LEN + MARGIN];
};

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
            n = job->in_pieces ? piece(&random, job->len - done) : job->len - done;
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
        n = job->in_pieces ? piece(&random, job->len - done) : job->len - done;
        lc_poly1305_update(&state, msg + done, n);
    }
    lc_poly1305_finish(&state, result->tag);
}

static void check(const struct job *job)
{
    static struct result expected, actual;
    struct job simple = *job;
    struct lc_impl_info info;

    simple.in_pieces = 0;
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
    struct job job;
    size_t rest;

    if (size <= HEAD_LEN)
        return 0;
    rest = size - HEAD_LEN;
    job.in_place = data[0] & 1;
    job.in_pieces = data[0] >> 1 & 1;
    job.src_offset = data[1] & 15;
    job.dst_offset = data[1] >> 4;
    job.counter = 0u - data[2];
    memcpy(job.raw, data + 3, 32);
    job.len = (data[35] | (unsigned)data[36] << 8) % MAX_LEN;
    job.number = data[37] | (unsigned)data[38] << 8;
    for (size_t i = 0; i < job.len; i++)
        src_memory[MARGIN + job.src_offset + i] = data[HEAD_LEN + i % rest];
    for (size_t i = 0; i < sizeof(job.nonce); i++)
        job.nonce[i] = data[HEAD_LEN + (i + 13) % rest];
    check(&job);
    return 0;
}
