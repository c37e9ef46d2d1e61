#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# check_install.sh SOURCE_DIR BUILD_DIR WORK_DIR
#
# Install BUILD_DIR to a temporary prefix in WORK_DIR and let strangers build on it: a CMake project with find_package() and a
# compiler with pkg-config, each static and shared.  What they build runs and names the version that SOURCE_DIR's header has.
set -eu
source=$1 build=$2 work=$3
CC=${CC:-cc}

fail() {
    echo "check_install.sh: $*"
    exit 1
}

rm -rf "$work"
mkdir -p "$work/project"
prefix=$(cd "$work" && pwd)/prefix

cmake --install "$build" --prefix "$prefix" >"$work/install.log" || { cat "$work/install.log"; fail "cmake --install"; }
for header in "$source"/include/lanecrypt/*.h; do
    cmp "$header" "$prefix/include/lanecrypt/$(basename "$header")" || fail "a header isn't installed"
done
version=$(sed -n 's/^#define LANECRYPT_VERSION_[A-Z]* //p' "$source/include/lanecrypt/lanecrypt.h" | paste -sd.)

# ---- The stranger's program, and the CMake project around it ----

cat >"$work/project/main.c" <<'END'
#include <lanecrypt/cpu.h>
#include <lanecrypt/xts.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    struct lc_xts_key key;
    unsigned char raw[64], iv[16] = { 1 }, data[100] = "text", secret[100], back[100];

    for (int i = 0; i < 64; i++)
        raw[i] = (unsigned char)i;
    if (lc_xts_init(&key, raw, sizeof(raw)) != LC_OK || lc_xts_encrypt(&key, secret, data, sizeof(data), iv) != LC_OK ||
        lc_xts_decrypt(&key, back, secret, sizeof(data), iv) != LC_OK)
        return 1;
    if (memcmp(data, back, sizeof(data)) != 0 || memcmp(data, secret, sizeof(data)) == 0)
        return 2;
    lc_xts_wipe(&key);
    puts(lc_version());
    return 0;
}
END
cat >"$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(stranger C)
find_package(lanecrypt REQUIRED)
foreach(kind static shared)
  add_executable(main_${kind} main.c)
  target_link_libraries(main_${kind} lanecrypt::lanecrypt_${kind})
endforeach()
END

# check NAME PROGRAM static|shared: it runs, says the version, and is linked as it should be
check() {
    said=$("$2") || fail "$1: exit status $?"
    [ "$said" = "$version" ] || fail "$1: says version $said, the header says $version"
    case $3,$(readelf -d "$2") in
    shared,*liblanecrypt.so*) ;;
    static,*liblanecrypt.so*) fail "$1: linked to the shared library" ;;
    shared,*) fail "$1: linked to the static library" ;;
    esac
    echo "$1: version $said"
}

# ---- find_package ----

cmake -S "$work/project" -B "$work/project/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" >"$work/cmake.log" 2>&1 &&
    cmake --build "$work/project/build" >>"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; fail "find_package"; }
check "find_package, static" "$work/project/build/main_static" static
check "find_package, shared" "$work/project/build/main_shared" shared

# ---- pkg-config ----

pc=$(find "$prefix" -name lanecrypt.pc)
[ -n "$pc" ] || fail "no lanecrypt.pc"
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
libdir=$(pkg-config --variable=libdir lanecrypt)
[ "$(cd "$libdir" 2>&1 && pwd -P)" = "$(cd "$(dirname "$pc")/.." && pwd -P)" ] ||
    fail "lanecrypt.pc says libdir=$libdir, but was installed in $(dirname "$pc"): it doesn't follow 'cmake --install --prefix'"
[ "$(pkg-config --modversion lanecrypt)" = "$version" ] || fail "lanecrypt.pc has another version"
# shellcheck disable=SC2046
"$CC" $(pkg-config --cflags lanecrypt) "$work/project/main.c" -o "$work/main_shared" $(pkg-config --libs lanecrypt)
# shellcheck disable=SC2046
"$CC" -static $(pkg-config --cflags lanecrypt) "$work/project/main.c" -o "$work/main_static" $(pkg-config --static --libs lanecrypt)
LD_LIBRARY_PATH=$libdir
export LD_LIBRARY_PATH
check "pkg-config, shared" "$work/main_shared" shared
check "pkg-config, static" "$work/main_static" static
