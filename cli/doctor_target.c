/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* `lanecrypt doctor`: the files that a program or a process is made of, and its environment.  The program isn't run. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "cli.h"
#include "doctor.h"

const char *doctor_getenv(char *const *env, const char *name)
{
    size_t len = strlen(name);

    for (; env && *env; env++)
        if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
            return *env + len + 1;
    return NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* ---- Objects ---- */

static void add_object(struct doctor_target *t, const char *path)
{
    for (size_t i = 0; i < t->num_objects; i++)
        if (strcmp(t->objects[i], path) == 0)
            return;
    if (t->num_objects < DOCTOR_MAX_OBJECTS && (t->objects[t->num_objects] = strdup(path)) != NULL)
        t->num_objects++;
}

/* "OpenSSL 3.0.19 27 Jan 2026" somewhere in the file. */
static void find_version(const char *data, size_t size, char version[64])
{
    static const char start[] = "OpenSSL ";
    const char *p = data, *end = data + size;

    snprintf(version, 64, "OpenSSL");
    while ((p = memmem(p, (size_t)(end - p), start, strlen(start))) != NULL) {
        size_t len = strnlen(p, (size_t)(end - p));
        char month[4], text[64];
        int major, year;

        if (len < sizeof(text)) {
            memcpy(text, p, len);
            text[len] = '\0';
            if (sscanf(text, "OpenSSL %d.%*d.%*[^ ] %*d %3[A-Za-z] %4d", &major, month, &year) == 3) {
                snprintf(version, 64, "%s", text);
                return;
            }
        }
        p++;
    }
}

static bool holds(const char *data, size_t size, const char *text)
{
    return memmem(data, size, text, strlen(text) + 1) != NULL;
}

/* What an object is to us, by its name and by strings that every OpenSSL, or who calls a function of it, has to contain. */
static void examine(struct doctor_target *t, const char *path)
{
    const char *name = base_name(path);
    struct stat st;
    char *data;
    int fd;

    if (begins_with(name, "libgnutls.so"))
        t->other_tls = "GnuTLS";
    else if (begins_with(name, "libnss3.so"))
        t->other_tls = "NSS";
    if (begins_with(name, "libcrypto.so") && !t->libcrypto)
        t->libcrypto = path;
    if (begins_with(name, "libcrypto.so") || begins_with(name, "libssl.so"))
        return;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return;
    data = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (data == MAP_FAILED)
        return;
    size_t size = (size_t)st.st_size;

    if (!t->own_openssl && holds(data, size, "OpenSSL Default Provider")) {
        t->own_openssl = path;
        find_version(data, size, t->own_version);
    } else if (!t->own_context && holds(data, size, "OSSL_LIB_CTX_new") && !holds(data, size, "OSSL_LIB_CTX_load_config")) {
        t->own_context = path;
    }
    munmap(data, size);
}

/* ---- Commands ---- */

/* The dynamic loader that an ELF file names, in path.  Returns false if the file isn't ELF; path is "" if it names none. */
static bool read_interp(const char *file, char path[PATH_MAX])
{
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    unsigned char head[sizeof(Elf64_Ehdr)] = "";
    bool is_elf = fd >= 0 && pread(fd, head, sizeof(head), 0) == sizeof(head) && memcmp(head, ELFMAG, SELFMAG) == 0;
    bool is_64 = head[EI_CLASS] == ELFCLASS64;
    Elf64_Ehdr e64;
    Elf32_Ehdr e32;

    memcpy(&e64, head, sizeof(e64));
    memcpy(&e32, head, sizeof(e32));
    path[0] = '\0';
    for (unsigned i = 0; is_elf && i < (is_64 ? e64.e_phnum : e32.e_phnum); i++) {
        Elf64_Phdr p64 = { .p_type = PT_NULL };
        Elf32_Phdr p32 = { .p_type = PT_NULL };
        ssize_t got = is_64 ? pread(fd, &p64, sizeof(p64), (off_t)(e64.e_phoff + (uint64_t)i * sizeof(p64)))
                            : pread(fd, &p32, sizeof(p32), (off_t)(e32.e_phoff + (uint64_t)i * sizeof(p32)));
        off_t offset = is_64 ? (off_t)p64.p_offset : (off_t)p32.p_offset;

        if (got <= 0 || (is_64 ? p64.p_type : p32.p_type) != PT_INTERP)
            continue;
        got = pread(fd, path, PATH_MAX - 1, offset);
        path[got > 0 ? got : 0] = '\0';
        break;
    }
    if (fd >= 0)
        close(fd);
    return is_elf;
}

/* A program's file, as execvp() would find it.  Those of the superuser, which nginx is one of, aren't in everybody's PATH. */
static bool find_in_path(const char *command, char file[PATH_MAX])
{
    const char *path = getenv("PATH");
    char dirs[8192], *rest = dirs, *dir;

    if (strchr(command, '/'))
        return realpath(command, file) != NULL;
    snprintf(dirs, sizeof(dirs), "%s:/usr/sbin:/sbin", path ? path : "/usr/bin:/bin");
    while ((dir = strsep(&rest, ":")) != NULL) {
        char candidate[PATH_MAX];
        struct stat st;

        if ((size_t)snprintf(candidate, sizeof(candidate), "%s/%s", *dir ? dir : ".", command) < sizeof(candidate) &&
            stat(candidate, &st) == 0 && S_ISREG(st.st_mode) && access(candidate, X_OK) == 0 && realpath(candidate, file))
            return true;
    }
    errno = ENOENT;
    return false;
}

/* If the file is a script: the program behind its "#!", or behind env. */
static bool read_hash_bang(const char *file, char program[PATH_MAX])
{
    char line[256] = "", *rest = line + 2, *word;
    FILE *f = fopen(file, "re");
    bool found = f && fgets(line, sizeof(line), f) && begins_with(line, "#!");

    if (f)
        fclose(f);
    if (!found)
        return false;
    program[0] = '\0';
    while ((word = strsep(&rest, " \t\n")) != NULL) {
        if (!*word || *word == '-' || strchr(word, '='))
            continue;
        snprintf(program, PATH_MAX, "%s", word);
        if (strcmp(base_name(word), "env") != 0)
            break;
    }
    return true;
}

/* The dynamic loader itself says which files the target's objects are; it runs nothing of them. */
static bool list_libraries(struct doctor_target *t, const char *file)
{
    char interp[PATH_MAX], line[PATH_MAX + 256], complaint[PATH_MAX + 256] = "";
    posix_spawn_file_actions_t actions;
    char option[] = "--list";
    int out[2], status;
    pid_t pid;
    FILE *f;

    add_object(t, file);
    read_interp(file, interp);
    if (!*interp && strcmp(file, t->file) == 0 && !strstr(base_name(file), ".so"))
        return true; /* a static executable */
    if (!*interp)
        read_interp("/proc/self/exe", interp);
    if (pipe2(out, O_CLOEXEC)) {
        cli_error("doctor: %s", strerror(errno));
        return false;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDERR_FILENO);
    errno = posix_spawn(&pid, interp, &actions, NULL, (char *[]){ interp, option, (char *)(uintptr_t)file, NULL }, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    f = errno ? NULL : fdopen(out[0], "r");
    if (!f) {
        cli_error("doctor: %s: its dynamic loader, %s: %s", file, interp, strerror(errno));
        close(out[0]);
        return false;
    }
    while (fgets(line, sizeof(line), f)) {
        char *arrow = strstr(line, " => "), *path = arrow ? arrow + 4 : line + strspn(line, " \t"), *end = strstr(path, " (0x");

        /* "	libc.so.6 => /lib/libc.so.6 (0x...)", "	/lib/ld.so (0x...)", or why there is none */
        if (!end)
            snprintf(complaint, sizeof(complaint), "%.*s", (int)strcspn(line, "\n"), line);
        if (!end || *path != '/')
            continue;
        *end = '\0';
        add_object(t, path);
    }
    fclose(f);
    waitpid(pid, &status, 0);
    if (status != 0)
        cli_error("doctor: %s: it can't be loaded: %s", file, *complaint ? complaint : interp);
    return status == 0;
}

/* Python's executable needs no libcrypto, but its module _ssl does. */
static bool find_python_module(const char *python, char module[PATH_MAX])
{
    char pattern[PATH_MAX];
    glob_t found;
    bool ok;

    if (!begins_with(base_name(python), "python3") ||
        (size_t)snprintf(pattern, sizeof(pattern), "%.*s/../lib/%s/lib-dynload/_ssl.*.so",
                         (int)(base_name(python) - 1 - python), python, base_name(python)) >= sizeof(pattern))
        return false;
    ok = glob(pattern, 0, NULL, &found) == 0 && realpath(found.gl_pathv[0], module) != NULL;
    globfree(&found);
    return ok;
}

bool doctor_find_command(struct doctor_target *t, const char *command)
{
    char program[PATH_MAX], interp[PATH_MAX];
    struct stat st;

    memset(t, 0, sizeof(*t));
    t->env = environ;
    snprintf(program, sizeof(program), "%s", command);
    for (int depth = 0;; depth++) {
        if (!find_in_path(program, t->file)) {
            cli_error("doctor: %s: %s", program, strchr(program, '/') ? strerror(errno) : "not in PATH");
            return false;
        }
        if (read_interp(t->file, interp))
            break;
        if (depth == 4 || !read_hash_bang(t->file, program)) {
            cli_error("doctor: %s: neither a program nor a script", t->file);
            return false;
        }
        t->script = command;
    }
    t->is_secure = stat(t->file, &st) == 0 &&
                   ((st.st_mode & S_ISUID && st.st_uid != geteuid()) || (st.st_mode & S_ISGID && st.st_gid != getegid()) ||
                    (geteuid() != 0 && getxattr(t->file, "security.capability", NULL, 0) > 0));
    if (!list_libraries(t, t->file) || (find_python_module(t->file, t->plug_in) && !list_libraries(t, t->plug_in)))
        return false;
    for (size_t i = 0; i < t->num_objects; i++)
        examine(t, t->objects[i]);
    return true;
}

/* ---- Processes ---- */

/* A file of /proc/PID as a whole, with a NUL behind it. */
static char *read_proc(const struct doctor_target *t, const char *name, size_t *len)
{
    char path[64], *data = NULL;
    size_t size = 0;
    ssize_t got = 1;
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/%s", t->pid, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    for (*len = 0; fd >= 0 && got > 0; *len += (size_t)got) {
        if (*len + 1 >= size) {
            char *more = realloc(data, size = size * 2 + 65536);

            if (!more)
                break;
            data = more;
        }
        got = read(fd, data + *len, size - *len - 1);
        if (got < 0)
            break;
    }
    if (fd < 0 || got != 0) {
        cli_error("doctor: %s: %s%s", path, strerror(errno), errno == EACCES ? "; ask as its owner or as root" : "");
        free(data);
        data = NULL;
    } else {
        data[*len] = '\0';
    }
    if (fd >= 0)
        close(fd);
    return data;
}

static bool is_ours(const char *path)
{
    return strcmp(base_name(path), "lanecrypt.so") == 0;
}

static bool read_maps(struct doctor_target *t)
{
    static const char deleted[] = " (deleted)";
    size_t len;
    char *maps = read_proc(t, "maps", &len), *rest = maps, *line;

    while ((line = strsep(&rest, "\n")) != NULL) {
        char *path = strchr(line, '/'), *end;
        bool was_replaced;

        /* "address perms offset dev inode   path"; each object has a part that can be executed */
        if (!path || !(line = strchr(line, ' ')) || line[3] != 'x')
            continue;
        end = path + strlen(path) - strlen(deleted);
        was_replaced = end > path && strcmp(end, deleted) == 0;
        if (was_replaced)
            *end = '\0';
        if (is_ours(path)) {
            snprintf(t->module, sizeof(t->module), "%s", path);
            t->was_replaced = was_replaced;
        } else {
            add_object(t, path);
        }
    }
    free(maps);
    return maps != NULL;
}

/* Programs that change their title, such as nginx, write it over their environment. */
static bool read_env(struct doctor_target *t)
{
    size_t len, num = 0;
    char *data = read_proc(t, "environ", &len);

    if (!data)
        return false;
    for (size_t i = 0; i < len; i += strlen(data + i) + 1)
        num++;
    if (len && !strchr(data, '='))
        return true;
    t->env = calloc(num + 1, sizeof(*t->env));
    for (size_t i = 0, n = 0; t->env && i < len; i += strlen(data + i) + 1)
        t->env[n++] = data + i;
    return true;
}

/*
 * When it was started.  The kernel says it in ticks behind its own start.  Rounded up to whole seconds, so that a file that was
 * changed just before isn't taken for newer.
 */
static bool read_start(struct doctor_target *t)
{
    size_t len;
    char *stat = read_proc(t, "stat", &len), *p = stat ? strrchr(stat, ')') : NULL;
    struct timespec now, since_boot;
    double seconds = 0;

    for (int field = 2; p && field < 22; field++)
        p = strchr(p + 1, ' ');
    if (p)
        seconds = strtod(p, NULL) / (double)sysconf(_SC_CLK_TCK);
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_BOOTTIME, &since_boot);
    seconds += (double)(now.tv_sec - since_boot.tv_sec) + (double)(now.tv_nsec - since_boot.tv_nsec) / 1e9;
    t->started = (time_t)seconds + 1;
    free(stat);
    return stat != NULL;
}

static bool read_unit(struct doctor_target *t)
{
    size_t len;
    char *cgroups = read_proc(t, "cgroup", &len), *end = cgroups ? strstr(cgroups, ".service\n") : NULL;

    if (end) {
        end[strlen(".service")] = '\0';
        snprintf(t->unit, sizeof(t->unit), "%s", base_name(cgroups));
    }
    free(cgroups);
    return cgroups != NULL;
}

/* Did the kernel tell it that it has other rights than its caller? */
static bool read_auxv(struct doctor_target *t)
{
    size_t len;
    char *auxv = read_proc(t, "auxv", &len);
    unsigned long entry[2];

    for (size_t i = 0; auxv && i + sizeof(entry) <= len; i += sizeof(entry)) {
        memcpy(entry, auxv + i, sizeof(entry));
        if (entry[0] == AT_SECURE)
            t->is_secure = entry[1] != 0;
    }
    free(auxv);
    return auxv != NULL;
}

/*
 * Do names of files mean others to it?  Systemd gives many services mount namespaces of their own, but with the same programs: then
 * they don't, or nearly so.
 */
static bool sees_other_files(const struct doctor_target *t)
{
    char path[64], ours[64] = "", theirs[64] = "";
    struct stat its_program, program;

    snprintf(path, sizeof(path), "/proc/%d/ns/mnt", t->pid);
    if (readlink(path, theirs, sizeof(theirs) - 1) < 0 || readlink("/proc/self/ns/mnt", ours, sizeof(ours) - 1) < 0 ||
        strcmp(ours, theirs) == 0)
        return false;
    snprintf(path, sizeof(path), "/proc/%d/exe", t->pid);
    return stat(path, &its_program) != 0 || stat(t->file, &program) != 0 || its_program.st_dev != program.st_dev ||
           its_program.st_ino != program.st_ino;
}

bool doctor_find_process(struct doctor_target *t, pid_t pid)
{
    char path[64];
    ssize_t len;

    memset(t, 0, sizeof(*t));
    t->pid = pid;
    snprintf(path, sizeof(path), "/proc/%d/exe", t->pid);
    len = readlink(path, t->file, sizeof(t->file) - 1);
    if (len < 0) {
        if (errno == ENOENT)
            cli_error("doctor: there is no process %d, or it is a thread of the kernel", t->pid);
        else
            cli_error("doctor: %s: %s%s", path, strerror(errno), errno == EACCES ? "; ask as its owner or as root" : "");
        return false;
    }
    t->is_elsewhere = sees_other_files(t);
    if (!read_maps(t) || !read_env(t) || !read_auxv(t) || !read_start(t) || !read_unit(t))
        return false;
    for (size_t i = 0; i < t->num_objects && !t->is_elsewhere; i++)
        examine(t, t->objects[i]);
    return true;
}
