#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# run.sh JDK JAR: encryption in Spark, with a driver and two executors, each a JVM of its own: Parquet's (AES_GCM_V1 and
# AES_GCM_CTR_V1), spark.io.encryption and spark.network.crypto.  One line a check; exit status 0 if nothing failed.
#
#   with     our provider put first, by the properties that docs/spark.md gives.
#   without  the same job as a control: all is SunJCE's, and SunJCE reads what our provider wrote.
#
# The job checks data and files (EncryptedParquet.java).  This script sees who enciphered them: the JDK itself reports each
# initialisation of a cipher with its provider (java.security.debug), and in no JVM may there be one of AES by another provider.
. "$(dirname "$0")/spark.sh"

RESULTS=$BUILD/results
: >"$RESULTS"

ok() {
    echo "ok   $*" | tee -a "$RESULTS"
}

fail() {
    echo "FAIL $*" | tee -a "$RESULTS"
}

# job RUN JVM_OPTIONS CLASS_PATH ARGUMENT...: the job with a log of each JVM.  Without C2, it takes half the CPU time.
job() {
    run=$1
    options="-XX:TieredStopAtLevel=1 -Djava.security.debug=provider,engine=cipher $2"
    class_path=$3
    shift 3
    rm -rf "$SPARK_HOME/work"
    submit "$options" "$class_path" --class org.lanecrypt.spark.EncryptedParquet "$JOB" "$@" \
        >"$BUILD/$run.out" 2>"$BUILD/$run-driver.log" && done=yes || done=
    sed -n "s/^ok   /ok   $run: /p" "$BUILD/$run.out" | tee -a "$RESULTS"
    for executor in 0 1; do
        cat "$SPARK_HOME"/work/app-*/$executor/stderr >"$BUILD/$run-executor-$executor.log" 2>/dev/null || :
    done
    [ -n "$done" ] || {
        grep -A 12 'Exception in thread "main"' "$BUILD/$run-driver.log" | cut -c 1-300 || tail -n 20 "$BUILD/$run-driver.log"
        fail "$run: the job failed; see $BUILD/$run-driver.log"
    }
}

# used RUN JVM PROVIDER WHAT...: in that JVM's log, only PROVIDER initialised ciphers of AES, and did it for each WHAT
used() {
    log=$BUILD/$1-$2.log
    jvm="$1: $2"
    provider=$3
    shift 3
    sed -n 's/.*Cipher\.\(AES[^,]*\), mode: \([^,]*\), algorithm from: \(.*\)/\3 \1 \2/p' "$log" | sort | uniq -c >"$log.ciphers"
    others=$(awk -v p="$provider" '$2 != p { printf "%s%d %s %s by %s", s, $1, $3, $4, $2; s = ", " }' "$log.ciphers")
    if [ -n "$others" ]; then fail "$jvm: another provider than $provider: $others"; fi
    for what; do
        n=$(awk -v w="$provider $what" '$2 " " $3 " " $4 == w { print $1 }' "$log.ciphers")
        if [ -n "$n" ]; then ok "$jvm: $provider, $what: $n times"; else fail "$jvm: $provider did no $what"; fi
    done
}

# check RUN PROVIDER: the driver enciphers what goes over the network; the executors that, Parquet by both modes, shuffles by CTR.
check() {
    gcm="AES/GCM/NoPadding"
    ctr="AES/CTR/NoPadding"
    used "$1" driver "$2" "$gcm encryption" "$gcm decryption"
    for executor in 0 1; do
        used "$1" executor-$executor "$2" "$gcm encryption" "$gcm decryption" "$ctr encryption" "$ctr decryption"
    done
}

job with "$OURS_FIRST" "$JAR" Lanecrypt "$BUILD/data/with"
check with Lanecrypt
job without "" "" SunJCE "$BUILD/data/without" "$BUILD/data/with"
check without SunJCE
failed=$(grep -c '^FAIL' "$RESULTS" || :)
echo "$(grep -c '^ok' "$RESULTS" || :) passed, $failed failed"
[ "$failed" = 0 ]
