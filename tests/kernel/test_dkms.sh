#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# test_dkms.sh BUILD_DIR KVER=DIR...: the DKMS package of the kernel module.  Each DIR has the headers of the kernel KVER.
#
# Makes the package from a copy of the sources, then adds, builds, installs and removes it with the system's dkms, whose trees are
# all put below BUILD_DIR: no kernel has to be installed, and nothing of the system is changed.  DKMS may name another dkms.  One
# line a check, then "N passed, N failed"; exit status 0 if nothing failed.
#
# Needs the packages dkms debhelper dh-dkms kmod openssl make and the kernels' compilers; fakeroot unless it's run by root, because
# `dkms install` asks for that.  If a program is missing, all of it is skipped.
set -eu

[ $# -ge 2 ] || { echo "usage: test_dkms.sh BUILD_DIR KVER=DIR..." >&2; exit 2; }
mkdir -p "$1"
BUILD=$(cd "$1" && pwd)
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
shift
PATH=$PATH:/usr/sbin:/sbin
passed=0
failed=0

fakeroot=
[ "$(id -u)" = 0 ] || fakeroot=fakeroot
DKMS=${DKMS:-dkms}
for program in "$DKMS" dh dh_dkms dpkg-buildpackage modprobe depmod modinfo openssl make $fakeroot; do
    command -v "$program" >/dev/null || {
        echo "SKIPPED dkms: no program '$program'"
        echo "0 passed, 0 failed, 1 skipped"
        exit 0
    }
done

# check WHAT COMMAND...: the check passes if the command does
check() {
    what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok   $what"
    else
        failed=$((failed + 1))
        echo "FAIL $what"
    fi
}

# logged FILE COMMAND...: the command's output goes to FILE, and its end is shown if the command fails
logged() {
    log=$1
    shift
    "$@" >"$log" 2>&1 || {
        tail -n 20 "$log"
        return 1
    }
}

# same EXPECTED FOUND: two files
same() {
    diff -u "$1" "$2"
}

# status NUMBER LOG COMMAND...: the command exits with that status
status() {
    want=$1 log=$2 found=0
    shift 2
    "$@" >"$log" 2>&1 || found=$?
    [ "$found" = "$want" ]
}

empty() {
    [ -z "$1" ] || { echo "$1"; return 1; }
}

# signed FILE: by the key that dkms has made, and by no other: as the kernel looks at a module's end, where there are the signature
# (CMS), 12 bytes whose last 4 are its length, big-endian, and a line that says so
signed() {
    case $1 in
    *.xz) xz -dc "$1" >signed.ko ;;
    *.zst) zstd -qdc "$1" >signed.ko ;;
    *) cp "$1" signed.ko ;;
    esac
    [ "$(tail -c 28 signed.ko)" = "~Module signature appended~" ] || return 1
    signature_len=$((0x$(tail -c 32 signed.ko | head -c 4 | od -An -t x1 | tr -d ' ')))
    tail -c $((signature_len + 40)) signed.ko | head -c $signature_len >signed.cms
    truncate -s -$((signature_len + 40)) signed.ko
    openssl x509 -inform DER -in "$mok_certificate" -out signed.pem
    if [ ! -e other.pem ]; then
        openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=other -keyout other.key -out other.pem 2>/dev/null
    fi
    verify() {
        openssl cms -verify -binary -inform DER -in signed.cms -content "$2" -nointern -certfile "$1" -CAfile "$1" -purpose any \
            -out /dev/null 2>>signed.log
    }
    { cat signed.ko; echo; } >signed.changed
    verify signed.pem signed.ko && ! verify other.pem signed.ko && ! verify signed.pem signed.changed
}

# What dkms would change if it weren't told to work elsewhere.
system() {
    for dir in /var/lib/dkms /usr/src /lib/modules/*; do
        ls -la --time-style=full-iso "$dir" "$dir/updates" 2>/dev/null || :
    done
}

# copy_sources DIR: as they are here, but without what a build has left
copy_sources() {
    mkdir -p "$1"
    (cd "$ROOT" && find debian scripts linux src include docs -type f ! -name '*.o' ! -name '.*' ! -name '*.mod*' ! -name '*.ko' \
        ! -name 'Module.symvers' ! -name 'modules.order' | tar -cf - -T -) | tar -xf - -C "$1"
}

# ---- The package ----

work=$BUILD/dkms
rm -rf "$work"
mkdir -p "$work"
cd "$work"
copy_sources clean
copy_sources used
system >system.before

# What a build would have left must not be in the package, wherever it is made and whatever the umask.
touch used/linux/lanecrypt.ko used/linux/lanecrypt.mod.c used/linux/main.o used/linux/.main.o.cmd used/src/x86/left.o
export SOURCE_DATE_EPOCH=1700000000
umask 022
check "package: make deb" logged clean.log make -C clean/linux deb
umask 077
check "package: make deb in a tree that has been built in" logged used.log make -C used/linux deb
umask 022
deb=$(find clean/build -name 'lanecrypt-dkms_*_all.deb')
[ -n "$deb" ] || { echo "$passed passed, $((failed + 1)) failed"; exit 1; }
check "package: the same, byte for byte" cmp "$deb" "used/build/${deb##*/}"
check "package: nothing else is left in build/" empty "$(find clean/build used/build -type f ! -name '*.deb')"
version=$(sed -n 's/^#define LANECRYPT_VERSION_[MP].* \([0-9]*\)$/\1/p' clean/include/lanecrypt/lanecrypt.h | paste -sd .)
check "package: version $version" [ "$(dpkg-deb -f "$deb" Version)" = "$version" ]

check "package: without its tools, failure" status 1 missing.log env PATH=/nonexistent \
    /bin/sh clean/scripts/package.sh --dkms clean/build
all="build-essential dpkg-dev debhelper dh-dkms"
check "package: and a line that names their packages" [ "$(cat missing.log)" = \
    "package.sh: missing packages; please run, as root:  apt-get install --no-install-recommends $all" ]

dpkg-deb -R "$deb" package
check "package: scripts that add, build and remove" grep -q common.postinst package/DEBIAN/postinst
check "package: the initramfs is made again" grep -qx 'activate-noawait update-initramfs' package/DEBIAN/triggers

# The sources in it are the files that the compiler reads, no more and no less; the rest is this.
src=usr/src/lanecrypt-$version
cat >files.expected <<EOF
etc/kernel/header_postinst.d/lanecrypt-dkms
usr/lib/modprobe.d/lanecrypt-dkms.conf
usr/share/doc/lanecrypt-dkms/changelog.gz
usr/share/doc/lanecrypt-dkms/copyright
usr/share/doc/lanecrypt-dkms/linux.md.gz
$src/dkms.conf
$src/linux/Kbuild
$src/linux/Makefile
EOF
# Debian's kernels have types (BTF) for modules, whose making needs more programs and helps nobody here.
export MAKEFLAGS="CONFIG_DEBUG_INFO_BTF_MODULES="
check "a build in the tree" logged make.log make -C clean/linux "KDIR=${1#*=}"
find clean/linux clean/src -name '.*.cmd' -exec cat {} + | tr -s ' ' '\n' | grep -E '\.([chS]|def)$' | grep -v '\.mod\.c$' |
    sort -u | (cd clean/linux && xargs realpath -m --relative-to=..) | grep -v '^\.\./' |
    while read -r file; do [ ! -f "clean/$file" ] || echo "$src/$file"; done |
    sort -u - files.expected >files.all
find package -path package/DEBIAN -prune -o -type f -printf '%P\n' | sort >files.found
check "package: the files that it should have" same files.all files.found

# ---- DKMS ----

# Keys of its own: dkms makes them where these variables say, else in /var/lib/dkms, whatever --dkmstree is.
export mok_signing_key="$work/mok.key" mok_certificate="$work/mok.pub"
mkdir trees
mv "package/usr/src" sources
trees="--dkmstree $work/trees --sourcetree $work/sources --installtree $work/root/lib/modules"

# run ACTION KVER DIR [OPTION...]
run() {
    action=$1 kver=$2 dir=$3
    shift 3
    # shellcheck disable=SC2086
    sign_file=$dir/scripts/sign-file $fakeroot "$DKMS" "$action" -m lanecrypt -v "$version" -k "$kver" \
        --kernelsourcedir "$dir" --no-depmod $trees "$@"
}

# would_load KVER QUESTION...: what modprobe says, with the package's configuration and no other
would_load() {
    version_asked=$1
    shift
    modprobe -C "$work/package/usr/lib/modprobe.d" -d "$work/root" -S "$version_asked" "$@"
}

# with_dm_crypt KVER: the modules, in order, that are loaded for dm-crypt
with_dm_crypt() {
    would_load "$1" --show-depends dm_crypt | sed 's#.*/##; s/\.ko.*//' | paste -sd ' '
}

# shellcheck disable=SC2086
check "dkms add" logged add.log "$DKMS" add -m lanecrypt -v "$version" $trees
for kernel; do
    kver=${kernel%%=*} dir=${kernel#*=}
    lib=$work/root/lib/modules/$kver
    mkdir -p "$lib/kernel"
    check "$kver: dkms build" logged "build-$kver.log" run build "$kver" "$dir" -a x86_64
    check "$kver: dkms install" logged "install-$kver.log" run install "$kver" "$dir" -a x86_64
    ko=$(find "$lib/updates/dkms" -name 'lanecrypt.ko*' 2>/dev/null) || :
    check "$kver: updates/dkms/lanecrypt.ko" [ -n "$ko" ]
    [ -n "$ko" ] || continue

    modinfo "$ko" >"modinfo-$kver"
    check "$kver: version" grep -qx "version: *$version" "modinfo-$kver"
    check "$kver: licence" grep -qx "license: *Dual BSD/GPL" "modinfo-$kver"
    check "$kver: vermagic" grep -q "^vermagic: *$kver " "modinfo-$kver"
    check "$kver: parameter below" grep -q "^parm: *below:.*(bool)" "modinfo-$kver"
    check "$kver: parameter prefer" grep -q "^parm: *prefer:.*(charp)" "modinfo-$kver"
    check "$kver: says who has signed it" grep -q "^signer: *DKMS module signing key" "modinfo-$kver"
    check "$kver: signed by the key that dkms has made" signed "$ko"

    # The kernel asks for the first ones when such an algorithm is wanted and nobody has it yet, udev for the last for each CPU with
    # AES instructions (feature 4 * 32 + 25, in hexadecimal).
    : >"$lib/modules.order"
    : >"$lib/modules.builtin"
    : >"$lib/modules.builtin.modinfo"
    depmod -b root "$kver"
    for alias in "crypto-xts(aes)" "crypto-ctr(aes)" "crypto-gcm(aes)" "crypto-rfc4106(gcm(aes))" \
        "cpu:type:x86,ven0002fam0019mod0011:feature:,0019,0099,009A,"; do
        check "$kver: '$alias' loads it" [ "$(would_load "$kver" -R "$alias")" = lanecrypt ]
    done
    # Any module does as dm-crypt, to see what goes with it.
    cp "$ko" "$lib/kernel/dm-crypt${ko##*/lanecrypt}"
    depmod -b root "$kver"
    check "$kver: dm-crypt loads it before itself" [ "$(with_dm_crypt "$kver")" = "lanecrypt dm-crypt" ]
    mv "$ko" away
    depmod -b root "$kver"
    check "$kver: dm-crypt goes without it" [ "$(with_dm_crypt "$kver")" = dm-crypt ]
    mv away "$ko"
    rm "$lib/kernel"/dm-crypt*
done

# It isn't built, and that isn't an error (77), where it can't work.
kver=${1%%=*} dir=${1#*=}
check "not for Linux 6.0" status 77 excluded.log run build 6.0.12-amd64 "$dir" -a x86_64
check "not for Linux 5.10" status 77 excluded.log run build 5.10.0-33-amd64 "$dir" -a x86_64
check "not for other architectures" status 77 excluded.log run build "$kver-arm64" "$dir" -a aarch64
regex=$(sed -n 's/^BUILD_EXCLUSIVE_KERNEL="\(.*\)"$/\1/p' "sources/lanecrypt-$version/dkms.conf")
for other in 6.1.1 6.10-rc1-amd64 6.16+deb13-amd64 6.18.5 7.0-rc1 7.3.4 10.0.1; do
    check "for Linux $other" [ "$(echo "$other" | grep -cE "$regex")" = 1 ]
done

# ---- The initramfs of a kernel that was installed before its headers ----

# The script in /etc/kernel, with stand-ins for what it looks at and calls.
mkdir bin boot modules modules/k modules/k/updates
printf '#!/bin/sh\necho "$*" >>"%s/calls"\nexit 1\n' "$work" >bin/update-initramfs
chmod 755 bin/update-initramfs
sed "s#/boot/#$work/boot/#; s#/lib/modules/#$work/modules/#" package/etc/kernel/header_postinst.d/lanecrypt-dkms >hook
# hook EXPECTED_CALLS [ARGUMENT]: it succeeds whatever happens
hook() {
    expected=$1
    shift
    : >calls
    PATH="$work/bin:$PATH" sh hook "$@" 2>hook.log && [ "$(cat calls)" = "$expected" ]
}
check "hook: nothing without a version" hook ""
check "hook: nothing without an initramfs" hook "" k
touch -d 2020-01-02 boot/initrd.img-k
check "hook: nothing without the module" hook "" k
touch -d 2020-01-01 modules/k/updates/lanecrypt.ko
check "hook: nothing if the module is older than the initramfs" hook "" k
touch -d 2020-01-03 modules/k/updates/lanecrypt.ko
check "hook: the initramfs is made again if the module is newer; a failure isn't passed on" hook "-u -k k" k
check "hook: but said" grep -q "please run: update-initramfs -u -k k" hook.log

# ---- Removal ----

# shellcheck disable=SC2086
check "dkms remove" logged remove.log "$DKMS" remove -m lanecrypt -v "$version" --all --no-depmod $trees
check "no module is left" empty "$(find root trees -name '*lanecrypt*.ko*')"
system >system.after
check "nothing of the system has changed" same system.before system.after

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
