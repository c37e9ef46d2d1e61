/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* `lanecrypt doctor`: what its files share. */
#ifndef LANECRYPT_DOCTOR_H
#define LANECRYPT_DOCTOR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

/* More than any program has. */
enum { DOCTOR_MAX_OBJECTS = 4096 };

/* What is asked about: a program that could be started, a shared object that a program could load, or a process. */
struct doctor_target {
    char file[PATH_MAX];             /* the executable or shared object */
    const char *script;              /* what was asked about, if `file` is its interpreter */
    char plug_in[PATH_MAX];          /* what Python would load for OpenSSL, or "" */
    char *objects[DOCTOR_MAX_OBJECTS]; /* `file`, `plug_in` and the libraries that they get */
    size_t num_objects;
    char **env;                      /* its environment; NULL: it has overwritten it */
    bool is_secure;                  /* runs with other rights than its caller: libcrypto doesn't look at the environment */

    /* Found in the objects.  Each is one of them or NULL. */
    const char *libcrypto;
    const char *own_openssl;         /* has an OpenSSL inside */
    char own_version[64];            /* of that */
    const char *own_context;         /* makes library contexts, and reads no configuration into them */
    const char *other_tls;           /* GnuTLS, NSS */

    /* Processes only. */
    pid_t pid;                       /* or 0 */
    time_t started;
    char unit[128];                  /* systemd's, or "" */
    char module[PATH_MAX];           /* lanecrypt.so, if it's mapped, or "" */
    bool was_replaced;               /* by another file of that name, since it was mapped */
    bool is_elsewhere;               /* in a container: names of files mean others than here */
};

/* Find out all this about a command or a process.  If that fails, a message has been printed. */
bool doctor_find_command(struct doctor_target *t, const char *command);
bool doctor_find_process(struct doctor_target *t, pid_t pid);

/* The value in an environment, or NULL. */
const char *doctor_getenv(char *const *env, const char *name);

/*
 * Load the target's libcrypto into this process, take the target's environment, and tell what it does.  Returns an exit status.
 * The process shouldn't do anything else afterwards.
 */
int doctor_diagnose(const struct doctor_target *t);

#endif
