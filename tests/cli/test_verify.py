# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The command verify, beside PyJWT (and so OpenSSL) with the same tokens.

Usage: test_verify.py LANECRYPT JWT, where JWT is the example that signs tokens"""
import base64
import json
import os
import random
import resource
import select
import subprocess
import sys
import tempfile
import unittest

import jwt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

EXAMPLE = sys.argv.pop()
PROGRAM = sys.argv.pop()


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Key:
    def __init__(self, alg, kid, members=None, bits=2048, e=65537):
        self.alg, self.kid = alg, kid
        if alg == "EdDSA":
            self.private = ed25519.Ed25519PrivateKey.generate()
            raw = self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
            self.jwk = {"kty": "OKP", "crv": "Ed25519", "x": b64(raw)}
        elif alg in ("RS256", "PS256"):
            self.private = rsa.generate_private_key(e, bits)
            numbers = self.private.public_key().public_numbers()
            self.jwk = {"kty": "RSA", "n": b64(numbers.n.to_bytes((numbers.n.bit_length() + 7) // 8, "big")),
                        "e": b64(numbers.e.to_bytes((numbers.e.bit_length() + 7) // 8, "big"))}
        else:
            size = {"ES256": 32, "ES384": 48}[alg]
            self.private = ec.generate_private_key(ec.SECP256R1() if size == 32 else ec.SECP384R1())
            numbers = self.private.public_key().public_numbers()
            self.jwk = {"kty": "EC", "crv": f"P-{8 * size}", "x": b64(numbers.x.to_bytes(size, "big")),
                        "y": b64(numbers.y.to_bytes(size, "big"))}
        if kid is not None:
            self.jwk["kid"] = kid
        self.jwk.update(members or {})

    def sign(self, claims, **headers):
        if self.kid is not None:
            headers.setdefault("kid", self.kid)
        return jwt.encode(claims, self.private, algorithm=self.alg, headers=headers)

    def is_right(self, token):
        try:
            jwt.decode(token, self.private.public_key(), algorithms=[self.alg], options={"verify_exp": False})
            return True
        except jwt.InvalidTokenError:
            return False


KEYS = [Key(alg, f"{alg}/{i}") for alg in ("ES256", "ES384", "EdDSA") for i in range(3)]
KEYS += [Key("RS256", "rsa"), Key("PS256", "rsa pss", {"alg": "PS256"}), Key("RS256", "3072", bits=3072, e=3)]


def header(text, **members):
    """A token with another header, which is then not signed."""
    return b64(json.dumps(members).encode()) + "." + text.split(".", 1)[1]


def nested(depth):
    return json.loads("[" * depth + "]" * depth)


class Verify(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.keys = self.write("keys.json", json.dumps({"keys": [key.jwk for key in KEYS]}))

    def write(self, name, text):
        path = os.path.join(self.dir.name, name)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path

    def run_verify(self, *args, keys=None, text=""):
        done = subprocess.run([PROGRAM, "verify", "--keys", keys or self.keys, *args], timeout=300, capture_output=True,
                              input=text if isinstance(text, bytes) else text.encode())
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def verdicts(self, lines, *args, keys=None):
        """What is printed of each line, without its number, of standard input."""
        _, out, _ = self.run_verify(*args, keys=keys, text="\n".join(lines) + "\n")
        numbers = [int(line.split(" ")[0]) for line in out.splitlines()]
        self.assertEqual(numbers, list(range(1, len(lines) + 1)))
        return [line.split(" ", 1)[1] for line in out.splitlines()]

    def refused(self, word, *args, status=1, keys=None, text=""):
        got, out, err = self.run_verify(*args, keys=keys, text=text)
        self.assertEqual((got, out), (status, ""), err)
        self.assertIn(word, err)

    def test_right_and_wrong(self):
        """Every kind of key, one bit changed anywhere or none; PyJWT says what is right.  Enough for a prepared key."""
        rng = random.Random(1)
        lines, right = [], []
        for i in range(3000):
            key = rng.choice(KEYS[:3] if i % 2 else KEYS)
            token = key.sign({"n": i, "text": "x" * rng.randrange(60)})
            if rng.randrange(4) == 0:
                head, payload, sig = token.split(".")
                raw = bytearray(base64.urlsafe_b64decode(sig + "=="))
                if rng.randrange(2):
                    raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
                else:
                    payload = b64(json.dumps({"n": i + 1}).encode())
                token = f"{head}.{payload}.{b64(raw)}"
            lines.append(token)
            right.append(key.is_right(token))
        self.assertIn(False, right)
        expected = ["ok" if ok else "wrong" for ok in right]
        for threads in "1", "2", "7":
            self.assertEqual(self.verdicts(lines, "--threads", threads), expected)
        path = self.write("tokens", "\n".join(lines))
        status, out, err = self.run_verify("--failed", path)
        self.assertEqual((status, out), (1, "".join(f"{n} wrong\n" for n, ok in enumerate(right, 1) if not ok)))
        self.assertRegex(err, f"^lanecrypt: 3000 tokens: {sum(right)} ok, {3000 - sum(right)} wrong, 0 with errors; ")
        only_right = self.write("right", "".join(line + "\n" for line, ok in zip(lines, right) if ok))
        status, out, err = self.run_verify("--failed", "-q", only_right)
        self.assertEqual((status, out, err), (0, "", ""))

    def test_json(self):
        tokens = [KEYS[0].sign({}), KEYS[4].sign({})[:-4] + "AAAA", "a.b", KEYS[8].sign({})]
        status, out, _ = self.run_verify("--json", text="\n".join(tokens))
        self.assertEqual(status, 1)
        self.assertEqual([json.loads(line) for line in out.splitlines()], [
            {"line": 1, "verdict": "ok", "alg": "ES256", "kid": "ES256/0"},
            {"line": 2, "verdict": "wrong", "reason": "the signature is wrong", "alg": "ES384", "kid": "ES384/1"},
            {"line": 3, "verdict": "error", "reason": "it hasn't three parts with a dot between them"},
            {"line": 4, "verdict": "ok", "alg": "EdDSA", "kid": "EdDSA/2"}])

    def test_kid_in_json(self):
        """Whatever it is, it's ASCII without control characters: it may go to a terminal."""
        key = Key("ES256", '"\\\n\x1b[31m\x9b31m\u202e\U0001f600')
        _, out, _ = self.run_verify("--json", keys=self.write("key", json.dumps(key.jwk)), text=key.sign({}) + "\n")
        self.assertEqual(json.loads(out), {"line": 1, "verdict": "ok", "alg": "ES256", "kid": key.kid})
        self.assertTrue(out.removesuffix("\n").isascii() and out.removesuffix("\n").isprintable(), out)

    def test_malformed(self):
        token = KEYS[0].sign({"sub": "x"})
        head, payload, sig = token.split(".")
        ed = KEYS[6].sign({})
        # The last of 86 characters has four bits that count; with the others set, it's another text of the same bytes.
        alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        loose = token[:-1] + alphabet[alphabet.index(token[-1]) | 1]
        # PS256's salt has 32 bytes (RFC 7518, 3.5); another one makes a signature that is none here.
        signed = b64(b'{"alg":"PS256","kid":"rsa"}') + "." + payload
        no_salt = KEYS[9].private.sign(signed.encode(), padding.PSS(padding.MGF1(hashes.SHA256()), 0), hashes.SHA256())
        hmac = jwt.encode({}, "secret", algorithm="HS256", headers={"kid": "ES256/0"})
        cases = [
            (token, "ok"),
            ("x", "three parts"), (f"{head}.{payload}", "three parts"), (token + ".", "three parts"),
            ("..", "header isn't JSON"),
            (f"{head}.{payload}.", "signature isn't"), (token[:-1], "signature isn't"), (token + "A", "signature isn't"),
            (token + "==", "signature isn't"), (loose, "signature isn't"), (f"{head}.{payload}.{sig[:-1]}+", "signature isn't"),
            (f"{head}.{payload}.{ed.split('.')[2]}", "wrong"),
            (f"{head}.{payload}.{KEYS[3].sign({}).split('.')[2]}", "signature isn't"),
            (f"{head}.{payload}=.{sig}", "payload isn't"), (f"{head}. .{sig}", "payload isn't"), (f"{head}..{sig}", "wrong"),
            (f"!{token}", "header isn't base64url"), ("W10." + payload + "." + sig, "header isn't an object"),
            ("A" * 12000 + ".a.a", "header is too long"), (b64(b"\xff{}") + ".a.a", "header isn't JSON"),
            (b64(b'{"alg":"ES256","alg":"none"}') + f".{payload}.{sig}", "header isn't JSON"),
            (b64(b'{"alg":"ES256\\u0000","kid":"ES256/0"}') + f".{payload}.{sig}", "header isn't JSON"),
            (header(token, alg="none"), "its alg isn't"), (header(token, kid="ES256/0"), "has no alg"),
            (header(token, alg="es256", kid="ES256/0"), "its alg isn't"), (hmac, "its alg isn't"),
            (header(token, alg=["ES256"]), "has no alg"), (header(token, alg="ES256", kid=0), "kid isn't a string"),
            (header(token, alg="ES256", kid="ES256/00"), "no key with its kid"),
            (header(token, alg="ES256", kid=""), "no key with"),
            (header(token, alg="ES384", kid="ES256/0"), "no key with its kid and alg"),
            (header(token, alg="EdDSA", kid="ES256/0"), "no key with its kid and alg"),
            (header(token, alg="ES256"), "more than one key"),
            (header(token, alg="ES256", kid="ES256/0", crit=["exp"]), "crit"),
            (header(token, alg="ES256", kid="ES256/1"), "wrong"),
            (header(token, alg="ES256", kid="ES256/0", x=nested(63), y=nested(63)), "wrong"),
            (header(token, alg="ES256", kid="ES256/0", x='"[\\' * 100), "wrong"),
            (header(token, alg="ES256", kid="ES256/0", x='"', y=nested(64)), "nested too deeply"),
            (header(token, alg="ES256", kid="ES256/0", n=1 << 64), "wrong"), (header(ed, alg="Ed25519", kid="EdDSA/0"), "wrong"),
            (jwt.encode({}, KEYS[9].private, algorithm="PS256", headers={"kid": "rsa"}), "ok"),
            (jwt.encode({}, KEYS[10].private, algorithm="RS256", headers={"kid": "rsa pss"}), "no key with its kid and alg"),
            (header(KEYS[9].sign({}), alg="PS256", kid="rsa"), "wrong"),
            (header(KEYS[9].sign({}), alg="RS512", kid="rsa"), "its alg isn't"),
            (header(KEYS[9].sign({}), alg="RS256", kid="3072"), "signature isn't"),
            (f"{signed}.{b64(no_salt)}", "wrong"),
            (token, "ok"), (ed, "ok"),
        ]
        for (line, word), verdict in zip(cases, self.verdicts([line for line, _ in cases])):
            with self.subTest(line=line[:100]):
                if word in ("ok", "wrong"):
                    self.assertEqual(verdict, word)
                else:
                    self.assertRegex(verdict, "^error: .*" + word)

    def test_lines(self):
        """Ends of lines, empty lines, no newline at the end, lines that are too long, bytes of any kind."""
        token = KEYS[0].sign({})
        for newline in "\n", "\r\n":
            for end in newline, "":
                status, out, _ = self.run_verify(text=newline + token + newline * 3 + token + end)
                self.assertEqual((status, out), (0, "2 ok\n5 ok\n"))
        for size in (1 << 20) - 2, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20, 5000000:
            status, out, _ = self.run_verify(text=f"{token}\n{'a' * size}\n{token}\n")
            self.assertEqual(status, 1)
            self.assertRegex(out, r"^1 ok\n2 error: .*\n3 ok\n$")
            self.assertEqual("megabyte" in out, size >= 1 << 20)
        _, out, _ = self.run_verify(text="a" * (3 << 20))
        self.assertRegex(out, "^1 error: the line has more than a megabyte\n$")
        data = random.Random(2).randbytes(1000000)
        status, out, _ = self.run_verify(text=data + b"\n" + token.encode())
        lines = [n for n, line in enumerate(data.split(b"\n"), 1) if line.removesuffix(b"\r")]
        self.assertEqual([int(line.split()[0]) for line in out.splitlines()], [*lines, data.count(b"\n") + 2])

    def test_long_headers(self):
        """They aren't kept: 200 megabytes of them, all different, take no memory."""
        path = os.path.join(self.dir.name, "tokens")
        with open(path, "w") as file:
            for i in range(200):
                file.write("A" * 1000000 + f"{i:04}.a.a\n")
        with subprocess.Popen([PROGRAM, "verify", "--keys", self.keys, "--threads", "1", path], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as process:
            verdicts = process.stdout.read().decode().splitlines()
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 1
        self.assertEqual(verdicts, [f"{n} error: the header is too long" for n in range(1, 201)])
        self.assertLess(usage.ru_maxrss, 100000)

    def test_many_blocks(self):
        """More than a block for each thread, with blocks that end within lines."""
        tokens = [KEYS[i % 12].sign({"n": i}) for i in range(200)]
        lines = tokens * 40
        lines[4321] = "x"
        for threads in "1", "3", "16":
            verdicts = self.verdicts(lines, "--threads", threads)
            self.assertEqual([i for i, verdict in enumerate(verdicts) if verdict != "ok"], [4321])

    def run_limited(self, kilobytes, *args, text=""):
        limit = kilobytes << 10
        return subprocess.run([PROGRAM, *args], input=text.encode(), capture_output=True, timeout=300,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

    def test_little_memory(self):
        """Without memory the program says so: no verdict is missing then, or another one."""
        one = Key("ES256", None)
        if self.run_limited(80000, "version").returncode != 0:
            self.skipTest("the program needs much memory for itself, as sanitizers do")
        # Threads that can't be started are none.
        done = self.run_limited(160000, "verify", "--keys", self.keys, "--threads", "64", text=KEYS[0].sign({}))
        self.assertEqual((done.returncode, done.stdout), (0, b"1 ok\n"))
        self.assertRegex(done.stderr, rb", [1-5]?[0-9] threads?\n$")
        # The verdicts of a block have 200 MB.
        path = self.write("keys", json.dumps({**one.jwk, "kid": "k" * 100000}))
        tokens = self.write("tokens", (one.sign({}) + "\n") * 2000)  # (a pipe might give a smaller block)
        done = self.run_limited(80000, "verify", "--keys", path, "--threads", "1", "--json", tokens)
        self.assertEqual((done.returncode, len(done.stdout), done.stderr), (1, 0, b"lanecrypt: no memory for the verdicts\n"))
        # Headers of 8 KB, of which 256 are kept
        path = self.write("keys", json.dumps(one.jwk))
        tokens = "".join(header("..", alg="ES256", n=f"{i:08000}") + "\n" for i in range(600))
        verdicts = "".join(f"{n} error: the signature isn't base64url of its key's length\n" for n in range(1, 601))
        some = 0
        for kilobytes in range(8000, 80000, 200):
            done = self.run_limited(kilobytes, "verify", "--keys", path, "--threads", "1", text=tokens)
            self.assertTrue(verdicts.startswith(done.stdout.decode()), f"{kilobytes} KB")
            if b"tokens: " in done.stderr:
                self.assertEqual(done.stdout.decode(), verdicts)
                break
            some += b"no memory for what" in done.stderr
        self.assertGreater(some, 0)

    def test_slow_input(self):
        """A verdict comes while the next token isn't there yet."""
        with subprocess.Popen([PROGRAM, "verify", "--keys", self.keys], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            self.addCleanup(process.kill)
            for n in 1, 2:
                process.stdin.write(KEYS[0].sign({"n": n}) + "\n")
                process.stdin.flush()
                self.assertTrue(select.select([process.stdout], [], [], 60)[0])
                verdict = process.stdout.readline()
                if verdict != f"{n} ok\n":
                    process.kill()  # else it waits for more
                self.assertEqual(verdict, f"{n} ok\n")
            process.stdin.close()
            self.assertEqual(process.wait(timeout=60), 0)

    def test_example(self):
        """The tokens of the example that signs them, and PyJWT's opinion."""
        keys = os.path.join(self.dir.name, "example.json")
        tokens = subprocess.run([EXAMPLE, keys, "500", "5"], capture_output=True, text=True, check=True, timeout=60).stdout
        status, out, _ = self.run_verify(keys=keys, text=tokens)
        self.assertEqual((status, out), (0, "".join(f"{n} ok\n" for n in range(1, 501))))
        with open(keys) as file:
            jwks = jwt.PyJWKSet.from_dict(json.load(file))
        for token in tokens.splitlines():
            key = jwks[jwt.get_unverified_header(token)["kid"]].key
            jwt.decode(token, key, algorithms=["ES256"])

    def test_keys(self):
        """What of a JWK Set is taken."""
        one = Key("ES256", None)
        token = one.sign({})
        self.assertEqual(self.verdicts([token], keys=self.write("one", json.dumps(one.jwk))), ["ok"])
        self.assertEqual(self.verdicts([header(token, alg="ES256", kid="x")], keys=self.write("one", json.dumps(one.jwk))),
                         ["error: there is no key with its kid and alg"])
        off_curve = {**one.jwk, "y": b64(bytes(32))}
        for jwk, reason in (
                (off_curve, "not a key"), ({**one.jwk, "x": one.jwk["x"][:-1]}, "x or y"), ({**one.jwk, "x": 5}, "x or y"),
                ({**one.jwk, "crv": "P-521"}, "it isn't of"), ({**one.jwk, "crv": "Ed25519"}, "it isn't of"),
                ({"kty": "RSA", "n": b64(b"\xff" * 200), "e": "AQAB"}, "n hasn't"),
                ({"kty": "RSA", "n": b64(b"\xff" * 256)}, "n or e"),
                ({"kty": "RSA", "n": b64(b"\xff" * 900), "e": "AQAB"}, "n or e"), ({**KEYS[9].jwk, "e": "AQAA"}, "not a key"),
                ({**KEYS[9].jwk, "alg": "ES256"}, "its alg"),
                ({"kty": "oct", "k": "AA"}, "it isn't of"), ({**one.jwk, "use": "enc"}, "its use"),
                ({**one.jwk, "key_ops": ["sign"]}, "key_ops"), ({**one.jwk, "alg": "ES384"}, "its alg"),
                ({**one.jwk, "kid": 1}, "its kid"), ({"crv": "P-256"}, "no kty"), ("x", "isn't an object")):
            with self.subTest(jwk=jwk):
                path = self.write("keys", json.dumps({"keys": [jwk, {**one.jwk, "kid": "good"}]}))
                status, out, err = self.run_verify(keys=path, text=token)
                self.assertEqual((status, out), (0, "1 ok\n"))
                self.assertRegex(err, f"key 1.* is left out: .*{reason}")
        good = {**one.jwk, "use": "sig", "key_ops": ["sign", "verify"], "alg": "ES256", "kid": "k", "n": 1 << 64}
        for keys, word in (([], "no key in it"), ([off_curve], "no key in it"), ([good, good], "have the kid k")):
            self.refused(word, keys=self.write("keys", json.dumps({"keys": keys})), text=token)
        self.assertEqual(self.verdicts([one.sign({}, kid="k")], keys=self.write("keys", json.dumps({"keys": [good]}))), ["ok"])
        # The same kid for keys of two kinds (RFC 7517, 4.5), and more of them than tokens
        both = [Key(alg, "same") for alg in ("EdDSA", "ES256", "ES384")] + [Key("EdDSA", f"{i:03}") for i in range(100)]
        path = self.write("keys", json.dumps({"keys": [key.jwk for key in both]}))
        self.assertEqual(set(self.verdicts([key.sign({}) for key in both], keys=path)), {"ok"})
        for text, word in (("{", "isn't JSON"), ("[]", "not a JWK Set"), ("{}", "not a JWK Set"), ('{"keys": 1}', "not a JWK Set"),
                           ('{"keys": [], "keys": []}', "isn't JSON")):
            self.refused(word, keys=self.write("keys", text), text=token)

    def test_many_keys(self):
        """Headers of all kinds with 20,000 keys, none of which is met twice."""
        one = Key("ES256", None)
        path = self.write("keys", json.dumps({"keys": [{**one.jwk, "kid": str(i)} for i in range(20000)]}))
        for members, word in (({"kid": "777"}, "signature isn't"), ({}, "more than one key"), ({"kid": "x"}, "no key with")):
            text = "".join(header("..", alg="ES256", n=n, **members) + "\n" for n in range(20000))
            _, out, _ = self.run_verify(keys=path, text=text)
            self.assertEqual(out.count(word), 20000, out[:100])

    def test_parts_of_a_header(self):
        """The begin of a header that is kept is another header, wherever it is kept."""
        token = KEYS[0].sign({}, n="x" * 3000)
        head, rest = token.split(".", 1)
        verdicts = self.verdicts([line for n in range(1, 3000) for line in (token, f"{head[:n]}.{rest}")], "--threads", "1")
        self.assertEqual(set(verdicts[::2]), {"ok"})
        self.assertEqual({verdict[:18] for verdict in verdicts[1::2]}, {"error: the header "})

    def test_refused(self):
        token = KEYS[0].sign({})
        self.refused("no token", text="")
        self.refused("no token", text="\n\n")
        self.refused("can't be opened", "/nonexistent")
        self.refused("can't be read", self.dir.name)
        self.refused("unable to open /nonexistent", keys="/nonexistent")
        self.refused("unexpected argument", "a", "b", status=2)
        self.refused("--threads 0", "--threads", "0", status=2)
        self.refused("--threads", "--threads", "x", status=2)
        done = subprocess.run([PROGRAM, "verify"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--keys or --roots is missing", done.stderr)
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "verify", "--keys", self.keys], input=token, stdout=full, stderr=subprocess.PIPE,
                                  text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("can't be written", done.stderr)


if __name__ == "__main__":
    unittest.main()
