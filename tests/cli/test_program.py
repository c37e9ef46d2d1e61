# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The commands cpu, list, selftest and speed from outside: what they print, and how they refuse.  Usage: test_program.py LANECRYPT"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)


def run(*args, **env):
    done = subprocess.run([PROGRAM, *args], capture_output=True, text=True, env={**os.environ, **env}, timeout=300)
    return done.returncode, done.stdout, done.stderr


class Program(unittest.TestCase):
    def refused(self, status, word, *args, **env):
        """Exit status, a word of the one-line message on stderr, nothing on stdout."""
        got, out, err = run(*args, **env)
        self.assertEqual((got, out), (status, ""), err)
        self.assertIn(word, err)

    def rows(self, **env):
        """name -> state, of `lanecrypt list`."""
        status, out, err = run("list", "xts", **env)
        self.assertEqual((status, err), (0, ""))
        return {line.split()[0]: line.split()[1] for line in out.splitlines() if line.startswith("xts-")}

    def test_usage(self):
        self.refused(2, "usage:")
        self.refused(2, "'foo' is no command", "foo")
        status, out, _ = run("--help")
        self.assertEqual(status, 0)
        for command in ("cpu", "list", "selftest", "speed", "xts"):
            self.assertIn(f"  {command} ", out)
            status, text, _ = run(command, "--help")
            self.assertEqual(status, 0)
            self.assertIn(f"lanecrypt {command}", text)
        self.assertRegex(run("--version")[1], r"^lanecrypt \d+\.\d+\.\d+\n$")

    def test_bad_arguments(self):
        for command in ("cpu", "list", "selftest", "speed"):
            self.refused(2, "--foo", command, "--foo")
        self.refused(2, "too many", "cpu", "x")
        self.refused(2, "'gcm2' is no mode", "list", "gcm2")

    def test_list_has_one_chosen_row(self):
        rows = self.rows()
        self.assertEqual(list(rows.values()).count("chosen"), 1, rows)
        self.assertIn("xts-aes-portable", rows)
        self.assertEqual(run("list")[1], run("list", "xts")[1])  # the only mode so far

    def test_environment(self):
        self.assertEqual(self.rows(LANECRYPT_IMPL="xts=xts-aes-portable")["xts-aes-portable"], "chosen")
        for command in ("cpu", "list", "selftest", "speed"):
            self.refused(1, "'nonsense'", command, LANECRYPT_DISABLE="aes,nonsense")
            self.refused(1, "'xts=foo'", command, LANECRYPT_IMPL="xts=foo")
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
        here = [name for name, state in self.rows().items() if state != "-"]
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.splitlines()[-1], f"{len(here)} passed, 0 failed")

    def test_speed_json(self):
        status, out, err = run("speed", "--json", "-", "--size", "16,512,1000", "--alg", "aes-128-xts,aes-192-xts,aes-256-xts")
        self.assertEqual(status, 0, err)
        result = json.loads(out)  # nothing but the object
        self.assertEqual(list(result["ceilings"]), ["aes-128-xts", "aes-192-xts", "aes-256-xts"])
        self.assertGreater(result["ghz"], 0.5)
        here = [name for name, state in self.rows().items() if state != "-"]
        self.assertEqual(len(result["rows"]), 3 * 2 * 3 * len(here))
        self.assertEqual(len(result["init"]), 3 * len(here))
        for row in result["rows"]:
            self.assertEqual((row["batch"], row["cold"]), (1, False))
            self.assertGreaterEqual(row["ns_median"], row["ns"])
            self.assertAlmostEqual(row["gbps"], row["size"] / row["ns"], delta=row["gbps"] * 0.01)
            self.assertAlmostEqual(row["of_ceiling"], row["gbps"] / result["ceilings"][row["alg"]], delta=row["of_ceiling"] * 0.01)
            self.assertEqual([p["name"] for p in row["peers"]], [] if row["alg"] == "aes-192-xts" else ["OpenSSL"])

    def test_speed_choices(self):
        status, out, err = run("speed", "--json", "-", "--size", "512", "--batch", "7", "--op", "open", "--alg", "aes-256-xts",
                               "--impl", "xts-aes-portable", "--peer", "none")
        self.assertEqual(status, 0, err)
        rows = json.loads(out)["rows"]
        self.assertEqual([(r["size"], r["batch"], r["op"], r["impl"], r["peers"]) for r in rows],
                         [(512, 7, "open", "xts-aes-portable", [])])
        if os.uname().machine == "x86_64":
            status, out, err = run("speed", "--cold", "--json", "-", "--size", "64", "--op", "seal", "--alg", "aes-128-xts")
            self.assertEqual(status, 0, err)
            self.assertTrue(all(row["cold"] for row in json.loads(out)["rows"]))

    def test_speed_refusals(self):
        for word, *args in (("aes-512", "--alg", "aes-512"), ("16 bytes", "--size", "15"), ("16 bytes", "--size", "17M"),
                            ("not a number", "--size", "abc"), ("not a number", "--size", "16,,32"), ("batch", "--batch", "0"),
                            ("frob", "--op", "frob"), ("no implementation", "--impl", "xts-aes-foo"), ("extra", "extra"),
                            ("a page goes to a file", "--html", "-"), ("more than the 1G", "--size", "16M", "--batch", "65")):
            self.refused(2, word, "speed", *args)
        self.refused(1, "no peer", "speed", "--peer", "/nonexistent.so")
        self.refused(1, "lacks EVP", "speed", "--peer", "libm.so.6")

    def test_speed_does_not_leave_a_broken_report(self):
        with tempfile.TemporaryDirectory() as folder:
            quick = ("--size", "16", "--alg", "aes-128-xts", "--op", "seal", "--peer", "none")
            path = os.path.join(folder, "missing", "page.html")
            status, _, err = run("speed", *quick, "--html", path)
            self.assertEqual(status, 1)
            self.assertIn(path, err)
            status, _, err = run("speed", *quick, "--json", "/dev/full")
            self.assertEqual(status, 1)
            self.assertIn("No space left", err)
            self.assertTrue(os.path.exists("/dev/full"))


if __name__ == "__main__":
    unittest.main(verbosity=1)
