#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# check_ct.sh VALGRIND CT_MODE IMPL          the implementation makes no branch and no address from a secret
# check_ct.sh VALGRIND CT_XTS --leak KIND    valgrind does see such code: fails unless the leak is reported
#
# Implementations that valgrind's CPU hasn't (valgrind 3.19: VAES, AVX-512, SHA-NI) fail here; check_constant_time.py covers them.
set -u
valgrind=$1 program=$2
shift 2

# The one place where a mode may branch on a secret, if it has any, is in ct_MODE.supp.  (Of lc_chacha20poly1305_open(),
# compilers may make a copy within lc_xchacha20poly1305_open().  GCM's messages of the usual kind are opened by a way of their own,
# by the rows that have one.)
case $1 in
chacha20-poly1305-*) mode=chacha20-poly1305 allowed='[12]' ;;
gcm-*-portable) mode=gcm allowed=1 ;;
gcm-*) mode=gcm allowed=2 ;;
p*-lanes) mode=lanes allowed=3 ;;
rsa-*lanes) mode=rsa_lanes ;;
rsa-*) mode=rsa allowed=7 ;;
sm2-*lanes) mode=lanes allowed=2 ;;
ecdsa-* | sm2-*) mode=ecdsa allowed=3 ;;
*) mode=${1%%-*} allowed=1 ;;
esac
suppressions=$(dirname "$0")/ct_$mode.supp
[ -e "$suppressions" ] || suppressions=/dev/null allowed=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

# One caller in a stack: then an error is one place in the code, however one gets there, and they can be counted.  valgrind 3.24
# takes its own suppressions, which have longer stacks, for an error then; they are none of ours.
"$valgrind" --tool=memcheck --error-exitcode=9 --leak-check=no --num-callers=1 --default-suppressions=no \
    --suppressions="$suppressions" "$program" "$@" >"$log" 2>&1
status=$?

fail() {
    cat "$log"
    echo "check_ct.sh: $*"
    exit 1
}

if [ "$1" = --leak ]; then
    [ $status -eq 9 ] || fail "the leak wasn't reported (exit status $status)"
    grep -q "leak_by_$2" "$log" || fail "something else was reported than the leak"
    echo "a leak by $2 is reported, as expected"
    exit 0
fi
[ $status -eq 0 ] || fail "exit status $status (9: secrets decide a branch or an address)"
grep -q "^$1: done" "$log" || fail "didn't run to its end"
grep -q "ERROR SUMMARY: 0 errors from 0 contexts (suppressed: [0-9]* from $allowed)" "$log" ||
    fail "not exactly $allowed places were suppressed"
echo "$1: no branch and no address from a secret (places where that is allowed: $allowed)"
