#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# boot_bochs.sh KERNEL_DIR INITRAMFS LOG LIMIT MODEL COMMAND_LINE: boot fetch_kernel.sh's kernel in Bochs, whose CPU is MODEL (see
# `bochs --help cpu`), for LIMIT seconds at most.
#
# Bochs executes some 60 million instructions a second.  A boot loader, and the kernel's own unpacking, would take it two minutes:
# so bochs_rom.S, the ROM of a card, loads a kernel that is unpacked already.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
KERNEL=$(readlink -f "$1/vmlinuz") INITRAMFS=$(readlink -f "$2") LOG=$3 LIMIT=$4 MODEL=$5 COMMAND_LINE=$6
MEMORY=320 # MiB; the initramfs begins at 128

rm -rf "$LOG.bochs"
mkdir -p "$LOG.bochs"
cd "$LOG.bochs"

# field OFFSET BYTES: a number in the kernel's header
field() {
    od -An -v -t "u$2" -j "$1" -N "$2" "$KERNEL" | tr -d ' '
}

# After its setup code there is the kernel, packed, and the length that it has unpacked.
ln -s "$KERNEL" vmlinuz
tail -c +$((($(field 497 1) + 1) * 512 + $(field 584 4) + 1)) vmlinuz | head -c $(($(field 588 4) - 4)) >packed
case $(od -An -t x1 -N 4 packed | tr -d ' ') in
fd377a58) xz -dc <packed >elf ;;
28b52ffd) zstd -qdc <packed >elf ;;
*)
    echo "$KERNEL is packed in a way that this script doesn't know" >&2
    exit 1
    ;;
esac
objcopy -O binary elf kernel
entry=$(od -An -t u4 -j 24 -N 4 elf | tr -d ' ')
truncate -s %512 kernel
gzip -dc "$INITRAMFS" >initramfs
cat kernel initramfs >disk
truncate -s $((($(stat -c %s disk) / 516096 + 1) * 516096)) disk # whole cylinders of 16 * 63 sectors

# What Bochs 2.7 gets wrong: the sizes that CPUID gives for XSAVES, XSAVEC and PKRU, in view of which the kernel would do without
# XSAVE.  By an MSR it says that fast strings are off, after which Linux 6.1 believes FSRM without ERMS, and its memmove() runs
# away.  MWAITX never comes back.
printf '%s' "console=ttyS0,115200 quiet loglevel=1 log_buf_len=1M panic=-1 nokaslr mitigations=off tsc=reliable nopku" \
    " noxsaves clearcpuid=pku,xsavec,fsrm,mwaitx,aperfmperf $COMMAND_LINE" >command_line
as --defsym ENTRY="$entry" --defsym KERNEL_SIZE="$(stat -c %s kernel)" --defsym INITRAMFS_SIZE="$(stat -c %s initramfs)" \
    --defsym MEMORY=$((MEMORY << 20)) -o rom.o "$HERE/bochs_rom.S"
objcopy -O binary -j .text rom.o rom
rm packed elf kernel initramfs
# A ROM's bytes have to add up to zero; its last one is for that.
sum=$(od -An -v -t u1 rom | awk '{ for (i = 1; i <= NF; i++) sum += $i } END { print (256 - sum % 256) % 256 }')
# shellcheck disable=SC2059
printf "\\$(printf %o "$sum")" | dd of=rom bs=1 seek=$(($(stat -c %s rom) - 1)) conv=notrunc 2>/dev/null

# That of the display, which nothing looks at: it returns at once.  Debian has one, in a package that may be missing.
printf '\125\252\001\313' >vga_rom
truncate -s 511 vga_rom
printf '\065' >>vga_rom

cat >bochsrc <<END
display_library: term
cpu: model=$MODEL, count=1, ips=100000000, reset_on_triple_fault=0
memory: guest=$MEMORY, host=$MEMORY
romimage: file=/usr/share/bochs/BIOS-bochs-latest, options=fastboot
vgaromimage: file=vga_rom
optromimage1: file=rom, address=0xd0000
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=disk, path=disk, mode=flat, cylinders=0
clock: sync=none, time0=utc
com1: enabled=1, mode=file, dev=console
plugin_ctrl: speaker=0, gameport=0, parallel=0
log: bochs.log
panic: action=fatal
error: action=ignore
info: action=ignore
debug: action=ignore
END
# Debian's Bochs has a debugger, which wants to be told to continue.  It ignores SIGTERM, and its exit status is always 1: the guest
# has to say that it has come to its end.
echo c >commands
status=0
TERM=vt100 timeout --foreground -s KILL "$LIMIT" bochs -q -f bochsrc -rc commands </dev/null >out 2>&1 || status=$?
rm -f disk
cp console "$LOG" 2>/dev/null || cp out "$LOG"
[ $status != 137 ] || exit $status
