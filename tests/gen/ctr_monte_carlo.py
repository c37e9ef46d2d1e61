#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
The constant in tests/test_ctr_vectors.cc, MonteCarlo: 10,000 messages of AES-CTR, each made of the outputs before it.

Nothing here comes from lanecrypt: CTR is written down from SP 800-38A on top of AES-ECB of PyPI's `cryptography`, and compared with
that package's own CTR.

The chain.  pool: 2048 bytes, pool[j] = 7 * j + 1 mod 256; key = pool[0:32]; iv = pool[64:80].  Step i = 0 .. 9999:
    key_len = 16, 24 or 32 (i mod 3); len = 16 + (iv[0] + 256 * iv[1]) mod 1500
    iv[16-ones:16] = 0xff each, ones = i mod 17; then iv[15] ^= iv[0] mod 64: so counters carry into every byte, and round to 0
    pool[0:len] ^= key stream under key[0:key_len] and iv
    key[j mod 32] ^= pool[j] for j = 0 .. len - 1
    iv = pool[len-16:len]; then the pool is rotated by len bytes: pool = pool[len:] + pool[:len]
The result is key || iv at the end.
"""
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def xor(a, b):
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).to_bytes(len(a), "big")


def ctr(raw, iv, data):
    first = int.from_bytes(iv, "big")
    counters = [((first + i) % (1 << 128)).to_bytes(16, "big") for i in range(len(data) // 16 + 1)]
    stream = Cipher(algorithms.AES(raw), modes.ECB()).encryptor().update(b"".join(counters))
    out = xor(data, stream[:len(data)])
    assert out == Cipher(algorithms.AES(raw), modes.CTR(iv)).encryptor().update(data)
    return out


def main():
    pool = bytes((7 * j + 1) % 256 for j in range(2048))
    key, iv = pool[:32], pool[64:80]
    for i in range(10000):
        n = 16 + int.from_bytes(iv[:2], "little") % 1500
        ones = i % 17
        low = iv[0] % 64
        iv = iv[:16 - ones] + b"\xff" * ones
        iv = iv[:15] + bytes([iv[15] ^ low])
        out = ctr(key[: (16, 24, 32)[i % 3]], iv, pool[:n])
        for j in range(0, n, 32):
            key = xor(key, out[j:j + 32].ljust(32, b"\0"))
        iv = out[-16:]
        pool = pool[n:] + out
    print(f"{key.hex()}\n{iv.hex()}")


main()
