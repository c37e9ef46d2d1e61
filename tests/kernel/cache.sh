# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# Sourced: the cache of kernels, and packages of the distribution by plain apt, unpacked and never installed.
#
# An entry is a directory named after everything it was made from: packages, and the scripts that made it (recipe).  It is made
# under another name and renamed when it is whole, so that what is there is complete.

CACHE=${LANECRYPT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/lanecrypt}/kernel

# recipe FILE...: a sum of the script that sources this one, of this one, and of what else an entry is made by.  Other scripts may
# make other entries: what an older one has made lacks what the newer one reads.
recipe() {
    cat "$0" "$(dirname "$0")/cache.sh" "$@" | sha256sum | cut -c 1-12
}

# cannot REASON: the newest can't be had.  An older entry, which the pattern OLDER matches, will do; else the reason on stderr and
# the status that run.sh counts as skipped.
cannot() {
    echo "$*" >&2
    for entry in "$CACHE"/$OLDER; do
        if [ -d "$entry" ]; then
            echo "using the older ${entry##*/} instead" >&2
            echo "$entry"
            exit 0
        fi
    done
    exit 77
}

need_programs() {
    for program; do
        command -v "$program" >/dev/null || cannot "no program '$program'"
    done
}

# new_entry: cd to a directory that is deleted at the end; the entry is to be made in its subdirectory `entry`.
new_entry() {
    mkdir -p "$CACHE"
    find "$CACHE" -maxdepth 1 -name '.new.*' -mmin +240 -exec rm -rf {} +      # of runs that were killed
    new=$(mktemp -d "$CACHE/.new.XXXXXX")
    trap 'rm -rf "$new"' EXIT
    trap 'exit 1' HUP INT TERM
    cd "$new" || exit
    mkdir entry
}

# keep_entry PREFIX KEY: `entry` becomes PREFIX-KEY, and others with that prefix go.
keep_entry() {
    # Somebody else may have been faster; theirs is as good.
    mv -T "$new/entry" "$CACHE/$1-$2" 2>/dev/null || [ -d "$CACHE/$1-$2" ]
    find "$CACHE" -maxdepth 1 -name "$1-*" ! -name "$1-$2" -exec rm -rf {} +
}

package_version() {
    LC_ALL=C apt-cache show --no-all-versions "$1" 2>/dev/null | sed -n 's/^Version: //p'
}

package_depends() {
    LC_ALL=C apt-cache depends "$1" 2>/dev/null | sed -n 's/^ [ |]Depends: //p'
}

# download PACKAGE...: their .deb files into the current directory; apt checks the sums.  Once more if it fails, as it does while
# another apt renews its lists.
download() {
    LC_ALL=C apt-get -q download "$@" >apt.log 2>&1 || {
        sleep 20
        LC_ALL=C apt-get -q download "$@" >apt.log 2>&1
    } || cannot "apt-get download fails; apt-get update may help: $(grep -m 1 '^E:' apt.log)"
}
