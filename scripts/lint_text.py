#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
What all files have in common: lint_text.py lines|licences <NAMES

lines: at most 132 columns, in Markdown 120; white space; an end.  Markdown's tables and code are as long as they are, and so are
rows of tables between `clang-format off` and `on` in C, and in a .def.
licences: each file begins with a line that names them, or is listed in REUSE.toml.
"""
import fnmatch
import re
import sys
import tomllib

# In two, as reuse would take it for this file's own
LICENCES = "SPDX-License" + "-Identifier: BSD-2-Clause OR GPL-2.0-only"


def lines(name, text):
    if re.search(r"\.(svg|html|json)$|^LICENSES/|^vectors/nist/cryptography_vectors/|^proofs/equivalent-mutants\.txt$", name):
        return
    if not text.endswith("\n"):
        yield "no newline at the end"
    is_markdown = name.endswith(".md")
    is_code = is_off = False
    for number, line in enumerate(text.splitlines(), 1):
        if is_markdown and line.lstrip().startswith("```"):
            is_code = not is_code
        if "clang-format o" in line:
            is_off = "clang-format off" in line
        if re.search(r"/\* clang-format (on|off)[^ ]", line):
            yield f"{number}: clang-format knows only /* clang-format off */ and on, with nothing else in the comment"
        as_it_is = name.endswith(".def") or is_off or is_markdown and (is_code or re.match(r" *\||    ", line))
        limit = 120 if is_markdown else 132
        if len(line) > limit and not as_it_is:
            yield f"{number}: {len(line)} columns, more than {limit}"
        if line != line.rstrip() and not is_code:
            yield f"{number}: white space at the end"
        if line.startswith("\t") and not re.search(r"(Makefile|Kbuild|debian/rules)$", name):
            yield f"{number}: a tab at the beginning"


def licences(name, text):
    if name.startswith("LICENSES/") or LICENCES in text[:400]:
        return
    if not any(fnmatch.fnmatchcase(name, pattern) for pattern in listed()):
        yield "begins with no SPDX-License-Identifier for both licences, and REUSE.toml doesn't list it"


def listed():
    with open("REUSE.toml", "rb") as f:
        annotations = tomllib.load(f)["annotations"]
    return [p.replace("**", "*") for a in annotations if "SPDX-License-Identifier" in a for p in a["path"]]


status = 0
for name in sys.stdin.read().split():
    with open(name, encoding="utf-8", errors="replace", newline="") as f:
        for what in {"lines": lines, "licences": licences}[sys.argv[1]](name, f.read()):
            print(f"{name}:{what}" if what[0].isdigit() else f"{name}: {what}")
            status = 1
sys.exit(status)
