#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# release.sh DIR: make all that a release has in DIR: Debian's packages and the source package (scripts/package.sh), RPMs, wheels,
# the jar, the crate; lanecrypt-VERSION.spdx.json, which lists what they are made of; SHA256SUMS.  On x86-64, as it has compilers
# for all.  What the doors' tools are made of comes from their registries, so this needs a network.
set -eu
[ $# = 1 ] || { echo "usage: release.sh DIR" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

die() {
    echo "release.sh: $*" >&2
    exit 1
}

[ -z "$(ls -A "$out")" ] || die "$out isn't empty: what is there would become a part of the release"
command -v cargo >/dev/null || die "there is no cargo"
[ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] || die "a release is made from a checkout"
[ -z "$(git status --porcelain)" ] || echo "release.sh: this is no release: there are changes that aren't committed" >&2
version=$(sed -n 's/^#define LANECRYPT_VERSION_[A-Z]* //p' include/lanecrypt/lanecrypt.h | paste -sd .)
grep -q "\"version\": \"$version\"" vcpkg/vcpkg.json || die "vcpkg/vcpkg.json must have the version of the headers, $version"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

# step COMMAND...: its output is shown if it fails
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 1' HUP INT TERM
step() {
    "$@" >"$log" 2>&1 || {
        tail -n 40 "$log" >&2
        die "$* failed"
    }
}

step sh scripts/package.sh "$out"
step sh scripts/rpm.sh "$out"
step sh python/build.sh --all
cp build-python/dist/*.whl "$out/"
step sh java/build.sh --all
cp java/target/lanecrypt-*.jar "$out/"
step cargo package --locked --no-verify --allow-dirty --target-dir build-rust/package
step cp "build-rust/package/package/lanecrypt-$version.crate" "$out/"

git ls-files -z | python3 scripts/sbom.py "$version" "$SOURCE_DATE_EPOCH" "$out" >"$out/lanecrypt-$version.spdx.json"
cd "$out"
rm -f SHA256SUMS
sha256sum -- * >"$log"
cp "$log" SHA256SUMS
chmod 644 SHA256SUMS
echo "$out:"
cat SHA256SUMS
