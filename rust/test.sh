#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Packs the Rust crate, build-rust/lanecrypt-VERSION.crate, and tests it as it is unpacked in a folder outside of this tree, by
# published vectors, against RustCrypto's crates, and by TLS with ring's provider for rustls.  77: there is no Rust that is new
# enough.
set -eu
cd "$(dirname "$0")/.."

die() {
    echo "test.sh: $*" >&2
    exit 1
}

version=$(sed -n 's/^#define LANECRYPT_VERSION_[A-Z]* //p' include/lanecrypt/lanecrypt.h | paste -sd .)
grep -q "^version = \"$version\"" Cargo.toml ||
    die "Cargo.toml must have the version of include/lanecrypt/lanecrypt.h, $version"

needs=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
command -v cargo >/dev/null || { echo "SKIPPED Rust: there is no cargo"; exit 77; }
has=$(cargo --version | cut -d ' ' -f 2)
[ "$(printf '%s\n%s\n' "$needs" "$has" | sort -V | head -n 1)" = "$needs" ] || {
    echo "SKIPPED Rust: cargo is $has, and the crate needs $needs"
    exit 77
}

out=$(pwd)/build-rust
mkdir -p "$out"
# Where the tree is no checkout, cargo takes all files that Cargo.toml includes.
cargo package --quiet --locked --no-verify --allow-dirty --target-dir "$out/package"
cp "$out/package/package/lanecrypt-$version.crate" "$out/"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
tar -xzf "$out/lanecrypt-$version.crate" -C "$tmp"
cd "$tmp/lanecrypt-$version"
CARGO_TARGET_DIR=$out/target
CARGO_PROFILE_DEV_DEBUG=line-tables-only # which compiles faster
export CARGO_TARGET_DIR CARGO_PROFILE_DEV_DEBUG
cargo test --locked --features rustls
# The benchmarks run, each cell once.
cargo test --locked --quiet --features rustls --benches
# What TLS needs, nobody gets who doesn't ask for it.
tree=$(cargo tree --locked --edges normal --no-dedupe --prefix none --format '{lib}' | sort -u | paste -sd ' ')
[ "$tree" = "aead crypto_common hybrid_array inout lanecrypt typenum" ] || die "by default the crate needs $tree"
echo "$out/lanecrypt-$version.crate"
