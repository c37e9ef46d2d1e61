# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""`lanecrypt openssl-conf` and `lanecrypt doctor`, with the OpenSSL provider of the build.

Usage: test_openssl.py LANECRYPT MODULE WORK_DIR [Conf] [Enable] [Doctor] [Programs] [Rights]

Programs and Rights run other programs with the module, which then can't be built with sanitizers; in the other two only lanecrypt
loads it.
Needs a C compiler and OpenSSL's headers and static library.  What needs root, or a static library that isn't there, is skipped, and
said so.
"""
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, MODULE, WORK = (os.path.abspath(path) for path in sys.argv[1:4])
del sys.argv[1:4]
# Whoever runs this may use the provider.
ENV = {name: value for name, value in os.environ.items() if not name.startswith(("OPENSSL_", "LANECRYPT_", "LD_"))}
CIPHERS = ["AES-128-GCM", "AES-192-GCM", "AES-256-GCM", "ChaCha20-Poly1305", "AES-128-CTR", "AES-192-CTR", "AES-256-CTR",
           "ChaCha20", "AES-128-XTS", "AES-256-XTS"]
IS_ROOT = os.geteuid() == 0
# A mount namespace, which root in a container may lack the right to; and one for mounts that nobody else sees, which like users of
# one's own can't be had in a chroot.
OWN_NAMESPACE, OWN_MOUNTS = ("unshare", "-m", "--propagation", "unchanged"), ("unshare", "-m")
HAS_NAMESPACES, HAS_MOUNTS = (IS_ROOT and subprocess.run((*command, "true"), stderr=subprocess.DEVNULL).returncode == 0
                              for command in (OWN_NAMESPACE, OWN_MOUNTS))

# Says which provider it gets for each cipher, and with an argument waits then.
FETCH = """
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv)
{
    static const char *const names[] = { %s };
    OSSL_LIB_CTX *ctx = NULL;

#ifdef OWN_CONTEXT
    ctx = OSSL_LIB_CTX_new();
#endif
#ifdef OWN_PROVIDERS /* HAProxy's ssl-provider-path, ssl-provider, ssl-propquery */
    if (!OSSL_PROVIDER_set_default_search_path(NULL, argv[2]) || !OSSL_PROVIDER_load(NULL, "default") ||
        !OSSL_PROVIDER_load(NULL, "lanecrypt") || !EVP_set_default_properties(NULL, "?provider=lanecrypt"))
        return 1;
#endif
    for (int i = 0; i < 10; i++) {
        EVP_CIPHER *cipher = EVP_CIPHER_fetch(ctx, names[i], NULL);

        if (!cipher)
            return 1;
        printf("%%s %%s\\n", names[i], OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(cipher)));
        EVP_CIPHER_free(cipher);
    }
    puts(OpenSSL_version(OPENSSL_VERSION));
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "overwrite") == 0)
        for (char **p = environ; *p; p++)
            memset(*p, 0, strlen(*p));
    if (argc > 2 && strcmp(argv[1], "chroot") == 0 && chroot(argv[2]))
        return 1;
    if (argc > 2) { /* as sshd does: a title over the arguments and the environment, and zeros after it */
        char title[1024], *end = *argv;

        snprintf(title, sizeof(title), "%%s %%s", argv[2], argv[2]);
        for (char **p = argv; *p; p++)
            end = *p + strlen(*p) + 1;
        for (char **p = environ; *p; p++)
            end = *p + strlen(*p) + 1;
        if (strcmp(argv[1], "title") == 0)
            strncpy(*argv, title, end - *argv - 1);
        if (strcmp(argv[1], "long-title") == 0) { /* no zeros: it has to be cut */
            memset(*argv, 'x', end - *argv - 1);
            end[-4] = '=';
        }
    }
    if (argc > 1) {
        puts("ready");
        fflush(stdout);
        pause();
    }
    return 0;
}
""" % ", ".join(f'"{name}"' for name in CIPHERS)

# Code of others, as a provider's or a libcrypto's: says what it may and has, one line each time that it is loaded.
SPY = r"""
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int holds(const char *name, const char *text)
{
    static char data[1 << 20];
    FILE *f = fopen(name, "r");
    size_t len = f ? fread(data, 1, sizeof(data) - 1, f) : 0;

    return memmem(data, len, text, strlen(text)) != NULL;
}

__attribute__((constructor)) static void spy(void)
{
    FILE *f = fopen(FILE_NAME, "a"), *status = fopen("/proc/self/status", "r");
    uid_t r, e, s;
    gid_t rg, eg, sg, groups[64];
    int num_groups = getgroups(64, groups), num_files = 0, num_null = 0;
    unsigned long long caps = 1, value;
    int privileges = 0;
    char line[256];
    DIR *files = opendir("/proc/self/fd");

    getresuid(&r, &e, &s);
    getresgid(&rg, &eg, &sg);
    while (status && fgets(line, sizeof(line), status)) {
        if (sscanf(line, "CapEff: %llx", &value) == 1 || sscanf(line, "CapPrm: %llx", &value) == 1)
            caps = caps == 1 ? value : caps | value;
        sscanf(line, "NoNewPrivs: %d", &privileges);
    }
    memset(line, 0, sizeof(line));
    for (struct dirent *file; files && (file = readdir(files));) { /* the caller's module, and folders */
        char name[300], link[4096] = "", *end;
        struct stat st;

        snprintf(name, sizeof(name), "/proc/self/fd/%s", file->d_name);
        readlink(name, link, sizeof(link) - 1);
        end = strrchr(link, '/');
        memset(&st, 0, sizeof(st));
        stat(name, &st);
        num_files += (end && strcmp(end, "/lanecrypt.so") == 0) ||
                     (S_ISDIR(st.st_mode) && strncmp(link, "/proc/", 6) != 0 && *file->d_name != '.');
        num_null += *file->d_name != '.' && atoi(file->d_name) < 3 && S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3);
    }
    if (!f)
        return;
    fprintf(f, "uid=%d,%d,%d gid=%d,%d,%d groups=%d caps=%llx nnp=%d session=%d files=%d open=%d secret=%d home=%d setuid=%d %s\n",
            r, e, s, rg, eg, sg, num_groups, caps, privileges, getsid(0) == getpid(), num_files, num_null != 3,
            getenv("SECRET") || holds("/proc/self/environ", "hidden-from-others"), access("/root/.", X_OK) == 0, setuid(0) == 0,
            readlink("/proc/self/ns/mnt", line, sizeof(line)) > 0 ? line : "");
    fclose(f);
}

int OSSL_provider_init(void) { return 0; }
"""

# What distributions have in their file, Fedora's and Ubuntu's names.
SYSTEM = """
openssl_conf = openssl_init
config_diagnostics = 1

[openssl_init]
providers = provider_sect
ssl_conf = ssl_sect
alg_section = evp_properties

[provider_sect]
default = default_sect

[default_sect]
activate = 1

[evp_properties]

[ssl_sect]
system_default = system_default_sect

[system_default_sect]
CipherString = ECDHE-RSA-AES128-GCM-SHA256
Ciphersuites = TLS_CHACHA20_POLY1305_SHA256

[last]
some = thing
"""


def run(*args, **env):
    done = subprocess.run(args, capture_output=True, text=True, env={**ENV, **env}, timeout=120)
    return done.returncode, done.stdout, done.stderr


def lanecrypt(*args, **env):
    return run(PROGRAM, *args, **env)


def path(name):
    return os.path.join(WORK, name)


def write(name, text, mode=0o644):
    with open(path(name), "w") as file:
        file.write(text)
    os.chmod(path(name), mode)
    return path(name)


def compile_c(name, source, *options):
    write(name + ".c", source)
    status, _, err = run(os.environ.get("CC", "cc"), "-w", "-o", path(name), path(name + ".c"), *options)
    if status:
        raise RuntimeError(err)
    return path(name)


STATIC = []  # options to link the static libcrypto, which may need other libraries
NO_STATIC = None  # or why it can't be linked


def setUpModule():
    global NO_STATIC
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    os.chmod(WORK, 0o755)
    compile_c("dynamic", FETCH, "-lcrypto")
    compile_c("context", FETCH, "-DOWN_CONTEXT", "-lcrypto")
    compile_c("loads", FETCH, "-DOWN_PROVIDERS", "-lcrypto")
    status, libs, err = run("pkg-config", "--static", "--libs", "libcrypto")
    STATIC.extend(["-l:libcrypto.a" if lib == "-lcrypto" else lib for lib in libs.split()])
    try:
        if status:
            raise RuntimeError(err)
        compile_c("inside", FETCH, *STATIC)
        compile_c("static", FETCH, "-static", *STATIC)
    except RuntimeError as error:
        NO_STATIC = f"SKIPPED: no static libcrypto: {error}"


def needs_static(test):
    """For tests of programs that have an OpenSSL inside."""
    def tested(self):
        if NO_STATIC:
            self.skipTest(NO_STATIC)
        test(self)

    tested.__doc__ = test.__doc__
    return tested


def linked():
    """Programs with libcrypto in several ways."""
    return ("dynamic",) if NO_STATIC else ("dynamic", "inside", "static")


def public_folder(test):
    """Where other users can enter, as they can't everywhere.  It has copies of the program, the module and the test's programs."""
    folder = tempfile.mkdtemp(prefix="lanecrypt-test-")
    test.addCleanup(shutil.rmtree, folder)
    os.chmod(folder, 0o755)
    for file in (PROGRAM, MODULE, path("dynamic"), path("loads")):
        shutil.copy(file, folder)
    with open(f"{folder}/good.cnf", "w") as conf, open(edited("good.cnf", (MODULE, f"{folder}/lanecrypt.so"))) as ours:
        conf.write(ours.read())
    return folder


def printed(name, *args):
    """The file that openssl-conf prints."""
    status, out, err = lanecrypt("openssl-conf", *args)
    if status or err:
        raise RuntimeError(err)
    return write(name, out)


def edited(name, *changes):
    """What openssl-conf prints, with parts of it replaced."""
    with open(printed(name, "--module", MODULE)) as file:
        text = file.read()
    for old, new in changes:
        if old not in text:
            raise RuntimeError(f"no '{old}' in what openssl-conf prints")
        text = text.replace(old, new)
    return write(name, text)


class Test(unittest.TestCase):
    def refused(self, status, word, *args, **env):
        """Exit status, a word of the message on stderr, nothing on stdout."""
        got, out, err = lanecrypt(*args, **env)
        self.assertEqual((got, out), (status, ""), err)
        self.assertIn(word, err)
        self.assertEqual(err.count("\n"), 1, err)

    def full_disk(self, *args, **env):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, *args], stdout=full, stderr=subprocess.PIPE, text=True, env={**ENV, **env}, timeout=120)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)

    def doctor(self, status, *args, **env):
        """Its rows as a dictionary, its table as another one, and all of it."""
        got, out, err = lanecrypt("doctor", *args, **env)
        self.assertEqual((got, err), (status, ""), out)
        rows = {line.split()[0]: line[15:] for line in out.splitlines() if re.match(r"[a-z]+ {2,}\S", line) and line[14] == " "}
        cells = [line.split() for line in out.splitlines() if line.startswith(("AES-", "ChaCha20"))]
        table = {name: (provider, impl) for name, provider, impl in cells}
        self.assertEqual("why" in rows, status != 0, out)
        self.assertEqual("remedy" in rows, status != 0, out)
        return rows, table, out

    def served(self, *args, **env):
        rows, table, out = self.doctor(0, *args, **env)
        self.assertEqual(list(table), CIPHERS, out)
        self.assertEqual({provider for provider, _ in table.values()}, {"lanecrypt"})
        self.assertIn("\nlanecrypt serves 10 of 10 ciphers.\n", out)
        return rows, table, out

    def not_served(self, why, remedy, *args, **env):
        """Nothing is lanecrypt's, and the reason is said."""
        rows, table, out = self.doctor(1, *args, **env)
        if table:
            self.assertEqual(list(table.values()), [("default", "-")] * 10)
            self.assertRegex(out, "\n(lanecrypt serves|After a restart, lanecrypt would serve) 0 of 10 ciphers\\.\n")
        self.assertRegex(rows["why"], why)
        self.assertRegex(rows["remedy"], remedy)
        return rows, table, out


class Processes(Test):
    def start(self, program, *args, cwd=None, before=(), **env):
        """A process that has fetched its ciphers and waits."""
        process = subprocess.Popen([*before, os.path.join(WORK, program), *(args or ("wait",))], stdout=subprocess.PIPE, cwd=cwd,
                                   env={**ENV, **env})
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.send_signal, signal.SIGTERM)
        while (line := process.stdout.readline()) != b"ready\n":
            self.assertTrue(line, "it has ended")
        return ("--pid", str(process.pid))


class Conf(Test):
    def test_without_an_installed_module(self):
        self.refused(1, "/lanecrypt.so: No such file or directory; this is the provider that belongs to this", "openssl-conf")

    def prefix(self, name, *folders):
        """An installation."""
        for file, folder in ((PROGRAM, "bin"), *((MODULE, folder) for folder in folders)):
            os.makedirs(path(f"{name}/{folder}"), exist_ok=True)
            shutil.copy(file, path(f"{name}/{folder}"))
        return path(f"{name}/bin/lanecrypt")

    def test_beside_the_program(self):
        """Each installation names its own module."""
        for name in ("first", "second"):
            status, out, err = run(self.prefix(name, "lib/ossl-modules", "lib64/ossl-modules"), "openssl-conf")
            self.assertEqual((status, err), (0, ""))
            self.assertRegex(out, f"\nmodule = {WORK}/{name}/lib(64)?/ossl-modules/lanecrypt.so\n")
        status, out, err = run(self.prefix("third"), "openssl-conf")
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, f"{WORK}/third/lib(64)?/ossl-modules/lanecrypt.so: No such file")

    @unittest.skipUnless(HAS_MOUNTS, "SKIPPED: only root can have mounts of its own, and not in a chroot")
    def test_module_where_openssl_looks(self):
        """That belongs to a program in /usr/local or below the same prefix, and to no other."""
        directory = run("openssl", "version", "-m")[1].split('"')[1]
        for name in ("usr", "fourth"):
            self.prefix(name, "lib/ossl-modules", "lib64/ossl-modules")
        os.makedirs(path("modules"), exist_ok=True)
        shutil.copy(MODULE, path("modules/lanecrypt.so"))
        for program, module in ((path("fourth/bin"), f"{WORK}/fourth/lib(64)?/ossl-modules"), ("/usr/local/bin", directory),
                                ("/usr/bin", directory)):
            script = 'mount --bind "$0" "$1" && { [ "$2" = "$3" ] || mount --bind "$2" "$3"; } && exec "$3/lanecrypt" openssl-conf'
            source = path("fourth/bin") if program == path("fourth/bin") else path("usr/bin")
            status, out, err = run(*OWN_MOUNTS, "/bin/sh", "-c", script, path("modules"), directory, source, program)
            self.assertEqual((status, err), (0, ""))
            self.assertRegex(out, f"\nmodule = {module}/lanecrypt.so\n")

    def test_system_file(self):
        """By the name that people know, where OpenSSL's is a link to it."""
        file = os.path.realpath(f"{run('openssl', 'version', '-d')[1].split(chr(34))[1]}/openssl.cnf")
        self.assertIn(f"\n# {file}\n" if os.path.exists(file) else file, lanecrypt("openssl-conf", "--module", MODULE)[1])

    def test_names(self):
        out = lanecrypt("openssl-conf", "--module", MODULE, "--include", write("system.cnf", SYSTEM))[1]
        for line in (f".include {path('system.cnf')}", "openssl_conf = openssl_init", "providers = provider_sect",
                     "alg_section = evp_properties", "default = default_sect", f"module = {MODULE}",
                     "default_properties = ?provider=lanecrypt", "nodejs_conf = openssl_init"):
            self.assertIn(f"\n{line}\n", out)
        self.assertNotIn("For all programs", out)  # that isn't the file that they have
        out = lanecrypt("openssl-conf", "--module", MODULE, "--include", write("empty.cnf", "nodejs_conf = theirs\n"))[1]
        self.assertIn("\nopenssl_conf = lanecrypt_init\n", out)
        self.assertNotIn("nodejs_conf", out)
        for text in ("", "[last]\nsome = thing\n"):
            conf = printed("names.cnf", "--module", MODULE, "--include", write("other.cnf", text))
            self.served(path("dynamic"), OPENSSL_CONF=conf)

    def test_include(self):
        system = write("system.cnf", SYSTEM)
        first = printed("first.cnf", "--module", MODULE, "--include", system)
        second = printed("second.cnf", "--module", MODULE, "--include", first)  # of what it has printed itself
        for conf in (first, second):
            self.served(path("dynamic"), OPENSSL_CONF=conf)
        self.not_served("doesn't name lanecrypt", "--include", path("dynamic"), OPENSSL_CONF=system)

    def test_public_key(self):
        self.assertNotIn("public-key", lanecrypt("openssl-conf", "--module", MODULE)[1])
        everything = ("RSA", "ECDSA", "ED25519", "SM2", "X25519", "ECDH", "SM3", "TLS13-KDF", "HMAC")
        for arg, value, there in (("--public-key", "yes", everything),
                                  ("--public-key=ecdsa,x25519", "ecdsa,x25519", ("ECDSA", "X25519")),
                                  ("--public-key=ecdsa,sm3", "ecdsa,sm3", ("ECDSA", "SM3")),
                                  ("--public-key=tls13-kdf", "tls13-kdf", ("TLS13-KDF",)),
                                  ("--public-key=hmac", "hmac", ("HMAC",))):
            conf = printed("public.cnf", "--module", MODULE, arg)
            with open(conf) as file:
                self.assertIn(f"\npublic-key = {value}\n", file.read())
            status, out, _ = lanecrypt("doctor", "--json", OPENSSL_CONF=conf)
            report = json.loads(out)
            self.assertEqual({line["algorithm"] for line in report["public_keys"] if line["provider"] == "lanecrypt"},
                             {name.lower() for name in there})
            self.assertEqual(report["num_public_keys_served"], len(there))
            self.assertEqual(len(report["public_keys"]), 9)
            self.assertRegex(lanecrypt("doctor", OPENSSL_CONF=conf)[1], rf"\n{there[-1].lower()} +lanecrypt\n")
        for line in ("combine-threads", "count-batches"):
            with open(printed("public.cnf", "--module", MODULE, "--public-key", f"--{line}")) as file:
                self.assertIn(f"\npublic-key = yes\n{line} = yes\nactivate = 1\n", file.read())
            self.refused(2, f"--{line} is about public keys", "openssl-conf", "--module", MODULE, f"--{line}")
        out = lanecrypt("doctor", OPENSSL_CONF=printed("ciphers.cnf", "--module", MODULE))[1]
        self.assertRegex(out, r"\necdsa +default\n")
        self.assertIn("openssl-conf --public-key", out)
        for wrong in ("", "dsa", "rsa,", "rsa, ecdsa", "yes"):
            arg = f"--public-key={wrong}"
            self.refused(2, f"{arg}: it takes rsa, ecdsa", "openssl-conf", "--module", MODULE, arg)

    def test_only(self):
        self.assertNotIn("\nciphers =", lanecrypt("openssl-conf", "--module", MODULE)[1])
        for only, there in (("chacha20-poly1305,aes-ctr", ["AES-128-CTR", "AES-192-CTR", "AES-256-CTR", "ChaCha20-Poly1305"]),
                            ("chacha20", ["ChaCha20"]), ("aes-xts", ["AES-128-XTS", "AES-256-XTS"]),
                            ("aes-gcm,aes-gcm", ["AES-128-GCM", "AES-192-GCM", "AES-256-GCM"])):
            conf = printed("only.cnf", "--module", MODULE, "--only", only)
            _, table, out = self.doctor(0, path("dynamic"), OPENSSL_CONF=conf)
            self.assertEqual(sorted(name for name, (provider, _) in table.items() if provider == "lanecrypt"), there, out)
            self.assertEqual({provider for provider, _ in table.values()}, {"lanecrypt", "default"})
            self.assertIn(f"\nlanecrypt serves {len(there)} of 10 ciphers.\n", out)
        self.served(path("dynamic"), OPENSSL_CONF=printed("all.cnf", "--module", MODULE, "--only",
                                                          "aes-gcm,chacha20-poly1305,aes-ctr,chacha20,aes-xts"))
        # Of the ciphers that are asked for, one may be missing; and somebody may write a name that isn't one.
        conf = edited("only.cnf", ("\nmodule = ", "\nciphers = AES-CTR, what\nmodule = "))
        self.assertIn("\nlanecrypt serves 3 of 10 ciphers.\n", self.doctor(0, path("dynamic"), OPENSSL_CONF=conf)[2])
        rows = self.doctor(1, path("dynamic"), OPENSSL_CONF=conf, LANECRYPT_IMPL="ctr=ctr-aes-portable")[0]
        self.assertIn("lanecrypt offers no AES-128-CTR: it has only portable code", rows["why"])
        conf = edited("only.cnf", ("\nmodule = ", "\nciphers = aes-256-gcm\nmodule = "))
        self.not_served(r"`ciphers = aes-256-gcm` in \[lanecrypt_provider\] of .* names none", "write a list of aes-gcm",
                        path("dynamic"), OPENSSL_CONF=conf)
        for wrong in ("", "aes", "aes-gcm,", "aes-gcm, aes-ctr", "yes", "AES-GCM", "rsa"):
            self.refused(2, f"--only {wrong}: it takes aes-gcm", "openssl-conf", "--module", MODULE, "--only", wrong)

    def test_strange_names(self):
        folder = path("a $b #c 'd' \"e\" `f` \\g; ")
        os.makedirs(folder, exist_ok=True)
        shutil.copy(MODULE, folder)
        shutil.copy(write("system.cnf", SYSTEM), folder)
        conf = printed("strange.cnf", "--module", f"{folder}/{os.path.basename(MODULE)}", "--include", f"{folder}/system.cnf")
        rows, *_ = self.served(path("dynamic"), OPENSSL_CONF=conf)
        self.assertTrue(rows["provider"].startswith(f"{folder}/"), rows)
        os.makedirs(path("two\nlines"), exist_ok=True)
        shutil.copy(MODULE, path("two\nlines"))
        self.refused(1, "has a line break", "openssl-conf", "--module", path("two\nlines/lanecrypt.so"))

    def test_relative_names(self):
        system = write("system.cnf", SYSTEM)
        conf = printed("relative.cnf", "--module", os.path.relpath(MODULE), "--include", os.path.relpath(system))
        with open(conf) as file:
            self.assertIn(f"\n.include {path('system.cnf')}\n", file.read())
        self.served(path("dynamic"), OPENSSL_CONF=conf)

    def test_refusals(self):
        def conf(text):
            return ("openssl-conf", "--module", MODULE, "--include", write("bad.cnf", text))

        self.refused(1, "--module /nonexistent: No such file", "openssl-conf", "--module", "/nonexistent")
        self.refused(1, "not an OpenSSL provider", "openssl-conf", "--module", compile_c("fake.so", "int nothing;", "-shared"))
        self.refused(1, "system.cnf", "openssl-conf", "--module", write("system.cnf", SYSTEM))
        self.refused(1, "--include /nonexistent: No such file", "openssl-conf", "--module", MODULE, "--include", "/nonexistent")
        self.refused(1, f"--include {WORK}: Is a directory", "openssl-conf", "--module", MODULE, "--include", WORK)
        self.refused(1, "bad.cnf: OpenSSL can't parse line 2", *conf("a = b\n[c\n"))
        fips = SYSTEM.replace("[evp_properties]", "[evp_properties]\ndefault_properties = fips=yes")
        self.refused(1, "default_properties = fips=yes; lanecrypt", *conf(fips))
        self.refused(1, "[provider_sect] in", *conf(SYSTEM.replace("default = default_sect", "base = default_sect")))
        self.refused(1, "activates legacy but not `default`",
                     *conf(SYSTEM.replace("[default_sect]", "legacy = legacy\n[default_sect]\n[legacy]")))
        for value in ("no", "OFF", "0", "false"):
            self.refused(1, "activates legacy but not `default`",
                         *conf(SYSTEM.replace("activate = 1", f"activate = {value}\n[legacy]\nactivate = 1")
                               .replace("default = default_sect", "legacy = legacy\ndefault = default_sect")))
        self.refused(2, "unexpected argument 'x'", "openssl-conf", "x")
        self.refused(2, "--module", "openssl-conf", "--module")
        self.full_disk("openssl-conf", "--module", MODULE)


# As a provider: does something when it is loaded, and is none.
MEDDLER = """
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void meddle(void)
{
    %s
}

int OSSL_provider_init(void) { return 0; }
"""


class Enable(Test):
    """openssl-conf --enable and --disable, in a file of the test's."""
    def change(self, status, *args, module=MODULE, name="system.cnf"):
        got, out, err = lanecrypt("openssl-conf", *args, *(("--module", module) if module else ()), "--include", path(name))
        self.assertEqual(got, status, out + err)
        self.assertEqual((out if status else err), "")
        self.nothing_is_left()
        return out + err

    def nothing_is_left(self):
        self.assertEqual([name for name in os.listdir(WORK) if ".lanecrypt-" in name], [])

    def stays(self, text, word, *args, **named):
        """It's refused, and the file is what it was."""
        write("system.cnf", text)
        before = os.stat(path("system.cnf"))
        self.assertIn(word, self.change(1, *(args or ("--enable",)), **named))
        self.assertEqual(self.text(), text)
        self.assertEqual(os.stat(path("system.cnf")).st_ino, before.st_ino)

    def text(self):
        with open(path("system.cnf"), newline="") as file:
            return file.read()

    def test_there_and_back(self):
        with open(os.path.realpath(f"{run('openssl', 'version', '-d')[1].split(chr(34))[1]}/openssl.cnf"), newline="") as file:
            system = file.read()
        texts = (SYSTEM, system, "", "\n", "\n\n", "a = b", "a = b\n\n", "a = b\\\n", "a = b\\", "[x]\r\na = b\r\n",
                 "nodejs_conf = x\n", "# lanecrypt: not the block's line\n")
        for text in texts:
            with self.subTest(text):
                with open(path("system.cnf"), "w", newline="") as file:
                    file.write(text)
                self.assertIn("lanecrypt isn't enabled", self.change(0, "--disable"))
                self.assertIn("lanecrypt is enabled for all programs", self.change(0, "--enable"))
                self.served(path("dynamic"), OPENSSL_CONF=path("system.cnf"))
                enabled = self.text()
                self.assertTrue(enabled.startswith(text))
                self.assertIn("was enabled already", self.change(0, "--enable"))
                self.assertEqual(self.text(), enabled)
                self.assertIn("enabled by another module", self.change(0, "--disable", module="/another/lanecrypt.so"))
                self.assertEqual(self.text(), enabled)
                self.assertIn("no longer enabled", self.change(0, "--disable", module=None if "a" in text else MODULE))
                self.assertEqual(self.text(), text)

    def test_edits_in_between(self):
        for text in (SYSTEM, "a = b"):
            for edit in (lambda old: old.replace("a", "aa", 1), lambda old: "first = 1\n" + old,
                         lambda old: old + "\n[new]\nc = d\n"):
                write("system.cnf", text)
                self.change(0, "--enable")
                expected, found = edit(text), edit(self.text())
                if not text.endswith("\n") and found.endswith("c = d\n"):
                    expected = edit(text + "\n")  # what ended without one goes on now
                for again in (False, True):  # also after --enable has moved its block to the end
                    write("system.cnf", found)
                    if again:
                        self.change(0, "--enable")
                        self.served(path("dynamic"), OPENSSL_CONF=path("system.cnf"))
                    self.change(0, "--disable")
                    self.assertEqual(self.text(), expected)

    def test_what_a_file_has_besides(self):
        """Links to it, its mode and owner, attributes."""
        write("system.cnf", SYSTEM, 0o640)
        if IS_ROOT:
            os.chown(path("system.cnf"), 1, 2)
        attributes = True
        try:
            os.setxattr(path("system.cnf"), "user.note", b"kept")
        except OSError:
            attributes = False
        if os.path.lexists(path("link.cnf")):
            os.remove(path("link.cnf"))
        os.symlink("system.cnf", path("link.cnf"))
        before = os.stat(path("system.cnf"))
        for action in ("--enable", "--disable"):
            self.change(0, action, name="link.cnf")
            self.assertTrue(os.path.islink(path("link.cnf")))
            after = os.stat(path("system.cnf"))
            self.assertEqual((after.st_mode, after.st_uid, after.st_gid), (before.st_mode, before.st_uid, before.st_gid))
            if attributes:
                self.assertEqual(os.getxattr(path("system.cnf"), "user.note"), b"kept")
        self.assertEqual(self.text(), SYSTEM)

    def test_refusals(self):
        self.refused(2, "which of the two", "openssl-conf", "--enable", "--disable")
        self.refused(1, "No such file", "openssl-conf", "--enable", "--module", MODULE, "--include", path("nothing.cnf"))
        self.stays("a = b\0\n", "isn't a text")
        self.stays("a = b\n[c\n", "can't parse line 2")
        self.stays(SYSTEM.replace("[evp_properties]", "[evp_properties]\ndefault_properties = fips=yes"), "fips=yes")
        self.stays(SYSTEM + "# " + "x" * (1 << 20), "too long")
        shutil.copy(MODULE, path("hidden.so"))
        os.chmod(path("hidden.so"), 0o700)
        self.stays(SYSTEM, "can't be read by all users", module=path("hidden.so"))
        for file in (path("system.cnf"), path("other.cnf")):
            if os.path.lexists(file):
                os.remove(file)
        os.link(write("system.cnf", SYSTEM), path("other.cnf"))
        self.assertIn("another name", self.change(1, "--enable"))
        os.remove(path("other.cnf"))

    def test_damaged_block(self):
        write("system.cnf", SYSTEM)
        self.change(0, "--enable")
        enabled = self.text()
        begin = next(line for line in enabled.splitlines() if line.startswith("# lanecrypt: begin"))
        for text in (enabled.replace(begin, ""), enabled.replace("# lanecrypt: end\n", ""), enabled + enabled[len(SYSTEM):],
                     enabled.replace(begin, begin.replace("written", "made")),
                     SYSTEM + "# lanecrypt: end\n" + enabled[len(SYSTEM):]):
            for action in ("--enable", "--disable"):
                self.stays(text, "aren't as --enable writes them", action)

    def test_what_would_not_work(self):
        """It's seen on the copy."""
        self.stays(SYSTEM, "OpenSSL gave up before that", module=compile_c("none.so", MEDDLER % "", "-shared"))
        crash = compile_c("crash.so", MEDDLER % "if (getenv(\"OPENSSL_CONF\")) abort();", "-shared")
        status, out, err = lanecrypt("openssl-conf", "--enable", "--module", crash, "--include", write("system.cnf", SYSTEM))
        self.assertEqual((status, out, self.text()), (1, "", SYSTEM))
        self.assertIn("nothing was changed", err)
        self.nothing_is_left()
        self.stays(SYSTEM + "[openssl_init]\nnonsense = x\n", "programs break with this configuration")

    def with_meddler(self, code):
        """Another provider in the file, which does this when the copy is tried."""
        meddler = compile_c("meddler.so", MEDDLER % code, "-shared")
        return SYSTEM.replace("[default_sect]", f"meddler = meddler\n[meddler]\nmodule = {meddler}\nactivate = 1\n[default_sect]") \
            .replace("config_diagnostics = 1", "")

    def test_change_by_somebody_else(self):
        text = write("system.cnf", self.with_meddler(f'write(open("{path("system.cnf")}", O_WRONLY | O_APPEND), "x = y\\n", 6);'))
        with open(text) as file:
            text = file.read()
        self.assertIn("changed by somebody else", self.change(1, "--enable"))
        self.assertEqual(self.text(), text + "x = y\n")

    def test_signals(self):
        """They wait until no copy is there any more."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            ready = path("ready")
            text = self.with_meddler(f'close(open("{ready}", O_CREAT | O_WRONLY, 0600)); usleep(300000);')
            write("system.cnf", text)
            process = subprocess.Popen([PROGRAM, "openssl-conf", "--enable", "--module", MODULE, "--include", path("system.cnf")],
                                       stdout=subprocess.DEVNULL, env=ENV)
            while not os.path.exists(ready):
                time.sleep(0.01)
            process.send_signal(number)
            self.assertEqual(process.wait(), -number)
            os.remove(ready)
            self.nothing_is_left()
            self.assertTrue(self.text().startswith(text) and self.text().endswith("# lanecrypt: end\n"))

    def test_many_at_once(self):
        """One waits for the other."""
        write("system.cnf", SYSTEM)
        self.change(0, "--enable")
        enabled = self.text()
        for _ in range(5):
            processes = [subprocess.Popen([PROGRAM, "openssl-conf", action, "--module", MODULE, "--include", path("system.cnf")],
                                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENV)
                         for action in ("--enable", "--disable") * 5]
            errors = [process.communicate()[1] for process in processes]
            self.assertEqual((errors, [process.returncode for process in processes]), ([b""] * 10, [0] * 10))
            self.assertIn(self.text(), (SYSTEM, enabled))
        self.nothing_is_left()

    def test_names_of_the_module(self):
        """--disable knows it by each name that --enable takes."""
        os.makedirs(path("a$b#c"), exist_ok=True)
        name, link = path("a$b#c/lanecrypt.so"), path("link.so")
        shutil.copy(MODULE, name)
        if not os.path.lexists(link):
            os.symlink(name, link)
        for enabled, disabled in ((name, name), (os.path.relpath(name), os.path.relpath(name)), (link, link), (link, name)):
            write("system.cnf", SYSTEM)
            self.change(0, "--enable", module=enabled)
            self.assertIn("by another module", self.change(0, "--disable", module=name[:-1]))
            self.assertIn("no longer enabled", self.change(0, "--disable", module=disabled))
            self.assertEqual(self.text(), SYSTEM)
        # One that is gone, as when a package is removed by hand
        self.change(0, "--enable", module=name)
        os.remove(name)
        self.assertIn("no longer enabled", self.change(0, "--disable", module=name))

    def test_locks_of_others(self):
        """Who may only read the file and its folder can't make it wait; nor can a lock that a run has left which was killed."""
        write("system.cnf", SYSTEM)
        locked = [os.open(name, os.O_RDONLY) for name in (WORK, path("system.cnf"))]
        for file in locked:
            fcntl.flock(file, fcntl.LOCK_EX)
        with open(path("system.cnf.lanecrypt-lock"), "w"):
            pass
        self.change(0, "--enable")
        self.change(0, "--disable")
        for file in locked:
            os.close(file)
        self.assertEqual(self.text(), SYSTEM)


class Doctor(Test):
    def chosen(self, mode, **env):
        return next(line.split()[0] for line in lanecrypt("list", mode, **env)[1].splitlines() if line.split()[1:2] == ["chosen"])

    def test_served(self):
        conf = edited("good.cnf")
        for env in ({}, {"LANECRYPT_DISABLE": "prefer_zmm"}):
            rows, table, out = self.served(path("dynamic"), OPENSSL_CONF=conf, **env)
            for name, (_, impl) in table.items():
                mode = name.lower() if name.startswith("ChaCha") else name[-3:].lower()
                self.assertEqual(impl, self.chosen(mode, **env))
        self.assertEqual(rows["program"], path("dynamic"))
        self.assertRegex(rows["libcrypto"], r"^/.*libcrypto\.so\.\d \(OpenSSL \d")
        self.assertEqual(rows["configuration"], f"{conf} (by OPENSSL_CONF)")
        self.assertRegex(rows["provider"], rf"^{MODULE} \(by the configuration; lanecrypt \d+\.\d+\.\d+\)$")
        self.assertIn("OPENSSL_CONF is set in this shell", out)
        self.full_disk("doctor", path("dynamic"), OPENSSL_CONF=conf)

    def test_openssl_is_the_default(self):
        openssl = os.path.realpath(shutil.which("openssl"))
        self.assertEqual(self.served(OPENSSL_CONF=edited("good.cnf"))[0]["program"], openssl)

    def test_another_name_for_the_provider(self):
        conf = edited("renamed.cnf", ("\nlanecrypt = lanecrypt_provider", "\nlanes = lanecrypt_provider"))
        _, table, _ = self.doctor(0, path("dynamic"), OPENSSL_CONF=conf)
        self.assertEqual({provider for provider, _ in table.values()}, {"lanes"})

    def test_configuration(self):
        def check(why, remedy, conf, **env):
            return self.not_served(why, remedy, path("dynamic"), OPENSSL_CONF=conf, **env)

        rows, *_ = self.not_served("as OPENSSL_CONF isn't set.*doesn't name lanecrypt|OPENSSL_CONF isn't set: No such file",
                                   "start it with OPENSSL_CONF=", path("dynamic"))
        system = os.path.realpath(f"{run('openssl', 'version', '-d')[1].split(chr(34))[1]}/openssl.cnf")
        if os.path.exists(system):
            self.assertEqual(rows["configuration"], f"{system} (the system's)")
            self.assertIn(f"the configuration is {system}, as", rows["why"])
        check("OPENSSL_CONF is empty", "openssl-conf >", "")
        check("the configuration is /nonexistent: No such file", "openssl-conf >", "/nonexistent")
        check(r"can't parse .*/broken.cnf, line 1$", "openssl-conf >", write("broken.cnf", "[x\n"))
        check("none.cnf has no line `openssl_conf = SECTION`", "--include .*/none.cnf",
              write("none.cnf", "openssl = x\n[x]\na = b\n"))
        check("unnamed.cnf, and doesn't name lanecrypt", "--include .*/unnamed.cnf",
              edited("unnamed.cnf", ("\nlanecrypt = lanecrypt_provider", "")))
        check(r"isn't activated: \[lanecrypt_provider\] in .*/inactive.cnf lacks `activate = 1`", "add that line",
              edited("inactive.cnf", (f"{MODULE}\nactivate = 1", MODULE)))

    def test_module(self):
        def conf(module):
            return edited("module.cnf", (f"module = {MODULE}\n", module and f"module = {module}\n"))

        def check(why, remedy, module, **env):
            return self.not_served(why, remedy, path("dynamic"), OPENSSL_CONF=conf(module), **env)

        rows, *_ = check(r"the module is missing: /nonexistent/x.so \(by the configuration\): No such file",
                         r"cmake --install.*\[lanecrypt_provider\] of .*module.cnf", "/nonexistent/x.so")
        self.assertIn("; missing)", rows["provider"])
        check(r"missing: /nonexistent/lanecrypt.so \(by OPENSSL_MODULES\)", "install", "", OPENSSL_MODULES="/nonexistent")
        check(r"missing: /nonexistent/y.so \(by the configuration\)", "install", "y.so", OPENSSL_MODULES="/nonexistent")
        rows, *_ = check("can't be loaded: .*/text.so: .*", "install", write("text.so", "text"))
        self.assertIn("; not active)", rows["provider"])
        check("can't be loaded: .*/fake.so: not an OpenSSL provider", "install", compile_c("fake.so", "int nothing;", "-shared"))
        refuses = compile_c("refuses.so", "int OSSL_provider_init(void) { return 0; }", "-shared")
        check("the module can be loaded, but OpenSSL gave up", "config_diagnostics", refuses)
        shutil.copy(MODULE, path("lanecrypt.so"))
        for name in ("", "lanecrypt.so"):
            rows, *_ = self.served(path("dynamic"), OPENSSL_CONF=conf(name), OPENSSL_MODULES=WORK)
            self.assertTrue(rows["provider"].startswith(path("lanecrypt.so")))

    def test_order(self):
        query = "default_properties = ?provider=lanecrypt\n"
        with open(edited("good.cnf")) as file:  # the system's file may have other names for the sections
            match = re.search(r"\ndefault = (\S+)\nlanecrypt = (\S+)\n", file.read())
        first = match.group(0)
        last = f"\nlanecrypt = {match.group(2)}\ndefault = {match.group(1)}\n"
        self.not_served("order: default comes before lanecrypt", r"default_properties = \?provider=lanecrypt", path("dynamic"),
                        OPENSSL_CONF=edited("order.cnf", (query, "")))
        self.not_served("order: default comes before lanecrypt", "add `alg_section = ", path("dynamic"),
                        OPENSSL_CONF=edited("order.cnf", ("alg_section = ", "# ")))
        self.not_served(r"order: default_properties = \?provider=default in \[\w+\] of .*/order.cnf prefers default", "write `",
                        path("dynamic"), OPENSSL_CONF=edited("order.cnf", (query, query.replace("lanecrypt", "default"))))
        self.served(path("dynamic"), OPENSSL_CONF=edited("order.cnf", (query, ""), (first, last)))

    def test_what_breaks_programs(self):
        """All ciphers are served, and nothing else is."""
        def check(why, remedy, conf, served=10):
            rows, table, out = self.doctor(1, path("dynamic"), OPENSSL_CONF=conf)
            self.assertIn(f"serves {served} of 10", out)
            self.assertRegex(rows["why"], f"^programs break with this configuration: {why}")
            self.assertRegex(rows["remedy"], remedy)
            status, out, _ = lanecrypt("doctor", "--json", path("dynamic"), OPENSSL_CONF=conf)
            self.assertEqual((status, json.loads(out)["breaks_programs"]), (1, True))
            self.assertNotEqual(run("openssl", "rand", "-hex", "8", OPENSSL_CONF=conf)[0], 0)  # and so it is

        conf = edited("good.cnf")
        with open(conf) as file:
            section = re.search(r"\ndefault = (\S+)\n", file.read()).group(1)
        without = edited("without.cnf", (f"\ndefault = {section}\n", "\n"))
        with open(without) as file:  # the one that is included may have it, too
            text = "".join(line for line in file if not line.startswith(".include"))
        check(".* activates providers but not `default`", "add `default = default_provider`",
              write("without.cnf", text))
        check("default_properties = provider=lanecrypt in ", r"\?provider=lanecrypt",
              edited("demands.cnf", ("?provider=lanecrypt", "provider=lanecrypt")))
        check("OpenSSL finds an error in .*`config_diagnostics`", "openssl list -providers",
              write("diagnostics.cnf", "config_diagnostics = 1\nopenssl_conf = init\n[init]\nnonsense = x\n"), 0)
        self.assertNotIn("breaks_programs", json.loads(lanecrypt("doctor", "--json", path("dynamic"), OPENSSL_CONF=conf)[1]))

    def test_json(self):
        """The same as the text."""
        conf = edited("good.cnf")
        rows, table, _ = self.served(path("dynamic"), OPENSSL_CONF=conf)
        status, out, err = lanecrypt("doctor", "--json", path("dynamic"), OPENSSL_CONF=conf)
        report = json.loads(out)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(set(report), {"version", "program", "libcrypto", "configuration", "provider", "ciphers", "num_served",
                                       "public_keys", "num_public_keys_served", "judged", "ok"})
        self.assertEqual(report["program"], rows["program"])
        self.assertEqual("{file} ({version})".format(**report["libcrypto"]), rows["libcrypto"])
        self.assertEqual(report["configuration"], {"file": conf, "named_by": "OPENSSL_CONF"})
        self.assertEqual(report["provider"], {"file": MODULE, "named_by": "the configuration", "state": "active",
                                              "version": report["version"]})
        self.assertEqual({line["cipher"]: (line["provider"], line["implementation"]) for line in report["ciphers"]}, table)
        self.assertEqual((report["num_served"], report["judged"], report["ok"]), (10, "start", True))
        rows, *_ = self.doctor(1, path("dynamic"), OPENSSL_CONF="/nonexistent")
        status, out, _ = lanecrypt("doctor", "--json", path("dynamic"), OPENSSL_CONF="/nonexistent")
        report = json.loads(out)
        self.assertEqual((status, report["ok"], report["num_served"]), (1, False, 0))
        self.assertEqual((report["why"], report["remedy"]), (rows["why"], rows["remedy"]))
        self.assertEqual(report["ciphers"][0], {"cipher": "AES-128-GCM", "provider": "default"})
        # Bytes that no JSON can hold.
        status, out, _ = run("sh", "-c", 'exec "$0" doctor --json "$1"', PROGRAM, path("dynamic"), OPENSSL_CONF="/\udcff\x1b")
        self.assertEqual(json.loads(out)["configuration"]["file"], "/\\xff\\x1b")
        self.full_disk("doctor", "--json", path("dynamic"), OPENSSL_CONF=conf)

    def test_left_out(self):
        conf = edited("good.cnf")
        self.not_served("LANECRYPT_DISABLE or LANECRYPT_IMPL has 'foo', which is unknown", "environment", path("dynamic"),
                        OPENSSL_CONF=conf, LANECRYPT_DISABLE="prefer_zmm,foo")
        rows, table, out = self.doctor(1, path("dynamic"), OPENSSL_CONF=conf, LANECRYPT_IMPL="ctr=ctr-aes-portable")
        self.assertEqual([name for name, (provider, _) in table.items() if provider == "default"], CIPHERS[4:7])
        self.assertIn("lanecrypt serves 7 of 10 ciphers.", out)
        self.assertRegex(rows["why"], "lanecrypt offers no AES-128-CTR: it has only portable code for it here")
        self.assertIn("lanecrypt list ctr", rows["remedy"])

    def test_scripts(self):
        conf = edited("good.cnf")
        shell = write("script", f"#!/bin/sh -e\nexec {path('dynamic')}\n", 0o755)
        rows, *_ = self.not_served("/bin/.* needs no libcrypto", f"the program that the script {shell} starts", shell,
                                   OPENSSL_CONF=conf)
        self.assertEqual(rows["script"], shell)
        self.assertEqual(rows["program"], os.path.realpath("/bin/sh"))
        # Through env, which looks into PATH, and through another script.
        write("outer", "#!/usr/bin/env -S A=b inner -x\n", 0o755)
        write("inner", f"#! {path('dynamic')}\n", 0o755)
        rows, *_ = self.served("outer", OPENSSL_CONF=conf, PATH=f"{WORK}:{ENV['PATH']}")
        self.assertEqual((rows["script"], rows["program"]), ("outer", path("dynamic")))
        self.refused(1, "neither a program nor a script", "doctor", write("loop", f"#!{path('loop')}\n", 0o755))

    def test_refusals(self):
        self.refused(1, "doctor: nonexistent: not in PATH", "doctor", "nonexistent")
        self.refused(1, "/nonexistent: No such file", "doctor", "/nonexistent")
        os.mkfifo(path("pipe"), 0o755)  # whose writer isn't waited for
        for bad in (WORK, "/dev/null", path("pipe"), write("text", "text\n"), write("nothing", "")):
            self.refused(1, f"{bad}: neither a program nor a script", "doctor", bad)
        self.refused(2, "unexpected argument 'b'", "doctor", "a", "b")
        self.refused(2, "unexpected argument 'a'", "doctor", "--pid", "1", "a")
        for bad in ("0", "4G"):
            self.refused(2, f"--pid {bad}: no process", "doctor", "--pid", bad)
        self.refused(2, "--pid '-1': not a number", "doctor", "--pid", "-1")
        self.refused(1, "no process 2147483647", "doctor", "--pid", "2147483647")

    def test_no_libcrypto(self):
        self.not_served("needs no libcrypto; it could only load one later", "name the file of the plug-in", compile_c("plain",
                        "int main(void) { return 0; }"))
        fake = compile_c("libgnutls.so.30", "int gnutls;", "-shared", "-Wl,-soname,libgnutls.so.30")
        tls = compile_c("tls", "int main(void) { return 0; }", "-Wl,--no-as-needed", fake, f"-Wl,-rpath,{WORK}")
        self.not_served("needs no libcrypto, but has GnuTLS", "plug-in", tls)
        self.not_served("needs no libcrypto; it could only", "plug-in", PROGRAM)  # which looks for OpenSSL in others

    def test_java(self):
        fake = compile_c("libjli.so", "int jli;", "-shared", "-Wl,-soname,libjli.so")
        java = compile_c("java", "int main(void) { return 0; }", "-Wl,--no-as-needed", fake, f"-Wl,-rpath,{WORK}")
        for program in (java, *filter(None, [shutil.which("java", path=ENV["PATH"])])):
            self.not_served("needs no libcrypto: Java has providers of its own", "provider for Java: docs/java.md", program)

    def test_python(self):
        rows, *_ = self.served("/usr/bin/python3", OPENSSL_CONF=edited("good.cnf"))
        self.assertRegex(rows["module"], r"/_ssl\.[^/]*\.so$")
        rows, *_ = self.served(rows["module"], OPENSSL_CONF=edited("good.cnf"))  # any shared object may be asked about
        self.assertNotIn("module", rows)

    def test_other_libcrypto(self):
        """The one that the program gets, wherever it is, and not the system's."""
        def program(name, soname, source):
            os.makedirs(path(name), exist_ok=True)
            lib = compile_c(f"{name}/{soname}", source, "-shared", f"-Wl,-soname,{soname}")
            return compile_c(name + "-user", "int main(void) { return 0; }", "-Wl,--no-as-needed", lib, f"-Wl,-rpath,{path(name)}")

        conf = edited("good.cnf")
        old = program("old", "libcrypto.so.1.1", 'const char *OpenSSL_version(int t) { return "OpenSSL 1.1.1w"; }')
        self.not_served("OpenSSL 1.1.1w has no providers", "3.0 or later", old, OPENSSL_CONF=conf)
        self.not_served(r"it has no \w+\(\), so it isn't OpenSSL's", "3.0 or later", program("other", "libcrypto.so.3", "int x;"),
                        OPENSSL_CONF=conf)
        crash = program("crash", "libcrypto.so.3", "#include <stdlib.h>\n__attribute__((constructor)) void f(void) { abort(); }")
        status, _, err = lanecrypt("doctor", crash, OPENSSL_CONF=conf)
        self.assertEqual(status, 1)
        self.assertIn("crash/libcrypto.so.3 ended with \"Aborted\"", err)

    def test_missing_library(self):
        compile_c("gone.so", "int x;", "-shared", "-Wl,-soname,gone.so")
        gone = compile_c("gone", "int main(void) { return 0; }", "-Wl,--no-as-needed", path("gone.so"))
        os.remove(path("gone.so"))
        self.refused(1, "gone.so: cannot open shared object file", "doctor", gone)

    @needs_static
    def test_openssl_inside(self):
        conf = edited("good.cnf")
        for name in ("inside", "static"):
            rows, table, _ = self.doctor(1, path(name), OPENSSL_CONF=conf)
            self.assertRegex(rows["libcrypto"],
                             rf"^OpenSSL \d+\.\d+\.\d+ .* \d{{4}} inside {path(name)}; the system's answers below ")
            self.assertEqual({provider for provider, _ in table.values()}, {"lanecrypt"})
            self.assertRegex(rows["why"], f"the system's libcrypto does .*; only a running process shows what {path(name)} does")
            self.assertIn("--pid", rows["remedy"])
            self.not_served("has OpenSSL .* inside; OPENSSL_CONF isn't set", "start it with OPENSSL_CONF=", path(name))
            self.not_served("the module is missing", "install", path(name),
                            OPENSSL_CONF=edited("missing.cnf", (MODULE, "/nonexistent.so")))

    @needs_static
    def test_libcrypto_and_openssl_inside(self):
        inside = compile_c("libinside.so", "int OSSL_PROVIDER_available(void *, char *);\n"
                           "int f(void) { return OSSL_PROVIDER_available(0, \"default\"); }", "-shared", *STATIC)
        both = compile_c("both", "int main(void) { return 0; }", "-Wl,--no-as-needed", inside, "-lcrypto", f"-Wl,-rpath,{WORK}")
        rows, *_ = self.served(both, OPENSSL_CONF=edited("good.cnf"))
        self.assertRegex(rows["also"], rf"^{inside} has OpenSSL.* inside, which wasn't asked$")

    def test_own_context(self):
        conf = edited("good.cnf")
        rows, table, _ = self.doctor(1, path("context"), OPENSSL_CONF=conf)
        self.assertEqual(len(table), 10)
        self.assertIn(f"{path('context')} makes library contexts of its own, which read no configuration", rows["why"])
        self.assertIn("--pid", rows["remedy"])
        # One that has such a context besides, as libcurl, and makes its connections in the default one.
        besides = compile_c("besides", 'const char *names[] = { "OSSL_LIB_CTX_new", "SSL_CTX_new" };\nint main(void) { return 0; }',
                            "-Wl,--no-as-needed", "-lcrypto")
        self.served(besides, OPENSSL_CONF=conf)
        rows, table, _ = self.doctor(1, "cryptsetup", OPENSSL_CONF=conf, PATH="/nowhere")  # it's in /usr/sbin
        self.assertEqual(table, {})
        self.assertRegex(rows["why"], "libcryptsetup.so.* makes library contexts of its own")
        self.assertIn("the kernel encrypts", rows["remedy"])

    @unittest.skipUnless(IS_ROOT, "SKIPPED: only root can make files of others")
    def test_set_user_id(self):
        shutil.copy(path("dynamic"), path("setuid"))
        os.chown(path("setuid"), 65534, 65534)
        conf = edited("good.cnf")
        self.served(path("setuid"), OPENSSL_CONF=conf)
        for mode in (0o4755, 0o2755):
            os.chmod(path("setuid"), mode)
            self.not_served("as the program has other rights than its caller and ignores OPENSSL_CONF", "openssl-conf` in that",
                            path("setuid"), OPENSSL_CONF=conf)


class Programs(Processes):
    def test_java_with_the_provider(self):
        """A JVM that has loaded the provider for Java, and one that hasn't."""
        names = "libjvm.so", "liblanecrypt_jni.so"
        libraries = [compile_c(name, "int none;", "-shared", f"-Wl,-soname,{name}") for name in names]
        for loaded in libraries[:1], libraries:
            java = compile_c("java", 'int main(void) { puts("ready"); fflush(0); pause(); }', "-include", "stdio.h", "-include",
                             "unistd.h", "-Wl,--no-as-needed", *loaded, f"-Wl,-rpath,{WORK}")
            pid = self.start(java)
            if loaded is libraries:
                self.not_served("has loaded lanecrypt's provider for Java",
                                rf"as its user, `jcmd {pid[1]} GC.*docs/java-servers.md", *pid)
            else:
                self.not_served("has loaded no libcrypto: Java has", "provider for Java: docs/java.md", *pid)

    def test_batches(self):
        """What a running process has counted; and that nobody does if it isn't asked for."""
        for args, counted in ((("--count-batches",), True), ((), False)):
            conf = printed("batches.cnf", "--module", MODULE, "--public-key", *args)
            process = subprocess.Popen(("openssl", "speed", "-seconds", "60", "-async_jobs", "8", "ecdsap256"),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**ENV, "OPENSSL_CONF": conf})
            try:
                lines = found = None
                end = time.time() + 30
                while time.time() < end and (found is None or counted and not lines):
                    time.sleep(0.1)
                    report = lanecrypt("doctor", "--json", "--pid", str(process.pid), OPENSSL_CONF=conf)[1]
                    found = json.loads(report)["process"] if report else {}
                    found = found if "batches" in found else None
                    lines = found and found["batches"]
                out = lanecrypt("doctor", "--pid", str(process.pid), OPENSSL_CONF=conf)[1]
            finally:
                process.kill()
                process.wait()
            if counted:
                self.assertEqual([line["kind"] for line in lines], ["ecdsa P-256"])
                self.assertEqual([len(lines[0][name]) for name in ("in_jobs", "in_threads")], [8, 8])
                self.assertGreater(sum(lines[0]["in_jobs"]), 0)
                self.assertEqual(sum(lines[0]["in_threads"]), 0)
                self.assertRegex(out, r"\necdsa P-256 +\d+ +\d+ by \d\.\d +-\n")
            else:
                self.assertIsNone(lines)
                self.assertIn("isn't counted: `lanecrypt openssl-conf --public-key --count-batches`", out)

    def test_public_keys_in_lists(self):
        for arg, there, missing in (("--public-key", ("RSA", "ECDSA", "ED25519", "SM2", "X25519", "ECDH", "SM3"), ("SHA2-256",)),
                                    ("--public-key=ecdsa,x25519", ("ECDSA", "X25519"), ("RSA", "ECDH", "SM3"))):
            conf = printed("public.cnf", "--module", MODULE, arg)
            status, out, _ = run("openssl", "list", "-signature-algorithms", "-key-exchange-algorithms", "-digest-algorithms",
                                 OPENSSL_CONF=conf)
            self.assertEqual(status, 0)
            ours = "\n".join(line for line in out.splitlines() if line.endswith("@ lanecrypt"))
            for name in there:
                self.assertRegex(ours, rf"\b{name}\b")
            for name in missing:
                self.assertNotRegex(ours, rf"\b{name}\b")

    def test_sm3(self):
        """Of a file; and where there is only portable code for it, it stays the default provider's."""
        write("plain", "x" * 1000003)
        conf = printed("sm3.cnf", "--module", MODULE, "--public-key=sm3")
        results = [run("openssl", "dgst", "-sm3", path("plain"), OPENSSL_CONF=file)[:2] for file in (conf, "/dev/null")]
        self.assertEqual(results[0][0], 0)
        self.assertEqual(*results)
        self.assertRegex(lanecrypt("doctor", OPENSSL_CONF=conf)[1], r"\nsm3 +lanecrypt\n")
        self.assertRegex(lanecrypt("doctor", OPENSSL_CONF=conf, LANECRYPT_DISABLE="avx2")[1], r"\nsm3 +default\n")

    def test_openssl(self):
        conf = printed("good.cnf", "--module", MODULE)
        out = run("openssl", "list", "-cipher-algorithms", OPENSSL_CONF=conf)[1]
        for name in CIPHERS:
            self.assertRegex(out, rf"(?im)[ ,{{]{name}[ ,}}].*@ lanecrypt$|^ *{name} @ lanecrypt$")
        write("plain", "x" * 1000003)
        for name in ("aes-256-ctr", "chacha20"):
            results = []
            for file in (conf, "/dev/null"):
                status, _, err = run("openssl", "enc", f"-{name}", "-K", "01" * 32, "-iv", "ff" * 16, "-in", path("plain"), "-out",
                                     path("out"), OPENSSL_CONF=file)
                self.assertEqual(status, 0, err)
                with open(path("out"), "rb") as out_file:
                    results.append(out_file.read())
            self.assertEqual(*results)

    def test_settings_stay(self):
        """Those of the file that is kept: by .include, and where it includes the printed one, without its first line."""
        system = write("system.cnf", SYSTEM)
        suites = run("openssl", "ciphers", "-s", OPENSSL_CONF=system)[1]
        self.assertEqual(suites, "TLS_CHACHA20_POLY1305_SHA256:ECDHE-RSA-AES128-GCM-SHA256\n")
        self.assertNotEqual(suites, run("openssl", "ciphers", "-s", OPENSSL_CONF="/dev/null")[1])
        conf = printed("kept.cnf", "--module", MODULE, "--include", system)
        with open(conf) as file:
            included = write("included.cnf", "".join(line for line in file if not line.startswith(".include ")))
        all_programs = write("all.cnf", f"{SYSTEM}\n.include {included}\n")
        for file in (conf, all_programs):
            self.assertEqual(run("openssl", "ciphers", "-s", OPENSSL_CONF=file)[1], suites)
            self.assertIn("lanecrypt", run("openssl", "list", "-providers", OPENSSL_CONF=file)[1])
            self.served(OPENSSL_CONF=file)
        # The system's own file has settings for the commands.
        own = run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", path("key"), "-out", path("cert"),
                  "-subj", "/CN=x", OPENSSL_CONF=printed("good.cnf", "--module", MODULE))
        self.assertEqual(own[0], 0, own[2])

    def fetches(self, name, conf):
        status, out, err = run(path(name), OPENSSL_CONF=conf)
        self.assertEqual(status, 0, err)
        return dict(line.split() for line in out.splitlines()[:10])

    def test_doctor_tells_the_truth(self):
        """A program of one's own, linked in several ways, gets what the doctor says."""
        confs = {"good": edited("good.cnf"), "order": edited("order.cnf", ("?provider=lanecrypt", "?provider=default")),
                 "missing": edited("missing.cnf", (MODULE, "/nonexistent.so"))}
        for what, conf in confs.items():
            expected = dict.fromkeys(CIPHERS, "lanecrypt" if what == "good" else "default")
            for name in linked():
                _, table, _ = self.doctor(0 if (what, name) == ("good", "dynamic") else 1, path(name), OPENSSL_CONF=conf)
                self.assertEqual({cipher: provider for cipher, (provider, _) in table.items()}, expected)
                self.assertEqual(self.fetches(name, conf), expected)
            self.assertEqual(self.fetches("context", conf), dict.fromkeys(CIPHERS, "default"))

    def test_process(self):
        conf = edited("good.cnf")
        for name in linked():
            rows, *_ = self.served(*self.start(name, OPENSSL_CONF=conf))
            self.assertEqual((rows["program"], rows["loaded"]), (path(name), MODULE))
            self.assertRegex(rows["process"], r"^\d+, started \d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
            report = json.loads(lanecrypt("doctor", "--json", *self.start(name, OPENSSL_CONF=conf))[1])
            self.assertEqual((report["ok"], report["judged"], report["loaded_by"]), (True, "process", "configuration"))
            self.assertEqual((report["process"]["uid"], report["process"]["module"]), (os.getuid(), MODULE))
            self.assertFalse(report["process"]["environment_overwritten"] or report["process"]["module_replaced"])
        rows, *_ = self.served(*self.start("dynamic", OPENSSL_CONF="good.cnf", cwd=WORK))  # from another directory
        self.not_served("as OPENSSL_CONF isn't set", "OPENSSL_CONF=", *self.start("dynamic"), OPENSSL_CONF=conf)
        rows, *_ = self.not_served("the module is missing", "install", *self.start("dynamic", OPENSSL_CONF=edited(
            "missing.cnf", (MODULE, "/nonexistent.so"))))
        self.assertEqual(rows["loaded"], "no lanecrypt.so")
        rows, table, out = self.doctor(1, *self.start("context", OPENSSL_CONF=conf))
        self.assertRegex(rows["why"], f"hasn't loaded lanecrypt.so: {path('context')} makes library contexts of its own")
        self.assertIn("\nAfter a restart, lanecrypt would serve 10 of 10 ciphers.\n", out)

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "needs two CPUs")
    def test_process_that_becomes_another(self):
        """What was read before and after doesn't go together.  The process does it all the time; to meet it takes some attempts."""
        source = """
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    argv[0][strlen(argv[0]) - 1] ^= 'a' ^ 'b';
    if (argc > 1)
        write(1, "ready\\n", 6);
    execl(argv[0], argv[0], (char *)0);
    return 1;
}
"""
        shutil.copy(compile_c("turns-a", source), path("turns-b"))
        process = self.start("turns-a", "wait")
        for _ in range(1000):
            status, out, err = lanecrypt("doctor", *process)
            self.assertEqual((status, bool(out)), (1, not err))
            if "has become another program or user: ask again" in err:
                return
        self.fail("it never noticed")

    def test_process_without_libcrypto(self):
        compile_c("waits", "#include <unistd.h>\nint main(void) { write(1, \"ready\\n\", 6); pause(); }")
        self.not_served("has loaded no libcrypto", "none", *self.start("waits"))

    def test_process_that_is_older_than_its_configuration(self):
        conf = write("later.cnf", "")
        process = self.start("dynamic", OPENSSL_CONF=conf)
        os.replace(edited("new.cnf"), conf)
        os.utime(conf, (time.time() + 5, time.time() + 5))
        rows, table, _ = self.doctor(1, *process)
        self.assertRegex(rows["why"], f"hasn't loaded lanecrypt.so: it was started .*, and {conf} changed later, ")
        self.assertIn("restart it", rows["remedy"])
        os.utime(conf, (0, 0))
        self.assertRegex(self.doctor(1, *process)[0]["why"], "hasn't used OpenSSL yet|was installed later")

    def test_process_without_environment(self):
        conf = edited("good.cnf")
        sshd = "sshd: /usr/sbin/sshd -D -o PubkeyAuthentication=no -o PasswordAuthentication=no [listener] 0 of 10-100 startups"
        for args in (("overwrite",), ("title", sshd), ("long-title", "x")):
            process = self.start("dynamic", *args, OPENSSL_CONF=conf)
            rows, *_ = self.served(*process, OPENSSL_CONF=conf)
            self.assertIn("overwritten", rows["environment"])
            self.not_served("has loaded lanecrypt.so, but not by the configuration above",
                            "OPENSSL_CONF=FILE lanecrypt doctor --pid", *process)
        self.assertNotIn("environment", self.served(*self.start("dynamic", OPENSSL_CONF=conf))[0])
        self.assertNotIn("environment", self.served(*self.start("dynamic", "wait", "a=b", OPENSSL_CONF=conf))[0])

    def test_process_that_loads_providers_itself(self):
        """As HAProxy does."""
        os.makedirs(path("modules"), exist_ok=True)
        shutil.copy(MODULE, path("modules/lanecrypt.so"))
        process = self.start("loads", "wait", path("modules"))
        rows, table, out = self.doctor(1, *process)
        self.assertEqual({provider for provider, _ in table.values()}, {"lanecrypt"}, out)
        self.assertNotIn("-", {impl for _, impl in table.values()})
        self.assertEqual(rows["loaded"], path("modules/lanecrypt.so"))
        self.assertRegex(rows["provider"], rf"^{path('modules/lanecrypt.so')} \(by the process; lanecrypt \d")
        self.assertIn("the process as it runs; it has loaded lanecrypt.so itself", rows["judged"])
        self.assertIn("\nThe process can get 10 of 10 ciphers from lanecrypt.\n", out)
        self.assertIn("whether it asks for that can't be seen", rows["why"])
        self.assertIn("ssl-propquery ?provider=lanecrypt", rows["remedy"])

    def test_judged(self):
        conf = edited("good.cnf")
        self.assertNotIn("judged", self.served(path("dynamic"), OPENSSL_CONF=conf)[0])
        process = self.start("dynamic", OPENSSL_CONF=conf)
        self.assertEqual(self.served(*process)[0]["judged"],
                         "the process as it runs; it has loaded lanecrypt.so by this configuration")
        other = self.start("dynamic", OPENSSL_CONF=write("empty.cnf", ""))
        self.assertIn("what a new start with this configuration would get", self.doctor(1, *other)[0]["judged"])
        os.utime(conf, (time.time() + 5, time.time() + 5))
        rows, _, out = self.doctor(1, *process)
        self.assertIn("what a new start with this configuration would get", rows["judged"])
        self.assertRegex(rows["why"], "has loaded lanecrypt.so, but .*/good.cnf was changed after its start")
        self.assertIn("After a restart, lanecrypt would serve 10 of 10", out)

    def test_process_whose_module_is_gone(self):
        shutil.copy(MODULE, path("copy"))
        os.makedirs(path("modules"), exist_ok=True)
        os.replace(path("copy"), path("modules/lanecrypt.so"))
        process = self.start("dynamic", OPENSSL_CONF=edited("gone.cnf", (MODULE, path("modules/lanecrypt.so"))))
        self.assertEqual(self.served(*process)[0]["loaded"], path("modules/lanecrypt.so"))
        shutil.copy(MODULE, path("copy"))
        os.replace(path("copy"), path("modules/lanecrypt.so"))
        self.assertIn("was replaced or deleted since", self.served(*process)[0]["loaded"])

    def test_escapes(self):
        """Names that a process has chosen can't move the cursor, nor make lines."""
        bad = "\n\x1b[2J\x1b]0;t\x07 \x9b31m \u202e \udcff\nremedy         sudo it"
        escaped = r"\x0a\x1b[2J\x1b]0;t\x07 \xc2\x9b31m \xe2\x80\xae \xff\x0aremedy         sudo it"
        rows, _, out = self.doctor(1, *self.start("dynamic", OPENSSL_CONF=f"/x{bad}"))
        self.assertEqual(rows["configuration"], f"/x{escaped} (by OPENSSL_CONF)")
        self.assertEqual(out.count("\nremedy  "), 1)
        self.assertNotRegex(out, r"[^\n -~]")
        os.makedirs(path(f"folder{bad}"))
        shutil.copy(path("dynamic"), path(f"folder{bad}/program"))
        rows, _, out = self.doctor(1, *self.start(path(f"folder{bad}/program")))
        self.assertEqual(rows["program"], path(f"folder{escaped}/program"))
        status, out, err = lanecrypt("doctor", f"/x{bad}")  # messages too
        self.assertEqual((status, out, err), (1, "", f"lanecrypt: doctor: /x{escaped}: No such file or directory\n"))
        for name in ("\u00fc\u4e2d \U0001f600 \\",):  # and what can't do that is left alone
            self.assertIn(f" /{name}: No such", lanecrypt("doctor", f"/{name}")[2])

    def test_remedies_have_no_names_of_others(self):
        """What is meant to be copied into a shell doesn't hold what a process's owner may have thought of."""
        conf = write("a;id", SYSTEM)
        rows, *_ = self.not_served("doesn't name lanecrypt", "--include FILE", *self.start("dynamic", OPENSSL_CONF=conf))
        self.assertNotIn(";id", rows["remedy"])

    def test_lies(self):
        """Code that is loaded can write the report instead, but not what is known of the process, nor to the terminal."""
        lies = compile_c("lies.so", f"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void lie(void)
{{
    FILE *f = fopen("{path("lie")}", "r");
    static char text[1 << 21];
    size_t len = f ? fread(text, 1, sizeof(text), f) : 0;
    int fd = 3;

    while (f && fd < 64 && write(fd, text, 0) < 0) /* the only one for writing */
        fd++;
    for (ssize_t done = 0, n; f && (done += n = write(fd, text + done, len - done)) < len && n > 0;);
    if (f)
        _Exit(0);
}}
""", "-shared", "-fPIC")
        process = self.start("dynamic", OPENSSL_CONF=edited("lies.cnf", (MODULE, lies)))
        self.addCleanup(os.remove, path("lie"))
        write("lie", json.dumps({"ok": True, "process": {"pid": 1, "module": "/x"}, "program": "sudo", "num_served": 10,
                                 "judged": "process", "provider": {"file": "\x1b[2J\nwhy", "version": 7},
                                 "ciphers": [{"cipher": "\x1b"}, 5], "configuration": []}))
        status, out, _ = lanecrypt("doctor", *process)
        self.assertEqual(status, 0)
        self.assertRegex(out, f"^process        {process[1]}, started .*\nloaded         no lanecrypt.so\n"
                              f"program        {path('dynamic')}\n")
        self.assertIn("\nprovider       \\x1b[2J\\x0awhy (by ; )\n", out)
        self.assertNotRegex(out, r"[^\n -~]")
        report = json.loads(lanecrypt("doctor", "--json", *process)[1])
        self.assertEqual((report["process"]["pid"], report["program"]), (int(process[1]), path("dynamic")))
        write("lie", json.dumps({"error": "\x1b[2J"}))
        self.refused(1, "doctor: \\x1b[2J", "doctor", *process)
        for text in ("", "5", "{}{}", "[" * 10000, '"' + "x" * (1 << 21) + '"', '{"error": 5'):
            write("lie", text)
            self.refused(1, "gave no answer", "doctor", *process)

    def test_silence_and_noise(self):
        """Code that is loaded can't write into the report."""
        noise = compile_c("noise.so", "#include <stdio.h>\n__attribute__((constructor)) void f(void) { puts(\"remedy         x\"); "
                          "fflush(stdout); }\nint OSSL_provider_init(void) { return 0; }", "-shared", "-fPIC")
        conf = edited("noise.cnf", (MODULE, noise))
        self.assertNotIn("remedy         x", self.doctor(1, *self.start("dynamic", OPENSSL_CONF=conf))[2])
        status, out, err = lanecrypt("doctor", path("dynamic"), OPENSSL_CONF=conf)
        self.assertEqual((status, err), (1, "remedy         x\n" * err.count("\n")))
        self.assertNotIn("remedy         x", out)
        leaves = compile_c("leaves.so", "#include <stdlib.h>\n__attribute__((constructor)) void f(void) { if (getenv(\"LEAVE\")) "
                           "_Exit(0); }", "-shared")
        self.refused(1, "gave no answer", "doctor", path("dynamic"), LEAVE="1", OPENSSL_CONF=edited("noise.cnf", (MODULE, leaves)))


def as_other(*more):
    return ("setpriv", "--reuid=65534", "--regid=65533", "--clear-groups", *more)


@unittest.skipUnless(HAS_NAMESPACES, "SKIPPED: only root can change to another user, root and mount namespace")
class Rights(Processes):
    """Root asks about processes of others: their code gets no more than they have."""

    def setUp(self):
        self.folder = public_folder(self)

    def spied(self, found, args):
        """What the spy has seen when `lanecrypt doctor` had loaded it."""
        os.chmod(self.folder, 0o777)  # its file is its user's
        if os.path.exists(found):
            os.remove(found)
        with open(MODULE, "rb") as file:
            done = subprocess.run([PROGRAM, "doctor", *args], capture_output=True, text=True, timeout=120, input="x",
                                  pass_fds=[file.fileno()], env={**ENV, "SECRET": "hidden-from-others"})
        self.assertTrue(os.path.exists(found), (done.stdout, done.stderr))
        with open(found) as file:
            return done, set(file.read().splitlines())

    def test_code_of_another_user(self):
        """A provider that the configuration names, and a libcrypto."""
        found = f"{self.folder}/found"
        spy = compile_c("spy.so", "#define _GNU_SOURCE\n" + SPY, "-shared", f'-DFILE_NAME="{found}"')
        shutil.copy(spy, self.folder)
        with open(f"{self.folder}/spy.cnf", "w") as conf, open(edited("spy.cnf", (MODULE, f"{self.folder}/spy.so"))) as ours:
            conf.write(ours.read())
        os.makedirs(f"{self.folder}/lib")
        look_alike = compile_c("libcrypto.so.3", "#define _GNU_SOURCE\n" + SPY, "-shared", "-Wl,-soname,libcrypto.so.3",
                               f'-DFILE_NAME="{found}"')
        shutil.move(look_alike, f"{self.folder}/lib")
        waits = compile_c("waits", '#include <unistd.h>\nint main(void) { write(1, "ready\\n", 6); pause(); }',
                          "-Wl,--no-as-needed", f"{self.folder}/lib/libcrypto.so.3", f"-Wl,-rpath,{self.folder}/lib")
        shutil.move(waits, self.folder)
        nobody = ("uid=65534,65534,65534 gid=65533,65533,65533 groups={} caps=0 nnp=1 session=1 files=0 open=0 secret=0 home=0 "
                  "setuid=0 {}")
        os.chmod(self.folder, 0o777)
        for name in ("dynamic", "waits"):
            env = {"OPENSSL_CONF": f"{self.folder}/spy.cnf"} if name == "dynamic" else {}
            for before, groups in ((as_other(), 0), (as_other()[:-1] + ("--groups=7,9",), 2), (OWN_NAMESPACE + as_other(), 0)):
                process = self.start(f"{self.folder}/{name}", before=before, **env)
                _, lines = self.spied(found, process)
                self.assertEqual(lines, {nobody.format(groups, os.readlink(f"/proc/{process[1]}/ns/mnt"))})
        # A process of root's without capabilities; and root's own, whose code may read files but no more than that.
        weak = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
        _, lines = self.spied(found, self.start(f"{self.folder}/dynamic", before=weak, OPENSSL_CONF=f"{self.folder}/spy.cnf"))
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines.pop(), "^uid=0,0,0 .* caps=0 nnp=1 session=1 files=0 open=0 secret=0")
        _, lines = self.spied(found, self.start(f"{self.folder}/dynamic", OPENSSL_CONF=f"{self.folder}/spy.cnf"))
        self.assertRegex(lines.pop(), "^uid=0,0,0 .* caps=4 nnp=1 session=1 files=0 open=0 secret=0")

    def test_another_user(self):
        """Root may ask about any process, others may not."""
        process = self.start(f"{self.folder}/dynamic", before=as_other(), OPENSSL_CONF=f"{self.folder}/good.cnf")
        self.served(*process)
        rows, *_ = self.doctor(0, *process)
        self.assertRegex(rows["note"], "^the rest comes from code of user 65534, ")
        rows, *_ = self.doctor(0, *self.start(f"{self.folder}/dynamic", OPENSSL_CONF=f"{self.folder}/good.cnf"))
        self.assertNotIn("note", rows)
        os.chmod(f"{self.folder}/lanecrypt.so", 0o600)  # root could read it, the process can't
        rows, *_ = self.doctor(1, *process)
        self.assertRegex(rows["provider"], "; not readable\\)$")
        self.assertRegex(rows["why"], "^the module can't be read: ")

        def asked(*args):
            return subprocess.run([f"{self.folder}/lanecrypt", "doctor", *args], user=65534, group=65533, extra_groups=[],
                                  capture_output=True, text=True, env={**ENV, "OPENSSL_CONF": f"{self.folder}/good.cnf"})

        done = asked(f"{self.folder}/dynamic")
        self.assertIn(f"the module can't be read: {self.folder}/lanecrypt.so (by the configuration): Permission denied",
                      done.stdout)
        self.assertNotIn("missing", done.stdout)
        os.chmod(f"{self.folder}/lanecrypt.so", 0o644)
        self.assertEqual(asked(*process).returncode, 0, "its own process")
        done = asked("--pid", str(os.getpid()))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("Permission denied; ask as its owner or as root", done.stderr)
        # Of the same user, but with another group, whose code isn't this one's: the kernel says no, or the doctor does.
        other = self.start(f"{self.folder}/dynamic", before=as_other()[:-1] + ("--groups=7",),
                           OPENSSL_CONF=f"{self.folder}/good.cnf")
        done = asked(*other)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("can't take its user and groups; ask as its owner or as root", done.stderr)

    def test_several_ids(self):
        """What a set-user-ID program reads is its caller's, and what it may is its owner's."""
        program = f"{self.folder}/dynamic"
        os.chown(program, 65534, 65533)
        for mode in (0o4755, 0o2755):
            os.chmod(program, mode)
            process = self.start(program)
            self.refused(1, "has the ids of several users or groups", "doctor", *process)

    def jail(self, *programs):
        """A folder with all that programs need."""
        jail = f"{self.folder}/jail"
        for program in programs:
            for file in (program, *re.findall(r"(/\S+) \(0x", run("ldd", program)[1])):
                os.makedirs(os.path.dirname(f"{jail}/{file}"), exist_ok=True)
                shutil.copy(file, f"{jail}/{file}")
        os.makedirs(f"{jail}/modules")
        shutil.move(f"{self.folder}/lanecrypt.so", f"{jail}/modules")
        with open(f"{jail}/good.cnf", "w") as conf, open(edited("good.cnf", (MODULE, "/modules/lanecrypt.so"))) as ours:
            conf.write("".join(line for line in ours if not line.startswith(".include")))
        return jail

    def test_another_root(self):
        """Judged by its own files, whatever there is of the same names outside."""
        jail = self.jail(f"{self.folder}/dynamic")
        for before in (("chroot", jail), ("chroot", "--userspec=65534:65533", jail)):
            process = self.start(f"{self.folder}/dynamic", before=before, OPENSSL_CONF="/good.cnf")
            rows, *_ = self.served(*process)
            self.assertEqual((rows["program"], rows["loaded"]), (f"{self.folder}/dynamic", "/modules/lanecrypt.so"))
            self.assertEqual(rows["configuration"], "/good.cnf (by OPENSSL_CONF)")
        process = self.start(f"{self.folder}/dynamic", before=("chroot", jail), OPENSSL_CONF=f"{self.folder}/good.cnf")
        # It is there, but outside.
        self.not_served(f"the configuration is {self.folder}/good.cnf: No such file", "openssl-conf", *process)

    def test_changed_root(self):
        """As HAProxy does once it has started."""
        conf = edited("good.cnf")
        process = self.start("dynamic", "chroot", self.folder, OPENSSL_CONF=conf)
        rows, *_ = self.not_served("has loaded lanecrypt.so; it has changed its root", "as the user who runs it", *process)
        self.assertEqual(rows["loaded"], MODULE)

    def test_namespaces(self):
        self.served(*self.start("dynamic", OPENSSL_CONF=edited("good.cnf"), before=OWN_NAMESPACE))
        # Containers: only what can be said without their files.
        for option in ("-n", "-i", *(["-U"] if HAS_MOUNTS else [])):
            process = self.start("dynamic", OPENSSL_CONF=edited("good.cnf"), before=("unshare", option))
            rows, table, _ = self.not_served("has loaded lanecrypt.so; it runs in a container", "in there", *process)
            self.assertEqual(table, {})
            self.assertNotIn("configuration", rows)
        self.not_served("hasn't loaded lanecrypt.so; it runs in a container", "in there",
                        *self.start("context", before=("unshare", "-n")))

    @unittest.skipUnless(HAS_MOUNTS, "SKIPPED: only root can have mounts of its own, and not in a chroot")
    def test_own_mounts(self):
        """Files that nobody else sees."""
        os.makedirs(path("box"), exist_ok=True)
        script = 'mount -t tmpfs none "$0" && cp "$1" "$2" "$0" && cp "$3" "$0/lanecrypt.so" && exec "$0/dynamic" wait'
        conf = edited("box.cnf", (MODULE, path("box/lanecrypt.so")))
        process = self.start("/bin/sh", "-c", script, path("box"), path("dynamic"), conf, MODULE, before=OWN_MOUNTS,
                             OPENSSL_CONF=path("box/box.cnf"))
        rows, *_ = self.served(*process)
        self.assertEqual((rows["program"], rows["loaded"]), (path("box/dynamic"), path("box/lanecrypt.so")))

    @unittest.skipUnless(HAS_MOUNTS and os.access("/dev/fuse", os.R_OK | os.W_OK), "SKIPPED: only root can have mounts of its own")
    def test_memory_that_never_comes(self):
        """A part that is called as the module, of a file whose server opens it, and then answers nothing."""
        os.makedirs(path("never"), exist_ok=True)
        server = """
#include <fcntl.h>
#include <linux/fuse.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
static void answer(int fd, unsigned long id, int error, const void *data, size_t len)
{
    char all[512];
    struct fuse_out_header head = { sizeof(head) + len, error, id };
    memcpy(all, &head, sizeof(head));
    memcpy(all + sizeof(head), data, len);
    write(fd, all, sizeof(head) + len);
}
int main(int argc, char **argv)
{
    static char in[1 << 18], option[100], file[4096];
    struct fuse_in_header *head = (void *)in;
    struct fuse_attr root = { .ino = 1, .mode = S_IFDIR | 0755, .nlink = 2 };
    struct fuse_attr module = { .ino = 2, .mode = S_IFREG | 0755, .nlink = 1, .size = 1 << 20 };
    struct fuse_init_out init = { .major = 7, .minor = 31, .max_write = 4096 };
    struct fuse_entry_out entry = { .nodeid = 2, .entry_valid = 99, .attr_valid = 99, .attr = module };
    struct fuse_attr_out attr = { .attr_valid = 99 };
    struct fuse_open_out opened = { .fh = 1 };
    int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    sprintf(option, "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
    sprintf(file, "%s/lanecrypt.so", argv[1]);
    if (mount("never", argv[1], "fuse", 0, option))
        return 1;
    if (fork()) {
        close(fd);
        mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE, open(file, O_RDONLY), 0);
        puts("ready");
        fflush(stdout);
        pause();
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(20);
    while (read(fd, in, sizeof(in)) > 0)
        switch (head->opcode) {
        case FUSE_INIT: answer(fd, head->unique, 0, &init, sizeof(init)); break;
        case FUSE_LOOKUP: answer(fd, head->unique, 0, &entry, sizeof(entry)); break;
        case FUSE_GETATTR:
            attr.attr = head->nodeid == 1 ? root : module;
            answer(fd, head->unique, 0, &attr, sizeof(attr));
            break;
        case FUSE_OPEN: answer(fd, head->unique, 0, &opened, sizeof(opened)); break;
        case FUSE_READ:
        case FUSE_FORGET: break;
        default: answer(fd, head->unique, -38, NULL, 0);
        }
}
"""
        process = self.start(compile_c("never_comes", server), path("never"), before=OWN_MOUNTS)
        begin = time.time()
        out = lanecrypt("doctor", *process)[1]
        self.assertLess(time.time() - begin, 10)
        self.assertIn("has loaded no libcrypto", out)

    def test_filter(self):
        """A filter for system calls can't be taken over."""
        source = """
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct sock_filter allow = { BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW };
    struct sock_fprog program = { 1, &allow };

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        return 1;
    execv(argv[1], argv + 1);
    return 1;
}
"""
        process = self.start("dynamic", OPENSSL_CONF=edited("good.cnf"), before=(compile_c("filter", source),))
        self.not_served("has loaded lanecrypt.so; it is restricted by a filter", "as the user who runs it", *process)


if __name__ == "__main__":
    unittest.main(verbosity=2)  # names what is skipped
