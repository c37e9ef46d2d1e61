#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# check_install.sh SOURCE_DIR BUILD_DIR WORK_DIR
#
# Install BUILD_DIR to a temporary prefix in WORK_DIR and let strangers build on it: a CMake project with find_package() and a
# compiler with pkg-config, each static and shared.  What they build runs and names the version that SOURCE_DIR's header has.
# The examples are built and run so, too.  If there is an OpenSSL provider, OpenSSL loads the installed one.  Nothing is written
# outside of WORK_DIR.
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

# Where OpenSSL looks for modules, which is outside of the prefix
modules=$(sed -n 's/^LANECRYPT_OPENSSL_MODULES_DIR:PATH=//p' "$build/CMakeCache.txt")
list_modules() {
    ls -l --time-style=full-iso "$modules" 2>&1 || :
}
list_modules >"$work/modules.before"

cmake --install "$build" --prefix "$prefix" >"$work/install.log" || { cat "$work/install.log"; fail "cmake --install"; }
diff -r "$source/include/lanecrypt" "$prefix/include/lanecrypt" || fail "a header isn't installed"
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

cmake -S "$work/project" -B "$work/project/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
    >"$work/cmake.log" 2>&1 &&
    cmake --build "$work/project/build" >>"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; fail "find_package"; }
check "find_package, static" "$work/project/build/main_static" static
check "find_package, shared" "$work/project/build/main_shared" shared

mkdir "$work/components"
printf 'cmake_minimum_required(VERSION 3.22)\nproject(stranger C)\nfind_package(lanecrypt REQUIRED COMPONENTS nonsense)\n' \
    >"$work/components/CMakeLists.txt"
! cmake -S "$work/components" -B "$work/components/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
    >"$work/components.log" 2>&1 || fail "find_package accepts an unknown component"
grep -q "no component .nonsense'" "$work/components.log" || { cat "$work/components.log"; fail "find_package with a component"; }

# ---- pkg-config ----

pc=$(find "$prefix" -name lanecrypt.pc)
[ -n "$pc" ] || fail "lanecrypt.pc isn't installed"
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

# ---- Headers alone: what emulators take ----

printf '#include <lanecrypt/aes_round.h>\nint main(void) { return lc_aes_subword(0x52525252) != 0; }\n' >"$work/rounds.c"
# shellcheck disable=SC2046
"$CC" $(pkg-config --cflags lanecrypt) "$work/rounds.c" -o "$work/rounds" &&
    "$work/rounds" || fail "aes_round.h without the library"

# ---- The examples, by the line at the head of each ----

for example in "$source"/examples/*.c; do
    # shellcheck disable=SC2016
    grep -q ' cc .*$(pkg-config --cflags --libs lanecrypt)$' "$example" || fail "$example doesn't say how to compile it"
    # shellcheck disable=SC2046
    "$CC" -Wall -Wextra -Werror "$example" -o "$work/example" $(pkg-config --cflags --libs lanecrypt) &&
        "$work/example" >"$work/example.log" || fail "$example"
done
echo "examples: compiled and run with what is installed"

# ---- Uninstalling: nothing is left but what others have written ----

# A name that is a pattern, too: what others have written in the library's folder is seen there as well.
away="$work/a[w]ay"
mkdir -p "$away"
DESTDIR=$away cmake --install "$build" --prefix /usr/local >"$work/away.log" || {
    cat "$work/away.log"
    fail "cmake --install"
}
touch "$away/usr/local/include/other.h" "$away/usr/local/include/lanecrypt/other.h"
find "$away" ! -type d | wc -l >"$work/away.count"
DESTDIR=$away cmake --build "$build" --target uninstall >"$work/away.log" || { cat "$work/away.log"; fail "uninstall"; }
left=$(find "$away/usr/local" ! -type d -o -name lanecrypt | sort | sed "s,.*/usr/local/,," | tr '\n' ' ')
[ "$left" = "include/lanecrypt include/lanecrypt/other.h include/other.h " ] || fail "uninstall leaves $left"
echo "uninstall: $(($(cat "$work/away.count") - 2)) files removed"

# ---- The OpenSSL provider ----

if [ ! -f "$build/openssl/lanecrypt.so" ]; then
    echo "SKIPPED the OpenSSL provider: this build has none"
    exit 0
fi
unset LD_LIBRARY_PATH OPENSSL_MODULES
module=$(find "$prefix" -name lanecrypt.so)
case $module in
"$prefix"/*/ossl-modules/lanecrypt.so) ;;
*) fail "the provider isn't in $prefix/lib*/ossl-modules: ${module:-not below $prefix at all}" ;;
esac
grep -q "OPENSSL_MODULES=$(dirname "$module") " "$work/install.log" ||
    fail "cmake --install doesn't say how to make OpenSSL find $module"

exports=$(nm -D --defined-only "$module" | awk '{ print $NF }' | paste -sd ' ')
[ "$exports" = OSSL_provider_init ] || fail "the provider exports $exports"
# glibc's dynamic loader has the function that finds a thread's variables.
needed=$(readelf -dW "$module" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^ld-linux' | paste -sd ' ')
[ "$needed" = libc.so.6 ] || fail "the provider needs $needed, and not only libc"
stack=$(readelf -lW "$module" | awk '$1 == "GNU_STACK" { print $7 }')
[ "$stack" = RW ] || fail "the provider's stack has the flags '$stack' rather than RW: it may be executable"
said=$(OPENSSL_CONF=/dev/null openssl list -providers -verbose -provider-path "$(dirname "$module")" -provider lanecrypt) ||
    fail "OpenSSL doesn't load the provider"
case $said in
*"version: $version"*"build info: "*) ;;
*) fail "the provider says of itself: $said" ;;
esac
echo "OpenSSL provider below a prefix: exports $exports, needs $needed, and $(openssl version) loads it"

# From the default prefix it goes where OpenSSL looks for it.
DESTDIR=$work/destdir cmake --install "$build" --prefix /usr/local >"$work/destdir.log" ||
    { cat "$work/destdir.log"; fail "cmake --install with DESTDIR"; }
cmp "$build/openssl/lanecrypt.so" "$work/destdir$modules/lanecrypt.so" || fail "the provider isn't installed in $modules"
! grep OPENSSL_MODULES "$work/destdir.log" || fail "cmake --install says that OpenSSL doesn't look in $modules"
list_modules | cmp "$work/modules.before" - || fail "something was written to $modules"
echo "OpenSSL provider from the default prefix: in DESTDIR$modules"
