#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# boot_secure.sh KERNEL_DIR SECURE_DIR INITRAMFS LOG LIMIT [CERTIFICATE]: boot fetch_kernel.sh's kernel in QEMU with secure boot, by
# what fetch_secure.sh has: firmware, shim, GRUB, kernel.  CERTIFICATE (DER) is that of an enrolled key.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
KERNEL=$1 SECURE=$2 INITRAMFS=$3 LOG=$4 LIMIT=$5

# QEMU makes a disk of a folder.
rm -rf "$LOG.disk"
mkdir -p "$LOG.disk/EFI/BOOT" "$LOG.disk/EFI/debian"
cp "$SECURE/shim.efi" "$LOG.disk/EFI/BOOT/BOOTX64.EFI"
cp "$SECURE/grub.efi" "$LOG.disk/EFI/BOOT/grubx64.efi"
cp "$KERNEL/vmlinuz" "$LOG.disk/vmlinuz"
cp "$INITRAMFS" "$LOG.disk/initrd.gz"
cat >"$LOG.disk/EFI/debian/grub.cfg" <<'END'
search --no-floppy --set=root --file /vmlinuz
linux /vmlinuz console=ttyS0 quiet loglevel=1 panic=-1 no_timer_check cryptomgr.notests
initrd /initrd.gz
boot
END
if [ $# -gt 5 ]; then
    python3 "$HERE/enroll_mok.py" "$SECURE/vars.fd" "$6" "$LOG.vars"
else
    cp "$SECURE/vars.fd" "$LOG.vars"
fi

# The firmware keeps its variables in flash that only system management mode may write.
status=0
timeout --foreground -k 5 "$LIMIT" qemu-system-x86_64 -nodefaults -no-user-config -no-reboot -display none -monitor none \
    -serial stdio -machine q35,smm=on -global driver=cfi.pflash01,property=secure,value=on -accel tcg,thread=single \
    -cpu max,-vaes -m 768 -drive "if=pflash,format=raw,unit=0,readonly=on,file=$SECURE/code.fd" \
    -drive "if=pflash,format=raw,unit=1,file=$LOG.vars" -drive "file=fat:rw:$LOG.disk,format=raw,if=virtio" \
    </dev/null >"$LOG" 2>&1 || status=$?
rm -rf "$LOG.disk" "$LOG.vars"
exit $status
