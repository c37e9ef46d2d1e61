#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# rounds.sh JDK JAR: how long Parquet takes to write and read, plain and encrypted, by SunJCE and by our provider, in the first
# rounds of a JVM (Rounds.java).  Each configuration has PASSES JVMs, in turns; a table says the median and the best of each round.
#
# PASSES (3) and ROWS (3000000) may be set in the environment.
. "$(dirname "$0")/spark.sh"

PASSES=${PASSES:-3}
ROWS=${ROWS:-3000000}
case "$PASSES$ROWS" in *[!0-9]*) die "PASSES and ROWS must be numbers" ;; esac
TIMES=$BUILD/rounds
: >"$TIMES"

# one JVM_OPTIONS CLASS_PATH PROVIDER ALGORITHM: a JVM of its own, with all in it, as is enough for time
one() {
    submit "$1" "$2" --master 'local[2]' --driver-memory 3g --class org.lanecrypt.spark.Rounds \
        "$JOB" "$3" "$4" "$BUILD/data/rounds" "$ROWS" >"$BUILD/one.out" 2>"$BUILD/one.log" || {
        tail -n 20 "$BUILD/one.log" >&2
        die "$4 by $3 failed; see $BUILD/one.log"
    }
    rm -rf "$BUILD/data/rounds"
    cat "$BUILD/one.out" >>"$TIMES"
}

pass=0
while [ $((pass += 1)) -le "$PASSES" ]; do
    one "" "" SunJCE plain
    for algorithm in AES_GCM_V1 AES_GCM_CTR_V1; do
        one "" "" SunJCE $algorithm
        one "$OURS_FIRST" "$JAR" Lanecrypt $algorithm
    done
done

echo "$ROWS rows, $PASSES JVMs each; seconds, median (best): write, CPU of writing, read, CPU of reading"
sort -k 1,3 "$TIMES" | awk '
    function middle(field,    i, j, a) {
        for (i = 1; i <= n; ++i) {
            for (j = i; j > 1 && a[j - 1] > value[i, field]; --j) a[j] = a[j - 1]
            a[j] = value[i, field]
        }
        return sprintf("  %6.2f (%.2f)", (a[int((n + 1) / 2)] + a[int(n / 2) + 1]) / 2, a[1])
    }
    function show() {
        if (n) printf "%-26s round %d %s %s %s %s\n", name, round, middle(4), middle(5), middle(6), middle(7)
        n = 0
    }
    $1 " " $2 != name || $3 != round { show(); name = $1 " " $2; round = $3 }
    { ++n; for (i = 4; i <= 7; ++i) value[n, i] = $i + 0 }
    END { show() }'
