/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A job manager for event loops: operations that come one at a time, computed many at once.
 *
 * A loop submits each operation when its request arrives, and goes on.  Computing is a call of its own, which takes one batch of
 * one kind of operation: as many as a call for many takes the least time for.  Results are taken in the order in which they were
 * computed.  There are no threads, no timers and no callbacks; nothing is computed but by lc_jobs_run() and lc_jobs_flush().
 *
 *      for (;;) {
 *          int num = epoll_wait(fd, events, NUM_EVENTS, lc_jobs_waiting(&jobs) ? 0 : -1);
 *
 *          for (int i = 0; i < num; i++)
 *              read requests, and submit them
 *          if (lc_jobs_due(&jobs) || num == 0)
 *              lc_jobs_run(&jobs);
 *          while ((job = lc_jobs_completed(&jobs)) != NULL)
 *              send its result
 *      }
 *
 * Jobs of one kind under different keys share a batch.  Each kind has a queue of its own, of any length; RSA has one for each
 * length of keys.  (Where a CPU has no lanes for a kind, a batch takes as long as its jobs one after another.)
 *
 * Memory is the caller's: a struct lc_job and an item for each operation, for instance in the structure that the loop has for a
 * connection.  From lc_jobs_submit() until the job is taken or cancelled, the job, the item and all that it points to stay where
 * they are, and only the library writes to the job and to the item's outputs.  The item itself is only read, but for msg_len of
 * LC_JOB_RSA_OAEP_DECRYPT, so that item may not be a constant.  Its own status is neither read nor written.  What a job writes may
 * not lie where anything of another job is, nor where it reads itself.
 *
 * Threads: a manager and its jobs belong to one thread at a time.  Let each thread have its own.
 * Secrets: neither a manager nor a job has any; keys and results are where the item says, and are the caller's to wipe.
 */
#ifndef LANECRYPT_JOBS_H
#define LANECRYPT_JOBS_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of operations.  In comments: the item that a job of this kind has, and which call for many it is computed by. */
enum lc_job_kind {
    LC_JOB_ECDSA_P256_SIGN,         /* struct lc_ecdsa_p256_sign_item     lc_ecdsa_p256_sign_many()       */
    LC_JOB_ECDSA_P256_SIGN_WITH,    /* struct lc_ecdsa_p256_sign_item     lc_ecdsa_p256_sign_many_with()  */
    LC_JOB_ECDSA_P256_VERIFY,       /* struct lc_ecdsa_p256_verify_item   lc_ecdsa_p256_verify_many()     */
    LC_JOB_ECDSA_P384_SIGN,         /* struct lc_ecdsa_p384_sign_item     lc_ecdsa_p384_sign_many()       */
    LC_JOB_ECDSA_P384_SIGN_WITH,    /* struct lc_ecdsa_p384_sign_item     lc_ecdsa_p384_sign_many_with()  */
    LC_JOB_ECDSA_P384_VERIFY,       /* struct lc_ecdsa_p384_verify_item   lc_ecdsa_p384_verify_many()     */
    LC_JOB_ECDH_P256,               /* struct lc_ecdh_p256_item           lc_ecdh_p256_many()             */
    LC_JOB_ECDH_P256_PUBLIC,        /* struct lc_ecdh_p256_public_item    lc_ecdh_p256_get_public_many()  */
    LC_JOB_ECDH_P384,               /* struct lc_ecdh_p384_item           lc_ecdh_p384_many()             */
    LC_JOB_ECDH_P384_PUBLIC,        /* struct lc_ecdh_p384_public_item    lc_ecdh_p384_get_public_many()  */
    LC_JOB_X25519,                  /* struct lc_x25519_item              lc_x25519_many()                */
    LC_JOB_X25519_PUBLIC,           /* struct lc_x25519_public_item       lc_x25519_get_public_many()     */
    LC_JOB_ED25519_SIGN,            /* struct lc_ed25519_sign_item        lc_ed25519_sign_many()          */
    LC_JOB_ED25519_VERIFY,          /* struct lc_ed25519_verify_item      lc_ed25519_verify_many()        */
    LC_JOB_SM2_SIGN,                /* struct lc_sm2_sign_item            lc_sm2_sign_many()              */
    LC_JOB_SM2_SIGN_WITH,           /* struct lc_sm2_sign_item            lc_sm2_sign_many_with()         */
    LC_JOB_SM2_VERIFY,              /* struct lc_sm2_verify_item          lc_sm2_verify_many()            */
    LC_JOB_SHA256,                  /* struct lc_hash_item                lc_sha256_many()                */
    LC_JOB_SHA384,                  /* struct lc_hash_item                lc_sha384_many()                */
    LC_JOB_SHA512,                  /* struct lc_hash_item                lc_sha512_many()                */
    LC_JOB_SM3,                     /* struct lc_hash_item                lc_sm3_many()                   */
    LC_JOB_RSA_PKCS1_SIGN,          /* struct lc_rsa_sign_item            lc_rsa_pkcs1_sign_many()        */
    LC_JOB_RSA_PSS_SIGN,            /* struct lc_rsa_sign_item            lc_rsa_pss_sign_many()          */
    LC_JOB_RSA_PSS_SIGN_WITH,       /* struct lc_rsa_sign_item            lc_rsa_pss_sign_many_with()     */
    LC_JOB_RSA_PKCS1_VERIFY,        /* struct lc_rsa_verify_item          lc_rsa_pkcs1_verify_many()      */
    LC_JOB_RSA_PSS_VERIFY,          /* struct lc_rsa_verify_item          lc_rsa_pss_verify_many()        */
    LC_JOB_RSA_OAEP_ENCRYPT,        /* struct lc_rsa_encrypt_item         lc_rsa_oaep_encrypt_many()      */
    LC_JOB_RSA_OAEP_ENCRYPT_WITH,   /* struct lc_rsa_encrypt_item         lc_rsa_oaep_encrypt_many_with() */
    LC_JOB_RSA_OAEP_DECRYPT,        /* struct lc_rsa_decrypt_item         lc_rsa_oaep_decrypt_many()      */
    LC_NUM_JOB_KINDS
};

#define LC_JOBS_NUM_QUEUES (LC_NUM_JOB_KINDS + 16) /* RSA's eight kinds have three lengths of keys each */

struct lc_jobs;

/* A job.  It begins as all zeros, and may be submitted again once it was taken or cancelled. */
struct lc_job {
    int status;               /* what the function for one would return; LC_ERR_STATE until it is computed */
    unsigned queue;           /* private */
    const void *item;         /* as it was submitted */
    struct lc_jobs *jobs;     /* private: where it is submitted; NULL: nowhere */
    struct lc_job *next;      /* private */
    struct lc_job *previous;  /* private */
    uint64_t number;          /* private: of the submission */
};

/* private: jobs in a row */
struct lc_job_queue {
    struct lc_job *first, *last;
    size_t num;
};

/* A manager.  As long as there are jobs in it, it has to stay where it is. */
struct lc_jobs {
    struct lc_job_queue waiting[LC_JOBS_NUM_QUEUES]; /* private */
    struct lc_job_queue completed;                   /* private */
    size_t num_waiting;                              /* private */
    size_t max_age;                                  /* private */
    uint64_t num_submitted;                          /* private */
};

/*
 * lc_jobs_init: begin a manager, without jobs.
 * jobs: written.  max_age: a job is due once so many others were submitted after it, even if its batch isn't full.  So a kind that
 * is rare doesn't wait as long as others have full batches.  0: every job is due at once.  64 is a good choice.
 */
LC_API void lc_jobs_init(struct lc_jobs *jobs, size_t max_age);

/*
 * lc_jobs_submit: let a job wait for its batch.  Computes nothing.
 * job: written; in no manager.  item: what its kind says.
 * Returns:
 *   LC_OK
 *   LC_ERR_STATE  the job waits, or is completed and wasn't taken yet; or it didn't begin as zeros.  Nothing is changed
 *   LC_ERR_LEN    kind isn't one of lc_job_kind
 * Anything that is wrong with the item shows in the job's status, when it is computed.
 */
LC_API LC_MUST_CHECK int lc_jobs_submit(struct lc_jobs *jobs, struct lc_job *job, enum lc_job_kind kind, const void *item);

/*
 * lc_jobs_cancel: take a job out, whether it waits or is completed: the client went away, for instance.  Afterwards nothing of it
 * is read or written any more, and its status is LC_ERR_STATE.
 * Returns LC_OK; LC_ERR_STATE if the job isn't in this manager, and then nothing is changed.
 */
LC_API int lc_jobs_cancel(struct lc_jobs *jobs, struct lc_job *job);

/* lc_jobs_batch: how many jobs of a kind make a full batch: 8 or 16; 0 if kind isn't one of lc_job_kind. */
LC_API size_t lc_jobs_batch(enum lc_job_kind kind);

/* lc_jobs_waiting: how many jobs wait, of all kinds. */
LC_API size_t lc_jobs_waiting(const struct lc_jobs *jobs);

/* lc_jobs_due: is a batch full, or has a job the age that was given to lc_jobs_init()?  1 or 0. */
LC_API int lc_jobs_due(const struct lc_jobs *jobs);

/*
 * lc_jobs_oldest: the job that waits longest, or NULL.  It stays there.  (Who limits the time that jobs wait keeps the time beside
 * the job; the manager knows no clock.)
 */
LC_API struct lc_job *lc_jobs_oldest(const struct lc_jobs *jobs);

/*
 * lc_jobs_run: compute one batch, the oldest jobs of one queue: of the queues that are due, that whose first job waits longest; if
 * none is due, of all.
 * lc_jobs_flush: compute all that waits.
 * Return how many jobs were computed: 0 if none waits.  Each has its status; what is wrong with one doesn't reach another.
 */
LC_API size_t lc_jobs_run(struct lc_jobs *jobs);
LC_API size_t lc_jobs_flush(struct lc_jobs *jobs);

/*
 * lc_jobs_completed: take the job that was computed first of those that weren't taken yet, or NULL if there is none.  Job and item
 * are the caller's again.
 */
LC_API struct lc_job *lc_jobs_completed(struct lc_jobs *jobs);

#ifdef __cplusplus
}
#endif
#endif
