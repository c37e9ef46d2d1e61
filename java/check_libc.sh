#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# check_libc.sh LIBRARY...: the jar's native library of an architecture is one for glibc from 2.17 on and for musl.  So it may need
# only what both have, in a way that both have it.  That of this architecture is also loaded and used with musl, by musl-gcc.
set -eu
cd "$(dirname "$0")"

die() {
    echo "check_libc.sh: $*" >&2
    exit 1
}

# ISO C and POSIX functions with the same binary interface in both, secure_getenv and getauxval; the last four are weak or in both.
both=" aligned_alloc free getauxval memcmp memcpy memmove memset secure_getenv snprintf strchr strcmp strcspn strlen
 _ITM_deregisterTMCloneTable _ITM_registerTMCloneTable __cxa_finalize __gmon_start__ "

[ $# -gt 0 ] || { echo "usage: java/check_libc.sh LIBRARY..." >&2; exit 2; }
version=$(sed -n 's/^#define LANECRYPT_VERSION_[A-Z]* //p' ../include/lanecrypt/lanecrypt.h | paste -sd .)
for library; do
    needed=$(readelf -dW "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    # musl takes this name, which glibc's linker has put there, for its own
    [ "$needed" = libc.so.6 ] || die "$library needs $needed"
    undefined=$(readelf -W --dyn-syms "$library" | awk '$7 == "UND" && NF > 7 { print $8 }')
    [ -n "$undefined" ] || die "$library has no undefined symbols, so this can't be right"
    for symbol in $undefined; do
        case $both in
        *[[:space:]]"${symbol%%@*}"[[:space:]]*) ;;
        *) die "$library needs $symbol, which isn't in both glibc and musl" ;;
        esac
        case $symbol in
        *@GLIBC_2.[0-9] | *@GLIBC_2.[0-9].* | *@GLIBC_2.1[0-7]) ;;
        *@*) die "$library needs $symbol, which glibc 2.17 hasn't" ;;
        esac
    done
    arch=${library%/*}
    arch=${arch##*/linux-}
    [ "$arch" = "$(uname -m)" ] || continue
    command -v musl-gcc >/dev/null || { echo "SKIPPED the native library with musl: no musl-gcc (Debian: musl-tools)"; continue; }
    java=$(dirname "$(dirname "$(readlink -f "$(command -v "${JAVA_HOME:+$JAVA_HOME/bin/}javac")")")")
    musl-gcc -O1 -Wall -Wextra -Werror -isystem "$java/include" -isystem "$java/include/linux" -I "target/cmake-$arch" \
        -o target/musl src/test/native/musl.c
    target/musl "$library" "$version" || die "$library doesn't work with musl"
done
echo "check_libc.sh: $# libraries for glibc 2.17 and musl"
