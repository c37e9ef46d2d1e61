# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What Python's programs get of the provider; programs.sh runs this with the module, without it, and with a wrong one.

  programs.py crypto                prints what the package `cryptography` makes of fixed keys and texts
  programs.py server CERT KEY       echoes one connection's bytes; prints its port first
  programs.py client PORT VERSION SUITE
"""
import hashlib
import socket
import ssl
import sys


def stream(label, length):
    return hashlib.shake_128(label.encode()).digest(length)


def crypto():
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305

    def show(name, data):
        print(name, hashlib.sha256(data).hexdigest())

    def both_ways(name, cipher, text, step=None):
        enc = cipher.encryptor()
        pieces = [text[i:i + step] for i in range(0, len(text), step)] if step else [text]
        sealed = b"".join(enc.update(piece) for piece in pieces) + enc.finalize()
        dec = cipher.decryptor()
        assert dec.update(sealed) + dec.finalize() == text, name
        show(name, sealed)

    for length in (0, 1, 15, 16, 17, 63, 64, 100, 255, 512, 1000, 4096, 100001):
        text = stream("text", length)
        for bits in (128, 192, 256):
            key = stream("key", bits // 8)
            aead = AESGCM(key)
            sealed = aead.encrypt(stream("nonce", 12), text, b"header")
            assert aead.decrypt(stream("nonce", 12), sealed, b"header") == text
            show(f"aes-{bits}-gcm {length}", sealed)
            try:
                aead.decrypt(stream("nonce", 12), sealed[:-1] + bytes([sealed[-1] ^ 1]), b"header")
                raise AssertionError("a forged tag was taken")
            except InvalidTag:
                pass
            ctr = Cipher(algorithms.AES(key), modes.CTR(stream("iv", 16)))
            both_ways(f"aes-{bits}-ctr {length}", ctr, text, 77)
            enc = Cipher(algorithms.AES(key), modes.GCM(stream("nonce", 60))).encryptor()
            enc.authenticate_additional_data(b"in ")
            enc.authenticate_additional_data(b"two pieces")
            sealed = b"".join(enc.update(text[i:i + 33]) for i in range(0, length, 33)) + enc.finalize()
            show(f"aes-{bits}-gcm in pieces {length}", sealed + enc.tag)
        aead = ChaCha20Poly1305(stream("key", 32))
        sealed = aead.encrypt(stream("nonce", 12), text, b"header")
        assert aead.decrypt(stream("nonce", 12), sealed, b"header") == text
        show(f"chacha20-poly1305 {length}", sealed)
        both_ways(f"chacha20 {length}", Cipher(algorithms.ChaCha20(stream("key", 32), stream("iv", 16)), None), text, 50)
        if length >= 16:
            for size in (32, 64):
                xts = Cipher(algorithms.AES(stream("key", size)), modes.XTS(stream("iv", 16)))
                both_ways(f"aes-xts {size} {length}", xts, text)


def server(cert, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        with context.wrap_socket(listener.accept()[0], server_side=True) as peer:
            while data := peer.recv(20000):
                peer.sendall(data)


def client(port, version, suite):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.minimum_version = context.maximum_version = getattr(ssl.TLSVersion, version)
    if version == "TLSv1_2":
        context.set_ciphers(suite)  # 1.3's come from the configuration
    with context.wrap_socket(socket.create_connection(("127.0.0.1", int(port)), timeout=20)) as peer:
        assert peer.cipher()[0] == suite, peer.cipher()
        for length in (1, 2, 100, 16384, 16385, 100000):
            data = stream("data", length)
            peer.sendall(data)
            echo = b""
            while len(echo) < length:
                part = peer.recv(20000)
                assert part, "closed early"
                echo += part
            assert echo == data


{"crypto": crypto, "server": server, "client": client}[sys.argv[1]](*sys.argv[2:])
