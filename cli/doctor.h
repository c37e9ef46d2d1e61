/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* `lanecrypt doctor`: what its files share. */
#ifndef LANECRYPT_DOCTOR_H
#define LANECRYPT_DOCTOR_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "openssl/counters.h"

/* More than any program has. */
enum { DOCTOR_MAX_OBJECTS = 4096 };

/* What is asked about: a program that could be started, a shared object that a program could load, or a process. */
struct doctor_target {
    char file[PATH_MAX];             /* the executable or shared object */
    const char *script;              /* what was asked about, if `file` is its interpreter */
    char plug_in[PATH_MAX];          /* what Python would load for OpenSSL, or "" */
    char *objects[DOCTOR_MAX_OBJECTS]; /* `file`, `plug_in` and the libraries that they get */
    size_t num_objects;
    char **env;                      /* its environment */
    bool is_secure;                  /* runs with other rights than its caller: libcrypto doesn't look at the environment */

    /* Found by the objects' names.  The first is one of them or NULL. */
    const char *libcrypto;
    const char *other_tls;           /* GnuTLS, NSS */
    bool is_java;
    bool has_java_provider;          /* lanecrypt's, loaded by a process */

    /* Found in the objects by doctor_examine().  Each is one of them or NULL. */
    const char *own_openssl;         /* has an OpenSSL inside */
    char own_version[64];            /* of that */
    const char *own_context;         /* makes library contexts, and reads no configuration into them */

    /* Processes only. */
    pid_t pid;                       /* or 0 */
    uid_t uid;
    time_t started;
    char unit[128];                  /* systemd's, or "" */
    char module[PATH_MAX];           /* lanecrypt.so, if it's mapped, or "" */
    struct lcp_counters *counters;   /* what the module has counted; NULL if it doesn't, or that can't be read */
    bool was_replaced;               /* by another file of that name, since it was mapped */
    bool is_overwritten;             /* its environment: `env` is that of `lanecrypt doctor` */
    const char *apart;               /* why its files can't be judged from here, or NULL */
    const char *apart_remedy;
};

/* The last part of a path. */
const char *doctor_base_name(const char *path);

/* Take a file of the target into its objects. */
void doctor_add_object(struct doctor_target *t, const char *path);

/* Find out all this about a command or a process.  If that fails, a message has been printed. */
bool doctor_find_command(struct doctor_target *t, const char *command);
bool doctor_find_process(struct doctor_target *t, pid_t pid);

/*
 * Give up the rights of this process, a child of `lanecrypt doctor`, for those of the process that was found last, and look at
 * files as it does.  Nothing of the caller's remains that code of the process's owner could take: no environment, terminal, keys,
 * or open files but stdin, stdout and stderr, which are /dev/null, and *out, which gets another number.  If that fails, *what says
 * what could not be done.
 */
bool doctor_become_process(int *out, const char **what);

/* Look into the objects. */
void doctor_examine(struct doctor_target *t);

/*
 * Load the target's libcrypto into this process, take the target's environment, and add what it does to the report.  The process
 * shouldn't do anything else afterwards.  lanecrypt.1 has the report's members.
 */
void doctor_diagnose(struct doctor_target *t, json_t *report);

/* Add a text, escaped. */
void doctor_put(json_t *object, const char *key, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
