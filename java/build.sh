#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Builds the native libraries of both platforms and the jar: target/lanecrypt-VERSION.jar.  Arguments go to Maven's package.
set -eu
cd "$(dirname "$0")"

version=$(sed -n 's/^#define LANECRYPT_VERSION_[A-Z]* //p' ../include/lanecrypt/lanecrypt.h | paste -sd .)
if ! grep -q "^  <version>$version</version>" pom.xml; then
    echo "build.sh: pom.xml isn't version $version, which include/lanecrypt/lanecrypt.h is" >&2
    exit 1
fi

# native ARCH [option of CMake ...]
native() {
    arch=$1
    shift
    build=target/cmake-$arch
    cmake -S . -B "$build" -G Ninja "$@"
    ninja -C "$build" lanecrypt_jni
    install -D -s --strip-program="$strip" "$build/liblanecrypt_jni.so" "target/native/linux-$arch/liblanecrypt_jni.so"
}

if [ "$(uname -m)" != x86_64 ]; then
    echo "build.sh: needs an x86-64 machine, as it cross-compiles for aarch64 only" >&2
    exit 1
fi
mkdir -p target
strip=strip
native x86_64
strip=aarch64-linux-gnu-strip
native aarch64 -DCMAKE_TOOLCHAIN_FILE="$PWD/../cmake/aarch64-linux-gnu.cmake"
mvn -B -q package "$@"
