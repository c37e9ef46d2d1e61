# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""lanecrypt for Python against the package cryptography."""
import array
import gc
import os
import random
import threading

import numpy
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers import aead as theirs

import lanecrypt

rng = random.Random(1)
LENS = [0, 1, 15, 16, 17, 63, 64, 100, 255, 256, 257, 512, 1420, 4095, 4096, 4097, 70000]
KINDS = [("AESGCM", 16), ("AESGCM", 24), ("AESGCM", 32), ("ChaCha20Poly1305", 32)]


def keys(name, key_len):
    raw = rng.randbytes(key_len)
    return getattr(lanecrypt, name)(raw), getattr(theirs, name)(raw)


def all_aeads():
    return [lanecrypt.AESGCM(rng.randbytes(16)), lanecrypt.AESGCM(rng.randbytes(32)), lanecrypt.ChaCha20Poly1305(rng.randbytes(32)),
            lanecrypt.XChaCha20Poly1305(rng.randbytes(32))]


def nonce_len(aead):
    return 24 if isinstance(aead, lanecrypt.XChaCha20Poly1305) else 12


@pytest.mark.parametrize("name, key_len", KINDS)
def test_same_as_cryptography(name, key_len):
    ours, other = keys(name, key_len)
    for n in LENS:
        for aad in (None, b"", rng.randbytes(13), rng.randbytes(300)):
            nonce, text = rng.randbytes(12), rng.randbytes(n)
            sealed = ours.encrypt(nonce, text, aad)
            assert sealed == other.encrypt(nonce, text, aad)
            assert ours.decrypt(nonce, sealed, aad) == text
            buf = bytearray(n + 16)
            assert ours.encrypt_into(nonce, text, aad, buf) == n + 16
            assert buf == sealed
            out = bytearray(n)
            assert ours.decrypt_into(nonce, buf, aad, out) == n
            assert out == text


def test_gcm_nonces_of_other_lengths():
    ours, other = keys("AESGCM", 32)
    for n in (8, 11, 13, 16, 100, 128):
        nonce = rng.randbytes(n)
        assert ours.encrypt(nonce, b"text", b"aad") == other.encrypt(nonce, b"text", b"aad")


# draft-irtf-cfrg-xchacha-03, A.3.1
def test_xchacha():
    aead = lanecrypt.XChaCha20Poly1305(bytes(range(0x80, 0xa0)))
    text = (b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.")
    sealed = aead.encrypt(bytes(range(0x40, 0x58)), text, bytes.fromhex("50515253c0c1c2c3c4c5c6c7"))
    assert sealed.hex().startswith("bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb")
    assert sealed[-16:].hex() == "c0875924c1c7987947deafd8780acf49"


@pytest.mark.parametrize("aead", all_aeads(), ids=lambda a: a.implementation)
def test_changed_messages(aead):
    nonce = rng.randbytes(nonce_len(aead))
    for n in (0, 1, 64, 5000):
        sealed = aead.encrypt(nonce, rng.randbytes(n), b"aad")
        for at in {0, n // 2, n, n + 15}:
            bad = bytearray(sealed)
            bad[at] ^= 4
            with pytest.raises(lanecrypt.InvalidTag):
                aead.decrypt(nonce, bad, b"aad")
            out = bytearray(b"x" * n)
            with pytest.raises(lanecrypt.InvalidTag):
                aead.decrypt_into(nonce, bad, b"aad", out)
            assert out == bytes(n)
        with pytest.raises(lanecrypt.InvalidTag):
            aead.decrypt(nonce, sealed, b"aae")
        with pytest.raises(lanecrypt.InvalidTag):
            aead.decrypt(nonce, sealed[:15], b"aad")


@pytest.mark.parametrize("aead", all_aeads(), ids=lambda a: a.implementation)
def test_many(aead):
    size = nonce_len(aead)
    for num in (0, 1, 2, 5, 33):
        nonces = [rng.randbytes(size) for _ in range(num)]
        texts = [rng.randbytes(rng.choice(LENS[:-1])) for _ in range(num)]
        aads = [rng.choice((None, b"", b"aad", rng.randbytes(100))) for _ in range(num)]
        for aad, each in ((None, [None] * num), (b"for all", [b"for all"] * num), (aads, aads)):
            expected = [aead.encrypt(*m) for m in zip(nonces, texts, each)]
            for given in (nonces, tuple(nonces), b"".join(nonces), bytearray(b"".join(nonces))):
                assert aead.seal_many(given, texts, aad) == expected
                assert aead.open_many(given, expected, aad) == texts
            bad = list(expected)
            for i in range(0, num, 3):
                bad[i] = bad[i][:15] if i % 2 else bad[i][:-1] + bytes([bad[i][-1] ^ 1])
            assert aead.open_many(nonces, bad, aad) == [None if i % 3 == 0 else t for i, t in enumerate(texts)]

            offsets = array.array("Q", [0])
            for t in texts:
                offsets.append(offsets[-1] + len(t))
            total = offsets[-1]
            out = bytearray(b"." * (total + 16 * num + 7))
            assert aead.seal_many_into(nonces, b"".join(texts), offsets, out, aad) == total + 16 * num
            assert out == b"".join(expected) + b"." * 7
            text = bytearray(total)
            assert aead.open_many_into(nonces, out[:-7], offsets, text, aad) == b"\1" * num
            assert text == b"".join(texts)
            if num:
                out[offsets[num - 1] + 16 * (num - 1)] ^= 1  # the last one's text or tag
                assert aead.open_many_into(nonces, out[:-7], offsets, text, aad) == b"\1" * (num - 1) + b"\0"
                assert text == b"".join(texts[:-1]) + bytes(len(texts[-1]))


def test_numpy():
    aead = lanecrypt.ChaCha20Poly1305(bytes(32))
    nonces = numpy.arange(12 * 100, dtype=numpy.uint32).astype(numpy.uint8).reshape(100, 12)
    data = numpy.full((100, 64), 7, dtype=numpy.uint8)
    for kind in (numpy.uint64, numpy.int64):
        out = numpy.zeros((100, 80), dtype=numpy.uint8)
        assert aead.seal_many_into(nonces, data, numpy.arange(0, 6401, 64, dtype=kind), out) == 8000
        for i in range(100):
            assert out[i].tobytes() == aead.encrypt(nonces[i].tobytes(), data[i].tobytes(), None)
    with pytest.raises(TypeError):
        aead.seal_many_into(nonces, data, numpy.arange(0, 6401, 64, dtype=numpy.float64), out)
    with pytest.raises(TypeError):
        aead.seal_many_into(nonces, data, numpy.arange(0, 6401, 64, dtype=numpy.uint32), out)
    with pytest.raises(TypeError):
        aead.encrypt(nonces[0], data[:, ::2], None)  # not contiguous


@pytest.mark.parametrize("offsets", [[], [1, 64], [0, 65], [0, 64, 63], [0, 2 ** 64 - 16], [0, 64, 2 ** 63]])
def test_wrong_offsets(offsets):
    aead = lanecrypt.AESGCM(bytes(16))
    num = max(len(offsets) - 1, 0)
    out = bytearray(b"x" * 96)
    with pytest.raises(ValueError):
        aead.seal_many_into(bytes(12 * num), bytes(64), array.array("Q", offsets), out)
    with pytest.raises(ValueError):
        aead.open_many_into(bytes(12 * num), bytes(64 + 16 * num), array.array("Q", offsets), out)
    assert out == b"x" * 96


def test_buffers():
    aead = lanecrypt.AESGCM(bytes(16))
    nonce, two = bytes(12), array.array("Q", [0, 32, 64])
    for wrong in (15, 17, 0):
        with pytest.raises(ValueError):
            aead.encrypt_into(nonce, b"", None, bytearray(wrong))
    with pytest.raises(TypeError):
        aead.encrypt_into(nonce, b"", None, bytes(16))
    with pytest.raises(ValueError):
        aead.seal_many_into(bytes(24), bytes(64), two, bytearray(95))
    with pytest.raises(ValueError):
        aead.open_many_into(bytes(24), bytes(96), two, bytearray(63))
    memory = bytearray(range(200))
    view = memoryview(memory)
    expected = aead.encrypt(nonce, memory[:100], b"a")
    aead.encrypt_into(nonce, view[:100], b"a", view[:116])  # in place
    assert memory[:116] == expected
    aead.decrypt_into(nonce, view[:116], b"a", view[:100])
    assert memory[:100] == bytes(range(100))
    for out in (view[1:117], view[84:200]):
        with pytest.raises(ValueError):
            aead.encrypt_into(nonce, view[:100], b"a", out)
    with pytest.raises(ValueError):
        aead.encrypt_into(view[190:], b"", None, view[184:200])
    with pytest.raises(ValueError):
        aead.seal_many_into(bytes(24), view[:64], two, view[60:156])
    with pytest.raises(ValueError):
        aead.seal_many_into(view[100:124], bytes(64), two, view[:104])
    with pytest.raises(BufferError):  # what a call has can't be resized
        del memory[:]
    del view, out


@pytest.mark.parametrize("call", [
    lambda a, n: a.encrypt(),
    lambda a, n: a.encrypt(n, b""),
    lambda a, n: a.encrypt(n, b"", None, None),
    lambda a, n: a.encrypt(n, b"", None, data=b""),
    lambda a, n: a.encrypt(n, b"", aad=None),
    lambda a, n: a.encrypt("nonce of 12 ", b"", None),
    lambda a, n: a.encrypt(n, "text", None),
    lambda a, n: a.encrypt(n, 5, None),
    lambda a, n: a.encrypt(n, b"", 5),
    lambda a, n: a.encrypt(n, None, None),
    lambda a, n: a.seal_many(n, 5),
    lambda a, n: a.seal_many(5, [b""]),
    lambda a, n: a.seal_many([5], [b""]),
    lambda a, n: a.seal_many(n, [5]),
    lambda a, n: a.seal_many(n, ["text"]),
    lambda a, n: a.seal_many(n, b"a"),
    lambda a, n: a.seal_many(n, [b""], 5),
    lambda a, n: a.seal_many(n, [b""], [5]),
    lambda a, n: a.seal_many_into(n, b"", [0, 0], bytearray(16)),
    lambda a, n: type(a)(),
    lambda a, n: type(a)("k" * 32),
    lambda a, n: type(a).generate_key("128", 5),
])
def test_wrong_types(call):
    for aead in all_aeads():
        with pytest.raises(TypeError):
            call(aead, bytes(nonce_len(aead)))


def test_wrong_values():
    for aead in all_aeads():
        for n in (7, 129) if isinstance(aead, lanecrypt.AESGCM) else (0, 8, 11, 13, 23, 25):
            with pytest.raises(ValueError):
                aead.encrypt(bytes(n), b"", None)
        size = nonce_len(aead)
        for nonces in (bytes(size), bytes(3 * size), bytes(2 * size + 1), [bytes(size)], [bytes(size), bytes(size - 1)]):
            with pytest.raises(ValueError):
                aead.seal_many(nonces, [b"a", b"b"])
        with pytest.raises(ValueError):
            aead.seal_many(bytes(2 * size), [b"a", b"b"], [None])
    for n in (0, 15, 17, 31, 33, 64):
        with pytest.raises(ValueError, match="16, 24 or 32"):
            lanecrypt.AESGCM(bytes(n))
        with pytest.raises(ValueError, match="32 bytes"):
            lanecrypt.ChaCha20Poly1305(bytes(n))
    with pytest.raises(ValueError):
        lanecrypt.AESGCM.generate_key(127)


def test_keywords():
    ours, other = keys("AESGCM", 16)
    assert (ours.encrypt(data=b"text", nonce=bytes(12), associated_data=None) == other.encrypt(bytes(12), b"text", None) ==
            ours.encrypt(bytes(12), associated_data=None, data=b"text"))
    assert ours.seal_many(messages=[b"text"], nonces=bytes(12)) == [other.encrypt(bytes(12), b"text", None)]


def test_generated_keys():
    assert {len(lanecrypt.AESGCM.generate_key(bits)) for bits in (128, 192, 256)} == {16, 24, 32}
    assert {len(lanecrypt.AESXTS.generate_key(bits)) for bits in (128, 192, 256)} == {32, 48, 64}
    assert len(lanecrypt.ChaCha20Poly1305.generate_key()) == 32
    assert len({lanecrypt.XChaCha20Poly1305.generate_key() for _ in range(100)}) == 100


@pytest.mark.parametrize("key_len", [32, 64])
def test_xts(key_len):
    key = rng.randbytes(key_len)
    xts = lanecrypt.AESXTS(key)
    for n in (16, 17, 31, 32, 100, 512, 4096, 5000):
        tweak, text = rng.randbytes(16), rng.randbytes(n)
        sealed = xts.encrypt(tweak, text)
        other = Cipher(algorithms.AES(key), modes.XTS(tweak)).encryptor()
        assert sealed == other.update(text) + other.finalize()
        assert xts.decrypt(tweak, sealed) == text
    disk = rng.randbytes(4096)
    sectors = [xts.encrypt((7 + i).to_bytes(16, "little"), disk[512 * i:512 * i + 512]) for i in range(8)]
    assert xts.encrypt_sectors(7, disk, 512) == b"".join(sectors)
    assert xts.decrypt_sectors(first=7, data=b"".join(sectors), sector_size=512) == disk
    assert xts.implementation.startswith("xts-aes-")
    for call in (lambda: xts.encrypt(bytes(15), bytes(16)), lambda: xts.encrypt(bytes(16), bytes(15)),
                 lambda: xts.encrypt_sectors(0, bytes(32), 8), lambda: lanecrypt.AESXTS(bytes(32)), lambda: lanecrypt.AESXTS(b"1")):
        with pytest.raises(ValueError):
            call()
    for call in (lambda: xts.encrypt_sectors(-1, bytes(32), 16), lambda: xts.encrypt_sectors(2 ** 64, bytes(32), 16)):
        with pytest.raises(OverflowError):
            call()


def test_threads_share_a_key():
    aead = lanecrypt.AESGCM(bytes(32))
    texts = [os.urandom(20000) for _ in range(4)]
    expected = [aead.encrypt(bytes(12), t, None) for t in texts]
    errors = []

    def work(i):
        for _ in range(200):
            if aead.encrypt(bytes(12), texts[i], None) != expected[i] or aead.decrypt(bytes(12), expected[i], None) != texts[i]:
                errors.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors


def test_lists_that_change_meanwhile():
    """Another thread empties and refills the lists that a call for many has: nothing of it is freed in its hands."""
    aead = lanecrypt.ChaCha20Poly1305(bytes(32))
    messages, nonces, stop = [], [], threading.Event()

    def fill():
        messages[:] = [bytearray(os.urandom(3000)) for _ in range(50)]
        nonces[:] = [os.urandom(12) for _ in range(50)]

    def change():
        while not stop.is_set():
            messages.clear()
            nonces.clear()
            gc.collect(0)
            fill()

    fill()
    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(300):
            try:
                sealed = aead.seal_many(nonces, messages)
            except ValueError:  # caught between the two
                continue
            assert all(len(s) == 3016 for s in sealed)
    finally:
        stop.set()
        thread.join()


def test_no_leaks():
    aead = lanecrypt.AESGCM(bytes(16))
    data, view = bytearray(100), bytearray(7)
    for _ in range(100):
        aead.seal_many([bytes(12)] * 3, [data, view, b"x"], [view, None, b""])
        for call in (lambda: aead.encrypt(view, data, data), lambda: aead.encrypt(bytes(12), data, 5),
                     lambda: aead.encrypt_into(bytes(12), data, view, data), lambda: aead.seal_many([bytes(12)], [data, 5]),
                     lambda: aead.seal_many([bytes(12), 1], [data, data], [view, view]),
                     lambda: aead.seal_many_into(bytes(12), data, array.array("Q", [0, 101]), view, view)):
            with pytest.raises((TypeError, ValueError)):
                call()
    data.append(1)  # a buffer that somebody still had couldn't be resized
    view.append(1)


def test_types_are_closed():
    for name in ("AESGCM", "ChaCha20Poly1305", "XChaCha20Poly1305", "AESXTS"):
        with pytest.raises(TypeError):
            type("Sub", (getattr(lanecrypt, name),), {})
        with pytest.raises(TypeError):
            setattr(getattr(lanecrypt, name), "encrypt", None)
    assert issubclass(lanecrypt.InvalidTag, Exception) and lanecrypt.InvalidTag is not InvalidTag


def test_exceptions_of_iterators_come_through():
    def nonces():
        yield bytes(12)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        lanecrypt.AESGCM(bytes(16)).seal_many(nonces(), [b"", b""])
