#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# boot_qemu.sh KERNEL_DIR INITRAMFS LOG LIMIT CPU COMMAND_LINE [DISK...]: boot fetch_kernel.sh's kernel, for LIMIT seconds at most.
set -eu
KERNEL=$1 INITRAMFS=$2 LOG=$3 LIMIT=$4 CPU=$5 COMMAND_LINE=$6
shift 6

# /dev/kvm alone says little: where it has no hardware behind it (kvm_pvm), it is slower than TCG and knows fewer instructions.
# QEMU 7.2 emulates VAES, but VAESENC with ymm registers gives a wrong upper half.
# With a thread for each CPU, TCG runs what the kernel has just patched (static keys, by int3) from its stale translation now and
# then: "Oops: int3".  One thread takes the CPUs in turn.
accel=tcg,thread=single lacks=,-vaes
if grep -qwE 'vmx|svm' /proc/cpuinfo && [ -w /dev/kvm ] && [ ! -d /sys/module/kvm_pvm ]; then
    accel=kvm lacks=
fi

for disk; do
    shift
    set -- "$@" -drive "file=$disk,format=raw,if=virtio,cache=unsafe"
done
# no_timer_check: on a busy machine Linux 6.1 misses the timer's interrupts, and panics.
timeout --foreground -k 5 "$LIMIT" qemu-system-x86_64 -nodefaults -no-user-config -no-reboot -display none -monitor none \
    -serial stdio -M q35 -accel $accel -cpu "$CPU$lacks" -smp 2 -m 768 -kernel "$KERNEL/vmlinuz" -initrd "$INITRAMFS" \
    -append "console=ttyS0 quiet loglevel=1 log_buf_len=4M panic=-1 no_timer_check $COMMAND_LINE" "$@" </dev/null >"$LOG" 2>&1
