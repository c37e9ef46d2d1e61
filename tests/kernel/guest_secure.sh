# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=dash
# In a guest with secure boot that has the key enrolled by which `signed` is signed: what it loads.  (They aren't called .ko, as
# initramfs.sh would strip them, and so drop the signatures.)

check "secure boot is on" sh -c 'dmesg | grep -q "secureboot: Secure boot enabled"'
check "the kernel is locked down" sh -c 'dmesg | grep -q "Kernel is locked down from EFI Secure Boot"'

# refused FILE WHY: what the kernel says of it, and what insmod does
refused() {
    local file="$1" why="$2"
    mark
    if insmod "/test/$file" 2>/tmp/error; then
        fail "$file: refused"
        rmmod lanecrypt
        return
    fi
    check "$file: refused by its key" grep -q "Key was rejected by service" /tmp/error
    messages >/tmp/messages
    check "$file: the kernel's reason is its key" grep -q "Loading of $why is rejected" /tmp/messages
    check "$file: no drivers" sh -c '! grep -q "^driver .*-lanecrypt-" /proc/crypto'
}

refused unsigned "unsigned module"
refused other "module with unavailable key"
check "signed: loaded" insmod /test/signed
check "signed: drivers" grep -q "^driver .*-lanecrypt-" /proc/crypto
# 8192: a module without a signature by a known key (E); 4096: not of the kernel's tree (O)
same "signed: the kernel is tainted by O and not by E" $(($(cat /proc/sys/kernel/tainted) & 12288)) 4096
check "signed: unloaded" rmmod lanecrypt
