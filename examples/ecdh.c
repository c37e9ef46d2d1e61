/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ECDH on P-256: two sides agree on a secret.
 *
 *      cc ecdh.c $(pkg-config --cflags --libs lanecrypt)
 *
 * Fails if the two secrets aren't the same.  What is agreed on is no key yet: here it goes through SHA-256, with both public keys.
 */
#include <lanecrypt/ecdh.h>
#include <lanecrypt/sha2.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static int make_key(struct lc_ecdh_p256_key *key)
{
    uint8_t raw[32];
    int status;

    do {
        if (getrandom(raw, sizeof(raw), 0) != sizeof(raw))
            return LC_ERR_RANDOM;
        status = lc_ecdh_p256_init(key, raw, sizeof(raw));
    } while (status == LC_ERR_KEY); /* one of 2^32 random numbers is too large */
    return status;
}

/* What both sides know, the first one's public key first */
static int derive(uint8_t key[32], const uint8_t secret[32], const uint8_t first[65], const uint8_t second[65])
{
    uint8_t all[32 + 65 + 65];

    memcpy(all, secret, 32);
    memcpy(all + 32, first, 65);
    memcpy(all + 32 + 65, second, 65);
    return lc_sha256(key, all, sizeof(all));
}

int main(void)
{
    struct lc_ecdh_p256_key alice, bob;
    uint8_t from_alice[65], from_bob[65], secret[32], alices[32], bobs[32];
    int status = make_key(&alice);

    if (status == LC_OK)
        status = make_key(&bob);
    if (status == LC_OK) {
        lc_ecdh_p256_get_public(&alice, from_alice);
        lc_ecdh_p256_get_public(&bob, from_bob);
        status = lc_ecdh_p256(&alice, secret, from_bob, sizeof(from_bob));
    }
    if (status == LC_OK)
        status = derive(alices, secret, from_alice, from_bob);
    if (status == LC_OK)
        status = lc_ecdh_p256(&bob, secret, from_alice, sizeof(from_alice));
    if (status == LC_OK)
        status = derive(bobs, secret, from_alice, from_bob);
    lc_ecdh_p256_wipe(&alice);
    lc_ecdh_p256_wipe(&bob);
    if (status != LC_OK) {
        fprintf(stderr, "%s\n", lc_strerror(status));
        return 1;
    }
    puts("both have a key");
    return memcmp(alices, bobs, 32) != 0;
}
