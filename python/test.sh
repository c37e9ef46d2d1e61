#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Builds the Python package and tests it against PyPI's package cryptography, as it is installed in a virtual environment.
set -eu
cd "$(dirname "$0")/.."
sh python/build.sh
venv=build-python/venv-test
[ -x $venv/bin/python ] || python3 -m venv $venv
$venv/bin/python -m pip --quiet --disable-pip-version-check install --force-reinstall --no-deps build-python/dist/*.whl
$venv/bin/python -m pip --quiet --disable-pip-version-check install cryptography numpy pytest mypy
$venv/bin/python -m pytest -q -p no:cacheprovider python/tests
# The types say what the module has, and the benchmark runs.
$venv/bin/python -m mypy.stubtest --ignore-disjoint-bases lanecrypt
$venv/bin/python python/bench.py --smoke
