#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
check_size.py OBJECT-or-ARCHIVE...

Print the bytes of machine code of each mode and implementation, from the labels lc_<mode>_<impl>_begin and _end, and of the mode's
functions that all implementations have in common, and compare the sum of each mode with its limit.  A mode without a limit is an
error, and so is a limit without a mode.
"""
import re
import subprocess
import sys

LIMITS = {"aes_ctr": 6144, "aes_gcm": 32768, "aes_xts": 20480, "chacha20": 22528, "poly1305": 8192}  # all implementations together
TOGETHER = {("chacha20", "poly1305"): 28672}  # and those of several modes
COMMON = {"aes_gcm": ["powers_pclmul"], "poly1305": ["power_bmi2"]}  # mode -> functions outside the labels


def main():
    addresses, functions = {}, {}
    for path in sys.argv[1:]:
        for line in subprocess.run(["nm", "-S", path], check=True, capture_output=True, text=True).stdout.splitlines():
            if match := re.fullmatch(r"([0-9a-f]+) [a-zA-Z] (lc_\w+_(?:begin|end))", line):
                addresses[match[2]] = int(match[1], 16)
            elif match := re.fullmatch(r"[0-9a-f]+ ([0-9a-f]+) [tT] (lc_\w+)", line):
                functions[match[2]] = int(match[1], 16)
    sizes, errors = {}, []
    for name, begin in sorted(addresses.items(), key=lambda a: a[1]):
        if match := re.fullmatch(r"lc_(\w+?)_((?:aesni|vaes|avx|bmi|sse|ssse|many)\w*)_begin", name):
            mode, impl = match.groups()
            size = addresses.get(f"lc_{mode}_{impl}_end", begin) - begin
            if size <= 0:
                errors.append(f"{name} has no _end behind it")
            sizes.setdefault(mode, {})[impl] = size
        elif name.endswith("_begin"):
            errors.append(f"{name}: which implementation is that?")
    for mode, names in COMMON.items():
        for name in names:
            sizes.setdefault(mode, {})[name] = functions.get(f"lc_{mode}_{name}", 0)
            if not sizes[mode][name]:
                errors.append(f"{mode}: {name} isn't there")
    for mode, impls in sizes.items():
        total, limit = sum(impls.values()), LIMITS.get(mode)
        for impl, size in impls.items():
            print(f"{mode:20} {impl:20} {size:7}")
        print(f"{mode:20} {'all':20} {total:7}   limit {limit}")
        if limit is None or total > limit:
            errors.append(f"{mode}: {total} bytes, limit {limit}")
    for modes, limit in TOGETHER.items():
        total = sum(sum(sizes.get(mode, {}).values()) for mode in modes)
        print(f"{' + '.join(modes):20} {'all':20} {total:7}   limit {limit}")
        if total > limit:
            errors.append(f"{' + '.join(modes)}: {total} bytes, limit {limit}")
    errors.extend(f"{mode}: nothing found" for mode in LIMITS if mode not in sizes)
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
