# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
bench.py [--smoke]: nanoseconds a message of lanecrypt and of the package cryptography, in turn, the best of short runs.
"""
import array
import os
import sys
import time

from cryptography.hazmat.primitives.ciphers import aead as theirs

import lanecrypt

ROUNDS, CALLS, MANY = (1, 2, 10) if sys.argv[1:] == ["--smoke"] else (15, 500, 10000)


def best(*functions, calls, each=1):
    """The least time of each function, in nanoseconds, by `each`"""
    least = [float("inf")] * len(functions)
    for _ in range(ROUNDS):
        for i, function in enumerate(functions):
            begin = time.perf_counter_ns()
            for _ in range(calls):
                function()
            least[i] = min(least[i], (time.perf_counter_ns() - begin) / calls / each)
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


print("| Cipher | bytes | encrypt | cryptography | ratio | decrypt | cryptography | ratio |\n" + "| --- " * 8 + "|")
for kind in (("AESGCM", 16), ("AESGCM", 32), ("ChaCha20Poly1305", 32)):
    one(*kind)
print(f"\n| {MANY} messages of 64 bytes | list | buffer | cryptography | times | times |\n" + "| --- " * 6 + "|")
for kind in (("AESGCM", 16), ("AESGCM", 32), ("ChaCha20Poly1305", 32)):
    many(*kind)
