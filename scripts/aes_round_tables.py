#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
aes_round_tables.py > include/lanecrypt/aes_round/tables.h
aes_round_tables.py --check include/lanecrypt/aes_round/tables.h

The constants of AES rounds on hosts without AES instructions, and of SM4 by AES's S-box, computed from the two fields.
Every table is checked for all 256 bytes before anything is printed.
"""
import contextlib
import io
import sys

AES_POLY, SM4_POLY = 0x11b, 0x1f5
INFINITY = 0x80  # an index that is looked up as 0


def multiply(a, b, poly):
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        if a & 0x100:
            a ^= poly
        b >>= 1
    return product


def power(a, n, poly):
    result = 1
    for _ in range(n):
        result = multiply(result, a, poly)
    return result


def invert(a, poly):
    return power(a, 254, poly)


def parity(x):
    return bin(x).count("1") & 1


def circulant(x, row):
    """Bit i of the result is the parity of x under `row` rotated left by i."""
    return sum(parity(x & (row << i | row >> 8 - i)) << i for i in range(8))


def linear(columns, x):
    result = 0
    for i, column in enumerate(columns):
        if x >> i & 1:
            result ^= column
    return result


def columns_of(function):
    """The columns of a linear function on bytes, if it is one."""
    columns = [function(1 << i) for i in range(8)]
    assert all(linear(columns, x) == function(x) for x in range(256))
    return columns


def inverse_of(function):
    table = {function(x): x for x in range(256)}
    return table.__getitem__


def affine_aes(x):
    return circulant(x, 0xf1)


def affine_sm4(x):
    return circulant(x, 0xa7)


def sub(x):
    return affine_aes(invert(x, AES_POLY)) ^ 0x63


def sub_sm4(x):
    return affine_sm4(invert(affine_sm4(x) ^ 0xd3, SM4_POLY)) ^ 0xd3


inv_sub = inverse_of(sub)
inv_affine_aes = inverse_of(affine_aes)

# ---- Inversion by lookups in tables of 16: see vperm.h, whose letters these are ----


def aes(a, b):
    return multiply(a, b, AES_POLY)


subfield = [x for x in range(256) if power(x, 16, AES_POLY) == x]
generator = next(x for x in subfield if len({power(x, n, AES_POLY) for n in range(15)}) == 15)
element = [linear([power(generator, n, AES_POLY) for n in range(4)], x) for x in range(16)]  # of a nibble
nibble = {e: x for x, e in enumerate(element)}
assert sorted(element) == subfield

# w + w^16 = w^17 = A
w = next(x for x in range(256) if x not in nibble and x ^ power(x, 16, AES_POLY) == power(x, 17, AES_POLY))
A = power(w, 17, AES_POLY)
conjugate = power(w, 16, AES_POLY)


def divide(a, b):
    return aes(a, invert(b, AES_POLY))


split = {element[k] ^ aes(element[i], w): i << 4 | k for i in range(16) for k in range(16)}  # x = k + i*w
inverses = [INFINITY] + [nibble[invert(element[x], AES_POLY)] for x in range(1, 16)]
a_inverses = [INFINITY] + [nibble[divide(A, element[x])] for x in range(1, 16)]


def io_part(x):
    p = invert(element[x], AES_POLY)
    return divide(p, A) ^ aes(conjugate, divide(p, A) ^ divide(p, aes(A, A)))


def jo_part(x):
    q = invert(element[x], AES_POLY)
    return divide(q, A) ^ aes(conjugate, divide(q, aes(A, A)))


def halves(function):
    """Tables of the low and of the high nibble; a constant of the function goes into the first."""
    return [function(x) for x in range(16)], [function(x << 4) ^ function(0) for x in range(16)]


sub_in = halves(split.__getitem__)
inv_sub_in = halves(lambda x: split[inv_affine_aes(x ^ 0x63)])
sub_out = [affine_aes(io_part(x)) for x in range(16)], [affine_aes(jo_part(x)) for x in range(16)]
inv_sub_out = [io_part(x) for x in range(16)], [jo_part(x) for x in range(16)]


def lookup(table, index):
    return 0 if index & 0x80 else table[index]


def by_lookups(x, tables_in, tables_out):
    y = tables_in[0][x & 15] ^ tables_in[1][x >> 4]
    i, k = y >> 4, y & 15
    j = i ^ k
    ak = lookup(a_inverses, k)
    io = lookup(inverses, lookup(inverses, i) ^ ak) ^ j
    jo = lookup(inverses, lookup(inverses, j) ^ ak) ^ i
    return lookup(tables_out[0], io) ^ lookup(tables_out[1], jo)


assert all(by_lookups(x, sub_in, sub_out) ^ 0x63 == sub(x) for x in range(256))
assert all(by_lookups(x, inv_sub_in, inv_sub_out) == inv_sub(x) for x in range(256))

# ---- SM4's S-box by AES's: the two fields are the same but for a linear map ----

root = next(x for x in range(2, 256) if linear([power(x, n, AES_POLY) for n in range(8)], SM4_POLY & 0xff) == power(x, 8, AES_POLY))
to_aes = [power(root, n, AES_POLY) for n in range(8)]
from_aes = inverse_of(lambda x: linear(to_aes, x))


def sm4_in(x):
    return linear(to_aes, affine_sm4(x) ^ 0xd3)


def sm4_out(x):
    return affine_sm4(from_aes(inv_affine_aes(x ^ 0x63))) ^ 0xd3


assert all(sm4_out(sub(sm4_in(x))) == sub_sm4(x) for x in range(256))
assert [sub_sm4(x) for x in range(8)] == [0xd6, 0x90, 0xe9, 0xfe, 0xcc, 0xe1, 0x3d, 0xb7]

# ---- GF2P8AFFINEQB: bit i of the result is the parity of the byte under byte 7 - i of the matrix ----


def gfni_matrix(function):
    columns = columns_of(function)
    rows = [sum((columns[j] >> i & 1) << j for j in range(8)) for i in range(8)]
    return sum(row << 8 * (7 - i) for i, row in enumerate(rows))


# ---- Output ----


def print_table(name, table):
    print(f"#define LC_AES_{name} {{ \\")
    for i in range(0, len(table), 8):
        print("    " + ", ".join(f"0x{x:02x}" for x in table[i:i + 8]) + (" }" if i + 8 == len(table) else ", \\"))


def print_columns(name, function):
    """The function's columns as a list for bytes in 32-bit words, and its constant."""
    columns = columns_of(lambda x: function(x) ^ function(0))
    print_table(f"{name}_COLUMNS", columns)
    print(f"#define LC_AES_{name}_CONSTANT 0x{function(0):02x}")


def print_all():
    print("""/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Made by scripts/aes_round_tables.py, which says how and checks them; change nothing here. */
#ifndef LANECRYPT_AES_ROUND_TABLES_H
#define LANECRYPT_AES_ROUND_TABLES_H

/* vperm.h: nibbles of a byte to i and k; 1 / x and A / x; io and jo to the bits of the result. */""")
    for name, tables in (("SUB_IN", sub_in), ("INV_SUB_IN", inv_sub_in)):
        print_table(f"{name}_LOW", tables[0])
        print_table(f"{name}_HIGH", tables[1])
    print_table("INVERSES", inverses)
    print_table("A_INVERSES", a_inverses)
    for name, tables in (("SUB_OUT", sub_out), ("INV_SUB_OUT", inv_sub_out)):
        print_table(f"{name}_IO", tables[0])
        print_table(f"{name}_JO", tables[1])
    print("""
/* gfni.h: the affine map of the S-box, its inverse, and the identity, as matrices. */""")
    print(f"#define LC_AES_GFNI_AFFINE 0x{gfni_matrix(affine_aes):016x}")
    print(f"#define LC_AES_GFNI_INV_AFFINE 0x{gfni_matrix(inv_affine_aes):016x}")
    print(f"#define LC_AES_GFNI_INV_CONSTANT 0x{inv_affine_aes(0x63):02x}")
    print(f"#define LC_AES_GFNI_IDENTITY 0x{gfni_matrix(lambda x: x):016x}")
    print("""
/* sm4.h: the affine maps before and after AES's S-box that make SM4's of it. */""")
    for name, function in (("SM4_IN", sm4_in), ("SM4_OUT", sm4_out)):
        low, high = halves(function)
        print_table(f"{name}_LOW", low)
        print_table(f"{name}_HIGH", high)
        print_columns(name, function)
    print("\n#endif")


def main():
    if not sys.argv[1:]:
        print_all()
    elif len(sys.argv) == 3 and sys.argv[1] == "--check":
        with contextlib.redirect_stdout(io.StringIO()) as made, open(sys.argv[2], encoding="ascii") as file:
            print_all()
            if file.read() != made.getvalue():
                sys.exit(f"{sys.argv[2]} is not what this program prints")
    else:
        sys.exit(f"usage: {sys.argv[0]} [--check FILE]")


if __name__ == "__main__":
    main()
