/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ChaCha20-Poly1305: packets, many in one call.
 *
 *      cc chacha20poly1305.c $(pkg-config --cflags --libs lanecrypt)
 *
 * Seals three packets in place, changes one, and opens all of them.  Fails if the other two aren't what they were, or if the
 * change goes unnoticed.
 */
#include <lanecrypt/chacha20poly1305.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

enum { NUM_PACKETS = 3, MAX_LEN = 64 };

struct packet {
    uint8_t nonce[12]; /* never the same twice with one key: the packet's number */
    uint8_t data[MAX_LEN];
    uint8_t tag[16];
};

int main(void)
{
    static const char *const texts[NUM_PACKETS] = { "the first", "the second, which gets lost", "the third" };
    static const uint8_t header[] = "version 1"; /* is sent in the clear, and may not be changed either */
    struct packet packets[NUM_PACKETS] = { 0 };
    struct lc_aead_item items[NUM_PACKETS] = { 0 };
    struct lc_chacha20poly1305_key key;
    uint8_t raw[32];
    int status;

    if (getrandom(raw, sizeof(raw), 0) != sizeof(raw)) {
        perror("getrandom");
        return 1;
    }
    status = lc_chacha20poly1305_init(&key, raw, sizeof(raw));
    explicit_bzero(raw, sizeof(raw));
    if (status != LC_OK) {
        fprintf(stderr, "chacha20poly1305: %s\n", lc_strerror(status));
        return 1;
    }
    for (int i = 0; i < NUM_PACKETS; i++) {
        struct packet *p = &packets[i];

        snprintf((char *)p->data, MAX_LEN, "%s", texts[i]);
        p->nonce[11] = (uint8_t)i;
        items[i] = (struct lc_aead_item){
            .dst = p->data,
            .tag = p->tag,
            .src = p->data,
            .len = strlen(texts[i]),
            .aad = header,
            .aad_len = sizeof(header),
            .nonce = p->nonce
        };
    }
    status = lc_chacha20poly1305_seal_many(&key, items, NUM_PACKETS);
    if (status == LC_OK) {
        packets[1].data[0] ^= 1; /* on the way */
        status = lc_chacha20poly1305_open_many(&key, items, NUM_PACKETS);
        printf("%s: %s\n", lc_chacha20poly1305_impl_name(&key), lc_strerror(status));
        for (int i = 0; i < NUM_PACKETS; i++)
            printf("packet %d: %s\n", i, items[i].status == LC_OK ? (const char *)packets[i].data : lc_strerror(items[i].status));
    }
    lc_chacha20poly1305_wipe(&key);

    /* Each packet has a status of its own; the one that was changed is zeros now. */
    if (status != LC_ERR_AUTH || items[1].status != LC_ERR_AUTH || packets[1].data[0] != 0 || items[0].status != LC_OK ||
        items[2].status != LC_OK || strcmp((char *)packets[0].data, texts[0]) != 0 ||
        strcmp((char *)packets[2].data, texts[2]) != 0) {
        fprintf(stderr, "chacha20poly1305: wrong result\n");
        return 1;
    }
    return 0;
}
