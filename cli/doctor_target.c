/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* `lanecrypt doctor`: the files that a program is made of, and what is in them.  The program isn't run. */
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

const char *doctor_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* ---- Objects ---- */

void doctor_add_object(struct doctor_target *t, const char *path)
{
    const char *name = doctor_base_name(path);

    for (size_t i = 0; i < t->num_objects; i++)
        if (strcmp(t->objects[i], path) == 0)
            return;
    if (t->num_objects == DOCTOR_MAX_OBJECTS || (t->objects[t->num_objects] = strdup(path)) == NULL)
        return;
    if (begins_with(name, "libcrypto.so") && !t->libcrypto)
        t->libcrypto = t->objects[t->num_objects];
    if (begins_with(name, "libgnutls.so"))
        t->other_tls = "GnuTLS";
    else if (begins_with(name, "libnss3.so"))
        t->other_tls = "NSS";
    else if (strcmp(name, "libjli.so") == 0 || strcmp(name, "libjvm.so") == 0)
        t->is_java = true;
    else if (strcmp(name, "liblanecrypt_jni.so") == 0)
        t->has_java_provider = true;
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

/* Has it the name of OpenSSL's default provider?  It's looked for in two parts, as this program itself would hold a whole one. */
static bool holds_openssl(const char *data, size_t size)
{
    static const char start[] = "OpenSSL ", rest[] = "Default Provider";
    const char *p = data, *end = data + size;

    while ((p = memmem(p, (size_t)(end - p), start, strlen(start))) != NULL) {
        p += strlen(start);
        if ((size_t)(end - p) >= sizeof(rest) && memcmp(p, rest, sizeof(rest)) == 0)
            return true;
    }
    return false;
}

/* What an object is to us, by strings that every OpenSSL, or who calls a function of it, has to contain. */
static void examine(struct doctor_target *t, const char *path)
{
    const char *name = doctor_base_name(path);
    struct stat st;
    char *data;
    int fd;

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

    if (!t->own_openssl && holds_openssl(data, size)) {
        t->own_openssl = path;
        find_version(data, size, t->own_version);
    } else if (!t->own_context && holds(data, size, "OSSL_LIB_CTX_new") && !holds(data, size, "OSSL_LIB_CTX_load_config") &&
               !holds(data, size, "SSL_CTX_new")) {
        /* The last of them makes connections in the default context, as libcurl does, which has another one for engines only. */
        t->own_context = path;
    }
    munmap(data, size);
}

void doctor_examine(struct doctor_target *t)
{
    for (size_t i = 0; i < t->num_objects; i++)
        examine(t, t->objects[i]);
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

/* If the file is a script: the program after its "#!", or after env. */
static bool read_hash_bang(const char *file, char program[PATH_MAX])
{
    char line[256] = "", *rest = line + 2, *word;
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe isn't waited for */
    bool found = fd >= 0 && read(fd, line, sizeof(line) - 1) > 0 && begins_with(line, "#!");

    if (fd >= 0)
        close(fd);
    if (!found)
        return false;
    line[strcspn(line, "\n")] = '\0';
    program[0] = '\0';
    while ((word = strsep(&rest, " \t")) != NULL) {
        if (!*word || *word == '-' || strchr(word, '='))
            continue;
        snprintf(program, PATH_MAX, "%s", word);
        if (strcmp(doctor_base_name(word), "env") != 0)
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

    doctor_add_object(t, file);
    read_interp(file, interp);
    if (!*interp && strcmp(file, t->file) == 0 && !strstr(doctor_base_name(file), ".so"))
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
        doctor_add_object(t, path);
    }
    fclose(f);
    waitpid(pid, &status, 0);
    if (status != 0)
        cli_error("doctor: %s: can't be loaded: %s", file, *complaint ? complaint : interp);
    return status == 0;
}

/* Python's executable needs no libcrypto, but its module _ssl does. */
static bool find_python_module(const char *python, char module[PATH_MAX])
{
    char pattern[PATH_MAX];
    glob_t found;
    bool ok;

    if (!begins_with(doctor_base_name(python), "python3") ||
        (size_t)snprintf(pattern, sizeof(pattern), "%.*s/../lib/%s/lib-dynload/_ssl.*.so",
                         (int)(doctor_base_name(python) - 1 - python), python, doctor_base_name(python)) >= sizeof(pattern))
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
    return list_libraries(t, t->file) && (!find_python_module(t->file, t->plug_in) || list_libraries(t, t->plug_in));
}
