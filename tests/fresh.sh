#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# fresh.sh WORK_DIR SUITE JOB...: what a first user does, on a machine that has nothing: Debian's SUITE with only the packages that
# are marked `required`, and a clone of this tree as it is now.  Each JOB has a system of its own, and is one of
#
#   PAGE.md    the lines of the page's blocks that are marked `sh`, one after the other, exactly as they stand.  Where a line is
#              `git clone ADDRESS-OF-THIS-REPOSITORY lanecrypt` that is done then, else they begin in a clone.
#   COMMAND    a line for the shell, which begins in a clone
#   PAGE.md COMMAND  one after the other
#
# One line a job; its output is in WORK_DIR.  Exit status 0 if nothing failed.  Where no such system can be made, all is skipped.
# Needs root (for chroot and mounts of its own, which end with it), mmdebstrap, git, util-linux and a network.
set -eu

[ $# -ge 3 ] || { echo "usage: fresh.sh WORK_DIR SUITE JOB..." >&2; exit 2; }
mkdir -p "$1"
WORK=$(cd "$1" && pwd)
SUITE=$2
ROOT=$(cd "$(dirname "$0")/.." && pwd)
shift 2
failed=0

skip_all() {
    echo "SKIPPED fresh $SUITE: $*"
    exit 0
}

[ "$(id -u)" = 0 ] || skip_all "needs root"
for program in mmdebstrap git unshare chroot; do
    command -v $program >/dev/null || skip_all "no program '$program'"
done
unshare --mount true 2>/dev/null || skip_all "no mounts of its own are allowed here"

# A killed run's systems are still there.
rm -rf "$WORK/$SUITE".system.*
system=$(mktemp -d "$WORK/$SUITE.system.XXXXXX")
trap 'rm -rf "$system" "$WORK/$SUITE.tar"' EXIT
trap 'exit 1' HUP INT TERM

mmdebstrap --quiet --variant=minbase --include=ca-certificates --format=tar "$SUITE" "$WORK/$SUITE.tar" >"$WORK/$SUITE.log" 2>&1 ||
    skip_all "no such system can be made: $(grep -m 1 '^E:' "$WORK/$SUITE.log" || tail -n 1 "$WORK/$SUITE.log")"

# The tree as it is, committed or not, as a repository of one commit.
rm -rf "$WORK/$SUITE.git" && mkdir "$WORK/$SUITE.git"
(
    cd "$ROOT"
    git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -cf - -T - |
        tar -xf - -C "$WORK/$SUITE.git"
    cd "$WORK/$SUITE.git"
    git init -q .
    git add -A
    git -c user.name=fresh -c user.email=fresh@localhost commit -q -m "fresh: the tree as it is"
)

# make_system: $system/root, which has this machine's way to the network
make_system() {
    rm -rf "$system/root"
    mkdir "$system/root"
    tar -xf "$WORK/$SUITE.tar" -C "$system/root"
    cp /etc/resolv.conf /etc/hosts "$system/root/etc/"
    cp /usr/local/share/ca-certificates/*.crt "$system/root/usr/local/share/ca-certificates/" 2>/dev/null || :
    # Nobody is there to answer, no service is to start, and what is thrown away needn't reach the disk.
    echo 'APT::Get::Assume-Yes "true";' >"$system/root/etc/apt/apt.conf.d/90fresh"
    echo force-unsafe-io >"$system/root/etc/dpkg/dpkg.cfg.d/90fresh"
    printf '#!/bin/sh\nexit 101\n' >"$system/root/usr/sbin/policy-rc.d"
    chmod 755 "$system/root/usr/sbin/policy-rc.d"
    cp -R "$WORK/$SUITE.git" "$system/root/lanecrypt.git"
}

# lines PAGE: of its blocks marked `sh`
lines() {
    awk '/^ *```/ { inside = !inside && $0 ~ /^ *```sh$/; next } inside' "$1"
}

# script JOB: what is run in /root
script() {
    case $1 in
    *.md) lines "$ROOT/$1" >"$system/lines" ;;
    *.md\ *) { lines "$ROOT/${1%% *}"; echo "${1#* }"; } >"$system/lines" ;;
    *) echo "$1" >"$system/lines" ;;
    esac
    echo "set -ex"
    grep -q '^git clone ' "$system/lines" || printf 'cp -R /lanecrypt.git lanecrypt\ncd lanecrypt\n'
    sed 's#^git clone ADDRESS-OF-THIS-REPOSITORY #git clone /lanecrypt.git #' "$system/lines"
}

for job; do
    log=$WORK/$SUITE.$(echo "$job" | tr -c 'a-zA-Z0-9.\n' - | cut -c 1-60).log
    make_system
    script "$job" >"$system/root/script"
    [ -s "$system/lines" ] || { echo "FAIL fresh $SUITE: $job has no lines to run"; failed=1; continue; }
    start=$(date +%s)
    status=0
    # shellcheck disable=SC2016
    unshare --mount --pid --fork env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        sh -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount --rbind /sys "$0/sys" &&
            exec chroot "$0" sh -c "update-ca-certificates >/dev/null 2>&1; cd && exec sh /script"' \
        "$system/root" </dev/null >"$log" 2>&1 || status=$?
    if [ $status = 0 ]; then
        echo "ok   fresh $SUITE: $job, $(($(date +%s) - start)) s"
    else
        failed=1
        echo "---- the end of $log:"
        tail -n 40 "$log" | cut -c 1-200
        echo "FAIL fresh $SUITE: $job, status $status after $(($(date +%s) - start)) s"
    fi
done
exit $failed
