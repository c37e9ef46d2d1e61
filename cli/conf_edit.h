/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * `lanecrypt openssl-conf --enable` and `--disable`: lanecrypt's settings as a block of lines in OpenSSL's configuration file.
 * Programs that start meanwhile see that as it was or as it will be.  Without the block, every byte is what it was before.
 */
#ifndef LANECRYPT_CONF_EDIT_H
#define LANECRYPT_CONF_EDIT_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct conf_edit {
    const char *file;     /* no symbolic link */
    char copy[PATH_MAX];  /* beside it: what it will be */
    int folder;           /* of both */
    char lock_file[PATH_MAX];
    int lock;             /* its descriptor, locked: others wait */
    struct stat was;      /* the file when it was read */
    char *text, *block;   /* all of it; where lanecrypt's block begins in there, or NULL */
    size_t len, rest_len; /* rest_len: of the copy, the text without the block */
    sigset_t signals;     /* as the caller had them: none comes until the end, so that no copy is left */
};

/* Read the file, and make a copy without lanecrypt's block.  If that fails, a message says why, and nothing has to be ended. */
bool conf_edit_begin(struct conf_edit *e, const char *file);

/*
 * Add these settings to the copy, let `lanecrypt doctor` try it with this libcrypto, and if all ciphers are lanecrypt's then, put
 * it in the file's place.  Returns an exit status.
 */
int conf_edit_enable(struct conf_edit *e, const char *settings, const char *libcrypto);

/*
 * Put the copy in the file's place, if the block is about one of these modules, each as it's written there, with the line's end;
 * NULLs for any.  Returns an exit status.
 */
int conf_edit_disable(struct conf_edit *e, char *const modules[2]);

void conf_edit_end(struct conf_edit *e);

#endif
