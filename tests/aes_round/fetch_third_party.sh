#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# fetch_third_party.sh DESTDIR: put code by others that is written with x86's AES intrinsics into DESTDIR, as it is, for the test of
# lanecrypt/compat/.  Versions and SHA-256 sums are pinned.
#
#   DESTDIR/pycryptodome/   from PyPI (BSD-2-Clause): src/AESNI.c and its headers; its own test vectors as vectors.rsp
#   DESTDIR/libaegis/       from crates.io's aegis (MIT): AEGIS-128L, -128X2 and -128X4
#
# Does nothing if all of it is there already.  Needs python3 with pip and setuptools, and cargo.
set -eu

pycryptodome_version=3.20.0
pycryptodome_sha256=09609209ed7de61c2b560cc5c8c4fbf892f8b15b1faf7e4cbffac97db1fffda7
aegis_version=0.9.20
aegis_sha256=41585f248ed9406567ae6d61ca2a55ed3dc7348e65203a01229881253acb95e3

[ $# = 1 ] || { echo "usage: $0 DESTDIR" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dest=$(cd "$1" && pwd)
stamp="$dest/.fetched-$pycryptodome_version-$aegis_version"
if [ -e "$stamp" ]; then
    exit 0
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
rm -rf "$dest/pycryptodome" "$dest/libaegis"

echo "pycryptodome==$pycryptodome_version --hash=sha256:$pycryptodome_sha256" > "$tmp/requirements.txt"
# pip asks the package's setup.py for its name, for which this Python may have all that is wanted; if not, pip fetches that.
download() {
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --no-binary :all: --dest "$tmp" "$@" \
        --requirement "$tmp/requirements.txt"
}
download --no-build-isolation 2> "$tmp/pip.log" || download
mkdir "$dest/pycryptodome"
tar -xzf "$tmp/pycryptodome-$pycryptodome_version.tar.gz" -C "$dest/pycryptodome" --strip-components=1 \
    --wildcards '*/src/AESNI.c' '*/src/*.h' '*/LICENSE.rst' '*/SelfTest/Cipher/test_AES.py'
python3 - "$dest/pycryptodome/lib/Crypto/SelfTest/Cipher/test_AES.py" > "$dest/pycryptodome/vectors.rsp" <<'END'
import ast, sys
print("# From pycryptodome's test_AES.py: one block each")
for node in ast.parse(open(sys.argv[1]).read()).body:
    if isinstance(node, ast.Assign) and node.targets[0].id == "test_data" and isinstance(node.value, ast.List):
        for entry in node.value.elts:
            if not all(isinstance(value, ast.Constant) for value in entry.elts):
                continue # modes with parameters
            plain, cipher, key, name = ast.literal_eval(entry)
            if len(plain) == len(cipher) == 32:
                print(f"\n# {name}\nKEY = {key.lower()}\nPLAINTEXT = {plain.lower()}\nCIPHERTEXT = {cipher.lower()}")
END

sh "$here/../fetch_crate.sh" aegis $aegis_version $aegis_sha256 "$tmp/vendor"
cp -R "$tmp/vendor/aegis/src/c/libaegis/src" "$dest/libaegis"
touch "$stamp"
