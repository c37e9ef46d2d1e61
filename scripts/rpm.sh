#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# rpm.sh DIR: make RPM packages of this tree in DIR by rpm/lanecrypt.spec, with rpmbuild, which Debian has in its package rpm.  On
# Debian what a build needs is no RPM, so rpmbuild isn't asked for it; CMake is.  SOURCE_DATE_EPOCH is honoured.
set -eu
[ $# = 1 ] || { echo "usage: rpm.sh DIR" >&2; exit 2; }
command -v rpmbuild >/dev/null || { echo "rpm.sh: rpmbuild is missing (Debian: rpm)" >&2; exit 1; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define LANECRYPT_VERSION_[A-Z]* //p' include/lanecrypt/lanecrypt.h | paste -sd .)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
work=$tmp/lanecrypt-$version
mkdir "$work" "$tmp/SOURCES"
git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -cf - -T - 2>/dev/null | tar -xf - -C "$work"
umask 022
tar -C "$tmp" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" \
    -cJf "$tmp/SOURCES/lanecrypt-$version.tar.xz" "lanecrypt-$version"
rm -rf "$work"
rpmbuild -bb --nodeps --define "_topdir $tmp" --define "lanecrypt_version $version" --define "_buildhost localhost" \
    --define "use_source_date_epoch_as_buildtime 1" --define "clamp_mtime_to_source_date_epoch 1" \
    rpm/lanecrypt.spec >"$tmp/log" 2>&1 || {
    tail -n 40 "$tmp/log" >&2
    echo "rpm.sh: rpmbuild failed" >&2
    exit 1
}
cp "$tmp"/RPMS/*/*.rpm "$out/"
ls "$tmp"/RPMS/*
