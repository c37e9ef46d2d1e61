#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# usage: fetch-chart-lib.sh DESTDIR
#
# Puts Chart.js (MIT) and its licence into DESTDIR as chart.js and chart-licence.txt, for embed.cmake.
#
# It comes from Debian's package libjs-chart.js and not from npm: the package is one small file set that apt checks and installs
# alone, while npm would pull hundreds of packages (and the network, at build time) into the build of a C library.
set -eu

dest=${1:?usage: fetch-chart-lib.sh DESTDIR}
lib=/usr/share/javascript/chart.js/chart.min.js
licence=/usr/share/doc/libjs-chart.js/copyright

if [ ! -r "$lib" ] || [ ! -r "$licence" ]; then
    echo "fetch-chart-lib.sh: Chart.js is not installed: apt-get install libjs-chart.js" >&2
    exit 1
fi
# The page is written for the options of version 3, which are not those of version 2.
if ! head -n 5 "$lib" | grep -q 'Chart\.js v3\.'; then
    echo "fetch-chart-lib.sh: $lib is not Chart.js 3" >&2
    exit 1
fi
# Inlined in a script element, these would end or garble it.
if grep -qi -e '</script' -e '<!--' "$lib"; then
    echo "fetch-chart-lib.sh: $lib can't be inlined in HTML" >&2
    exit 1
fi
mkdir -p "$dest"
cp "$lib" "$dest/chart.js"
cp "$licence" "$dest/chart-licence.txt"
