# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""`lanecrypt openssl-conf` and `lanecrypt doctor`, with the OpenSSL provider of the build.

Usage: test_openssl.py LANECRYPT MODULE WORK_DIR [Conf] [Doctor] [Programs]

Programs runs other programs with the module, which then can't be built with sanitizers; in the other two only lanecrypt loads it.
Needs a C compiler and OpenSSL's headers and static library.  What needs root is skipped, and said so, where that isn't there.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

PROGRAM, MODULE, WORK = (os.path.abspath(path) for path in sys.argv[1:4])
del sys.argv[1:4]
# Whoever runs this may use the provider.
ENV = {name: value for name, value in os.environ.items() if not name.startswith(("OPENSSL_", "LANECRYPT_", "LD_"))}
CIPHERS = ["AES-128-GCM", "AES-192-GCM", "AES-256-GCM", "ChaCha20-Poly1305", "AES-128-CTR", "AES-192-CTR", "AES-256-CTR",
           "ChaCha20", "AES-128-XTS", "AES-256-XTS"]
IS_ROOT = os.geteuid() == 0

# Says which provider it gets for each cipher, and with an argument waits then.
FETCH = """
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdio.h>
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
    if (argc > 1)
        pause();
    return 0;
}
""" % ", ".join(f'"{name}"' for name in CIPHERS)

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


def setUpModule():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    os.chmod(WORK, 0o755)
    compile_c("dynamic", FETCH, "-lcrypto")
    compile_c("context", FETCH, "-DOWN_CONTEXT", "-lcrypto")
    compile_c("inside", FETCH, "-l:libcrypto.a", "-ldl", "-pthread")
    compile_c("static", FETCH, "-static", "-lcrypto")


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
            self.assertRegex(out, "\n(lanecrypt serves|Started now, lanecrypt would serve) 0 of 10 ciphers\\.\n")
        self.assertRegex(rows["why"], why)
        self.assertRegex(rows["remedy"], remedy)
        return rows, table, out


class Conf(Test):
    def test_without_an_installed_module(self):
        directory = run("openssl", "version", "-m")[1].split('"')[1]
        if os.path.exists(f"{directory}/lanecrypt.so"):
            self.assertIn(f"\nmodule = {directory}/lanecrypt.so\n", lanecrypt("openssl-conf")[1])
        else:
            self.refused(1, f"no lanecrypt.so in {directory} or ", "openssl-conf")

    def test_beside_the_program(self):
        for file, folder in ((PROGRAM, "bin"), (MODULE, "lib/ossl-modules"), (MODULE, "lib64/ossl-modules")):
            os.makedirs(path(f"prefix/{folder}"), exist_ok=True)
            shutil.copy(file, path(f"prefix/{folder}"))
        status, out, err = run(path("prefix/bin/lanecrypt"), "openssl-conf")
        self.assertEqual((status, err), (0, ""))
        self.assertRegex(out, f"\nmodule = ({WORK}/prefix/lib(64)?|/.*)/ossl-modules/lanecrypt.so\n")

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
        self.refused(1, "several lines", "openssl-conf", "--module", path("two\nlines/lanecrypt.so"))

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
        self.refused(1, "no OpenSSL provider", "openssl-conf", "--module", compile_c("fake.so", "int nothing;", "-shared"))
        self.refused(1, "system.cnf", "openssl-conf", "--module", write("system.cnf", SYSTEM))
        self.refused(1, "--include /nonexistent: No such file", "openssl-conf", "--module", MODULE, "--include", "/nonexistent")
        self.refused(1, f"--include {WORK}: Is a directory", "openssl-conf", "--module", MODULE, "--include", WORK)
        self.refused(1, "bad.cnf: OpenSSL can't parse line 2", *conf("a = b\n[c\n"))
        self.refused(1, "default_properties = fips=yes, which", *conf(SYSTEM.replace("[evp_properties]", "[evp_properties]\n"
                                                                                     "default_properties = fips=yes")))
        self.refused(1, "[provider_sect] in", *conf(SYSTEM.replace("default = default_sect", "base = default_sect")))
        self.refused(1, "activates legacy without default",
                     *conf(SYSTEM.replace("[default_sect]", "legacy = legacy\n[default_sect]\n[legacy]")))
        for value in ("no", "OFF", "0", "false"):
            self.refused(1, "activates legacy without default",
                         *conf(SYSTEM.replace("activate = 1", f"activate = {value}\n[legacy]\nactivate = 1")
                               .replace("default = default_sect", "legacy = legacy\ndefault = default_sect")))
        self.refused(2, "too many", "openssl-conf", "x")
        self.refused(2, "--module", "openssl-conf", "--module")
        self.full_disk("openssl-conf", "--module", MODULE)


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
        self.assertIn("OPENSSL_CONF is that of this shell", out)
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
        self.assertRegex(rows["configuration"], r" \(the system's\)$")
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
        self.assertIn("; not loaded)", rows["provider"])
        check("can't be loaded: .*/fake.so: no OpenSSL provider", "install", compile_c("fake.so", "int nothing;", "-shared"))
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
        self.not_served(r"order: default_properties = \?provider=default in \[\w+\] of .*/order.cnf prefers default", "let `",
                        path("dynamic"), OPENSSL_CONF=edited("order.cnf", (query, query.replace("lanecrypt", "default"))))
        self.served(path("dynamic"), OPENSSL_CONF=edited("order.cnf", (query, ""), (first, last)))

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
        for bad in (WORK, "/dev/null", write("text", "text\n"), write("nothing", "")):
            self.refused(1, f"{bad}: neither a program nor a script", "doctor", bad)
        self.refused(2, "too many", "doctor", "a", "b")
        self.refused(2, "too many", "doctor", "--pid", "1", "a")
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
        self.not_served(r"it has no \w+\(\), so it's not OpenSSL's", "3.0 or later", program("other", "libcrypto.so.3", "int x;"),
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

    def test_openssl_inside(self):
        conf = edited("good.cnf")
        for name in ("inside", "static"):
            rows, table, _ = self.doctor(1, path(name), OPENSSL_CONF=conf)
            self.assertRegex(rows["libcrypto"],
                             rf"^OpenSSL \d+\.\d+\.\d+ .* \d{{4}} inside of {path(name)}; below answers the system's")
            self.assertEqual({provider for provider, _ in table.values()}, {"lanecrypt"})
            self.assertRegex(rows["why"], f"what the system's libcrypto does .* what {path(name)} does, only a process shows")
            self.assertIn("--pid", rows["remedy"])
            self.not_served("has OpenSSL .* inside; OPENSSL_CONF isn't set", "start it with OPENSSL_CONF=", path(name))
            self.not_served("the module is missing", "install", path(name),
                            OPENSSL_CONF=edited("missing.cnf", (MODULE, "/nonexistent.so")))

    def test_libcrypto_and_openssl_inside(self):
        inside = compile_c("libinside.so", "int OSSL_PROVIDER_available(void *, char *);\n"
                           "int f(void) { return OSSL_PROVIDER_available(0, \"default\"); }", "-shared", "-l:libcrypto.a")
        both = compile_c("both", "int main(void) { return 0; }", "-Wl,--no-as-needed", inside, "-lcrypto", f"-Wl,-rpath,{WORK}")
        rows, *_ = self.served(both, OPENSSL_CONF=edited("good.cnf"))
        self.assertRegex(rows["besides"], rf"^{inside} has OpenSSL.* inside, which isn't asked$")

    def test_own_context(self):
        conf = edited("good.cnf")
        rows, table, _ = self.doctor(1, path("context"), OPENSSL_CONF=conf)
        self.assertEqual(len(table), 10)
        self.assertIn(f"{path('context')} makes library contexts of its own, which read no configuration", rows["why"])
        self.assertIn("--pid", rows["remedy"])
        rows, table, _ = self.doctor(1, "cryptsetup", OPENSSL_CONF=conf, PATH="/nowhere")  # it's in /usr/sbin
        self.assertEqual(table, {})
        self.assertRegex(rows["why"], "libcryptsetup.so.* makes library contexts of its own")
        self.assertIn("by the kernel", rows["remedy"])

    @unittest.skipUnless(IS_ROOT, "SKIPPED: only root can make files of others")
    def test_set_user_id(self):
        shutil.copy(path("dynamic"), path("setuid"))
        os.chown(path("setuid"), 65534, 65534)
        conf = edited("good.cnf")
        self.served(path("setuid"), OPENSSL_CONF=conf)
        for mode in (0o4755, 0o2755):
            os.chmod(path("setuid"), mode)
            self.not_served("as it has other rights than its caller and ignores OPENSSL_CONF", "included by that file|openssl-conf",
                            path("setuid"), OPENSSL_CONF=conf)


class Programs(Test):
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
            for name in ("dynamic", "inside", "static"):
                _, table, _ = self.doctor(0 if (what, name) == ("good", "dynamic") else 1, path(name), OPENSSL_CONF=conf)
                self.assertEqual({cipher: provider for cipher, (provider, _) in table.items()}, expected)
                self.assertEqual(self.fetches(name, conf), expected)
            self.assertEqual(self.fetches("context", conf), dict.fromkeys(CIPHERS, "default"))

    def start(self, name, *args, cwd=None, before=(), **env):
        """A process that has fetched its ciphers and waits."""
        process = subprocess.Popen([*before, path(name), *(args or ("wait",))], stdout=subprocess.PIPE, text=True, cwd=cwd,
                                   env={**ENV, **env})
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.send_signal, signal.SIGTERM)
        for _ in range(11):
            self.assertTrue(process.stdout.readline())
        if "overwrite" in args:  # that comes behind the last line
            for _ in range(100):
                with open(f"/proc/{process.pid}/environ", "rb") as environ:
                    if not environ.read(1).strip(b"\0"):
                        break
                time.sleep(0.05)
        return ("--pid", str(process.pid))

    def test_process(self):
        conf = edited("good.cnf")
        for name in ("dynamic", "inside", "static"):
            rows, *_ = self.served(*self.start(name, OPENSSL_CONF=conf))
            self.assertEqual((rows["program"], rows["loaded"]), (path(name), MODULE))
            self.assertRegex(rows["process"], r"^\d+, started \d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
        rows, *_ = self.served(*self.start("dynamic", OPENSSL_CONF="good.cnf", cwd=WORK))  # from another directory
        self.not_served("as OPENSSL_CONF isn't set", "OPENSSL_CONF=", *self.start("dynamic"), OPENSSL_CONF=conf)
        rows, *_ = self.not_served("the module is missing", "install", *self.start("dynamic", OPENSSL_CONF=edited(
            "missing.cnf", (MODULE, "/nonexistent.so"))))
        self.assertEqual(rows["loaded"], "no lanecrypt.so")
        rows, table, out = self.doctor(1, *self.start("context", OPENSSL_CONF=conf))
        self.assertRegex(rows["why"], f"hasn't loaded lanecrypt.so: {path('context')} makes library contexts of its own")
        self.assertIn("\nStarted now, lanecrypt would serve 10 of 10 ciphers.\n", out)

    def test_process_without_libcrypto(self):
        compile_c("waits", "#include <unistd.h>\nint main(void) { for (int i = 0; i < 11; i++) write(1, \"\\n\", 1); pause(); }")
        self.not_served("has loaded no libcrypto", "none", *self.start("waits"))

    def test_process_that_is_older_than_its_configuration(self):
        conf = write("later.cnf", "")
        process = self.start("dynamic", OPENSSL_CONF=conf)
        os.replace(edited("new.cnf"), conf)
        os.utime(conf, (time.time() + 5, time.time() + 5))
        rows, table, _ = self.doctor(1, *process)
        self.assertRegex(rows["why"], f"hasn't loaded lanecrypt.so: it was started .*, and {conf} changed later, ")
        self.assertIn("start it again", rows["remedy"])
        os.utime(conf, (0, 0))
        self.assertRegex(self.doctor(1, *process)[0]["why"], "has used no OpenSSL yet|was installed later")

    def test_process_without_environment(self):
        conf = edited("good.cnf")
        process = self.start("dynamic", "overwrite", OPENSSL_CONF=conf)
        rows, *_ = self.served(*process, OPENSSL_CONF=conf)
        self.assertIn("overwritten", rows["environment"])
        self.not_served("has loaded lanecrypt.so, but not by the configuration above", "OPENSSL_CONF=FILE lanecrypt doctor --pid",
                        *process)
        self.assertNotIn("environment", self.served(*self.start("dynamic", OPENSSL_CONF=conf))[0])

    def test_process_whose_module_is_gone(self):
        shutil.copy(MODULE, path("copy"))
        os.makedirs(path("modules"), exist_ok=True)
        os.replace(path("copy"), path("modules/lanecrypt.so"))
        process = self.start("dynamic", OPENSSL_CONF=edited("gone.cnf", (MODULE, path("modules/lanecrypt.so"))))
        self.assertEqual(self.served(*process)[0]["loaded"], path("modules/lanecrypt.so"))
        shutil.copy(MODULE, path("copy"))
        os.replace(path("copy"), path("modules/lanecrypt.so"))
        self.assertIn("was replaced or deleted since", self.served(*process)[0]["loaded"])

    @unittest.skipUnless(IS_ROOT, "SKIPPED: only root can make mount namespaces")
    def test_process_in_a_container(self):
        conf = edited("good.cnf")
        os.makedirs(path("box"), exist_ok=True)
        inside = ("unshare", "-m", "sh", "-c", 'mount -t tmpfs none "$0" && cp "$1" "$0/program" && exec "$0/program" wait',
                  path("box"))
        for name, has in (("dynamic", "has loaded"), ("context", "hasn't loaded")):
            process = self.start(name, OPENSSL_CONF=conf, before=inside)
            self.not_served(f"{has} lanecrypt.so.*a container", "in there", *process)
        # With the same files, as systemd's services have them.
        self.served(*self.start("dynamic", OPENSSL_CONF=conf, before=("unshare", "-m")))

    @unittest.skipUnless(IS_ROOT, "SKIPPED: only root can change to another user")
    def test_process_of_another_user(self):
        """Root may ask about any process, others may not."""
        process = self.start("dynamic", OPENSSL_CONF=edited("good.cnf"), before=("setpriv", "--reuid=65534", "--clear-groups"))
        self.served(*process)
        done = subprocess.run([PROGRAM, "doctor", "--pid", str(os.getpid())], user=65534, capture_output=True, text=True, env=ENV)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("Permission denied; ask as its owner or as root", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)  # names what is skipped
