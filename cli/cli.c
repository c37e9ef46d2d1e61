/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#define _GNU_SOURCE
#include "cli.h"

#include "lanecrypt/cpu.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_error(const char *fmt, ...)
{
    va_list args;

    /* On a terminal a progress bar may stand on the line: erase it. */
    fputs(isatty(STDERR_FILENO) ? "\r\033[Klanecrypt: " : "lanecrypt: ", stderr);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
}

bool cli_parse_number(const char *option, const char *text, uint64_t *value)
{
    /* Not strtoull(): it takes "-1", " 1" and the locale's idea of digits. */
    static const char suffixes[] = "KMGT";
    const char *p = text, *suffix;
    uint64_t number = 0;

    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');

        if (number > (UINT64_MAX - digit) / 10)
            goto too_large;
        number = number * 10 + digit;
    }
    if (p == text)
        goto garbage;
    if (*p != '\0') {
        suffix = strchr(suffixes, *p);
        if (suffix == NULL || p[1] != '\0')
            goto garbage;
        unsigned shift = 10 * (unsigned)(suffix - suffixes + 1);

        if (number > UINT64_MAX >> shift)
            goto too_large;
        number <<= shift;
    }
    *value = number;
    return true;

too_large:
    cli_error("%s %s: the number is too large", option, text);
    return false;
garbage:
    cli_error("%s '%s': has to be a whole number without a sign, such as 8 or 64K (K, M, G, T: powers of 1024)", option, text);
    return false;
}

int cli_plain_options(int argc, char **argv, const char *help)
{
    static const struct option options[] = { { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 } };

    optind = 0;
    switch (getopt_long(argc, argv, "h", options, NULL)) {
    case -1:
        if (optind == argc)
            return -1;
        cli_error("too many arguments, from '%s' on", argv[optind]);
        return EXIT_USAGE;
    case 'h':
        fputs(help, stdout);
        return EXIT_OK;
    default:
        return EXIT_USAGE;
    }
}

bool cli_env_is_bad(void)
{
    const char *word = lc_env_problem(), *disable = getenv("LANECRYPT_DISABLE");
    int len = word ? (int)strcspn(word, ",") : 0;

    if (!word)
        return false;
    if (disable && word >= disable && word <= disable + strlen(disable)) /* word points into the environment */
        cli_error("LANECRYPT_DISABLE: '%.*s' is no feature; unset it, and `lanecrypt cpu` shows which there are", len, word);
    else
        cli_error("LANECRYPT_IMPL: '%.*s' is not MODE=NAME, such as xts=xts-aes-portable, with an implementation that runs here; "
                  "unset it, and `lanecrypt list` shows which do", len, word);
    return true;
}
