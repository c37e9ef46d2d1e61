#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# packages.sh DIR: the packages of DIR (scripts/package.sh) on this system, as root: made again, which gives the same; installed,
# used, upgraded, removed while the provider is enabled, purged; then nothing is left of them.  It changes the system, which should
# be one that is thrown away (fresh.sh).  One line a check; exit status 0 if nothing failed.
set -eu
[ $# = 1 ] || { echo "usage: packages.sh DIR" >&2; exit 2; }
packages=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
conf=/etc/ssl/openssl.cnf
names="lanecrypt lanecrypt-dkms liblanecrypt-dev liblanecrypt-java liblanecrypt0.1 openssl-provider-lanecrypt"

fail() {
    echo "FAIL packages: $*"
    exit 1
}

# quiet COMMAND...: its output is shown if it fails
quiet() {
    "$@" >"$work/log" 2>&1 || {
        tail -n 40 "$work/log"
        fail "$*"
    }
}

# All files but those that apt and dpkg keep of what they have done; of those in /etc, /usr and /boot also what is in them
snapshot() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /root -o -path /var/log \
        -o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path "$work" \) -prune -o \
        -printf '%p %y %m %U:%G %l\n' | sort >"$1"
    find /etc /boot -xdev -type f ! -name ld.so.cache -exec sha256sum {} + | sort -k 2 >>"$1"
    dpkg-query -W -f '${Package} ${Status}\n' | grep -v ' not-installed$' | sort >>"$1"
}

# The same packages as of a later version
later() {
    mkdir -p "$work/later"
    for name in $names; do
        rm -rf "$work/tree"
        dpkg-deb -R "$packages/${name}"_*.deb "$work/tree"
        version=$(dpkg-deb -f "$packages/${name}"_*.deb Version)
        find "$work/tree/DEBIAN" -type f -exec sed -i "s/${version}/${version}.1/g" {} +
        if [ -d "$work/tree/usr/src" ]; then
            mv "$work/tree/usr/src/lanecrypt-$version" "$work/tree/usr/src/lanecrypt-$version.1"
            sed -i "s/${version}/${version}.1/" "$work/tree/usr/src/lanecrypt-$version.1/dkms.conf"
        fi
        dpkg-deb -b --root-owner-group -Znone "$work/tree" "$work/later/${name}.deb" >/dev/null
    done
}

doctor_says() {
    said=$(lanecrypt doctor || :)
    case $said in *"lanecrypt serves $1 of 10 ciphers."*) ;; *) fail "$2: $said" ;; esac
}

# Made once more, in a folder with a longer name, with another umask, time zone and language: the same files, byte for byte.
mkdir -p "$work/some/other/folder" "$work/again"
git clone -q . "$work/some/other/folder/lanecrypt"
(
    umask 077
    export TMPDIR="$work/some/other/folder" TZ=Asia/Tokyo LC_ALL=C.UTF-8
    quiet sh "$work/some/other/folder/lanecrypt/scripts/package.sh" "$work/again"
)
(cd "$work/again" && quiet sha256sum --check "$packages/SHA256SUMS") || fail "made in another folder, they are others"
echo "ok   packages: made again in another folder, they are the same"

export DEBIAN_FRONTEND=noninteractive
# What they need and what the tests need comes before, and stays.
quiet apt-get install -y --no-install-recommends curl nginx-light gcc libc6-dev pkg-config binutils openssl libjansson4 dkms \
    default-jdk-headless
snapshot "$work/before"
cp -p "$conf" "$work/openssl.cnf"

files=
for name in $names; do
    files="$files $(echo "$packages/${name}"_*.deb)"
done
# shellcheck disable=SC2086
quiet apt-get install -y --no-install-recommends $files
echo "ok   packages: installed"
cmp "$conf" "$work/openssl.cnf" || fail "installing has changed $conf"
# dpkg's options have reached the compiler, and each object, assembly too, is marked for Intel's CET.
library=$(dpkg -L liblanecrypt-dev | grep '\.a$')
readelf -sW "$library" | grep -q 'UND __stack_chk_fail$' || fail "$library: compiled without -fstack-protector-strong"
case $(uname -m) in x86_64)
    [ "$(readelf -nW "$library" | grep -c 'x86 feature: IBT, SHSTK')" = "$(ar t "$library" | wc -l)" ] ||
        fail "$library: not all objects are marked for CET" ;;
esac
for test in java library program provider; do
    quiet debian/tests/$test
    echo "ok   packages: debian/tests/$test"
done

lanecrypt openssl-conf --enable >/dev/null
later
quiet apt-get install -y --no-install-recommends "$work"/later/*.deb
for name in $names; do
    case $(dpkg-query -W -f '${Status} ${Version}' "$name") in "install ok installed "*.1) ;; *) fail "$name isn't upgraded" ;; esac
done
doctor_says 10 "after the upgrade"
echo "ok   packages: upgraded, and still enabled"

# An administrator's change stays.
sed -i '1i# changed' "$conf"
sed -i '1i# changed' "$work/openssl.cnf"
quiet apt-get remove -y openssl-provider-lanecrypt
cmp "$conf" "$work/openssl.cnf" || fail "$conf isn't what it was, after the removal of what was enabled"
doctor_says 0 "after the removal"
sed -i 1d "$conf"
echo "ok   packages: removed while enabled"

# shellcheck disable=SC2086
quiet apt-get purge -y $names
snapshot "$work/after"
diff "$work/before" "$work/after" || fail "something is left, or missing"
left=$(find /var/lib/dpkg/info /var/lib/dkms /var/cache/man -name '*lanecrypt*' 2>/dev/null || :) # not all are there
[ -z "$left" ] || fail "left: $left"
echo "ok   packages: purged, nothing is left"
