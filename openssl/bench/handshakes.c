/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * openssl_handshakes: what full TLS 1.3 handshakes cost a server on this machine, each with a short request.
 *   openssl_handshakes PORT PID CONNECTIONS TOTAL [RATE | abort]
 * CONNECTIONS at a time, each new as soon as one has ended; with RATE so many are begun in a second instead, if there is one left.
 * abort: clients go away at some time after they have sent their first message.
 *
 * Prints the server's CPU time for each handshake, by PID with all its threads, and its memory before and after; and how long the
 * answers took, from when they were due.  The client has the default provider.  It is linked with libssl.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <openssl/provider.h>
#include <openssl/ssl.h>

enum { MAX_EVENTS = 256 };

struct connection {
    int fd;
    SSL *ssl; /* NULL: there is none */
    double due_ns, end_ns; /* when to go away, or 0 */
    bool has_asked;
};

static SSL_CTX *ctx;
static struct sockaddr_in address;
static int epoll;
static long num_failed;

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Of all threads. */
static double cpu_ns(const char *pid)
{
    char path[600];
    double sum = 0, ns;
    struct dirent *entry;
    DIR *dir;

    snprintf(path, sizeof(path), "/proc/%s/task", pid);
    dir = opendir(path);
    while (dir && (entry = readdir(dir)) != NULL) {
        FILE *file;

        snprintf(path, sizeof(path), "/proc/%s/task/%s/schedstat", pid, entry->d_name);
        file = fopen(path, "r");
        if (file && fscanf(file, "%lf", &ns) == 1)
            sum += ns;
        if (file)
            fclose(file);
    }
    if (dir)
        closedir(dir);
    return sum;
}

static long rss_kb(const char *pid)
{
    char path[64], line[256];
    long kb = -1;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%s/status", pid);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof(line), file))
        if (sscanf(line, "VmRSS: %ld", &kb) == 1)
            break;
    if (file)
        fclose(file);
    return kb;
}

static void begin(struct connection *c, double due_ns, bool with_end)
{
    struct epoll_event event = { .events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = c };

    *c = (struct connection){ .fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0),
                              .ssl = SSL_new(ctx),
                              .due_ns = due_ns,
                              .end_ns = with_end ? now_ns() + rand() % 3000 * 1000.0 : 0 };
    (void)connect(c->fd, (struct sockaddr *)&address, sizeof(address));
    SSL_set_fd(c->ssl, c->fd);
    SSL_set_connect_state(c->ssl);
    epoll_ctl(epoll, EPOLL_CTL_ADD, c->fd, &event);
}

static void end(struct connection *c)
{
    const struct linger now = { 1, 0 };

    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    SSL_free(c->ssl);
    close(c->fd);
    c->ssl = NULL;
}

/* Has it ended? */
static bool go_on(struct connection *c)
{
    char answer[512];
    int ret, error;

    if (!c->has_asked) {
        ret = SSL_do_handshake(c->ssl);
        if (ret == 1) {
            c->has_asked = true;
            ret = SSL_write(c->ssl, "GET / HTTP/1.0\r\n\r\n", 18);
        }
    } else {
        ret = SSL_read(c->ssl, answer, sizeof(answer));
        if (ret > 0)
            return true;
    }
    error = SSL_get_error(c->ssl, ret);
    if (ret > 0 || error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE)
        return false;
    num_failed++;
    return true;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    OSSL_LIB_CTX *lib = OSSL_LIB_CTX_new();
    struct epoll_event events[MAX_EVENTS];
    struct connection *all;
    double rate = 0, *took_ns, first_ns, first_cpu;
    long num, total, begun = 0, done = 0, first_kb;
    bool with_end;

    if (argc < 5 || argc > 6) {
        fputs("usage: openssl_handshakes PORT PID CONNECTIONS TOTAL [RATE | abort]\n", stderr);
        return 2;
    }
    num = atol(argv[3]);
    total = atol(argv[4]);
    with_end = argc == 6 && strcmp(argv[5], "abort") == 0;
    rate = argc == 6 && !with_end ? atof(argv[5]) : 0;
    if (num < 1 || total < 1 || !OSSL_PROVIDER_load(lib, "default") || !(ctx = SSL_CTX_new_ex(lib, NULL, TLS_client_method())))
        return 2;
    SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION);
    SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
    address = (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)
    };
    epoll = epoll_create1(EPOLL_CLOEXEC);
    all = calloc((size_t)num, sizeof(*all));
    took_ns = calloc((size_t)total, sizeof(*took_ns));
    first_kb = rss_kb(argv[2]);
    first_cpu = cpu_ns(argv[2]);
    first_ns = now_ns();
    while (done < total) {
        double now = now_ns(), next = now + 1e9;
        struct timespec wait = { 0, 0 };
        int num_events;

        for (long i = 0; i < num; i++) {
            struct connection *c = &all[i];
            double due = rate > 0 ? first_ns + (double)begun * 1e9 / rate : now;

            if (c->ssl && c->end_ns > 0 && c->end_ns <= now) {
                end(c);
                done++;
            }
            if (!c->ssl && begun < total && due <= now) {
                begin(c, due, with_end);
                begun++;
            } else if (!c->ssl && begun < total && due < next) {
                next = due;
            }
            if (c->ssl && c->end_ns > 0 && c->end_ns < next)
                next = c->end_ns;
        }
        now = now_ns();
        if (next > now)
            wait.tv_nsec = next - now < 999999999 ? (long)(next - now) : 999999999;
        num_events = epoll_pwait2(epoll, events, MAX_EVENTS, &wait, NULL);
        for (int i = 0; i < num_events; i++) {
            struct connection *c = events[i].data.ptr;

            if (c->ssl && go_on(c)) {
                end(c);
                took_ns[done++] = now_ns() - c->due_ns;
            }
        }
    }
    first_ns = now_ns() - first_ns;
    qsort(took_ns, (size_t)done, sizeof(*took_ns), compare);
    printf("%ld connections, %ld in all, %ld failed, %.0f/s: %.1f us of CPU for each", num, done, num_failed,
           (double)done / first_ns * 1e9, (cpu_ns(argv[2]) - first_cpu) / 1e3 / (double)done);
    if (!with_end)
        printf(", after %.2f ms (median), %.2f (99 of 100)", took_ns[done / 2] / 1e6, took_ns[done * 99 / 100] / 1e6);
    printf("; memory %ld -> %ld KB\n", first_kb, rss_kb(argv[2]));
    return 0;
}
