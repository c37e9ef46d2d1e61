#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# ./dev test: all the tests, one configuration after the other, and the proofs beside them.  `quick`: those that find most for the
# time that they take.
set -eu
BUILD=$1
WHAT=$2
JOBS=$(nproc)
case $WHAT in all | quick) ;; *) echo "dev: test '$WHAT': must be quick or nothing" >&2; exit 2 ;; esac

if [ "$WHAT" = quick ]; then
    cat <<'END'
The quick tests take 3 minutes on two CPUs, and need no network.  They have the tests of each implementation that runs here,
those of the OpenSSL provider, and the checks of the binary: instructions, calling convention, size, symbols, hardening, secrets
left behind.
They leave out: lint, proofs, constant time (valgrind), lengths above 4 GiB, the checks of the checks, the program, OpenSSL's
own tests and other programs, sanitizers, fuzzing, Java, Python, Rust, the kernel module, first users' machines, other CPUs than
this one's kind.
So a mutant of a wipe or of a 64-bit length may pass here.  ./dev test has them all.
END
else
    echo "All tests take 45 to 60 minutes on two CPUs, with 1.5 GB of downloads and building a kernel the first time."
fi

# spent FILE: the CPU time of this shell's jobs that have ended, by way of that file: in a pipe `times` would be another shell's.
spent() {
    times >"$1"
    awk -F '[ms ]+' 'NR == 2 { printf "%.0f s of CPU time", 60 * $1 + $2 + 60 * $3 + $4 }' "$1"
    rm -f "$1"
}

say() {
    printf '\n==== %s (%s, after ' "$*" "$(date +%T)"
    spent build-times
    echo ")"
}

# build DIR OPTION...: configure and build, all or $targets; quiet unless it fails.  Warnings are errors, the linker's too.
targets=
build() {
    dir=$1
    shift
    # shellcheck disable=SC2086
    if ! { cmake -S . -B "$dir" -G Ninja -DCMAKE_COMPILE_WARNING_AS_ERROR=ON "$@" && ninja -C "$dir" -j "$JOBS" $targets; } \
        >"$dir.log" 2>&1; then
        tail -n 60 "$dir.log" >&2
        echo "dev: the build failed; see $dir.log" >&2
        exit 1
    fi
    ! grep -n 'warning:' "$dir.log" || {
        echo "dev: the build has warnings; see above" >&2
        exit 1
    }
    rm -f "$dir.log"
}

# The distribution's Python, whatever else comes first in PATH: it has the packages that were set up.
mkdir -p build-tools
ln -sf /usr/bin/python3 build-tools/python3
PATH=$(pwd)/build-tools:$PATH
export PATH

begin=$(date +%s)
# On its own it is ./dev lint.
if [ "$WHAT" = all ]; then
    say "Lint"
    sh scripts/lint.sh
fi

say "Test vectors"
vectors=$(pwd)/build-vectors
if [ "$WHAT" = all ]; then
    sh tests/fetch_vectors.sh build-vectors
    python3 vectors/choose.py --check build-vectors
elif [ ! -d build-vectors ]; then
    vectors=$(pwd)/vectors/nist
    echo "NIST's choice, which is here; Wycheproof's and others are used once ./dev test has fetched them."
fi

say "Native build"
# The tests, which are in C++, by Clang if it's there: it compiles them in half the time.  The library is in C.
(
    [ -n "${CXX:-}" ] || ! command -v clang++ >/dev/null || export CXX=clang++
    build "$BUILD" -DLANECRYPT_TESTS=ON -DLANECRYPT_VECTORS_DIR="$vectors"
)

say "Machine code, bytes"
python3 tests/checks/check_size.py "$BUILD/liblanecrypt.a"
size "$BUILD"/CMakeFiles/lanecrypt_aes_round_*.dir/src/aes_round_ops.c.o

if [ "$WHAT" = quick ]; then
    say "Native tests"
    ctest --test-dir "$BUILD" --output-on-failure -j "$JOBS" -L '^(unit|features|openssl|quick)$'
    say "The quick tests have passed, in $(($(date +%s) - begin)) seconds"
    exit 0
fi

if [ "$(uname -m)" = x86_64 ]; then
    say "The prover's own tests"
    CARGO_TARGET_DIR=build-prove cargo test -q --locked --manifest-path proofs/Cargo.toml
fi

# Nothing in them has a time limit, so they get the CPU time that all stages below leave: while something is fetched, configured or
# linked, and when a stage's last test runs alone.
say "Proofs of the x86-64 assembly, a choice of lengths: they begin, and are shown at the end"
test_proofs() {
    if [ "$(uname -m)" = x86_64 ]; then
        exec nice -n 19 sh scripts/prove.sh "$BUILD/liblanecrypt.a" quick
    else
        echo "SKIPPED proofs: they check their models of instructions against an x86-64 CPU"
    fi
}
# Jobs in the background don't hear Ctrl-C, and would go on without this script, also when a stage fails.
trap 'trap "" TERM; kill 0; exit 130' HUP INT TERM
test_proofs >build-proofs.log 2>&1 &
proofs=$!
trap 'kill $proofs 2>/dev/null || :' EXIT

say "Native tests"
ctest --test-dir "$BUILD" -N -L openssl | grep -q test_provider || {
    echo "dev: the tests of the OpenSSL provider weren't built, because OpenSSL's headers are missing (Debian: libssl-dev)" >&2
    exit 1
}
! ctest --test-dir "$BUILD" -N | grep -q Disabled || {
    echo "dev: some tests are disabled, because something they need is missing; list them: ctest --test-dir $BUILD -N" >&2
    exit 1
}
ctest --test-dir "$BUILD" --output-on-failure -j "$JOBS" --output-junit "$(pwd)/$BUILD/tests.xml"

say "AddressSanitizer and UndefinedBehaviorSanitizer"
# They see C only, and these rows have the C of others, around assembly of their own; so have tests with features taken away.
build build-asan --preset asan -DLANECRYPT_VECTORS_DIR="$vectors" -DLANECRYPT_TESTS_LEFT_OUT="*/*_aesni_avx:\
*/*_aes_vaes_avx512_512:*/*_aes_vaes_avx512_256:*/chacha20*_avx512_256*:*/chacha20*_avx512_512_wide"
ctest --test-dir build-asan --output-on-failure -j "$JOBS" -L '^(unit|cli|openssl|aes-round)$' -E -without-

say "ThreadSanitizer: the tests that have threads"
targets="test_env test_provider_load test_provider_process test_provider_threads"
build build-tsan --preset tsan -DLANECRYPT_VECTORS_DIR="$vectors"
targets=
ctest --test-dir build-tsan --output-on-failure --no-tests=error -j "$JOBS" \
    -R '^test_(env|provider_load|provider_process|provider_threads)$'

say "aarch64, under qemu"
# The portable rows of AES are slow here, and have short tests only; the native tests have all of them.  Of all rows the longest
# are left out.
long="*.LongTableOfGuardPages/*:*.SectorsWithShortLast/*:*.LongestUnit/*:*.OaepWycheproof/*"
for tests in AllShort BatchesOf Cavp EveryAlignment EveryBitCarries EverySplit GuardPages Long LowHalf ManyGuardPages ManyOf \
    ManyWith RandomLengths Sectors UpdateTotalLength; do
    long="$long:*.$tests*/*_aes_portable"
done
build build-aarch64 --preset aarch64 -DLANECRYPT_VECTORS_DIR="$vectors" -DLANECRYPT_TESTS_LEFT_OUT="$long"
ctest --test-dir build-aarch64 --output-on-failure -j "$JOBS" -L 'unit|features'

say "Fuzzing, 8 seconds each"
targets=fuzz/all
build build-fuzz --preset fuzz
targets=
# fuzz TARGET: what it found is in its log.
fuzz() {
    mkdir -p "$1.corpus"
    "$1" -max_total_time="${LANECRYPT_FUZZ_SECONDS:-8}" -max_len=8192 -print_final_stats=1 "$1.corpus" >"$1.log" 2>&1 ||
        touch "$1.found"
}
fuzzers=$(find build-fuzz/fuzz -maxdepth 1 -type f -name 'fuzz_*' -perm -u+x | sort)
number=$(echo "$fuzzers" | wc -l)
[ "$number" = "$(find fuzz -name 'fuzz_*.c' -o -name 'fuzz_*.cc' | wc -l)" ] || {
    echo "dev: only $number of the fuzz targets were built" >&2
    exit 1
}
rm -f build-fuzz/fuzz/*.found
# In a shell of its own, whose `wait` isn't for the proofs
(
    running=0
    for target in $fuzzers; do
        fuzz "$target" &
        running=$((running + 1))
        [ $((running % JOBS)) != 0 ] || wait
    done
    wait
)
for target in $fuzzers; do
    [ ! -f "$target.found" ] || {
        tail -n 40 "$target.log" >&2
        echo "dev: ${target##*/} found an error; see $target.log" >&2
        exit 1
    }
    echo "${target##*/}"
    tail -n 8 "$target.log"
done

test_java() {
    # The newest JDK of each series that the system has.
    jdks="" oldest=""
    for series in 17 21 25; do
        jdk=
        for home in /usr/lib/jvm/*; do
            [ ! -L "$home" ] && [ -x "$home/bin/javac" ] || continue
            ! grep -q "^JAVA_VERSION=\"${series}[.\"]" "$home/release" || jdk=$home
        done
        if [ -n "$jdk" ]; then jdks="$jdks $jdk"; else echo "SKIPPED JDK $series: none in /usr/lib/jvm"; fi
        oldest=${oldest:-$jdk}
    done
    [ -n "$oldest" ] || {
        echo "dev: there is no JDK 17, 21 or 25 in /usr/lib/jvm (Debian 12: openjdk-17-jdk-headless)" >&2
        exit 1
    }
    # Maven itself runs too short a time for the second compiler.
    export MAVEN_OPTS=-XX:TieredStopAtLevel=1
    # shellcheck disable=SC2086
    LANECRYPT_VECTORS_DIR=$vectors sh java/test.sh $jdks
    sh java/bench/run.sh --smoke java/target/lanecrypt-*.jar "$oldest"
    # 77: Maven can't get them; it has said so.
    sh java/servers/run.sh "$oldest" java/target/lanecrypt-*.jar || [ $? = 77 ]
    sh java/spark/run.sh "$oldest" java/target/lanecrypt-*.jar
}

test_kernel() {
    sh tests/kernel/run.sh build-kernel
    kernels=
    for series in 6.1 6.12; do
        status=0
        entry=$(sh tests/kernel/fetch_kernel.sh $series) || status=$?
        case $status in
        0) kernels="$kernels $(cat "$entry/release")=$entry/headers" ;;
        77) echo "SKIPPED DKMS for $series: no kernel headers" ;;
        *) exit $status ;;
        esac
    done
    # shellcheck disable=SC2086
    [ -z "$kernels" ] || sh tests/kernel/test_dkms.sh build-dkms $kernels
}

# By the distribution's Python, which has to be 3.11 or later; after it, as it ends early, the second of the first users' systems
test_python() {
    status=0
    sh python/test.sh || status=1
    test_trixie || status=1
    return $status
}

# By the cargo that is there.  77: it is too old, or there is none; it has said so.
test_rust() {
    status=0
    sh rust/test.sh 2>&1 || status=$?
    case $status in 0 | 77) ;; *) return $status ;; esac
}

# 77: what it needs can't be had; it has said why.
test_examples() {
    for command in "examples/qemu/run.sh --test" "examples/simde/run.sh --check"; do
        status=0
        # shellcheck disable=SC2086
        sh $command 2>&1 || status=$?
        case $status in 0 | 77) ;; *) return $status ;; esac
    done
}

# What a first user does: README's commands, and the lines of the pages.  What docs/openssl.md has built, ./dev run goes on with.
test_fresh() {
    sh tests/fresh.sh build-fresh bookworm docs/library.md docs/java.md "docs/openssl.md ./dev run" docs/linux.md \
        "docs/packages.md sh tests/packages.sh build-packages" \
        'apt-get update; apt-get install make; $(make -C linux deb 2>&1 | sed -n "s/.*as root:  //p"); make -C linux deb'
}

# The release after it, by its clang, and by its versions of what lints
test_trixie() {
    sh tests/fresh.sh build-fresh trixie "./dev lint; apt-get install clang; CC=clang CXX=clang++ ./dev test quick"
}

# Side by side, as none has work for all CPUs for long; each with a log, which is shown when it has ended
say "The kernel module, Java, Python, Rust, AES rounds in QEMU and SIMDe, and first users' machines"
# job NAME: test_NAME in the background.  At its log's end it says how long it took.
jobs="proofs=$proofs"
job() {
    (
        trap 'printf "%s: " "$1"; spent "build-$1.times"; echo' EXIT
        "test_$1"
    ) >"build-$1.log" 2>&1 &
    jobs="$1=$! $jobs"
}
job examples
job fresh
job rust
job python
job java
job kernel
failed="" logs=""
for job in $jobs; do
    status=0
    wait "${job#*=}" || status=1
    name=${job%=*}
    say "$name"
    cat "build-$name.log"
    logs="$logs build-$name.log"
    [ $status = 0 ] || failed="$failed build-$name.log"
done
trap - EXIT
[ -z "$failed" ] || {
    echo "dev: failed; see above, and$failed" >&2
    exit 1
}
skipped=$(
    sed -n 's/.*<testcase name="\([^"]*\)".* status="notrun".*/SKIPPED \1/p' "$BUILD/tests.xml"
    # shellcheck disable=SC2086
    grep -h '^SKIPPED' $logs || :
)
# shellcheck disable=SC2086
rm -f $logs

say "All tests have passed${skipped:+, but these were not run:
$skipped
}"
