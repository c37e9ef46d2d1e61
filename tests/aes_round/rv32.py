#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""rv32.py VECTORS: 32-bit RISC-V's instructions, as qemu-riscv32 does them, against the file of vectors.

Debian has no C library for that host, so there is one program in assembly for each instruction, which ends with 1 at the first case
that is not as the file has it.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

NAMES = ("aes32esi", "aes32esmi", "aes32dsi", "aes32dsmi", "sm4ed", "sm4ks")

CASE = """
        li a0, 0x{}
        li a1, 0x{}
        li a3, 0x{}
        {} a2, a0, a1, {}
        beq a2, a3, 1f
        j wrong
1:
"""
PROGRAM = """
.globl _start
_start:
        {}
        li a0, 0
        j exit
wrong:  li a0, 1
exit:   li a7, 93
        ecall
"""


def run(name, cases, folder):
    """The exit code of the program with these cases."""
    source, program = folder / "rv32.S", folder / "rv32"
    lines = (CASE.format(rs1, rs2, result, name, int(bs, 16)) for rs1, rs2, bs, result in cases)
    source.write_text(PROGRAM.format("".join(lines)))
    subprocess.run(["riscv64-linux-gnu-gcc", "-march=rv32i_zknd_zkne_zksed", "-mabi=ilp32", "-nostdlib", "-static", source, "-o",
                    program], check=True)
    return subprocess.run(["qemu-riscv32", "-cpu", "rv32,zkn=true,zksed=true", program]).returncode


def main(path):
    instructions = {i["instruction"]: i["cases"] for i in json.loads(pathlib.Path(path).read_text())["instructions"]
                    if i["guest"] == "riscv"}
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            cases = instructions[name]
            if run(name, cases, pathlib.Path(folder)) != 0:
                sys.exit(f"rv32.py: {name} is not as the file has it")
            # A wrong result has to be seen, also the last one.
            *operands, result = cases[-1]
            if run(name, cases[:-1] + [[*operands, f"{int(result, 16) ^ 1:08x}"]], pathlib.Path(folder)) != 1:
                sys.exit(f"rv32.py: a wrong result of {name} is not seen")
            print(f"{name}: {len(cases)} cases")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: rv32.py VECTORS")
    main(sys.argv[1])
