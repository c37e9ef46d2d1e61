#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# AES rounds in QEMU, as it is and with helpers that call lanecrypt (docs/qemu.md).  See usage().
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)

CACHE=${LANECRYPT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/lanecrypt}/qemu
what="AES rounds in QEMU"
# shellcheck disable=SC1091
. "$here/../debian.sh"
GUEST_SUITES="trixie forky" # where guests' packages are from: the first that can be had
GUESTS="aarch64 x86_64 ppc64le riscv64"
JOBS=${LANECRYPT_QEMU_JOBS:-$(nproc)}

usage() {
    cat <<'END'
usage: run.sh [GUEST...]           a table: `openssl speed` in guests, in QEMU 7.2 and 10, as they are and patched
       run.sh --check [GUEST...]   the file of vectors, vectors/aes-round.json, in the same emulators
       run.sh --check-host-arm     the same in a patched emulator that itself runs on an emulated Arm
       run.sh --test               the vectors and self-tests in one patched emulator, QEMU 7.2's for x86-64

GUEST: aarch64, x86_64, ppc64le, riscv64; without one, all.

The sources and the guests' packages are Debian's, by apt, 150 MB.  A build takes about a minute on two idle CPUs for each guest
and emulator, of which there are five.  All is kept in $LANECRYPT_CACHE/qemu, or ~/.cache/lanecrypt/qemu: 4 GB.
Exit status: 0; 1 if something is wrong; 77, with the reason, if something that is needed can't be had.
END
}

# ---- Debian's packages ----

# source_of MAJOR SUITE...: $source is that QEMU's source, as Debian has it in the first suite with one.  Without Debian, what is
# there will do.
source_of() {
    major=$1
    version=
    shift
    for suite; do
        name=source-$suite
        apt_update "$name" deb-src "$(dpkg --print-architecture)" "$suite" || continue
        version=$(apt_cache "$name" showsrc --only-source qemu | sed -n "s/^Version: 1:\($major\..*\)/\1/p" | sort -V | tail -n 1)
        [ -z "$version" ] || break
    done
    if [ -z "$version" ]; then
        for source in "$CACHE/source/qemu-$major."*-plain; do
            [ ! -d "$source" ] || return 0
        done
        cannot "no source of QEMU $major in Debian's $*: $(reason "$CACHE/apt/$name/log")"
    fi
    source=$CACHE/source/qemu-$version-plain
    [ ! -d "$source" ] || return 0
    say "fetching QEMU $version"
    new_entry
    (cd "$new" && apt_get "$name" source --download-only "qemu=1:$version" >"$CACHE/apt/$name/log" 2>&1) ||
        cannot "apt can't fetch QEMU's source: $(reason "$CACHE/apt/$name/log")"
    quietly "$CACHE/apt/$name/log" dpkg-source -x "$new"/*.dsc "$new/tree"
    keep "$source"
}

# guest_root GUEST: $root has the guest's openssl and its libraries.
guest_root() {
    case $1 in aarch64) arch=arm64 ;; x86_64) arch=amd64 ;; ppc64le) arch=ppc64el ;; *) arch=$1 ;; esac
    root=$CACHE/guest/$arch
    [ ! -d "$root" ] || return 0
    for suite in $GUEST_SUITES; do
        apt_update "guest-$arch" deb "$arch" "$suite" || continue
        ! unpacked guest "$arch" openssl libssl3t64 libc6 zlib1g libzstd1 || return 0
    done
    cannot "apt can't read Debian's packages for $arch: $(reason "$CACHE/apt/guest-$arch/log")"
}

# arm_root: $root has what QEMU for an Arm host needs besides a compiler.
arm_root() {
    root=$CACHE/host/arm64
    [ ! -d "$root" ] || return 0
    apt_update host-arm64 deb arm64 bookworm ||
        cannot "apt can't read Debian's packages for arm64: $(reason "$CACHE/apt/host-arm64/log")"
    unpacked host arm64 libc6 libglib2.0-0 libglib2.0-dev libpcre2-8-0 libpcre2-dev zlib1g zlib1g-dev libgcc-s1 ||
        cannot "apt can't fetch Debian's packages for arm64: $(reason "$CACHE/apt/host-arm64/log")"
}

# ---- Building ----

# library NAME OPTION...: lanecrypt, and what of this directory is part of QEMU, at places that don't depend on where this is
library() {
    name=$1
    shift
    mkdir -p "$CACHE/build" "$CACHE/helpers"
    log=$CACHE/build/$name.log
    # A build of another checkout can't go on with this one.
    grep -qsx "CMAKE_HOME_DIRECTORY:INTERNAL=$top" "$CACHE/build/$name/CMakeCache.txt" || rm -rf "$CACHE/build/$name"
    quietly "$log" cmake -S "$top" -B "$CACHE/build/$name" -G Ninja -DCMAKE_INSTALL_PREFIX="$CACHE/$name" \
        -DLANECRYPT_TESTS=OFF -DLANECRYPT_OPENSSL=OFF "$@"
    quietly "$log" ninja -C "$CACHE/build/$name" -j "$JOBS" install
    for helper in "$here"/helpers/*.h; do
        cmp -s "$helper" "$CACHE/helpers/${helper##*/}" || cp "$helper" "$CACHE/helpers/"
    done
}

# qemu SERIES VARIANT GUEST...: the emulators are in $built.  VARIANT: plain; lanecrypt; no-aes, which takes the host for one
# without AES instructions; arm, which is lanecrypt for an Arm host.
qemu() {
    series=$1 variant=$2
    shift 2
    python='' cross=''
    case $series in
    7.2)
        source_of 7 bookworm
        need_programs meson
        ;;
    10)
        source_of 10 sid trixie
        # Debian 12's Meson is too old, and Debian's source doesn't have QEMU's own copy.
        if ! [ "$(printf '%s\n1.5.0\n' "$(meson --version 2>/dev/null)" | sort -V | head -n 1)" = 1.5.0 ]; then
            python=$CACHE/venv/bin/python3
            [ -x "$CACHE/venv/bin/meson" ] || {
                python3 -m venv "$CACHE/venv" && "$CACHE/venv/bin/pip" install -q meson==1.5.0
            } >"$CACHE/venv.log" 2>&1 || cannot "no Meson 1.5 or later, nor from Python's packages: $(tail -n 1 "$CACHE/venv.log")"
        fi
        ;;
    esac
    case $variant in
    plain) patch= ;;
    lanecrypt) patch=$here/patches/$series.patch ;;
    arm)
        patch=$here/patches/$series.patch cross=--cross-prefix=aarch64-linux-gnu-
        arm_root
        ;;
    *) patch=$here/patches/$series-$variant.patch ;;
    esac
    options="--target-list=aarch64-linux-user,x86_64-linux-user,ppc64le-linux-user,riscv64-linux-user,riscv32-linux-user
        --without-default-features --disable-system --disable-tools --disable-docs --disable-werror --disable-install-blobs"
    cflags="-I$CACHE/helpers -I$CACHE/lanecrypt/include"
    key="$(basename "$source") $variant $(${CC:-cc} --version | head -n 1) $(echo "$options" "$cflags" | sha256sum | cut -c 1-12)"
    if [ -n "$patch" ]; then
        sum=$(sha256sum <"$patch" | cut -c 1-12)
        patched=${source%-plain}-$variant-$sum
        key="$key $sum"
        if [ ! -d "$patched" ]; then
            new_entry
            cp -a "$source" "$new/tree"
            quietly "$CACHE/build/patch.log" patch -d "$new/tree" -p1 --fuzz=0 -i "$patch"
            rm -rf "${source%-plain}-$variant"-*
            keep "$patched"
        fi
        source=$patched
    fi
    built=$CACHE/build/qemu-$series-$variant
    if [ "$(cat "$built/key" 2>/dev/null)" != "$key" ]; then
        rm -rf "$built"
        mkdir -p "$built"
        (
            cd "$built"
            export PKG_CONFIG=pkg-config PKG_CONFIG_PATH="$CACHE/lanecrypt/lib/pkgconfig"
            if [ -n "$cross" ]; then # by files that say where the packages are, instead of where they would be installed
                mkdir pkgconfig
                for file in "$root"/usr/lib/aarch64-linux-gnu/pkgconfig/*.pc; do
                    sed "s#^prefix=/usr#prefix=$root/usr#" "$file" >"pkgconfig/${file##*/}"
                done
                export PKG_CONFIG_LIBDIR="$built/pkgconfig" PKG_CONFIG_PATH="$CACHE/lanecrypt-arm/lib/pkgconfig"
                export LDFLAGS="-Wl,-rpath-link,$root/usr/lib/aarch64-linux-gnu"
            fi
            # shellcheck disable=SC2086
            PATH=${python:+$CACHE/venv/bin:}$PATH \
                quietly "$built.log" "$source/configure" ${cross:+"$cross"} ${python:+--python="$python"} $options \
                --extra-cflags="$cflags"
        )
        echo "$key" >"$built/key"
    fi
    programs=
    for target; do
        [ -x "$built/qemu-$target" ] || say "building QEMU $series, $variant: qemu-$target"
        programs="$programs qemu-$target"
    done
    # shellcheck disable=SC2086
    quietly "$built.log" ninja -C "$built" -j "$JOBS" $programs
}

# ---- The file of vectors ----

# guest_program NAME COMPILER...: $program is guest.c, made by it
guest_program() {
    program=$CACHE/build/guest/$1
    shift
    mkdir -p "$CACHE/build/guest"
    need_programs "$1"
    quietly "$program.log" "$@" -O2 -static -I"$top/include" "$here/guest.c" "$top/tests/aes_round/instructions.c" \
        "$top/tests/aes_round/support.c" -o "$program"
}

# check EMULATOR CPU PROGRAM NUMBER [--wrong INSTRUCTION]...: the guest has that many of the file's instructions; those are wrong.
check() {
    printf '%-13s %-12s %-8s ' "${built##*/qemu-}" "$1" "${3##*/}"
    emulator=$1 cpu=$2 guest_program=$3 number=$4
    shift 4
    python3 "$here/check.py" "$top/vectors/aes-round.json" --have "$number" "$@" -- \
        ${host_emulator:+qemu-aarch64 -L "$root"} "$built/$emulator" -cpu "$cpu" "$guest_program"
}

# check_guest SERIES VARIANT GUEST
check_guest() {
    case $3 in riscv64) qemu "$1" "$2" riscv64 riscv32 ;; *) qemu "$1" "$2" "$3" ;; esac
    case $3 in
    aarch64)
        guest_program arm aarch64-linux-gnu-gcc
        check qemu-aarch64 max,sve-max-vq=4 "$program" 20
        ;;
    x86_64)
        guest_program x86 gcc
        # 7.2 takes the second block's columns from the first one.
        if [ "$1-$2" = 7.2-plain ]; then
            check qemu-x86_64 max "$program" 10 --wrong "x86 VAESENC ymm" --wrong "x86 VAESDEC ymm"
        else
            check qemu-x86_64 max "$program" 10
        fi
        ;;
    ppc64le)
        guest_program power powerpc64le-linux-gnu-gcc
        check qemu-ppc64le power9 "$program" 5
        ;;
    riscv64)
        guest_program riscv riscv64-linux-gnu-gcc -march=rv64gc_zknd_zkne_zksed
        check qemu-riscv64 rv64,zkn=true,zksed=true "$program" 9
        if [ "$1" != 7.2 ]; then
            guest_program riscv-v riscv64-linux-gnu-gcc -march=rv64gcv
            for vlen in 128 512; do
                check qemu-riscv64 "rv64,v=true,zvkned=true,zvksed=true,rvv_ta_all_1s=true,vlen=$vlen" "$program" 14
            done
        fi
        results=$(PATH=$built:$PATH python3 "$top/tests/aes_round/rv32.py" "$top/vectors/aes-round.json")
        printf '%-13s %-10s %s\n' "${built##*/qemu-}" riscv32 "$(echo "$results" | tr '\n' ';')"
        ;;
    *) echo "run.sh: no vectors for guest $3" >&2; exit 1 ;;
    esac
}

# ---- Speed ----

# speed EMULATOR CIPHER: kilobytes per second, of messages of 8192 bytes
speed() {
    OPENSSL_CONF=/dev/null OPENSSL_riscvcap=rv64gc_zknd_zkne_zbb_zbc_zbkb "$1" -cpu "$cpu" -L "$root" "$root/usr/bin/openssl" \
        speed -seconds 1 -bytes 8192 -evp "$2" 2>/dev/null | awk 'END { print int($NF) }'
}

median() {
    sort -n | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'
}

# compare CIPHER NAME... : each is $CACHE/times/NAME's figures of an emulator and what is in the environment for it, turn by turn
compare() {
    guest=$1 cipher=$2
    shift 2
    rm -rf "$CACHE/times"
    mkdir -p "$CACHE/times"
    for _ in 1 2 3 4 5; do
        for name; do
            case $name in
            *:*) LANECRYPT_DISABLE=${name#*:} speed "$CACHE/build/qemu-${name%%:*}/qemu-$guest" "$cipher" ;;
            *) speed "$CACHE/build/qemu-$name/qemu-$guest" "$cipher" ;;
            esac >>"$CACHE/times/$name"
        done
    done
    base=$(median <"$CACHE/times/$1")
    for name; do
        median <"$CACHE/times/$name" | awk -v guest="$guest" -v cipher="$cipher" -v name="$name" -v base="$base" \
            '{ printf "| %s | %s | %s | %.0f | %.2f |\n", guest, cipher, name, $1 / 1000, $1 / base }'
    done
}

# ---- What is wanted ----

action=table
case "${1:-}" in
--check | --check-host-arm | --test) action=${1#--}; shift ;;
--help | -h) usage; exit 0 ;;
-*) usage >&2; exit 2 ;;
esac
for guest; do
    case " $GUESTS " in *" $guest "*) ;; *) usage >&2; exit 2 ;; esac
done
[ $# -gt 0 ] || eval "set -- $GUESTS"

[ "$(uname -m)" = x86_64 ] || cannot "this compares emulators on x86-64, not on $(uname -m)"
need_debian
need_programs patch python3 ninja cmake pkg-config cc
[ "$action" = table ] || need_programs gcc
pkg-config --exists "glib-2.0 >= 2.66" || cannot "no GLib to build QEMU with (Debian: libglib2.0-dev)"
lock_cache
mkdir -p "$CACHE/build"
if [ "$action" = test ]; then cli=ON; else cli=OFF; fi
library lanecrypt -DLANECRYPT_CLI=$cli

case $action in
test)
    check_guest 7.2 lanecrypt x86_64
    "$built/qemu-x86_64" -cpu max "$CACHE/lanecrypt/bin/lanecrypt" selftest
    ;;
check-host-arm)
    need_programs aarch64-linux-gnu-gcc qemu-aarch64
    library lanecrypt-arm --toolchain "$top/cmake/aarch64-linux-gnu.cmake" -DLANECRYPT_CLI=OFF
    qemu 7.2 arm x86_64
    guest_program x86 gcc
    for host in armv8 neon portable; do
        case $host in armv8) disable= ;; neon) disable=aes ;; portable) disable=aes,neon ;; esac
        echo "An x86-64 guest on an emulated Arm host, form $host:"
        export LANECRYPT_DISABLE="$disable"
        host_emulator=yes check qemu-x86_64 max "$program" 10
    done
    ;;
check)
    for guest; do
        for emulator in 7.2:plain 7.2:lanecrypt 10:plain 10:lanecrypt; do
            check_guest "${emulator%:*}" "${emulator#*:}" "$guest"
        done
    done
    ;;
table)
    for guest; do
        guest_root "$guest"
        qemu 7.2 plain "$guest"
        qemu 7.2 lanecrypt "$guest"
        qemu 10 plain "$guest"
        qemu 10 lanecrypt "$guest"
        case $guest in aarch64 | x86_64) qemu 10 no-aes "$guest" ;; esac
    done
    echo "| Guest | Cipher | QEMU | MB/s | times the first |"
    echo "| --- | --- | --- | --- | --- |"
    for guest; do
        guest_root "$guest"
        case $guest in ppc64le) cpu=power9 ;; riscv64) cpu=rv64,zkn=true ;; *) cpu=max ;; esac
        for cipher in aes-128-gcm aes-256-xts; do
            compare "$guest" "$cipher" 7.2-plain 7.2-lanecrypt 10-plain 10-lanecrypt
            case $guest in aarch64 | x86_64) # a host without AES instructions
                for tables in 7.2-plain 10-no-aes; do
                    patched=${tables%%-*}-lanecrypt:aes,vaes,gfni
                    compare "$guest" "$cipher" $tables "$patched" "$patched,ssse3"
                done
                ;;
            esac
        done
    done
    ;;
esac
