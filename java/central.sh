#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# central.sh [KEY]: makes target/central.zip, the bundle that Maven Central's portal takes: jar, sources, javadoc and pom, signed by
# KEY or gpg's default one, with checksums.  It uploads nothing.  `build.sh --all` comes before; check_central.py has the rules.
set -eu
cd "$(dirname "$0")"

die() {
    echo "central.sh: $*" >&2
    exit 1
}

[ $# -le 1 ] || { echo "usage: java/central.sh [KEY]" >&2; exit 2; }
for arch in x86_64 aarch64; do
    [ -f target/native/linux-$arch/liblanecrypt_jni.so ] || die "the jar lacks the library for $arch: call build.sh --all first"
done
command -v gpg >/dev/null || die "gpg is missing (Debian: gnupg)"

rm -f target/lanecrypt-*.jar* target/central.zip
mvn -B -q -P central verify -Dmaven.test.skip=true ${1:+"-Dgpg.keyname=$1"}
python3 check_central.py --make target target/central.zip
rm -f target/lanecrypt-*-sources.jar* target/lanecrypt-*-javadoc.jar* target/lanecrypt-*.asc # one jar stays: lanecrypt-VERSION.jar
python3 check_central.py target/central.zip
