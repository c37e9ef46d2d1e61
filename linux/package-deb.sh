#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# package-deb.sh: make build/lanecrypt-dkms_VERSION_all.deb, which has the sources of the kernel module for DKMS.
#
# The same sources give the same file, byte for byte.  SOURCE_DATE_EPOCH is honoured.
set -eu

# Before anything else, so that nothing is left behind when something is missing.
missing=
# dpkg-buildpackage asks for it, whatever a package needs.
case $(dpkg-query -W -f '${Status}' build-essential 2>/dev/null) in *' installed') ;; *) missing=" build-essential" ;; esac
command -v dpkg-buildpackage >/dev/null || missing="$missing dpkg-dev"
command -v dh >/dev/null || missing="$missing debhelper"
command -v dh_dkms >/dev/null || missing="$missing dh-dkms"
if [ -n "$missing" ]; then
    echo "package-deb.sh: missing packages; please run, as root:  apt-get install --no-install-recommends$missing" >&2
    exit 1
fi

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
version=$(awk '/^#define LANECRYPT_VERSION_(MAJOR|MINOR|PATCH) / { v = v dot $3; dot = "." } END { print v }' \
    include/lanecrypt/lanecrypt.h)

# Everything that the module is built from, and nothing else.  tests/kernel/test_dkms.sh compares this with what the compiler reads.
sources="
include/lanecrypt/aead.h include/lanecrypt/chacha20.h include/lanecrypt/chacha20poly1305.h include/lanecrypt/cpu.h
include/lanecrypt/ctr.h include/lanecrypt/gcm.h include/lanecrypt/lanecrypt.h include/lanecrypt/poly1305.h
include/lanecrypt/xts.h include/lanecrypt/aes_round/sbox_planes.h
linux/Kbuild linux/Makefile linux/include/stddef.h linux/include/stdint.h linux/include/string.h
linux/asm_kernel.h linux/compat.h linux/module.h linux/main.c linux/skcipher_xts.c linux/skcipher_ctr.c
linux/aead.c linux/aead.h linux/aead_gcm.c linux/aead_chacha20poly1305.c linux/rows.c
linux/aes_bitslice.c linux/aes_keys.S linux/features.c
linux/aes_xts.S linux/xts_portable.c
linux/aes_ctr.S linux/ctr_portable.c
linux/aes_gcm.S linux/gcm_portable.c
linux/chacha20.S linux/chacha20_work.h linux/chacha20_portable.c
linux/poly1305.S linux/poly1305_portable.c
linux/chacha20poly1305.c linux/chacha20poly1305_portable.c
src/aes.h src/aes_bitslice.c src/aes_bitslice.h src/feature_list.h src/internal.h src/rows.c src/rows.def src/wipe.h
src/xts_internal.h src/xts_portable.c src/ctr_internal.h src/ctr_portable.c src/gcm_internal.h src/gcm_portable.c
src/x86/aes_keys.S src/x86/aes_rounds.h src/x86/asm.h src/x86/cpu.h src/x86/features.c
src/x86/layout.h src/x86/rows.def src/x86/aes_xts.S src/x86/aes_ctr.S src/x86/aes_gcm.S
src/x86/aes_gcm_body.h
src/chacha20_internal.h src/chacha20_portable.c src/poly1305_internal.h src/poly1305_portable.c
src/chacha20poly1305_internal.h src/chacha20poly1305_portable.c
src/x86/chacha20.S src/x86/chacha20_run.h src/x86/chacha20_tuning.h src/x86/chacha20poly1305.c
src/x86/poly1305.S src/x86/poly1305_scalar.h
"

# The date in the package: that of the last commit, or of the version's header in a tree that isn't a checkout.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y include/lanecrypt/lanecrypt.h)
fi
export SOURCE_DATE_EPOCH

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
work=$tmp/lanecrypt-$version
mkdir -p "$work"
# Modes are set because they go into the package, and a checkout's depend on the umask.
for file in $sources docs/linux.md; do
    install -D -m 644 "$file" "$work/$file"
done
install -m 644 linux/dkms.conf "$work/dkms.conf"
cp -R linux/debian "$work/debian"
chmod -R u=rwX,go=rX "$work/debian"
cat >"$work/debian/changelog" <<EOF
lanecrypt ($version) unstable; urgency=medium

  * Version $version; see the log of the repository.

 -- $(sed -n 's/^Maintainer: //p' linux/debian/control)  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
EOF

if ! (cd "$work" && dpkg-buildpackage -b -us -uc) >"$tmp/log" 2>&1; then
    tail -n 30 "$tmp/log" >&2
    echo "package-deb.sh: dpkg-buildpackage failed" >&2
    exit 1
fi
mkdir -p build
cp "$tmp/lanecrypt-dkms_${version}_all.deb" build/
echo "build/lanecrypt-dkms_${version}_all.deb"
