#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
check_symbols.py SHARED STATIC MAN

The shared library exports exactly what exported_symbols.txt says, as symbols of the version that its soname has.  In the static
library, all other global names are hidden, all begin with lc_, and nothing is taken from outside but NEEDED.  MAN,
section 3 of the manual, has a page for each exported function.
"""
import os
import re
import subprocess
import sys

EXPORTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "exported_symbols.txt")

# What the core may take from outside: no I/O, no allocation, and of libc only these (clang makes bcmp of some memcmp).
NEEDED = set("memcpy memset memcmp bcmp strlen strcspn strchr strcmp secure_getenv getrandom "
             "__stack_chk_fail _GLOBAL_OFFSET_TABLE_".split())

errors = []


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def check_exports(shared, expected):
    soname = re.search(r"Library soname: \[liblanecrypt\.so\.(.*)\]", "\n".join(run("readelf", "-dW", shared)))
    version = f"LANECRYPT_{soname.group(1)}" if soname else "LANECRYPT_?"
    exported = set()
    for line in run("nm", "-D", "--defined-only", "--with-symbol-versions", shared):
        name, _, its_version = line.split()[-1].partition("@@")
        if name == version:  # the version itself is one
            continue
        exported.add(name.split("@")[0])
        if its_version != version:
            errors.append(f"{shared}: {name} has the version '{its_version}', not {version}")
    errors.extend(f"{shared}: {name} isn't exported" for name in sorted(expected - exported))
    errors.extend(f"{shared}: {name} is exported, but isn't in exported_symbols.txt" for name in sorted(exported - expected))
    errors.extend(f"{shared}: {name} doesn't begin with lc_" for name in sorted(exported) if not name.startswith("lc_"))


def check_globals(static, expected):
    defined, undefined = {}, set()
    for line in run("readelf", "-sW", static):
        words = line.split()
        if len(words) >= 8 and words[0].rstrip(":").isdigit() and words[4] in ("GLOBAL", "WEAK", "UNIQUE"):
            if words[6] == "UND":
                undefined.add(words[7])
            else:
                defined[words[7]] = words[5]
    if not defined:
        errors.append(f"{static}: no symbols?")
    for name, visibility in sorted(defined.items()):
        if not name.startswith("lc_"):
            errors.append(f"{static}: {name} doesn't begin with lc_")
        if name not in expected and visibility != "HIDDEN":
            errors.append(f"{static}: {name} isn't exported, but its visibility is {visibility}")
    errors.extend(f"{static}: takes {name} from outside" for name in sorted(undefined - set(defined) - NEEDED))
    return len(defined)


def main():
    shared, static, man = sys.argv[1:]
    lines = [line for line in open(EXPORTED, encoding="utf-8").read().splitlines() if not line.startswith("#")]
    if lines != sorted(set(lines)):
        errors.append(f"{EXPORTED}: not sorted, or a name twice")
    check_exports(shared, set(lines))
    errors.extend(f"{man}: no page for {name}" for name in lines if not os.path.exists(os.path.join(man, name + ".3")))
    num_globals = check_globals(static, set(lines))
    for error in errors:
        print(error)
    print(f"{len(lines)} exported, {num_globals} global names, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
