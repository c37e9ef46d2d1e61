/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-256-CTR: a text that comes in pieces, encrypted as it comes.
 *
 *      cc ctr.c $(pkg-config --cflags --libs lanecrypt)
 *
 * Encrypts in three pieces and decrypts in one call.  Fails if the text isn't what it was.
 *
 * CTR hides a text and doesn't protect it: who can change the ciphertext can flip any bit of the text.  Formats that have CTR
 * have a MAC beside it; for a format of your own take GCM or ChaCha20-Poly1305.
 */
#include <lanecrypt/ctr.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

int main(void)
{
    static const uint8_t text[] = "This text comes in pieces of 10, 20 and all the rest of its bytes.";
    uint8_t raw[32], iv[16], secret[sizeof(text)], back[sizeof(text)];
    struct lc_ctr_key key;
    struct lc_ctr_state state;
    int status;

    /* The iv is the first block's counter.  No two texts under one key may share a counter: 12 random bytes, and 4 to count. */
    memset(iv, 0, sizeof(iv));
    if (getrandom(raw, sizeof(raw), 0) != sizeof(raw) || getrandom(iv, 12, 0) != 12) {
        perror("getrandom");
        return 1;
    }
    status = lc_ctr_init(&key, raw, sizeof(raw));
    explicit_bzero(raw, sizeof(raw));
    if (status != LC_OK) {
        fprintf(stderr, "ctr: %s\n", lc_strerror(status));
        return 1;
    }
    lc_ctr_start(&state, iv);
    lc_ctr_update(&key, &state, secret, text, 10);
    lc_ctr_update(&key, &state, secret + 10, text + 10, 20);
    lc_ctr_update(&key, &state, secret + 30, text + 30, sizeof(text) - 30);
    lc_ctr_state_wipe(&state);

    lc_ctr_xor(&key, back, secret, sizeof(secret), iv); /* the same function there and back */
    printf("%s: %s\n", lc_ctr_impl_name(&key), (const char *)back);
    lc_ctr_wipe(&key);
    if (memcmp(text, secret, sizeof(text)) == 0 || memcmp(text, back, sizeof(text)) != 0) {
        fprintf(stderr, "ctr: wrong result\n");
        return 1;
    }
    return 0;
}
