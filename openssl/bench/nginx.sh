#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# What nginx gains: TLS 1.3 over loopback, responses of 1 MB, one worker.  Two instances, one with the configuration given and one
# with OpenSSL's default provider alone, are asked in turns by wrk, which always has the default provider.
#   nginx.sh OPENSSL_CNF [TURNS [SECONDS]]      a configuration as `lanecrypt openssl-conf` prints it; 10 turns of 3 seconds each
# wrk decrypts on the same CPUs, so the throughput shows only a part of what the server saves.  The worker's CPU time for a gigabyte
# (10^9 bytes) shows it: it holds system calls and the kernel's TCP as well.
# Needs Debian's nginx-light, wrk and openssl; ports 14430 to 14433 of 127.0.0.1 have to be free.
set -eu
PATH=$PATH:/usr/sbin
suites="TLS_AES_256_GCM_SHA384 TLS_CHACHA20_POLY1305_SHA256"
pids=

die() {
    echo "nginx.sh: $*" >&2
    exit 1
}
[ $# -ge 1 ] && [ $# -le 3 ] || die "usage: nginx.sh OPENSSL_CNF [TURNS [SECONDS]]"
[ -r "$1" ] || die "$1 can't be read"
case ${2:-1}${3:-1} in *[!0-9]*) die "turns and seconds must be whole numbers" ;; esac
turns=${2:-10}
seconds=${3:-3}
[ "$turns" -gt 0 ] && [ "$seconds" -gt 0 ] || die "turns and seconds must be at least 1"
for program in nginx wrk openssl; do
    command -v $program >/dev/null || die "$program is missing (Debian: apt-get install nginx-light wrk openssl)"
done
conf=$(realpath "$1")
work=$(mktemp -d)
chmod 755 "$work" # nginx's worker is another user

# shellcheck disable=SC2086
stop() {
    [ -z "$pids" ] || kill $pids 2>/dev/null || :
    wait 2>/dev/null || :
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM
cd "$work"

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
    2>log || die "openssl made no certificate: $(cat log)"
head -c 1000000 /dev/urandom >1mb
chmod 644 1mb
cat >count.lua <<'EOF_LUA'
done = function(summary)
    local e = summary.errors
    io.write(string.format("counted %d %d %d\n", summary.bytes, summary.duration,
                           e.connect + e.read + e.write + e.status + e.timeout))
end
EOF_LUA

# ---- The servers ----

server() { # SIDE PORT SUITE
    cat <<EOF_SERVER
  server {
    listen 127.0.0.1:$2 ssl; root $work; ssl_certificate $work/cert.pem; ssl_certificate_key $work/key.pem;
    ssl_protocols TLSv1.3; ssl_conf_command Ciphersuites $3;
  }
EOF_SERVER
}
port() { # SIDE SUITE
    case $1:$2 in
    default:*GCM*) echo 14430 ;;
    default:*) echo 14431 ;;
    lanecrypt:*GCM*) echo 14432 ;;
    lanecrypt:*) echo 14433 ;;
    esac
}
start() { # SIDE CONF
    mkdir "$1"
    {
        echo "daemon off; worker_processes 1; pid $work/$1/pid; error_log $work/$1/log notice; events { }"
        echo "http { access_log off;"
        for path in client_body proxy fastcgi uwsgi scgi; do echo "${path}_temp_path $work/$1/$path;"; done
        for suite in $suites; do server "$1" "$(port "$1" "$suite")" "$suite"; done
        echo "}"
    } >"$1.conf"
    OPENSSL_CONF=$2 nginx -e "$work/$1/log" -p "$work" -c "$work/$1.conf" 2>"$1.err" &
    master=$!
    pids="$pids $master"
    tries=0
    until grep -q 'start worker process [0-9]' "$1/log" 2>/dev/null; do
        kill -0 $master 2>/dev/null && [ $tries -lt 100 ] || die "nginx ($1) didn't start: $(cat "$1.err")"
        tries=$((tries + 1))
        sleep 0.1
    done
    sed -n 's/.*start worker process \([0-9]*\)$/\1/p' "$1/log" >"$1.pid"
    for suite in $suites; do
        OPENSSL_CONF=/dev/null openssl s_client -brief -connect "127.0.0.1:$(port "$1" "$suite")" </dev/null >log 2>&1 || :
        grep -q "Ciphersuite: $suite" log || die "nginx ($1) didn't agree to $suite: $(cat log)"
    done
}
has_module() { # SIDE
    grep -q /lanecrypt.so "/proc/$(cat "$1.pid")/maps"
}
start default /dev/null
start lanecrypt "$conf"
has_module lanecrypt || die "with $1 nginx didn't load lanecrypt.so: see what \`OPENSSL_CONF=$1 lanecrypt doctor nginx\` says"
! has_module default || die "nginx has lanecrypt.so without a configuration that says so"

# ---- Turns ----

cpu_ticks() { # SIDE
    awk '{ print $14 + $15 }' "/proc/$(cat "$1.pid")/stat"
}
run() { # SIDE SUITE: adds a line to SIDE.SUITE: MB/s, and seconds of CPU time for a GB
    before=$(cpu_ticks "$1")
    OPENSSL_CONF=/dev/null wrk -t1 -c8 "-d${seconds}s" -s count.lua "https://127.0.0.1:$(port "$1" "$2")/1mb" >log 2>&1 ||
        die "wrk failed: $(cat log)"
    after=$(cpu_ticks "$1")
    # shellcheck disable=SC2046
    set -- "$1" "$2" $(sed -n 's/^counted //p' log)
    [ "${5:-1}" = 0 ] && [ "$3" -gt 0 ] || die "wrk met errors: $(cat log)"
    echo "$3 $4 $((after - before))" | awk -v hz="$(getconf CLK_TCK)" '{ print $1 / $2, $3 / hz / ($1 / 1e9) }' >>"$1.$2"
}
of() { # COLUMN FORMAT FILE: median (least..most)
    awk -v c="$1" '{ print $c }' "$3" | sort -g | awk -v f="$2" '{ x[NR] = $1 }
        END { m = (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2; printf(f " (" f ".." f ")", m, x[1], x[NR]) }'
}

nginx -v 2>&1
openssl version
echo "$turns turns of $seconds s each; median (least..most); ratio: of turns, lanecrypt / default"
for suite in $suites; do
    turn=0
    while [ $turn -lt "$turns" ]; do
        if [ $((turn % 2)) = 0 ]; then order="default lanecrypt"; else order="lanecrypt default"; fi # each begins as often
        for side in $order; do run "$side" "$suite"; done
        turn=$((turn + 1))
    done
    paste -d ' ' "lanecrypt.$suite" "default.$suite" | awk '{ print $1 / $3, $2 / $4 }' >ratios
    echo
    printf '%-30s %-22s %-22s %s\n' "$suite" default lanecrypt ratio \
        "MB/s" "$(of 1 %.0f "default.$suite")" "$(of 1 %.0f "lanecrypt.$suite")" "$(of 1 %.2f ratios)" \
        "worker's CPU time, s/GB" "$(of 2 %.3f "default.$suite")" "$(of 2 %.3f "lanecrypt.$suite")" "$(of 2 %.2f ratios)"
done
