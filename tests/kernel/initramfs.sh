#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# initramfs.sh OUT GUEST_SCRIPT MODULES FILE...: an initramfs that runs guest_init.sh and in it GUEST_SCRIPT.
# MODULES is fetch_kernel.sh's directory of that name, or - for none.  FILEs are put into /test, and the libraries that they need
# where they expect them; FILE:NAME renames one.  PROGRAMS: of this system, for the guest besides busybox.
set -eu

HERE=$(dirname "$0")
OUT=$1 SCRIPT=$2 MODULES=$3
shift 3

root=$OUT.tree
rm -rf "$root"
mkdir -p "$root/bin" "$root/sbin" "$root/modules" "$root/test" "$root/dev" "$root/proc" "$root/sys" "$root/tmp" \
    "$root/run/cryptsetup" "$root/mnt" "$root/etc"
PATH=$PATH:/usr/sbin:/sbin

# libraries FILE: what a static one needs is nothing, and ldd fails, as it does for what isn't a program.
libraries() {
    { ldd "$1" 2>/dev/null || :; } | grep -o '/[^ ]*' | while read -r library; do
        mkdir -p "$root${library%/*}"
        cp -Lu "$library" "$root$library"
    done
}

for program in busybox ${PROGRAMS-cryptsetup dmsetup ip mke2fs}; do
    file=$(readlink -f "$(command -v "$program")")
    case $program in busybox) cp "$file" "$root/bin/" ;; *) cp "$file" "$root/sbin/$program" ;; esac
    libraries "$file"
done
if [ "$MODULES" != - ]; then
    cp "$MODULES"/* "$root/modules/"
fi
cp "$HERE/guest_init.sh" "$root/init"
chmod 755 "$root/init"
cp "$SCRIPT" "$root/test/script"
for file; do
    name=${file##*:}
    cp "${file%:*}" "$root/test/${name##*/}"
    [ ! -x "${file%:*}" ] || libraries "${file%:*}"
done
find "$root/test" -name '*.ko' -exec strip -g {} +
(cd "$root" && find . | cpio -o -H newc --quiet -R 0:0 | gzip -1) >"$OUT.new"
mv "$OUT.new" "$OUT"
rm -rf "$root"
