# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh disable=SC2034
#
# What run.sh and rounds.sh share; both have the arguments JDK JAR: the home of a JDK 17 or 21, and the provider's jar.
#
# Spark comes from Maven Central, 300 MB the first time.  LANECRYPT_SPARK_BUILD names another folder than target/ to work in.
set -eu

ME=$(basename "$0")
HERE=$(cd "$(dirname "$0")" && pwd)

die() {
    echo "$ME: $*" >&2
    exit 2
}

[ $# -eq 2 ] || die "usage: $ME JDK JAR"
[ -x "$1/bin/javac" ] || die "$1 is not the home of a JDK: it has no bin/javac"
grep -Eq '^JAVA_VERSION="(17|21)[."]' "$1/release" || die "$1 is not a JDK 17 or 21; this version of Spark runs on no other"
[ -f "$2" ] || die "$2: no such file; java/build.sh makes it"
JAVA_HOME=$(cd "$1" && pwd)
JAR=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
BUILD=${LANECRYPT_SPARK_BUILD:-$HERE/target}
mkdir -p "$BUILD"
BUILD=$(cd "$BUILD" && pwd)
JOB=$BUILD/lanecrypt-spark.jar
SPARK_HOME=$BUILD/home
# SPARK_LOCAL_IP: nobody else has to reach these ports.
export JAVA_HOME SPARK_HOME SPARK_SCALA_VERSION=2.13 SPARK_LOCAL_IP=127.0.0.1

mvn -B -q -f "$HERE/pom.xml" -Dlanecrypt.spark.build="$BUILD" package >"$BUILD/maven.log" 2>&1 || {
    tail -n 20 "$BUILD/maven.log" >&2
    die "Maven failed; see $BUILD/maven.log"
}

# What Spark wants to see of an installation: a folder of jars
rm -rf "$SPARK_HOME" "$BUILD/local" "$BUILD/data"
mkdir -p "$SPARK_HOME/jars" "$BUILD/local" "$BUILD/data"
tr : '\n' <"$BUILD/spark-jars.txt" | while IFS= read -r jar || [ -n "$jar" ]; do
    ln -s "$jar" "$SPARK_HOME/jars/"
done

# The JDK's own list of providers, with ours before it
awk 'sub(/^security\.provider\.[0-9]+=/, "") {
        if (!n++) print "security.provider.1=Lanecrypt"
        print "security.provider." n + 1 "=" $0
    }' "$JAVA_HOME/conf/security/java.security" >"$BUILD/lanecrypt.security"
OURS_FIRST="-Djava.security.properties=$BUILD/lanecrypt.security"

# submit JVM_OPTIONS CLASS_PATH WORD...: what bin/spark-submit does, which Maven Central hasn't got; options and class path are for
# the driver and the executors.
submit() {
    options=$1
    class_path=$2
    shift 2
    # The launcher writes a line, which is empty, and then the words of the driver's command, each with a 0 after it.
    "$JAVA_HOME/bin/java" -cp "$SPARK_HOME/jars/*" org.apache.spark.launcher.Main org.apache.spark.deploy.SparkSubmit \
        --properties-file "$HERE/spark.conf" \
        --conf "spark.local.dir=$BUILD/local" \
        --conf "spark.driver.extraClassPath=$class_path" \
        --conf "spark.executor.extraClassPath=$class_path" \
        --conf "spark.driver.extraJavaOptions=$options" \
        --conf "spark.executor.extraJavaOptions=$options" \
        "$@" | tail -n +2 | xargs -0 env
}
