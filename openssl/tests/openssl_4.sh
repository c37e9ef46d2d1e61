#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# The tests of public keys and SM3, with the lists that TLS offers, with OpenSSL 4, where it's there:
#   openssl_4.sh BUILD_DIR      the build folder's openssl/tests
# It is looked for in the folder $LANECRYPT_OPENSSL_4, else in ~/.cache/lanecrypt/openssl-4: Debian's packages libssl4, libssl-dev,
# libc6, libgcc-s1, libstdc++6, libzstd1 and zlib1g of one release, each unpacked there by `dpkg-deb -x`.  Programs are compiled
# against these and run by their loader, so the system is left alone.  Exit status: 77 if it isn't there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
root=${LANECRYPT_OPENSSL_4:-${XDG_CACHE_HOME:-$HOME/.cache}/lanecrypt/openssl-4}
lib=$(find "$root" -name 'libssl.so.4' 2>/dev/null | head -n 1)
[ -n "$lib" ] || {
    echo "SKIPPED: no OpenSSL 4 in $root"
    exit 77
}
libs=${lib%/*}
loader=$(find "$libs" -name 'ld-linux*.so.*' | head -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# Of the headers only OpenSSL's: the rest are the compiler's own.
mkdir "$work/include"
for folder in "$root"/usr/include "$root"/usr/include/*-linux-gnu; do
    [ ! -d "$folder/openssl" ] || cp -r "$folder/openssl" "$work/include/"
done
cat >"$work/paths.h" <<END
#define PUBLIC_CONF "$build/public.cnf"
#define SM3_CONF "$build/sm3.cnf"
#define WITHOUT_SM3_CONF "$build/without_sm3.cnf"
#define DEFAULT_OPENSSL_CONF "$build/openssl.cnf"
#define DEFAULT_MODULE "$build/../lanecrypt.so"
#define DEFAULT_VECTORS_DIR ""
END
compile() { # FILE
    c++ -std=gnu++17 -O0 -w -include "$work/paths.h" -I"$work/include" -I"$here" -I"$here/../../tests" -I"$here/../../include" \
        -I"$here/../../src" -isystem /usr/src/googletest/googletest/include -c "$1" -o "$work/$(basename "$1" .cc).o"
}
for file in "$here/../../tests/support.cc" "$here/evp_support.cc" "$here/public_support.cc"; do
    compile "$file"
done
failed=0
for name in public_keys decryption digests jobs handshakes; do
    compile "$here/test_provider_$name.cc"
    c++ -o "$work/$name" "$work/test_provider_$name.o" "$work"/*support.o "$build"/../../lib/libgtest_main.a \
        "$build"/../../lib/libgtest.a "$libs/libssl.so.4" "$libs/libcrypto.so.4" -Wl,--allow-shlib-undefined -pthread -ldl
    "$loader" --library-path "$libs" "$work/$name" >"$work/log" || failed=1
    grep -v -e ' OK ' -e RUN -e SKIPPED -e Skipped -e '^$' "$work/log"
done
exit $failed
