#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Runs the tests on each JDK: test.sh [JDK_HOME...]; without any, on the one that Maven takes.  LANECRYPT_VECTORS_DIR is where the
# published vectors are or are to be put, and build-vectors if it isn't set.
set -eu
cd "$(dirname "$0")"

vectors=${LANECRYPT_VECTORS_DIR:-../build-vectors}
sh ../tests/fetch_vectors.sh "$vectors"
vectors=$(cd "$vectors" && pwd)

for home; do
    [ -x "$home/bin/javac" ] || { echo "test.sh: $home is not a JDK: it has no bin/javac" >&2; exit 2; }
done
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    ./build.sh --all
else
    echo "SKIPPED the jar's native library for aarch64: no aarch64-linux-gnu-gcc (Debian: gcc-aarch64-linux-gnu)"
    ./build.sh
fi
./check_libc.sh target/native/linux-*/liblanecrypt_jni.so
# What Maven Central would get, signed by a key that is forgotten at once
if [ ! -d target/native/linux-aarch64 ]; then
    echo "SKIPPED the bundle for Maven Central: it has the native library for aarch64"
elif ! command -v gpg >/dev/null; then
    echo "SKIPPED the bundle for Maven Central: no gpg (Debian: gnupg)"
else
    GNUPGHOME=$(mktemp -d)
    export GNUPGHOME
    trap 'gpgconf --kill all; rm -rf "$GNUPGHOME"' EXIT
    trap 'exit 1' HUP INT TERM
    gpg --batch --quiet --pinentry-mode loopback --passphrase '' --quick-generate-key 'a test' ed25519 sign 1d
    ./central.sh
    python3 check_central.py --broken target/central.zip
fi

[ $# -gt 0 ] || set -- "${JAVA_HOME:-}"
for home; do
    if [ -n "$home" ]; then
        export JAVA_HOME="$home"
    fi
    mvn -v | sed -n 's/^Java version/test.sh: Java/p'
    rm -rf target/surefire-reports
    mvn -B -q -Dlanecrypt.vectors="$vectors" test
    # Maven says nothing of tests that pass, and nothing of there being none.
    python3 - target/surefire-reports <<'END'
import glob, sys
from xml.etree import ElementTree
suites = [ElementTree.parse(f).getroot() for f in glob.glob(sys.argv[1] + "/TEST-*.xml")]
run, skipped = (sum(int(s.get(k)) for s in suites) for k in ("tests", "skipped"))
if run < 200:
    sys.exit(f"test.sh: only {run} tests were run")
print(f"test.sh: {run} tests, {skipped} of them skipped")
for s in suites:
    for c in s.iter("testcase"):
        skipped = c.find("skipped")
        if skipped is not None:
            reason = skipped.get("message") or (skipped.text or "no reason").splitlines()[0]
            print(f"SKIPPED {c.get('classname')}.{c.get('name')}: {reason}")
END
done
