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
 * so what it needs lies ready here; it changes only while these signals are blocked and no other thread runs.
 */
static char part_path[PATH_MAX];       /* "": no file to remove */
static char last_words[PATH_MAX + 80]; /* "": nothing to say */
static const int fatal_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
#define NUM_FATAL (sizeof(fatal_signals) / sizeof(fatal_signals[0]))

static void on_fatal_signal(int sig)
{
    if (part_path[0] != '\0')
        unlink(part_path);
    if (last_words[0] != '\0' && write(STDERR_FILENO, last_words, strlen(last_words)) < 0) {
        /* Nobody to tell. */
    }
    raise(sig); /* SA_RESETHAND has restored the default: this ends the program when the handler returns */
}

/* Block the fatal signals, return the mask before. */
static sigset_t block_fatal_signals(void)
{
    sigset_t set, old;

    sigemptyset(&set);
    for (size_t i = 0; i < NUM_FATAL; i++)
        sigaddset(&set, fatal_signals[i]);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    return old;
}

/* Let the fatal signals in again, with or without work for them to do. */
static void unblock_fatal_signals(sigset_t old, bool forget_work)
{
    if (forget_work)
        part_path[0] = last_words[0] = '\0';
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void catch_fatal_signals(void)
{
    struct sigaction action = { .sa_handler = on_fatal_signal, .sa_flags = (int)SA_RESETHAND }, old;

    for (size_t i = 0; i < NUM_FATAL; i++) {
        /* What the parent had ignored (nohup, `&` in a script) stays ignored. */
        if (sigaction(fatal_signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(fatal_signals[i], &action, NULL);
    }
    /* A file larger than `ulimit -f` shall be an error with a message (EFBIG), not a death. */
    signal(SIGXFSZ, SIG_IGN);
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
    return S_ISDIR(mode) ? "a directory" : S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket"
         : S_ISCHR(mode) ? "a character device" : "not a file";
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

bool input_open(struct input *in, const char *path, bool writable)
{
    in->path = path;
    in->fd = -1;
    /* The type is asked for before opening: to open a pipe would wait for its writer. */
    if (stat(path, &in->st) != 0)
        goto error;
    if (!S_ISREG(in->st.st_mode) && !S_ISBLK(in->st.st_mode)) {
        cli_error("%s: is %s; IN has to be a file or block device (its parts are read in any order)", path,
                  type_name(in->st.st_mode));
        return false;
    }
    /* On a block device O_EXCL means: not one that is mounted or otherwise in use. */
    in->fd = open(path, O_CLOEXEC | (!writable ? O_RDONLY : S_ISBLK(in->st.st_mode) ? O_RDWR | O_EXCL : O_RDWR));
    if (in->fd < 0 || fstat(in->fd, &in->st) != 0)
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
 * File systems that cannot do this are left to fail when they are written.
 */
static bool reserve(int fd, int mode, const char *path, uint64_t offset, uint64_t len)
{
    int err;

    do {
        err = fallocate(fd, mode, (off_t)offset, (off_t)len) == 0 ? 0 : errno;
    } while (err == EINTR);
    if (err == 0 || err == EOPNOTSUPP || err == ENOSYS)
        return true;
    cli_error("%s: no room for %" PRIu64 " bytes: %s", path, len, strerror(err));
    return false;
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
    snprintf(last_words, sizeof(last_words), "\nlanecrypt: interrupted: %s is only partly written\n", path);
    catch_fatal_signals();
    return true;
}

bool output_open(struct output *out, const char *path, const struct input *in, uint64_t len, bool force)
{
    sigset_t old_signals;
    struct stat st;
    mode_t mask;

    *out = (struct output){ .path = path, .fd = -1, .force = force, .mode = in->st.st_mode };
    if (stat(path, &st) == 0) {
        if (is_same_file(&in->st, &st)) {
            cli_error("%s and %s are the same file; use --in-place to change it itself", in->path, path);
            return false;
        }
        if (S_ISBLK(st.st_mode))
            return open_device(out, path, len);
        if (!S_ISREG(st.st_mode)) {
            cli_error("%s: is %s; OUT has to be a file or block device", path, type_name(st.st_mode));
            return false;
        }
        out->mode = st.st_mode; /* --force keeps the mode of the file that it replaces */
    }
    /* lstat: a symbolic link to nowhere exists too. */
    if (lstat(path, &st) == 0 && !force) {
        cli_error("%s: exists already; --force replaces it", path);
        return false;
    }
    mask = umask(077);
    umask(mask);
    out->mode &= 0666 & ~mask;

    catch_fatal_signals();
    old_signals = block_fatal_signals();
    if (snprintf(part_path, sizeof(part_path), "%s.XXXXXX.part", path) >= (int)sizeof(part_path))
        errno = ENAMETOOLONG;
    else
        out->fd = mkostemps(part_path, (int)strlen(".part"), O_CLOEXEC);
    out->is_part = out->fd >= 0;
    if (!out->is_part)
        cli_error("%s: cannot create a temporary file beside it: %s", path, strerror(errno));
    snprintf(last_words, sizeof(last_words), "\nlanecrypt: interrupted: %s was not written\n", path);
    unblock_fatal_signals(old_signals, !out->is_part);

    if (!out->is_part)
        return false;
    if (!reserve(out->fd, 0, path, 0, len)) {
        output_discard(out);
        return false;
    }
    return true;
}

bool output_open_in_place(struct output *out, const struct input *in, uint64_t offset, uint64_t len, bool force)
{
    *out = (struct output){ .path = in->path, .fd = in->fd };
    if (S_ISBLK(in->st.st_mode) && !force) {
        cli_error("%s: is a block device; --force changes what is on it", in->path);
        return false;
    }
    /* A sparse file has holes to fill: they must not turn out to have no room halfway. */
    if (S_ISREG(in->st.st_mode) && !reserve(in->fd, FALLOC_FL_KEEP_SIZE, in->path, offset, len))
        return false;
    snprintf(last_words, sizeof(last_words), "\nlanecrypt: interrupted: %s is now partly ciphered\n", in->path);
    catch_fatal_signals();
    return true;
}

/* Give the temporary file OUT's name. Without --force an OUT that another program made meanwhile is kept. */
static bool rename_part(const struct output *out)
{
    if (!out->force) {
        if (syscall(SYS_renameat2, AT_FDCWD, part_path, AT_FDCWD, out->path, RENAME_NOREPLACE) == 0)
            return true;
        if (errno != EINVAL && errno != ENOSYS) /* these two: the file system or the kernel lacks the flag */
            return false;
    }
    return rename(part_path, out->path) == 0;
}

/* A new name is on the disk only when its directory is. */
static bool sync_directory(const char *path)
{
    char copy[PATH_MAX];
    bool ok;
    int fd;

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
    bool renamed;

    if (fsync(out->fd) != 0 || (out->is_part && fchmod(out->fd, out->mode) != 0)) {
        cli_error("%s: cannot bring the data to the disk: %s", out->path, strerror(errno));
        output_discard(out);
        return false;
    }
    old_signals = block_fatal_signals();
    renamed = !out->is_part || rename_part(out);
    if (!renamed) {
        cli_error("%s: cannot rename the temporary file to it: %s", out->path, strerror(errno));
        unlink(part_path);
    }
    unblock_fatal_signals(old_signals, true);
    if (renamed && out->is_part && !sync_directory(out->path)) {
        cli_error("%s: is complete, but its directory cannot be synced: %s", out->path, strerror(errno));
        return false;
    }
    return renamed;
}

void output_discard(struct output *out)
{
    sigset_t old_signals = block_fatal_signals();

    if (out->is_part)
        unlink(part_path);
    unblock_fatal_signals(old_signals, true);
}

int read_at(int fd, void *buf, size_t len, uint64_t offset)
{
    uint8_t *p = buf;

    while (len > 0) {
        ssize_t n = pread(fd, p, len, (off_t)offset);

        if (n == 0)
            return END_OF_FILE;
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0) {
            p += n;
            len -= (size_t)n;
            offset += (uint64_t)n;
        }
    }
    return 0;
}

int write_at(int fd, const void *buf, size_t len, uint64_t offset)
{
    const uint8_t *p = buf;

    while (len > 0) {
        ssize_t n = pwrite(fd, p, len, (off_t)offset);

        if (n == 0)
            return EIO;
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0) {
            p += n;
            len -= (size_t)n;
            offset += (uint64_t)n;
        }
    }
    return 0;
}
