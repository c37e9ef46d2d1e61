# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The command verify with certificates, beside `openssl verify` with the same files.

Usage: test_verify_certs.py LANECRYPT"""
import base64
import datetime
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import unittest

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import NameOID

PROGRAM = sys.argv.pop()
NOW = datetime.datetime.utcnow().replace(microsecond=0)
DAY = datetime.timedelta(days=1)
SHA = {256: hashes.SHA256(), 384: hashes.SHA384(), 512: hashes.SHA512()}


def make_key(kind):
    if kind == "ed25519":
        return ed25519.Ed25519PrivateKey.generate()
    if kind.startswith("rsa"):
        return rsa.generate_private_key(65537, int(kind[3:]))
    return ec.generate_private_key({"p256": ec.SECP256R1(), "p384": ec.SECP384R1(), "p521": ec.SECP521R1()}[kind])


class Entity:
    """A name, a key, and the certificate of it."""

    def __init__(self, name, kind="p256", issuer=None, key=None, sha=256, ca=True, pathlen=None, begin=-DAY, end=DAY, usage=None,
                 akid=True, extensions=()):
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.key = key or make_key(kind)
        issuer = issuer or self
        public = self.key.public_key()
        builder = x509.CertificateBuilder(issuer.name, self.name, public, x509.random_serial_number(), NOW + begin,
                                          NOW + end)
        if ca is not None:
            builder = builder.add_extension(x509.BasicConstraints(ca, pathlen if ca else None), True)
        if usage is not None:
            builder = builder.add_extension(x509.KeyUsage(usage == "encipher", False, usage == "encipher", False, False,
                                                          usage == "sign", False, False, False), True)
        builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(public), False)
        if akid:
            builder = builder.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key()), False)
        for extension, critical in extensions:
            builder = builder.add_extension(extension, critical)
        self.cert = builder.sign(issuer.key, None if isinstance(issuer.key, ed25519.Ed25519PrivateKey) else SHA[sha])
        self.der = self.cert.public_bytes(serialization.Encoding.DER)


def pem(*certs):
    """Of entities, or DER."""
    text = b""
    for cert in certs:
        der = cert if isinstance(cert, bytes) else cert.der
        text += b"-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(der) + b"-----END CERTIFICATE-----\n"
    return text


def element(tag, content):
    size = len(content)
    head = bytes([size]) if size < 128 else bytes([0x82, size >> 8, size & 255])
    return bytes([tag]) + head + content


def parts(der):
    """The elements in the outermost one."""
    def take(data):
        size, head = data[1], 2
        if size & 0x80:
            head += size & 0x7f
            size = int.from_bytes(data[2:head], "big")
        return data[:head + size], data[head:head + size], data[head + size:]
    _, rest, _ = take(der)
    found = []
    while rest:
        whole, _, rest = take(rest)
        found.append(whole)
    return found


ROOT = Entity("root", "p384", sha=384)
RSA_ROOT = Entity("rsa root", "rsa2048")
MIDDLE = Entity("middle", issuer=ROOT, sha=384, usage="sign")
LEAF = Entity("leaf", issuer=MIDDLE, ca=False)


class Certs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.dir.cleanup)
        cls.num = 0

    def write(self, text):
        Certs.num += 1
        path = os.path.join(self.dir.name, f"{Certs.num}.pem")
        with open(path, "wb") as file:
            file.write(text)
        return path

    def verify(self, roots, *args):
        done = subprocess.run([PROGRAM, "verify", "--roots", roots, *args], timeout=300, capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def verdicts(self, roots, paths, *args):
        """What is printed of each file, without its name."""
        _, lines, err = self.verify(roots, *args, *paths)
        self.assertEqual([line.split(": ", 1)[0] for line in lines], paths, err)
        return [line.split(": ", 1)[1] for line in lines]

    def openssl_is_ok(self, roots, path):
        with open(path, "rb") as file:
            first = file.read().split(b"-----END CERTIFICATE-----\n")[0] + b"-----END CERTIFICATE-----\n"
        leaf = self.write(first)  # in the whole file openssl would go on to the next one if it can't read it
        done = subprocess.run(["openssl", "verify", "-auth_level", "1", "-no-CApath", "-no-CAstore", "-CAfile", roots, "-untrusted",
                               path, leaf], capture_output=True, text=True, timeout=60)
        return done.returncode == 0 and done.stdout == f"{leaf}: OK\n"

    def check(self, roots, cases):
        """cases: (name, bundle, word): what the verdict has, and whether OpenSSL agrees."""
        roots = self.write(pem(*roots))
        paths = [self.write(bundle if isinstance(bundle, bytes) else pem(*bundle)) for _, bundle, _ in cases]
        for (name, _, word), path, verdict in zip(cases, paths, self.verdicts(roots, paths)):
            with self.subTest(name=name):
                self.assertRegex(verdict, f"^{word}" if word.startswith("ok") else f"^wrong: (.*{word})")
                self.assertEqual(verdict.startswith("ok"), self.openssl_is_ok(roots, path), verdict)

    def test_algorithms(self):
        """What is verified here, and what is left to libcrypto."""
        cases = []
        for kind, shas in (("p256", (256, 384, 512)), ("p384", (256, 384, 512)), ("rsa2048", (256, 384, 512)), ("ed25519", (0,)),
                           ("p521", (256, 512)), ("rsa1024", (256,)), ("rsa2056", (512,)), ("rsa3072", (256,))):
            middle = Entity(kind, kind, ROOT)
            own = kind not in ("p521", "rsa1024", "rsa2056")
            for sha in shas:
                leaf = Entity("leaf", issuer=middle, ca=False, sha=sha)
                cases.append((f"{kind}, {sha}", (leaf, middle), "ok$" if own else r"ok \(1 of 2 signatures by libcrypto\)$"))
                broken = bytearray(leaf.der)
                broken[-1] ^= 1
                cases.append((f"{kind}, {sha}, broken", (bytes(broken), middle), "certificate 1: certificate signature failure"))
        self.check([ROOT], cases)
        self.check([RSA_ROOT], [("SHA-1", (self.issue(RSA_ROOT, "-sha1"),), "too weak")])

    def issue(self, issuer, *options):
        """A certificate that cryptography can't make, by openssl; DER."""
        key = self.write(issuer.key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                                  serialization.NoEncryption()))
        csr = x509.CertificateSigningRequestBuilder(LEAF.name).sign(LEAF.key, hashes.SHA256())
        done = subprocess.run(["openssl", "x509", "-req", "-CA", self.write(pem(issuer)), "-CAkey", key, *options], timeout=60,
                              capture_output=True, check=True, input=csr.public_bytes(serialization.Encoding.PEM))
        return x509.load_pem_x509_certificate(done.stdout).public_bytes(serialization.Encoding.DER)

    def test_pss(self):
        cases = []
        for sha, mgf, salt, own in ((256, 256, "digest", True), (384, 384, "digest", True), (512, 512, "digest", True),
                                    (256, 256, "20", False), (256, 384, "digest", False), (256, 256, "max", False)):
            der = self.issue(RSA_ROOT, f"-sha{sha}", "-sigopt", "rsa_padding_mode:pss", "-sigopt", f"rsa_pss_saltlen:{salt}",
                             "-sigopt", f"rsa_mgf1_md:sha{mgf}")
            cases.append((f"{sha}, {mgf}, {salt}", (der,), "ok$" if own else r"ok \(1 of 1 signatures by libcrypto\)$"))
            cases.append((f"{sha}, {mgf}, {salt}, broken", (der[:-1] + bytes([der[-1] ^ 1]),), "certificate signature failure"))
        self.check([RSA_ROOT], cases)

    def test_chains(self):
        middle, leaf, root = MIDDLE, LEAF, ROOT
        other_root = Entity("other root")
        expired = Entity("middle", issuer=root, begin=-3 * DAY, end=-DAY)
        future = Entity("middle", issuer=root, begin=DAY, end=3 * DAY)
        no_ca = Entity("middle", issuer=root, ca=False)
        no_constraints = Entity("middle", issuer=root, ca=None)
        no_sign = Entity("middle", issuer=root, usage="encipher")
        short = Entity("short", issuer=root, pathlen=0)
        below_short = Entity("middle", issuer=short)
        same_name = Entity("middle", issuer=root, akid=False)
        forged = Entity("middle", issuer=Entity("root", "p384"), key=middle.key, sha=384, akid=False)
        # Two that have certified each other
        a_key, b_key = make_key("p256"), make_key("p256")
        a = Entity("a", key=a_key)
        b = Entity("b", issuer=a, key=b_key)
        a_by_b = Entity("a", issuer=b, key=a_key)
        crossed = Entity("middle", issuer=other_root, key=middle.key)
        only_example = Entity("middle", issuer=root, extensions=[(x509.NameConstraints([x509.DNSName("example.org")], None), True)])
        unknown = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4"), b"\x05\x00")

        def under(issuer, **options):
            return Entity("leaf", issuer=issuer, ca=False, **options)

        def alternative(name):
            return [(x509.SubjectAlternativeName([x509.DNSName(name)]), False)]

        self.check([root, RSA_ROOT], [
            ("right", (leaf, middle), "ok$"), ("the root too", (leaf, middle, root), "ok$"),
            ("twice", (leaf, middle, middle, leaf, leaf), "ok$"), ("in another order", (leaf, RSA_ROOT, other_root, middle), "ok$"),
            ("a CA", (middle,), "ok$"), ("the root", (root,), "ok$"), ("another root", (other_root,), "self.signed"),
            ("no middle", (leaf,), "certificate 1: unable to get local issuer"),
            ("the middle is first", (middle, leaf), "ok$"),
            ("expired", (under(middle, begin=-3 * DAY, end=-DAY), middle), "certificate 1: certificate has expired"),
            ("not yet", (under(middle, begin=DAY, end=3 * DAY), middle), "certificate 1: certificate is not yet valid"),
            ("expired middle", (under(expired), expired), "certificate 2: certificate has expired"),
            ("future middle", (under(future), future), "certificate 2: certificate is not yet valid"),
            ("no CA", (under(no_ca), no_ca), "certificate 2: invalid CA"),
            ("by the leaf", (under(leaf), leaf, middle), "certificate 2: invalid CA"),
            ("no basic constraints", (under(no_constraints), no_constraints), "invalid CA"),
            ("may not sign", (under(no_sign), no_sign), "certificate 2: "),
            ("path length", (under(below_short), below_short, short), "path length"),
            ("path length kept", (under(short), short), "ok$"),
            ("another key of the name", (under(same_name, akid=False), middle, same_name), "certificate 1: .*signature"),
            ("the right one first", (under(same_name, akid=False), same_name, middle), "ok$"),
            ("key identifiers", (under(same_name), middle, same_name), "ok$"),
            ("key identifier of none", (under(same_name), middle), "unable to get local issuer"),
            ("forged middle", (leaf, forged), "certificate 2: .*signature"),
            ("forged middle, then the right one", (leaf, forged, middle), "certificate 2: .*signature"),
            ("in circles", (under(a_by_b), a_by_b, b), "certificate"),
            ("in circles, with its root", (under(a), b, a_by_b, a), "self.signed"),
            ("cross-signed", (leaf, middle, crossed, other_root), "ok$"),
            ("by the other", (leaf, crossed, other_root), "self.signed"),
            ("another name", (under(only_example, extensions=alternative("example.com")), only_example), "subtree"),
            ("its name", (under(only_example, extensions=alternative("a.example.org")), only_example), "ok$"),
            ("critical", (under(middle, extensions=[(unknown, True)]), middle), "critical"),
            ("not critical", (under(middle, extensions=[(unknown, False)]), middle), "ok$"),
        ])
        self.check([other_root], [("cross-signed", (leaf, crossed, middle), "ok$"), ("not by this", (leaf, middle), "unable"),
                                  ("the other first", (leaf, middle, crossed), "unable")])
        self.check([leaf], [("only itself", (leaf,), "unable"), ("with its issuer", (leaf, middle, root), "self.signed")])
        gone = Entity("gone", begin=-3 * DAY, end=-DAY)
        self.check([gone], [("expired root", (under(gone),), "")])

    def test_dates_that_are_none(self):
        """A 13th month, where the certificate begins or ends, and the signature is right."""
        times = re.findall(rb"\x17\x0d\d{12}Z", LEAF.cert.tbs_certificate_bytes)
        self.assertEqual(len(times), 2)
        cases = []
        for time, name in zip(times, ("notBefore", "notAfter")):
            tbs = LEAF.cert.tbs_certificate_bytes.replace(time, time[:4] + b"13" + time[6:])
            sig = MIDDLE.key.sign(tbs, ec.ECDSA(hashes.SHA256()))
            cases.append((name, (element(0x30, tbs + parts(LEAF.der)[1] + element(3, b"\0" + sig)), MIDDLE),
                          f"certificate 1: format error in certificate's {name} field"))
        self.check([ROOT], cases)

    def test_form(self):
        """The algorithm within what is signed is another one, and the signature is right all the same; lengths."""
        even = LEAF
        while even.der[-1] & 1:  # libcrypto clears bits that are unused
            even = Entity("leaf", issuer=MIDDLE, ca=False)
        tbs, outer, sig = parts(even.der)
        inner = parts(tbs)
        self.assertEqual(inner[2], outer)
        inner[2] = outer[:-1] + b"\x03"
        tbs = element(0x30, b"".join(inner))
        new_sig = element(3, b"\0" + MIDDLE.key.sign(tbs, ec.ECDSA(hashes.SHA256())))
        bits = bytearray(sig)
        bits[2] = 1
        cases = [("two algorithms", (element(0x30, tbs + outer + new_sig), MIDDLE), "signature"),
                 ("seven bits", (element(0x30, parts(even.der)[0] + outer + bytes(bits)), MIDDLE), "signature")]
        # Signatures that are too long or too short
        for kind in "ed25519", "rsa2048", "p256":
            middle = Entity("middle", kind, ROOT)
            tbs, outer, sig = parts(Entity("leaf", issuer=middle, ca=False).der)
            content = sig[-65 if kind == "ed25519" else -257:] if kind != "p256" else sig[2:]
            self.assertEqual(element(3, content), sig)
            for other in content + b"\0", content[:-1], b"\0":
                cases.append((f"{kind}, {len(other)}", (element(0x30, tbs + outer + element(3, other)), middle), "signature"))
        self.check([ROOT], cases)

    def test_algorithm_of_another_key(self):
        """The certificate says that it was signed by an algorithm that isn't its issuer's."""
        middles = [Entity("middle", kind, ROOT) for kind in ("p256", "p384", "rsa2048", "ed25519")]
        leaves = [Entity("leaf", issuer=issuer, ca=False) for issuer in (*middles, RSA_ROOT)]
        cases = []
        for middle in middles:
            for leaf in leaves:
                tbs, outer, sig = parts(leaf.der)
                inner = parts(tbs)
                inner[3] = parts(parts(Entity("leaf", issuer=middle, ca=False, akid=False).der)[0])[3]
                inner[-1:] = []  # no extensions: they would name the issuer's key
                cert = element(0x30, element(0x30, b"".join(inner)) + outer + sig)
                cases.append((f"{middle.key}, {leaf.key}", (cert, middle), "certificate 1"))
        self.check([ROOT], cases)

    def test_random_bits(self):
        """One bit changed anywhere; OpenSSL says what is right."""
        rng = random.Random(1)
        leaf = Entity("leaf", issuer=Entity("rsa middle", issuer=RSA_ROOT), ca=False)
        ders = [LEAF.der, MIDDLE.der]
        roots = self.write(pem(ROOT, RSA_ROOT))
        paths = []
        for i in range(120):
            changed = [bytearray(der) for der in ders]
            der = changed[i % 2]
            der[rng.randrange(len(der))] ^= 1 << rng.randrange(8)
            paths.append(self.write(pem(*map(bytes, changed))))
        paths.append(self.write(pem(leaf)))
        expected = [self.openssl_is_ok(roots, path) for path in paths]
        for threads in "1", "2":
            verdicts = self.verdicts(roots, paths, "--threads", threads)
            self.assertEqual([verdict.startswith("ok") for verdict in verdicts], expected)
        self.assertNotIn(True, expected)
        self.assertGreater(sum("signature" in verdict for verdict in verdicts), 40)

    def test_many(self):
        """Blocks and batches of all kinds, by several threads, with wrong ones among them."""
        rng = random.Random(2)
        roots = self.write(pem(ROOT, RSA_ROOT))
        middles = [Entity(kind, kind, RSA_ROOT) for kind in ("p256", "p384", "rsa2048", "ed25519")]
        good, bad = [], []
        for middle in middles:
            leaf = Entity("leaf", issuer=middle, ca=False)
            good.append(self.write(pem(leaf, middle)))
            broken = bytearray(leaf.der)
            broken[-5] ^= 4
            bad.append(self.write(pem(bytes(broken), middle)))
        # More keys than are kept
        for i in range(300):
            middle = Entity(f"many {i}", issuer=ROOT)
            good.append(self.write(pem(Entity("leaf", issuer=middle, ca=False, key=LEAF.key), middle)))
            middle.key = LEAF.key
            bad.append(self.write(pem(Entity("leaf", issuer=middle, ca=False, key=LEAF.key, akid=False), middle)))
        paths = [rng.choice(good if rng.randrange(10) else bad) for _ in range(700)]
        for threads in "1", "2", "7":
            verdicts = self.verdicts(roots, paths, "--threads", threads)
            self.assertEqual([verdict == "ok" for verdict in verdicts], [path in good for path in paths])
        status, lines, err = self.verify(roots, "--failed", *paths)
        num_bad = sum(path in bad for path in paths)
        self.assertEqual((status, len(lines)), (1, num_bad))
        self.assertRegex(err, f"^lanecrypt: 700 bundles: {700 - num_bad} ok, {num_bad} wrong, 0 with errors; 1400 signatures, "
                              "0 of them by libcrypto; ")
        self.assertEqual(self.verify(roots, "-q", "--failed", *good), (0, [], ""))

    def test_long_chains(self):
        """More signatures in a block than there is room for; a chain that is too long."""
        roots, chain = self.write(pem(ROOT)), [ROOT]
        for i in range(120):
            chain.insert(0, Entity(str(i), issuer=chain[0], key=MIDDLE.key))
        deep = self.write(pem(*chain[-41:-1]))
        status, lines, err = self.verify(roots, "--threads", "1", *[deep] * 100)
        self.assertEqual((status, lines), (0, [f"{deep}: ok"] * 100))
        self.assertIn("; 4000 signatures, 0 of them", err)
        self.check([ROOT], [("40", chain[-41:-1], "ok$"), ("100", chain[-101:-1], "ok$"), ("120", chain[:-1], "")])

    def test_malformed(self):
        """Told with file and number, and never the end."""
        good = self.write(pem(LEAF, MIDDLE))
        cut = pem(LEAF) + pem(MIDDLE.der[:-1])
        odd = os.path.join(self.dir.name, "a\n\x1b\xff".encode("utf-8", "surrogateescape").decode() + "b")
        with open(odd, "wb") as file:
            file.write(b"x")
        cases = [(good, "ok"), (self.write(b""), "error: there is no certificate"), (self.write(cut), "error: certificate 2: "),
                 (self.write(b"-----BEGIN CERTIFICATE-----\n"), "error: certificate 1: "),
                 (self.write(pem(LEAF).replace(b"\n-----END", b"!\n-----END")), "error: certificate 1: "),
                 (self.write(pem(LEAF, MIDDLE).replace(b"-----BEGIN CERTIFICATE-----\n",
                                                       b"-----BEGIN CERTIFICATE-----\nProc-Type: 4,ENCRYPTED\n"
                                                       b"DEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n\n", 1)),
                  "error: certificate 1: "),
                 (self.write(random.Random(3).randbytes(100000)), "error: there is no certificate"),
                 (self.write(b"x" * (1 << 20)), "error: there is no certificate"),
                 (self.write(b"x" * ((1 << 20) + 1)), "error: it is too large"), (self.dir.name, "error: it is a directory"),
                 ("/nonexistent", "error: No such file"), (good, "ok")]
        roots = self.write(pem(ROOT))
        for (path, word), verdict in zip(cases, self.verdicts(roots, [path for path, _ in cases])):
            self.assertRegex(verdict, f"^{word}", path)
        status, lines, _ = self.verify(roots, odd)
        self.assertEqual((status, len(lines)), (1, 1))
        self.assertTrue(lines[0].isprintable(), lines)
        status, lines, _ = self.verify(roots, "--json", good, cases[2][0], odd,
                                       self.write(pem(Entity("leaf", issuer=MIDDLE, ca=False, end=-DAY / 2), MIDDLE)))
        found = [json.loads(line) for line in lines]
        self.assertEqual(found[0], {"file": good, "verdict": "ok", "signatures": 2, "by_libcrypto": 0})
        self.assertEqual((found[1]["verdict"], found[1]["certificate"]), ("error", 2))
        self.assertEqual(found[2]["verdict"], "error")
        self.assertEqual({**found[3], "file": ""}, {"file": "", "verdict": "wrong", "reason": "certificate has expired",
                                                    "certificate": 1})

    def test_begins(self):
        """Where a certificate doesn't begin a line, others may take another one for the first: that is never ok."""
        roots, evil = self.write(pem(ROOT)), pem(Entity("evil"))
        cases = [(before + pem(LEAF, MIDDLE) + evil, before == b"\xef\xbb\xbf")
                 for before in (b"x", b" ", b"#", b"\r", b"x\r", b"x\n ", b"\xef\xbb\xbf", b"x\xef\xbb\xbf")]
        # libcrypto takes what is in a long line, after 254 characters
        cases += [(b"x" * 254 + evil + pem(LEAF, MIDDLE), False), (pem(LEAF) + b"#" + pem(MIDDLE), False)]
        paths = [self.write(text) for text, _ in cases]
        for (text, is_ok), verdict in zip(cases, self.verdicts(roots, paths)):
            with self.subTest(text=text[:40]):
                number = 2 if text.startswith(pem(LEAF)) else 1
                self.assertEqual(verdict, "ok" if is_ok else f"error: certificate {number}: it can't be read")
        # What is a certificate to libcrypto only, or an error
        for before, why in ((evil.replace(b"-----\n", b"\0-----\n", 1), "there is a zero byte in it"),
                            (evil.replace(b"CERTIFICATE-----\n", b"TRUSTED CERTIFICATE\0-----\n"), "there is a zero byte in it"),
                            (evil.replace(b" CERTIFICATE", b" TRUSTED CERTIFICATE"), "certificate 1: it can't be read"),
                            (evil.replace(b"BEGIN CERT", b"BEGIN CRT"), "certificate 1: it can't be read"),
                            (b"-----BEGIN X-----\n", "certificate 1: it can't be read")):
            path = self.write(before + pem(LEAF, MIDDLE))
            self.assertEqual(self.verdicts(roots, [path]), ["error: " + why])
        key = LEAF.key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        self.assertEqual(self.verdicts(roots, [self.write(key + pem(LEAF) + key + pem(MIDDLE))]), ["ok"])
        status, _, err = self.verify(self.write(pem(RSA_ROOT) + b"# " + pem(ROOT)), paths[0])
        self.assertEqual(status, 1)
        self.assertIn("certificate 2: it can't be read", err)
        # A megabyte of begins takes a moment, whichever name they have.
        many = [self.write((b"-----BEGIN " + name + b"-----\n-----END \n") * 20000)
                for name in (b"CERTIFICATE", b"X509 CERTIFICATE", b"TRUSTED CERTIFICATE", b"KEY")]
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.verdicts(roots, many)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used, 1)

    def test_refused(self):
        good, roots = self.write(pem(LEAF, MIDDLE)), self.write(pem(ROOT))
        for args, status, word in ((["--roots", roots], 2, "without bundles"), ([good], 2, "--keys or --roots"),
                                   (["--roots", roots, "--keys", roots, good], 2, "exclude"),
                                   (["--roots", "/nonexistent", good], 1, "No such file"),
                                   (["--roots", self.write(b""), good], 1, "no certificate"),
                                   (["--roots", self.write(pem(ROOT, b"\x30\x00")), good], 1, "certificate 2"),
                                   (["--roots", roots, "--threads", "0", good], 2, "--threads 0")):
            done = subprocess.run([PROGRAM, "verify", *args], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (status, ""))
            self.assertIn(word, done.stderr)


if __name__ == "__main__":
    unittest.main()
