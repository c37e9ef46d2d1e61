/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Part of `lanecrypt verify`: threads that take one block of the input after the other, and print the verdicts of each in the order
 * of the blocks.
 */
#ifndef LANECRYPT_VERIFY_RUN_H
#define LANECRYPT_VERIFY_RUN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "progress.h"

enum { MAX_THREADS = 1024 };

struct verify_counts {
    uint64_t ok, wrong, errors;
};

struct verify_worker;

struct verify_run {
    /* Options */
    uint64_t num_threads;
    bool failed_only, json, quiet;

    /*
     * What is verified: get the next block, of which one is got at a time, and say whether there is one; print the verdicts of a
     * block to w->out, and count them.
     */
    bool (*next)(struct verify_worker *w);
    void (*verify)(struct verify_worker *w);

    struct progress progress;
    bool has_progress;
    struct verify_counts counts;
    bool write_failed;

    _Atomic bool stop;    /* after an error: no thread begins another block */
    pthread_mutex_t reading;
    uint64_t num_blocks;  /* read so far */
    pthread_mutex_t writing;
    pthread_cond_t turn;
    uint64_t num_written; /* blocks */
};

/* What a thread has; the begin of a structure with more. */
struct verify_worker {
    struct verify_run *run;
    uint64_t progress_len;       /* of the block; next() writes it */
    struct verify_counts counts; /* of the block, zeros at first */
    FILE *out;
    bool out_failed;             /* verify() writes it: glibc's streams in memory have no error of their own then */

    pthread_t thread;
    uint64_t block;
    char *out_text;
    size_t out_len;
};

void verify_run_init(struct verify_run *run);

/*
 * Start the threads, and wait until they have ended; this one is one of them.  workers: run->num_threads structures of worker_size
 * bytes each, which begin with a struct verify_worker.  If not all threads can be started, run->num_threads is how many were.
 */
void verify_run(struct verify_run *run, void *workers, size_t worker_size);

/* The end of the summary: seconds, and how many a second */
void verify_print_speed(const struct verify_run *run, uint64_t num);

/* The subcommand with --keys and with --roots.  Are all of them right? */
bool verify_tokens(struct verify_run *run, const char *keys, const char *path);
bool verify_certs(struct verify_run *run, const char *roots, char **paths, size_t num_paths);

#endif
