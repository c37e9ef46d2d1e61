#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# package.sh [--dkms] DIR: make Debian's packages of this tree in DIR, with the source package and SHA256SUMS; with --dkms only the
# one that has the sources of the kernel module, for which no compiler is needed.
#
# The same sources give the same files, byte for byte, wherever they are.  SOURCE_DATE_EPOCH is honoured.  No network is needed.
set -eu

only=
if [ "${1:-}" = --dkms ]; then
    only=1
    shift
fi
[ $# = 1 ] || { echo "usage: package.sh [--dkms] DIR" >&2; exit 2; }

# Before anything else, so that nothing is left behind when something is missing.
missing=
# dpkg-buildpackage asks for it, whatever a package needs.
case $(dpkg-query -W -f '${Status}' build-essential 2>/dev/null) in *' installed') ;; *) missing=" build-essential" ;; esac
command -v dpkg-buildpackage >/dev/null || missing="$missing dpkg-dev"
command -v dh >/dev/null || missing="$missing debhelper"
command -v dh_dkms >/dev/null || missing="$missing dh-dkms"
# dpkg-buildpackage asks for this one, too.
[ -n "$only" ] || case $(dpkg-query -W -f '${Status}' default-jdk-headless 2>/dev/null) in
*' installed') ;;
*) missing="$missing default-jdk-headless" ;;
esac
if [ -n "$missing" ]; then
    echo "package.sh: missing packages; please run, as root:  apt-get install --no-install-recommends$missing" >&2
    exit 1
fi

mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
version=$(awk '/^#define LANECRYPT_VERSION_(MAJOR|MINOR|PATCH) / { v = v dot $3; dot = "." } END { print v }' \
    include/lanecrypt/lanecrypt.h)
# The names of packages and files have to be written again for each minor version, as each has a soname of its own.
for file in debian/control debian/liblanecrypt*.install debian/liblanecrypt*.symbols; do
    case $(grep -o 'liblanecrypt[0-9][0-9.]*[0-9]' "$file" | sort -u) in
    '' | "liblanecrypt${version%.*}") ;;
    *) echo "package.sh: $file is about another version than ${version%.*}" >&2; exit 1 ;;
    esac
done

# A copy of the sources may lie in a checkout of something else.
checkout=
[ "$(git rev-parse --show-toplevel 2>/dev/null)" != "$(pwd -P)" ] || checkout=1

# The date in the packages: that of the last commit, or of the version's header in a tree that isn't a checkout.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
    SOURCE_DATE_EPOCH=$([ -n "$checkout" ] && git log -1 --format=%ct 2>/dev/null || stat -c %Y include/lanecrypt/lanecrypt.h)
fi
export SOURCE_DATE_EPOCH

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
work=$tmp/lanecrypt-$version
mkdir "$work"
# What git knows or would take, and without git all but what builds leave.
if [ -n "$checkout" ]; then
    git ls-files -z --cached --others --exclude-standard
else
    find . -path './build*' -prune -o -name .git -prune -o -name target -prune -o ! -type d -print0
fi | tar --null --ignore-failed-read -cf - -T - 2>/dev/null | tar -xf - -C "$work"
# Modes and times are set because they go into the packages, and a checkout's depend on the umask and on when it was made.
umask 022
chmod -R u=rwX,go=rX "$work"
find "$work" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
cat >"$work/debian/changelog" <<EOF
lanecrypt ($version) unstable; urgency=medium

  * Version $version; see the log of the repository.

 -- $(sed -n 's/^Maintainer: //p' debian/control)  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
EOF

if ! (cd "$work" && dpkg-buildpackage ${only:+--build=all} -us -uc) >"$tmp/log" 2>&1; then
    tail -n 30 "$tmp/log" >&2
    echo "package.sh: dpkg-buildpackage failed" >&2
    exit 1
fi
cd "$tmp"
if [ -n "$only" ]; then
    cp "lanecrypt-dkms_${version}_all.deb" "$out/"
    echo "$out/lanecrypt-dkms_${version}_all.deb"
else
    # Not .changes and .buildinfo, which say when and where it was.
    sha256sum -- *.deb *.dsc *.tar.* >SHA256SUMS
    cp -- *.deb *.dsc *.tar.* SHA256SUMS "$out/"
    echo "$out:"
    cat SHA256SUMS
fi
