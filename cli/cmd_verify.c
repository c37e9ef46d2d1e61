/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt verify: signatures of JSON Web Tokens, one a line, by all CPUs.
 *
 * Each thread takes the next block of whole lines, verifies its tokens in batches, in which each kind of key has one call, and
 * waits for its turn to print.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "jwt.h"
#include "lanecrypt/sha2.h"
#include "progress.h"

enum {
    MAX_THREADS = 1024,
    MAX_LINE = 1 << 20,  /* bytes of a token */
    BLOCK = 1 << 18,     /* bytes that are read at once */
    BATCH = 1024,        /* tokens that are verified at once */
    PREPARE_FROM = 64,   /* tokens of a key, from which on its table pays (docs/publickey.md) */
    MAX_PREPARED = 512,  /* tables: 78 MB */
};

static const char usage[] =
    "usage: lanecrypt verify --keys JWKS [OPTION]... [TOKENS]\n\n"
    "Verifies the signatures of JSON Web Tokens: the lines of TOKENS, or of standard input, each a token in compact form.\n"
    "Prints a verdict for each: its line, and `ok`, `wrong`, or `error:` and why it can't be verified.\n"
    "Only signatures are verified: whether a token has expired, and for whom it is, is up to who uses it.\n\n"
    "  --keys JWKS    the public keys, a JWK Set (RFC 7517): P-256 (ES256), P-384 (ES384), Ed25519 (EdDSA),\n"
    "                 RSA of 2048, 3072 or 4096 bits (RS256, PS256)\n"
    "  --failed       print only the lines that aren't ok\n"
    "  --json         print an object for each, with line, verdict, reason, alg and kid\n"
    "  --threads N    default: one for each CPU\n"
    "  -q, --quiet    neither a progress bar nor a summary\n\n"
    "Exit status: 0 if all are right; 1 if not, or if there is no token, or something can't be read; 2 for wrong usage.\n";

struct counts {
    uint64_t ok, wrong, errors;
};

struct job {
    const char *keys, *path;
    uint64_t num_threads;
    bool failed_only, json, quiet;
    struct jwks set;
    _Atomic unsigned num_prepared;
    struct progress progress;
    bool has_progress;
    _Atomic bool stop;     /* after an error: no thread begins another block */

    pthread_mutex_t reading;
    int fd;
    uint64_t num_blocks;   /* read so far */
    uint64_t num_lines;
    char *rest;            /* MAX_LINE bytes: the begin of the next block's first line */
    size_t rest_len;
    bool at_end;
    bool read_failed;

    pthread_mutex_t writing;
    pthread_cond_t turn;
    uint64_t num_written;  /* blocks */
    struct counts counts;
    bool write_failed;
};

struct token {
    struct jwt jwt;
    uint64_t line;
    const char *problem; /* NULL if it can be verified */
    int status;
};

struct worker {
    struct job *job;
    pthread_t thread;
    char *text; /* MAX_LINE bytes: a block */
    size_t len;
    uint64_t block, first_line;
    bool too_long; /* the block is the begin of a line that is too long */
    struct jwt_header headers[NUM_JWT_HEADERS];
    struct counts counts; /* of the block */
    FILE *out;
    bool out_failed; /* glibc's streams in memory have no error of their own then */
    char *out_text;
    size_t out_len;
    size_t num_tokens;
    struct token tokens[BATCH];
    /* Of one kind of key: */
    struct token *of_kind[BATCH];
    uint8_t digests[BATCH][LC_SHA384_LEN];
    struct lc_hash_item messages[BATCH];
    union {
        struct lc_ecdsa_p256_verify_item p256[BATCH];
        struct lc_ecdsa_p384_verify_item p384[BATCH];
        struct lc_ed25519_verify_item ed25519[BATCH];
        struct lc_rsa_verify_item rsa[BATCH];
    } items;
};

/* ---- Reading ---- */

/* As read(), but not ended by signals; says what is wrong and returns 0 then. */
static size_t read_some(struct job *job, char *to, size_t len)
{
    ssize_t got;

    do
        got = read(job->fd, to, len);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        cli_error("%s: can't be read: %s", job->path, strerror(errno));
        job->read_failed = true;
    }
    if (got <= 0)
        job->at_end = true;
    return got < 0 ? 0 : (size_t)got;
}

/* Of a line that is longer than MAX_LINE, read what is left.  w->text is only room for that. */
static void skip_line(struct job *job, struct worker *w)
{
    size_t len = 0;
    char *newline = NULL;

    while (!newline && !job->at_end) {
        len = read_some(job, w->text, MAX_LINE);
        newline = memchr(w->text, '\n', len);
    }
    job->rest_len = 0;
    if (newline) {
        job->rest_len = len - (size_t)(newline + 1 - w->text);
        memcpy(job->rest, newline + 1, job->rest_len);
    }
    w->len = 0;
    w->too_long = true;
    job->num_lines++;
}

/* Get the next block of whole lines.  What is left of what was read is for the next one.  false: there is none. */
static bool read_block(struct worker *w)
{
    struct job *job = w->job;
    char *newline;
    bool got = false;

    pthread_mutex_lock(&job->reading);
    memcpy(w->text, job->rest, job->rest_len);
    w->len = job->rest_len;
    w->first_line = job->num_lines + 1;
    w->too_long = false;
    newline = memrchr(w->text, '\n', w->len);
    /* Verdicts come as soon as there are lines, however slowly they are written. */
    while (!newline && !job->at_end && w->len < MAX_LINE) {
        size_t len = read_some(job, w->text + w->len, w->len < BLOCK ? BLOCK - w->len : MAX_LINE - w->len);

        newline = memrchr(w->text + w->len, '\n', len);
        w->len += len;
    }
    job->rest_len = 0;
    if (newline) {
        job->rest_len = w->len - (size_t)(newline + 1 - w->text);
        memcpy(job->rest, newline + 1, job->rest_len);
        w->len = (size_t)(newline + 1 - w->text);
    }
    if (!newline && w->len == MAX_LINE)
        skip_line(job, w);
    got = (w->len > 0 || w->too_long) && !job->read_failed && !atomic_load(&job->stop);
    if (got) {
        w->block = job->num_blocks++;
        for (const char *p = w->text; (p = memchr(p, '\n', w->len - (size_t)(p - w->text))) != NULL; p++)
            job->num_lines++;
    }
    pthread_mutex_unlock(&job->reading);
    return got;
}

/* ---- Verifying ---- */

/*
 * The key that items are verified by: a prepared one from the time on when there were enough tokens.  Who counts the last of them
 * makes the table, while others go on without.
 */
static const struct lc_ecdsa_p256_public_key *p256_key(struct job *job, struct jwk *jwk)
{
    const struct lc_ecdsa_p256_public_key *prepared = atomic_load_explicit(&jwk->p256_prepared, memory_order_acquire);
    struct lc_ecdsa_p256_public_key *copy;
    size_t table_len;

    if (prepared)
        return prepared;
    table_len = lc_ecdsa_p256_prepare_len(&jwk->key.p256);
    if (table_len == 0 || atomic_fetch_add_explicit(&jwk->num_used, 1, memory_order_relaxed) + 1 != PREPARE_FROM ||
        atomic_fetch_add(&job->num_prepared, 1) >= MAX_PREPARED)
        return &jwk->key.p256;
    copy = malloc(sizeof(*copy) + table_len);
    if (!copy)
        return &jwk->key.p256;
    *copy = jwk->key.p256;
    if (lc_ecdsa_p256_prepare(copy, copy + 1, table_len) != LC_OK) {
        free(copy);
        return &jwk->key.p256;
    }
    atomic_store_explicit(&jwk->p256_prepared, copy, memory_order_release);
    return copy;
}

/*
 * The algorithms: tokens w->of_kind[0 .. num - 1].  Each item has its own status; the call's is LC_OK if all have.  Hashing
 * fails for none or for all.
 */
static void verify_es256(struct worker *w, size_t num)
{
    int status = lc_sha256_many(w->messages, num);

    for (size_t i = 0; i < num; i++)
        w->items.p256[i] = (struct lc_ecdsa_p256_verify_item){ p256_key(w->job, w->of_kind[i]->jwt.key), w->of_kind[i]->jwt.sig,
                                                               w->digests[i], LC_SHA256_LEN, status };
    if (status == LC_OK)
        status = lc_ecdsa_p256_verify_many(w->items.p256, num);
    for (size_t i = 0; i < num; i++)
        w->of_kind[i]->status = status == LC_OK ? LC_OK : w->items.p256[i].status;
}

static void verify_es384(struct worker *w, size_t num)
{
    int status = lc_sha384_many(w->messages, num);

    for (size_t i = 0; i < num; i++)
        w->items.p384[i] = (struct lc_ecdsa_p384_verify_item){ &w->of_kind[i]->jwt.key->key.p384, w->of_kind[i]->jwt.sig,
                                                               w->digests[i], LC_SHA384_LEN, status };
    if (status == LC_OK)
        status = lc_ecdsa_p384_verify_many(w->items.p384, num);
    for (size_t i = 0; i < num; i++)
        w->of_kind[i]->status = status == LC_OK ? LC_OK : w->items.p384[i].status;
}

static void verify_eddsa(struct worker *w, size_t num)
{
    int status;

    for (size_t i = 0; i < num; i++)
        w->items.ed25519[i] = (struct lc_ed25519_verify_item){ &w->of_kind[i]->jwt.key->key.ed25519, w->of_kind[i]->jwt.sig,
                                                               w->messages[i].msg, w->messages[i].len, LC_OK };
    status = lc_ed25519_verify_many(w->items.ed25519, num);
    for (size_t i = 0; i < num; i++)
        w->of_kind[i]->status = status == LC_OK ? LC_OK : w->items.ed25519[i].status;
}

static void verify_rsa(struct worker *w, size_t num, int (*verify_many)(struct lc_rsa_verify_item *, size_t))
{
    int status = lc_sha256_many(w->messages, num);

    for (size_t i = 0; i < num; i++) {
        const struct jwt *jwt = &w->of_kind[i]->jwt;

        /* PS256's salt is as long as the digest (RFC 7518, 3.5). */
        w->items.rsa[i] = (struct lc_rsa_verify_item){
            .key = &jwt->key->key.rsa,
            .sig = jwt->sig,
            .sig_len = lc_rsa_public_len(&jwt->key->key.rsa),
            .hash = LC_RSA_SHA256,
            .digest = w->digests[i],
            .salt_len = LC_SHA256_LEN,
            .status = status
        };
    }
    if (status == LC_OK)
        status = verify_many(w->items.rsa, num);
    for (size_t i = 0; i < num; i++)
        w->of_kind[i]->status = status == LC_OK ? LC_OK : w->items.rsa[i].status;
}

static void verify_rs256(struct worker *w, size_t num)
{
    verify_rsa(w, num, lc_rsa_pkcs1_verify_many);
}

static void verify_ps256(struct worker *w, size_t num)
{
    verify_rsa(w, num, lc_rsa_pss_verify_many);
}

static void verify_batch(struct worker *w)
{
    static void (*const verify[NUM_JWT_ALGS])(struct worker *,
                                              size_t) = { verify_es256, verify_es384, verify_eddsa, verify_rs256, verify_ps256 };

    for (enum jwt_alg alg = 0; alg < NUM_JWT_ALGS; alg++) {
        size_t num = 0;

        for (size_t i = 0; i < w->num_tokens; i++)
            if (!w->tokens[i].problem && w->tokens[i].jwt.alg == alg) {
                w->messages[num] = (struct lc_hash_item){ w->digests[num], w->tokens[i].jwt.msg, w->tokens[i].jwt.msg_len };
                w->of_kind[num++] = &w->tokens[i];
            }
        if (num > 0)
            verify[alg](w, num);
    }
}

/* ---- Printing ---- */

static void print_token(struct worker *w, const struct token *token)
{
    const struct job *job = w->job;
    const char *reason = token->problem, *verdict = "error";
    bool ok;

    if (!reason && token->status == LC_OK) {
        verdict = "ok";
        w->counts.ok++;
        if (job->failed_only)
            return;
    } else if (!reason && token->status == LC_ERR_SIGNATURE) {
        verdict = "wrong";
        reason = "the signature is wrong";
        w->counts.wrong++;
    } else {
        if (!reason)
            reason = lc_strerror(token->status);
        w->counts.errors++;
    }
    if (!job->json) {
        ok = fprintf(w->out, "%" PRIu64 " %s%s%s\n", token->line, verdict, token->problem ? ": " : "",
                     token->problem ? token->problem : "") >= 0;
    } else {
        ok = fprintf(w->out, "{\"line\": %" PRIu64 ", \"verdict\": \"%s\"", token->line, verdict) >= 0;
        if (reason)
            ok = fprintf(w->out, ", \"reason\": \"%s\"", reason) >= 0 && ok; /* our own text, which needs no escapes */
        if (!token->problem)
            ok = fprintf(w->out, ", \"alg\": \"%s\", \"kid\": %s", jwt_alg_names[token->jwt.alg], token->jwt.key->kid_json) >= 0 &&
                 ok;
        ok = fputs("}\n", w->out) >= 0 && ok;
    }
    if (!ok)
        w->out_failed = true;
}

static void finish_batch(struct worker *w)
{
    verify_batch(w);
    for (size_t i = 0; i < w->num_tokens; i++)
        print_token(w, &w->tokens[i]);
    w->num_tokens = 0;
}

static void verify_block(struct worker *w)
{
    const char *p = w->text, *end = w->text + w->len;

    w->counts = (struct counts){ 0 };
    w->num_tokens = 0;
    if (w->too_long)
        w->tokens[w->num_tokens++] = (struct token){ .line = w->first_line, .problem = "the line has more than a megabyte" };
    for (uint64_t line = w->first_line; p < end; line++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p)), *line_end = newline ? newline : end;
        struct token *token = &w->tokens[w->num_tokens];
        size_t len = (size_t)(line_end - p);

        if (len > 0 && p[len - 1] == '\r')
            len--;
        if (len > 0) { /* else it's an empty line, which is no token */
            token->line = line;
            token->problem = jwt_parse(&token->jwt, &w->job->set, w->headers, p, len);
            if (++w->num_tokens == BATCH)
                finish_batch(w);
        }
        p = newline ? newline + 1 : end;
    }
    finish_batch(w);
}

/* In the order of the blocks. */
static void write_block(struct worker *w, bool ok)
{
    struct job *job = w->job;

    pthread_mutex_lock(&job->writing);
    while (job->num_written != w->block)
        pthread_cond_wait(&job->turn, &job->writing);
    if (!job->write_failed && (!ok || fwrite(w->out_text, 1, w->out_len, stdout) != w->out_len || fflush(stdout) != 0)) {
        cli_error("%s", ok ? "standard output can't be written to" : "no memory for the verdicts");
        job->write_failed = true;
        atomic_store(&job->stop, true);
    }
    job->counts.ok += w->counts.ok;
    job->counts.wrong += w->counts.wrong;
    job->counts.errors += w->counts.errors;
    job->num_written++;
    pthread_cond_broadcast(&job->turn);
    pthread_mutex_unlock(&job->writing);
    if (job->has_progress)
        progress_add(&job->progress, w->len);
}

static void *work(void *arg)
{
    struct worker *w = arg;

    while (read_block(w)) {
        bool ok;

        /* If there is no memory, the block has its turn all the same, as others wait for it. */
        w->out_text = NULL;
        w->out_failed = false;
        w->out = open_memstream(&w->out_text, &w->out_len);
        ok = w->out != NULL;
        if (ok) {
            verify_block(w);
            ok = fclose(w->out) == 0 && !w->out_failed;
        }
        write_block(w, ok);
        free(w->out_text);
    }
    return NULL;
}

/* ---- The command ---- */

/* Start the threads, and wait until they have ended; this one is one of them. */
static bool run(struct job *job)
{
    struct worker *workers = calloc(job->num_threads, sizeof(*workers));
    char *texts = malloc((job->num_threads + 1) * MAX_LINE);
    size_t started = 1;

    if (workers && texts) {
        job->rest = texts + job->num_threads * MAX_LINE;
        for (size_t i = 0; i < job->num_threads; i++) {
            workers[i].job = job;
            workers[i].text = texts + i * MAX_LINE;
        }
        /* With fewer threads than asked for it takes longer, no more. */
        while (started < job->num_threads && pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0)
            started++;
        work(&workers[0]);
        for (size_t i = 1; i < started; i++)
            pthread_join(workers[i].thread, NULL);
        for (size_t i = 0; i < job->num_threads; i++)
            jwt_headers_free(workers[i].headers);
    } else {
        cli_error("no memory for %" PRIu64 " threads", job->num_threads);
    }
    started = workers && texts ? started : 0;
    job->num_threads = started;
    free(workers);
    free(texts);
    return started > 0;
}

static bool open_tokens(struct job *job)
{
    struct stat st;

    job->fd = STDIN_FILENO;
    if (strcmp(job->path, "-") == 0)
        job->path = "standard input";
    else
        job->fd = open(job->path, O_RDONLY | O_CLOEXEC);
    if (job->fd < 0 || fstat(job->fd, &st) != 0) {
        cli_error("%s: can't be opened: %s", job->path, strerror(errno));
        return false;
    }
    job->has_progress = S_ISREG(st.st_mode) && st.st_size > 0;
    progress_start(&job->progress, job->has_progress ? (uint64_t)st.st_size : 1, job->quiet || !job->has_progress, "");
    posix_fadvise(job->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return true;
}

static bool verify(struct job *job)
{
    const struct counts *counts = &job->counts;
    uint64_t num;
    double seconds;
    bool ok;

    if (!jwks_load(&job->set, job->keys) || !open_tokens(job))
        return false;
    ok = run(job);
    progress_finish(&job->progress);
    if (job->fd != STDIN_FILENO)
        close(job->fd);
    if (!ok || job->read_failed || job->write_failed)
        return false;
    num = counts->ok + counts->wrong + counts->errors;
    if (num == 0)
        cli_error("%s: there is no token in it", job->path);
    seconds = progress_seconds(&job->progress);
    if (num > 0 && !job->quiet)
        fprintf(stderr,
                "lanecrypt: %" PRIu64 " tokens: %" PRIu64 " ok, %" PRIu64 " wrong, %" PRIu64
                " with errors; %.3f s, %.0f a second, %" PRIu64 " thread%s\n",
                num, counts->ok, counts->wrong, counts->errors, seconds, (double)num / seconds, job->num_threads,
                job->num_threads == 1 ? "" : "s");
    return num > 0 && counts->ok == num;
}

/* Return EXIT_OK, EXIT_USAGE, or -1 if only help was asked for. */
static int parse_options(struct job *job, int argc, char **argv)
{
    enum { KEYS = 1, FAILED, JSON, THREADS };
    static const struct option longs[] = {
        { "keys", required_argument, NULL, KEYS },
        { "failed", no_argument, NULL, FAILED },
        { "json", no_argument, NULL, JSON },
        { "threads", required_argument, NULL, THREADS },
        { "quiet", no_argument, NULL, 'q' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    cpu_set_t cpus;
    int c;

    /* It fails if the machine has more CPUs than cpu_set_t has bits: then as many threads as bits. */
    job->num_threads = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? (uint64_t)CPU_COUNT(&cpus) : MAX_THREADS;
    optind = 0;
    while ((c = getopt_long(argc, argv, "qh", longs, NULL)) != -1) {
        switch (c) {
        case KEYS: job->keys = optarg; break;
        case FAILED: job->failed_only = true; break;
        case JSON: job->json = true; break;
        case THREADS:
            if (!cli_parse_number("--threads", optarg, &job->num_threads))
                return EXIT_USAGE;
            break;
        case 'q': job->quiet = true; break;
        case 'h': return -1;
        default: return EXIT_USAGE;
        }
    }
    job->path = optind < argc ? argv[optind] : "-";
    if (!job->keys)
        cli_error("verify: --keys is missing; see `lanecrypt verify --help`");
    else if (argc - optind > 1)
        cli_error("verify: unexpected argument '%s'", argv[optind + 1]);
    else if (job->num_threads < 1 || job->num_threads > MAX_THREADS)
        cli_error("--threads %" PRIu64 ": must be 1 to %d", job->num_threads, MAX_THREADS);
    else
        return EXIT_OK;
    return EXIT_USAGE;
}

int cmd_verify(int argc, char **argv)
{
    struct job job = {
        .reading = PTHREAD_MUTEX_INITIALIZER, .writing = PTHREAD_MUTEX_INITIALIZER, .turn = PTHREAD_COND_INITIALIZER
    };
    int parsed = parse_options(&job, argc, argv);
    bool ok;

    if (parsed < 0) {
        fputs(usage, stdout);
        return EXIT_OK;
    }
    if (parsed != EXIT_OK)
        return parsed;
    if (cli_env_is_bad())
        return EXIT_FAILED;
    ok = verify(&job);
    jwks_free(&job.set);
    return ok ? EXIT_OK : EXIT_FAILED;
}
