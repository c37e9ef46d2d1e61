# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The commands cpu, list, selftest and speed from outside: what they print, and how they refuse.

Usage: test_program.py LANECRYPT"""
import copy
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def run(*args, **env):
    done = subprocess.run([PROGRAM, *args], capture_output=True, text=True, env={**os.environ, **env}, timeout=300)
    return done.returncode, done.stdout, done.stderr


def entry(name, driver, module="kernel", priority=100, refcnt=1, selftest="passed", internal="no", kind="skcipher"):
    """An entry of /proc/crypto, with the empty line after it."""
    fields = [("name", name), ("driver", driver), ("module", module), ("priority", priority), ("refcnt", refcnt),
              ("selftest", selftest), ("internal", internal), ("type", kind)]
    fields += [("flags", "0x490")] if kind == "larval" else [("async", "no"), ("blocksize", 16), ("min keysize", 32)]
    return "".join(f"{field:13}: {value}".rstrip(" ") + "\n" for field, value in fields) + "\n"


def lanecrypt_entry(features, priority, **more):
    return entry("xts(aes)", f"xts-aes-lanecrypt-{features}", "lanecrypt", priority, **more)


# What two kernels of Debian have for xts(aes), among others.
DEBIAN_6_1 = (entry("cbc(aes)", "cbc-aes-aesni", "aesni_intel", 400) + entry("xts(aes)", "xts(ecb(aes-generic))") +
              entry("__xts(aes)", "cryptd(__xts-aes-aesni)", "cryptd", 451, internal="yes") +
              entry("xts(aes)", "xts-aes-aesni", "aesni_intel", 401, refcnt=3) +
              entry("__xts(aes)", "__xts-aes-aesni", "aesni_intel", 401, internal="yes") +
              entry("crc32c", "crc32c-generic", kind="shash"))
DEBIAN_6_12 = (entry("xts(aes)", "xts-aes-vaes-avx10_512", "aesni_intel", 800) +
               entry("xts(aes)", "xts-aes-vaes-avx10_256", "aesni_intel", 700) +
               entry("xts(aes)", "xts-aes-vaes-avx2", "aesni_intel", 600) +
               entry("xts(aes)", "xts-aes-aesni-avx", "aesni_intel", 500) + DEBIAN_6_1)
OURS = lanecrypt_entry("aesni", 2000) + lanecrypt_entry("vaes-avx512-512", 2400) + lanecrypt_entry("vaes-avx2", 2200)


MODES = ("xts", "ctr", "gcm", "chacha20", "poly1305", "chacha20-poly1305", "sha256", "sha512", "sm3", "ecdsa-p256",
         "ecdh-p256", "ecdsa-p384", "ecdh-p384", "sm2", "x25519", "ed25519", "rsa")
CHACHA = ["chacha20", "poly1305", "chacha20-poly1305"]
DEFAULT_ALGS = ["aes-256-xts", "aes-128-ctr", "aes-256-ctr", "aes-128-gcm", "aes-256-gcm", *CHACHA]


def portable(mode):
    return f"{mode}-aes-portable" if mode in ("xts", "ctr", "gcm") else f"{mode}-portable"


class Program(unittest.TestCase):
    def refused(self, status, word, *args, **env):
        """Exit status, part of the message on stderr, nothing on stdout."""
        got, out, err = run(*args, **env)
        self.assertEqual((got, out), (status, ""), err)
        self.assertIn(word, err)

    def rows(self, mode="xts", **env):
        """name -> state, of `lanecrypt list`."""
        status, out, err = run("list", mode, **env)
        self.assertEqual((status, err), (0, ""))
        return {line.split()[0]: line.split()[1] for line in out.splitlines() if line.startswith(mode + "-")}

    def here(self, mode="xts"):
        """The implementations that run here."""
        return [name for name, state in self.rows(mode).items() if state != "-"]

    def speed(self, *args):
        """The object of `lanecrypt speed --json -`."""
        status, out, err = run("speed", "--json", "-", *args)
        self.assertEqual(status, 0, err)
        return json.loads(out)  # nothing but the object

    def test_usage(self):
        self.refused(2, "usage:")
        self.refused(2, "unknown command 'foo'", "foo")
        status, out, _ = run("--help")
        self.assertEqual(status, 0)
        for command in ("completion", "cpu", "doctor", "list", "openssl-conf", "selftest", "speed", "verify", "xts"):
            self.assertIn(f"  {command} ", out)
            status, text, _ = run(command, "--help")
            self.assertEqual(status, 0)
            self.assertIn(f"lanecrypt {command}", text)
        for word in ("--version", "version"):
            self.assertRegex(run(word)[1], r"^lanecrypt \d+\.\d+\.\d+\n$")
        self.assertIn("`lanecrypt version`", out)

    def test_bad_arguments(self):
        commands = re.findall(r"^  (\S+) ", run("--help")[1], re.MULTILINE)
        self.assertGreater(len(commands), 8)
        for words in (*((command,) for command in commands), ("xts", "encrypt")):
            self.refused(2, f"lanecrypt: {words[0]}: --foo: unknown option, or the beginning of several; "
                            f"see `lanecrypt {words[0]} --help`\n", *words, "--foo")
        for args, message in ((("cpu", "x"), "unexpected argument 'x'"), (("list", "gcm2"), "unknown mode 'gcm2'"),
                              (("xts", "encrypt"), "--key-file is missing"), (("verify",), "--keys or --roots is missing"),
                              (("completion", "ksh"), "which shell? bash, fish or zsh"),
                              *(((command, "-\1"), r"-\x01: unknown option") for command in commands)):
            self.refused(2, f"lanecrypt: {args[0]}: {message}; see `lanecrypt {args[0]} --help`\n", *args)

    def test_messages_are_escaped(self):
        """Names of files that others have chosen can't move the cursor or make a second line; other alphabets stay."""
        bad, escaped = "\x1b[2J\r\n\x7f\x9b\u202e\udcff", r"\x1b[2J\x0d\x0a\x7f\xc2\x9b\xe2\x80\xae\xff"
        alphabets, broken = "\u00fc \u4e2d \U0001f600", "\udce2\udc82"
        for name, shown in ((bad, escaped), (alphabets, alphabets), (broken, r"\xe2\x82")):
            for args in (("xts", "encrypt", "--key-file", f"/none/{name}", "/none/in", "/none/out"),
                         ("list", f"--kernel=/none/{name}")):
                self.assertEqual(run(*args)[2].count("\n"), 1)
                self.refused(1, f"/none/{shown}: ", *args)

    def test_list_has_one_chosen_row(self):
        for mode in (*MODES, "aes-round"):
            rows = self.rows(mode)
            self.assertEqual(list(rows.values()).count("chosen"), 1, rows)
            self.assertIn(portable(mode), rows)

    def test_list_help_has_all_modes(self):
        modes = tuple(word + "-" for word in re.findall("`([a-z0-9-]+)`", run("list", "--help")[1]))
        for line in run("list")[1].split("\n\n")[0].splitlines()[1:]:
            self.assertTrue(line.startswith(modes), line)

    def test_list_has_all_modes_in_columns(self):
        head, *lines = run("list")[1].splitlines()
        self.assertIn("(*): policy passes over it;", lines[-2])  # which isn't always that of 512 bits
        lines = [line for line in lines[:lines.index("")]]
        self.assertEqual([line.split()[0] for line in lines],
                         [name for mode in (*MODES, "aes-round") for name in self.rows(mode)])
        for line in lines:
            if not line.startswith("aes-round-"):
                self.assertEqual(line.index("  needs"), head.index("bytes") + len("bytes"), line)
            self.assertEqual(line[head.index("here") - 1], " ", line)

    def kernel(self, text, mode="xts"):
        """Rows and sentences of `list --kernel=FILE MODE`.  A row: driver, priority, self-test, users, module, "chosen" or None."""
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(text)
            file.flush()
            status, out, err = run("list", f"--kernel={file.name}", *([mode] if mode else []))
        self.assertEqual((status, err), (0, ""))
        table, below = out.split("\n\n")
        head, *rows = table.splitlines()
        self.assertEqual(head.split(), ["algorithm", "driver", "priority", "self-test", "users", "module"])
        for row in rows:
            self.assertRegex(row, r"^((xts|ctr|gcm|rfc4106\(gcm)\(aes\)+|rfc7539(esp)?\(chacha20,poly1305\)) ")
            self.assertEqual(row[head.index("module") - 1:][:2].strip(), row.split()[5][0], "not aligned")
        return [tuple((row.split() + [None])[1:7]) for row in rows], below.splitlines()[1:]

    def kernel_refused(self, data):
        with tempfile.NamedTemporaryFile() as file:
            file.write(data if isinstance(data, bytes) else data.encode())
            file.flush()
            self.refused(1, f"{file.name}, line ", "list", f"--kernel={file.name}")
            self.refused(1, "not in the form of /proc/crypto", "list", f"--kernel={file.name}")

    def test_kernel_without_the_module(self):
        rows, facts = self.kernel(DEBIAN_6_1)
        self.assertEqual(rows, [("xts-aes-aesni", "401", "passed", "2", "aesni_intel", "chosen"),
                                ("xts(ecb(aes-generic))", "100", "passed", "0", "kernel", None)])
        self.assertEqual(len(facts), 1, facts)
        self.assertRegex(facts[0], "isn't loaded.*modprobe lanecrypt.*docs/linux.md")
        rows, facts = self.kernel(DEBIAN_6_12)
        self.assertEqual([(row[0], row[5]) for row in rows],
                         [("xts-aes-vaes-avx10_512", "chosen"), ("xts-aes-vaes-avx10_256", None), ("xts-aes-vaes-avx2", None),
                          ("xts-aes-aesni-avx", None), ("xts-aes-aesni", None), ("xts(ecb(aes-generic))", None)])

    def test_kernel_with_the_module(self):
        rows, facts = self.kernel(OURS + DEBIAN_6_12)
        self.assertEqual(rows[0], ("xts-aes-lanecrypt-vaes-avx512-512", "2400", "passed", "0", "lanecrypt", "chosen"))
        self.assertEqual([row[0][18:] for row in rows[1:3]], ["vaes-avx2", "aesni"])
        self.assertEqual([row[5] for row in rows].count("chosen"), 1)
        self.assertEqual(len(facts), 1, facts)  # xts-aes-aesni has users
        self.assertRegex(facts[0], "^xts\\(aes\\): 2 users of other drivers: .*opened earlier")
        self.assertIn("1 user of", self.kernel(OURS + entry("xts(aes)", "xts-aes-aesni", "aesni_intel", 401, refcnt=2))[1][0])
        self.assertEqual(self.kernel(OURS + entry("xts(aes)", "xts-aes-aesni", "aesni_intel", 401))[1], [])
        self.assertEqual(self.kernel(lanecrypt_entry("aesni", 2000, refcnt=2))[1], [])  # its own users are no others
        self.assertEqual(self.kernel(OURS + entry("xts(aes)", "hidden", priority=9999, internal="yes")), self.kernel(OURS))
        rows, facts = self.kernel(entry("xts(aes)", "engine", "qat", 4001, refcnt=2) + OURS + lanecrypt_entry("x", 1, refcnt=9))
        self.assertEqual((rows[0][0], rows[0][5], facts), ("engine", "chosen", []))
        # The list's order decides between equals, and a priority may be negative.
        rows, _ = self.kernel(entry("xts(aes)", "neg", priority=-1) + entry("xts(aes)", "a") + entry("xts(aes)", "b"))
        self.assertEqual([(row[0], row[5]) for row in rows], [("a", "chosen"), ("b", None), ("neg", None)])

    def test_kernel_self_test(self):
        failed = lanecrypt_entry("vaes-avx512-512", 2400, selftest="unknown")
        rows, facts = self.kernel(failed + DEBIAN_6_12)
        self.assertEqual(rows[0], ("xts-aes-lanecrypt-vaes-avx512-512", "2400", "unknown", "0", "lanecrypt", None))
        self.assertEqual(rows[1][5], "chosen")
        self.assertEqual(len(facts), 1, facts)
        self.assertRegex(facts[0], "^xts-aes-lanecrypt-vaes-avx512-512 hasn't passed")
        # While the test runs there is a larval entry too, which says that it has passed.
        larval = entry("xts(aes)", "xts-aes-lanecrypt-vaes-avx512-512", priority=2400, refcnt=2, kind="larval")
        self.assertEqual(self.kernel(larval + failed + larval + DEBIAN_6_12), (rows, facts))
        # A request that waits for a module has a larval entry without a driver, and nothing else may be there.
        nothing = self.kernel(entry("xts(aes)", "", priority=-1, kind="larval"))
        self.assertEqual(nothing[0], [])
        self.assertIn("no driver yet", nothing[1][-1])
        self.assertIn("no driver has passed", self.kernel(failed)[1][-1])

    def test_kernel_form(self):
        expected = self.kernel(OURS + DEBIAN_6_12)
        text = OURS + DEBIAN_6_12
        backwards = "\n\n".join("\n".join(reversed(e.splitlines())) for e in text.strip().split("\n\n"))
        for same in (text.replace("\n", "\r\n"), text.rstrip("\n"), "\n" + text.replace("\n\n", "\n \n\n"), backwards,
                     text.replace("async        :", "new field    :"), text.replace("internal     : no\n", "")):
            self.assertEqual(self.kernel(same), expected)
        rows, facts = self.kernel(text, None)
        self.assertEqual((rows, facts[0]), (expected[0], expected[1][0]))
        self.assertEqual([fact.split(":")[0] for fact in facts[1:]], ["ctr(aes)", "gcm(aes)", "rfc4106(gcm(aes))",
                                                                      "rfc7539(chacha20,poly1305)",
                                                                      "rfc7539esp(chacha20,poly1305)"])
        self.kernel_refused("")
        self.kernel_refused("\n\n")
        self.kernel_refused("root:x:0:0:root:/root:/bin/bash\n")
        self.kernel_refused(b"\x7fELF\x02\x01\x01\0\0\n\0\xff" * 999)
        self.kernel_refused(b"\0" * 100000)
        self.kernel_refused("x" * (1 << 20))
        self.kernel_refused(text.replace("\n\n", "\n"))
        self.kernel_refused(text.replace("async        : no", "async no"))
        self.kernel_refused(text.replace("cbc-aes-aesni", "\x1b[31mred"))
        lines = entry("xts(aes)", "a").splitlines(keepends=True)
        for missing in (0, 1, 2, 3, 4, 5, 7):
            self.kernel_refused(text + "".join(lines[:missing] + lines[missing + 1:]))
        for field, value in (("priority", "high"), ("priority", ""), ("priority", "9" * 30), ("refcnt", "0"), ("refcnt", "-1"),
                             ("refcnt", "1x"), ("refcnt", 2**32), ("driver", "d" * 300 + ":"), ("name", "n" * (1 << 20)),
                             ("kind", "k" * 241), ("selftest", "s" * 999)):
            self.kernel_refused(text + entry(**{"name": "xts(aes)", "driver": "a", field: value}))
        self.assertEqual(self.kernel(entry("xts(aes)", "d" * 127))[0][0][0], "d" * 127)
        self.assertEqual(len(self.kernel("".join(entry("xts(aes)", f"d{i}", priority=i) for i in range(256)))[0]), 256)
        self.kernel_refused("".join(entry("xts(aes)", f"d{i}", priority=i) for i in range(257)))

    def test_kernel_algorithms(self):
        gcm = (entry("rfc4106(gcm(aes))", "rfc4106-gcm-aes-lanecrypt-aesni", "lanecrypt", 450, kind="aead") +
               entry("rfc4106(gcm(aes))", "rfc4106-gcm-aesni", "aesni_intel", 400, refcnt=3, kind="aead") +
               entry("gcm(aes)", "gcm-aes-lanecrypt-aesni", "lanecrypt", 450, refcnt=2, kind="aead") +
               entry("gcm(aes)", "generic-gcm-aesni", "aesni_intel", 400, kind="aead"))
        text = entry("ctr(aes)", "ctr-aes-aesni", "aesni_intel", 400) + gcm + OURS
        rows, facts = self.kernel(text, "gcm")
        self.assertEqual([(row[0], row[3], row[5]) for row in rows],
                         [("gcm-aes-lanecrypt-aesni", "1", "chosen"), ("generic-gcm-aesni", "0", None),
                          ("rfc4106-gcm-aes-lanecrypt-aesni", "0", "chosen"), ("rfc4106-gcm-aesni", "2", None)])
        self.assertEqual(facts, ["rfc4106(gcm(aes)): 2 users of other drivers: IPsec associations that were made earlier keep the "
                                 "driver they got."])
        self.assertEqual(self.kernel(text, "ctr"), ([("ctr-aes-aesni", "400", "passed", "0", "aesni_intel", "chosen")], []))
        rows, _ = self.kernel(text, None)
        self.assertEqual([row[0].split("-")[0] for row in rows], ["xts"] * 3 + ["ctr", "gcm", "generic"] + ["rfc4106"] * 2)
        chacha20 = (entry("rfc7539esp(chacha20,poly1305)", "rfc7539esp-chacha20-poly1305-lanecrypt-avx2", "lanecrypt", 650,
                          kind="aead") +
                    entry("rfc7539(chacha20,poly1305)", "rfc7539(chacha20-simd,poly1305-simd)", "chacha20poly1305", 300,
                          refcnt=2, kind="aead"))
        rows, facts = self.kernel(text + chacha20, "chacha20-poly1305")
        self.assertEqual([(row[0], row[5]) for row in rows], [("rfc7539(chacha20-simd,poly1305-simd)", "chosen"),
                                                              ("rfc7539esp-chacha20-poly1305-lanecrypt-avx2", "chosen")])
        self.assertEqual(facts, [])

    def test_kernel_cut_off(self):
        text = OURS + DEBIAN_6_1
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(text)
            for cut in range(len(text), -1, -11):
                file.truncate(cut)
                status, out, err = run("list", f"--kernel={file.name}")
                self.assertEqual((status, out != "", err == ""), (0, True, True) if status == 0 else (1, False, False))

    def test_kernel_arguments(self):
        self.refused(2, "unknown mode 'gcm2'", "list", "--kernel", "gcm2")
        self.refused(2, "has no mode 'chacha20', only", "list", "--kernel", "chacha20")
        self.refused(2, "unexpected argument 'xts'", "list", "--kernel", "xts", "xts")
        self.refused(1, "/nonexistent: No such file", "list", "--kernel=/nonexistent")
        self.refused(1, "/: Is a directory", "list", "--kernel=/", "xts")
        self.refused(1, "'nonsense'", "list", "--kernel", LANECRYPT_DISABLE="nonsense")
        if os.path.exists("/proc/crypto"):
            status, out, err = run("list", "--kernel")
            self.assertEqual((status, err), (0, ""))
            self.assertIn("algorithm", out)
        else:
            self.refused(1, "/proc/crypto: No such file", "list", "--kernel")

    def test_environment(self):
        self.assertEqual(self.rows(LANECRYPT_IMPL="xts=xts-aes-portable")["xts-aes-portable"], "chosen")
        for command in ("cpu", "list", "selftest", "speed"):
            self.refused(1, "LANECRYPT_DISABLE: unknown feature 'nonsense'", command, LANECRYPT_DISABLE="aes,nonsense")
            self.refused(1, "LANECRYPT_DISABLE: unknown feature ''", command, LANECRYPT_DISABLE="aes,", LANECRYPT_IMPL="xts=foo")
            for word in ("xts=foo", "xts", "xts-aes-portable"):
                self.refused(1, f"LANECRYPT_IMPL: '{word}' is not MODE=NAME", command, LANECRYPT_IMPL=word)
        found = run("cpu")[1].splitlines()[0].split()[1:]
        if "aes" in found:
            rows = self.rows(LANECRYPT_DISABLE="aes")
            self.assertEqual(rows.pop("xts-aes-portable"), "chosen")
            self.assertEqual(set(rows.values()), {"-"})
            self.refused(1, "'xts=xts-aes-aesni'", "list", LANECRYPT_DISABLE="aes", LANECRYPT_IMPL="xts=xts-aes-aesni")
            disabled = run("cpu", LANECRYPT_DISABLE="aes")[1].splitlines()[1]
            self.assertEqual(disabled.split(), ["disabled:", "aes"])

    def test_selftest(self):
        status, out, err = run("selftest")
        here = [name for mode in (*MODES, "aes-round") for name in self.here(mode)]
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.splitlines()[-1], f"{len(here)} passed, 0 failed")
        self.assertEqual([line.split()[0] for line in out.splitlines() if line.endswith(" ok")], here)

    def check_rows(self, result):
        for row in result["rows"]:
            total = row["size"] * row["batch"]
            self.assertGreaterEqual(row["ns_median"], row["ns"])
            self.assertAlmostEqual(row["gbps"], total / row["ns"], delta=row["gbps"] * 0.01)
            of_ceiling = total / row["cycles"] * result["ghz"] / result["ceilings"][row["alg"]]  # in bytes a cycle
            self.assertAlmostEqual(row["of_ceiling"], of_ceiling, delta=of_ceiling * 0.0001)
            for peer in row["peers"]:
                self.assertGreater(peer["ns"], 0)
                self.assertGreater(peer["ratio"], 0)

    def test_speed_of_public_keys(self):
        for algs, batches, *args in ((["ecdsa-p256-sign", "ecdsa-p256-verify"], [3], "--batch", "3"),
                                     (["ecdsa-p384-sign", "ecdsa-p384-verify", "ecdh-p384"], [2], "--batch", "2"),
                                     (["sm2-sign", "sm2-verify"], [2], "--batch", "2"),
                                     (["rsa-2048-sign", "rsa-2048-verify", "rsa-2048-oaep-encrypt", "rsa-2048-oaep-decrypt",
                                       "rsa-4096-verify", "rsa-4096-oaep-encrypt"], [2], "--batch", "2"),
                                     (["rsa-3072-oaep-decrypt"], [2], "--impl", "rsa-portable", "--peer", "none", "--batch", "2"),
                                     (["rsa-3072-verify"], [3], "--impl", "rsa-portable", "--peer", "none", "--batch", "3"),
                                     (["sm2-verify"], [3], "--impl", "sm2-portable", "--peer", "none", "--batch", "3"),
                                     (["ecdh-p256"], [1, 2, 8, 64], "--impl", "ecdh-p256-portable", "--peer", "none"),
                                     (["x25519", "x25519-base", "ed25519-sign", "ed25519-verify", "ed25519-verify-batch"], [9],
                                      "--batch", "9"),
                                     (["ed25519-sign"], [1, 2, 8, 64], "--impl", "ed25519-portable", "--peer", "none")):
            status, out, err = run("speed", "--alg", ",".join(algs), "--json", "-", *args)
            self.assertEqual((status, err), (0, ""))
            rows = json.loads(out)["rows"]
            self.assertEqual([(row["alg"], row["impl"], row["batch"]) for row in rows],
                             [(alg, impl, batch) for alg in algs
                              for impl in ([args[1]] if "--impl" in args
                                           else self.here(re.sub(r"(-\d{4})?-(sign|verify|verify-batch|base|oaep-\w+)$", "", alg)))
                              for batch in batches])
            for row in rows:
                self.assertGreaterEqual(row["ns_median"], row["ns"])
                self.assertGreater(row["ns"], 0)
                self.assertEqual(len(row["peers"]), 0 if "none" in args else 1)

    def test_speed_of_pools_and_prepared_keys(self):
        algs = ("ecdsa-p256-sign-pool", "ecdsa-p256-verify-prepared", "ecdsa-p384-sign-pool")
        lanes = [(alg, name, 32) for alg in algs for name in self.here(alg[:10]) if "avx512" in name]
        if lanes:
            status, out, err = run("speed", "--alg", ",".join(algs), "--batch", "32", "--json", "-")
            self.assertEqual((status, err), (0, ""))
            self.assertEqual([(row["alg"], row["impl"], row["batch"]) for row in json.loads(out)["rows"]], lanes)
        for alg in algs:
            self.refused(1, "no use", "speed", "--alg", alg, "--impl", alg[:10] + "-portable")

    def test_speed_json(self):
        result = self.speed("--size", "16,512,1000", "--alg", "aes-128-xts,aes-192-xts,aes-256-xts")
        self.assertEqual(list(result["ceilings"]), ["aes-128-xts", "aes-192-xts", "aes-256-xts"])
        self.assertGreater(result["ghz"], 0.5)
        self.assertEqual(result["one_op"], [])
        self.assertEqual(len(result["rows"]), 3 * 2 * 3 * len(self.here()))
        self.assertEqual(len(result["init"]), 3 * len(self.here()))
        self.check_rows(result)
        for row in result["rows"]:
            self.assertEqual((row["batch"], row["cold"]), (1, False))
            self.assertEqual([p["name"] for p in row["peers"]], [] if row["alg"] == "aes-192-xts" else ["OpenSSL"])

    def test_speed_compare(self):
        args = ("--alg", "aes-128-xts,chacha20", "--size", "64,4096", "--peer", "none")
        with tempfile.TemporaryDirectory() as folder:
            old_path, new_path = os.path.join(folder, "old.json"), os.path.join(folder, "new.json")

            def compare(old, *more):
                with open(old_path, "w", encoding="utf-8") as f:
                    json.dump(old, f)
                return run("speed", *args, "--compare", old_path, *more)

            def scaled(report, factor, only):
                report = copy.deepcopy(report)
                for row in report["rows"]:
                    for member in ("ns", "ns_median", "cycles"):
                        row[member] *= factor if only(row) else 1
                return report

            now = self.speed(*args)
            chacha = sum(row["alg"] == "chacha20" for row in now["rows"])
            slower = scaled(now, 100, lambda row: row["alg"] == "aes-128-xts")
            slower = scaled(slower, 0.01, lambda row: row["alg"] == "chacha20")
            status, out, err = compare(slower, "--json", new_path)
            self.assertEqual((status, err), (1, ""))
            self.assertEqual(len(re.findall(r"^slower \d+\.\d\d  chacha20 \w+ chacha20-.* \d+ bytes x 1 ", out, re.M)), chacha, out)
            self.assertEqual(len(re.findall(r"^faster 0\.0\d  aes-128-xts ", out, re.M)), len(now["rows"]) - chacha, out)
            self.assertIn(f"{chacha} slower, {len(now['rows']) - chacha} faster, 0 the same, but for noise; 0 cells are only", out)
            with open(new_path, encoding="utf-8") as f:
                self.assertEqual(len(json.load(f)["rows"]), len(now["rows"]))

            status, out, err = compare(scaled(now, 100, lambda row: True) | {"cpu": "another one\x1b[2J"})
            self.assertEqual((status, err), (0, ""))
            self.assertIn(f"0 slower, {len(now['rows'])} faster", out)
            self.assertIn("another one\\x1b[2J", out)
            self.assertIn("two kinds of CPU", out)

            # A cell that's slower by less than the noise of the old run is the same.
            noisy = scaled(now, 0.5, lambda row: True)
            for row in noisy["rows"]:
                row["ns_median"] = 1000 * row["ns"]
            self.assertIn(f"0 slower, 0 faster, {len(now['rows'])} the same", compare(noisy)[1])

            half = now | {"rows": now["rows"][1:]}
            self.assertIn("0 cells are only in the old run, 1 only in this one", compare(half)[1])
            status, _, err = compare(now | {"rows": [row | {"size": 17} for row in now["rows"]]})
            self.assertEqual(status, 1)
            self.assertIn("none of the cells of this run", err)

            for wrong in ({}, [], {"rows": []}, {"rows": [{"ns": "5"}]}, {"rows": [1]}, {"rows": {"ns": 1}}):
                with open(old_path, "w", encoding="utf-8") as f:
                    json.dump(wrong, f)
                self.refused(1, "that isn't what `lanecrypt speed --json` writes", "speed", *args, "--compare", old_path)
            with open(old_path, "w", encoding="utf-8") as f:
                f.write("{")
            self.refused(1, "--compare", "speed", *args, "--compare", old_path)
            self.refused(1, "--compare", "speed", *args, "--compare", folder + "/none")
            for more in (["--curve"], ["--json", "-"]):
                self.refused(2, "--compare: not with", "speed", "--alg", "chacha20", "--compare", old_path, *more)

    def test_speed_ctr(self):
        # Encryption is decryption: timed once.
        for args, op in (((), "seal"), (("--op", "open"), "open"), (("--op", "seal"), "seal")):
            result = self.speed("--alg", "aes-128-ctr,aes-192-ctr,aes-256-ctr", "--size", "0,1,1420", *args)
            self.assertEqual(result["one_op"], ["aes-128-ctr", "aes-192-ctr", "aes-256-ctr"])
            self.assertEqual({row["op"] for row in result["rows"]}, {op})
            self.assertEqual(len(result["rows"]), 3 * 3 * len(self.here("ctr")))
            self.check_rows(result)
            self.assertTrue(all(len(row["peers"]) == 1 for row in result["rows"]))
        rounds = [result["ceilings"][f"aes-{bits}-ctr"] * n for bits, n in ((128, 10), (192, 12), (256, 14))]
        self.assertAlmostEqual(rounds[0], rounds[1], delta=0.001 * rounds[0])
        self.assertAlmostEqual(rounds[0], rounds[2], delta=0.001 * rounds[0])

    def test_speed_gcm(self):
        result = self.speed("--alg", "aes-128-gcm,aes-192-gcm,aes-256-gcm", "--size", "0,1,1420")
        self.assertEqual((result["one_op"], len(result["rows"])), ([], 3 * 2 * 3 * len(self.here("gcm"))))
        self.check_rows(result)
        self.assertTrue(all(len(row["peers"]) == 1 for row in result["rows"]))
        for peer in ((), ("--peer", "none")):
            result = self.speed("--alg", "aes-256-gcm", "--size", "64,1421", "--batch", "33", *peer)
            self.assertEqual({(row["op"], row["size"], row["batch"]) for row in result["rows"]},
                             {(op, size, 33) for op in ("seal", "open") for size in (64, 1421)})
            self.check_rows(result)
        self.speed("--alg", "aes-128-gcm", "--size", "100", "--batch", "1000")

    def test_speed_chacha(self):
        # The stream cipher and the authenticator have one direction, which goes by the name that was asked for.
        for args, ops in (((), ("seal", "open")), (("--op", "open"), ("open",)), (("--op", "seal"), ("seal",))):
            result = self.speed("--alg", ",".join(CHACHA), "--size", "0,1,1420", *args)
            self.assertEqual((list(result["ceilings"]), result["one_op"]), (CHACHA, ["chacha20", "poly1305"]))
            self.assertEqual(list(dict.fromkeys((row["alg"], row["op"]) for row in result["rows"])),
                             [("chacha20", ops[0]), ("poly1305", ops[0])] + [("chacha20-poly1305", op) for op in ops])
            self.assertEqual([(row["alg"], row["op"], row["impl"]) for row in result["rows"] if row["size"] == 1],
                             list(dict.fromkeys((row["alg"], row["op"], row["impl"]) for row in result["rows"])))
            for alg in CHACHA:
                self.assertEqual({row["impl"] for row in result["rows"] if row["alg"] == alg}, set(self.here(alg)))
                self.assertEqual({i["impl"] for i in result["init"] if i["alg"] == alg}, set(self.here(alg)))
            self.check_rows(result)
            self.assertTrue(all(len(row["peers"]) == 1 for row in result["rows"]))
        # The AEAD's ceiling is the stream cipher's.
        self.assertAlmostEqual(result["ceilings"]["chacha20"], result["ceilings"]["chacha20-poly1305"], delta=1e-4)
        self.assertGreater(result["ceilings"]["poly1305"], result["ceilings"]["chacha20"])
        for peer in ((), ("--peer", "none")):
            result = self.speed("--alg", "chacha20-poly1305", "--size", "64,1421", "--batch", "33", *peer)
            self.assertEqual({(row["op"], row["size"], row["batch"], len(row["peers"])) for row in result["rows"]},
                             {(op, size, 33, 0 if peer else 1) for op in ("seal", "open") for size in (64, 1421)})
            self.check_rows(result)

    def test_speed_peer_is_the_default_provider(self):
        """Even where the environment makes lanecrypt's the one that serves everything."""
        args = ("speed", "--alg", ",".join(DEFAULT_ALGS), "--size", "64", "--json", "-")
        for conf in filter(None, ("/dev/null", os.environ.get("LANECRYPT_OPENSSL_CONF"))):
            status, out, err = run(*args, OPENSSL_CONF=conf)
            self.assertEqual((status, err), (0, ""))
            self.assertEqual({(row["alg"], peer.get("provider")) for row in json.loads(out)["rows"] for peer in row["peers"]},
                             {(alg, "default") for alg in DEFAULT_ALGS})
            self.assertRegex(run(*args[:-2], OPENSSL_CONF=conf)[1],
                             "^.*; peer: OpenSSL [^ ]+, provider default, every cell compared\n")

    def test_speed_other_peers(self):
        # Peers that have the functions, but xor by 1 and make tags of bytes 2, or do nothing at all, or have no MACs.
        source = """
            #include <stddef.h>
            #include <string.h>
            void *EVP_CIPHER_CTX_new(void) { return ""; }
            void EVP_CIPHER_CTX_free(void *c) { (void)c; }
            const void *EVP_get_cipherbyname(const char *n) { return strcmp(n, "poly1305") ? n : NULL; }
            int EVP_CipherInit_ex(void) { return 1; }
            int EVP_CipherUpdate(void *c, unsigned char *d, int *n, const unsigned char *s, int len)
            { (void)c; for (int i = 0; WRITES && d && i < len; i++) d[i] = s[i] ^ 1; *n = len; return 1; }
            int EVP_CipherFinal_ex(void *c, unsigned char *d, int *n) { (void)c; (void)d; *n = 0; return 1; }
            int EVP_CIPHER_CTX_ctrl(void *c, int what, int n, void *p)
            { (void)c; if (WRITES && what == 0x10) memset(p, 2, n); return 1; }
            const char *OpenSSL_version(int n) { (void)n; return "Wrong 1.0"; }
            #ifdef PROVIDER
            void *OSSL_LIB_CTX_new(void) { return ""; }
            void OSSL_LIB_CTX_free(void) { }
            void *OSSL_PROVIDER_load(void) { return LOADS ? "" : NULL; }
            void OSSL_PROVIDER_unload(void) { }
            const char *OSSL_PROVIDER_get0_name(void) { return PROVIDER; }
            const void *EVP_CIPHER_fetch(void *c, const char *n) { (void)c; return EVP_get_cipherbyname(n); }
            void EVP_CIPHER_free(void) { }
            void *EVP_CIPHER_get0_provider(void) { return ""; }
            void *EVP_MAC_get0_provider(void) { return ""; }
            #endif
            #ifndef NO_MACS
            void *EVP_MAC_fetch(void) { return ""; }
            void EVP_MAC_free(void) { }
            void *EVP_MAC_CTX_new(void) { return ""; }
            void EVP_MAC_CTX_free(void) { }
            int EVP_MAC_init(void) { return 1; }
            int EVP_MAC_update(void) { return 1; }
            int EVP_MAC_final(void *c, unsigned char *tag, size_t *n, size_t len)
            { (void)c; memset(tag, 2, WRITES * len); *n = 16; return 1; }
            #endif
            """
        with tempfile.TemporaryDirectory() as folder:
            def library(*defines):
                path = os.path.join(folder, f"lib{len(os.listdir(folder))}.so")
                subprocess.run(["cc", *defines, "-shared", "-fPIC", "-w", "-x", "c", "-", "-o", path], input=source, text=True,
                               check=True)
                return path

            for path in (library("-DWRITES=0"), library("-DWRITES=1")):
                for alg in DEFAULT_ALGS:
                    for op in ("seal", "open"):
                        self.refused(1, "and the peer differ", "speed", "--alg", alg, "--size", "64", "--op", op, "--peer", path)
                # Without text the tag is all there is.
                for alg, op in (("aes-128-gcm", "seal"), ("poly1305", "seal"), ("poly1305", "open"), ("chacha20-poly1305", "seal")):
                    self.refused(1, "and the peer differ", "speed", "--alg", alg, "--size", "0", "--op", op, "--peer", path)
            # lanecrypt as the peer would be compared with itself.
            ours = library("-DWRITES=1", '-DPROVIDER="lanecrypt"', "-DLOADS=1")
            for alg in DEFAULT_ALGS:
                self.refused(1, f"the peer's {alg} comes from its provider 'lanecrypt'", "speed", "--alg", alg, "--size", "64",
                             "--peer", ours)
            self.refused(1, "has no default provider", "speed", "--peer",
                         library("-DWRITES=1", '-DPROVIDER="default"', "-DLOADS=0"))
            result = self.speed("--alg", "poly1305", "--size", "64", "--peer", library("-DWRITES=1", "-DNO_MACS"))
            self.assertEqual([row["peers"] for row in result["rows"]], [[]] * len(self.here("poly1305")))

    def test_speed_peer_library(self):
        # RFC 8439's ChaCha20, word by word, and nothing else
        source = r"""
            #include <string.h>
            #include "bench/peer.h"
            static uint8_t the_key[32];
            #define Q(a, b, c, d) (a += b, d ^= a, d = d << 16 | d >> 16, c += d, b ^= c, b = b << 12 | b >> 20, \
                                   a += b, d ^= a, d = d << 8 | d >> 24, c += d, b ^= c, b = b << 7 | b >> 25)
            static int chacha20(const struct lanecrypt_message *m, uint64_t number)
            {
                uint32_t begin[16] = { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 }, x[16];
                memcpy(begin + 4, m->key, 32);
                memcpy(begin + 12, lanecrypt_iv(m, number), 16);
                for (size_t i = 0; i < m->len; i++) {
                    if (i % 64 == 0) {
                        memcpy(x, begin, 64);
                        for (int round = 0; round < 10; round++) {
                            for (int c = 0; c < 4; c++) Q(x[c], x[4 + c], x[8 + c], x[12 + c]);
                            for (int c = 0; c < 4; c++) Q(x[c], x[4 + (c + 1) % 4], x[8 + (c + 2) % 4], x[12 + (c + 3) % 4]);
                        }
                        for (int w = 0; w < 16; w++) x[w] += begin[w];
                        begin[12]++;
                    }
                    m->dst[i] = m->src[i] ^ ((uint8_t *)x)[i % 64] ^ WRONG;
                }
                return ANSWER;
            }
            static lanecrypt_call *key_new(const char *alg, const uint8_t *raw, int encrypt, void **key)
            {
                (void)encrypt;
                memcpy(the_key, raw, 32);
                *key = the_key;
                return strcmp(alg, "chacha20") == 0 ? chacha20 : NULL;
            }
            static void key_free(void *key) { (void)key; }
            const struct lanecrypt_peer lanecrypt_peer = { ABI, "mine", "1.2", key_new, key_free };
            """
        with tempfile.TemporaryDirectory() as folder:
            def library(abi="LANECRYPT_PEER_ABI", wrong=0, answer=1):
                path = os.path.join(folder, f"lib{len(os.listdir(folder))}.so")
                subprocess.run(["cc", f"-DABI={abi}", f"-DWRONG={wrong}", f"-DANSWER={answer}", "-I", ROOT, "-O2", "-shared",
                                "-fPIC", "-x", "c", "-", "-o", path], input=source, text=True, check=True)
                return path

            right = library()
            result = self.speed("--alg", "chacha20,poly1305", "--size", "0,1,64,1421", "--peer", right)
            for row in result["rows"]:
                self.assertEqual([(p["name"], p["version"], "provider" in p) for p in row["peers"]],
                                 [("mine", "1.2", False)] if row["alg"] == "chacha20" else [])
            self.assertIn("; peer: mine 1.2, every cell compared\n",
                          run("speed", "--alg", "chacha20", "--size", "64", "--peer", right)[1])
            for path in (library(wrong=1), library(answer=0)):
                self.refused(1, "and the peer differ", "speed", "--alg", "chacha20", "--size", "64", "--peer", path)
            self.refused(1, "its lanecrypt_peer is of version 77, not 1", "speed", "--peer", library(abi=77))

            # Tables of several runs
            results = []
            for i in range(2):
                results.append(os.path.join(folder, f"{i}.json"))
                self.assertEqual(run("speed", "--alg", "chacha20", "--size", "64,256", "--impl", "chacha20-portable", "--peer",
                                     right, "--json", results[-1])[0], 0)
            table = subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "speed_table.py"), *results],
                                   capture_output=True, text=True, check=True).stdout.splitlines()
            self.assertEqual(table[0], "| CHACHA20 | 64 | 256 |")
            self.assertEqual([line.split(" | ")[0] for line in table[2:-1]],
                             ["| `chacha20-portable`", "| mine 1.2", "| by the best of these"])
            self.assertRegex(table[4], r"\| [0-9]+\.[0-9]{2} \| [0-9]+\.[0-9]{2} \|$")

    def test_speed_hashes(self):
        algs = ["sha256", "sha384", "sha512", "sm3"]
        result = self.speed("--alg", ",".join(algs), "--size", "0,1,1420")
        self.assertEqual(result["one_op"], algs)
        self.assertLessEqual(set(result["ceilings"]), {"sha256"})
        for alg in algs:
            rows = [row for row in result["rows"] if row["alg"] == alg]
            impls = self.here("sha512" if alg == "sha384" else alg)
            self.assertEqual({(row["impl"], row["size"], len(row["peers"])) for row in rows},
                             {(impl, size, 1) for impl in impls for size in (0, 1, 1420)})
        for peer in ((), ("--peer", "none")):
            result = self.speed("--alg", ",".join(algs), "--size", "64,1421", "--batch", "33", *peer)
            self.assertEqual({(row["alg"], row["size"], row["batch"]) for row in result["rows"]},
                             {(alg, size, 33) for alg in algs for size in (64, 1421)})

    @unittest.skipUnless(os.path.exists("/usr/include/intel-ipsec-mb.h"), "libipsec-mb-dev isn't installed")
    def test_speed_peer_ipsec_mb(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ipsec-mb.so")
            subprocess.run(["gcc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", os.path.join(ROOT, "bench", "peer_ipsec_mb.c"),
                            "-lIPSec_MB", "-o", path], check=True)
            algs = ["aes-128-gcm", "aes-192-gcm", "aes-256-gcm", "chacha20-poly1305"]
            result = self.speed("--alg", ",".join(algs), "--size", "0,16,1421", "--peer", path)
            self.assertEqual({(row["alg"], p["name"]) for row in result["rows"] for p in row["peers"]},
                             {(alg, "ipsec-mb") for alg in algs})

    def test_speed_defaults(self):
        result = self.speed()
        self.assertEqual(list(result["ceilings"]), DEFAULT_ALGS)
        self.assertEqual(list(dict.fromkeys(row["alg"] for row in result["rows"])), DEFAULT_ALGS)
        help_text = " ".join(run("speed", "--help")[1].split())
        self.assertIn("(default: " + ", ".join(DEFAULT_ALGS), help_text)
        self.check_rows(result)
        self.assertEqual({alg for alg in DEFAULT_ALGS if {row["batch"] for row in result["rows"] if row["alg"] == alg} == {1, 32}},
                         {"aes-256-xts", "aes-128-gcm", "aes-256-gcm", "chacha20-poly1305"})
        # The other options choose among the defaults.
        self.assertEqual(list(self.speed("--size", "16", "--batch", "2", "--peer", "none")["ceilings"]),
                         ["aes-256-xts", "aes-128-gcm", "aes-256-gcm", "chacha20-poly1305"])
        self.assertEqual(list(self.speed("--size", "16", "--impl", "ctr-aes-portable")["ceilings"]), ["aes-128-ctr", "aes-256-ctr"])
        for alg in CHACHA:
            self.assertEqual(list(self.speed("--size", "16", "--impl", portable(alg))["ceilings"]), [alg])

    def test_speed_tables(self):
        status, out, err = run("speed", "--size", "64", "--alg", "aes-192-xts,aes-128-ctr,aes-128-gcm," + ",".join(CHACHA))
        self.assertEqual((status, err), (0, ""))
        titles = [line.split(":")[0] for line in out.splitlines() if ": cycles per call" in line]
        self.assertEqual(titles, ["aes-192-xts encryption", "aes-192-xts decryption", "aes-128-ctr encryption and decryption",
                                  "aes-128-gcm encryption", "aes-128-gcm decryption", "chacha20 encryption and decryption",
                                  "poly1305 authentication", "chacha20-poly1305 encryption", "chacha20-poly1305 decryption"])
        heads = [line for line in out.splitlines() if line.split()[:1] == ["bytes"]]
        for title, head in zip(titles, heads, strict=True):
            alg = title.split()[0]
            mode = alg.split("-")[2] if alg.startswith("aes-") else alg
            names = [name for name in head.split()
                     if name not in ("bytes", "GB/s", "ceiling", "x", "OpenSSL") and not name[0].isdigit()]
            self.assertEqual({f"{mode}-aes-{name}" if alg.startswith("aes-") else f"{mode}-{name}" for name in names},
                             set(self.here(mode)), head)
            self.assertEqual("x OpenSSL" in head, alg != "aes-192-xts", head)

    def test_speed_curve(self):
        result = self.speed("--curve", "--alg", "aes-256-xts,aes-128-gcm", "--op", "open")
        self.assertEqual((result["rows"], result["init"], result["curve_limit"]), ([], [], 48))
        self.assertEqual([(c["alg"], c["op"], c["impl"]) for c in result["curves"]],
                         [(f"aes-{bits}-{mode}", "open", impl) for bits, mode in ((256, "xts"), (128, "gcm"))
                          for impl in sorted(self.here(mode), key=lambda name: self.rows(mode)[name] != "chosen")])
        for c in result["curves"]:
            self.assertEqual(c["sizes"], list(range(16 if c["alg"] == "aes-256-xts" else 0, 4097, 16)))
            self.assertEqual((len(c["ns"]), len(c["cycles"])), (len(c["sizes"]), len(c["sizes"])))
            self.assertGreater(min(c["ns"]), 0)
            self.assertGreater(c["ns"][-1], c["ns"][1])
            if result["ghz"] > 0:
                steps = {size: b - a for size, a, b in zip(c["sizes"][1:], c["cycles"], c["cycles"][1:])}
                self.assertEqual(len(c["steps"]), 5)
                for step, cycles in zip(c["steps"], sorted(steps.values(), reverse=True)):
                    # Six digits are printed of costs, steps are their differences.
                    self.assertAlmostEqual(step["cycles"], cycles, delta=1e-5 * c["cycles"][-1] + 0.01)
                    self.assertAlmostEqual(step["cycles"], steps[step["size"]], delta=1e-5 * c["cycles"][-1] + 0.01)
        for alg, impl in (("aes-192-ctr", "ctr-aes-portable"), *((alg, portable(alg)) for alg in CHACHA[:2])):
            one = self.speed("--curve", "--impl", impl, "--alg", alg)["curves"]
            self.assertEqual([(c["alg"], c["op"], c["impl"], c["sizes"][0]) for c in one], [(alg, "seal", impl, 0)])
        status, out, err = run("speed", "--curve", "--alg", "aes-128-ctr")
        self.assertEqual((status, err), (0, ""))
        for name in self.here("ctr"):
            self.assertRegex(out, f"(?m)^{name} +[\\d ]+  -?\\d+ at \\d+(, -?\\d+ at \\d+){{4}}(; \\d+ over 48)?$")

    def rounds(self, *args, **env):
        """The object of `lanecrypt speed --alg aes-round --json -`; (primitive, form, inline, num_blocks) -> row."""
        status, out, err = run("speed", "--alg", "aes-round", "--json", "-", *args, **env)
        self.assertEqual((status, err), (0, ""))
        result = json.loads(out)
        rows = {(r["primitive"], r["form"], r["inline"], r["num_blocks"]): r for r in result["rows"]}
        self.assertEqual(len(rows), len(result["rows"]))
        return result, rows

    def test_speed_rounds(self):
        result, rows = self.rounds()
        self.assertEqual(sorted(result), ["aes_rounds_per_ns", "cpu", "date", "ghz", "rows", "version"])
        best = result["rows"][0]["form"]
        forms = list(dict.fromkeys((best, "portable", "word tables", "byte table")))
        called = [key for key in rows if not key[2]]
        primitives = list(dict.fromkeys((key[0], key[3]) for key in called))
        self.assertEqual(called, [(p, form, False, n) for p, n in primitives for form in forms])
        guests = [p for p, _ in primitives if p.startswith("aes-128, ")]
        self.assertEqual([key for key in rows if key[2]], [(p, best, True, 1) for p in guests])
        self.assertEqual(len(guests), 7)
        for p in ("sb", "isb", "mc", "imc", "sb_sr_ak", "sb_sr_mc_ak", "isb_isr_ak", "isb_isr_imc_ak", "isb_isr_ak_imc", "ak_sb_sr",
                  "ak_sb_sr_mc", "ak_isb_isr", "ak_isb_isr_imc", "keygenassist", "aes64_esm", "aes32_esmi"):
            self.assertIn((p, 1), primitives)
        self.assertIn(("sb_sr_mc_ak_n", 64), primitives)
        for key, row in rows.items():
            self.assertEqual(row["alg"], "aes-round")
            self.assertGreater(row["ns"], 0)
            self.assertGreaterEqual(row["ns_median"], row["ns"])
            self.assertGreater(row["ratio"], 0)
            if key[1] == "byte table":
                self.assertEqual(row["ratio"], 1)
        # Without features there is one form fewer.
        _, rows = self.rounds(LANECRYPT_DISABLE=",".join(run("cpu")[1].splitlines()[0].split()[1:]))
        self.assertEqual({key[1] for key in rows}, {"portable", "word tables", "byte table"})

    def test_speed_rounds_tables(self):
        status, out, err = run("speed", "--alg", "aes-round")
        self.assertEqual((status, err), (0, ""))
        _, rows = self.rounds()
        first, second = out.split("\n\n")[1:3]
        names = [f"{p}, {n} blocks" if n > 1 else p for p, form, _, n in rows if form == "byte table"]
        lines = first.splitlines()[2:] + second.splitlines()[2:]
        self.assertEqual([line[:26].strip() for line in lines], names)
        for line in lines:
            self.assertRegex(line[26:], r"^( +\d+\.\d)+$")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rounds.json")
            self.assertIn("aes-round: ", run("speed", "--alg", "aes-round", "--json", path)[1])
            with open(path) as file:
                self.assertEqual(len(json.load(file)["rows"]), len(rows))

    def test_speed_choices(self):
        status, out, err = run("speed", "--json", "-", "--size", "512", "--batch", "7", "--op", "open", "--alg", "aes-256-xts",
                               "--impl", "xts-aes-portable", "--peer", "none")
        self.assertEqual(status, 0, err)
        rows = json.loads(out)["rows"]
        self.assertEqual([(r["size"], r["batch"], r["op"], r["impl"], r["peers"]) for r in rows],
                         [(512, 7, "open", "xts-aes-portable", [])])
        if os.uname().machine == "x86_64":
            status, out, err = run("speed", "--cold", "--json", "-", "--size", "64", "--op", "seal", "--alg",
                                   "aes-128-xts,aes-128-ctr,aes-128-gcm," + ",".join(CHACHA))
            self.assertEqual(status, 0, err)
            self.assertTrue(all(row["cold"] for row in json.loads(out)["rows"]))

    def test_speed_refusals(self):
        self.refused(2, "sha{256,384,512}, sm3, ", "speed", "--alg", "x")
        for word, *args in (("aes-512", "--alg", "aes-512"), ("16 bytes", "--size", "15"), ("16 bytes", "--size", "17M"),
                            ("--size 'abc': not a number such as 8", "--size", "abc"),
                            ("not a number such as 8", "--size", "16,,32"),
                            ("no sign", "--size", "-1"), ("batch", "--batch", "0"), ("batch", "--batch", "x"),
                            ("frob", "--op", "frob"), ("unknown implementation", "--impl", "xts-aes-foo"),
                            ("unexpected argument 'extra'", "extra"),
                            ("a page needs a file", "--html", "-"), ("more than the 1G", "--size", "16M", "--batch", "65"),
                            ("'aes-128': unknown", "--alg", "aes-128"), ("'': unknown", "--alg", "aes-128-gcm,"),
                            ("'aes-128-GCM': unknown", "--alg", "aes-128-GCM"), ("'chacha20-': unknown", "--alg", "chacha20-"),
                            ("'xchacha20-poly1305': unknown", "--alg", "xchacha20-poly1305"),
                            ("chacha20 takes 0 bytes to 16M", "--size", "17M", "--alg", "chacha20"),
                            ("poly1305 has no call for many", "--alg", "chacha20-poly1305,poly1305", "--batch", "2"),
                            ("not an implementation of poly1305", "--alg", "poly1305", "--impl", "chacha20-poly1305-portable"),
                            ("aes-256-gcm takes 0 bytes to 16M", "--size", "17M", "--alg", "aes-256-gcm"),
                            ("too many sizes", "--size", ",".join(["16"] * 33)),
                            ("aes-128-ctr has no call for many", "--alg", "aes-128-gcm,aes-128-ctr", "--batch", "2"),
                            ("no call for many", "--impl", "ctr-aes-portable", "--batch", "2"),
                            ("not an implementation of aes-128-gcm", "--alg", "aes-128-gcm", "--impl", "ctr-aes-portable"),
                            ("'aes-rounds': unknown", "--alg", "aes-rounds"),
                            ("no options but --batch", "--alg", "ecdh-p256", "--size", "64"),
                            ("no options but --batch", "--alg", "ecdsa-p256-sign,chacha20"),
                            ("no options but --batch", "--alg", "ecdsa-p256-sign,aes-round"),
                            ("up to 1024", "--alg", "ecdh-p256", "--batch", "1025"),
                            ("not an implementation", "--alg", "ecdh-p256", "--impl", "ecdsa-p256-portable"),
                            ("no options but --json", "--alg", "aes-round,aes-128-gcm"),
                            *(("no options but --json", "--alg", "aes-round", *more) for more in (
                                ("--size", "16"), ("--batch", "2"), ("--op", "seal"), ("--op", "open"),
                                ("--impl", "gcm-aes-portable"), ("--cold",), ("--curve",), ("--peer", "none"),
                                ("--html", "x.html"))),
                            *(("--curve has its own sizes", "--curve", *more) for more in (
                                ("--size", "16"), ("--batch", "2"), ("--cold",), ("--peer", "none")))):
            self.refused(2, word, "speed", *args)
        self.refused(1, "no peer", "speed", "--peer", "/nonexistent.so")
        self.refused(1, "neither EVP's functions nor lanecrypt_peer", "speed", "--peer", "libm.so.6")

    def test_speed_does_not_leave_a_broken_report(self):
        with tempfile.TemporaryDirectory() as folder:
            quick = ("--size", "16", "--alg", "aes-128-xts", "--op", "seal", "--peer", "none")
            path = os.path.join(folder, "missing", "page.html")
            for option in ("--html", "--json"):
                # Before anything is measured: no table, whatever the peer is.
                self.refused(1, f"speed: {path}: No such file", "speed", option, path, "--peer", "/nonexistent.so")
            # A failure on the way leaves what was there, and nothing where nothing was.
            old, new = os.path.join(folder, "old.json"), os.path.join(folder, "new.html")
            with open(old, "w") as file:
                file.write("old " * 100000)
            self.refused(1, "no peer", "speed", "--json", old, "--html", new, "--peer", "/nonexistent.so")
            self.assertEqual(os.path.getsize(old), 400000)
            self.assertFalse(os.path.exists(new))
            self.assertEqual(run("speed", *quick, "--json", old, "--html", new)[0], 0)
            with open(old) as file:
                self.assertEqual(len(json.load(file)["ceilings"]), 1)
            self.assertTrue(os.path.exists(new))
            status, _, err = run("speed", *quick, "--json", "/dev/full")
            self.assertEqual(status, 1)
            self.assertIn("No space left", err)
            self.assertTrue(os.path.exists("/dev/full"))
            self.refused(1, f"speed: {path}: No such file", "speed", "--alg", "aes-round", "--json", path)

    def test_small_limits(self):
        """What `ulimit` forbids is said, whether a file's length or a stack's."""
        quick = ("speed", "--alg", "sha256", "--size", "16", "--peer", "none")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "new.json")
            for args, stdout, kilobytes, limit, message in (
                    ((*quick, "--json", path), subprocess.DEVNULL, 0, resource.RLIMIT_FSIZE, f"speed: {path}: File too large"),
                    (("list",), path, 0, resource.RLIMIT_FSIZE, "standard output can't be written to"),
                    (("selftest",), subprocess.DEVNULL, 96, resource.RLIMIT_STACK, "stack of 256 KB, `ulimit -s` is 96"),
                    (("speed", "--alg", "x25519"), subprocess.DEVNULL, 96, resource.RLIMIT_STACK, "stack of 256 KB"),
                    (("verify", "--keys", path), subprocess.DEVNULL, 96, resource.RLIMIT_STACK, "stack of 256 KB")):
                with open(stdout, "w") if stdout == path else open(os.devnull, "w") as file:
                    done = subprocess.run([PROGRAM, *args], stdout=file, stderr=subprocess.PIPE, text=True, timeout=300,
                                          preexec_fn=lambda: resource.setrlimit(limit, (kilobytes << 10, kilobytes << 10)))
                self.assertEqual(done.returncode, 1, args)
                self.assertIn(message, done.stderr)

    def test_what_nobody_got_is_no_success(self):
        quick = ("speed", "--alg", "sha256", "--size", "16", "--peer", "none")
        for args in (("cpu",), ("list",), ("completion", "bash"), ("--help",), ("version",), ("xts", "--help"), quick,
                     (*quick, "--json", "-")):
            with open("/dev/full", "w") as full:
                done = subprocess.run([PROGRAM, *args], stdout=full, stderr=subprocess.PIPE, text=True, timeout=300)
            self.assertEqual(done.returncode, 1, args)
            self.assertRegex(done.stderr, r"^lanecrypt: standard output can't be written to(: No space left on device)?\n$", args)


class Completion(unittest.TestCase):
    def setUp(self):
        self.commands = re.findall(r"^  (\S+) ", run("--help")[1], re.MULTILINE)
        self.scripts = {shell: run("completion", shell)[1] for shell in ("bash", "fish", "zsh")}

    def documented(self, command, options):
        """Its help has a line for each of these, or names it above, and for no other."""
        text = run(command, "--help")[1]
        self.assertLessEqual(set(re.findall(r"^ +(?:-\w, )?(--[a-z0-9-]+)", text, re.MULTILINE)), options)
        self.assertLessEqual(options - {"--help"}, set(re.findall(r"--[a-z][a-z0-9-]*", text)))
        # So has the synopsis of its manual page, where a letter does instead of the word.
        page = os.path.join(ROOT, "cli", "lanecrypt-xts.1" if command == "xts" else "lanecrypt.1")
        with open(page) as file:
            synopsis = re.search(r"^\.Sh SYNOPSIS\n(.*?)^\.Sh ", file.read(), re.MULTILINE | re.DOTALL).group(1)
        of_command = "".join(re.findall(rf"^\.Nm\n\.Cm {command}\n.*?(?=^\.Nm|\Z)", synopsis, re.M | re.S))
        words = {f"--{word}" for word in re.findall(r"(?:Fl|\|) -([a-z0-9-]+)", synopsis if command == "xts" else of_command)}
        self.assertEqual(words, options - {"--help", "--quiet", "--key-file", "--force"}, command)

    def complete(self, *words):
        """What bash offers for the last word."""
        line = " ".join(f"'{word}'" for word in words)
        script = f'COMP_WORDS=({line}) COMP_CWORD={len(words) - 1}; _lanecrypt; printf "%s\\n" "${{COMPREPLY[@]}}"'
        done = subprocess.run(["bash", "-c", self.scripts["bash"] + script], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return set(done.stdout.split())

    def test_commands_and_options(self):
        self.assertEqual(self.complete("lanecrypt", ""), {*self.commands, "version"})
        self.assertIn("openssl-conf", self.commands)
        for command in self.commands:
            options = self.complete("lanecrypt", command, "--")
            self.documented(command, options)
            self.assertEqual(set(re.findall(rf"_from {command}' -l (\S+)", self.scripts["fish"])), {word[2:] for word in options})
            zsh = re.search(rf"^{command}\) lanecrypt_options=\((.*?)\)", self.scripts["zsh"], re.MULTILINE)
            self.assertEqual(set(zsh.group(1).split()), options)

    def test_words(self):
        self.assertEqual(self.complete("lanecrypt", "openssl-conf", "--en"), {"--enable"})
        self.assertEqual(self.complete("lanecrypt", "xts", ""), {"decrypt", "encrypt"})
        self.assertEqual(self.complete("lanecrypt", "xts", "encrypt", ""), set())  # bash's own: files
        self.assertEqual(self.complete("lanecrypt", "xts", "encrypt", "--key"), {"--key-file"})
        self.assertEqual(self.complete("lanecrypt", "nonsense", "--"), set())
        for shell in self.scripts:
            self.assertEqual(run("completion", shell)[2], "")
        for args in ((), ("csh",), ("bash", "zsh")):
            status, out, err = run("completion", *args)
            self.assertEqual((status, out), (2, ""))
            self.assertIn("which shell? bash, fish or zsh", err)

    def test_syntax(self):
        for shell, option in (("bash", "-n"), ("fish", "--no-execute"), ("zsh", "-n")):
            if shutil.which(shell):
                with tempfile.NamedTemporaryFile("w", suffix=shell) as file:
                    file.write(self.scripts[shell])
                    file.flush()
                    done = subprocess.run([shell, option, file.name], capture_output=True, text=True, timeout=60)
                    self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""), shell)


if __name__ == "__main__":
    unittest.main(verbosity=1)
