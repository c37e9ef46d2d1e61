#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# fetch_crate.sh NAME VERSION SHA256 DIR: put the sources of a package from crates.io into DIR/NAME, and what it needs next to it.
# DIR is an absolute path, and must not exist.
set -eu
[ $# = 4 ] || { echo "usage: $0 NAME VERSION SHA256 DIR" >&2; exit 2; }
name=$1 version=$2 sha256=$3 dir=$4
case $dir in /*) ;; *) echo "$0: $dir is not an absolute path" >&2; exit 2 ;; esac
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM

mkdir "$tmp/src"
: > "$tmp/src/lib.rs"
cat > "$tmp/Cargo.toml" <<END
[package]
name = "fetch"
version = "0.0.0"
edition = "2021"
[dependencies]
$name = { version = "=$version", default-features = false }
END
# Debian 12's cargo takes the registry's index as a git repository, which is huge and not to be had everywhere; the way that newer
# ones go needs two variables there.  cargo checks the sum that the lock file has.
(cd "$tmp" && cargo vendor --quiet "$dir" > /dev/null 2> "$tmp/cargo.log") ||
    (cd "$tmp" && RUSTC_BOOTSTRAP=1 CARGO_UNSTABLE_SPARSE_REGISTRY=true cargo vendor --quiet "$dir" > /dev/null) ||
    { cat "$tmp/cargo.log" >&2; exit 1; }
found=$(sed -n "/^name = \"$name\"\$/,/^checksum/s/^checksum = \"\\(.*\\)\"\$/\\1/p" "$tmp/Cargo.lock")
[ "$found" = "$sha256" ] || { echo "$0: $name has SHA-256 $found, not $sha256" >&2; exit 1; }
