/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * keep_vectors: system calls during which all vector and mask registers of AVX-512, or as many as there are, hold known values.
 * Are they the same afterwards?
 *
 *   keep_vectors syscalls TYPE DRIVER REFERENCE KEY_BYTES IV_BYTES
 *       encrypt and decrypt by DRIVER through a socket (AF_ALG).  REFERENCE, another driver of the algorithm, has to give the same.
 *   keep_vectors disk DEVICE
 *       write to a device and read it again
 *   keep_vectors packets ADDRESS PORT
 *       send datagrams, which the system call encrypts
 *   keep_vectors arriving DEVICE ADDRESS PORT
 *       have encrypted packets arrive: those that such datagrams became are sent once more as they are, so that nothing is done in
 *       the system call but what their arrival causes, in a softirq, which runs at its end
 *
 * Exit status: 0 kept, 1 changed, 2 wrong bytes, 3 it can't be done.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <cpuid.h>
#include <fcntl.h>
#include <linux/if_alg.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KEPT, CHANGED, WRONG, CANT };

/* 32 registers of 64 bytes, and 8 masks; with AVX only the lower halves of the first 16. */
static struct registers {
    uint8_t zmm[32][64];
    uint64_t k[8];
} before __attribute__((aligned(64))), after __attribute__((aligned(64)));
static int has_avx512;

static void set_up(void)
{
    unsigned a, b = 0, c, d;

    __get_cpuid_count(7, 0, &a, &b, &c, &d);
    has_avx512 = b >> 16 & 1;
    for (unsigned i = 0; i < sizeof(before.zmm); i++)
        before.zmm[i / 64][i % 64] = (uint8_t)(i * 167 + (i >> 8) * 13 + 1);
    for (unsigned i = 0; i < 8; i++)
        before.k[i] = 0x0123456789abcdefull * (2 * i + 3);
}

/* One system call, between filling the registers and storing them. */
#define WATCHED(registers, fill, fill_mask, store, store_mask)                                                                     \
    __asm__ volatile(".set at, 0\n\t"                                                                                              \
                     ".irp i, " registers "\n\t" fill "\n\t.set at, at + 64\n\t.endr\n\t"                                          \
                     ".set at, 2048\n\t"                                                                                           \
                     ".irp i, 0,1,2,3,4,5,6,7\n\t" fill_mask "\n\t.set at, at + 8\n\t.endr\n\t"                                    \
                     "syscall\n\t"                                                                                                 \
                     ".set at, 0\n\t"                                                                                              \
                     ".irp i, " registers "\n\t" store "\n\t.set at, at + 64\n\t.endr\n\t"                                         \
                     ".set at, 2048\n\t"                                                                                           \
                     ".irp i, 0,1,2,3,4,5,6,7\n\t" store_mask "\n\t.set at, at + 8\n\t.endr\n\t"                                   \
                     "vzeroall"                                                                                                    \
                     : "+a"(result)                                                                                                \
                     : "D"(arg0), "S"(arg1), "d"(arg2), "r"(arg3), "r"(arg4), "r"(arg5), [in] "r"(&before), [out] "r"(&after)      \
                     : "cc", "memory", "rcx", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",       \
                       "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")

static long watched(long number, long arg0, long arg1, long arg2, long a3, long a4, long a5)
{
    register long result __asm__("rax") = number;
    register long arg3 __asm__("r10") = a3;
    register long arg4 __asm__("r8") = a4;
    register long arg5 __asm__("r9") = a5;

    if (has_avx512)
        WATCHED("0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
                "vmovdqa64 at(%[in]), %%zmm\\i", "kmovq at(%[in]), %%k\\i", "vmovdqa64 %%zmm\\i, at(%[out])",
                "kmovq %%k\\i, at(%[out])");
    else
        WATCHED("0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", "vmovdqa at(%[in]), %%ymm\\i", "", "vmovdqa %%ymm\\i, at(%[out])", "");
    return result;
}

static int changed(const char *what)
{
    const unsigned num = has_avx512 ? 32 : 16, len = has_avx512 ? 64 : 32;
    unsigned count = 0;

    for (unsigned i = 0; i < num; i++)
        for (unsigned at = 0; at < len; at += 16)
            if (memcmp(before.zmm[i] + at, after.zmm[i] + at, 16) && count++ == 0)
                printf("%s: the first that has changed: vector register %u, bytes %u to %u\n", what, i, at, at + 15);
    for (unsigned i = 0; has_avx512 && i < 8; i++)
        if (before.k[i] != after.k[i] && count++ == 0)
            printf("%s: the first that has changed: mask register %u\n", what, i);
    if (count)
        printf("%s: %u places have changed\n", what, count);
    return count != 0;
}

static void fill(uint8_t *data, size_t len, unsigned seed)
{
    for (size_t i = 0; i < len; i++)
        data[i] = (uint8_t)(i * 31 + i / 256 + seed);
}

/* ---- Sockets of the crypto API ---- */

struct algorithm {
    const char *type, *driver;
    size_t key_len, iv_len;
};

enum { AAD_LEN = 16, TAG_LEN = 16 };

static int is_aead(const struct algorithm *a)
{
    return !strcmp(a->type, "aead");
}

static int open_algorithm(const struct algorithm *a)
{
    struct sockaddr_alg address = { .salg_family = AF_ALG };
    uint8_t key[64];
    int fd = socket(AF_ALG, SOCK_SEQPACKET, 0);

    snprintf((char *)address.salg_type, sizeof(address.salg_type), "%s", a->type);
    snprintf((char *)address.salg_name, sizeof(address.salg_name), "%s", a->driver);
    fill(key, sizeof(key), 3);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) || setsockopt(fd, SOL_ALG, ALG_SET_KEY, key, a->key_len))
        return -1;
    return accept(fd, NULL, 0);
}

static struct cmsghdr *add(struct msghdr *message, struct cmsghdr *last, int type, size_t len)
{
    struct cmsghdr *header = last ? CMSG_NXTHDR(message, last) : CMSG_FIRSTHDR(message);

    header->cmsg_level = SOL_ALG;
    header->cmsg_type = type;
    header->cmsg_len = CMSG_LEN(len);
    return header;
}

/* data: AAD first, if it's an AEAD, then text, and room for a tag after it.  Returns 0, or an exit status; *bad is set if registers
 * have changed. */
static int crypt_message(const struct algorithm *a, uint32_t operation, uint8_t *data, size_t len, size_t out_len, int *bad)
{
    char control[CMSG_SPACE(4) + CMSG_SPACE(sizeof(struct af_alg_iv) + 16) + CMSG_SPACE(4)] = { 0 };
    struct iovec part = { data, len };
    struct msghdr message = { .msg_control = control, .msg_controllen = sizeof(control), .msg_iov = &part, .msg_iovlen = 1 };
    struct cmsghdr *header;
    struct af_alg_iv *iv;
    uint32_t aad_len = AAD_LEN;
    int fd = open_algorithm(a);
    long sent, received;

    if (fd < 0)
        return CANT;
    header = add(&message, NULL, ALG_SET_OP, sizeof(operation));
    memcpy(CMSG_DATA(header), &operation, sizeof(operation));
    header = add(&message, header, ALG_SET_IV, sizeof(*iv) + a->iv_len);
    iv = (struct af_alg_iv *)CMSG_DATA(header);
    iv->ivlen = (uint32_t)a->iv_len;
    memset(iv->iv, 0x5a, a->iv_len);
    if (is_aead(a)) {
        header = add(&message, header, ALG_SET_AEAD_ASSOCLEN, sizeof(aad_len));
        memcpy(CMSG_DATA(header), &aad_len, sizeof(aad_len));
    }
    message.msg_controllen = (size_t)((char *)header - control) + CMSG_ALIGN(header->cmsg_len);
    sent = watched(SYS_sendmsg, fd, (long)&message, 0, 0, 0, 0);
    *bad |= changed(a->driver);
    received = watched(SYS_read, fd, (long)data, (long)out_len, 0, 0, 0);
    *bad |= changed(a->driver);
    close(fd);
    return sent == (long)len && received == (long)out_len ? 0 : CANT;
}

static int do_syscalls(const struct algorithm *ours, const struct algorithm *reference)
{
    static const size_t sizes[] = { 32, 80, 512, 1008, 1500, 4096 };
    static uint8_t text[8192], one[8192], two[8192];
    const size_t tag_len = is_aead(ours) ? TAG_LEN : 0;
    int bad = 0, ignored = 0;

    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        const size_t len = sizes[i];

        fill(text, len, 0);
        memcpy(one, text, len);
        memcpy(two, text, len);
        if (crypt_message(ours, ALG_OP_ENCRYPT, one, len, len + tag_len, &bad) ||
            crypt_message(reference, ALG_OP_ENCRYPT, two, len, len + tag_len, &ignored)) {
            perror(ours->driver);
            return CANT;
        }
        if (memcmp(one, two, len + tag_len)) {
            printf("%s: %zu bytes aren't what %s writes\n", ours->driver, len, reference->driver);
            return WRONG;
        }
        if (crypt_message(ours, ALG_OP_DECRYPT, one, len + tag_len, len, &bad) || memcmp(one, text, len)) {
            printf("%s: %zu bytes: decryption doesn't give what was encrypted\n", ours->driver, len);
            return WRONG;
        }
    }
    return bad ? CHANGED : KEPT;
}

/* ---- Disks ---- */

static int do_disk(const char *device)
{
    static uint8_t data[65536] __attribute__((aligned(4096))), back[65536] __attribute__((aligned(4096)));
    int fd = open(device, O_RDWR | O_DIRECT), bad = 0;

    fill(data, sizeof(data), 0);
    for (unsigned i = 0; i < 4; i++) {
        if (watched(SYS_pwrite64, fd, (long)data, sizeof(data), 0, 0, 0) != sizeof(data))
            return CANT;
        bad |= changed("write");
        if (watched(SYS_pread64, fd, (long)back, sizeof(back), 0, 0, 0) != sizeof(back))
            return CANT;
        bad |= changed("read");
        if (memcmp(data, back, sizeof(data)))
            return WRONG;
    }
    return bad ? CHANGED : KEPT;
}

/* ---- Packets ---- */

/* The next packet of ESP that goes out of the device, with its link header; its length, or -1 */
static ssize_t outgoing(int device, uint8_t *frame, size_t len)
{
    for (;;) {
        struct sockaddr_ll from;
        socklen_t from_len = sizeof(from);
        ssize_t received = recvfrom(device, frame, len, 0, (struct sockaddr *)&from, &from_len);

        if (received < 0 || (from.sll_pkttype == PACKET_OUTGOING && received > 34 && frame[23] == IPPROTO_ESP))
            return received;
    }
}

/*
 * A driver that the sender's own encryption takes may save the registers.  Then they are loaded again at the end of the system
 * call, whatever has become of them meanwhile: so the packet is sent again, without encryption.
 */
static int do_packets(const char *address, const char *port, const char *arriving_by)
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)) };
    struct sockaddr_ll link = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL) };
    struct timeval limit = { .tv_sec = 10 };
    static uint8_t data[1400], frame[2048];
    int out = socket(AF_INET, SOCK_DGRAM, 0), device = -1, bad = 0;

    if (inet_pton(AF_INET, address, &to.sin_addr) != 1 || out < 0)
        return CANT;
    if (arriving_by) {
        device = socket(AF_PACKET, SOCK_RAW, 0);
        link.sll_ifindex = (int)if_nametoindex(arriving_by);
        if (bind(device, (struct sockaddr *)&link, sizeof(link)) ||
            setsockopt(device, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)))
            return CANT;
    }
    for (unsigned i = 0; i < 20; i++) {
        const size_t len = sizeof(data) - 65 * i;

        fill(data, sizeof(data), i);
        if (arriving_by) {
            ssize_t frame_len;

            if (sendto(out, data, len, 0, (struct sockaddr *)&to, sizeof(to)) < 0)
                return CANT;
            frame_len = outgoing(device, frame, sizeof(frame));
            if (frame_len < 0 || watched(SYS_sendto, device, (long)frame, frame_len, 0, 0, 0) != frame_len)
                return CANT;
        } else if (watched(SYS_sendto, out, (long)data, (long)len, 0, (long)&to, sizeof(to)) < 0) {
            return CANT;
        }
        bad |= changed("packet");
    }
    return bad ? CHANGED : KEPT;
}

int main(int argc, char **argv)
{
    set_up();
    if (argc == 7 && !strcmp(argv[1], "syscalls")) {
        struct algorithm ours = { argv[2], argv[3], (size_t)atoi(argv[5]), (size_t)atoi(argv[6]) }, reference = ours;

        reference.driver = argv[4];
        return do_syscalls(&ours, &reference);
    }
    if (argc == 3 && !strcmp(argv[1], "disk"))
        return do_disk(argv[2]);
    if (argc == 4 && !strcmp(argv[1], "packets"))
        return do_packets(argv[2], argv[3], NULL);
    if (argc == 5 && !strcmp(argv[1], "arriving"))
        return do_packets(argv[3], argv[4], argv[2]);
    return CANT;
}
