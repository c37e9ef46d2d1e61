/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of AES rounds have in common. */
#include "check.h"

#include <stdarg.h>

const char *testing = "";

void fail(const char *format, ...)
{
    va_list args;

    fflush(stdout);
    fprintf(stderr, "FAILED %s: ", testing);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

static void print_bytes(const char *what, const uint8_t *bytes, size_t len)
{
    fprintf(stderr, "%s", what);
    for (size_t i = 0; i < len; i++)
        fprintf(stderr, "%02x", bytes[i]);
    fputc('\n', stderr);
}

void expect_bytes(const char *what, const uint8_t *got, const uint8_t *expected, size_t len)
{
    if (memcmp(got, expected, len)) {
        print_bytes("got      ", got, len);
        print_bytes("expected ", expected, len);
        fail("%s", what);
    }
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

size_t from_hex(uint8_t *bytes, size_t max, const char *text)
{
    size_t len = 0;

    for (; digit(text[0]) >= 0; text += 2) {
        if (digit(text[1]) < 0 || len == max)
            fail("hexadecimal digits: %s", text);
        bytes[len++] = (uint8_t)(digit(text[0]) << 4 | digit(text[1]));
    }
    return len;
}

void random_bytes(void *bytes, size_t len)
{
    static uint64_t seed;

    for (size_t i = 0; i < len; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        ((uint8_t *)bytes)[i] = (uint8_t)(seed >> 56);
    }
}

FILE *open_file(const char *path)
{
    FILE *f = fopen(path, "r");

    if (!f)
        fail("cannot read %s", path);
    return f;
}

int next_answer(FILE *f, struct answer *answer)
{
    char line[256];
    unsigned plain_len = 0, cipher_len = 0;

    answer->key_len = 0;
    while (fgets(line, sizeof(line), f)) {
        if (!strncmp(line, "KEY = ", 6))
            answer->key_len = (unsigned)from_hex(answer->key, 32, line + 6);
        else if (!strncmp(line, "PLAINTEXT = ", 12))
            plain_len = (unsigned)from_hex(answer->plain, 16, line + 12);
        else if (!strncmp(line, "CIPHERTEXT = ", 13))
            cipher_len = (unsigned)from_hex(answer->cipher, 16, line + 13);
        if (answer->key_len && plain_len == 16 && cipher_len == 16)
            return 1;
    }
    return 0;
}
