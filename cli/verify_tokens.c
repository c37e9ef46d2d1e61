/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt verify --keys: signatures of JSON Web Tokens, one a line.
 *
 * A block is whole lines.  Its tokens are verified in batches, in which each kind of key has one call.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "jwt.h"
#include "signatures.h"
#include "verify_run.h"

enum {
    MAX_LINE = 1 << 20, /* bytes of a token */
    BLOCK = 1 << 18,    /* bytes that are read at once */
    PREPARE_FROM = 64,  /* tokens of a key, from which on its table pays (docs/publickey.md) */
    MAX_PREPARED = 512, /* tables: 78 MB */
};

struct job {
    const char *path;
    struct jwks set;
    _Atomic unsigned num_prepared;
    int fd;
    uint64_t num_lines; /* read so far */
    char *rest;         /* MAX_LINE bytes: the begin of the next block's first line */
    size_t rest_len;
    bool at_end;
    bool read_failed;
};

struct token {
    struct jwt jwt;
    uint64_t line;
    const char *problem; /* NULL if it can be verified */
    int status;
};

struct worker {
    struct verify_worker common;
    struct job *job;
    char *text; /* MAX_LINE bytes: a block */
    size_t len;
    uint64_t first_line;
    bool too_long; /* the block is the begin of a line that is too long */
    struct jwt_header headers[NUM_JWT_HEADERS];
    size_t num_tokens;
    struct token tokens[MAX_SIGNATURES];
    struct signature signatures[MAX_SIGNATURES];
    struct signature_work work;
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

/* Get the next block of whole lines.  What is left of what was read is for the next one. */
static bool read_block(struct verify_worker *common)
{
    struct worker *w = (struct worker *)common;
    struct job *job = w->job;
    char *newline;

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
    common->progress_len = w->len;
    for (const char *p = w->text; (p = memchr(p, '\n', w->len - (size_t)(p - w->text))) != NULL; p++)
        job->num_lines++;
    return (w->len > 0 || w->too_long) && !job->read_failed;
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

static void verify_batch(struct worker *w)
{
    static const enum signature_kind kind_of_alg[NUM_JWT_ALGS] = { SIG_P256, SIG_P384, SIG_ED25519, SIG_RSA_PKCS1, SIG_RSA_PSS };
    size_t num = 0;

    for (size_t i = 0; i < w->num_tokens; i++) {
        const struct jwt *jwt = &w->tokens[i].jwt;

        if (w->tokens[i].problem)
            continue;
        w->signatures[num] = (struct signature){
            .kind = kind_of_alg[jwt->alg],
            .hash = jwt->alg == JWT_ES384 ? LC_RSA_SHA384 : LC_RSA_SHA256,
            .key = &jwt->key->key,
            .msg = jwt->msg,
            .msg_len = jwt->msg_len,
            .sig = jwt->sig
        };
        if (jwt->key->kind == JWK_P256)
            w->signatures[num].key = p256_key(w->job, jwt->key);
        if (jwt->key->kind == JWK_RSA) {
            w->signatures[num].sig_len = lc_rsa_public_len(&jwt->key->key.rsa);
            w->signatures[num].salt_len = LC_SHA256_LEN; /* as long as the digest (RFC 7518, 3.5) */
        }
        num++;
    }
    signatures_verify(&w->work, w->signatures, num);
    num = 0;
    for (size_t i = 0; i < w->num_tokens; i++)
        if (!w->tokens[i].problem)
            w->tokens[i].status = w->signatures[num++].status;
}

/* ---- Printing ---- */

static void print_token(struct verify_worker *w, const struct token *token)
{
    const struct verify_run *run = w->run;
    const char *reason = token->problem, *verdict = "error";
    bool ok;

    if (!reason && token->status == LC_OK) {
        verdict = "ok";
        w->counts.ok++;
        if (run->failed_only)
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
    if (!run->json) {
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
        print_token(&w->common, &w->tokens[i]);
    w->num_tokens = 0;
}

static void verify_block(struct verify_worker *common)
{
    struct worker *w = (struct worker *)common;
    const char *p = w->text, *end = w->text + w->len;

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
            if (++w->num_tokens == MAX_SIGNATURES)
                finish_batch(w);
        }
        p = newline ? newline + 1 : end;
    }
    finish_batch(w);
}

/* ---- The command ---- */

static bool run_threads(struct verify_run *run, struct job *job)
{
    struct worker *workers = calloc(run->num_threads, sizeof(*workers));
    char *texts = malloc((run->num_threads + 1) * MAX_LINE);
    const size_t num = run->num_threads;
    bool ok = workers && texts;

    if (ok) {
        job->rest = texts + num * MAX_LINE;
        for (size_t i = 0; i < num; i++) {
            workers[i].job = job;
            workers[i].text = texts + i * MAX_LINE;
        }
        verify_run(run, workers, sizeof(*workers));
        for (size_t i = 0; i < num; i++)
            jwt_headers_free(workers[i].headers);
    } else {
        cli_error("no memory for %zu threads", num);
    }
    free(workers);
    free(texts);
    return ok;
}

static bool open_tokens(struct verify_run *run, struct job *job)
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
    run->has_progress = S_ISREG(st.st_mode) && st.st_size > 0;
    progress_start(&run->progress, run->has_progress ? (uint64_t)st.st_size : 1, run->quiet || !run->has_progress, "");
    posix_fadvise(job->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return true;
}

static bool verify(struct verify_run *run, struct job *job)
{
    const struct verify_counts *counts = &run->counts;
    uint64_t num;
    bool ok;

    if (!open_tokens(run, job))
        return false;
    ok = run_threads(run, job);
    progress_finish(&run->progress);
    if (job->fd != STDIN_FILENO)
        close(job->fd);
    if (!ok || job->read_failed || run->write_failed)
        return false;
    num = counts->ok + counts->wrong + counts->errors;
    if (num == 0)
        cli_error("%s: there is no token in it", job->path);
    if (num > 0 && !run->quiet) {
        fprintf(stderr, "lanecrypt: %" PRIu64 " tokens: %" PRIu64 " ok, %" PRIu64 " wrong, %" PRIu64 " with errors; ", num,
                counts->ok, counts->wrong, counts->errors);
        verify_print_speed(run, num);
    }
    return num > 0 && counts->ok == num;
}

bool verify_tokens(struct verify_run *run, const char *keys, const char *path)
{
    struct job job = { .path = path };
    bool ok = jwks_load(&job.set, keys);

    run->next = read_block;
    run->verify = verify_block;
    ok = ok && verify(run, &job);
    jwks_free(&job.set);
    return ok;
}
