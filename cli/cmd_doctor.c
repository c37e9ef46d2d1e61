/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* `lanecrypt doctor`: does the OpenSSL of a program take its ciphers from lanecrypt's provider, and if not, why? */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "doctor.h"
#include "lanecrypt/lanecrypt.h"

enum { MAX_ANSWER = 1 << 20, MAX_SECONDS = 60 };

static const char help[] =
    "usage: lanecrypt doctor [--json] [COMMAND]\n"
    "       lanecrypt doctor [--json] --pid PID\n\n"
    "Checks whether OpenSSL takes its ciphers from lanecrypt's provider: the OpenSSL that COMMAND (default: openssl) would\n"
    "use in this environment, or that the process PID uses.  Prints the implementations, or why not, and what to do.\n"
    "COMMAND is a program, or a shared object that a program loads.  It isn't run, but its libcrypto is loaded: don't ask\n"
    "about programs that you wouldn't run.  A process's libcrypto is loaded with no more rights than the process has.\n\n"
    "  --pid PID  ask about this process\n"
    "  --json     print one JSON object instead of the text\n\n"
    "Exit status: 0 if all ciphers are lanecrypt's; 1 if not, or if that can't be known; 2 for a wrong command line.\n";

/* ---- The report ---- */

static json_t *numbers(const uint64_t counts[LCP_MAX_BATCH])
{
    json_t *array = json_array();

    for (size_t i = 0; i < LCP_MAX_BATCH; i++)
        json_array_append_new(array, json_integer((json_int_t)counts[i]));
    return array;
}

/* What the module has counted; only what there was.  null: it doesn't count. */
static void add_batches(json_t *process, const struct lcp_counters *counters)
{
    json_t *table = counters->is_on ? json_array() : json_null();

    for (size_t i = 0; i < LCP_MAX_KINDS && counters->is_on; i++) {
        const struct lcp_count *c = &counters->kinds[i];
        uint64_t sum = c->alone;
        json_t *line;

        for (size_t n = 0; n < LCP_MAX_BATCH; n++)
            sum |= c->in_jobs[n] | c->in_threads[n];
        if (!sum)
            continue;
        line = json_object();
        doctor_put(line, "kind", "%.*s", (int)strnlen(c->name, sizeof(c->name)), c->name);
        json_object_set_new(line, "alone", json_integer((json_int_t)c->alone));
        json_object_set_new(line, "in_jobs", numbers(c->in_jobs));
        json_object_set_new(line, "in_threads", numbers(c->in_threads));
        json_array_append_new(table, line);
    }
    json_object_set_new(process, "batches", table);
}

/* What the kernel or the command line says; this can be relied on, whoever the target belongs to.  But batches are its word. */
static json_t *describe(const struct doctor_target *t)
{
    json_t *report = json_object(), *process = json_object();
    char started[32];
    struct tm tm;

    doctor_put(report, "version", "%s", lc_version());
    if (t->pid) {
        strftime(started, sizeof(started), "%F %T", localtime_r(&t->started, &tm));
        json_object_set_new(report, "process", process);
        json_object_set_new(process, "pid", json_integer(t->pid));
        json_object_set_new(process, "uid", json_integer(t->uid));
        doctor_put(process, "started", "%s", started);
        if (*t->unit)
            doctor_put(process, "unit", "%s", t->unit);
        json_object_set_new(process, "environment_overwritten", json_boolean(t->is_overwritten));
        if (*t->module) {
            doctor_put(process, "module", "%s", t->module);
            json_object_set_new(process, "module_replaced", json_boolean(t->was_replaced));
        }
        if (t->counters)
            add_batches(process, t->counters);
    } else {
        json_decref(process);
    }
    if (t->script)
        doctor_put(report, "script", "%s", t->script);
    doctor_put(report, "program", "%s", t->file);
    if (*t->plug_in)
        doctor_put(report, "python_module", "%s", t->plug_in);
    if (t->apart) {
        doctor_put(report, "why", "process %d has%s loaded lanecrypt.so; %s, so nothing more can be seen from here", t->pid,
                   *t->module ? "" : "n't", t->apart);
        doctor_put(report, "remedy", "%s", t->apart_remedy);
    }
    return report;
}

/* A text in an object, or "": what isn't one may come from a process that says what it likes. */
static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? value : "";
}

static void row(const char *label, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void row(const char *label, const char *fmt, ...)
{
    char *line;
    va_list args;

    va_start(args, fmt);
    line = cli_format(fmt, args);
    va_end(args);
    printf("%-14s %s\n", label, line ? line : "out of memory");
    free(line);
}

static void print_process(const json_t *process)
{
    const char *unit = text(process, "unit"), *module = text(process, "module");

    row("process", "%lld, started %s%s%s", (long long)json_integer_value(json_object_get(process, "pid")), text(process, "started"),
        *unit ? ", of " : "", unit);
    row("loaded", "%s%s", *module ? module : "no lanecrypt.so",
        json_is_true(json_object_get(process, "module_replaced"))
            ? ", which was replaced or deleted since: restart the process"
            : "");
    if (json_is_true(json_object_get(process, "environment_overwritten")))
        row("environment", "overwritten by the process; below, that of `lanecrypt doctor` is used instead");
}

/* Of a process of somebody else: its libcrypto and modules have made the rest, remedies included. */
static void print_whose_word(const json_t *process)
{
    json_int_t uid = json_integer_value(json_object_get(process, "uid"));

    if (uid != geteuid())
        row("note", "the rest comes from code of user %lld, who can make it say anything: think before you follow it",
            (long long)uid);
}

static void print_openssl(const json_t *report)
{
    const json_t *libcrypto = json_object_get(report, "libcrypto"), *inside = json_object_get(report, "openssl_inside");
    const json_t *configuration = json_object_get(report, "configuration"), *provider = json_object_get(report, "provider");
    const char *file = text(libcrypto, "file"), *version = text(libcrypto, "version"), *ours = text(provider, "version");

    if (*file)
        row("libcrypto", *version ? "%s (%s)" : "%s", file, version);
    else if (inside)
        row("libcrypto", "%s inside %s; the system's answers below (%s)", text(inside, "version"), text(inside, "file"), version);
    if (*file && inside)
        row("also", "%s has %s inside, which wasn't asked", text(inside, "file"), text(inside, "version"));
    if (configuration)
        row("configuration", "%s (%s)", text(configuration, "file"),
            strcmp(text(configuration, "named_by"), "OPENSSL_CONF") == 0 ? "by OPENSSL_CONF" : "the system's");
    if (provider)
        row("provider", "%s (by %s; %s%s)", text(provider, "file"), text(provider, "named_by"), *ours ? "lanecrypt " : "",
            *ours ? ours : text(provider, "state"));
}

/* Operations, and how many were done at once: "9640 by 7.9", or "-". */
static void describe_batches(char text[64], const json_t *counts)
{
    double operations = 0, batches = 0;

    for (size_t i = 0; i < json_array_size(counts); i++) {
        double num = (double)json_integer_value(json_array_get(counts, i));

        batches += num;
        operations += num * (double)(i + 1);
    }
    snprintf(text, 64, batches > 0 ? "%.0f by %.1f" : "-", operations, operations / batches);
}

static void print_batches(json_t *report)
{
    json_t *table = json_object_get(json_object_get(report, "process"), "batches"), *line;
    size_t i;

    if (!json_is_array(table)) {
        if (table && json_integer_value(json_object_get(report, "num_public_keys_served")))
            puts("\nHow full batches are isn't counted: `lanecrypt openssl-conf --public-key --count-batches`.");
        return;
    }
    printf("\n%-18s %-10s %-20s %s\n", "done so far", "alone", "in jobs", "in threads");
    json_array_foreach(table, i, line) {
        char *kind = cli_escape(text(line, "kind")), jobs[64], threads[64];

        describe_batches(jobs, json_object_get(line, "in_jobs"));
        describe_batches(threads, json_object_get(line, "in_threads"));
        if (kind)
            printf("%-18s %-10lld %-20s %s\n", kind, (long long)json_integer_value(json_object_get(line, "alone")), jobs, threads);
        free(kind);
    }
    if (!json_array_size(table))
        puts("nothing");
}

static void print_ciphers(json_t *report)
{
    json_t *process = json_object_get(report, "process"), *table = json_object_get(report, "ciphers"), *line;
    bool is_of_process = strcmp(text(report, "judged"), "process") == 0;
    bool by_program = strcmp(text(report, "loaded_by"), "program") == 0;
    size_t i;

    if (process)
        row("judged", "%s",
            by_program      ? "the process as it runs; it has loaded lanecrypt.so itself, not by the configuration"
            : is_of_process ? "the process as it runs; it has loaded lanecrypt.so by this configuration"
                            : "what a new start with this configuration would get, not the process as it runs");
    printf("\n%-18s %-10s %s\n", "cipher", "provider", "implementation");
    json_array_foreach(table, i, line) {
        char *cipher = cli_escape(text(line, "cipher")), *by = cli_escape(text(line, "provider"));
        char *impl = cli_escape(text(line, "implementation"));

        if (cipher && by && impl)
            printf("%-18s %-10s %s\n", cipher, by, *impl ? impl : "-");
        free(cipher);
        free(by);
        free(impl);
    }
    table = json_object_get(report, "public_keys");
    printf("\n%-18s %s\n", "public key, other", "provider");
    json_array_foreach(table, i, line) {
        char *algorithm = cli_escape(text(line, "algorithm")), *by = cli_escape(text(line, "provider"));

        if (algorithm && by)
            printf("%-18s %s\n", algorithm, by);
        free(algorithm);
        free(by);
    }
    if (json_integer_value(json_object_get(report, "num_served")) &&
        !json_integer_value(json_object_get(report, "num_public_keys_served")))
        puts("Lanecrypt serves public keys if the configuration asks for them: `lanecrypt openssl-conf --public-key`.");
    table = json_object_get(report, "ciphers");
    printf("\n%s %lld of %zu ciphers%s.\n",
           by_program                  ? "The process can get"
           : !process || is_of_process ? "lanecrypt serves"
                                       : "After a restart, lanecrypt would serve",
           (long long)json_integer_value(json_object_get(report, "num_served")), json_array_size(table),
           by_program ? " from lanecrypt" : "");
}

/* Returns an exit status. */
static int print_report(json_t *report, bool as_json)
{
    const json_t *process = json_object_get(report, "process");
    bool ok = json_is_true(json_object_get(report, "ok"));

    if (as_json) {
        json_dumpf(report, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII);
        putchar('\n');
    } else {
        if (process)
            print_process(process);
        if (*text(report, "script"))
            row("script", "%s", text(report, "script"));
        row("program", "%s", text(report, "program"));
        if (process)
            print_whose_word(process);
        if (*text(report, "python_module"))
            row("module", "%s", text(report, "python_module"));
        print_openssl(report);
        if (json_object_get(report, "ciphers"))
            print_ciphers(report);
        print_batches(report);
        if (!ok) {
            row("why", "%s", text(report, "why"));
            row("remedy", "%s", text(report, "remedy"));
        } else if (!process && strcmp(text(json_object_get(report, "configuration"), "named_by"), "OPENSSL_CONF") == 0) {
            puts("OPENSSL_CONF is set in this shell.  A service needs it in its unit; `lanecrypt doctor --pid PID` checks a "
                 "running one.");
        }
    }
    return ok ? EXIT_OK : EXIT_FAILED;
}

/* ---- The question ---- */

/* In a process of its own: a libcrypto, or another module that its configuration names, may do what it likes. */
static _Noreturn void answer(struct doctor_target *t, int out)
{
    json_t *report = json_object();
    const char *what;

    if (!t->pid)
        dup2(STDERR_FILENO, STDOUT_FILENO); /* what its code prints is no part of the report */
    if (t->pid && !doctor_become_process(&out, &what))
        doctor_put(report, "error", "process %d: %s: %s", t->pid, what, strerror(errno));
    else
        doctor_diagnose(t, report);
    _exit(json_dumpfd(report, out, JSON_ENSURE_ASCII) ? EXIT_FAILED : EXIT_OK);
}

/* All that comes until the end; NULL if that is too much or takes too long. */
static char *receive(int in, size_t *len)
{
    struct pollfd wait = { .fd = in, .events = POLLIN };
    char *data = malloc(MAX_ANSWER);
    time_t end = time(NULL) + MAX_SECONDS;
    ssize_t got = 1;

    for (*len = 0; data && got > 0; *len += got > 0 ? (size_t)got : 0) {
        time_t left = end - time(NULL);
        bool is_ready = left > 0 && poll(&wait, 1, (int)left * 1000) == 1;

        got = is_ready && *len < MAX_ANSWER ? read(in, data + *len, MAX_ANSWER - *len) : -1;
    }
    if (got < 0) {
        free(data);
        data = NULL;
    }
    return data;
}

/* What the target's libcrypto does, added to the report; false after a message.  Nothing that is there already is replaced. */
static bool ask(struct doctor_target *t, json_t *report)
{
    const char *name = t->libcrypto ? t->libcrypto : "the system's libcrypto";
    json_t *found = NULL;
    int ends[2], status = 0;
    char *data;
    size_t len = 0;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) || (child = fork()) < 0) {
        cli_error("doctor: %s", strerror(errno));
        return false;
    }
    if (child == 0)
        answer(t, ends[1]);
    close(ends[1]);
    data = receive(ends[0], &len);
    if (!data)
        kill(child, SIGKILL);
    waitpid(child, &status, 0);
    close(ends[0]);
    if (data && WIFSIGNALED(status))
        cli_error("doctor: %s ended with \"%s\" while it read its configuration or fetched a cipher", name,
                  strsignal(WTERMSIG(status)));
    else if (data)
        found = json_loadb(data, len, 0, NULL);
    free(data);
    if (json_is_object(found) && !json_object_get(found, "error")) {
        json_object_update_missing(report, found);
        json_object_set_new(report, "ok", json_boolean(!json_object_get(report, "why")));
    } else if (found) {
        cli_error("doctor: %s", text(found, "error"));
    } else if (!data || !WIFSIGNALED(status)) {
        cli_error("doctor: %s gave no answer while it read its configuration or fetched a cipher", name);
    }
    bool ok = json_object_get(report, "ok");

    json_decref(found);
    return ok;
}

int cmd_doctor(int argc, char **argv)
{
    enum { PID = 256, JSON };
    static const struct option options[] = {
        { "pid", required_argument, NULL, PID },
        { "json", no_argument, NULL, JSON },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    static struct doctor_target target;
    uint64_t pid = 0;
    bool as_json = false;
    int opt, status = EXIT_FAILED;
    json_t *report;

    optind = 0;
    while ((opt = cli_getopt_long(argc, argv, options)) != -1) {
        switch (opt) {
        case PID:
            if (!cli_parse_number("--pid", optarg, &pid))
                return EXIT_USAGE;
            if (pid == 0 || pid > INT_MAX) {
                cli_error("--pid %s: no process can have that number", optarg);
                return EXIT_USAGE;
            }
            break;
        case JSON: as_json = true; break;
        case 'h': fputs(help, stdout); return EXIT_OK;
        default: return EXIT_USAGE;
        }
    }
    if (argc - optind > (pid ? 0 : 1))
        return cli_wrong_use(argv, "unexpected argument '%s'", argv[optind + (pid ? 0 : 1)]);
    if (pid ? !doctor_find_process(&target, (pid_t)pid) : !doctor_find_command(&target, argv[optind] ? argv[optind] : "openssl"))
        return EXIT_FAILED;
    report = describe(&target);
    if (target.apart)
        json_object_set_new(report, "ok", json_false());
    if (target.apart || ask(&target, report))
        status = print_report(report, as_json);
    json_decref(report);
    return status;
}
