#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run.sh UMBUILD LANECRYPT_KO [requests|stock] [PARAMETER=VALUE ...]: measure LANECRYPT_KO in the user-mode Linux that build_uml.sh
# prints the directory of: XTS beside direct calls; or requests of any drivers; or, stock, requests of lanecrypt's drivers beside
# the kernel's own of the same class, a pair at a time, with the ratios.  The parameters are the module's (rounds=, drivers=, ..).
# Needs busybox (static) and cpio; stock also perl.  The CPU runs the code itself, but kernel_fpu_begin() does nothing there.
set -eu
[ $# -ge 2 ] || { sed -n '3,6s/^# //p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
um=$(cd "$1" && pwd)
ko=$(realpath "$2")
shift 2
mode=xts bench=lanecrypt_bench modules=
case ${1:-} in
requests | stock)
    mode=$1 bench=lanecrypt_bench_requests
    shift
    ;;
esac
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# What Linux 6.12 would take on a CPU for which ours would be taken.  (CTR and, for AVX2, GCM have none of that class.)
[ "$mode" != stock ] || set -- "$@" \
    drivers=xts-aes-lanecrypt-vaes-avx512-512+xts-aes-vaes-avx10_512 \
    drivers=xts-aes-lanecrypt-vaes-avx512-256+xts-aes-vaes-avx10_256 \
    drivers=xts-aes-lanecrypt-vaes-avx2+xts-aes-vaes-avx2 \
    drivers=xts-aes-lanecrypt-aesni-avx+xts-aes-aesni-avx \
    drivers=xts-aes-lanecrypt-aesni+xts-aes-aesni \
    drivers=ctr-aes-lanecrypt-vaes-avx512-512+ctr-aes-aesni \
    drivers=ctr-aes-lanecrypt-vaes-avx2+ctr-aes-aesni \
    drivers=ctr-aes-lanecrypt-aesni-avx+ctr-aes-aesni \
    drivers=gcm-aes-lanecrypt-vaes-avx512-512+generic-gcm-vaes-avx10_512 \
    drivers=gcm-aes-lanecrypt-vaes-avx512-256+generic-gcm-vaes-avx10_256 \
    drivers=gcm-aes-lanecrypt-vaes-avx2+generic-gcm-aesni-avx \
    drivers=gcm-aes-lanecrypt-aesni-avx+generic-gcm-aesni-avx \
    drivers=rfc4106-gcm-aes-lanecrypt-vaes-avx512-512+rfc4106-gcm-vaes-avx10_512 \
    drivers=rfc4106-gcm-aes-lanecrypt-vaes-avx512-256+rfc4106-gcm-vaes-avx10_256 \
    drivers=rfc4106-gcm-aes-lanecrypt-vaes-avx2+rfc4106-gcm-aesni-avx \
    drivers=rfc4106-gcm-aes-lanecrypt-aesni-avx+rfc4106-gcm-aesni-avx \
    "drivers=rfc7539-chacha20-poly1305-lanecrypt-avx512-512+rfc7539(chacha20-simd,poly1305-simd)" \
    "drivers=rfc7539-chacha20-poly1305-lanecrypt-avx512-256+rfc7539(chacha20-simd,poly1305-simd)" \
    "drivers=rfc7539-chacha20-poly1305-lanecrypt-avx2+rfc7539(chacha20-simd,poly1305-simd)"

# A line for each time that the module is loaded: once, or for each pair of drivers
common=
for p in "$@"; do
    case $p in drivers=*) ;; *) common="$common '$p'" ;; esac
done
{
    for p in "$@"; do
        case $p in drivers=*) echo "'$p'$common" ;; esac
    done
    printf '%s\n' "$@" | grep -q '^drivers=' || echo "$common"
} >"$tmp/loads"

# kbuild writes beside the sources: give it copies.
build() {
    make -s -C "$um" ARCH=um M="$1" LANECRYPT="$here/../../.." modules >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
    grep -i warning "$tmp/log" >&2 || :
}
mkdir "$tmp/build" "$tmp/root"
cp "$here"/Kbuild "$here"/*.c "$here"/*.S "$tmp/build"
build "$tmp/build"
if [ "$mode" = stock ]; then
    mkdir "$tmp/stock"
    cp "$um"/stock/* "$here"/stock/* "$tmp/stock"
    # its test for Skylake-X, by a field that user-mode Linux lacks
    sed -i 's/boot_cpu_data\.x86_vfm/0/' "$tmp/stock/poly1305_glue.c"
    perl "$tmp/stock/poly1305-x86_64-cryptogams.pl" >"$tmp/stock/poly1305-x86_64-cryptogams.S"
    build "$tmp/stock"
    modules="cryptd crypto_simd aesni-intel chacha-x86_64 poly1305-x86_64"
    cp "$tmp"/stock/*.ko "$tmp/root"
fi

mkdir "$tmp/root/bin" "$tmp/root/proc" "$tmp/root/dev"
cp "$(command -v busybox)" "$tmp/root/bin/busybox"
cp "$ko" "$tmp/root/lanecrypt.ko"
cp "$tmp/build/$bench.ko" "$tmp/root/"
{
    cat <<END
#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t devtmpfs dev /dev
for module in $modules lanecrypt; do
    /bin/busybox insmod /\$module.ko || echo "\$module.ko: insmod failed"
done
END
    sed "s|.*|/bin/busybox insmod /$bench.ko & 2>/dev/null|" "$tmp/loads"
    cat <<END
echo
/bin/busybox dmesg | /bin/busybox grep -E 'lanecrypt|alg:|BUG|WARNING|Oops'
/bin/busybox sleep 0.5 # or the end of the output is lost
/bin/busybox poweroff -f
END
} >"$tmp/root/init"
chmod +x "$tmp/root/init"
(cd "$tmp/root" && find . | cpio -o -H newc --quiet) >"$tmp/initrd"

# Its memory is a file in /dev/shm, which is small in some containers.
[ "$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)" -ge 150000 ] || export TMPDIR="$tmp"
timeout "${LIMIT:-120}" "$um/linux" mem=256M initrd="$tmp/initrd" rdinit=/init con=null con0=null,fd:1 uml_dir="$tmp/uml" quiet \
    log_buf_len=1M </dev/null >"$tmp/out" 2>&1 || :
# busybox's insmod tries twice: the first of two tables that begin alike will do.
sed 's/\r//; s/^\[[^]]*\] //; s/^lanecrypt_bench\(_requests\)\{0,1\}: //' "$tmp/out" | awk -v mode="$mode" '
    /^cycles a request/ { table = 1; line = 0; if (mode != "stock" || !header++) print; next }
    table && mode == "stock" && / (encrypt|decrypt):/ {
        if (line++ % 2 == 0) { split($0, ours); next }
        if ((ours[1] $1 $2) in seen) next
        seen[ours[1] $1 $2] = 1
        printf "%s %s", ours[1], $2
        for (i = 3; i <= NF; i++) printf " %d/%d=%.2f", ours[i], $i, ours[i] / $i
        printf " (%s)\n", $1
        next
    }
    mode != "stock" && (table || /lanecrypt|alg:|BUG|WARNING|Oops/)
    /batches were undisturbed/ { done = 1; table = 0; if (mode != "stock") exit }
    mode == "stock" && /differ|come back|failed|BUG|WARNING|Oops|: -[0-9]/
    END { exit !done }' || { echo "run.sh: no table" >&2; tail -20 "$tmp/out" >&2; exit 1; }
