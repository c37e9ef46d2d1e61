/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* `lanecrypt doctor`: asks libcrypto which provider serves each cipher, and looks for the reason if that isn't lanecrypt. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "doctor.h"
#include "lanecrypt/cpu.h"
#include "ossl.h"

static const struct {
    const char *name, *mode, *group; /* as libcrypto, the library, and `openssl-conf --only` call it */
} ciphers[] = {
    { "AES-128-GCM", "gcm", "aes-gcm" }, { "AES-192-GCM", "gcm", "aes-gcm" },
    { "AES-256-GCM", "gcm", "aes-gcm" }, { "ChaCha20-Poly1305", "chacha20-poly1305", "chacha20-poly1305" },
    { "AES-128-CTR", "ctr", "aes-ctr" }, { "AES-192-CTR", "ctr", "aes-ctr" },
    { "AES-256-CTR", "ctr", "aes-ctr" }, { "ChaCha20", "chacha20", "chacha20" },
    { "AES-128-XTS", "xts", "aes-xts" }, { "AES-256-XTS", "xts", "aes-xts" },
};
enum { NUM_CIPHERS = sizeof(ciphers) / sizeof(ciphers[0]) };

struct diagnosis {
    struct doctor_target *t;
    json_t *report;
    struct ossl o;
    bool is_started;            /* OpenSSL has taken its configuration without an error */
    bool is_loaded;             /* lanecrypt is active, by the configuration or as the next one says */
    bool is_of_program;         /* loaded here as the process itself has done it, without the configuration */
    const char *info, *version; /* what lanecrypt says of itself */

    /* The configuration, as far as it is there: conf is NULL if it can't be read. */
    char file[PATH_MAX];
    bool from_env;              /* OPENSSL_CONF names the file */
    void *conf;
    long line;                  /* of a syntax error, or 0 */
    const char *init, *providers, *lanecrypt, *algorithms;       /* names of sections, or NULL */
    char module[PATH_MAX];
    const char *module_origin;  /* who says that it is there */
};

static void because(struct diagnosis *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void cure(struct diagnosis *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* For a command that somebody may copy: names that a process's owner has chosen don't belong there. */
static const char *name_for_command(const struct diagnosis *d, const char *name, const char *otherwise)
{
    return d->t->pid ? otherwise : name;
}

static void put_text(json_t *object, const char *key, const char *fmt, va_list args)
{
    char *text, *escaped = NULL;

    if (vasprintf(&text, fmt, args) < 0)
        return;
    escaped = cli_escape(text);
    json_object_set_new(object, key, json_string(escaped ? escaped : ""));
    free(escaped);
    free(text);
}

void doctor_put(json_t *object, const char *key, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    put_text(object, key, fmt, args);
    va_end(args);
}

static void because(struct diagnosis *d, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    put_text(d->report, "why", fmt, args);
    va_end(args);
}

static void cure(struct diagnosis *d, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    put_text(d->report, "remedy", fmt, args);
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

/* Adds a cipher's line to the table.  Returns whether it is lanecrypt's; *winner gets the provider's name. */
static bool add_cipher(const struct diagnosis *d, json_t *table, const char *name, const char *query, char winner[64])
{
    const char *version, *info;
    void *cipher = d->o.EVP_CIPHER_fetch(NULL, name, query);
    const void *prov = cipher ? d->o.EVP_CIPHER_get0_provider(cipher) : NULL;
    bool ours = prov && is_lanecrypt(&d->o, prov, &version, &info);
    json_t *line = json_object();
    char key[64];
    const char *impl;

    snprintf(key, sizeof(key), "%s: ", name);
    impl = ours && info ? strstr(info, key) : NULL;
    snprintf(winner, 64, "%s", prov ? d->o.OSSL_PROVIDER_get0_name(prov) : "nobody");
    doctor_put(line, "cipher", "%s", name);
    doctor_put(line, "provider", "%s", winner);
    if (impl)
        doctor_put(line, "implementation", "%.*s", (int)strcspn(impl + strlen(key), ","), impl + strlen(key));
    json_array_append_new(table, line);
    if (cipher)
        d->o.EVP_CIPHER_free(cipher);
    return ours;
}

/* The ciphers that the configuration asks lanecrypt for, or NULL: all. */
static const char *asked_ciphers(const struct diagnosis *d)
{
    return d->conf && !d->is_of_program ? ossl_conf_value(&d->o, d->conf, d->lanecrypt, "ciphers") : NULL;
}

/* Is the cipher of none of the groups that are asked for? */
static bool is_left(const char *groups, const char *group)
{
    for (; groups && *groups; groups += strspn(groups, ", \t")) {
        size_t len = strcspn(groups, ", \t");

        if (len == strlen(group) && strncasecmp(groups, group, len) == 0)
            return false;
        groups += len;
    }
    return groups != NULL;
}

/* Does lanecrypt have the cipher, whoever comes first? */
static bool is_offered(const struct diagnosis *d, const char *name)
{
    void *cipher = d->o.EVP_CIPHER_fetch(NULL, name, "provider=lanecrypt");

    if (cipher)
        d->o.EVP_CIPHER_free(cipher);
    return cipher != NULL;
}

/* How one asks for an algorithm of a kind */
struct fetcher {
    void *(*fetch)(void *ctx, const char *name, const char *properties);
    const void *(*get0_provider)(const void *found);
    void (*free)(void *found);
};

/* Who serves signatures, key exchanges and the rest: the names as `openssl-conf --public-key` has them, and OpenSSL's. */
static void add_public_keys(const struct diagnosis *d, const char *query)
{
    const struct fetcher signature = { d->o.EVP_SIGNATURE_fetch, d->o.EVP_SIGNATURE_get0_provider, d->o.EVP_SIGNATURE_free };
    const struct fetcher exchange = { d->o.EVP_KEYEXCH_fetch, d->o.EVP_KEYEXCH_get0_provider, d->o.EVP_KEYEXCH_free };
    const struct fetcher hash = { d->o.EVP_MD_fetch, d->o.EVP_MD_get0_provider, d->o.EVP_MD_free };
    const struct fetcher derivation = { d->o.EVP_KDF_fetch, d->o.EVP_KDF_get0_provider, d->o.EVP_KDF_free };
    const struct fetcher mac = { d->o.EVP_MAC_fetch, d->o.EVP_MAC_get0_provider, d->o.EVP_MAC_free };
    const struct {
        const char *name, *algorithm;
        const struct fetcher *by;
    } all[] = { { "rsa", "RSA", &signature },
                { "ecdsa", "ECDSA", &signature },
                { "ed25519", "ED25519", &signature },
                { "sm2", "SM2", &signature },
                { "ecdh", "ECDH", &exchange },
                { "x25519", "X25519", &exchange },
                { "sm3", "SM3", &hash },
                { "tls13-kdf", "TLS13-KDF", &derivation },
                { "hmac", "HMAC", &mac } };
    json_t *table = json_array();
    int num_served = 0;

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        const char *version, *info;
        void *found = all[i].by->fetch(NULL, all[i].algorithm, query);
        const void *prov = found ? all[i].by->get0_provider(found) : NULL;
        json_t *line = json_object();

        num_served += prov && is_lanecrypt(&d->o, prov, &version, &info);
        doctor_put(line, "algorithm", "%s", all[i].name);
        doctor_put(line, "provider", "%s", prov ? d->o.OSSL_PROVIDER_get0_name(prov) : "nobody");
        json_array_append_new(table, line);
        if (found)
            all[i].by->free(found);
    }
    json_object_set_new(d->report, "public_keys", table);
    json_object_set_new(d->report, "num_public_keys_served", json_integer(num_served));
}

/* ---- The configuration ---- */

static void read_configuration(struct diagnosis *d)
{
    const char *conf_env = d->t->is_secure ? NULL : getenv("OPENSSL_CONF");
    const char *dir = d->t->is_secure ? NULL : getenv("OPENSSL_MODULES"), *name = NULL;
    char *file = d->o.CONF_get1_default_config_file();

    d->from_env = conf_env != NULL;
    /* The system's is often a link to the name that people know. */
    if (!file || d->from_env || !realpath(file, d->file))
        snprintf(d->file, sizeof(d->file), "%s", file ? file : "");
    d->conf = *d->file ? ossl_read_conf(&d->o, d->file, &d->line) : NULL;
    if (d->conf) {
        d->init = d->o.NCONF_get_string(d->conf, NULL, "openssl_conf");
        d->providers = ossl_conf_value(&d->o, d->conf, d->init, "providers");
        d->algorithms = ossl_conf_value(&d->o, d->conf, d->init, "alg_section");
        d->lanecrypt = ossl_conf_value(&d->o, d->conf, d->providers, "lanecrypt");
        name = ossl_conf_value(&d->o, d->conf, d->lanecrypt, "module");
    }
    d->module_origin = name ? "the configuration" : dir ? "OPENSSL_MODULES" : "OpenSSL";
    if (!dir)
        dir = d->o.OPENSSL_info(OSSL_INFO_MODULES_DIR);
    if (!name)
        name = "lanecrypt.so";
    snprintf(d->module, sizeof(d->module), *name == '/' ? "%s%s" : "%s/%s", *name == '/' ? "" : dir ? dir : "", name);
}

static const char *default_properties(const struct diagnosis *d)
{
    const char *query = d->conf ? ossl_conf_value(&d->o, d->conf, d->algorithms, "default_properties") : NULL;

    return query && *query ? query : NULL;
}

static void cure_by_configuration(struct diagnosis *d)
{
    if (d->t->is_secure)
        cure(d, "include the output of `lanecrypt openssl-conf` in that file");
    else if (*d->t->unit)
        cure(d,
             "lanecrypt openssl-conf >/etc/ssl/lanecrypt.cnf; then in `systemctl edit %s`, under [Service]: "
             "Environment=OPENSSL_CONF=/etc/ssl/lanecrypt.cnf",
             d->t->unit);
    else if (d->from_env && d->conf)
        cure(d, "`lanecrypt openssl-conf --include %s` prints a configuration with these settings and lanecrypt",
             name_for_command(d, d->file, "FILE"));
    else
        cure(d, "lanecrypt openssl-conf >/etc/ssl/lanecrypt.cnf; then start it with OPENSSL_CONF=/etc/ssl/lanecrypt.cnf");
}

/* lanecrypt isn't active: the first thing in the way of it. */
static void explain_not_loaded(struct diagnosis *d)
{
    const char *whose = d->t->is_secure ? ", as the program has other rights than its caller and ignores OPENSSL_CONF"
                        : d->from_env   ? ""
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
    } else if (access(d->module, R_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
        because(d, "the module is missing: %s (by %s): %s", d->module, d->module_origin, strerror(errno));
        cure(d, "install it (`cmake --install`), or write `module = FILE` in [%s] of %s", d->lanecrypt, d->file);
    } else if (access(d->module, R_OK) != 0) {
        because(d, "the module can't be read: %s (by %s): %s", d->module, d->module_origin, strerror(errno));
        cure(d, "let all users read it and enter the folders above it (`chmod`)");
    } else if (!ossl_check_module(d->module, err, sizeof(err))) {
        because(d, "the module can't be loaded: %s", err);
        cure(d, "install the module of this version for this machine (`cmake --install`)");
    } else {
        because(d, "%s activates lanecrypt and the module can be loaded, but OpenSSL gave up before that", d->file);
        cure(d,
             "look for an error in the settings of [%s] that come before it; `config_diagnostics = 1` in the first section "
             "makes OpenSSL report some",
             d->init);
    }
}

/*
 * A configuration that programs can't work with, whoever serves the ciphers.  Hashes and random numbers are what all of them need,
 * and lanecrypt has none.
 */
static void find_breakage(struct diagnosis *d)
{
    void *md = d->o.EVP_MD_fetch(NULL, "SHA2-256", NULL), *rand = d->o.EVP_RAND_fetch(NULL, "CTR-DRBG", NULL);
    bool has_both = md && rand;

    if (md)
        d->o.EVP_MD_free(md);
    if (rand)
        d->o.EVP_RAND_free(rand);
    if (has_both && d->is_started)
        return;
    if (!d->is_started) {
        because(d,
                "programs break with this configuration: OpenSSL finds an error in %s and, because of `config_diagnostics`, "
                "refuses to work; programs that check for this end",
                d->file);
        cure(d, "run `openssl list -providers` with this configuration to see the error, or remove `config_diagnostics`");
    } else if (default_properties(d) && d->o.OSSL_PROVIDER_available(NULL, "default")) {
        because(d,
                "programs break with this configuration: default_properties = %s in [%s] of %s leaves no hashes and no random "
                "numbers",
                default_properties(d), d->algorithms, d->file);
        cure(d, "write `default_properties = ?provider=lanecrypt` there: `?` lets others serve what lanecrypt doesn't have");
    } else {
        because(d,
                "programs break with this configuration: %s activates providers but not `default`, so there are no hashes and "
                "no random numbers",
                d->file);
        cure(d, "add `default = default_provider` to [%s], and a section [default_provider] with `activate = 1`",
             d->providers ? d->providers : "?");
    }
    json_object_set_new(d->report, "breaks_programs", json_true());
}

/* lanecrypt is active and has the cipher, but another provider serves it. */
static void explain_order(struct diagnosis *d, const char *winner)
{
    const char *query = default_properties(d);

    if (query)
        because(d, "order: default_properties = %s in [%s] of %s prefers %s", query, d->algorithms, d->file, winner);
    else
        because(d, "order: %s comes before lanecrypt, and no default_properties in %s say otherwise", winner, d->file);
    if (d->algorithms)
        cure(d, "write `default_properties = ?provider=lanecrypt` in [%s]", d->algorithms);
    else
        cure(d,
             "add `alg_section = algorithms` to [%s], and a section [algorithms] with "
             "`default_properties = ?provider=lanecrypt`",
             d->init ? d->init : "?");
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
        cure(d, "remove it from the environment");
    } else if (strstr(info.name, "-portable")) {
        because(d,
                "lanecrypt offers no %s: it has only portable code for it here, which is slower than OpenSSL's; the CPU lacks "
                "the instructions, or LANECRYPT_DISABLE or LANECRYPT_IMPL leaves nothing else",
                name);
        cure(d, "`lanecrypt list %s` shows what is needed, `lanecrypt cpu` what this CPU has", ciphers[cipher].mode);
    } else {
        because(d, "lanecrypt offers no %s: it failed its self-test with %s, so OpenSSL serves it instead", name, info.name);
        cure(d, "please report this, with the output of `lanecrypt selftest`");
    }
}

/* ---- All together ---- */

static bool is_newer_than_process(const struct diagnosis *d, time_t *changed)
{
    struct stat st;

    *changed = *d->file && stat(d->file, &st) == 0 ? st.st_mtime : 0;
    return d->t->pid && *changed > d->t->started;
}

/* It would be served, but the process hasn't loaded the module. */
static void explain_process(struct diagnosis *d)
{
    char text[32], started[32];
    time_t changed;
    struct stat st;

    time_text(d->t->started, started);
    if (is_newer_than_process(d, &changed))
        because(d, "process %d hasn't loaded lanecrypt.so: it was started %s, and %s changed later, %s", d->t->pid, started,
                d->file, time_text(changed, text));
    else if (stat(d->module, &st) == 0 && st.st_ctime > d->t->started)
        because(d, "process %d hasn't loaded lanecrypt.so: it was started %s, and %s was installed later, %s", d->t->pid, started,
                d->module, time_text(st.st_ctime, text));
    else if (d->t->own_context)
        because(d, "process %d hasn't loaded lanecrypt.so: %s makes library contexts of its own, which read no configuration",
                d->t->pid, d->t->own_context);
    else
        because(d, "process %d hasn't loaded lanecrypt.so: it hasn't used OpenSSL yet, or doesn't let it read its configuration",
                d->t->pid);
    if (*d->t->unit)
        cure(d, "systemctl restart %s; if that doesn't help once it has used a cipher, the program ignores the configuration",
             d->t->unit);
    else
        cure(d, "restart it; if that doesn't help once it has used a cipher, the program ignores the configuration");
}

/* What can be told without asking a libcrypto.  Returns false if there is more to find out. */
static bool diagnose_kind(struct diagnosis *d)
{
    const struct doctor_target *t = d->t;

    if (t->own_context && strstr(t->own_context, "/libcryptsetup.so") && !*t->module) {
        because(d, "%s makes library contexts of its own, which read no configuration: OpenSSL's default provider serves it",
                t->own_context);
        cure(d, "none is needed: the kernel encrypts the volumes (`lanecrypt list --kernel`), libcrypto only the headers");
    } else if (!t->libcrypto && !t->own_openssl && t->is_java && t->has_java_provider) {
        because(d, "it is Java, and has loaded lanecrypt's provider for Java; whose ciphers it uses, only Java's tools can tell");
        cure(d, "as its user, `jcmd %d GC.class_histogram | grep lanecrypt` lists those of the provider: docs/java-servers.md",
             (int)t->pid);
    } else if (!t->libcrypto && !t->own_openssl && t->is_java) {
        because(d, "%s %s no libcrypto: Java has providers of its own", t->file, t->pid ? "has loaded" : "needs");
        cure(d, "use lanecrypt's provider for Java: docs/java.md tells how");
    } else if (!t->libcrypto && !t->own_openssl) {
        because(d, "%s %s no libcrypto%s%s%s", t->file, t->pid ? "has loaded" : "needs", t->other_tls ? ", but has " : "",
                t->other_tls ? t->other_tls : "", t->pid ? "" : "; it could only load one later, for a plug-in");
        if (t->pid)
            cure(d, "none: lanecrypt's provider is for OpenSSL only");
        else if (t->script)
            cure(d, "name the program that the script %s starts, or ask about its process with --pid", t->script);
        else
            cure(d, "name the file of the plug-in (`lanecrypt doctor /usr/lib/.../x.so`), or ask about a process with --pid");
    } else if (!t->libcrypto && !t->is_secure && !getenv("OPENSSL_CONF") && !*t->module) {
        because(d, "%s has %s inside; OPENSSL_CONF isn't set, and which file it reads instead was decided when it was built",
                t->own_openssl, t->own_version);
        cure_by_configuration(d);
    } else {
        return false;
    }
    return true;
}

static json_t *new_member(const struct diagnosis *d, const char *name)
{
    json_t *member = json_object();

    json_object_set_new(d->report, name, member);
    return member;
}

static void put_libraries(const struct diagnosis *d, const char *version)
{
    const struct doctor_target *t = d->t;
    json_t *libcrypto = new_member(d, "libcrypto");

    if (t->libcrypto)
        doctor_put(libcrypto, "file", "%s", t->libcrypto);
    if (version)
        doctor_put(libcrypto, "version", "%s", version);
    if (t->own_openssl) {
        json_t *inside = new_member(d, "openssl_inside");

        doctor_put(inside, "file", "%s", t->own_openssl);
        doctor_put(inside, "version", "%s", t->own_version);
    }
}

static void put_configuration(const struct diagnosis *d)
{
    json_t *configuration = new_member(d, "configuration"), *provider = new_member(d, "provider");

    doctor_put(configuration, "file", "%s", d->file);
    doctor_put(configuration, "named_by", "%s", d->from_env ? "OPENSSL_CONF" : "OpenSSL");
    doctor_put(provider, "file", "%s", d->is_of_program ? d->t->module : d->module);
    doctor_put(provider, "named_by", "%s", d->is_of_program ? "the process" : d->module_origin);
    doctor_put(provider, "state", "%s",
               d->is_loaded                          ? "active"
               : access(d->module, R_OK) == 0        ? "not active"
               : errno == ENOENT || errno == ENOTDIR ? "missing"
                                                     : "not readable");
    if (d->version)
        doctor_put(provider, "version", "%s", d->version);
}

/* Load the module that the process has loaded by its own means, without a configuration.  False if that can't be done. */
static bool load_as_program_does(struct diagnosis *d)
{
    char dir[PATH_MAX];

    snprintf(dir, sizeof(dir), "%.*s", (int)(doctor_base_name(d->t->module) - 1 - d->t->module), d->t->module);
    return d->o.OSSL_PROVIDER_set_default_search_path(NULL, dir) && d->o.OSSL_PROVIDER_load(NULL, "lanecrypt") &&
           d->o.OSSL_PROVIDER_do_all(NULL, see_provider, d) && d->is_loaded;
}

/* Everything that has an answer is lanecrypt's: is there something that makes it doubtful? */
static void look_for_doubts(struct diagnosis *d, bool is_of_process)
{
    const struct doctor_target *t = d->t;

    if (is_of_process)
        return;
    if (t->pid && *t->module) {
        because(d,
                "process %d has loaded lanecrypt.so, but %s was changed after its start: what it took from the older file can't "
                "be seen",
                t->pid, d->file);
        cure(d, "restart it");
    } else if (t->pid) {
        explain_process(d);
    } else if (!t->libcrypto) {
        because(d, "this is what the system's libcrypto does with this configuration; only a running process shows what %s does",
                t->own_openssl);
        cure(d, "start it, then run `lanecrypt doctor --pid PID`; most such programs read OPENSSL_CONF, as Python's cryptography "
                "does");
    } else if (t->own_context) {
        because(d,
                "%s makes library contexts of its own, which read no configuration; only a running process shows what it uses "
                "for ciphers",
                t->own_context);
        cure(d, "start it, then run `lanecrypt doctor --pid PID`");
    }
}

/* The table and what follows from it. */
static void diagnose_ciphers(struct diagnosis *d, bool is_newer)
{
    const char *query = d->is_of_program ? "provider=lanecrypt" : NULL;
    bool is_of_process = d->t->pid && *d->t->module && (d->is_loaded || d->is_of_program) && !is_newer;
    char winner[64], first_winner[64] = "";
    const char *asked = asked_ciphers(d);
    int num_served = 0, num_left = 0, left_out = -1;
    json_t *table = json_array();

    json_object_set_new(d->report, "ciphers", table);
    for (int i = 0; i < NUM_CIPHERS; i++) {
        if (add_cipher(d, table, ciphers[i].name, query, winner))
            num_served++;
        else if (is_offered(d, ciphers[i].name))
            strcpy(first_winner, winner);
        else if (is_left(asked, ciphers[i].group))
            num_left++;
        else if (left_out < 0)
            left_out = i;
    }
    json_object_set_new(d->report, "num_served", json_integer(num_served));
    add_public_keys(d, d->is_of_program ? "?provider=lanecrypt" : NULL);
    doctor_put(d->report, "judged", "%s", is_of_process ? "process" : "start");
    if (is_of_process)
        doctor_put(d->report, "loaded_by", "%s", d->is_of_program ? "program" : "configuration");

    if (json_object_get(d->report, "why"))
        return;
    if (num_served && num_served + num_left == NUM_CIPHERS && !d->is_of_program) {
        look_for_doubts(d, is_of_process);
    } else if (!d->is_loaded && *d->t->module && d->t->is_overwritten) {
        because(d, "process %d has loaded lanecrypt.so, but not by the configuration above", d->t->pid);
        cure(d, "run `OPENSSL_CONF=FILE lanecrypt doctor --pid %d` with the file that the process was started with", d->t->pid);
    } else if (!d->is_loaded) {
        explain_not_loaded(d);
    } else if (*first_winner) {
        explain_order(d, first_winner);
    } else if (left_out >= 0) {
        explain_left_out(d, (size_t)left_out);
    } else if (num_left == NUM_CIPHERS) {
        because(d, "`ciphers = %s` in [%s] of %s names none that lanecrypt has", asked, d->lanecrypt, d->file);
        cure(d, "write a list of aes-gcm, chacha20-poly1305, aes-ctr, chacha20 and aes-xts there, or remove the line for all");
    } else {
        because(d,
                "process %d has loaded lanecrypt.so itself, not by its configuration: the table shows what it can get from "
                "there; whether it asks for that can't be seen from outside",
                d->t->pid);
        cure(d, "none is needed if the program asks for `?provider=lanecrypt`; HAProxy does so with the line: ssl-propquery "
                "?provider=lanecrypt");
    }
}

void doctor_diagnose(struct doctor_target *t, json_t *report)
{
    static const char *const variables[] = { "OPENSSL_CONF", "OPENSSL_MODULES", "LANECRYPT_DISABLE", "LANECRYPT_IMPL" };
    static struct diagnosis d;
    char err[1024];
    time_t changed;
    bool is_newer;

    d.t = t;
    d.report = report;
    environ = t->env;
    if (t->pid && t->is_secure) /* nothing of it is its owner's */
        clearenv();
    for (size_t i = 0; t->is_secure && i < sizeof(variables) / sizeof(variables[0]); i++)
        unsetenv(variables[i]);
    doctor_examine(t);
    if (diagnose_kind(&d))
        return;
    if (!ossl_open(&d.o, t->libcrypto, err, sizeof(err))) {
        put_libraries(&d, NULL);
        because(&d, "libcrypto can't be asked: %s", err);
        cure(&d, "none, except a libcrypto of OpenSSL 3.0 or later that a program of this kind can load");
        return;
    }
    d.is_started = d.o.OPENSSL_init_crypto(OSSL_INIT_LOAD_CONFIG, NULL) == 1;
    d.o.OSSL_PROVIDER_do_all(NULL, see_provider, &d);
    read_configuration(&d);
    find_breakage(&d);
    is_newer = is_newer_than_process(&d, &changed);
    if (*t->module && !d.is_loaded && !t->is_overwritten && !is_newer) {
        d.is_of_program = load_as_program_does(&d);
        d.is_loaded = d.is_of_program;
    }
    put_libraries(&d, d.o.OpenSSL_version(OSSL_VERSION_TEXT));
    put_configuration(&d);
    diagnose_ciphers(&d, is_newer);
}
