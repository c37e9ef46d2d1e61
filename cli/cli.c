/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#define _GNU_SOURCE
#include "cli.h"

#include "lanecrypt/cpu.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* How many bytes the character at p has, or 0 if it isn't valid UTF-8; *code gets its number. */
static size_t decode(const unsigned char *p, unsigned *code)
{
    static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 }; /* what has a shorter form is none */
    size_t len = *p < 0x80 ? 1 : *p >> 5 == 6 ? 2 : *p >> 4 == 14 ? 3 : *p >> 3 == 30 ? 4 : 0;

    *code = len == 1 ? *p : *p & (0x7fU >> len);
    for (size_t i = 1; i < len; i++) {
        if (p[i] >> 6 != 2)
            return 0;
        *code = *code << 6 | (p[i] & 0x3f);
    }
    return len && *code >= least[len] && *code <= 0x10ffff && *code >> 11 != 0xd800 >> 11 ? len : 0;
}

/* Control characters, of ASCII and those above, and what turns the direction of a line. */
static bool is_control(unsigned code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

char *cli_escape(const char *text)
{
    static const char hex[] = "0123456789abcdef";
    char *escaped = malloc(4 * strlen(text) + 1), *to = escaped;
    unsigned code;

    for (const unsigned char *p = (const unsigned char *)text; escaped && *p;) {
        size_t len = decode(p, &code);
        bool is_plain = len && !is_control(code);

        for (len = len ? len : 1; len; len--, p++) {
            if (is_plain) {
                *to++ = (char)*p;
            } else {
                *to++ = '\\';
                *to++ = 'x';
                *to++ = hex[*p >> 4];
                *to++ = hex[*p & 15];
            }
        }
    }
    if (escaped)
        *to = '\0';
    return escaped;
}

char *cli_format(const char *fmt, va_list args)
{
    char *text, *escaped;

    if (vasprintf(&text, fmt, args) < 0)
        return NULL;
    escaped = cli_escape(text);
    free(text);
    return escaped;
}

void cli_error(const char *fmt, ...)
{
    char *text;
    va_list args;

    va_start(args, fmt);
    text = cli_format(fmt, args);
    va_end(args);
    /* On a terminal a progress bar may stand on the line: erase it. */
    fprintf(stderr, "%slanecrypt: %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", text ? text : "out of memory");
    free(text);
}

int cli_wrong_use(char **argv, const char *fmt, ...)
{
    char *text;
    va_list args;

    va_start(args, fmt);
    text = cli_format(fmt, args);
    va_end(args);
    cli_error("%s: %s; see `%s --help`", argv[0] + strlen("lanecrypt "), text ? text : "out of memory", argv[0]);
    free(text);
    return EXIT_USAGE;
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
    cli_error("%s '%s': not a number such as 8 or 64K (no sign; K, M, G and T are powers of 1024)", option, text);
    return false;
}

void (*cli_takes_options)(const struct option *longs);

int cli_getopt_long(int argc, char **argv, const struct option *options)
{
    char shorts[2 + 2 * 26] = ":", *end = shorts + 1; /* ':': no messages of its own */
    const struct option *o = options;
    int opt;

    if (cli_takes_options)
        cli_takes_options(options);
    for (; o->name; o++)
        if (o->val >= 'a' && o->val <= 'z')
            end += sprintf(end, "%c%s", o->val, o->has_arg == required_argument ? ":" : "");
    opt = getopt_long(argc, argv, shorts, options, NULL);
    if (opt != ':' && opt != '?')
        return opt;
    for (o = options; o->name && o->val != optopt; o++)
        ;
    if (o->name)
        cli_wrong_use(argv, "--%s %s", o->name, opt == ':' ? "needs a value" : "takes no value");
    else if (optopt)
        cli_wrong_use(argv, "-%c: unknown option", optopt);
    else
        cli_wrong_use(argv, "%s: unknown option, or the beginning of several", argv[optind - 1]);
    return '?';
}

int cli_plain_options(int argc, char **argv, const char *help)
{
    static const struct option options[] = { { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 } };

    optind = 0;
    switch (cli_getopt_long(argc, argv, options)) {
    case -1:
        if (optind == argc)
            return -1;
        return cli_wrong_use(argv, "unexpected argument '%s'", argv[optind]);
    case 'h': fputs(help, stdout); return EXIT_OK;
    default: return EXIT_USAGE;
    }
}

bool cli_env_is_bad(void)
{
    const char *word = lc_env_problem(), *disable = getenv("LANECRYPT_DISABLE");
    int len = word ? (int)strcspn(word, ",") : 0;

    if (!word)
        return false;
    if (disable && word >= disable && word <= disable + strlen(disable)) /* word points into the environment */
        cli_error("LANECRYPT_DISABLE: unknown feature '%.*s'; unset it, then `lanecrypt cpu` shows those of this CPU", len, word);
    else
        cli_error("LANECRYPT_IMPL: '%.*s' is not MODE=NAME of an implementation that runs here, such as xts=xts-aes-portable; "
                  "unset it, then `lanecrypt list` shows which run",
                  len, word);
    return true;
}

bool cli_stack_is_small(void)
{
    enum { NEEDED = 256 * 1024 }; /* the core's 96 KB, the caller's own, and room: `selftest` crashed with 80 KB */
    struct rlimit limit; /* of this thread's stack; others' begin with as much */

    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= NEEDED)
        return false;
    cli_error("public keys need a stack of %d KB, `ulimit -s` is %ju", NEEDED / 1024, (uintmax_t)limit.rlim_cur / 1024);
    return true;
}
