#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
check_hardening.py ARCHITECTURE SOURCE_DIR BUILD_DIR ARCHIVE LINKED...

What is linked (libraries, modules, programs) has its relocations done and read-only before it runs, and says nothing of the folders
in which it was built.  On x86-64, each object of the archive is marked for Intel's CET (a linked file is too where libc's own
objects are, which Debian's aren't), and each function that others can call begins with endbr64.
"""
import os
import re
import subprocess
import sys

errors = []


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def check_linked(path):
    if not re.search(r"\(FLAGS(_1)?\).*\b(BIND_)?NOW\b", run("readelf", "-dW", path)):
        errors.append(f"{path}: isn't BIND_NOW")
    if "GNU_RELRO" not in run("readelf", "-lW", path):
        errors.append(f"{path}: has no RELRO")


def check_paths(path, folders):
    with open(path, "rb") as file:
        data = file.read()
    for folder in folders:
        if folder.encode() in data:
            errors.append(f"{path}: names {folder}, where it was built")


def check_cet(archive):
    members = run("ar", "t", archive).split()
    marked = re.findall(r"Properties: .*x86 feature: IBT, SHSTK", run("readelf", "-nW", archive))
    if len(marked) != len(members):
        errors.append(f"{archive}: {len(marked)} of {len(members)} objects are marked as ready for CET")
    # <name>: and the line after it; labels inside of the assembly's functions are no functions.
    functions = set()
    for line in run("readelf", "-sW", archive).splitlines():
        words = line.split()
        if len(words) >= 8 and words[3] == "FUNC" and words[4] == "GLOBAL":
            functions.add(words[7])
    seen = 0
    code = run("objdump", "-d", "--no-show-raw-insn", archive)
    for name, first in re.findall(r"^[0-9a-f]+ <(\w+)>:\n\s*[0-9a-f]+:\s+(\S+)", code, re.MULTILINE):
        if name in functions:
            seen += 1
            if first != "endbr64":
                errors.append(f"{archive}: {name} begins with {first}, not with endbr64")
    if seen < 50:
        errors.append(f"{archive}: only {seen} functions were found")


def main():
    architecture, source, build, archive, *linked = sys.argv[1:]
    for path in linked:
        check_linked(path)
    for path in (archive, *linked):
        check_paths(path, {os.path.realpath(source), os.path.realpath(build)})
    if architecture in ("x86_64", "AMD64", "amd64"):
        check_cet(archive)
    print("\n".join(errors) or f"{len(linked)} files and {archive}: hardened")
    return 1 if errors else 0


sys.exit(main())
