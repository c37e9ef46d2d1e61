#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# fetch_ksmbd.sh: print the directory with the distribution's ksmbd-tools, the programs of the kernel's SMB server, and libraries.
# Exit status 77, with the reason on stderr, if it can't be had.
set -eu
. "$(dirname "$0")/cache.sh"

# shellcheck disable=SC2034
OLDER="ksmbd-*"
PACKAGES="ksmbd-tools libnl-3-200 libnl-genl-3-200"

need_programs apt-cache apt-get dpkg-deb
key=$(for package in $PACKAGES; do package_version "$package"; done | paste -sd -)-$(recipe)
case $key in
[0-9]*) ;;
*) cannot "no SMB server: apt knows no ksmbd-tools" ;;
esac
if [ ! -d "$CACHE/ksmbd-$key" ]; then
    echo "fetching ksmbd-tools" >&2
    new_entry
    # shellcheck disable=SC2086
    download $PACKAGES
    for deb in *.deb; do
        dpkg-deb -x "$deb" tree
    done
    find tree -name ksmbd.tools -type f -exec cp {} entry/ \;
    # (each is a link and a file of a longer name)
    for library in libnl-3.so.200 libnl-genl-3.so.200; do
        find tree -name $library -exec cp -L {} entry/ \;
    done
    keep_entry ksmbd "$key"
fi
echo "$CACHE/ksmbd-$key"
