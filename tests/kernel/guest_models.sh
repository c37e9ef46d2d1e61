# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=dash
# In the guest, in Bochs: what the program finds on this CPU and chooses, beside what run.sh says that it should.

echo "CPU: $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo)"
/test/lanecrypt cpu
same "its features" "$(/test/lanecrypt cpu | sed -n 's/^found: *//p')" "$(cat /test/features)"
# (AES rounds have a table of their own.)
/test/lanecrypt list | awk '$2 == "chosen" && $1 !~ /^aes-round/ { print $1 }' >/tmp/chosen
diff /test/chosen /tmp/chosen
check "what is chosen, of all modes" cmp /test/chosen /tmp/chosen
