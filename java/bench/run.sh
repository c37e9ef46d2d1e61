#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Measures the provider and others, and writes tables and chart into docs/java.md. Wants a quiet machine.
#
# Noise must hit everybody: each JVM runs one cell (algorithm, direction, length, provider) for a few seconds, providers take turns,
# then algorithms, then JDKs, and then it all begins again. Results are in target/results/<round>.
set -eu

usage() {
    cat >&2 <<'EOF'
usage: java/bench/run.sh [--full | --smoke] LANECRYPT.jar JDK_HOME...

  without option  encryption by SunJCE and Lanecrypt, 3 lengths, and cold starts: about 10 minutes for each JDK
  --full          both directions, 5 lengths, and by ACCP, Conscrypt and BouncyCastle, too: hours
  --smoke         only shows that everything runs, in about a minute for each JDK; its report is java/bench/target/smoke/java.md
EOF
    exit 2
}

die() {
    echo "run.sh: $*" >&2
    exit 1
}

what=essential
case ${1:-} in
--full | --smoke)
    what=${1#--}
    shift
    ;;
-*) usage ;;
esac
[ $# -ge 2 ] || usage
[ -f "$1" ] || die "$1: no such file; java/build.sh makes it"
jar=$(realpath "$1")
shift
for jdk; do
    [ -x "$jdk/bin/javac" ] || die "$jdk is not a JDK: it has no bin/javac"
    set -- "$@" "$(realpath "$jdk")"
    shift
done
# The distribution's Python, whatever else comes first in PATH: it has the package.
python=/usr/bin/python3
$python -c 'import matplotlib' 2>/dev/null || die "the chart needs matplotlib: apt-get install python3-matplotlib"

cd "$(dirname "$0")"
results=target/results
doc=../../docs/java.md
rounds=3
others=
direction=encrypt
cold_lengths="16384 1048576"
case $what in
essential)
    forks="-wi 2 -w 1s -i 3 -r 400ms"
    lengths=64,1024,16384
    chacha20_lengths=64,256,1024,16384
    ;;
full)
    forks="-wi 2 -w 1s -i 5 -r 500ms"
    lengths=64,256,1024,4096,16384
    chacha20_lengths=$lengths
    others=,Conscrypt,BC
    direction='(encrypt|decrypt)'
    ;;
smoke)
    forks="-wi 0 -i 1 -r 100ms"
    lengths=64
    chacha20_lengths=64,256
    rounds=2
    cold_lengths=16384
    results=target/smoke/results
    mkdir -p target/smoke
    cp $doc target/smoke/java.md
    doc=target/smoke/java.md
    ;;
esac

JAVA_HOME=$1 mvn -B -q process-classes -Dlanecrypt.jar="$jar"
rm -rf $results
mkdir -p $results
classpath="$jar:target/classes:target/lib/*"

# jmh NAME BENCHMARK LENGTHS [...]: into the file NAME of this round
jmh() {
    name=$1 benchmark=$2 bytes=$3
    shift 3
    out=$results/$round/$name-$number
    # shellcheck disable=SC2086
    "$jdk/bin/java" -cp "$classpath" org.openjdk.jmh.Main "org[.]lanecrypt[.]bench[.]$benchmark" -f 1 $forks -foe true -prof gc \
        -p bytes="$bytes" -rf json -rff "$out.json" -jvmArgsAppend --enable-native-access=ALL-UNNAMED "$@" >"$out.log" 2>&1 || {
        tail -n 30 "$out.log" >&2
        die "JMH failed; see java/bench/$out.log"
    }
}

sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1 >$results/cpu
for round in $(seq "$rounds"); do
    mkdir "$results/$round"
    number=0
    for jdk; do
        number=$((number + 1))
        echo "run.sh: $(date +%T) round $round of $rounds, $jdk"
        jmh gcm "AesGcm.$direction" "$lengths" -p provider=SunJCE,Lanecrypt${others:+,ACCP$others}
        jmh ctr "AesCtr.$direction" "$lengths" -p provider=SunJCE,Lanecrypt$others -p keyBits=256
        jmh chacha20poly1305 "ChaCha20Poly1305.$direction" "$lengths" -p provider=SunJCE,Lanecrypt$others
        jmh chacha20 "ChaCha20.$direction" "$chacha20_lengths" -p provider=SunJCE,Lanecrypt$others
        # The JDK's code for AVX-512 loses to its code for AVX2 in short messages.
        jmh chacha20-avx2 ChaCha20.encrypt 64,256 -p provider=SunJCE -jvmArgsAppend -XX:+IgnoreUnrecognizedVMOptions \
            -jvmArgsAppend -XX:UseAVX=2
        jmh new AesGcm.newCipher 64 -p keyBits=256 -p provider=SunJCE,Lanecrypt${others:+,ACCP$others}
        jmh many SealMany 64
        for transformation in AES/GCM/NoPadding ChaCha20-Poly1305; do
            for bytes in $cold_lengths; do
                for provider in SunJCE Lanecrypt; do
                    "$jdk/bin/java" --enable-native-access=ALL-UNNAMED -cp "$classpath" org.lanecrypt.bench.ColdStart \
                        $provider $transformation "$bytes" >>"$results/$round/cold-$number.tsv"
                done
            done
        done
    done
done
$python report.py $results $doc
