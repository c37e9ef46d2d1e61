/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Operations of several threads done together, outside of libcrypto's jobs, if the configuration says `combine-threads = yes`.
 *
 * For each kind of operation that is faster together it's counted how many threads are at one.  While that are few, everybody does
 * his own at once.  When enough of them are there at the same time, the next one opens a batch and sleeps; others join.  Whoever
 * makes it as many as are expected does them all, and wakes the rest: so in the best case nobody has waited for a clock.  If they
 * don't come, the first one does what is there, after WAIT_NS.  Then so many are expected next time: a batch that waits in vain is
 * followed by operations without any wait, until enough threads are seen at one time again.
 *
 * There are no threads and no timers of the module's own; a thread that sleeps has a limit.
 *
 * Nobody depends on another thread that goes away.  A batch has copies of everything, and belongs to all that are in it.  No lock
 * is held while something is computed, or while a thread sleeps.  Threads can't be cancelled in between.  If a thread never comes
 * back nevertheless (a signal handler that jumps; or one that isn't scheduled any more), the others do their own after GIVE_UP_NS.
 *
 * After fork() the child begins with nothing: what is here has the process's number.  (Handlers of pthread_atfork() wouldn't see
 * every way to fork.)  A signal handler may fork at any point of this, while another thread has a lock, which the child's copy then
 * has for ever: so who waits for a lock looks from time to time whether it's a child now, and does its own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "pkey.h"

enum { WAIT_NS = 200 * 1000, GIVE_UP_NS = 100 * 1000 * 1000, LOOK_NS = 10 * 1000 * 1000 };

enum state { OPEN, RUNNING, DONE };

struct batch {
    struct batch *next;  /* of those that are free */
    void *stack;
    atomic_uint is_done; /* what threads sleep on */
    enum state state;
    bool was_run;        /* not: it were too few, so each does its own */
    size_t num;
    unsigned users;      /* threads that haven't left */
    struct lcp_job jobs[LCP_BATCH];
};

/* Where threads meet for one kind of operation. */
struct place {
    unsigned process;
    atomic_uint lock;     /* 0: free; 1: locked; 2: and there may be threads that wait for it */
    struct batch *open, *free;
    atomic_uint inside;   /* threads that are at an operation, however they do it */
    atomic_uint expected; /* of them at the same time; at most LCP_BATCH */
};

/* A process's. */
struct places {
    struct place of[LCP_NUM_OPS];
};

static _Atomic(struct places *) all_places;
static __thread struct place *inside; /* where this thread is counted */

/*
 * How many have to be there so that they are faster together, less what sleeping costs, if there are lanes.  Four of RSA's keys
 * fill the lanes, as each has two primes.  0: they never are; what a signature by ECDSA, Ed25519 or SM2 or a secret by X25519 would
 * save is less than sleeping.
 */
static size_t enough(enum lcp_op op)
{
    switch (op) {
    case LCP_OP_P256_SIGN:
    case LCP_OP_P384_SIGN:
    case LCP_OP_ED25519_SIGN:
    case LCP_OP_SM2_SIGN:
    case LCP_OP_X25519: return 0;
    case LCP_OP_P256_DH: return 6;
    default: return 4;
    }
}

/* ---- The process's places ---- */

static void free_places(struct places *all)
{
    for (size_t i = 0; all && i < LCP_NUM_OPS; i++) {
        struct place *p = &all->of[i];

        while (p->free) {
            struct batch *b = p->free;

            p->free = b->next;
            lcp_stack_free(b->stack);
            free(b);
        }
    }
    free(all);
}

static struct places *new_places(unsigned process)
{
    struct places *all = calloc(1, sizeof(*all));

    if (!all)
        return NULL;
    for (size_t i = 0; i < LCP_NUM_OPS; i++)
        all->of[i].process = process;
    return all;
}

static struct place *place_of(enum lcp_op op)
{
    struct places *all = atomic_load_explicit(&all_places, memory_order_acquire), *mine;
    unsigned process = lcp_process();

    if (all && all->of[op].process == process)
        return &all->of[op];
    mine = new_places(process); /* what the parent had, if this is a child, is left as it is: somebody may have been at it */
    if (!mine)
        return NULL;
    if (!atomic_compare_exchange_strong_explicit(&all_places, &all, mine, memory_order_acq_rel, memory_order_acquire)) {
        free_places(mine); /* another thread was faster */
        mine = all;
    }
    return &mine->of[op];
}

/* Providers with threads that are combined */
static pthread_mutex_t num_mutex = PTHREAD_MUTEX_INITIALIZER;
static size_t num_providers;

void lcp_threads_start(void)
{
    pthread_mutex_lock(&num_mutex);
    num_providers++;
    pthread_mutex_unlock(&num_mutex);
}

/* Nobody is at an operation of a provider that ends. */
void lcp_threads_end(void)
{
    pthread_mutex_lock(&num_mutex);
    if (--num_providers == 0) {
        struct places *all = atomic_exchange(&all_places, NULL);

        if (all && all->of[0].process == lcp_process())
            free_places(all);
    }
    pthread_mutex_unlock(&num_mutex);
}

/* ---- Sleeping ---- */

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* As long as it has this value, until then */
static void sleep_until(atomic_uint *number, unsigned value, int64_t end_ns)
{
    const struct timespec end = { (time_t)(end_ns / 1000000000), (long)(end_ns % 1000000000) };

    syscall(SYS_futex, number, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, value, &end, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void wake(atomic_uint *number, int num_threads)
{
    syscall(SYS_futex, number, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, num_threads, NULL, NULL, 0);
}

/* ---- Locks ---- */

/* Answers false if this is the child of the process that it belongs to: then it isn't locked, and never will be again. */
static bool lock(struct place *p)
{
    unsigned was = 0;

    if (atomic_compare_exchange_strong_explicit(&p->lock, &was, 1, memory_order_acquire, memory_order_relaxed))
        return true;
    while (atomic_exchange_explicit(&p->lock, 2, memory_order_acquire) != 0) {
        sleep_until(&p->lock, 2, now_ns() + LOOK_NS);
        if (p->process != lcp_process())
            return false;
    }
    return true;
}

static void unlock(struct place *p)
{
    if (atomic_exchange_explicit(&p->lock, 0, memory_order_release) == 2)
        wake(&p->lock, 1);
}

/* ---- Batches.  Except where it says otherwise, the place is locked before and after. ---- */

static struct batch *open_batch(struct place *p)
{
    struct batch *b = p->free;

    if (b) {
        p->free = b->next;
    } else {
        b = calloc(1, sizeof(*b));
        if (!b)
            return NULL;
        b->stack = lcp_stack_new();
        if (!b->stack) {
            free(b);
            return NULL;
        }
    }
    b->state = OPEN;
    b->was_run = false;
    atomic_store_explicit(&b->is_done, 0, memory_order_relaxed);
    p->open = b;
    return b;
}

static void leave_batch(struct place *p, struct batch *b)
{
    if (--b->users)
        return;
    for (size_t i = 0; i < b->num; i++)
        lcp_core_free(b->jobs[i].core);
    lc_wipe(b->jobs, b->num * sizeof(b->jobs[0]));
    b->num = 0;
    b->next = p->free;
    p->free = b;
}

static void run_batch(void *arg)
{
    struct batch *b = arg;
    struct lcp_job *jobs[LCP_BATCH];

    for (size_t i = 0; i < b->num; i++) {
        jobs[i] = &b->jobs[i];
        jobs[i]->status = LC_ERR_STATE; /* until it's computed */
    }
    lcp_run_jobs(jobs, b->num);
}

/* All that are in it.  Nobody can join any more.  Answers false if this is a child now; then the place isn't locked. */
static bool run(struct place *p, struct batch *b)
{
    p->open = NULL;
    b->state = RUNNING;
    b->was_run = b->num >= enough(b->jobs[0].op);
    unlock(p);
    if (b->was_run) {
        lcp_call_on_stack(b->stack, run_batch, b);
        lcp_count(b->jobs[0].op, LCP_IN_THREADS, b->num);
    }
    if (!lock(p))
        return false;
    b->state = DONE;
    atomic_store_explicit(&b->is_done, 1, memory_order_release);
    if (b->users > 1)
        wake(&b->is_done, LCP_BATCH);
    return true;
}

/* The same if that took too long. */
static bool wait_for(struct place *p, struct batch *b, bool is_first)
{
    int64_t begin = now_ns(), end = begin + (is_first ? WAIT_NS : GIVE_UP_NS);

    while (b->state != DONE) {
        unlock(p);
        sleep_until(&b->is_done, 0, end);
        if (p->process != lcp_process() || !lock(p)) /* a signal handler has forked */
            return false;
        if (b->state == DONE || now_ns() < end)
            continue;
        if (b->state == OPEN) {
            atomic_store_explicit(&p->expected, (unsigned)b->num, memory_order_relaxed);
            if (!run(p, b))
                return false;
        } else if (end < begin + GIVE_UP_NS) {
            end = begin + GIVE_UP_NS;
        } else {
            leave_batch(p, b);
            unlock(p);
            return false;
        }
    }
    return true;
}

/* Done in a batch?  Otherwise each has to do its own. */
static bool join(struct place *p, struct lcp_job *job)
{
    struct batch *b;
    size_t number;
    bool was_run;

    if (!lock(p))
        return false;
    b = p->open ? p->open : open_batch(p);
    if (!b) {
        unlock(p);
        return false;
    }
    number = b->num++;
    b->users++;
    b->jobs[number] = *job;
    atomic_fetch_add_explicit(&job->core->refs, 1, memory_order_relaxed);
    if (!(b->num >= atomic_load_explicit(&p->expected, memory_order_relaxed) ? run(p, b) : wait_for(p, b, number == 0)))
        return false;
    was_run = b->was_run;
    if (was_run) {
        job->status = b->jobs[number].status;
        memcpy(job->out, b->jobs[number].out, sizeof(job->out));
    }
    leave_batch(p, b);
    unlock(p);
    return was_run;
}

void lcp_leave(void)
{
    if (inside)
        atomic_fetch_sub_explicit(&inside->inside, 1, memory_order_relaxed);
    inside = NULL;
}

bool lcp_run_with_threads(struct lcp_job *job)
{
    size_t least = enough(job->op);
    struct place *p = least && job->core->is_combined && !job->message ? place_of(job->op) : NULL;
    unsigned num, expected;
    bool is_done;
    int old_state, error = errno;

    lcp_leave();
    if (!p)
        return false;
    inside = p;
    num = atomic_fetch_add_explicit(&p->inside, 1, memory_order_relaxed) + 1;
    if (num > LCP_BATCH)
        num = LCP_BATCH;
    expected = atomic_load_explicit(&p->expected, memory_order_relaxed);
    if (num > expected)
        atomic_store_explicit(&p->expected, expected = num, memory_order_relaxed);
    if (expected < least)
        return false;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old_state);
    is_done = join(p, job);
    pthread_setcancelstate(old_state, &old_state);
    errno = error;
    return is_done;
}
