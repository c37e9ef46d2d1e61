/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* `lanecrypt doctor`: asks libcrypto which provider serves each cipher, and looks for the reason if that isn't lanecrypt. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "doctor.h"
#include "lanecrypt/cpu.h"
#include "ossl.h"

static const struct { const char *name, *mode; } ciphers[] = {
    { "AES-128-GCM", "gcm" }, { "AES-192-GCM", "gcm" }, { "AES-256-GCM", "gcm" },
    { "ChaCha20-Poly1305", "chacha20-poly1305" },
    { "AES-128-CTR", "ctr" }, { "AES-192-CTR", "ctr" }, { "AES-256-CTR", "ctr" }, { "ChaCha20", "chacha20" },
    { "AES-128-XTS", "xts" }, { "AES-256-XTS", "xts" },
};
enum { NUM_CIPHERS = sizeof(ciphers) / sizeof(ciphers[0]) };

struct diagnosis {
    const struct doctor_target *t;
    struct ossl o;
    bool is_loaded;             /* the configuration has activated lanecrypt */
    const char *info, *version; /* what lanecrypt says of itself */

    /* The configuration, as far as it is there: conf is NULL if it can't be read. */
    char file[PATH_MAX];
    bool from_env;              /* OPENSSL_CONF names the file */
    void *conf;
    long line;                  /* of a syntax error, or 0 */
    const char *init, *providers, *lanecrypt, *algorithms;       /* names of sections, or NULL */
    char module[PATH_MAX];
    const char *module_origin;  /* who says that it is there */

    char why[PATH_MAX * 2], remedy[PATH_MAX * 2];
};

static void row(const char *label, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void because(struct diagnosis *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void cure(struct diagnosis *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void row(const char *label, const char *fmt, ...)
{
    va_list args;

    printf("%-14s ", label);
    va_start(args, fmt);
    vprintf(fmt, args);
    va_end(args);
    putchar('\n');
}

static void because(struct diagnosis *d, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(d->why, sizeof(d->why), fmt, args);
    va_end(args);
}

static void cure(struct diagnosis *d, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(d->remedy, sizeof(d->remedy), fmt, args);
    va_end(args);
}

static const char *time_text(time_t when, char text[32])
{
    struct tm tm;

    strftime(text, 32, "%F %T", localtime_r(&when, &tm));
    return text;
}

/* ---- What libcrypto does ---- */

/* The configuration may give the module any name: what it says itself counts. */
static bool is_lanecrypt(const struct ossl *o, const void *prov, const char **version, const char **info)
{
    const char *name = NULL;
    struct ossl_param params[] = {
        { "name", OSSL_PARAM_UTF8_PTR, &name, 0, 0 },
        { "version", OSSL_PARAM_UTF8_PTR, version, 0, 0 },
        { "buildinfo", OSSL_PARAM_UTF8_PTR, info, 0, 0 },
        { NULL, 0, NULL, 0, 0 },
    };

    *version = *info = NULL;
    return o->OSSL_PROVIDER_get_params(prov, params) == 1 && name && strcmp(name, "lanecrypt") == 0;
}

static int see_provider(void *prov, void *arg)
{
    struct diagnosis *d = arg;
    const char *version, *info;

    if (is_lanecrypt(&d->o, prov, &version, &info)) {
        d->is_loaded = true;
        d->version = version;
        d->info = info;
    }
    return 1;
}

/* Prints a cipher's line of the table.  Returns whether it is lanecrypt's; *winner gets the provider's name, or NULL. */
static bool print_cipher(const struct diagnosis *d, const char *name, char winner[64])
{
    const char *version, *info;
    void *cipher = d->o.EVP_CIPHER_fetch(NULL, name, NULL);
    const void *prov = cipher ? d->o.EVP_CIPHER_get0_provider(cipher) : NULL;
    bool ours = prov && is_lanecrypt(&d->o, prov, &version, &info);
    char key[64];
    const char *impl;

    snprintf(key, sizeof(key), "%s: ", name);
    impl = ours && info ? strstr(info, key) : NULL;
    impl = impl ? impl + strlen(key) : "-";
    snprintf(winner, 64, "%s", prov ? d->o.OSSL_PROVIDER_get0_name(prov) : "nobody");
    printf("%-18s %-10s %.*s\n", name, winner, (int)strcspn(impl, ","), impl);
    if (cipher)
        d->o.EVP_CIPHER_free(cipher);
    return ours;
}

/* Does lanecrypt have the cipher, whoever comes first? */
static bool is_offered(const struct diagnosis *d, const char *name)
{
    void *cipher = d->o.EVP_CIPHER_fetch(NULL, name, "provider=lanecrypt");

    if (cipher)
        d->o.EVP_CIPHER_free(cipher);
    return cipher != NULL;
}

/* ---- The configuration ---- */

static void read_configuration(struct diagnosis *d)
{
    const char *conf_env = d->t->is_secure ? NULL : getenv("OPENSSL_CONF");
    const char *dir = d->t->is_secure ? NULL : getenv("OPENSSL_MODULES"), *name = NULL;
    char *file = d->o.CONF_get1_default_config_file();

    d->from_env = conf_env != NULL;
    snprintf(d->file, sizeof(d->file), "%s", file ? file : "");
    d->conf = *d->file ? ossl_read_conf(&d->o, d->file, &d->line) : NULL;
    if (d->conf) {
        d->init = d->o.NCONF_get_string(d->conf, NULL, "openssl_conf");
        d->providers = ossl_conf_value(&d->o, d->conf, d->init, "providers");
        d->algorithms = ossl_conf_value(&d->o, d->conf, d->init, "alg_section");
        d->lanecrypt = ossl_conf_value(&d->o, d->conf, d->providers, "lanecrypt");
        name = ossl_conf_value(&d->o, d->conf, d->lanecrypt, "module");
    }
    d->module_origin = name ? "by the configuration" : dir ? "by OPENSSL_MODULES" : "OpenSSL's directory";
    if (!dir)
        dir = d->o.OPENSSL_info(OSSL_INFO_MODULES_DIR);
    if (!name)
        name = "lanecrypt.so";
    snprintf(d->module, sizeof(d->module), *name == '/' ? "%s%s" : "%s/%s", *name == '/' ? "" : dir ? dir : "", name);
}

static void cure_by_configuration(struct diagnosis *d)
{
    if (d->t->is_secure)
        cure(d, "what `lanecrypt openssl-conf` prints has to be included by that file");
    else if (*d->t->unit)
        cure(d, "lanecrypt openssl-conf >/etc/ssl/lanecrypt.cnf; in `systemctl edit %s`, under [Service]: "
             "Environment=OPENSSL_CONF=/etc/ssl/lanecrypt.cnf", d->t->unit);
    else if (d->from_env && d->conf)
        cure(d, "`lanecrypt openssl-conf --include %s` prints a configuration with these settings and lanecrypt", d->file);
    else
        cure(d, "lanecrypt openssl-conf >/etc/ssl/lanecrypt.cnf; then start it with OPENSSL_CONF=/etc/ssl/lanecrypt.cnf");
}

/* lanecrypt isn't active: the first thing in the way of it. */
static void explain_not_loaded(struct diagnosis *d)
{
    const char *whose = d->t->is_secure ? ", as it has other rights than its caller and ignores OPENSSL_CONF"
                      : d->from_env     ? ""
                                        : ", as OPENSSL_CONF isn't set";
    char err[1024];

    cure_by_configuration(d);
    if (!*d->file) {
        because(d, "OPENSSL_CONF is empty, so no configuration is read");
    } else if (!d->conf) {
        if (access(d->file, R_OK) != 0)
            because(d, "the configuration is %s%s: %s", d->file, whose, strerror(errno));
        else
            because(d, "OpenSSL can't parse %s, line %ld", d->file, d->line);
    } else if (!d->init) {
        because(d, "%s has no line `openssl_conf = SECTION` before its first section, so nothing of it is used", d->file);
    } else if (!d->lanecrypt) {
        because(d, "the configuration is %s%s, and doesn't name lanecrypt among the providers", d->file, whose);
    } else if (!ossl_conf_activates(&d->o, d->conf, d->lanecrypt)) {
        because(d, "lanecrypt isn't activated: [%s] in %s lacks `activate = 1`", d->lanecrypt, d->file);
        cure(d, "add that line");
    } else if (access(d->module, R_OK) != 0) {
        because(d, "the module is missing: %s (%s): %s", d->module, d->module_origin, strerror(errno));
        cure(d, "install it (`cmake --install`), or say `module = FILE` in [%s] of %s", d->lanecrypt, d->file);
    } else if (!ossl_check_module(d->module, err, sizeof(err))) {
        because(d, "the module can't be loaded: %s", err);
        cure(d, "install the one of this version and machine (`cmake --install`)");
    } else {
        because(d, "%s activates lanecrypt and the module can be loaded, but OpenSSL gave up before that", d->file);
        cure(d, "look for an error in the settings of [%s] that come before it; `config_diagnostics = 1` in the first section "
             "shows some", d->init);
    }
}

/* lanecrypt is active and has the cipher, but another provider serves it. */
static void explain_order(struct diagnosis *d, const char *winner)
{
    const char *query = d->conf ? ossl_conf_value(&d->o, d->conf, d->algorithms, "default_properties") : NULL;

    if (query && *query)
        because(d, "order: default_properties = %s in [%s] of %s prefers %s", query, d->algorithms, d->file, winner);
    else
        because(d, "order: %s comes before lanecrypt, and there are no default_properties in %s that say otherwise", winner,
                d->file);
    if (d->algorithms)
        cure(d, "let `default_properties = ?provider=lanecrypt` stand in [%s]", d->algorithms);
    else
        cure(d, "add `alg_section = algorithms` to [%s], and a section [algorithms] with "
             "`default_properties = ?provider=lanecrypt`", d->init ? d->init : "?");
}

/* lanecrypt is active, and doesn't have the cipher. */
static void explain_left_out(struct diagnosis *d, size_t cipher)
{
    struct lc_impl_info info;
    const char *word = lc_env_problem(), *name = ciphers[cipher].name;
    size_t i = 0;

    while (lc_impl_get(ciphers[cipher].mode, i, &info) == LC_OK && !info.selected)
        i++;
    if (word) {
        because(d, "lanecrypt offers no %s: LANECRYPT_DISABLE or LANECRYPT_IMPL has '%.*s', which is unknown or can't run here",
                name, (int)strcspn(word, ","), word);
        cure(d, "take it out of the environment");
    } else if (strstr(info.name, "-portable")) {
        because(d, "lanecrypt offers no %s: it has only portable code for it here, slower than OpenSSL's, as the CPU lacks the "
                "instructions or LANECRYPT_DISABLE or LANECRYPT_IMPL leaves nothing else", name);
        cure(d, "`lanecrypt list %s` shows what is needed; `lanecrypt cpu`, what is there", ciphers[cipher].mode);
    } else {
        because(d, "lanecrypt offers no %s: it failed its self-test with %s, and OpenSSL serves it instead", name, info.name);
        cure(d, "please report it, with what `lanecrypt selftest` prints");
    }
}

/* ---- All together ---- */

/* It would be served, but the process hasn't loaded the module. */
static void explain_process(struct diagnosis *d)
{
    char changed[32], started[32];
    struct stat st;

    time_text(d->t->started, started);
    if (stat(d->file, &st) == 0 && st.st_mtime > d->t->started)
        because(d, "process %d hasn't loaded lanecrypt.so: it was started %s, and %s changed later, %s", d->t->pid, started,
                d->file, time_text(st.st_mtime, changed));
    else if (stat(d->module, &st) == 0 && st.st_ctime > d->t->started)
        because(d, "process %d hasn't loaded lanecrypt.so: it was started %s, and %s was installed later, %s", d->t->pid, started,
                d->module, time_text(st.st_ctime, changed));
    else if (d->t->own_context)
        because(d, "process %d hasn't loaded lanecrypt.so: %s makes library contexts of its own, which read no configuration",
                d->t->pid, d->t->own_context);
    else
        because(d, "process %d hasn't loaded lanecrypt.so: it has used no OpenSSL yet, or doesn't let it read its configuration",
                d->t->pid);
    if (*d->t->unit)
        cure(d, "systemctl restart %s; if it still hasn't when it has used a cipher, the program doesn't take settings",
             d->t->unit);
    else
        cure(d, "start it again; if it still hasn't when it has used a cipher, the program doesn't take settings");
}

static int print_verdict(const struct diagnosis *d, bool ok)
{
    if (!ok)
        printf("%-14s %s\n%-14s %s\n", "why", d->why, "remedy", d->remedy);
    return ok ? EXIT_OK : EXIT_FAILED;
}

static void print_process(const struct doctor_target *t)
{
    char started[32];

    row("process", "%d, started %s%s%s", t->pid, time_text(t->started, started), *t->unit ? ", of " : "", t->unit);
    row("program", "%s", t->file);
    row("loaded", "%s%s", *t->module ? t->module : "no lanecrypt.so",
        t->was_replaced ? ", which was replaced or deleted since: start the process again" : "");
    if (!t->env)
        row("environment", "overwritten by the process; instead of it that of `lanecrypt doctor` counts below");
}

/* What can be told without asking a libcrypto.  Returns an exit status, or -1 if there is more to find out. */
static int diagnose_kind(struct diagnosis *d)
{
    const struct doctor_target *t = d->t;

    if (t->is_elsewhere) {
        if (*t->module)
            because(d, "process %d has loaded lanecrypt.so; but it sees other files, those of a container, so there is no more to "
                    "tell", t->pid);
        else
            because(d, "process %d hasn't loaded lanecrypt.so; and it sees other files, those of a container", t->pid);
        cure(d, "run `lanecrypt doctor` in there");
    } else if (t->own_context && strstr(t->own_context, "/libcryptsetup.so") && !*t->module) {
        because(d, "%s makes library contexts of its own, which read no configuration: OpenSSL's default provider serves it",
                t->own_context);
        cure(d, "none is needed: volumes are encrypted by the kernel (`lanecrypt list --kernel`), libcrypto only does headers");
    } else if (!t->libcrypto && !t->own_openssl) {
        because(d, "%s %s no libcrypto%s%s%s", t->file, t->pid ? "has loaded" : "needs", t->other_tls ? ", but has " : "",
                t->other_tls ? t->other_tls : "", t->pid ? "" : "; it could only load one later, for a plug-in");
        if (t->pid)
            cure(d, "none: lanecrypt's provider is for OpenSSL");
        else if (t->script)
            cure(d, "name the program that the script %s starts, or ask its process by --pid", t->script);
        else
            cure(d, "name the file of the plug-in (`lanecrypt doctor /usr/lib/.../x.so`), or ask a running process by --pid");
    } else if (!t->libcrypto && !t->is_secure && !getenv("OPENSSL_CONF")) {
        because(d, "%s has %s inside; OPENSSL_CONF isn't set, and which file it reads instead was decided when it was built",
                t->own_openssl, t->own_version);
        cure_by_configuration(d);
    } else {
        return -1;
    }
    return print_verdict(d, false);
}

static void print_facts(const struct diagnosis *d)
{
    const struct doctor_target *t = d->t;
    const char *version = d->o.OpenSSL_version(OSSL_VERSION_TEXT);

    if (t->libcrypto)
        row("libcrypto", "%s (%s)", t->libcrypto, version);
    else
        row("libcrypto", "%s inside of %s; below answers the system's (%s)", t->own_version, t->own_openssl, version);
    if (t->libcrypto && t->own_openssl)
        row("besides", "%s has %s inside, which isn't asked", t->own_openssl, t->own_version);
    row("configuration", "%s (%s)", d->file, d->from_env ? "by OPENSSL_CONF" : "the system's");
    if (d->is_loaded)
        row("provider", "%s (%s; lanecrypt %s)", d->module, d->module_origin, d->version);
    else
        row("provider", "%s (%s; %s)", d->module, d->module_origin, access(d->module, F_OK) == 0 ? "not loaded" : "missing");
}

/* Everything that has an answer is lanecrypt's.  Is that all, or is there something that makes it doubtful? */
static bool is_certain(struct diagnosis *d)
{
    const struct doctor_target *t = d->t;

    if (t->pid) {
        if (!*t->module)
            explain_process(d);
        return *t->module;
    }
    if (!t->libcrypto) {
        because(d, "that is what the system's libcrypto does with this configuration; what %s does, only a process shows",
                t->own_openssl);
        cure(d, "start it, and ask `lanecrypt doctor --pid PID`; most such programs read OPENSSL_CONF, as Python's cryptography "
             "does");
        return false;
    }
    if (t->own_context) {
        because(d, "%s makes library contexts of its own, which read no configuration; what it uses for ciphers, only a process "
                "shows", t->own_context);
        cure(d, "start it, and ask `lanecrypt doctor --pid PID`");
        return false;
    }
    if (d->from_env)
        puts("OPENSSL_CONF is that of this shell; a service needs it in its unit: `lanecrypt doctor --pid PID` asks a running "
             "one.");
    return true;
}

/* The table and what follows from it.  Returns an exit status. */
static int diagnose_ciphers(struct diagnosis *d)
{
    char winner[64], first_winner[64] = "";
    int num_served = 0, left_out = -1;
    bool is_running;

    printf("\n%-18s %-10s %s\n", "cipher", "provider", "implementation");
    for (int i = 0; i < NUM_CIPHERS; i++) {
        if (print_cipher(d, ciphers[i].name, winner))
            num_served++;
        else if (is_offered(d, ciphers[i].name))
            strcpy(first_winner, winner);
        else if (left_out < 0)
            left_out = i;
    }
    is_running = !d->t->pid || (*d->t->module && num_served == NUM_CIPHERS);
    printf("\n%s %d of %d ciphers.\n", is_running ? "lanecrypt serves" : "Started now, lanecrypt would serve", num_served,
           NUM_CIPHERS);

    if (num_served == NUM_CIPHERS)
        return print_verdict(d, is_certain(d));
    if (!d->is_loaded && *d->t->module && !d->t->env) {
        because(d, "process %d has loaded lanecrypt.so, but not by the configuration above", d->t->pid);
        cure(d, "OPENSSL_CONF=FILE lanecrypt doctor --pid %d, with the file that the process was started with", d->t->pid);
    } else if (!d->is_loaded) {
        explain_not_loaded(d);
    } else if (*first_winner) {
        explain_order(d, first_winner);
    } else {
        explain_left_out(d, (size_t)left_out);
    }
    return print_verdict(d, false);
}

int doctor_diagnose(const struct doctor_target *t)
{
    static const char *const variables[] = { "OPENSSL_CONF", "OPENSSL_MODULES", "LANECRYPT_DISABLE", "LANECRYPT_IMPL" };
    static struct diagnosis d;
    char err[1024];
    int status;

    d.t = t;
    if (t->env)
        environ = t->env;
    for (size_t i = 0; t->is_secure && i < sizeof(variables) / sizeof(variables[0]); i++)
        unsetenv(variables[i]);
    if (t->pid) {
        snprintf(err, sizeof(err), "/proc/%d/cwd", t->pid); /* for names of files that begin there */
        if (chdir(err) != 0)
            row("directory", "that of `lanecrypt doctor`, as %s can't be read: %s", err, strerror(errno));
        print_process(t);
    } else {
        if (t->script)
            row("script", "%s", t->script);
        row("program", "%s", t->file);
        if (*t->plug_in)
            row("module", "%s", t->plug_in);
    }
    status = diagnose_kind(&d);
    if (status >= 0)
        return status;
    if (!ossl_open(&d.o, t->libcrypto, err, sizeof(err))) {
        row("libcrypto", "%s", t->libcrypto ? t->libcrypto : "the system's");
        because(&d, "it can't be asked: %s", err);
        cure(&d, "none, but a libcrypto of OpenSSL 3.0 or later that a program of this kind can load");
        return print_verdict(&d, false);
    }
    d.o.OPENSSL_init_crypto(OSSL_INIT_LOAD_CONFIG, NULL);
    d.o.OSSL_PROVIDER_do_all(NULL, see_provider, &d);
    read_configuration(&d);
    print_facts(&d);
    return diagnose_ciphers(&d);
}
