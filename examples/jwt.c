/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * JSON Web Tokens, signed many at once: ES256 by lc_ecdsa_p256_sign_pool().
 *
 *      cc jwt.c $(pkg-config --cflags --libs lanecrypt)
 *      ./a.out KEYS.json 100000 10 >TOKENS
 *      lanecrypt verify --keys KEYS.json TOKENS
 *
 * Makes 10 keys, writes the public ones to a file as a JWK Set, and prints 100,000 tokens, a line each.  Without arguments it makes
 * 100 under 3 keys, writes no file, and verifies the tokens' signatures.
 */
#include <lanecrypt/ecdsa.h>
#include <lanecrypt/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { POOL = 64, TOKEN_ROOM = 512 };

struct signer {
    struct lc_ecdsa_p256_key key;
    uint8_t public_raw[65];
};

/* base64url without padding (RFC 7515, 2).  Returns the end of the text. */
static char *base64url(char *to, const void *bytes, size_t len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const uint8_t *from = bytes;

    for (size_t i = 0; i < len; i += 3) {
        unsigned group = (unsigned)from[i] << 16 | (i + 1 < len ? (unsigned)from[i + 1] << 8 : 0) | (i + 2 < len ? from[i + 2] : 0);

        for (size_t digit = 0; digit < 4 && digit <= len - i; digit++)
            *to++ = digits[group >> (18 - 6 * digit) & 63];
    }
    return to;
}

static int make_signer(struct signer *signer)
{
    uint8_t raw[32];
    int status;

    do {
        if (getrandom(raw, sizeof(raw), 0) != sizeof(raw))
            return LC_ERR_RANDOM;
        status = lc_ecdsa_p256_init(&signer->key, raw, sizeof(raw));
    } while (status == LC_ERR_KEY); /* one of 2^32 random numbers is too large */
    if (status == LC_OK)
        lc_ecdsa_p256_get_public(&signer->key, signer->public_raw);
    return status;
}

static void print_jwks(FILE *to, const struct signer *signers, size_t num)
{
    char x[44], y[44];

    fputs("{\"keys\": [", to);
    for (size_t i = 0; i < num; i++) {
        *base64url(x, signers[i].public_raw + 1, 32) = '\0';
        *base64url(y, signers[i].public_raw + 33, 32) = '\0';
        fprintf(to, "%s\n  {\"kty\": \"EC\", \"crv\": \"P-256\", \"kid\": \"key %zu\", \"x\": \"%s\", \"y\": \"%s\"}", i ? "," : "",
                i, x, y);
    }
    fputs("\n]}\n", to);
}

/* Sign the tokens first .. first + num - 1, at most POOL, and print or verify them. */
static int sign(const struct signer *signers, size_t num_signers, size_t first, size_t num, void *workspace, size_t workspace_len,
                int print)
{
    static char tokens[POOL][TOKEN_ROOM];
    struct lc_ecdsa_p256_sign_item items[POOL];
    struct lc_hash_item messages[POOL];
    uint8_t digests[POOL][32], sigs[POOL][64];
    int status;

    for (size_t i = 0; i < num; i++) {
        const struct signer *signer = &signers[(first + i) % num_signers];
        char text[128], *end = tokens[i];

        end = base64url(end, text,
                        (size_t)snprintf(text, sizeof(text), "{\"alg\":\"ES256\",\"typ\":\"JWT\",\"kid\":\"key %zu\"}",
                                         (first + i) % num_signers));
        *end++ = '.';
        end = base64url(end, text, (size_t)snprintf(text, sizeof(text), "{\"sub\":\"user %zu\",\"exp\":4102444800}", first + i));
        *end = '\0';
        messages[i] = (struct lc_hash_item){ digests[i], (const uint8_t *)tokens[i], (size_t)(end - tokens[i]) };
        items[i] = (struct lc_ecdsa_p256_sign_item){ .key = &signer->key, .sig = sigs[i], .digest = digests[i], .digest_len = 32 };
    }
    status = lc_sha256_many(messages, num);
    if (status == LC_OK)
        status = lc_ecdsa_p256_sign_pool(items, num, workspace, workspace_len);
    for (size_t i = 0; status == LC_OK && i < num; i++) {
        if (print) {
            char text[88];

            *base64url(text, sigs[i], sizeof(sigs[i])) = '\0';
            printf("%s.%s\n", tokens[i], text);
        } else {
            struct lc_ecdsa_p256_public_key key;

            status = lc_ecdsa_p256_public_init(&key, signers[(first + i) % num_signers].public_raw, 65);
            if (status == LC_OK)
                status = lc_ecdsa_p256_verify(&key, sigs[i], digests[i], 32);
        }
    }
    return status;
}

/* The number of an argument; without one, the default; 0 if it's none. */
static size_t number(const char *text, size_t otherwise)
{
    char *end;
    unsigned long value = text ? strtoul(text, &end, 10) : otherwise;

    return text && (end == text || *end || *text == '-') ? 0 : value;
}

int main(int argc, char **argv)
{
    size_t num = number(argc > 2 ? argv[2] : NULL, 100), num_signers = number(argc > 3 ? argv[3] : NULL, 3);
    struct signer *signers = num && num_signers ? calloc(num_signers, sizeof(*signers)) : NULL;
    FILE *keys = signers && argc > 1 ? fopen(argv[1], "w") : NULL;
    size_t workspace_len = 0;
    void *workspace = NULL;
    int status = LC_OK;

    if (!signers || (argc > 1 && !keys)) {
        fprintf(stderr,
                "usage: jwt [KEYS.json [NUM_TOKENS [NUM_KEYS]]], both numbers above 0, KEYS.json a file that can be written\n");
        free(signers);
        return 2;
    }
    for (size_t i = 0; status == LC_OK && i < num_signers; i++)
        status = make_signer(&signers[i]);
    if (status == LC_OK) {
        workspace_len = lc_ecdsa_p256_sign_pool_len(&signers[0].key, POOL);
        workspace = malloc(workspace_len); /* without it, it only takes longer */
    }
    for (size_t i = 0; status == LC_OK && i < num; i += POOL)
        status =
            sign(signers, num_signers, i, num - i < POOL ? num - i : POOL, workspace, workspace ? workspace_len : 0, keys != NULL);
    if (keys)
        print_jwks(keys, signers, num_signers);
    if (status != LC_OK)
        fprintf(stderr, "jwt: %s\n", lc_strerror(status));
    else if (keys && (fclose(keys) != 0 || fflush(stdout) != 0)) {
        perror("jwt: writing");
        status = LC_ERR_STATE;
    }
    for (size_t i = 0; i < num_signers; i++)
        lc_ecdsa_p256_wipe(&signers[i].key);
    free(workspace);
    free(signers);
    return status != LC_OK;
}
