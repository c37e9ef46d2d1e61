/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#define _GNU_SOURCE
#include "conf_edit.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "cli.h"

/* The block's first and last line.  An empty line comes before it, so that it doesn't continue a line that ends in a backslash. */
#define BEGIN "# lanecrypt: begin; written by `lanecrypt openssl-conf --enable`, removed by `lanecrypt openssl-conf --disable`"
#define NO_END "; the line above had no end"
#define END "# lanecrypt: end\n"

enum { MAX_TEXT = 1 << 20 };

/* ---- The block ---- */

/* The first line at or after `from` that begins with `start`, or NULL. */
static char *find_line(char *text, char *from, const char *start)
{
    for (char *p = from; (p = strstr(p, start)) != NULL; p++)
        if (p == text || p[-1] == '\n')
            return p;
    return NULL;
}

/*
 * Finds the block, and makes `rest` of the text without it.  False if its lines aren't as they were written: what to remove can't
 * be known then.
 */
static bool cut_block(struct conf_edit *e, char *rest)
{
    char *begin = find_line(e->text, e->text, "# lanecrypt: begin"), *end = find_line(e->text, e->text, END), *before = begin;
    bool had_no_end;

    e->rest_len = e->len;
    memcpy(rest, e->text, e->len);
    if (!begin && !end)
        return true;
    if (!begin || !end || end < begin || strncmp(begin, BEGIN, strlen(BEGIN)) != 0 || find_line(e->text, begin + 1, BEGIN) ||
        find_line(e->text, end + 1, END))
        return false;
    had_no_end = strncmp(begin + strlen(BEGIN), NO_END, strlen(NO_END)) == 0;
    e->block = begin;
    end += strlen(END);
    /* The empty line that was written with it, if it's still there */
    if (before > e->text && (before - 1 == e->text || before[-2] == '\n'))
        before--;
    if (had_no_end && !*end && before > e->text)
        before--;
    e->rest_len = (size_t)(before - e->text) + strlen(end);
    memcpy(rest + (before - e->text), end, strlen(end));
    return true;
}

/* ---- Files ---- */

static bool failed(const char *file)
{
    cli_error("openssl-conf: %s: %s%s", file, strerror(errno), errno == EACCES || errno == EPERM ? "; nothing was changed" : "");
    return false;
}

/* The whole file, with a zero after it. */
static bool read_text(struct conf_edit *e)
{
    int fd = open(e->file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const char *why = NULL;
    ssize_t got = 1;

    if (fd < 0 || fstat(fd, &e->was) != 0) {
        failed(e->file);
        if (fd >= 0)
            close(fd);
        return false;
    }
    e->text = malloc(MAX_TEXT + 1);
    while (e->text && S_ISREG(e->was.st_mode) && got > 0 && e->len < MAX_TEXT) {
        got = read(fd, e->text + e->len, MAX_TEXT - e->len);
        e->len += got > 0 ? (size_t)got : 0;
    }
    close(fd);
    if (!e->text || got < 0)
        return failed(e->file);
    e->text[e->len] = '\0';
    if (!S_ISREG(e->was.st_mode))
        why = "isn't a file";
    else if (e->was.st_nlink > 1)
        why = "has another name (a hard link), which would stay as it is";
    else if (e->len == MAX_TEXT)
        why = "is too long for a configuration";
    else if (strlen(e->text) != e->len)
        why = "isn't a text";
    if (why)
        cli_error("openssl-conf: %s %s; nothing was changed", e->file, why);
    return !why;
}

/* Access lists and labels.  Where there are none, or only the system may give them, that's no error. */
static bool copy_attributes(const char *from, int to)
{
    char names[4096], value[4096];
    ssize_t len = listxattr(from, names, sizeof(names));

    for (ssize_t i = 0; i < len; i += (ssize_t)strlen(names + i) + 1) {
        ssize_t size = getxattr(from, names + i, value, sizeof(value));

        if (size >= 0 && fsetxattr(to, names + i, value, (size_t)size, 0) != 0 && errno != ENOTSUP && errno != EPERM)
            return false;
    }
    return len >= 0 || errno == ENOTSUP;
}

/* The copy with this content, and all that the file has besides; it is made if it isn't there. */
static bool write_copy(struct conf_edit *e, const char *data, size_t len)
{
    bool is_new = !*e->copy;
    int fd;

    if (is_new && (size_t)snprintf(e->copy, sizeof(e->copy), "%s.lanecrypt-XXXXXX", e->file) >= sizeof(e->copy)) {
        *e->copy = '\0';
        errno = ENAMETOOLONG;
        return failed(e->file);
    }
    fd = is_new ? mkostemp(e->copy, O_CLOEXEC) : open(e->copy, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) {
        failed(e->copy);
        if (is_new)
            *e->copy = '\0';
        return false;
    }
    bool ok = !is_new || (fchown(fd, e->was.st_uid, e->was.st_gid) == 0 && fchmod(fd, e->was.st_mode & 07777) == 0 &&
                          copy_attributes(e->file, fd));

    for (ssize_t done; ok && len; data += done, len -= (size_t)done)
        ok = (done = write(fd, data, len)) > 0;
    ok = ok && fsync(fd) == 0;
    if (!ok)
        failed(e->copy);
    return close(fd) == 0 && ok;
}

/* The copy in the file's place, unless somebody has changed that since it was read. */
static bool replace_file(struct conf_edit *e)
{
    struct stat now;

    if (lstat(e->file, &now) != 0)
        return failed(e->file);
    if (now.st_dev != e->was.st_dev || now.st_ino != e->was.st_ino || now.st_size != e->was.st_size ||
        memcmp(&now.st_mtim, &e->was.st_mtim, sizeof(now.st_mtim)) != 0 ||
        memcmp(&now.st_ctim, &e->was.st_ctim, sizeof(now.st_ctim)) != 0) {
        cli_error("openssl-conf: %s was changed by somebody else meanwhile, so it stays as it is; please try again", e->file);
        return false;
    }
    if (rename(e->copy, e->file) != 0)
        return failed(e->file);
    *e->copy = '\0';
    fsync(e->folder);
    return true;
}

/*
 * Wait for other runs, by a file that nobody else can open.  Whoever may read a file or a folder can lock it, and let packages that
 * are removed wait for ever.  The file is gone when the run ends: then those that have waited make another one.
 */
static bool lock(struct conf_edit *e)
{
    struct stat st = { .st_nlink = 0 };

    if ((size_t)snprintf(e->lock_file, sizeof(e->lock_file), "%s.lanecrypt-lock", e->file) >= sizeof(e->lock_file)) {
        errno = ENAMETOOLONG;
        return failed(e->file);
    }
    while (st.st_nlink == 0) {
        int fd = open(e->lock_file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);

        if (fd < 0 || flock(fd, LOCK_EX) != 0 || fstat(fd, &st) != 0) {
            failed(e->lock_file);
            if (fd >= 0)
                close(fd);
            return false;
        }
        if (st.st_nlink == 0)
            close(fd);
        else
            e->lock = fd;
    }
    return true;
}

bool conf_edit_begin(struct conf_edit *e, const char *file)
{
    char folder[PATH_MAX], *rest = NULL;
    sigset_t all;
    bool ok = false;

    memset(e, 0, sizeof(*e));
    e->file = file;
    e->lock = -1;
    sigprocmask(SIG_BLOCK, NULL, &e->signals);
    snprintf(folder, sizeof(folder), "%s", file);
    *(strrchr(folder, '/') + 1) = '\0';
    e->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (e->folder < 0)
        failed(folder);
    if (e->folder < 0 || !lock(e)) {
        conf_edit_end(e);
        return false;
    }
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    if (read_text(e) && (rest = malloc(e->len + 1)) != NULL) {
        ok = cut_block(e, rest);
        if (!ok)
            cli_error("openssl-conf: %s has lines `# lanecrypt: begin` and `end` that aren't as --enable writes them; please "
                      "remove by hand what is lanecrypt's",
                      file);
        ok = ok && write_copy(e, rest, e->rest_len);
    }
    free(rest);
    if (!ok)
        conf_edit_end(e);
    return ok;
}

void conf_edit_end(struct conf_edit *e)
{
    if (*e->copy)
        unlink(e->copy);
    if (e->lock >= 0) {
        unlink(e->lock_file);
        close(e->lock);
    }
    if (e->folder >= 0)
        close(e->folder);
    free(e->text);
    sigprocmask(SIG_SETMASK, &e->signals, NULL);
}

/* ---- The trial ---- */

/* What `lanecrypt doctor` says of the copy, in an environment like that of a service; NULL if nothing. */
static json_t *ask_doctor(struct conf_edit *e, const char *libcrypto)
{
    char setting[PATH_MAX + 16];
    char *args[] = { (char *)"lanecrypt", (char *)"doctor", (char *)"--json", (char *)libcrypto, NULL };
    char *env[] = { setting, (char *)"PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL };
    int out = memfd_create("doctor", 0), status = 0;
    pid_t child = out < 0 ? -1 : fork();
    json_t *report;

    snprintf(setting, sizeof(setting), "OPENSSL_CONF=%s", e->copy);
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &e->signals, NULL);
        if (dup2(out, STDOUT_FILENO) >= 0)
            execve("/proc/self/exe", args, env);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child > 0)
        lseek(out, 0, SEEK_SET);
    report = child > 0 ? json_loadfd(out, 0, NULL) : NULL;
    if (out >= 0)
        close(out);
    return report;
}

static bool try_copy(struct conf_edit *e, const char *libcrypto)
{
    json_t *report = ask_doctor(e, libcrypto);
    bool ok = json_is_true(json_object_get(report, "ok"));
    const char *why = json_string_value(json_object_get(report, "why"));

    if (!ok)
        cli_error("openssl-conf: tried on a copy, %s: %s; nothing was changed", e->copy,
                  why ? why : "`lanecrypt doctor` gives no answer");
    json_decref(report);
    return ok;
}

/* ---- What is asked for ---- */

int conf_edit_enable(struct conf_edit *e, const char *settings, const char *libcrypto)
{
    char *text = NULL, *old = e->text;
    int fd = open(e->copy, O_RDONLY | O_CLOEXEC), len = -1;
    char *rest = malloc(e->rest_len + 1);
    int status = EXIT_FAILED;

    if (fd >= 0 && rest && read(fd, rest, e->rest_len) == (ssize_t)e->rest_len) {
        bool has_end = e->rest_len == 0 || rest[e->rest_len - 1] == '\n';

        rest[e->rest_len] = '\0';
        len = asprintf(&text, "%s%s\n" BEGIN "%s\n%s" END, rest, has_end ? "" : "\n", has_end ? "" : NO_END, settings);
    }
    if (len < 0)
        failed(e->copy);
    else if (write_copy(e, text, (size_t)len) && try_copy(e, libcrypto)) {
        bool is_same = (size_t)len == e->len && memcmp(old, text, e->len) == 0;

        if (is_same || replace_file(e)) {
            printf("%s: lanecrypt %s for all programs that read this file.%s\n", e->file,
                   is_same ? "was enabled already" : "is enabled",
                   is_same ? "" : "  Restart those that run; `lanecrypt doctor PROGRAM` says what one gets.");
            status = EXIT_OK;
        }
    }
    if (fd >= 0)
        close(fd);
    free(rest);
    if (len >= 0)
        free(text);
    return status;
}

/* Is the block about this module, a line's end? */
static bool is_about(const struct conf_edit *e, const char *module)
{
    const char *end = strstr(e->block, END);

    for (const char *p = e->block; (p = strstr(p, "\nmodule = ")) != NULL && p < end; p++)
        if (strncmp(p + strlen("\nmodule = "), module, strlen(module)) == 0)
            return true;
    return false;
}

int conf_edit_disable(struct conf_edit *e, char *const modules[2])
{
    if (!e->block || (modules[0] && !is_about(e, modules[0]) && !is_about(e, modules[1]))) {
        printf("%s: lanecrypt %s.\n", e->file, e->block ? "is enabled by another module" : "isn't enabled");
        return EXIT_OK;
    }
    if (!replace_file(e))
        return EXIT_FAILED;
    printf("%s: lanecrypt is no longer enabled.  Restart the programs that run.\n", e->file);
    return EXIT_OK;
}
