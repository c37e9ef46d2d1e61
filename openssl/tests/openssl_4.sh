#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# The tests of public keys and SM3, with the lists that TLS offers, with OpenSSL 4:
#   openssl_4.sh BUILD_DIR      the build folder's openssl/tests
# It is that of Debian's experimental suite, in packages that are unpacked in ~/.cache/lanecrypt/openssl-4 and never installed;
# $LANECRYPT_OPENSSL_4 may name a folder with others, each unpacked there by `dpkg-deb -x`.  Programs are compiled against these and
# run by their loader, so the system is left alone.  Exit status 77, with the reason, if it can't be had: without apt, Debian's
# keyring or, the first time, a network.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/lanecrypt
root=${LANECRYPT_OPENSSL_4:-$cache/openssl-4}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

skip() {
    echo "SKIPPED OpenSSL 4: $*"
    exit 77
}

# By apt with lists of its own, so that the system's aren't touched
fetch() {
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    for program in apt-get dpkg-deb; do
        command -v $program >/dev/null || skip "no program '$program'"
    done
    [ -e $keyring ] || skip "no $keyring (Debian: debian-archive-keyring)"
    mirror=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)*//p' /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list \
        2>/dev/null | sed -n 's,^\(http[^ ]*/debian\)/*\( .*\)\{0\,1\}$,\1,p' | head -n 1)
    [ -n "$mirror" ] || mirror=http://deb.debian.org/debian
    mkdir -p "$work/lists/partial" "$work/debs" "$work/root"
    for suite in sid experimental; do
        echo "deb [signed-by=$keyring] $mirror $suite main"
    done >"$work/sources.list"
    apt="apt-get -q -o Dir::Etc::sourcelist=$work/sources.list -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists=$work/lists
      -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root -o APT::Default-Release=experimental"
    # shellcheck disable=SC2086
    (cd "$work/debs" && $apt update && $apt download libssl4 libssl-dev libc6 libgcc-s1 libstdc++6 libzstd1 zlib1g) \
        >"$work/apt.log" 2>&1 ||
        skip "apt-get can't download it: $(grep -m 1 '^[EW]:' "$work/apt.log" || tail -n 1 "$work/apt.log")"
    for deb in "$work"/debs/*.deb; do
        dpkg-deb -x "$deb" "$work/root"
    done
    mkdir -p "$cache"
    mv -T "$work/root" "$root" 2>/dev/null || [ -d "$root" ] # somebody else may have been faster
}

[ -d "$root" ] || [ -n "${LANECRYPT_OPENSSL_4:-}" ] || fetch
lib=$(find "$root" -name 'libssl.so.4' 2>/dev/null | head -n 1)
[ -n "$lib" ] || skip "there is none in $root"
libs=${lib%/*}
loader=$(find "$libs" -name 'ld-linux*.so.*' | head -n 1)

# Of the headers only OpenSSL's: the rest are the compiler's own.
mkdir "$work/include"
for folder in "$root"/usr/include "$root"/usr/include/*-linux-gnu; do
    [ ! -d "$folder/openssl" ] || cp -r "$folder/openssl" "$work/include/"
done
cat >"$work/all.h" <<END
#define PUBLIC_CONF "$build/public.cnf"
#define SM3_CONF "$build/sm3.cnf"
#define WITHOUT_SM3_CONF "$build/without_sm3.cnf"
#define KDF_CONF "$build/kdf.cnf"
#define WITHOUT_KDF_CONF "$build/without_sm3.cnf"
#define HMAC_CONF "$build/hmac.cnf"
#define WITHOUT_HMAC_CONF "$build/kdf.cnf"
#define DEFAULT_OPENSSL_CONF "$build/openssl.cnf"
#define DEFAULT_MODULE "$build/../lanecrypt.so"
#define DEFAULT_VECTORS_DIR ""
#include "support.h" // it is precompiled, as it takes the longest
END
compile() { # OPTION...
    c++ -std=gnu++17 -O0 -w -I"$work/include" -I"$here" -I"$here/../../tests" -I"$here/../../include" -I"$here/../../src" \
        -isystem /usr/src/googletest/googletest/include "$@"
}
compile_test() { # FILE
    compile -include "$work/all.h" -c "$1" -o "$work/$(basename "$1" .cc).o"
}
compile -x c++-header "$work/all.h" -o "$work/all.h.gch"
for file in "$here/../../tests/support.cc" "$here/evp_support.cc" "$here/public_support.cc"; do
    compile_test "$file"
done
failed=0
for name in public_keys sm2 decryption digests kdf hmac jobs handshakes; do
    compile_test "$here/test_provider_$name.cc"
    c++ -o "$work/$name" "$work/test_provider_$name.o" "$work"/*support.o "$build"/../../lib/libgtest_main.a \
        "$build"/../../lib/libgtest.a "$build"/../../liblanecrypt.a "$libs/libssl.so.4" \
        "$libs/libcrypto.so.4" -Wl,--allow-shlib-undefined -pthread -ldl
    "$loader" --library-path "$libs" "$work/$name" >"$work/log" || failed=1
    grep -v -e ' OK ' -e RUN -e SKIPPED -e Skipped -e '^$' "$work/log"
done
exit $failed
