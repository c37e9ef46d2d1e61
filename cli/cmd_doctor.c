/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* `lanecrypt doctor`: does the OpenSSL of a program take its ciphers from lanecrypt's provider, and if not, why? */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "doctor.h"

static const char help[] =
    "usage: lanecrypt doctor [COMMAND]\n"
    "       lanecrypt doctor --pid PID\n\n"
    "Says whether the OpenSSL that COMMAND (default: openssl) would use in this environment, or that the process PID\n"
    "uses, takes its ciphers from lanecrypt's provider, and with which implementations; if not, why, and what to do.\n"
    "COMMAND is a program, or the file of a shared object that a program loads.  It isn't run, but its libcrypto is\n"
    "loaded: don't ask about programs that you wouldn't run.\n\n"
    "Exit status: 0 if all ciphers are lanecrypt's, 1 if not or if that can't be known, 2 for a wrong command line.\n";

int cmd_doctor(int argc, char **argv)
{
    enum { PID = 1 };
    static const struct option options[] = {
        { "pid", required_argument, NULL, PID },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    static struct doctor_target target;
    uint64_t pid = 0;
    int opt, status;
    pid_t child;

    optind = 0;
    while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        switch (opt) {
        case PID:
            if (!cli_parse_number("--pid", optarg, &pid))
                return EXIT_USAGE;
            if (pid == 0 || pid > INT_MAX) {
                cli_error("--pid %s: no process can have that number", optarg);
                return EXIT_USAGE;
            }
            break;
        case 'h': fputs(help, stdout); return EXIT_OK;
        default: return EXIT_USAGE;
        }
    }
    if (argc - optind > (pid ? 0 : 1)) {
        cli_error("too many arguments, from '%s' on", argv[optind + (pid ? 0 : 1)]);
        return EXIT_USAGE;
    }
    if (pid ? !doctor_find_process(&target, (pid_t)pid) : !doctor_find_command(&target, argv[optind] ? argv[optind] : "openssl"))
        return EXIT_FAILED;

    /* In a process of its own: a libcrypto, or another module that its configuration names, may do what it likes. */
    child = fork();
    if (child == 0) {
        status = doctor_diagnose(&target);
        if (fflush(stdout) || ferror(stdout)) {
            cli_error("doctor: %s", strerror(errno));
            status = EXIT_FAILED;
        }
        _exit(status);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        cli_error("doctor: %s", strerror(errno));
        return EXIT_FAILED;
    }
    if (WIFSIGNALED(status)) {
        cli_error("doctor: %s ended with \"%s\", while it read its configuration or fetched a cipher",
                  target.libcrypto ? target.libcrypto : "the system's libcrypto", strsignal(WTERMSIG(status)));
        return EXIT_FAILED;
    }
    return WEXITSTATUS(status);
}
