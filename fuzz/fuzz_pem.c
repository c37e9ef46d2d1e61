/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * PEM: a block that is taken is one that a plain reader takes, with the same DER, in its own place too; and a block made of any
 * bytes is taken.  Nothing is written otherwise.
 *
 * Input: a byte that chooses; then text; or the bytes of a block.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lanecrypt/pem.h"

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void differ(const char *what)
{
    fprintf(stderr, "differs: %s\n", what);
    abort();
}

/* The characters of text that are base64, as long as there is no line that begins with "-" */
static size_t plain(uint8_t *der, const char *text, size_t len)
{
    size_t num = 0, pads = 0;
    unsigned bits = 0;

    for (size_t i = 0; i < len && text[i] != '-'; i++) {
        const char *p = text[i] == '=' ? base64 : memchr(base64, text[i], 64);

        if (!p)
            continue;
        pads += text[i] == '=';
        bits = bits << 6 | (unsigned)(p - base64);
        if (++num % 4 == 0)
            for (int k = 0; k < 3; k++)
                der[num / 4 * 3 - 3 + (size_t)k] = (uint8_t)(bits >> (16 - 8 * k));
    }
    return num / 4 * 3 - pads;
}

static void try_text(const char *text, size_t len, const char *label)
{
    uint8_t *der = malloc(len / 4 * 3 + 1), *expected = malloc(len + 3), *place = malloc(len + 1);
    size_t der_len = 12345, place_len;
    int status;

    memset(der, 0xa5, len / 4 * 3 + 1);
    if (len)
        memcpy(place, text, len);
    status = lc_pem_decode(der, &der_len, label, text, len);
    if (lc_pem_decode(place, &place_len, label, (const char *)place, len) != status)
        differ("in its place");
    if (status == LC_OK) {
        const char *at = text, *end = text + len;
        size_t expected_len = 0;

        /* the block: one of those that could come after a BEGIN */
        for (; (size_t)(end - at) > 11; at++) {
            const char *line = memcmp(at, "-----BEGIN ", 11) == 0 ? memchr(at, '\n', (size_t)(end - at)) : NULL;

            if (line && (expected_len = plain(expected, line + 1, (size_t)(end - line) - 1)) == der_len &&
                memcmp(expected, der, der_len) == 0)
                break;
        }
        if ((size_t)(end - at) <= 11 || place_len != der_len || memcmp(place, der, der_len) != 0)
            differ("the DER");
    } else if (der_len != 12345) {
        differ("a length is written");
    }
    for (size_t i = status == LC_OK ? der_len : 0; i < len / 4 * 3 + 1; i++)
        if (der[i] != 0xa5)
            differ("what is written");
    free(der);
    free(expected);
    free(place);
}

static void try_bytes(const uint8_t *data, size_t len, size_t columns, int cr)
{
    char *text = malloc(3 * len + 200);
    uint8_t *der = malloc(3 * len + 200);
    size_t at = (size_t)sprintf(text, "about it\n-----BEGIN THIS-----%s", cr ? "\r\n" : "\n"), column = 0, der_len;

    for (size_t i = 0; i < len; i += 3) {
        const unsigned bits = (unsigned)(data[i] << 16 | (i + 1 < len ? data[i + 1] << 8 : 0) | (i + 2 < len ? data[i + 2] : 0));

        for (size_t k = 0; k < 4; k++) {
            if (column++ == columns) {
                at += (size_t)sprintf(text + at, cr ? "\r\n" : "\n");
                column = 1;
            }
            text[at++] = i + k > len ? '=' : base64[bits >> (18 - 6 * k) & 63];
        }
    }
    at += (size_t)sprintf(text + at, "\n-----END THIS-----");
    if (lc_pem_decode(der, &der_len, "THIS", text, at) != LC_OK || der_len != len || memcmp(der, data, len) != 0)
        differ("a good block");
    try_text(text, at, NULL);
    free(text);
    free(der);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len < 2)
        return 0;
    if (data[0] % 2)
        try_text((const char *)data + 1, len - 1, data[0] % 4 == 1 ? NULL : "PRIVATE KEY");
    else
        try_bytes(data + 1, len - 1, 2 + data[0] / 4, data[0] % 4 == 2); /* columns of 2 and more: text is at most 3 * len + 200 */
    return 0;
}
