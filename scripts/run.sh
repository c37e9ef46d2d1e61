#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# ./dev run: what this CPU has, how fast the ciphers are on it, and a real disk image there and back.
set -eu
BUILD=$1
lanecrypt=$BUILD/cli/lanecrypt

echo "== This CPU"
$lanecrypt cpu
echo
echo "== Implementations: the first that runs here and that the 512-bit policy doesn't pass over is chosen"
$lanecrypt list
echo
echo "== Self-test"
$lanecrypt selftest
echo
echo "== Speed"
if $lanecrypt speed --alg aes-256-xts --size 16 --impl xts-aes-portable >/dev/null 2>&1; then
    $lanecrypt speed --html "$BUILD/speed.html" --json "$BUILD/speed.json"
else
    echo "(no libcrypto.so.3 here to compare with)"
    $lanecrypt speed --peer none --html "$BUILD/speed.html" --json "$BUILD/speed.json"
fi

echo
echo "== A disk image: ext4 made of /usr/share/doc, encrypted with AES-256-XTS in 512-byte sectors, and back"
work=$BUILD/disk
rm -rf "$work"
mkdir -p "$work"
head -c 64 /dev/urandom >"$work/key"
# The tree's size and a third more for the file system's own structures; at least 64 MB.
kb=$(du -sk /usr/share/doc | cut -f1)
kb=$((kb * 4 / 3 + 65536))
PATH=$PATH:/sbin:/usr/sbin mke2fs -q -t ext4 -d /usr/share/doc "$work/plain.img" "${kb}k"
for round in 1 2; do
    $lanecrypt xts encrypt --force --key-file "$work/key" "$work/plain.img" "$work/cipher.img"
    $lanecrypt xts decrypt --force --key-file "$work/key" "$work/cipher.img" "$work/back.img"
done
if cmp -s "$work/plain.img" "$work/cipher.img"; then
    echo "the ciphertext equals the plaintext: something is very wrong" >&2
    exit 1
fi
cmp "$work/plain.img" "$work/back.img"
PATH=$PATH:/sbin:/usr/sbin e2fsck -fn "$work/back.img" >/dev/null 2>&1
echo "$(du -m "$work/plain.img" | cut -f1) MB there and back: equal byte for byte, and e2fsck is content"
rm -rf "$work"
echo
echo "The page to look at: $(pwd)/$BUILD/speed.html"
