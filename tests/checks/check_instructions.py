#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
check_instructions.py OBJECT-or-ARCHIVE...

Does the assembly consist of what its rows' features cover, and does it keep the rules that let a kernel use it?  For each function:
  - its instructions are in allowed_instructions.txt for what its row needs (by coding, width and mnemonic);
  - it uses no rbx, rbp, r12-r15 that it hasn't saved, no other stack than for that, no segment register, no indirect jump, and
    doesn't jump out of itself;
  - it begins with endbr64, and no path on which a ymm or zmm register was written returns without vzeroupper after it.
For each object: code outside functions is padding only; lc_*_begin and _end enclose the functions of an implementation and no
others; relocations are relative to rip; the stack isn't executable; there is no writable data.
And if there are functions of all modes, each entry of the list is used by one of them.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
import disassembly  # noqa: E402

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import rows  # noqa: E402

ALLOWED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "allowed_instructions.txt")
FORBIDDEN_REGISTERS = {"rbx", "rbp", "rsp", "r12", "r13", "r14", "r15"}
SAVED = FORBIDDEN_REGISTERS - {"rsp"} | {"rdi"}  # what may be pushed: rdi, the first argument, is what runs out last
RELOCATIONS = {"R_X86_64_PC32", "R_X86_64_PLT32"}
errors = []
used = set()  # (class, mnemonic)


def classes_of(row, also, classes):
    """
    The classes that a row's features give it.  Widths: general registers are always there; vectors of legacy coding are for rows
    without AVX, as the codings don't mix; AVX gives xmm, AVX2 ymm, AVX-512 masks and its own coding of both, and zmm to rows that
    are for 512 bits.
    """
    has, widths = set(row.needs), {"legacy general"}
    if "avx" in has:
        widths |= {"vex general", "vex xmm"}
    elif "ssse3" in has:
        widths |= {"legacy xmm"}
    if "avx2" in has:
        widths |= {"vex ymm"}
    if {"avx512f", "avx512bw", "avx512vl"} <= has:
        widths |= {"vex mask", "evex xmm", "evex ymm"}
        if row.vectors == "AVX512_512":
            widths |= {"evex zmm"}
    if "bmi2" in has:
        widths |= {"vex general"}
    features = {feature.upper() for feature in has} | set(also)
    return [name for name in classes if name.split(": ")[0] in widths and (": " not in name or name.split(": ")[1] in features)]


class Function:
    def __init__(self, row, labels, allowed):
        self.row, self.labels, self.allowed = row, labels, allowed
        self.mode = row.split()[0]


def read_allowed(path):
    """class name -> set of mnemonics; function's name -> Function"""
    classes, modes, others = {}, {}, {}
    section = None
    for line in open(path, encoding="utf-8"):
        line = line.split("#")[0].strip()
        if match := re.fullmatch(r"\[(class|mode|function) (.+)\]", line):
            section = {"class": classes, "mode": modes, "function": others}[match[1]].setdefault(match[2], {})
        elif match := re.fullmatch(r"(functions|also|row|labels): (.+)", line):
            section.setdefault(match[1], []).extend(match[2].split())
        elif line:
            section.update(dict.fromkeys(line.split()))
    functions = {}
    for mode, section in modes.items():
        for row in rows.rows_of("x86", mode):
            if row.vectors == "PORTABLE":
                continue
            prefix = re.fullmatch(r"(lc_(?:aes_)?[a-z0-9]+_)(?:[a-z]+_)?\{\}", section["functions"][0])[1]
            allowed = classes_of(row, section.get("also", []), classes)
            for name in section["functions"]:
                functions[name.format(row.symbol)] = Function(f"{mode} {row.symbol}", prefix + row.symbol, allowed)
    for name, section in others.items():
        like = next(f for f in functions.values() if f.row == " ".join(section["row"]))
        functions[name] = Function(like.row, section.get("labels", [None])[0], like.allowed)
    return classes, functions


def width(i):
    kinds = {r[0] for r in i.registers if re.fullmatch(r"[xyz]mm\d+", r)}
    for kind in "zyx":
        if kind in kinds:
            return kind + "mm"
    return "mask" if any(re.fullmatch(r"k\d", r) for r in i.registers) else "general"


def check_registers(function, i):
    for register in i.registers:
        if register not in disassembly.GPR and not re.fullmatch(r"[xyz]mm\d+|k\d|rip", register):
            errors.append(f"{function.where(i)}: no assembly here needs %{register}")


def check_saved(function):
    """
    Follow all paths with what has been pushed: only the caller's registers and rdi are; no other use is made of the former before;
    pops restore them in reverse order, and all of them before a return.  What is called does neither.
    """
    todo, seen = [(0, ())], set()
    while todo:
        n, saved = todo.pop()
        if n is None or (n, saved) in seen:
            continue
        seen.add((n, saved))
        i = function.instructions[n]
        if i.mnemonic in ("push", "pop") and n >= function.num_own:
            errors.append(f"{function.where(i)}: the stack has the return address")
            return
        if i.mnemonic == "push" and i.registers and i.registers[0] in SAVED - {*saved}:
            saved += (i.registers[0],)
        elif i.mnemonic == "pop" and i.registers and saved[-1:] == (i.registers[0],):
            saved = saved[:-1]
        elif i.mnemonic in ("push", "pop") or i.mnemonic == "ret" and saved:
            errors.append(f"{function.where(i)}: saved are {', '.join(saved) or 'none'}")
            return
        elif wrong := [r for r in i.registers if disassembly.GPR.get(r) in FORBIDDEN_REGISTERS - set(saved)]:
            errors.append(f"{function.where(i)}: %{wrong[0]} belongs to the caller or is the stack")
            return
        todo += [(next_n, saved) for next_n in function.successors(n)]


def check_vzeroupper(function):
    """Follow all paths with one bit: has a ymm or zmm register been written since the last vzeroupper?"""
    todo, seen = [(0, False)], set()
    while todo:
        n, dirty = todo.pop()
        if n is None or (n, dirty) in seen:
            continue
        seen.add((n, dirty))
        i = function.instructions[n]
        if i.mnemonic in ("vzeroupper", "vzeroall"):
            dirty = False
        elif i.operands and re.match(r"%[yz]mm", i.operands[-1]):
            dirty = True
        successors = function.successors(n)
        if dirty and (i.mnemonic == "ret" or None in successors):
            errors.append(f"{function.where(i)}: reached with upper halves in use, without vzeroupper")
        todo += [(next_n, dirty) for next_n in successors]


def is_tail_call(function, i, functions, entries):
    """Does it jump to the entry of another function, which needs no other features of the CPU?"""
    other = entries.get(i.target)
    return (i.is_jump and other in functions and other != function.name
            and set(functions[other].allowed) <= set(functions[function.name].allowed))


def check_function(function, classes, functions, entries):
    if function.name not in functions:
        errors.append(f"{function.object_name}: {function.name} isn't in allowed_instructions.txt")
        return
    row, allowed = functions[function.name].row, functions[function.name].allowed
    if not function.instructions or function.instructions[0].mnemonic != "endbr64":
        errors.append(f"{function.object_name}: {function.name} doesn't begin with endbr64")
        return
    for n, i in enumerate(function.instructions):
        name = f"{i.coding} {width(i)}"
        names = [n for n in allowed if n.split(":")[0] == name]
        if not names:
            errors.append(f"{function.where(i)}: {row} may not use instructions of class {name}")
        elif not (using := [n for n in names if i.mnemonic in classes[n]]):
            errors.append(f"{function.where(i)}: not in [class {name}]")
        else:
            used.update((n, i.mnemonic) for n in using)
        check_registers(function, i)
        if i.mnemonic == "ret" and i.operands:
            errors.append(f"{function.where(i)}: takes the caller's stack away")
        if i.is_jump and i.target is None:
            errors.append(f"{function.where(i)}: not a direct jump to a place in this section")
        elif function.successors(n).count(None) > (n < function.num_own and is_tail_call(function, i, functions, entries)):
            errors.append(f"{function.where(i)}: leaves its function")
    if not errors:
        check_saved(function)
        check_vzeroupper(function)


def check_object(o):
    for name, (size, flags) in o.sections.items():
        if size and "ALLOC" in flags and "READONLY" not in flags:
            errors.append(f"{o.name}: {name} is writable")
    if "CODE" in o.sections.get(".note.GNU-stack", (0, "CODE"))[1]:
        errors.append(f"{o.name}: .note.GNU-stack is missing or executable")
    for kind in sorted(set(o.relocations) - RELOCATIONS):
        errors.append(f"{o.name}: relocation {kind} isn't one of {', '.join(sorted(RELOCATIONS))}")
    for section, code in o.code.items():
        inside = {i.address for f in o.functions for i in f.instructions if o.symbols[f.name][0] == section}
        for i in code:
            if i.address not in inside and i.mnemonic != "nop":
                errors.append(f"{o.name}: {section}+{i.address:#x}: {i.text}: code outside all functions")


def check_enclosure(o, functions):
    """
    What lc_..._begin and _end enclose is the whole code of an implementation in that object, and nothing else; a row's code is that
    of the -wide ones, if there are any, and more, or the same; so is a -karatsuba one's, and a -general one's is that of the row
    without, and more.
    """
    labels = {f.labels for f in functions.values()} - {None}
    for name, (_, begin, _, _) in o.symbols.items():
        if not name.endswith("_begin"):
            continue
        label = name.removesuffix("_begin")
        if label not in labels:
            errors.append(f"{o.name}: {name} names no implementation")
            continue
        end = o.symbols.get(label + "_end", (None, -1))[1]
        narrow = label.removesuffix("_general").removesuffix("_wide")
        if "_wide" in label and [o.symbols.get(narrow + at, (None, -1))[1] for at in ("_begin", "_end")] == [begin, end]:
            continue
        enclosed = (label, label + "_wide", label.replace("_karatsuba", "_wide"), label.removesuffix("_general"))
        for f in o.functions:
            belongs = f.name in functions and functions[f.name].labels in enclosed
            for i in f.instructions:  # and of what it calls
                if (begin <= i.address < end) != belongs:
                    errors.append(f"{f.where(i)}: {'out' if belongs else 'in'}side of {name} .. _end")
                    break


def main():
    classes, functions = read_allowed(ALLOWED)
    num_functions = num_instructions = 0
    seen = set()
    for path in sys.argv[1:]:
        for o in disassembly.load(path):
            check_object(o)
            check_enclosure(o, functions)
            if not o.functions:
                errors.append(f"{o.name}: no functions in it")
            entries = {function.address: function.name for function in o.functions}
            for function in o.functions:
                check_function(function, classes, functions, entries)
                seen.add(function.name)
                num_functions += 1
                num_instructions += len(function.instructions)
    if {functions[name].mode for name in seen & set(functions)} == {function.mode for function in functions.values()}:
        for name, mnemonics in classes.items():
            errors.extend(f"[class {name}]: no function uses {m}" for m in mnemonics if (name, m) not in used)
    for error in errors:
        print(error)
    print(f"{num_functions} functions, {num_instructions} instructions, {len(errors)} errors")
    return 1 if errors or not num_functions else 0


if __name__ == "__main__":
    sys.exit(main())
