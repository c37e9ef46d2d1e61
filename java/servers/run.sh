#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# run.sh [--kafka] JDK JAR: HTTPS by Jetty, Tomcat and Netty, and with --kafka a broker, a producer and a consumer over TLS instead,
# in JVMs with the agent of docs/java-servers.md.  Who enciphers is reported by the JDK itself (java.security.debug): it may only be
# our provider.  A JVM without the agent is the control.  One line a check; 0 if nothing failed, 77 if Maven can't get the servers.
set -eu

die() {
    echo "run.sh: $*" >&2
    exit 1
}

what=https
[ "${1:-}" != --kafka ] || { what=kafka; shift; }
[ $# = 2 ] || { echo "usage: java/servers/run.sh [--kafka] JDK LANECRYPT.jar" >&2; exit 2; }
[ -x "$1/bin/javac" ] || die "$1 is not a JDK: it has no bin/javac"
jdk=$(realpath "$1")
[ -f "$2" ] || die "$2: no such file; java/build.sh makes it"
agent=-javaagent:$(realpath "$2")=required
cd "$(dirname "$0")"
build=$(pwd)/target

# Nothing of it is fetched twice.  Without a network, Maven says so in its own words.
mkdir -p "$build"
profile=
[ $what = https ] || profile=-Pkafka
# shellcheck disable=SC2086
JAVA_HOME=$jdk mvn -B -q $profile process-classes >"$build/maven.log" 2>&1 || {
    if grep -q 'Could not transfer\|Unknown host\|in offline mode' "$build/maven.log"; then
        echo "SKIPPED the provider in servers: Maven can't get them: $(grep -m 1 '^\[ERROR\]' "$build/maven.log" | cut -c 1-200)"
        exit 77
    fi
    cat "$build/maven.log" >&2
    die "Maven failed"
}
classes=$build/classes:$(cat "$build/class-path")
keys=$build/keys
rm -rf "$keys"
mkdir "$keys"
"$jdk/bin/keytool" -genkeypair -alias server -keyalg EC -groupname secp256r1 -dname CN=localhost -ext san=dns:localhost \
    -validity 2 -storetype PKCS12 -keystore "$keys/server.p12" -storepass changeit 2>/dev/null

passed=0 failed=0
ok() {
    echo "ok   $*"
    passed=$((passed + 1))
}

fail() {
    echo "FAIL $*"
    failed=$((failed + 1))
}

# jvm OPTION...: a JVM that reports its ciphers, in place of the shell.  Without C2, it takes half the CPU time.
jvm() {
    exec "$jdk/bin/java" -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -Djava.security.debug=provider,engine=cipher \
        -cp "$classes" "$@"
}

# used NAME PROVIDER: by the log of that name, AES-GCM and ChaCha20-Poly1305 are all PROVIDER's, in both directions
used() {
    for direction in encryption decryption; do
        all=$(sed -n "s/.*Cipher\.\(AES[^,]*GCM\|ChaCha20\)[^,]*, mode: $direction, algorithm from: //p" "$build/$1.log" |
            sort | uniq -c)
        case $(echo "$all" | wc -l)$(echo "$all" | awk '{ print $2 }') in
        "1$2") ok "$1: $direction, $(echo "$all" | awk '{ print $1 " times by " $2 }')" ;;
        *) fail "$1: $direction by $(echo "$all" | awk '{ printf "%s%s (%s)", s, $2, $1; s = ", " }'), not only by $2" ;;
        esac
    done
}

# https NAME SERVER PROVIDER [OPTION...]: the pages that are read are right, and the ciphers are PROVIDER's
https() {
    name=$1 server=$2 provider=$3
    shift 3
    if (jvm "$@" org.lanecrypt.servers.Https "$server" "$keys/server.p12") >"$build/$name.log" 2>&1; then
        used "$name" "$provider"
    else
        grep -v '^[Pp]rovider' "$build/$name.log" | tail -n 12
        fail "$name: see $build/$name.log"
    fi
}

# kafka NAME PROVIDER [OPTION...]: a broker, and a producer and a consumer in JVMs of their own; the log is the broker's
kafka() {
    name=$1 provider=$2
    shift 2
    rm -rf "$build/kafka"
    mkdir "$build/kafka"
    store="ssl.truststore.type=PKCS12
ssl.truststore.location=$keys/trust.p12
ssl.truststore.password=changeit"
    printf 'security.protocol=SSL\n%s\n' "$store" >"$build/kafka/client"
    cat >"$build/kafka/broker" <<END
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@localhost:19093
listeners=SSL://localhost:19092,CONTROLLER://localhost:19093
controller.listener.names=CONTROLLER
inter.broker.listener.name=SSL
listener.security.protocol.map=SSL:SSL,CONTROLLER:SSL
ssl.keystore.type=PKCS12
ssl.keystore.location=$keys/server.p12
ssl.keystore.password=changeit
$store
log.dirs=$build/kafka/data
offsets.topic.replication.factor=1
END
    (jvm kafka.tools.StorageTool format -t "$(jvm kafka.tools.StorageTool random-uuid 2>/dev/null)" -c "$build/kafka/broker") \
        >"$build/kafka/format.log" 2>&1 || die "the broker's storage can't be made; see $build/kafka/format.log"
    jvm "$@" kafka.Kafka "$build/kafka/broker" >"$build/$name.log" 2>&1 &
    broker=$!
    if (jvm "$@" org.apache.kafka.tools.ProducerPerformance --topic t --num-records 20000 --record-size 1000 --throughput -1 \
        --producer-props bootstrap.servers=localhost:19092 --producer.config "$build/kafka/client") \
        >"$build/$name-producer.log" 2>&1 &&
        (jvm "$@" org.apache.kafka.tools.ConsumerPerformance --topic t --messages 20000 --timeout 120000 \
            --bootstrap-server localhost:19092 --consumer.config "$build/kafka/client") >"$build/$name-consumer.log" 2>&1 &&
        grep -q ', 20000, ' "$build/$name-consumer.log"; then
        for end in "" -producer -consumer; do
            used "$name$end" "$provider"
        done
    else
        fail "$name: see $build/$name*.log"
    fi
    kill "$broker"
    wait "$broker" || :
}

if [ $what = https ]; then
    for server in jetty tomcat netty; do
        https $server $server Lanecrypt "$agent"
    done
    https without netty SunJCE
else
    "$jdk/bin/keytool" -exportcert -alias server -keystore "$keys/server.p12" -storepass changeit 2>/dev/null |
        "$jdk/bin/keytool" -importcert -noprompt -alias server -storetype PKCS12 -keystore "$keys/trust.p12" \
            -storepass changeit 2>/dev/null
    kafka kafka Lanecrypt "$agent"
    kafka kafka-without SunJCE
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
