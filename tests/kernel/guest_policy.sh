# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=dash
# In the guest, on a CPU that lacks something, or whose kernel doesn't save some registers: what is registered, and what is refused.
# shellcheck source=guest_drivers.sh
. /test/guest_drivers.sh

echo "flags: $(grep -m 1 '^flags' /proc/cpuinfo)"
if [ -z "$EXPECTED" ]; then
    check_refused "CPU without AES and SSSE3" "No such device" "lanecrypt: this CPU has neither AES instructions nor AVX2"
else
    mark
    if load "loading"; then
        check_drivers "loaded" priority_of
        check_log "loaded"
        unload "loaded"
    fi
fi
