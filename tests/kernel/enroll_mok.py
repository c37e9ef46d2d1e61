#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""enroll_mok.py VARS CERTIFICATE OUT: OVMF's variables with one more, MokList, that has the certificate (DER).

That is what MokManager writes when somebody enrolls a key at the machine.  The formats are those of the UEFI specification
(EFI_SIGNATURE_LIST) and of EDK II (MdeModulePkg/Include/Guid/VariableFormat.h): a volume with a store, in which each variable
follows the one before; where there is none, all bits are set.
"""
import struct
import sys
import uuid

STORE = uuid.UUID("aaf32c78-947b-439a-a180-2e144ec37792").bytes_le  # gEfiAuthenticatedVariableGuid
SHIM = uuid.UUID("605dab50-e046-4300-abb6-3dd810dd8b23").bytes_le
X509 = uuid.UUID("a5c059a1-94e4-4aa7-87b5-ab155c2bf072").bytes_le
BEGIN, ADDED = 0x55AA, 0x3F
AT_BOOT = 3  # not volatile, and only there until the system boots: shim trusts no other
HEADER = struct.Struct("<HBBIQ16sIII16s")  # .., attributes, count, time, number of a key, lengths of name and data, vendor


def variable(name, vendor, attributes, data):
    name = (name + "\0").encode("utf-16-le")
    return HEADER.pack(BEGIN, ADDED, 0, attributes, 0, bytes(16), 0, len(name), len(data), vendor) + name + data


def aligned(at):
    return (at + 3) & -4


def main():
    with open(sys.argv[1], "rb") as file:
        variables = bytearray(file.read())
    with open(sys.argv[2], "rb") as file:
        certificate = file.read()
    store = variables.index(STORE)
    end = store + struct.unpack_from("<I", variables, store + 16)[0]
    at = store + 28
    while struct.unpack_from("<H", variables, at)[0] == BEGIN:
        *_, name_len, data_len, _vendor = HEADER.unpack_from(variables, at)
        at = aligned(at + HEADER.size + name_len + data_len)
    signature = SHIM + certificate  # whose it is, and the key
    signatures = X509 + struct.pack("<III", 28 + len(signature), 0, len(signature)) + signature
    new = variable("MokList", SHIM, AT_BOOT, signatures)
    room = slice(at, at + len(new))
    if room.stop > end or set(variables[room]) != {0xFF}:
        sys.exit("enroll_mok.py: there is no room for a variable")
    variables[room] = new
    with open(sys.argv[3], "wb") as file:
        file.write(variables)


main()
