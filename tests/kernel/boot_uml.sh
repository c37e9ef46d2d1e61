#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# boot_uml.sh UML_DIR INITRAMFS LOG LIMIT COMMAND_LINE [DISK...]: boot build_uml.sh's user-mode Linux, for LIMIT seconds at most.
set -eu
UML=$1 INITRAMFS=$2 LOG=$3 LIMIT=$4 COMMAND_LINE=$5
shift 5

names=abcdefgh
for disk; do
    shift
    letter=${names%"${names#?}"}
    names=${names#?}
    set -- "$@" "ubd$letter=$disk"
done
# Its memory is a file in /dev/shm, if that is large enough (in containers it often isn't), or else beside the log.
if [ "$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)" -lt 600000 ]; then
    TMPDIR=$(cd "$(dirname "$LOG")" && pwd)
    export TMPDIR
fi
# shellcheck disable=SC2086
timeout -k 5 "$LIMIT" "$UML/linux" mem=512M "initrd=$INITRAMFS" con=null con0=null,fd:1 "uml_dir=$LOG.uml" \
    quiet loglevel=1 log_buf_len=4M panic=-1 $COMMAND_LINE "$@" </dev/null >"$LOG" 2>&1
