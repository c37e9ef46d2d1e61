/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The job manager: queues of the caller's jobs, and batches of them for the calls for many.
 *
 * A batch is copied together, since those calls take items side by side.  Items have pointers and lengths, and no secrets but a
 * decrypted message's length.  The copies' statuses go to the jobs.
 */
#include "lanecrypt/jobs.h"

#include <string.h>

#include "lanecrypt/ecdh.h"
#include "lanecrypt/ecdsa.h"
#include "lanecrypt/ed25519.h"
#include "lanecrypt/rsa.h"
#include "lanecrypt/sha2.h"
#include "lanecrypt/sm2.h"
#include "lanecrypt/sm3.h"
#include "lanecrypt/x25519.h"
#include "wipe.h"

/* ---- Kinds ---- */

enum { BATCH = 8, HASH_BATCH = 16 };

_Static_assert(LC_JOB_RSA_OAEP_DECRYPT - LC_JOB_RSA_PKCS1_SIGN == 7 && LC_NUM_JOB_KINDS == LC_JOB_RSA_OAEP_DECRYPT + 1,
               "RSA's eight kinds are the last");

/*
 * run_<what>(): compute num jobs, from 1 to max.
 * compute: an expression that calls the function for many and gives a status; status_of_job: what job i gets.
 */
#define RUN_ITEMS(what, item_type, max, compute, status_of_job)                                                                    \
    static void run_##what(struct lc_job *const *batch, size_t num)                                                                \
    {                                                                                                                              \
        struct item_type items[max];                                                                                               \
        size_t i = 0;                                                                                                              \
        int status;                                                                                                                \
                                                                                                                                   \
        do                                                                                                                         \
            items[i] = *(const struct item_type *)batch[i]->item;                                                                  \
        while (++i < num);                                                                                                         \
        status = compute;                                                                                                          \
        for (i = 0; i < num; i++)                                                                                                  \
            batch[i]->status = status_of_job;                                                                                      \
    }

/* Items with a status of their own; items that can't fail; hashes, of which all fail or none. */
#define RUN(what, item_type, many) RUN_ITEMS(what, item_type, BATCH, many(items, num), status == LC_OK ? LC_OK : items[i].status)
#define RUN_PUBLIC(what, item_type, many) RUN_ITEMS(what, item_type, BATCH, (many(items, num), LC_OK), status)
#define RUN_HASH(what, many) RUN_ITEMS(what, lc_hash_item, HASH_BATCH, many(items, num), status)

RUN(ecdsa_p256_sign, lc_ecdsa_p256_sign_item, lc_ecdsa_p256_sign_many)
RUN(ecdsa_p256_sign_with, lc_ecdsa_p256_sign_item, lc_ecdsa_p256_sign_many_with)
RUN(ecdsa_p256_verify, lc_ecdsa_p256_verify_item, lc_ecdsa_p256_verify_many)
RUN(ecdsa_p384_sign, lc_ecdsa_p384_sign_item, lc_ecdsa_p384_sign_many)
RUN(ecdsa_p384_sign_with, lc_ecdsa_p384_sign_item, lc_ecdsa_p384_sign_many_with)
RUN(ecdsa_p384_verify, lc_ecdsa_p384_verify_item, lc_ecdsa_p384_verify_many)
RUN(ecdh_p256, lc_ecdh_p256_item, lc_ecdh_p256_many)
RUN_PUBLIC(ecdh_p256_public, lc_ecdh_p256_public_item, lc_ecdh_p256_get_public_many)
RUN(ecdh_p384, lc_ecdh_p384_item, lc_ecdh_p384_many)
RUN_PUBLIC(ecdh_p384_public, lc_ecdh_p384_public_item, lc_ecdh_p384_get_public_many)
RUN(x25519, lc_x25519_item, lc_x25519_many)
RUN_PUBLIC(x25519_public, lc_x25519_public_item, lc_x25519_get_public_many)
RUN(ed25519_sign, lc_ed25519_sign_item, lc_ed25519_sign_many)
RUN(ed25519_verify, lc_ed25519_verify_item, lc_ed25519_verify_many)
RUN(sm2_sign, lc_sm2_sign_item, lc_sm2_sign_many)
RUN(sm2_sign_with, lc_sm2_sign_item, lc_sm2_sign_many_with)
RUN(sm2_verify, lc_sm2_verify_item, lc_sm2_verify_many)
RUN_HASH(sha256, lc_sha256_many)
RUN_HASH(sha384, lc_sha384_many)
RUN_HASH(sha512, lc_sha512_many)
RUN_HASH(sm3, lc_sm3_many)
RUN(rsa_pkcs1_sign, lc_rsa_sign_item, lc_rsa_pkcs1_sign_many)
RUN(rsa_pss_sign, lc_rsa_sign_item, lc_rsa_pss_sign_many)
RUN(rsa_pss_sign_with, lc_rsa_sign_item, lc_rsa_pss_sign_many_with)
RUN(rsa_pkcs1_verify, lc_rsa_verify_item, lc_rsa_pkcs1_verify_many)
RUN(rsa_pss_verify, lc_rsa_verify_item, lc_rsa_pss_verify_many)
RUN(rsa_oaep_encrypt, lc_rsa_encrypt_item, lc_rsa_oaep_encrypt_many)
RUN(rsa_oaep_encrypt_with, lc_rsa_encrypt_item, lc_rsa_oaep_encrypt_many_with)

/* A message's length is the one result that is in the item: as it was, if there is none.  It is a secret. */
static int give_length(const struct lc_job *job, struct lc_rsa_decrypt_item *copy, int status)
{
    ((struct lc_rsa_decrypt_item *)(uintptr_t)job->item)->msg_len = copy->msg_len;
    lc_wipe(&copy->msg_len, sizeof(copy->msg_len));
    return status;
}

RUN_ITEMS(rsa_oaep_decrypt, lc_rsa_decrypt_item, BATCH, lc_rsa_oaep_decrypt_many(items, num),
          give_length(batch[i], &items[i], status == LC_OK ? LC_OK : items[i].status))

static const struct kind {
    void (*run)(struct lc_job *const *batch, size_t num);
    size_t batch;
} kinds[LC_NUM_JOB_KINDS] = {
    [LC_JOB_ECDSA_P256_SIGN] = { run_ecdsa_p256_sign, BATCH },
    [LC_JOB_ECDSA_P256_SIGN_WITH] = { run_ecdsa_p256_sign_with, BATCH },
    [LC_JOB_ECDSA_P256_VERIFY] = { run_ecdsa_p256_verify, BATCH },
    [LC_JOB_ECDSA_P384_SIGN] = { run_ecdsa_p384_sign, BATCH },
    [LC_JOB_ECDSA_P384_SIGN_WITH] = { run_ecdsa_p384_sign_with, BATCH },
    [LC_JOB_ECDSA_P384_VERIFY] = { run_ecdsa_p384_verify, BATCH },
    [LC_JOB_ECDH_P256] = { run_ecdh_p256, BATCH },
    [LC_JOB_ECDH_P256_PUBLIC] = { run_ecdh_p256_public, BATCH },
    [LC_JOB_ECDH_P384] = { run_ecdh_p384, BATCH },
    [LC_JOB_ECDH_P384_PUBLIC] = { run_ecdh_p384_public, BATCH },
    [LC_JOB_X25519] = { run_x25519, BATCH },
    [LC_JOB_X25519_PUBLIC] = { run_x25519_public, BATCH },
    [LC_JOB_ED25519_SIGN] = { run_ed25519_sign, BATCH },
    [LC_JOB_ED25519_VERIFY] = { run_ed25519_verify, BATCH },
    [LC_JOB_SM2_SIGN] = { run_sm2_sign, BATCH },
    [LC_JOB_SM2_SIGN_WITH] = { run_sm2_sign_with, BATCH },
    [LC_JOB_SM2_VERIFY] = { run_sm2_verify, BATCH },
    [LC_JOB_SHA256] = { run_sha256, HASH_BATCH },
    [LC_JOB_SHA384] = { run_sha384, BATCH },
    [LC_JOB_SHA512] = { run_sha512, BATCH },
    [LC_JOB_SM3] = { run_sm3, HASH_BATCH },
    [LC_JOB_RSA_PKCS1_SIGN] = { run_rsa_pkcs1_sign, BATCH },
    [LC_JOB_RSA_PSS_SIGN] = { run_rsa_pss_sign, BATCH },
    [LC_JOB_RSA_PSS_SIGN_WITH] = { run_rsa_pss_sign_with, BATCH },
    [LC_JOB_RSA_PKCS1_VERIFY] = { run_rsa_pkcs1_verify, BATCH },
    [LC_JOB_RSA_PSS_VERIFY] = { run_rsa_pss_verify, BATCH },
    [LC_JOB_RSA_OAEP_ENCRYPT] = { run_rsa_oaep_encrypt, BATCH },
    [LC_JOB_RSA_OAEP_ENCRYPT_WITH] = { run_rsa_oaep_encrypt_with, BATCH },
    [LC_JOB_RSA_OAEP_DECRYPT] = { run_rsa_oaep_decrypt, BATCH },
};

/* The queues are those of the kinds, then those of RSA's kinds for 3072 bits, then for 4096: lanes take keys of one length. */
enum { NUM_RSA_KINDS = LC_NUM_JOB_KINDS - LC_JOB_RSA_PKCS1_SIGN };

static unsigned queue_of(enum lc_job_kind kind, const void *item)
{
    size_t len;

    switch (kind) {
    case LC_JOB_RSA_PKCS1_SIGN:
    case LC_JOB_RSA_PSS_SIGN:
    case LC_JOB_RSA_PSS_SIGN_WITH: len = lc_rsa_len(((const struct lc_rsa_sign_item *)item)->key); break;
    case LC_JOB_RSA_PKCS1_VERIFY:
    case LC_JOB_RSA_PSS_VERIFY: len = lc_rsa_public_len(((const struct lc_rsa_verify_item *)item)->key); break;
    case LC_JOB_RSA_OAEP_ENCRYPT:
    case LC_JOB_RSA_OAEP_ENCRYPT_WITH: len = lc_rsa_public_len(((const struct lc_rsa_encrypt_item *)item)->key); break;
    case LC_JOB_RSA_OAEP_DECRYPT: len = lc_rsa_len(((const struct lc_rsa_decrypt_item *)item)->key); break;
    default: return kind;
    }
    return kind + (len == 384 ? NUM_RSA_KINDS : len == 512 ? 2 * NUM_RSA_KINDS : 0);
}

static const struct kind *kind_of(size_t queue)
{
    while (queue >= LC_NUM_JOB_KINDS)
        queue -= NUM_RSA_KINDS;
    return &kinds[queue];
}

/* ---- Queues ---- */

static void append(struct lc_job_queue *queue, struct lc_job *job)
{
    job->next = NULL;
    job->previous = queue->last;
    *(queue->last ? &queue->last->next : &queue->first) = job;
    queue->last = job;
    queue->num++;
}

static void unlink_job(struct lc_job_queue *queue, struct lc_job *job)
{
    *(job->previous ? &job->previous->next : &queue->first) = job->next;
    *(job->next ? &job->next->previous : &queue->last) = job->previous;
    queue->num--;
}

/* ---- The manager ---- */

/* Where jobs that are completed have their queue's number */
enum { COMPLETED = LC_JOBS_NUM_QUEUES };

/* Is the batch full, or has the first job its age? */
static int is_due(const struct lc_jobs *jobs, size_t queue)
{
    const struct lc_job_queue *waiting = &jobs->waiting[queue];

    return waiting->num && (waiting->num >= kind_of(queue)->batch || jobs->num_submitted - waiting->first->number > jobs->max_age);
}

/*
 * The queue that lc_jobs_run() takes: of those that are due, else of all, the one whose first job waits longest.  (So jobs that
 * have their age come first: what hasn't is younger.)  *due: whether it is.
 */
static size_t next_queue(const struct lc_jobs *jobs, int *due)
{
    size_t next = LC_JOBS_NUM_QUEUES;

    *due = 0;
    for (size_t i = 0; i < LC_JOBS_NUM_QUEUES; i++) {
        const struct lc_job *first = jobs->waiting[i].first;
        const int d = is_due(jobs, i);

        if (first && (next == LC_JOBS_NUM_QUEUES || d > *due || (d == *due && first->number < jobs->waiting[next].first->number))) {
            next = i;
            *due = d;
        }
    }
    return next;
}

void lc_jobs_init(struct lc_jobs *jobs, size_t max_age)
{
    memset(jobs, 0, sizeof(*jobs));
    jobs->max_age = max_age;
}

int lc_jobs_submit(struct lc_jobs *jobs, struct lc_job *job, enum lc_job_kind kind, const void *item)
{
    if ((unsigned)kind >= LC_NUM_JOB_KINDS)
        return LC_ERR_LEN;
    if (job->jobs)
        return LC_ERR_STATE;
    job->status = LC_ERR_STATE;
    job->queue = queue_of(kind, item);
    job->item = item;
    job->jobs = jobs;
    job->number = jobs->num_submitted++;
    append(&jobs->waiting[job->queue], job);
    jobs->num_waiting++;
    return LC_OK;
}

int lc_jobs_cancel(struct lc_jobs *jobs, struct lc_job *job)
{
    if (job->jobs != jobs)
        return LC_ERR_STATE;
    if (job->queue == COMPLETED) {
        unlink_job(&jobs->completed, job);
    } else {
        unlink_job(&jobs->waiting[job->queue], job);
        jobs->num_waiting--;
    }
    job->jobs = NULL;
    job->status = LC_ERR_STATE;
    return LC_OK;
}

size_t lc_jobs_batch(enum lc_job_kind kind)
{
    return (unsigned)kind < LC_NUM_JOB_KINDS ? kinds[kind].batch : 0;
}

size_t lc_jobs_waiting(const struct lc_jobs *jobs)
{
    return jobs->num_waiting;
}

int lc_jobs_due(const struct lc_jobs *jobs)
{
    int due;

    next_queue(jobs, &due);
    return due;
}

struct lc_job *lc_jobs_oldest(const struct lc_jobs *jobs)
{
    struct lc_job *oldest = NULL;

    for (size_t i = 0; i < LC_JOBS_NUM_QUEUES; i++) {
        struct lc_job *first = jobs->waiting[i].first;

        if (first && (!oldest || first->number < oldest->number))
            oldest = first;
    }
    return oldest;
}

size_t lc_jobs_run(struct lc_jobs *jobs)
{
    struct lc_job *batch[HASH_BATCH];
    const struct kind *kind;
    size_t num = 0, queue;
    int due;

    if (jobs->num_waiting == 0)
        return 0;
    queue = next_queue(jobs, &due);
    kind = kind_of(queue);
    do {
        batch[num] = jobs->waiting[queue].first;
        unlink_job(&jobs->waiting[queue], batch[num++]);
    } while (num < kind->batch && jobs->waiting[queue].first);
    kind->run(batch, num);
    jobs->num_waiting -= num;
    for (size_t i = 0; i < num; i++) {
        batch[i]->queue = COMPLETED;
        append(&jobs->completed, batch[i]);
    }
    return num;
}

size_t lc_jobs_flush(struct lc_jobs *jobs)
{
    size_t all = 0, num;

    while ((num = lc_jobs_run(jobs)) > 0)
        all += num;
    return all;
}

struct lc_job *lc_jobs_completed(struct lc_jobs *jobs)
{
    struct lc_job *job = jobs->completed.first;

    if (job) {
        unlink_job(&jobs->completed, job);
        job->jobs = NULL;
    }
    return job;
}
