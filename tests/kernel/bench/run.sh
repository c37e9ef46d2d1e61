#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run.sh UMBUILD LANECRYPT_KO [aead] [PARAMETER=VALUE ...]: build lanecrypt_bench.ko, or lanecrypt_bench_aead.ko, for the user-mode
# Linux built in UMBUILD, boot it with both modules, print the table.  The parameters are the module's (rounds=, drivers=, ..).
# Needs busybox (static) and cpio.  The CPU runs the code itself, without emulation, but kernel_fpu_begin() does nothing there.
set -eu
[ $# -ge 2 ] || { sed -n '3,5s/^# //p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
um=$(cd "$1" && pwd)
ko=$(realpath "$2")
shift 2
bench=lanecrypt_bench.ko
if [ "${1:-}" = aead ]; then
    bench=lanecrypt_bench_aead.ko
    shift
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

parameters=
for p in "$@"; do
    parameters="$parameters '$p'"
done

# kbuild writes beside the sources: give it copies.
mkdir "$tmp/build" "$tmp/root"
cp "$here"/Kbuild "$here"/*.c "$here"/*.S "$tmp/build"
make -s -C "$um" ARCH=um M="$tmp/build" LANECRYPT="$here/../../.." modules >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
grep -i warning "$tmp/log" >&2 || :

mkdir "$tmp/root/bin" "$tmp/root/proc" "$tmp/root/dev"
cp "$(command -v busybox)" "$tmp/root/bin/busybox"
cp "$ko" "$tmp/root/lanecrypt.ko"
cp "$tmp/build/$bench" "$tmp/root/"
cat >"$tmp/root/init" <<END
#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t devtmpfs dev /dev
/bin/busybox insmod /lanecrypt.ko || echo "lanecrypt.ko: insmod failed"
/bin/busybox insmod /$bench$parameters 2>/dev/null
echo
/bin/busybox dmesg | /bin/busybox grep -E 'lanecrypt|alg:|BUG|WARNING|Oops'
/bin/busybox sleep 0.5 # or the end of the output is lost
/bin/busybox poweroff -f
END
chmod +x "$tmp/root/init"
(cd "$tmp/root" && find . | cpio -o -H newc --quiet) >"$tmp/initrd"

# Its memory is a file in /dev/shm, which is small in some containers.
[ "$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)" -ge 150000 ] || export TMPDIR="$tmp"
timeout "${LIMIT:-120}" "$um/linux" mem=128M initrd="$tmp/initrd" rdinit=/init con=null con0=null,fd:1 uml_dir="$tmp/uml" quiet \
    </dev/null >"$tmp/out" 2>&1 || :
# busybox's insmod tries twice; the first table will do.
sed 's/\r//; s/^\[[^]]*\] //; s/^lanecrypt_bench\(_aead\)\{0,1\}: //' "$tmp/out" | awk '/^cycles a request/ { table = 1 }
    table || /lanecrypt|alg:|BUG|WARNING|Oops/
    /batches were undisturbed/ { exit }'
grep -q 'batches were undisturbed' "$tmp/out" || { echo "run.sh: no table" >&2; tail -20 "$tmp/out" >&2; exit 1; }
