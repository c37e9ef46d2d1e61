#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
check_size.py OBJECT-or-ARCHIVE...

Print the bytes of machine code of each implementation, from the labels lc_<code>_begin and _end, and of the functions that several
have in common, and compare each with the limit of its mode.  What the largest one has left is its head room.  Code without a limit
is an error, and so is a row without code.

Of an archive also what curves take in all, the compiler's code and tables too, by kind: docs/publickey.md has the reasons.
"""
import os
import re
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import rows  # noqa: E402

# Bytes for one implementation: (what its labels begin with, limit).
LIMITS = {"xts": ("aes_xts_", 11008), "ctr": ("aes_ctr_", 2816), "gcm": ("aes_gcm_", 12288), "chacha20": ("chacha20_", 11008),
          "poly1305": ("poly1305_", 3584),
          "sha256": ("sha256_", 3072), "sha512": ("sha512_", 3584), "sm3": ("sm3_", 4096), "ecdsa-p256": ("p256_", 12288),
          "x25519": ("25519_", 12800), "ecdsa-p384": ("p384_", 15360), "sm2": ("sm2_", 9472), "rsa": ("rsa_", 6144)}
# What is beside the rows: labels, or a function
SHARED = {"aes_gcm_many": 7168, "aes_gcm_powers_pclmul": 1024, "aes_gcm_powers_vaes_avx512_512": 1024,
          "aes_gcm_powers_vaes_avx512_256": 1024, "poly1305_power_x86_64": 512,
          "sha512_blocks_avx512": 3072, "sha512_blocks_avx2": 3072, "rsa_one_mul_avx512ifma_512": 13312,
          "25519_ladder_one_avx512ifma_256": 3328}
# Curves: (the objects, limit of what they have of code and constants).  For compiled code it's what Clang 19 needs, the most.
CURVES = r"(x86_)?(curve|ec_|ecdh_|ecdsa_|ed25519|mod|p256|p384|sm2|x25519)\w*\.[cS]\.o"
CURVE_KINDS = {"tables": (r"\w+_table\.c\.o", 375000), "assembly": (r"\w+\.S\.o", 163900), "compiled": (r"\w+\.c\.o", 150000)}


def check_curves(path, errors):
    sizes, kind = dict.fromkeys(CURVE_KINDS, 0), None
    for line in subprocess.run(["size", "-A", path], check=True, capture_output=True, text=True).stdout.splitlines():
        if match := re.match(r"(\S+\.o) +\(ex ", line):
            kinds = [k for k, (pattern, _) in CURVE_KINDS.items() if re.fullmatch(pattern, match[1])]
            kind = kinds[0] if re.fullmatch(CURVES, match[1]) else None
        elif kind and (match := re.match(r"\.(?:text|rodata|data\.rel\.ro|eh_frame)\S* +(\d+)", line)):
            sizes[kind] += int(match[1])
    if not any(sizes.values()):
        return
    for kind, size in sizes.items():
        limit = CURVE_KINDS[kind][1]
        print(f"{'curves, ' + kind:32} {size:7}   limit {limit:6}, head room {100 * (limit - size) // limit:3} %")
        if size <= 0 or size > limit:
            errors.append(f"curves, {kind}: {size} bytes, limit {limit}")
    print(f"{'curves, in all':32} {sum(sizes.values()):7}")


def main():
    addresses, sizes, errors = {}, {}, []
    for path in sys.argv[1:]:
        for line in subprocess.run(["nm", "-S", path], check=True, capture_output=True, text=True).stdout.splitlines():
            if match := re.fullmatch(r"([0-9a-f]+) [a-zA-Z] lc_(\w+_(?:begin|end))", line):
                addresses[match[2]] = int(match[1], 16)
            elif (match := re.fullmatch(r"[0-9a-f]+ ([0-9a-f]+) [tT] lc_(\w+)", line)) and match[2] in SHARED:
                sizes[match[2]] = int(match[1], 16)
    for name, begin in addresses.items():
        if name.endswith("_begin"):
            code = name.removesuffix("_begin")
            sizes[code] = addresses.get(code + "_end", begin) - begin

    def check(code, limit):
        size = sizes.pop(code, 0)
        print(f"{code:32} {size:7}   limit {limit:6}, head room {100 * (limit - size) // limit:3} %")
        if size <= 0 or size > limit:
            errors.append(f"{code}: {size} bytes, limit {limit}")
        return size

    total = 0
    for mode, (prefix, limit) in LIMITS.items():
        codes = [prefix + row.symbol for row in rows.rows_of("x86", mode) if row.vectors != "PORTABLE"]
        longest = {}  # by where it begins: a row's code can be another's, and a few instructions more
        for code in codes:
            begin = addresses.get(code + "_begin")
            longest[begin] = max(longest.get(begin, 0), check(code, limit))
        all_rows = sum(longest.values())
        total += all_rows
        print(f"{mode + ', all':32} {all_rows:7}")
    total += sum([check(code, limit) for code, limit in SHARED.items()])
    print(f"{'in all':32} {total:7}")
    for path in sys.argv[1:]:
        check_curves(path, errors)
    errors.extend(f"{code}: which implementation is that?" for code in sizes)
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
