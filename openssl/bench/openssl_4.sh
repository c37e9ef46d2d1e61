#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Builds the libcrypto of OpenSSL 4.0 from the sources in the Rust package openssl-src, and prints where it is, for
# openssl_evp --libcrypto.
# Kept in ~/.cache/lanecrypt.  Needs cargo, cc, make, perl and, the first time, a network.
set -eu
# What this script has made: another one may make it of another version.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/lanecrypt/openssl-4-$(cksum <"$0" | tr ' ' -)
lib=$cache/build/libcrypto.so.4
if [ ! -f "$lib" ]; then
    mkdir -p "$cache/package/src" "$cache/build"
    cd "$cache/package"
    printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\nopenssl-src = "=400.0.2"\n' >Cargo.toml
    : >src/lib.rs
    {
        cargo vendor "$cache/vendor" >/dev/null &&
            cd "$cache/build" &&
            "$cache"/vendor/openssl-src/openssl/Configure no-apps no-docs no-legacy no-shared no-tests -fPIC &&
            make build_generated libcrypto.a &&
            # the package lacks what would make a shared library
            cc -shared -o new.so -Wl,-Bsymbolic -Wl,--whole-archive libcrypto.a -Wl,--no-whole-archive -ldl -pthread &&
            mv new.so "$lib"
    } >"$cache/log" 2>&1 || {
        tail -n 20 "$cache/log" >&2
        exit 1
    }
fi
echo "$lib"
