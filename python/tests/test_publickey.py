# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""lanecrypt's public keys against the package cryptography."""
import array
import ctypes
import gc
import hashlib
import os
import random
import threading

import numpy
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, x25519
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed, decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.serialization import (BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat,
                                                          PublicFormat)

import lanecrypt

rng = random.Random(2)
NUMS = [0, 1, 2, 7, 8, 9, 33]
CURVES = {"P256": (ec.SECP256R1(), hashes.SHA256(), 32), "P384": (ec.SECP384R1(), hashes.SHA384(), 48)}


def raw_public(key, compressed=False):
    form = PublicFormat.CompressedPoint if compressed else PublicFormat.UncompressedPoint
    return key.public_key().public_bytes(Encoding.X962, form)


class Ecdsa:
    def __init__(self, curve, der):
        self.curve, self.hash, self.len = CURVES[curve]
        self.Private, self.Public = getattr(lanecrypt, curve + "PrivateKey"), getattr(lanecrypt, curve + "PublicKey")
        self.options = {"der": True} if der else {}

    def new(self, i=0):
        other = ec.generate_private_key(self.curve)
        private = self.Private(other.private_numbers().private_value.to_bytes(self.len, "big"))
        assert private.public_bytes() == raw_public(other)
        return other, private, self.Public(raw_public(other, compressed=i % 2 == 1))

    def data(self):
        return rng.randbytes(self.len)

    def sign(self, other, digest):
        der = other.sign(digest, ec.ECDSA(Prehashed(self.hash)))
        return der if self.options else b"".join(n.to_bytes(self.len, "big") for n in decode_dss_signature(der))

    def check(self, other, signature, digest):
        if not self.options:
            halves = signature[:self.len], signature[self.len:]
            signature = encode_dss_signature(*(int.from_bytes(half, "big") for half in halves))
        other.public_key().verify(signature, digest, ec.ECDSA(Prehashed(self.hash)))


class Ed25519:
    Private, Public, options = lanecrypt.Ed25519PrivateKey, lanecrypt.Ed25519PublicKey, {}

    def new(self, i=0):
        other = ed25519.Ed25519PrivateKey.generate()
        private = lanecrypt.Ed25519PrivateKey(other.private_bytes_raw())
        assert private.public_bytes() == other.public_key().public_bytes_raw()
        return other, private, lanecrypt.Ed25519PublicKey(private.public_bytes())

    def data(self):
        return rng.randbytes(rng.choice([0, 1, 32, 100, 5000]))

    def sign(self, other, message):
        return other.sign(message)

    def check(self, other, signature, message):
        assert signature == other.sign(message)


KINDS = [Ecdsa("P256", False), Ecdsa("P256", True), Ecdsa("P384", False), Ecdsa("P384", True), Ed25519()]


@pytest.mark.parametrize("kind", KINDS, ids=["P-256", "P-256, DER", "P-384", "P-384, DER", "Ed25519"])
def test_signatures(kind):
    made = [kind.new(i) for i in range(5)]
    for num in NUMS:
        chosen = [made[i % 5] for i in range(num)]
        data = [kind.data() for _ in range(num)]
        signatures = [kind.sign(other, d) for (other, _, _), d in zip(chosen, data)]
        public = [p for _, _, p in chosen]
        assert kind.Public.verify_many(public, signatures, data, **kind.options) == [True] * num

        ours = kind.Private.sign_many([p for _, p, _ in chosen], data, **kind.options)
        for (other, _, _), signature, d in zip(chosen, ours, data):
            kind.check(other, signature, d)
        assert kind.Public.verify_many(tuple(public), ours, data, **kind.options) == [True] * num

        # One key for all: right where it was that one.
        other, private, key = made[2]
        assert kind.Public.verify_many(key, ours, data, **kind.options) == [i % 5 == 2 for i in range(num)]
        for signature, d in zip(kind.Private.sign_many(private, data, **kind.options), data):
            kind.check(other, signature, d)

        # Wrong ones amid right ones, each in a way of its own
        for i in range(num):
            for wrong in (signatures[i][:-1], signatures[i] + b"\0", b"", signatures[i][:-1] + bytes([signatures[i][-1] ^ 1]),
                          bytes(len(signatures[i])), b"\xff" * len(signatures[i]), signatures[i] * 30):
                bad = signatures[:i] + [wrong] + signatures[i + 1:]
                assert kind.Public.verify_many(public, bad, data, **kind.options) == [j != i for j in range(num)]
            changed = data[:i] + [kind.data() + b"x"] + data[i + 1:]
            if isinstance(kind, Ed25519):
                assert kind.Public.verify_many(public, signatures, changed) == [j != i for j in range(num)]
            if num == NUMS[-1]:
                break

        # Several that are wrong: those that nobody has to compute for, and others behind them
        bad = [(s, s[:-1], s, kind.sign(made[(i + 1) % 5][0], data[i]))[i % 4] for i, s in enumerate(signatures)]
        assert kind.Public.verify_many(public, bad, data, **kind.options) == [i % 2 == 0 for i in range(num)]


def test_digests_of_other_lengths():
    other, private, public = KINDS[0].new()
    digests = [hashlib.sha512(b"a").digest(), hashlib.sha1(b"a").digest(), b"a"]
    signatures = private.sign_many(private, digests)
    assert public.verify_many(public, signatures, digests) == [True] * 3
    assert public.verify_many(public, signatures, [digests[0][:32], bytes(12) + digests[1], bytes(31) + b"a"]) == [True] * 3
    for wrong in (b"", bytes(65)):
        for call in (lambda: private.sign_many(private, [bytes(32), wrong]),
                     lambda: public.verify_many(public, signatures[:2], [bytes(32), wrong])):
            with pytest.raises(ValueError, match="1 to 64 bytes"):
                call()


# RFC 8032, 7.1, tests 1 and 3
def test_ed25519_vectors():
    for key, public, message, signature in [
            ("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
             "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
             "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555"
             "fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
            ("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
             "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
             "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
             "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a")]:
        key = lanecrypt.Ed25519PrivateKey(bytes.fromhex(key))
        assert key.public_bytes().hex() == public
        assert [s.hex() for s in key.sign_many(key, [bytes.fromhex(message)])] == [signature]


def test_x25519():
    # RFC 7748, 6.1
    alice, bob = (lanecrypt.X25519PrivateKey(bytes.fromhex(key)) for key in (
        "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
        "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
    assert bob.public_bytes().hex() == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
    secrets = lanecrypt.X25519PrivateKey.exchange_many([alice, bob], [bob.public_bytes(), alice.public_bytes()])
    assert [s.hex() for s in secrets] == ["4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"] * 2
    others = [x25519.X25519PrivateKey.generate() for _ in range(5)]
    keys = [lanecrypt.X25519PrivateKey(o.private_bytes_raw()) for o in others]
    assert [k.public_bytes() for k in keys] == [o.public_key().public_bytes_raw() for o in others]
    for num in NUMS:
        peers = [x25519.X25519PrivateKey.generate().public_key() for _ in range(num)]
        raw = [p.public_bytes_raw() for p in peers]
        expected = [others[i % 5].exchange(p) for i, p in enumerate(peers)]
        chosen = [keys[i % 5] for i in range(num)]
        assert lanecrypt.X25519PrivateKey.exchange_many(chosen, raw) == expected
        assert lanecrypt.X25519PrivateKey.exchange_many(keys[1], peers=raw) == [others[1].exchange(p) for p in peers]
        for i in range(num):  # zero, one, others' lengths
            for wrong in (bytes(32), b"\1" + bytes(31), b"", raw[i][:31], raw[i] + b"\0", bytes(1000)):
                assert lanecrypt.X25519PrivateKey.exchange_many(chosen, raw[:i] + [wrong] + raw[i + 1:]) == (
                    expected[:i] + [None] + expected[i + 1:])


@pytest.mark.parametrize("kind", KINDS[::2][:2], ids=["P-256", "P-384"])
def test_ecdh(kind):
    made = [kind.new() for _ in range(3)]
    for num in NUMS:
        peers = [ec.generate_private_key(kind.curve) for _ in range(num)]
        raw = [raw_public(p, compressed=i % 3 == 1) for i, p in enumerate(peers)]
        expected = [made[i % 3][0].exchange(ec.ECDH(), p.public_key()) for i, p in enumerate(peers)]
        chosen = [made[i % 3][1] for i in range(num)]
        assert kind.Private.exchange_many(chosen, raw) == expected
        for i in range(min(num, 9)):  # no point, no such form, others' lengths
            for wrong in (raw[i][:-1] + bytes([raw[i][-1] ^ 1]) if raw[i][0] == 4 else b"\5" + raw[i][1:], b"", raw[i][:-1],
                          raw[i] + b"\0", bytes(len(raw[i])), bytes(1000)):
                assert kind.Private.exchange_many(chosen, raw[:i] + [wrong] + raw[i + 1:]) == (
                    expected[:i] + [None] + expected[i + 1:])


RSA_KEYS = [rsa.generate_private_key(65537, bits) for bits in (2048, 2048, 3072)]
HASHES = {"sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}


def test_rsa():
    keys = []
    for i, other in enumerate(RSA_KEYS):
        form = (PublicFormat.PKCS1, PublicFormat.SubjectPublicKeyInfo)[i % 2]
        keys.append(lanecrypt.RSAPublicKey(other.public_key().public_bytes(Encoding.DER, form)))
        for form in (PublicFormat.PKCS1, PublicFormat.SubjectPublicKeyInfo):
            pem = other.public_key().public_bytes(Encoding.PEM, form)
            assert lanecrypt.RSAPublicKey.from_pem(b"some text\n" + pem).implementation == keys[-1].implementation
    for name in ("pkcs1v15", "pss"):
        for num in NUMS:
            chosen, digests, signatures = [], [], []
            for i in range(num):
                hash_name, function = list(HASHES.items())[i % 3]
                digests.append(hashlib.new(hash_name, bytes([i])).digest())
                pss = padding.PSS(padding.MGF1(function), padding.PSS.DIGEST_LENGTH)
                scheme = pss if name == "pss" else padding.PKCS1v15()
                signatures.append(RSA_KEYS[i % 2].sign(digests[-1], scheme, Prehashed(function)))
                chosen.append(keys[i % 2])
            assert lanecrypt.RSAPublicKey.verify_many(chosen, signatures, digests, name) == [True] * num
            wrong_name = "pss" if name == "pkcs1v15" else "pkcs1v15"
            assert lanecrypt.RSAPublicKey.verify_many(chosen, signatures, digests, wrong_name) == [False] * num
            assert lanecrypt.RSAPublicKey.verify_many(keys[0], signatures, digests, name) == [i % 2 == 0 for i in range(num)]
            assert lanecrypt.RSAPublicKey.verify_many(keys[2], signatures, digests, name) == [False] * num
            for i in range(min(num, 9)):
                for wrong in (signatures[i][:-1], signatures[i] + b"\0", b"", bytes(256), b"\xff" * 256,
                              bytes([signatures[i][0] ^ 1]) + signatures[i][1:]):
                    assert lanecrypt.RSAPublicKey.verify_many(
                        chosen, signatures[:i] + [wrong] + signatures[i + 1:], digests, name) == [j != i for j in range(num)]
    digest, salts, function = bytes(32), [0, 20, 32, 222], hashes.SHA256()
    signatures = [RSA_KEYS[2].sign(digest, padding.PSS(padding.MGF1(function), n), Prehashed(function)) for n in salts]
    for n in salts:
        expected = [n == m for m in salts]
        assert lanecrypt.RSAPublicKey.verify_many(keys[2], signatures, [digest] * 4, "pss", salt_length=n) == expected
    assert lanecrypt.RSAPublicKey.verify_many(keys[2], signatures, [digest] * 4, "pss", None) == [n == 32 for n in salts]


def rsa_private(i, pem=False, form=PrivateFormat.PKCS8):
    data = RSA_KEYS[i].private_bytes(Encoding.PEM if pem else Encoding.DER, form, NoEncryption())
    return lanecrypt.RSAPrivateKey.from_pem(b"some text\n" + data) if pem else lanecrypt.RSAPrivateKey(data)


def test_rsa_private_keys():
    for i in range(3):
        digest, public = bytes(32), RSA_KEYS[i].public_key()
        expected = RSA_KEYS[i].sign(digest, padding.PKCS1v15(), Prehashed(hashes.SHA256()))
        for pem in (False, True):
            for form in (PrivateFormat.PKCS8, PrivateFormat.TraditionalOpenSSL):
                key = rsa_private(i, pem, form)
                assert key.sign_many(key, [digest], "pkcs1v15") == [expected]
                assert key.implementation == key.public_key().implementation
                assert key.public_key().verify_many(key.public_key(), [expected], [digest], "pkcs1v15") == [True]
    for name in ("pkcs1v15", "pss"):
        for num in NUMS:
            keys, digests, schemes = [], [], []
            for i in range(num):
                hash_name, function = list(HASHES.items())[i % 3]
                digests.append(hashlib.new(hash_name, bytes([i])).digest())
                keys.append(i % 2)
                pss = padding.PSS(padding.MGF1(function), padding.PSS.DIGEST_LENGTH)
                schemes.append((pss if name == "pss" else padding.PKCS1v15(), Prehashed(function)))
            private = [rsa_private(0), rsa_private(1)]
            signatures = lanecrypt.RSAPrivateKey.sign_many([private[i] for i in keys], digests, name)
            for i, signature, digest, scheme in zip(keys, signatures, digests, schemes):
                RSA_KEYS[i].public_key().verify(signature, digest, *scheme)
            signatures = lanecrypt.RSAPrivateKey.sign_many(private[1], digests, padding=name)
            for signature, digest, scheme in zip(signatures, digests, schemes):
                RSA_KEYS[1].public_key().verify(signature, digest, *scheme)
    key = rsa_private(2)
    assert len(key.sign_many(key, [bytes(64)], "pss")[0]) == 384
    assert len(set(key.sign_many(key, [bytes(32)] * 3, "pss"))) == 3  # salts
    public.verify(key.sign_many(key, [bytes(64)], "pss")[0], bytes(64),
                  padding.PSS(padding.MGF1(hashes.SHA512()), 64), Prehashed(hashes.SHA512()))


@pytest.mark.parametrize("label", [None, b"", b"a label", bytes(1000)])
@pytest.mark.parametrize("name", HASHES)
def test_rsa_oaep(name, label):
    function = HASHES[name]
    scheme = padding.OAEP(padding.MGF1(function), function, label)
    private = [rsa_private(i) for i in range(3)]
    public = [key.public_key() for key in private]
    for num in NUMS[:6]:
        which = [i % 3 for i in range(num)]
        longest = [RSA_KEYS[i].key_size // 8 - 2 - 2 * function.digest_size for i in which]
        messages = [rng.randbytes((0, 1, n // 2, n)[(i + num) % 4]) for i, n in enumerate(longest)]
        ciphertexts = lanecrypt.RSAPublicKey.encrypt_many([public[i] for i in which], messages, name, label)
        assert [RSA_KEYS[i].decrypt(c, scheme) for i, c in zip(which, ciphertexts)] == messages
        ciphertexts = [RSA_KEYS[i].public_key().encrypt(m, scheme) for i, m in zip(which, messages)]
        keys = [private[i] for i in which]
        assert lanecrypt.RSAPrivateKey.decrypt_many(keys, ciphertexts, name, label) == messages
        assert lanecrypt.RSAPrivateKey.decrypt_many(private[1], ciphertexts, name, label=label) == [
            m if i == 1 else None for i, m in zip(which, messages)]
        for i in range(min(num, 3)):  # other lengths, other numbers
            for wrong in (ciphertexts[i][:-1], ciphertexts[i] + b"\0", b"", bytes(256), b"\xff" * 256, bytes(1000),
                          ciphertexts[i][:-1] + bytes([ciphertexts[i][-1] ^ 1])):
                assert lanecrypt.RSAPrivateKey.decrypt_many(keys, ciphertexts[:i] + [wrong] + ciphertexts[i + 1:], name, label) == (
                    messages[:i] + [None] + messages[i + 1:])
        if num:
            for wrong in ({"hash": "sha512" if name == "sha256" else "sha256", "label": label}, {"hash": name, "label": b"other"}):
                assert lanecrypt.RSAPrivateKey.decrypt_many(keys, ciphertexts, **wrong) == [None] * num
    with pytest.raises(ValueError, match="length"):
        public[0].encrypt_many(public[0], [b"", bytes(256 - 1 - 2 * function.digest_size)], name, label)


class Sm2:
    """SM2 with Python's numbers: signatures are checked as GB/T 32918.2, 7.1, has it."""

    p = 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFF
    b = 0x28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93
    n = 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123
    g = (0x32C4AE2C1F1981195F9904466A39C9948FE30BBFF2660BE1715A4589334C74C7,
         0xBC3736A2F4F6779C59BDCEE36B692153D0A9877CC62A474002DF32E52139F0A0)

    @classmethod
    def add(cls, a, b):
        if a is None or b is None:
            return a or b
        if a[0] == b[0] and (a[1] + b[1]) % cls.p == 0:
            return None
        if a == b:
            slope = 3 * (a[0] * a[0] - 1) * pow(2 * a[1], -1, cls.p)
        else:
            slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, cls.p)
        x = (slope * slope - a[0] - b[0]) % cls.p
        return x, (slope * (a[0] - x) - a[1]) % cls.p

    @classmethod
    def multiply(cls, k, point):
        result = None
        for bit in bin(k)[2:]:
            result = cls.add(result, result)
            result = cls.add(result, point) if bit == "1" else result
        return result

    @classmethod
    def public(cls, private):
        return b"\4" + b"".join(n.to_bytes(32, "big") for n in cls.multiply(int.from_bytes(private, "big"), cls.g))

    @classmethod
    def is_right(cls, public, signature, digest):
        r, s, e = (int.from_bytes(part, "big") for part in (signature[:32], signature[32:], digest))
        point = tuple(int.from_bytes(part, "big") for part in (public[1:33], public[33:]))
        t = (r + s) % cls.n
        return (0 < r < cls.n and 0 < s < cls.n and t != 0 and
                (e + cls.add(cls.multiply(s, cls.g), cls.multiply(t, point))[0] - r) % cls.n == 0)

    @classmethod
    def z(cls, public, identity):
        numbers = [(cls.p - 3).to_bytes(32, "big"), cls.b.to_bytes(32, "big"), *(n.to_bytes(32, "big") for n in cls.g)]
        h = hashes.Hash(hashes.SM3())
        h.update((8 * len(identity)).to_bytes(2, "big") + identity + b"".join(numbers) + public[1:])
        return h.finalize()


def test_sm2():
    # GB/T 32918.5, A.2
    private = lanecrypt.SM2PrivateKey(bytes.fromhex("3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8"))
    raw = private.public_bytes()
    assert raw.hex() == ("0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020"
                         "ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13")
    public, z = lanecrypt.SM2PublicKey(raw), lanecrypt.sm2_z(raw)
    assert z.hex() == "b2e14c5c79c6df5b85f4fe7ed8db7a262b9da7e07ccb0ea9f4747b8ccda8a4f3"
    digests = lanecrypt.sm3_many([z + b"message digest"])
    assert digests[0].hex() == "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640"
    signature = bytes.fromhex("f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3"
                              "b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa")
    assert Sm2.is_right(raw, signature, digests[0])
    assert public.verify_many(public, [signature], digests) == [True]

    made = [rng.randbytes(32) for _ in range(3)]
    keys = [lanecrypt.SM2PrivateKey(raw) for raw in made]
    points = [Sm2.public(raw) for raw in made]
    assert [key.public_bytes() for key in keys] == points
    short = [bytes([2 + p[64] % 2]) + p[1:33] for p in points]
    public = [lanecrypt.SM2PublicKey((p, s)[i % 2]) for i, (p, s) in enumerate(zip(points, short))]
    for identity in (b"", b"somebody", bytes(8191)):
        expected = Sm2.z(points[0], identity)
        assert lanecrypt.sm2_z(points[0], identity) == lanecrypt.sm2_z(short[0], identity=identity) == expected
    for wrong, error in (((points[0], bytes(8192)), ValueError), ((points[0][:-1],), ValueError), ((bytes(65),), ValueError),
                         ((bytes(1000),), ValueError), ((), TypeError), ((points[0], "name"), TypeError), ((None,), TypeError)):
        with pytest.raises(error):
            lanecrypt.sm2_z(*wrong)
    for num in NUMS:
        which, digests = [i % 3 for i in range(num)], [rng.randbytes(32) for _ in range(num)]
        for options in ({}, {"der": True}):
            signatures = lanecrypt.SM2PrivateKey.sign_many([keys[i] for i in which], digests, **options)
            if num <= 7:
                for i, signature, d in zip(which, signatures, digests):
                    if options:
                        signature = b"".join(n.to_bytes(32, "big") for n in decode_dss_signature(signature))
                    assert Sm2.is_right(points[i], signature, d)
            chosen = [public[i] for i in which]
            verify = lanecrypt.SM2PublicKey.verify_many
            assert verify(chosen, signatures, digests, **options) == [True] * num
            assert verify(public[0], signatures, digests, **options) == [i == 0 for i in which]
            for i in range(min(num, 2)):
                for wrong in (signatures[i][:-1], signatures[i] + b"\0", b"", bytes(64), b"\xff" * 64,
                              signatures[i][:-1] + bytes([signatures[i][-1] ^ 1])):
                    bad = signatures[:i] + [wrong] + signatures[i + 1:]
                    assert verify(chosen, bad, digests, **options) == [j != i for j in range(num)]
    for wrong in (b"", bytes(31), bytes(33)):
        with pytest.raises(ValueError, match="a digest has 32 bytes"):
            keys[0].sign_many(keys[0], [bytes(32), wrong])


def test_keys_that_are_none():
    big = 2 ** 256 - 1
    for make, wrong in [(lanecrypt.P256PrivateKey, (bytes(32), big.to_bytes(32, "big"))),
                        (lanecrypt.P384PrivateKey, (bytes(48), b"\xff" * 48)),
                        (lanecrypt.P256PublicKey, (bytes(65), b"\4" + bytes(64), b"\2" + b"\xff" * 32)),
                        (lanecrypt.P384PublicKey, (bytes(97), b"\4" + bytes(96))),
                        (lanecrypt.Ed25519PublicKey, (b"\2" + bytes(31),)),
                        (lanecrypt.SM2PrivateKey, (bytes(32), (Sm2.n - 1).to_bytes(32, "big"))),
                        (lanecrypt.SM2PublicKey, (bytes(65), b"\4" + bytes(64))),
                        (lanecrypt.RSAPrivateKey, (b"", b"0\0", bytes(300))),
                        (lanecrypt.RSAPrivateKey.from_pem, (b"", b"-----BEGIN PRIVATE KEY-----\n", b"text")),
                        (lanecrypt.RSAPublicKey, (b"", b"0\0", bytes(300))),
                        (lanecrypt.RSAPublicKey.from_pem, (b"", b"-----BEGIN PUBLIC KEY-----\n", b"text"))]:
        for data in wrong:
            with pytest.raises(ValueError):
                make(data)
    for name, n in [("P256PrivateKey", 32), ("P384PrivateKey", 48), ("Ed25519PrivateKey", 32), ("X25519PrivateKey", 32),
                    ("SM2PrivateKey", 32), ("P256PublicKey", 65), ("P384PublicKey", 97), ("Ed25519PublicKey", 32),
                    ("SM2PublicKey", 65)]:
        for length in (0, n - 1, n + 1):
            with pytest.raises(ValueError, match=f"{name} has .*{n} "):
                getattr(lanecrypt, name)(bytes(length))
    short = rsa.generate_private_key(65537, 1024).public_key().public_bytes(Encoding.DER, PublicFormat.PKCS1)
    with pytest.raises(ValueError, match="2048, 3072 or 4096"):
        lanecrypt.RSAPublicKey(short)
    private = RSA_KEYS[0].private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with pytest.raises(ValueError, match="no PEM of a PUBLIC KEY"):
        lanecrypt.RSAPublicKey.from_pem(private)
    with pytest.raises(ValueError, match="no PEM of a PRIVATE KEY"):
        lanecrypt.RSAPrivateKey.from_pem(RSA_KEYS[0].public_key().public_bytes(Encoding.PEM, PublicFormat.PKCS1))
    for form in (PrivateFormat.PKCS8, PrivateFormat.TraditionalOpenSSL):
        text = RSA_KEYS[0].private_bytes(Encoding.PEM, form, BestAvailableEncryption(b"password"))
        with pytest.raises(ValueError, match="encrypted"):
            lanecrypt.RSAPrivateKey.from_pem(text)
        assert lanecrypt.RSAPrivateKey.from_pem(text + private).public_key()  # the one that isn't
    # A number that doesn't fit to the others
    numbers = RSA_KEYS[0].private_numbers()
    der = RSA_KEYS[0].private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    n = numbers.dmp1.to_bytes(128, "big")
    with pytest.raises(ValueError):
        lanecrypt.RSAPrivateKey(der.replace(n, n[:-1] + bytes([n[-1] ^ 2])))
    # A key of another kind
    with pytest.raises(ValueError):
        lanecrypt.RSAPublicKey.from_pem(ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(
            Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))


def everything():
    """Each call for many with one right operation: the call, the arguments"""
    for kind in KINDS[::2]:
        other, private, public = kind.new()
        data = kind.data()
        yield public.verify_many, (public, [kind.sign(other, data)], [data])
        yield private.sign_many, (private, [data])
    for kind in KINDS[::2][:2]:
        _, private, _ = kind.new()
        yield private.exchange_many, (private, [private.public_bytes()])
    private = lanecrypt.X25519PrivateKey(rng.randbytes(32))
    yield private.exchange_many, (private, [private.public_bytes()])
    public = lanecrypt.RSAPublicKey(RSA_KEYS[0].public_key().public_bytes(Encoding.DER, PublicFormat.PKCS1))
    yield public.verify_many, (public, [RSA_KEYS[0].sign(bytes(32), padding.PKCS1v15(), Prehashed(hashes.SHA256()))], [bytes(32)],
                               "pkcs1v15")
    private = rsa_private(0)
    yield private.sign_many, (private, [bytes(32)], "pkcs1v15")
    yield public.encrypt_many, (public, [b"message"], "sha256")
    yield private.decrypt_many, (private, public.encrypt_many(public, [b"message"], "sha256"), "sha256")
    private = lanecrypt.SM2PrivateKey(rng.randbytes(32))
    public = lanecrypt.SM2PublicKey(private.public_bytes())
    yield private.sign_many, (private, [bytes(32)])
    yield public.verify_many, (public, private.sign_many(private, [bytes(32)]), [bytes(32)])


def test_wrong_arguments():
    for call, arguments in everything():
        (result,) = call(*arguments)
        assert result
        lists = [i for i, a in enumerate(arguments) if isinstance(a, list)]
        # Empty ones
        empty = [[] if i in lists else a for i, a in enumerate(arguments)]
        assert call(*empty) == []
        assert call([], *empty[1:]) == []
        # Arguments that are missing, one too many, no keys, keys of another type, no sequence, no bytes
        for n in range(len(arguments)):
            with pytest.raises(TypeError):
                call(*arguments[:n])
        with pytest.raises(TypeError):
            call(*arguments, None, None, None)
        with pytest.raises(TypeError):
            call(*arguments, other=1)
        for wrong in (None, b"k", [None], ["key"], [lanecrypt.AESGCM(bytes(16))], 5):
            with pytest.raises(TypeError):
                call(wrong, *arguments[1:])
        for i in lists:
            for wrong in (None, 5, [None], ["text"], [5], [[1]], [numpy.zeros((4, 4))[:, ::2]]):
                with pytest.raises(TypeError):
                    call(*arguments[:i], wrong, *arguments[i + 1:])
            with pytest.raises(ValueError):
                call([arguments[0]] * 2, *arguments[1:])
            if len(lists) > 1:
                with pytest.raises(ValueError, match="there are"):
                    call(*arguments[:i], arguments[i] * 2, *arguments[i + 1:])
        # Any kind of bytes
        for kind in (bytearray, memoryview, lambda b: numpy.frombuffer(b, dtype=numpy.uint8)):
            given = [[kind(bytes(e)) for e in a] if i in lists else a for i, a in enumerate(arguments)]
            assert call(*given) == [result] or call.__name__ in ("sign_many", "encrypt_many")
    public = lanecrypt.RSAPublicKey(RSA_KEYS[0].public_key().public_bytes(Encoding.DER, PublicFormat.PKCS1))
    for digest in (b"", bytes(31), bytes(33), bytes(20), bytes(65)):
        with pytest.raises(ValueError, match="SHA-256"):
            public.verify_many(public, [bytes(256)], [digest], "pss")
    for wrong, error in (("PSS", ValueError), (b"pss", TypeError), (None, TypeError)):
        with pytest.raises(error):
            public.verify_many(public, [], [], wrong)
        with pytest.raises(error):
            lanecrypt.RSAPrivateKey.sign_many([], [], wrong)
    for wrong, error in (("SHA-256", ValueError), ("sha1", ValueError), (None, TypeError), (hashes.SHA256(), TypeError)):
        for call in (public.encrypt_many, lanecrypt.RSAPrivateKey.decrypt_many):
            with pytest.raises(error):
                call([], [], wrong)
            with pytest.raises(TypeError, match="label"):
                call([], [], "sha256", "text")
    for name, wrong, error in (("pkcs1v15", 32, ValueError), ("pss", "32", TypeError), ("pss", -1, OverflowError),
                               ("pss", 513, ValueError)):
        with pytest.raises(error):
            public.verify_many(public, [], [], name, wrong)


def test_types():
    for name in ("P256PrivateKey", "P256PublicKey", "P384PrivateKey", "P384PublicKey", "Ed25519PrivateKey", "Ed25519PublicKey",
                 "X25519PrivateKey", "SM2PrivateKey", "SM2PublicKey", "RSAPrivateKey", "RSAPublicKey"):
        kind = getattr(lanecrypt, name)
        with pytest.raises(TypeError):
            type("Sub", (kind,), {})
        with pytest.raises(TypeError):
            kind.verify_many = None
        for wrong in ((), ("k" * 32,), (5,), (b"", b"")):
            with pytest.raises(TypeError):
                kind(*wrong)
    key = lanecrypt.X25519PrivateKey(data=bytes(32))
    assert key.implementation.startswith("x25519-")


def test_freed_keys_are_wiped():
    """No word of a key is still where it was when its object has been freed.  (This reads memory that nobody has any more.)"""
    for make in (lambda: lanecrypt.P256PrivateKey(bytes(31) + b"\5"), lambda: lanecrypt.P384PrivateKey(bytes(47) + b"\5"),
                 lambda: lanecrypt.Ed25519PrivateKey(bytes(32)), lambda: lanecrypt.X25519PrivateKey(b"\5" * 32),
                 lambda: lanecrypt.SM2PrivateKey(bytes(31) + b"\5"), lambda: rsa_private(0)):
        key = make()
        begin, length = id(key), type(key).__basicsize__
        before = array.array("Q", ctypes.string_at(begin, length))
        del key
        after = array.array("Q", ctypes.string_at(begin, length))
        header = 3  # words: a reference counter, the type, what kind of key it is
        assert any(before[header:]) and not [i for i in range(header, len(before)) if before[i] == after[i] != 0]


def long_calls():
    """Calls that take a while, a bytearray that each has to hold, and the results"""
    key = lanecrypt.Ed25519PrivateKey(bytes(32))
    public = lanecrypt.Ed25519PublicKey(key.public_bytes())
    message = bytearray(30_000_000)
    signatures = key.sign_many(key, [message])
    yield lambda: public.verify_many(public, signatures, [message]), message, [True]
    digest = hashlib.sha256(b"").digest()
    signature = RSA_KEYS[0].sign(digest, padding.PKCS1v15(), Prehashed(hashes.SHA256()))
    rsa_key, num = rsa_private(0).public_key(), 20_000
    digests = [bytearray(digest)] * num
    yield lambda: rsa_key.verify_many(rsa_key, [signature] * num, digests, "pkcs1v15"), digests[0], [True] * num
    label = bytearray(20_000_000)
    private, ciphertexts = rsa_private(0), rsa_key.encrypt_many(rsa_key, [b"message"], "sha256", label)
    yield lambda: private.decrypt_many(private, ciphertexts, "sha256", label), label, [b"message"]


def test_others_run_meanwhile_and_buffers_stay():
    """What a call has can't be resized meanwhile; that somebody can try shows that others run."""
    for call, held, expected in long_calls():
        refused, size = 0, len(held)
        for _ in range(100):
            thread = threading.Thread(target=call)
            thread.start()
            while thread.is_alive():
                try:
                    held.append(1)
                    del held[-1]
                except BufferError:
                    refused += 1
            thread.join()
            del held[size:]  # as it was; and now it can
            if refused:
                break
        assert refused and call() == expected


def test_lists_and_messages_that_change_meanwhile():
    """What comes out is a signature of one content, or ValueError; nothing is freed in the call's hands."""
    key = lanecrypt.Ed25519PrivateKey(bytes(32))
    message = numpy.ones(50_000, dtype=numpy.uint8)
    keys, messages, stop = [key] * 8, [message] * 8, threading.Event()

    def change():
        while not stop.is_set():
            message[:] = 2
            keys.clear()
            messages.clear()
            gc.collect(0)
            message[:] = 1
            keys[:] = [lanecrypt.Ed25519PrivateKey(bytes(32)) for _ in range(8)]
            messages[:] = [message[:] for _ in range(8)]

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(60):
            try:
                signatures = key.sign_many(keys, messages)
            except ValueError:  # caught between the two, or the library has noticed it
                continue
            assert all(len(s) == 64 for s in signatures)
    finally:
        stop.set()
        thread.join()
    message[:] = 1
    assert key.sign_many(key, [message]) == key.sign_many(key, [b"\1" * 50_000])


def test_garbage_collector_in_an_error():
    """What the collector runs while a call's exception is made never sees a list whose elements aren't there yet."""
    key, message, num, stop = lanecrypt.Ed25519PrivateKey(bytes(32)), bytearray(500_000), 43, threading.Event()
    messages = [b""] * (num - 1) + [message]

    def change():
        while not stop.is_set():
            message[0] = message[-1] = (message[0] + 1) % 256

    def look(*_):
        for each in gc.get_objects():
            if type(each) is list and len(each) == num:
                repr(each[-1])
        kept.extend(set() for _ in range(10))  # so the next object is a reason to collect again

    kept = []
    thread, threshold, refused = threading.Thread(target=change), gc.get_threshold(), 0
    gc.callbacks.append(look)
    thread.start()
    try:
        for _ in range(2000):
            try:
                raise KeyError  # then Python makes the next exception's object at once
            except KeyError:
                gc.set_threshold(1)
                try:
                    key.sign_many(key, messages)
                except ValueError:
                    refused += 1
                gc.set_threshold(0)
            if refused:
                break
    finally:
        stop.set()
        thread.join()
        gc.callbacks.remove(look)
        gc.set_threshold(*threshold)
    assert refused


def test_threads_share_keys():
    _, private, public = KINDS[0].new()
    digests = [os.urandom(32) for _ in range(40)]
    errors = []

    def work():
        for _ in range(10):
            if public.verify_many(public, private.sign_many(private, digests), digests) != [True] * 40:
                errors.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors


def test_no_leaks():
    buffers = [bytearray(64), bytearray(32), bytearray(300)]
    _, private, public = KINDS[0].new()
    ed = lanecrypt.Ed25519PublicKey(lanecrypt.Ed25519PrivateKey(bytes(32)).public_bytes())
    x = lanecrypt.X25519PrivateKey(bytes(32))
    rsa_key = rsa_private(0)
    for _ in range(50):
        public.verify_many([public] * 2, buffers[:1] * 2, buffers[1:2] * 2)
        public.verify_many([public] * 2, buffers[:1] * 2, buffers[1:2] * 2, der=True)
        private.sign_many(private, buffers[1:2] * 3)
        ed.verify_many(ed, buffers, buffers)
        x.exchange_many(x, buffers)
        rsa_key.decrypt_many(rsa_key, buffers, "sha256", buffers[0])
        rsa_key.public_key().encrypt_many(rsa_key.public_key(), buffers[:2], "sha256", buffers[0])
        lanecrypt.sm3_many(buffers)
        for call in (lambda: public.verify_many(public, buffers, buffers[:2] + [5]),
                     lambda: public.verify_many(public, buffers, buffers),
                     lambda: private.sign_many([private, 5], buffers[:2]), lambda: x.exchange_many(x, buffers + [5]),
                     lambda: ed.verify_many([ed], buffers, buffers), lambda: lanecrypt.P256PublicKey(buffers[2]),
                     lambda: rsa_key.decrypt_many(rsa_key, buffers + [5], "sha256", buffers[0]),
                     lambda: rsa_key.public_key().encrypt_many(rsa_key.public_key(), buffers, "sha256", buffers[0]),
                     lambda: lanecrypt.sm2_z(buffers[0], buffers[1]), lambda: lanecrypt.sha384_many(buffers + [5]),
                     lambda: lanecrypt.RSAPrivateKey.from_pem(buffers[2]), lambda: lanecrypt.RSAPrivateKey(buffers[2]),
                     lambda: lanecrypt.RSAPublicKey.from_pem(buffers[2]), lambda: lanecrypt.RSAPublicKey(buffers[2])):
            with pytest.raises((TypeError, ValueError)):
                call()
    for b in buffers:
        b.append(1)  # a buffer that somebody still had couldn't be resized


def test_exceptions_of_iterators_come_through():
    def signatures():
        yield bytes(64)
        raise KeyError("mine")

    _, _, public = KINDS[0].new()
    with pytest.raises(KeyError, match="mine"):
        public.verify_many(public, signatures(), [bytes(32)])
