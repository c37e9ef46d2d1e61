#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# AES of x86 and of Arm in SIMDe, as it is and by lanecrypt's header (docs/simde.md).  See usage().
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)

CACHE=${LANECRYPT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/lanecrypt}/simde
what="AES rounds in SIMDe"
# shellcheck disable=SC1091
. "$here/../debian.sh"
SUITES="trixie sid" # with SIMDe 0.8.2, and with a newer one

usage() {
    cat <<'END'
usage: run.sh           a table: AES-128 and carry-less products as x86's code and Arm's have them, on this x86-64
       run.sh --check   the file of vectors, vectors/aes-round.json, here and on emulated Arm, POWER and RISC-V

SIMDe is Debian's package libsimde-dev, of trixie and of sid, by apt: 25 MB, most of it lists.  All is kept in
$LANECRYPT_CACHE/simde, or ~/.cache/lanecrypt/simde.
Exit status: 0; 1 if something is wrong; 77, with the reason, if something that is needed can't be had.
END
}

# simde SUITE: $root has SIMDe as that suite of Debian has it, now or, if it can't be asked, when it was fetched.
simde() {
    arch=$(dpkg --print-architecture)
    name=$1-$arch
    if apt_update "$name" deb "$arch" "$1"; then
        version=$(apt_cache "$name" policy libsimde-dev | sed -n 's/^  Candidate: //p')
        [ -e "$CACHE/$1/$arch/$version" ] || {
            rm -rf "${CACHE:?}/$1"
            unpacked "$1" "$arch" libsimde-dev ||
                cannot "apt can't fetch libsimde-dev of $1: $(reason "$CACHE/apt/$name/log")"
            : >"$CACHE/$1/$arch/$version"
        }
    fi
    root=$CACHE/$1/$arch
    [ -d "$root" ] || cannot "apt can't read Debian's packages of $1: $(reason "$CACHE/apt/$name/log")"
    version=$(cd "$root" && echo [0-9]*)
}

# compile PROGRAM OPTION... : from its sources, with SIMDe's headers and lanecrypt's; no library is needed
compile() {
    program=$CACHE/$1
    shift
    quietly "$program.log" "$@" -O2 -static -I"$root/usr/include" -I"$top/include" -o "$program"
}

# check HOST EMULATOR COMPILER...: SIMDe has 11 of the file's instructions, and with lanecrypt also AESKEYGENASSIST.
check() {
    host=$1 emulator=$2
    shift 2
    need_programs "$1" ${emulator:+"${emulator%% *}"}
    for number in 11 12; do
        case $number in 11) variant='as it is' form=-ULANECRYPT ;; 12) variant=lanecrypt form=-DLANECRYPT ;; esac
        compile check "$@" "$form" "$here/../qemu/guest.c" "$here/instructions.c" "$top/tests/aes_round/support.c"
        printf '%-12s %-22s %-10s' "$version" "$host" "$variant"
        # shellcheck disable=SC2086
        python3 "$here/../qemu/check.py" "$top/vectors/aes-round.json" --have $number -- $emulator "$program"
    done
}

action=table
case "${1:-}" in
'') ;;
--check) action=check ;;
--help | -h) usage; exit 0 ;;
*) usage >&2; exit 2 ;;
esac
[ "$(uname -m)" = x86_64 ] || cannot "this compares programs on x86-64, not on $(uname -m)"
need_debian
need_programs python3 gcc
lock_cache

if [ $action = check ]; then
    for suite in $SUITES; do
        simde "$suite"
        check x86-64 '' gcc
        check 'x86-64 with SSSE3' '' gcc -mssse3
        check 'x86-64 with AES' '' gcc -maes -mpclmul
        check AArch64 qemu-aarch64 aarch64-linux-gnu-gcc
        check 'AArch64 with AES' qemu-aarch64 aarch64-linux-gnu-gcc -march=armv8-a+crypto
        check 'POWER8' qemu-ppc64le powerpc64le-linux-gnu-gcc -mcpu=power8
        check 'POWER8, big-endian' qemu-ppc64 powerpc64-linux-gnu-gcc -mcpu=power8
        check RISC-V qemu-riscv64 riscv64-linux-gnu-gcc
        check 'RISC-V with Zkn, Zbc' 'qemu-riscv64 -cpu rv64,zkn=true' riscv64-linux-gnu-gcc -march=rv64gc_zknd_zkne_zbc
    done
    exit 0
fi

for suite in $SUITES; do # the last one's is the newest
    simde "$suite"
done
echo "SIMDe $version, $(gcc --version | head -n 1); nanoseconds, of SIMDe as it is and with lanecrypt"
echo "| The compiler is told of | what | as it is | lanecrypt | times as fast |"
echo "| --- | --- | --- | --- | --- |"
for options in '' -mssse3 '-maes -mpclmul'; do
    # shellcheck disable=SC2086
    compile speed-plain gcc $options "$here/speed.c"
    # shellcheck disable=SC2086
    compile speed-lanecrypt gcc $options -DLANECRYPT "$here/speed.c"
    # Turn by turn; the least of each figure
    for _ in 1 2 3 4 5; do
        "$CACHE/speed-plain" | paste -s -d' '
        "$CACHE/speed-lanecrypt" | paste -s -d' '
    done | awk -v options="${options:-nothing}" '
        BEGIN { split("x86: AES-128, a block;Arm: AES-128, a block;x86: PCLMULQDQ;Arm: PMULL", what, ";") }
        { for (i = 1; i <= 4; i++) { key = NR % 2 " " i; if (!(key in least) || $i < least[key]) least[key] = $i } }
        END {
            for (i = 1; i <= 4; i++) {
                plain = least["1 " i]; ours = least["0 " i]
                printf "| %s | %s | %.1f | %.1f | %.1f |\n", options, what[i], plain, ours, plain / ours
            }
        }'
done
