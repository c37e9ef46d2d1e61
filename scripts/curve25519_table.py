#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Print src/curve25519_table.c: multiples of edwards25519's generator.  src/curve25519_portable.c says which, and what for."""

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
COMBS, TEETH, SPACE = 4, 5, 13
B_ENTRIES = 32


def add(a, b):
    """The sum of two points (RFC 8032, 5.1.4; in affine coordinates)."""
    (x1, y1), (x2, y2) = a, b
    t = D * x1 * x2 * y1 * y2
    return ((x1 * y2 + x2 * y1) * pow(1 + t, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - t, -1, P) % P)


def multiple(k, point):
    """k times a point; k may be negative."""
    if k < 0:
        k, point = -k, (-point[0] % P, point[1])
    result = (0, 1)
    for bit in bin(k)[2:]:
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result


def generator():
    """y = 4/5, and x is even."""
    y = 4 * pow(5, -1, P) % P
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    return (P - x if x % 2 else x, y)


def comb_multiple(comb, entry):
    """The highest tooth is positive; the others are so where the entry has a bit."""
    teeth = [1 if tooth == TEETH - 1 or entry >> tooth & 1 else -1 for tooth in range(TEETH)]
    return sum(sign << SPACE * (COMBS * tooth + comb) for tooth, sign in enumerate(teeth))


def lines(point):
    """The initializer of one entry."""
    x, y = point
    for number in ((y + x) % P, (y - x) % P, 2 * D * x * y % P):
        words = [f"UINT64_C(0x{number >> 64 * i & 2**64 - 1:016x})" for i in range(4)]
        yield "{ " + ", ".join(words) + " }"


def print_entries(points, indent):
    """The initializers of several."""
    for point in points:
        print(indent + "{ " + (",\n" + indent + "  ").join(lines(point)) + " },")


def main():
    """Print the file."""
    base = generator()
    print("""/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Made by scripts/curve25519_table.py. */
#include "curve25519_table.h"
""")
    print("/* clang-format off */")
    print("const struct lc_25519_entry lc_25519_comb_table[LC_25519_COMBS][LC_25519_COMB_ENTRIES] = {")
    for comb in range(COMBS):
        print("    {")
        print_entries([multiple(comb_multiple(comb, e), base) for e in range(1 << TEETH - 1)], " " * 8)
        print("    },")
    print("};\n")
    print("const struct lc_25519_entry lc_25519_odd_table[LC_25519_B_ENTRIES] = {")
    print_entries([multiple(2 * e + 1, base) for e in range(B_ENTRIES)], " " * 4)
    print("};")


main()
