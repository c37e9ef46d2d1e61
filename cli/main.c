/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "lanecrypt/lanecrypt.h"

const struct command cli_commands[] = {
    { "completion", cmd_completion, "print what makes a shell complete this program's command line", "bash fish zsh" },
    { "cpu", cmd_cpu, "show the CPU features, which of them are disabled, and whether 512-bit vectors are preferred", NULL },
    { "doctor", cmd_doctor, "check whether a program's OpenSSL takes its ciphers from lanecrypt, and if not, say why", NULL },
    { "list", cmd_list, "list the implementations: what each needs, if it runs here, which is chosen; or the kernel's drivers",
      NULL },
    { "openssl-conf", cmd_openssl_conf,
      "print an OpenSSL configuration that activates lanecrypt's provider, or enable it for all programs", NULL },
    { "selftest", cmd_selftest, "test every implementation with published vectors, and against the portable one", NULL },
    { "speed", cmd_speed, "time every implementation, and compare it with the hardware's ceiling and with OpenSSL", NULL },
    { "verify", cmd_verify, "verify the signatures of JSON Web Tokens or certificates, many at once", NULL },
    { "xts", cmd_xts, "encrypt or decrypt a disk image, partition or file with AES-XTS", "decrypt encrypt" },
    { NULL, NULL, NULL, NULL },
};

static void usage(FILE *to)
{
    fputs("usage: lanecrypt COMMAND [OPTION]...\n\n", to);
    for (const struct command *c = cli_commands; c->name; c++)
        fprintf(to, "  %-12s %s\n", c->name, c->what);
    fputs("\n`lanecrypt COMMAND --help` shows a command's options, `lanecrypt version` the version, `man lanecrypt` all.\n", to);
}

/* If one of the three standard files is closed, the next file that is opened would take its place, and messages go into it. */
static void occupy_standard_files(void)
{
    int fd;

    /* Opened for what that file is not for, so that using it is an error as before */
    while ((fd = open("/dev/null", fcntl(STDIN_FILENO, F_GETFD) < 0 ? O_WRONLY : O_RDONLY)) >= 0 && fd <= STDERR_FILENO)
        ;
    if (fd >= 0)
        close(fd);
}

static int run(int argc, char **argv)
{
    static char name[32];

    if (argc < 2) {
        usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0) {
        printf("lanecrypt %s\n", lc_version());
        return EXIT_OK;
    }
    for (const struct command *c = cli_commands; c->name; c++)
        if (strcmp(argv[1], c->name) == 0) {
            snprintf(name, sizeof(name), "lanecrypt %s", argv[1]);
            argv[1] = name;
            return c->run(argc - 1, argv + 1);
        }
    cli_error("unknown command '%s'; see `lanecrypt --help`", argv[1]);
    return EXIT_USAGE;
}

/* Whatever the command: what it printed and nobody got, on a full disk for instance, is no success. */
int main(int argc, char **argv)
{
    int status;
    bool flushed;

    occupy_standard_files();
    signal(SIGXFSZ, SIG_IGN); /* a file larger than `ulimit -f` is an error with a message (EFBIG), not a silent end */
    status = run(argc, argv);
    flushed = fflush(stdout) == 0;
    if (flushed && !ferror(stdout))
        return status;
    cli_error("standard output can't be written to%s%s", flushed ? "" : ": ", flushed ? "" : strerror(errno));
    return status == EXIT_OK ? EXIT_FAILED : status;
}
