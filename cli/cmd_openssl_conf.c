/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * `lanecrypt openssl-conf`: a configuration of OpenSSL with lanecrypt's provider in it and all that was in the system's; or the
 * system's itself with that in it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "conf_edit.h"
#include "ossl.h"

/* The sections that lanecrypt's settings go to: those of the file that is kept, where it has them. */
struct sections {
    const char *init, *providers, *default_provider, *lanecrypt, *algorithms;
    bool has_nodejs; /* Node.js has settings of its own there, which it takes instead */
};

static const char *or_else(const char *name, const char *otherwise)
{
    return name ? name : otherwise;
}

/*
 * There are settings that the new ones can't be joined with.  To activate `default` where others are active without it, or to
 * replace a property query, would undo what somebody decided, such as to use validated code only.
 */
static bool can_be_joined(const struct ossl *o, const void *conf, const char *file, const struct sections *in)
{
    const char *query = ossl_conf_value(o, conf, in->algorithms, "default_properties");
    const void *providers = o->NCONF_get_section(conf, in->providers);

    if (query && *query && strcmp(query, "?provider=lanecrypt") != 0) {
        cli_error("openssl-conf: [%s] in %s has default_properties = %s; lanecrypt needs `?provider=lanecrypt` there, and doesn't "
                  "replace a setting of yours",
                  in->algorithms, file, query);
        return false;
    }
    for (int i = 0; providers && i < o->OPENSSL_sk_num(providers); i++) {
        const struct ossl_value *v = o->OPENSSL_sk_value(providers, i);

        /* OpenSSL 3.0 takes any value for yes */
        if (ossl_conf_value(o, conf, v->value, "activate") && !ossl_conf_activates(o, conf, in->default_provider)) {
            cli_error("openssl-conf: [%s] in %s activates %s but not `default`, which lanecrypt also needs", in->providers, file,
                      v->name);
            return false;
        }
    }
    return true;
}

/* A value: what has a meaning in a configuration gets a backslash. */
static void print_escaped(FILE *to, const char *path)
{
    for (; *path; path++) {
        if (strchr("\\\"'`$#", *path))
            putc('\\', to);
        putc(*path, to);
    }
    putc('\n', to);
}

/* What the section of the module says. */
struct settings {
    const char *module, *ciphers, *public_key; /* lists, or NULL */
    bool combine_threads, count_batches;
};

static void print_settings(FILE *to, const struct settings *s, const struct sections *in)
{
    fprintf(to, "\n[default]\nopenssl_conf = %s\n", in->init);
    if (!in->has_nodejs)
        fprintf(to, "# Node.js asks for this instead.\nnodejs_conf = %s\n", in->init);
    fprintf(to, "\n[%s]\nproviders = %s\nalg_section = %s\n", in->init, in->providers, in->algorithms);
    fprintf(to, "\n[%s]\ndefault = %s\nlanecrypt = %s\n", in->providers, in->default_provider, in->lanecrypt);
    fprintf(to, "\n# Once another provider is activated, this one must be too.\n[%s]\nactivate = 1\n", in->default_provider);
    fprintf(to, "\n[%s]\nmodule = ", in->lanecrypt);
    print_escaped(to, s->module);
    if (s->ciphers)
        fprintf(to, "ciphers = %s\n", s->ciphers);
    if (s->public_key)
        fprintf(to, "public-key = %s\n", s->public_key);
    if (s->combine_threads)
        fputs("combine-threads = yes\n", to);
    if (s->count_batches)
        fputs("count-batches = yes\n", to);
    fprintf(to, "activate = 1\n\n# lanecrypt for what it has, other providers for the rest.\n[%s]\n", in->algorithms);
    fputs("default_properties = ?provider=lanecrypt\n", to);
}

/*
 * file is what is kept, or NULL; system_file the system's, or NULL if that isn't what is kept.
 */
static void print_conf(const char *file, const char *system_file, const struct settings *s, const struct sections *in)
{
    printf("# OpenSSL with lanecrypt's ciphers%s", s->public_key ? " and public keys" : "");
    puts("; everything else is as before.  Made by `lanecrypt openssl-conf`.\n"
         "#\n"
         "# For some programs: save this as /etc/ssl/lanecrypt.cnf, and set OPENSSL_CONF=/etc/ssl/lanecrypt.cnf in their\n"
         "# environment.  For a systemd unit, use `systemctl edit UNIT`:\n"
         "#     [Service]\n"
         "#     Environment=OPENSSL_CONF=/etc/ssl/lanecrypt.cnf");
    if (system_file && file)
        printf("# For all programs: delete the line below that begins with .include, and add this last line to\n"
               "# %s\n"
               "#     .include /etc/ssl/lanecrypt.cnf\n",
               system_file);
    else if (system_file)
        printf("# For all programs: save this as %s.\n", system_file);
    puts("# Restart programs that are already running.  `lanecrypt doctor PROGRAM` says whether it works.\n");
    if (file) {
        printf(".include ");
        print_escaped(stdout, file);
    }
    print_settings(stdout, s, in);
}

/*
 * The module of the installation that this program belongs to, by the rule of openssl/CMakeLists.txt: from /usr/local, and from
 * prefixes that it is below, it goes to OpenSSL's directory as it was configured, from others to MODULES_DIR in the prefix.
 */
static bool find_module(char path[PATH_MAX])
{
    static const char dir[] = OPENSSL_MODULES_DIR;
    char prefix[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", prefix, sizeof(prefix) - 1);
    size_t prefix_len;

    prefix[len > 0 ? len : 0] = '\0';
    for (int i = 0; i < 2 && strrchr(prefix, '/'); i++) /* "bin", and this program's name */
        *strrchr(prefix, '/') = '\0';
    prefix_len = strlen(prefix);
    if (*dir && (strcmp(prefix, "/usr/local") == 0 || (strncmp(dir, prefix, prefix_len) == 0 && dir[prefix_len] == '/')))
        snprintf(path, PATH_MAX, "%s/lanecrypt.so", dir);
    else if ((size_t)snprintf(path, PATH_MAX, "%s/" MODULES_DIR "/lanecrypt.so", prefix) >= PATH_MAX)
        path[0] = '\0';
    if (access(path, F_OK) == 0)
        return true;
    cli_error("openssl-conf: %s: %s; this is the provider that belongs to this program: install it, or give another one as "
              "--module",
              path, strerror(errno));
    return false;
}

static const char help[] =
    "usage: lanecrypt openssl-conf [--module FILE] [--include FILE] [--only CIPHER,...]\n"
    "                              [--public-key[=ALGORITHM,...] [--combine-threads] [--count-batches]]\n"
    "       lanecrypt openssl-conf --enable [the same options]\n"
    "       lanecrypt openssl-conf --disable [--module FILE] [--include FILE]\n\n"
    "Prints a configuration file for OpenSSL 3 and later.  It activates lanecrypt's provider for the ciphers that it has,\n"
    "activates OpenSSL's own provider for the rest, and keeps the settings of the system's openssl.cnf.\n\n"
    "  --module FILE   the provider, lanecrypt.so (default: the one installed with this program)\n"
    "  --include FILE  keep the settings of this configuration file instead of the system's\n"
    "  --only LIST     for these ciphers alone, of aes-gcm, chacha20-poly1305, aes-ctr, chacha20, aes-xts (default: all of them)\n"
    "  --public-key    also for signatures, key exchanges, SM3, HMAC and TLS 1.3's key derivation: all of rsa, ecdsa, ecdh,\n"
    "                  x25519, ed25519, sm2, sm3, tls13-kdf, hmac, or those that are named\n"
    "  --combine-threads\n"
    "                  do RSA and ECDH of several threads together: for programs with a thread for each connection\n"
    "  --count-batches count how many were done together, for `lanecrypt doctor --pid`\n"
    "  --enable        write these settings into the system's configuration, or that one, for all programs; it is tried on a copy\n"
    "                  before, and stays as it is if anything is wrong\n"
    "  --disable       remove what --enable has written, if it is about the module that is given, or in any case\n";

/* What the provider has; the last one is NULL. */
static const char *const all_ciphers[] = { "aes-gcm", "chacha20-poly1305", "aes-ctr", "chacha20", "aes-xts", NULL };
static const char *const all_public_keys[] = {
    "rsa", "ecdsa", "ecdh", "x25519", "ed25519", "sm2", "sm3", "tls13-kdf", "hmac", NULL
};

/* Is it a list of such names, with commas between them? */
static bool is_list(const char *list, const char *const *names)
{
    for (;;) {
        size_t len = strcspn(list, ","), i = 0;

        while (names[i] && (strlen(names[i]) != len || strncmp(list, names[i], len) != 0))
            i++;
        if (!names[i])
            return false;
        if (!list[len])
            return true;
        list += len + 1;
    }
}

/* The system's configuration.  Not CONF_get1_default_config_file(): OPENSSL_CONF may name what this command has printed before. */
static void find_system_file(const struct ossl *o, char file[PATH_MAX])
{
    char link[PATH_MAX];

    snprintf(link, sizeof(link), "%s/openssl.cnf", or_else(o->OPENSSL_info(OSSL_INFO_CONFIG_DIR), "/etc/ssl"));
    if (!realpath(link, file)) /* which people know by its own name */
        strcpy(file, link);
}

/* The settings at the end of the file, which edit has begun with. */
static int enable(struct conf_edit *edit, const struct ossl *o, const struct settings *s, const struct sections *in)
{
    struct link_map *libcrypto = NULL;
    char *settings = NULL;
    size_t len;
    struct stat st;
    FILE *to;
    int status = EXIT_FAILED;

    if (stat(s->module, &st) != 0 || !(st.st_mode & S_IROTH)) {
        cli_error("openssl-conf: %s can't be read by all users, whose programs it is for; nothing was changed", s->module);
        return EXIT_FAILED;
    }
    to = open_memstream(&settings, &len);
    if (to) {
        print_settings(to, s, in);
        if (fclose(to) == 0 && dlinfo(o->lib, RTLD_DI_LINKMAP, &libcrypto) == 0)
            status = conf_edit_enable(edit, settings, libcrypto->l_name);
    }
    free(settings);
    return status;
}

/* A module as --enable has written it; free it.  NULL if there is no memory. */
static char *written(const char *module)
{
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);

    if (!to)
        return NULL;
    print_escaped(to, module);
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

static int disable(const char *file_arg, const char *module)
{
    static char file[PATH_MAX], real_module[PATH_MAX];
    char *modules[2] = { NULL, NULL }; /* as it was given, which --enable without --module may have written, and without links */
    struct conf_edit edit;
    struct ossl o;
    char err[1024];
    int status;

    if (file_arg ? !realpath(file_arg, file) : !ossl_open(&o, NULL, err, sizeof(err))) {
        cli_error("openssl-conf: %s: %s", file_arg ? file_arg : "the system's libcrypto", file_arg ? strerror(errno) : err);
        return EXIT_FAILED;
    }
    if (!file_arg)
        find_system_file(&o, file);
    if (access(file, F_OK) != 0 && errno == ENOENT) {
        printf("%s: there is no such file, so lanecrypt isn't enabled.\n", file);
        return EXIT_OK;
    }
    if (module &&
        (!(modules[0] = written(module)) || !(modules[1] = written(realpath(module, real_module) ? real_module : module)))) {
        cli_error("openssl-conf: %s", strerror(errno));
        status = EXIT_FAILED;
    } else if (!conf_edit_begin(&edit, file)) {
        status = EXIT_FAILED;
    } else {
        status = conf_edit_disable(&edit, modules);
        conf_edit_end(&edit);
    }
    free(modules[0]);
    free(modules[1]);
    return status;
}

int cmd_openssl_conf(int argc, char **argv)
{
    enum { MODULE = 256, INCLUDE, ONLY, PUBLIC_KEY, COMBINE_THREADS, COUNT_BATCHES, ENABLE, DISABLE };
    static const struct option options[] = {
        { "module", required_argument, NULL, MODULE },
        { "include", required_argument, NULL, INCLUDE },
        { "only", required_argument, NULL, ONLY },
        { "public-key", optional_argument, NULL, PUBLIC_KEY },
        { "combine-threads", no_argument, NULL, COMBINE_THREADS },
        { "count-batches", no_argument, NULL, COUNT_BATCHES },
        { "enable", no_argument, NULL, ENABLE },
        { "disable", no_argument, NULL, DISABLE },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    static char module[PATH_MAX], file[PATH_MAX], system_file[PATH_MAX];
    struct settings settings = { .module = module };
    const char *module_arg = NULL, *file_arg = NULL;
    struct conf_edit edit;
    struct ossl o;
    struct sections in;
    struct stat st;
    char err[1024];
    void *conf = NULL;
    long line;
    int opt, action = 0, status = EXIT_FAILED;

    optind = 0;
    while ((opt = cli_getopt_long(argc, argv, options)) != -1) {
        switch (opt) {
        case MODULE: module_arg = optarg; break;
        case INCLUDE: file_arg = optarg; break;
        case ONLY:
            settings.ciphers = optarg;
            if (!is_list(optarg, all_ciphers)) {
                cli_error("--only %s: it takes aes-gcm, chacha20-poly1305, aes-ctr, chacha20 and aes-xts, with commas between them",
                          optarg);
                return EXIT_USAGE;
            }
            break;
        case PUBLIC_KEY:
            settings.public_key = optarg ? optarg : "yes";
            if (optarg && !is_list(optarg, all_public_keys)) {
                cli_error("--public-key=%s: it takes rsa, ecdsa, ecdh, x25519, ed25519, sm2, sm3, tls13-kdf and hmac, with "
                          "commas between them",
                          optarg);
                return EXIT_USAGE;
            }
            break;
        case COMBINE_THREADS: settings.combine_threads = true; break;
        case COUNT_BATCHES: settings.count_batches = true; break;
        case ENABLE:
        case DISABLE:
            if (action && action != opt) {
                cli_error("--enable and --disable: which of the two?");
                return EXIT_USAGE;
            }
            action = opt;
            break;
        case 'h': fputs(help, stdout); return EXIT_OK;
        default: return EXIT_USAGE;
        }
    }
    if (optind < argc)
        return cli_wrong_use(argv, "unexpected argument '%s'", argv[optind]);
    if ((settings.combine_threads || settings.count_batches) && !settings.public_key && action != DISABLE) {
        cli_error("%s is about public keys: give --public-key, too",
                  settings.combine_threads ? "--combine-threads" : "--count-batches");
        return EXIT_USAGE;
    }
    if (action == DISABLE)
        return disable(file_arg, module_arg);
    if (!ossl_open(&o, NULL, err, sizeof(err))) {
        cli_error("openssl-conf: the system's libcrypto: %s", err);
        return EXIT_FAILED;
    }
    if (module_arg && !realpath(module_arg, module)) {
        cli_error("openssl-conf: --module %s: %s", module_arg, strerror(errno));
        return EXIT_FAILED;
    }
    if (!module_arg && !find_module(module))
        return EXIT_FAILED;
    if (!ossl_check_module(module, err, sizeof(err))) {
        cli_error("openssl-conf: %s", err);
        return EXIT_FAILED;
    }

    find_system_file(&o, system_file);
    if (file_arg && (!realpath(file_arg, file) || stat(file, &st) != 0)) {
        cli_error("openssl-conf: --include %s: %s", file_arg, strerror(errno));
        return EXIT_FAILED;
    }
    if (file_arg && S_ISDIR(st.st_mode)) {
        cli_error("openssl-conf: --include %s: %s", file_arg, strerror(EISDIR));
        return EXIT_FAILED;
    }
    if (!file_arg)
        strcpy(file, system_file);
    if (strpbrk(module, "\r\n") || strpbrk(file, "\r\n")) {
        cli_error("openssl-conf: '%s' has a line break, which the name of a file in a configuration can't have",
                  strpbrk(module, "\r\n") ? module : file);
        return EXIT_FAILED;
    }
    if (action == ENABLE && !conf_edit_begin(&edit, file))
        return EXIT_FAILED;
    /* Where only the library is installed there is no file. */
    if (file_arg || access(file, F_OK) == 0) {
        conf = ossl_read_conf(&o, action == ENABLE ? edit.copy : file, &line);
        if (!conf) {
            if (action == ENABLE)
                conf_edit_end(&edit);
            if (line > 0)
                cli_error("openssl-conf: %s: OpenSSL can't parse line %ld", file, line);
            else
                cli_error("openssl-conf: %s: OpenSSL can't read it", file);
            return EXIT_FAILED;
        }
    }
    in.init = or_else(conf ? o.NCONF_get_string(conf, NULL, "openssl_conf") : NULL, "lanecrypt_init");
    in.providers = or_else(conf ? ossl_conf_value(&o, conf, in.init, "providers") : NULL, "lanecrypt_providers");
    in.algorithms = or_else(conf ? ossl_conf_value(&o, conf, in.init, "alg_section") : NULL, "lanecrypt_algorithms");
    in.default_provider = or_else(conf ? ossl_conf_value(&o, conf, in.providers, "default") : NULL, "lanecrypt_default_provider");
    in.lanecrypt = or_else(conf ? ossl_conf_value(&o, conf, in.providers, "lanecrypt") : NULL, "lanecrypt_provider");
    in.has_nodejs = conf && o.NCONF_get_string(conf, NULL, "nodejs_conf");
    bool ok = !conf || can_be_joined(&o, conf, file, &in);

    if (ok && action == ENABLE) {
        status = enable(&edit, &o, &settings, &in);
    } else if (ok) {
        print_conf(conf ? file : NULL, file_arg ? NULL : system_file, &settings, &in);
        status = EXIT_OK;
    }
    o.NCONF_free(conf);
    if (action == ENABLE)
        conf_edit_end(&edit);
    return status;
}
