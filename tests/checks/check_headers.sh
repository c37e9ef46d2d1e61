#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# check_headers.sh INCLUDE_DIR COMPILER STANDARD...: each public header compiles alone, twice included, without a warning.
set -eu
include=$1 compiler=$2
shift 2

case $1 in
c++*) language=c++ ;;
*) language=c ;;
esac

count=0
for header in "$include"/lanecrypt/*.h; do
    name=lanecrypt/$(basename "$header")
    for standard in "$@"; do
        printf '#include <%s>\n#include <%s>\n' "$name" "$name" |
            "$compiler" -x $language -std="$standard" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$include" - ||
            { echo "check_headers.sh: $name doesn't compile alone as $standard"; exit 1; }
        count=$((count + 1))
    done
done
[ $count -gt 0 ] && echo "$count compilations of headers"
