/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Operations of several jobs of libcrypto's (ASYNC_start_job(), SSL_MODE_ASYNC) done together.
 *
 * A job that needs a signature puts it into its thread's queue for that kind, and pauses.  The one that makes it eight does all of
 * them, and doesn't pause.  If eight don't come, it's the first one's turn: its file descriptor is ready from the begin, so the
 * program resumes it in the next turn of its event loop, when all that has piled up in this turn is there.  Whoever is resumed
 * first does everything that waits.  So there is no timer, no thread, and nobody waits for longer than one turn.
 *
 * What is shared: a queue belongs to a thread, and libcrypto can't resume a job in another one.  But programs may free a connection
 * there, whose job then never goes on; so there is a lock, which otherwise nobody else wants.  It isn't held while something is
 * computed.
 *
 * File descriptors: programs keep a wait context (one for a connection) and look there for descriptors to poll, after a pause only.
 * So a job that doesn't pause makes none; one that was made stays until the wait context ends, since programs may have it in their
 * tables until then; and only libcrypto's cleanup function closes it.  That function also takes the job out of the queue: it was
 * abandoned.  If it was the first one, another one has to be.
 *
 * After fork() the child makes queues of its own.  A job that was paused before goes on there, too: alone.
 *
 * Jobs have small stacks (32 KB), and so may threads and coroutines of programs for which the default provider's 16 KB are enough.
 * The core takes up to 96 KB for one operation, and more for eight.  So each thread has a stack for them.
 *
 * libcrypto has no way to free a job that is paused: what belonged to an abandoned one is lost.  So that strangers can't use up a
 * server's memory by going away, there is a limit.  After so many no job pauses any more; each does its own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "pkey.h"

LCP_MAY_BE_MISSING(pthread_key_create)
LCP_MAY_BE_MISSING(pthread_setspecific)

enum state { QUEUED, RUNNING, DONE };

/* What a wait context has of ours: a descriptor, and the job that it would resume. */
struct waiter {
    int fd;
    struct waiting_job *job;
};

struct waiting_job {
    struct lcp_job job;
    struct queues *queues;
    struct waiter *waiter; /* NULL: it never pauses, or was abandoned */
    enum state state;
};

/* One thread's. */
struct queues {
    pthread_mutex_t mutex;
    atomic_uint refs; /* of the thread and of jobs */
    unsigned process;
    void *stack;
    bool stack_is_used;
    struct {
        struct waiting_job *jobs[LCP_BATCH];
        size_t num;
    } queue[LCP_NUM_OPS];
};

enum { MAX_ABANDONED = 2048 }; /* of some 25 KB each, as measured in HAProxy */

static atomic_uint num_abandoned;
static pthread_key_t thread_key;
static __thread struct queues *this_thread;

/* ---- A thread's queues ---- */

/*
 * Not the copy of a parent's.  There whoever had the lock may be gone, and there is one thread; and the descriptors of what waits
 * are the parent's too, which would miss what is read here.
 */
static bool is_ours(const struct queues *q)
{
    return q->process == lcp_process();
}

static void lock(struct queues *q)
{
    if (is_ours(q))
        pthread_mutex_lock(&q->mutex);
}

static void unlock(struct queues *q)
{
    if (is_ours(q))
        pthread_mutex_unlock(&q->mutex);
}

static void drop(struct queues *q)
{
    if (!q || atomic_fetch_sub_explicit(&q->refs, 1, memory_order_acq_rel) != 1)
        return;
    lcp_stack_free(q->stack);
    pthread_mutex_destroy(&q->mutex);
    free(q);
}

static void end_thread(void *arg)
{
    this_thread = NULL;
    drop(arg);
}

bool lcp_queues_start(void)
{
    return LCP_HAS_STACKS && pthread_key_create && pthread_setspecific && pthread_key_create(&thread_key, end_thread) == 0;
}

static struct queues *queues_of_thread(void)
{
    struct queues *q = this_thread;

    if (!lcp_libcrypto.has_queues)
        return NULL;
    if (q && is_ours(q))
        return q;
    q = calloc(1, sizeof(*q));
    if (!q)
        return NULL;
    q->stack = lcp_stack_new();
    if (!q->stack || pthread_mutex_init(&q->mutex, NULL) != 0 || pthread_setspecific(thread_key, q) != 0) {
        lcp_stack_free(q->stack);
        free(q);
        return NULL;
    }
    atomic_init(&q->refs, 1);
    q->process = lcp_process();
    if (this_thread && !this_thread->stack_is_used) /* else a signal handler has forked in the middle of a call there */
        drop(this_thread); /* the parent's: jobs of it may still be here */
    this_thread = q;
    return q;
}

static ASYNC_JOB *current_job(void)
{
    return lcp_libcrypto.has_async ? lcp_libcrypto.ASYNC_get_current_job() : NULL;
}

bool lcp_on_stack(void (*function)(void *arg), void *arg)
{
    struct queues *q = queues_of_thread();

    /* A call may come out of another one: from a program's own random numbers, or a signal handler. */
    if (q && !q->stack_is_used) {
        q->stack_is_used = true;
        lcp_call_on_stack(q->stack, function, arg);
        q->stack_is_used = false;
    } else if (current_job() || (!q && lcp_libcrypto.has_queues)) {
        return false;
    } else {
        function(arg);
    }
    return true;
}

/* ---- Jobs ---- */

static void free_job(struct waiting_job *w)
{
    lcp_core_free(w->job.core);
    drop(w->queues);
    lc_wipe(w, sizeof(*w));
    free(w);
}

static void wake(const struct waiting_job *w)
{
    const uint64_t one = 1;
    ssize_t written;

    do
        written = write(w->waiter->fd, &one, sizeof(one));
    while (written < 0 && errno == EINTR);
}

struct batch {
    struct waiting_job *jobs[LCP_BATCH];
    size_t num;
};

static void run_batch(void *arg)
{
    const struct batch *b = arg;
    struct lcp_job *jobs[LCP_BATCH];

    for (size_t i = 0; i < b->num; i++)
        jobs[i] = &b->jobs[i]->job;
    lcp_run_jobs(jobs, b->num);
}

static void take_out(struct queues *q, const struct waiting_job *w)
{
    enum lcp_op op = w->job.op;
    size_t i = 0;

    while (i < q->queue[op].num && q->queue[op].jobs[i] != w)
        i++;
    if (i == q->queue[op].num)
        return;
    q->queue[op].num--;
    for (; i < q->queue[op].num; i++)
        q->queue[op].jobs[i] = q->queue[op].jobs[i + 1];
}

/* All that wait for the same kind of operation as w, which does so too.  Locked before and after. */
static void flush(struct queues *q, struct waiting_job *w)
{
    enum lcp_op op = w->job.op;
    struct batch b = { .num = 1, .jobs = { w } };

    if (is_ours(q)) {
        b.num = q->queue[op].num;
        memcpy(b.jobs, q->queue[op].jobs, b.num * sizeof(b.jobs[0]));
        q->queue[op].num = 0;
    } else {
        take_out(q, w);
    }
    for (size_t i = 0; i < b.num; i++)
        b.jobs[i]->state = RUNNING;
    unlock(q);
    for (size_t i = 0; i < b.num; i++)
        b.jobs[i]->job.status = LC_ERR_STATE; /* until it's computed; otherwise the default provider does it */
    if ((b.num > 1 || lcp_alone_pays(w->job.core)) && lcp_on_stack(run_batch, &b))
        lcp_count(op, LCP_IN_JOBS, b.num);
    lock(q);
    for (size_t i = 0; i < b.num; i++) {
        b.jobs[i]->state = DONE;
        if (b.jobs[i] == w)
            continue;
        if (b.jobs[i]->waiter)
            wake(b.jobs[i]);
        else
            free_job(b.jobs[i]); /* abandoned while it ran */
    }
}

/* ---- Waiting ---- */

static const char wait_key; /* its address is what wait contexts know our descriptor by */

/* Called when the wait context ends.  A job that was still paused never goes on. */
static void end_waiter(ASYNC_WAIT_CTX *ctx, const void *key, OSSL_ASYNC_FD fd, void *arg)
{
    struct waiter *waiter = arg;
    struct waiting_job *w = waiter->job;

    (void)ctx;
    (void)key;
    if (w) {
        struct queues *q = w->queues;

        atomic_fetch_add_explicit(&num_abandoned, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&q->refs, 1, memory_order_relaxed);
        lock(q);
        w->waiter = NULL;
        if (w->state == QUEUED) {
            enum lcp_op op = w->job.op;

            take_out(q, w);
            if (q->queue[op].num && is_ours(q)) /* it may have been the one that was to go on first */
                wake(q->queue[op].jobs[0]);
        }
        if (w->state != RUNNING)
            free_job(w);
        unlock(q);
        drop(q);
    }
    close(fd);
    free(waiter);
}

/* The wait context's waiter, which it may have from before; NULL if there can't be one, or another job already waits by it. */
static struct waiter *get_waiter(ASYNC_JOB *job)
{
    ASYNC_WAIT_CTX *ctx = lcp_libcrypto.ASYNC_get_wait_ctx(job);
    ASYNC_callback_fn callback;
    struct waiter *waiter;
    OSSL_ASYNC_FD fd;
    void *arg = NULL;

    if (!ctx || (lcp_libcrypto.ASYNC_WAIT_CTX_get_callback(ctx, &callback, &arg) && callback)) /* such programs don't poll */
        return NULL;
    if (lcp_libcrypto.ASYNC_WAIT_CTX_get_fd(ctx, &wait_key, &fd, &arg)) {
        waiter = arg;
        return waiter->job ? NULL : waiter;
    }
    waiter = calloc(1, sizeof(*waiter));
    if (!waiter)
        return NULL;
    waiter->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (waiter->fd >= 0 && lcp_libcrypto.ASYNC_WAIT_CTX_set_wait_fd(ctx, &wait_key, waiter->fd, waiter, end_waiter))
        return waiter;
    if (waiter->fd >= 0)
        close(waiter->fd);
    free(waiter);
    return NULL;
}

static bool may_pause(void)
{
    return atomic_load_explicit(&num_abandoned, memory_order_relaxed) < MAX_ABANDONED;
}

bool lcp_can_wait(void)
{
    return current_job() && may_pause() && queues_of_thread();
}

static void run_alone(void *arg)
{
    struct lcp_job *job = arg;

    lcp_run_jobs(&job, 1);
    lcp_count(job->op, LCP_ALONE, 1);
}

/* Pause until it's done, or do all that wait.  Locked before and after. */
static void wait_or_flush(struct queues *q, struct waiting_job *w)
{
    while (w->state != DONE) {
        uint64_t count;

        unlock(q);
        lcp_libcrypto.ASYNC_pause_job();
        lock(q);
        if (is_ours(q) && read(w->waiter->fd, &count, sizeof(count)) < 0) {
            /* it wasn't ready: the program has resumed everything */
        }
        if (w->state == QUEUED)
            flush(q, w);
    }
}

bool lcp_run(struct lcp_job *job)
{
    ASYNC_JOB *async = current_job();
    struct queues *q = async && may_pause() ? queues_of_thread() : NULL;
    struct waiting_job *w = q && !job->message ? malloc(sizeof(*w)) : NULL;
    size_t num;
    bool done;

    if (w) {
        *w = (struct waiting_job){ .job = *job, .queues = q };
        lock(q);
        num = q->queue[job->op].num + 1;
        if (num < LCP_BATCH) {
            unlock(q);
            w->waiter = get_waiter(async);
            lock(q);
            num = q->queue[job->op].num + 1;
        }
    }
    if (!w || (num < LCP_BATCH && !w->waiter)) {
        if (w) {
            unlock(q);
            lc_wipe(w, sizeof(*w));
            free(w);
        }
        if (!async && lcp_run_with_threads(job)) {
            lcp_leave();
            return job->status == LC_OK;
        }
        if (!lcp_alone_pays(job->core))
            return false; /* what the default provider does now counts as well; it ends by lcp_leave() */
        done = lcp_on_stack(run_alone, job) && job->status == LC_OK;
        lcp_leave();
        return done;
    }
    atomic_fetch_add_explicit(&q->refs, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&w->job.core->refs, 1, memory_order_relaxed);
    q->queue[job->op].jobs[num - 1] = w;
    q->queue[job->op].num = num;
    if (num == LCP_BATCH) {
        flush(q, w);
    } else {
        w->waiter->job = w;
        if (num == 1)
            wake(w);
        wait_or_flush(q, w);
        w->waiter->job = NULL;
    }
    unlock(q);
    job->status = w->job.status;
    memcpy(job->out, w->job.out, sizeof(job->out));
    free_job(w);
    return job->status == LC_OK;
}
