#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
The constant in tests/test_xts_vectors.cc, MonteCarlo: 10,000 data units of AES-XTS, each made of the outputs before it.

Nothing here comes from lanecrypt: XTS is written down from IEEE 1619-2018 on top of AES-ECB of PyPI's `cryptography`, and
compared with that package's own XTS where it has one (it has none for AES-192).

The chain.  pool: 2048 bytes, pool[j] = 7 * j + 1 mod 256; key = pool[0:64]; iv = pool[64:80].  Step i = 0 .. 9999:
    key_len = 32, 48 or 64 (i mod 3); len = 16 + (iv[0] + 256 * iv[1]) mod 1500; encrypt if i is even, else decrypt
    pool[0:len] = the result for pool[0:len] under key[0:key_len] and iv
    key[j mod 64] ^= pool[j] for j = 0 .. len - 1
    iv = pool[len-16:len]; then the pool is rotated by len bytes: pool = pool[len:] + pool[:len]
The result is key || iv at the end.
"""
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def xor(a, b):
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).to_bytes(len(a), "big")


def xts(raw, iv, data, encrypt):
    data_key, tweak_key = raw[:len(raw) // 2], raw[len(raw) // 2:]
    cipher = Cipher(algorithms.AES(data_key), modes.ECB())
    ecb = (cipher.encryptor() if encrypt else cipher.decryptor()).update
    t = int.from_bytes(Cipher(algorithms.AES(tweak_key), modes.ECB()).encryptor().update(iv), "little")
    tweaks = []
    for _ in range(len(data) // 16 + 1):
        tweaks.append(t.to_bytes(16, "little"))
        t = (t << 1) % (1 << 128) ^ (0x87 if t >> 127 else 0)
    rest = len(data) % 16
    bulk = len(data) - rest - 16 if rest else len(data)
    mask = b"".join(tweaks[:bulk // 16])
    out = xor(ecb(xor(data[:bulk], mask)), mask)
    if rest:
        first, second = tweaks[bulk // 16], tweaks[bulk // 16 + 1]
        if not encrypt:
            first, second = second, first
        block = xor(ecb(xor(data[bulk:bulk + 16], first)), first)
        last = data[bulk + 16:] + block[rest:]
        out += xor(ecb(xor(last, second)), second) + block[:rest]
    if len(raw) != 48:
        other = Cipher(algorithms.AES(raw), modes.XTS(iv))
        assert out == (other.encryptor() if encrypt else other.decryptor()).update(data)
    return out


def main():
    pool = bytes((7 * j + 1) % 256 for j in range(2048))
    key, iv = pool[:64], pool[64:80]
    for i in range(10000):
        raw = key[: (32, 48, 64)[i % 3]]
        n = 16 + int.from_bytes(iv[:2], "little") % 1500
        out = xts(raw, iv, pool[:n], i % 2 == 0)
        for j in range(0, n, 64):
            key = xor(key, out[j:j + 64].ljust(64, b"\0"))
        iv = out[-16:]
        pool = pool[n:] + out
    print(f"{key.hex()}\n{iv.hex()}")


main()
