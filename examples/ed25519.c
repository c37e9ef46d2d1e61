/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ed25519 and X25519: who wants to talk sends a fresh X25519 key, signed by Ed25519; the other side checks that, and both have a
 * secret.
 *
 *      cc ed25519.c $(pkg-config --cflags --libs lanecrypt)
 *
 * Fails if the signature isn't taken, if a changed key is, or if the two secrets aren't the same.
 */
#include <lanecrypt/ed25519.h>
#include <lanecrypt/x25519.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static int make_keys(struct lc_ed25519_key *identity, struct lc_x25519_key *alice, struct lc_x25519_key *bob)
{
    uint8_t raw[96];
    int status;

    if (getrandom(raw, sizeof(raw), 0) != sizeof(raw))
        return LC_ERR_RANDOM;
    status = lc_ed25519_init(identity, raw, 32);
    if (status == LC_OK)
        status = lc_x25519_init(alice, raw + 32, 32);
    if (status == LC_OK)
        status = lc_x25519_init(bob, raw + 64, 32);
    memset(raw, 0, sizeof(raw));
    return status;
}

int main(void)
{
    struct lc_ed25519_key identity;
    struct lc_ed25519_public_key known;
    struct lc_x25519_key alice, bob;
    uint8_t identity_raw[32], from_alice[32], from_bob[32], sig[64], alices[32], bobs[32];
    int status = make_keys(&identity, &alice, &bob), forged = LC_ERR_SIGNATURE;

    if (status == LC_OK) {
        lc_ed25519_get_public(&identity, identity_raw);
        lc_x25519_get_public(&alice, from_alice);
        lc_x25519_get_public(&bob, from_bob);
        status = lc_ed25519_sign(&identity, sig, from_alice, sizeof(from_alice));
    }
    if (status == LC_OK)
        status = lc_ed25519_public_init(&known, identity_raw, sizeof(identity_raw));
    if (status == LC_OK)
        status = lc_ed25519_verify(&known, sig, from_alice, sizeof(from_alice));
    if (status == LC_OK)
        forged = lc_ed25519_verify(&known, sig, from_bob, sizeof(from_bob));
    if (status == LC_OK)
        status = lc_x25519(&alice, alices, from_bob);
    if (status == LC_OK)
        status = lc_x25519(&bob, bobs, from_alice);
    lc_ed25519_wipe(&identity);
    lc_x25519_wipe(&alice);
    lc_x25519_wipe(&bob);
    if (status != LC_OK) {
        fprintf(stderr, "%s\n", lc_strerror(status));
        return 1;
    }
    puts("the key was signed, and both have a secret");
    return forged != LC_ERR_SIGNATURE || memcmp(alices, bobs, 32) != 0;
}
