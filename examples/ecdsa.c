/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ECDSA on P-256: many signatures of one sender, verified in one call.
 *
 *      cc ecdsa.c $(pkg-config --cflags --libs lanecrypt)
 *
 * Signs the digests of ten messages, changes one message, and verifies all.  Fails if any but that one is wrong.
 */
#include <lanecrypt/ecdsa.h>
#include <lanecrypt/sha2.h>
#include <stdio.h>
#include <sys/random.h>

enum { NUM = 10, CHANGED = 6 };

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

int main(void)
{
    char messages[NUM][32];
    uint8_t digests[NUM][32], sigs[NUM][64];
    struct lc_ecdsa_p256_sign_item to_sign[NUM];
    struct lc_ecdsa_p256_verify_item to_verify[NUM];
    struct lc_ecdsa_p256_key key;
    struct lc_ecdsa_p256_public_key public_key;
    int status = make_keys(&key, &public_key), wrong = 0;

    for (int i = 0; status == LC_OK && i < NUM; i++) {
        int len = snprintf(messages[i], sizeof(messages[i]), "message number %d", i);

        status = lc_sha256(digests[i], (const uint8_t *)messages[i], (size_t)len);
        to_sign[i] = (struct lc_ecdsa_p256_sign_item){ .key = &key, .sig = sigs[i], .digest = digests[i], .digest_len = 32 };
        to_verify[i] =
            (struct lc_ecdsa_p256_verify_item){ .key = &public_key, .sig = sigs[i], .digest = digests[i], .digest_len = 32 };
    }
    if (status == LC_OK)
        status = lc_ecdsa_p256_sign_many(to_sign, NUM);
    lc_ecdsa_p256_wipe(&key);
    if (status != LC_OK) {
        fprintf(stderr, "signing: %s\n", lc_strerror(status));
        return 1;
    }

    digests[CHANGED][0] ^= 1; /* as if its message was another one */
    status = lc_ecdsa_p256_verify_many(to_verify, NUM);
    for (int i = 0; i < NUM; i++) {
        printf("%s: %s\n", messages[i], lc_strerror(to_verify[i].status));
        wrong += (to_verify[i].status == LC_OK) == (i == CHANGED);
    }
    return status != LC_ERR_SIGNATURE || wrong;
}
