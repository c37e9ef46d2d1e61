# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
bench.py [--smoke]: nanoseconds a message of lanecrypt and of the package cryptography (hash functions: Python's hashlib), and
microseconds an operation with public keys, in turn, the best of short runs.
"""
import array
import hashlib
import os
import sys
import time

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils, x25519
from cryptography.hazmat.primitives.ciphers import aead as theirs
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

import lanecrypt

ROUNDS, CALLS, MANY, KEYS = (1, 2, 10, 8) if sys.argv[1:] == ["--smoke"] else (15, 500, 10000, 64)


def best(*functions, calls, each=1):
    """The least CPU time of each function, in nanoseconds, by `each`"""
    least = [float("inf")] * len(functions)
    for _ in range(ROUNDS):
        for i, function in enumerate(functions):
            begin = time.thread_time_ns()
            for _ in range(calls):
                function()
            least[i] = min(least[i], (time.thread_time_ns() - begin) / calls / each)
    return least


def one(name, key_len):
    key = os.urandom(key_len)
    ours, other = getattr(lanecrypt, name)(key), getattr(theirs, name)(key)
    for size in (16, 64, 256, 1420, 16384):
        nonce, text = os.urandom(12), os.urandom(size)
        sealed = ours.encrypt(nonce, text, b"aad")
        a, b, c, d = best(lambda: ours.encrypt(nonce, text, b"aad"), lambda: other.encrypt(nonce, text, b"aad"),
                          lambda: ours.decrypt(nonce, sealed, b"aad"), lambda: other.decrypt(nonce, sealed, b"aad"), calls=CALLS)
        print(f"| {name}, {8 * key_len} | {size} | {a:.0f} | {b:.0f} | {a / b:.2f} | {c:.0f} | {d:.0f} | {c / d:.2f} |")


def many(name, key_len):
    key, nonces, texts = os.urandom(key_len), [os.urandom(12) for _ in range(MANY)], [os.urandom(64) for _ in range(MANY)]
    ours, other = getattr(lanecrypt, name)(key), getattr(theirs, name)(key)
    all_nonces, data, out = b"".join(nonces), b"".join(texts), bytearray(80 * MANY)
    offsets = array.array("Q", range(0, 64 * MANY + 1, 64))
    a, b, c = best(lambda: ours.seal_many(nonces, texts), lambda: ours.seal_many_into(all_nonces, data, offsets, out),
                   lambda: [other.encrypt(n, t, None) for n, t in zip(nonces, texts)], calls=1, each=MANY)
    print(f"| {name}, {8 * key_len} | {a:.0f} | {b:.0f} | {c:.0f} | {c / a:.1f} | {c / b:.1f} |")


def row(name, ours, other):
    """ours: a call for all; other: one for each, which takes its number"""
    a, b = best(ours, lambda: [other(i) for i in range(KEYS)], calls=1, each=1000 * KEYS)
    print(f"| {name} | {a:.1f} | {b:.1f} | {b / a:.1f} |")


def ecdsa(name, curve, function, Private, Public):
    size = function.digest_size
    other = [ec.generate_private_key(curve) for _ in range(KEYS)]
    other_public = [key.public_key() for key in other]
    scheme = ec.ECDSA(utils.Prehashed(function))
    private = [Private(key.private_numbers().private_value.to_bytes(size, "big")) for key in other]
    points = [key.public_bytes() for key in private]
    public = [Public(point) for point in points]
    digests = [os.urandom(size) for _ in range(KEYS)]
    signatures = Private.sign_many(private, digests, der=True)
    row(f"ECDSA {name}, sign", lambda: Private.sign_many(private, digests, der=True),
        lambda i: other[i].sign(digests[i], scheme))
    row(f"ECDSA {name}, verify", lambda: Public.verify_many(public, signatures, digests, der=True),
        lambda i: other_public[i].verify(signatures[i], digests[i], scheme))
    row(f"ECDH {name}", lambda: Private.exchange_many(private, points[::-1]),
        lambda i: other[i].exchange(ec.ECDH(), other_public[KEYS - 1 - i]))


def curve25519():
    raw, messages = [os.urandom(32) for _ in range(KEYS)], [os.urandom(100) for _ in range(KEYS)]
    other = [ed25519.Ed25519PrivateKey.from_private_bytes(key) for key in raw]
    other_public = [key.public_key() for key in other]
    private = [lanecrypt.Ed25519PrivateKey(key) for key in raw]
    public = [lanecrypt.Ed25519PublicKey(key.public_bytes()) for key in private]
    signatures = lanecrypt.Ed25519PrivateKey.sign_many(private, messages)
    row("Ed25519, sign", lambda: lanecrypt.Ed25519PrivateKey.sign_many(private, messages), lambda i: other[i].sign(messages[i]))
    row("Ed25519, verify", lambda: lanecrypt.Ed25519PublicKey.verify_many(public, signatures, messages),
        lambda i: other_public[i].verify(signatures[i], messages[i]))
    other = [x25519.X25519PrivateKey.from_private_bytes(key) for key in raw]
    other_public = [key.public_key() for key in other]
    private = [lanecrypt.X25519PrivateKey(key) for key in raw]
    points = [key.public_bytes() for key in private]
    row("X25519", lambda: lanecrypt.X25519PrivateKey.exchange_many(private, points[::-1]),
        lambda i: other[i].exchange(other_public[KEYS - 1 - i]))


def rsa_all(bits):
    other = rsa.generate_private_key(65537, bits)
    other_public, scheme = other.public_key(), (padding.PKCS1v15(), utils.Prehashed(hashes.SHA256()))
    oaep = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)
    private = lanecrypt.RSAPrivateKey(other.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()))
    public = private.public_key()
    digests = [os.urandom(32) for _ in range(KEYS)]
    signatures = private.sign_many(private, digests, "pkcs1v15")
    ciphertexts = public.encrypt_many(public, digests, "sha256")
    row(f"RSA, {bits} bits, sign", lambda: private.sign_many(private, digests, "pkcs1v15"),
        lambda i: other.sign(digests[i], *scheme))
    row(f"RSA, {bits} bits, verify", lambda: public.verify_many(public, signatures, digests, "pkcs1v15"),
        lambda i: other_public.verify(signatures[i], digests[i], *scheme))
    row(f"RSA, {bits} bits, decrypt (OAEP)", lambda: private.decrypt_many(private, ciphertexts, "sha256"),
        lambda i: other.decrypt(ciphertexts[i], oaep))


def sm2():
    private = [lanecrypt.SM2PrivateKey(os.urandom(31) + b"1") for _ in range(KEYS)]
    public = [lanecrypt.SM2PublicKey(key.public_bytes()) for key in private]
    digests = [os.urandom(32) for _ in range(KEYS)]
    signatures = lanecrypt.SM2PrivateKey.sign_many(private, digests)
    a, b = best(lambda: lanecrypt.SM2PrivateKey.sign_many(private, digests),
                lambda: lanecrypt.SM2PublicKey.verify_many(public, signatures, digests), calls=1, each=1000 * KEYS)
    print(f"| SM2, sign | {a:.1f} | | |\n| SM2, verify | {b:.1f} | | |")


def digests(name, size):
    messages = [os.urandom(size) for _ in range(MANY)]
    many, into = getattr(lanecrypt, name + "_many"), getattr(lanecrypt, name + "_many_into")
    other = getattr(hashlib, name, lambda message: hashlib.new(name, message))
    data, offsets, out = b"".join(messages), array.array("Q", range(0, size * MANY + 1, size)), bytearray(64 * MANY)
    a, b, c = best(lambda: many(messages), lambda: into(data, offsets, out), lambda: [other(m).digest() for m in messages],
                   calls=1, each=MANY)
    print(f"| {name} | {size} | {a:.0f} | {b:.0f} | {c:.0f} | {c / a:.1f} | {c / b:.1f} |")


print("| Cipher | bytes | encrypt | cryptography | ratio | decrypt | cryptography | ratio |\n" + "| --- " * 8 + "|")
for kind in (("AESGCM", 16), ("AESGCM", 32), ("ChaCha20Poly1305", 32)):
    one(*kind)
print(f"\n| {MANY} messages of 64 bytes | list | buffer | cryptography | times | times |\n" + "| --- " * 6 + "|")
for kind in (("AESGCM", 16), ("AESGCM", 32), ("ChaCha20Poly1305", 32)):
    many(*kind)
print(f"\n| {KEYS} in a call, us each | lanecrypt | cryptography | times |\n" + "| --- " * 4 + "|")
ecdsa("P-256", ec.SECP256R1(), hashes.SHA256(), lanecrypt.P256PrivateKey, lanecrypt.P256PublicKey)
ecdsa("P-384", ec.SECP384R1(), hashes.SHA384(), lanecrypt.P384PrivateKey, lanecrypt.P384PublicKey)
curve25519()
sm2()
rsa_all(2048)
rsa_all(4096)
print(f"\n| {MANY} messages, each | bytes | list | buffer | hashlib | times | times |\n" + "| --- " * 7 + "|")
for function in ("sha256", "sha384", "sha512", "sm3"):
    for length in (64, 1420):
        digests(function, length)
