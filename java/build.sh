#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Builds the jar, target/lanecrypt-VERSION.jar, with the native library for this machine's architecture; on x86-64 with --all also
# for 64-bit Arm, or with --arm64 only for that, by Debian's cross compiler (gcc-aarch64-linux-gnu).  A library built with glibc
# serves musl too (check_libc.sh).  test.sh has the tests.
set -eu
umask 022 # the modes of folders are in the jar
cd "$(dirname "$0")"

die() {
    echo "build.sh: $*" >&2
    exit 1
}

machine=$(uname -m)
case $machine in x86_64 | aarch64) ;; *) die "there is no native library for $machine, only for x86_64 and aarch64" ;; esac
here=1 other=
case "$*" in
'') ;;
--all | --arm64)
    [ "$*" = --all ] || here=
    other=1
    [ "$machine" = x86_64 ] || die "$* needs an x86-64 machine, which has the cross compiler"
    command -v aarch64-linux-gnu-gcc >/dev/null || die "$* needs aarch64-linux-gnu-gcc (Debian: gcc-aarch64-linux-gnu)"
    ;;
*) die "usage: java/build.sh [--all | --arm64]" ;;
esac

# needs PROGRAM PACKAGE: CMake and Maven would say it in many more words
needs() {
    command -v "$1" >/dev/null || die "$1 is missing (Debian: $2)"
}
needs gcc gcc
needs cmake cmake
needs ninja ninja-build
needs mvn maven

version=$(sed -n 's/^#define LANECRYPT_VERSION_[A-Z]* //p' ../include/lanecrypt/lanecrypt.h | paste -sd .)
grep -q "^  <version>$version</version>" pom.xml || die "pom.xml must have the version of include/lanecrypt/lanecrypt.h, $version"

# native ARCH STRIP [option of CMake ...]
native() {
    arch=$1
    strip=$2
    shift 2
    build=target/cmake-$arch
    cmake -S . -B "$build" -G Ninja "$@"
    ninja -C "$build" lanecrypt_jni
    install -D -s --strip-program="$strip" "$build/liblanecrypt_jni.so" "target/native/linux-$arch/liblanecrypt_jni.so"
}

rm -rf target/native target/classes # nothing that an earlier build has left comes into the jar
[ -z "$here" ] || native "$machine" strip
[ -z "$other" ] || native aarch64 aarch64-linux-gnu-strip -DCMAKE_TOOLCHAIN_FILE="$PWD/../cmake/aarch64-linux-gnu.cmake"
mvn -B -q package -Dmaven.test.skip=true

echo "java/target/lanecrypt-$version.jar: for Linux on $(cd target/native && echo linux-* | sed 's/linux-//g; s/ / and /')"
