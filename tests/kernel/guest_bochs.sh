# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=dash
# In the guest, in Bochs, which saves and restores registers as real CPUs do, those of AVX-512 too: each driver passes the kernel's
# tests, writes what the kernel's portable code writes, and no program loses a vector register to it.  All of it happens on one CPU,
# in a program's system call or while it waits, so nothing is left to chance.
# shellcheck source=guest_drivers.sh
. /test/guest_drivers.sh
# shellcheck source=guest_use.sh
. /test/guest_use.sh

# The kernel has booted without testing its own algorithms, which takes time.
echo N >/sys/module/cryptomgr/parameters/notests
same "the kernel's tests are on" "$(cat /sys/module/cryptomgr/parameters/notests)" N

echo "CPU: $(cpu_line 'model name'); expected: $EXPECTED"

# syscalls DRIVER: a program encrypts and decrypts, in its own system calls.
syscalls() {
    case $1 in
    xts-*) /test/keep_vectors syscalls skcipher "$1" "xts(ecb(aes-generic))" 64 16 ;;
    ctr-*) /test/keep_vectors syscalls skcipher "$1" "ctr(aes-generic)" 32 16 ;;
    gcm-*) /test/keep_vectors syscalls aead "$1" "gcm_base(ctr(aes-generic),ghash-generic)" 32 12 ;;
    rfc4106-*) /test/keep_vectors syscalls aead "$1" "rfc4106(gcm_base(ctr(aes-generic),ghash-generic))" 36 8 ;;
    rfc7539-*) /test/keep_vectors syscalls aead "$1" "rfc7539(chacha20-generic,poly1305-generic)" 32 12 ;;
    rfc7539esp-*) /test/keep_vectors syscalls aead "$1" "rfc7539esp(chacha20-generic,poly1305-generic)" 36 8 ;;
    esac
}

# disk DRIVER: a program reads and writes a mapped device; dm-crypt's threads encrypt while it waits.
disk() {
    local status=0
    # Not by cryptsetup, which cuts such long names.
    dmsetup create plain --noudevsync --table "0 2048 crypt capi:$1-plain64 $(cat /tmp/key) 0 /dev/ram0 0" || return 9
    dmsetup mknodes
    /test/keep_vectors disk /dev/mapper/plain || status=$?
    dmsetup remove --noudevsync plain
    return $status
}

head -c 64 /dev/urandom | od -An -v -t x1 | tr -d ' \n' >/tmp/key

mark
if load "loading"; then
    check_drivers "loaded" priority_of
    for driver in $EXPECTED; do
        check "$driver: programs keep their registers, and the portable code writes the same" syscalls "$driver"
    done
    for driver in $EXPECTED; do
        case $driver in
        xts-*) check "$driver: programs keep their registers while dm-crypt works" disk "$driver" ;;
        esac
    done
    unload "loading"
fi
use_ipsec 20000
use_tls
check_log "all"

# Without kernel_fpu_begin() in one mode.  Last, as it may hurt any program.
for MODULE in /test/no-fpu-*.ko; do
    [ -e "$MODULE" ] || break
    what=${MODULE#/test/}
    mode=${what#no-fpu-}
    mode=${mode%.ko}
    load "$what" || continue
    for driver in $EXPECTED; do
        case $driver in "$mode"-* | *-"$mode"-*) ;; *) continue ;; esac
        # Interrupted, such a module may lose its own registers, too, and write wrong bytes, status 2: then once more.
        status=2
        for _ in 1 2 3; do
            [ $status != 2 ] || { syscalls "$driver"; status=$?; }
        done
        same "$what: $driver: it's seen that programs lose their registers" $status 1
        case $driver in xts-*) ;; *) continue ;; esac
        disk "$driver"
        same "$what: $driver: it's seen that they lose them while dm-crypt works" $? 1
    done
    unload "$what"
    case $mode in
    gcm) use_ipsec_without_fpu "$what" 10.0.0 ;;
    chacha20) use_ipsec_without_fpu "$what" 10.0.1 ;;
    esac
done
