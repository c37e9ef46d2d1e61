/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "file_io.h"
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

/*
 * What a signal that ends the program has to do first. The handler may use nothing but async-signal-safe calls,
 * so what it needs lies ready here; it changes only while all signals are blocked and no other thread runs.
 */
static char part_path[PATH_MAX];       /* "": no file to remove */
static char last_words[4 * PATH_MAX + 80]; /* "": nothing to say; else with an escaped path */

static bool ends_the_program(int sig)
{
    switch (sig) {
    case SIGKILL:
    case SIGSTOP: /* nobody can catch these */
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGCONT:
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH: return false;
    default: return true;
    }
}

static void on_fatal_signal(int sig)
{
    if (part_path[0] != '\0')
        unlink(part_path);
    if (sig != SIGPIPE)
        signal(SIGPIPE, SIG_IGN); /* nobody may read the message, but it's sig that this shall die of */
    if (last_words[0] != '\0' && write(STDERR_FILENO, last_words, strlen(last_words)) < 0) {
        /* Nobody to tell. */
    }
    raise(sig); /* SA_RESETHAND has restored the default: this ends the program when the handler returns */
}

/* What on_fatal_signal() says, which can't make it then: path was .. */
static void set_last_words(const char *path, const char *was)
{
    char *name = cli_escape(path);

    snprintf(last_words, sizeof(last_words), "\nlanecrypt: interrupted: %s %s\n", name ? name : "OUT", was);
    free(name);
}

/* Block all signals, return the mask before. */
static sigset_t block_signals(void)
{
    sigset_t set, old;

    sigfillset(&set);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    return old;
}

/* Let the signals in again, with or without work for them to do. */
static void unblock_signals(sigset_t old, bool forget_work)
{
    if (forget_work)
        part_path[0] = last_words[0] = '\0';
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void catch_fatal_signals(void)
{
    struct sigaction action = { .sa_handler = on_fatal_signal, .sa_flags = (int)SA_RESETHAND }, old;

    sigfillset(&action.sa_mask);
    for (int sig = 1; sig <= SIGRTMAX; sig++) {
        /* What the parent had ignored (nohup, `&` in a script) stays ignored. */
        if (ends_the_program(sig) && sigaction(sig, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(sig, &action, NULL);
    }
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    /* One block device can have several nodes in /dev. */
    if (S_ISBLK(a->st_mode) && S_ISBLK(b->st_mode))
        return a->st_rdev == b->st_rdev;
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static const char *type_name(mode_t mode)
{
    return S_ISDIR(mode)    ? "a directory"
           : S_ISFIFO(mode) ? "a pipe"
           : S_ISSOCK(mode) ? "a socket"
           : S_ISCHR(mode)  ? "a character device"
                            : "not a file";
}

static bool device_size(int fd, const char *path, uint64_t *size)
{
    off_t end = lseek(fd, 0, SEEK_END);

    if (end < 0) {
        cli_error("%s: cannot tell the size of the device: %s", path, strerror(errno));
        return false;
    }
    *size = (uint64_t)end;
    return true;
}

/*
 * Two that change one file at once would leave nothing of it, nor is there sense in reading what another one changes. The lock
 * is one of fcntl(2), as these tell the process that holds them; where the file system has none, there is no lock.
 */
static bool lock_input(const struct input *in, bool writable)
{
    struct flock lock = { .l_type = writable ? F_WRLCK : F_RDLCK, .l_whence = SEEK_SET }; /* the whole file */
    char holder[40] = "another process";

    if (fcntl(in->fd, F_SETLK, &lock) == 0 || (errno != EACCES && errno != EAGAIN))
        return true;
    if (fcntl(in->fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK && lock.l_pid > 0)
        snprintf(holder, sizeof(holder), "process %ld", (long)lock.l_pid);
    cli_error("%s: %s is working on it and has locked it; try again when it has ended", in->path, holder);
    return false;
}

bool input_open(struct input *in, const char *path, bool writable)
{
    in->path = path;
    in->fd = -1;
    /* The type is asked for before opening: to open a pipe would wait for its writer. */
    if (stat(path, &in->st) != 0)
        goto error;
    if (!S_ISREG(in->st.st_mode) && !S_ISBLK(in->st.st_mode)) {
        cli_error("%s: is %s; IN must be a file or block device (its parts are read in any order)", path,
                  type_name(in->st.st_mode));
        return false;
    }
    /* On a block device O_EXCL means: not one that is mounted or otherwise in use. */
    in->fd = open(path, O_CLOEXEC | (!writable ? O_RDONLY : S_ISBLK(in->st.st_mode) ? O_RDWR | O_EXCL : O_RDWR));
    if (in->fd < 0)
        goto error;
    if (!lock_input(in, writable))
        return false;
    if (fstat(in->fd, &in->st) != 0) /* after locking: now the size stays */
        goto error;
    if (S_ISBLK(in->st.st_mode))
        return device_size(in->fd, path, &in->size);
    in->size = (uint64_t)in->st.st_size;
    return true;

error:
    cli_error("%s: cannot open: %s", path, strerror(errno));
    return false;
}

/*
 * Set the room aside now, so that a full disk is found before the work and not after hours of it.
 * File systems that cannot do this are left to fail when they are written. Returns 0 or an errno value.
 */
static int reserve(int fd, int mode, uint64_t offset, uint64_t len)
{
    int err;

    do {
        err = fallocate(fd, mode, (off_t)offset, (off_t)len) == 0 ? 0 : errno;
    } while (err == EINTR);
    return err == EOPNOTSUPP || err == ENOSYS ? 0 : err;
}

static void no_room(const char *path, uint64_t len, int err)
{
    cli_error("%s: no room for %" PRIu64 " bytes: %s", path, len, strerror(err));
}

static bool open_device(struct output *out, const char *path, uint64_t len)
{
    uint64_t size;

    if (!out->force) {
        cli_error("%s: is a block device; --force overwrites what is on it", path);
        return false;
    }
    out->fd = open(path, O_WRONLY | O_EXCL | O_CLOEXEC);
    if (out->fd < 0) {
        cli_error("%s: cannot open for writing: %s", path, strerror(errno));
        return false;
    }
    if (!device_size(out->fd, path, &size))
        return false;
    if (size < len) {
        cli_error("%s: the device has %" PRIu64 " bytes, too small for %" PRIu64, path, size, len);
        return false;
    }
    set_last_words(path, "is only partly written");
    catch_fatal_signals();
    return true;
}

static const char *nameless_path(const struct output *out, char path[40])
{
    snprintf(path, 40, "/proc/self/fd/%d", out->fd);
    return path;
}

/* part_path: where a name for the temporary file can be, in OUT's folder, for mkostemps() to choose. */
static bool set_part_path(const char *path)
{
    char copy[PATH_MAX];

    if (snprintf(copy, sizeof(copy), "%s", path) < (int)sizeof(copy) &&
        snprintf(part_path, sizeof(part_path), "%s/lanecrypt.XXXXXX.part", dirname(copy)) < (int)sizeof(part_path))
        return true;
    part_path[0] = '\0';
    errno = ENAMETOOLONG;
    return false;
}

/*
 * A temporary file in OUT's folder: one without a name where the file system has such, which ends with the program, however that
 * ends; else one that the handler of signals removes.
 */
static bool open_part(struct output *out)
{
    char copy[PATH_MAX], path[40];

    if (!set_part_path(out->path))
        return false;
    snprintf(copy, sizeof(copy), "%s", out->path);
    out->fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    /* Without /proc it could not get a name in the end. */
    if (out->fd >= 0 && access(nameless_path(out, path), F_OK) != 0) {
        close(out->fd);
        out->fd = -1;
    }
    out->is_nameless = out->fd >= 0;
    if (out->is_nameless)
        part_path[0] = '\0';
    else
        out->fd = mkostemps(part_path, (int)strlen(".part"), O_CLOEXEC);
    return out->fd >= 0;
}

bool output_open(struct output *out, const char *path, const struct input *in, uint64_t len, bool force)
{
    sigset_t old_signals;
    struct stat st;
    mode_t mask;
    int err;

    *out = (struct output){ .path = path, .fd = -1, .force = force, .mode = in->st.st_mode };
    if (stat(path, &st) == 0) {
        if (is_same_file(&in->st, &st)) {
            cli_error("%s and %s are the same file; use --in-place to change it itself", in->path, path);
            return false;
        }
        if (S_ISBLK(st.st_mode))
            return open_device(out, path, len);
        if (!S_ISREG(st.st_mode)) {
            cli_error("%s: is %s; OUT must be a file or block device", path, type_name(st.st_mode));
            return false;
        }
        out->mode = st.st_mode; /* --force keeps the mode of the file that it replaces */
    }
    /* lstat: a symbolic link to nowhere exists too. */
    if (lstat(path, &st) != 0) {
        if (errno != ENOENT) { /* ENAMETOOLONG, for instance, which otherwise only the end of the work would tell */
            cli_error("%s: cannot create it: %s", path, strerror(errno));
            return false;
        }
    } else if (!force) {
        cli_error("%s: exists already; --force replaces it", path);
        return false;
    }
    mask = umask(077);
    umask(mask);
    out->mode &= 0666 & ~mask;

    catch_fatal_signals();
    old_signals = block_signals();
    out->is_part = open_part(out);
    err = errno;
    set_last_words(path, "was not written");
    unblock_signals(old_signals, !out->is_part);

    if (!out->is_part) {
        cli_error("%s: cannot create a temporary file in its folder: %s", path, strerror(err));
        return false;
    }
    err = reserve(out->fd, 0, 0, len);
    if (err != 0) {
        output_discard();
        no_room(path, len, err);
    }
    return err == 0;
}

bool output_open_in_place(struct output *out, const struct input *in, uint64_t offset, uint64_t len, bool force)
{
    int err;

    *out = (struct output){ .path = in->path, .fd = in->fd };
    if (S_ISBLK(in->st.st_mode) && !force) {
        cli_error("%s: is a block device; --force changes what is on it", in->path);
        return false;
    }
    /* A sparse file has holes to fill: they must not turn out to have no room halfway. */
    err = S_ISREG(in->st.st_mode) ? reserve(in->fd, FALLOC_FL_KEEP_SIZE, offset, len) : 0;
    if (err != 0) {
        no_room(in->path, len, err);
        return false;
    }
    set_last_words(in->path, "is now partly ciphered");
    catch_fatal_signals();
    return true;
}

/*
 * Give the file without a name the one in part_path. mkostemps() finds a free one by making a file, which has to go first, as
 * linkat() replaces none.
 */
static bool name_part(const struct output *out)
{
    char path[40];
    int fd;

    if (!set_part_path(out->path) || (fd = mkostemps(part_path, (int)strlen(".part"), O_CLOEXEC)) < 0)
        return false;
    close(fd);
    unlink(part_path);
    return linkat(AT_FDCWD, nameless_path(out, path), AT_FDCWD, part_path, AT_SYMLINK_FOLLOW) == 0;
}

/*
 * Give the temporary file OUT's name. Without --force an OUT that another program made meanwhile is kept. Returns 0 or an errno
 * value; then no temporary file is left.
 */
static int rename_part(const struct output *out)
{
    char path[40];
    int err;

    if (out->is_nameless) {
        if (linkat(AT_FDCWD, nameless_path(out, path), AT_FDCWD, out->path, AT_SYMLINK_FOLLOW) == 0)
            return 0;
        if (errno != EEXIST || !out->force || !name_part(out))
            return errno;
    } else if (!out->force) {
        if (syscall(SYS_renameat2, AT_FDCWD, part_path, AT_FDCWD, out->path, RENAME_NOREPLACE) == 0)
            return 0;
        if (errno != EINVAL && errno != ENOSYS) /* these two: the file system or the kernel lacks the flag */
            goto error;
    }
    if (rename(part_path, out->path) == 0)
        return 0;
error:
    err = errno;
    unlink(part_path);
    return err;
}

/* A new name is on the disk only when its directory is; some file systems keep it with the file. */
static bool sync_name(int file, const char *path)
{
    char copy[PATH_MAX];
    bool ok;
    int fd;

    if (fsync(file) != 0)
        return false;
    snprintf(copy, sizeof(copy), "%s", path);
    fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return errno == EACCES; /* a directory that may be written but not read: nothing we could do */
    ok = fsync(fd) == 0 || errno == EINVAL; /* EINVAL: the file system has no such thing */
    close(fd);
    return ok;
}

bool output_commit(struct output *out)
{
    sigset_t old_signals;
    int err;

    if (fsync(out->fd) != 0 || (out->is_part && fchmod(out->fd, out->mode) != 0)) {
        err = errno;
        output_discard();
        cli_error("%s: cannot write the data to the disk: %s", out->path, strerror(err));
        return false;
    }
    old_signals = block_signals();
    err = out->is_part ? rename_part(out) : 0;
    unblock_signals(old_signals, true);
    if (err != 0) {
        cli_error("%s: cannot rename the temporary file to it: %s", out->path, strerror(err));
        return false;
    }
    if (out->is_part && !sync_name(out->fd, out->path)) {
        cli_error("%s: is complete, but its name cannot be synced: %s", out->path, strerror(errno));
        return false;
    }
    return true;
}

void output_discard(void)
{
    sigset_t old_signals = block_signals();

    if (part_path[0] != '\0')
        unlink(part_path);
    unblock_signals(old_signals, true);
}

/* All of it, to memory or from there; the other is NULL. */
static int transfer(int fd, uint8_t *to, const uint8_t *from, size_t len, uint64_t offset)
{
    size_t done = 0;

    while (done < len) {
        off_t at = (off_t)(offset + done);
        ssize_t n = to ? pread(fd, to + done, len - done, at) : pwrite(fd, from + done, len - done, at);

        if (n == 0)
            return to ? END_OF_FILE : EIO;
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0)
            done += (size_t)n;
    }
    return 0;
}

int read_at(int fd, void *buf, size_t len, uint64_t offset)
{
    return transfer(fd, buf, NULL, len, offset);
}

int write_at(int fd, const void *buf, size_t len, uint64_t offset)
{
    return transfer(fd, NULL, buf, len, offset);
}
