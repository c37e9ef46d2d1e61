#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Programs with the module: openssl, nginx, HAProxy, curl, Python.  One end of each connection has the module and the other one
# hasn't.
#   programs.sh BUILD_DIR      where openssl.cnf and wrong.cnf are, in a build of everything
# Needs Debian's openssl, nginx-light, haproxy, curl, python3, python3-cryptography, python3-pip, and PyPI for cryptography's wheel
# (kept in ~/.cache/lanecrypt).  What is missing is a failure.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
ours=$build/openssl.cnf
wrong=$build/wrong.cnf
stock=/dev/null
cache=${XDG_CACHE_HOME:-$HOME/.cache}/lanecrypt
work=$(mktemp -d)
python=/usr/bin/python3
pids=
passed=0
failed=0

# shellcheck disable=SC2086
stop() {
    [ -z "$pids" ] || kill $pids 2>/dev/null || :
    wait 2>/dev/null || :
    pids=
}
trap 'stop; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
chmod 755 "$work"
cd "$work"

result() { # NAME STATUS: 0 is success
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
        echo "ok      $1"
    else
        failed=$((failed + 1))
        echo "FAILED  $1"
        [ ! -s log ] || tail -n 5 log
    fi
    : >log
}
with() { # CONF COMMAND...
    with_conf=$1
    shift
    OPENSSL_CONF=$with_conf "$@"
}
name_of() { # CONF
    case $1 in
    "$ours") echo lanecrypt ;;
    "$wrong") echo wrong ;;
    *) echo default ;;
    esac
}
free_port() {
    $python -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
wait_for() { # PORT
    $python -c '
import socket, sys, time
for i in range(100):
    try:
        socket.create_connection(("127.0.0.1", int(sys.argv[1]))).close()
        break
    except OSError:
        time.sleep(0.05)' "$1"
}

for program in openssl nginx haproxy curl $python; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null
    result "there is $program" $?
done

# ---- openssl ----

openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost 2>log
head -c 1000003 /dev/urandom >big
with "$ours" openssl list -cipher-algorithms >listed
for cipher in aes-128-gcm aes-192-gcm aes-256-gcm AES-128-XTS AES-256-XTS AES-128-CTR AES-192-CTR AES-256-CTR ChaCha20 \
    ChaCha20-Poly1305; do
    grep -q "[ ,]${cipher}[ ,}].*@ lanecrypt" listed && ok=0 || ok=1
    result "openssl list: $cipher" "$ok"
done

for cipher in aes-128-ctr aes-192-ctr aes-256-ctr chacha20; do
    key=$(openssl rand -hex 32)
    iv=ffffffffffffffffffffffffffffff0f
    case $cipher in aes-128*) key=$(echo "$key" | cut -c1-32) ;; aes-192*) key=$(echo "$key" | cut -c1-48) ;; esac
    for conf in "$ours" "$stock" "$wrong"; do
        with "$conf" openssl enc -$cipher -K "$key" -iv $iv -in big -out "$(name_of "$conf")" 2>>log
    done
    cmp lanecrypt default >>log 2>&1 && ok=0 || ok=1
    ! cmp -s wrong default || ok=1
    result "openssl enc -$cipher" "$ok"
done

for cipher in aes-128-gcm aes-192-gcm aes-256-gcm; do
    for conf in "$ours" "$stock"; do
        [ "$conf" = "$ours" ] && other=$stock || other=$ours
        ok=0
        with "$conf" openssl cms -encrypt -binary -$cipher -in big -outform DER -out sealed cert.pem 2>>log || ok=1
        with "$other" openssl cms -decrypt -binary -inform DER -in sealed -inkey key.pem -out opened 2>>log || ok=1
        cmp -s big opened || ok=1
        result "openssl cms: $cipher by $(name_of "$conf"), opened by $(name_of "$other")" "$ok"
        rm -f opened
    done
done
with "$wrong" openssl cms -decrypt -binary -inform DER -in sealed -inkey key.pem -out opened 2>>log || :
! cmp -s big opened && ok=0 || ok=1
result "control: openssl cms with wrong output" "$ok"

# ---- TLS ----

suites="-tls1_2:ECDHE-RSA-AES128-GCM-SHA256 -tls1_2:ECDHE-RSA-AES256-GCM-SHA384 -tls1_2:ECDHE-RSA-CHACHA20-POLY1305
  -tls1_3:TLS_AES_128_GCM_SHA256 -tls1_3:TLS_AES_256_GCM_SHA384 -tls1_3:TLS_CHACHA20_POLY1305_SHA256"

fetch_by_s_client() { # CLIENT'S_CONF PORT VERSION SUITE
    case $3 in -tls1_2) option=-cipher ;; *) option=-ciphersuites ;; esac
    printf 'GET /big HTTP/1.0\r\n\r\n' |
        with "$1" timeout 20 openssl s_client -connect "127.0.0.1:$2" "$3" $option "$4" -quiet -ign_eof >answer 2>>log || :
    tail -c 1000003 answer | cmp -s - big
}

for conf in "$ours" "$stock" "$wrong"; do
    [ "$conf" = "$stock" ] && other=$ours || other=$stock
    port=$(free_port)
    OPENSSL_CONF=$conf openssl s_server -accept "127.0.0.1:$port" -cert cert.pem -key key.pem -WWW >server.log 2>&1 &
    pids=$!
    wait_for "$port"
    for suite in $suites; do
        fetch_by_s_client "$other" "$port" "${suite%%:*}" "${suite#*:}" && ok=0 || ok=1
        if [ "$conf" = "$wrong" ]; then
            result "control: s_server with wrong output, ${suite#*:}" $((1 - ok))
        else
            result "s_server by $(name_of "$conf"), s_client by $(name_of "$other"): ${suite#*:}" "$ok"
        fi
    done
    stop
done

# nginx reads its configuration as root or as who runs this; its environment isn't kept once it runs
nginx_conf() { # PORT
    cat <<EOF
daemon off; worker_processes 1; pid $work/nginx.pid; error_log $work/nginx.log;
events { }
http {
  access_log off;
  client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3;
  uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
  server {
    listen 127.0.0.1:$1 ssl; root $work; ssl_certificate $work/cert.pem; ssl_certificate_key $work/key.pem;
    ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ALL;
  }
}
EOF
}
chmod 644 big
for conf in "$ours" "$stock" "$wrong"; do
    [ "$conf" = "$stock" ] && other=$ours || other=$stock
    port=$(free_port)
    nginx_conf "$port" >nginx.conf
    OPENSSL_CONF=$conf PATH=$PATH:/usr/sbin nginx -p "$work" -c "$work/nginx.conf" >>log 2>&1 &
    pids=$!
    wait_for "$port"
    for suite in $suites; do
        case $suite in
        -tls1_2:*) set -- --tlsv1.2 --tls-max 1.2 --ciphers "${suite#*:}" ;;
        *) set -- --tlsv1.3 --tls13-ciphers "${suite#*:}" ;;
        esac
        rm -f answer
        with "$other" timeout 20 curl -sSk -o answer "$@" "https://127.0.0.1:$port/big" 2>>log && cmp -s answer big && ok=0 || ok=1
        if [ "$conf" = "$wrong" ]; then
            result "control: nginx with wrong output, ${suite#*:}" $((1 - ok))
        else
            result "nginx by $(name_of "$conf"), curl by $(name_of "$other"): ${suite#*:}" "$ok"
        fi
    done
    stop
done

# HAProxy, by the recipe of docs/openssl.md: each handshake's signature and secret is lanecrypt's, alone or in jobs; none fails, and
# it goes on after clients that went away.  OpenSSL's default provider does them without lanecrypt.
lanecrypt=$build/../../cli/lanecrypt
handshakes=$build/../bench/openssl_handshakes
"$lanecrypt" openssl-conf --public-key --count-batches --module "$build/../lanecrypt.so" >haproxy.cnf
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout try.key -out try.crt -days 2 -subj /CN=localhost 2>log
cat try.crt try.key >try.pem
for mode in alone jobs default; do
    port=$(free_port)
    conf=$work/haproxy.cnf
    [ $mode != default ] || conf=$stock
    {
        printf 'global\n    nbthread 1\n'
        [ $mode != jobs ] || echo '    ssl-mode-async'
        cat <<EOF
defaults
    mode http
    timeout client 10s
    timeout connect 1s
    timeout server 10s
frontend try
    bind 127.0.0.1:$port ssl crt $work/try.pem
    http-request return status 200
EOF
    } >haproxy.cfg
    OPENSSL_CONF=$conf PATH=$PATH:/usr/sbin haproxy -db -f haproxy.cfg >>log 2>&1 &
    pids=$!
    wait_for "$port"
    rm -f first aborted last
    "$handshakes" "$port" $pids 64 300 >first 2>>log && "$handshakes" "$port" $pids 64 300 abort >aborted 2>>log &&
        "$handshakes" "$port" $pids 64 100 >last 2>>log && ok=0 || ok=1
    grep -qs ' 300 in all, 0 failed' first && grep -qs ' 100 in all, 0 failed' last || ok=1
    "$lanecrypt" doctor --pid $pids >doctor.txt 2>>log || :
    # A row is what, how many alone, and in jobs, and by how many at once; of those that went away it may be any.
    for what in 'ecdsa P-256' x25519; do
        sed -n "1,/^done so far/d; s/^$what  *//p" doctor.txt | tr -d - >row
        read -r alone jobs by mean <row || :
        case $mode in
        alone) [ "${alone:-0}" -ge 400 ] && [ -z "$jobs" ] || ok=1 ;;
        jobs) [ $((${alone:-0} + ${jobs:-0})) -ge 400 ] || ok=1 ;;
        default) [ ! -s row ] || ok=1 ;;
        esac
        # where there are batches
        if [ $mode = jobs ] && grep -q -w avx512ifma /proc/cpuinfo; then
            [ "$by" = by ] && [ "${jobs:-0}" -ge 300 ] && [ "${mean%.*}" -ge 2 ] || ok=1
        fi
    done
    cat first aborted last doctor.txt >>log
    result "HAProxy, $mode: $(cat first)" "$ok"
    stop
done

# ---- Python ----

echo "Python's ssl: $($python -c 'import ssl; print(ssl.OPENSSL_VERSION)')"
for conf in "$ours" "$stock" "$wrong"; do
    [ "$conf" = "$stock" ] && other=$ours || other=$stock
    for suite in $suites; do
        # Python 3.11 has no function to choose the suites of TLS 1.3
        if [ "$other" = "$ours" ]; then cat "$ours"; else printf 'openssl_conf = init\n[init]\n'; fi >client.cnf
        version=TLSv1_2
        if [ "${suite%%:*}" = -tls1_3 ]; then
            version=TLSv1_3
            sed -i 's/^\[init\]/&\nssl_conf = ssl/' client.cnf
            printf '[ssl]\nsystem_default = suites\n[suites]\nCiphersuites = %s\n' "${suite#*:}" >>client.cnf
        fi
        rm -f port
        OPENSSL_CONF=$conf timeout 60 $python "$here/programs.py" server cert.pem key.pem >port 2>server.log &
        pids=$!
        tries=0
        until [ -s port ] || [ $tries = 100 ]; do
            sleep 0.1
            tries=$((tries + 1))
        done
        set -- "$(cat port)" $version "${suite#*:}"
        with "$work/client.cnf" timeout 30 $python "$here/programs.py" client "$@" 2>>log && ok=0 || ok=1
        stop
        if [ "$conf" = "$wrong" ]; then
            result "control: Python's ssl with wrong output, ${suite#*:}" $((1 - ok))
        else
            result "Python's ssl, server by $(name_of "$conf"), client by $(name_of "$other"): ${suite#*:}" "$ok"
        fi
    done
done

# cryptography: Debian's, with the system's libcrypto, and PyPI's, which has an OpenSSL of its own inside
# What is kept is whole, of this Python and this script.
wheel=$cache/cryptography-$($python -c 'import sys; print("%d.%d" % sys.version_info[:2])')-$(cksum <"$here/programs.sh" | tr ' ' -)
if [ ! -d "$wheel" ]; then
    rm -rf "$cache"/cryptography*
    { $python -m pip install -q --target "$wheel.new" cryptography && mv "$wheel.new" "$wheel"; } >log 2>&1 || :
fi
for path in "" "$wheel"; do
    version=$(PYTHONPATH=$path $python -c 'import cryptography
from cryptography.hazmat.backends.openssl import backend
print(cryptography.__version__, "with", backend.openssl_version_text())' 2>>log) || version="(not there)"
    for conf in "$ours" "$stock" "$wrong"; do
        PYTHONPATH=$path OPENSSL_CONF=$conf $python "$here/programs.py" crypto >"$(name_of "$conf").txt" 2>>log || :
    done
    lines=$(grep -c . default.txt || :)
    cmp lanecrypt.txt default.txt >>log 2>&1 && [ "$lines" -gt 100 ] && ok=0 || ok=1
    result "cryptography $version: $lines results as by the default provider" "$ok"
    ! cmp -s wrong.txt default.txt && ok=0 || ok=1
    result "control: cryptography $version with wrong output" "$ok"
done

echo "$passed passed, $failed failed"
[ $failed = 0 ]
