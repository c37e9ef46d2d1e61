# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Objects as objdump (binutils) sees them: sections, symbols, relocations and the instructions of each function."""
import copy
import os
import re
import subprocess
import tempfile

LEGACY_PREFIXES = (0x66, 0xF2, 0xF3, 0x2E, 0x36, 0x3E, 0x26, 0x64, 0x65, 0x67, 0xF0)

# All names of a general-purpose register: ("rax", "eax", "ax", "al", "ah") -> "rax" and so on.
GPR = {}
for _r in "abcd":
    GPR.update({f"r{_r}x": f"r{_r}x", f"e{_r}x": f"r{_r}x", f"{_r}x": f"r{_r}x", f"{_r}l": f"r{_r}x", f"{_r}h": f"r{_r}x"})
for _r in ("si", "di", "bp", "sp"):
    GPR.update({f"r{_r}": f"r{_r}", f"e{_r}": f"r{_r}", _r: f"r{_r}", f"{_r}l": f"r{_r}"})
for _r in range(8, 16):
    GPR.update({f"r{_r}{_suffix}": f"r{_r}" for _suffix in ("", "d", "w", "b")})


def gpr_size(name):
    """Bytes of a general-purpose register, by its name."""
    if GPR[name] == name:
        return 8
    if name[0] == "e" or name[-1] == "d":
        return 4
    return 1 if name[-1] in "lhb" else 2


class Instruction:
    """address, code (bytes), mnemonic, operands (AT&T text, in AT&T order), relocation (type and symbol, or None)."""

    def __init__(self, address, code, text):
        self.address, self.code = address, code
        match = re.search(r"\s[0-9a-f]+: (R_\w+)\s(\S+)$", text)
        self.relocation = match.groups() if match else None
        text = text[:match.start()] if match else text
        self.text = text.split("#")[0].strip().removeprefix("{vex} ")  # of what is more often coded as EVEX
        words = self.text.split(None, 1)
        self.mnemonic = words[0]
        self.operands = split_operands(words[1]) if len(words) > 1 else []
        # All the forms in which the assembler pads.
        if re.fullmatch(r"(data16 |cs )*nop[wl]?( .*)?|xchg +%ax,%ax", self.text):
            self.mnemonic, self.operands = "nop", []

    def without_return(self):
        if self.mnemonic != "ret" or self.operands:
            return self
        result = copy.copy(self)
        result.mnemonic, result.operands = "nop", []
        return result

    @property
    def coding(self):
        """legacy, vex or evex; in 64-bit mode 62h, C4h and C5h are nothing else."""
        code = self.code.lstrip(bytes(LEGACY_PREFIXES))
        return {b"\x62": "evex", b"\xc4": "vex", b"\xc5": "vex"}.get(code[:1], "legacy")

    @property
    def registers(self):
        return re.findall(r"%(\w+)", " ".join(self.operands))

    @property
    def is_jump(self):
        return self.mnemonic.startswith("j") or self.mnemonic.startswith("loop")

    @property
    def target(self):
        """Address that a direct jump goes to; None if it is indirect, or to be filled in by the linker."""
        match = re.match(r"([0-9a-f]+)\b", self.operands[0]) if self.operands and not self.relocation else None
        return int(match.group(1), 16) if match else None


def split_operands(text):
    """At the commas outside parentheses."""
    return re.split(r",(?![^(]*\))", text)


def successors_in(instructions):
    """For each instruction the indices of those that may follow; None stands for one that isn't among them."""
    by_address = {i.address: n for n, i in enumerate(instructions)}
    result = []
    for n, i in enumerate(instructions):
        jump = [by_address.get(i.target)] if i.is_jump else [None] if i.mnemonic == "call" else []
        result.append(jump if i.mnemonic in ("jmp", "ret", "call") else jump + [n + 1 if n + 1 < len(instructions) else None])
    return result


class Function:
    """
    What is called stands behind the function's own instructions, `num_own` of them, once for each call; returns from there are nops
    that go on behind the call.  subroutines: address -> instructions of what may be called, which are local functions
    """

    def __init__(self, object_name, name, address, size, instructions, subroutines):
        self.object_name, self.name, self.address, self.size, self.num_own = object_name, name, address, size, len(instructions)
        self.instructions, self.following = list(instructions), successors_in(instructions)
        for n, i in enumerate(instructions):
            if i.mnemonic == "call" and i.target in subroutines:
                first, body = len(self.instructions), subroutines[i.target]
                following = [[m if m is None else first + m for m in s] for s in successors_in(body)]
                self.instructions += [i.without_return() for i in body]
                behind = n + 1 if n + 1 < self.num_own else None
                self.following += [[behind] if i.mnemonic == "ret" else s for i, s in zip(body, following)]
                self.following[n] = [first]

    def successors(self, n):
        """Indices of the instructions that may follow instruction n; None stands for one outside the function."""
        return self.following[n]

    def where(self, i):
        return f"{self.object_name}: {self.name}+{i.address - self.address:#x}: {' '.join(i.text.split())}"


class Object:
    """
    sections: name -> (size, flags); symbols: name -> (section, address, size, is_function); relocations: list of types;
    functions: those that nothing here calls, or that are global
    """

    def __init__(self, path, name):
        self.name, self.sections, self.symbols, self.relocations = name, {}, {}, []
        local = set()
        for line in objdump("-hw", path):
            words = line.split(None, 7)
            if len(words) == 8 and words[0].isdigit():
                self.sections[words[1]] = (int(words[2], 16), words[7])
        for line in objdump("-t", path):
            match = re.match(r"([0-9a-f]+) (.{7}) (\S+)\t([0-9a-f]+) (?:\.hidden )?(\S+)$", line)
            if match and "f" not in match[2] and "d" not in match[2]:
                self.symbols[match[5]] = (match[3], int(match[1], 16), int(match[4], 16), "F" in match[2])
                if match[2][0] == "l":
                    local.add(match[5])
        self.relocations = [m[1] for line in objdump("-r", path) if (m := re.match(r"[0-9a-f]+ (\w+) ", line))]
        self.code = {}  # section -> its instructions
        section = None
        for line in objdump("-dwr", path):
            if match := re.match(r"Disassembly of section (\S+):", line):
                section = self.code.setdefault(match[1], [])
            elif match := re.match(r" *([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *\t(.*)", line):
                section.append(Instruction(int(match[1], 16), bytes.fromhex(match[2]), match[3]))
            elif re.match(r" *[0-9a-f]+:\t", line):
                raise SystemExit(f"{name}: can't read this line of objdump: {line}")
        called = {(where, i.target) for where, code in self.code.items() for i in code if i.mnemonic == "call"}
        inside = {symbol: [i for i in self.code.get(where, []) if address <= i.address < address + size]
                  for symbol, (where, address, size, is_function) in self.symbols.items() if is_function}
        self.functions = []
        for symbol in inside:
            where, address, size, _ = self.symbols[symbol]
            subroutines = {self.symbols[s][1]: code for s, code in inside.items()
                           if s in local and self.symbols[s][0] == where and self.symbols[s][:2] in called}
            if symbol not in local or address not in subroutines:
                self.functions.append(Function(name, symbol, address, size, inside[symbol], subroutines))


def objdump(option, path):
    return subprocess.run(["objdump", option, path], check=True, capture_output=True, text=True).stdout.splitlines()


def load(path):
    """The object at path, or those of an archive that were made from assembly (the compiler's are none of our business)."""
    with open(path, "rb") as f:
        if f.read(8) != b"!<arch>\n":
            return [Object(path, os.path.basename(path))]
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run(["ar", "x", os.path.abspath(path)], cwd=directory, check=True)
        names = sorted(n for n in os.listdir(directory) if n.endswith(".S.o"))
        if not names:
            raise SystemExit(f"{path}: no assembly in it")
        return [Object(os.path.join(directory, n), n) for n in names]
