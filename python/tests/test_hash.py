# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""lanecrypt's hash functions against the package cryptography."""
import array
import random
import threading

import numpy
import pytest
from cryptography.hazmat.primitives import hashes

import lanecrypt

rng = random.Random(3)
HASHES = [("sha256", hashes.SHA256), ("sha384", hashes.SHA384), ("sha512", hashes.SHA512), ("sm3", hashes.SM3)]
each = pytest.mark.parametrize("name,other", HASHES, ids=[h[0] for h in HASHES])
LENGTHS = [0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 1000, 5000]


def functions(name):
    return getattr(lanecrypt, name + "_many"), getattr(lanecrypt, name + "_many_into")


def digest(other, message):
    h = hashes.Hash(other())
    h.update(message)
    return h.finalize()


def offsets_of(messages):
    offsets = array.array("Q", [0])
    for m in messages:
        offsets.append(offsets[-1] + len(m))
    return offsets


@each
def test_same_as_cryptography(name, other):
    many, into = functions(name)
    for num in (0, 1, 2, 7, 8, 9, 33):
        messages = [rng.randbytes(rng.choice(LENGTHS)) for _ in range(num)]
        expected = [digest(other, m) for m in messages]
        assert many(messages) == expected
        assert many(messages=(memoryview(m) for m in messages)) == expected
        length = other().digest_size
        out = bytearray(b"x" * (length * num + 3))  # 3: what is behind stays
        assert into(b"".join(messages), offsets_of(messages), out) == length * num
        assert out == b"".join(expected) + b"xxx"
    messages = [bytearray(rng.randbytes(n)) for n in LENGTHS]
    expected = [digest(other, bytes(m)) for m in messages]
    assert many(messages) == expected
    out = numpy.zeros((len(LENGTHS), length), dtype=numpy.uint8)
    data = numpy.frombuffer(b"".join(messages), dtype=numpy.uint8)
    into(data=data, offsets=numpy.array(offsets_of(messages), dtype=numpy.int64), out=out)
    assert [row.tobytes() for row in out] == expected


@each
def test_wrong_arguments(name, other):
    many, into = functions(name)
    for wrong in (None, 5, [None], ["text"], [5], [b"", numpy.zeros((4, 4))[:, ::2]]):
        with pytest.raises(TypeError):
            many(wrong)
    for arguments in ((), ([], [])):
        with pytest.raises(TypeError):
            many(*arguments)
    one, length = array.array("Q", [0, 64]), other().digest_size
    data, out = bytes(64), bytearray(length)
    assert into(data, one, out) == length
    for arguments in ((data, one), (data, one, bytes(length)), (None, one, out), (data, [0, 64], out),
                      (data, array.array("I", [0, 64]), out), (data, one, out, 1)):
        with pytest.raises(TypeError):
            into(*arguments)
    for wrong in ([], [1, 64], [0, 65], [0, 64, 63], [0, 2 ** 64 - 1], [0, 64, 2 ** 63]):
        with pytest.raises(ValueError, match="offsets"):
            into(data, array.array("Q", wrong), bytearray(3 * length))
    for short in (0, length - 1):
        with pytest.raises(ValueError, match="needs"):
            into(data, one, bytearray(short))
    both = bytearray(64 + length)
    for part in (slice(0, length), slice(63, 63 + length)):
        with pytest.raises(ValueError, match="overlaps"):
            into(memoryview(both)[:64], one, memoryview(both)[part])
    assert into(memoryview(both)[:64], one, memoryview(both)[64:]) == length
    for held in (both, out):
        held.append(1)  # a buffer that somebody still had couldn't be resized


@each
def test_others_run_meanwhile_and_buffers_stay(name, other):
    """What a call has can't be resized meanwhile; that somebody can try shows that others run."""
    many, into = functions(name)
    message, length = bytearray(10_000_000), other().digest_size
    expected, offsets, out = digest(other, bytes(message)), array.array("Q", [0, len(message)]), bytearray(length)
    results = []
    for call in (lambda: results.append(many([message])), lambda: results.append(into(message, offsets, out))):
        refused, size = 0, len(message)
        for _ in range(100):
            thread = threading.Thread(target=call)
            thread.start()
            while thread.is_alive():
                try:
                    message.append(1)
                    del message[-1]
                except BufferError:
                    refused += 1
            thread.join()
            del message[size:]
            if refused:
                break
        assert refused
        results.clear()
        call()
        assert results[0] in ([expected], length)
    assert out == expected
