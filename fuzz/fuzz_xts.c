/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-XTS: whatever the input says is done with the portable implementation and with every other that this CPU can run; a
 * difference in the status, in the bytes or in what is written around them aborts.
 *
 * Input: 1 byte: key length (mod 3), direction, in place, kind of call; 1 byte: offset of src and dst; 64 bytes key; 16 bytes iv,
 * or first sector and step; 2 bytes: sector length, or the seed of the splits; the rest, repeated, is the data; its length comes
 * from 2 bytes more.  Lengths that have to be refused are as good as any.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lanecrypt/cpu.h"
#include "lanecrypt/xts.h"

#define MAX_LEN 20000
#define MARGIN 64

enum kind { WHOLE, SECTORS, PIECES, NUM_KINDS };

struct job {
    int encrypt, in_place;
    enum kind kind;
    size_t raw_len, src_offset, dst_offset, len;
    uint8_t raw[64], iv[16];
    unsigned number; /* sector length, or what the splits are made from */
};

static uint8_t src_memory[MARGIN + MAX_LEN + MARGIN];

/* What a job leaves: the status of its last call, and its memory with the margins. */
struct result {
    int status;
    uint8_t memory[MARGIN + MAX_LEN + MARGIN];
};

static uint64_t load64(const uint8_t *p)
{
    uint64_t x;

    memcpy(&x, p, 8);
    return x;
}

/* Pieces of 0..31 blocks from a linear congruential generator, then the rest. */
static int do_pieces(const struct job *job, const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src)
{
    unsigned random = job->number;
    struct lc_xts_state state;
    size_t done = 0;
    int status;

    lc_xts_start(&state, job->iv);
    for (;;) {
        size_t n = job->len - done, piece;

        random = random * 1664525 + 1013904223;
        piece = 16 * (random >> 16 & 31);
        if (piece + 16 <= n && random >> 28)
            n = piece;
        status = (job->encrypt ? lc_xts_encrypt_update : lc_xts_decrypt_update)(key, &state, dst + done, src + done, n);
        done += n;
        if (status != LC_OK || done == job->len)
            break;
    }
    lc_xts_state_wipe(&state);
    return status;
}

static void run(const struct job *job, const char *impl, struct result *result)
{
    uint8_t *dst = result->memory + MARGIN + job->dst_offset;
    const uint8_t *src = src_memory + MARGIN + job->src_offset;
    struct lc_xts_key key;

    memset(result->memory, 0xa5, sizeof(result->memory));
    result->status = lc_xts_init_impl(&key, impl, job->raw, job->raw_len);
    if (result->status != LC_OK)
        return;
    if (job->in_place) {
        memcpy(dst, src, job->len);
        src = dst;
    }
    switch (job->kind) {
    case WHOLE: result->status = (job->encrypt ? lc_xts_encrypt : lc_xts_decrypt)(&key, dst, src, job->len, job->iv); break;
    case SECTORS:
        result->status =
            (job->encrypt ? lc_xts_encrypt_sectors
                          : lc_xts_decrypt_sectors)(&key, dst, src, job->len, job->number, load64(job->iv), load64(job->iv + 8));
        break;
    default: result->status = do_pieces(job, &key, dst, src);
    }
    lc_xts_wipe(&key);
}

/* The same once more, a call a sector or in one call: so the portable way of splitting isn't its own measure. */
static void run_simply(const struct job *job, struct result *result)
{
    struct job simple = *job;
    const uint8_t *src = src_memory + MARGIN + job->src_offset;
    uint8_t *dst = result->memory + MARGIN + job->dst_offset;
    size_t unit_len = job->kind == SECTORS ? job->number : job->len;
    uint64_t sector = load64(job->iv);
    struct lc_xts_key key;

    memset(result->memory, 0xa5, sizeof(result->memory));
    result->status = lc_xts_init_impl(&key, "xts-aes-portable", job->raw, job->raw_len);
    if (result->status != LC_OK)
        abort(); /* only called if the job went well */
    for (size_t at = 0; at < job->len; at += unit_len, sector += load64(job->iv + 8)) {
        if (job->kind == SECTORS) {
            memcpy(simple.iv, &sector, 8);
            memset(simple.iv + 8, 0, 8);
        }
        if (unit_len > job->len - at)
            unit_len = job->len - at;
        if ((job->encrypt ? lc_xts_encrypt : lc_xts_decrypt)(&key, dst + at, src + at, unit_len, simple.iv) != LC_OK)
            abort();
    }
    lc_xts_wipe(&key);
}

static void compare(const struct result *expected, const struct result *actual, const char *impl)
{
    if (expected->status != actual->status || memcmp(expected->memory, actual->memory, sizeof(actual->memory)) != 0) {
        fprintf(stderr, "%s differs\n", impl);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct result expected, actual;
    struct job job;
    struct lc_impl_info info;

    if (size < 87)
        return 0;
    job.raw_len = 16 * (2 + data[0] % 3);
    job.encrypt = data[0] >> 2 & 1;
    job.in_place = data[0] >> 3 & 1;
    job.kind = (enum kind)((data[0] >> 4) % NUM_KINDS);
    job.src_offset = data[1] & 15;
    job.dst_offset = data[1] >> 4;
    memcpy(job.raw, data + 2, 64);
    memcpy(job.iv, data + 66, 16);
    job.number = data[82] | (unsigned)data[83] << 8;
    job.len = (data[84] | (unsigned)data[85] << 8) % (MAX_LEN - 15);
    for (size_t i = 0; i < job.len; i++)
        src_memory[MARGIN + job.src_offset + i] = data[86 + i % (size - 86)];

    run(&job, "xts-aes-portable", &expected);
    if (expected.status == LC_OK) {
        run_simply(&job, &actual);
        compare(&expected, &actual, "xts-aes-portable, called simply,");
    }
    for (size_t i = 0; lc_impl_get("xts", i, &info) == LC_OK; i++)
        if (info.runs_here) {
            run(&job, info.name, &actual);
            compare(&expected, &actual, info.name);
        }
    return 0;
}
