#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""luks2_header.py VOLUME OLD NEW: replace OLD by NEW in the JSON of both headers of a LUKS2 volume, and make their sums right."""
import hashlib
import sys

BINARY, SUM = 4096, slice(0x1C0, 0x200)


def main():
    path, old, new = sys.argv[1:]
    with open(path, "r+b") as volume:
        volume.seek(8)
        size = int.from_bytes(volume.read(8), "big")
        for at in (0, size):
            volume.seek(at)
            header = bytearray(volume.read(size))
            text = header[BINARY:].rstrip(b"\0")
            if old.encode() not in text:
                sys.exit(f"luks2_header.py: no {old} in {text.decode()}")
            header[BINARY:] = text.replace(old.encode(), new.encode()).ljust(size - BINARY, b"\0")
            header[SUM] = bytes(64)
            header[SUM] = hashlib.new(header[72:104].rstrip(b"\0").decode(), header).digest().ljust(64, b"\0")
            volume.seek(at)
            volume.write(header)


main()
