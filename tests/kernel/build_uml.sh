#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# build_uml.sh: print the directory with user-mode Linux of uml.config, made of the distribution's linux-source-6.12:
#   linux (the program), and what a KDIR is made of (ARCH=um); crypto/tcrypt.ko; stock/, sources of x86's own drivers, for bench/
# The first time takes five minutes of CPU time.  Exit status 77, with the reason on stderr, if it can't be had.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/cache.sh"

SOURCE=linux-source-6.12
recipe=$(recipe "$HERE/uml.config")
OLDER="uml-*-$recipe"

need_programs apt-cache apt-get dpkg-deb xz gcc make flex bison bc

version=$(package_version "$SOURCE")
[ -n "$version" ] || cannot "apt knows no $SOURCE"
key=$version-$recipe
if [ ! -d "$CACHE/uml-$key" ]; then
    echo "building user-mode Linux of $SOURCE ($version)" >&2
    new_entry
    download "$SOURCE"
    dpkg-deb --fsys-tarfile "$SOURCE"_*.deb | tar -xO "./usr/src/$SOURCE.tar.xz" | tar -xJ
    rm "$SOURCE"_*.deb
    cd "$SOURCE"

    # User-mode Linux hands the registers to its processes through a buffer of fixed size.  On CPUs with AMX (8 KB more) it is too
    # small, and the kernel panics at once.
    sed -i 's/^\(.*DEFINE_LONGS(HOST_FP_SIZE, \)[0-9]*)/\112288)/' arch/x86/um/user-offsets.c
    grep -q 'HOST_FP_SIZE, 12288)' arch/x86/um/user-offsets.c || {
        echo "arch/x86/um/user-offsets.c of $SOURCE ($version) has another HOST_FP_SIZE than this script knows" >&2
        exit 1
    }

    build() {
        make ARCH=um -j"$(nproc)" "$@" >../build.log 2>&1 || {
            tail -n 30 ../build.log >&2
            exit 1
        }
    }
    export KCONFIG_ALLCONFIG="$HERE/uml.config"
    build allnoconfig
    # Kconfig drops what it doesn't know or what lacks a dependency, without a word.
    grep '^CONFIG_' "$HERE/uml.config" | while read -r line; do
        grep -qxF "$line" .config || {
            echo "uml.config: $line isn't what $SOURCE ($version) made of it: $(grep "^${line%%=*}=" .config || echo off)" >&2
            exit 1
        }
    done
    build linux modules

    # For modules only the headers, scripts and Makefiles are needed: 70 MB of 2 GB.
    {
        find include scripts arch/um arch/x86 -type f ! -name '*.[oSa]' ! -name '*.cmd' ! -path 'arch/*.c'
        printf '%s\n' Makefile .config Module.symvers linux crypto/tcrypt.ko
    } | tar -cf - -T - | tar -xf - -C ../entry
    mkdir -p ../entry/arch/um/include/generated/uapi    # empty, but looked for
    mkdir ../entry/stock
    (cd arch/x86/crypto && cp aesni-intel_* aes_ctrby8_* aes-gcm-* aes-xts-* chacha[-_]* poly1305* "$OLDPWD/../entry/stock")
    cp crypto/simd.c crypto/cryptd.c ../entry/stock
    keep_entry uml "$key"
fi
echo "$CACHE/uml-$key"
