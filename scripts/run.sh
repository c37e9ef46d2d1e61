#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# ./dev run: what this CPU has, how fast ciphers and public keys are on it, OpenSSL with the provider and without, a real disk
# image there and back, and tokens signed and verified.
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
peer=
if ! $lanecrypt speed --alg aes-256-xts --size 16 --impl xts-aes-portable >/dev/null 2>&1; then
    peer="--peer none"
    echo "(without a comparison: there is no libcrypto.so.3 here)"
fi
# shellcheck disable=SC2086
$lanecrypt speed $peer --html "$BUILD/speed.html" --json "$BUILD/speed.json"

echo
echo "== Public keys: eight operations in a call, by the implementation that is chosen"
algs=ecdsa-p256-sign,ecdsa-p256-verify,ecdh-p256,ecdsa-p384-sign,ecdsa-p384-verify,ecdh-p384,sm2-sign,sm2-verify
# shellcheck disable=SC2086
$lanecrypt speed $peer --batch 8 --alg $algs,x25519,ed25519-sign,ed25519-verify,rsa-2048-sign,rsa-2048-verify \
    >"$BUILD/public_keys.txt"
awk 'NF == 0 || $1 == "batch" || !seen[$1]++' "$BUILD/public_keys.txt"

# MB/s by `openssl speed`, with no configuration, so that only what is meant has the provider: speed CIPHER SIZE [OPTION]...
speed() {
    cipher=$1 size=$2
    shift 2
    set -- "$@" -mr -seconds 1 -bytes "$size" -evp "$cipher"
    case $cipher in *-GCM) set -- "$@" -aead ;; esac # with AAD, as in TLS
    OPENSSL_CONF=/dev/null openssl speed "$@" 2>/dev/null | awk -F: '/^\+F:/ { s = $NF / 1e6 } END { printf "%.0f\n", s }'
}
openssl_table() {
    if [ ! -f "$BUILD/openssl/lanecrypt.so" ]; then
        echo "(left out: the provider was not built, because OpenSSL's headers are missing)"
        return
    fi
    provider="-provider-path $BUILD/openssl -provider lanecrypt -provider default -propquery ?provider=lanecrypt"
    # shellcheck disable=SC2086
    if ! info=$(OPENSSL_CONF=/dev/null openssl list -providers -verbose $provider 2>&1); then
        echo "(left out: the command openssl is missing, or does not load the provider: $(echo "$info" | head -n 1))"
        return
    fi
    printf '%-18s %26s %27s\n' "$(openssl version | cut -d' ' -f1,2)" "256 bytes" "16384 bytes"
    printf '%-18s %8s %10s %6s %9s %10s %6s\n' MB/s without with ratio without with ratio
    for cipher in AES-128-GCM AES-192-GCM AES-256-GCM AES-128-CTR AES-192-CTR AES-256-CTR AES-128-XTS AES-256-XTS ChaCha20 \
        ChaCha20-Poly1305; do
        case $info in
        *[,:]" $cipher: "*) ;;
        *)
            printf '%-18s not served on this CPU\n' $cipher
            continue
            ;;
        esac
        # shellcheck disable=SC2046,SC2086
        echo $cipher $(speed $cipher 256) $(speed $cipher 256 $provider) $(speed $cipher 16384) $(speed $cipher 16384 $provider) |
            awk 'function ratio(a, b) { return a ? sprintf("%.2f", b / a) : "-" }
                { printf "%-18s %8s %10s %6s %9s %10s %6s\n", $1, $2, $3, ratio($2, $3), $4, $5, ratio($4, $5) }'
    done
    echo "AES-GCM is timed with whole messages and a new key for each, the others with one endless text in pieces of that length."
}
echo
echo "== OpenSSL without the provider and with it: openssl speed -evp, which takes 40 seconds"
openssl_table

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
(umask 077 && head -c 64 /dev/urandom >"$work/key")
PATH=$PATH:/sbin:/usr/sbin mke2fs -q -t ext4 -d /usr/share/doc "$work/plain.img" "${kb}k" >/dev/null
$lanecrypt xts encrypt --key-file "$work/key" "$work/plain.img" "$work/cipher.img"
$lanecrypt xts decrypt --key-file "$work/key" "$work/cipher.img" "$work/back.img"
if cmp -s "$work/plain.img" "$work/cipher.img"; then
    echo "the ciphertext equals the plaintext: nothing was encrypted" >&2
    exit 1
fi
cmp "$work/plain.img" "$work/back.img"
echo "The same in place, which needs no new file:"
$lanecrypt xts encrypt --in-place --key-file "$work/key" "$work/back.img"
cmp "$work/cipher.img" "$work/back.img"
$lanecrypt xts decrypt --in-place --key-file "$work/key" "$work/back.img"
cmp "$work/plain.img" "$work/back.img"
PATH=$PATH:/sbin:/usr/sbin e2fsck -fn "$work/back.img" >/dev/null 2>&1
echo "$((kb / 1024)) MB there and back, $where: equal byte for byte, and e2fsck finds no errors"
echo
echo "== 100,000 JSON Web Tokens (ES256, ten keys), signed by examples/jwt.c, and verified"
${CC:-cc} -O2 -I include -o "$work/jwt" examples/jwt.c "$BUILD/liblanecrypt.a"
"$work/jwt" "$work/keys.json" 100000 10 >"$work/tokens"
head -n 1 "$work/tokens" | cut -c 1-132
$lanecrypt verify --failed --keys "$work/keys.json" "$work/tokens"

echo
echo "The speeds as a page: $(pwd)/$BUILD/speed.html"
