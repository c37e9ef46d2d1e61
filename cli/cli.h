/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the subcommands of the `lanecrypt` program share. */
#ifndef LANECRYPT_CLI_H
#define LANECRYPT_CLI_H

#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

/* The program's exit statuses; a subcommand returns one of them. */
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/*
 * Text of others, such as names of files, for a terminal: control characters and bytes that aren't UTF-8 become \xNN.  Escaped
 * text stays as it is.  The caller frees it; NULL if there is no memory.
 */
char *cli_escape(const char *text);

/* Such a text of this form; the same holds. */
char *cli_format(const char *fmt, va_list args) __attribute__((format(printf, 1, 0)));

/* Print "lanecrypt: ...\n" to stderr, one line, escaped. */
void cli_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* cli_error() for a wrong use of a subcommand, whose argv it is: says which, and where to read more.  Returns EXIT_USAGE. */
int cli_wrong_use(char **argv, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Read decimal digits with an optional suffix K, M, G or T (powers of 1024) into *value.
 * Anything else (a sign, blanks, garbage, more than 64 bits) is refused with a message that
 * names the option and the text, and *value stays as it was.
 */
bool cli_parse_number(const char *option, const char *text, uint64_t *value);

/*
 * getopt_long(), where a val from 'a' to 'z' is a letter that does the same.  If an option is wrong, '?' after a message of ours.
 * While `completion` asks which options a command has, cli_takes_options gets them and doesn't return.
 */
extern void (*cli_takes_options)(const struct option *options);
int cli_getopt_long(int argc, char **argv, const struct option *options);

/*
 * For commands whose only option is --help, and which take no words: prints help and returns EXIT_OK, or complains and
 * returns EXIT_USAGE, or returns -1 if the command is to run.
 */
int cli_plain_options(int argc, char **argv, const char *help);

/* If LANECRYPT_DISABLE or LANECRYPT_IMPL can't be followed: say which word, and return true. */
bool cli_env_is_bad(void);

/* If `ulimit -s` leaves less stack than operations on several public keys may take: say so, and return true. */
bool cli_stack_is_small(void);

/* What `list --kernel` does with path, which is /proc/crypto or a copy; mode is NULL for all.  Returns an exit status. */
int list_kernel(const char *path, const char *mode);

/* Part of `selftest`: is what these functions do right?  If not, a message says which is wrong. */
struct lc_aes_round_ops;
bool selftest_rounds(const struct lc_aes_round_ops *ops);
bool selftest_ecdsa_p256(const char *impl);
bool selftest_ecdh_p256(const char *impl);
bool selftest_ecdsa_p384(const char *impl);
bool selftest_ecdh_p384(const char *impl);
bool selftest_sm2(const char *impl);
bool selftest_x25519(const char *impl);
bool selftest_ed25519(const char *impl);
bool selftest_rsa(const char *impl);

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
    const char *words; /* what its first argument may be, if that isn't free */
};
extern const struct command cli_commands[]; /* the last one has no name */

/* Subcommands: argv[0] is "lanecrypt" and the subcommand's name. */
int cmd_completion(int argc, char **argv);
int cmd_cpu(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_openssl_conf(int argc, char **argv);
int cmd_selftest(int argc, char **argv);
int cmd_speed(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_xts(int argc, char **argv);

#endif
