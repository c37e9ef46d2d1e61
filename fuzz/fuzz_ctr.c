/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-CTR: whatever the input says is done with the portable implementation, block by block, and with every implementation that
 * this CPU can run, as a whole or in pieces; a difference in the bytes or in what is written around them aborts.
 *
 * Input: 1 byte: key length (mod 3), in place, whole or in pieces, distance of the iv from a wrap; 1 byte: offset of src and dst;
 * 32 bytes key; 16 bytes iv; 2 bytes: the seed of the splits; the rest, repeated, is the data; its length comes from 2 bytes more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lanecrypt/cpu.h"
#include "lanecrypt/ctr.h"

#define MAX_LEN 20000
#define MARGIN 64

struct job {
    int in_place, pieces;
    size_t raw_len, src_offset, dst_offset, len;
    uint8_t raw[32], iv[16];
    unsigned number; /* what the splits are made from */
};

static uint8_t src_memory[MARGIN + MAX_LEN + MARGIN];

/* What a job leaves: its memory with the margins. */
struct result {
    uint8_t memory[MARGIN + MAX_LEN + MARGIN];
};

/* The counter plus 1. */
static void step(uint8_t counter[16])
{
    for (unsigned i = 16; i-- > 0 && !++counter[i];)
        ;
}

/* Pieces of 0..63 or of 0..1023 bytes from a linear congruential generator, then the rest. */
static void do_pieces(const struct job *job, const struct lc_ctr_key *key, uint8_t *dst, const uint8_t *src)
{
    unsigned random = job->number;
    struct lc_ctr_state state, copy;
    size_t done = 0;

    lc_ctr_start(&state, job->iv);
    while (done < job->len) {
        size_t n = job->len - done, piece;

        random = random * 1664525 + 1013904223;
        piece = random >> 16 & (random >> 27 & 1 ? 63 : 1023);
        if (piece < n && random >> 28)
            n = piece;
        memcpy(&copy, &state, sizeof(copy));
        lc_ctr_state_wipe(&state);
        lc_ctr_update(key, &copy, dst + done, src + done, n);
        memcpy(&state, &copy, sizeof(state));
        done += n;
    }
    lc_ctr_state_wipe(&state);
}

static void run(const struct job *job, const char *impl, int block_by_block, struct result *result)
{
    uint8_t *dst = result->memory + MARGIN + job->dst_offset;
    const uint8_t *src = src_memory + MARGIN + job->src_offset;
    struct lc_ctr_key key;

    memset(result->memory, 0xa5, sizeof(result->memory));
    if (lc_ctr_init_impl(&key, impl, job->raw, job->raw_len) != LC_OK)
        abort();
    if (job->in_place && !block_by_block) {
        memcpy(dst, src, job->len);
        src = dst;
    }
    if (block_by_block) {
        uint8_t counter[16];

        memcpy(counter, job->iv, 16);
        for (size_t at = 0; at < job->len; at += 16) {
            lc_ctr_xor(&key, dst + at, src + at, job->len - at < 16 ? job->len - at : 16, counter);
            step(counter);
        }
    } else if (job->pieces) {
        do_pieces(job, &key, dst, src);
    } else {
        lc_ctr_xor(&key, dst, src, job->len, job->iv);
    }
    lc_ctr_wipe(&key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct result expected, actual;
    struct job job;
    struct lc_impl_info info;
    unsigned near_wrap;

    if (size < 55)
        return 0;
    job.raw_len = 16 + 8 * (data[0] % 3);
    job.in_place = data[0] >> 2 & 1;
    job.pieces = data[0] >> 3 & 1;
    near_wrap = data[0] >> 4;
    job.src_offset = data[1] & 15;
    job.dst_offset = data[1] >> 4;
    memcpy(job.raw, data + 2, 32);
    memcpy(job.iv, data + 34, 16);
    job.number = data[50] | (unsigned)data[51] << 8;
    job.len = (data[52] | (unsigned)data[53] << 8) % (MAX_LEN - 15);
    /* Random counters are far from a carry: 0..15 bytes of 1s above the last one, which leaves up to 255 blocks before it. */
    memset(job.iv + 15 - near_wrap, 0xff, near_wrap);
    for (size_t i = 0; i < job.len; i++)
        src_memory[MARGIN + job.src_offset + i] = data[54 + i % (size - 54)];

    run(&job, "ctr-aes-portable", 1, &expected);
    for (size_t i = 0; lc_impl_get("ctr", i, &info) == LC_OK; i++) {
        if (!info.runs_here)
            continue;
        run(&job, info.name, 0, &actual);
        if (memcmp(expected.memory, actual.memory, sizeof(actual.memory)) != 0) {
            fprintf(stderr, "%s differs\n", info.name);
            abort();
        }
    }
    return 0;
}
