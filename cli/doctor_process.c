/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * `lanecrypt doctor --pid`: what the kernel says of a process, and how to do something with no more rights than it has.
 *
 * The configuration, the libcrypto and the names of files of another user's process may be a trap for the superuser who asks.  So
 * all that is read with the rights of the caller comes from /proc and is only parsed.  The process's files are opened, and their
 * code is run, by a child that has taken its ids, its root and its mount namespace before.  What sets it apart in other ways, a
 * container or a filter for system calls, can't be taken; then its files are left alone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "doctor.h"

enum { MAX_GROUPS = 65536 }; /* the kernel's limit */

/* Also the kernel's; its headers aren't there with every libc. */
enum { CAPABILITY_VERSION = 0x20080522, CAP_DAC_READ_SEARCH = 2, JOIN_SESSION_KEYRING = 1 };

/* Who a process is, and what it sees. */
struct identity {
    unsigned uid[4], gid[4];     /* real, effective, saved, and for files */
    unsigned groups[MAX_GROUPS];
    size_t num_groups;
    unsigned long long capabilities;
    unsigned num_filters;        /* of system calls */
    char label[256];             /* a security module's */
    struct {
        dev_t dev;
        ino_t ino;
    } spaces[4], mounts; /* namespaces */
    char root[PATH_MAX], exe[PATH_MAX];
};

/* Its folder in /proc: if the process ends, this won't be that of another one with the same number. */
static int proc_dir = -1;

/* The process that was found, and this one. */
static struct identity its, ours;
static int its_root = -1, its_cwd = -1, its_mounts = -1;

/* A file of a folder in /proc as a whole, with a NUL after it; NULL and errno if that fails. */
static char *read_file(int dir, const char *name, size_t *len)
{
    char *data = NULL;
    size_t size = 0;
    ssize_t got = 1;
    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC), err;

    for (*len = 0; fd >= 0 && got > 0; *len += (size_t)got) {
        if (*len + 1 >= size) {
            char *more = realloc(data, size = size * 2 + 65536);

            got = more ? got : -1;
            data = more ? more : data;
        }
        got = got > 0 ? read(fd, data + *len, size - *len - 1) : got;
        if (got < 0)
            break;
    }
    err = errno;
    if (fd >= 0)
        close(fd);
    if (fd < 0 || got < 0) {
        free(data);
        data = NULL;
    } else {
        data[*len] = '\0';
    }
    errno = err;
    return data;
}

/* ---- Identity ---- */

static bool read_link(int dir, const char *name, char path[PATH_MAX])
{
    ssize_t len = readlinkat(dir, name, path, PATH_MAX - 1);

    path[len > 0 ? len : 0] = '\0';
    return len > 0;
}

/* A line of the file `status`, after its name; the kernel escapes what could look like one. */
static const char *status_line(const char *status, const char *name)
{
    char start[32];
    const char *line;

    snprintf(start, sizeof(start), "\n%s:\t", name);
    line = strstr(status, start);
    return line ? line + strlen(start) : "";
}

static bool read_identity(int dir, struct identity *id)
{
    static const char *const spaces[] = { "ns/user", "ns/pid", "ns/net", "ns/ipc" };
    struct stat st;
    size_t len;
    char *status = read_file(dir, "status", &len), *label, *end;
    bool ok;

    memset(id, 0, sizeof(*id));
    if (!status)
        return false;
    ok = sscanf(status_line(status, "Uid"), "%u %u %u %u", &id->uid[0], &id->uid[1], &id->uid[2], &id->uid[3]) == 4 &&
         sscanf(status_line(status, "Gid"), "%u %u %u %u", &id->gid[0], &id->gid[1], &id->gid[2], &id->gid[3]) == 4 &&
         sscanf(status_line(status, "CapEff"), "%llx", &id->capabilities) == 1;
    for (const char *p = status_line(status, "Groups"); *p >= '0' && *p <= '9' && id->num_groups < MAX_GROUPS;) {
        id->groups[id->num_groups++] = (unsigned)strtoul(p, &end, 10);
        p = end + (*end == ' ');
    }
    /* Linux 5.9 and later count them */
    if (sscanf(status_line(status, "Seccomp_filters"), "%u", &id->num_filters) != 1)
        sscanf(status_line(status, "Seccomp"), "%u", &id->num_filters);
    free(status);
    label = read_file(dir, "attr/current", &len); /* not there without a security module */
    snprintf(id->label, sizeof(id->label), "%s", label ? label : "");
    free(label);
    for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]) && ok; i++) {
        ok = fstatat(dir, spaces[i], &st, 0) == 0;
        id->spaces[i].dev = st.st_dev;
        id->spaces[i].ino = st.st_ino;
    }
    ok = ok && fstatat(dir, "ns/mnt", &st, 0) == 0 && read_link(dir, "root", id->root) && read_link(dir, "exe", id->exe);
    id->mounts.dev = st.st_dev;
    id->mounts.ino = st.st_ino;
    return ok;
}

static bool has_one_id(const unsigned id[4])
{
    return id[0] == id[1] && id[0] == id[2] && id[0] == id[3];
}

static bool has_our_ids(void)
{
    return memcmp(its.uid, ours.uid, sizeof(its.uid)) == 0 && memcmp(its.gid, ours.gid, sizeof(its.gid)) == 0 &&
           its.num_groups == ours.num_groups && memcmp(its.groups, ours.groups, sizeof(its.groups)) == 0;
}

static bool has_our_files(void)
{
    struct stat root, our_root;

    /* Seen from a changed root, one outside of it is called "/" too. */
    return memcmp(&its.mounts, &ours.mounts, sizeof(its.mounts)) == 0 && strcmp(its.root, "/") == 0 &&
           fstat(its_root, &root) == 0 && stat("/", &our_root) == 0 && root.st_dev == our_root.st_dev &&
           root.st_ino == our_root.st_ino;
}

/* The name that a file has for the process; NULL if it lies outside of its root. */
static const char *name_in_root(const char *path)
{
    size_t len = strcmp(its.root, "/") == 0 ? 0 : strlen(its.root);

    return strncmp(path, its.root, len) == 0 && path[len] == '/' ? path + len : NULL;
}

/* ---- What it has ---- */

/* Like read_file(), with a message. */
static char *read_proc(const char *name, size_t *len)
{
    char *data = read_file(proc_dir, name, len);

    if (!data && errno == ESRCH)
        cli_error("doctor: the process has ended");
    else if (!data)
        cli_error("doctor: %s of the process: %s%s", name, strerror(errno), errno == EACCES ? "; ask as its owner or as root" : "");
    return data;
}

static bool close_files(int first, int last)
{
    return first > last || syscall(SYS_close_range, first, last, 0) == 0;
}

/*
 * A part of the process's memory; how much could be read, -1 if none.  By a child, and for a second at most: a page may be one of a
 * file whose server (FUSE's) never answers, and who has touched it can't even be killed.
 */
static ssize_t read_memory(char *data, size_t len, off_t at)
{
    int memory = openat(proc_dir, "mem", O_RDONLY | O_CLOEXEC), ends[2] = { -1, -1 };
    struct pollfd wait = { .events = POLLIN };
    pid_t child = memory >= 0 && pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
    size_t done = 0;
    ssize_t got = -1;

    if (child == 0) {
        /* nobody has to wait for what it would keep open */
        if (dup2(memory, STDIN_FILENO) < 0 || dup2(ends[1], STDOUT_FILENO) < 0 || !close_files(STDERR_FILENO, INT_MAX))
            _exit(1);
        got = pread(STDIN_FILENO, data, len, at);
        for (ssize_t n; got > 0 && (n = write(STDOUT_FILENO, data, (size_t)got)) > 0; got -= n)
            data += n;
        _exit(0);
    }
    if (ends[1] >= 0)
        close(ends[1]);
    wait.fd = ends[0];
    while (child > 0 && done < len && poll(&wait, 1, 1000) == 1 && (got = read(ends[0], data + done, len - done)) > 0)
        done += (size_t)got;
    if (child > 0 && (done == len || got == 0))
        waitpid(child, NULL, 0);
    else if (child > 0)
        kill(child, SIGKILL);
    if (ends[0] >= 0)
        close(ends[0]);
    if (memory >= 0)
        close(memory);
    return done ? (ssize_t)done : -1;
}

/*
 * The module's counters, in a part of the process's memory that can be written; there may be none.  Only bytes are read, and what
 * they say is the process's word.
 */
static void read_counters(struct doctor_target *t, const char *range)
{
    enum { MAX_LEN = 1 << 20, MAX_PARTS = 8 };
    static int num_parts;
    unsigned long long begin, end;
    char *data = NULL;
    ssize_t len = -1;

    if (!t->counters && num_parts++ < MAX_PARTS && sscanf(range, "%llx-%llx ", &begin, &end) == 2 && begin < end &&
        end - begin <= MAX_LEN && (data = malloc((size_t)(end - begin))) != NULL)
        len = read_memory(data, (size_t)(end - begin), (off_t)begin);
    for (ssize_t i = 0; i + (ssize_t)sizeof(struct lcp_counters) <= len && !t->counters; i += LCP_COUNTERS_ALIGN)
        if (memcmp(data + i, LCP_COUNTERS_MAGIC, sizeof(LCP_COUNTERS_MAGIC)) == 0) {
            t->counters = malloc(sizeof(*t->counters));
            if (t->counters)
                memcpy(t->counters, data + i, sizeof(*t->counters));
            break;
        }
    free(data);
}

static bool read_maps(struct doctor_target *t)
{
    static const char deleted[] = " (deleted)";
    size_t len;
    char *maps = read_proc("maps", &len), *rest = maps, *line;

    while ((line = strsep(&rest, "\n")) != NULL) {
        char *path = strchr(line, '/'), *end;
        const char *inside, *permissions = strchr(line, ' ');
        bool was_replaced;

        /* "address perms offset dev inode   path"; each object has a part that can be executed */
        if (path && permissions && strncmp(permissions, " rw-p", 5) == 0 &&
            strncmp(doctor_base_name(path), "lanecrypt.so", strlen("lanecrypt.so")) == 0)
            read_counters(t, line);
        if (!path || !permissions || permissions[3] != 'x')
            continue;
        end = path + strlen(path) - strlen(deleted);
        was_replaced = end > path && strcmp(end, deleted) == 0;
        if (was_replaced)
            *end = '\0';
        inside = name_in_root(path);
        if (strcmp(doctor_base_name(path), "lanecrypt.so") == 0) {
            snprintf(t->module, sizeof(t->module), "%s", inside ? inside : path);
            t->was_replaced = was_replaced;
        } else if (inside) {
            doctor_add_object(t, inside);
        }
    }
    free(maps);
    return maps != NULL;
}

/* The number in a field of the file `stat`, counted from 1 as in proc(5); the second one may hold blanks. */
static unsigned long long stat_field(const char *stat, int number)
{
    const char *p = strrchr(stat, ')');

    for (int field = 2; p && field < number; field++)
        p = strchr(p + 1, ' ');
    return p ? strtoull(p, NULL, 10) : 0;
}

/*
 * When it was started.  The kernel says it in ticks after its own start.  Rounded up to whole seconds, so that a file that was
 * changed just before isn't taken for newer.
 */
static time_t start_time(const char *stat)
{
    double seconds = (double)stat_field(stat, 22) / (double)sysconf(_SC_CLK_TCK);
    struct timespec now, since_boot;

    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_BOOTTIME, &since_boot);
    seconds += (double)(now.tv_sec - since_boot.tv_sec) + (double)(now.tv_nsec - since_boot.tv_nsec) / 1e9;
    return (time_t)seconds + 1;
}

/*
 * Its environment.  Programs that change their title write it over their arguments, and what doesn't fit there, and zeros, over the
 * environment after them.  The kernel gives a title as the command line, which then is longer than the arguments were.
 */
static bool read_env(struct doctor_target *t, const char *stat)
{
    size_t len, cmdline_len, num = 0;
    char *cmdline = read_proc("cmdline", &cmdline_len), *data = cmdline ? read_proc("environ", &len) : NULL;

    free(cmdline);
    if (!data)
        return false;
    t->is_overwritten = cmdline_len > stat_field(stat, 49) - stat_field(stat, 48);
    for (size_t i = 0; i < len && !t->is_overwritten; i += strlen(data + i) + 1, num++)
        t->is_overwritten = !strchr(data + i, '=') || data[i] == '=';
    t->env = t->is_overwritten ? NULL : calloc(num + 1, sizeof(*t->env));
    for (size_t i = 0, n = 0; t->env && n < num; i += strlen(data + i) + 1)
        t->env[n++] = data + i;
    return t->is_overwritten || t->env;
}

/* What counts of the caller's environment where the process's own isn't there. */
static bool copy_env(struct doctor_target *t)
{
    static const char *const variables[] = { "OPENSSL_CONF", "OPENSSL_MODULES", "LANECRYPT_DISABLE", "LANECRYPT_IMPL" };
    enum { NUM = sizeof(variables) / sizeof(variables[0]) };
    size_t num = 0;

    t->env = calloc(NUM + 1, sizeof(*t->env));
    for (size_t i = 0; i < NUM && t->env; i++)
        if (getenv(variables[i]) && asprintf(&t->env[num++], "%s=%s", variables[i], getenv(variables[i])) < 0)
            return false;
    return t->env != NULL;
}

/* Only a unit of the system's, and of a name that may stand in a command: users can make cgroups of any name. */
static bool read_unit(struct doctor_target *t)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:_.@-";
    size_t len;
    char *cgroups = read_proc("cgroup", &len), *rest = cgroups, *line;

    while ((line = strsep(&rest, "\n")) != NULL) {
        const char *name = doctor_base_name(line), *end = strstr(name, ".service");

        if (end && !end[strlen(".service")] && *name != '-' && !name[strspn(name, plain)] && !strstr(line, "/user.slice/"))
            snprintf(t->unit, sizeof(t->unit), "%s", name);
    }
    free(cgroups);
    return cgroups != NULL;
}

/* Did the kernel tell it that it has other rights than its caller? */
static bool read_auxv(struct doctor_target *t)
{
    size_t len;
    char *auxv = read_proc("auxv", &len);
    unsigned long entry[2];

    for (size_t i = 0; auxv && i + sizeof(entry) <= len; i += sizeof(entry)) {
        memcpy(entry, auxv + i, sizeof(entry));
        if (entry[0] == AT_SECURE)
            t->is_secure = entry[1] != 0;
    }
    free(auxv);
    return auxv != NULL;
}

/* What can't be taken over. */
static void see_what_is_apart(struct doctor_target *t)
{
    if (memcmp(its.spaces, ours.spaces, sizeof(its.spaces)) != 0) {
        t->apart = "it runs in a container, or in namespaces of its own";
        t->apart_remedy = "run `lanecrypt doctor` in there, or ask about its program as the user who runs it";
    } else if (its.num_filters > ours.num_filters || strcmp(its.label, ours.label) != 0) {
        t->apart = "it is restricted by a filter for system calls or a security module";
        t->apart_remedy = "ask about its program as the user who runs it, with the OPENSSL_CONF that it was started with";
    } else if (!name_in_root(its.exe)) {
        t->apart = "it has changed its root since it was started, and sees other files now";
        t->apart_remedy = "ask about its program as the user who runs it, with the OPENSSL_CONF that it was started with";
    }
}

static bool find_process(struct doctor_target *t)
{
    static struct identity now;
    size_t len;
    char *stat;
    bool ok;

    its_root = openat(proc_dir, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
    its_cwd = openat(proc_dir, "cwd", O_PATH | O_DIRECTORY | O_CLOEXEC);
    its_mounts = openat(proc_dir, "ns/mnt", O_RDONLY | O_CLOEXEC);
    if (its_root < 0 || its_cwd < 0 || its_mounts < 0) {
        cli_error("doctor: the folders of process %d: %s", t->pid, strerror(errno));
        return false;
    }
    stat = read_proc("stat", &len);
    if (!stat)
        return false;
    t->started = start_time(stat);
    ok = read_maps(t) && read_env(t, stat) && read_auxv(t) && read_unit(t);
    free(stat);
    if (!ok)
        return false;
    if (t->is_overwritten && !copy_env(t)) {
        cli_error("doctor: %s", strerror(errno));
        return false;
    }
    /* All of this has to be that of one program with one owner, so nothing is read from now on. */
    if (!read_identity(proc_dir, &now) || memcmp(&now, &its, sizeof(its)) != 0) {
        cli_error("doctor: process %d has ended, or has become another program or user: ask again", t->pid);
        return false;
    }
    return true;
}

bool doctor_find_process(struct doctor_target *t, pid_t pid)
{
    static const char deleted[] = " (deleted)";
    int self = open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);
    char path[64], *end;
    bool ok;

    memset(t, 0, sizeof(*t));
    t->pid = pid;
    if (self < 0 || !read_identity(self, &ours)) {
        cli_error("doctor: /proc/self: %s", strerror(errno));
        return false;
    }
    close(self);
    snprintf(path, sizeof(path), "/proc/%d", pid);
    proc_dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (proc_dir < 0 || !read_identity(proc_dir, &its)) {
        if (errno == ENOENT || errno == ESRCH)
            cli_error("doctor: there is no process %d, or it is a thread of the kernel", pid);
        else
            cli_error("doctor: %s: %s%s", path, strerror(errno), errno == EACCES ? "; ask as its owner or as root" : "");
        return false;
    }
    if (!has_one_id(its.uid) || !has_one_id(its.gid)) {
        cli_error("doctor: process %d has the ids of several users or groups, as set-user-ID programs have: ask about its "
                  "program's file instead",
                  pid);
        return false;
    }
    t->uid = its.uid[0];
    see_what_is_apart(t);
    snprintf(t->file, sizeof(t->file), "%s", name_in_root(its.exe) ? name_in_root(its.exe) : its.exe);
    end = strlen(t->file) > strlen(deleted) ? t->file + strlen(t->file) - strlen(deleted) : t->file;
    if (strcmp(end, deleted) == 0)
        *end = '\0';
    ok = find_process(t);
    close(proc_dir);
    return ok;
}

/* ---- In its name ---- */

static bool take_ids(void)
{
    static gid_t groups[MAX_GROUPS];

    for (size_t i = 0; i < its.num_groups; i++)
        groups[i] = its.groups[i];
    return has_our_ids() || (setgroups(its.num_groups, groups) == 0 && setresgid(its.gid[0], its.gid[0], its.gid[0]) == 0 &&
                             setresuid(its.uid[0], its.uid[0], its.uid[0]) == 0);
}

/* None stays but to read any file, where the superuser asks about a process of the superuser's that may. */
static bool drop_capabilities(void)
{
    struct {
        uint32_t version;
        int pid;
    } head = { CAPABILITY_VERSION, 0 };
    struct {
        uint32_t effective, permitted, inheritable;
    } data[2] = { { 0, 0, 0 } };

    if (its.uid[0] == 0)
        data[0].permitted = data[0].effective = (uint32_t)(its.capabilities & ours.capabilities & 1U << CAP_DAC_READ_SEARCH);
    return syscall(SYS_capset, &head, data) == 0;
}

bool doctor_become_process(int *out, const char **what)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), kept = fcntl(*out, F_DUPFD, STDERR_FILENO + 1);
    int cwd = kept < 0 ? -1 : fcntl(its_cwd, F_DUPFD, kept + 1);

    *what = "can't get files of its own";
    if (null < 0 || cwd < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
        return false;
    *what = "can't enter its root and mount namespace; ask as root";
    if (!has_our_files() && (setns(its_mounts, CLONE_NEWNS) || fchdir(its_root) || chroot(".")))
        return false;
    *what = "can't close files, which needs Linux 5.9";
    *out = kept;
    if (!close_files(STDERR_FILENO + 1, kept - 1) || !close_files(kept + 1, cwd - 1) || !close_files(cwd + 1, INT_MAX))
        return false;
    for (char **p = environ; *p; p++) /* the strings, which stay in memory whatever `environ` is set to */
        explicit_bzero(*p, strlen(*p));
    setsid();
    syscall(SYS_keyctl, JOIN_SESSION_KEYRING, NULL); /* the caller's isn't for it; if this is forbidden, keys are too */
    *what = "can't take its user and groups; ask as its owner or as root";
    if (!take_ids() || !drop_capabilities() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return false;
    /* Programs that have changed their user may be where they couldn't go any more: names that begin there mean nothing then. */
    *what = "can't enter its root";
    if (fchdir(cwd) && chdir("/"))
        return false;
    close(cwd);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return true;
}
