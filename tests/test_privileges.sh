#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# test_privileges.sh PROGRAM FOLDER: with raised privileges the environment changes nothing.  PROGRAM is privileged.c; a copy of it
# that is setuid or setgid is made in FOLDER.  Exit status 77: none can be made here, and nothing is known.
set -eu
program=$1
umask 022
folder=$(mktemp -d "$2/privileges.XXXXXX")
trap 'rm -rf "$folder"' EXIT
copy=$folder/copy

skip() {
    echo "SKIPPED: $*"
    exit 77
}

fail() {
    echo "test_privileges.sh: $*" >&2
    exit 1
}

cp "$program" "$copy"
unset LANECRYPT_DISABLE LANECRYPT_IMPL
# To another user if we are root, else to another one of our groups.  Changing the owner takes the bits away, so mode comes last.
if [ "$(id -u)" = 0 ]; then
    chown 65534 "$copy" || skip "root can't give a file away here, as in some user namespaces"
    chmod 4755 "$copy"
else
    group=$(id -G | tr ' ' '\n' | grep -vx "$(id -g)" | head -n 1)
    [ -n "$group" ] || skip "only root, or a user in two groups, can make a program that has raised privileges"
    chgrp "$group" "$copy" || skip "can't give a file to one of our other groups"
    chmod 2755 "$copy"
fi
best=$("$copy")
case $best in
*"secure: 1"*) best=${best#*init: } ;;
*) skip "setuid has no effect on $copy: a mount with nosuid, or a process with no_new_privs" ;;
esac

# try NAME VALUE EXPECTED: what the program says as it is, so that the variable would have had an effect; and what the copy says.
try() {
    said=$(env "$1=$2" "$program")
    [ "$said" = "secure: 0
init: $3" ] || fail "$1=$2 isn't followed by a program without raised privileges: $said"
    said=$(env "$1=$2" "$copy")
    [ "$said" = "secure: 1
init: $best" ] || fail "$1=$2 is followed by a program with raised privileges: $said"
}

refused='LANECRYPT_DISABLE or LANECRYPT_IMPL has a name that is unknown or that this CPU can'\''t run; none'
try LANECRYPT_DISABLE nonsense "$refused; nonsense"
try LANECRYPT_IMPL nonsense "$refused; nonsense"
try LANECRYPT_IMPL xts=xts-aes-portable "success; xts-aes-portable; no problem"
case $best in
*xts-aes-portable*) echo "the portable implementation is the best here" ;;
*) try LANECRYPT_DISABLE aes "success; xts-aes-portable; no problem" ;;
esac
echo "the environment is ignored with raised privileges: $best"
