#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
check_codings.py LIBRARY OBJECT...

The code for AVX-IFMA, whose multiplications a macro codes byte by byte, is in LIBRARY instruction by instruction what it is in
OBJECTs, which the tests and check_residue run: there the assembler has coded them, in EVEX coding.  (check_abi runs those of
LIBRARY, with emulate_avxifma.c.)
"""
import sys

import disassembly


def what(i):
    """An instruction, apart from addresses, which depend on how long others are"""
    if i.mnemonic == "call":
        return i.mnemonic, i.operands[0].split()[-1]
    return i.mnemonic, i.relocation, [] if i.is_jump or i.relocation else i.operands


def functions(paths):
    """name -> its instructions, with those of what it calls: how each is coded, and what it is"""
    found = {}
    for path in paths:
        for o in disassembly.load(path):
            for f in o.functions:
                if f.name.endswith("_avxifma"):
                    found[f.name] = [(i.coding, what(i), f.where(i)) for i in f.instructions if i.mnemonic != "nop"]
    return found


def main():
    ours, theirs = functions(sys.argv[1:2]), functions(sys.argv[2:])
    num = errors = 0
    for name in sorted({*ours, *theirs}):
        a, b = ours.get(name, []), theirs.get(name, [])
        if len(a) != len(b):
            print(f"{name}: {len(a)} instructions, and {len(b)} in the other coding")
            errors += 1
        for (coding, ours_is, where), (other_coding, other, other_where) in zip(a, b):
            multiplies = ours_is[0].startswith("vpmadd52")
            num += multiplies
            if ours_is != other or (multiplies and (coding, other_coding) != ("vex", "evex")):
                print(f"{where}\n  isn't {other_where}")
                errors += 1
                break
    print(f"{len(ours)} functions, {num} multiplications, {errors} errors")
    return 1 if errors or not num else 0


if __name__ == "__main__":
    sys.exit(main())
