/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A server that signs digests for its clients, ECDSA on P-256, in an event loop: with a job manager, and one at a time.
 *
 *      cc epoll_sign.c $(pkg-config --cflags --libs lanecrypt)
 *      ./a.out 64 1000
 *
 * A client sends 32 bytes and gets 64.  64 clients, in another process, have 1000 digests signed each and verify the signatures;
 * then as many again by a server that signs each at once.  Prints what each server took, and how full its batches were.  Some
 * clients go away without waiting for their signature.  The server ends when all have gone and their process has ended.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <lanecrypt/ecdsa.h>
#include <lanecrypt/jobs.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DIGEST = 32, SIG = 64, NUM_EVENTS = 32, GO_AWAY = 3 };

/* ---- The server ---- */

struct client {
    struct lc_job job; /* first, so that it is where its client is */
    struct lc_ecdsa_p256_sign_item item;
    uint8_t digest[DIGEST], sig[SIG];
    size_t got; /* bytes of the digest */
    int fd;
};

struct server {
    const struct lc_ecdsa_p256_key *key;
    bool alone; /* sign one at a time */
    int listener, epoll;
    int life;           /* a pipe that nobody writes to; it ends with the clients' process, however that ends */
    bool may_come;      /* more clients */
    size_t num_clients; /* that are there */
    struct lc_jobs jobs;
    size_t num_signed, num_runs, num_cancelled;
};

static void drop(struct server *s, struct client *c)
{
    /* Once it is cancelled, nothing writes to its memory any more. */
    if (lc_jobs_cancel(&s->jobs, &c->job) == LC_OK)
        s->num_cancelled++;
    close(c->fd);
    free(c);
    s->num_clients--;
}

static void answer(struct server *s, struct client *c, int status)
{
    s->num_signed++;
    c->got = 0;
    if (status != LC_OK || send(c->fd, c->sig, SIG, MSG_NOSIGNAL) != SIG)
        drop(s, c);
}

/* A client has sent something, or has gone. */
static void hear(struct server *s, struct client *c)
{
    /* A client has one request at a time.  While that waits, nothing comes but the end. */
    ssize_t got = c->got < DIGEST ? recv(c->fd, c->digest + c->got, DIGEST - c->got, 0) : 0;

    if (got < 0 && errno == EAGAIN)
        return;
    if (got <= 0) {
        drop(s, c);
        return;
    }
    c->got += (size_t)got;
    if (c->got < DIGEST)
        return;
    c->item = (struct lc_ecdsa_p256_sign_item){ .key = s->key, .sig = c->sig, .digest = c->digest, .digest_len = DIGEST };
    if (!s->alone) {
        if (lc_jobs_submit(&s->jobs, &c->job, LC_JOB_ECDSA_P256_SIGN, &c->item) != LC_OK)
            drop(s, c);
    } else {
        s->num_runs++;
        answer(s, c, lc_ecdsa_p256_sign(s->key, c->sig, c->digest, DIGEST));
    }
}

/* Answers false if none is at the door. */
static bool greet(struct server *s)
{
    int fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    struct client *c = fd >= 0 ? calloc(1, sizeof(*c)) : NULL;
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = c };

    if (fd < 0 && errno == EAGAIN)
        return false;
    if (!c || epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &event) != 0) {
        perror("epoll_sign: a client can't be served");
        exit(1);
    }
    c->fd = fd;
    s->num_clients++;
    return true;
}

static void serve(struct server *s)
{
    struct epoll_event events[NUM_EVENTS];
    struct lc_job *job;

    lc_jobs_init(&s->jobs, 64);
    s->may_come = true;
    while (s->may_come || s->num_clients > 0) {
        int num = epoll_wait(s->epoll, events, NUM_EVENTS, lc_jobs_waiting(&s->jobs) ? 0 : -1);

        for (int i = 0; i < num; i++) {
            if (events[i].data.ptr == &s->life) {
                while (greet(s)) {
                    /* who came before the end */
                }
                epoll_ctl(s->epoll, EPOLL_CTL_DEL, s->life, NULL);
                s->may_come = false;
            } else if (events[i].data.ptr) {
                hear(s, events[i].data.ptr);
            } else {
                greet(s);
            }
        }
        /* A batch when 8 wait, or when there is nothing else to do */
        if ((num == 0 || lc_jobs_due(&s->jobs)) && lc_jobs_run(&s->jobs) > 0)
            s->num_runs++;
        while ((job = lc_jobs_completed(&s->jobs)) != NULL)
            answer(s, (struct client *)job, job->status);
    }
}

/* ---- The clients ---- */

/* One of them */
struct asker {
    int fd;
    size_t num_asked;
    size_t got; /* bytes of the signature */
};

static bool ask(struct asker *a, const uint8_t *digest)
{
    a->num_asked++;
    a->got = 0;
    return send(a->fd, digest, DIGEST, MSG_NOSIGNAL) == DIGEST;
}

/* Have num digests signed by each of num_askers clients.  digests, sigs: of all, those of a client one after another */
static bool ask_all(struct asker *askers, struct pollfd *polls, size_t num_askers, size_t num, uint8_t (*digests)[DIGEST],
                    uint8_t (*sigs)[SIG])
{
    size_t num_left = num_askers;

    for (size_t i = 0; i < num_askers; i++) {
        polls[i] = (struct pollfd){ .fd = askers[i].fd, .events = POLLIN };
        if (!ask(&askers[i], digests[i * num]))
            return false;
    }
    while (num_left > 0) {
        if (poll(polls, num_askers, -1) < 0)
            return false;
        for (size_t i = 0; i < num_askers; i++) {
            struct asker *a = &askers[i];
            ssize_t got;

            if (polls[i].fd < 0 || !polls[i].revents)
                continue;
            got = recv(a->fd, sigs[i * num + a->num_asked - 1] + a->got, SIG - a->got, 0);
            if (got <= 0)
                return false;
            a->got += (size_t)got;
            if (a->got < SIG)
                continue;
            if (a->num_asked == num) {
                polls[i].fd = -1;
                num_left--;
            } else if (!ask(a, digests[i * num + a->num_asked])) {
                return false;
            }
        }
    }
    return true;
}

static bool all_right(const struct lc_ecdsa_p256_public_key *key, size_t num, uint8_t (*digests)[DIGEST], uint8_t (*sigs)[SIG])
{
    struct lc_ecdsa_p256_verify_item *items = calloc(num, sizeof(*items));
    int status = LC_ERR_STATE;

    if (items) {
        for (size_t i = 0; i < num; i++)
            items[i] = (struct lc_ecdsa_p256_verify_item){ .key = key, .sig = sigs[i], .digest = digests[i], .digest_len = DIGEST };
        status = lc_ecdsa_p256_verify_many(items, num);
    }
    free(items);
    return status == LC_OK;
}

/* The process of the clients.  GO_AWAY more of them ask and close. */
static bool be_clients(const struct sockaddr *address, socklen_t address_len, const struct lc_ecdsa_p256_public_key *key,
                       size_t num_clients, size_t num)
{
    const size_t all = num_clients * num;
    struct asker *askers = calloc(num_clients + GO_AWAY, sizeof(*askers));
    struct pollfd *polls = calloc(num_clients, sizeof(*polls));
    uint8_t(*digests)[DIGEST] = calloc(all, DIGEST), (*sigs)[SIG] = calloc(all, SIG);
    bool ok = askers && polls && digests && sigs;

    for (size_t i = 0; ok && i < all; i++)
        memcpy(digests[i], &i, sizeof(i));
    for (size_t i = 0; ok && i < num_clients + GO_AWAY; i++) {
        askers[i].fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        ok = askers[i].fd >= 0 && connect(askers[i].fd, address, address_len) == 0;
    }
    for (size_t i = num_clients; ok && i < num_clients + GO_AWAY; i++)
        ok = ask(&askers[i], digests[0]) && close(askers[i].fd) == 0;
    ok = ok && ask_all(askers, polls, num_clients, num, digests, sigs) && all_right(key, all, digests, sigs);
    free(askers);
    free(polls);
    free(digests);
    free(sigs);
    return ok;
}

/* ---- Both ---- */

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Start the clients, and serve them. */
static bool run(struct server *s, const struct lc_ecdsa_p256_public_key *public_key, size_t num_clients, size_t num)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    socklen_t address_len = sizeof(sa_family_t); /* bind() gives it a name that nobody has, which is no file */
    struct epoll_event event = { .events = EPOLLIN }, end = { .events = EPOLLHUP, .data.ptr = &s->life };
    int status = 1, ends[2];
    double started;
    pid_t child;

    s->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (s->listener < 0 || s->epoll < 0 || pipe2(ends, O_CLOEXEC) != 0 ||
        bind(s->listener, (struct sockaddr *)&address, address_len) != 0 || listen(s->listener, 128) != 0 ||
        epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->listener, &event) != 0 || epoll_ctl(s->epoll, EPOLL_CTL_ADD, ends[0], &end) != 0) {
        perror("epoll_sign");
        return false;
    }
    s->life = ends[0];
    address_len = sizeof(address);
    getsockname(s->listener, (struct sockaddr *)&address, &address_len);
    child = fork();
    if (child == 0) {
        close(s->listener); /* else the server's end would be none to who still waits at its door */
        close(s->epoll);
        _exit(!be_clients((struct sockaddr *)&address, address_len, public_key, num_clients, num));
    }
    close(ends[1]);
    started = cpu_seconds();
    if (child > 0)
        serve(s);
    started = cpu_seconds() - started;
    close(s->listener);
    close(s->epoll);
    close(s->life);
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "epoll_sign: not all clients got their signatures\n");
        return false;
    }
    printf("%-17s %7zu signatures, %.1f in a batch, %zu cancelled; %.1f us of CPU each\n",
           s->alone ? "one at a time:" : "the job manager:", s->num_signed, (double)s->num_signed / (double)s->num_runs,
           s->num_cancelled, 1e6 * started / (double)s->num_signed);
    return s->num_signed >= num_clients * num;
}

static int make_keys(struct lc_ecdsa_p256_key *key, struct lc_ecdsa_p256_public_key *public_key)
{
    uint8_t raw[32], public_raw[65];
    int status;

    do {
        if (getrandom(raw, sizeof(raw), 0) != sizeof(raw))
            return LC_ERR_RANDOM;
        status = lc_ecdsa_p256_init(key, raw, sizeof(raw));
    } while (status == LC_ERR_KEY); /* one of 2^32 random numbers is too large */
    if (status != LC_OK)
        return status;
    lc_ecdsa_p256_get_public(key, public_raw);
    return lc_ecdsa_p256_public_init(public_key, public_raw, sizeof(public_raw));
}

int main(int argc, char **argv)
{
    struct lc_ecdsa_p256_key key;
    struct lc_ecdsa_p256_public_key public_key;
    const size_t num_clients = argc > 1 ? strtoul(argv[1], NULL, 10) : 32, num = argc > 2 ? strtoul(argv[2], NULL, 10) : 50;
    int status = make_keys(&key, &public_key);
    bool ok = status == LC_OK;

    if (num_clients < 1 || num_clients > 100 || num < 1) {
        fprintf(stderr, "usage: epoll_sign [CLIENTS [DIGESTS]], 1 to 100 clients, each with so many digests\n");
        return 2;
    }
    if (!ok)
        fprintf(stderr, "epoll_sign: %s\n", lc_strerror(status));
    for (int alone = 0; ok && alone < 2; alone++) {
        struct server server = { .key = &key, .alone = alone };

        ok = run(&server, &public_key, num_clients, num);
    }
    lc_ecdsa_p256_wipe(&key);
    return !ok;
}
