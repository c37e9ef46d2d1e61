/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-256-GCM: one message, hidden and protected from changes.
 *
 *      cc gcm.c $(pkg-config --cflags --libs lanecrypt)
 *
 * Seals a message and opens it.  Fails if it isn't what it was, or if a change of it goes unnoticed.
 */
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
/* README.md shows what follows, up to the end of the function. */
#include <lanecrypt/gcm.h>

/* Encrypts a message and puts its tag of 16 bytes after it.  LC_OK, or what lc_strerror() explains. */
static int seal_message(uint8_t *out, const uint8_t *text, size_t len, const uint8_t raw[32], const uint8_t nonce[12])
{
    struct lc_gcm_key key;                   /* for many messages make it once */
    int status = lc_gcm_init(&key, raw, 32); /* takes the best implementation for this CPU */

    if (status == LC_OK) /* never the same nonce twice with one key */
        status = lc_gcm_seal(&key, out, out + len, 16, text, len, NULL, 0, nonce, 12);
    lc_gcm_wipe(&key);
    return status;
}

/* The way back: in has len + 16 bytes.  LC_ERR_AUTH if any of them, the nonce or the key isn't right; text is zeros then. */
static int open_message(uint8_t *text, const uint8_t *in, size_t len, const uint8_t raw[32], const uint8_t nonce[12])
{
    struct lc_gcm_key key;
    int status = lc_gcm_init(&key, raw, 32);

    if (status == LC_OK)
        status = lc_gcm_open(&key, text, in, len, in + len, 16, NULL, 0, nonce, 12);
    if (status == LC_OK)
        printf("opened by %s: %s\n", lc_gcm_impl_name(&key), (const char *)text);
    lc_gcm_wipe(&key);
    return status;
}

int main(void)
{
    static const uint8_t text[] = "attack at dawn";
    uint8_t raw[32], nonce[12], sealed[sizeof(text) + 16], back[sizeof(text)];
    int status, forged_status = LC_OK;

    if (getrandom(raw, sizeof(raw), 0) != sizeof(raw) || getrandom(nonce, sizeof(nonce), 0) != sizeof(nonce)) {
        perror("getrandom");
        return 1;
    }
    status = seal_message(sealed, text, sizeof(text), raw, nonce);
    if (status == LC_OK)
        status = open_message(back, sealed, sizeof(text), raw, nonce);
    if (status == LC_OK && memcmp(text, back, sizeof(text)) == 0) {
        sealed[3] ^= 1; /* what somebody else might do */
        forged_status = open_message(back, sealed, sizeof(text), raw, nonce);
        printf("changed: %s\n", lc_strerror(forged_status));
    }
    explicit_bzero(raw, sizeof(raw));
    if (status != LC_OK) {
        fprintf(stderr, "gcm: %s\n", lc_strerror(status));
        return 1;
    }
    if (forged_status != LC_ERR_AUTH) {
        fprintf(stderr, "gcm: wrong result\n");
        return 1;
    }
    return 0;
}
