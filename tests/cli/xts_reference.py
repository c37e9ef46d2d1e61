#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""AES-XTS of a few sectors by an implementation that is not ours: python3-cryptography (OpenSSL).

usage: xts_reference.py encrypt|decrypt KEY SECTOR_SIZE FIRST_SECTOR STEP IN OUT

OpenSSL has no XTS with AES-192. For a 48-byte key the mode is written out here, over its AES-ECB; for the two other
key lengths that text is checked against OpenSSL's own XTS, so that it can be trusted for the third.
"""
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def crypt(cipher, encrypt, data):
    context = cipher.encryptor() if encrypt else cipher.decryptor()
    return context.update(data) + context.finalize()


def xts_by_hand(key, encrypt, iv, data):
    half = len(key) // 2
    tweak = crypt(Cipher(algorithms.AES(key[half:]), modes.ECB()), True, iv)
    tweak = int.from_bytes(tweak, "little")
    tweaks = b""
    for _ in range(len(data) // 16):
        tweaks += tweak.to_bytes(16, "little")
        tweak <<= 1
        if tweak >> 128:
            tweak ^= 1 << 128 | 0x87

    def xor(a):
        return bytes(x ^ y for x, y in zip(a, tweaks))

    return xor(crypt(Cipher(algorithms.AES(key[:half]), modes.ECB()), encrypt, xor(data)))


def sector(key, encrypt, number, data, check):
    iv = number.to_bytes(8, "little") + bytes(8)
    if len(key) == 48:
        return xts_by_hand(key, encrypt, iv, data)
    result = crypt(Cipher(algorithms.AES(key), modes.XTS(iv)), encrypt, data)
    if check:
        assert result == xts_by_hand(key, encrypt, iv, data)
    return result


def main():
    direction, key_file, size, first, step, source, target = sys.argv[1:]
    size, first, step = int(size), int(first), int(step)
    with open(key_file, "rb") as f:
        key = f.read()
    with open(source, "rb") as f:
        data = f.read()
    with open(target, "wb") as f:
        for i in range(len(data) // size):
            f.write(sector(key, direction == "encrypt", first + i * step, data[i * size:(i + 1) * size], i < 4))


main()
