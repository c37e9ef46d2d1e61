/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#define _GNU_SOURCE
#include "verify_run.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli.h"

void verify_run_init(struct verify_run *run)
{
    *run = (struct verify_run){
        .reading = PTHREAD_MUTEX_INITIALIZER, .writing = PTHREAD_MUTEX_INITIALIZER, .turn = PTHREAD_COND_INITIALIZER
    };
}

static bool next_block(struct verify_worker *w)
{
    struct verify_run *run = w->run;
    bool got;

    pthread_mutex_lock(&run->reading);
    got = run->next(w) && !atomic_load(&run->stop);
    if (got)
        w->block = run->num_blocks++;
    pthread_mutex_unlock(&run->reading);
    return got;
}

/* In the order of the blocks. */
static void write_block(struct verify_worker *w, bool ok)
{
    struct verify_run *run = w->run;

    pthread_mutex_lock(&run->writing);
    while (run->num_written != w->block)
        pthread_cond_wait(&run->turn, &run->writing);
    if (!run->write_failed && (!ok || fwrite(w->out_text, 1, w->out_len, stdout) != w->out_len || fflush(stdout) != 0)) {
        if (!ok)
            cli_error("no memory for the verdicts"); /* of standard output main() tells */
        run->write_failed = true;
        atomic_store(&run->stop, true);
    }
    run->counts.ok += w->counts.ok;
    run->counts.wrong += w->counts.wrong;
    run->counts.errors += w->counts.errors;
    run->num_written++;
    pthread_cond_broadcast(&run->turn);
    pthread_mutex_unlock(&run->writing);
    if (run->has_progress)
        progress_add(&run->progress, w->progress_len);
}

static void *work(void *arg)
{
    struct verify_worker *w = arg;

    while (next_block(w)) {
        bool ok;

        /* If there is no memory, the block has its turn all the same, as others wait for it. */
        w->out_text = NULL;
        w->out_failed = false;
        w->counts = (struct verify_counts){ 0 };
        w->out = open_memstream(&w->out_text, &w->out_len);
        ok = w->out != NULL;
        if (ok) {
            w->run->verify(w);
            ok = fclose(w->out) == 0 && !w->out_failed;
        }
        write_block(w, ok);
        free(w->out_text);
    }
    return NULL;
}

static struct verify_worker *worker(void *workers, size_t worker_size, size_t i)
{
    return (struct verify_worker *)(void *)((char *)workers + i * worker_size);
}

void verify_run(struct verify_run *run, void *workers, size_t worker_size)
{
    size_t started = 1;

    for (size_t i = 0; i < run->num_threads; i++)
        worker(workers, worker_size, i)->run = run;
    /* With fewer threads than asked for it takes longer, no more. */
    while (started < run->num_threads) {
        struct verify_worker *w = worker(workers, worker_size, started);

        if (pthread_create(&w->thread, NULL, work, w) != 0)
            break;
        started++;
    }
    work(workers);
    for (size_t i = 1; i < started; i++)
        pthread_join(worker(workers, worker_size, i)->thread, NULL);
    run->num_threads = started;
}

void verify_print_speed(const struct verify_run *run, uint64_t num)
{
    double seconds = progress_seconds(&run->progress);

    fprintf(stderr, "%.3f s, %.0f a second, %" PRIu64 " thread%s\n", seconds, (double)num / seconds, run->num_threads,
            run->num_threads == 1 ? "" : "s");
}
