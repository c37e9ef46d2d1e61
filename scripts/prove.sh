#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# ./dev prove: prove.sh LIBRARY [quick|all|...]: build the prover and run it on the static library.
set -eu
LIBRARY=$1
shift
[ "$(uname -m)" = x86_64 ] || {
    echo "dev: prove: this needs an x86-64 CPU: what is proved is code for it, and the models are checked against it" >&2
    exit 2
}
if ! RUSTFLAGS="-D warnings" CARGO_TARGET_DIR=build-prove cargo build --release --locked --manifest-path proofs/Cargo.toml \
    >build-prove.log 2>&1; then
    tail -n 40 build-prove.log >&2
    echo "dev: prove: the prover wasn't built; see build-prove.log" >&2
    exit 1
fi
rm -f build-prove.log
case ${1:---} in -*) set -- all "$@" ;; esac
# The prover takes and gives back gigabytes.  Pages that malloc keeps needn't be mapped again: a fifth of the time.
export MALLOC_ARENA_MAX=1 MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=17179869184
exec build-prove/release/prove "$LIBRARY" "$@"
