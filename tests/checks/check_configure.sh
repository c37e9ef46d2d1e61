#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# check_configure.sh SOURCE_DIR WORK_DIR
#
# A part that lacks what it needs is left out by the plain `cmake -S . -B build`, with a line that names it and the package; if it
# was asked for, that is an error, which names them too.
set -eu
source=$1 work=$2
CC=${CC:-cc}

fail() {
    cat "$work/log"
    echo "check_configure.sh: $*"
    exit 1
}

# configure OPTION...: quietly, and without what others have found, but with what CMake knows of the compiler: to find that takes
# half the time.
rm -rf "$work"
mkdir -p "$work"
configure() {
    rm -f "$work/build/CMakeCache.txt"
    cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_C_COMPILER="$CC" "$@" >"$work/log" 2>&1
}

# check OPTION PART PACKAGE SETTING...: with these settings of CMake's PACKAGE is missing, and PART needs it.
check() {
    option=$1 part=$2 package=$3
    shift 3
    configure "$@" || fail "without $package: CMake fails"
    grep -q "^-- Left out: $part; missing.*: .*$package" "$work/log" || fail "without $package: the log doesn't say so"
    [ "$(grep -c "^-- Left out: " "$work/log")" -eq 1 ] || fail "without $package: more is left out than $part"
    ! configure "$@" "-D$option=ON" || fail "without $package: CMake doesn't fail with $option=ON"
    tr '\n' ' ' <"$work/log" | tr -s ' ' | grep -q "$option=ON: $part can't be built; missing.*: .*$package" ||
        fail "without $package: the error with $option=ON doesn't name what is missing"
    configure "$@" "-D$option=OFF" || fail "without $package: CMake fails with $option=OFF"
    ! grep -q "^-- Left out: " "$work/log" || fail "with $option=OFF, the log says that something is left out"
    echo "$part without $package: left out; if it was asked for, an error"
}

configure || fail "CMake fails"
! grep -q "^-- Left out: " "$work/log" || fail "something is left out though nothing is missing"
check LANECRYPT_TESTS "the tests" googletest -DLANECRYPT_GOOGLETEST="$work/nothing"
check LANECRYPT_TESTS "the tests" g++ -DLANECRYPT_ANY_CXX=
# Without the tests, whose setting up takes longer than all the rest
check LANECRYPT_CLI "the program .lanecrypt." pkg-config -DLANECRYPT_TESTS=OFF -DPKG_CONFIG_EXECUTABLE=
PKG_CONFIG_LIBDIR=$work/nothing
export PKG_CONFIG_LIBDIR
check LANECRYPT_CLI "the program .lanecrypt." libjansson-dev -DLANECRYPT_TESTS=OFF
unset PKG_CONFIG_LIBDIR
check LANECRYPT_OPENSSL "the OpenSSL provider" libssl-dev -DLANECRYPT_TESTS=OFF -DCMAKE_IGNORE_PATH=/usr/include
