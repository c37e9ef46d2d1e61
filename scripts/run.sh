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
# The tree's size and a third more for the file system's own structures; at least 64 MB.
kb=$(du -sk /usr/share/doc | cut -f1)
kb=$((kb * 4 / 3 + 65536))
# In memory if there is room for the three images and their successors, so that it's the cipher that is timed and not the disk.
free=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ "${free:-0}" -gt $((kb * 5)) ] && [ -w /dev/shm ]; then
    work=$(mktemp -d /dev/shm/lanecrypt.XXXXXX)
    where="in memory"
else
    work=$(mktemp -d "$BUILD/disk.XXXXXX")
    where="on disk, which is what limits it"
fi
trap 'rm -rf "$work"' EXIT INT TERM
head -c 64 /dev/urandom >"$work/key"
PATH=$PATH:/sbin:/usr/sbin mke2fs -q -t ext4 -d /usr/share/doc "$work/plain.img" "${kb}k" >/dev/null
$lanecrypt xts encrypt --key-file "$work/key" "$work/plain.img" "$work/cipher.img"
$lanecrypt xts decrypt --key-file "$work/key" "$work/cipher.img" "$work/back.img"
if cmp -s "$work/plain.img" "$work/cipher.img"; then
    echo "the ciphertext equals the plaintext: something is very wrong" >&2
    exit 1
fi
cmp "$work/plain.img" "$work/back.img"
echo "and in place, where no new file has to be made:"
$lanecrypt xts encrypt --in-place --key-file "$work/key" "$work/back.img"
cmp "$work/cipher.img" "$work/back.img"
$lanecrypt xts decrypt --in-place --key-file "$work/key" "$work/back.img"
cmp "$work/plain.img" "$work/back.img"
PATH=$PATH:/sbin:/usr/sbin e2fsck -fn "$work/back.img" >/dev/null 2>&1
echo "$((kb / 1024)) MB there and back, $where: equal byte for byte, and e2fsck is content"
echo
echo "The page to look at: $(pwd)/$BUILD/speed.html"
