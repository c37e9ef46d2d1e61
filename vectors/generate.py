#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Test vectors for the AES and SM4 instructions of x86, Arm, POWER and RISC-V: vectors/aes-round.json, described in README.md.

    python3 vectors/generate.py            writes the file
    python3 vectors/generate.py --check    compares it with what would be written

A model of its own, which shares nothing with the library.  The S-boxes are computed, by inversion in GF(2^8) and affine maps; the
instructions are written down as their manuals have them, each ISA in its own way: x86 and Arm by the steps of FIPS 197, RISC-V's
scalar ones by bytes of halves and columns.  The same file is written each time."""
import hashlib
import json
import os
import sys

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "aes-round.json")


# ---- The fields and the S-boxes ----

def multiply(a, b, polynomial):
    """The product in GF(2)[x] / polynomial, which has degree 8."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        if a & 0x100:
            a ^= polynomial
        b >>= 1
    return product


def inverse(a, polynomial):
    """The b with a b = 1; 0 for 0."""
    return next((b for b in range(256) if multiply(a, b, polynomial) == 1), 0)


def parity(a):
    return bin(a).count("1") & 1


def circulant(x, row, constant):
    """Bit i of the result is the parity of x and `row` rotated left by i; then the constant is added."""
    y = 0
    for i in range(8):
        y |= parity(x & ((row << i | row >> (8 - i)) & 0xff)) << i
    return y ^ constant


AES = 0x11b  # x^8 + x^4 + x^3 + x + 1
SM4 = 0x1f5  # x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1

# FIPS 197, 5.1.1: b'i = bi + b(i+4) + b(i+5) + b(i+6) + b(i+7) + ci
SBOX = [circulant(inverse(x, AES), 0xf1, 0x63) for x in range(256)]
INV_SBOX = [SBOX.index(y) for y in range(256)]
# SM4: the same affine map before the inversion and after it.
SM4_SBOX = [circulant(inverse(circulant(x, 0xa7, 0xd3), SM4), 0xa7, 0xd3) for x in range(256)]


# ---- FIPS 197: a state is 16 bytes, byte i in row i % 4 and column i / 4 ----

def sub_bytes(s):
    return bytes(SBOX[x] for x in s)


def inv_sub_bytes(s):
    return bytes(INV_SBOX[x] for x in s)


def shift_rows(s):
    return bytes(s[4 * ((c + r) % 4) + r] for c in range(4) for r in range(4))


def inv_shift_rows(s):
    return bytes(s[4 * ((c - r) % 4) + r] for c in range(4) for r in range(4))


def columns_times(s, coefficients):
    """Each column, as a polynomial over GF(2^8), times the fixed one modulo x^4 + 1."""
    out = bytearray(16)
    for c in range(4):
        for i in range(4):
            for j in range(4):
                out[4 * c + (i + j) % 4] ^= multiply(s[4 * c + i], coefficients[j], AES)
    return bytes(out)


def mix_columns(s):
    return columns_times(s, (2, 1, 1, 3))


def inv_mix_columns(s):
    return columns_times(s, (14, 9, 13, 11))


def add(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


def rcon(i):
    """The round constant x^(i-1) of round i = 1, 2, ..."""
    value = 1
    for _ in range(i - 1):
        value = multiply(value, 2, AES)
    return value


# ---- x86 (Intel 64 and IA-32 Architectures Software Developer's Manual) ----

def aesenc(state, key):
    return add(mix_columns(sub_bytes(shift_rows(state))), key)


def aesenclast(state, key):
    return add(sub_bytes(shift_rows(state)), key)


def aesdec(state, key):
    return add(inv_mix_columns(inv_sub_bytes(inv_shift_rows(state))), key)


def aesdeclast(state, key):
    return add(inv_sub_bytes(inv_shift_rows(state)), key)


def aeskeygenassist(source, imm):
    x1, x3 = sub_bytes(source[4:8]), sub_bytes(source[12:16])
    constant = bytes([imm, 0, 0, 0])
    return x1 + add(x1[1:] + x1[:1], constant) + x3 + add(x3[1:] + x3[:1], constant)


# ---- Arm (Arm Architecture Reference Manual): the key comes first ----

def aese(state, key):
    return sub_bytes(shift_rows(add(state, key)))


def aesd(state, key):
    return inv_sub_bytes(inv_shift_rows(add(state, key)))


# ---- POWER (Power ISA): byte element 0, the most significant one of the register, is byte 0 of the state ----

def vncipher(state, key):
    return inv_mix_columns(add(inv_sub_bytes(inv_shift_rows(state)), key))


# ---- RISC-V, scalar (RISC-V Cryptography Extensions Volume I): numbers; byte 0 is the least significant one ----

def byte(x, i):
    return x >> 8 * i & 0xff


def number(values):
    """The number of which these are the bytes, least significant one first."""
    return int.from_bytes(bytes(values), "little")


def rol32(x, n):
    return (x << n | x >> (32 - n)) & 0xffffffff


def rv64_shift_rows(rs1, rs2):
    return [byte(rs1, 0), byte(rs1, 5), byte(rs2, 2), byte(rs2, 7), byte(rs1, 4), byte(rs2, 1), byte(rs2, 6), byte(rs1, 3)]


def rv64_inv_shift_rows(rs1, rs2):
    return [byte(rs1, 0), byte(rs2, 5), byte(rs2, 2), byte(rs1, 7), byte(rs1, 4), byte(rs1, 1), byte(rs2, 6), byte(rs2, 3)]


def mix_word(x, coefficients):
    """One column by the matrix of FIPS 197; coefficients are its first row."""
    return number(multiply(byte(x, 0), coefficients[-i % 4], AES) ^ multiply(byte(x, 1), coefficients[(1 - i) % 4], AES)
                  ^ multiply(byte(x, 2), coefficients[(2 - i) % 4], AES) ^ multiply(byte(x, 3), coefficients[(3 - i) % 4], AES)
                  for i in range(4))


def mix_half(x, coefficients):
    return mix_word(x & 0xffffffff, coefficients) | mix_word(x >> 32, coefficients) << 32


FORWARD, INVERSE = (2, 3, 1, 1), (14, 11, 13, 9)


def aes64es(rs1, rs2):
    return number(SBOX[x] for x in rv64_shift_rows(rs1, rs2))


def aes64esm(rs1, rs2):
    return mix_half(aes64es(rs1, rs2), FORWARD)


def aes64ds(rs1, rs2):
    return number(INV_SBOX[x] for x in rv64_inv_shift_rows(rs1, rs2))


def aes64dsm(rs1, rs2):
    return mix_half(aes64ds(rs1, rs2), INVERSE)


def aes64im(rs1):
    return mix_half(rs1, INVERSE)


def aes64ks1i(rs1, rnum):
    word = rs1 >> 32
    constant = 0
    if rnum != 10:
        word = rol32(word, 24)
        constant = rcon(rnum + 1)
    word = number(SBOX[byte(word, i)] for i in range(4)) ^ constant
    return word << 32 | word


def aes64ks2(rs1, rs2):
    low = (rs1 >> 32) ^ (rs2 & 0xffffffff)
    return (low ^ rs2 >> 32) << 32 | low


def aes32esi(rs1, rs2, bs):
    return rs1 ^ rol32(SBOX[byte(rs2, bs)], 8 * bs)


def aes32esmi(rs1, rs2, bs):
    so = SBOX[byte(rs2, bs)]
    return rs1 ^ rol32(number([multiply(so, 2, AES), so, so, multiply(so, 3, AES)]), 8 * bs)


def aes32dsi(rs1, rs2, bs):
    return rs1 ^ rol32(INV_SBOX[byte(rs2, bs)], 8 * bs)


def aes32dsmi(rs1, rs2, bs):
    so = INV_SBOX[byte(rs2, bs)]
    return rs1 ^ rol32(number(multiply(so, c, AES) for c in (14, 9, 13, 11)), 8 * bs)


def sm4ed(rs1, rs2, bs):
    x = SM4_SBOX[byte(rs2, bs)]
    y = x ^ x << 8 ^ x << 2 ^ x << 18 ^ (x & 0x3f) << 26 ^ (x & 0xc0) << 10
    return rs1 ^ rol32(y, 8 * bs)


def sm4ks(rs1, rs2, bs):
    x = SM4_SBOX[byte(rs2, bs)]
    y = x ^ (x & 0x07) << 29 ^ (x & 0xfe) << 7 ^ (x & 0x01) << 23 ^ (x & 0xf8) << 13
    return rs1 ^ rol32(y, 8 * bs)


# ---- RISC-V, vectors (Volume II) ----

def next_round_key(before, first):
    """Column 0 is `first` added to that of `before`; each other one is added to the one on its left."""
    columns = []
    for i in range(4):
        first = add(before[4 * i:4 * i + 4], first)
        columns.append(first)
    return b"".join(columns)


def rot_word(w):
    return w[1:] + w[:1]


def vaeskf1(current, rnd):
    if rnd < 1 or rnd > 10:
        rnd ^= 8
    return next_round_key(current, add(sub_bytes(rot_word(current[12:])), bytes([rcon(rnd), 0, 0, 0])))


def vaeskf2(previous, current, rnd):
    if rnd < 2 or rnd > 14:
        rnd ^= 8
    if rnd % 2:
        return next_round_key(previous, sub_bytes(current[12:]))
    return next_round_key(previous, add(sub_bytes(rot_word(current[12:])), bytes([rcon(rnd // 2), 0, 0, 0])))


# ---- SM4 (GB/T 32907-2016): words X are numbers, little-endian in the vector registers of Arm, x86 and RISC-V ----

def sm4_linear(word, rotations):
    out = word
    for n in rotations:
        out ^= rol32(word, n)
    return out


def sm4_rounds(state, keys, rotations):
    """Four rounds: of the cipher with its rotations, or of the key schedule with its own."""
    x = [int.from_bytes(state[i:i + 4], "little") for i in range(0, 16, 4)]
    for i in range(4):
        word = x[-3] ^ x[-2] ^ x[-1] ^ int.from_bytes(keys[4 * i:4 * i + 4], "little")
        word = number(SM4_SBOX[byte(word, j)] for j in range(4))
        x.append(x[-4] ^ sm4_linear(word, rotations))
    return b"".join(word.to_bytes(4, "little") for word in x[4:])


def sm4e(state, keys):
    return sm4_rounds(state, keys, (2, 10, 18, 24))


def sm4ekey(state, constants):
    return sm4_rounds(state, constants, (13, 23))


def vsm4k(source, rnd):
    ck = b"".join(bytes((4 * i + j) * 7 & 0xff for j in (3, 2, 1, 0)) for i in range(4 * rnd, 4 * rnd + 4))
    return sm4ekey(source, ck)


# ---- The inputs ----

class Stream:
    """Bytes that depend on nothing but the seed."""

    def __init__(self, seed):
        self.seed, self.counter, self.bytes = seed, 0, b""

    def take(self, count):
        while len(self.bytes) < count:
            self.bytes += hashlib.sha256(f"{self.seed} {self.counter}".encode()).digest()
            self.counter += 1
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken


# FIPS 197, Appendix B: the state at the start of round 1 and its key; Appendix A.1's cipher key
ROUND_1 = bytes.fromhex("193de3bea0f4e22b9ac68d2ae9f84808")
ROUND_KEY_1 = bytes.fromhex("a0fafe1788542cb123a339392a6c7605")
CIPHER_KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
BLOCK_EDGES = [bytes(16), b"\xff" * 16, bytes(range(16)), ROUND_1, ROUND_KEY_1, CIPHER_KEY]
WORD_EDGES = {32: [0, 0xffffffff, 0x03020100, 0x80000000], 64: [0, 0xffffffffffffffff, 0x0706050403020100, 0x8000000080000000]}


def all_bytes(stream, blocks):
    """Operands of `blocks` blocks each in which every value of a byte is there once."""
    order = sorted(range(256), key=lambda _: stream.take(8))
    return [bytes(order[i:i + 16 * blocks]) for i in range(0, 256, 16 * blocks)]


def block_cases(stream, operands):
    """Two edges together, each value of a byte in the first operand, and random ones."""
    count = len(operands)
    cases = [[edge] * count for edge in BLOCK_EDGES[:3]]
    cases.append([ROUND_1, ROUND_KEY_1][:count])
    cases.append([CIPHER_KEY, ROUND_1][:count])
    cases += [[first] + [stream.take(16) for _ in operands[1:]] for first in all_bytes(stream, 1)]
    return cases + [[stream.take(16) for _ in operands] for _ in range(8)]


def wide_cases(blocks, one_key=False):
    """One key: the second operand is a single block, or element group."""
    def cases(stream, operands):
        length = 16 if one_key else 16 * blocks
        found = [[first] + [stream.take(length) for _ in operands[1:]] for first in all_bytes(stream, blocks)[:4]]
        return found + [[bytes(16 * blocks)] + [bytes(length) for _ in operands[1:]]]
    return cases


def group_cases(stream, operands):
    """RISC-V's vectors: one element group, and three with as many keys."""
    return block_cases(stream, operands) + wide_cases(3)(stream, operands)


def immediate_cases(values, per_value):
    """Blocks, and each of the values as the last operand."""
    def cases(stream, operands):
        found = [[edge] * (len(operands) - 1) + [values[i % len(values)]] for i, edge in enumerate(BLOCK_EDGES)]
        for value in values:
            found += [[stream.take(16) for _ in operands[:-1]] + [value] for _ in range(per_value)]
        return found
    return cases


def word_cases(bits):
    def cases(stream, operands):
        found = [[edge] * len(operands) for edge in WORD_EDGES[bits]]
        for first in all_bytes(stream, 1):
            words = [int.from_bytes(first[:8], "little"), int.from_bytes(first[8:], "little")]
            found.append(words[:len(operands)])
            if len(operands) == 2:
                found.append(words[::-1])
        return found
    return cases


def ks1i_cases(stream, operands):
    return [[int.from_bytes(stream.take(8), "little"), rnum] for rnum in range(11) for _ in range(3)]


def byte_select_cases(stream, operands):
    """Each value of the byte once, in turn in each place."""
    found = []
    for value in range(256):
        bs = value % 4
        rs2 = int.from_bytes(stream.take(4), "little") & ~(0xff << 8 * bs) | value << 8 * bs
        found.append([int.from_bytes(stream.take(4), "little") if value >= 4 else 0, rs2, bs])
    return found


# ---- The instructions ----

def wide(instruction, one_key=False):
    def blocks(state, *keys):
        found = b""
        for i in range(0, len(state), 16):
            found += instruction(state[i:i + 16], *(k if one_key else k[i:i + 16] for k in keys))
        return found
    return blocks


STATE_KEY = ("block state", "block key")
KEYS_CONSTANTS = ("block keys", "block constants")
RS1_RS2 = ("u64 rs1", "u64 rs2")
BYTE_SELECT = ("u32 rs1", "u32 rs2", "imm bs")


def instructions():
    """guest, instruction, operands, model, maker of cases"""
    for name, model in (("AESENC", aesenc), ("AESENCLAST", aesenclast), ("AESDEC", aesdec), ("AESDECLAST", aesdeclast)):
        yield "x86", name, STATE_KEY, model, block_cases
        yield "x86", f"V{name} ymm", STATE_KEY, wide(model), wide_cases(2)
        yield "x86", f"V{name} zmm", STATE_KEY, wide(model), wide_cases(4)
    yield "x86", "AESIMC", ("block source",), inv_mix_columns, block_cases
    # The immediate is one of the round constants, as a rule; here also others.
    yield "x86", "AESKEYGENASSIST", ("block source", "imm rcon"), aeskeygenassist, immediate_cases(
        [0, 1, 2, 4, 8, 16, 32, 64, 128, 0x1b, 0x36, 0xff], 2)
    yield "x86", "VSM4RNDS4", ("block state", "block keys"), sm4e, block_cases
    yield "x86", "VSM4KEY4", KEYS_CONSTANTS, sm4ekey, block_cases
    for blocks, register in ((2, "ymm"), (4, "zmm")):
        yield "x86", f"VSM4RNDS4 {register}", ("block state", "block keys"), wide(sm4e), wide_cases(blocks)
        yield "x86", f"VSM4KEY4 {register}", KEYS_CONSTANTS, wide(sm4ekey), wide_cases(blocks)

    for name, model in (("AESE", aese), ("AESD", aesd)):
        yield "arm", name, STATE_KEY, model, block_cases
    yield "arm", "AESMC", ("block source",), mix_columns, block_cases
    yield "arm", "AESIMC", ("block source",), inv_mix_columns, block_cases
    yield "arm", "SM4E", ("block state", "block keys"), sm4e, block_cases
    yield "arm", "SM4EKEY", KEYS_CONSTANTS, sm4ekey, block_cases
    for blocks in (2, 4):
        yield "arm", f"AESE sve{128 * blocks}", STATE_KEY, wide(aese), wide_cases(blocks)
        yield "arm", f"AESD sve{128 * blocks}", STATE_KEY, wide(aesd), wide_cases(blocks)
        yield "arm", f"AESMC sve{128 * blocks}", ("block source",), wide(mix_columns), wide_cases(blocks)
        yield "arm", f"AESIMC sve{128 * blocks}", ("block source",), wide(inv_mix_columns), wide_cases(blocks)
        yield "arm", f"SM4E sve{128 * blocks}", ("block state", "block keys"), wide(sm4e), wide_cases(blocks)
        yield "arm", f"SM4EKEY sve{128 * blocks}", KEYS_CONSTANTS, wide(sm4ekey), wide_cases(blocks)
    # SVE_AES2: the two instructions in one
    yield "arm", "AESEMC", STATE_KEY, lambda state, key: mix_columns(aese(state, key)), block_cases
    yield "arm", "AESDIMC", STATE_KEY, lambda state, key: inv_mix_columns(aesd(state, key)), block_cases

    yield "power", "vcipher", STATE_KEY, aesenc, block_cases
    yield "power", "vcipherlast", STATE_KEY, aesenclast, block_cases
    yield "power", "vncipher", STATE_KEY, vncipher, block_cases
    yield "power", "vncipherlast", STATE_KEY, aesdeclast, block_cases
    yield "power", "vsbox", ("block source",), sub_bytes, block_cases

    for name, model in (("aes64es", aes64es), ("aes64esm", aes64esm), ("aes64ds", aes64ds), ("aes64dsm", aes64dsm),
                        ("aes64ks2", aes64ks2)):
        yield "riscv", name, RS1_RS2, model, word_cases(64)
    yield "riscv", "aes64im", RS1_RS2[:1], aes64im, word_cases(64)
    yield "riscv", "aes64ks1i", ("u64 rs1", "imm rnum"), aes64ks1i, ks1i_cases
    for name, model in (("aes32esi", aes32esi), ("aes32esmi", aes32esmi), ("aes32dsi", aes32dsi), ("aes32dsmi", aes32dsmi),
                        ("sm4ed", sm4ed), ("sm4ks", sm4ks)):
        yield "riscv", name, BYTE_SELECT, model, byte_select_cases
    for name, model in (("vaesem", aesenc), ("vaesef", aesenclast), ("vaesdm", vncipher), ("vaesdf", aesdeclast)):
        yield "riscv", f"{name}.vv", STATE_KEY, wide(model), group_cases
        yield "riscv", f"{name}.vs", STATE_KEY, wide(model, one_key=True), wide_cases(3, one_key=True)
    yield "riscv", "vaesz.vs", STATE_KEY, wide(add, one_key=True), wide_cases(2, one_key=True)
    yield "riscv", "vaeskf1.vi", ("block vs2", "imm rnd"), vaeskf1, immediate_cases(list(range(16)), 2)
    yield "riscv", "vaeskf2.vi", ("block vd", "block vs2", "imm rnd"), vaeskf2, immediate_cases(list(range(16)), 2)
    yield "riscv", "vsm4r.vv", ("block state", "block keys"), wide(sm4e), group_cases
    yield "riscv", "vsm4r.vs", ("block state", "block keys"), wide(sm4e, one_key=True), wide_cases(3, one_key=True)
    yield "riscv", "vsm4k.vi", ("block vs2", "imm rnd"), vsm4k, immediate_cases(list(range(8)), 3)


def text(kind, value):
    if kind == "imm":
        return f"{value:02x}"
    return f"{value:0{int(kind[1:]) // 4}x}" if kind.startswith("u") else value.hex()


def document():
    """One line for each instruction's head and for each case, so that a reader can go by lines."""
    lines = ["{", '"format": "lanecrypt-aes-round-1",', '"licence": "BSD-2-Clause OR GPL-2.0-only",', '"instructions": [']
    heads = 0
    for guest, name, operands, model, cases in instructions():
        kinds = [operand.split()[0] for operand in operands]
        head = {"guest": guest, "instruction": name, "operands": operands, "result": kinds[0]}
        lines[-1] += "," if heads else ""
        heads += 1
        lines.append(json.dumps(head)[:-1] + ', "cases": [')
        rows = []
        for values in cases(Stream(f"{guest} {name}"), operands):
            row = [text(kind, value) for kind, value in zip(kinds, values)] + [text(kinds[0], model(*values))]
            rows.append(json.dumps(row, separators=(",", ":")))
        lines += [row + "," for row in rows[:-1]] + [rows[-1], "]}"]
    return "\n".join(lines + ["]", "}", ""])


def check_model():
    """Against what the standards print; tests/aes_round/ciphers.c says with what else it was compared."""
    assert len(set(SBOX)) == len(set(SM4_SBOX)) == 256
    assert SBOX[0x53] == 0xed  # FIPS 197, 5.1.1
    assert shift_rows(sub_bytes(ROUND_1)).hex() == "d4bf5d30e0b452aeb84111f11e2798e5"  # Appendix B, round 1
    assert aesenc(ROUND_1, ROUND_KEY_1).hex() == "a49c7ff2689f352b6b5bea43026a5049"  # and round 2's start
    assert vaeskf1(CIPHER_KEY, 1) == ROUND_KEY_1
    assert inv_mix_columns(mix_columns(ROUND_1)) == ROUND_1
    # GB/T 32907-2016, A.1: the plain text is the key; words are big-endian there
    words = [0x01234567, 0x89abcdef, 0xfedcba98, 0x76543210]
    state = b"".join(w.to_bytes(4, "little") for w in words)
    key = add(state, b"".join(w.to_bytes(4, "little") for w in (0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc)))
    for rnd in range(8):
        key = vsm4k(key, rnd)
        state = sm4e(state, key)
    words = [int.from_bytes(state[i:i + 4], "little") for i in (12, 8, 4, 0)]
    assert words == [0x681edf34, 0xd206965e, 0x86b3e94f, 0x536e4246]


def main():
    check_model()
    new = document()
    json.loads(new)
    if sys.argv[1:] == ["--check"]:
        with open(FILE, encoding="ascii") as f:
            if f.read() != new:
                sys.exit(f"{FILE} is not what this program writes")
    elif sys.argv[1:]:
        sys.exit(f"usage: {sys.argv[0]} [--check]")
    else:
        with open(FILE, "w", encoding="ascii") as f:
            f.write(new)


if __name__ == "__main__":
    main()
