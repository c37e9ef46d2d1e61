# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=dash
# Sourced by guest scripts: what /proc/crypto says of our drivers, and what it should say on this CPU.

MODULE=/test/lanecrypt.ko
# /test/drivers: name, algorithm, class, features, from the list of implementations (scripts/rows.py), best first.  Here best last.
ALL=$(awk '{ all = $1 " " all } END { sub(/ $/, "", all); print all }' /test/drivers)

has_features() {
    for feature; do
        grep -m 1 '^flags' /proc/cpuinfo | grep -qw "$feature" || return 1
    done
}

# The features without which a driver isn't registered
needs() {
    awk -v driver="$1" '$1 == driver { for (i = 4; i <= NF; i++) print $i }' /test/drivers
}

class_of() {
    awk -v driver="$1" '$1 == driver { print $3 }' /test/drivers
}

# The drivers that this CPU can run
EXPECTED=
for driver in $ALL; do
    # shellcheck disable=SC2046
    ! has_features $(needs "$driver") || EXPECTED="$EXPECTED $driver"
done
EXPECTED=${EXPECTED# }

algorithm_of() {
    awk -v driver="$1" '$1 == driver { print $2 }' /test/drivers
}

# rank_of DRIVER: how many better ones of the same class its algorithm has
rank_of() {
    awk -v driver="$1" '$1 == driver { print rank[$2 " " $3] + 0 } { rank[$2 " " $3]++ }' /test/drivers
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
    case $(cpu_line model) in 85 | 102 | 106 | 108 | 125 | 126 | 140 | 141 | 157) ZMM=no ;; esac
fi

class_priority() {
    case $(class_of "$1") in
    SSE) echo 450 ;;
    AVX) echo 550 ;;
    AVX2) echo 650 ;;
    AVX512_256) echo 750 ;;
    AVX512_512) echo 850 ;;
    esac
}

# priority_of DRIVER: what it should have when nothing is asked for
priority_of() {
    if [ "$(class_of "$1")" = AVX512_512 ] && [ $ZMM = no ]; then
        echo 2
    else
        echo $(($(class_priority "$1") - $(rank_of "$1")))
    fi
}

below_of() {
    echo $(($(class_priority "$1") / 10))
}

# The one that dm-crypt should get
BEST=
for driver in $EXPECTED; do
    # shellcheck disable=SC2034
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
