#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Builds the Python package and tests it against PyPI's package cryptography, as it is installed in a virtual environment.
set -eu
cd "$(dirname "$0")/.."
if command -v musl-gcc >/dev/null && command -v aarch64-linux-gnu-gcc >/dev/null && [ "$(uname -m)" = x86_64 ]; then
    sh python/build.sh --all
else
    echo "SKIPPED the wheels for musl and aarch64: no musl-gcc or aarch64-linux-gnu-gcc (Debian: musl-tools gcc-aarch64-linux-gnu)"
    sh python/build.sh
fi
venv=build-python/venv-test
[ -x $venv/bin/python ] || python3 -m venv $venv
$venv/bin/python -m pip --quiet --disable-pip-version-check install --force-reinstall --no-deps \
    build-python/dist/*-manylinux_*_"$(uname -m)".whl
$venv/bin/python -m pip --quiet --disable-pip-version-check install cryptography numpy pytest mypy
$venv/bin/python -m pytest -q -p no:cacheprovider python/tests
# The types say what the module has, and the benchmark runs.
$venv/bin/python -m mypy.stubtest --ignore-disjoint-bases lanecrypt
$venv/bin/python python/bench.py --smoke
