#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
sbom.py VERSION SECONDS DIR >FILE: what a release is made of, as SPDX 2.3 in JSON.

The packages in DIR, with their SHA-256 and what each needs when it runs; this tree's files, with their sums and licences; and
what the build takes from elsewhere.  SECONDS is the date, as in SOURCE_DATE_EPOCH.  The same tree and packages give the same bytes.
The names of the tree's files are read from standard input, each with a NUL after it.
"""
import fnmatch
import hashlib
import json
import os
import re
import sys
import time
import tomllib

LICENCES = "BSD-2-Clause OR GPL-2.0-only"
# What comes from others: name, licence, package URL, and what it is for.  Nobody's code is in the tree.
OTHERS = {
    "openssl": ("Apache-2.0", "pkg:generic/openssl", "libcrypto 3 or later: the program opens it, and it opens the provider"),
    "cryptsetup": ("GPL-2.0-or-later WITH cryptsetup-OpenSSL-exception AND LGPL-2.1-or-later WITH cryptsetup-OpenSSL-exception",
                   "pkg:generic/cryptsetup", "libcryptsetup 2.4 or later: the program opens it for xts --luks"),
    "jansson": ("MIT", "pkg:generic/jansson", "a shared library"),
    "chart.js": ("MIT", "pkg:npm/chart.js", "compiled into the program, for the page that speed --html writes"),
    "cc": ("MIT OR Apache-2.0", "pkg:cargo/cc", "compiles the crate's C"),
    "aead": ("MIT OR Apache-2.0", "pkg:cargo/aead", "traits"),
    "rustls": ("Apache-2.0 OR ISC OR MIT", "pkg:cargo/rustls", "TLS, whose ciphers the crate gives it"),
}
# What a file of a release needs, by its name; the C library aside
NEEDS = [
    (r"^lanecrypt_.*\.deb$|^lanecrypt-[0-9].*\.rpm$", {"jansson": "DYNAMIC_LINK", "openssl": "OPTIONAL_DEPENDENCY_OF",
                                                       "cryptsetup": "OPTIONAL_DEPENDENCY_OF", "chart.js": "CONTAINS"}),
    (r"^(openssl-provider-lanecrypt_|lanecrypt-openssl-).*\.(deb|rpm)$", {"openssl": "DEPENDS_ON"}),
    (r"\.crate$", {"aead": "DEPENDS_ON", "rustls": "OPTIONAL_DEPENDENCY_OF", "cc": "BUILD_DEPENDENCY_OF"}),
]


def licence_of(name, head, listed):
    """The licence that a file's head or REUSE.toml gives."""
    found = re.search(r"SPDX-License" + r"-Identifier: ([^\n*]+?)\s*(?:-->|\*/)?$", head, re.M)
    if found:
        return found.group(1)
    for patterns, licence in listed:
        if any(fnmatch.fnmatchcase(name, pattern.replace("**", "*")) for pattern in patterns):
            return licence
    if name.startswith("LICENSES/"):
        return "NOASSERTION"  # the text of one
    sys.exit(f"sbom.py: {name}: no licence, neither in it nor in REUSE.toml")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def sums(data, *algorithms):
    return [{"algorithm": a, "checksumValue": hashlib.new(a.lower(), data).hexdigest()} for a in algorithms]


def main():
    version, seconds, folder = sys.argv[1:]
    names = sorted(name for name in sys.stdin.read().split("\0") if name and not os.path.islink(name))
    listed = [(a["path"], a["SPDX-License-Identifier"]) for a in tomllib.loads(read("REUSE.toml").decode())["annotations"]
              if "SPDX-License-Identifier" in a]
    copyright_text = "2026 the lanecrypt authors"

    files = []
    for number, name in enumerate(names):
        data = read(name)
        licence = licence_of(name, data[:400].decode("utf-8", "replace"), listed)
        files.append({"fileName": "./" + name, "SPDXID": f"SPDXRef-File-{number}", "checksums": sums(data, "SHA1", "SHA256"),
                      "licenseConcluded": licence, "licenseInfoInFiles": licence.split(" OR "),
                      "copyrightText": copyright_text})
    code = hashlib.sha1("".join(sorted(f["checksums"][0]["checksumValue"] for f in files)).encode()).hexdigest()

    ours = {"licenseConcluded": LICENCES, "licenseDeclared": LICENCES, "copyrightText": copyright_text,
            "downloadLocation": "NOASSERTION"}
    packages = [{"name": "lanecrypt", "SPDXID": "SPDXRef-lanecrypt", "versionInfo": version, **ours, "filesAnalyzed": True,
                 "packageVerificationCode": {"packageVerificationCodeValue": code}, "primaryPackagePurpose": "SOURCE",
                 "licenseInfoFromFiles": sorted({one for f in files for one in f["licenseInfoInFiles"]}),
                 "hasFiles": [f["SPDXID"] for f in files]}]
    relationships = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-lanecrypt")]
    for other, (licence, url, comment) in OTHERS.items():
        packages.append({"name": other, "SPDXID": f"SPDXRef-{other}", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                         "licenseConcluded": "NOASSERTION", "licenseDeclared": licence, "copyrightText": "NOASSERTION",
                         "comment": comment, "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                                               "referenceLocator": url}]})
    for number, name in enumerate(sorted(os.listdir(folder))):
        if name == "SHA256SUMS" or name.endswith(".spdx.json"):
            continue
        spdx_id = f"SPDXRef-Release-{number}"
        packages.append({"name": name, "SPDXID": spdx_id, "versionInfo": version, **ours, "filesAnalyzed": False,
                         "packageFileName": name, "checksums": sums(read(os.path.join(folder, name)), "SHA256")})
        relationships.append((spdx_id, "GENERATED_FROM", "SPDXRef-lanecrypt"))
        for pattern, needs in NEEDS:
            for other, how in needs.items() if re.search(pattern, name) else ():
                ends = spdx_id, f"SPDXRef-{other}"
                relationships.append((ends[1], how, ends[0]) if how.endswith("_OF") else (ends[0], how, ends[1]))

    body = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"lanecrypt-{version}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(seconds))),
                         "creators": ["Organization: the lanecrypt authors", f"Tool: lanecrypt-scripts/sbom.py-{version}"]},
        "packages": packages, "files": files,
        "relationships": [{"spdxElementId": a, "relationshipType": how, "relatedSpdxElement": b} for a, how, b in relationships],
    }
    # Another document has another name.
    digest = hashlib.sha256(json.dumps(body).encode()).hexdigest()
    body["documentNamespace"] = f"https://lanecrypt.invalid/spdx/lanecrypt-{version}-{digest[:32]}"
    json.dump(body, sys.stdout, indent=1)
    print()


main()
