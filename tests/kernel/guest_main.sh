# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=dash
# In the guest: everything that is tested of the module.  Two empty disks; the host looks at the first one afterwards.
# shellcheck source=guest_drivers.sh
. /test/guest_drivers.sh

echo "flags: $(grep -m 1 '^flags' /proc/cpuinfo)"
echo "expected: $EXPECTED; best: $BEST"

[ -n "$EXPECTED" ] || {
    skipped "all: there is no driver for this CPU"
    return
}

# The fuzz tests, where the kernel has them: many the first time, which takes seconds, and a hundred later.
FUZZ=/sys/module/cryptomgr/parameters
set_fuzz() {
    [ ! -e $FUZZ/"$1" ] || echo "$2" >$FUZZ/"$1"
}

# ---- Loading ----

mark
set_fuzz fuzz_iterations 2000
load "loading" || return
set_fuzz fuzz_iterations 100
check_drivers "loaded" priority_of
check_log "loaded"
unload "loaded"
same "unloaded: nothing is left" "$(our_drivers)$(use_count)" ""

mark
if load "below" below=1; then
    check_drivers "below=1" below_of
    unload "below=1"
fi

# The drivers of one class, of each algorithm
# shellcheck disable=SC2013
for class in $(awk '{ print $3 }' /test/drivers | sort -u); do
    preferred=
    for driver in $EXPECTED; do
        [ "$(class_of "$driver")" != "$class" ] || preferred="$preferred,$driver"
    done
    preferred=${preferred#,}
    preferred_of() {
        case ",$preferred," in
        *",$1,"*) echo 900 ;;
        *) priority_of "$1" ;;
        esac
    }
    if [ -n "$preferred" ] && load "prefer" prefer="$preferred"; then
        check_drivers "prefer=$preferred" preferred_of
        unload "prefer=$preferred"
    fi
done

check_log "parameters"

check_refused "prefer=nonsense" "Invalid argument" "lanecrypt: prefer=nonsense: unknown driver" prefer=nonsense
check_refused "prefer=xts-aes-lanecrypt" "Invalid argument" "lanecrypt: prefer=xts-aes-lanecrypt: unknown driver" \
    prefer=xts-aes-lanecrypt
check_refused "prefer=$BEST,nonsense" "Invalid argument" "lanecrypt: prefer=nonsense: unknown driver" \
    prefer="$BEST,nonsense"
for driver in $ALL; do
    case " $EXPECTED " in
    *" $driver "*) ;;
    *) check_refused "prefer=$driver" "No such device" "lanecrypt: prefer=$driver: this CPU lacks" prefer="$driver" ;;
    esac
done

# ---- dm-crypt ----

printf secret >/tmp/pass
head -c 64 /dev/urandom >/tmp/key
head -c 4194304 /dev/urandom >/tmp/random
seq 1 60000 >/tmp/known

luks_open() {
    cryptsetup open -d /tmp/pass "$@" "${DISK}a" luks
}

# With sectors of 4096 bytes
plain_open() {
    cryptsetup open -q --type plain -c aes-xts-plain64 -s 512 -d /tmp/key --sector-size 4096 "$@" "${DISK}b" plain
}

# is_used WHAT: dm-crypt has taken our best driver, no other of ours, and the module can't go.
is_used() {
    local driver
    check "$1: dm-crypt uses $BEST" [ "$(references "$BEST")" -gt 1 ]
    for driver in $EXPECTED; do
        [ "$driver" = "$BEST" ] || same "$1: $driver isn't in use" "$(references "$driver")" 1
    done
    check "$1: the module is in use" [ "$(use_count)" -gt 0 ]
    if rmmod lanecrypt; then fail "$1: rmmod is refused"; else ok "$1: rmmod is refused"; fi
}

# same_files WHAT NAME...: files on the mounted disk and in /tmp
same_files() {
    local what="$1" name
    shift
    for name; do
        check "$what: /$name is what was written" cmp "/mnt/$name" "/tmp/$name"
    done
}

mark
if load "dm-crypt"; then
    check "LUKS: format" cryptsetup luksFormat -q --type luks1 --pbkdf pbkdf2 --pbkdf-force-iterations 1000 -c aes-xts-plain64 \
        -s 512 -d /tmp/pass "${DISK}a"
    check "LUKS: open" luks_open
    is_used "LUKS"
    check "LUKS: make a file system" /sbin/mke2fs -q -F -t ext4 /dev/mapper/luks
    check "LUKS: mount" mount -t ext4 /dev/mapper/luks /mnt
    cp /tmp/random /tmp/known /mnt
    check "LUKS: unmount" umount /mnt
    check "LUKS: close" cryptsetup close luks

    check "4096-byte sectors: open" plain_open
    is_used "4096-byte sectors"
    cat /tmp/random /tmp/known /tmp/random >/tmp/all
    check "4096-byte sectors: write" dd if=/tmp/all of=/dev/mapper/plain bs=1000k conv=fsync
    check "4096-byte sectors: close" cryptsetup close plain
    unload "dm-crypt"
fi

# The same with the kernel's own driver
check "the kernel's driver: open" luks_open
check "the kernel's driver: mount" mount -t ext4 /dev/mapper/luks /mnt
same_files "the kernel's driver" random known
cp /tmp/key /tmp/other
seq 60000 -1 1 >>/tmp/other
cp /tmp/other /mnt
check "the kernel's driver: unmount" umount /mnt
check "the kernel's driver: close" cryptsetup close luks
check "the kernel's driver, 4096-byte sectors: open" plain_open
check "the kernel's driver, 4096-byte sectors: it's what was written" cmp -n "$(stat -c %s /tmp/all)" /tmp/all /dev/mapper/plain
check "the kernel's driver, 4096-byte sectors: close" cryptsetup close plain

# Back to ours, and without work queues: decryption is then done where the disk's interrupt is handled, where possible.
if load "dm-crypt again"; then
    check "without queues: open" luks_open --perf-no_read_workqueue --perf-no_write_workqueue
    check "without queues: mount" mount -t ext4 /dev/mapper/luks /mnt
    same_files "without queues" random known other
    check "without queues: unmount" umount /mnt
    check "without queues: close" cryptsetup close luks
    check "without queues, 4096-byte sectors: open" plain_open --perf-no_read_workqueue --perf-no_write_workqueue
    check "without queues, 4096-byte sectors: it's what was written" cmp -n "$(stat -c %s /tmp/all)" /tmp/all /dev/mapper/plain
    check "without queues, 4096-byte sectors: close" cryptsetup close plain
    unload "dm-crypt again"
fi
check_log "dm-crypt"
for name in random known other; do
    echo "@data $name $(sha256sum <"/tmp/$name" | cut -c 1-64)"
done

# ---- IPsec, TLS, fscrypt and SMB (user-mode Linux has none of them) ----

if [ -e /test/guest_use.sh ]; then
    # shellcheck source=guest_use.sh
    . /test/guest_use.sh
    mark
    use_ipsec 1000000
    use_tls
    use_fscrypt "${DISK}b"
    [ ! -e /test/ksmbd.tools ] || use_smb
    check_log "use"
fi

# ---- Loading and unloading, while a mapping of the kernel's driver is written to ----

mark
set_fuzz noextratests 1
check "20 times: open with the kernel's driver" luks_open
mount -t ext4 /dev/mapper/luks /mnt
while [ ! -e /tmp/stop ]; do
    dd if=/tmp/random of=/mnt/copy bs=256k conv=fsync 2>/dev/null
    sleep 0.1
done &
times=0
while [ $times -lt 20 ] && insmod "$MODULE" && settle && [ "$(our_drivers | wc -l)" -gt 0 ] && rmmod lanecrypt; do
    times=$((times + 1))
done
touch /tmp/stop
wait
same "20 times: loaded and unloaded" "$times" 20
same "20 times: nothing is left" "$(our_drivers)$(use_count)" ""
check "20 times: the mapping still works" cmp /tmp/random /mnt/copy
umount /mnt
check "20 times: close" cryptsetup close luks
check_log "20 times"
set_fuzz noextratests 0

# ---- Vector registers of programs, while the kernel encrypts on the same CPUs ----

# registers_kept: no program loses its vector registers while our driver is at work, in dm-crypt's threads on whichever CPU.
registers_kept() {
    local kept=0 first second
    plain_open || return 2
    /test/keep_registers 3 &
    first=$!
    /test/keep_registers 3 &
    second=$!
    while kill -0 $first 2>/dev/null && kill -0 $second 2>/dev/null; do
        dd if=/tmp/all of=/dev/mapper/plain bs=64k conv=fsync 2>/dev/null
        echo 3 >/proc/sys/vm/drop_caches
        dd if=/dev/mapper/plain of=/dev/null bs=64k count=128 2>/dev/null
    done
    wait $first || kept=1
    wait $second || kept=1
    cryptsetup close plain
    return $kept
}

if [ -e /test/keep_registers ]; then
    mark
    if load "registers"; then
        check "registers: programs keep theirs" registers_kept
        unload "registers"
    fi
    check_log "registers"
fi

# ---- Modules that are wrong on purpose: the kernel's tests, on which the above relies, must find it ----

for MODULE in /test/wrong-*.ko; do
    what=${MODULE#/test/}
    mode=${what#wrong-}
    mode=${mode%%-*}
    mark
    insmod "$MODULE" || echo "insmod: status $?"
    for driver in $EXPECTED; do
        case $driver in "$mode"-* | *-"$mode"-*) ;; *) continue ;; esac
        # Long associated data: IPsec's is always short.  Powers times x^64: one driver has them, and the kernel's messages for
        # IPsec are too short for its loop.  Added halves of powers: those without AVX-512 have them.  What a first piece leaves:
        # with AVX-512, or without VAES, only a long one does.  Public counters: only long pieces have them, and the code without
        # VAES is another.
        case $what,$driver in
        wrong-gcm-aad.ko,rfc4106-* | wrong-gcm-folded.ko,rfc4106-* | wrong-gcm-halves.ko,*-avx512-* | \
            wrong-gcm-first.ko,*-avx512-* | wrong-gcm-first.ko,*-aesni-* | \
            wrong-gcm-public.ko,rfc4106-* | wrong-gcm-public.ko,*-aesni-* | \
            wrong-gcm-blocks.ko,rfc4106-* | wrong-gcm-blocks.ko,*-vaes-* | \
            wrong-chacha20-aad.ko,rfc7539esp-*) continue ;;
        wrong-gcm-folded.ko,*-avx512-512) ;;
        wrong-gcm-folded.ko,*) continue ;;
        esac
        # Some of the kernel's tests are random, and once none of them had what it takes.
        if [ "$(self_test "$driver")" = passed ]; then
            rmmod lanecrypt
            insmod "$MODULE" || echo "insmod: status $?"
        fi
        if [ "$(self_test "$driver")" = passed ]; then
            fail "$what: $driver: the self-test has passed"
        elif ! messages | grep -qF "alg: self-tests for $(algorithm_of "$driver") using $driver failed"; then
            fail "$what: $driver: the log doesn't say that the self-test failed"
        else
            ok "$what: $driver: the self-test finds it"
        fi
    done
    rmmod lanecrypt
done

# Without kernel_fpu_begin().  The self-tests don't find that.  Last, as it may hurt any program.
if [ -e /test/no-fpu-xts.ko ]; then
    MODULE=/test/no-fpu-xts.ko
    if load "no-fpu-xts.ko"; then
        # It takes seconds, of which a busy machine may give a guest few: up to ten times.
        lost=0 times=0
        while [ $lost = 0 ] && [ $times -lt 10 ]; do
            registers_kept || lost=$?
            times=$((times + 1))
        done
        same "no-fpu-xts.ko: it's seen that programs lose their registers" $lost 1
        unload "no-fpu-xts.ko"
    fi
fi
