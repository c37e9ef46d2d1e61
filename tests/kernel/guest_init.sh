#!/bin/busybox sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=dash
# The guest's first process, the same under QEMU and user-mode Linux: sets up, runs /test/script, switches the machine off.
#
# Lines for the host begin with @: @ok, @FAIL and @SKIPPED are results, `@data NAME VALUE` is what it asks for, `@end N` comes last
# with the number of results, so that a log that was cut off is never taken for whole.

/bin/busybox --install -s /bin
export PATH=/bin:/sbin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
mount -t tmpfs run /run
mkdir -p /run/cryptsetup
# Everything that is needed is loaded by hand.
[ ! -e /proc/sys/kernel/modprobe ] || echo /bin/true >/proc/sys/kernel/modprobe

results=0

ok() {
    results=$((results + 1))
    echo "@ok   $*"
}

fail() {
    results=$((results + 1))
    echo "@FAIL $*"
}

skipped() {
    results=$((results + 1))
    echo "@SKIPPED $*"
}

# check WHAT COMMAND...
check() {
    local what="$1"
    shift
    if "$@"; then ok "$what"; else fail "$what (status $? of: $*)"; fi
}

# same WHAT IS SHOULD_BE
same() {
    if [ "$2" = "$3" ]; then ok "$1"; else fail "$1: is '$2', should be '$3'"; fi
}

# mark: the kernel's log from here on is what `messages` gives.
marks=0
mark() {
    marks=$((marks + 1))
    echo "== mark $marks" >/dev/kmsg
}

messages() {
    # A line that lacks its newline, as testmgr's do, shows when another one comes.
    echo "== read" >/dev/kmsg
    dmesg | sed "1,/== mark $marks\$/d"
}

if [ -e /modules/order ]; then
    while read -r module; do
        insmod "/modules/$module" || echo "insmod $module: status $?"
    done </modules/order
fi

# The disks that the host gave; user-mode Linux has its own name for them.
DISK=/dev/vd
# shellcheck disable=SC2034
[ ! -e /dev/ubda ] || DISK=/dev/ubd

echo "up $(cut -d ' ' -f 1 /proc/uptime) s: $(uname -r) $(uname -m), $(nproc) CPU"
# shellcheck source=/dev/null
. /test/script
echo "up $(cut -d ' ' -f 1 /proc/uptime) s: done"
echo "== the kernel's log"
dmesg
echo "@end $results"
sync
sleep 0.5   # or the end of the output may be lost
# Bochs has a port that switches it off; elsewhere nothing is there.
if [ -e /dev/port ]; then
    for letter in S h u t d o w n; do
        echo -n $letter | dd of=/dev/port bs=1 seek=$((0x8900)) conv=notrunc 2>/dev/null
    done
fi
poweroff -f
