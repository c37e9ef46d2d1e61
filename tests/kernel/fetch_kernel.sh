#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# fetch_kernel.sh SERIES: print the directory with the distribution's kernel of that series, such as 6.12, for booting and building:
#   vmlinuz   modules/*.ko and modules/order, in which to load them   headers (KDIR)   release, what `uname -r` says in it
# Exit status 77, with the reason on stderr, if it can't be had.
set -eu
. "$(dirname "$0")/cache.sh"

SERIES=$1
recipe=$(recipe)
OLDER="debian-$SERIES-*-$recipe"
# What the guest needs beyond its built-in drivers, dependencies not named.
MODULES="virtio_pci virtio_blk brd ext4 crc32c_generic crc32c-intel dm-crypt tls esp4 xfrm_user veth cifs ksmbd nls_utf8
    xts ecb cbc cts ctr gcm ccm cmac ghash-generic chacha20poly1305 chacha_generic poly1305_generic seqiv
    hmac sha512_generic jitterentropy_rng drbg aesni-intel algif_skcipher algif_aead"

need_programs apt-cache apt-get dpkg-deb modprobe depmod xz

# The metapackages name the current one: either the series' own, or the release's if it is of this series.
image=
for meta in "linux-image-$SERIES-amd64" linux-image-amd64; do
    image=$(package_depends "$meta" | grep -m 1 "^linux-image-$SERIES\.[0-9]") && break
done
[ -n "$image" ] || cannot "apt knows no kernel $SERIES"
kernel=${image#linux-image-}
version=$(package_version "$image")
key=$version-$recipe
final=$CACHE/debian-$SERIES-$key
if [ ! -d "$final" ]; then
    headers=$(package_depends "linux-headers-$kernel" | grep -E '^linux-(headers|kbuild)-') ||
        cannot "apt knows no headers for $kernel"
    echo "fetching $image and its headers ($version)" >&2
    new_entry
    # shellcheck disable=SC2086
    download "$image" "linux-headers-$kernel" $headers
    dpkg-deb -x linux-image-*.deb image
    for deb in linux-headers-*.deb linux-kbuild-*.deb; do
        dpkg-deb -x "$deb" entry/tree
    done
    mv "image/boot/vmlinuz-$kernel" entry/vmlinuz
    echo "$kernel" >entry/release

    # The modules in the order of loading, so that the guest needs no modprobe.
    root=image
    [ -d image/lib/modules ] || root=image/usr
    depmod -b "$root" "$kernel"
    mkdir entry/modules
    for module in $MODULES; do
        modprobe -d "$root" -S "$kernel" --show-depends "$module" || {
            echo "no module '$module' in $image" >&2
            exit 1
        }
    done >files
    sed -n 's/^insmod //p' files | awk '!seen[$1]++ { print $1 }' | while read -r file; do
        name=$(basename "$file" .xz)
        case $file in
        *.xz) xz -dc "$file" >"entry/modules/$name" ;;
        *) mv "$file" "entry/modules/$name" ;;
        esac
        echo "$name" >>entry/modules/order
    done

    # The headers refer to their neighbours by the paths of an installation.
    sed -i "s#/usr/src/#$final/tree/usr/src/#" "entry/tree/usr/src/linux-headers-$kernel/Makefile"
    rm -rf entry/tree/usr/share
    ln -s "tree/usr/src/linux-headers-$kernel" entry/headers
    keep_entry "debian-$SERIES" "$key"
fi
echo "$final"
