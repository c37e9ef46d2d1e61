#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# OpenSSL's own tests with the module, built from the distribution's source package against its libcrypto and libssl:
#   third_party.sh BUILD_DIR      where openssl.cnf, wrong.cnf, public.cnf and wrong_public.cnf are
# The sources and the test programs are kept in ~/.cache/lanecrypt/openssl-tests.  Needs apt, cc, make, perl, pkg-config,
# valgrind and, the first time, a network.
set -eu
conf=$(cd "$1" && pwd)/openssl.cnf
wrong=$(cd "$1" && pwd)/wrong.cnf
public=$(cd "$1" && pwd)/public.cnf
wrong_public=$(cd "$1" && pwd)/wrong_public.cnf
cache=${XDG_CACHE_HOME:-$HOME/.cache}/lanecrypt/openssl-tests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
passed=0
failed=0

result() { # NAME STATUS: 0 is success
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
        echo "ok      $1"
    else
        failed=$((failed + 1))
        echo "FAILED  $1"
    fi
}

die() {
    echo "third_party.sh: $*" >&2
    exit 1
}

# ---- Sources: apt, with a list of sources of its own, so that the system's isn't touched ----

fetch() {
    mkdir -p "$cache/apt/lists/partial" "$cache/apt/parts"
    for list in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/ubuntu.sources; do
        [ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$cache/apt/parts/${list##*/}"
    done
    [ ! -f /etc/apt/sources.list ] || sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$cache/apt/parts/old.list"
    apt="apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$cache/apt/parts
      -o Dir::State::lists=$cache/apt/lists -o APT::Sandbox::User=root"
    # Apt has checked what it keeps.  Of the package's files only the original sources are needed, whatever becomes of the others.
    # shellcheck disable=SC2086
    (cd "$cache/apt" && $apt update && $apt --download-only source openssl) >"$work/apt.log" 2>&1 || :
    tar=$(find "$cache/apt" -maxdepth 1 -name 'openssl_*.orig.tar.gz' | sort -V | tail -n 1)
    [ -n "$tar" ] || {
        cat "$work/apt.log" >&2
        die "OpenSSL's sources can't be downloaded; see above"
    }
    rm -rf "$cache/new"
    mkdir "$cache/new"
    tar -xzf "$tar" -C "$cache/new" --strip-components=1
    mv "$cache/new" "$cache/src"
}

# What is made of the sources; `set -e` ends it at the first command that fails.
build() {
    flags="-O1 -w -Iinclude -Iapps/include -I. -Itest -Iproviders/common/include"
    rm -rf "${cache:?}/objects" "${cache:?}/bin" "$cache/libtestutil.a"
    mkdir -p "$cache/objects" "$cache/bin"
    cd "$cache/src"
    ./Configure
    make build_generated
    # an archive, because a test's own functions take the place of some that are in it
    for file in test/testutil/*.c apps/lib/opt.c; do
        # shellcheck disable=SC2086
        cc $flags -c "$file" -o "$cache/objects/$(basename "$file" .c).o"
    done
    ar rcs "$cache/libtestutil.a" "$cache"/objects/*.o
    static=$(pkg-config --static --libs libssl libcrypto | sed 's/-l\(ssl\|crypto\)/-l:lib\1.a/g')
    for name in evp_test threadstest aesgcmtest bio_enc_test recordlentest sslcorrupttest dtlstest sslapitest; do
        more=
        libraries="-lssl -lcrypto"
        case $name in
        sslapitest) more="test/helpers/ssltestlib.c test/filterprov.c test/tls-provider.c" ;;
        recordlentest | sslcorrupttest | dtlstest) more=test/helpers/ssltestlib.c ;;
        esac
        # Since 3.5 these call functions that the shared libraries don't export.
        case $name in sslapitest | threadstest) libraries=$static ;; esac
        # shellcheck disable=SC2086
        cc $flags test/$name.c $more "$cache/libtestutil.a" $libraries -o "$cache/bin/$name"
    done
}

[ -d "$cache/src" ] || fetch
# Kept are the programs only that this script has made, all of them.
script=$(cksum <"$0")
if [ "$(cat "$cache/built" 2>/dev/null)" != "$script" ]; then
    rm -f "$cache/built"
    # No `build || ..`: that would switch `set -e` off inside of it.
    set +e
    (set -e; build) >"$work/build.log" 2>&1
    status=$?
    set -e
    [ $status = 0 ] || {
        tail -n 20 "$work/build.log" >&2
        die "building the tests failed"
    }
    echo "$script" >"$cache/built"
fi
version=$(sed -n 's/^\(MAJOR\|MINOR\|PATCH\)=//p' "$cache/src/VERSION.dat" | paste -sd .)
system=$(openssl version | cut -d' ' -f2)
echo "OpenSSL $version's tests with the system's $system"
[ "${version%.*}" = "${system%.*}" ] || die "the tests and the system's OpenSSL have different versions; remove $cache"
bin=$cache/bin
test=$cache/src/test

# The same, but with the default provider only
sed 's/^lanecrypt = .*//; s/^default_properties = .*//' "$conf" >"$work/stock.cnf"

# ---- evp_test: known answers, each with several splits, in place and at odd addresses ----

data=$test/recipes/30-test_evp_data
for file in evpciph_aes_common evpciph_aes_stitched evpciph_chacha evpmac_common evprand; do
    "$bin/evp_test" -config "$conf" "$data/$file.txt" >"$work/$file.log" 2>&1 && ok=0 || ok=1
    [ "$ok" = 0 ] || grep -v '^ *ok' "$work/$file.log" | head -n 20
    result "evp_test $file: $(sed -n 's/.*Completed /completed /p' "$work/$file.log")" "$ok"
done
# Each test of our ciphers, and no other, has to fail with a module that is wrong.  (Those without a text have no bit to be wrong,
# and those that are to fail do so.)
for file in evpciph_aes_common evpciph_chacha; do
    expected=$(awk -v RS= '{ t = "\n" tolower($0) "\n" }
        t ~ /\ncipher *= *(aes-(128|192|256)-(gcm|ctr|xts)|chacha20(-poly1305)?) *\n/ && t ~ /\nplaintext *= *[0-9a-f"]/ &&
            t !~ /\nresult *=/ { n++ }
        END { print n + 0 }' "$data/$file.txt")
    "$bin/evp_test" -config "$wrong" "$data/$file.txt" >"$work/wrong.log" 2>&1 && ok=1 || ok=0
    errors=$(sed -n 's/.*with \([0-9]*\) errors.*/\1/p' "$work/wrong.log")
    [ "$errors" = "$expected" ] || ok=1
    result "control: evp_test $file with wrong output: $errors errors, $expected expected" "$ok"
done

# as_stock FILE WHAT: the same as with the default provider only, tests that can't be done here included
as_stock() {
    expected=$("$bin/evp_test" -config "$work/stock.cnf" "$data/$1.txt" 2>&1 | grep 'Completed')
    found=$("$bin/evp_test" -config "$public" "$data/$1.txt" 2>&1 | grep 'Completed') || :
    [ "$found" = "$expected" ] && ok=0 || ok=1
    result "evp_test $1, $2: ${found#*Completed }" "$ok"
}
# control FILE WHAT: with results that are wrong there are errors
control() {
    "$bin/evp_test" -config "$wrong_public" "$data/$1.txt" >"$work/wrong.log" 2>&1 && ok=1 || ok=0
    errors=$(sed -n 's/.*with \([0-9]*\) errors.*/\1/p' "$work/wrong.log")
    [ "${errors:-0}" -gt 0 ] || ok=1
    result "control: evp_test $1, $2 that are wrong: ${errors:-no} errors" "$ok"
}

for file in evppkey_ecc evppkey_ecdh evppkey_ecdsa evppkey_ecx evppkey_rsa evppkey_rsa_common evppkey_sm2 evppkey_mismatch; do
    as_stock "$file" "public keys"
done
for file in evppkey_ecdh evppkey_ecdsa evppkey_ecx evppkey_rsa_common evppkey_sm2; do
    control "$file" "public keys"
done

# TLS 1.3's key derivation
"$bin/evp_test" -config "$public" "$data/evpkdf_tls13_kdf.txt" >"$work/kdf.log" 2>&1 && ok=0 || ok=1
result "evp_test evpkdf_tls13_kdf: $(sed -n 's/.*Completed /completed /p' "$work/kdf.log")" "$ok"
"$bin/evp_test" -config "$wrong_public" "$data/evpkdf_tls13_kdf.txt" >"$work/wrong.log" 2>&1 && ok=1 || ok=0
errors=$(sed -n 's/.*with \([0-9]*\) errors.*/\1/p' "$work/wrong.log")
expected=$(awk -v RS= '/\nKDF *=|^KDF *=/ && !/\nResult *=/ { n++ } END { print n + 0 }' "$data/evpkdf_tls13_kdf.txt")
[ "$errors" = "$expected" ] || ok=1
result "control: evp_test evpkdf_tls13_kdf that is wrong: $errors errors, $expected expected" "$ok"

# HMAC, and all that the default provider makes of it
for file in evpmac_common evpmac_sm3 evpkdf_ss evpkdf_tls12_prf; do
    as_stock "$file" HMAC
done
control evpmac_common MACs

# Again under valgrind: what a call reads or writes outside of evp_test's exact buffers, or uses before it is written, fails.
# (valgrind's CPU has AVX2, and neither VAES nor AVX-512.)
for file in evpciph_aes_common evpciph_chacha; do
    valgrind -q --error-exitcode=99 "$bin/evp_test" -config "$conf" "$data/$file.txt" >"$work/$file.log" 2>&1 && ok=0 || ok=1
    [ "$ok" = 0 ] || grep -v '^ *ok' "$work/$file.log" | head -n 20
    result "evp_test under valgrind, $file: $(sed -n 's/.*Completed /completed /p' "$work/$file.log")" "$ok"
done

# ---- libssl, both ends in one process: the same lines as with the default provider only ----

cd "$test"
run() { # CONF NAME ARGUMENTS
    OPENSSL_CONF=$1
    export OPENSSL_CONF
    shift
    name=$1
    shift
    rc=0
    "$bin/$name" "$@" >"$work/$name.out" 2>"$work/$name.err" || rc=$?
    unset OPENSSL_CONF
    # what is said of a failure has addresses and line numbers of the default provider in it
    grep -E '^ *(ok|not ok|1\.\.)' "$work/$name.out" || :
    echo "exit status $rc"
}

sslapi() {
    # it wants the configuration for its own library context only
    set -- "$1" recipes/90-test_sslapi_data
    run /dev/null sslapitest certs "$2/passwd.txt" "$work/file" default "$1" "$2/dhparams.pem"
}
compare() { # WHAT: baseline in stock.log, ours in ours.log
    lines=$(grep -c . "$work/stock.log")
    diff "$work/stock.log" "$work/ours.log" >"$work/diff" && ok=0 || ok=1
    [ "$lines" -gt 2 ] || ok=1
    [ "$ok" = 0 ] || head -n 20 "$work/diff"
    result "$1: $lines lines, $(grep -c 'not ok' "$work/ours.log" || :) of them failures, as with the default provider" "$ok"
}
sslapi "$work/stock.cnf" >"$work/stock.log"
sslapi "$conf" >"$work/ours.log"
compare sslapitest
sslapi "$public" >"$work/ours.log"
compare "sslapitest, public keys"
sslapi "$wrong" >"$work/ours.log"
! diff -q "$work/stock.log" "$work/ours.log" >/dev/null && ok=0 || ok=1
result "control: sslapitest with wrong output: $(grep -c 'not ok' "$work/ours.log" || :) failures" "$ok"

for name in recordlentest sslcorrupttest dtlstest; do
    set -- "$cache/src/apps/server.pem" "$cache/src/apps/server.pem"
    [ $name != dtlstest ] || set -- certs/servercert.pem certs/serverkey.pem
    run "$work/stock.cnf" $name "$@" >"$work/stock.log"
    run "$conf" "$name" "$@" >"$work/ours.log"
    compare "$name"
done

# ---- The others ----

for name in threadstest aesgcmtest bio_enc_test public; do
    with=$conf
    [ $name != public ] || with=$public name=threadstest
    set --
    [ $name != threadstest ] || set -- -config "$with" recipes/90-test_threads_data
    run "$with" "$name" "$@" >"$work/ours.log"
    grep -q '^exit status 0' "$work/ours.log" && ! grep -q 'not ok' "$work/ours.log" && ok=0 || ok=1
    [ "$ok" = 0 ] || cat "$work/ours.log" "$work/$name.err" | head -n 20
    result "$name" "$ok"
done

echo "$passed passed, $failed failed"
[ $failed = 0 ]
