#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Builds intrinsics.c, runs it, and compares what it prints with expected.txt.
# Usage: run.sh INCLUDE_DIR OUT_PROGRAM "EMULATOR" "COMPILER AND OPTIONS"
set -eu
here=$(dirname "$0")
$4 -std=c11 -O1 -Wall -Wextra -Werror -static "-I$1/lanecrypt/compat" "-I$1" "$here/intrinsics.c" -o "$2"
$3 "$2" >"$2.txt"
diff "$here/expected.txt" "$2.txt"
echo "$(wc -l <"$2.txt") intrinsics agree"
