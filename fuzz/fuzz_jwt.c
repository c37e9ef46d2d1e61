/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * `lanecrypt verify`: tokens taken apart.  One that is taken is exactly its header, its payload and its signature in base64url;
 * what was kept of headers makes no difference.
 *
 * Input: a token; its header may also be one of those below, which find a key.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jwt.h"

static const char jwks[] =
    "{\"keys\": [{\"kty\": \"EC\", \"crv\": \"P-256\", \"kid\": \"a\", \"x\": \"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY\", "
    "\"y\": \"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU\"}, "
    "{\"kty\": \"OKP\", \"crv\": \"Ed25519\", \"x\": \"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}]}";

/* {"alg":"ES256","kid":"a"} and {"alg":"EdDSA"} */
static const char *const headers[] = { "eyJhbGciOiJFUzI1NiIsImtpZCI6ImEifQ", "eyJhbGciOiJFZERTQSJ9" };

static struct jwks set;
static struct jwt_header kept[NUM_JWT_HEADERS];

static void require(int what, const char *text)
{
    if (!what) {
        fprintf(stderr, "not so: %s\n", text);
        abort();
    }
}

static void load_keys(void)
{
    char path[32];
    int fd = memfd_create("jwks", 0);

    require(fd >= 0 && write(fd, jwks, sizeof(jwks) - 1) == sizeof(jwks) - 1, "a file in memory");
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    require(jwks_load(&set, path) && set.num_keys == 2, "two keys");
    close(fd);
}

/* Does the text after the last dot say what is in sig? */
static int is_same_signature(const char *text, size_t len, const struct jwt *jwt)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint8_t padded[64 + 2] = { 0 };

    memcpy(padded, jwt->sig, 64);
    for (size_t i = 0; i < 86; i++) {
        const uint8_t *group = padded + i / 4 * 3;
        unsigned bits = (unsigned)group[0] << 16 | (unsigned)group[1] << 8 | group[2];

        if (text[len - 86 + i] != digits[bits >> (18 - 6 * (i % 4)) & 63])
            return 0;
    }
    return text[len - 87] == '.';
}

static void try_token(const char *text, size_t len)
{
    static struct jwt_header fresh[NUM_JWT_HEADERS];
    struct jwt jwt, again;
    const char *problem = jwt_parse(&jwt, &set, kept, text, len);

    require(jwt_parse(&again, &set, fresh, text, len) == problem, "a header that was kept says the same");
    jwt_headers_free(fresh);
    memset(fresh, 0, sizeof(fresh));
    if (problem)
        return;
    require(again.key == jwt.key && again.alg == jwt.alg && memcmp(again.sig, jwt.sig, 64) == 0, "the same key and signature");
    require((const char *)jwt.msg == text && jwt.msg_len == len - 87 && is_same_signature(text, len, &jwt), "all of the token");
    require(memchr(text, '.', jwt.msg_len) && !memchr(text, '\0', len), "no bytes of other kinds");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *dot = memchr(data, '.', size);
    size_t rest = dot ? size - (size_t)(dot - data) : 0;

    if (set.num_keys == 0)
        load_keys();
    /* Copies, so that what is read beyond the end is seen. */
    for (size_t i = 0; i < 3; i++) {
        size_t begin = i < 2 ? strlen(headers[i]) : size - rest;
        char *text = malloc(begin + rest + 1);

        require(text != NULL, "memory");
        memcpy(text, i < 2 ? headers[i] : (const char *)data, begin);
        if (rest)
            memcpy(text + begin, dot, rest);
        text = realloc(text, begin + rest ? begin + rest : 1);
        try_token(text, begin + rest);
        free(text);
    }
    return 0;
}
