/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tls_sockets GCM_DRIVER CHACHA20_DRIVER EARLY LATE: the kernel's TLS, versions 1.2 and 1.3 with AES-128-GCM, AES-256-GCM and
 * ChaCha20-Poly1305, between sockets of one machine, in both directions, by send() and sendfile().
 *
 * One end of each connection gets its keys at once, from the drivers that there are by now; then the program makes a file called
 * EARLY.  The other end gets them when there is one called LATE, and then from the two drivers named: /proc/crypto has to say so.
 * So drivers that know nothing of each other have to agree.  Exit status 0 if all is well.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/tls.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SOL_TLS
#define SOL_TLS 282
#endif

enum { LEN = 100000, NUM_CONNECTIONS = 6 };

static struct connection {
    uint16_t version, cipher;
    int early, late; /* its ends */
} connections[NUM_CONNECTIONS] = {
    { TLS_1_2_VERSION, TLS_CIPHER_AES_GCM_128, 0, 0 },       { TLS_1_3_VERSION, TLS_CIPHER_AES_GCM_128, 0, 0 },
    { TLS_1_2_VERSION, TLS_CIPHER_AES_GCM_256, 0, 0 },       { TLS_1_3_VERSION, TLS_CIPHER_AES_GCM_256, 0, 0 },
    { TLS_1_2_VERSION, TLS_CIPHER_CHACHA20_POLY1305, 0, 0 }, { TLS_1_3_VERSION, TLS_CIPHER_CHACHA20_POLY1305, 0, 0 },
};

static void fail(const char *what, const struct connection *c)
{
    printf("tls_sockets: %s: %s (version %#x, cipher %u)\n", what, strerror(errno), c ? c->version : 0, c ? c->cipher : 0);
    exit(1);
}

static void connect_ends(struct connection *c, int listener)
{
    struct sockaddr_in address;
    socklen_t len = sizeof(address);

    c->early = socket(AF_INET, SOCK_STREAM, 0);
    if (getsockname(listener, (struct sockaddr *)&address, &len) || connect(c->early, (struct sockaddr *)&address, len) ||
        (c->late = accept(listener, NULL, NULL)) < 0)
        fail("connect", c);
}

/* All that differs between the two directions is `fill`. */
static void set_keys(const struct connection *c, int fd, int direction, int fill)
{
    union {
        struct tls_crypto_info info;
        struct tls12_crypto_info_aes_gcm_128 gcm128;
        struct tls12_crypto_info_aes_gcm_256 gcm256;
        struct tls12_crypto_info_chacha20_poly1305 chacha20;
    } keys;
    socklen_t len = c->cipher == TLS_CIPHER_AES_GCM_128   ? sizeof(keys.gcm128)
                    : c->cipher == TLS_CIPHER_AES_GCM_256 ? sizeof(keys.gcm256)
                                                          : sizeof(keys.chacha20);

    memset(&keys, fill, sizeof(keys));
    keys.info.version = c->version;
    keys.info.cipher_type = c->cipher;
    if (setsockopt(fd, SOL_TLS, direction, &keys, len))
        fail("setsockopt: keys", c);
}

static void set_all_keys(const struct connection *c, int fd, int sends, int receives)
{
    if (setsockopt(fd, IPPROTO_TCP, TCP_ULP, "tls", sizeof("tls")))
        fail("setsockopt: tls", c);
    set_keys(c, fd, TLS_TX, sends);
    set_keys(c, fd, TLS_RX, receives);
}

/* How many have the driver open */
static int users_of(const char *driver)
{
    char line[256], name[256] = "";
    FILE *f = fopen("/proc/crypto", "r");
    int count;

    while (f && fgets(line, sizeof(line), f)) {
        if (sscanf(line, "driver : %255s", name) == 1)
            continue;
        if (!strcmp(name, driver) && sscanf(line, "refcnt : %d", &count) == 1) {
            fclose(f);
            return count - 1;
        }
    }
    printf("tls_sockets: no driver %s in /proc/crypto\n", driver);
    exit(1);
}

/* LEN bytes: in pieces of odd lengths, or from a file, whose pages the kernel takes as they are */
static void transfer(const struct connection *c, int from, int to, int by_file, int file, const uint8_t *data)
{
    static uint8_t received[LEN];
    size_t done = 0;
    pid_t child = fork();
    int status;

    if (child == 0) {
        off_t at = 0;

        while (done < LEN) {
            size_t piece = 1 + done / 3 < LEN - done ? 1 + done / 3 : LEN - done;
            ssize_t n = by_file ? sendfile(from, file, &at, LEN - done) : send(from, data + done, piece, 0);

            if (n <= 0)
                fail("send", c);
            done += (size_t)n;
        }
        _exit(0);
    }
    while (done < LEN) {
        ssize_t n = recv(to, received + done, LEN - done, 0);

        if (n <= 0)
            fail("recv", c);
        done += (size_t)n;
    }
    if (waitpid(child, &status, 0) != child || status)
        fail("the sender", c);
    if (memcmp(received, data, LEN))
        fail("other bytes arrive than were sent", c);
}

int main(int argc, char **argv)
{
    static uint8_t data[LEN];
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    int listener = socket(AF_INET, SOCK_STREAM, 0), file = memfd_create("data", 0);

    if (argc != 5)
        return 2;
    for (size_t i = 0; i < LEN; i++)
        data[i] = (uint8_t)(i * 31 + i / 256);
    if (write(file, data, LEN) != LEN || bind(listener, (struct sockaddr *)&address, sizeof(address)) || listen(listener, 8))
        fail("preparations", NULL);
    for (int i = 0; i < NUM_CONNECTIONS; i++) {
        connect_ends(&connections[i], listener);
        set_all_keys(&connections[i], connections[i].early, 1, 2);
    }
    if (creat(argv[3], 0600) < 0)
        fail(argv[3], NULL);
    for (int tries = 0; access(argv[4], F_OK); tries++) {
        if (tries == 1200)
            fail(argv[4], NULL);
        usleep(100000);
    }
    for (int i = 0; i < NUM_CONNECTIONS; i++)
        set_all_keys(&connections[i], connections[i].late, 2, 1);
    if (users_of(argv[1]) != 8 || users_of(argv[2]) != 4) {
        printf("tls_sockets: %s has %d users, should have 8; %s has %d, should have 4\n", argv[1], users_of(argv[1]), argv[2],
               users_of(argv[2]));
        return 1;
    }
    for (int i = 0; i < NUM_CONNECTIONS; i++)
        for (int by_file = 0; by_file < 2; by_file++) {
            transfer(&connections[i], connections[i].early, connections[i].late, by_file, file, data);
            transfer(&connections[i], connections[i].late, connections[i].early, by_file, file, data);
        }
    return 0;
}
