#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# usage: test_xts.sh PATH-TO-lanecrypt
#
# Tests `lanecrypt xts` from outside: results against another implementation (xts_reference.py), every refusal, and that
# a failure or a signal leaves nothing behind. Needs about 2 GB in $TMPDIR for a moment, python3-cryptography and
# util-linux. What needs root (tmpfs, loop devices), strace or files without a name (O_TMPFILE) is skipped, and said so,
# where there is none.
set -u
[ $# -eq 1 ] || { echo "usage: $0 PATH-TO-lanecrypt" >&2; exit 2; }
lanecrypt=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
dir=$(mktemp -d)
mounted='' loop='' pid=''
cleanup()
{
    [ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null
    [ -z "$mounted" ] || umount "$mounted"
    [ -z "$loop" ] || losetup -d "$loop"
    rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM
mkdir "$dir/work"
cd "$dir/work" || exit 1
umask 022
err=$dir/err

passed=0
ok()
{
    passed=$((passed + 1))
    echo "ok $passed: $*"
}
skipped=0
skip()
{
    skipped=$((skipped + 1))
    echo "skipped: $*"
}
fail()
{
    echo "FAILED: $*"
    [ ! -s "$err" ] || sed 's/^/    stderr: /' "$err"
    exit 1
}

xts() { "$lanecrypt" xts "$@" 2>"$err"; }
reference() { python3 "$here/xts_reference.py" "$@" || fail "xts_reference.py $*"; }
same() { cmp "$1" "$2" >&2 || fail "$3"; }

# Everything in the working directory: names, types and contents.
snapshot()
{
    find . ! -type f -print | sort
    find . -type f -exec cksum {} + | sort
}

# refused STATUS WORD ARGUMENTS...: `lanecrypt xts ARGUMENTS` exits with STATUS, says WORD, and changes nothing at all:
# no OUT, no other OUT than before, no *.part.
refused()
{
    status=$1 word=$2
    shift 2
    snapshot >"$dir/before"
    timeout 20 "$lanecrypt" xts "$@" >"$dir/stdout" 2>"$err" </dev/null
    got=$?
    snapshot >"$dir/after"
    [ $got -eq "$status" ] || fail "exit status $got, not $status: xts $*"
    grep -q -e "^lanecrypt: .*$word" "$err" || fail "no '$word' in the message: xts $*"
    [ ! -s "$dir/stdout" ] || fail "something on stdout: xts $*"
    cmp "$dir/before" "$dir/after" >&2 || fail "files were changed: xts $*"
    ok "refused ($status, $word): xts $*"
}

for len in 31 32 33 47 48 49 63 64 65; do
    head -c $len /dev/urandom >key$len
done
head -c 32 key64 >half
cat half half >weak64
chmod 600 key* weak64
head -c 49152 /dev/urandom >in
head -c 3146240 /dev/urandom >big # three pieces of 1 MiB and one sector
truncate -s 1000 ragged
truncate -s 0 empty

# --- the right result --------------------------------------------------------------------------------------------------

for len in 32 48 64; do
    for size in 512 1024 2048 4096; do
        xts encrypt --key-file key$len --sector-size $size in out || fail "encrypt"
        reference encrypt key$len $size 0 1 in expected
        same out expected "encryption differs from the reference: $len, $size"
        xts decrypt --key-file key$len --sector-size $size out back || fail "decrypt"
        same in back "no round trip: $len, $size"
        rm out back
        xts decrypt --key-file key$len --sector-size $size --iv-512 in out || fail "decrypt --iv-512"
        reference decrypt key$len $size 0 $((size / 512)) in expected
        same out expected "--iv-512: decryption differs from the reference: $len, $size"
        rm out expected
        ok "key of $len bytes, sectors of $size bytes: as the reference, and back"
    done
done

for first in 1 4294967295 4294967296 9223372036854775808 18446744073709551520; do
    xts encrypt -k key64 --first-sector $first in out || fail "--first-sector $first"
    reference encrypt key64 512 $first 1 in expected
    same out expected "--first-sector $first"
    rm out expected
    ok "--first-sector $first"
done
xts encrypt -k key64 --first-sector 4G in out || fail "--first-sector 4G"
reference encrypt key64 512 4294967296 1 in expected
same out expected "--first-sector 4G"
rm out expected
ok "--first-sector 4G is 2^32"

xts encrypt -k key64 --sector-size 4K --iv-512 --first-sector 7 --offset 1001 --length 8K in out || fail "--offset"
tail -c +1002 in | head -c 8192 >slice
reference encrypt key64 4096 7 8 slice expected
same out expected "--offset, --length, --first-sector"
rm out slice expected
ok "an odd --offset with --length"
xts encrypt -k key32 --offset 512 --length 3M --first-sector 1 big out || fail "--offset over pieces"
tail -c 3M big >slice
reference encrypt key32 512 1 1 slice expected
same out expected "--offset over pieces"
rm out slice expected
ok "--offset over several pieces"
for numbering in --quiet --iv-512; do # --quiet: no --iv-512
    step=$([ $numbering = --quiet ] && echo 1 || echo 8)
    xts encrypt -k key64 --sector-size 4096 $numbering --length 3M --first-sector 9 big out || fail "$numbering"
    head -c 3M big >slice
    reference encrypt key64 4096 9 "$step" slice expected
    same out expected "sectors of 4096 bytes over pieces, $numbering"
    rm out slice expected
    ok "sectors of 4096 bytes over several pieces, numbers in steps of $step"
done

xts encrypt -k key64 --threads 1 big one || fail "--threads 1"
xts encrypt -k key64 --threads 4 big four || fail "--threads 4"
reference encrypt key64 512 0 1 big expected
same one expected "one thread"
same four expected "four threads"
rm one four expected
ok "1 and 4 threads: both as the reference"

"$lanecrypt" xts encrypt -k - in out <key48 2>"$err" || fail "key from stdin"
reference encrypt key48 512 0 1 in expected
same out expected "key from stdin"
rm out expected
ok "key from stdin"

impl=$("$lanecrypt" list xts 2>/dev/null | grep -o -E '\bxts-aes-[a-z0-9-]+' | tail -n 1)
if [ -n "$impl" ]; then
    xts encrypt -k key64 --impl "$impl" in out || fail "--impl $impl"
    reference encrypt key64 512 0 1 in expected
    same out expected "--impl $impl"
    grep -q "$impl" "$err" || fail "--impl $impl is not named at the end"
    rm out expected
    ok "--impl $impl"
else
    skip "--impl NAME: lanecrypt list xts names none"
fi

# --- what else happens to OUT ------------------------------------------------------------------------------------------

chmod 640 in
xts encrypt -k key64 in out || fail "encrypt"
[ "$(stat -c %a out)" = 640 ] || fail "OUT has not IN's mode: $(stat -c %a out)"
(umask 077 && xts encrypt -k key64 in private) || fail "encrypt"
[ "$(stat -c %a private)" = 600 ] || fail "the umask is not respected: $(stat -c %a private)"
rm private
ok "OUT has IN's mode, less the umask"

cp out expected
echo "something else" >out
chmod 600 out
xts encrypt -k key64 --force in out || fail "--force"
same out expected "--force"
[ "$(stat -c %a out)" = 600 ] || fail "--force does not keep the mode"
rm out
ok "--force replaces OUT and keeps its mode"

ln -s nowhere out
xts encrypt -k key64 -f in out || fail "-f over a symbolic link to nowhere"
{ [ ! -L out ] && [ ! -e nowhere ]; } || fail "the symbolic link was followed"
same out expected "-f over a symbolic link to nowhere"
rm out expected
ok "--force replaces a symbolic link, and does not follow it"

grep -q -E '^lanecrypt: encrypted 49152 bytes in [0-9.]+ s, [0-9.]+ GB/s, xts-[a-z0-9-]+, 1 thread$' "$err" ||
    fail "the line at the end"
[ "$(wc -l <"$err")" -eq 1 ] || fail "more than one line"
xts encrypt -k key64 --quiet in out || fail "--quiet"
[ ! -s "$err" ] || fail "--quiet says something"
rm out
ok "one line at the end, none with --quiet"

cp in place
xts encrypt -k key64 --in-place place || fail "--in-place"
reference encrypt key64 512 0 1 in expected
same place expected "--in-place"
xts decrypt -k key64 --in-place place place || fail "--in-place IN IN"
same place in "--in-place IN IN"
xts encrypt -k key64 --in-place --offset 1000 --length 2048 --sector-size 1024 place || fail "--in-place --offset"
head -c 1000 in >expected
tail -c +1001 in | head -c 2048 >slice
reference encrypt key64 1024 0 1 slice middle
cat middle >>expected
tail -c +3049 in >>expected
same place expected "--in-place --offset"
rm place expected slice middle
ok "--in-place: the file, or a part of it and nothing else"

# Who can read the key can read the data. A warning, as the folder may keep others out.
for mode in 644 604; do
    chmod $mode key32
    xts encrypt -k key32 --force in out || fail "a key file of mode $mode"
    grep -q '^lanecrypt: warning: key file key32: every user may read it' "$err" || fail "no warning at a key file of mode $mode"
    xts encrypt -k key32 --quiet --force in out || fail "a key file of mode $mode, --quiet"
    [ ! -s "$err" ] || fail "--quiet, and a warning"
    "$lanecrypt" xts encrypt -k - --force in out <key32 2>"$err" || fail "a key file of mode $mode as stdin"
    grep -q '^lanecrypt: warning: key file stdin: every user' "$err" || fail "no warning at a stdin of mode $mode"
done
chmod 640 key32
xts encrypt -k key32 --force in out || fail "a key file of mode 640"
[ "$(wc -l <"$err")" -eq 1 ] || fail "a warning at a key file that not every user can read"
chmod 600 key32
rm out
ok "a warning at a key file that every user can read"

# Where standard error is closed, no file may come in its place, or messages go into it.
cp in place
"$lanecrypt" xts encrypt -k key64 --in-place place 2>&- || fail "--in-place without a standard error"
reference encrypt key64 512 0 1 in expected
same place expected "without a standard error, --in-place"
"$lanecrypt" xts encrypt -k key64 in out <&- >&- 2>&- || fail "without the standard files"
same out expected "without the standard files"
rm out place expected
ok "no message gets into a file when standard error is closed"

# --- refusals: the command line (2) -------------------------------------------------------------------------------------

refused 2 "encrypt or decrypt" -k key64 in out
refused 2 "encrypt or decrypt" crypt -k key64 in out
refused 2 "key-file" encrypt in out
refused 2 "IN is missing" encrypt -k key64
refused 2 "OUT is missing" encrypt -k key64 in
refused 2 "unexpected argument 'third'" encrypt -k key64 in out third
refused 2 "--key-file needs a value" encrypt in out -k
refused 2 "--bogus: unknown option" encrypt -k key64 --bogus in out
refused 2 "-z: unknown option" encrypt --force -qzf -k key64 in out
refused 2 "--quiet takes no value" encrypt -k key64 --quiet=yes in out
refused 2 "--i: unknown option, or the beginning of several" encrypt -k key64 --i in out
refused 2 "stdin" encrypt -k key64 - out
refused 2 "stdout" encrypt -k key64 in -
refused 2 "in-place" encrypt -k key64 --in-place in out
for size in 0 1 16 256 513 768 1536 3584 8192 1M; do
    refused 2 "sector-size" encrypt -k key64 --sector-size $size in out
done
for number in "" - -1 +1 " 1" "1 " 0x10 1e3 1.5 K 1KB 1k 1KK 18446744073709551616 16777216T 99999999999999999999999; do
    for option in --offset --length --first-sector --sector-size --threads; do
        refused 2 "$option.*$number" encrypt -k key64 $option "$number" in out
    done
done
refused 2 "threads" encrypt -k key64 --threads 0 in out
refused 2 "threads" encrypt -k key64 --threads 100000 in out

# --- refusals: key, files, sizes (1) --------------------------------------------------------------------------------------

for len in 31 33 47 49 63; do
    refused 1 "key$len.*$len bytes.*32, 48 or 64" encrypt -k key$len in out
done
refused 1 "key65.*more than 64 bytes" encrypt -k key65 in out
refused 1 "empty.*0 bytes" encrypt -k empty in out
refused 1 "stdin.*0 bytes" encrypt -k - in out
refused 1 "weak64.*equal" encrypt -k weak64 in out
refused 1 "nokey.*No such file" encrypt -k nokey in out
refused 1 "\.\..*directory" encrypt -k .. in out
refused 1 "nosuch" encrypt -k key64 --impl nosuch in out
refused 1 "nofile.*No such file" encrypt -k key64 nofile out
refused 1 "nodir/out.*No such file" encrypt -k key64 in nodir/out
refused 1 "cannot create it: File name too long" encrypt -k key64 --force in "$(printf '%0256d' 0)"
refused 1 "cannot create it: Not a directory" encrypt -k key64 --force in key64/out
refused 1 "ragged.*1000 bytes.*sectors of 512.*488" encrypt -k key64 ragged out
refused 1 "ragged.*1000 bytes.*sectors of 512.*488" decrypt -k key64 --in-place ragged
refused 1 "1537 bytes.*sectors of 512.*: 1 " encrypt -k key64 --length 1537 in out
refused 1 "1024 bytes.*sectors of 2048.*1024 are" encrypt -k key64 --sector-size 2048 --offset 47K in out
refused 1 "nothing to do" encrypt -k key64 empty out
refused 1 "nothing to do" encrypt -k key64 --offset 48K in out
refused 1 "nothing to do" encrypt -k key64 --length 0 in out
refused 1 "49152 bytes.*past" encrypt -k key64 --offset 49153 in out
refused 1 "49152 bytes.*past" encrypt -k key64 --length 49664 in out
refused 1 "49152 bytes.*past" encrypt -k key64 --offset 512 --length 48K in out
refused 1 "49152 bytes.*past" encrypt -k key64 --offset 512 --length 18446744073709551104 in out
refused 1 "first-sector.*64 bits" encrypt -k key64 --first-sector 18446744073709551521 in out
refused 1 "first-sector.*64 bits" encrypt -k key64 --sector-size 4096 --iv-512 --first-sector 18446744073709551528 in out

# A LUKS volume from its header on: that would give garbage, or in place destroy it.
{ printf 'LUKS\272\276' && tail -c +7 in; } >luks
for direction in encrypt decrypt; do
    refused 1 "luks: begins with a LUKS header.*--offset.*cryptsetup luksDump luks.*--offset 0 " $direction -k key64 luks out
    refused 1 "luks: begins with a LUKS header" $direction -k key64 --length 512 --in-place luks
done
xts decrypt -k key64 --offset 512 luks out || fail "LUKS: --offset 512"
xts decrypt -k key64 --force --offset 0 luks out || fail "LUKS: --offset 0"
reference decrypt key64 512 0 1 luks expected
same out expected "LUKS: --offset 0"
rm luks out expected
ok "a LUKS volume with an --offset, and be it 0"

export LANECRYPT_DISABLE=nosuchfeature
refused 1 "nosuchfeature" encrypt -k key64 in out
unset LANECRYPT_DISABLE

echo "something else" >exists
mkdir directory
mkfifo pipe
ln -s nowhere dangling
ln in hardlink
ln -s in symlink
refused 1 "exists already.*--force" encrypt -k key64 in exists
refused 1 "exists already.*--force" encrypt -k key64 in dangling
refused 1 "a directory" encrypt -k key64 --force in directory
refused 1 "a directory" encrypt -k key64 directory out
refused 1 "a pipe" encrypt -k key64 --force in pipe
refused 1 "a pipe" encrypt -k key64 pipe out
refused 1 "a pipe" encrypt -k key64 --in-place pipe
refused 1 "character device" encrypt -k key64 --force in /dev/null
refused 1 "character device" encrypt -k key64 /dev/zero out
refused 1 "same file.*--in-place" encrypt -k key64 in in
for name in in ./in hardlink symlink "$dir/work/in"; do
    refused 1 "same file.*--in-place" encrypt -k key64 --force in "$name"
    refused 1 "same file.*--in-place" encrypt -k key64 --force "$name" in
done
rm -r directory pipe dangling hardlink symlink

if [ "$(id -u)" -ne 0 ]; then
    cp key64 secret && chmod 000 secret
    refused 1 "secret.*Permission" encrypt -k secret in out # cksum complains about it as well: no matter
    rm -f secret
    mkdir locked && chmod 555 locked
    refused 1 "locked/out.*Permission" encrypt -k key64 in locked/out
    rmdir locked
else
    skip "files without permission: root may read all"
fi

# --- failures on the way ------------------------------------------------------------------------------------------------

# Files of 4096 bytes, says stat(2): to read the first one gives fewer, to read the second one gives an error.
short=/sys/kernel/mm/transparent_hugepage/enabled broken=/sys/class/net/lo/speed
if [ -r $short ] && [ "$(stat -c %s $short)" -eq 4096 ]; then
    refused 1 "enabled.*ended early" encrypt -k key64 $short out
    refused 1 "enabled.*ended early" encrypt -k key64 --force $short exists
else
    skip "a file that shrinks: no $short"
fi
if [ -r $broken ] && ! cat $broken >/dev/null 2>&1; then
    refused 1 "cannot read at byte 0: Invalid argument" encrypt -k key64 --force $broken exists
else
    skip "read error: no $broken"
fi

# ulimit -f counts in 512 bytes; a shell that counts otherwise would still stop this far below 3 MiB.
(ulimit -f 1000 && refused 1 "out: .*File too large" encrypt -k key64 big out) || exit 1
passed=$((passed + 1))

if [ "$(id -u)" -eq 0 ] && mkdir full && mount -t tmpfs -o size=1m none full 2>"$err"; then
    mounted=$dir/work/full
    refused 1 "full/out: no room for 3146240 bytes: No space left" encrypt -k key64 big full/out
    [ "$(df --output=used full | tail -n 1)" -eq 0 ] || fail "something is left on the full disk"
    truncate -s 2M full/sparse
    refused 1 "full/sparse: no room.*No space left" encrypt -k key64 --in-place full/sparse
    umount full
    mounted=''
    rmdir full
else
    skip "full disk: cannot mount a tmpfs"
fi

# Errors that no file gives when asked to: strace(1) makes the system call fail.
export LSAN_OPTIONS=detect_leaks=0 # in a build with sanitizers: that one cannot be traced
# injected SYSCALL:ERRNO[:when=N] WORD ARGUMENTS...
injected()
{
    what=$1 word=$2
    shift 2
    snapshot >"$dir/before"
    strace -f -qq -o /dev/null -e "inject=$what" "$lanecrypt" xts "$@" >/dev/null 2>"$err"
    got=$?
    snapshot >"$dir/after"
    [ $got -eq 1 ] || fail "exit status $got, not 1, with $what"
    grep -q -e "^lanecrypt: .*$word" "$err" || fail "no '$word' in the message with $what"
    cmp "$dir/before" "$dir/after" >&2 || fail "files were changed with $what"
    ok "failed cleanly ($word) with $what"
}
if strace -f -qq -o /dev/null -e inject=getppid:error=EPERM true 2>/dev/null; then
    truncate -s 64M wide
    for force in --quiet --force; do # without and with an OUT that exists
        # The dynamic loader calls pread64 as well, some five times.
        injected pread64:error=EIO:when=20 "wide: cannot read at byte.*Input/output" encrypt $force -k key64 \
            --threads 1 wide out
        injected pwrite64:error=ENOSPC:when=3 "out: cannot write at byte 2097152.*No space" encrypt $force -k key64 \
            --threads 1 big out
        injected pwrite64:error=EIO:when=1 "out: cannot write at byte 0.*Input/output" encrypt $force -k key64 in out
        injected fsync:error=EIO:when=1 "out: cannot write the data to the disk: Input/output" encrypt $force -k key64 big out
        injected linkat,renameat2,rename:error=EACCES "out: cannot rename.*Permission" encrypt $force -k key64 big out
        cp exists out
    done
    injected rename:error=EACCES "out: cannot rename.*Permission" encrypt --force -k key64 big out
    rm out
    # No fallocate in the file system, no RENAME_NOREPLACE, interrupted calls, no more threads: it works all the same.
    truncate -s 16M wide
    reference encrypt key64 512 0 1 wide expected
    for what in fallocate:error=EOPNOTSUPP renameat2:error=EINVAL pread64:error=EINTR:when=10+2 \
        pwrite64:error=EINTR:when=1+2 clone,clone3:error=EAGAIN; do
        threads=1 # so that it makes enough calls
        case $what in clone*) threads=3 ;; esac
        strace -f -qq -o /dev/null -e "inject=$what" \
            "$lanecrypt" xts encrypt -k key64 --threads $threads wide out 2>"$err" || fail "with $what"
        same out expected "with $what"
        rm out
        ok "worked with $what"
    done
    rm expected wide
else
    skip "injected errors: no strace"
fi

# --- signals ---------------------------------------------------------------------------------------------------------------

# at_work PID: until that process has two threads, and so its output open; then hold it there while we look. A thread
# stops when it runs next, and ends the write() that it is in.
at_work()
{
    tries=0
    until grep -q '^Threads:[[:space:]]*2$' "/proc/$1/status" 2>/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 2000 ] || fail "does not begin"
        sleep 0.005
    done
    kill -STOP "$1"
    while grep -h '^State:' "/proc/$1/task/"*/status 2>/dev/null | grep -qv '[[:space:]][Tt] ('; do
        tries=$((tries + 1))
        [ $tries -lt 4000 ] || fail "does not stop"
        sleep 0.005
    done
}

# interrupt SIGNAL WHAT COMMAND...: send SIGNAL to the command when it is at work; it shall die of it and say WHAT.
interrupt()
{
    signal=$1 what=$2
    shift 2
    # A background process of a script ignores SIGINT and SIGQUIT unless told otherwise.
    env --default-signal "$@" --threads 2 >/dev/null 2>"$err" &
    pid=$!
    at_work $pid
    at_work_names=$(ls)
    kill -"$signal" $pid
    kill -CONT $pid
    wait $pid 2>/dev/null
    got=$?
    [ $got -eq $((128 + $(kill -l "$signal" 2>/dev/null || echo 0))) ] || [ "$(kill -l $got)" = "$signal" ] ||
        fail "SIG$signal: exit status $got"
    [ -z "$what" ] || grep -q "interrupted: .* $what" "$err" || fail "SIG$signal: no message '$what'"
}

# died_without_a_trace SIGNAL WHAT PREFIX...: so ends `PREFIX lanecrypt xts encrypt huge out`.
died_without_a_trace()
{
    names=$(ls)
    signal=$1 what=$2
    shift 2
    interrupt "$signal" "$what" "$@" "$lanecrypt" xts encrypt -k key64 huge out
    [ "$(ls)" = "$names" ] || fail "SIG$signal: left behind: $(ls)"
}

# Those that the system or another process may send to end a program; not the kernel's for errors in it, which are handled alike.
signals="HUP INT QUIT TRAP ABRT USR1 USR2 PIPE ALRM TERM XCPU VTALRM PROF IO PWR SYS RTMIN RTMAX"
truncate -s 1G huge
nameless=no
! python3 -c 'import os; os.open(".", os.O_TMPFILE | os.O_WRONLY)' 2>/dev/null || nameless=yes
if [ $nameless = yes ]; then
    for signal in $signals; do
        died_without_a_trace "$signal" "was not written"
        [ "$at_work_names" = "$names" ] || fail "the temporary file has a name: $at_work_names"
    done
    died_without_a_trace KILL ""
    ok "a temporary file without a name: nothing stays behind after $signals KILL"
else
    skip "temporary files without a name: not in this file system"
fi
interrupt TERM "" "$lanecrypt" xts encrypt -k key64 huge "$(printf 'out\033[2J')"
grep -q 'interrupted: out\\x1b\[2J was not written' "$err" || fail "the name isn't escaped: $(cat -v "$err")"
ok "the message of an interrupted run has OUT's name escaped"
# So opens a file system that has no such files: the first openat() of the folder fails.
no_tmpfile="strace -D -f --quiet=all -o /dev/null -P . -e inject=openat:error=EOPNOTSUPP:when=1"
if [ $nameless = no ]; then
    no_tmpfile=
elif ! strace -D -qq -o /dev/null -P . -e inject=openat:error=EOPNOTSUPP true 2>/dev/null; then
    no_tmpfile=none
fi
if [ "$no_tmpfile" != none ]; then
    for signal in $signals; do
        # shellcheck disable=SC2086
        died_without_a_trace "$signal" "was not written" $no_tmpfile
        [ "$at_work_names" != "$names" ] || fail "the temporary file has no name"
    done
    ok "a temporary file with a name: removed after $signals"

    # A message to a standard error that nobody reads any more is a SIGPIPE: the file has to go all the same.
    names=$(ls)
    (sleep 0.2 && strace -f --quiet=all -o "$dir/trace" -P . -P big -e inject=openat:error=EOPNOTSUPP:when=2 \
        -e inject=pread64:error=EIO:when=2 "$lanecrypt" xts encrypt -k key64 big out 2>&1 >/dev/null) | true
    tries=0
    until grep -q 'killed by SIGPIPE' "$dir/trace" 2>/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 1000 ] || fail "no SIGPIPE: $(cat "$dir/trace")"
        sleep 0.005
    done
    { grep -q 'openat(.*O_TMPFILE.*EOPNOTSUPP' "$dir/trace" && grep -q 'pread64(.*EIO' "$dir/trace"; } ||
        fail "not these errors: $(cat "$dir/trace")"
    [ "$(ls)" = "$names" ] || fail "nobody reads the message of a failure: left behind: $(ls)"
    ok "a failure whose message nobody reads removes the temporary file"
else
    skip "temporary files with a name: no strace"
fi
cp exists out
interrupt TERM "was not written" "$lanecrypt" xts encrypt -k key64 --force huge out
same exists out "SIGTERM with --force: OUT was changed"
[ -z "$(find . -name '*.part')" ] || fail "SIGTERM: *.part left"
rm out
ok "SIGTERM with --force leaves OUT as it was"
truncate -s 1G place
interrupt TERM "partly" "$lanecrypt" xts encrypt -k key64 --in-place place
ok "SIGTERM with --in-place says that the file is a mixture"

# Another process that changes the file, or reads what this one changes, would make nonsense of both.
"$lanecrypt" xts encrypt -k key64 --in-place --threads 2 place 2>/dev/null &
pid=$!
at_work $pid
refused 1 "place: process $pid is working on it" encrypt -k key64 --in-place place
refused 1 "place: process $pid is working on it" decrypt -k key64 place out
kill -KILL $pid
wait $pid 2>/dev/null
"$lanecrypt" xts encrypt -k key64 --threads 2 place out 2>/dev/null &
pid=$!
at_work $pid
refused 1 "place: process $pid is working on it" encrypt -k key64 --in-place place
xts encrypt -k key64 --length 1M place out2 || fail "two that read one file"
kill -KILL $pid
wait $pid 2>/dev/null
rm place huge out2
ok "two that only read one file at once"

truncate -s 300M sparse
(trap '' INT && exec "$lanecrypt" xts encrypt -k key64 --threads 4 sparse out 2>"$err") &
pid=$!
sleep 0.05
kill -INT $pid
wait $pid || fail "an ignored SIGINT ended the program"
ok "SIGINT stays ignored if it was (nohup)"

# --- size and terminal ----------------------------------------------------------------------------------------------------

tail -c 8192 out >slice
head -c 8192 /dev/zero >zeros
reference encrypt key64 512 $((300 * 2048 - 16)) 1 zeros expected
same slice expected "the last sectors of 300 MiB"
xts decrypt -k key64 --threads 1 --in-place out || fail "300 MiB back"
same out sparse "300 MiB back"
rm out slice zeros expected
ok "a sparse file of 300 MiB, there and back, its last sectors as the reference"

# A progress bar on a terminal: drawn again and again with \r, at most ten times a second, and erased at the end.
begin=$(date +%s)
script -qec "'$lanecrypt' xts encrypt -k key64 sparse out" /dev/null >"$dir/tty" </dev/null || fail "under a terminal"
seconds=$(($(date +%s) - begin + 1))
bars=$(tr '\r' '\n' <"$dir/tty" | grep -c -E '^\[#*\.*\] +[0-9]+%  [0-9.]+/0\.31 GB  [0-9.]+ GB/s  (ETA [0-9:]+|syncing)')
[ "$bars" -ge 2 ] || fail "no progress bar: $(cat "$dir/tty")"
[ "$bars" -le $((10 * seconds + 2)) ] || fail "$bars bars in $seconds seconds"
tr '\r' '\n' <"$dir/tty" | grep -q '100%.*syncing' || fail "the bar does not come to 100%"
tr '\r' '\n' <"$dir/tty" | grep -q 'lanecrypt: encrypted 314572800 bytes' || fail "no last line"
rm out
script -qec "'$lanecrypt' xts encrypt --quiet -k key64 sparse out" /dev/null >"$dir/tty" </dev/null || fail "--quiet"
[ ! -s "$dir/tty" ] || fail "--quiet on a terminal says something"
rm out sparse
ok "a progress bar on a terminal ($bars times in $seconds s at most), nothing with --quiet"

"$lanecrypt" xts --help >"$dir/stdout" 2>"$err" || fail "--help"
{ grep -q in-place "$dir/stdout" && [ ! -s "$err" ]; } || fail "--help"
ok "--help"

# --- block devices ---------------------------------------------------------------------------------------------------------

truncate -s 1M disk
if [ "$(id -u)" -eq 0 ] && loop=$(losetup -f --show disk 2>/dev/null); then
    # Two sectors from a file to the device; the device to a file; the device in place.
    refused 1 "block device.*--force" encrypt -k key64 in "$loop"
    refused 1 "block device.*--force" encrypt -k key64 --in-place "$loop"
    refused 1 "1048576 bytes, too small for 3146240" encrypt -k key64 --force big "$loop"
    refused 1 "same file" encrypt -k key64 --force "$loop" "$loop"
    mknod othernode b $(($(stat -c 0x%t "$loop"))) $(($(stat -c 0x%T "$loop")))
    refused 1 "same file" encrypt -k key64 --force "$loop" othernode
    rm othernode
    xts encrypt -k key64 --force in "$loop" || fail "to a device"
    reference encrypt key64 512 0 1 in expected
    cmp -n 49152 "$loop" expected >&2 || fail "to a device"
    cmp -n 999424 -i 49152:0 "$loop" /dev/zero >&2 || fail "to a device: wrote too much"
    xts decrypt -k key64 --length 48K "$loop" out || fail "from a device"
    same in out "from a device"
    xts decrypt -k key64 --length 48K --force --in-place "$loop" || fail "a device in place"
    cmp -n 49152 "$loop" in >&2 || fail "a device in place"
    rm out expected
    losetup -d "$loop"
    loop=''
    ok "block devices: to one, from one, in place"
else
    loop=''
    skip "block devices: not root, or no loop device"
fi

echo "$passed passed, 0 failed, $skipped skipped"
