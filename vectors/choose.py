#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A choice of NIST's published vectors (CAVP), which are in the public domain: vectors/nist/, for tests without a network.

    python3 vectors/choose.py PUBLISHED            writes the files
    python3 vectors/choose.py --check PUBLISHED    compares them with what would be written

PUBLISHED is the folder that tests/fetch_vectors.sh has filled; the names below it are the same."""
import os
import re
import sys

CHOICE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "nist")
FOLDER = "cryptography_vectors"
RECORD = re.compile(r"(COUNT|Count|Len|Msg|Seed|SHAAlg) = ")  # the first line of one
OF_OUR_CURVES = re.compile(r"\[P-(256|384),SHA-(256|384|512)\]")


def blocks(text):
    """What empty lines are between, as lists of lines."""
    text = re.sub(r"[ \r]*\n", "\n", text).strip("\n")
    return [block.split("\n") for block in re.split(r"\n{2,}", text)]


def every(step, wanted=lambda block, titles: True):
    """Every step-th of the wanted records from the first on, with the titles and keys before them.  Steps have no divisor in common
    with the lengths of the files' groups, so that all positions in them come."""
    def choose(text):
        chosen, num, titles, written, after_record = [], 0, [], False, False
        for block in blocks(text):
            if not RECORD.match(block[0]):
                titles = [block] if after_record else titles + [block]
                written = after_record = False
                continue
            after_record = True
            if not wanted(block, titles):
                continue
            if num % step == 0:
                chosen += [block] if written else titles + [block]
                written = True
            num += 1
        return chosen
    return choose


def below(num_bytes):
    """Hashes' messages of less than that many bytes."""
    def choose(text):
        return [block for block in blocks(text)
                if not block[0].startswith("Len = ") or int(block[0][6:]) < 8 * num_bytes]
    return choose


def of_our_curves(text):
    """The parts that are about P-256 and P-384 and hash functions that the library has."""
    chosen, ours = [], True  # comments come first
    for block in blocks(text):
        if block[0].startswith("["):
            ours = OF_OUR_CURVES.match(block[0])
        if ours:
            chosen.append(block)
    return chosen


def of_our_sizes(block, titles):
    """Is it a record with SHA-2 of at least 256 bits and a key of at least 2048?"""
    modulus = next(line for title in titles for line in title if line.startswith("n = "))
    return block[0] not in ("SHAAlg = SHA1", "SHAAlg = SHA224") and len(modulus) >= 4 + 2048 // 4


FILES = {}
for bits in 128, 192, 256:
    for test in "GFSbox", "KeySbox", "VarKey", "VarTxt":
        FILES[f"ciphers/AES/ECB/ECB{test}{bits}.rsp"] = every(11)
    for name in "gcmEncryptExtIV", "gcmDecrypt":
        FILES[f"ciphers/AES/GCM/{name}{bits}.rsp"] = every(113)
    for form in ("tweak-128hexstr", "tweak-dataunitseqno") if bits != 192 else ():
        FILES[f"ciphers/AES/XTS/{form}/XTSGenAES{bits}.rsp"] = every(23)
for name, longest in ("SHA256", 65), ("SHA384", 129), ("SHA512", 129):
    FILES[f"hashes/SHA2/{name}ShortMsg.rsp"] = below(longest)
    FILES[f"hashes/SHA2/{name}LongMsg.rsp"] = below(1000)
    FILES[f"hashes/SHA2/{name}Monte.rsp"] = every(1)
for name in "SigGen.txt", "SigVer.rsp":
    FILES[f"asymmetric/ECDSA/FIPS_186-3/{name}"] = of_our_curves
for name in "SigGen15", "SigGenPSS", "SigVer15", "SigVerPSS":
    FILES[f"asymmetric/RSA/FIPS_186-2/{name}_186-3.rsp"] = every(7, of_our_sizes)


def main():
    check = sys.argv[1:2] == ["--check"]
    if len(sys.argv) != 2 + check:
        sys.exit(__doc__)
    expected = {}
    for name, choose in FILES.items():
        with open(os.path.join(sys.argv[-1], FOLDER, name), encoding="ascii", newline="") as file:
            chosen = choose(file.read())
        expected[os.path.join(CHOICE, FOLDER, name)] = "\n\n".join("\n".join(block) for block in chosen) + "\n"
    if not check:
        for path, text in expected.items():
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
        return
    there = {os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(CHOICE, FOLDER)) for name in names}
    for path in sorted(there | set(expected)):
        text = None
        if path in there:
            with open(path, encoding="ascii") as file:
                text = file.read()
        if text != expected.get(path):
            sys.exit(f"choose.py: {path} isn't what is chosen now: python3 vectors/choose.py {sys.argv[-1]} writes the files")


main()
