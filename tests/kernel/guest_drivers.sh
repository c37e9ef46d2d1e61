# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=dash
# Sourced by guest scripts: what /proc/crypto says of our drivers, and what it should say on this CPU.

MODULE=/test/lanecrypt.ko
MODES="xts-aes ctr-aes gcm-aes rfc4106-gcm-aes"
# Best last.
LEVELS="aesni aesni-avx vaes-avx2 vaes-avx512-256 vaes-avx512-512"

ALL=
for mode in $MODES; do
    for level in $LEVELS; do
        ALL="$ALL $mode-lanecrypt-$level"
    done
done
ALL=${ALL# }

has_features() {
    for feature; do
        grep -m 1 '^flags' /proc/cpuinfo | grep -qw "$feature" || return 1
    done
}

# needs DRIVER: the features without which it isn't registered
needs() {
    local features="aes ssse3"
    case $1 in *gcm-*) features="$features pclmulqdq" ;; esac
    case $1 in *-aesni) ;; *) features="$features avx" ;; esac
    case $1 in *-vaes-*) features="$features avx2 vaes" ;; esac
    case $1 in xts-*-vaes-* | *gcm-*-vaes-*) features="$features vpclmulqdq" ;; esac
    case $1 in *-avx512-*) features="$features avx512f avx512bw avx512vl" ;; esac
    case $1 in *gcm-*-avx512-*) features="$features bmi2" ;; esac
    echo "$features"
}

# The drivers that this CPU can run
EXPECTED=
for driver in $ALL; do
    # shellcheck disable=SC2046
    ! has_features $(needs "$driver") || EXPECTED="$EXPECTED $driver"
done
EXPECTED=${EXPECTED# }

algorithm_of() {
    case $1 in
    rfc4106-*) echo "rfc4106(gcm(aes))" ;;
    *) echo "${1%%-*}(aes)" ;;
    esac
}

# Intel's CPUs that lower their clock under 512-bit vectors: Skylake-X, Ice Lake, Tiger Lake.  User-mode Linux doesn't name the CPU,
# so the host has put its own description here.
cpu_line() {
    file=/proc/cpuinfo
    [ ! -e /test/cpuinfo ] || file=/test/cpuinfo
    sed -n "s/^$1[[:space:]]*: //p" $file | head -n 1
}
ZMM=yes
if [ "$(cpu_line vendor_id)" = GenuineIntel ] && [ "$(cpu_line 'cpu family')" = 6 ]; then
    case $(cpu_line model) in 85 | 106 | 108 | 125 | 126 | 140 | 141 | 157) ZMM=no ;; esac
fi

# priority_of DRIVER: what it should have when nothing is asked for
priority_of() {
    case $1 in
    *-aesni) echo 450 ;;
    *-aesni-avx) echo 550 ;;
    *-vaes-avx2) echo 650 ;;
    *-vaes-avx512-256) echo 750 ;;
    *-vaes-avx512-512) if [ $ZMM = yes ]; then echo 850; else echo 2; fi ;;
    esac
}

below_of() {
    case $1 in
    *-aesni) echo 41 ;;
    *-aesni-avx) echo 42 ;;
    *-vaes-avx2) echo 43 ;;
    *-vaes-avx512-256) echo 44 ;;
    *-vaes-avx512-512) echo 45 ;;
    esac
}

# The one that dm-crypt should get
BEST=
for driver in $EXPECTED; do
    case $driver in xts-*) [ "$(priority_of "$driver")" = 2 ] || BEST=$driver ;; esac
done

# While a test runs there is a `larval` entry of the same name, whose fields mean something else.
settle() {
    local tries=0
    while grep -q '^type *: larval' /proc/crypto; do
        tries=$((tries + 1))
        [ $tries -lt 1200 ] || return 1
        sleep 0.1
    done
}

# A line for each driver that belongs to our module or is named after it: name, self-test, priority, reference count
entries() {
    settle || echo "larval entries stay"
    awk '{ value[$1] = $3 }
        NF == 0 && (value["module"] == "lanecrypt" || value["driver"] ~ /lanecrypt/) {
            print value["driver"], value["selftest"], value["priority"], value["refcnt"]
        }' /proc/crypto
}

our_drivers() {
    entries | cut -d ' ' -f 1 | sort
}

self_test() {
    entries | sed -n "s/^$1 \([^ ]*\) .*/\1/p"
}

self_test_and_priority() {
    entries | sed -n "s/^$1 \([^ ]* [^ ]*\) .*/\1/p"
}

references() {
    entries | sed -n "s/^$1 .* //p"
}

in_order() {
    printf '%s\n' "$@" | sort | tr '\n' ' '
}

use_count() {
    awk '$1 == "lanecrypt" { print $3 }' /proc/modules
}

# load WHAT [PARAMETER...]: insmod our module, as part of the check called WHAT
load() {
    local what="$1"
    shift
    insmod "$MODULE" "$@" && settle && return 0
    fail "$what: insmod lanecrypt.ko $* fails"
    return 1
}

unload() {
    check "$1: rmmod" rmmod lanecrypt
}

# The registered drivers are those that this CPU can run, all tested, with the priorities that COMMAND gives.
check_drivers() {
    local what="$1" command="$2" driver
    # shellcheck disable=SC2046,SC2086
    same "$what: the drivers are those that this CPU can run" "$(in_order $(our_drivers))" "$(in_order $EXPECTED)"
    for driver in $EXPECTED; do
        same "$what: $driver: self-test and priority" "$(self_test_and_priority "$driver")" \
            "passed $($command "$driver")"
    done
}

# The module refuses to load: WHAT ERROR MESSAGE [PARAMETER...]
check_refused() {
    local what="$1" error="$2" message="$3" output
    shift 3
    mark
    if output=$(insmod "$MODULE" "$@" 2>&1); then
        fail "$what: insmod says nothing"
    else
        case $output in
        *"$error"*) ok "$what: insmod says $error" ;;
        *) fail "$what: insmod says '$output', should be '$error'" ;;
        esac
    fi
    if messages | grep -qF "$message"; then ok "$what: the log says so"; else fail "$what: the log lacks '$message'"; fi
    same "$what: nothing is registered" "$(our_drivers)$(use_count)" ""
}

BAD_SIGNS='WARNING|BUG|Oops|unwind|Call Trace|general protection|[Uu]nable to handle|self-tests for .* failed|scheduling while'

# Nothing bad in the kernel's log since the last mark
check_log() {
    local complaint
    complaint=$(messages | grep -m 1 -E "$BAD_SIGNS") || :
    if [ -z "$complaint" ]; then ok "$1: no complaint of the kernel"; else fail "$1: the kernel complains: $complaint"; fi
}
