/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * openssl_threads: what signatures and key exchanges cost a process with several threads, with the default provider and with
 * lanecrypt's, in one process and in turns.
 *   openssl_threads CONF [ALGORITHM [THREADS ...]]      a configuration by `lanecrypt openssl-conf --public-key --combine-threads`
 *
 * The time is the process's CPU time for each operation, with all that libcrypto does around it; in brackets is how long one
 * operation took, by the clock.  The figures are medians of the turns.  It is linked with libcrypto.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/x509.h>

enum { TURNS = 5, MAX_THREADS = 64, SLICE_NS = 400000000 };

static const struct algorithm {
    const char *name, *key, *detail, *hash;
} algorithms[] = {
    { "rsa2048", "RSA", "2048", "SHA256" },   { "rsa3072", "RSA", "3072", "SHA256" },   { "rsa4096", "RSA", "4096", "SHA256" },
    { "ecdsap256", "EC", "P-256", "SHA256" }, { "ecdsap384", "EC", "P-384", "SHA384" }, { "ecdhp256", "EC", "P-256", NULL },
    { "ecdhp384", "EC", "P-384", NULL },      { "x25519", "X25519", NULL, NULL },
};

struct side {
    const struct algorithm *algorithm;
    OSSL_LIB_CTX *lib;
    EVP_PKEY *key, *peer;
    long count; /* operations for each thread */
    _Atomic long long latency_ns;
};

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "openssl_threads: %s failed\n", what);
    exit(2);
}

static double now_ns(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static bool operate(const struct side *s)
{
    unsigned char out[1024], message[32] = { 1 };
    size_t len = sizeof(out);
    bool ok;

    if (s->algorithm->hash) {
        EVP_MD_CTX *md = EVP_MD_CTX_new();

        ok = EVP_DigestSignInit_ex(md, NULL, s->algorithm->hash, s->lib, NULL, s->key, NULL) == 1 &&
             EVP_DigestSign(md, out, &len, message, sizeof(message)) == 1;
        EVP_MD_CTX_free(md);
    } else {
        EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(s->lib, s->key, NULL);

        ok = EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer(ctx, s->peer) == 1 && EVP_PKEY_derive(ctx, out, &len) == 1;
        EVP_PKEY_CTX_free(ctx);
    }
    return ok;
}

static void *work(void *arg)
{
    struct side *s = arg;

    for (long i = 0; i < s->count; i++) {
        double begin = now_ns(CLOCK_MONOTONIC);

        must(operate(s), s->algorithm->name);
        s->latency_ns += (long long)(now_ns(CLOCK_MONOTONIC) - begin);
    }
    return NULL;
}

/* Nanoseconds of CPU time for each operation. */
static double slice(struct side *s, int num_threads, double *latency_ns)
{
    pthread_t threads[MAX_THREADS];
    double begin = now_ns(CLOCK_PROCESS_CPUTIME_ID);

    s->latency_ns = 0;
    for (int i = 0; i < num_threads; i++)
        must(pthread_create(&threads[i], NULL, work, s) == 0, "a thread");
    for (int i = 0; i < num_threads; i++)
        pthread_join(threads[i], NULL);
    *latency_ns = (double)s->latency_ns / (double)(num_threads * s->count);
    return (now_ns(CLOCK_PROCESS_CPUTIME_ID) - begin) / (double)(num_threads * s->count);
}

static EVP_PKEY *copy_key(EVP_PKEY *key, OSSL_LIB_CTX *lib)
{
    unsigned char *der = NULL;
    int len = i2d_PrivateKey(key, &der);
    const unsigned char *p = der;
    EVP_PKEY *copy = len > 0 ? d2i_AutoPrivateKey_ex(NULL, &p, len, lib, NULL) : NULL;

    OPENSSL_free(der);
    must(copy, "copying a key");
    return copy;
}

static EVP_PKEY *new_key(const struct algorithm *a, OSSL_LIB_CTX *lib)
{
    if (strcmp(a->key, "RSA") == 0)
        return EVP_PKEY_Q_keygen(lib, NULL, "RSA", (size_t)atoi(a->detail));
    return a->detail ? EVP_PKEY_Q_keygen(lib, NULL, a->key, a->detail) : EVP_PKEY_Q_keygen(lib, NULL, a->key);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, TURNS, sizeof(*values), compare);
    return values[TURNS / 2];
}

static void row(const struct algorithm *a, OSSL_LIB_CTX *const libs[2], const int *threads, int num)
{
    struct side s[2] = { { .algorithm = a, .lib = libs[0] }, { .algorithm = a, .lib = libs[1] } };

    s[0].key = new_key(a, libs[0]);
    s[0].peer = new_key(a, libs[0]);
    s[1].key = copy_key(s[0].key, libs[1]);
    s[1].peer = copy_key(s[0].peer, libs[1]);
    printf("| %s |", a->name);
    for (int t = 0; t < num; t++) {
        double ratio[TURNS], cpu[TURNS], wall[2][TURNS], latency;

        s[0].count = s[1].count = 50;
        s[0].count = s[1].count = (long)(SLICE_NS / slice(&s[0], 1, &latency) / threads[t]) + 1;
        slice(&s[1], threads[t], &latency);
        for (int turn = 0; turn < TURNS; turn++) {
            cpu[turn] = slice(&s[0], threads[t], &wall[0][turn]);
            ratio[turn] = slice(&s[1], threads[t], &wall[1][turn]) / cpu[turn];
        }
        if (t == 0)
            printf(" %.1f |", median(cpu) / 1000);
        printf(" %.2f (%.0f, %.0f) |", median(ratio), median(wall[0]) / 1000, median(wall[1]) / 1000);
        fflush(stdout);
    }
    puts("");
    for (int i = 0; i < 2; i++) {
        EVP_PKEY_free(s[i].key);
        EVP_PKEY_free(s[i].peer);
    }
}

int main(int argc, char **argv)
{
    OSSL_LIB_CTX *libs[2] = { OSSL_LIB_CTX_new(), OSSL_LIB_CTX_new() };
    int threads[16] = { 1, 2, 3, 4, 6, 8, 16, 64 }, num = 8;

    if (argc < 2 || argc > 3 + 16) {
        fputs("usage: openssl_threads CONF [ALGORITHM [THREADS ...]]\n", stderr);
        return 2;
    }
    for (int i = 3; i < argc; i++) {
        threads[i - 3] = atoi(argv[i]);
        num = i - 2;
        must(threads[i - 3] > 0 && threads[i - 3] <= MAX_THREADS, argv[i]);
    }
    must(OSSL_PROVIDER_load(libs[0], "default") && OSSL_LIB_CTX_load_config(libs[1], argv[1]), argv[1]);
    printf("%s; lanecrypt's CPU time divided by the default provider's (microseconds for one: default, lanecrypt)\n\n",
           OpenSSL_version(OPENSSL_VERSION));
    printf("| threads | default, us |");
    for (int t = 0; t < num; t++)
        printf(" %d |", threads[t]);
    printf("\n| --- | --- |");
    for (int t = 0; t < num; t++)
        printf(" --- |");
    puts("");
    for (size_t i = 0; i < sizeof(algorithms) / sizeof(algorithms[0]); i++)
        if (argc < 3 || strcmp(argv[2], "all") == 0 || strcmp(argv[2], algorithms[i].name) == 0)
            row(&algorithms[i], libs, threads, num);
    return 0;
}
