#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# fetch_secure.sh: print the directory with what boots with secure boot: code.fd and vars.fd, firmware that trusts Microsoft's keys;
# shim.efi, which has Microsoft's signature, and grub.efi with the distribution's.
# Exit status 77, with the reason on stderr, if it can't be had.
set -eu
. "$(dirname "$0")/cache.sh"

# shellcheck disable=SC2034
OLDER="secure-*"
PACKAGES="ovmf shim-signed grub-efi-amd64-signed"

need_programs apt-cache apt-get dpkg-deb
key=$(for package in $PACKAGES; do package_version "$package"; done | paste -sd - | tr ':' .)-$(recipe)
case $key in
*-*-*-*) ;;
*) cannot "apt doesn't know all of $PACKAGES" ;;
esac
if [ ! -d "$CACHE/secure-$key" ]; then
    echo "fetching $PACKAGES" >&2
    new_entry
    # shellcheck disable=SC2086
    download $PACKAGES
    for deb in *.deb; do
        dpkg-deb -x "$deb" tree
    done
    while read -r name file; do
        cp "tree/usr/$file" "entry/$name" 2>/dev/null || cannot "no /usr/$file in $PACKAGES"
    done <<'END'
code.fd share/OVMF/OVMF_CODE_4M.ms.fd
vars.fd share/OVMF/OVMF_VARS_4M.ms.fd
shim.efi lib/shim/shimx64.efi.signed
grub.efi lib/grub/x86_64-efi-signed/grubx64.efi.signed
END
    keep_entry secure "$key"
fi
echo "$CACHE/secure-$key"
