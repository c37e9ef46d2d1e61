#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
The list of implementations (src/rows.def), read for everything that isn't C.

  rows.py chosen ISA FEATURE,..         the implementation of each mode that a CPU with these features gets, a line each
  rows.py tests ISA FEATURE,.. NAME=FEATURE,..  what the tests expect, with the words in which CMake reads it:
                                        best MODE NAME: the implementation that a CPU with everything gets
                                        loss MODE FEATURE LIST NAME: a line for each feature whose loss changes the choice; all that
                                        have to be taken away for that, and the choice then
                                        without MODE NAME: an implementation that needs none of the first features
                                        on CPU MODE NAME: what a CPU with these features gets
  rows.py drivers                       the kernel module's drivers: name, algorithm, class, features, best first
  rows.py docs [--check] FILE           write the tables of CPUs after the marks in FILE, or compare them with what is there

ISA is x86, arm, or empty: any other.
"""
import os
import re
import sys

SRC = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src")
ISAS = {"x86": "x86-64", "arm": "64-bit Arm"}
MODES = {"XTS": "xts", "CTR": "ctr", "GCM": "gcm", "CHACHA20": "chacha20", "POLY1305": "poly1305",
         "CHACHA20POLY1305": "chacha20-poly1305", "SHA256": "sha256", "SHA512": "sha512", "SM3": "sm3",
         "ECDSA_P256": "ecdsa-p256", "ECDH_P256": "ecdh-p256", "ECDSA_P384": "ecdsa-p384", "ECDH_P384": "ecdh-p384",
         "SM2": "sm2",
         "X25519": "x25519", "ED25519": "ed25519", "RSA": "rsa"}


class Row:
    def __init__(self, mode, columns, in_kernel):
        self.mode, self.in_kernel = mode, in_kernel
        self.name, self.symbol, needs, prefers, self.vectors, self.cpus = columns[:6]
        self.needs, self.prefers = needs, prefers


def feature_names():
    """LC_AVX2 -> avx2, as feature_list.h has it, in its order"""
    text = open(os.path.join(SRC, "feature_list.h"), encoding="utf-8").read()
    return {"LC_" + name: word for name, word in re.findall(r'LC_FEATURE\(\d+, (\w+), "([^"]+)"\)', text)}


def read(path):
    """The rows of one file.  What isn't a row, a definition or a comment is C for the preprocessor, and no row hides in it."""
    text = re.sub(r"/\*.*?\*/", "", open(path, encoding="utf-8").read(), flags=re.S)
    macros, rows, order = {}, [], list(feature_names().items())

    def features(expression):
        for _ in range(len(macros) + 1):
            expression = re.sub(r"\w+", lambda m: macros.get(m[0], m[0]), expression)
        words = set(re.findall(r"\w+", expression)) - {"0"}
        if unknown := words - {name for name, _ in order}:
            raise SystemExit(f"{path}: no feature is called {unknown}")
        return [word for name, word in order if name in words]

    for line in text.splitlines():
        if match := re.fullmatch(r"#define (\w+) (.+)", line):
            macros[match[1]] = match[2]
        elif match := re.fullmatch(r"(?:LC_NOT_IN_KERNEL\()?ROW_(\w+)\((.*?)\)\)?", line):
            columns = [c.strip() for c in re.findall(r'\s*("[^"]*"|[^,]+)', match[2])]
            if match[1] not in MODES or len(columns) < 6:
                raise SystemExit(f"{path}: no row: {line}")
            columns[2:4] = features(columns[2]), features(columns[3])
            columns[5] = macros.get(columns[5], columns[5])
            for i in (0, 5):
                columns[i] = columns[i].strip('"')
            rows.append(Row(MODES[match[1]], columns, line.startswith("ROW_")))
        elif "ROW_" in line and not line.startswith("#"):
            raise SystemExit(f"{path}: a row is one line: {line}")
    return rows


def rows_of(isa, mode=None):
    """The ISA's rows, best first in each mode, the portable one last"""
    rows = read(os.path.join(SRC, isa, "rows.def")) if isa else []
    rows += read(os.path.join(SRC, "rows.def"))
    return [row for row in rows if mode in (None, row.mode)]


def select(rows, features):
    return next(row for row in rows if set(row.needs + row.prefers) <= features)


def all_features(rows):
    return {feature for row in rows for feature in row.needs + row.prefers}


def feature_tests(rows):
    """
    From the best row down: each feature that the chosen row has and the next one hasn't is taken away by itself, and then all of
    them.  So every feature in the list is missed once, and every row chosen that can be.
    """
    tests, gone, everything = [], [], all_features(rows)
    for row, below in zip(rows, rows[1:]):
        more = [f for f in row.prefers + row.needs[::-1] if f not in below.needs + below.prefers and f not in gone]
        for feature in more:
            tests.append((gone + [feature], select(rows, everything - set(gone) - {feature})))
        gone = gone + more
    return tests


def expectations(isa, unwanted, cpus):
    everything = rows_of(isa)
    for mode in MODES.values():
        rows = [row for row in everything if row.mode == mode]
        print("best", mode, select(rows, all_features(rows)).name)
        for gone, row in feature_tests(rows):
            print("loss", mode, gone[-1], ",".join(gone), row.name)
        for row in rows:
            if not unwanted & set(row.needs):
                print("without", mode, row.name)
        for cpu, features in cpus.items():
            print("on", cpu, mode, select(rows, set(features.split(","))).name)


def drivers():
    for mode, algorithm, prefix in (("xts", "xts(aes)", ""), ("ctr", "ctr(aes)", ""), ("gcm", "gcm(aes)", ""),
                                    ("gcm", "rfc4106(gcm(aes))", "rfc4106-"),
                                    ("chacha20-poly1305", "rfc7539(chacha20,poly1305)", "rfc7539-"),
                                    ("chacha20-poly1305", "rfc7539esp(chacha20,poly1305)", "rfc7539esp-")):
        for row in rows_of("x86", mode):
            if row.in_kernel and row.vectors != "PORTABLE":
                # xts-aes-<features> -> xts-aes-lanecrypt-<features>
                name = re.sub("^(.+-(aes|poly1305))-", r"\1-lanecrypt-", row.name)
                print(prefix + name, algorithm, row.vectors, *row.needs)


def table(isa):
    lines = [f"| Implementation for {ISAS[isa]} | Chosen on |", "| --- | --- |"]
    lines += [f"| `{row.name}` | {row.cpus} |" for mode in MODES.values() for row in rows_of(isa, mode)]
    return "\n".join(lines)


def policy_table():
    """The CPUs that x86/features.c excludes from 512-bit vectors, by the reasons that it gives"""
    text = open(os.path.join(SRC, "x86", "features.c"), encoding="utf-8").read()
    models = re.findall(r'\{ (0x[0-9a-f]+), "no: (.+?) lowers? ', text)
    return "\n".join(["| Family 6, model | CPUs |", "| --- | --- |"] + [f"| {model} | {cpus} |" for model, cpus in models])


def docs(path, check):
    text = old = open(path, encoding="utf-8").read()
    for name, contents in [(isa, table(isa)) for isa in ISAS] + [("policy", policy_table())]:
        begin, end = f"<!-- scripts/rows.py makes this table: {name} -->\n", "<!-- end -->\n"
        if text.count(begin) != 1:
            raise SystemExit(f"{path}: {text.count(begin)} times {begin.strip()}")
        before, rest = text.split(begin)
        text = before + begin + "\n" + contents + "\n\n" + rest[rest.index(end):]
    if check and text != old:
        raise SystemExit(f"{path}: its tables of CPUs aren't those of the sources; please run:  scripts/rows.py docs {path}")
    if not check:
        open(path, "w", encoding="utf-8").write(text)


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "chosen":
        for mode in MODES.values():
            print(select(rows_of(arguments[1], mode), set(arguments[2].split(","))).name)
    elif len(arguments) >= 3 and arguments[0] == "tests":
        expectations(arguments[1], set(arguments[2].split(",")), dict(cpu.split("=") for cpu in arguments[3:]))
    elif arguments == ["drivers"]:
        drivers()
    elif len(arguments) == 2 and arguments[0] == "docs":
        docs(arguments[1], False)
    elif len(arguments) == 3 and arguments[:2] == ["docs", "--check"]:
        docs(arguments[2], True)
    else:
        raise SystemExit(__doc__.strip())


if __name__ == "__main__":
    main(sys.argv[1:])
